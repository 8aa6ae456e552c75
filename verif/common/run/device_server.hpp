#pragma once
/// The other end of runtime/device: register and memory accesses of a driver in another process.

#include "verif/common/device.hpp"

namespace macrame::verif::run {

/// Answers requests (verif/common/run/device_wire.h) at a socket until its end. `untimed`: a
/// device whose layers complete only in advance(); a register read then makes a step. False if the
/// stream broke off inside of a request or a request is none.
bool serve(int socket, Device& device, Memory& primary, Memory& secondary, bool untimed);

}  // namespace macrame::verif::run
