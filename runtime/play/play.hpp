#pragma once
/// Runs a program file on a simulated accelerator with the runtime that boards use (runtime/), and
/// tells how long it took. Needs the standard library only: testbenches are delivered with it.

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "verif/common/device.hpp"
#include "verif/common/memory.hpp"

namespace macrame::program {

using Bytes = std::vector<std::uint8_t>;

struct PlayOptions {
    std::uint64_t block = 0x80000000u;  ///< where the program's memory begins for the device
    std::string network;                ///< of a file of several, by name
    /// Give up when nothing happened for so many cycles: no command done, no byte moved.
    std::uint64_t timeout = 2'000'000;
    int wait_step = 256;  ///< cycles per advance() while waiting for an interrupt
    bool posted = true;   ///< register writes do not wait for completion
    std::atomic<std::uint64_t>* cycles = nullptr;  ///< shows the device's clock while it runs
    /// Looked at now and then while it runs; empty: there is nothing to see.
    std::function<verif::AxiCounts()> counts;
    /// Operator `number` of the host on the program's memory; false: it failed.
    /// For devices whose memory is the Memory object itself (no boards).
    std::function<bool(std::uint32_t number, std::uint8_t* memory)> host;
};

/// What a memory port has moved by a cycle of the device's clock.
struct PortSample {
    std::uint64_t cycle = 0;
    verif::AxiCounts counts;
};

struct LayerBegin {
    std::uint32_t layer = 0;
    std::uint64_t cycle = 0;  ///< of the device's clock
};

struct PlayResult {
    std::string error;                    ///< one line; empty if the program ran to its end
    std::vector<std::string> violations;  ///< of the device
    std::vector<Bytes> outputs;           ///< packed y, x, c
    std::vector<LayerBegin> layers;       ///< in the order in which they began
    /// Per wait command, in order: the cycle in which the last cause that it waits for was seen
    /// in the status register, or that in which the pin rose for it.
    std::vector<std::uint64_t> waits;
    std::vector<PortSample> samples;  ///< of PlayOptions::counts, at most about a thousand
    std::uint64_t register_writes = 0;
    bool started = false;              ///< some register was written, or read for a command
    std::uint64_t first_command = 0;   ///< cycle in which that write was accepted or the read begun
    std::uint64_t last_interrupt = 0;  ///< cycle in which the last interrupt was raised
    bool passed() const { return error.empty() && violations.empty(); }
    /// From the first command to the last interrupt; 0 if there was none.
    std::uint64_t cycles() const {
        return started && last_interrupt > first_command ? last_interrupt - first_command : 0;
    }
};

/// Puts contents and inputs (packed y, x, c, one for each input) into the memory, resets the
/// device, runs the program and fetches the outputs.
PlayResult play(const Bytes& file, const std::vector<Bytes>& inputs, verif::Device& device,
                verif::Memory& memory, const PlayOptions& options = {});

}  // namespace macrame::program
