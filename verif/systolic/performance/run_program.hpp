#pragma once
/// Programs from their start to their end, by the counters of the machine.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "verif/systolic/isa/architecture.hpp"
#include "verif/systolic/isa/instruction.hpp"
#include "verif/systolic/performance/device.hpp"
#include "verif/systolic/performance/observer.hpp"
#include "verif/systolic/performance/trials.hpp"

namespace macrame::systolic::performance {

/// What the machine says of a program.
struct Counters {
    std::uint64_t cycles = 0;                         ///< from the start to the last write response
    std::array<std::uint64_t, kModuleCount> busy{};   ///< cycles with an instruction, by module
    std::array<std::uint64_t, kModuleCount> ended{};  ///< instructions
    std::array<std::uint64_t, kModuleCount> waits{};  ///< cycles without one, for a token
};

bool operator==(const Counters& a, const Counters& b);
inline bool operator!=(const Counters& a, const Counters& b) { return !(a == b); }
std::string counters_text(const Counters& counters);

struct Run {
    std::string problem;        ///< it did not come to its end, or an error bit is set; empty: none
    bool stands_still = false;  ///< that is the problem
    std::vector<std::string> violations;  ///< of the rules of AXI
    Counters counters;                    ///< sums over all programs
    /// Of each instruction of all programs, those that have ended: the cycle, as `cycles` counts.
    std::vector<std::optional<std::uint64_t>> ends;
};

/// Where they differ; empty: nowhere.
std::string difference(const Run& design, const Run& model);

void put_programs(const std::vector<PlacedProgram>& programs, verif::Memory& memory);

/// Starts one program after the other, waits for the interrupt and reads the registers; before that
/// the trials. `latency` is that of the memory.
Run run_programs(Device& device, const Architecture& architecture,
                 const std::vector<PlacedProgram>& programs, int latency,
                 const Trials& trials = {});

/// The same on the cycle model; the observer, which goes without trials, counts the instructions of
/// all programs through.
Run run_on_model(const Architecture& architecture, const std::vector<PlacedProgram>& programs,
                 const verif::AxiMemoryOptions& axi, Observer* observer = nullptr,
                 const Trials& trials = {});
/// One that lies at address 0.
inline Run run_on_model(const Architecture& architecture, const std::vector<Instruction>& program,
                        const verif::AxiMemoryOptions& axi, Observer* observer = nullptr) {
    return run_on_model(architecture, std::vector<PlacedProgram>{{0, program}}, axi, observer);
}

/// Memory as the ports of a machine want it.
verif::AxiMemoryOptions memory_options(const Architecture& architecture, int latency, double stall,
                                       std::uint64_t seed);

}  // namespace macrame::systolic::performance
