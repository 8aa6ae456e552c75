#include "compiler/dla/add.hpp"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "compiler/test/dla/layers.hpp"

namespace macrame::dla::compiler {
namespace {

using test::Random;

AddTarget random_add(Random& random) {
    AddTarget target;
    const auto scale = static_cast<float>(std::exp(random.real(-4, -2)));
    const auto other = scale * static_cast<float>(std::exp(random.real(-1.5, 1.5)));
    const float output = std::max(scale, other) * static_cast<float>(random.real(0.8, 1.5));
    target.a = {static_cast<double>(scale), static_cast<int>(random.whole(-128, 60))};
    target.b = {static_cast<double>(other), static_cast<int>(random.whole(-128, 60))};
    target.output = {static_cast<double>(output), static_cast<int>(random.whole(-128, 40))};
    return target;
}

/// TFLite's reference kernel.
int naive_add(const AddTarget& target, int a, int b) {
    const double twice = 2 * std::max(target.a.scale, target.b.scale);
    const std::int32_t first =
        test::tflite_multiply((a - target.a.zero_point) * (1 << 20), target.a.scale / twice);
    const std::int32_t second =
        test::tflite_multiply((b - target.b.zero_point) * (1 << 20), target.b.scale / twice);
    const std::int32_t sum = target.subtract ? first - second : first + second;
    const int value = test::tflite_multiply(sum, twice / ((1 << 20) * target.output.scale)) +
                      target.output.zero_point;
    return std::clamp(value, target.low, target.high);
}

/// SDP's stages with the registers of a mapping.
int naive_sdp(const AddMapping& made, int a, int b) {
    const int main = made.main_is_b ? b : a, other = made.main_is_b ? a : b;
    const auto operand = [](int value, int shift) {
        return test::sat(test::Wide{value} * (1 << shift), 32);
    };
    const test::Wide added =
        made.bs_shift < 0 ? test::Wide{made.bs_alu} : test::Wide{operand(other, made.bs_shift)};
    test::Wide v = test::rshr((test::Wide{main} + added) * made.bs_mul, 0, 49, 32);
    v = (v + operand(made.again ? main : other, made.bn_shift)) * made.bn_mul;
    v = test::rshr(v, made.bn_mul_shift, 49, 32);
    if (made.ew) {
        const AddEw& ew = *made.ew;
        v = test::rshr(v * ew.factor, ew.truncate, 64, 32);
        v = test::sat(v + test::rshr((test::Wide{other} - ew.zero) * ew.scale, ew.shift, 49, 32),
                      32);
    }
    v = test::rshr((v - made.offset) * made.scale, made.shift, 49, 17);
    return static_cast<int>(test::sat(v, 8));
}

void expect_reported(const AddTarget& target, const AddMapping& made) {
    int wrong = 0, most = 0;
    for (int a = -128; a < 128; ++a) {
        for (int b = -128; b < 128; ++b) {
            const int found = std::clamp(naive_sdp(made, a, b), target.low, target.high);
            const int distance = std::abs(found - naive_add(target, a, b));
            wrong += distance > 0 ? 1 : 0;
            most = std::max(most, distance);
        }
    }
    EXPECT_EQ(made.wrong, wrong);
    EXPECT_EQ(made.most, most);
}

TEST(Add, ReferenceIsTflites) {
    Random random(21);
    for (int n = 0; n < 4; ++n) {
        const AddTarget target = random_add(random);
        for (int i = 0; i < 40; ++i) {
            const int a = static_cast<int>(random.whole(-128, 128));
            const int b = static_cast<int>(random.whole(-128, 128));
            ASSERT_EQ(add_reference(target, a, b), naive_add(target, a, b));
        }
    }
}

TEST(Add, FewPairsDiffer) {
    Random random(22);
    int total = 0, worst = 0;
    constexpr int kAdds = 24;
    for (int n = 0; n < kAdds; ++n) {
        const AddTarget target = random_add(random);
        const AddMapping made = add_parameters(target);
        expect_reported(target, made);
        EXPECT_LE(made.most, 1);
        total += made.wrong;
        worst = std::max(worst, made.wrong);
    }
    fmt::print("{} additions: {} of 65,536 pairs differ on the average, {} at most, by 1\n", kAdds,
               total / kAdds, worst);
    EXPECT_LE(worst, 150);
}

/// Scales of all kinds: far from each other, the same, powers of two apart.
AddTarget any_add(Random& random, int n) {
    AddTarget target = random_add(random);
    const auto ratio = static_cast<float>(std::exp(random.real(-5, 5)));
    target.b.scale = double{static_cast<float>(target.a.scale) * ratio};
    if (n % 5 == 0) target.b.scale = target.a.scale;
    const double larger = std::max(target.a.scale, target.b.scale);
    target.output.scale = n % 4 == 0 ? std::ldexp(larger, static_cast<int>(random.whole(-2, 3)))
                                     : larger * static_cast<float>(random.real(0.4, 2.5));
    target.output.scale = double{static_cast<float>(target.output.scale)};
    target.subtract = n % 3 == 0;
    if (n % 7 == 0) target.main_is_b = n % 2 == 0 && target.a.scale < target.b.scale * 1000;
    return target;
}

TEST(Add, IsExactWithEw) {
    Random random(26);
    for (int n = 0; n < 60; ++n) {
        const AddTarget target = any_add(random, n);
        const AddMapping made = add_parameters(target, true);
        ASSERT_EQ(made.wrong, 0) << n << ": " << target.a.scale << " " << target.b.scale << " to "
                                 << target.output.scale;
        if (n % 6 == 0) expect_reported(target, made);
    }
}

/// Of which the fewest are without an operand that is read twice.
TEST(Add, IsExactWithoutEw) {
    Random random(27);
    int alone = 0, twice = 0, parts = 0;
    for (int n = 0; n < 80; ++n) {
        const AddTarget target = n % 2 == 0 ? random_add(random) : any_add(random, n);
        const AddMapping made = add_parameters(target, false, true);
        if (n % 8 == 0) expect_reported(target, made);
        EXPECT_FALSE(made.ew);
        if (made.wrong == 0) {
            ++(made.bs_shift < 0 ? alone : twice);
            continue;
        }
        const std::optional<AddParts> in_parts = exact_add_in_parts(target);
        ASSERT_TRUE(in_parts) << n << ": " << target.a.scale << " " << target.b.scale << " to "
                              << target.output.scale;
        ++parts;
        const std::vector<int> offsets = in_parts->offsets();
        ASSERT_EQ(offsets.size() + 1, in_parts->parts.size());
        for (int a = -128; a < 128; ++a)
            for (int b = -128; b < 128; ++b) {
                int sum = naive_sdp(in_parts->parts[0], a, b);
                for (std::size_t i = 0; i < offsets.size(); ++i)
                    sum = std::clamp(sum + naive_sdp(in_parts->parts[i + 1], a, b) + offsets[i],
                                     -128, 127);
                ASSERT_EQ(sum, naive_add(target, a, b)) << n << ": " << a << " " << b;
            }
    }
    fmt::print("{} sums alone, {} with an operand twice, {} in parts\n", alone, twice, parts);
    EXPECT_GT(twice, alone / 2);
    EXPECT_GT(parts, 0);
}

TEST(Add, AnOperandOfNextToNothing) {
    AddTarget target;
    target.a = {0.0282, 4};
    target.b = {6.8e-11, 0};
    target.output = {0.01358, -128};
    for (const bool ew : {false, true}) {
        const AddMapping made = add_parameters(target, ew);
        expect_reported(target, made);
        EXPECT_LE(made.wrong, ew ? 0 : 3000);
        std::swap(target.a, target.b);
    }
}

TEST(Add, EqualScalesAreExact) {
    AddTarget target;
    target.a = {0.05, 3};
    target.b = {0.05, -7};
    target.output = {0.05, 11};
    EXPECT_EQ(add_parameters(target).wrong, 0);
}

TEST(Add, FusedActivation) {
    Random random(23);
    AddTarget target = random_add(random);
    target.output.zero_point = target.low = -128;
    AddMapping made = add_parameters(target);
    EXPECT_FALSE(made.maximum_left);
    EXPECT_FALSE(made.minimum_left);
    target.output.zero_point = target.low = -20;
    target.high = 90;
    made = add_parameters(target);
    EXPECT_TRUE(made.maximum_left);
    EXPECT_TRUE(made.minimum_left);
    expect_reported(target, made);
    EXPECT_LE(made.wrong, 150);
}

TEST(Add, Subtract) {
    Random random(24);
    AddTarget target = random_add(random);
    target.subtract = true;
    const AddMapping made = add_parameters(target);
    EXPECT_LT(made.bs_mul, 0);
    expect_reported(target, made);
    EXPECT_LE(made.wrong, 200);
}

TEST(Add, OnnxRoundsOnce) {
    Random random(25);
    AddTarget target = random_add(random);
    target.rounding = Rounding::onnx;
    const AddMapping made = add_parameters(target);
    EXPECT_LE(made.wrong, 200);
    EXPECT_LE(made.most, 1);
}

TEST(Add, Refuses) {
    AddTarget target;
    target.a.scale = 0;
    EXPECT_THROW(add_parameters(target), std::invalid_argument);
    target.a.scale = 1;
    target.b.scale = 1e9;
    target.output.scale = 1e-9;
    EXPECT_THROW(add_parameters(target), std::invalid_argument);
}

}  // namespace
}  // namespace macrame::dla::compiler
