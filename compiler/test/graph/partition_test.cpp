#include "compiler/graph/partition.hpp"

#include <gtest/gtest.h>

#include <map>

#include "compiler/graph/work.hpp"
#include "compiler/test/graph/graph_builder.hpp"
#include "compiler/test/random/random_graph.hpp"

namespace macrame::graph {
namespace {

using test::Builder;

constexpr int kChannels = 4;

/// Networks of 1x1 convolutions and functions of one tensor, all of the same shape.
struct Network : Builder {
    TensorId in(const std::string& name = "input") {
        const TensorId id = input(Type::int8, {1, 3, 3, kChannels}, 0.5F);
        graph.tensor(id).name = name;
        return id;
    }
    TensorId made() { return tensor(Type::int8, {1, 3, 3, kChannels}, 0.5F); }
    TensorId conv(TensorId from) {
        const TensorId weights =
            constant<std::int8_t>(Type::int8, {kChannels, 1, 1, kChannels},
                                  test::random_values(kChannels * kChannels, 1, -3, 3), 0.25F);
        const TensorId to = made();
        node(Conv{}, {from, weights, kNone}, {to});
        return to;
    }
    TensorId function(TensorId from, Function of = Function::sigmoid) {
        const TensorId to = made();
        node(Unary{of, 0, 0}, {from}, {to});
        return to;
    }
    TensorId binary(TensorId a, TensorId b) {
        const TensorId to = made();
        node(Binary{Arithmetic::add, Activation::none}, {a, b}, {to});
        return to;
    }

    /// "hardware 0 1, host 2"; the host does what is named.
    std::string parts(const std::vector<int>& refused) const {
        std::vector<bool> mask(graph.nodes.size());
        for (const int index : refused)
            mask[static_cast<std::size_t>(index)] = true;
        std::string out;
        for (const Part& part : partition(graph, mask)) {
            out += out.empty() ? "" : ", ";
            out += part.hardware ? "hardware" : "host";
            for (const int index : part.nodes)
                out += " " + std::to_string(index);
        }
        return out;
    }
};

TEST(Partition, IsOnePartOfHardwareIfNothingIsRefused) {
    Network n;
    n.graph.outputs = {n.function(n.conv(n.in()))};
    EXPECT_EQ(n.parts({}), "hardware 0 1");
}

TEST(Partition, GivesWhatIsRefusedToTheHostInTheMiddleInFrontAndBehind) {
    Network n;
    TensorId now = n.conv(n.function(n.in()));  // 0, 1
    now = n.conv(n.function(n.function(now)));  // 2, 3, 4
    n.graph.outputs = {n.function(now)};        // 5
    EXPECT_EQ(n.parts({2, 3}), "hardware 0 1, host 2 3, hardware 4 5");
    EXPECT_EQ(n.parts({0, 5}), "host 0, hardware 1 2 3 4, host 5");
    EXPECT_EQ(n.parts({0, 1, 2, 3, 4, 5}), "host 0 1 2 3 4 5");
}

TEST(Partition, LetsBranchesShareParts) {
    Network n;
    const TensorId in = n.in();
    std::vector<TensorId> ends;
    for (int branch = 0; branch < 3; ++branch)
        ends.push_back(n.conv(n.function(n.conv(in))));
    n.graph.outputs = ends;
    EXPECT_EQ(n.parts({1, 4, 7}), "hardware 0 3 6, host 1 4 7, hardware 2 5 8");
}

TEST(Partition, DoesWhatWaitsForNothingInTheFirstPart) {
    Network n;
    const TensorId a = n.in("a"), b = n.in("b");
    const TensorId late = n.conv(n.function(n.conv(a)));  // 0, 1, 2
    n.graph.outputs = {n.binary(late, n.conv(b))};        // 4, 3
    EXPECT_EQ(n.parts({1}), "hardware 0 3, host 1, hardware 2 4");
}

TEST(Partition, GivesPiecesWithoutProductsBetweenHostPartsToTheHost) {
    Network n;
    TensorId now = n.function(n.conv(n.in()));          // 0, 1
    now = n.function(n.function(now, Function::relu));  // 2, 3
    const TensorId conv = n.conv(now);                  // 4
    n.graph.outputs = {n.function(conv, Function::relu), n.function(now, Function::relu)};
    EXPECT_EQ(n.parts({1, 3}), "hardware 0, host 1 2 3 6, hardware 4 5");
    // Nothing touches the host: the hardware does all of it.
    EXPECT_EQ(n.parts({}), "hardware 0 1 2 3 4 5 6");
}

TEST(Partition, GivesWhatIsOnlyMovedInFrontOfTheHostToTheHost) {
    Network n;
    const TensorId host = n.function(n.function(n.in(), Function::relu));  // 0, 1
    n.graph.outputs = {n.conv(host)};                                      // 2
    EXPECT_EQ(n.parts({1}), "host 0 1, hardware 2");
}

TEST(Cut, HasTensorsOfOthersAsInputsAndWhatOthersReadAsOutputs) {
    Network n;
    const TensorId in = n.in();
    const TensorId first = n.conv(in), second = n.function(first), third = n.conv(second);
    const TensorId last = n.binary(third, first);
    n.graph.outputs = {second, last};
    const Cut middle = cut(n.graph, {1, 2});
    ASSERT_EQ(check(middle.graph), std::vector<std::string>{});
    ASSERT_EQ(middle.graph.inputs.size(), 1U);
    EXPECT_EQ(middle.whole(middle.graph.inputs[0]), first);
    ASSERT_EQ(middle.graph.outputs.size(), 2U);
    EXPECT_EQ(middle.whole(middle.graph.outputs[0]), second);  // leaves the network, too
    EXPECT_EQ(middle.whole(middle.graph.outputs[1]), third);
    EXPECT_EQ(middle.nodes, (std::vector<int>{1, 2}));
    EXPECT_EQ(middle.graph.nodes[1].where, n.graph.nodes[2].where);
    EXPECT_EQ(middle.graph.nodes[1].inputs[2], kNone);
    const TensorId weights = middle.graph.nodes[1].inputs[1];
    EXPECT_EQ(middle.graph.tensor(weights).data, n.graph.tensor(n.graph.nodes[2].inputs[1]).data);
    EXPECT_EQ(middle.graph.rounding, n.graph.rounding);
}

TEST(Work, CountsProductsWithoutPadding) {
    Builder b;
    const TensorId in = b.input(Type::int8, {1, 3, 4, 2}, 0.5F);
    const TensorId weights =
        b.constant<std::int8_t>(Type::int8, {5, 3, 3, 2}, std::vector<std::int8_t>(90, 1), 0.5F);
    const TensorId out = b.output(Type::int8, {1, 3, 4, 5}, 0.5F);
    Conv conv;
    conv.window = {3, 3, 1, 1, 1, 1, 1, 1, 1, 1};
    b.node(conv, {in, weights, kNone}, {out});
    ASSERT_EQ(check(b.graph), std::vector<std::string>{});
    // 2 + 3 + 2 rows of kernels by 2 + 3 + 3 + 2 columns, of 2 channels for 5.
    EXPECT_EQ(multiply_adds(b.graph, b.graph.nodes[0]), 7U * 10U * 2U * 5U);
}

/// What a network writes, its parts run in turn as networks of their own.
std::vector<Bytes> run_parts(const Graph& graph, const std::vector<Part>& parts,
                             const std::vector<Bytes>& inputs) {
    std::map<TensorId, Bytes> values;
    for (std::size_t i = 0; i < inputs.size(); ++i)
        values[graph.inputs[i]] = inputs[i];
    for (const Part& part : parts) {
        const Cut own = cut(graph, part.nodes);
        EXPECT_EQ(check(own.graph), std::vector<std::string>{});
        std::vector<Bytes> in;
        for (const TensorId id : own.graph.inputs)
            in.push_back(values.at(own.whole(id)));
        const std::vector<Bytes> out = run(own.graph, in);
        for (std::size_t i = 0; i < out.size(); ++i)
            values[own.whole(own.graph.outputs[i])] = out[i];
    }
    std::vector<Bytes> out;
    for (const TensorId id : graph.outputs)
        out.push_back(values.at(id));
    return out;
}

TEST(Partition, PartsOfRandomNetworksMakeWhatTheWholeMakes) {
    for (unsigned seed = 0; seed < 60; ++seed) {
        SCOPED_TRACE(seed);
        Graph graph = macrame::test::random_graph(seed);
        if (seed % 2 == 0) graph.outputs = {graph.outputs.back()};
        std::mt19937 random(seed);
        std::vector<bool> refused(graph.nodes.size());
        for (std::size_t i = 0; i < refused.size(); ++i)
            refused[i] = random() % 3 == 0;
        const std::vector<Part> parts = partition(graph, refused);
        std::vector<int> times(graph.nodes.size());
        for (std::size_t p = 0; p < parts.size(); ++p) {
            if (p > 0) {
                EXPECT_NE(parts[p].hardware, parts[p - 1].hardware);
            }
            for (const int index : parts[p].nodes) {
                ++times[static_cast<std::size_t>(index)];
                EXPECT_FALSE(parts[p].hardware && refused[static_cast<std::size_t>(index)]);
            }
        }
        EXPECT_EQ(times, std::vector<int>(graph.nodes.size(), 1));
        const std::vector<std::int8_t> values =
            test::random_values(graph.tensor(graph.inputs[0]).elements(), seed);
        const std::vector<Bytes> inputs = {test::bytes_of(values)};
        EXPECT_EQ(run_parts(graph, parts, inputs), run(graph, inputs));
    }
}

}  // namespace
}  // namespace macrame::graph
