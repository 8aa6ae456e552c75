/// Damaged ONNX files: an error or a graph that can be used, never more.
#include <gtest/gtest.h>

#include <chrono>
#include <random>

#include "compiler/test/front/onnx_builder.hpp"

namespace macrame::front {
namespace {

using test::Ints;
using test::OnnxBuilder;
using File = std::vector<std::uint8_t>;

/// Reads and, where that works out, runs the graph if it is small.
bool survive(const File& file) {
    const ReadResult result = read_onnx("damaged", file);
    for (const std::string& error : result.errors) {
        EXPECT_EQ(error.rfind("damaged: ", 0), 0U);
        EXPECT_LT(error.size(), 4000U);
    }
    if (!result.ok()) return false;
    EXPECT_TRUE(graph::check(result.graph).empty());
    std::size_t work = 0;
    for (const graph::Tensor& tensor : result.graph.tensors)
        work += tensor.bytes();
    if (work > 1 << 20) return true;
    std::vector<graph::Bytes> inputs;
    for (const graph::TensorId id : result.graph.inputs)
        inputs.emplace_back(result.graph.tensor(id).bytes(), std::uint8_t{0});
    try {
        graph::run(result.graph, inputs);
    } catch (const std::invalid_argument&) {
        // An operator without exact arithmetic.
    }
    return true;
}

/// Some of everything.
OnnxBuilder network() {
    OnnxBuilder b;
    std::string x = b.pair(b.input({1, 2, 6, 5}), 0.5F, -3);
    const std::string w = b.dequantised(
        b.constant<std::int8_t>(OnnxBuilder::kInt8, {3, 2, 3, 3}, std::vector<std::int8_t>(54, 5)),
        0.25F, 0);
    x = b.pair(b.op("Relu", {b.op("Conv", {x, w}, {{"pads", Ints{1, 1, 1, 1}}})}), 2, -3);
    x = b.op("MaxPool", {x}, {{"kernel_shape", Ints{2, 2}}, {"strides", Ints{2, 2}}});
    x = b.pair(b.op("Add", {x, x}), 4, 1);
    x = b.op("Slice", {x, b.integers({0}), b.integers({2}), b.integers({2})});
    x = b.op("Resize", {x, "", b.real({4}, {1, 1, 2, 2})});
    x = b.op("Reshape", {x, b.integers({1, -1})});
    x = b.op("Gemm", {x, b.real({48, 3}, std::vector<float>(144, 0.5F))});
    b.output(b.op("Softmax", {x}));
    return b;
}

TEST(OnnxMalformed, TruncatedFile) {
    const File file = network().bytes();
    ASSERT_TRUE(survive(file)) << network().errors();
    for (std::size_t size = 0; size < file.size(); size += 7)
        EXPECT_FALSE(survive({file.begin(), file.begin() + static_cast<std::ptrdiff_t>(size)}))
            << size;
}

TEST(OnnxMalformed, FlippedBits) {
    const File file = network().bytes();
    std::mt19937 random(1);
    int refused = 0;
    for (int i = 0; i < 4000; ++i) {
        File copy = file;
        for (unsigned bits = 1 + random() % 4; bits > 0; --bits)
            copy[random() % copy.size()] ^= static_cast<std::uint8_t>(1U << random() % 8);
        refused += survive(copy) ? 0 : 1;
    }
    EXPECT_GT(refused, 1000);
    EXPECT_LT(refused, 4000);
}

TEST(OnnxMalformed, RandomBytes) {
    std::mt19937 random(2);
    for (int i = 0; i < 500; ++i) {
        File file(random() % 400);
        for (std::uint8_t& byte : file)
            byte = static_cast<std::uint8_t>(random());
        EXPECT_FALSE(survive(file));
    }
}

TEST(OnnxMalformed, NumbersOfAnySize) {
    // Each whole number of the file becomes a strange one.
    const OnnxBuilder whole = network();
    const std::int64_t strange[] = {0,
                                    -1,
                                    1 << 20,
                                    1 << 30,
                                    std::int64_t{1} << 40,
                                    std::numeric_limits<std::int64_t>::min(),
                                    std::numeric_limits<std::int64_t>::max()};
    for (const std::int64_t value : strange) {
        for (int n = 0; n < whole.model.graph().node_size(); ++n) {
            OnnxBuilder b = network();
            for (auto& attribute : *b.graph().mutable_node(n)->mutable_attribute()) {
                for (int i = 0; i < attribute.ints_size(); ++i)
                    attribute.set_ints(i, value);
                attribute.set_i(value);
            }
            survive(b.bytes());
        }
        for (int n = 0; n < whole.model.graph().initializer_size(); ++n) {
            OnnxBuilder b = network();
            onnx_schema::Tensor& tensor = *b.graph().mutable_initializer(n);
            for (int i = 0; i < tensor.dims_size(); ++i)
                tensor.set_dims(i, value);
            survive(b.bytes());
            if (tensor.data_type() != OnnxBuilder::kInt64) continue;
            b = network();
            std::string raw(reinterpret_cast<const char*>(&value), sizeof(value));
            while (raw.size() < b.graph().initializer(n).raw_data().size())
                raw += raw;
            b.graph().mutable_initializer(n)->set_raw_data(raw);
            survive(b.bytes());
        }
        OnnxBuilder b = network();
        b.graph()
            .mutable_input(0)
            ->mutable_type()
            ->mutable_tensor_type()
            ->mutable_shape()
            ->mutable_dim(2)
            ->set_dim_value(value);
        survive(b.bytes());
    }
}

TEST(OnnxMalformed, ClaimsOfGigabytes) {
    OnnxBuilder b;
    const std::string x = b.op("ConstantOfShape", {b.integers({1 << 14, 1 << 14})});
    b.output(b.op("Add", {b.input({1}), x}));
    EXPECT_NE(b.errors().find("want data that are used once"), std::string::npos) << b.errors();
    OnnxBuilder wide;
    wide.output(wide.op("Relu", {wide.input({1 << 16, 1 << 16})}));
    EXPECT_NE(wide.errors().find("want at most 1073741824 bytes"), std::string::npos);
    // One constant, dequantised many times.
    OnnxBuilder many;
    const std::string c = many.constant<std::int8_t>(OnnxBuilder::kInt8, {1 << 20},
                                                     std::vector<std::int8_t>(1 << 20, 1));
    std::string y = many.input({1});
    for (int i = 0; i < 100; ++i)
        y = many.op("Add", {y, many.dequantised(c, 1, 0)});
    many.output(y);
    EXPECT_NE(many.errors().find("want data that are used once"), std::string::npos);
}

TEST(OnnxMalformed, DeepNetworks) {
    OnnxBuilder b;
    std::string x = b.input({1, 4}, OnnxBuilder::kInt8);
    for (int i = 0; i < 20000; ++i)
        x = b.op("Reshape", {x, i == 0 ? b.integers({4, 1}) : i % 2 == 0 ? "c1" : "c2"});
    b.integers({1, 4});
    b.output(b.dequantised(x, 0.5F, 0));
    // The last constant is c2: all are there before the first operator.
    const auto start = std::chrono::steady_clock::now();
    EXPECT_EQ(b.errors(), "");
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
}

}  // namespace
}  // namespace macrame::front
