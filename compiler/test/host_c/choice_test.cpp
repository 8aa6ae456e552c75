/// Rows over their length, weights over time and boxes that are found in C: the bytes of the
/// reference executor.
#include <gtest/gtest.h>

#include "compiler/test/host_c/cases.hpp"

namespace macrame::compiler::host_c {
namespace {

TEST(HostC, RowsOverTheirLength) {
    Cases cases;
    for (const bool old : {false, true}) {
        Tensor in = bytes({7, 30}, 0.1F, 5);
        in.shifted = old;
        cases.add("l2 norm", L2Norm{}, in, bytes({7, 30}, 1.0F / 128, 0));
    }
    cases.add("l2 norm", L2Norm{}, tensor(Type::float32, {7, 30}),
              tensor(Type::float32, {7, 30}));
    for (const int behind : {-1, 0, 2, 20})
        cases.add("local norm", LocalNorm{behind < 0 ? 0 : behind, behind, 1.5F, 0.3F, 0.75F},
                  tensor(Type::float32, {5, 9}), tensor(Type::float32, {5, 9}));
    cases.expect_reference();
}

/// Two batches of three outputs of two filters each, four steps.
TEST(HostC, WeightsOverTime) {
    Cases cases;
    verif::Random random(1);
    const auto numbers = [&](int count, int most) {
        std::vector<std::int16_t> out;
        for (int i = 0; i < count; ++i)
            out.push_back(static_cast<std::int16_t>(random.in(-most, most)));
        return out;
    };
    for (const bool wide : {false, true})
        cases.add("svdf", [&](Builder& b) {
            const Type kept = wide ? Type::int16 : Type::int8;
            const std::vector<std::int16_t> feature = numbers(30, 127), time = numbers(24, 127);
            const TensorId x = b.input(Type::int8, {2, 5}, 0.1F, 3),
                           before = b.input(kept, {2, 24}, 0.2F, wide ? 0 : -4);
            const TensorId features = b.constant<std::int8_t>(
                Type::int8, {6, 5}, {feature.begin(), feature.end()}, 0.02F);
            const TensorId times =
                wide ? b.constant<std::int16_t>(kept, {6, 4}, time, 0.01F)
                     : b.constant<std::int8_t>(kept, {6, 4}, {time.begin(), time.end()}, 0.01F);
            const TensorId bias =
                b.constant<std::int32_t>(Type::int32, {3}, {100, -2000, 30}, 0.002F);
            b.node(Svdf{2, {}}, {x, features, times, wide ? bias : kNone, before},
                   {b.output(Type::int8, {2, 3}, 0.1F, 7),
                    b.output(kept, {2, 24}, 0.2F, wide ? 0 : -4)});
        });
    for (const Activation activation : {Activation::none, Activation::relu})
        cases.add("svdf of float32", [&](Builder& b) {
            std::vector<float> feature, time;
            for (const std::int16_t value : numbers(54, 100))
                (feature.size() < 30 ? feature : time).push_back(0.01F * value);
            const TensorId x = b.input(Type::float32, {2, 5}),
                           before = b.input(Type::float32, {2, 24});
            b.node(Svdf{2, activation},
                   {x, b.constant<float>(Type::float32, {6, 5}, feature),
                    b.constant<float>(Type::float32, {6, 4}, time),
                    b.constant<float>(Type::float32, {3}, {0.1F, -0.2F, 3}), before},
                   {b.output(Type::float32, {2, 3}), b.output(Type::float32, {2, 24})});
        });
    cases.expect_reference();
}

/// Of few values, so that several boxes are alike.
TensorId scores(Builder& b, std::vector<int> shape) {
    const TensorId bytes = b.input(Type::int8, shape, 0.1F),
                   few = b.tensor(Type::int8, shape, 0.125F, -2),
                   real = b.tensor(Type::float32, std::move(shape));
    b.node(Unary{Function::relu_0_to_1, 0, 0}, {bytes}, {few});
    b.node(Requantise{}, {few}, {real});
    return real;
}

TEST(HostC, BoxesThatAreFound) {
    Cases cases;
    constexpr int kBoxes = 60, kClasses = 4;
    for (const int kind : {0, 1, 2, 3, 4})
        cases.add("detections", [&](Builder& b) {
            std::vector<float> anchors;
            for (int i = 0; i < kBoxes; ++i) {
                const auto column = static_cast<float>(i % 8), row = static_cast<float>(i / 8);
                anchors.insert(anchors.end(), {0.1F * column, 0.1F * row, 0.3F, 0.2F});
            }
            Detections op;
            op.by_class = kind < 2;
            op.classes = kClasses;
            op.most = kind == 0 ? 7 : 20;
            op.each = kind < 2 ? 1 : kind - 1;
            op.of_class = kind == 0 ? 3 : 100;
            op.score = kind == 2 ? 0 : 0.2F;
            op.scale = {10, 10, 5, 5};
            const TensorId codes = b.input(Type::float32, {1, kBoxes, 5});
            const TensorId of_classes = scores(b, {1, kBoxes, kClasses + kind % 2});
            const TensorId corners = b.constant<float>(Type::float32, {kBoxes, 4}, anchors);
            const int count = op.most * op.each;
            b.node(op, {codes, of_classes, corners},
                   {b.output(Type::float32, {1, count, 4}), b.output(Type::float32, {1, count}),
                    b.output(Type::float32, {1, count}), b.output(Type::float32, {1})});
        });
    for (const int most : {5, 100})
        for (const float sigma : {0.0F, 0.5F})
            cases.add("suppression", [&](Builder& b) {
                const TensorId corners = b.input(Type::float32, {kBoxes, 4});
                b.node(Suppression{0.05F, 0.4F, sigma}, {corners, scores(b, {kBoxes})},
                       {b.output(Type::int32, {most}), b.output(Type::float32, {most}),
                        b.output(Type::int32, {})});
            });
    cases.expect_reference();
}

TEST(HostC, AnchorsWithoutAreaAreBadValues) {
    Builder b;
    const TensorId codes = b.input(Type::float32, {1, 1, 4}),
                   of_class = b.input(Type::float32, {1, 1, 1});
    const TensorId anchors = b.constant<float>(Type::float32, {1, 4}, {0, 0, -1, 1});
    b.node(Detections{}, {codes, of_class, anchors},
           {b.output(Type::float32, {1, 1, 4}), b.output(Type::float32, {1, 1}),
            b.output(Type::float32, {1, 1}), b.output(Type::float32, {1})});
    const CompiledC compiled({b.graph});
    CompiledC::Net net = compiled.net(0, b.graph);
    EXPECT_TRUE(net.run({Bytes(16), Bytes(4)}).empty());
    EXPECT_EQ(net.error, 1000);
    EXPECT_EQ(net.failed(), "node 0");
}

}  // namespace
}  // namespace macrame::compiler::host_c
