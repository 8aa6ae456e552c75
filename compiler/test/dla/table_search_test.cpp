#include "compiler/dla/table_search.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "compiler/test/dla/layers.hpp"

namespace macrame::dla::compiler {
namespace {

using test::Random;

std::int8_t clamped(std::int64_t value) {
    return static_cast<std::int8_t>(std::clamp<std::int64_t>(value, -128, 127));
}

/// (x - zero) * n * factor for a number n of each channel, of any sign, up to x = last.
LineTarget random_lines(Random& random, int zero, int last, double factor) {
    LineTarget target;
    target.zero_point = static_cast<int>(random.whole(-128, 60));
    target.last = last;
    int exponent = 0;
    std::frexp(factor, &exponent);
    for (int c = 0; c < 8; ++c) {
        const auto n = random.whole(-127, 128);
        LineTable line;
        line.slope = factor * static_cast<double>(n);
        line.shift = -exponent;
        line.zero = zero;
        for (int x = -128; x < 128; ++x) {
            const std::int64_t product = (std::min(x, last) - zero) * n;
            line.table[static_cast<std::size_t>(x + 128)] =
                clamped(test::tflite_multiply(product, factor) + target.zero_point);
        }
        target.channels.push_back(line);
    }
    return target;
}

double random_factor(Random& random, double low, double high) {
    return double{static_cast<float>(std::exp2(random.real(low, high)))};
}

TEST(DlaLines, ConstantsPerChannelAreExactWithEw) {
    Random random(1);
    for (int n = 0; n < 60; ++n) {
        const auto zero = static_cast<int>(random.whole(-128, 128));
        const LineTarget target = random_lines(random, zero, 127, random_factor(random, -9, -5));
        const auto made = requantise_lines(target, {true, true, true});
        ASSERT_TRUE(made);
        EXPECT_TRUE(made->proved()) << n << ": " << made->mapping;
        const auto without = requantise_lines(target, {true, true, false});
        ASSERT_TRUE(without);
        for (const Deviation& d : without->deviations)
            EXPECT_LE(d.most, 1);
    }
}

TEST(DlaLines, BelowAZeroPointTheyAreExactEverywhere) {
    Random random(2);
    for (int n = 0; n < 60; ++n) {
        const auto zero = static_cast<int>(random.whole(-100, 60));
        const LineTarget target = random_lines(random, zero, zero, random_factor(random, -9, -5));
        for (const bool ew : {false, true}) {
            const auto made = requantise_lines(target, {true, true, ew});
            ASSERT_TRUE(made);
            EXPECT_TRUE(made->proved()) << n << ": " << made->mapping;
        }
    }
}

TEST(DlaLines, ALineAndATensor) {
    Random random(3);
    for (int n = 0; n < 100; ++n) {
        const auto first = static_cast<int>(random.whole(-100, 60));
        const auto zero = static_cast<int>(random.whole(-100, 60));
        const double factor = random_factor(random, -1.5, 1.5);
        Table table{};
        for (int x = -128; x < 128; ++x)
            table[static_cast<std::size_t>(x + 128)] =
                clamped(test::tflite_multiply(std::max(x - first, 0), factor) + zero);
        const auto made = line_and_tensor(table, first);
        ASSERT_TRUE(made) << factor;
        for (int x = first; x < 128; ++x)
            ASSERT_EQ(made->apply(x, zero), look_up(table, x)) << factor << ", " << x;
        for (int y = -128; y < 128; ++y)
            ASSERT_EQ(made->apply(-128, y), y);
    }
}

}  // namespace
}  // namespace macrame::dla::compiler
