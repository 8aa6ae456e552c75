#pragma once
/// Addition of two int8 tensors of different scales on SDP. BS scales one of them, BN adds the
/// other one. Without EW the output convertor scales the sum; with it, EW multiplies the sum by 31
/// bits and adds what the 16 bits of BS lack of the other operand, and the convertor only rounds.

#include <cstdint>
#include <optional>

#include "compiler/dla/requantise.hpp"

namespace macrame::dla::compiler {

/// real = scale * (value - zero_point)
struct AddTensor {
    double scale = 1;  ///< as the reference has it: a float
    int zero_point = 0;
};

/// output = clamp(round((a +- b) / output.scale) + output.zero_point).
struct AddTarget {
    AddTensor a, b, output;
    bool subtract = false;
    int low = -128, high = 127;            ///< of a fused activation
    Rounding rounding = Rounding::tflite;  ///< onnx: of the exact sum, once, to nearest even
    std::optional<bool> main_is_b;         ///< nothing: either way
    int shift = 0;  ///< of Rounding::onnx: what all integers are less by than those of the file
};

/// What EW does to the sum v of BN: round(v * factor / 2^truncate) + round((operand - zero) * scale
/// / 2^shift), with the operand of BN read from memory a second time.
struct AddEw {
    std::int32_t factor = 1;  ///< MUL register
    int truncate = 0;
    std::int32_t zero = 0;  ///< of the ALU operand's convertor
    std::int16_t scale = 0;
    int shift = 0;
};

/// Registers: one SDP layer from memory to memory. Stages not named here are bypassed, as are BN's
/// MUL and both ReLUs.
struct AddMapping {
    bool main_is_b =
        false;  ///< what comes through the main read DMA; BN's operand is the other one
    std::int16_t bs_alu = 0, bs_mul = 1;  ///< registers; BS: SUM, both shifts 0
    int bn_shift = 0;  ///< ALU_SHIFT of BN; ALU SUM, per element from memory, one byte
    std::optional<AddEw> ew;
    std::int32_t offset = 0;  ///< output convertor
    std::int16_t scale = 1;
    int shift = 0;
    bool maximum_left = false, minimum_left = false;  ///< clamps that another layer has to do
    int wrong = 0;                                    ///< of the 65,536 pairs, behind all clamps
    int most = 0;                                     ///< largest difference

    /// Output of SDP, before what is left of the clamps.
    int apply(int a, int b) const;
};

/// Output of the reference.
int add_reference(const AddTarget& target, int a, int b);

/// The best of all shifts and both orders, compared for all pairs. `ew`: with EW, where there are
/// pairs that need it. Throws std::invalid_argument if a scale is not positive or the scales differ
/// too much for 16-bit operands.
AddMapping add_parameters(const AddTarget& target, bool ew = false);

}  // namespace macrame::dla::compiler
