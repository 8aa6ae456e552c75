#include "compiler/systolic/cost/model_cycles.hpp"

#include <algorithm>

#include "verif/systolic/performance/run_program.hpp"

namespace macrame::systolic::compiler {

namespace {

/// From the begin of a program to that of the next one; fetch reads pieces of 256 bytes.
constexpr std::uint64_t kProgramBytes = (kMostInstructions + 1) * kWordBytes;

}  // namespace

ModelCycles model_cycles(const SystolicProgram& program, std::size_t layers) {
    const verif::AxiMemoryOptions axi =
        performance::memory_options(program.architecture, kModelLatency, 0.0, 1);
    std::vector<performance::PlacedProgram> programs;
    std::vector<int> layer_of;  // by instruction
    for (const Program& one : program.programs) {
        programs.push_back({programs.size() * kProgramBytes, one.instructions});
        layer_of.insert(layer_of.end(), one.layers.begin(), one.layers.end());
    }
    const performance::Run run = performance::run_on_model(program.architecture, programs, axi);
    ModelCycles out;
    out.problem = run.problem;
    out.cycles = run.counters.cycles;
    out.ends.resize(layers);
    for (std::size_t n = 0; n < run.ends.size(); ++n) {
        std::uint64_t& end = out.ends[static_cast<std::size_t>(layer_of[n])];
        end = std::max(end, run.ends[n].value_or(0));
    }
    return out;
}

}  // namespace macrame::systolic::compiler
