/// Constants of TFLite files whose zeros are left out.
#include <gtest/gtest.h>

#include <cstring>

#include "compiler/front/front.hpp"
#include "compiler/graph/reference.hpp"
#include "compiler/test/front/tflite_builder.hpp"

namespace macrame::front {
namespace {

using Code = schema::BuiltinOperator;
using Format = schema::DimensionType;
using Ints = std::vector<std::int32_t>;
using test::TfliteBuilder;

/// A matrix of 4 x 8 in blocks of 1 x 4: values are in rows 0 and 2.
struct Matrix {
    Ints order = {0, 1, 2}, blocks = {1};
    int rows = 4, width = 4;
    Ints segments = {0, 1, 1, 2, 2}, indices = {1, 0};
    bool short_indices = false;

    flatbuffers::Offset<schema::Sparsity> in(flatbuffers::FlatBufferBuilder& f) const {
        const auto dense = [&](int size) {
            return schema::CreateDimension(f, Format::DENSE, size);
        };
        const std::vector<std::uint8_t> bytes(segments.begin(), segments.end());
        const std::vector<std::uint16_t> shorts(indices.begin(), indices.end());
        const auto first = short_indices ? schema::CreateByteIndicesDirect(f, &bytes).Union()
                                         : schema::CreateIndicesDirect(f, &segments).Union();
        const auto second = short_indices ? schema::CreateShortIndicesDirect(f, &shorts).Union()
                                          : schema::CreateIndicesDirect(f, &indices).Union();
        const auto kind =
            short_indices ? schema::IndexList::ByteIndices : schema::IndexList::Indices;
        const auto kind_of_second =
            short_indices ? schema::IndexList::ShortIndices : schema::IndexList::Indices;
        const std::vector<flatbuffers::Offset<schema::Dimension>> dimensions = {
            dense(rows),
            schema::CreateDimension(f, Format::SPARSE_CSR, 0, kind, first, kind_of_second, second),
            dense(width)};
        return schema::CreateSparsityDirect(f, &order, &blocks, &dimensions);
    }
};

/// The values 1 to 8, of `Element`, in a matrix behind `code`, times eight inputs.
template <typename Element>
std::vector<std::uint8_t> network(const Matrix& matrix, schema::TensorType type,
                                  std::vector<Element> values, const std::vector<Code>& codes) {
    TfliteBuilder b;
    const bool real = type != schema::TensorType::INT8;
    const std::vector<float> scale = real ? std::vector<float>{} : std::vector<float>{1};
    const auto float32 = schema::TensorType::FLOAT32;
    const int x = real ? b.tensor(float32, {1, 8}) : b.int8({1, 8});
    b.sparsity = matrix.in(b.fbb);
    int w = b.tensor(type, {4, 8}, scale, {}, values);
    b.sparsity = {};
    for (const Code code : codes) {
        const int from = w;
        w = b.tensor(code == Code::DEQUANTIZE ? float32 : type, {4, 8}, scale);
        b.op(code, {from}, {w});
    }
    const int y = real ? b.tensor(float32, {1, 4}) : b.int8({1, 4});
    b.op(Code::FULLY_CONNECTED, {x, w, -1}, {y}, schema::OptionsType::FULLY_CONNECTED,
         schema::CreateFullyConnectedOptions(b.fbb));
    return b.finish({x}, {y});
}

std::vector<std::uint8_t> bytes_network(const Matrix& matrix, const std::vector<Code>& codes,
                                        std::size_t count = 8) {
    std::vector<std::int8_t> values(count);
    for (std::size_t i = 0; i < count; ++i)
        values[i] = static_cast<std::int8_t>(i + 1);
    return network(matrix, schema::TensorType::INT8, values, codes);
}

/// Of inputs 1, 2, 3, ...
std::vector<std::int8_t> run(const std::vector<std::uint8_t>& file) {
    const ReadResult read = read_tflite("net", file);
    EXPECT_TRUE(read.ok()) << (read.ok() ? "" : read.errors[0]);
    if (!read.ok()) return {};
    const graph::Bytes out = graph::run(read.graph, {{1, 1, 1, 1, 2, 0, 0, 0}})[0];
    return {out.begin(), out.end()};
}

TEST(TfliteSparse, WeightsBecomeWhole) {
    // Row 0 has 1 to 4 at columns 4 to 7, row 2 has 5 to 8 at columns 0 to 3.
    const std::vector<std::int8_t> wanted = {2, 0, 26, 0};
    Matrix matrix;
    EXPECT_EQ(run(bytes_network(matrix, {})), wanted);
    EXPECT_EQ(run(bytes_network(matrix, {Code::DENSIFY})), wanted);
    matrix.short_indices = true;
    EXPECT_EQ(run(bytes_network(matrix, {Code::DENSIFY})), wanted);
}

TEST(TfliteSparse, WithoutBlocks) {
    Matrix matrix;
    matrix.order = {0, 1};
    matrix.blocks = {};
    TfliteBuilder b;
    const int x = b.int8({1, 4});
    const std::vector<flatbuffers::Offset<schema::Dimension>> dimensions = {
        schema::CreateDimension(b.fbb, Format::DENSE, 2),
        schema::CreateDimension(b.fbb, Format::SPARSE_CSR, 0, schema::IndexList::Indices,
                                schema::CreateIndicesDirect(b.fbb, &matrix.blocks).Union())};
    b.sparsity = schema::CreateSparsityDirect(b.fbb, &matrix.order, nullptr, &dimensions);
    const std::vector<std::int8_t> none = {7};
    const int w = b.tensor(schema::TensorType::INT8, {2, 4}, {1}, {}, none);
    b.sparsity = {};
    const int y = b.int8({1, 2});
    b.op(Code::FULLY_CONNECTED, {x, w, -1}, {y}, schema::OptionsType::FULLY_CONNECTED,
         schema::CreateFullyConnectedOptions(b.fbb));
    const ReadResult read = read_tflite("net", b.finish({x}, {y}));
    ASSERT_FALSE(read.ok());
    EXPECT_NE(read.errors[0].find("sparse, with 0 segments: want one more than 1"),
              std::string::npos)
        << read.errors[0];
}

TEST(TfliteSparse, Float16BehindDensify) {
    // 1, 2, 3, ... as float16.
    const std::vector<std::uint16_t> values = {0x3C00, 0x4000, 0x4200, 0x4400,
                                               0x4500, 0x4600, 0x4700, 0x4800};
    const ReadResult read = read_tflite("net", network(Matrix{}, schema::TensorType::FLOAT16,
                                                       values, {Code::DENSIFY, Code::DEQUANTIZE}));
    ASSERT_TRUE(read.ok()) << read.errors[0];
    const std::vector<float> x = {1, 1, 1, 1, 2, 0, 0, 0};
    graph::Bytes input(x.size() * sizeof(float));
    std::memcpy(input.data(), x.data(), input.size());
    const graph::Bytes out = graph::run(read.graph, {input})[0];
    std::vector<float> y(4);
    ASSERT_EQ(out.size(), y.size() * sizeof(float));
    std::memcpy(y.data(), out.data(), out.size());
    EXPECT_EQ(y, (std::vector<float>{2, 0, 26, 0}));
}

TEST(TfliteSparse, WhatDoesNotFitIsRefused) {
    const auto error_of = [](const Matrix& matrix, std::size_t count = 8) {
        const ReadResult read = read_tflite("net", bytes_network(matrix, {}, count));
        return read.ok() ? std::string() : read.errors[0];
    };
    const auto expect = [](const std::string& error, const std::string& text) {
        EXPECT_NE(error.find(text), std::string::npos) << error;
    };
    Matrix matrix;
    matrix.indices = {1, 2};
    expect(error_of(matrix), "sparse, with index 2: want 0 to 1");
    matrix = {};
    matrix.segments = {0, 2, 1, 2, 2};
    expect(error_of(matrix), "sparse, with a segment at 1: want rising ones up to 2");
    matrix = {};
    matrix.segments = {0, 1, 1};
    expect(error_of(matrix), "sparse, with 3 segments: want one more than 3");
    matrix = {};
    matrix.rows = 5;
    expect(error_of(matrix), "sparse, with 5 positions along an axis of 4: want as many");
    matrix = {};
    matrix.width = 3;
    expect(error_of(matrix), "sparse, with blocks of 3 along axis 1: want parts of it");
    matrix = {};
    matrix.order = {0, 1, 1};
    expect(error_of(matrix), "sparse, with axis 1 in its order: want each of 3 once");
    matrix = {};
    matrix.order = {0, 1};
    expect(error_of(matrix), "sparse, with other than 3 axes");
    expect(error_of(Matrix{}, 7), "sparse, with 7 values: want one for each index");
}

}  // namespace
}  // namespace macrame::front
