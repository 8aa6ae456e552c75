#pragma once
/// Fixed-point arithmetic of the reference executors.

#include <cstdint>
#include <optional>
#include <utility>

#include "compiler/graph/graph.hpp"

namespace macrame::graph {

/// A positive real factor as mantissa * 2^(exponent - 31), 2^30 <= mantissa < 2^31 (0: 0), as
/// TFLite's QuantizeMultiplier.
struct Multiplier {
    std::int32_t mantissa = 0;
    int exponent = 0;
};
Multiplier multiplier(double real);

/// value * factor as TFLite's reference kernels round it: saturating doubling high multiplication,
/// then a rounding shift, each half away from zero (the first: half up for products).
std::int32_t multiply(std::int32_t value, Multiplier factor);

/// value / 2^shift, 0 to 31, halves away from zero.
std::int32_t rounded_shift(std::int32_t value, int shift);

/// value * factor, rounded once, halves up.
std::int32_t multiply_once(std::int32_t value, Multiplier factor);

/// The same of a sum of 64 bits, with the upper 15 bits of the mantissa; what does not fit into 32
/// bits wraps.
std::int32_t multiply_wide(std::int64_t value, Multiplier factor);

/// The same with the whole mantissa; saturates.
std::int32_t multiply_wide_once(std::int64_t value, Multiplier factor);

/// 1 / sqrt(value) of a positive integer, by Newton's iteration in TFLite's fixed point.
Multiplier inverse_square_root(std::int32_t value);

/// Real value of an element with 8 fraction bits, as TFLite compares bytes of any scales.
std::int32_t compared_value(std::int32_t element, const Quantisation& quantisation);

/// Bounds of the values of a tensor behind an activation.
std::pair<int, int> bounds(Activation activation, const Tensor& output);

/// Factors input scale * weight scale / output scale of a convolution or fully connected layer, one
/// per output channel, rounded as the reference does: TFLite's in double (or a product in float for
/// fully connected layers and for uint8), ONNX Runtime's in float.
std::vector<double> output_factors(const Graph& graph, const Node& node);

/// Whether TFLite has 64 bits for the sums of a convolution or of products of matrices: those of
/// int16 where the bias has them, and in some kernels without one.
bool has_wide_sums(const Graph& graph, const Node& node);

/// Fraction bits of both operands of TFLite's sums, or squares of differences, in units of twice
/// the larger scale.
int sum_bits(Arithmetic function, const Tensor& output);

/// By how much TFLite shifts both operands of a sum to the right instead: int16 with scales of
/// powers of two, of which one is that of the output. Nothing: not these.
std::optional<std::pair<int, int>> sum_shifts(const Tensor& a, const Tensor& b,
                                              const Tensor& output);

/// Factor of TFLite's mean over `count` elements: the division goes into the multiplier, with as
/// many bits as it frees.
Multiplier mean_multiplier(const Tensor& input, const Tensor& output, std::int64_t count);

// The integers of ONNX Runtime's kernels on x86-64; all of them are float32 inside.

/// Factor of a mean over `count` elements.
float mean_factor(const Tensor& input, const Tensor& output, std::int64_t count);
/// A sum times a factor, to the nearest whole number, halves to even.
double scaled_to_even(std::int64_t sum, float factor);

/// What elements and zero points are less by than those of the file.
int shift_of(const Tensor& tensor);

/// uint8 in the file: a reference may have other integers for it.
bool is_unsigned(const Tensor& tensor);

/// int8 and uint8 of the same real values: all that differs is the upper bit of each element.
bool differ_in_sign(const Tensor& a, const Tensor& b);

/// Sum of two quantised values, before it saturates. `shift`: as shift_of(), of all three.
class OnnxSum {
public:
    OnnxSum(float scale_a, int zero_a, float scale_b, int zero_b, float scale, int zero, int shift);
    double operator()(int a, int b) const;
    float a() const { return a_; }
    float b() const { return b_; }
    float rest() const { return rest_; }

private:
    float a_, b_, rest_;  ///< zero - a_ * zero_a - b_ * zero_b
    int shift_;
};

}  // namespace macrame::graph
