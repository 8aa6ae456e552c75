#include "verif/systolic/timing/reference.hpp"

#include <algorithm>

#include "verif/systolic/isa/sram_map.hpp"
#include "verif/systolic/model/scheduler.hpp"

namespace macrame::systolic::timing {

namespace {

constexpr std::int64_t kTransferLatency = 20;
constexpr std::int64_t kTransferBytes = 16;  // per cycle

std::int64_t transfer_cycles(const Architecture& a, const Transfer& t) {
    const auto place = place_of(a, t.sram_address);
    const Buffer buffer = place ? place->buffer : Buffer::obuf;
    const std::int64_t bytes =
        t.x_size * t.y_size * t.z_size * transfer_bytes(a, buffer, t.bitwidth != 0);
    return kTransferLatency + (bytes + kTransferBytes - 1) / kTransferBytes;
}

}  // namespace

std::int64_t reference_cycles(const Architecture& a, const Instruction& instruction) {
    if (is_nop(instruction)) return 1;
    if (instruction.module == Module::gemm) {
        const Gemm& g = instruction.gemm;
        return g.ofmap_height * g.ofmap_width + 2 * a.rows + a.columns - 2;
    }
    if (instruction.module == Module::alu) {
        const Alu& alu = instruction.alu;
        return alu.output_height * alu.output_width * alu.window_height * alu.window_width;
    }
    return transfer_cycles(a, instruction.transfer);
}

Timing reference_timing(const Architecture& architecture,
                        const std::vector<Instruction>& program) {
    Timing out;
    out.instructions.resize(program.size());
    Scheduler scheduler(architecture, program, false);
    std::array<std::int64_t, kModuleCount> clock{};
    std::array<std::deque<std::int64_t>, kTokenQueues> given;
    for (auto steps = scheduler.steps(); !steps.empty(); steps = scheduler.steps()) {
        const Scheduler::Step step = steps.front();
        const Instruction& instruction = program[step.index];
        const std::size_t m = number(step.module);
        if (step.end) {
            for (const Tokens q : pushed(instruction))
                given[number(q)].push_back(clock[m]);
        } else {
            for (const Tokens q : popped(instruction)) {
                clock[m] = std::max(clock[m], given[number(q)].front());
                given[number(q)].pop_front();
            }
            const std::int64_t cycles = reference_cycles(architecture, instruction);
            out.instructions[step.index] = {clock[m], clock[m] + cycles};
            clock[m] += cycles;
            out.busy[m] += cycles;
        }
        scheduler.take(step);
    }
    out.complete = scheduler.done();
    out.end = *std::max_element(clock.begin(), clock.end());
    return out;
}

}  // namespace macrame::systolic::timing
