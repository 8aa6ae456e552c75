#include "verif/systolic/check/token_placer.hpp"

#include <algorithm>
#include <utility>

#include "verif/systolic/check/conflict.hpp"

namespace macrame::systolic::check {

namespace {

constexpr int kUseless = 10;  // percent
constexpr int kEarly = 30;    // percent: a token from some instruction that will do

bool is_zero(const Counts& counts) { return counts == Counts{}; }

}  // namespace

const std::array<TokenPlacer::Link, kTokenQueues> TokenPlacer::kLinks = {{
    {Module::load, Module::gemm, Tokens::load_to_gemm, &Flags::push_next, &Flags::pop_prev},
    {Module::gemm, Module::load, Tokens::gemm_to_load, &Flags::push_prev, &Flags::pop_next},
    {Module::gemm, Module::alu, Tokens::gemm_to_alu, &Flags::push_next, &Flags::pop_prev},
    {Module::alu, Module::gemm, Tokens::alu_to_gemm, &Flags::push_prev, &Flags::pop_next},
    {Module::alu, Module::store, Tokens::alu_to_store, &Flags::push_next, &Flags::pop_prev},
    {Module::store, Module::alu, Tokens::store_to_alu, &Flags::push_prev, &Flags::pop_next},
}};

TokenPlacer::TokenPlacer(const Architecture& architecture) : architecture_(architecture) {}

TokenPlacer::TokenPlacer(const Architecture& architecture, std::uint64_t seed)
    : architecture_(architecture), random_(seed) {}

void TokenPlacer::add(Instruction instruction) {
    instruction.flags = {};
    Entry entry;
    entry.reach = reach(architecture_, instruction);
    const Counts wanted = needs(instruction, entry);
    const Counts known = known_[number(instruction.module)];
    std::vector<std::pair<const Link*, std::size_t>> tokens;
    for (const Link& link : kLinks) {
        if (link.to != instruction.module) continue;
        const Counts lacking = over(link, wanted, known);
        const bool useless =
            random_ && !entries_[number(link.from)].empty() && random_->chance(kUseless);
        if (!is_zero(lacking) || useless) tokens.emplace_back(&link, pusher(link, lacking));
    }
    for (const auto& [link, ordinal] : tokens)
        take(*link, ordinal, instruction);
    append(instruction, std::move(entry));
}

const Accesses& TokenPlacer::touched(const Instruction& instruction, const Entry& entry) const {
    if (entry.touched == nullptr)
        entry.touched = std::make_unique<Accesses>(accesses(architecture_, instruction));
    return *entry.touched;
}

bool TokenPlacer::conflict(const Entry& earlier, const Instruction& instruction,
                           const Entry& entry) const {
    const Meeting met = meeting(earlier.reach, entry.reach);
    if (met != Meeting::perhaps) return met == Meeting::yes;
    return conflicts(touched(program_[earlier.at], earlier), touched(instruction, entry));
}

Counts TokenPlacer::needs(const Instruction& instruction, const Entry& entry) const {
    Counts out{};
    const Counts& known = known_[number(instruction.module)];
    for (const Module module : kModules) {
        if (module == instruction.module) continue;
        const std::size_t m = number(module);
        std::size_t k = entries_[m].size();
        while (k > known[m] && !conflict(entries_[m][k - 1], instruction, entry))
            --k;
        if (k > known[m]) out[m] = k;
    }
    return out;
}

void TokenPlacer::clear() {
    program_.clear();
    for (Tail<Entry>& entries : entries_)
        entries.clear();
    for (std::vector<Pair>& pairs : pairs_)
        pairs.clear();
    known_ = {};
    forgotten_ = {};
}

Counts TokenPlacer::over(const Link& link, const Counts& needs, const Counts& known) {
    Counts out{};
    for (const Module module : kModules) {
        const bool behind = link.from < link.to ? module <= link.from : module >= link.from;
        const std::size_t m = number(module);
        if (behind && needs[m] > known[m]) out[m] = needs[m];
    }
    return out;
}

/// The instruction of the link's begin that gives the token, a new one if no other will do.
std::size_t TokenPlacer::pusher(const Link& link, const Counts& needs) {
    const std::size_t own = number(link.from);
    std::vector<std::size_t> able;
    for (std::size_t k = entries_[own].size(); k-- > 0 && can_push(link, k, needs);)
        able.push_back(k);
    if (!able.empty()) return choose(able);
    Instruction nop;
    nop.module = link.from;
    for (const Link& far : kLinks) {
        const bool onward = (far.from < far.to) == (link.from < link.to);
        if (far.to != link.from || !onward) continue;
        const Counts lacking = over(far, needs, known_[own]);
        if (!is_zero(lacking)) take(far, pusher(far, lacking), nop);
    }
    append(nop, Entry());
    return entries_[own].size() - 1;
}

std::size_t TokenPlacer::choose(const std::vector<std::size_t>& able) {
    if (!random_) return able.back();
    const int last = static_cast<int>(able.size()) - 1;
    return able[static_cast<std::size_t>(random_->chance(kEarly) ? random_->in(0, last) : 0)];
}

bool TokenPlacer::can_push(const Link& link, std::size_t ordinal, const Counts& needs) const {
    const Counts has = after(link, ordinal);
    for (std::size_t m = 0; m < kModuleCount; ++m)
        if (has[m] < needs[m]) return false;
    const std::size_t at = entries_[number(link.from)][ordinal].at;
    const std::vector<Pair>& pairs = pairs_[number(link.queue)];
    if (!pairs.empty() && at <= pairs.back().push) return false;
    // Both ends ascend.
    const auto later =
        std::find_if(pairs.rbegin(), pairs.rend(), [&](const Pair& p) { return p.pop <= at; });
    return later - pairs.rbegin() < architecture_.token_depth;
}

void TokenPlacer::take(const Link& link, std::size_t ordinal, Instruction& to) {
    const std::size_t at = entries_[number(link.from)][ordinal].at;
    program_[at].flags.*link.push = true;
    to.flags.*link.pop = true;
    pairs_[number(link.queue)].push_back({at, program_.size()});
    Counts& known = known_[number(link.to)];
    const Counts brought = after(link, ordinal);
    for (std::size_t m = 0; m < kModuleCount; ++m)
        known[m] = std::max(known[m], brought[m]);
}

Counts TokenPlacer::after(const Link& link, std::size_t ordinal) const {
    Counts out = entries_[number(link.from)][ordinal].before;
    out[number(link.from)] = ordinal + 1;
    return out;
}

void TokenPlacer::append(const Instruction& instruction, Entry entry) {
    const std::size_t m = number(instruction.module);
    entry.at = program_.size();
    entry.before = known_[m];
    entries_[m].push_back(std::move(entry));
    ++known_[m][m];
    program_.push_back(instruction);
    forget();
}

/// Nobody asks what an instruction touches once all other modules know that it has ended. Of these
/// only the last one is looked at, where an instruction is wanted that gives a token.
void TokenPlacer::forget() {
    std::size_t first = program_.size();
    for (std::size_t m = 0; m < kModuleCount; ++m) {
        std::size_t ended = entries_[m].size();
        for (std::size_t other = 0; other < kModuleCount; ++other)
            if (other != m) ended = std::min(ended, known_[other][m]);
        for (; forgotten_[m] < ended; ++forgotten_[m])
            entries_[m][forgotten_[m]].touched.reset();
        if (random_) continue;  // any may be looked at
        const std::size_t last = std::max<std::size_t>(ended, 1) - 1;
        entries_[m].drop_before(last);
        if (last < entries_[m].size()) first = std::min(first, entries_[m][last].at);
    }
    if (only_counts_) program_.drop_before(first);
}

}  // namespace macrame::systolic::check
