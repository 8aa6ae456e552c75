#include "compiler/systolic/model_cycles.hpp"

#include <algorithm>

#include "verif/systolic/performance/run_program.hpp"

namespace macrame::systolic::compiler {

ModelCycles model_cycles(const SystolicProgram& program, std::size_t layers) {
    const verif::AxiMemoryOptions axi =
        performance::memory_options(program.architecture, kModelLatency, 0.0, 1);
    ModelCycles out;
    out.ends.resize(layers);
    for (const Program& one : program.programs) {
        performance::Observer observer(one.instructions);
        const performance::Run run =
            performance::run_on_model(program.architecture, one.instructions, axi, &observer);
        if (!run.problem.empty()) {
            out.problem = run.problem;
            return out;
        }
        for (std::size_t n = 0; n < one.instructions.size(); ++n) {
            std::uint64_t& end = out.ends[static_cast<std::size_t>(one.layers[n])];
            end = std::max(end, out.cycles + observer.instructions()[n].ended);
        }
        out.cycles += run.counters.cycles;
    }
    return out;
}

}  // namespace macrame::systolic::compiler
