// How far results move where operands do, against operands that do move.
#include "compiler/graph/spread.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "compiler/graph/check.hpp"
#include "compiler/test/graph/graph_builder.hpp"
#include "compiler/test/random/properties.hpp"
#include "compiler/test/random/random_graph.hpp"

namespace macrame::graph {
namespace {

using test::Builder;

/// Elements as numbers.
std::vector<double> numbers(const Tensor& tensor, const Bytes& bytes) {
    std::vector<double> out;
    const auto add = [&](auto values) { out.assign(values.begin(), values.end()); };
    if (tensor.type == Type::int8) add(test::values_of<std::int8_t>(bytes));
    if (tensor.type == Type::uint8) add(bytes);
    if (tensor.type == Type::int32) add(test::values_of<std::int32_t>(bytes));
    if (tensor.type == Type::float32) add(test::values_of<float>(bytes));
    return out;
}

/// Bytes that are up to `by` steps away: some anywhere there, some at the ends, some all one way.
Bytes moved(const Tensor& tensor, const Bytes& from, int by, std::mt19937& random) {
    const int low = tensor.type == Type::int8 ? -128 : 0;
    const auto way = random() % 4;
    Bytes out;
    for (const double value : numbers(tensor, from)) {
        int step = static_cast<int>(random() % static_cast<unsigned>(2 * by + 1)) - by;
        if (way == 1) step = random() % 2 == 0 ? by : -by;
        if (way >= 2) step = way == 2 ? by : -by;
        out.push_back(
            static_cast<std::uint8_t>(std::clamp(static_cast<int>(value) + step, low, low + 255)));
    }
    return out;
}

/// Runs a node on inputs that move; the largest part of the bound that was seen.
double check_node(const Graph& graph, const Node& node, unsigned seed) {
    std::mt19937 random(seed);
    double seen = 0;
    for (const int by : {1, 2, 7, 40, 255}) {
        std::vector<double> apart;
        for (const TensorId id : node.inputs) {
            const bool moves = id != kNone && !graph.tensor(id).constant;
            apart.push_back(moves ? static_cast<double>(random() % 3 == 0 ? by / 2 : by) : 0);
        }
        const std::vector<double> bounds = spread(graph, node, apart);
        for (int trial = 0; trial < 12; ++trial) {
            std::vector<Bytes> here(node.inputs.size()), there(node.inputs.size());
            std::vector<const Bytes*> first, second;
            const auto narrow = 1 + random() % 256;
            for (std::size_t i = 0; i < node.inputs.size(); ++i) {
                const TensorId id = node.inputs[i];
                const Tensor* t = id == kNone ? nullptr : &graph.tensor(id);
                if (t != nullptr && !t->constant) {
                    here[i].resize(t->bytes());
                    const auto base = random();
                    for (std::uint8_t& byte : here[i])
                        byte = static_cast<std::uint8_t>(base + random() % narrow);
                    there[i] = moved(*t, here[i], static_cast<int>(apart[i]), random);
                }
                const bool constant = t != nullptr && t->constant;
                first.push_back(t == nullptr ? nullptr : constant ? &t->data.bytes() : &here[i]);
                second.push_back(t == nullptr ? nullptr : constant ? &t->data.bytes() : &there[i]);
            }
            const std::vector<Bytes> a = run_node(graph, node, first);
            const std::vector<Bytes> b = run_node(graph, node, second);
            for (std::size_t i = 0; i < a.size(); ++i) {
                const Tensor& out = graph.tensor(node.outputs[i]);
                const std::vector<double> x = numbers(out, a[i]), y = numbers(out, b[i]);
                for (std::size_t e = 0; e < x.size(); ++e) {
                    const double distance = std::abs(x[e] - y[e]);
                    EXPECT_LE(distance, bounds[i]) << "moved by " << by;
                    if (bounds[i] > 0) seen = std::max(seen, distance / bounds[i]);
                }
            }
        }
    }
    return seen;
}

TEST(Spread, BoundsOperatorsOfAllProperties) {
    unsigned seed = 1;
    for (const macrame::test::PropertyCase& one : macrame::test::property_cases()) {
        SCOPED_TRACE(one.name);
        const double seen = check_node(one.graph, one.graph.nodes[0], seed++);
        if (one.name.find("as it is") == std::string::npos) continue;
        EXPECT_GE(seen, 0.3);
    }
}

TEST(Spread, BoundsOperatorsOfRandomNetworks) {
    for (std::uint64_t number = 1; number <= 30; ++number) {
        SCOPED_TRACE("random network " + std::to_string(number));
        const Graph graph = macrame::test::random_graph(number);
        for (const Node& node : graph.nodes)
            check_node(graph, node, static_cast<unsigned>(number));
    }
}

/// Functions and what moves elements, of both references.
TEST(Spread, BoundsTheOtherOperators) {
    for (const Rounding rounding : {Rounding::tflite, Rounding::onnx}) {
        std::vector<std::pair<Operator, std::vector<int>>> operators = {
            {Slice{{0, 1, 0, 2}, {1, 1, 1, 2}}, {1, 3, 4, 2}},
            {Pad{{{0, 0}, {1, 0}, {0, 2}, {0, 0}}}, {1, 5, 6, 6}},
            {Reshape{}, {1, 96}},
            {Transpose{{0, 3, 1, 2}}, {1, 6, 4, 4}},
            {Resize{Resampling::nearest, false, false}, {1, 8, 8, 6}},
            {Resize{Resampling::bilinear, false, true}, {1, 8, 8, 6}},
            {Resize{Resampling::bilinear, true, false}, {1, 7, 9, 6}},
        };
        for (const auto& [op, shape] : operators) {
            SCOPED_TRACE(std::string(name_of(op)));
            Builder b(rounding);
            const TensorId in = b.input(Type::int8, {1, 4, 4, 6}, 0.1F, 4);
            b.node(op, {in}, {b.output(Type::int8, shape, 0.1F, 4)});
            ASSERT_EQ(check(b.graph), std::vector<std::string>{});
            EXPECT_GE(check_node(b.graph, b.graph.nodes[0], 5), 0.5);
        }
        for (int function = 0; function <= static_cast<int>(Function::hard_sigmoid); ++function) {
            SCOPED_TRACE(function);
            Builder b(rounding);
            const TensorId in = b.input(Type::int8, {1, 4, 4, 6}, 0.05F, -100);
            const Unary op{static_cast<Function>(function), 0.3F, 0.2F};
            b.node(op, {in}, {b.output(Type::int8, {1, 4, 4, 6}, 0.04F, 10)});
            const bool fixed = op.function != Function::neg && op.function != Function::square &&
                               op.function != Function::sqrt && op.function != Function::rsqrt;
            if (rounding == Rounding::tflite && !fixed) continue;
            EXPECT_GE(check_node(b.graph, b.graph.nodes[0], 6), 0.5);
        }
        for (const float scale : {0.01F, 0.1F, 0.7F}) {
            Builder b(rounding);
            const TensorId in = b.input(Type::int8, {1, 5}, scale, 7);
            b.node(Softmax{}, {in}, {b.output(Type::int8, {1, 5}, 1 / 256.0F, -128)});
            ASSERT_EQ(check(b.graph), std::vector<std::string>{});
            check_node(b.graph, b.graph.nodes[0], 7);
        }
        Builder b(rounding);
        const TensorId in = b.input(Type::int8, {1, 6, 4}, 0.1F, 3);
        const TensorId one = b.output(Type::int8, {1, 2, 4}, 0.1F, 3);
        const TensorId two = b.output(Type::int8, {1, 4, 4}, 0.1F, 3);
        b.node(Split{1}, {in}, {one, two});
        b.node(Argmax{1}, {in}, {b.output(Type::int32, {1, 4})});
        b.node(Requantise{}, {in}, {b.output(Type::float32, {1, 6, 4})});
        for (const Node& node : b.graph.nodes)
            EXPECT_GE(check_node(b.graph, node, 8), 0.5);
    }
}

/// The largest distance of a function of two bytes, of all pairs and all that is near them.
int farthest(const std::vector<std::int8_t>& table, int by) {
    int most = 0;
    for (int a = 0; a < 256; ++a)
        for (int b = 0; b < 256; ++b)
            for (int x = std::max(a - by, 0); x <= std::min(a + by, 255); ++x)
                for (int y = std::max(b - by, 0); y <= std::min(b + by, 255); ++y)
                    most = std::max(most, std::abs(table[static_cast<std::size_t>(256 * a + b)] -
                                                   table[static_cast<std::size_t>(256 * x + y)]));
    return most;
}

/// Elements of a picture that has all pairs.
std::vector<std::int8_t> first_of_pairs() {
    std::vector<std::int8_t> out;
    for (int i = 0; i < 65536; ++i)
        out.push_back(static_cast<std::int8_t>(i / 256 - 128));
    return out;
}
std::vector<std::int8_t> second_of_pairs() {
    std::vector<std::int8_t> out;
    for (int i = 0; i < 65536; ++i)
        out.push_back(static_cast<std::int8_t>(i % 256 - 128));
    return out;
}

TEST(Spread, OfTwoOperandsIsWhatIsReached) {
    for (const Arithmetic function :
         {Arithmetic::add, Arithmetic::sub, Arithmetic::mul, Arithmetic::maximum}) {
        Builder b;
        const bool same = function == Arithmetic::maximum;
        const TensorId x = b.input(Type::int8, {1, 256, 256, 1}, 0.021F, 5);
        const TensorId y =
            b.input(Type::int8, {1, 256, 256, 1}, same ? 0.021F : 0.034F, same ? 5 : -90);
        const float scale = same ? 0.021F : 0.03F;
        b.node(Binary{function, Activation::none}, {x, y},
               {b.output(Type::int8, {1, 256, 256, 1}, scale, same ? 5 : 11)});
        const auto table = b.run<std::int8_t, std::int8_t>({first_of_pairs(), second_of_pairs()});
        for (const int by : {1, 3}) {
            const double bound = spread(b.graph, b.graph.nodes[0], {1.0 * by, 1.0 * by})[0];
            EXPECT_EQ(bound, farthest(table, by)) << static_cast<int>(function);
        }
    }
}

TEST(Spread, OfConvolutionsIsHardlyMoreThanIsReached) {
    Builder b;
    const TensorId x = b.input(Type::int8, {1, 256, 256, 2}, 0.02F, 3);
    const TensorId w = b.constant<std::int8_t>(Type::int8, {1, 1, 1, 2}, {11, -37}, 0.013F);
    b.node(Conv{}, {x, w, kNone}, {b.output(Type::int8, {1, 256, 256, 1}, 0.011F, -4)});
    std::vector<std::int8_t> pairs;
    const auto first = first_of_pairs(), second = second_of_pairs();
    for (std::size_t i = 0; i < first.size(); ++i)
        pairs.insert(pairs.end(), {first[i], second[i]});
    const auto table = b.run<std::int8_t, std::int8_t>({pairs});
    for (const int by : {1, 2, 4}) {
        const double bound = spread(b.graph, b.graph.nodes[0], {1.0 * by, 0, 0})[0];
        const int reached = farthest(table, by);
        EXPECT_GE(bound, reached);
        EXPECT_LE(bound, reached + 1);
    }
}

/// An output of a transposed convolution reads only the taps that are a stride apart.
TEST(Spread, OfTransposedConvolutionsIsOfOnePhase) {
    Builder b;
    const TensorId x = b.input(Type::int8, {1, 2, 2, 1}, 0.1F);
    const TensorId w = b.constant<std::int8_t>(Type::int8, {1, 2, 2, 1}, {10, 20, 30, -40}, 0.1F);
    TransposeConv op;
    op.window.kernel_h = op.window.kernel_w = op.window.stride_h = op.window.stride_w = 2;
    b.node(op, {x, w, kNone}, {b.output(Type::int8, {1, 4, 4, 1}, 0.1F)});
    EXPECT_EQ(spread(b.graph, b.graph.nodes[0], {2, 0, 0})[0], 9);  // 2 * 40 * 0.1, and one
}

TEST(Spread, IsNothingWhereNothingMoves) {
    Builder b;
    const TensorId x = b.input(Type::float32, {4}), y = b.input(Type::float32, {4});
    b.node(Binary{}, {x, y}, {b.output(Type::float32, {4})});
    EXPECT_EQ(spread(b.graph, b.graph.nodes[0], {0, 0})[0], 0);
    EXPECT_TRUE(std::isinf(spread(b.graph, b.graph.nodes[0], {0, 0.5})[0]));
}

}  // namespace
}  // namespace macrame::graph
