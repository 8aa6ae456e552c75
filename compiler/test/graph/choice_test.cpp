/// The largest of rows, elements by coordinates, cumulative sums, boxes, features over time.
#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "compiler/test/graph/graph_builder.hpp"

namespace macrame::graph {
namespace {

using test::Builder;
using test::bytes_of;
using test::values_of;
using Bytes8 = std::vector<std::int8_t>;
using Numbers = std::vector<std::int32_t>;
using Reals = std::vector<float>;

TEST(TopK, OfEqualOnesTheFirst) {
    Builder b;
    const TensorId x = b.input(Type::int8, {2, 4}, 1, 0), y = b.output(Type::int8, {2, 2}, 1, 0),
                   places = b.output(Type::int32, {2, 2});
    b.node(TopK{}, {x}, {y, places});
    ASSERT_TRUE(check(b.graph).empty());
    const std::vector<Bytes> made = run(b.graph, {bytes_of(Bytes8{1, 5, 5, -2, -7, -9, -8, -9})});
    EXPECT_EQ(values_of<std::int8_t>(made[0]), (Bytes8{5, 5, -7, -8}));
    EXPECT_EQ(values_of<std::int32_t>(made[1]), (Numbers{1, 2, 0, 2}));
}

TEST(Gathers, ByCoordinatesAndAlongAnAxis) {
    Builder b;
    const TensorId x = b.input(Type::int32, {2, 3}), which = b.input(Type::int32, {2, 2});
    b.node(GatherNd{}, {x, which}, {b.output(Type::int32, {2})});
    EXPECT_EQ((b.run<std::int32_t, std::int32_t>({{0, 1, 2, 3, 4, 5}, {1, 2, 0, -1}})),
              (Numbers{5, 2}));
    EXPECT_THROW((b.run<std::int32_t, std::int32_t>({{0, 1, 2, 3, 4, 5}, {1, 3, 0, 0}})), BadValue);
    Builder along;
    const TensorId from = along.input(Type::int32, {2, 3}), of = along.input(Type::int32, {1, 3});
    along.node(GatherElements{0}, {from, of}, {along.output(Type::int32, {1, 3})});
    EXPECT_EQ((along.run<std::int32_t, std::int32_t>({{0, 1, 2, 3, 4, 5}, {1, 0, 1}})),
              (Numbers{3, 1, 5}));
}

TEST(PutRows, AtPlacesAlongAnAxisTheLastOfSeveral) {
    Builder b;
    const TensorId x = b.input(Type::int32, {2, 3}), rows = b.input(Type::int32, {2, 2}),
                   places = b.input(Type::int32, {2});
    b.node(PutRows{1}, {x, rows, places}, {b.output(Type::int32, {2, 3})});
    ASSERT_TRUE(check(b.graph).empty());
    const Numbers old = {0, 1, 2, 3, 4, 5}, put = {10, 20, 30, 40};
    EXPECT_EQ((b.run<std::int32_t, std::int32_t>({old, put, {2, 0}})),
              (Numbers{20, 1, 10, 40, 4, 30}));
    EXPECT_EQ((b.run<std::int32_t, std::int32_t>({old, put, {-2, 1}})),
              (Numbers{0, 20, 2, 3, 40, 5}));
    EXPECT_THROW((b.run<std::int32_t, std::int32_t>({old, put, {3, 0}})), BadValue);
    const auto refused = [](const std::vector<int>& of_rows, const std::vector<int>& of_places) {
        Builder other;
        const TensorId in = other.input(Type::int32, {2, 3}),
                       more = other.input(Type::int32, of_rows),
                       at = other.input(Type::int32, of_places);
        other.node(PutRows{1}, {in, more, at}, {other.output(Type::int32, {2, 3})});
        return !check(other.graph).empty();
    };
    EXPECT_FALSE(refused({2, 1}, {1}));
    EXPECT_TRUE(refused({1, 1}, {1}));
    EXPECT_TRUE(refused({2, 2}, {1}));
    EXPECT_TRUE(refused({2, 1}, {1, 1}));
}

TEST(Cumsum, WithTheElementOrWithoutFromEitherEnd) {
    for (const auto& [op, want] :
         std::vector<std::pair<Cumsum, Numbers>>{{{1, false, false}, {1, 3, 6, 4, 9, 15}},
                                                 {{1, true, true}, {5, 3, 0, 11, 6, 0}},
                                                 {{0, true, false}, {0, 0, 0, 1, 2, 3}}}) {
        Builder b;
        const TensorId x = b.input(Type::int32, {2, 3});
        b.node(op, {x}, {b.output(Type::int32, {2, 3})});
        EXPECT_EQ((b.run<std::int32_t, std::int32_t>({{1, 2, 3, 4, 5, 6}})), want);
    }
}

TEST(LocalNorm, OfTheChannelsAround) {
    Builder b;
    const TensorId x = b.input(Type::float32, {3});
    b.node(LocalNorm{1, 0, 1, 1, 1}, {x}, {b.output(Type::float32, {3})});
    EXPECT_EQ((b.run<float, float>({{1, 1, 2}})), (Reals{0.5F, 1.0F / 3, 2.0F / 6}));
}

/// Features 2 x and x + y of the last two steps, by 1 and 2; a state of int8 with a zero point.
TEST(Svdf, KeepsTheFeaturesOfItsSteps) {
    Builder b;
    const TensorId x = b.input(Type::int8, {1, 2}, 1, 1);
    const TensorId feature = b.constant(Type::int8, {2, 2}, Bytes8{2, 0, 1, 1}, 1);
    const TensorId time = b.constant(Type::int8, {2, 2}, Bytes8{1, 2, 1, 2}, 1);
    const TensorId bias = b.constant(Type::int32, {1}, Numbers{3});
    const TensorId state = b.input(Type::int8, {1, 4}, 1, 5),
                   y = b.output(Type::int8, {1, 1}, 1, 0);
    const TensorId next = b.output(Type::int8, {1, 4}, 1, 5);
    b.node(Svdf{2, Activation::none}, {x, feature, time, bias, state}, {y, next});
    ASSERT_TRUE(check(b.graph).empty()) << check(b.graph)[0];
    const std::vector<Bytes> made =
        run(b.graph, {bytes_of(Bytes8{3, 4}), bytes_of(Bytes8{9, 6, 9, 7})});
    // Before: 1 and 2. Now 2 * 2 and 2 + 3.
    EXPECT_EQ(values_of<std::int8_t>(made[1]), (Bytes8{6, 9, 7, 10}));
    EXPECT_EQ(values_of<std::int8_t>(made[0]), (Bytes8{3 + 1 + 2 * 4 + 2 + 2 * 5}));
}

TEST(Detections, OfBoxesThatOverlapTheBestStays) {
    Builder b;
    const TensorId boxes = b.input(Type::float32, {1, 3, 4}),
                   scores = b.input(Type::float32, {1, 3, 3}),
                   anchors = b.constant(Type::float32, {3, 4},
                                        Reals{0, 0, 2, 2, 0, 0.5F, 2, 2, 5, 5, 2, 2});
    const std::vector<TensorId> out = {
        b.output(Type::float32, {1, 3, 4}), b.output(Type::float32, {1, 3}),
        b.output(Type::float32, {1, 3}), b.output(Type::float32, {1})};
    Detections op;
    op.most = 3;
    op.classes = 2;
    op.score = 0.2F;
    b.node(op, {boxes, scores, anchors}, out);
    ASSERT_TRUE(check(b.graph).empty()) << check(b.graph)[0];
    const std::vector<Bytes> made =
        run(b.graph, {Bytes(48), bytes_of(Reals{0, 0.5F, 0.1F, 0, 0.3F, 0.9F, 0, 0.3F, 0.1F})});
    EXPECT_EQ(values_of<float>(made[0]), (Reals{-1, -0.5F, 1, 1.5F, 4, 4, 6, 6, 0, 0, 0, 0}));
    EXPECT_EQ(values_of<float>(made[1]), (Reals{1, 0, 0}));
    EXPECT_EQ(values_of<float>(made[2]), (Reals{0.9F, 0.3F, 0}));
    EXPECT_EQ(values_of<float>(made[3]), (Reals{2}));
}

}  // namespace
}  // namespace macrame::graph
