#pragma once
/// Executes a Trace on a Device: commands strictly in order, interrupts serviced between two
/// commands whenever the pin is high, posted writes back to back.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "program.hpp"
#include "verif/common/device.hpp"
#include "verif/common/memory.hpp"

namespace macrame::dla::trace {

/// A wait in which nothing happens any more.
struct Stuck {
    std::size_t commands = 0;  ///< of the program that were done before
    int bit = -1;      ///< of S_INTR_STATUS that is waited for; -1: another register, or any
    bool pin = false;  ///< it is waited for at the pin
};

struct PlayOptions {
    /// Give up when nothing happened for so many cycles: no command done, no byte moved.
    std::uint64_t timeout = 2'000'000;
    /// The same when so many cycles have gone by since the reset, whatever happens.
    std::uint64_t max_cycles = ~std::uint64_t{0};
    int wait_step = 256;  ///< cycles per advance() while waiting for an interrupt
    int idle = 0;         ///< cycles of pause before every register access
    bool posted = true;   ///< register writes do not wait for completion
    bool stop_at_failure = false;
    std::size_t max_messages = 20;
    /// Why the wait has no end, for the message; may be empty.
    std::function<std::string(const Stuck&)> explain;
    std::atomic<std::uint64_t>* cycles = nullptr;  ///< shows the device's clock while it runs
};

/// One executed check.
struct CheckResult {
    bool passed = false;
    std::string what;     ///< "check_crc sync_id_0 pri_mem 0x80000000+0x400"
    std::string message;  ///< why it failed
    std::string where;
};

struct RegisterRead {
    std::string name;
    std::uint32_t value = 0;
};

struct InterruptSeen {
    int bit = 0;
    std::string id;
    std::uint64_t cycle = 0;  ///< in which the pin rose (as exact as the device knows)
};

struct PlayResult {
    bool passed = false;
    bool stuck = false;                 ///< gave up: a wait in which nothing happened any more
    bool too_long = false;              ///< gave up: more cycles than it was given
    std::vector<std::string> failures;  ///< one line each, "file:line: ..."
    std::vector<CheckResult> checks;
    std::vector<RegisterRead> reads;
    std::vector<InterruptSeen> interrupts;
    std::uint64_t register_writes = 0;
    double cpu_s = 0.0;              ///< CPU seconds behind the reset; memory was prepared before
    bool started = false;            ///< some unit was started: D_OP_ENABLE, CFG_LAUNCH
    std::uint64_t first_enable = 0;  ///< cycle in which the first of them was accepted
    std::uint64_t last_interrupt = 0;
    /// Cycles from the first start to the last rise of the pin, or to the poll that saw the last
    /// event if that is masked; 0 if there was none.
    std::uint64_t cycles() const {
        return started && last_interrupt > first_enable ? last_interrupt - first_enable : 0;
    }
};

/// Puts the program's initial contents into the memories.
void prepare_memory(const Trace& program, verif::Memory& primary, verif::Memory& secondary);

/// Compares a region; empty if equal, else the first difference (address, expected, found).
std::string compare_region(const RegionCheck& check, const verif::Memory& primary,
                           const verif::Memory& secondary);

/// Prepares the memories, resets the device, runs the program.
PlayResult play(const Trace& program, verif::Device& device, verif::Memory& primary,
                verif::Memory& secondary, const PlayOptions& options = {});

}  // namespace macrame::dla::trace
