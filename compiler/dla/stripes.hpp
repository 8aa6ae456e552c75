#pragma once
/// The steps of a convolution as CSC takes them: kernel group > stripe of positions > channel
/// block, kernel row, kernel column.

#include <vector>

#include "compiler/dla/layer.hpp"
#include "verif/dla/model/sizes.hpp"

namespace macrame::dla::compiler {

/// Positions for which CACC has room.
int cacc_depth(const model::Architecture& sizes);

/// A run of positions, and how long CSC takes for each of its steps where nothing holds it up:
/// a cycle per position, in images also one per entry that is read. `count` like it follow each
/// other.
struct Stripe {
    int first = 0, length = 0, count = 1;
    std::vector<int> slots;  ///< of each step; empty: `length` for all
    int slots_of(int step) const {
        return slots.empty() ? length : slots[static_cast<std::size_t>(step)];
    }
};

/// A kernel group. All have the same stripes.
struct ConvSteps {
    int blocks = 1, rows = 1, columns = 1;  ///< steps of a stripe, blocks outermost
    std::vector<Stripe> stripes;

    int count() const { return blocks * rows * columns; }
    /// First kernel row of a step.
    int row(int step) const { return step / columns % rows; }
};
ConvSteps steps_of(const model::Architecture& sizes, const ConvLayer& conv);

/// Cycles of a step with so many kernels and a single position: weights are loaded meanwhile, and
/// CACC has to be done with the position before it comes again.
int least_step(const model::Architecture& sizes, const ConvLayer& conv, int kernels);

/// Cycles of a group whose steps take at least so many, where nothing holds it up.
std::uint64_t group_cycles(const ConvSteps& steps, int least);

}  // namespace macrame::dla::compiler
