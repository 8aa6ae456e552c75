#pragma once
/// Addition of two int8 tensors of different scales on SDP. BS scales one of them, BN adds the
/// other one and with the output convertor scales the sum by 30 bits. 16 bits of BS are few for the
/// quotient of two scales: an operand that is read twice, for BS's ALU and for BN's, or EW make it
/// finer. EW multiplies the sum by 31 bits and adds what the 16 bits of BS lack of the other
/// operand, and the convertor only rounds.

#include <cstdint>
#include <optional>
#include <vector>

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

/// Registers: one SDP layer from memory to memory. Operands in memory are per element, of one byte,
/// and all ALUs sum. Stages not named here are bypassed, as are both ReLUs.
struct AddMapping {
    bool main_is_b = false;               ///< what comes through the main read DMA
    std::int16_t bs_alu = 0, bs_mul = 1;  ///< registers; BS: SHIFT of MUL is 0
    int bs_shift = -1;   ///< ALU_SHIFT of BS whose operand is the other one; negative: is bs_alu
    bool again = false;  ///< BN's operand is the main one; else the other one
    int bn_shift = 0;    ///< ALU_SHIFT of BN
    int bn_mul = 1, bn_mul_shift = 0;
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
/// The same for all pairs: of a = -128 and b = -128, -127, ..., then those of a = -127.
std::vector<int> add_table(const AddTarget& target);

/// The best of all shifts and both orders, compared for all pairs. `twice`: with an operand that is
/// read twice, `ew`: with EW, where there are pairs that need it. Throws std::invalid_argument if a
/// scale is not positive or the scales differ too much for 16-bit operands.
AddMapping add_parameters(const AddTarget& target, bool ew = false, bool twice = false);

/// One that has all pairs. Without a value: none was found.
std::optional<AddMapping> exact_add(const AddTarget& target, const std::vector<int>& table,
                                    bool twice);

/// A sum in parts of its results, each with fewer pairs: up to the first cut, between cuts, from
/// the last one on. The first part gives 127 from its cut on, the others -128 up to theirs. They
/// are added one after the other; each sum saturates where the next part begins.
struct AddParts {
    std::vector<AddMapping> parts;
    std::vector<int> cuts;  ///< results, one between two parts

    /// What is added with each part but the first.
    std::vector<int> offsets() const;
    int apply(int a, int b) const;
};
/// As few as have all pairs. Without a value: too many would be needed.
std::optional<AddParts> exact_add_in_parts(const AddTarget& target);

}  // namespace macrame::dla::compiler
