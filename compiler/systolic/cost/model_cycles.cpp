#include "compiler/systolic/cost/model_cycles.hpp"

#include <algorithm>
#include <utility>

#include "verif/systolic/performance/cycle_device.hpp"
#include "verif/systolic/performance/run_program.hpp"

namespace macrame::systolic::compiler {

namespace {

/// From the begin of a program to that of the next one; fetch reads pieces of 256 bytes.
constexpr std::uint64_t kProgramBytes = (kMostInstructions + 1) * kWordBytes;

}  // namespace

ModelCycles model_cycles(const SystolicProgram& program, std::size_t layers, int latency,
                         double bytes_per_cycle) {
    verif::AxiMemoryOptions axi =
        performance::memory_options(program.architecture, latency, 0.0, 1);
    axi.dram.bytes_per_cycle = bytes_per_cycle;
    axi.dram.hit_cycles = axi.dram.miss_cycles = 1;  // the latency is that of all answers
    verif::Memory words, nothing;
    performance::CycleDevice device(words, nothing, axi, program.architecture);
    ModelCycles out;
    out.ends.resize(layers);
    for (std::size_t i = 0; i < program.programs.size() && out.problem.empty(); ++i) {
        const Program& one = program.programs[i];
        const std::vector<performance::PlacedProgram> placed = {
            {i * kProgramBytes, one.instructions()}};
        performance::put_programs(placed, words);
        performance::Run run =
            performance::run_programs(device, program.architecture, placed, axi.latency);
        for (std::size_t n = 0; n < run.ends.size(); ++n) {
            std::uint64_t& end = out.ends[static_cast<std::size_t>(one.layers[n])];
            end = std::max(end, out.cycles + run.ends[n].value_or(0));
        }
        out.cycles += run.counters.cycles;
        out.problem = std::move(run.problem);
    }
    return out;
}

}  // namespace macrame::systolic::compiler
