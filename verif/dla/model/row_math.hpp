#pragma once
/// Arithmetic of ROW on a row, which is all channels of a pixel; docs/row.md has the definitions.
/// Products and sums of the solver are numbers of 32 bits that wrap, most with 29 fraction bits.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "arithmetic.hpp"

namespace macrame::dla::model {

/// Codes of the field ROW_MODE; the code without a mode (3) acts as rms_norm.
enum class RowMode { softmax, layer_norm, rms_norm };

/// An operand record as the unit keeps it. Softmax: digits of exp(-index), in units of 2^-31,
/// factor * 2^14 + term. Norms: gamma, and beta with the zero point, of a channel.
struct RowRecord {
    std::int32_t factor = 0;  ///< 24 bits, signed
    std::int32_t term = 0;    ///< 24 bits, signed; in units of 2^-15 of a step of the output
};

/// Records of a softmax: one per difference from the largest element.
inline constexpr int kRowDifferences = 256;
/// Bytes of a record in memory: a word each for factor and term, whose high bits do not count.
inline constexpr int kRowRecordBytes = 8;

/// What is the same for all rows of a layer.
struct RowSettings {
    RowMode mode = RowMode::softmax;
    int in_offset = 0;          ///< taken from elements
    int out_offset = 0;         ///< added to the result of a softmax
    int shift = 18;             ///< norms, 0..63
    std::uint32_t epsilon = 0;  ///< norms: added to the variance times N^2, 8 fraction bits
    std::vector<RowRecord> records;
};

/// What the solver finds for a row: y = (factor, term) of (x * scale + start) >> shift.
struct RowSolution {
    std::int64_t scale = 0;  ///< 34 bits
    std::int64_t start = 0;  ///< 50 bits
    int shift = 0;           ///< 0..63
};

/// a * b of 31 fraction bits, halves up.
inline std::int32_t row_product(std::int32_t a, std::int32_t b) {
    return static_cast<std::int32_t>((std::int64_t{a} * b + (std::int64_t{1} << 30)) >> 31);
}

/// a + (b << shift) of 32 bits.
inline std::int32_t row_add(std::int32_t a, std::int32_t b, int shift = 0) {
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(a) + (static_cast<std::uint32_t>(b)
                                                                      << shift));
}

/// Softmax: 1 / sum by the three steps of TFLite's reference, bit by bit.
inline RowSolution row_reciprocal(std::uint32_t sum) {
    constexpr std::int32_t kSeed = 1515870810, kSlope = -1010580540;  // 48/17, -32/17
    int zeros = 0;
    while (zeros < 31 && (sum & 0x80000000u) == 0) {
        sum <<= 1;
        ++zeros;
    }
    const auto half = static_cast<std::int32_t>(sum >> 1);
    std::int32_t x = row_add(kSeed, row_product(half, kSlope));
    for (int i = 0; i < 3; ++i) {
        const std::int32_t error = row_add(1 << 29, -row_product(half, x));
        x = row_add(x, row_product(x, error), 2);
    }
    // The reciprocal of exactly one half is 2, which has no bit.
    const bool most = (x & (1 << 30)) != 0 && x > 0;
    return {most ? 0x7fffffff : row_add(0, x, 1), std::int64_t{1} << 30, 37 - zeros};
}

/// Norms: 1 / sqrt(variance) times what an element is multiplied with. `variance` is N * squares -
/// sum^2, with 8 fraction bits for epsilon: 50 bits.
inline RowSolution row_inverse_root(std::uint64_t variance, int n, std::int64_t sum, int shift) {
    constexpr std::int32_t kSeed = 1145023540, kSlope = -654299166;  // 2.1328, -1.2187
    int pairs = 0;
    while (pairs < 24 && (variance >> 48) == 0) {
        variance <<= 2;
        ++pairs;
    }
    const auto m = static_cast<std::int32_t>(variance >> 19);
    std::int32_t x = row_add(kSeed, row_product(m, kSlope));
    for (int i = 0; i < 3; ++i) {
        const std::int32_t error = row_add(1 << 27, -row_product(m, row_product(x, x)));
        x = row_add(x, row_product(x, error), 3);
    }
    const std::int64_t scale = (std::int64_t{n} * x) >> 11;
    const std::int64_t mean = (sum * x) >> 11;
    return {scale, -mean * 256, std::max(shift - pairs, 0)};
}

/// The rows of a layer.
class RowMath {
public:
    explicit RowMath(const RowSettings& settings) : s_(settings) {}

    /// All channels of a pixel.
    std::vector<std::int8_t> row(const std::vector<std::int8_t>& in) const {
        std::vector<int> x;
        for (const std::int8_t v : in)
            x.push_back(v - s_.in_offset);
        if (s_.mode == RowMode::softmax) {
            const int largest = *std::max_element(x.begin(), x.end());
            for (int& v : x)
                v = (largest - v) & (kRowDifferences - 1);
        }
        const RowSolution of = solve(x);
        std::vector<std::int8_t> out;
        for (std::size_t c = 0; c < x.size(); ++c)
            out.push_back(element(of, x[c], static_cast<int>(c)));
        return out;
    }

private:
    const RowRecord& record(int index) const {
        return s_.records[static_cast<std::size_t>(index)];
    }

    /// The exponential of a difference with 19 fraction bits.
    std::uint32_t part(int difference) const {
        const RowRecord& r = record(difference);
        const std::uint32_t e = (static_cast<std::uint32_t>(r.factor) & 0x1ffffu) << 14 |
                                (static_cast<std::uint32_t>(r.term) & 0x3fffu);
        return (e >> 12) + (e >> 11 & 1u);
    }

    /// `x`: differences, or elements.
    RowSolution solve(const std::vector<int>& x) const {
        if (s_.mode == RowMode::softmax) {
            std::uint32_t sum = 0;
            for (const int difference : x)
                sum += part(difference);
            return row_reciprocal(sum);
        }
        const auto n = static_cast<int>(x.size());
        std::int64_t sum = 0, squares = 0;
        for (const int v : x) {
            if (s_.mode == RowMode::layer_norm) sum += v;
            squares += v * v;
        }
        const auto variance = static_cast<std::uint64_t>((n * squares - sum * sum) * 256 + s_.epsilon);
        return row_inverse_root(variance, n, sum, s_.shift);
    }

    std::int8_t element(const RowSolution& of, int x, int channel) const {
        const bool softmax = s_.mode == RowMode::softmax;
        const RowRecord& r = record(softmax ? x : channel);
        const std::int64_t digit = softmax ? r.term & 0x3fff : x * 256;
        const std::int64_t w = (of.scale * digit + of.start) >> 14;
        const std::int64_t v = softmax ? of.scale * r.factor + w : w * r.factor;
        constexpr std::int64_t kMost = (std::int64_t{1} << 25) - 1;
        const std::int64_t z = std::clamp(v >> of.shift, -kMost - 1, kMost);
        const std::int64_t bias = softmax ? s_.out_offset * 32768 : r.term;
        return static_cast<std::int8_t>(
            std::clamp<std::int64_t>((z + bias + (1 << 14)) >> 15, -128, 127));
    }

    const RowSettings& s_;
};

}  // namespace macrame::dla::model
