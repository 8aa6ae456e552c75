/// Float networks that are written as ONNX files and read again compute the same.
#include "compiler/front/onnx_writer.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "compiler/front/front.hpp"
#include "compiler/graph/check.hpp"
#include "compiler/graph/reference.hpp"
#include "verif/common/random.hpp"

namespace macrame::front {
namespace {

using namespace graph;

/// A float network that grows.
class Building {
public:
    explicit Building(std::vector<int> shape) {
        graph_.name = "net";
        last = tensor(std::move(shape), "input");
        graph_.inputs = {last};
    }

    TensorId tensor(std::vector<int> shape, const std::string& name) {
        Tensor t;
        t.name = name + std::to_string(graph_.tensors.size());
        t.type = Type::float32;
        t.shape = std::move(shape);
        graph_.tensors.push_back(std::move(t));
        return static_cast<TensorId>(graph_.tensors.size()) - 1;
    }
    TensorId constant(std::vector<int> shape) {
        const TensorId id = tensor(std::move(shape), "constant");
        Tensor& t = graph_.tensor(id);
        t.constant = true;
        Bytes bytes;
        for (std::size_t i = 0; i < t.elements(); ++i)
            append(bytes, real());
        t.data = bytes;
        return id;
    }
    /// An operator of these tensors, behind which the network goes on.
    TensorId add(Operator op, const std::vector<TensorId>& inputs, std::vector<int> shape) {
        last = tensor(std::move(shape), "t");
        graph_.nodes.push_back({std::move(op), inputs, {last}, "operator"});
        return last;
    }
    Graph done() {
        graph_.outputs = {last};
        return graph_;
    }

    Bytes input() {
        Bytes bytes;
        for (std::size_t i = 0; i < graph_.tensor(graph_.inputs[0]).elements(); ++i)
            append(bytes, real());
        return bytes;
    }

    TensorId last = kNone;

private:
    float real() { return static_cast<float>(random_.in(-1000, 1000)) / 700.0F; }
    static void append(Bytes& bytes, float value) {
        std::uint8_t raw[sizeof value];
        std::memcpy(raw, &value, sizeof value);
        bytes.insert(bytes.end(), std::begin(raw), std::end(raw));
    }

    Graph graph_;
    verif::Random random_{5};
};

void expect_same(Building& building) {
    const Graph graph = building.done();
    ASSERT_EQ(check(graph), std::vector<std::string>{});
    const WrittenOnnx written = write_onnx(graph);
    ASSERT_EQ(written.error, "");
    ASSERT_TRUE(is_onnx(written.bytes));
    const ReadResult read = read_onnx("net", written.bytes);
    ASSERT_EQ(read.errors, std::vector<std::string>{});
    ASSERT_EQ(read.graph.inputs.size(), 1U);
    EXPECT_EQ(read.graph.tensor(read.graph.inputs[0]).shape, graph.tensor(graph.inputs[0]).shape);
    EXPECT_EQ(read.graph.tensor(read.graph.inputs[0]).name, graph.tensor(graph.inputs[0]).name);
    EXPECT_EQ(read.graph.tensor(read.graph.outputs[0]).shape, graph.tensor(graph.outputs[0]).shape);
    const Bytes input = building.input();
    const Bytes want = run(graph, {input})[0], got = run(read.graph, {input})[0];
    ASSERT_EQ(got.size(), want.size());
    for (std::size_t i = 0; i < got.size(); i += 4) {
        float a = 0, b = 0;
        std::memcpy(&a, &want[i], 4);
        std::memcpy(&b, &got[i], 4);
        ASSERT_NEAR(b, a, 1e-4 + 1e-4 * std::abs(a)) << i / 4;
    }
}

TEST(OnnxWriter, PicturesGoThroughConvolutionsPoolingAndResizing) {
    Building b({1, 9, 8, 3});
    Conv conv;
    conv.window = {3, 3, 2, 1, 1, 1, 1, 0, 0, 2};
    conv.activation = Activation::relu6;
    b.add(conv, {b.last, b.constant({4, 3, 3, 3}), b.constant({4})}, {1, 4, 8, 4});
    Conv deep;
    deep.groups = 4;
    b.add(deep, {b.last, b.constant({4, 1, 1, 1}), kNone}, {1, 4, 8, 4});
    TransposeConv up;
    up.window = {2, 2, 2, 2, 1, 1, 0, 0, 0, 0};
    b.add(up, {b.last, b.constant({5, 2, 2, 4}), b.constant({5})}, {1, 8, 16, 5});
    b.add(Prelu{}, {b.last, b.constant({5})}, {1, 8, 16, 5});
    Pool pool;
    pool.function = Pooling::average;
    pool.window = {2, 3, 2, 2, 1, 1, 0, 1, 0, 0};
    b.add(pool, {b.last}, {1, 4, 8, 5});
    Resize resize;
    resize.function = Resampling::bilinear;
    resize.half_pixel_centers = true;
    b.add(resize, {b.last}, {1, 8, 16, 5});
    Pad pad;
    pad.amounts = {{0, 0}, {1, 0}, {0, 2}, {0, 3}};
    b.add(pad, {b.last}, {1, 9, 18, 8});
    expect_same(b);
}

TEST(OnnxWriter, AxesAndOrdersOfElementsAreThoseOfTheNetwork) {
    Building b({1, 4, 3, 6});
    const TensorId x = b.last;
    Concat concat;
    concat.axis = 3;
    b.add(concat, {x, b.constant({1, 4, 3, 2})}, {1, 4, 3, 8});
    b.add(Binary{Arithmetic::mul, Activation::none}, {b.last, b.constant({8})}, {1, 4, 3, 8});
    b.add(Binary{Arithmetic::squared_difference, Activation::none}, {b.last, b.constant({4, 3, 1})},
          {1, 4, 3, 8});
    b.add(Slice{{0, 1, 0, 7}, {1, 2, 1, -2}}, {b.last}, {1, 2, 3, 4});
    b.add(Softmax{}, {b.last}, {1, 2, 3, 4});
    const TensorId rows = b.add(Reshape{}, {b.last}, {1, 6, 4});
    Norm norm;
    norm.axis = 2;
    b.add(norm, {rows, b.constant({4}), b.constant({4})}, {1, 6, 4});
    b.add(MatMul{false, true}, {b.last, rows}, {1, 6, 6});
    b.add(Transpose{{0, 2, 1}}, {b.last}, {1, 6, 6});
    b.add(Reshape{}, {b.last}, {1, 2, 3, 6});
    Mean mean;
    mean.axes = {1, 2};
    b.add(mean, {b.last}, {1, 6});
    FullyConnected full;
    full.activation = Activation::relu;
    b.add(full, {b.last, b.constant({5, 6}), b.constant({5})}, {1, 5});
    expect_same(b);
}

TEST(OnnxWriter, FunctionsOfOneElement) {
    for (const Function function :
         {Function::relu,        Function::relu6,        Function::relu_n1_to_1,
          Function::relu_0_to_1, Function::leaky_relu,   Function::sigmoid,
          Function::tanh,        Function::hard_swish,   Function::exp,
          Function::elu,         Function::abs,          Function::neg,
          Function::square,      Function::hard_sigmoid, Function::gelu,
          Function::gelu_tanh,   Function::erf,          Function::silu,
          Function::mish,        Function::softplus,     Function::softsign,
          Function::sin,         Function::cos,          Function::floor,
          Function::ceil,        Function::sign}) {
        Building b({1, 2, 3, 4});
        Unary unary;
        unary.function = function;
        unary.alpha = function == Function::silu ? 1.5F : 0.25F;
        unary.beta = 0.5F;
        b.add(unary, {b.last}, {1, 2, 3, 4});
        SCOPED_TRACE(name_of(Operator(unary)));
        expect_same(b);
    }
}

TEST(OnnxWriter, WhatHasNoFormIsRefusedByName) {
    Building b({1, 2, 3, 4});
    b.add(Cumsum{}, {b.last}, {1, 2, 3, 4});
    const WrittenOnnx written = write_onnx(b.done());
    EXPECT_EQ(written.bytes.size(), 0U);
    EXPECT_NE(written.error.find("operator: "), std::string::npos) << written.error;
    EXPECT_NE(written.error.find("want the network as an ONNX file"), std::string::npos);
    Graph integers = Building({1, 2}).done();
    integers.tensor(integers.inputs[0]).type = Type::int8;
    EXPECT_NE(write_onnx(integers).error.find("want a float network"), std::string::npos);
}

}  // namespace
}  // namespace macrame::front
