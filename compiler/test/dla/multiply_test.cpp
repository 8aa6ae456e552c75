#include "compiler/dla/multiply.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "verif/common/random.hpp"
#include "verif/dla/model/sdp.hpp"

namespace macrame::dla::compiler {

namespace {

MultiplyTarget random_target(verif::Random& random, bool ew) {
    MultiplyTarget target;
    target.zero_a = random.in(-128, 127);
    target.zero_b = ew ? random.in(-128, 127) : random.pick({0, -128, -1, -64});
    target.zero_output = random.chance(40) ? -128 : random.in(-128, 127);
    target.factor = std::exp2(-random.in(400, 900) / 100.0);
    target.rounding = random.chance(50) ? Rounding::tflite : Rounding::onnx;
    return target;
}

/// The mapping on the golden model of SDP's stages.
int on_model(const MultiplyMapping& m, int a, int b) {
    model::SdpX bs, bn;
    bs.bypass = bs.alu_bypass = bs.mul_bypass = false;
    bs.alu_algo = bn.alu_algo = model::kSum;
    bs.alu_operand = static_cast<std::int16_t>(-m.zero_a);
    bn.bypass = bn.mul_bypass = false;
    bn.mul_operand = static_cast<std::int16_t>(m.second);
    bn.mul_shift = m.shift;
    model::SdpOperand bn_memory;
    model::SdpEw ew;
    if (m.ew) {
        bs.mul_operand = static_cast<std::int16_t>(m.first);
        ew.bypass = ew.mul_bypass = ew.mul_cvt.bypass = false;
        ew.mul_from_memory = true;
        ew.mul_cvt.offset = m.zero_b;
        ew.truncate = m.truncate;
    } else {
        bs.mul_operand = static_cast<std::int16_t>(b);
        bn.alu_bypass = m.again < 0;
        bn.alu_from_memory = true;
        bn.alu_shift = std::max(m.again, 0);
        bn_memory.alu = static_cast<std::int16_t>(a);
    }
    const std::int32_t x = model::sdp_x_stage(bn, model::sdp_x_stage(bs, a), bn_memory);
    const std::int32_t y = model::sdp_ew_arithmetic(ew, x, {0, static_cast<std::int16_t>(b)});
    return model::sdp_c_stage({m.offset, static_cast<std::int16_t>(m.scale), m.out_shift}, y).value;
}

TEST(DlaMultiply, IsWhatTheModelOfSdpComputes) {
    verif::Random random(1);
    for (int n = 0; n < 40; ++n) {
        const bool ew = n % 2 != 0;
        const MultiplyTarget target = random_target(random, ew);
        const auto made = multiply_parameters(target, ew, multiply_reference(target));
        ASSERT_TRUE(made);
        for (int i = 0; i < 2000; ++i) {
            const int a = random.in(-128, 127), b = random.in(-128, 127);
            ASSERT_EQ(made->apply(a, b), on_model(*made, a, b)) << a << " * " << b;
        }
    }
}

TEST(DlaMultiply, IsTheReferenceButForHalves) {
    verif::Random random(2);
    for (int n = 0; n < 60; ++n) {
        const bool ew = n % 2 != 0;
        const MultiplyTarget target = random_target(random, ew);
        const std::vector<std::int8_t> pairs = multiply_reference(target);
        const auto made = multiply_parameters(target, ew, pairs);
        ASSERT_TRUE(made);
        int wrong = 0;
        for (int i = 0; i < 65536; ++i)
            wrong += made->apply(i / 256 - 128, i % 256 - 128) != pairs[std::size_t(i)] ? 1 : 0;
        EXPECT_EQ(made->wrong, wrong);
        EXPECT_LE(made->most, 1);
        // TFLite rounds twice, away from zero: one offset cannot do that on both sides.
        const bool sides = target.rounding == Rounding::tflite && target.zero_output != -128;
        EXPECT_LE(wrong, sides ? 820 : 66) << "zero point of the output " << target.zero_output;
    }
}

TEST(DlaMultiply, AboveAndBelowAreExact) {
    verif::Random random(3);
    for (int n = 0; n < 40; ++n) {
        const bool ew = n % 2 != 0;
        MultiplyTarget target = random_target(random, ew);
        target.rounding = Rounding::tflite;
        target.factor = double{static_cast<float>(target.factor)};
        const std::vector<std::int8_t> pairs = multiply_reference(target);
        const auto parts = multiply_in_parts(target, ew, pairs);
        ASSERT_TRUE(parts);
        int wrong = 0;
        for (int i = 0; i < 65536; ++i) {
            const int found = parts->apply(i / 256 - 128, i % 256 - 128, target.zero_output);
            wrong += found != pairs[std::size_t(i)] ? 1 : 0;
        }
        EXPECT_EQ(wrong, 0) << n << ": " << target.factor << " " << target.zero_a << " "
                            << target.zero_b << " " << target.zero_output;
    }
}

TEST(DlaMultiply, WithoutEwTheZeroPointIsAPowerOfTwo) {
    EXPECT_TRUE(is_power(0));
    EXPECT_TRUE(is_power(-1));
    EXPECT_TRUE(is_power(-128));
    EXPECT_FALSE(is_power(-3));
    EXPECT_FALSE(is_power(64));
    MultiplyTarget target;
    target.zero_b = 5;
    target.factor = 0.01;
    const std::vector<std::int8_t> pairs = multiply_reference(target);
    EXPECT_FALSE(multiply_parameters(target, false, pairs));
    EXPECT_TRUE(multiply_parameters(target, true, pairs));
}

}  // namespace

}  // namespace macrame::dla::compiler
