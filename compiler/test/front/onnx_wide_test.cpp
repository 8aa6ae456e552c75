/// Quantisation to 16 bits: real values behind each DequantizeLinear, rounded as the file says.
#include <gtest/gtest.h>

#include "compiler/test/front/onnx_builder.hpp"

namespace macrame::front {
namespace {

using test::Floats;
using test::Names;
using test::OnnxBuilder;

constexpr int kUint16 = 4, kInt16 = 5;

std::string wide_zero(OnnxBuilder& b, int value, int type) {
    return b.constant<std::uint16_t>(type, {}, {static_cast<std::uint16_t>(value)});
}

std::string wide_pair(OnnxBuilder& b, const std::string& x, float scale, int zero, int type,
                      const std::string& domain = "") {
    const std::string y =
        b.op("QuantizeLinear", {x, b.real(scale), wide_zero(b, zero, type)}, {}, domain);
    return b.op("DequantizeLinear", {y, b.real(scale), wide_zero(b, zero, type)}, {}, domain);
}

const Floats kReals = {0.25F, 0.75F, -0.75F, 20000, -20000, 3};

TEST(OnnxWide, PairsRoundAndSaturate) {
    struct Case {
        int type, zero;
        Floats expected;
    };
    const std::vector<Case> cases = {{kInt16, 5, {0, 1, -1, 16381, -16386.5F, 3}},
                                     {kUint16, 40000, {0, 1, -1, 12767.5F, -20000, 3}}};
    for (const Case& one : cases) {
        for (const std::string domain : {"", "com.microsoft"}) {
            OnnxBuilder b;
            const std::string x = b.input({6});
            b.output(wide_pair(b, x, 0.5F, one.zero, one.type, domain));
            const ReadResult read = b.read();
            ASSERT_TRUE(read.ok()) << read.errors[0];
            EXPECT_TRUE(read.real_inputs.empty());
            EXPECT_EQ(test::names_of(read.graph), (Names{"requantise", "requantise"}));
            EXPECT_EQ((test::run<float>(read, kReals)), one.expected);
        }
    }
}

/// The type stands in an attribute where there is no zero point.
TEST(OnnxWide, TypesOfAttributes) {
    for (const int type : {kInt16, kUint16}) {
        OnnxBuilder b(21);
        const std::string y = b.op("QuantizeLinear", {b.input({6}), b.real(0.5F)},
                                   {{"output_dtype", std::int64_t{type}}});
        b.output(b.op("DequantizeLinear", {y, b.real(0.5F), wide_zero(b, 0, type)}));
        const Floats expected =
            type == kInt16 ? Floats{0, 1, -1, 16383.5F, -16384, 3} : Floats{0, 1, 0, 20000, 0, 3};
        EXPECT_EQ((test::run<float>(b.read(), kReals)), expected);
    }
}

/// Constants of activations have their type, weights have int8: both are real values.
TEST(OnnxWide, OperatorsComputeWithRealValues) {
    OnnxBuilder b;
    const std::string x = wide_pair(b, b.input({1, 2}), 0.5F, 40000, kUint16);
    const std::string weights = b.op(
        "DequantizeLinear", {b.constant<std::int8_t>(OnnxBuilder::kInt8, {2, 2}, {1, 2, -3, 4}),
                             b.real(0.5F), b.zero(0)});
    const std::string offset =
        b.op("DequantizeLinear", {b.constant<std::uint16_t>(kUint16, {2}, {39990, 40030}),
                                  b.real(0.5F), wide_zero(b, 40000, kUint16)});
    const std::string y = b.op("Add", {b.op("MatMul", {x, weights}), offset});
    b.output(wide_pair(b, y, 0.25F, 0, kInt16));
    const ReadResult read = b.read();
    ASSERT_TRUE(read.ok()) << read.errors[0];
    // 2 * 0.5 + 4 * -1.5 - 5 and 2 * 1 + 4 * 2 + 15.
    EXPECT_EQ((test::run<float>(read, Floats{2, 4})), (Floats{-10, 25}));
}

/// Elsewhere there is no type for uint16.
TEST(OnnxWide, Uint16OutsideOfPairsIsRefused) {
    OnnxBuilder output;
    output.output(output.op("QuantizeLinear",
                            {output.input({6}), output.real(0.5F), wide_zero(output, 7, kUint16)}));
    EXPECT_EQ(output.errors(),
              "net: operator 0 (QuantizeLinear), tensor y1: y1 is uint16: want DequantizeLinear "
              "behind it\n");
    OnnxBuilder constant;
    constant.output(constant.op("Cast", {constant.constant<std::uint16_t>(kUint16, {1}, {7})},
                                {{"to", std::int64_t{1}}}));
    EXPECT_NE(constant.errors().find("c1: type 4: want float (1)"), std::string::npos)
        << constant.errors();
    OnnxBuilder input;
    input.output(input.op("DequantizeLinear", {input.input({6}, kUint16), input.real(0.5F)}));
    EXPECT_NE(input.errors().find("input x1: type 4: want float (1)"), std::string::npos)
        << input.errors();
}

}  // namespace
}  // namespace macrame::front
