/// What becomes of TFLite files, and the messages about those that are refused.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstring>
#include <fstream>
#include <stdexcept>

#include "compiler/front/front.hpp"
#include "compiler/graph/reference.hpp"
#include "compiler/test/front/tflite_builder.hpp"
#include "compiler/test/graph/graph_builder.hpp"

namespace macrame::front {
namespace {

using test::TfliteBuilder;
using Code = schema::BuiltinOperator;
using Options = schema::OptionsType;
using Ints = std::vector<std::int8_t>;

/// The graph of a file without errors.
graph::Graph good(const std::vector<std::uint8_t>& file) {
    ReadResult result = read_tflite("net", file);
    EXPECT_TRUE(result.ok()) << (result.ok() ? "" : result.errors[0]);
    return result.graph;
}

/// The first error.
std::string bad(const std::vector<std::uint8_t>& file) {
    const ReadResult result = read_tflite("net", file);
    EXPECT_TRUE(result.graph.nodes.empty());
    return result.ok() ? "" : result.errors[0];
}

std::vector<std::int8_t> run(const graph::Graph& graph, const Ints& input) {
    const graph::Bytes out = graph::run(graph, {graph::Bytes(input.begin(), input.end())})[0];
    return {out.begin(), out.end()};
}

TEST(Tflite, NetworkWithAComputedShape) {
    const graph::Graph g = good(test::small_network());
    ASSERT_EQ(g.nodes.size(), 6U);
    EXPECT_EQ(g.name, "net");
    EXPECT_EQ(g.rounding, graph::Rounding::tflite);
    EXPECT_EQ(g.nodes[3].where, "operator 6 (RESHAPE), tensor t14");
    const auto& conv = std::get<graph::Conv>(g.nodes[0].op);
    EXPECT_EQ(conv.groups, 1);
    EXPECT_EQ(conv.activation, graph::Activation::relu);
    // SAME, 6 to 3: one row below, one column on the right.
    EXPECT_EQ((std::vector<int>{conv.window.top, conv.window.bottom, conv.window.left,
                                conv.window.right, conv.window.stride_h, conv.window.kernel_w}),
              (std::vector<int>{0, 1, 0, 1, 2, 3}));
    const graph::Tensor& weights = g.tensor(g.nodes[0].inputs[1]);
    EXPECT_EQ(weights.shape, (std::vector<int>{4, 3, 3, 2}));
    EXPECT_EQ(weights.quantisation.scale.size(), 4U);
    EXPECT_TRUE(std::holds_alternative<graph::Softmax>(g.nodes[5].op));
    // No tensor but those of the six nodes: 6 outputs, 1 input, 4 weights and biases.
    EXPECT_EQ(g.tensors.size(), 11U);
}

TEST(Tflite, DepthwiseBecomesAConvolutionWithGroups) {
    const graph::Graph g = good(test::small_network());
    const auto& conv = std::get<graph::Conv>(g.nodes[1].op);
    EXPECT_EQ(conv.groups, 4);
    EXPECT_EQ(conv.window.top, 1);
    EXPECT_EQ(g.nodes[1].inputs[2], graph::kNone);
    const graph::Tensor& weights = g.tensor(g.nodes[1].inputs[1]);
    EXPECT_EQ(weights.shape, (std::vector<int>{4, 3, 3, 1}));
    EXPECT_EQ(weights.quantisation.axis, 0);
    // The file has [1, 3, 3, 4] with i * 37 % 251 - 125.
    for (int k = 0; k < 4; ++k)
        for (int tap = 0; tap < 9; ++tap)
            EXPECT_EQ(static_cast<std::int8_t>(weights.data[static_cast<std::size_t>(k * 9 + tap)]),
                      (tap * 4 + k) * 37 % 251 - 125);
}

TEST(Tflite, StridedSliceOfActivations) {
    TfliteBuilder b;
    const int x = b.int8({2, 5}), y = b.int8({3});
    const int begin = b.int32({1, -1}), end = b.int32({0, 0}), stride = b.int32({1, -2});
    b.op(Code::STRIDED_SLICE, {x, begin, end, stride}, {y}, Options::STRIDED_SLICE,
         schema::CreateStridedSliceOptions(b.fbb, 0, 2, 0, 0, 1));
    EXPECT_EQ(run(good(b.finish({x}, {y})), {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}), (Ints{9, 7, 5}));
}

TEST(Tflite, SlopesOfAllOrOfEachChannel) {
    const auto prelu = [](const std::vector<std::int32_t>& shape,
                          const std::vector<std::int8_t>& slopes) {
        TfliteBuilder b;
        const int x = b.int8({1, 2, 1, 2}), y = b.int8({1, 2, 1, 2});
        b.op(Code::PRELU, {x, b.tensor(schema::TensorType::INT8, shape, {1}, {0}, slopes)}, {y});
        return b.finish({x}, {y});
    };
    const Ints x{-1, -2, 3, -4};
    EXPECT_EQ(run(good(prelu({1, 1, 2}, {2, 3})), x), (Ints{-2, -6, 3, -12}));
    EXPECT_EQ(run(good(prelu({2}, {2, 3})), x), (Ints{-2, -6, 3, -12}));
    EXPECT_EQ(run(good(prelu({1, 1, 1}, {3})), x), (Ints{-3, -6, 3, -12}));
    EXPECT_EQ(run(good(prelu({}, {3})), x), (Ints{-3, -6, 3, -12}));
    // Of the rows, of which there are as many as channels.
    EXPECT_NE(bad(prelu({2, 1, 1}, {2, 3})).find("slopes of shape 2x1x1 for 1x2x1x2"),
              std::string::npos);
}

TEST(Tflite, GeluOfInt8IsWhatTheFileSays) {
    const auto gelu = [](bool approximate) {
        TfliteBuilder b;
        const int x = b.int8({1, 1}, 0.061F), y = b.int8({1, 1}, 0.0066F);
        b.op(Code::GELU, {x}, {y}, Options::GELU, schema::CreateGeluOptions(b.fbb, approximate));
        return run(good(b.finish({x}, {y})), Ints{-50});
    };
    // -0.53, by the approximation -0.47.
    EXPECT_EQ(gelu(false), (Ints{-1}));
    EXPECT_EQ(gelu(true), (Ints{0}));
    EXPECT_EQ(static_cast<int>(Options::GELU), 116) << "BuiltinOptions of TFLite's schema";
}

TEST(Tflite, LayoutOperators) {
    TfliteBuilder b;
    const int x = b.int8({1, 2, 3}, 1, 9),
              axis = b.tensor<std::int32_t>(schema::TensorType::INT32, {}, {}, {}, {-1});
    const int first = b.int8({1, 2, 1}, 1, 9), rest = b.int8({1, 2, 2}, 1, 9);
    const int sizes = b.int32({1, 2});
    b.op(Code::SPLIT_V, {x, sizes, axis}, {first, rest});
    const int turned = b.int8({2, 1, 2}, 1, 9), order = b.int32({1, 0, 2});
    b.op(Code::TRANSPOSE, {rest, order}, {turned});
    const int top = b.int8({1, 2}, 1, 9), bottom = b.int8({1, 2}, 1, 9);
    b.op(Code::UNPACK, {turned}, {top, bottom}, Options::UNPACK,
         schema::CreateUnpackOptions(b.fbb, 2, 0));
    const int pair = b.int8({1, 4}, 1, 9);
    b.op(Code::CONCATENATION, {bottom, top}, {pair}, Options::CONCATENATION,
         schema::CreateConcatenationOptions(b.fbb, -1));
    const int padded = b.int8({1, 6}, 1, 9);
    const int amounts =
        b.tensor<std::int32_t>(schema::TensorType::INT32, {2, 2}, {}, {}, {0, 0, 1, 1});
    b.op(Code::PAD, {pair, amounts}, {padded});
    const int y = b.int8({1, 3}, 1, 9), from = b.int32({0, 1}), count = b.int32({1, 3});
    b.op(Code::SLICE, {padded, from, count}, {y});
    const graph::Graph g = good(b.finish({x}, {padded, y}));
    const auto out = graph::run(g, {{1, 2, 3, 4, 5, 6}});
    EXPECT_EQ(out[0], (graph::Bytes{9, 5, 6, 2, 3, 9}));
    EXPECT_EQ(out[1], (graph::Bytes{5, 6, 2}));
}

TEST(Tflite, BlocksOfPixelsAndChannels) {
    TfliteBuilder b;
    const int x = b.int8({1, 1, 2, 8}), y = b.int8({1, 2, 4, 2}), z = b.int8({1, 1, 2, 8});
    b.op(Code::DEPTH_TO_SPACE, {x}, {y}, Options::DEPTH_TO_SPACE,
         schema::CreateBlockOptions(b.fbb, 2));
    b.op(Code::SPACE_TO_DEPTH, {y}, {z}, Options::SPACE_TO_DEPTH,
         schema::CreateBlockOptions(b.fbb, 2));
    const graph::Graph g = good(b.finish({x}, {y, z}));
    const graph::Bytes in = {0, 1, 2, 3, 4, 5, 6, 7, 10, 11, 12, 13, 14, 15, 16, 17};
    const auto out = graph::run(g, {in});
    EXPECT_EQ(out[0], (graph::Bytes{0, 1, 2, 3, 10, 11, 12, 13, 4, 5, 6, 7, 14, 15, 16, 17}));
    EXPECT_EQ(out[1], in);
}

TEST(Tflite, BlocksThatDoNotDivide) {
    TfliteBuilder b;
    const int x = b.int8({1, 3, 2, 1}), y = b.int8({1, 1, 1, 4});
    b.op(Code::SPACE_TO_DEPTH, {x}, {y}, Options::SPACE_TO_DEPTH,
         schema::CreateBlockOptions(b.fbb, 2));
    EXPECT_EQ(bad(b.finish({x}, {y})),
              "net: operator 0 (SPACE_TO_DEPTH), tensor t1: 1x3x2x1 becomes 1x1x1x4 with blocks of "
              "2: want pictures whose sides and channels they divide");
}

TEST(Tflite, OperatorsOnConstantsAreGoneAfterReading) {
    TfliteBuilder b;
    const auto f32 = schema::TensorType::FLOAT32;
    const int x = b.tensor(f32, {1, 2}), y = b.tensor(f32, {1, 1});
    const int packed =
        b.tensor<std::int8_t>(schema::TensorType::INT8, {1, 2}, {0.5F}, {1}, {3, -3});
    const int weights = b.tensor(f32, {1, 2});
    b.op(Code::DEQUANTIZE, {packed}, {weights});
    b.op(Code::FULLY_CONNECTED, {x, weights}, {y}, Options::FULLY_CONNECTED,
         schema::CreateFullyConnectedOptions(b.fbb));
    const graph::Graph g = good(b.finish({x}, {y}));
    ASSERT_EQ(g.nodes.size(), 1U);
    const std::vector<float> values = {1, -2};
    EXPECT_EQ(g.tensor(g.nodes[0].inputs[1]).data,
              graph::Bytes(reinterpret_cast<const std::uint8_t*>(values.data()),
                           reinterpret_cast<const std::uint8_t*>(values.data() + 2)));
}

/// One operator from an int8 tensor 1x4x4x2 to another.
std::vector<std::uint8_t> single(Code code, int inputs = 1) {
    TfliteBuilder b;
    const int x = b.int8({1, 4, 4, 2}), y = b.int8({1, 4, 4, 2});
    b.custom_code = "Magic";
    b.op(code, std::vector<std::int32_t>(static_cast<std::size_t>(inputs), x), {y});
    return b.finish({x}, {y});
}

TEST(TfliteErrors, OperatorsThatAreNotSupported) {
    EXPECT_EQ(bad(single(Code::LSTM)),
              "net: operator 0 (LSTM), tensor t1: t0 has type int8: want float32, with weights of "
              "float32 or int8, as its kernels do (UNIDIRECTIONAL_SEQUENCE_LSTM is read in int8, "
              "too)");
    EXPECT_EQ(bad(single(Code::UNIQUE)),
              "net: operator 0 (UNIQUE), tensor t1: as many results as the values say: want the "
              "network to end in front of it, and your program to do it");
    EXPECT_EQ(bad(single(Code::CUSTOM)).rfind("net: operator 0 (CUSTOM Magic), tensor t1: ", 0),
              0U);
    EXPECT_EQ(bad(single(static_cast<Code>(5000))).rfind("net: operator 0 (code 5000), ", 0), 0U);
}

TEST(Tflite, TransposedConvolutionOfMediaPipe) {
    const auto run = [](const std::vector<std::int32_t>& options) {
        TfliteBuilder b;
        using Type = schema::TensorType;
        const int x = b.tensor(Type::FLOAT32, {1, 1, 2, 1});
        const int w = b.tensor<float>(Type::FLOAT32, {1, 1, 3, 1}, {}, {}, {1, 2, 3});
        const int bias = b.tensor<float>(Type::FLOAT32, {1}, {}, {}, {0.5F});
        const int y = b.tensor(Type::FLOAT32, {1, 1, 4, 1});
        b.custom_code = "Convolution2DTransposeBias";
        b.custom_options.resize(options.size() * sizeof(std::int32_t));
        std::memcpy(b.custom_options.data(), options.data(), b.custom_options.size());
        b.op(Code::CUSTOM, {x, w, bias}, {y});
        const ReadResult read = read_tflite("net", b.finish({x}, {y}));
        if (!read.ok()) throw std::runtime_error(read.errors[0]);
        const std::vector<float> values = {1, 10};
        return graph::test::values_of<float>(
            graph::run(read.graph, {graph::test::bytes_of(values)})[0]);
    };
    EXPECT_EQ(run({1, 2, 1}), (std::vector<float>{1.5F, 2.5F, 13.5F, 20.5F}));
    EXPECT_EQ(run({2, 2, 1}), (std::vector<float>{1.5F, 2.5F, 13.5F, 20.5F, 30.5F}));
    EXPECT_THROW(run({0, 2, 1}), std::runtime_error);
    EXPECT_THROW(run({1, 2}), std::runtime_error);
    EXPECT_THROW(run({1, 0, 1}), std::runtime_error);
}

TEST(TfliteErrors, OptionsAndInputs) {
    EXPECT_EQ(
        bad(single(Code::CONV_2D)),
        "net: operator 0 (CONV_2D), tensor t1: options of another operator, or none: want its "
        "own");
    EXPECT_EQ(bad(single(Code::RELU, 0)),
              "net: operator 0 (RELU), tensor t1: input 0 is left out: want it");
    EXPECT_EQ(bad(single(Code::TRANSPOSE, 2)),
              "net: operator 0 (TRANSPOSE), tensor t1: t0 is computed: want a constant");
    TfliteBuilder b;
    const int x = b.int8({1, 4, 4, 2}), y = b.int8({1, 2, 2, 2});
    b.op(Code::MAX_POOL_2D, {x}, {y}, Options::POOL_2D,
         schema::CreatePool2DOptions(b.fbb, schema::Padding::VALID, 0, 2, 2, 2));
    EXPECT_EQ(bad(b.finish({x}, {y})),
              "net: operator 0 (MAX_POOL_2D), tensor t1: stride_w 0: want at least 1");
}

TEST(TfliteErrors, ReadersOfNothingAndCycles) {
    TfliteBuilder b;
    const int x = b.int8({4}), y = b.int8({4}), z = b.int8({4});
    b.op(Code::RELU, {z}, {y});
    b.op(Code::RELU, {y}, {z});
    EXPECT_EQ(bad(b.finish({x}, {z})),
              "net: operator 0 (RELU), tensor t1: reads tensor 2 (t2), which nothing before it "
              "writes: want nodes in order");
    TfliteBuilder twice;
    const int p = twice.int8({4}), q = twice.int8({4});
    twice.op(Code::RELU, {p}, {q});
    twice.op(Code::RELU, {q}, {q});
    EXPECT_EQ(
        bad(twice.finish({p}, {q})),
        "net: operator 1 (RELU), tensor t1: writes tensor 1 (t1), which has a value: want one "
        "writer");
}

TEST(TfliteErrors, EachOperatorHasItsOwn) {
    TfliteBuilder b;
    const int x = b.int8({4}), y = b.int8({4}), z = b.int8({4});
    b.op(Code::LSTM, {x}, {y});
    b.op(Code::SVDF, {y}, {z});
    EXPECT_EQ(read_tflite("net", b.finish({x}, {z})).errors.size(), 2U);
}

TEST(TfliteErrors, Tensors) {
    const auto one = [](schema::TensorType type, const std::vector<std::int32_t>& shape,
                        const std::vector<std::int64_t>& zero = {0}, bool variable = false) {
        TfliteBuilder b;
        b.variable = variable;
        const int x = b.tensor(type, shape, {1}, zero), y = b.int8({4});
        b.op(Code::RELU, {x}, {y});
        return bad(b.finish({x}, {y}));
    };
    const std::string at = "net: inputs and outputs: tensor 0 (t0): ";
    using Type = schema::TensorType;
    EXPECT_EQ(one(Type::FLOAT16, {4}), at + "float16 that is computed: want constants of it alone");
    EXPECT_EQ(one(Type::INT8, {-1, 4}), at + "shape -1x4: want every size at least 1");
    EXPECT_EQ(one(Type::INT8, {1 << 16, 1 << 16}),
              at + "shape 65536x65536 of int8: want at most 1073741824 bytes");
    EXPECT_EQ(one(Type::INT8, {4}, {1LL << 40}), at + "zero point 1099511627776: want 32 bits");
    EXPECT_EQ(one(Type::INT8, {4}, {1, 2}), at + "1 scales and 2 zero points: want as many");
    EXPECT_EQ(one(Type::INT8, {4}, {0}, true),
              "net: operator 0 (RELU), tensor t1: tensor 0 (t0): a variable: want a recurrent "
              "operator or SVDF that keeps it");
    EXPECT_EQ(one(Type::INT8, std::vector<std::int32_t>(9, 1)), at + "9 axes: want at most 8");
    TfliteBuilder b;
    const int x = b.int8({4});
    EXPECT_EQ(bad(b.finish({x}, {5})), "net: inputs and outputs: tensor 5: want one of 1");
}

TEST(TfliteErrors, Files) {
    EXPECT_EQ(bad({}), "net: 0 bytes: want 8 to 1073741824");
    EXPECT_EQ(bad(std::vector<std::uint8_t>(100)),
              "net: damaged or no TFLite file: want a complete one");
    TfliteBuilder old, none;
    old.version = 2;
    EXPECT_EQ(bad(old.finish({}, {})), "net: version 2 of the format: want 3");
    none.copies = 0;
    EXPECT_EQ(bad(none.finish({}, {})), "net: no subgraph: want at least 1");
}

/// One operator whose weights lie at `offset` of the file, behind the flatbuffer.
std::vector<std::uint8_t> data_behind(std::uint64_t offset, std::uint64_t size) {
    TfliteBuilder b;
    const int x = b.int8({1, 2}), y = b.int8({1, 2});
    b.behind = {offset, size};
    const int w = b.tensor<std::int8_t>(schema::TensorType::INT8, {2, 2}, {1}, {0}, {1, 2, 3, 4});
    b.op(Code::FULLY_CONNECTED, {x, w}, {y}, Options::FULLY_CONNECTED,
         schema::CreateFullyConnectedOptions(b.fbb));
    return b.finish({x}, {y});
}

TEST(Tflite, DataBehindTheFlatbuffer) {
    // The place is as wide as any other.
    const std::size_t size = data_behind(1 << 20, 4).size();
    std::vector<std::uint8_t> file = data_behind(size, 4);
    ASSERT_EQ(file.size(), size);
    EXPECT_EQ(bad(file),
              "net: operator 0 (FULLY_CONNECTED), tensor t1: tensor 2 (t2): 4 bytes of "
              "data at byte " +
                  std::to_string(size) + ": want them within the " + std::to_string(size) +
                  " of the file");
    for (std::uint8_t value = 1; value <= 4; ++value)
        file.push_back(value);
    EXPECT_EQ(run(good(file), {10, 1}), (Ints{12, 34}));
}

TEST(Tflite, MoreThanTheReferenceReads) {
    const auto file = [](std::uint8_t details, const std::vector<std::int8_t>& data) {
        TfliteBuilder b;
        const int x = b.int8({1, 2}), y = b.int8({1, 2});
        b.details = details;
        const int w = b.tensor<std::int8_t>(schema::TensorType::INT8, {2, 2}, {1}, {0}, data);
        b.op(Code::FULLY_CONNECTED, {x, w}, {y}, Options::FULLY_CONNECTED,
             schema::CreateFullyConnectedOptions(b.fbb));
        return b.finish({x}, {y});
    };
    // Data that are aligned at their end, details of a tool's own.
    EXPECT_EQ(run(good(file(1, {1, 2, 3, 4, 9, 9})), {10, 1}), (Ints{12, 34}));
    const std::string at = "net: operator 0 (FULLY_CONNECTED), tensor t1: tensor 2 (t2): ";
    EXPECT_EQ(bad(file(2, {1, 2, 3, 4})), at + "scales of blocks: want those of channels");
    EXPECT_EQ(bad(file(0, {1, 2, 3})), at + "3 bytes of data: want 4 for shape 2x2 of int8");
}

TEST(Tflite, ScalesOfVectorsHaveTheirOnlyAxis) {
    TfliteBuilder b;
    const int x = b.int8({1, 1, 1, 2}), y = b.int8({1, 1, 1, 2});
    const int w =
        b.tensor<std::int8_t>(schema::TensorType::INT8, {1, 1, 1, 2}, {1, 1}, {0, 0}, {1, 2}, 3);
    // As converters write it beside depthwise weights; a zero point that nothing reads.
    const int bias =
        b.tensor<std::int32_t>(schema::TensorType::INT32, {2}, {1, 1}, {7, 7}, {5, 6}, 3);
    b.op(Code::DEPTHWISE_CONV_2D, {x, w, bias}, {y}, Options::DEPTHWISE_CONV_2D,
         schema::CreateDepthwiseConv2DOptions(b.fbb, schema::Padding::VALID, 1, 1, 1));
    EXPECT_EQ(run(good(b.finish({x}, {y})), {10, 20}), (Ints{15, 46}));
}

TEST(Tflite, OnlyWhatIsReadHasToBeKnown) {
    TfliteBuilder b;
    const int x = b.int8({4}), y = b.int8({4}), z = b.int8({4}),
              text = b.tensor(schema::TensorType::STRING, {1});
    b.op(Code::FLOOR, {text}, {z});
    b.op(Code::RELU, {x}, {y});
    EXPECT_EQ(run(good(b.finish({x}, {y})), {1, -1, 2, -2}), (Ints{1, 0, 2, 0}));
    // What may do more than write its outputs is not left out.
    TfliteBuilder other;
    const int in = other.int8({4}), out = other.int8({4}), unread = other.int8({4});
    other.op(Code::WHILE, {in}, {unread});
    other.op(Code::RELU, {in}, {out});
    EXPECT_EQ(bad(other.finish({in}, {out})).substr(0, 55),
              "net: operator 0 (WHILE), tensor t2: options of another ");
}

TEST(Tflite, OthersThanTheFirstSubgraph) {
    TfliteBuilder b;
    b.copies = 2;
    const int x = b.int8({2}), y = b.int8({2});
    b.op(Code::RELU, {x}, {y});
    EXPECT_EQ(run(good(b.finish({x}, {y})), {1, -1}), (Ints{1, 0}));
}

TEST(Tflite, OptionsThatTheReferenceDoesWithout) {
    TfliteBuilder b;
    const int x = b.int8({2}), y = b.int8({2}), z = b.int8({2});
    b.op(Code::ADD, {x, x}, {y});
    b.op(Code::SUB, {y, x}, {z});
    EXPECT_EQ(run(good(b.finish({x}, {z})), {3, -9}), (Ints{3, -9}));
}

TEST(Read, KnowsTheKindOfFileByItsContents) {
    const std::string path = testing::TempDir() + "macrame_front_test.bin";
    const auto error_of = [&](const std::vector<std::uint8_t>& bytes) {
        std::ofstream(path, std::ios::binary)
            .write(reinterpret_cast<const char*>(bytes.data()),
                   static_cast<std::streamsize>(bytes.size()));
        const ReadResult result = read(path);
        return result.ok() ? "" : result.errors[0];
    };
    EXPECT_EQ(error_of(test::small_network()), "");
    EXPECT_EQ(error_of({0x08, 0x07, 0x12}),
              path + ": damaged or no ONNX file: want a complete one");
    EXPECT_EQ(error_of({'P', 'K'}), path + ": an unknown kind of file: want TFLite or ONNX");
    std::remove(path.c_str());
    EXPECT_EQ(read(path).errors[0], path + ": cannot be read: want a network file");
    EXPECT_EQ(read(testing::TempDir()).errors[0],
              testing::TempDir() + ": cannot be read: want a network file");
}

}  // namespace
}  // namespace macrame::front
