/// Scales against the functions that they stand for, value by value.

#include "compiler/systolic/exact.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace macrame::systolic::compiler {

namespace {

TEST(ExactScales, TellHowFarTheyAreOff) {
    for (const double wanted_factor : {0.01, 0.6, 1.3, 4.2}) {
        for (const double factor : {0.0101, 0.6, 0.9, 1.3, 4.9}) {
            Scale scale;
            set_nearest(scale, factor, model::Rounding::half_away);
            const auto wanted = [&](std::int64_t sum) {
                const double steps = std::round(static_cast<double>(sum) * wanted_factor);
                return static_cast<int>(std::clamp(steps, -128.0, 127.0));
            };
            constexpr std::int64_t kLow = -3000, kHigh = 2500;
            Fit all;
            for (std::int64_t sum = kLow; sum <= kHigh; ++sum)
                all.count(scale.apply(sum), wanted(sum));
            const Fit told = best_rising_scale({scale}, wanted, kLow, kHigh).fit;
            EXPECT_EQ(told.most, all.most) << factor << " for " << wanted_factor;
            EXPECT_EQ(told.exact(), all.exact());
        }
    }
}

/// Sums that no scaling gives exactly: what is told of the best one is what counting all pairs
/// finds.
TEST(ExactScales, TellHowFarSumsAreOff) {
    for (const int off : {0, 7, 300}) {
        std::vector<std::int8_t> wanted;
        for (int a = -128; a < 128; ++a)
            for (int b = -128; b < 128; ++b) {
                const bool strange = b == 0 && a + 128 < off;
                const double sum = 0.31 * (a - 3) + 0.47 * (b + 9);
                const double value = std::clamp(std::round(sum) - 5, -128.0, 127.0);
                wanted.push_back(static_cast<std::int8_t>(strange ? value / 2 + 9 : value));
            }
        Scale like;
        like.zero_point = -5;
        const SumOfTwo sum = best_sum({0.31, 3}, {0.47, -9}, 1, like, wanted);
        Fit all;
        for (int a = -128; a < 128; ++a)
            for (int b = -128; b < 128; ++b)
                all.count(sum.apply(a, b),
                          wanted[static_cast<std::size_t>((a + 128) * 256 + b + 128)]);
        EXPECT_EQ(sum.fit.wrong, all.wrong);
        EXPECT_EQ(sum.fit.most, all.most);
        EXPECT_EQ(sum.fit.values, all.values);
        EXPECT_GT(all.wrong, 0);
    }
}

}  // namespace

}  // namespace macrame::systolic::compiler
