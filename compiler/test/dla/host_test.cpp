/// Operators that the hardware does not have, between others that it has.

#include <gtest/gtest.h>

#include "compiler/dla/compile.hpp"
#include "compiler/graph/check.hpp"
#include "compiler/test/dla/follow.hpp"
#include "compiler/test/random/graph_builder.hpp"

namespace macrame::test {

namespace {

/// conv, softmax, conv; softmax twice if asked for; an argmax at the end.
class Mixed : GraphBuilder {
public:
    using GraphBuilder::GraphBuilder;

    Graph build(int softmaxes) {
        TensorId now = activation({1, 5, 4, 12}, "input");
        graph_.inputs = {now};
        now = conv(now);
        for (int i = 0; i < softmaxes; ++i) {
            const TensorId out = activation(graph_.tensor(now).shape, "softmax");
            graph_.tensor(out).quantisation.scale = {1.0F / 256};
            graph_.tensor(out).quantisation.zero_point = {-128};
            add_node(Softmax{}, {now}, out);
            now = out;
        }
        now = conv(now);
        Tensor index;
        index.name = "argmax";
        index.type = Type::int32;
        index.shape = graph_.tensor(now).shape;
        index.shape.pop_back();
        const TensorId out = add_tensor(index);
        add_node(Argmax{3}, {now}, out);
        return finish();
    }
};

TEST(DlaHost, OperatorsBetweenLayersRunOnTheHost) {
    Counts counts;
    std::uint64_t seed = 1;
    compiler::Options fallback;
    fallback.host_commands = true;
    for (const dla::published::Config& config : configurations()) {
        follow(Mixed(seed).build(1 + static_cast<int>(seed % 2)), seed, config, counts, fallback);
        ++seed;
    }
    EXPECT_EQ(counts.networks, static_cast<int>(configurations().size()));
}

TEST(DlaHost, WithoutItTheOperatorIsRefusedByItsPlace) {
    const Graph graph = Mixed(1).build(1);
    const compiler::Compiled made = dla::compiler::compile(graph, configurations()[0].sizes);
    ASSERT_EQ(made.errors.size(), 1u);
    EXPECT_NE(made.errors[0].find("operator 1"), std::string::npos) << made.errors[0];
    ASSERT_EQ(made.refused.size(), 1u);
    EXPECT_EQ(made.refused[0].node, 1);
    EXPECT_NE(made.errors[0].find(made.refused[0].reason), std::string::npos) << made.errors[0];
}

}  // namespace

}  // namespace macrame::test
