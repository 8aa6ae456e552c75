#pragma once
/// Fixed-point arithmetic of the tensor unit. One format for everything: weights, activations,
/// accumulators, SIMD. Every operation saturates; products are rounded to nearest, ties to even.

#include <cstdint>

#include "verif/tcu/isa/architecture.hpp"

namespace macrame::tcu::model {

/// Codes of W bits, B of them a fraction, kept in Code; Wide holds every exact result.
template <class CodeType, class WideType, int W, int B>
struct Fixed {
    using Code = CodeType;
    using Wide = WideType;
    static constexpr int kWidth = W;
    static constexpr int kBinaryPoint = B;
    static constexpr Wide kMin = -(Wide{1} << (W - 1));
    static constexpr Wide kMax = (Wide{1} << (W - 1)) - 1;
    static constexpr Code kOne = Code{1} << B;

    static constexpr Code clamp(Wide value) {
        return static_cast<Code>(value < kMin ? kMin : value > kMax ? kMax : value);
    }
    /// x*y + z before it is clamped, rounded to B fraction bits: half an LSB less a bit, and that
    /// bit when the result below is odd, carry exactly into what is to be rounded up.
    static constexpr Wide exact_mac(Code x, Code y, Code z) {
        const Wide sum = Wide{x} * Wide{y} + Wide{z} * (Wide{1} << B);
        return (sum + ((Wide{1} << (B - 1)) - 1) + (sum >> B & 1)) >> B;
    }
    static constexpr Code mac(Code x, Code y, Code z) { return clamp(exact_mac(x, y, z)); }

    /// The low W bits of a word of DRAM, sign extended.
    static constexpr Code from_bits(std::uint32_t bits) {
        const std::uint32_t sign = std::uint32_t{1} << (W - 1);
        const std::uint32_t low = bits & (sign | (sign - 1));
        return static_cast<Code>(static_cast<std::int32_t>((low ^ sign) - sign));
    }
    /// What DRAM holds: bits above W are zero.
    static constexpr std::uint32_t to_bits(Code code) {
        const std::uint32_t sign = std::uint32_t{1} << (W - 1);
        return static_cast<std::uint32_t>(code) & (sign | (sign - 1));
    }
};

using Fp8bp4 = Fixed<std::int8_t, std::int32_t, 8, 4>;
using Fp16bp8 = Fixed<std::int16_t, std::int32_t, 16, 8>;
using Fp18bp10 = Fixed<std::int32_t, std::int64_t, 18, 10>;
using Fp32bp16 = Fixed<std::int32_t, std::int64_t, 32, 16>;

/// Calls `with` with a value of the type, and returns what it returns.
template <class Do>
auto for_type(DataType type, Do&& with) {
    switch (type) {
        case DataType::fp8bp4:
            return with(Fp8bp4{});
        case DataType::fp18bp10:
            return with(Fp18bp10{});
        case DataType::fp32bp16:
            return with(Fp32bp16{});
        default:
            return with(Fp16bp8{});
    }
}

}  // namespace macrame::tcu::model
