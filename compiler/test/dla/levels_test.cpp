// Step functions as BN's multiplier and the output convertor make them.
#include "compiler/dla/levels.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "compiler/test/dla/layers.hpp"

namespace macrame::dla::compiler {
namespace {

using test::Random;

int naive(const Tail& tail, std::int64_t sum) {
    test::Wide v = test::rshr(test::Wide{sum} * tail.mul, tail.mul_shift, 49, 32);
    v = test::rshr((v - tail.offset) * tail.scale, tail.shift, 49, 17);
    return static_cast<int>(test::sat(v, 8));
}

/// A line, rounded, of sums that are `grain` apart.
struct Function {
    double slope = 1, offset = 0;
    std::int64_t least = 0, most = 0, grain = 1;

    int operator()(std::int64_t sum) const {
        const double value = std::floor(slope * static_cast<double>(sum) + offset + 0.5);
        return static_cast<int>(std::clamp(value, -128.0, 127.0));
    }
    Levels levels() const {
        Levels out(-128, 127);
        for (std::int64_t sum = least; sum <= most; sum += grain)
            out.add((*this)(sum), sum);
        return out;
    }
};

Function random_function(Random& random) {
    Function made;
    const double range = std::exp(random.real(5, 14));
    made.least = -random.whole(1, static_cast<std::int64_t>(range));
    made.most = random.whole(1, static_cast<std::int64_t>(range));
    made.grain = std::max<std::int64_t>(1, (made.most - made.least) / 20000);
    made.slope = random.real(2, 500) / static_cast<double>(made.most - made.least);
    made.offset = random.real(-150, 150);
    return made;
}

TEST(Levels, HaveATail) {
    Random random(31);
    int found = 0;
    for (int n = 0; n < 60; ++n) {
        const Function function = random_function(random);
        const std::optional<Tail> tail = function.levels().tail();
        if (!tail) continue;
        ++found;
        for (std::int64_t sum = function.least; sum <= function.most; sum += function.grain) {
            ASSERT_EQ(naive(*tail, sum), function(sum)) << n << ": " << sum;
            ASSERT_EQ(tail->apply(sum), naive(*tail, sum));
        }
    }
    EXPECT_GE(found, 55);
}

/// The parts and their sum.
TEST(Levels, HaveParts) {
    Random random(32);
    for (int n = 0; n < 20; ++n) {
        const Function function = random_function(random);
        const int low = function(function.least), high = function(function.most);
        if (high - low < 4) continue;
        const int cut = static_cast<int>(random.whole(low + 1, high));
        const Levels all = function.levels();
        const std::optional<Tail> below = all.part(-128, cut, 127 - cut).tail();
        const std::optional<Tail> above = all.part(cut, 127, -128 - cut).tail();
        ASSERT_TRUE(below && above) << n;
        for (std::int64_t sum = function.least; sum <= function.most; sum += function.grain) {
            const int both = naive(*below, sum) + naive(*above, sum) + cut + 1;
            ASSERT_EQ(std::clamp(both, -128, 127), function(sum)) << n << ": " << sum;
        }
    }
}

TEST(Levels, ThatOverlapHaveNone) {
    Levels levels(-128, 127);
    for (int result = -20; result < 20; ++result) {
        levels.add(result, 10 * result);
        levels.add(result, 10 * result + 9);
    }
    EXPECT_TRUE(levels.tail());
    levels.add(3, 42);
    EXPECT_FALSE(levels.tail());
}

/// A step that is too long for a line.
TEST(Levels, OfACurveHaveNone) {
    Levels levels(-128, 127);
    for (int result = -20; result < 20; ++result)
        levels.add(result, result * result * result);
    EXPECT_FALSE(levels.tail());
}

}  // namespace
}  // namespace macrame::dla::compiler
