/// Operators that repeat, pick or regroup elements; other forms of constants; versions of files.
#include <gtest/gtest.h>

#include <numeric>
#include <variant>
#include <vector>

#include "compiler/front/front.hpp"
#include "compiler/graph/reference.hpp"
#include "compiler/test/front/tflite_builder.hpp"

namespace macrame::front::test {
namespace {

using Code = schema::BuiltinOperator;
using Options = schema::OptionsType;
using Bytes = std::vector<std::uint8_t>;

/// The output for an input of 0, 1, 2, ...
std::vector<int> run(TfliteBuilder& b, int in, int out) {
    const ReadResult read = read_tflite("net", b.finish({in}, {out}));
    EXPECT_EQ(read.errors, std::vector<std::string>{});
    if (!read.errors.empty()) return {};
    Bytes input(read.graph.tensor(read.graph.inputs[0]).bytes());
    std::iota(input.begin(), input.end(), std::uint8_t{0});
    const graph::Bytes made = graph::run(read.graph, {input})[0];
    return {made.begin(), made.end()};
}

std::string bad(TfliteBuilder& b, int in, int out) {
    const ReadResult read = read_tflite("net", b.finish({in}, {out}));
    return read.errors.empty() ? std::string() : read.errors[0];
}

using Ints = std::vector<int>;

TEST(TfliteRepeat, CopiesAndPicks) {
    TfliteBuilder tile;
    int x = tile.int8({2, 3}), y = tile.int8({4, 3});
    tile.op(Code::TILE, {x, tile.int32({2, 1})}, {y});
    EXPECT_EQ(run(tile, x, y), (Ints{0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5}));
    TfliteBuilder wide;
    x = wide.int8({3, 1});
    y = wide.int8({2, 3, 2});
    wide.op(Code::BROADCAST_TO, {x, wide.int32({2, 3, 2})}, {y});
    EXPECT_EQ(run(wide, x, y), (Ints{0, 0, 1, 1, 2, 2, 0, 0, 1, 1, 2, 2}));
    TfliteBuilder gather;
    x = gather.int8({2, 3});
    y = gather.int8({2, 4});
    gather.op(Code::GATHER, {x, gather.int32({2, 0, 0, 1})}, {y}, Options::GATHER,
              schema::CreateGatherOptions(gather.fbb, 1));
    EXPECT_EQ(run(gather, x, y), (Ints{2, 0, 0, 1, 5, 3, 3, 4}));
}

TEST(TfliteRepeat, RowsByIdsOfTheInput) {
    TfliteBuilder b;
    const int table =
        b.tensor<std::int8_t>(schema::TensorType::INT8, {3, 2}, {1}, {0}, {1, 2, 3, 4, 5, 6});
    const int ids = b.tensor<std::int32_t>(schema::TensorType::INT32, {1, 2}, {}, {}, {});
    const int y = b.int8({1, 2, 2});
    b.op(Code::GATHER, {table, ids}, {y}, Options::GATHER, schema::CreateGatherOptions(b.fbb, 0));
    const ReadResult read = read_tflite("net", b.finish({ids}, {y}));
    ASSERT_TRUE(read.ok()) << read.errors[0];
    EXPECT_EQ(graph::run(read.graph, {{2, 0, 0, 0, 0, 0, 0, 0}})[0], (Bytes{5, 6, 1, 2}));
}

TEST(TfliteRepeat, LargestAlongAnyAxes) {
    for (const auto& [axes, want] : std::vector<std::pair<std::vector<std::int32_t>, Ints>>{
             {{1, 2}, {10, 11}}, {{3}, {1, 3, 5, 7, 9, 11}}, {{1, 3}, {7, 9, 11}}}) {
        TfliteBuilder b;
        const int x = b.int8({1, 2, 3, 2}), y = b.int8({1, static_cast<int>(want.size())});
        b.op(Code::REDUCE_MAX, {x, b.int32(axes)}, {y});
        EXPECT_EQ(run(b, x, y), want);
    }
}

TEST(TfliteRepeat, BatchesOfPicturesAndBack) {
    TfliteBuilder b;
    const int x = b.int8({1, 4, 4, 1}), there = b.int8({4, 3, 2, 1}), pooled = b.int8({4, 3, 2, 1}),
              y = b.int8({1, 4, 4, 1});
    const int block = b.tensor<std::int32_t>(schema::TensorType::INT32, {2}, {}, {}, {2, 2});
    const int edges =
        b.tensor<std::int32_t>(schema::TensorType::INT32, {2, 2}, {}, {}, {1, 1, 0, 0});
    b.op(Code::SPACE_TO_BATCH_ND, {x, block, edges}, {there});
    b.op(Code::MAX_POOL_2D, {there}, {pooled}, Options::POOL_2D,
         schema::CreatePool2DOptions(b.fbb, schema::Padding::SAME, 1, 1, 1, 1));
    b.op(Code::BATCH_TO_SPACE_ND, {pooled, block, edges}, {y});
    Ints want(16);
    std::iota(want.begin(), want.end(), 0);
    EXPECT_EQ(run(b, x, y), want);
}

TEST(TfliteRepeat, WantsConstantsInRange) {
    TfliteBuilder b;
    const int x = b.int8({2, 3}), y = b.int8({2, 1});
    b.op(Code::GATHER, {x, b.int32({3})}, {y}, Options::GATHER,
         schema::CreateGatherOptions(b.fbb, 1));
    EXPECT_NE(bad(b, x, y).find("index 3: want 0 to 2"), std::string::npos);
    TfliteBuilder blocks;
    const int p = blocks.int8({1, 3, 4, 1}), q = blocks.int8({4, 1, 2, 1});
    blocks.op(
        Code::SPACE_TO_BATCH_ND,
        {p, blocks.int32({2, 2}),
         blocks.tensor<std::int32_t>(schema::TensorType::INT32, {2, 2}, {}, {}, {0, 0, 0, 0})},
        {q});
    EXPECT_NE(bad(blocks, p, q).find("size 3 with edges: want a multiple of block 2"),
              std::string::npos);
}

TEST(TfliteRepeat, Float16BecomesFloat32) {
    TfliteBuilder b;
    const std::vector<std::uint16_t> halves = {0x3C00, 0xC100, 0x0001, 0x7BFF};
    const int half = b.tensor<std::uint16_t>(schema::TensorType::FLOAT16, {4}, {}, {}, halves);
    const int wide = b.tensor(schema::TensorType::FLOAT32, {4});
    b.op(Code::DEQUANTIZE, {half}, {wide});
    const ReadResult read = read_tflite("net", b.finish({}, {wide}));
    ASSERT_EQ(read.errors, std::vector<std::string>{});
    const graph::Bytes made = graph::run(read.graph, {})[0];
    std::vector<float> got(4);
    ASSERT_EQ(made.size(), 16U);
    std::memcpy(got.data(), made.data(), 16);
    EXPECT_EQ(got, (std::vector<float>{1.0F, -2.5F, 0x1p-24F, 65504.0F}));
}

TEST(TfliteVersion, FullyConnectedRoundsAsTheReferenceOfItsTime) {
    for (const auto& [version, once] :
         std::vector<std::pair<const char*, bool>>{{"", false},
                                                   {"2.18.0", false},
                                                   {"2.20.0", true},
                                                   {"2.21.0-dev", true},
                                                   {"nothing", false},
                                                   {"3.0", true}}) {
        TfliteBuilder b;
        b.converter = version;
        const int x = b.int8({1, 2}), y = b.int8({1, 1});
        const int w = b.tensor<std::int8_t>(schema::TensorType::INT8, {1, 2}, {1}, {0}, {3, 4});
        b.op(Code::FULLY_CONNECTED, {x, w}, {y});
        const ReadResult read = read_tflite("net", b.finish({x}, {y}));
        ASSERT_EQ(read.errors, std::vector<std::string>{});
        EXPECT_EQ(std::get<graph::FullyConnected>(read.graph.nodes[0].op).rounds_once, once)
            << version;
    }
}

}  // namespace
}  // namespace macrame::front::test
