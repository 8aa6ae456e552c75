// Inputs that the caller makes constants.
#include <gtest/gtest.h>

#include <cstring>

#include "compiler/front/front.hpp"
#include "compiler/graph/reference.hpp"
#include "compiler/test/front/onnx_builder.hpp"
#include "compiler/test/front/tflite_builder.hpp"

namespace macrame::front {
namespace {

using test::Dims;
using test::OnnxBuilder;
using test::TfliteBuilder;
using Code = schema::BuiltinOperator;

std::string error_of(const ReadResult& read) { return read.ok() ? "" : read.errors[0]; }

/// The first output as real values.
std::vector<float> real(const ReadResult& read, const std::vector<float>& x) {
    EXPECT_TRUE(read.ok()) << error_of(read);
    if (!read.ok()) return {};
    graph::Bytes in(4 * x.size());
    std::memcpy(in.data(), x.data(), in.size());
    const graph::Bytes out = graph::run(read.graph, {in})[0];
    std::vector<float> values(out.size() / 4);
    std::memcpy(values.data(), out.data(), out.size());
    return values;
}

/// x1 + x2 or x1 - x2, as a scalar of int64, x3, is 16000 or not.
std::vector<std::uint8_t> choosing() {
    OnnxBuilder b;
    const std::string x = b.input({2}), y = b.input({2}), rate = b.input({}, OnnxBuilder::kInt64);
    const std::string same =
        b.op("Equal", {rate, b.constant<std::int64_t>(OnnxBuilder::kInt64, {}, {16000})});
    b.output(b.op("Where", {same, b.op("Add", {x, y}), b.op("Sub", {x, y})}));
    return b.bytes();
}

TEST(Fixed, AreConstantsOfOnnx) {
    const auto with = [&](const Fixed& fixed) { return read_onnx("net", choosing(), {}, fixed); };
    EXPECT_EQ(real(with({{"x2", {"3"}}, {"x3", {"16000"}}}), {1, 2}), (std::vector<float>{4, 5}));
    EXPECT_EQ(real(with({{"x2", {"3", "-0.5"}}, {"x3", {"8000"}}}), {1, 2}),
              (std::vector<float>{-2, 2.5}));
    EXPECT_EQ(with({{"x3", {"16000"}}}).graph.inputs.size(), 2U);
}

TEST(Fixed, WantsWhatTheInputIs) {
    const auto with = [&](const Fixed& fixed) {
        return error_of(read_onnx("net", choosing(), {}, fixed));
    };
    EXPECT_EQ(with({{"x4", {"3"}}}),
              "net: a value for x4, which is no input: want one of x1, x2, x3");
    EXPECT_EQ(with({{"x2", {"1", "2", "3"}}}),
              "net: input x2: 3 values are given: want 2, or one for all");
    EXPECT_EQ(with({{"x3", {"1", "2"}}}), "net: input x3: 2 values are given: want 1");
    for (const char* text : {"1.5", "", "16k", "9223372036854775808"})
        EXPECT_EQ(with({{"x3", {text}}}), "net: input x3: value '" + std::string(text) +
                                              "': want a whole number of 64 bits");
    for (const char* text : {"nan", "inf", "1e99", " 1", "0x"})
        EXPECT_EQ(with({{"x2", {text}}}),
                  "net: input x2: value '" + std::string(text) + "': want a number");
}

TEST(Fixed, HaveTheShapeThatIsGiven) {
    OnnxBuilder b;
    const std::string x = b.input({2}), y = b.input({-1, -1});
    b.output(b.op("Add", {x, y}));
    const auto with = [&](const Shapes& shapes) {
        return read_onnx("net", b.bytes(), shapes, {{"x2", {"7"}}});
    };
    EXPECT_EQ(real(with({{"x2", {1, 2}}}), {1, 2}), (std::vector<float>{8, 9}));
    EXPECT_NE(error_of(with({})).find("input x2: axis 1 is open"), std::string::npos);
}

/// x + y of int8, y taken where a bool of one element is not 0.
std::vector<std::uint8_t> file() {
    TfliteBuilder b;
    const int x = b.int8({2}), y = b.int8({2}), sum = b.int8({2}), out = b.int8({2});
    const int truth = b.tensor(schema::TensorType::BOOL, {2}, {}, {});
    b.op(Code::ADD, {x, y}, {sum}, schema::OptionsType::ADD,
         schema::CreateArithmeticOptions(b.fbb, schema::Activation::NONE));
    b.op(Code::SELECT_V2, {truth, sum, x}, {out});
    return b.finish({x, y, truth}, {out});
}

TEST(Fixed, AreConstantsOfTflite) {
    const auto with = [&](const Fixed& fixed) { return read_tflite("net", file(), {}, fixed); };
    const ReadResult read = with({{"t1", {"5", "-6"}}, {"t4", {"true", "0"}}});
    ASSERT_TRUE(read.ok()) << read.errors[0];
    ASSERT_EQ(read.graph.inputs.size(), 1U);
    EXPECT_EQ(graph::run(read.graph, {{10, 20}})[0], (graph::Bytes{15, 20}));
    const std::string where = "net: inputs and outputs: ";
    EXPECT_EQ(error_of(with({{"t1", {"128"}}})),
              where + "input t1: value '128': want a whole number of 8 bits");
    EXPECT_EQ(error_of(with({{"t4", {"2"}}})),
              where + "input t4: value '2': want 0, 1, false or true");
    EXPECT_EQ(error_of(with({{"t7", {"1"}}})),
              where + "a value for t7, which is no input: want one of t0, t1, t4");
}

}  // namespace
}  // namespace macrame::front
