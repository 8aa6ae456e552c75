#include "compiler/systolic/slots.hpp"

#include <algorithm>
#include <limits>

#include "compiler/graph/at.hpp"

namespace macrame::systolic::compiler {

Slots::Slots(int count, const std::vector<std::int64_t>& wanted)
    : slots_(at(count)), wanted_(wanted), slot_(wanted.size(), -1) {
    for (std::size_t step = 0; step < wanted.size(); ++step)
        if (wanted[step] >= 0) uses_[wanted[step]].push_back(static_cast<int>(step));
}

int Slots::next_use(std::int64_t key, int step) const {
    const auto found = uses_.find(key);
    if (found == uses_.end()) return std::numeric_limits<int>::max();
    const std::vector<int>& steps = found->second;
    const auto next = std::lower_bound(steps.begin(), steps.end(), step);
    return next == steps.end() ? std::numeric_limits<int>::max() : *next;
}

std::optional<Slots::Found> Slots::take(int step, int now) {
    const std::int64_t key = wanted_[at(step)];
    const auto found = std::find_if(slots_.begin(), slots_.end(),
                                    [&](const Slot& slot) { return slot.key == key; });
    if (found != slots_.end()) {
        found->last = step;
        slot_[at(step)] = static_cast<int>(found - slots_.begin());
        return Found{slot_[at(step)], false};
    }
    // The one that is wanted last; of those that nobody wants the one that was left first.
    Slot* best = nullptr;
    int best_next = -1;
    for (Slot& slot : slots_) {
        if (slot.last >= now) continue;
        const int next = next_use(slot.key, step);
        if (best == nullptr || next > best_next || (next == best_next && slot.last < best->last)) {
            best = &slot;
            best_next = next;
        }
    }
    if (best == nullptr) return std::nullopt;
    *best = {key, step};
    slot_[at(step)] = static_cast<int>(best - slots_.data());
    return Found{slot_[at(step)], true};
}

}  // namespace macrame::systolic::compiler
