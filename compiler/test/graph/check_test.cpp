/// Graphs that are wrong, each with its message.
#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "compiler/test/graph/graph_builder.hpp"

namespace macrame::graph {
namespace {

using test::Builder;

TEST(SamePadding, AsTflite) {
    EXPECT_EQ(same_padding(5, 3, 1, 1), (std::array<int, 2>{1, 1}));
    EXPECT_EQ(same_padding(5, 3, 2, 1), (std::array<int, 2>{1, 1}));
    EXPECT_EQ(same_padding(6, 3, 2, 1), (std::array<int, 2>{0, 1}));
    EXPECT_EQ(same_padding(49, 10, 2, 1), (std::array<int, 2>{4, 5}));
    EXPECT_EQ(same_padding(5, 3, 1, 2), (std::array<int, 2>{2, 2}));
    EXPECT_EQ(same_padding(4, 1, 3, 1), (std::array<int, 2>{0, 0}));
    EXPECT_EQ(same_padding(1, 1 << 20, 1, 1 << 10), (std::array<int, 2>{536870400, 536870400}));
}

TEST(Names, OfTypesAndOperators) {
    EXPECT_EQ(name_of(Type::int8), "int8");
    EXPECT_EQ(size_of(Type::int64), 8U);
    EXPECT_EQ(name_of(Operator{Conv{}}), "conv");
    EXPECT_EQ(name_of(Operator{Pool{Pooling::average, {}, Activation::none}}), "average pool");
    EXPECT_EQ(name_of(Operator{Unary{Function::rsqrt, 0}}), "1 / square root");
    EXPECT_EQ(name_of(Operator{Unary{Function::hard_sigmoid, 0}}), "hard sigmoid");
    EXPECT_EQ(name_of(Operator{Argmax{}}), "argmax");
}

/// A convolution, a ReLU and an addition: right.
struct Network : Builder {
    TensorId x, w, bias, y, z, sum;
    Network() {
        x = input(Type::int8, {1, 4, 4, 2}, 0.5F, 3);
        w = constant(Type::int8, {3, 2, 2, 2}, std::vector<std::int8_t>(24, 1), 0.25F);
        bias = constant(Type::int32, {3}, std::vector<std::int32_t>(3, 1));
        y = tensor(Type::int8, {1, 3, 3, 3}, 0.5F, 0);
        z = tensor(Type::int8, {1, 3, 3, 3}, 0.5F, 0);
        sum = output(Type::int8, {1, 3, 3, 3}, 0.5F, 0);
        Conv conv;
        conv.window.kernel_h = conv.window.kernel_w = 2;
        node(conv, {x, w, bias}, {y});
        node(Unary{}, {y}, {z});
        node(Binary{}, {y, z}, {sum});
    }
    Tensor& at(TensorId id) { return graph.tensor(id); }
    Conv& conv() { return std::get<Conv>(graph.nodes[0].op); }
};

TEST(Check, AcceptsWhatIsRight) { EXPECT_TRUE(check(Network().graph).empty()); }

TEST(Check, TellsWhatIsWrong) {
    struct Case {
        std::function<void(Network&)> damage;
        std::string message;
    };
    const std::vector<Case> cases = {
        {[](Network& n) { n.at(n.y).shape[1] = 0; },
         "tensor 3 (t3): shape 1x0x3x3: want every size at least 1"},
        {[](Network& n) { n.at(n.y).shape.assign(9, 1); }, "tensor 3 (t3): 9 axes: want at most 8"},
        {[](Network& n) { n.at(n.y).shape.assign(8, 1 << 30); },
         "tensor 3 (t3): shape 1073741824x1073741824x1073741824x1073741824x1073741824x1073741824x"
         "1073741824x1073741824 of int8: want at most 1073741824 bytes"},
        {[](Network& n) { n.at(n.w).data.pop_back(); },
         "tensor 1 (t1): 23 bytes of data: want 24 for shape 3x2x2x2 of int8"},
        {[](Network& n) { n.at(n.x).quantisation.zero_point[0] = 128; },
         "tensor 0 (t0): zero point 128: want a value of the type int8"},
        {[](Network& n) { n.at(n.x).quantisation.scale[0] = 0; },
         "tensor 0 (t0): a scale of 0: want a positive number"},
        {[](Network& n) { n.at(n.x).quantisation.zero_point.clear(); },
         "tensor 0 (t0): 1 scales and 0 zero points: want as many"},
        {[](Network& n) {
             n.at(n.w).quantisation = {{1, 2}, {0, 0}, 0};
         },
         "tensor 1 (t1): 2 scales along an axis of 3: want as many"},
        {[](Network& n) {
             n.at(n.w).quantisation = {{1, 2}, {0, 0}, 1};
         },
         "node 0: weights t1 have 2 scales along axis 1: want one, or one per kernel"},
        {[](Network& n) {
             n.at(n.y).quantisation = {{1, 2, 3}, {0, 0, 0}, 3};
         },
         "tensor 3 (t3): 3 scales: want one where a tensor is no constant"},
        {[](Network& n) { n.at(n.y).quantisation = {}; },
         "node 0: t3 of type int8 has 0 scales: want one"},
        {[](Network& n) { n.at(n.x).type = Type::uint8; },
         "node 0: t0 has type uint8, t3 has int8: want the same"},
        {[](Network& n) { n.at(n.y).shape[1] = 4; },
         "node 0: t3 has shape 1x4x3x3: want 3x3 positions of the window over 1x4x4x2"},
        {[](Network& n) { n.conv().groups = 2; },
         "node 0: 2 groups of 2 channels and 3 kernels: want a divisor of both"},
        {[](Network& n) { n.conv().window.stride_h = 0; },
         "node 0: kernel 2x2, stride 0x1, dilation 1x1: want each 1 to 1048576"},
        {[](Network& n) { n.conv().window.left = -1; },
         "node 0: padding 0, -1, 0, 0: want each 0 to 1048576"},
        {[](Network& n) { n.conv().window.kernel_h = 3; },
         "node 0: t3 has shape 1x3x3x3: want 2x3 positions of the window over 1x4x4x2"},
        {[](Network& n) {
             n.graph.nodes[0].inputs = {n.x, n.x};
         },
         "node 0: t0 has shape 1x4x4x2: want 3x2x2x2"},
        {[](Network& n) { n.graph.nodes[0].inputs.resize(1); }, "node 0: 1 inputs: want 2 to 3"},
        {[](Network& n) { n.graph.nodes[0].inputs[0] = kNone; },
         "node 0: input 0 is left out: want it"},
        {[](Network& n) { n.graph.nodes[0].inputs[2] = 99; },
         "node 0: reads tensor 99: want one of 6"},
        {[](Network& n) { n.graph.nodes[0].outputs[0] = n.x; },
         "node 0: writes tensor 0 (t0), which has a value already: want one writer"},
        {[](Network& n) { std::swap(n.graph.nodes[1], n.graph.nodes[0]); },
         "node 1: reads tensor 3 (t3), which nothing before it writes: want nodes in order"},
        {[](Network& n) { n.graph.nodes[2].inputs[1] = n.x; },
         "node 2: shapes 1x3x3x3 and 1x4x4x2: want equal sizes, or 1"},
        {[](Network& n) { n.graph.outputs = {7}; },
         "output of the graph is tensor 7: want one of 6"},
        {[](Network& n) { n.graph.outputs.clear(); }, "no outputs: want at least one"},
        {[](Network& n) { n.graph.inputs.push_back(n.w); },
         "tensor 1 (t1) is an input of the graph and a constant, or an input twice: want it once"},
    };
    for (const Case& c : cases) {
        Network network;
        c.damage(network);
        const std::vector<std::string> errors = check(network.graph);
        ASSERT_FALSE(errors.empty()) << c.message;
        EXPECT_EQ(errors[0], c.message);
    }
}

/// One node on an int8 tensor 2x3x4 (scale 1), with an output of `shape` (scale `scale`).
std::string problem(Operator op, std::vector<int> shape, Type type = Type::int8, float scale = 1) {
    Builder b;
    const TensorId x = b.input(Type::int8, {2, 3, 4}, 1, 0);
    const TensorId y = b.output(type, std::move(shape), type == Type::int8 ? scale : 0, 0);
    b.node(std::move(op), {x}, {y});
    const std::vector<std::string> errors = check(b.graph);
    return errors.empty() ? "" : errors[0];
}

TEST(Check, ShapesOfOperators) {
    EXPECT_EQ(problem(Mean{{1}, false}, {2, 4}), "");
    EXPECT_EQ(problem(Mean{{1}, true}, {2, 4}), "node 0: t1 has shape 2x4: want 2x1x4");
    EXPECT_EQ(problem(Mean{{1, 1}, true}, {2, 1, 4}),
              "node 0: axes 1, 1: want them ascending, below 3");
    EXPECT_EQ(problem(Transpose{{2, 0, 1}}, {4, 2, 3}), "");
    EXPECT_EQ(problem(Transpose{{2, 0, 0}}, {4, 2, 3}),
              "node 0: order 2, 0, 0: want each of 3 axes once");
    EXPECT_EQ(problem(Reshape{}, {24}), "");
    EXPECT_EQ(problem(Reshape{}, {23}), "node 0: shape 2x3x4 becomes 23: want as many elements");
    EXPECT_EQ(problem(Reshape{}, {24}, Type::int8, 0.5F),
              "node 0: t0 and t1 have different scales or zero points: want the same");
    EXPECT_EQ(problem(Slice{{0, 1, 0}, {1, 1, 3}}, {2, 2, 2}), "");
    EXPECT_EQ(problem(Slice{{0, 1, 0}, {1, 1, 3}}, {2, 2, 3}),
              "node 0: elements 0 to 6 of axis 2: want them below 4");
    EXPECT_EQ(problem(Pad{{{0, 0}, {1, 2}, {0, 0}}}, {2, 6, 4}), "");
    EXPECT_EQ(problem(Pad{{{0, 0}, {-1, 2}, {0, 0}}}, {2, 4, 4}),
              "node 0: padding -1 and 2 of axis 1: want at least 0");
    EXPECT_EQ(problem(Split{1}, {2, 2, 4}), "node 0: outputs of 2 in all along axis 1: want 3");
    EXPECT_EQ(problem(Argmax{2}, {2, 3}, Type::int32), "");
    EXPECT_EQ(problem(Argmax{3}, {2, 3}, Type::int32), "node 0: axis 3: want one of 3");
    EXPECT_EQ(problem(Softmax{1}, {2, 3, 4}),
              "node 0: output with scale 1 and zero point 0: want 1/256 and -128");
    EXPECT_EQ(problem(Concat{0, Activation::none}, {2, 3, 4}), "");
    EXPECT_EQ(problem(Concat{0, Activation::none}, {3, 3, 4}),
              "node 0: t1 has shape 3x3x4: want 2x3x4");
    EXPECT_EQ(problem(Resize{}, {2, 3, 4}),
              "node 0: t0 has shape 2x3x4: want 1 x height x width x channels");
    EXPECT_EQ(problem(Unary{Function::elu, std::numeric_limits<float>::infinity()}, {2, 3, 4}),
              "node 0: alpha inf: want a number");
    EXPECT_EQ(problem(Requantise{}, {2, 3, 4}, Type::float32), "");
    EXPECT_EQ(problem(Requantise{}, {2, 3, 4}, Type::int64),
              "node 0: t1 has type int64: want a quantised type or float32");
}

// Readers hold a tensor while they add others.
TEST(Graph, TensorsStayWhereTheyAre) {
    Graph graph;
    graph.tensors.emplace_back();
    const Tensor* first = &graph.tensor(0);
    for (int i = 0; i < 1000; ++i)
        graph.tensors.emplace_back();
    EXPECT_EQ(&graph.tensor(0), first);
}

}  // namespace

}  // namespace macrame::graph
