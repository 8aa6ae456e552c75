/// Structure of what is read: quantisation, layout, folding; what is refused.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <fstream>
#include <numeric>

#include "compiler/test/front/onnx_builder.hpp"

namespace macrame::front {
namespace {

using test::Attributes;
using test::Floats;
using test::Ints;
using test::Names;
using test::OnnxBuilder;
using Bytes8 = std::vector<std::int8_t>;
using Unsigned = std::vector<std::uint8_t>;

template <typename Element>
std::vector<Element> ramp(std::size_t count, int start = 0, int step = 1) {
    std::vector<Element> values;
    for (std::size_t i = 0; i < count; ++i)
        values.push_back(static_cast<Element>(start + step * static_cast<int>(i)));
    return values;
}

bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

/// A convolution of 3 kernels over 2 channels between QuantizeLinear and DequantizeLinear.
OnnxBuilder quantised_conv(int type, int zero) {
    OnnxBuilder b;
    const std::string x = b.pair(b.input({1, 2, 4, 5}), 0.5F, zero, type);
    const std::string w =
        b.op("DequantizeLinear",
             {b.constant<std::int8_t>(OnnxBuilder::kInt8, {3, 2, 3, 3}, ramp<std::int8_t>(54, -27)),
              b.real({3}, {0.25F, 0.5F, 0.125F}),
              b.constant<std::int8_t>(OnnxBuilder::kInt8, {3}, {0, 0, 0})},
             {{"axis", std::int64_t{0}}});
    const std::string bias =
        b.op("DequantizeLinear",
             {b.constant<std::int32_t>(OnnxBuilder::kInt32, {3}, {100, -300, 7}),
              b.real({3}, {0.125F, 0.25F, 0.0625F})},
             {{"axis", std::int64_t{0}}});
    std::string y = b.op("Conv", {x, w, bias}, {{"pads", Ints{1, 1, 1, 1}}});
    y = b.op("Relu", {y});
    b.output(b.pair(y, 2, zero, type));
    return b;
}

TEST(Onnx, QdqBecomesIntegers) {
    const ReadResult read = quantised_conv(OnnxBuilder::kInt8, -3).read();
    ASSERT_TRUE(read.ok()) << read.errors[0];
    EXPECT_EQ(read.graph.rounding, graph::Rounding::onnx);
    EXPECT_EQ(test::names_of(read.graph), (Names{"transpose", "conv", "transpose"}));
    const graph::Node& conv = read.graph.nodes[1];
    EXPECT_EQ(std::get<graph::Conv>(conv.op).activation, graph::Activation::relu);
    const graph::Tensor& weights = read.graph.tensor(conv.inputs[1]);
    EXPECT_EQ(weights.shape, (std::vector<int>{3, 3, 3, 2}));
    EXPECT_EQ(weights.quantisation.scale, (Floats{0.25F, 0.5F, 0.125F}));
    EXPECT_EQ(weights.quantisation.axis, 0);
    EXPECT_EQ(test::from_bytes<std::int32_t>(read.graph.tensor(conv.inputs[2]).data),
              (std::vector<std::int32_t>{100, -300, 7}));
    // Inputs and outputs are what the first and last quantisation make.
    const graph::Tensor& input = read.graph.tensor(read.graph.inputs[0]);
    EXPECT_EQ(input.type, graph::Type::int8);
    EXPECT_EQ(input.shape, (std::vector<int>{1, 2, 4, 5}));
    EXPECT_EQ(input.quantisation.zero_point, std::vector<std::int32_t>{-3});
    EXPECT_EQ(read.graph.tensor(read.graph.outputs[0]).quantisation.scale, Floats{2});
}

/// From the definition, in the order of the file.
Bytes8 expected_conv(const Bytes8& x, int zero) {
    const Floats scale = {0.25F, 0.5F, 0.125F};
    const std::vector<int> bias = {100, -300, 7};
    Bytes8 result;
    for (int k = 0; k < 3; ++k) {
        for (int at = 0; at < 20; ++at) {
            int sum = bias[static_cast<std::size_t>(k)];
            for (int tap = 0; tap < 18; ++tap) {
                const int c = tap / 9, row = at / 5 + tap / 3 % 3 - 1,
                          column = at % 5 + tap % 3 - 1;
                if (row < 0 || row > 3 || column < 0 || column > 4) continue;
                const auto place = static_cast<std::size_t>(c * 20 + row * 5 + column);
                sum += (x[place] - zero) * (k * 18 + tap - 27);
            }
            const float real =
                static_cast<float>(sum) * (0.5F * scale[static_cast<std::size_t>(k)] / 2);
            result.push_back(static_cast<std::int8_t>(
                std::clamp(static_cast<int>(std::nearbyint(real)) + zero, zero, 127)));
        }
    }
    return result;
}

TEST(Onnx, QdqConvIsTheDefinition) {
    const Bytes8 x = ramp<std::int8_t>(40, -90, 5);
    EXPECT_EQ((test::run<std::int8_t>(quantised_conv(OnnxBuilder::kInt8, -3).read(), x)),
              expected_conv(x, -3));
}

TEST(Onnx, Uint8IsInt8WithAnotherZero) {
    const ReadResult read = quantised_conv(OnnxBuilder::kUint8, 125).read();
    ASSERT_TRUE(read.ok()) << read.errors[0];
    EXPECT_EQ(test::names_of(read.graph),
              (Names{"requantise", "transpose", "conv", "transpose", "requantise"}));
    EXPECT_EQ(read.graph.tensor(read.graph.inputs[0]).type, graph::Type::uint8);
    EXPECT_EQ(read.graph.tensor(read.graph.outputs[0]).type, graph::Type::uint8);
    const Bytes8 x = ramp<std::int8_t>(40, -90, 5);
    Unsigned shifted, want;
    for (const std::int8_t value : x)
        shifted.push_back(static_cast<std::uint8_t>(value + 128));
    for (const std::int8_t value : expected_conv(x, -3))
        want.push_back(static_cast<std::uint8_t>(value + 128));
    EXPECT_EQ((test::run<std::uint8_t>(read, shifted)), want);
}

TEST(Onnx, OneRealConstantIsExactInIntegers) {
    OnnxBuilder b;
    const std::string x = b.dequantised(b.input({1, 4}, OnnxBuilder::kInt8), 0.5F, 1);
    const std::string third = b.pair(b.op("Div", {x, b.real(-3)}), 0.25F, 2);
    b.output(b.pair(b.op("Add", {b.real(0.75F), third}), 0.25F, -1));
    const ReadResult read = b.read();
    ASSERT_TRUE(read.ok()) << read.errors[0];
    EXPECT_EQ(test::names_of(read.graph), (Names{"mul", "add"}));
    EXPECT_EQ((test::run<std::int8_t>(read, Bytes8{1, 7, -5, 4})), (Bytes8{2, -2, 6, 0}));
    EXPECT_EQ(read.real_outputs, (std::vector<std::size_t>{0}));
    EXPECT_TRUE(read.real_inputs.empty());
}

TEST(Onnx, WithoutQuantizeLinearBehindItIsFloat) {
    OnnxBuilder b;
    const std::string x = b.dequantised(b.input({1, 4}, OnnxBuilder::kInt8), 0.5F, 1);
    b.output(b.op("Sigmoid", {x}));
    const ReadResult read = b.read();
    ASSERT_TRUE(read.ok()) << read.errors[0];
    EXPECT_EQ(test::names_of(read.graph), (Names{"requantise", "sigmoid"}));
    EXPECT_FLOAT_EQ((test::run<float>(read, Bytes8{1, 3, 5, -7}))[1], 1 / (1 + std::exp(-1.0F)));
}

TEST(Onnx, ScalesOfQLinearComeFromBothSides) {
    // Nothing tells the scale of the input but the operator behind the pooling.
    OnnxBuilder b;
    const std::string x = b.input({1, 1, 4, 4}, OnnxBuilder::kInt8);
    const std::string p =
        b.op("MaxPool", {x}, {{"kernel_shape", Ints{2, 2}}, {"strides", Ints{2, 2}}});
    b.output(b.op("QLinearSigmoid", {p, b.real(0.1F), b.zero(3), b.real(1.0F / 256), b.zero(-128)},
                  {}, "com.microsoft"));
    const ReadResult read = b.read();
    ASSERT_TRUE(read.ok()) << read.errors[0];
    EXPECT_EQ(read.graph.tensor(read.graph.inputs[0]).quantisation.scale, Floats{0.1F});
    EXPECT_EQ(read.graph.tensor(read.graph.inputs[0]).quantisation.zero_point[0], 3);
}

/// A line is a picture of one row, as for AveragePool.
TEST(Onnx, QLinearAveragesOfALine) {
    OnnxBuilder b;
    const std::string x = b.input({1, 2, 4}, OnnxBuilder::kInt8);
    b.output(b.op("QLinearAveragePool", {x, b.real(0.5F), b.zero(1), b.real(0.25F), b.zero(-2)},
                  {{"kernel_shape", Ints{2}}, {"strides", Ints{2}}}, "com.microsoft"));
    const ReadResult read = b.read();
    ASSERT_TRUE(read.ok()) << read.errors[0];
    EXPECT_EQ(read.graph.tensor(read.graph.outputs[0]).shape, (std::vector<int>{1, 2, 2}));
    // The mean less 1, twice, less 2.
    EXPECT_EQ((test::run<std::int8_t>(read, Bytes8{1, 3, 5, 8, -7, -9, 0, 20})),
              (Bytes8{0, 9, -20, 16}));
}

TEST(Onnx, TwoScalesOfOneTensorAreRefused) {
    OnnxBuilder b;
    const std::string x = b.input({1, 4}, OnnxBuilder::kInt8);
    const std::string sum = b.op("Add", {b.dequantised(x, 1, 0), b.dequantised(x, 2, 0)});
    b.output(sum);
    EXPECT_TRUE(
        has(b.errors(), "x1 has scale 2 and zero point 0 here, 1 and 0 where it is written"))
        << b.errors();
}

// ---------------------------------------------------------------- layout

TEST(Onnx, OneChannelIsNotTransposed) {
    OnnxBuilder b;
    const std::string x = b.input({1, 1, 4, 5});
    b.output(b.op("Conv", {x, b.real({1, 1, 1, 1}, {2})}));
    const ReadResult read = b.read();
    ASSERT_TRUE(read.ok()) << read.errors[0];
    EXPECT_EQ(test::names_of(read.graph), (Names{"reshape", "conv", "reshape"}));
    EXPECT_EQ((test::run<float>(read, ramp<float>(20)))[7], 14);
}

TEST(Onnx, TransposesOfTheFileCostNothing) {
    OnnxBuilder b;
    const std::string x = b.input({1, 4, 5, 2});
    std::string y = b.op("Transpose", {x}, {{"perm", Ints{0, 3, 1, 2}}});
    y = b.op("Conv", {y, b.real({1, 2, 1, 1}, {1, 100})});
    b.output(b.op("Transpose", {y}, {{"perm", Ints{0, 2, 3, 1}}}));
    const ReadResult read = b.read();
    ASSERT_TRUE(read.ok()) << read.errors[0];
    EXPECT_EQ(test::names_of(read.graph), Names{"conv"});
    EXPECT_EQ((test::run<float>(read, ramp<float>(40)))[1], 302);
}

TEST(Onnx, InputsComeFirstAndOnce) {
    OnnxBuilder b;
    const std::string x = b.input({1, 2, 1, 2}), z = b.input({1, 2, 1, 2});
    const std::string w = b.real({1, 2, 1, 1}, {1, 10});
    std::string y =
        b.op("Add", {b.op("Conv", {x, w}), b.op("MaxPool", {x}, {{"kernel_shape", Ints{1, 1}}})});
    b.output(b.op("Add", {y, b.op("Conv", {z, w})}));
    const ReadResult read = b.read();
    ASSERT_TRUE(read.ok()) << read.errors[0];
    EXPECT_EQ(test::names_of(read.graph), (Names{"transpose", "transpose", "conv", "max pool",
                                                 "add", "conv", "add", "transpose"}));
    const auto got = graph::run(
        read.graph, {test::to_bytes(Floats{1, 2, 3, 4}), test::to_bytes(Floats{5, 6, 7, 8})});
    EXPECT_EQ(test::from_bytes<float>(got[0]),
              (Floats{31 + 1 + 75, 42 + 2 + 86, 31 + 3 + 75, 42 + 4 + 86}));
}

TEST(Onnx, FlattenedOrderGoesIntoTheWeights) {
    OnnxBuilder b;
    const std::string x = b.input({1, 2, 2, 3});
    std::string y = b.op("MaxPool", {x}, {{"kernel_shape", Ints{1, 1}}});
    y = b.op("Flatten", {y});
    Floats weights = ramp<float>(24);
    b.output(b.op("Gemm", {y, b.real({2, 12}, weights)}, {{"transB", std::int64_t{1}}}));
    const ReadResult read = b.read();
    ASSERT_TRUE(read.ok()) << read.errors[0];
    EXPECT_EQ(test::names_of(read.graph),
              (Names{"transpose", "max pool", "reshape", "fully connected"}));
    const Floats data = ramp<float>(12, 3, 2);
    const Floats want = {std::inner_product(data.begin(), data.end(), weights.begin(), 0.0F),
                         std::inner_product(data.begin(), data.end(), weights.begin() + 12, 0.0F)};
    EXPECT_EQ((test::run<float>(read, data)), want);
}

TEST(Onnx, OtherReadersOfAFlattenedPictureSeeTheOrderOfTheFile) {
    OnnxBuilder b;
    const std::string x = b.input({1, 2, 2, 3});
    std::string y = b.op("MaxPool", {x}, {{"kernel_shape", Ints{1, 1}}});
    y = b.op("Reshape", {y, b.integers({1, -1})});
    b.output(b.op("Slice", {y, b.integers({2}), b.integers({9}), b.integers({1})}));
    EXPECT_EQ((test::run<float>(b.read(), ramp<float>(12))), ramp<float>(7, 2));
}

TEST(Onnx, ConstantsOfChannelsAreBroadcast) {
    OnnxBuilder b;
    const std::string x = b.input({1, 2, 1, 2});
    std::string y = b.op("MaxPool", {x}, {{"kernel_shape", Ints{1, 1}}});
    b.output(b.op("Add", {y, b.real({2, 1, 1}, {10, 20})}));
    EXPECT_EQ((test::run<float>(b.read(), Floats{1, 2, 3, 4})), (Floats{11, 12, 23, 24}));
}

// ---------------------------------------------------------------- folding

TEST(Onnx, BatchNormalisationGoesIntoTheWeights) {
    OnnxBuilder b;
    const std::string x = b.input({1, 1, 1, 2});
    std::string y = b.op("Conv", {x, b.real({2, 1, 1, 1}, {3, -1}), b.real({2}, {1, 2})});
    y = b.op(
        "BatchNormalization",
        {y, b.real({2}, {2, 1}), b.real({2}, {5, 7}), b.real({2}, {1, 0}), b.real({2}, {4, 1})},
        {{"epsilon", 0.0F}});
    b.output(b.op("Relu", {y}));
    const ReadResult read = b.read();
    ASSERT_TRUE(read.ok()) << read.errors[0];
    EXPECT_EQ(test::names_of(read.graph), (Names{"reshape", "conv", "transpose"}));
    // (3x + 1 - 1) * 2 / 2 + 5 and (-x + 2) + 7, not below 0.
    EXPECT_EQ((test::run<float>(read, Floats{2, 10})), (Floats{11, 35, 7, 0}));
}

TEST(Onnx, BatchNormalisationAlone) {
    OnnxBuilder b;
    const std::string x = b.input({1, 2, 1, 1});
    b.output(b.op(
        "BatchNormalization",
        {x, b.real({2}, {2, 1}), b.real({2}, {5, 7}), b.real({2}, {1, 0}), b.real({2}, {4, 1})},
        {{"epsilon", 0.0F}}));
    EXPECT_EQ((test::run<float>(b.read(), Floats{3, 4})), (Floats{7, 11}));
}

TEST(Onnx, ShapesAreComputedHere) {
    OnnxBuilder b;
    const std::string x = b.input({1, 2, 3, 4});
    const std::string rows = b.op("Gather", {b.op("Shape", {x}), b.integers({0})});
    const std::string rest = b.op("Mul", {b.integers({3}), b.integers({8})});
    const std::string shape = b.op("Concat", {rows, rest}, {{"axis", std::int64_t{0}}});
    const std::string y = b.op("Reshape", {b.op("Identity", {x}), shape});
    b.op("Sigmoid", {x});  // nobody reads it
    b.output(b.op("Dropout", {y}));
    const ReadResult read = b.read();
    ASSERT_TRUE(read.ok()) << read.errors[0];
    EXPECT_EQ(test::names_of(read.graph), Names{"reshape"});
    EXPECT_EQ(read.graph.tensor(read.graph.outputs[0]).shape, (std::vector<int>{1, 24}));
}

TEST(Onnx, ClipsThatAreNoActivation) {
    OnnxBuilder b;
    b.output(b.op("Clip", {b.input({1, 4}), b.real(-2), b.real(3)}));
    EXPECT_EQ((test::run<float>(b.read(), Floats{-5, -1, 2, 9})), (Floats{-2, -1, 2, 3}));
    OnnxBuilder q;
    const std::string x = q.pair(q.input({1, 4}), 0.5F, 0);
    q.output(q.pair(q.op("Clip", {x, q.real(-2), q.real(3)}), 0.5F, 0));
    const ReadResult read = q.read();
    ASSERT_TRUE(read.ok()) << read.errors[0];
    EXPECT_EQ(test::names_of(read.graph), (Names{"maximum", "minimum"}));
    EXPECT_EQ((test::run<std::int8_t>(read, Bytes8{-9, -3, 5, 8})), (Bytes8{-4, -3, 5, 6}));
}

TEST(Onnx, WeightsThatAreQuantisedInTheFile) {
    OnnxBuilder b;
    const std::string x = b.pair(b.input({1, 2}), 1, 0);
    const std::string w = b.pair(b.real({2, 1}, {0.26F, -0.9F}), 0.25F, 0);
    b.output(b.pair(b.op("MatMul", {x, w}), 0.25F, 0));
    const ReadResult read = b.read();
    ASSERT_TRUE(read.ok()) << read.errors[0];
    EXPECT_EQ(test::names_of(read.graph), Names{"fully connected"});
    EXPECT_EQ((test::run<std::int8_t>(read, Bytes8{10, 3})), Bytes8{10 - 12});
}

// ---------------------------------------------------------------- what is refused

TEST(Onnx, OnlyTheBatchMayBeOpen) {
    OnnxBuilder b;
    b.output(b.op("Relu", {b.input({2, 3})}));
    onnx_schema::Shape& shape =
        *b.graph().mutable_input(0)->mutable_type()->mutable_tensor_type()->mutable_shape();
    shape.mutable_dim(0)->clear_dim_value();
    shape.mutable_dim(0)->set_dim_param("N");
    EXPECT_EQ(b.read().graph.tensor(b.read().graph.inputs[0]).shape, (std::vector<int>{1, 3}));
    shape.mutable_dim(1)->clear_dim_value();
    shape.mutable_dim(1)->set_dim_param("wide");
    EXPECT_TRUE(has(b.errors(), "net: input x1: axis 1 is open ('wide'): want --shape NAME"))
        << b.errors();
    shape.mutable_dim(1)->set_dim_value(-4);
    EXPECT_TRUE(has(b.errors(), "axis 1 has -4 elements: want at least 1")) << b.errors();
}

TEST(Onnx, OpenAxesOfOneNameAreOfOneSize) {
    OnnxBuilder b;
    const std::string x = b.input({2, 3, 4}), state = b.input({6, 2});
    b.output(b.op("Relu", {x}));
    b.output(b.op("Relu", {state}));
    const auto name = [&](int input, int axis, const char* text) {
        onnx_schema::Dimension* dim = b.graph()
                                          .mutable_input(input)
                                          ->mutable_type()
                                          ->mutable_tensor_type()
                                          ->mutable_shape()
                                          ->mutable_dim(axis);
        dim->clear_dim_value();
        dim->set_dim_param(text);
    };
    name(0, 0, "batch");
    name(0, 1, "time");
    name(1, 1, "batch");
    const auto shapes_of = [](const ReadResult& read) {
        std::vector<std::vector<int>> shapes;
        for (const graph::TensorId id : read.graph.inputs)
            shapes.push_back(read.graph.tensor(id).shape);
        return shapes;
    };
    using Lists = std::vector<std::vector<int>>;
    EXPECT_EQ(shapes_of(read_onnx("net", b.bytes(), {{"x1", {1, 5, 4}}})),
              (Lists{{1, 5, 4}, {6, 1}}));
    EXPECT_EQ(shapes_of(read_onnx("net", b.bytes(), {{"x1", {7, 5, 4}}})),
              (Lists{{7, 5, 4}, {6, 7}}));
    EXPECT_TRUE(has(b.errors(), "axis 1 is open ('time')")) << b.errors();
    name(1, 1, "width");
    EXPECT_TRUE(has(read_onnx("net", b.bytes(), {{"x1", {1, 5, 4}}}).errors[0],
                    "axis 1 is open ('width')"));
}

TEST(Onnx, ShapesOfOpenInputsAreGiven) {
    OnnxBuilder b;
    const std::string x = b.op("Relu", {b.input({-1, -1, 2})});
    b.output(b.op("Transpose", {x}, {{"perm", Ints{0, 2, 1}}}));
    const auto with = [&](const Shapes& shapes) { return read_onnx("net", b.bytes(), shapes); };
    const ReadResult read = with({{"x1", {1, 5, 2}}});
    ASSERT_TRUE(read.ok()) << read.errors[0];
    EXPECT_EQ(read.graph.tensor(read.graph.outputs[0]).shape, (std::vector<int>{1, 2, 5}));
    EXPECT_EQ(with({{"x1", {1, 5}}}).errors[0], "net: input x1: a shape of 2 axes: want 3");
    EXPECT_EQ(with({{"x1", {1, 5, 3}}}).errors[0],
              "net: input x1: axis 2 of the shape given is 3: want 2, as in the file");
    EXPECT_EQ(with({{"x1", {1, 5, 2}}, {"x9", {1}}}).errors[0],
              "net: a shape for x9, which is no input: want one of x1");
    EXPECT_TRUE(has(b.errors(), "axis 1 is open ('')"));
}

TEST(Onnx, UnknownOperatorsAreNamedWithTheirPlace) {
    OnnxBuilder b;
    const std::string x = b.op("Relu", {b.input({1, 3})});
    const std::string y = b.op("ImageDecoder", {x});
    b.output(b.op("Relu", {y}));
    const std::string errors = b.errors();
    EXPECT_TRUE(
        has(errors,
            "net: operator 1 (ImageDecoder), tensor y2: unknown here: want the network to end in "
            "front of it"))
        << errors;
    // What reads its result is not a second error.
    EXPECT_EQ(b.read().errors.size(), 1U);
    OnnxBuilder other;
    other.set("my.domain", 3);
    other.output(other.op("Relu", {other.input({1, 3})}, {}, "my.domain"));
    EXPECT_TRUE(has(other.errors(), "operator set 'my.domain': want ai.onnx or com.microsoft"));
    OnnxBuilder missing;
    missing.output(missing.op("Relu", {missing.input({1, 3})}, {}, "ai.onnx.ml"));
    EXPECT_TRUE(has(missing.errors(), "operator set 'ai.onnx.ml': want one that the file imports"));
    OnnxBuilder older(6);
    older.output(older.op("Relu", {older.input({1, 3})}));
    EXPECT_TRUE(has(older.errors(), "operator set 6: want 7 or newer")) << older.errors();
}

TEST(Onnx, OrderAndNames) {
    OnnxBuilder cyclic;
    cyclic.output(cyclic.op("Add", {cyclic.input({1, 3}), "y2"}));
    cyclic.op("Relu", {"y1"});
    EXPECT_TRUE(has(cyclic.errors(), "reads y2, which nothing before it writes"));
    OnnxBuilder twice;
    const std::string x = twice.input({1, 3});
    twice.output(twice.op("Relu", {x}));
    twice.op("Sigmoid", {x});
    twice.graph().mutable_node(1)->set_output(0, "y1");
    EXPECT_TRUE(has(twice.errors(), "y1 has two values: want one")) << twice.errors();
    OnnxBuilder none;
    none.input({1, 3});
    EXPECT_TRUE(has(none.errors(), "no outputs: want at least one")) << none.errors();
    none.output("nothing");
    EXPECT_TRUE(has(none.errors(), "output nothing: reads nothing, which")) << none.errors();
}

/// A network that adds a constant; `change` does something to that.
template <typename Change>
std::string errors_of_constant(const Change& change) {
    OnnxBuilder b;
    b.output(b.op("Add", {b.input({1, 3}), b.real({3}, {1, 2, 3})}));
    EXPECT_EQ(b.errors(), "");
    change(*b.graph().mutable_initializer(0));
    return b.errors();
}

TEST(Onnx, DataOfConstants) {
    using onnx_schema::Tensor;
    const auto refused = [](const auto& change, const std::string& text) {
        const std::string errors = errors_of_constant(change);
        EXPECT_TRUE(has(errors, text)) << errors;
    };
    refused([](Tensor& t) { t.set_raw_data("1234567"); }, "c1: 7 bytes of data: want 12");
    refused([](Tensor& t) { t.set_dims(0, -3); }, "a size of -3: want at least 1");
    refused([](Tensor& t) { t.set_dims(0, std::int64_t{1} << 40); }, "a size of 1099511627776");
    refused([](Tensor& t) { t.set_dims(0, 1 << 30); }, "want at most");
    refused([](Tensor& t) { t.set_data_type(12); }, "c1: type 12: want float (1), ");
    refused([](Tensor& t) { t.set_segment("x"); }, "a part of a tensor");
    refused(
        [](Tensor& t) {
            for (int i = 0; i < 20; ++i)
                t.add_dims(1);
        },
        "21 axes: want at most 8");
    // Elements in the other field.
    const std::string errors = errors_of_constant([](Tensor& t) {
        t.clear_raw_data();
        for (const float value : {1.0F, 2.0F, 3.0F})
            t.add_float_data(value);
    });
    EXPECT_EQ(errors, "");
}

TEST(Onnx, KindsOfAttributes) {
    OnnxBuilder b;
    b.output(b.op("LeakyRelu", {b.input({1, 3})}, {{"alpha", std::int64_t{1}}}));
    EXPECT_TRUE(has(b.errors(), "attribute alpha is of kind 2: want 1")) << b.errors();
}

}  // namespace
}  // namespace macrame::front
