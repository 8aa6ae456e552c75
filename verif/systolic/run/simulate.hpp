#pragma once
/// Runs a program, or random ones, on the design, the golden model or both and prints a table, with
/// the cycles of the design, which must be those of its cycle model, or of that alone. Used
/// by `macrame simulate` and by the simulator that comes with a design.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "verif/common/axi_memory.hpp"
#include "verif/common/memory.hpp"
#include "verif/systolic/files/network_file.hpp"
#include "verif/systolic/isa/architecture.hpp"
#include "verif/systolic/performance/run_program.hpp"
#include "verif/systolic/run/simulate_options.hpp"
#include "verif/systolic/run/step_check.hpp"

namespace macrame::systolic::run {

/// Programs for the Verilated design.
struct RtlJob {
    const std::vector<performance::PlacedProgram>& programs;  ///< they lie in a memory of their own
    verif::Memory& memory;                                    ///< of LOAD and STORE
    const verif::AxiMemoryOptions& axi;
    std::string wave;            ///< file for its waves; empty: none
    std::string counts;          ///< file for its counts; empty: none
    StepCheck* steps = nullptr;  ///< is told what ends
    performance::Trials trials = {};
};

/// What this configuration is.
struct Platform {
    std::string program = "sim";  ///< in front of messages
    std::string name;             ///< of the configuration, for the head of the table
    Architecture architecture;
    std::uint32_t config_address = 0;                             ///< where the registers begin
    files::Identity identity = {};                                ///< of programs
    std::function<performance::Run(const RtlJob&)> run_rtl = {};  ///< empty: there is no design
    bool own_memory = false;  ///< of a board: its cycles are not those of the cycle model
    bool has_waves = false;   ///< of the design, in this build
    bool has_counts = false;  ///< the same for coverage
};

/// Memory as the options want it.
verif::AxiMemoryOptions axi_of(const SimulateOptions& options, const Architecture& architecture,
                               std::uint64_t seed);

/// What the options want before the programs run.
performance::Trials trials_of(const SimulateOptions& options, std::uint64_t seed);

/// Returns the exit status, see verif/common/run/command_line.hpp; what it throws is an internal
/// error.
int simulate(const SimulateOptions& options, const Platform& platform);

}  // namespace macrame::systolic::run
