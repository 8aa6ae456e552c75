/// Shapes of results that a TFLite file leaves out, or that are those of another batch.
#include <gtest/gtest.h>

#include <functional>

#include "compiler/front/front.hpp"
#include "compiler/graph/reference.hpp"
#include "compiler/test/front/tflite_builder.hpp"

namespace macrame::front {
namespace {

using Code = schema::BuiltinOperator;
using Options = schema::OptionsType;
using Shape = std::vector<std::int32_t>;
using test::TfliteBuilder;
using Change = std::function<Shape(Shape)>;

/// Many operators behind each other; the file has `change` of the shapes of their results.
std::vector<std::uint8_t> network(const Change& change) {
    TfliteBuilder b;
    const auto made = [&](const Shape& shape) { return b.int8(change(shape), 0.1F, 3); };
    const auto vector = [&](std::vector<std::int32_t> values) { return b.int32(values); };
    const auto weights = [&](const Shape& shape, std::size_t count) {
        std::vector<std::int8_t> values(count);
        for (std::size_t i = 0; i < count; ++i)
            values[i] = static_cast<std::int8_t>(i * 29 % 61) - 30;
        return b.tensor(schema::TensorType::INT8, shape, {0.01F}, {0}, values);
    };
    auto& f = b.fbb;
    const int x = b.int8({1, 7, 6, 3}, 0.1F, 3);
    const int conv = made({1, 4, 3, 4});
    b.op(Code::CONV_2D, {x, weights({4, 3, 2, 3}, 72), -1}, {conv}, Options::CONV_2D,
         schema::CreateConv2DOptions(f, schema::Padding::SAME, 2, 2, schema::Activation::RELU));
    const int deep = made({1, 2, 2, 4});
    b.op(Code::DEPTHWISE_CONV_2D, {conv, weights({1, 3, 2, 4}, 24), -1}, {deep},
         Options::DEPTHWISE_CONV_2D,
         schema::CreateDepthwiseConv2DOptions(f, schema::Padding::VALID, 1, 1, 1));
    const int up = made({1, 4, 4, 4});
    b.op(Code::RESIZE_NEAREST_NEIGHBOR, {deep, vector({4, 4})}, {up},
         Options::RESIZE_NEAREST_NEIGHBOR, schema::CreateResizeNearestNeighborOptions(f));
    const int left = made({1, 4, 2, 4}), right = made({1, 4, 2, 4}), both = made({1, 4, 2, 8});
    b.op(Code::SPLIT, {b.tensor<std::int32_t>(schema::TensorType::INT32, {}, {}, {}, {2}), up},
         {left, right});
    b.op(Code::CONCATENATION, {left, right}, {both}, Options::CONCATENATION,
         schema::CreateConcatenationOptions(f, -1));
    const int padded = made({1, 5, 4, 8}), pooled = made({1, 3, 2, 8});
    b.op(Code::PAD, {both, vector({0, 0, 1, 0, 1, 1, 0, 0})}, {padded});
    b.op(Code::MAX_POOL_2D, {padded}, {pooled}, Options::POOL_2D,
         schema::CreatePool2DOptions(f, schema::Padding::SAME, 2, 2, 2, 2));
    const int turned = made({1, 8, 3, 2}), part = made({1, 8, 2, 2}), mean = made({1, 8, 2});
    b.op(Code::TRANSPOSE, {pooled, vector({0, 3, 1, 2})}, {turned});
    b.op(Code::SLICE, {turned, vector({0, 0, 1, 0}), vector({1, -1, 2, 2})}, {part});
    b.op(Code::MEAN, {part, vector({-1})}, {mean}, Options::REDUCER,
         schema::CreateReducerOptions(f));
    const int one = b.tensor(schema::TensorType::INT32, change({3})), flat = made({1, 16});
    b.op(Code::SHAPE, {mean}, {one});
    b.op(Code::RESHAPE, {mean, vector({1, -1})}, {flat});
    const int dense = made({1, 5}), wide = made({1, 1, 5}), sum = made({1, 1, 5});
    b.op(Code::FULLY_CONNECTED, {flat, weights({5, 16}, 80)}, {dense}, Options::FULLY_CONNECTED,
         schema::CreateFullyConnectedOptions(f));
    b.op(Code::EXPAND_DIMS, {dense, vector({1})}, {wide});
    b.op(Code::ADD, {wide, dense}, {sum});
    return b.finish({x}, {sum, pooled});
}

std::vector<graph::Bytes> run(const std::vector<std::uint8_t>& file) {
    const ReadResult read = read_tflite("net", file);
    EXPECT_TRUE(read.ok()) << (read.ok() ? "" : read.errors[0]);
    if (!read.ok()) return {};
    graph::Bytes input(read.graph.tensor(read.graph.inputs[0]).bytes());
    for (std::size_t i = 0; i < input.size(); ++i)
        input[i] = static_cast<std::uint8_t>(i * 37);
    return graph::run(read.graph, {input});
}

TEST(TfliteShapes, FollowFromTheInputs) {
    const std::vector<graph::Bytes> wanted = run(network([](const Shape& shape) { return shape; }));
    ASSERT_EQ(wanted.size(), 2U);
    ASSERT_EQ(wanted[0].size(), 5U);
    ASSERT_EQ(wanted[1].size(), 48U);
    EXPECT_EQ(run(network([](const Shape&) { return Shape{}; })), wanted);
    EXPECT_EQ(run(network([](const Shape&) { return Shape{3, 1000}; })), wanted);
    EXPECT_EQ(run(network([](Shape shape) {
                  shape[0] = -1;
                  return shape;
              })),
              wanted);
    EXPECT_EQ(run(network([](Shape shape) {
                  shape[0] = 16;
                  return shape;
              })),
              wanted);
}

TEST(TfliteShapes, TheBatchOfAnInputMayBeOpen) {
    const auto file = [](const Shape& signature) {
        TfliteBuilder b;
        b.signature = signature;
        const int x = b.int8({8, 2, 2, 1});
        b.signature = {};
        const int y = b.int8({8, 2, 2, 1});
        b.op(Code::RELU, {x}, {y});
        return b.finish({x}, {y});
    };
    const ReadResult open = read_tflite("net", file({-1, 2, 2, 1}));
    ASSERT_TRUE(open.ok()) << open.errors[0];
    EXPECT_EQ(open.graph.tensor(open.graph.inputs[0]).shape, (Shape{1, 2, 2, 1}));
    EXPECT_EQ(open.graph.tensor(open.graph.outputs[0]).shape, (Shape{1, 2, 2, 1}));
    const ReadResult given = read_tflite("net", file({8, 2, 2, 1}));
    ASSERT_TRUE(given.ok()) << given.errors[0];
    EXPECT_EQ(given.graph.tensor(given.graph.outputs[0]).shape, (Shape{8, 2, 2, 1}));
}

TEST(TfliteShapes, OfOpenAxesAreGiven) {
    TfliteBuilder b;
    b.signature = {-1, -1, 2};
    const int x = b.int8({1, 1, 2});
    b.signature = {};
    const int y = b.int8({1, 1, 2});
    b.op(Code::RELU, {x}, {y});
    const std::vector<std::uint8_t> file = b.finish({x}, {y});
    const auto with = [&](const Shapes& shapes) { return read_tflite("net", file, shapes); };
    const ReadResult read = with({{"t0", {3, 5, 2}}});
    ASSERT_TRUE(read.ok()) << read.errors[0];
    EXPECT_EQ(read.graph.tensor(read.graph.outputs[0]).shape, (Shape{3, 5, 2}));
    EXPECT_EQ(with({}).graph.inputs.size(), 1U);  // as the file has it
    EXPECT_EQ(with({{"t0", {1, 5}}}).errors[0],
              "net: inputs and outputs: input t0: a shape of 2 axes: want 3");
    EXPECT_EQ(with({{"t0", {1, 5, 3}}}).errors[0],
              "net: inputs and outputs: input t0: axis 2 of the shape given is 3: want 2, as in "
              "the file");
    EXPECT_EQ(with({{"t9", {1}}}).errors[0],
              "net: inputs and outputs: a shape for t9, which is no input: want one of t0");
}

TEST(TfliteShapes, ErrorsTellOfOpenAxes) {
    TfliteBuilder b;
    b.signature = {1, -1, -1, 1};
    const int x = b.int8({1, 1, 1, 1});
    b.signature = {};
    const int y = b.int8({1, 3, 3, 1});
    b.op(Code::MAX_POOL_2D, {x}, {y}, Options::POOL_2D,
         schema::CreatePool2DOptions(b.fbb, schema::Padding::VALID, 1, 1, 2, 2));
    const std::vector<std::uint8_t> file = b.finish({x}, {y});
    const ReadResult read = read_tflite("net", file);
    ASSERT_GE(read.errors.size(), 2U);
    EXPECT_EQ(read.errors[0],
              "net: input t0: axes are open, here 1x1x1x1: want --shape t0=N,N,... where that is "
              "not the shape");
    const ReadResult given = read_tflite("net", file, {{"t0", {1, 4, 4, 1}}});
    ASSERT_TRUE(given.ok()) << given.errors[0];
    EXPECT_EQ(given.graph.tensor(given.graph.outputs[0]).shape, (Shape{1, 3, 3, 1}));
}

/// Elements 0 to 11 of 2 x 3 x 2, sliced.
std::vector<std::int8_t> sliced(const std::vector<std::int32_t>& begin,
                                const std::vector<std::int32_t>& end,
                                const std::vector<std::int32_t>& stride, int ellipsis, int new_axis,
                                int shrink, bool offset, const Shape& wanted) {
    TfliteBuilder b;
    const int x = b.int8({2, 3, 2}), y = b.int8({});
    b.op(Code::STRIDED_SLICE, {x, b.int32(begin), b.int32(end), b.int32(stride)}, {y},
         Options::STRIDED_SLICE,
         schema::CreateStridedSliceOptions(b.fbb, 0, 0, ellipsis, new_axis, shrink, offset));
    const ReadResult read = read_tflite("net", b.finish({x}, {y}));
    EXPECT_TRUE(read.ok()) << (read.ok() ? "" : read.errors[0]);
    if (!read.ok()) return {};
    EXPECT_EQ(read.graph.tensor(read.graph.outputs[0]).shape, wanted);
    const graph::Bytes out = graph::run(read.graph, {{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}})[0];
    return {out.begin(), out.end()};
}

TEST(TfliteShapes, SlicesWithAxesBetweenAndMore) {
    using Values = std::vector<std::int8_t>;
    // x[..., 1], x[1, ..., 0:1], x[:, None, 2], x[1:2, 0:2] by lengths
    EXPECT_EQ(sliced({0, 1}, {0, 2}, {1, 1}, 1, 0, 2, false, {2, 3}), (Values{1, 3, 5, 7, 9, 11}));
    EXPECT_EQ(sliced({1, 0, 0}, {2, 0, 1}, {1, 1, 1}, 2, 0, 1, false, {3, 1}), (Values{6, 8, 10}));
    EXPECT_EQ(sliced({0, 0, 2}, {2, 0, 3}, {1, 1, 1}, 0, 2, 4, false, {2, 1, 2}),
              (Values{4, 5, 10, 11}));
    EXPECT_EQ(sliced({1, 1}, {1, 2}, {1, 1}, 0, 0, 0, true, {1, 2, 2}), (Values{8, 9, 10, 11}));
}

}  // namespace
}  // namespace macrame::front
