/// Sums and more along axes, numbers of int32 and int64, casts, norms of rows.
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <vector>

#include "compiler/test/graph/graph_builder.hpp"

namespace macrame::graph {
namespace {

using test::Builder;
using Numbers = std::vector<std::int32_t>;

Numbers reduced(Reduction function, std::vector<int> axes, std::vector<int> shape) {
    Builder b;
    const TensorId x = b.input(Type::int32, {2, 2, 2});
    const TensorId y = b.output(Type::int32, std::move(shape));
    b.node(Reduce{function, std::move(axes), false}, {x}, {y});
    return b.run<std::int32_t, std::int32_t>({{1, 2, 3, -4, 5, 6, 7, 8}});
}

TEST(Reduce, NumbersAlongAxes) {
    EXPECT_EQ(reduced(Reduction::sum, {0}, {2, 2}), (Numbers{6, 8, 10, 4}));
    EXPECT_EQ(reduced(Reduction::product, {1, 2}, {2}), (Numbers{-24, 1680}));
    EXPECT_EQ(reduced(Reduction::maximum, {2}, {2, 2}), (Numbers{2, 3, 6, 8}));
    EXPECT_EQ(reduced(Reduction::minimum, {0, 1, 2}, {}), (Numbers{-4}));
}

TEST(Reduce, SumsOfBytesSaturateInTheScaleOfTheOutput) {
    Builder b;
    const TensorId x = b.input(Type::int8, {2, 3}, 0.5F, 1);
    const TensorId y = b.output(Type::int8, {2}, 0.25F, -2);
    b.node(Reduce{Reduction::sum, {1}, false}, {x}, {y});
    // 2 * (1 + 2 - 5) - 2; 2 * 300 - 2
    EXPECT_EQ((b.run<std::int8_t, std::int8_t>({{2, 3, -4, 101, 101, 101}})),
              (std::vector<std::int8_t>{-6, 127}));
}

std::string problem(const Operator& op, Type type, float scale, std::vector<int> shape) {
    Builder b;
    const TensorId x = b.input(type, {2, 3}, scale, 0);
    b.node(op, {x}, {b.output(type, std::move(shape), scale, 0)});
    const std::vector<std::string> errors = check(b.graph);
    return errors.empty() ? std::string() : errors[0];
}

TEST(Reduce, TellsWhatIsWrong) {
    EXPECT_EQ(problem(Reduce{Reduction::product, {1}, false}, Type::int8, 1, {2}),
              "node 0: product of int8: want float32, int32 or int64");
    EXPECT_EQ(problem(Reduce{Reduction::sum, {2}, false}, Type::int32, 0, {2}),
              "node 0: axes 2: want them ascending, below 2");
    EXPECT_EQ(problem(L2Norm{}, Type::int8, 0.5F, {2, 3}),
              "node 0: output with scale 0.5 and zero point 0: want 1/128 and 0");
}

template <typename Number>
std::vector<Number> combined(Type type, Arithmetic function, const std::vector<Number>& a,
                             const std::vector<Number>& b) {
    Builder graph;
    const auto count = static_cast<int>(a.size());
    const TensorId x = graph.input(type, {count}), y = graph.input(type, {count});
    graph.node(Binary{function, Activation::none}, {x, y}, {graph.output(type, {count})});
    return graph.run<Number, Number>({a, b});
}

TEST(Numbers, AreRoundedDownOrToZeroAndWrap) {
    const Numbers a = {7, -7, 7, -7, 6}, b = {2, 2, -2, -2, 3};
    EXPECT_EQ(combined(Type::int32, Arithmetic::div, a, b), (Numbers{3, -3, -3, 3, 2}));
    EXPECT_EQ(combined(Type::int32, Arithmetic::floor_div, a, b), (Numbers{3, -4, -4, 3, 2}));
    EXPECT_EQ(combined(Type::int32, Arithmetic::floor_mod, a, b), (Numbers{1, 1, -1, -1, 0}));
    EXPECT_EQ(combined(Type::int32, Arithmetic::pow, a, b), (Numbers{49, 49, 0, 0, 216}));
    constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
    EXPECT_EQ(combined<std::int64_t>(Type::int64, Arithmetic::div, {kLeast}, {-1}),
              (std::vector<std::int64_t>{kLeast}));
    EXPECT_EQ(combined(Type::int32, Arithmetic::mul, Numbers{1 << 30}, Numbers{6}),
              (Numbers{-2147483647 - 1}));
    EXPECT_THROW(combined(Type::int32, Arithmetic::floor_mod, Numbers{1}, Numbers{0}), BadValue);
}

TEST(Cast, DropsFractionsAndScales) {
    Builder b;
    const TensorId x = b.input(Type::float32, {5});
    b.node(Cast{}, {x}, {b.output(Type::int32, {5})});
    EXPECT_EQ((b.run<std::int32_t, float>({{2.9F, -2.9F, 1e20F, -1e20F, 0.5F}})),
              (Numbers{2, -2, -2147483647 - 1, -2147483647 - 1, 0}));
    Builder bytes;
    const TensorId y = bytes.input(Type::int8, {2}, 0.5F, 3);
    bytes.node(Cast{}, {y}, {bytes.output(Type::float32, {2})});
    EXPECT_EQ((bytes.run<float, std::int8_t>({{-5, 7}})), (std::vector<float>{-5, 7}));
}

TEST(L2Norm, OfRows) {
    Builder b;
    const TensorId x = b.input(Type::int8, {2, 2}, 0.1F, 10);
    b.node(L2Norm{}, {x}, {b.output(Type::int8, {2, 2}, 1.0F / 128, 0)});
    // 3 and 4 of 5; 0 and 7
    EXPECT_EQ((b.run<std::int8_t, std::int8_t>({{13, 14, 10, 17}})),
              (std::vector<std::int8_t>{77, 102, 0, 127}));
}

}  // namespace
}  // namespace macrame::graph
