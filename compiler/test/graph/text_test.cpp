#include "compiler/graph/text.hpp"

#include <gtest/gtest.h>

#include "compiler/test/graph/graph_builder.hpp"

namespace macrame::graph {

namespace {

TEST(GraphText, TellsOperatorsAndTensors) {
    test::Builder b;
    const TensorId x = b.input(Type::int8, {1, 4, 4, 1}, 0.5F, 3);
    const TensorId w = b.constant<std::int8_t>(Type::int8, {2, 1, 3, 1}, {1, 2, 3, 4, 5, 6}, 0.25F);
    const TensorId y = b.output(Type::int8, {1, 4, 2, 2}, 1, -1);
    Conv conv;
    conv.window.kernel_w = 3;
    conv.window.stride_w = 2;
    conv.window.right = 1;
    conv.activation = Activation::relu6;
    b.node(conv, {x, w, kNone}, {y});
    EXPECT_EQ(text_of(b.graph),
              "test: 1 operators, 3 tensors, rounding of TFLite\n"
              "\n"
              "    input 0: t0 int8 1x4x4x1, scale 0.5, zero point 3\n"
              "    output 2: t2 int8 1x4x2x2, scale 1, zero point -1\n"
              "\n"
              "operator 0: conv 1x3, stride 1x2, padding 0 0 0 1, relu6  (node 0)\n"
              "    reads 0: t0 int8 1x4x4x1, scale 0.5, zero point 3\n"
              "    reads 1: constant t1 int8 2x1x3x1, scale 0.25, zero point 0\n"
              "    writes 2: t2 int8 1x4x2x2, scale 1, zero point -1\n");
}

}  // namespace

}  // namespace macrame::graph
