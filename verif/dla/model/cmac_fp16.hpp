#pragma once
/// Golden model of CMAC, fp16: one atomic operation of one MAC cell.
///
/// A partial sum is a word of 44 bits: exponent P in 43:38, sum s in 37:0; its value is
/// s * 2^(P-50). P = 63 is NaN with sign and payload in 37:27.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "cmac.hpp"

namespace macrame::dla::model {

inline constexpr int kPsumMantissa = 38;
inline constexpr int kPsumNan = 63;

inline std::uint64_t psum_word(int exponent, std::int64_t sum) {
    const std::uint64_t mask = (std::uint64_t{1} << kPsumMantissa) - 1;
    return static_cast<std::uint64_t>(exponent) << kPsumMantissa |
           (static_cast<std::uint64_t>(sum) & mask);
}

/// Two rows with the sum of the rows that were reduced to them.
struct CarrySave {
    std::uint32_t sum, carry;
};
inline CarrySave carry_save(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    return {a ^ b ^ c, ((a & b) | (a & c) | (b & c)) << 1};
}

/// An operand as the multiplier has it: value = mantissa * 2^(4*quarters - 25), 14 bits of
/// mantissa.
struct Aligned {
    bool negative;
    int quarters;
    std::uint32_t mantissa;
};
inline Aligned aligned(std::uint16_t fp16) {
    const std::uint32_t exponent = fp16 >> 10 & 31u, fraction = fp16 & 1023u;
    return {(fp16 & 0x8000u) != 0, static_cast<int>(exponent / 4),
            exponent != 0 ? (1024u + fraction) << exponent % 4 : fraction << 1};
}

/// The four Booth digits of `digits` (with the bit below them) times `factor`, as two rows of 24
/// bits, to which an offset belongs. `flip` inverts the sign.
inline CarrySave booth_rows(std::uint32_t digits, std::uint32_t factor, bool flip) {
    std::array<std::uint32_t, 5> row{};
    std::uint32_t invert = 0;  // of the digit before: its +1 stands in the row behind it
    for (std::size_t i = 0; i < 4; ++i) {
        const std::uint32_t code = (digits >> 2 * i & 7u) ^ (flip ? 7u : 0u);
        const std::uint32_t once = code == 1 || code == 2 || code == 5 || code == 6 ? factor : 0;
        const std::uint32_t times = once + (code == 3 || code == 4 ? 2 * factor : 0);
        const bool negative = code >= 4 && code != 7;
        const std::uint32_t product = negative ? ~times & 0xFFFFu : 0x10000u | times;
        row[i] = product << 2 * i | (i > 0 ? invert << 2 * (i - 1) : 0);
        invert = negative ? 1 : 0;
    }
    row[4] = invert << 6;
    const CarrySave a = carry_save(row[0], row[1], row[2]);
    const CarrySave b = carry_save(a.sum, a.carry, row[3]);
    const CarrySave c = carry_save(b.sum, b.carry, row[4]);
    return {c.sum & 0xFFFFFFu, c.carry & 0xFFFFFFu};
}

/// What the rows of all eight digits have too much.
inline constexpr std::uint32_t kRowOffset = 0x55550000u;

/// weight * data, shifted right by 4*`quarters`. The multiplier shifts two carry-save rows on their
/// own, so the result can be one less than that of a shifted product.
inline std::int32_t shifted_product(const Aligned& weight, const Aligned& data, int quarters) {
    const bool negative = weight.negative != data.negative;
    if (quarters >= 8) return 0;
    if (quarters == 0) {  // nothing is lost
        const auto product = static_cast<std::int32_t>(weight.mantissa * data.mantissa);
        return negative ? -product : product;
    }
    const std::uint32_t digits = weight.mantissa << 1;
    const CarrySave low = booth_rows(digits, data.mantissa, negative);
    const CarrySave high = booth_rows(digits >> 8, data.mantissa, negative);
    const CarrySave three = carry_save(low.sum, low.carry, high.sum << 8);
    const CarrySave rows = carry_save(three.sum, three.carry, high.carry << 8);
    const auto shift = static_cast<unsigned>(4 * quarters);
    return static_cast<std::int32_t>((rows.sum >> shift) + (rows.carry >> shift) -
                                     (kRowOffset >> shift));
}

/// An operation of up to 64 lanes: its exponent and what every lane adds.
class Fp16Operation {
public:
    Fp16Operation(const std::uint16_t* data, const std::uint16_t* weights, std::size_t lanes) {
        for (const std::uint16_t* side : {weights, data}) {
            const auto* nan = std::find_if(side, side + lanes, is_nan);
            if (nan == side + lanes) continue;
            const int payload = (*nan & 0x8000) >> 5 | (*nan & 0x3FF);
            nan_ = psum_word(kPsumNan, std::int64_t{payload} << 27);
            return;
        }
        std::array<int, kTileLanes> quarters{};
        for (std::size_t i = 0; i < lanes; ++i) {
            const bool active = (weights[i] & 0x7FFF) != 0 && (data[i] & 0x7FFF) != 0;
            quarters[i] = active ? (weights[i] >> 12 & 7) + (data[i] >> 12 & 7) : kInactive;
            quarters_ = std::max(quarters_, quarters[i]);
        }
        for (std::size_t i = 0; i < lanes; ++i) {
            if (quarters[i] == kInactive) continue;
            products_[i] =
                shifted_product(aligned(weights[i]), aligned(data[i]), quarters_ - quarters[i]);
        }
    }

    /// A sum of products as it goes to CACC.
    std::uint64_t word(std::int64_t sum) const {
        return nan_ != 0 ? nan_ : psum_word(4 * quarters_, sum);
    }
    const std::array<std::int64_t, kTileLanes>& products() const { return products_; }

private:
    static constexpr int kInactive = -1;
    static bool is_nan(std::uint16_t fp16) { return (fp16 & 0x7FFF) > 0x7C00; }

    std::uint64_t nan_ = 0;
    int quarters_ = 0;  // of the largest product
    std::array<std::int64_t, kTileLanes> products_{};
};

/// Partial sum of one MAC cell; patterns of fp16.
inline std::uint64_t fp16_psum(const std::uint16_t* data, const std::uint16_t* weights,
                               std::size_t lanes) {
    const Fp16Operation operation(data, weights, lanes);
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < lanes; ++i)
        sum += operation.products()[i];
    return operation.word(sum);
}

/// Partial sums of one MAC cell in a Winograd operation; data behind the pre-addition.
inline TileOf<std::uint64_t> fp16_winograd_psums(const std::uint16_t* data,
                                                 const std::uint16_t* weights) {
    const Fp16Operation operation(data, weights, kTileLanes);
    const TileOf<std::int64_t> sums = post_add(operation.products());
    return {operation.word(sums[0]), operation.word(sums[1]), operation.word(sums[2]),
            operation.word(sums[3])};
}

}  // namespace macrame::dla::model
