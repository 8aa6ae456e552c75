#pragma once
/// Layers without the array: operands come to OBUF, ALU combines them, STORE scales the result.

#include <functional>
#include <string>
#include <vector>

#include "compiler/systolic/layer.hpp"

namespace macrame::systolic::compiler {

struct AluLayer {
    std::string name;
    std::vector<TensorLayout> inputs;  ///< one, or two of the same size
    std::vector<int> factors;          ///< by input, of sums; empty: 1
    int left = 0;                      ///< bits that the sum is shifted
    int correction = 0;                ///< times the first one of two inputs, added behind that
    AluOp op = AluOp::add;
    /// Over an input that is the only one; what it reaches of the padding does not count.
    Window window;
    TensorLayout output;
    /// By channel and the number of elements in a window. None: results are clamped alone.
    std::function<Scale(int channel, int elements)> scale;
};

/// Nothing; or why it does not fit.
std::string write_alu_layer(Stream& stream, Constants& constants, const AluLayer& layer);

}  // namespace macrame::systolic::compiler
