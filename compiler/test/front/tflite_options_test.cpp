/// Options of TFLite's operators that would be read as something else.
#include <gtest/gtest.h>

#include "compiler/front/front.hpp"
#include "compiler/graph/reference.hpp"
#include "compiler/test/front/tflite_builder.hpp"

namespace macrame::front {
namespace {

using test::TfliteBuilder;
using Code = schema::BuiltinOperator;
using Options = schema::OptionsType;
using Values = std::vector<std::int8_t>;

/// The first error.
std::string bad(const std::vector<std::uint8_t>& file) {
    const ReadResult result = read_tflite("net", file);
    return result.ok() ? "" : result.errors[0];
}

/// Of elements 0 to 4, those from `begin` to `end`, or one.
ReadResult slice(int begin, int end, int stride, int begin_mask, int shrink, bool offset) {
    TfliteBuilder b;
    const int x = b.int8({5}), y = b.int8({1});
    b.op(Code::STRIDED_SLICE, {x, b.int32({begin}), b.int32({end}), b.int32({stride})}, {y},
         Options::STRIDED_SLICE,
         schema::CreateStridedSliceOptions(b.fbb, begin_mask, 0, 0, 0, shrink, offset));
    return read_tflite("net", b.finish({x}, {y}));
}

Values taken(const ReadResult& read) {
    EXPECT_TRUE(read.ok()) << (read.ok() ? "" : read.errors[0]);
    if (!read.ok()) return {};
    const graph::Bytes out = graph::run(read.graph, {{0, 1, 2, 3, 4}})[0];
    return {out.begin(), out.end()};
}

TEST(TfliteOptions, SlicesThatBeginWhereTheMaskSays) {
    EXPECT_EQ(taken(slice(3, 4, 1, 0, 1, false)), Values{3});
    EXPECT_EQ(taken(slice(3, 4, 1, 1, 1, false)), Values{0});
    EXPECT_EQ(taken(slice(1, 2, 1, 0, 0, true)), (Values{1, 2}));
    EXPECT_EQ(taken(slice(1, 2, 1, 1, 0, true)), (Values{0, 1}));
    EXPECT_EQ(taken(slice(3, -4, -1, 0, 0, true)), (Values{3, 2, 1, 0}));
    EXPECT_EQ(taken(slice(3, -4, -2, 1, 0, true)), (Values{4, 2}));
}

TEST(TfliteOptions, SlicesOfNothing) {
    const auto error = [](const ReadResult& read) { return read.ok() ? "" : read.errors[0]; };
    const std::string where = "net: operator 0 (STRIDED_SLICE), tensor t1: ";
    EXPECT_EQ(error(slice(3, 1, 1, 0, 0, false)), where + "a result of shape 0: want elements");
    EXPECT_EQ(error(slice(3, 1, -1, 0, 1, false)), where + "stride -1 of a single element: want 1");
    EXPECT_EQ(error(slice(3, 4, 1, 0, 0, true)),
              where + "length 4 from 3, stride 1, of 5 elements: want all of them inside");
    EXPECT_EQ(error(slice(2, -8, -1, 0, 0, true)),
              where + "length -8 from 2, stride -1, of 5 elements: want all of them inside");
}

TEST(TfliteOptions, ModesOfMirrorPad) {
    TfliteBuilder b;
    const int x = b.int8({4}), y = b.int8({6});
    const int pads = b.tensor<std::int32_t>(schema::TensorType::INT32, {1, 2}, {}, {}, {1, 1});
    b.op(Code::MIRROR_PAD, {x, pads}, {y}, Options::MIRROR_PAD,
         schema::CreateMirrorPadOptions(b.fbb, static_cast<schema::MirrorPadding>(2)));
    EXPECT_EQ(bad(b.finish({x}, {y})),
              "net: operator 0 (MIRROR_PAD), tensor t1: mode 2: want 0 (reflect) or 1 (symmetric)");
}

TEST(TfliteOptions, ActivationsThatKernelsHaveNot) {
    const auto error = [](schema::Activation activation) {
        TfliteBuilder b;
        const int x = b.int8({1, 4});
        const int y = b.tensor(schema::TensorType::INT8, {1, 4}, {1.0F / 128}, {0});
        b.op(Code::L2_NORMALIZATION, {x}, {y}, Options::L2_NORMALIZATION,
             schema::CreateArithmeticOptions(b.fbb, activation));
        return bad(b.finish({x}, {y}));
    };
    EXPECT_EQ(error(schema::Activation::NONE), "");
    EXPECT_EQ(error(schema::Activation::RELU),
              "net: operator 0 (L2_NORMALIZATION), tensor t1: fused activation 1: want NONE, as "
              "its kernel does");
}

TEST(TfliteOptions, MultiplierThatKernelsHaveNot) {
    const auto error = [](schema::TensorType type, int multiplier) {
        TfliteBuilder b;
        const int x = b.tensor(type, {1, 2, 2, 2}, {1}, {0}),
                  y = b.tensor(type, {1, 2, 2, 4}, {1}, {0});
        const int w =
            b.tensor(schema::TensorType::INT8, {1, 1, 1, 4}, {1}, {0}, Values{1, 2, 3, 4});
        b.op(Code::DEPTHWISE_CONV_2D, {x, w, -1}, {y}, Options::DEPTHWISE_CONV_2D,
             schema::CreateDepthwiseConv2DOptions(b.fbb, schema::Padding::SAME, 1, 1, multiplier));
        return bad(b.finish({x}, {y}));
    };
    EXPECT_EQ(error(schema::TensorType::INT16, 2), "");
    EXPECT_EQ(error(schema::TensorType::INT8, 1), "");  // as the reference has it
    EXPECT_EQ(error(schema::TensorType::INT16, 1),
              "net: operator 0 (DEPTHWISE_CONV_2D), tensor t1: depth_multiplier 1, 4 kernels of 2 "
              "channels: want 2");
}

TEST(TfliteOptions, TypesOfPlaces) {
    const auto error = [](Code code, Options options, schema::TensorType told) {
        TfliteBuilder b;
        const int x = b.int8({1, 5}), y = b.tensor(schema::TensorType::INT32, {1});
        b.op(code, {x, b.int32({1})}, {y}, options, schema::CreatePlaceOptions(b.fbb, told));
        return bad(b.finish({x}, {y}));
    };
    EXPECT_EQ(error(Code::ARG_MAX, Options::ARG_MAX, schema::TensorType::INT32), "");
    EXPECT_EQ(error(Code::ARG_MAX, Options::ARG_MAX, schema::TensorType::FLOAT32), "");  // none
    const auto* const text = "output_type int64, output t1 of int32: want the same";
    EXPECT_EQ(error(Code::ARG_MAX, Options::ARG_MAX, schema::TensorType::INT64),
              std::string("net: operator 0 (ARG_MAX), tensor t1: ") + text);
    EXPECT_EQ(error(Code::ARG_MIN, Options::ARG_MIN, schema::TensorType::INT64),
              std::string("net: operator 0 (ARG_MIN), tensor t1: ") + text);
}

TEST(TfliteOptions, VolumesThatAKernelDoesNotFitIn) {
    TfliteBuilder b;
    const auto real = schema::TensorType::FLOAT32;
    const int x = b.tensor(real, {1, 3, 2, 2, 1}), y = b.tensor(real, {1, 1, 2, 2, 1});
    const int w = b.tensor<float>(real, {2, 1, 1, 1, 1}, {}, {}, {1, 2});
    b.op(Code::CONV_3D, {x, w}, {y}, Options::CONV_3D,
         schema::CreateConv3DOptions(b.fbb, schema::Padding::VALID, 1, 1, 1,
                                     schema::Activation::NONE, 3));
    EXPECT_EQ(bad(b.finish({x}, {y})),
              "net: operator 0 (CONV_3D), tensor t1: a kernel over 4 of 3 planes: want it inside");
}

}  // namespace
}  // namespace macrame::front
