#include "compiler/systolic/cost/estimate.hpp"

#include <algorithm>
#include <cstddef>
#include <deque>

#include "compiler/systolic/cost/latencies.hpp"
#include "verif/systolic/isa/sram_map.hpp"
#include "verif/systolic/model/scheduler.hpp"

namespace macrame::systolic::compiler {

namespace {

constexpr std::int64_t kAluLatency = 6;
constexpr std::int64_t kStart = 2;  ///< from a token to the module behind it

class Timeline {
public:
    explicit Timeline(const Architecture& architecture) : architecture_(architecture) {}

    /// The end of the next instruction of the stream. Modules are in order, and so are pushes and
    /// pops of a token queue: the stream is an order in which all that it waits for is known.
    std::int64_t run(const Instruction& instruction) {
        const std::size_t m = number(instruction.module);
        const std::int64_t fetched = fetch(m);
        std::int64_t ready = fetched + kStart;
        for (const Tokens queue : popped(instruction)) {
            ready = std::max(ready, tokens_[number(queue)].front() + kStart);
            tokens_[number(queue)].pop_front();
        }
        const std::int64_t end = instruction.module == Module::gemm && !is_nop(instruction)
                                     ? gemm(instruction.gemm, ready)
                                     : other(instruction, ready);
        for (const Tokens queue : pushed(instruction))
            tokens_[number(queue)].push_back(end);
        queues_[m].push_back(end);
        return end;
    }

    const std::array<std::int64_t, kModuleCount>& busy() const { return busy_; }

private:
    /// In order, as soon as its queue has room.
    std::int64_t fetch(std::size_t module) {
        std::deque<std::int64_t>& queue = queues_[module];
        ++fetched_;
        if (queue.size() == static_cast<std::size_t>(architecture_.queue_depth)) {
            fetched_ = std::max(fetched_, queue.front() + 1);
            queue.pop_front();
        }
        return fetched_;
    }

    /// One after the other.
    std::int64_t other(const Instruction& instruction, std::int64_t ready) {
        const std::size_t m = number(instruction.module);
        const std::int64_t begin = std::max(ready, free_[m]);
        const std::int64_t cycles = is_nop(instruction) ? 1 : cycles_of(instruction);
        busy_[m] += cycles;
        free_[m] = begin + cycles;
        return free_[m];
    }

    std::int64_t cycles_of(const Instruction& instruction) const {
        if (instruction.module == Module::alu) {
            const Alu& alu = instruction.alu;
            const std::int64_t elements = alu.window_height * alu.window_width + alu.accumulate;
            return alu.output_height * alu.output_width * elements + kAluLatency;
        }
        const Transfer& t = instruction.transfer;
        const Place place = *place_of(architecture_, t.sram_address);
        const int bytes = transfer_bytes(architecture_, place.buffer, t.bitwidth != 0);
        const std::int64_t vectors = t.x_size * t.y_size;
        const std::int64_t cycles =
            vector_cycles(vectors, t.z_size * bytes, architecture_.bus_bytes);
        if (instruction.module == Module::store) return cycles + kStoreLatency;
        const bool to_sums = place.buffer == Buffer::obuf;
        return std::max(cycles, to_sums ? kObufVector * vectors : 0) + kLoadLatency;
    }

    /// Weights go in behind those in use, from the second step of the fold before.
    std::int64_t gemm(const Gemm& g, std::int64_t ready) {
        const std::size_t m = number(Module::gemm);
        const std::int64_t steps = g.ofmap_height * g.ofmap_width;
        const std::int64_t weights = std::max(ready, first_step_ + 1);
        const std::int64_t first = std::max(weights + g.active_rows, free_[m]);
        busy_[m] += steps;
        first_step_ = first;
        free_[m] = first + steps;
        return first + drain_cycles(steps, architecture_.rows, architecture_.columns);
    }

    const Architecture& architecture_;
    std::array<std::deque<std::int64_t>, kTokenQueues> tokens_;  ///< when they come
    std::array<std::deque<std::int64_t>, kModuleCount> queues_;  ///< ends
    std::array<std::int64_t, kModuleCount> free_{}, busy_{};
    std::int64_t fetched_ = 0;
    std::int64_t first_step_ = 0;  ///< of the last fold
};

}  // namespace

Estimate estimate(const Architecture& architecture, const std::vector<Instruction>& program) {
    Timeline timeline(architecture);
    Estimate out;
    out.ends.reserve(program.size());
    out.busy_of.reserve(program.size());
    for (const Instruction& instruction : program) {
        const std::int64_t before = timeline.busy()[number(instruction.module)];
        out.ends.push_back(timeline.run(instruction));
        out.busy_of.push_back(timeline.busy()[number(instruction.module)] - before);
        out.cycles = std::max(out.cycles, out.ends.back());
    }
    out.busy = timeline.busy();
    return out;
}

}  // namespace macrame::systolic::compiler
