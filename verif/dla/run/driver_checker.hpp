#pragma once
/// The layer checker behind a driver: what it tells of a program, as the driver writes it.

#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "verif/common/device.hpp"
#include "verif/common/run/device_server.hpp"
#include "verif/dla/model/layer_checker.hpp"

namespace macrame::dla::run {

class DriverChecker : public verif::run::DriverWatch {
public:
    using Say = std::function<void(const std::string&)>;

    /// `verbose`: warnings and infos, too; `strict`: an error ends the device.
    DriverChecker(const model::Architecture& sizes, verif::Device& device, bool verbose,
                  bool strict, Say say);

    void reset() override;
    std::string write(std::uint32_t address, std::uint32_t value) override;
    void read(std::uint32_t address, std::uint32_t value) override;
    void load(bool, std::uint64_t, const std::vector<std::uint8_t>&) override {}
    void look(bool, std::uint64_t, const std::vector<std::uint8_t>&) override {}
    void waited(std::uint64_t cycles, bool came) override;

    /// That have begun since the creation.
    std::uint64_t layers() const;

private:
    bool tell(const std::vector<model::Finding>& findings);
    std::uint32_t mapped(std::uint32_t address) const;

    const model::Architecture& sizes_;
    verif::Device& device_;
    bool verbose_, strict_;
    Say say_;
    model::LayerFollower follower_;
    std::uint64_t layers_before_ = 0;  ///< the last reset
    std::set<std::string> told_;
};

/// The same in front of a device that something else drives, say a compiled network. With `strict`
/// a write that breaks a rule is not made: std::runtime_error.
std::unique_ptr<verif::Device> checked(const model::Architecture& sizes,
                                       std::unique_ptr<verif::Device> device, bool verbose,
                                       bool strict, DriverChecker::Say say);

}  // namespace macrame::dla::run
