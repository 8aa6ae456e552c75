/// Golden models of CMAC and CACC for 16-bit types and Winograd: against recorded operations, naive
/// references and what the documents say.

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>

#include "oracle.hpp"
#include "verif/dla/model/arithmetic.hpp"
#include "verif/dla/model/cacc.hpp"
#include "verif/dla/model/cacc_fp16.hpp"
#include "verif/dla/model/cmac.hpp"
#include "verif/dla/model/cmac_fp16.hpp"

namespace macrame::dla::model {
namespace {

__extension__ using Wide = __int128;

std::uint64_t field(std::int64_t value, int bits) {
    return static_cast<std::uint64_t>(value) & ((std::uint64_t{1} << bits) - 1);
}

// ------------------------------------------------------------------ recorded operations

/// Columns of the results of an operation: r0 to r3 with Winograd, else r0.
constexpr const char* kResults[] = {"r0", "r1", "r2", "r3"};

TEST(CmacModel, RecordedIntegers) {
    NEEDS_ORACLE();
    int direct = 0, tiles = 0;
    for (const OracleRow& row : OracleTable("cmac_int16.csv")) {
        const auto w = row.elements<std::int16_t>("w"), d = row.elements<std::int16_t>("d");
        if (row.text("mode") == "dc") {
            EXPECT_EQ(field(psum(d.data(), w.data(), d.size()), 44), row.hex64("r0"));
            ++direct;
            continue;
        }
        ASSERT_EQ(row.text("mode"), "wg");
        const auto sums = winograd_psums(d.data(), w.data());
        for (std::size_t i = 0; i < 4; ++i)
            EXPECT_EQ(field(sums[i], 44), row.hex64(kResults[i]));
        ++tiles;
    }
    EXPECT_GT(direct, 0);
    EXPECT_GT(tiles, 0);
}

TEST(CmacModel, RecordedFp16) {
    NEEDS_ORACLE();
    int direct = 0, tiles = 0;
    for (const OracleRow& row : OracleTable("cmac_fp16.csv")) {
        const auto w = row.elements<std::uint16_t>("w"), d = row.elements<std::uint16_t>("d");
        if (row.text("mode") == "dc") {
            EXPECT_EQ(fp16_psum(d.data(), w.data(), d.size()), row.hex64("r0"));
            ++direct;
            continue;
        }
        ASSERT_EQ(row.text("mode"), "wg");
        const auto sums = fp16_winograd_psums(d.data(), w.data());
        for (std::size_t i = 0; i < 4; ++i)
            EXPECT_EQ(sums[i], row.hex64(kResults[i]));
        ++tiles;
    }
    EXPECT_GT(direct, 0);
    EXPECT_GT(tiles, 0);
}

TEST(CaccModel, RecordedChains) {
    NEEDS_ORACLE();
    FloatAcc acc;
    for (const OracleRow& row : OracleTable("cacc_fp.csv")) {
        const std::string where = row.text("chain") + " " + row.text("step");
        if (row.text("step") == "0") acc = {};
        acc = accumulate(acc, row.hex64("psum"));
        // The recorded mantissa may be -2^38 with the exponent one higher.
        const std::uint64_t word = row.hex64("acc_out");
        const int exponent = static_cast<int>(word >> FloatAcc::kMantissa);
        const std::int64_t mantissa = wrap(static_cast<std::int64_t>(word), FloatAcc::kMantissa);
        const FloatAcc want = exponent == FloatAcc::kNan ? FloatAcc{exponent, mantissa}
                                                         : normalized(exponent, mantissa);
        EXPECT_EQ(acc.exponent, want.exponent) << where;
        EXPECT_EQ(acc.mantissa, want.mantissa) << where;
        EXPECT_EQ(final_fp32(acc), row.hex("fp32")) << where;
    }
}

// ------------------------------------------------------------------ naive references

/// Pre-added tile and transformed kernel (times 4) against the plain sum of products.
TEST(CmacModel, WinogradIsAConvolution) {
    std::mt19937 random(1);
    std::uniform_int_distribution<int> small(-30, 30);
    for (int round = 0; round < 50; ++round) {
        std::array<std::int16_t, kTileLanes> v{}, u{};
        TileOf<std::int64_t> want{};
        for (std::size_t channel = 0; channel < 4; ++channel) {
            int d[4][4], k[3][3];
            for (auto& line : d)
                for (int& x : line)
                    x = small(random);
            for (auto& line : k)
                for (int& x : line)
                    x = small(random);
            for (int y = 0; y < 2; ++y)
                for (int x = 0; x < 2; ++x)
                    for (int r = 0; r < 3; ++r)
                        for (int s = 0; s < 3; ++s)
                            want[static_cast<std::size_t>(2 * y + x)] += d[y + r][x + s] * k[r][s];
            const int b[4][4] = {{1, 0, -1, 0}, {0, 1, 1, 0}, {0, -1, 1, 0}, {0, 1, 0, -1}};
            const int g[4][3] = {{2, 0, 0}, {1, 1, 1}, {1, -1, 1}, {0, 0, 2}};
            for (std::size_t i = 0; i < 4; ++i) {
                for (std::size_t j = 0; j < 4; ++j) {
                    int data = 0, weight = 0;
                    for (int m = 0; m < 4; ++m)
                        for (int n = 0; n < 4; ++n)
                            data += b[i][m] * d[m][n] * b[j][n];
                    for (int m = 0; m < 3; ++m)
                        for (int n = 0; n < 3; ++n)
                            weight += g[i][m] * k[m][n] * g[j][n];
                    v[(i * 4 + j) * 4 + channel] = static_cast<std::int16_t>(data);
                    u[(i * 4 + j) * 4 + channel] = static_cast<std::int16_t>(weight);
                }
            }
        }
        const auto got = winograd_psums(v.data(), u.data());
        for (std::size_t i = 0; i < 4; ++i)
            EXPECT_EQ(got[i], 4 * want[i]);
    }
}

/// Value of an fp16 pattern; infinity counts as 2^16.
double number(std::uint16_t fp16) {
    const int exponent = fp16 >> 10 & 31;
    const double magnitude =
        std::ldexp((exponent != 0 ? 1024 : 0) + (fp16 & 1023), std::max(exponent, 1) - 25);
    return (fp16 & 0x8000) != 0 ? -magnitude : magnitude;
}

/// A product is off by less than two units of the word, by none where exponents are about equal.
TEST(CmacModel, Fp16IsCloseToTheRealSum) {
    std::mt19937 random(2);
    for (int round = 0; round < 3000; ++round) {
        std::array<std::uint16_t, 64> w{}, d{};
        const std::size_t lanes = round % 3 == 0 ? 8 : 64;
        const unsigned spread = round % 4 == 0 ? 0x8FFFu : 0xFBFFu;  // same or any exponents
        long double exact = 0;
        for (std::size_t i = 0; i < lanes; ++i) {
            w[i] = static_cast<std::uint16_t>(random() & spread);
            d[i] = static_cast<std::uint16_t>(random() & spread);
            exact += static_cast<long double>(number(w[i])) * number(d[i]);
        }
        const std::uint64_t word = fp16_psum(d.data(), w.data(), lanes);
        const int exponent = static_cast<int>(word >> kPsumMantissa);
        ASSERT_EQ(exponent % 4, 0);
        const auto sum =
            static_cast<long double>(wrap(static_cast<std::int64_t>(word), kPsumMantissa));
        const long double scaled = std::ldexp(exact, 50 - exponent);
        EXPECT_LE(std::abs(sum - scaled), static_cast<long double>(2 * lanes)) << round;
        if (spread == 0x8FFFu) {
            EXPECT_EQ(sum, scaled) << round;
        }
    }
}

TEST(CmacModel, Fp16Examples) {
    const auto one = [](std::uint16_t w, std::uint16_t d, std::uint16_t w1 = 0,
                        std::uint16_t d1 = 0) {
        const std::uint16_t weights[] = {w, w1}, data[] = {d, d1};
        return fp16_psum(data, weights, 2);
    };
    EXPECT_EQ(one(0x3C00, 0x3C00), 0x60004000000u);
    EXPECT_EQ(one(0x3C00, 0xC200), 0x73FFF400000u);
    EXPECT_EQ(one(0x3C00, 0x7C00), 0xA0004000000u) << "infinity is 2^16";
    EXPECT_EQ(one(0x0001, 0x0001), 0x00000000004u);
    EXPECT_EQ(one(0x7BFF, 0x7BFF), 0xE0003FF0010u);
    EXPECT_EQ(one(0x7E01, 0x0000), 0xFD008000000u) << "NaN, even with zero";
    EXPECT_EQ(one(0x3C00, 0xFE02, 0x7E01, 0x3C00), 0xFD008000000u) << "weights come first";
    EXPECT_EQ(one(0x3C00, 0x3C00, 0x1400, 0x3C00), 0x60004010000u);
    EXPECT_EQ(one(0x3C00, 0x3C00, 0x0400, 0x0400), 0x60004000000u);
    EXPECT_EQ(one(0x3C00, 0x3C00, 0x8400, 0x0400), 0x60003FFFFFFu) << "one unit too low";
    EXPECT_EQ(one(0x0000, 0x7BFF, 0x8000, 0x7BFF), 0u) << "a zero does not raise the exponent";
}

Wide half_away(Wide value, Wide unit) {
    const Wide magnitude = value < 0 ? -value : value;
    const Wide quotient = (2 * magnitude + unit) / (2 * unit);
    return value < 0 ? -quotient : quotient;
}

/// The exact sum, then the mantissa with 39 significant bits nearest to it.
TEST(CaccModel, AccumulatorIsTheRoundedSum) {
    std::mt19937_64 random(3);
    int dropped = 0, cancelled = 0;
    for (int round = 0; round < 200000; ++round) {
        const auto some = [&](int bits) {
            return wrap(static_cast<std::int64_t>(random()), bits) >> random() % 8;
        };
        const int base = 80 + static_cast<int>(random() % 20);
        const FloatAcc acc = normalized(base, some(41));
        // Near it (cancellation), or any distance.
        const int exponent = std::min(static_cast<int>(random() % 15) * 4, 56);
        std::int64_t sum = some(38);
        if (random() % 4 == 0 && acc.exponent >= exponent + 51) {
            sum = -(acc.mantissa >> 4) + static_cast<std::int64_t>(random() % 5) - 2;
        }
        const FloatAcc got = accumulate(acc, psum_word(exponent, sum));
        const int low = std::min(acc.exponent, exponent + 51);
        if (std::max(acc.exponent, exponent + 51) - low > 70) continue;
        const Wide exact = static_cast<Wide>(acc.mantissa) * (Wide{1} << (acc.exponent - low)) +
                           static_cast<Wide>(sum) * (Wide{1} << (exponent + 51 - low));
        if (exact == 0) {
            EXPECT_EQ(got.mantissa, 0);
            EXPECT_EQ(got.exponent, 0);
            continue;
        }
        const Wide magnitude = exact < 0 ? -exact : exact;
        Wide unit = 1;
        while (magnitude / unit >= Wide{1} << 39)
            unit *= 2;
        const Wide want = half_away(exact, unit) * unit;
        const int distance = got.exponent - low;
        const Wide value = distance >= 0 ? static_cast<Wide>(got.mantissa) * (Wide{1} << distance)
                                         : static_cast<Wide>(got.mantissa) / (Wide{1} << -distance);
        ASSERT_TRUE(value == want) << round;
        ASSERT_NE(got.mantissa >> 39 & 1, got.mantissa >> 38 & 1) << round;
        dropped += want != exact ? 1 : 0;
        cancelled += got.exponent + 4 < low ? 1 : 0;
    }
    EXPECT_GT(dropped, 10000);
    EXPECT_GT(cancelled, 100);
}

TEST(CaccModel, ResultIsTheRoundedAccumulator) {
    std::mt19937_64 random(4);
    for (int round = 0; round < 100000; ++round) {
        const FloatAcc acc =
            normalized(70 + static_cast<int>(random() % 60),
                       wrap(static_cast<std::int64_t>(random()), 40) >> random() % 20);
        if (acc.mantissa == 0) continue;
        const std::uint32_t got = final_fp32(acc);
        float value = 0;
        std::memcpy(&value, &got, sizeof value);
        const auto want =
            static_cast<double>(static_cast<std::int64_t>(half_away(acc.mantissa, Wide{1} << 15)));
        EXPECT_EQ(static_cast<double>(value), std::ldexp(want, acc.exponent - 101 + 15)) << round;
    }
}

TEST(CaccModel, FloatExamples) {
    const auto word = [](const FloatAcc& acc) {
        return static_cast<std::uint64_t>(acc.exponent) << FloatAcc::kMantissa |
               field(acc.mantissa, FloatAcc::kMantissa);
    };
    FloatAcc acc = accumulate(FloatAcc{}, 0x73FFF400000u);
    EXPECT_EQ(word(acc), 0x40A000000000u);
    EXPECT_EQ(final_fp32(acc), 0xC0400000u);
    acc = accumulate(acc, 0x73FFF400000u);
    EXPECT_EQ(word(acc), 0x41A000000000u);
    EXPECT_EQ(final_fp32(acc), 0xC0C00000u);
    acc = {0x48, 0x4000000000};
    EXPECT_EQ(word(accumulate(acc, psum_word(20, 1))), 0x484000000001u);
    EXPECT_EQ(word(accumulate(acc, psum_word(16, 1))), 0x484000000000u);
    const FloatAcc nan = accumulate(acc, 0xFD008000000u);
    EXPECT_EQ(word(nan), 0xFF4020000000u);
    EXPECT_EQ(final_fp32(nan), 0x7F800201u);
    EXPECT_EQ(word(accumulate(nan, 0x60004000000u)), word(nan)) << "stays";
    EXPECT_EQ(final_fp32({}), 0u);
    EXPECT_EQ(final_fp32({100, -(std::int64_t{1} << 39)}), 165u << 23 | 0x80000000u);
}

TEST(CaccModel, IntegersSaturateInEveryStep) {
    const std::int64_t top = (std::int64_t{1} << 47) - 1;
    EXPECT_EQ(accumulate(top, 1, kAccBitsInt16), top);
    EXPECT_EQ(accumulate(-top, -5, kAccBitsInt16), -top - 1);
    EXPECT_EQ(accumulate(top, -1, kAccBitsInt16), top - 1);
    EXPECT_EQ(accumulate((std::int64_t{1} << 33) - 1, 1), (std::int64_t{1} << 33) - 1);
    // Far below the guard bit: the test for exactly one half sees 15 bits.
    const std::int64_t half = std::int64_t{1} << 30;
    EXPECT_EQ(final_value(-half, 31).value, -1);
    EXPECT_EQ(final_value(-half + (1 << 15), 31).value, 0);
    EXPECT_EQ(final_value(-half + (1 << 15) - 1, 31).value, -1);
    EXPECT_TRUE(final_value(top, 0).saturated);
    EXPECT_EQ(final_value(top, 0).value, INT32_MAX);
    EXPECT_FALSE(final_value(top, 17).saturated);
}

/// Negative numbers that stay at floor though they are not below one half.
TEST(CaccModel, NegativeTies) {
    for (int truncate = 0; truncate <= 20; ++truncate) {
        for (std::int64_t acc = -200'000; acc <= 200'000; acc += truncate > 8 ? 1 : 37) {
            const bool half = truncate > 0 && (acc >> (truncate - 1) & 1) != 0;
            const bool stays = final_value(acc, truncate).value == acc >> truncate;
            ASSERT_EQ(negative_tie(acc, truncate), acc < 0 && half && stays)
                << acc << " truncate " << truncate;
        }
    }
    const std::int64_t half = std::int64_t{1} << 30;
    EXPECT_TRUE(negative_tie(-half, 31));
    EXPECT_TRUE(negative_tie(-half + (1 << 15) - 1, 31));  // below what is looked at
    EXPECT_FALSE(negative_tie(-half + (1 << 15), 31));
}

}  // namespace
}  // namespace macrame::dla::model
