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
