/// Products of two tensors, squares of differences.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "compiler/graph/check.hpp"
#include "compiler/graph/reference.hpp"
#include "compiler/graph/work.hpp"
#include "compiler/test/graph/graph_builder.hpp"

namespace macrame::graph::test {
namespace {

using Ints = std::vector<std::int8_t>;

/// Output of shape [2, 3, 4] of operands [2, 3, 5] and [1, 5, 4], transposed as `op` says.
Ints product(const MatMul& op, const Ints& a, const Ints& b) {
    Builder made;
    const TensorId x = made.input(
        Type::int8, op.transpose_a ? std::vector<int>{2, 5, 3} : std::vector<int>{2, 3, 5}, 0.05F,
        3);
    const TensorId y = made.input(
        Type::int8, op.transpose_b ? std::vector<int>{1, 4, 5} : std::vector<int>{1, 5, 4}, 0.02F,
        -7);
    made.node(op, {x, y}, {made.output(Type::int8, {2, 3, 4}, 0.11F, 5)});
    EXPECT_EQ(check(made.graph), std::vector<std::string>{});
    EXPECT_EQ(multiply_adds(made.graph, made.graph.nodes[0]), 2U * 3 * 4 * 5);
    return values_of<std::int8_t>(run(made.graph, {bytes_of(a), bytes_of(b)})[0]);
}

std::size_t place(int i) { return static_cast<std::size_t>(i); }

TEST(MatMul, IsTheSumOfProducts) {
    Ints a(30), b(20), a_turned(30), b_turned(20);
    for (int i = 0; i < 30; ++i)
        a[place(i)] = static_cast<std::int8_t>(i * 37 % 251 - 125);
    for (int i = 0; i < 20; ++i)
        b[place(i)] = static_cast<std::int8_t>(i * 53 % 241 - 120);
    for (int n = 0; n < 2; ++n)
        for (int r = 0; r < 3; ++r)
            for (int k = 0; k < 5; ++k)
                a_turned[place(n * 15 + k * 3 + r)] = a[place(n * 15 + r * 5 + k)];
    for (int k = 0; k < 5; ++k)
        for (int c = 0; c < 4; ++c)
            b_turned[place(c * 5 + k)] = b[place(k * 4 + c)];
    const Ints got = product({}, a, b);
    for (int i = 0; i < 24; ++i) {
        double sum = 0;
        for (int k = 0; k < 5; ++k)
            sum += 0.05 * (a[place(i / 4 * 5 + k)] - 3) * 0.02 * (b[place(k * 4 + i % 4)] + 7);
        const double want = std::min(127.0, std::max(-128.0, sum / 0.11 + 5));
        EXPECT_NEAR(got[place(i)], want, 0.501) << i;
    }
    EXPECT_EQ(product({true, false}, a_turned, b), got);
    EXPECT_EQ(product({false, true}, a, b_turned), got);
    EXPECT_EQ(product({true, true}, a_turned, b_turned), got);
}

TEST(MatMul, WantsWhatFits) {
    const auto problem = [](std::vector<int> a, std::vector<int> b) {
        Builder made;
        made.node(
            MatMul{},
            {made.input(Type::int8, std::move(a), 1), made.input(Type::int8, std::move(b), 1)},
            {made.output(Type::int8, {2, 3, 4}, 1)});
        const std::vector<std::string> all = check(made.graph);
        return all.empty() ? std::string() : all[0];
    };
    EXPECT_NE(problem({2, 3, 5}, {6, 4}).find("5 columns times 6 rows: want as many"),
              std::string::npos);
    EXPECT_NE(problem({2, 3, 5}, {3, 5, 4}).find("want axes in front of equal size, or 1"),
              std::string::npos);
    EXPECT_NE(problem({3, 5}, {5}).find("want at least two axes"), std::string::npos);
}

TEST(SquaredDifference, IsNearTheRealOne) {
    Builder b;
    const TensorId x = b.input(Type::int8, {256, 1}, 0.05F, 4),
                   y = b.input(Type::int8, {1, 256}, 0.08F, -9);
    b.node(Binary{Arithmetic::squared_difference, {}}, {x, y},
           {b.output(Type::int8, {256, 256}, 0.7F, -128)});
    Ints all(256);
    for (int i = 0; i < 256; ++i)
        all[place(i)] = static_cast<std::int8_t>(i - 128);
    const Ints got = values_of<std::int8_t>(run(b.graph, {bytes_of(all), bytes_of(all)})[0]);
    for (int i = 0; i < 256 * 256; ++i) {
        const double apart = 0.05 * (i / 256 - 132) - 0.08 * (i % 256 - 119);
        // Operands have 7 fraction bits.
        ASSERT_NEAR(got[place(i)], std::min(127.0, apart * apart / 0.7 - 128), 1.01) << i;
    }
}

}  // namespace
}  // namespace macrame::graph::test
