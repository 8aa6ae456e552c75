/// Operators of the host in C: the bytes of the reference executor.

#include <gtest/gtest.h>

#include "compiler/test/host_c/cases.hpp"

namespace macrame::compiler::host_c {
namespace {

TEST(HostC, MovesElements) {
    Cases cases;
    for (const Type type : {Type::int8, Type::float32, Type::int32}) {
        const float scale = type == Type::int8 ? 0.1F : 0;
        const auto of = [&](std::vector<int> shape) {
            return tensor(type, std::move(shape), scale);
        };
        const std::string suffix = " " + std::string(name_of(type));
        cases.add("reshape" + suffix, Reshape{}, of({1, 4, 3, 5}), of({1, 60}));
        cases.add("transpose" + suffix, Transpose{{0, 3, 1, 2}}, of({1, 4, 3, 5}),
                  of({1, 5, 4, 3}));
        cases.add("transpose, reversed" + suffix, Transpose{{3, 2, 1, 0}}, of({2, 4, 3, 5}),
                  of({5, 3, 4, 2}));
        cases.add("slice" + suffix, Slice{{0, 1, 2, 1}, {1, 2, 1, 3}}, of({1, 6, 5, 8}),
                  of({1, 3, 2, 3}));
        cases.add("slice, backwards" + suffix, Slice{{0, 5, 0}, {1, -2, 1}}, of({1, 6, 3}),
                  of({1, 3, 3}));
        cases.add("pad" + suffix, Pad{{{0, 0}, {1, 2}, {0, 3}}}, of({1, 3, 4}), of({1, 6, 7}));
        cases.add("pad, reflect" + suffix, Pad{{{0, 0}, {2, 1}, {1, 2}}, Padding::reflect},
                  of({1, 4, 4}), of({1, 7, 7}));
        cases.add("pad, edge" + suffix, Pad{{{0, 0}, {2, 1}, {1, 2}}, Padding::edge}, of({1, 4, 4}),
                  of({1, 7, 7}));
    }
    cases.add("pad with a zero point", Pad{{{1, 0}, {0, 1}}}, bytes({2, 3}), bytes({3, 4}));
    Pad value{{{1, 0}, {0, 1}}};
    value.value = 1.5F;
    cases.add("pad with a value", value, bytes({2, 3}), bytes({3, 4}));
    cases.add("pad of float32 with a value", value, tensor(Type::float32, {2, 3}),
              tensor(Type::float32, {3, 4}));
    for (const bool corners : {false, true})
        cases.add("resize nearest", Resize{Resampling::nearest, corners, !corners},
                  bytes({1, 4, 3, 5}), bytes({1, 7, 9, 5}));
    cases.add("split", [](Builder& b) {
        const TensorId in = b.input(Type::int8, {1, 3, 9, 2}, 0.1F);
        std::vector<TensorId> out;
        for (int i = 2; i <= 4; ++i)
            out.push_back(b.output(Type::int8, {1, 3, i, 2}, 0.1F));
        b.node(Split{2}, {in}, out);
    });
    cases.add("concat", [](Builder& b) {
        const TensorId x = b.input(Type::int8, {1, 3, 2}, 0.1F, 4),
                       y = b.input(Type::int8, {1, 3, 5}, 0.07F, -9),
                       z = b.constant<std::int8_t>(Type::int8, {1, 3, 1}, {1, -2, 3}, 0.1F, 4);
        b.node(Concat{2, Activation::none}, {x, y, z}, {b.output(Type::int8, {1, 3, 8}, 0.1F, 4)});
    });
    cases.add("concat with a clamp", [](Builder& b) {
        const TensorId x = b.input(Type::int8, {1, 3, 2}, 0.1F, 4),
                       y = b.input(Type::int8, {1, 1, 2}, 0.07F, -9);
        b.node(Concat{1, Activation::relu}, {x, y}, {b.output(Type::int8, {1, 4, 2}, 0.1F, 4)});
    });
    cases.expect_reference();
}

TEST(HostC, ComputesElements) {
    Cases cases;
    for (const Function function :
         {Function::sigmoid, Function::tanh, Function::exp, Function::elu, Function::relu6,
          Function::leaky_relu, Function::hard_swish, Function::gelu})
        cases.add("function " + std::to_string(static_cast<int>(function)),
                  Unary{function, 0.3F, 0}, bytes({1, 300}), bytes({1, 300}, 0.07F, 5));
    cases.add("requantise", Requantise{}, bytes({1, 300}), bytes({1, 300}, 0.021F, 7));
    cases.add("requantise to int16", Requantise{}, bytes({1, 300}),
              tensor(Type::int16, {1, 300}, 0.001F, 0));
    cases.add("requantise int16", Requantise{}, tensor(Type::int16, {1, 300}, 0.0003F, 0),
              bytes({1, 300}));
    cases.add("requantise int32", Requantise{}, tensor(Type::int32, {1, 300}, 1e-9F, 0),
              bytes({1, 300}));
    cases.add("dequantise", Requantise{}, bytes({1, 300}), tensor(Type::float32, {1, 300}));
    cases.add("dequantise int16", Requantise{}, tensor(Type::int16, {1, 300}, 0.0003F, 0),
              tensor(Type::float32, {1, 300}));
    cases.add("quantise", Requantise{}, tensor(Type::float32, {1, 3000}), bytes({1, 3000}));
    cases.add("quantise to whole numbers", Requantise{}, tensor(Type::float32, {1, 3000}),
              bytes({1, 3000}, 0.5F, 0));
    cases.expect_reference();
}

TEST(HostC, Softmax) {
    Cases cases;
    for (const float scale : {0.002F, 0.05F, 0.3F, 2.0F})
        for (const float beta : {0.25F, 1.0F})
            cases.add("softmax", Softmax{beta}, bytes({1, 7, 11}, scale),
                      bytes({1, 7, 11}, 1.0F / 256, -128));
    Softmax steps;
    steps.whole_steps = true;
    cases.add("softmax of float32", Softmax{2}, tensor(Type::float32, {9, 13}),
              tensor(Type::float32, {9, 13}));
    cases.add("softmax of whole steps", steps, bytes({40, 11}), bytes({40, 11}, 1.0F / 256, -128));
    cases.add("softmax of one", Softmax{}, bytes({5, 1}), bytes({5, 1}, 1.0F / 256, -128));
    cases.add("softmax of many", Softmax{}, bytes({2, 2000}), bytes({2, 2000}, 1.0F / 256, -128));
    cases.expect_reference();
}

TEST(HostC, NamesWhatHasNoFunction) {
    Builder b;
    const TensorId in = b.input(Type::float32, {2, 3}), gain = b.input(Type::float32, {3});
    const TensorId middle = b.tensor(Type::float32, {2, 3});
    b.node(Softmax{}, {in}, {middle});
    b.node(Norm{1}, {middle, gain, kNone}, {b.output(Type::float32, {2, 3})});
    const Written made = write(b.graph, on_host(b.graph), "net");
    EXPECT_EQ(made.problem, "node 1: layer norm: a gain or offset that is computed");
    EXPECT_TRUE(made.files.empty());
}

}  // namespace
}  // namespace macrame::compiler::host_c
