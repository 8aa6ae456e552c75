/// What operators become, beside their values.

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "compiler/graph/check.hpp"
#include "compiler/tcu/strides.hpp"
#include "compiler/test/graph/graph_builder.hpp"
#include "compiler/test/tcu/follow.hpp"
#include "compiler/test/tcu/random_graph.hpp"

namespace macrame::tcu::compiler::test {

namespace {

using graph::TensorId;
using graph::Type;
using graph::test::Builder;

std::vector<float> reals(std::size_t count, unsigned seed, float size = 1) {
    std::mt19937 random(seed);
    std::vector<float> values(count);
    for (float& value : values)
        value = size * (static_cast<float>(random() % 2001) / 1000.0F - 1);
    return values;
}

/// Compiled for wide numbers; the values are those of the reference.
CompiledTcu follow(const graph::Graph& graph, const std::vector<Strategy>& all = strategies()) {
    EXPECT_EQ(graph::check(graph), std::vector<std::string>{});
    const std::vector<graph::Bytes> inputs = random_inputs(graph, 1);
    CompiledTcu made;
    for (const Strategy& strategy : all) {
        TcuOptions target;
        target.strategy = strategy;
        Architecture architecture = artya7100t(DataType::fp32bp16);
        architecture.local_depth = 32768;
        made = compile(graph, architecture, target);
        EXPECT_EQ(made.compiled.errors, std::vector<std::string>{});
        if (!made.compiled.ok()) return made;
        expect_near_reference(graph, made, inputs);
    }
    return made;
}

graph::Graph fully_connected(const std::vector<int>& input, int inputs, int outputs) {
    Builder b;
    const TensorId x = b.input(Type::float32, input);
    const TensorId flat = b.tensor(Type::float32, {1, inputs});
    b.node(graph::Reshape{}, {x}, {flat});
    const auto count = static_cast<std::size_t>(inputs) * static_cast<std::size_t>(outputs);
    const TensorId weights = b.constant(Type::float32, {outputs, inputs}, reals(count, 1));
    const TensorId bias =
        b.constant(Type::float32, {outputs}, reals(static_cast<std::size_t>(outputs), 2));
    const TensorId y = b.output(Type::float32, {1, outputs});
    b.node(graph::FullyConnected{graph::Activation::relu}, {flat, weights, bias}, {y});
    return b.graph;
}

std::size_t count(const CompiledTcu& made, int opcode) {
    std::size_t n = 0;
    for (std::size_t i = 0; i < made.program.instructions.size(); ++i)
        n += made.program.instructions[i].is(opcode) ? 1 : 0;
    return n;
}

TEST(TcuLowering, WeightsOfManyOutputsStreamThroughInputs) {
    // 3 x 4 pixels of 16 channels: elements of a vector are those of a block of channels. Directly
    // it would be 24 * 8 sets.
    const CompiledTcu made = follow(fully_connected({1, 3, 4, 16}, 192, 60));
    ASSERT_EQ(made.compiled.layers.size(), 3U);
    EXPECT_EQ(made.compiled.layers[1].macs, 192U * 60U);
    EXPECT_EQ(made.compiled.layers[0].macs + made.compiled.layers[2].macs, 0U);
    // Of few outputs the sets are less than what it takes to spread the inputs.
    EXPECT_EQ(follow(fully_connected({1, 3, 4, 16}, 192, 12)).compiled.layers.size(), 1U);
}

TEST(TcuLowering, ConstantFactorsAndOffsetsInARowAreOneLayer) {
    Builder b;
    TensorId x = b.input(Type::float32, {1, 4, 5, 12});
    const auto append = [&](graph::Arithmetic function, const std::vector<float>& numbers,
                            bool constant_first, bool last) {
        const auto size = static_cast<int>(numbers.size());
        const TensorId c = b.constant(Type::float32, {size}, numbers);
        const TensorId y =
            last ? b.output(Type::float32, {1, 4, 5, 12}) : b.tensor(Type::float32, {1, 4, 5, 12});
        const auto activation = last ? graph::Activation::relu : graph::Activation::none;
        b.node(graph::Binary{function, activation},
               constant_first ? std::vector<TensorId>{c, x} : std::vector<TensorId>{x, c}, {y});
        x = y;
    };
    append(graph::Arithmetic::mul, reals(12, 1), false, false);
    append(graph::Arithmetic::sub, reals(12, 2), true, false);
    append(graph::Arithmetic::sub, {0.5F}, false, false);
    append(graph::Arithmetic::mul, {-1.5F}, true, false);
    append(graph::Arithmetic::add, reals(12, 3), false, true);
    EXPECT_EQ(follow(b.graph).compiled.layers.size(), 1U);
}

TEST(TcuLowering, OutputsThatAreViewsOfInputsTakeNoLayer) {
    Builder slice;
    const TensorId x = slice.input(Type::float32, {1, 5, 4, 8});
    slice.node(graph::Slice{{0, 1, 2, 0}, {1, 2, 1, 1}}, {x},
               {slice.output(Type::float32, {1, 2, 2, 8})});
    EXPECT_EQ(follow(slice.graph).compiled.layers.size(), 0U);
    Builder resize;
    const TensorId small = resize.input(Type::float32, {1, 3, 2, 16});
    graph::Resize nearest;
    nearest.function = graph::Resampling::nearest;
    resize.node(nearest, {small}, {resize.output(Type::float32, {1, 6, 4, 16})});
    EXPECT_EQ(follow(resize.graph).compiled.layers.size(), 0U);
}

TEST(TcuLowering, ResizedPicturesOfOneChannelShareVectors) {
    Builder b;
    const TensorId x = b.input(Type::float32, {1, 31, 33, 1});
    const TensorId small = b.tensor(Type::float32, {1, 8, 8, 1});
    const TensorId scaled = b.tensor(Type::float32, {1, 8, 8, 1});
    graph::Resize resize;
    resize.function = graph::Resampling::bilinear;
    resize.half_pixel_centers = true;
    b.node(resize, {x}, {small});
    b.node(graph::Binary{graph::Arithmetic::mul},
           {small, b.constant(Type::float32, {1}, std::vector<float>{0.75F})}, {scaled});
    graph::Conv conv;
    conv.window.kernel_h = conv.window.kernel_w = 3;
    const TensorId weights = b.constant(Type::float32, {16, 3, 3, 1}, reals(144, 1));
    const TensorId y = b.output(Type::float32, {1, 6, 6, 16});
    b.node(conv, {scaled, weights, graph::kNone}, {y});
    const CompiledTcu made = follow(b.graph);
    // Lines, columns with the factor, the convolution: at most 4 sets for each of its 3 lines, and
    // 2 blocks of outputs, where unpacked pixels take 9.
    ASSERT_EQ(made.compiled.layers.size(), 3U);
    EXPECT_LT(count(made, kLoadWeights), 130U);
}

TEST(TcuLowering, ActivationsOfInt16HaveBiasesOf64Bits) {
    Builder b;
    const TensorId x = b.input(Type::int16, {1, 4, 4, 8}, 0.0001F);
    const TensorId weights =
        b.constant(Type::int8, {8, 1, 1, 8}, graph::test::random_values(64, 1), 0.01F);
    const TensorId bias = b.constant(
        Type::int64, {8}, std::vector<std::int64_t>{900000, -900000, 500, 0, 1, 70, -70, 8});
    b.node(graph::Conv{}, {x, weights, bias}, {b.output(Type::int16, {1, 4, 4, 8}, 0.0003F)});
    std::vector<std::int16_t> values;
    for (const std::int8_t value : graph::test::random_values(128, 2))
        values.push_back(static_cast<std::int16_t>(value * 256 - value));
    const auto want = b.run<std::int16_t>(std::vector<std::vector<std::int16_t>>{values});
    const CompiledTcu made = compile(b.graph, artya7100t(), {});
    ASSERT_EQ(made.compiled.errors, std::vector<std::string>{});
    std::string error;
    const auto got = graph::test::values_of<std::int16_t>(
        run_network(b.graph, made, {graph::test::bytes_of(values)}, error)[0]);
    for (std::size_t i = 0; i < want.size(); ++i)
        EXPECT_NEAR(got[i], want[i], 128) << "element " << i;  // half a step of int8
}

TEST(TcuLowering, BiasesWithoutScalesAreInStepsOfProducts) {
    // As ONNX files have them.
    Builder b(graph::Rounding::onnx);
    const TensorId x = b.input(Type::int8, {1, 4, 4, 8}, 0.05F, 3);
    const TensorId weights =
        b.constant(Type::int8, {8, 1, 1, 8}, graph::test::random_values(64, 1), 0.01F);
    const TensorId bias =
        b.constant(Type::int32, {8}, std::vector<std::int32_t>{900, -900, 500, 0, 1, 70, -70, 8});
    const TensorId y = b.output(Type::int8, {1, 4, 4, 8}, 0.08F, -5);
    b.node(graph::Conv{}, {x, weights, bias}, {y});
    const std::vector<std::int8_t> values = graph::test::random_values(128, 2);
    const auto want = b.run<std::int8_t>(std::vector<std::vector<std::int8_t>>{values});
    const CompiledTcu made = compile(b.graph, artya7100t(), {});
    ASSERT_EQ(made.compiled.errors, std::vector<std::string>{});
    std::string error;
    const auto got = graph::test::values_of<std::int8_t>(
        run_network(b.graph, made, {graph::test::bytes_of(values)}, error)[0]);
    for (std::size_t i = 0; i < want.size(); ++i)
        EXPECT_LE(std::abs(got[i] - want[i]), 1) << "element " << i;
}

/// On narrow numbers, within steps of the reference.
CompiledTcu follow_steps(const Builder& b, std::size_t elements, int most) {
    const std::vector<std::int8_t> values = graph::test::random_values(elements, 2);
    const auto want = b.run<std::int8_t>(std::vector<std::vector<std::int8_t>>{values});
    CompiledTcu made = compile(b.graph, artya7100t(), {});
    EXPECT_EQ(made.compiled.errors, std::vector<std::string>{});
    std::string error;
    const auto got = graph::test::values_of<std::int8_t>(
        run_network(b.graph, made, {graph::test::bytes_of(values)}, error)[0]);
    EXPECT_EQ(error, "");
    EXPECT_EQ(got.size(), want.size());
    for (std::size_t i = 0; i < got.size(); ++i)
        EXPECT_LE(std::abs(got[i] - want[i]), most) << "element " << i;
    return made;
}

TEST(TcuLowering, ConstantsOfOneChannelAreConcatenatedAsOne) {
    Builder b;
    const TensorId x = b.input(Type::float32, {1, 1, 2, 11});
    const TensorId one = b.constant(Type::float32, {1, 1, 2, 1}, std::vector<float>{0.75F, -0.5F});
    b.node(graph::Concat{3, {}}, {x, one}, {b.output(Type::float32, {1, 1, 2, 12})});
    follow(b.graph);
    // Small values have a factor on narrow numbers.
    Builder narrow;
    const TensorId y = narrow.input(Type::int8, {1, 1, 2, 11}, 0.001F, 3);
    const std::vector<std::int8_t> values = {100, -50};
    const TensorId few = narrow.constant(Type::int8, {1, 1, 2, 1}, values, 0.001F, 3);
    narrow.node(graph::Concat{3, {}}, {y, few},
                {narrow.output(Type::int8, {1, 1, 2, 12}, 0.001F, 3)});
    follow_steps(narrow, 22, 0);
}

TEST(TcuLowering, TensorsInFloatHaveTheFactorsOfTheQuantisedOnesBesideThem) {
    // From range to range by factors and offsets of channels, a mean, products.
    for (const float from : {0.002F, 0.01F, 0.07F, 0.6F}) {
        for (const float gain : {0.1F, 1.0F, 8.0F}) {
            SCOPED_TRACE(std::to_string(from) + ", " + std::to_string(gain));
            const float to = from * gain;
            Builder b(graph::Rounding::onnx);
            const TensorId x = b.input(Type::int8, {1, 4, 4, 8}, from, 3);
            const TensorId real = b.tensor(Type::float32, {1, 4, 4, 8});
            b.node(graph::Requantise{}, {x}, {real});
            const TensorId scaled = b.tensor(Type::float32, {1, 4, 4, 8});
            const TensorId shifted = b.tensor(Type::float32, {1, 4, 4, 8});
            b.node(graph::Binary{graph::Arithmetic::mul},
                   {real, b.constant(Type::float32, {8}, reals(8, 1, gain))}, {scaled});
            b.node(graph::Binary{graph::Arithmetic::add},
                   {scaled, b.constant(Type::float32, {8}, reals(8, 2, 50 * to))}, {shifted});
            const TensorId middle = b.tensor(Type::int8, {1, 4, 4, 8}, 1.5F * to, -5);
            b.node(graph::Requantise{}, {shifted}, {middle});
            const TensorId again = b.tensor(Type::float32, {1, 4, 4, 8});
            b.node(graph::Requantise{}, {middle}, {again});
            const TensorId mean = b.tensor(Type::float32, {1, 1, 1, 8});
            b.node(graph::Mean{{1, 2}, true}, {again}, {mean});
            const TensorId product = b.tensor(Type::float32, {1, 1, 1, 20});
            b.node(graph::Conv{},
                   {mean, b.constant(Type::float32, {20, 1, 1, 8}, reals(160, 3)), graph::kNone},
                   {product});
            const TensorId y = b.output(Type::int8, {1, 1, 1, 20}, 2 * to, 7);
            b.node(graph::Requantise{}, {product}, {y});
            follow_steps(b, 128, 2);
        }
    }
}

TEST(TcuLowering, WeightsOfSmallInputsKeepTheirBits) {
    Builder b(graph::Rounding::onnx);
    const TensorId x = b.input(Type::int8, {1, 4, 4, 8}, 0.002F, 3);
    const TensorId real = b.tensor(Type::float32, {1, 4, 4, 8});
    b.node(graph::Requantise{}, {x}, {real});
    const TensorId y = b.output(Type::float32, {1, 4, 4, 20});
    b.node(graph::Conv{},
           {real, b.constant(Type::float32, {20, 1, 1, 8}, reals(160, 3)), graph::kNone}, {y});
    const std::vector<std::int8_t> values = graph::test::random_values(128, 2);
    const auto want = b.run<float>(std::vector<std::vector<std::int8_t>>{values});
    const CompiledTcu made = compile(b.graph, artya7100t(), {});
    ASSERT_EQ(made.compiled.errors, std::vector<std::string>{});
    std::string error;
    const auto got = graph::test::values_of<float>(
        run_network(b.graph, made, {graph::test::bytes_of(values)}, error)[0]);
    for (std::size_t i = 0; i < want.size(); ++i)
        EXPECT_NEAR(got[i], want[i], 1.5 / 256) << "element " << i;
}

TEST(TcuLowering, QuantisationsThatBeginAtZeroAreRelus) {
    for (const graph::Activation activation : {graph::Activation::none, graph::Activation::relu}) {
        Builder b(graph::Rounding::onnx);
        const TensorId x = b.input(Type::int8, {1, 4, 4, 8}, 0.02F, 3);
        const TensorId real = b.tensor(Type::float32, {1, 4, 4, 8});
        b.node(graph::Requantise{}, {x}, {real});
        const TensorId scaled = b.tensor(Type::float32, {1, 4, 4, 8});
        b.node(graph::Binary{graph::Arithmetic::mul, activation},
               {real, b.constant(Type::float32, {8}, reals(8, 1, 2))}, {scaled});
        const TensorId middle = b.tensor(Type::int8, {1, 4, 4, 8}, 0.02F, -128);
        b.node(graph::Requantise{}, {scaled}, {middle});
        const TensorId y = b.output(Type::int8, {1, 4, 4, 8}, 0.02F, 0);
        b.node(graph::Unary{graph::Function::neg}, {middle}, {y});
        const CompiledTcu made = follow_steps(b, 128, 1);
        // No layer of their own where values are never below 0.
        EXPECT_EQ(made.compiled.layers.size(), activation == graph::Activation::none ? 3U : 2U);
    }
}

TEST(TcuLowering, QuantisationsFromZeroToSixAreRelus6) {
    Builder b(graph::Rounding::onnx);
    const TensorId x = b.input(Type::int8, {1, 4, 4, 8}, 0.05F, 3);
    const TensorId weights =
        b.constant(Type::int8, {8, 1, 1, 8}, graph::test::random_values(64, 1), 0.01F);
    const TensorId middle = b.tensor(Type::int8, {1, 4, 4, 8}, 6.0F / 255, -128);
    b.node(graph::Conv{}, {x, weights, graph::kNone}, {middle});
    const TensorId y = b.output(Type::int8, {1, 4, 4, 8}, 0.1F, 0);
    b.node(graph::Conv{}, {middle, weights, graph::kNone}, {y});
    follow_steps(b, 128, 1);
}

TEST(TcuLowering, LayersEndWithTheirLastResult) {
    TcuProgram program;
    program.instructions = Instructions(Architecture());
    const auto add = [&](int flags, std::uint64_t address, std::uint64_t size, int stride,
                         int layer) {
        Instruction i;
        i.opcode = kDataMove;
        i.flags = flags;
        i.address0 = address;
        i.size = size;
        i.stride0 = stride;
        program.instructions.push_back(i);
        program.layers.push_back(layer);
    };
    add(kAccumulatorToLocal, 30, 4, 0, 0);  // in two blocks of 32
    add(kDram0ToLocal, 100, 4, 0, 2);
    add(kAccumulatorToLocal, 64, 3, 4, 1);  // 64, 80, 96: two blocks
    add(kAccumulatorToLocal, 0, 32, 0, 2);
    using Times = std::vector<std::uint64_t>;
    EXPECT_EQ(layer_ends(program, 32, {10, 20, 30, 40, 50}), (Times{20, 40, 50}));
    EXPECT_EQ(layer_ends(program, 32, {10, 20, 30, 40}), Times{});
    EXPECT_EQ(layer_ends(program, 32, {10, 20, 30, 40, 50, 60}), Times{});
}

TEST(TcuLowering, LoadsMayTakeRunsThatLieWithinEachOther) {
    // Two of each four vectors, as they are wanted one behind the other.
    std::vector<Strides::Pair> pairs;
    for (int i = 0; i < 20; ++i)
        pairs.push_back({100 + i, i / 2 * 4 + i % 2});
    const Strides strides(artya7100t());
    Instructions in_order(artya7100t()), mixed(artya7100t());
    Instruction load;
    load.opcode = kDataMove;
    load.flags = kDram0ToLocal;
    strides.append(in_order, load, pairs);
    strides.append_any_order(mixed, load, pairs);
    EXPECT_EQ(in_order.size(), 10U);
    ASSERT_EQ(mixed.size(), 2U);
    for (std::size_t n = 0; n < 2; ++n) {
        EXPECT_EQ(mixed[n].address0, 100 + n);
        EXPECT_EQ(mixed[n].address1, n);
        EXPECT_EQ(mixed[n].size, 10U);
        EXPECT_EQ(mixed[n].stride0, 1);
        EXPECT_EQ(mixed[n].stride1, 2);
    }
}

TEST(TcuLowering, TheScalesOfInputsAndOutputsAreInAFile) {
    Builder b;
    const TensorId x = b.input(Type::int8, {1, 2, 3, 9}, 0.5F, -128);
    const TensorId weights =
        b.constant(Type::int8, {4, 1, 1, 9}, graph::test::random_values(36, 1), 0.01F);
    const TensorId y = b.output(Type::int8, {1, 2, 3, 4}, 0.25F);
    b.node(graph::Conv{}, {x, weights, graph::kNone}, {y});
    const CompiledTcu made = compile(b.graph, artya7100t(), {});
    ASSERT_EQ(made.compiled.errors, std::vector<std::string>{});
    // 0 .. 127.5 and -32 .. 31.75 in an eighth of what 16 bits hold.
    EXPECT_EQ(
        files(made.program, "net").at("net.scales.json"),
        "{\n  \"network\": \"net\",\n  \"data_type\": \"FP16BP8\",\n  \"array_size\": 8,\n"
        "  \"inputs\": [\n    {\"name\": \"t0\", \"height\": 2, \"width\": 3, \"channels\": 9, "
        "\"vectors\": 12, \"factor\": 0.125, \"step\": 0.03125}],\n"
        "  \"outputs\": [\n    {\"name\": \"t2\", \"height\": 2, \"width\": 3, \"channels\": 4, "
        "\"vectors\": 6, \"factor\": 0.25, \"step\": 0.015625}]\n}\n");
}

}  // namespace

}  // namespace macrame::tcu::compiler::test
