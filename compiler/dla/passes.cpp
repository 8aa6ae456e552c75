#include "compiler/dla/passes.hpp"

#include <numeric>
#include <utility>

#include "compiler/dla/cbuf_plan.hpp"
#include "compiler/dla/cost.hpp"
#include "compiler/dla/dependencies.hpp"
#include "compiler/dla/schedule.hpp"
#include "compiler/dla/timing.hpp"

namespace macrame::dla::compiler {

void limit_dependencies(State& state) { limit_dependencies(state.sizes, state.layers); }

void share_banks(State& state) { share_banks(state.sizes, state.layers); }

void place_buffers(State& state) {
    const macrame::compiler::Ends ends =
        plan_memory(state.buffers, state.layers, state.options.own_begin, state.options.there);
    state.result.shared_end = ends.shared;
    state.result.own_end = ends.own;
    state.result.program.memory_bytes = std::max(ends.shared, ends.own);
}

void schedule(State& state) { state.result.program.commands = schedule(state.sizes, state.layers); }

void estimate(State& state) {
    estimate(state.sizes, state.result.program.commands, state.layers,
             state.options.memory_latency.value_or(kMemoryLatency));
}

std::vector<Buffer> without_contents(const std::vector<Buffer>& buffers) {
    std::vector<Buffer> out;
    for (const Buffer& buffer : buffers) {
        const bool keep = buffer.keep || !buffer.contents.empty();
        out.push_back({buffer.name, buffer.bytes, {}, keep, -1, -1, 0});
    }
    return out;
}

std::uint64_t finished_cycles(const model::Architecture& sizes, std::vector<Buffer> buffers,
                              std::vector<Layer> layers) {
    State trial{sizes};
    trial.layers = std::move(layers);
    trial.buffers = std::move(buffers);
    for (void (*pass)(State&) :
         {limit_dependencies, share_banks, place_buffers, schedule, estimate})
        pass(trial);
    return std::accumulate(
        trial.layers.begin(), trial.layers.end(), std::uint64_t{0},
        [](std::uint64_t sum, const Layer& layer) { return sum + layer.cycles; });
}

}  // namespace macrame::dla::compiler
