#include "verif/systolic/performance/device.hpp"

#include <algorithm>
#include <stdexcept>

namespace macrame::systolic::performance {

namespace {

constexpr int kSettleCycles = 16;
constexpr int kAnswerCycles = 1000;  ///< most until software's port answers

verif::AxiMemoryOptions with_seed(verif::AxiMemoryOptions options, std::uint64_t number) {
    options.seed = 3 * options.seed + number;
    return options;
}

}  // namespace

Device::Device(verif::Memory& program, verif::Memory& data, const verif::AxiMemoryOptions& axi,
               std::uint32_t config_address)
    : program_(program),
      data_(data),
      dram_(axi.dram.bytes_per_cycle != 0 ? std::make_unique<verif::Dram>(axi.dram) : nullptr),
      fetch_(program, with_seed(axi, 0), dram_.get()),
      load_(data, with_seed(axi, 1), dram_.get()),
      store_(data, with_seed(axi, 2), dram_.get()),
      config_address_(config_address) {}

void Device::step() {
    clock();
    ++now_;
    if (!some_ended()) return;
    for (const Module module : kModules)
        if (ended(module)) ends_[number(module)].push_back(now_);
}

void Device::settle() {
    for (int i = 0; i < kSettleCycles; ++i)
        step();
}

void Device::clock_memory() {
    if (dram_) dram_->clock();
    fetch_.clock(fetch_pins_);
    load_.clock(load_pins_);
    store_.clock(store_pins_);
}

std::uint64_t Device::quiet_memory() const {
    if (dram_) return 0;
    return std::min({fetch_.quiet_cycles(fetch_pins_), load_.quiet_cycles(load_pins_),
                     store_.quiet_cycles(store_pins_)});
}

void Device::pass_memory(std::uint64_t cycles) {
    for (verif::AxiMemory* port : {&fetch_, &load_, &store_})
        port->pass(cycles);
}

std::uint32_t Device::address(Register at) const {
    return config_address_ + static_cast<std::uint32_t>(at) * kWordBytes;
}

void Device::write(Register at, const Word& word) { write(address(at), word, 0xffff); }

void Device::write32(Register at, int byte, std::uint32_t value) {
    Word word;
    set_bits(word, 8 * byte, 32, value);
    write(address(at) + static_cast<std::uint32_t>(byte), word, 0xfu << byte);
}

void Device::write(std::uint32_t address, const Word& word, std::uint32_t strobes) {
    software_.awaddr = address;
    software_.wdata = word;
    software_.wstrb = strobes;
    software_.wlast = software_.awvalid = software_.wvalid = software_.bready = true;
    for (int i = 0; i < kAnswerCycles; ++i) {
        const auto now = answers();
        step();
        if (now.awready) software_.awvalid = false;
        if (now.wready) software_.wvalid = false;
        if (now.bvalid) return;
    }
    throw std::runtime_error("software's port does not answer a write");
}

Word Device::read(Register at) {
    software_.araddr = address(at);
    software_.arvalid = software_.rready = true;
    for (int i = 0; i < kAnswerCycles; ++i) {
        const auto now = answers();
        step();
        if (now.arready) software_.arvalid = false;
        if (now.rvalid) return now.rdata;
    }
    throw std::runtime_error("software's port does not answer a read");
}

bool Device::wait(std::uint64_t most_quiet_cycles) {
    std::uint64_t seen = traffic();
    for (std::uint64_t quiet = 0; quiet < most_quiet_cycles; ++quiet) {
        if (irq()) return true;
        step();
        const std::uint64_t now = traffic();
        if (now != seen) quiet = 0;
        seen = now;
        const std::uint64_t passed = pass_quiet(most_quiet_cycles - quiet - 1);
        quiet += passed;
        now_ += passed;
    }
    return false;
}

bool Device::wait_idle(std::uint64_t most_quiet_cycles) {
    std::uint64_t seen = traffic(), since = now_;
    while ((read(Register::status).low & cycles::Control::kBusy) != 0) {
        if (traffic() != seen) since = now_;
        seen = traffic();
        if (now_ - since > most_quiet_cycles) return false;
    }
    return true;
}

void Device::pass(std::uint64_t cycles) {
    for (std::uint64_t i = 0; i < cycles; ++i)
        step();
}

std::uint64_t Device::traffic() const {
    return fetch_.counts().read_bytes + load_.counts().read_bytes + store_.counts().write_beats;
}

std::vector<std::string> Device::violations() const {
    std::vector<std::string> all;
    for (const verif::AxiMemory* port : {&fetch_, &load_, &store_})
        all.insert(all.end(), port->violations().begin(), port->violations().end());
    return all;
}

}  // namespace macrame::systolic::performance
