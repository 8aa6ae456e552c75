#pragma once
/// Product of two int8 tensors on SDP: the second one is an operand in memory, of EW, or of BS
/// where there is no EW. BS cannot subtract the zero point of an operand: that has to be 0 or -2^k,
/// then BN adds the first tensor again, 2^k times.

#include <cstdint>
#include <optional>
#include <vector>

#include "compiler/dla/requantise.hpp"

namespace macrame::dla::compiler {

/// output = clamp(round(factor * (a - zero_a) * (b - zero_b)) + zero_output)
struct MultiplyTarget {
    int zero_a = 0, zero_b = 0, zero_output = 0;
    double factor = 1;  ///< may be negative
    Rounding rounding = Rounding::tflite;
    int low = -128, high = 127;  ///< what is beyond counts as these, by what comes behind
};

/// Registers of one SDP layer. a comes through the main read DMA.
///   with EW:  v = round((a - zero_a) * first * second / 2^shift) * (b - zero_b) / 2^truncate
///   without:  v = round(((a - zero_a) * b + (a << again)) * second / 2^shift)
///   output = round((v - offset) * scale / 2^out_shift)
struct MultiplyMapping {
    bool ew = false;
    int zero_a = 0, zero_b = 0;
    int first = 1, second = 1, shift = 0, truncate = 0;
    int again = -1;  ///< negative: not at all
    std::int32_t offset = 0;
    int scale = 1, out_shift = 0;
    int wrong = 0, most = 0;  ///< of the 65,536 pairs

    /// Without EW: what BN's multiplier is given.
    std::int64_t sum(int a, int b) const;
    int apply(int a, int b) const;
};

/// Can BS take an operand with this zero point?
bool is_power(int zero_point);

/// The best that was found for `pairs`: outputs for a = -128 and b = -128, -127, ..., then those
/// for a = -127. Without a value: the configuration or the zero point of b do not allow it.
std::optional<MultiplyMapping> multiply_parameters(const MultiplyTarget& target, bool ew,
                                                   const std::vector<std::int8_t>& pairs);

/// A product as what is above the zero point of the output and what is below. Rounding each is
/// easy: what rounds twice leans to one side then.
struct ProductParts {
    MultiplyMapping above, below;  ///< with zero points of -128 and 127

    /// What their sum is less by than the output.
    static int offset(int zero_output) { return zero_output + 1; }
    int apply(int a, int b, int zero_output) const;
};
std::optional<ProductParts> multiply_in_parts(const MultiplyTarget& target, bool ew,
                                              const std::vector<std::int8_t>& pairs);

/// Outputs of the reference for all pairs.
std::vector<std::int8_t> multiply_reference(const MultiplyTarget& target);

}  // namespace macrame::dla::compiler
