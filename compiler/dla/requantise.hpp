#pragma once
/// Searches the operands of SDP's stages that make of accumulators what a reference executor makes,
/// and proves it for all accumulators that a channel can reach.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace macrame::dla::compiler {

/// How the reference rounds a product.
enum class Rounding {
    tflite,       ///< SRDHM by a 31-bit mantissa, then a rounding shift: twice
    tflite_once,  ///< once, halves up, with the same mantissa
    onnx,         ///< once, to nearest even, of the product with the factor in float32
    average       ///< of the quotient by 1 / factor, a whole number; half away from zero
};

/// What one output channel is to do: reference(raw) = clamp(round(factor * (raw + bias)) + zo).
struct ChannelTarget {
    double factor =
        0;  ///< input scale * weight scale / output scale, as the reference has it; >= 0
    std::int64_t bias = 0;           ///< bias - input zero point * sum of weights
    std::int64_t low = 0, high = 0;  ///< raw sums that can be reached
    /// Of Rounding::tflite, where the reference does not make them of `factor` (MEAN): the factor
    /// is mantissa * 2^(exponent - 31). 0: made of `factor`.
    std::int32_t mantissa = 0;
    int exponent = 0;
};

struct LayerTarget {
    Rounding rounding = Rounding::tflite;
    int zero_point = 0;          ///< zo, of the output
    int low = -128, high = 127;  ///< clamp of the output
    std::vector<ChannelTarget> channels;
};

/// Stages that the configuration has.
struct Stages {
    bool bs = true, bn = true, ew = false;
};

enum class AluFunction { maximum, minimum, sum };

/// Operands of BS or BN: both per channel, ALU and MUL of two bytes.
struct XStage {
    bool bypass = true, relu = false;
    AluFunction function = AluFunction::sum;
    int alu_shift = 0, mul_shift = 0;
    std::vector<std::int16_t> alu, mul;
};

/// Operands of EW: MUL per channel from memory, two bytes, convertor bypassed; ALU from its
/// register.
struct YStage {
    bool bypass = true;
    int truncate = 0;
    std::vector<std::int16_t> mul;  ///< empty: MUL is bypassed
    bool alu_bypass = true;
    AluFunction function = AluFunction::minimum;
    std::int32_t alu = 0;
};

/// Where a channel is not what the reference is.
struct Deviation {
    int channel = 0;
    std::int64_t values = 0;  ///< accumulators out of those that can be reached
    std::int64_t reachable = 0;
    int most = 0;  ///< largest difference of the output
};

/// Registers and operands for SDP's stages, output convertor included.
struct Requantisation {
    XStage bs, bn;
    YStage ew;
    std::int32_t offset = 0;  ///< CVT_OFFSET; scale 1
    int shift = 0;            ///< CVT_SHIFT
    /// "fine", "two-stage", "three-stage", "once"; "one-stage": BN is free; "convertor": the last
    /// rounding is that of the output convertor.
    std::string mapping;
    std::vector<Deviation> deviations;  ///< empty: proved equal for all accumulators

    bool proved() const { return deviations.empty(); }
    /// Output of SDP for an accumulator, as the hardware computes it (NVDLA SDP: int8).
    int apply(std::size_t channel, std::int64_t accumulator) const;
};

/// Output of the reference.
int reference(const LayerTarget& layer, std::size_t channel, std::int64_t raw);

/// How far a monotone function of the raw sum is from the reference; no values: proved equal.
Deviation deviation(const LayerTarget& layer, std::size_t channel,
                    const std::function<int(std::int64_t)>& output);

/// The best mapping found. Throws std::invalid_argument if the stages cannot do it at all.
Requantisation requantise(const LayerTarget& layer, const Stages& stages);

}  // namespace macrame::dla::compiler
