#include "verif/systolic/check/order.hpp"

#include <algorithm>

namespace macrame::systolic::check {

namespace {

void join(Counts& to, const Counts& from) {
    for (std::size_t m = 0; m < kModuleCount; ++m)
        to[m] = std::max(to[m], from[m]);
}

}  // namespace

Order::Order(const std::vector<Instruction>& program) : before(program.size()) {
    Scheduler scheduler({}, program, false);
    std::array<Counts, kModuleCount> known{};  // by each module
    std::array<std::deque<Counts>, kTokenQueues> carried;
    for (auto steps = scheduler.steps(); !steps.empty(); steps = scheduler.steps()) {
        const Scheduler::Step step = steps.front();
        const Instruction& instruction = program[step.index];
        Counts& counts = known[number(step.module)];
        if (step.end) {
            ++counts[number(step.module)];
            for (const Tokens q : pushed(instruction))
                carried[number(q)].push_back(counts);
        } else {
            for (const Tokens q : popped(instruction)) {
                join(counts, carried[number(q)].front());
                carried[number(q)].pop_front();
            }
            before[step.index] = counts;
        }
        scheduler.take(step);
    }
    for (std::size_t q = 0; q < kTokenQueues; ++q)
        left[q] = carried[q].size();
    if (!scheduler.done()) waits = scheduler.waits();
}

}  // namespace macrame::systolic::check
