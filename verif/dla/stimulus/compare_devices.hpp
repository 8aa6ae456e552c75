#pragma once
/// Two devices run the same program: do they do the same?

#include <string>
#include <vector>

#include "verif/common/device.hpp"
#include "verif/common/memory.hpp"
#include "verif/dla/trace/player.hpp"
#include "verif/dla/trace/program.hpp"

namespace macrame::dla::stimulus {

/// What a device did: the registers read from it, the memories it wrote.
struct Played {
    std::string name;  ///< for messages, "design"
    const std::vector<trace::RegisterRead>& reads;
    const verif::Memory& primary;
    const verif::Memory& secondary;
};

/// Adds the differences between the register reads of two, but those that tell of cycles, and
/// between the bytes that they wrote.
void compare_runs(const Played& a, const Played& b, std::vector<std::string>& out);

/// A device with its memories.
struct Side {
    std::string name;  ///< for messages, "design"
    verif::Device& device;
    verif::Memory& primary;
    verif::Memory& secondary;
};

/// Runs the program on both. Returns failures and what compare_runs() finds, empty if there is
/// nothing.
std::vector<std::string> compare_devices(const trace::Trace& program, Side a, Side b,
                                         const trace::PlayOptions& options = {});

}  // namespace macrame::dla::stimulus
