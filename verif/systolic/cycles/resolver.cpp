#include "verif/systolic/cycles/resolver.hpp"

#include <algorithm>

namespace macrame::systolic::cycles {

namespace {

constexpr std::size_t kLast = kModuleCount - 1;

/// kModuleCount for a word that is no instruction.
std::size_t module_of(const Word& word) {
    for (const Module module : kModules)
        if (get_bits(word, 124, 4) == static_cast<std::uint64_t>(opcode(module)))
            return number(module);
    return kModuleCount;
}

}  // namespace

Resolver::Resolver(const Architecture& architecture)
    : queue_depth_(static_cast<std::size_t>(architecture.queue_depth)),
      token_depth_(static_cast<std::size_t>(architecture.token_depth)) {
    set_outputs();
}

bool Resolver::has_tokens(std::size_t module, const Sides& pops) const {
    const bool prev = !pops.prev || module == 0 || tokens_[module - 1].to_next != 0;
    const bool next = !pops.next || module == kLast || tokens_[module].to_prev != 0;
    return prev && next;
}

bool Resolver::has_room(std::size_t module, const Sides& pushes) const {
    const bool prev = !pushes.prev || module == 0 || tokens_[module - 1].to_prev != token_depth_;
    const bool next = !pushes.next || module == kLast || tokens_[module].to_next != token_depth_;
    return prev && next;
}

bool Resolver::can_begin(std::size_t module) const {
    const Queue& queue = queues_[module];
    return run_ && queue.has_head() && (module == number(Module::gemm) || queue.in_flight == 0) &&
           has_tokens(module, queue.entries[queue.in_flight].pops);
}

Activity Resolver::waits(std::size_t module) const {
    const Queue& queue = queues_[module];
    if (!queue.has_head())
        return valid_ && !word_leaves() ? Activity::stream : Activity::instructions;
    const Sides pops = queue.entries[queue.in_flight].pops;
    if (!has_tokens(module, {pops.prev, false})) return Activity::token_prev;
    if (!has_tokens(module, {false, pops.next})) return Activity::token_next;
    return Activity::start;
}

void Resolver::set_outputs() {
    out_.fetch2resolver_ready = !valid_ || word_leaves();
    out_.resolver2control_error = valid_ && module_ == kModuleCount;
    out_.resolver2control_idle = !valid_;
    some_ended_ = false;
    still_ = run_ || std::all_of(tokens_.begin(), tokens_.end(), [](const Tokens& tokens) {
                 return tokens.to_next == 0 && tokens.to_prev == 0;
             });
    for (std::size_t m = 0; m < kModuleCount; ++m) {
        const Queue& queue = queues_[m];
        out_.valid[m] = can_begin(m);
        if (out_.valid[m]) out_.parameters[m] = queue.entries[queue.in_flight].parameters;
        out_.resolver2control_running[m] = queue.in_flight != 0;
        out_.resolver2control_waiting[m] =
            queue.in_flight == 0 && queue.has_head() && !has_tokens(m, queue.entries[0].pops);
        out_.resolver2control_ended[m] = queue.ended;
        some_ended_ = some_ended_ || queue.ended;
        if (!queue.entries.empty()) out_.resolver2control_idle = false;
        still_ = still_ && !queue.ended && queue.done == 0 && (run_ || queue.entries.empty());
    }
}

bool Resolver::moves(const Inputs& in) const {
    bool out = !still_ || in.control2resolver_run != run_ ||
               (out_.fetch2resolver_ready && (valid_ || in.fetch2resolver_valid));
    for (std::size_t m = 0; m < kModuleCount; ++m)
        out = out || in.done[m] || (in.ready[m] && out_.valid[m]);
    return out;
}

void Resolver::clock(const Inputs& in) {
    if (!moves(in)) return;
    change(in);
    set_outputs();
}

void Resolver::change(const Inputs& in) {
    // All of them see the tokens and the queues as they were.
    PerModule<bool> begins{}, ends{}, drops{};
    for (std::size_t m = 0; m < kModuleCount; ++m) {
        const Queue& queue = queues_[m];
        begins[m] = in.ready[m] && out_.valid[m];
        ends[m] =
            (in.done[m] || queue.done != 0) && (!run_ || has_room(m, queue.entries[0].pushes));
        drops[m] = !run_ && queue.in_flight == 0 && !queue.entries.empty();
    }
    const bool leaves = valid_ && word_leaves();

    for (std::size_t m = 0; m < kModuleCount; ++m) {
        Queue& queue = queues_[m];
        if (begins[m]) {
            const Sides pops = queue.entries[queue.in_flight].pops;
            if (pops.prev && m != 0) --tokens_[m - 1].to_next;
            if (pops.next && m != kLast) --tokens_[m].to_prev;
            ++queue.in_flight;
            ++progress_.begun[m];
        }
        if (in.done[m]) ++queue.done;
        queue.ended = ends[m];
        if (drops[m]) queue.entries.pop_front();
        if (!ends[m]) continue;
        const Sides pushes = queue.entries[0].pushes;
        if (pushes.prev && m != 0) ++tokens_[m - 1].to_prev;
        if (pushes.next && m != kLast) ++tokens_[m].to_next;
        --queue.done;
        --queue.in_flight;
        queue.entries.pop_front();
        ++progress_.ended[m];
    }
    if (leaves) {
        const auto flag = [&](int at) { return get_bits(word_, at, 1) != 0; };
        Entry entry{{flag(123), flag(121)}, {flag(122), flag(120)}, word_};
        entry.parameters.high &= (std::uint64_t{1} << 56) - 1;
        if (module_ != kModuleCount && run_) {
            queues_[module_].entries.push_back(entry);
            ++progress_.queued[module_];
        }
        valid_ = false;
    }
    if (!run_) tokens_ = {};
    run_ = in.control2resolver_run;
    if (valid_ || !in.fetch2resolver_valid) return;
    valid_ = true;
    word_ = in.fetch2resolver_word;
    module_ = module_of(word_);
}

}  // namespace macrame::systolic::cycles
