#include "verif/systolic/model/simulator.hpp"

#include <algorithm>

#include "verif/common/text.hpp"

namespace macrame::systolic::model {

using verif::text::shortest;

Simulator::Simulator(const Architecture& architecture, const std::vector<Instruction>& program,
                     verif::Memory& memory, std::optional<std::uint64_t> seed)
    : program_(program), machine_(architecture, memory), scheduler_(architecture, program_) {
    if (seed) random_.emplace(*seed);
}

Scheduler::Step Simulator::choose(const std::vector<Scheduler::Step>& steps) {
    if (random_) {
        const int last = static_cast<int>(steps.size()) - 1;
        return steps[static_cast<std::size_t>(random_->in(0, last))];
    }
    return *std::min_element(
        steps.begin(), steps.end(),
        [](const Scheduler::Step& a, const Scheduler::Step& b) { return a.index < b.index; });
}

std::optional<std::size_t> Simulator::step() {
    while (error_.empty() && !scheduler_.done()) {
        const auto steps = scheduler_.steps();
        if (steps.empty()) {
            error_ = "deadlock";
            for (const std::string& wait : scheduler_.waits())
                error_ += "; " + wait;
            return std::nullopt;
        }
        const Scheduler::Step step = choose(steps);
        if (step.end) error_ = machine_.execute(program_[step.index]);
        if (!error_.empty()) {
            error_ = "instruction " + shortest(step.index) + ": " + error_;
            return std::nullopt;
        }
        scheduler_.take(step);
        if (step.end) return step.index;
    }
    return std::nullopt;
}

std::string Simulator::run() {
    while (step()) {
    }
    if (!error_.empty()) return error_;
    for (std::size_t q = 0; q < kTokenQueues; ++q) {
        const auto queue = static_cast<Tokens>(q);
        if (scheduler_.tokens(queue) > 0)
            return shortest(scheduler_.tokens(queue)) + " tokens of " +
                   std::string(tokens_name(queue)) + " are left";
    }
    return "";
}

}  // namespace macrame::systolic::model
