/// States that the caller carries from one run to the next.

#include "compiler/front/states.hpp"

#include <gtest/gtest.h>

#include "compiler/test/front/onnx_builder.hpp"

namespace macrame::front::test {

namespace {

std::vector<float> reals(const graph::Bytes& bytes) {
    std::vector<float> out(bytes.size() / sizeof(float));
    std::memcpy(out.data(), bytes.data(), bytes.size());
    return out;
}

graph::Bytes bytes(const std::vector<float>& values) {
    graph::Bytes out(values.size() * sizeof(float));
    std::memcpy(out.data(), values.data(), out.size());
    return out;
}

TEST(States, AnOutputIsTheInputOfTheNextRun) {
    OnnxBuilder b;
    const std::string x = b.input({1, 2}), before = b.input({1, 2}), more = b.input({1, 2});
    const std::string sum = b.op("Add", {x, before});
    b.output(sum);
    b.output(b.op("Mul", {sum, more}));
    ReadResult read = b.read();
    ASSERT_EQ(keep_state(read, sum, before), "");
    EXPECT_EQ(graph::check(read.graph), std::vector<std::string>());
    ASSERT_EQ(read.graph.own_inputs(), 2U);
    ASSERT_EQ(read.graph.own_outputs(), 1U);
    EXPECT_EQ(read.graph.tensor(read.graph.inputs[1]).name, more);
    graph::Bytes state = read.graph.states[0].bytes();
    EXPECT_EQ(reals(state), (Floats{0, 0}));
    for (const float wanted : {1.0F, 2.0F, 3.0F}) {
        const auto out = graph::run(read.graph, {bytes({1, 2}), bytes({1, 1}), state});
        EXPECT_EQ(reals(out[0]), (Floats{wanted, 2 * wanted}));
        state = out[1];
    }
}

TEST(States, RealValuesStayWhereQuantisationDiffers) {
    OnnxBuilder b;
    const std::string x = b.input({1, 2}), before = b.input({1, 2});
    const std::string sum = b.op("Add", {b.pair(x, 0.5F, 0), b.pair(before, 0.25F, 10)});
    const std::string after = b.pair(sum, 0.5F, -3);
    b.output(after);
    b.output(b.pair(sum, 1, 0));
    ReadResult read = b.read();
    ASSERT_EQ(read.real_inputs.size(), 2U);
    ASSERT_EQ(keep_state(read, after, before), "");
    EXPECT_EQ(graph::check(read.graph), std::vector<std::string>());
    EXPECT_EQ(read.real_inputs, (std::vector<std::size_t>{0}));
    EXPECT_EQ(read.real_outputs, (std::vector<std::size_t>{0}));
    EXPECT_EQ(read.graph.states[0].bytes(), (graph::Bytes{10, 10}));
    // 2 and -1.5 of real value, in quarters with a zero of 10.
    const auto out = graph::run(read.graph, {{4, 0xfd}, read.graph.states[0].bytes()});
    EXPECT_EQ(out[1], (graph::Bytes{18, 4}));
}

TEST(States, Mistakes) {
    OnnxBuilder b;
    const std::string x = b.input({1, 2}), other = b.input({1, 3});
    const std::string y = b.op("Relu", {x});
    b.output(y);
    b.output(b.op("Relu", {other}));
    ReadResult read = b.read();
    EXPECT_EQ(keep_state(read, y, "z"), "state y1=z: no input z: want one of: x1, x2");
    EXPECT_EQ(keep_state(read, "z", x), "state z=x1: no output z: want one of: y1, y2");
    EXPECT_EQ(keep_state(read, y, other), "state y1=x2: 1x2 becomes 1x3: want the same shape");
    ASSERT_EQ(keep_state(read, y, x), "");
    EXPECT_EQ(keep_state(read, y, x), "state y1=x1: no input x1: want one of: x2");
}

}  // namespace

}  // namespace macrame::front::test
