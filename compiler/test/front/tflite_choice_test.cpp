/// Truth values, numbers that are made in the network, and what chooses by them.
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "compiler/front/front.hpp"
#include "compiler/graph/reference.hpp"
#include "compiler/test/front/tflite_builder.hpp"

namespace macrame::front::test {
namespace {

using Code = schema::BuiltinOperator;
using schema::TensorType;
using Shape = std::vector<std::int32_t>;
using Numbers = std::vector<std::int32_t>;

int made(TfliteBuilder& b, TensorType type, const Shape& shape) { return b.tensor(type, shape); }

int scalar(TfliteBuilder& b, std::int32_t value) {
    return b.tensor<std::int32_t>(TensorType::INT32, {}, {}, {}, {value});
}

std::string bad(TfliteBuilder& b, int in, int out) {
    const ReadResult read = read_tflite("net", b.finish({in}, {out}));
    return read.errors.empty() ? std::string() : read.errors[0];
}

/// The only output as numbers of int32.
Numbers run(TfliteBuilder& b, int in, int out, const graph::Bytes& input) {
    const ReadResult read = read_tflite("net", b.finish({in}, {out}));
    EXPECT_TRUE(read.ok()) << read.errors[0];
    if (!read.ok()) return {};
    const graph::Bytes bytes = graph::run(read.graph, {input})[0];
    Numbers numbers(bytes.size() / sizeof(std::int32_t));
    std::memcpy(numbers.data(), bytes.data(), bytes.size());
    return numbers;
}

TEST(TfliteChoice, NumbersAreMadeInTheNetwork) {
    TfliteBuilder b;
    const int x = made(b, TensorType::INT32, {3}), range = made(b, TensorType::INT32, {3}),
              zeros = made(b, TensorType::INT32, {3}), rank = made(b, TensorType::INT32, {}),
              filled = made(b, TensorType::INT32, {3}), one = made(b, TensorType::INT32, {3}),
              two = made(b, TensorType::INT32, {3}), y = made(b, TensorType::INT32, {3});
    b.op(Code::RANGE, {scalar(b, 10), scalar(b, 3), scalar(b, -3)}, {range});
    b.op(Code::ZEROS_LIKE, {range}, {zeros});
    b.op(Code::RANK, {range}, {rank});
    b.op(Code::FILL, {b.int32({3}), rank}, {filled});
    b.op(Code::ADD, {x, range}, {one});
    b.op(Code::ADD_N, {one, zeros, filled}, {two});
    b.op(Code::FLOOR_MOD, {two, scalar(b, 5)}, {y});
    // 1, 2, 3 and 10, 7, 4 and 1
    EXPECT_EQ(run(b, x, y, {1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0}), (Numbers{2, 0, 3}));
    const ReadResult read = read_tflite("net", b.finish({x}, {y}));
    EXPECT_EQ(read.graph.nodes.size(), 4U) << "constants: want them computed by the reader";
}

TEST(TfliteChoice, WhatIsNotZeroIsTrue) {
    TfliteBuilder b;
    const int x = b.int8({2, 2}, 0.5F, 7), truth = made(b, TensorType::BOOL, {2, 2}),
              rows = b.tensor<std::int8_t>(TensorType::BOOL, {2}, {}, {}, {0, 1}),
              no = made(b, TensorType::BOOL, {2, 2}), picked = made(b, TensorType::BOOL, {2, 2}),
              y = made(b, TensorType::INT32, {2, 2});
    b.op(Code::CAST, {x}, {truth});
    b.op(Code::LOGICAL_NOT, {truth}, {no});
    b.op(Code::SELECT, {rows, truth, no}, {picked});
    b.op(Code::CAST, {picked}, {y});
    EXPECT_EQ(run(b, x, y, {0, 7, 0, 7}), (Numbers{1, 0, 0, 1}));
}

TEST(TfliteChoice, TellsWhatIsWrong) {
    TfliteBuilder b;
    int x = b.int8({2}), y = made(b, TensorType::BOOL, {2});
    b.op(Code::LOGICAL_NOT, {x}, {y});
    EXPECT_NE(bad(b, x, y).find("has type int8: want bool"), std::string::npos) << bad(b, x, y);
    TfliteBuilder range;
    x = made(range, TensorType::INT32, {});
    y = made(range, TensorType::INT32, {3});
    range.op(Code::RANGE, {scalar(range, 0), x, scalar(range, 1)}, {y});
    EXPECT_NE(bad(range, x, y).find("is computed, or not one number: want a constant of one"),
              std::string::npos)
        << bad(range, x, y);
}

}  // namespace
}  // namespace macrame::front::test
