#pragma once
/// The layer checker on a program: its register accesses and what it waits for.

#include <array>
#include <string>
#include <vector>

#include "verif/common/device.hpp"
#include "verif/dla/model/layer_checker.hpp"
#include "verif/dla/trace/player.hpp"
#include "verif/dla/trace/program.hpp"

namespace macrame::dla::run {

/// Follows a program command by command. The registers of the program have the addresses of the map
/// that is not "v1".
class ProgramFollower {
public:
    ProgramFollower(const model::Architecture& sizes, const trace::Trace& program);

    /// Of the next command.
    std::vector<model::Finding> next();
    /// Behind the last one: interrupts that are to come, units that are left over.
    std::vector<model::Finding> finish() const;

    const model::LayerFollower& layers() const { return layers_; }

private:
    std::vector<model::Finding> wait_for(const std::string& event) const;
    void take(const std::string& event);

    const model::Architecture& sizes_;
    const trace::Trace& program_;
    model::LayerFollower layers_;
    std::size_t at_ = 0;
    std::array<int, 32> taken_{};   ///< interrupts that were waited for, by their bits
    std::array<int, 32> before_{};  ///< those before the last reset
};

/// Why a wait of this program has no end: what the program left out, and what the registers of the
/// device tell. `variant`: of its register map.
std::string explain(const model::Architecture& sizes, const trace::Trace& program,
                    std::string_view variant, const trace::Stuck& stuck, verif::Device& device);

/// The same of a driver that waits for the interrupt line, or for a bit of S_INTR_STATUS if that is
/// not negative.
std::string explain(const model::Architecture& sizes, const model::LayerFollower& layers, int bit,
                    bool pin, verif::Device& device);

}  // namespace macrame::dla::run
