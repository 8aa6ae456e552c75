// Who makes and reads tensors.
#include "compiler/graph/links.hpp"

#include <gtest/gtest.h>

#include "compiler/test/graph/graph_builder.hpp"

namespace macrame::graph {
namespace {

/// x -> 0 -> a -> 1 -> b, 2 reads a and b.
TEST(Links, OfASquare) {
    test::Builder b;
    const TensorId x = b.input(Type::int8, {1, 2}, 0.5F);
    const TensorId first = b.tensor(Type::int8, {1, 2}, 0.5F);
    const TensorId second = b.tensor(Type::int8, {1, 2}, 0.5F);
    const TensorId y = b.output(Type::int8, {1, 2}, 0.5F);
    b.node(Unary{}, {x}, {first});
    b.node(Unary{}, {first}, {second});
    b.node(Binary{}, {first, second}, {y});
    EXPECT_EQ(maker(b.graph, x), -1);
    EXPECT_EQ(maker(b.graph, second), 1);
    EXPECT_EQ(readers(b.graph, first), (std::vector<int>{1, 2}));
    EXPECT_TRUE(readers(b.graph, y).empty());
    EXPECT_TRUE(is_output(b.graph, y));
    EXPECT_FALSE(is_output(b.graph, first));
    EXPECT_EQ(in_front(b.graph, 2, [&](TensorId id) { return id != x; }),
              (std::vector<int>{2, 1, 0}));
    EXPECT_EQ(in_front(b.graph, 2, [&](TensorId id) { return id == second; }),
              (std::vector<int>{2, 1}));
}

}  // namespace
}  // namespace macrame::graph
