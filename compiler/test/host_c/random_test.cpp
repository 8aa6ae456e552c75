/// Networks of other tests in C: the bytes of the reference executor, or a word on the operator
/// that has no function.

#include <gtest/gtest.h>

#include "compiler/test/host_c/compiled_c.hpp"
#include "compiler/test/random/mixed_graph.hpp"
#include "compiler/test/random/properties.hpp"
#include "compiler/test/random/random_graph.hpp"

namespace macrame::compiler::host_c {
namespace {

TEST(HostC, RandomNetworks) {
    std::vector<graph::Graph> graphs;
    std::vector<std::string> names;
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
        graphs.push_back(test::mixed(test::random_graph(seed), seed));
        names.push_back("seed " + std::to_string(seed));
    }
    expect_reference(graphs, names);
}

TEST(HostC, AllThatReadersAccept) {
    std::vector<graph::Graph> graphs;
    std::vector<std::string> names;
    for (test::PropertyCase& one : test::property_cases()) {
        const std::string problem = write(one.graph, on_host(one.graph), "net").problem;
        if (!problem.empty()) {
            EXPECT_EQ(problem.find(one.graph.nodes[0].where), 0U) << one.name << ": " << problem;
            continue;
        }
        names.push_back(one.name);
        graphs.push_back(std::move(one.graph));
    }
    EXPECT_GT(graphs.size(), 50U);
    expect_reference(graphs, names);
}

}  // namespace
}  // namespace macrame::compiler::host_c
