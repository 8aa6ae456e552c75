#include "verif/systolic/model/scheduler.hpp"

#include <algorithm>
#include <limits>

#include "verif/common/text.hpp"

namespace macrame::systolic {

namespace {

using verif::text::shortest;

constexpr std::size_t kNoLimit = std::numeric_limits<std::size_t>::max();

/// From a module to its next one; the other direction follows it.
Tokens to_next(Module module) { return static_cast<Tokens>(2 * number(module)); }
Tokens from_next(Module module) { return static_cast<Tokens>(2 * number(module) + 1); }
Module prev(Module module) { return static_cast<Module>(number(module) - 1); }

std::string names(const std::vector<Tokens>& queues) {
    std::vector<std::string> out;
    for (const Tokens queue : queues)
        out.emplace_back(tokens_name(queue));
    return verif::text::join(out, "and");
}

}  // namespace

std::string_view tokens_name(Tokens tokens) {
    constexpr std::array<std::string_view, kTokenQueues> kNames = {"LOAD to GEMM", "GEMM to LOAD",
                                                                   "GEMM to ALU",  "ALU to GEMM",
                                                                   "ALU to STORE", "STORE to ALU"};
    return kNames[number(tokens)];
}

TokenQueues popped(const Instruction& i) {
    TokenQueues out;
    if (i.flags.pop_prev && i.module != Module::load) out.add(to_next(prev(i.module)));
    if (i.flags.pop_next && i.module != Module::store) out.add(from_next(i.module));
    return out;
}

TokenQueues pushed(const Instruction& i) {
    TokenQueues out;
    if (i.flags.push_prev && i.module != Module::load) out.add(from_next(prev(i.module)));
    if (i.flags.push_next && i.module != Module::store) out.add(to_next(i.module));
    return out;
}

Scheduler::Scheduler(const Architecture& architecture, const std::vector<Instruction>& program,
                     bool bounded)
    : program_(program),
      queue_depth_(bounded ? static_cast<std::size_t>(architecture.queue_depth) : kNoLimit),
      token_depth_(bounded ? static_cast<std::size_t>(architecture.token_depth) : kNoLimit) {
    fetch();
}

void Scheduler::fetch() {
    for (; fetched_ < program_.size(); ++fetched_) {
        auto& queue = queues_[number(program_[fetched_].module)];
        if (queue.size() >= queue_depth_) return;
        queue.push_back(fetched_);
    }
}

bool Scheduler::has_tokens(const Instruction& instruction) const {
    const auto queues = popped(instruction);
    return std::all_of(queues.begin(), queues.end(), [&](Tokens q) { return tokens(q) > 0; });
}

bool Scheduler::has_room(const Instruction& instruction) const {
    const auto queues = pushed(instruction);
    return std::all_of(queues.begin(), queues.end(),
                       [&](Tokens q) { return tokens(q) < token_depth_; });
}

std::vector<Scheduler::Step> Scheduler::steps() const {
    std::vector<Step> out;
    for (const Module module : kModules) {
        const auto& waiting = queue(module);
        if (waiting.empty()) continue;
        const Instruction& head = program_[waiting.front()];
        const bool ends = in_flight(module);
        if (ends ? has_room(head) : has_tokens(head))
            out.push_back({module, waiting.front(), ends});
    }
    return out;
}

void Scheduler::take(const Step& step) {
    const std::size_t m = number(step.module);
    busy_[m] = !step.end;
    if (!step.end) {
        for (const Tokens q : popped(program_[step.index]))
            --tokens_[number(q)];
        return;
    }
    for (const Tokens q : pushed(program_[step.index]))
        ++tokens_[number(q)];
    queues_[m].pop_front();
    fetch();
}

bool Scheduler::done() const {
    return fetched_ == program_.size() &&
           std::all_of(queues_.begin(), queues_.end(), [](const auto& q) { return q.empty(); });
}

std::vector<std::size_t> Scheduler::unresolved() const {
    std::vector<std::size_t> out;
    for (const auto& queue : queues_)
        out.insert(out.end(), queue.begin(), queue.end());
    for (std::size_t i = fetched_; i < program_.size(); ++i)
        out.push_back(i);
    std::sort(out.begin(), out.end());
    return out;
}

std::vector<std::string> Scheduler::waits() const {
    std::vector<std::string> out;
    for (const Module module : kModules) {
        if (queue(module).empty()) continue;
        const std::size_t index = queue(module).front();
        std::vector<Tokens> lacking;
        if (in_flight(module)) {
            for (const Tokens q : pushed(program_[index]))
                if (tokens(q) >= token_depth_) lacking.push_back(q);
        } else {
            for (const Tokens q : popped(program_[index]))
                if (tokens(q) == 0) lacking.push_back(q);
        }
        if (lacking.empty()) continue;
        out.push_back(
            std::string(module_name(module)) + ": instruction " + shortest(index) +
            (in_flight(module) ? " waits for room for a token of " : " waits for a token of ") +
            names(lacking));
    }
    if (fetched_ < program_.size()) {
        out.push_back("fetch: instruction " + shortest(fetched_) +
                      " waits for room in the queue of " +
                      std::string(module_name(program_[fetched_].module)));
    }
    return out;
}

}  // namespace macrame::systolic
