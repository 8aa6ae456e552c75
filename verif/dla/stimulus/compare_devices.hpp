#pragma once
/// Two devices run the same program: do they do the same?

#include <string>
#include <vector>

#include "verif/common/device.hpp"
#include "verif/common/memory.hpp"
#include "verif/dla/trace/player.hpp"
#include "verif/dla/trace/program.hpp"

namespace macrame::dla::stimulus {

/// A device with its memories.
struct Side {
    std::string name;  ///< for messages, "design"
    verif::Device& device;
    verif::Memory& primary;
    verif::Memory& secondary;
};

/// Runs the program on both and compares every register read, but those of cycle counters, and
/// every byte that either wrote.
/// Returns the differences and failures, empty if there are none.
std::vector<std::string> compare_devices(const trace::Program& program, Side a, Side b,
                                         const trace::PlayOptions& options = {});

}  // namespace macrame::dla::stimulus
