#include "verif/systolic/stimulus/mutation.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>

#include "verif/common/text.hpp"
#include "verif/systolic/model/scheduler.hpp"

namespace macrame::systolic::stimulus {

namespace {

using verif::text::shortest;
using Indices = std::vector<std::size_t>;
using QueuesOf = TokenQueues (*)(const Instruction&);

std::size_t any_below(std::size_t count, verif::Random& random) {
    return static_cast<std::size_t>(random.in(0, static_cast<int>(count) - 1));
}

/// Even queues go to the next module.
bool Flags::*push_flag(Tokens queue) {
    return number(queue) % 2 == 0 ? &Flags::push_next : &Flags::push_prev;
}
bool Flags::*pop_flag(Tokens queue) {
    return number(queue) % 2 == 0 ? &Flags::pop_prev : &Flags::pop_next;
}

/// Instructions that push to the queue, or pop from it.
Indices users(const std::vector<Instruction>& program, Tokens queue, QueuesOf queues_of) {
    Indices out;
    for (std::size_t i = 0; i < program.size(); ++i) {
        const auto queues = queues_of(program[i]);
        if (std::find(queues.begin(), queues.end(), queue) != queues.end()) out.push_back(i);
    }
    return out;
}

/// Instructions of the module that do not have the flag.
Indices without(const std::vector<Instruction>& program, Module module, bool Flags::*flag) {
    Indices out;
    for (std::size_t i = 0; i < program.size(); ++i)
        if (program[i].module == module && !(program[i].flags.*flag)) out.push_back(i);
    return out;
}

void change_flag(Mutation& to, verif::Random& random) {
    std::vector<std::pair<std::size_t, FlagRow>> all;
    for (std::size_t i = 0; i < to.program.size(); ++i)
        for (const FlagRow& row : kFlags)
            if (is_legal(to.program[i].module, row.flag)) all.emplace_back(i, row);
    const auto& [index, row] = all[any_below(all.size(), random)];
    bool& flag = to.program[index].flags.*row.flag;
    flag = !flag;
    to.text = std::string(row.name) + " of instruction " + shortest(index) +
              (flag ? " added" : " removed");
}

void set_token(Mutation& to, Tokens queue, std::size_t push, std::size_t pop, bool value) {
    to.program[push].flags.*push_flag(queue) = value;
    to.program[pop].flags.*pop_flag(queue) = value;
    to.text = "token of " + std::string(tokens_name(queue)) + " from instruction " +
              shortest(push) + " to " + shortest(pop) + (value ? " added" : " removed");
}

bool remove_token(Mutation& to, Tokens queue, verif::Random& random) {
    const Indices pushes = users(to.program, queue, pushed);
    const Indices pops = users(to.program, queue, popped);
    if (pushes.empty()) return false;
    const std::size_t k = any_below(pushes.size(), random);
    set_token(to, queue, pushes[k], pops[k], false);
    return true;
}

bool add_token(Mutation& to, Tokens queue, verif::Random& random) {
    const std::size_t left = number(queue) / 2;
    const bool onward = number(queue) % 2 == 0;
    const Module from = kModules[left + (onward ? 0 : 1)];
    const Module end = kModules[left + (onward ? 1 : 0)];
    const Indices pushes = without(to.program, from, push_flag(queue));
    const Indices pops = without(to.program, end, pop_flag(queue));
    if (pushes.empty() || pops.empty()) return false;
    set_token(to, queue, pushes[any_below(pushes.size(), random)],
              pops[any_below(pops.size(), random)], true);
    return true;
}

}  // namespace

Mutation mutated(const std::vector<Instruction>& program, verif::Random& random) {
    Mutation out{program, ""};
    const auto queue = static_cast<Tokens>(random.in(0, static_cast<int>(kTokenQueues) - 1));
    const int kind = random.in(0, 2);
    if (kind == 0 && remove_token(out, queue, random)) return out;
    if (kind == 1 && add_token(out, queue, random)) return out;
    change_flag(out, random);
    return out;
}

}  // namespace macrame::systolic::stimulus
