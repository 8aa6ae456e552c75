#pragma once
/// Which taps of a kernel share the rows of the array where channels are few.

#include <vector>

namespace macrame::systolic::compiler {

/// Taps that one fold takes: a rectangle of the kernel.
struct Fold {
    int row = 0, column = 0;  ///< its first tap
    /// By tap of the rectangle, row by row: false if another fold has it.
    std::vector<bool> own;
};

/// A rectangle of taps and the folds that read it. The input lies in IBUF once for all of them: an
/// entry has a pixel and those that follow it for the other taps.
struct Image {
    int height = 1, width = 1;
    std::vector<Fold> folds;

    int taps() const { return height * width; }
};

/// Every tap of a kernel, once.
using Cover = std::vector<Image>;

/// One tap after the other, then those with the fewest folds if up to `most` taps share the rows.
std::vector<Cover> covers(int kernel_height, int kernel_width, int most);

/// One tap after the other, where IBUF has no room for what all of them read: several rows or parts
/// of a row each time, ever fewer.
std::vector<Cover> split_covers(int kernel_height, int kernel_width);

}  // namespace macrame::systolic::compiler
