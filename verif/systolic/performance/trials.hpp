#pragma once
/// Programs as software starts and stops them; and trials before they run: starts that are reset
/// in the middle, or in which memory answers with errors. The machine must tell, end what is on its
/// way and be as new.

#include <cstdint>
#include <string>
#include <vector>

#include "verif/systolic/isa/architecture.hpp"
#include "verif/systolic/isa/instruction.hpp"
#include "verif/systolic/performance/device.hpp"

namespace macrame::systolic::performance {

/// A program and where its words lie.
struct PlacedProgram {
    std::uint64_t address = 0;
    std::vector<Instruction> instructions;
};

/// No instruction is without traffic in memory for more cycles. `latency` is that of the memory.
std::uint64_t longest_quiet(const Architecture& architecture,
                            const std::vector<Instruction>& program, int latency);

/// In 32-bit writes: count and address, then GO.
void start(Device& device, const PlacedProgram& program);

/// Clears all events of STATUS and enables their interrupts.
void clear_events(Device& device);

/// RESET, until it has ended; says what is wrong then. The events are those of before.
std::string stop(Device& device, std::uint64_t most_quiet_cycles);

struct Trials {
    int resets = 0;          ///< starts that are reset at a random moment
    int faults = 0;          ///< with error answers of memory; half as many with a broken word
    std::uint64_t seed = 1;  ///< of what is chosen by chance
    bool some() const { return resets > 0 || faults > 0; }
};

/// Says what is wrong; empty: nothing. Memory is as it was then.
std::string try_out(Device& device, const Architecture& architecture,
                    const std::vector<PlacedProgram>& programs, const Trials& trials, int latency);

}  // namespace macrame::systolic::performance
