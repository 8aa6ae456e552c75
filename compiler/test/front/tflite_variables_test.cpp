/// Networks of TFLite files that keep something from one run to the next.
#include <gtest/gtest.h>

#include "compiler/front/front.hpp"
#include "compiler/graph/check.hpp"
#include "compiler/graph/reference.hpp"
#include "compiler/test/front/tflite_builder.hpp"

namespace macrame::front {
namespace {

using test::Stream;
using test::streaming_network;

TEST(TfliteVariables, BecomeInputsAndOutputs) {
    const ReadResult read = read_tflite("net", streaming_network());
    ASSERT_TRUE(read.ok()) << read.errors[0];
    const graph::Graph& g = read.graph;
    EXPECT_EQ(g.own_inputs(), 1U);
    EXPECT_EQ(g.own_outputs(), 1U);
    ASSERT_EQ(g.states.size(), 1U);
    EXPECT_EQ(g.states[0].bytes(), (graph::Bytes{10, 20, 30}));
    graph::Bytes kept = g.states[0].bytes();
    const int sums[] = {61, 53, 36, 10};
    for (int i = 0; i < 4; ++i) {
        const auto out = graph::run(g, {{static_cast<std::uint8_t>(i + 1)}, kept});
        EXPECT_EQ(out[0], (graph::Bytes{static_cast<std::uint8_t>(sums[i])})) << i;
        kept = out[1];
    }
    EXPECT_EQ(kept, (graph::Bytes{2, 3, 4}));
}

TEST(TfliteVariables, ThatNoRunAssignsAreConstants) {
    const ReadResult read = read_tflite("net", streaming_network(Stream::read_only));
    ASSERT_TRUE(read.ok()) << read.errors[0];
    EXPECT_TRUE(read.graph.states.empty());
    EXPECT_EQ(graph::run(read.graph, {{5}})[0], (graph::Bytes{65}));
}

TEST(TfliteVariables, AreRefusedWithTheirPlace) {
    const std::pair<Stream, const char*> cases[] = {
        {Stream::without_first_value,
         "net: operator 1 (READ_VARIABLE): reads variable //ring, which has no value in the first "
         "run: want CALL_ONCE to assign one"},
        {Stream::computed_first_value,
         "net: operator 0 (CALL_ONCE): operator 1 (ASSIGN_VARIABLE): assigns what is computed: "
         "want "
         "a constant"},
        {Stream::other_shape,
         "net: operator 5 (ASSIGN_VARIABLE): assigns 1x4 of int8: want 1x3 of int8, as before the "
         "first run"},
    };
    for (const auto& [how, text] : cases) {
        const ReadResult read = read_tflite("net", streaming_network(how));
        ASSERT_FALSE(read.ok()) << text;
        EXPECT_EQ(read.errors[0], text);
    }
}

/// Two steps of an LSTM of two cells. `more`: the last input is of a normalisation.
std::vector<std::uint8_t> lstm(bool more = false) {
    test::TfliteBuilder b;
    const auto int8 = schema::TensorType::INT8;
    const int x = b.int8({1, 2, 3}, 0.1F, 4), y = b.int8({1, 2, 2}, 0.01F, 7);
    std::vector<std::int32_t> in = {x};
    for (int i = 0; i < 8; ++i) {
        const int columns = i < 4 ? 3 : 2;
        std::vector<std::int8_t> values(static_cast<std::size_t>(2 * columns));
        for (std::size_t k = 0; k < values.size(); ++k)
            values[k] = static_cast<std::int8_t>(20 * i + static_cast<int>(k));
        in.push_back(b.tensor(int8, {2, columns}, {0.02F}, {0}, values));
    }
    in.insert(in.end(), {-1, -1, -1, -1, -1, -1, -1, -1, -1});
    b.variable = true;
    in.push_back(b.int8({1, 2}, 0.01F, 7));
    in.push_back(b.tensor(schema::TensorType::INT16, {1, 2}, {1.0F / 4096}, {0}));
    b.variable = false;
    in.insert(in.end(), {-1, -1, -1, more ? in[1] : -1});
    b.op(schema::BuiltinOperator::UNIDIRECTIONAL_SEQUENCE_LSTM, in, {y},
         schema::OptionsType::UNIDIRECTIONAL_SEQUENCE_LSTM,
         schema::CreateSequenceLstmOptions(b.fbb, schema::Activation::TANH, 2.5F));
    return b.finish({x}, {y});
}

TEST(TfliteVariables, OfAnLstm) {
    const ReadResult read = read_tflite("net", lstm());
    ASSERT_TRUE(read.ok()) << read.errors[0];
    const graph::Graph& g = read.graph;
    ASSERT_EQ(g.nodes.size(), 1U);
    EXPECT_EQ(std::get<graph::Lstm>(g.nodes[0].op).clip, 10240);
    ASSERT_EQ(g.states.size(), 2U);
    EXPECT_EQ(g.states[0].bytes(), (graph::Bytes{7, 7}));
    EXPECT_EQ(g.states[1].bytes(), graph::Bytes(4));
    EXPECT_EQ(g.tensor(g.nodes[0].inputs[14]).type, graph::Type::int16);
    const auto out = graph::run(g, {graph::Bytes(6, 30), g.states[0].bytes(), g.states[1].bytes()});
    EXPECT_EQ(out[1], graph::Bytes(out[0].end() - 2, out[0].end()));
    const ReadResult refused = read_tflite("net", lstm(true));
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.errors[0],
              "net: operator 0 (UNIDIRECTIONAL_SEQUENCE_LSTM), tensor t1: input 23 (t2): want "
              "neither peepholes, projection nor normalisation in int8 (in float32 they are read)");
}

TEST(TfliteVariables, HaveTheSizeOfWhatTheyBecome) {
    ReadResult read = read_tflite("net", streaming_network());
    ASSERT_TRUE(read.ok());
    read.graph.states[0] = graph::Bytes{1, 2};
    EXPECT_EQ(graph::check(read.graph).size(), 1U);
    read.graph.states.resize(3);
    EXPECT_EQ(graph::check(read.graph),
              (std::vector<std::string>{"3 states: want at most as many as inputs and outputs"}));
}

}  // namespace
}  // namespace macrame::front
