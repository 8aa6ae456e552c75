#include "verif/dla/run/driver_checker.hpp"

#include <stdexcept>
#include <utility>

#include "verif/dla/model/register_pages.hpp"
#include "verif/dla/run/program_follower.hpp"

namespace macrame::dla::run {

using model::Finding;
using model::Level;

namespace {

class CheckedDevice : public verif::Device {
public:
    CheckedDevice(const model::Architecture& sizes, std::unique_ptr<verif::Device> device,
                  bool verbose, bool strict, DriverChecker::Say say)
        : device_(std::move(device)), checker_(sizes, *device_, verbose, strict, std::move(say)) {}

    void load_memory(const std::vector<verif::MemoryRange>& looked_at) override {
        device_->load_memory(looked_at);
    }
    void fetch_memory(const verif::MemoryRange& range) override { device_->fetch_memory(range); }
    void store_memory(const verif::MemoryRange& range) override { device_->store_memory(range); }
    void reset() override {
        device_->reset();
        checker_.reset();
    }
    void csb_write(std::uint32_t address, std::uint32_t data, bool posted) override {
        const std::string fault = checker_.write(address, data);
        if (!fault.empty()) throw std::runtime_error(fault);
        device_->csb_write(address, data, posted);
    }
    std::uint32_t csb_read(std::uint32_t address) override {
        const std::uint32_t value = device_->csb_read(address);
        checker_.read(address, value);
        return value;
    }
    bool interrupt() override { return device_->interrupt(); }
    void advance(int n) override {
        device_->advance(n);
        checker_.waited(0, false);
    }
    bool still() const override { return device_->still(); }
    std::uint64_t cycle() override { return device_->cycle(); }
    std::uint64_t last_write() override { return device_->last_write(); }
    std::uint64_t interrupt_rise() override { return device_->interrupt_rise(); }
    std::vector<std::string> violations() const override { return device_->violations(); }

private:
    std::unique_ptr<verif::Device> device_;
    DriverChecker checker_;
};

}  // namespace

DriverChecker::DriverChecker(const model::Architecture& sizes, verif::Device& device, bool verbose,
                             bool strict, Say say)
    : sizes_(sizes),
      device_(device),
      verbose_(verbose),
      strict_(strict),
      say_(std::move(say)),
      follower_(sizes, true) {}

void DriverChecker::reset() {
    layers_before_ = layers();
    follower_ = model::LayerFollower(sizes_, true);
}

std::uint64_t DriverChecker::layers() const {
    return layers_before_ + static_cast<std::uint64_t>(follower_.layers());
}

std::uint32_t DriverChecker::mapped(std::uint32_t address) const {
    return model::register_address(address, model::register_variant(sizes_.v1_map), "");
}

/// Each text once; true if there are errors.
bool DriverChecker::tell(const std::vector<Finding>& findings) {
    bool errors = false;
    for (const Finding& finding : findings) {
        errors = errors || finding.level == Level::error;
        if (finding.level != Level::error && !verbose_) continue;
        const char* level = finding.level == Level::error     ? "error "
                            : finding.level == Level::warning ? "warning "
                                                              : "info ";
        const std::string text = level + finding.text();
        if (told_.insert(text).second) say_("layer checker: " + text);
    }
    return errors;
}

std::string DriverChecker::write(std::uint32_t address, std::uint32_t value) {
    const bool errors = tell(follower_.write(mapped(address), value));
    return errors && strict_ ? "breaks programming rules, which --strict does not let run" : "";
}

void DriverChecker::read(std::uint32_t address, std::uint32_t) {
    tell(follower_.read(mapped(address)));
    follower_.wait();  // reading takes time
}

void DriverChecker::waited(std::uint64_t cycles, bool came) {
    follower_.wait();
    if (came || cycles == 0) return;
    if (!device_.still() && follower_.why().empty()) return;  // it may come later
    const std::string text = "no interrupt comes: " + explain(sizes_, follower_, -1, true, device_);
    if (told_.insert(text).second) say_(text);
}

std::unique_ptr<verif::Device> checked(const model::Architecture& sizes,
                                       std::unique_ptr<verif::Device> device, bool verbose,
                                       bool strict, DriverChecker::Say say) {
    return std::make_unique<CheckedDevice>(sizes, std::move(device), verbose, strict,
                                           std::move(say));
}

}  // namespace macrame::dla::run
