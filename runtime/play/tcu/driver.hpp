#pragma once
/// Networks by the C driver (runtime/tcu) on a device that is simulated, or a board behind a host:
/// its instructions go through an AXI DMA with the registers that the driver knows. Needs the
/// standard library only: testbenches are delivered with it.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "verif/tcu/run/device.hpp"
#include "verif/tcu/run/networks.hpp"
#include "verif/tcu/run/simulate.hpp"

namespace macrame::tcu::play {

using run::Bytes;

/// The system around the device.
struct System {
    Architecture architecture;   ///< of the device
    std::uint32_t identity = 0;  ///< of a device with registers; 0: not compared
    int beat_bytes = 8;
    std::uint64_t bank0 = 0;  ///< byte address of vector 0 of each bank
    std::uint64_t bank1 = 0;
    bool separate_memories = true;  ///< each port has a memory of its own
    bool sees_rest = false;         ///< the end of a program is asked for, not probed
    bool interrupts = false;        ///< the driver sets the tracepoint to the end of the program
    int dma_length_bits = 26;
    std::function<void()> turn = {};  ///< called now and then while it runs
};

/// Whole network on each of the inputs, one behind the other, after a reset of the device. Vectors
/// in DRAM coding. Returns what went wrong, one line, or nothing.
std::string drive(const run::Network& network, const System& system, run::Device& device,
                  run::Banks banks, const std::vector<Bytes>& inputs, std::vector<Bytes>& outputs);

/// For run::Platform.
std::string drive_job(const run::Platform& platform, const run::Network& network,
                      const Bytes& input, run::Device& device, run::Banks banks,
                      const std::function<void()>& turn);

}  // namespace macrame::tcu::play
