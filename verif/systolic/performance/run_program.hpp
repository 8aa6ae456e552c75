#pragma once
/// A program from its start to its end, by the counters of the machine.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "verif/systolic/isa/architecture.hpp"
#include "verif/systolic/isa/instruction.hpp"
#include "verif/systolic/performance/device.hpp"
#include "verif/systolic/performance/observer.hpp"

namespace macrame::systolic::performance {

/// What the machine says of a program.
struct Counters {
    std::uint64_t cycles = 0;  ///< from the start to the last write response
    std::array<std::uint64_t, kModuleCount> busy{};   ///< cycles with an instruction, by module
    std::array<std::uint64_t, kModuleCount> ended{};  ///< instructions
    std::array<std::uint64_t, kModuleCount> waits{};  ///< cycles without one, for a token
};

bool operator==(const Counters& a, const Counters& b);
inline bool operator!=(const Counters& a, const Counters& b) { return !(a == b); }
std::string counters_text(const Counters& counters);

struct Run {
    std::string problem;  ///< it did not come to its end, or an error bit is set; empty: none
    std::vector<std::string> violations;  ///< of the rules of AXI
    Counters counters;
};

/// The words from address 0.
void put_program(const std::vector<Instruction>& program, verif::Memory& memory);

/// Starts the program, which lies at address 0, waits for the interrupt and reads the registers.
/// `latency` is that of the memory.
Run run_program(Device& device, const Architecture& architecture,
                const std::vector<Instruction>& program, int latency);

/// The same on the cycle model.
Run run_on_model(const Architecture& architecture, const std::vector<Instruction>& program,
                 const verif::AxiMemoryOptions& axi, Observer* observer = nullptr);

/// Memory as the ports of a machine want it.
verif::AxiMemoryOptions memory_options(const Architecture& architecture, int latency, double stall,
                                       std::uint64_t seed);

}  // namespace macrame::systolic::performance
