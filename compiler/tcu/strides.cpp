#include "compiler/tcu/strides.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <unordered_map>

namespace macrame::tcu::compiler {

namespace {

/// Runs of fewer pairs than this are short.
constexpr std::size_t kShortRuns = 4;
/// Pairs that a run may begin with.
constexpr std::size_t kReach = 6;

/// The code of a stride; nothing if there is none.
std::optional<int> stride_code(int step, int codes) {
    for (int code = 0; code < codes; ++code)
        if (step == 1 << code) return code;
    return std::nullopt;
}

}  // namespace

template <typename Each>
void Strides::for_runs(const Instruction& like, const std::vector<Pair>& pairs,
                       const Each& each) const {
    for (std::size_t first = 0; first < pairs.size();) {
        Instruction run = like;
        run.address0 = static_cast<std::uint64_t>(pairs[first].address0);
        run.address1 = static_cast<std::uint64_t>(pairs[first].address1);
        std::size_t end = first + 1;
        if (end < pairs.size()) {
            const int step0 = pairs[end].address0 - pairs[first].address0;
            const int step1 = pairs[end].address1 - pairs[first].address1;
            const auto code0 = stride_code(step0, codes0_), code1 = stride_code(step1, codes1_);
            if (code0 && code1) {
                run.stride0 = *code0;
                run.stride1 = *code1;
                while (end < pairs.size() &&
                       pairs[end].address0 - pairs[end - 1].address0 == step0 &&
                       pairs[end].address1 - pairs[end - 1].address1 == step1)
                    ++end;
            }
        }
        run.size = end - first;
        each(run);
        first = end;
    }
}

void Strides::append(Instructions& to, const Instruction& like,
                     const std::vector<Pair>& pairs) const {
    for_runs(like, pairs, [&](const Instruction& run) { to.push_back(run); });
}

void Strides::append_any_order(Instructions& to, const Instruction& like,
                               const std::vector<Pair>& pairs) const {
    std::vector<Instruction> in_order;
    for_runs(like, pairs, [&](const Instruction& run) { in_order.push_back(run); });
    std::vector<Instruction> best = in_order;
    if (in_order.size() > pairs.size() / kShortRuns) {
        const std::vector<Instruction> mixed = cover(like, pairs);
        if (mixed.size() < in_order.size() / 2) best = mixed;
    }
    for (const Instruction& run : best)
        to.push_back(run);
}

std::vector<Instruction> Strides::cover(const Instruction& like,
                                        const std::vector<Pair>& pairs) const {
    std::unordered_map<int, std::size_t> places;  // by address 0
    for (std::size_t i = 0; i < pairs.size(); ++i)
        places[pairs[i].address0] = i;
    std::vector<bool> done(pairs.size());
    std::vector<Instruction> out;
    for (std::size_t first = 0; first < pairs.size(); ++first) {
        if (done[first]) continue;
        // From this pair to one of the next, and on with that step.
        std::vector<std::size_t> longest = {first};
        Instruction run = like;
        for (std::size_t next = first + 1; next < std::min(first + kReach, pairs.size()); ++next) {
            const int step0 = pairs[next].address0 - pairs[first].address0;
            const int step1 = pairs[next].address1 - pairs[first].address1;
            const auto code0 = stride_code(step0, codes0_), code1 = stride_code(step1, codes1_);
            if (!code0 || !code1) continue;
            std::vector<std::size_t> members = {first};
            for (;;) {
                const Pair& last = pairs[members.back()];
                const auto found = places.find(last.address0 + step0);
                if (found == places.end() || done[found->second] ||
                    pairs[found->second].address1 != last.address1 + step1)
                    break;
                members.push_back(found->second);
            }
            if (members.size() <= longest.size()) continue;
            longest = std::move(members);
            run.stride0 = *code0;
            run.stride1 = *code1;
        }
        for (const std::size_t member : longest)
            done[member] = true;
        run.address0 = static_cast<std::uint64_t>(pairs[first].address0);
        run.address1 = static_cast<std::uint64_t>(pairs[first].address1);
        run.size = longest.size();
        out.push_back(run);
    }
    return out;
}

}  // namespace macrame::tcu::compiler
