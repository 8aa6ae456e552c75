/// Networks of any size are compiled or refused within seconds.
#include <gtest/gtest.h>

#include <chrono>

#include "compiler/dla/compile.hpp"
#include "compiler/test/dla/graphs.hpp"

namespace macrame::dla::compiler {
namespace {

using graph::Graph;
using graph::Tensor;
using graph::TensorId;
using test::activation;
using test::add;
using test::weights;

/// Compiled for nv_small within `seconds`; its errors, a line each.
std::string errors(const Graph& g, double seconds) {
    EXPECT_EQ(graph::check(g), std::vector<std::string>{});
    model::Architecture sizes;
    sizes.pdp = true;
    const auto begin = std::chrono::steady_clock::now();
    const Compiled compiled = compile(g, sizes);
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
    EXPECT_LT(time.count(), seconds);
    std::string text;
    for (const std::string& error : compiled.errors)
        text += error + "\n";
    return text;
}

Graph chain(int operators) {
    Graph g;
    TensorId x = activation(g, {1, 2, 2, 8});
    g.inputs = {x};
    for (int i = 0; i < operators; ++i)
        x = add(g, graph::Unary{graph::Function::relu, 0}, {x}, {1, 2, 2, 8});
    g.outputs = {x};
    return g;
}

TEST(DlaLimits, LongChainIsCompiled) { EXPECT_EQ(errors(chain(2000), 30), ""); }

TEST(DlaLimits, MoreOperatorsAreRefusedAtOnce) {
    EXPECT_EQ(errors(chain(100'000), 2), ": network: 100000 operators: want at most 16384\n");
}

TEST(DlaLimits, TensorsThatNoMemoryHasRoomFor) {
    Graph g;
    const TensorId x = activation(g, {1, 1 << 14, 1 << 14, 1});
    g.inputs = {x};
    g.outputs = {add(g, graph::Unary{}, {x}, {1, 1 << 14, 1 << 14, 1})};
    EXPECT_EQ(errors(g, 2),
              ": network: t0 takes 2147483648 bytes in memory: want at most 1073741824\n");
}

TEST(DlaLimits, LargePicturesTakeNoLongerThanSeconds) {
    Graph g;
    const TensorId x = activation(g, {1, 2048, 2048, 8});
    g.inputs = {x};
    const TensorId y = add(g, graph::Unary{}, {x}, {1, 2048, 2048, 8});
    graph::Conv conv;
    conv.window.kernel_h = conv.window.kernel_w = 3;
    const TensorId w = weights(g, {8, 3, 3, 8});
    g.outputs = {add(g, conv, {y, w, graph::kNone}, {1, 2046, 2046, 8})};
    EXPECT_EQ(errors(g, 20), "");
}

TEST(DlaLimits, WindowsOfAMillion) {
    for (const graph::Pooling function : {graph::Pooling::maximum, graph::Pooling::average}) {
        Graph g;
        const TensorId x = activation(g, {1, 1, 1 << 20, 8});
        g.inputs = {x};
        graph::Pool pool;
        pool.function = function;
        pool.window.kernel_w = 1 << 20;
        g.outputs = {add(g, pool, {x}, {1, 1, 1, 8})};
        const std::string text = errors(g, 20);
        const bool refused = text.find(": want ") != std::string::npos;
        EXPECT_EQ(refused, function == graph::Pooling::average) << text;
    }
}

TEST(DlaLimits, RowsOfAFullyConnected) {
    Graph g;
    const TensorId x = activation(g, {2, 8});
    g.inputs = {x};
    const TensorId w = weights(g, {4, 4});
    g.outputs = {add(g, graph::FullyConnected{}, {x, w, graph::kNone}, {4, 4})};
    EXPECT_NE(errors(g, 2).find("16 elements for weights of 4: want one row"), std::string::npos);
}

}  // namespace
}  // namespace macrame::dla::compiler
