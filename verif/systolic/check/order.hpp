#pragma once
/// Which instructions end before others begin, in any order that the tokens allow.

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "verif/systolic/model/scheduler.hpp"

namespace macrame::systolic::check {

/// Of each module so many instructions, counted in its own order.
using Counts = std::array<std::size_t, kModuleCount>;

struct Order {
    /// What has ended before an instruction begins; nothing if it never does.
    std::vector<std::optional<Counts>> before;
    std::array<std::size_t, kTokenQueues> left{};  ///< tokens at the end
    std::vector<std::string> waits;                ///< if it does not come to the end

    /// Only module order and tokens count, not the depths of queues.
    explicit Order(const std::vector<Instruction>& program);
};

}  // namespace macrame::systolic::check
