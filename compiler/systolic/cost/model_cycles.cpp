#include "compiler/systolic/cost/model_cycles.hpp"

#include <algorithm>
#include <functional>
#include <future>
#include <thread>
#include <vector>

#include "verif/systolic/performance/cycle_device.hpp"
#include "verif/systolic/performance/run_program.hpp"

namespace macrame::systolic::compiler {

namespace {

/// A program on a machine of its own.
performance::Run run_alone(const Architecture& architecture, const Program& program,
                           const verif::AxiMemoryOptions& axi) {
    verif::Memory words, nothing;
    performance::CycleDevice device(words, nothing, axi, architecture);
    const std::vector<performance::PlacedProgram> placed = {{0, program.instructions()}};
    performance::put_programs(placed, words);
    return performance::run_programs(device, architecture, placed, axi.latency);
}

}  // namespace

ModelCycles model_cycles(const SystolicProgram& program, std::size_t layers, int latency,
                         double bytes_per_cycle) {
    verif::AxiMemoryOptions axi =
        performance::memory_options(program.architecture, latency, 0.0, 1);
    axi.dram.bytes_per_cycle = bytes_per_cycle;
    axi.dram.hit_cycles = axi.dram.miss_cycles = 1;  // the latency is that of all answers
    const std::size_t count = program.programs.size();
    const std::size_t together = std::max(1U, std::thread::hardware_concurrency());
    ModelCycles out;
    out.ends.resize(layers);
    for (std::size_t first = 0; first < count && out.problem.empty(); first += together) {
        std::vector<std::future<performance::Run>> runs;
        for (std::size_t i = first; i < std::min(count, first + together); ++i)
            runs.push_back(std::async(std::launch::async, run_alone, program.architecture,
                                      std::cref(program.programs[i]), axi));
        for (std::size_t i = 0; i < runs.size(); ++i) {
            const performance::Run run = runs[i].get();
            auto ended = run.ends.begin();
            for (const files::NetworkLayer& own : program.programs[first + i].layers) {
                std::uint64_t& end = out.ends[own.layer];
                for (std::size_t n = 0; n < own.instructions && ended != run.ends.end(); ++n)
                    end = std::max(end, out.cycles + (ended++)->value_or(0));
            }
            out.cycles += run.counters.cycles;
            if (out.problem.empty()) out.problem = run.problem;
        }
    }
    return out;
}

}  // namespace macrame::systolic::compiler
