#pragma once
/// The other end of runtime/device: register and memory accesses of a driver in another process.

#include <cstdint>
#include <string>
#include <vector>

#include "verif/common/device.hpp"
#include "verif/common/memory.hpp"

namespace macrame::verif::run {

struct Served {
    std::string problem;                  ///< with a request, at which it ended; empty: none
    std::vector<std::string> violations;  ///< of the device, also those before a reset
};

/// What a driver cannot see at the device itself.
struct ServedDesign {
    int address_bits = 64;       ///< of memory; an access beyond ends the program
    std::uint32_t identity = 0;  ///< of programs; 0: not known
};

/// Answers requests (verif/common/run/device_wire.h) at a socket until its end. `secondary`: null
/// if the device has one memory port. `untimed`: a device whose layers complete only in advance();
/// a register read then makes a step.
Served serve(int socket, Device& device, Memory& primary, Memory* secondary, bool untimed,
             const ServedDesign& design = {});

}  // namespace macrame::verif::run
