#pragma once
/// Slots of a buffer: what is kept there, and what has to give way.

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace macrame::systolic::compiler {

class Slots {
public:
    /// What each step will ask for, in their order; -1: nothing.
    Slots(int count, const std::vector<std::int64_t>& wanted);

    struct Found {
        int slot = 0;
        bool load = false;  ///< it was not there
    };
    /// The slot of what a step wants. Nothing if all slots are wanted by steps from `now` up to it.
    std::optional<Found> take(int step, int now);
    /// Of something that was taken for a step.
    int slot_of(int step) const { return slot_[static_cast<std::size_t>(step)]; }

private:
    struct Slot {
        std::int64_t key = -1;
        int last = -1;  ///< the last step that was given it
    };
    /// The next step that wants it, from `step` on.
    int next_use(std::int64_t key, int step) const;

    std::vector<Slot> slots_;
    std::vector<std::int64_t> wanted_;
    std::map<std::int64_t, std::vector<int>> uses_;
    std::vector<int> slot_;  ///< by step
};

}  // namespace macrame::systolic::compiler
