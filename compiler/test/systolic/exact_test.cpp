/// Scales against the functions that they stand for, value by value.

#include "compiler/systolic/exact.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

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

}  // namespace

}  // namespace macrame::systolic::compiler
