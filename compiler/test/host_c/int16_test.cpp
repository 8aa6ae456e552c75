/// Operators of the host on int16 in C: the bytes of the reference executor.

#include <gtest/gtest.h>

#include <cmath>

#include "compiler/test/host_c/cases.hpp"

namespace macrame::compiler::host_c {
namespace {

Tensor wide(std::vector<int> shape, float scale) {
    return tensor(Type::int16, std::move(shape), scale, 0);
}

TEST(HostC, FunctionsOfInt16) {
    Cases cases;
    const auto add = [&](const std::string& name, const Operator& op, float from, float to) {
        cases.add(name, Rounding::tflite, [&](Builder& b) {
            b.graph.tensors = {wide({3, 1000}, from), wide({3, 1000}, to)};
            b.graph.inputs = {0};
            b.graph.outputs = {1};
            b.node(op, {0}, {1});
        });
    };
    constexpr float kOne = 1.0F / 32768;
    for (const float scale : {0.0003F, 0x1p-12F, 0x1p-11F}) {
        add("sigmoid", Unary{Function::sigmoid}, scale, kOne);
        add("tanh", Unary{Function::tanh}, scale, kOne);
        add("softmax", Softmax{1.5F}, scale, kOne);
    }
    for (const Function function :
         {Function::exp, Function::gelu, Function::rsqrt, Function::log, Function::relu,
          Function::relu6, Function::relu_n1_to_1, Function::abs})
        add("function", Unary{function}, 0.0003F, 0.0002F);
    add("leaky relu", Unary{Function::leaky_relu, 0.3F}, 0.0003F, 0.0002F);
    cases.expect_reference();
}

TEST(HostC, PairsOfInt16) {
    Cases cases;
    const auto add = [&](const std::string& name, const Operator& op, float a, float b, float to) {
        cases.add(name, Rounding::tflite, [&](Builder& builder) {
            builder.graph.tensors = {wide({9, 50}, a), wide({1, 50}, b), wide({9, 50}, to)};
            builder.graph.inputs = {0, 1};
            builder.graph.outputs = {2};
            builder.node(op, {0, 1}, {2});
        });
    };
    for (const Arithmetic function : {Arithmetic::add, Arithmetic::sub}) {
        add("sum", Binary{function, Activation::relu}, 0.0003F, 0.0002F, 0.0004F);
        add("shifted sum", Binary{function}, 0x1p-12F, 0x1p-15F, 0x1p-12F);
        add("shifted sum", Binary{function}, 0x1p-15F, 0x1p-13F, 0x1p-13F);
    }
    add("mul", Binary{Arithmetic::mul}, 0.0003F, 0.0002F, 0.002F);
    add("squared difference", Binary{Arithmetic::squared_difference}, 0.0003F, 0.0002F, 0.01F);
    add("maximum", Binary{Arithmetic::maximum}, 0.0003F, 0.0003F, 0.0003F);
    cases.expect_reference();
}

/// Weights of int8; biases of both types, and none.
template <typename Bias>
void add_products(Cases& cases, Type type, bool once) {
    const auto bias = [&](Builder& b) {
        if (type == Type::int8) return kNone;
        return b.constant<Bias>(type, {4}, {100000, -2000000, 77, 1 << 30});
    };
    const auto values = [](std::size_t count) { return test::random_values(count, 5, -127); };
    cases.add("fully connected", Rounding::tflite, [&](Builder& b) {
        const TensorId in = b.input(Type::int16, {2, 300}, 0.0003F);
        const TensorId weights = b.constant<std::int8_t>(Type::int8, {4, 300}, values(1200), 1);
        b.graph.tensor(weights).quantisation = {{0.01F, 0.02F, 0.003F, 0.007F}, {0, 0, 0, 0}, 0};
        b.node(FullyConnected{Activation::none, once}, {in, weights, bias(b)},
               {b.output(Type::int16, {2, 4}, 0.003F)});
    });
    Conv op;
    op.window = {3, 2, 2, 1, 1, 1, 1, 0, 0, 1};
    op.activation = Activation::relu;
    cases.add("conv", Rounding::tflite, [&](Builder& b) {
        const TensorId in = b.input(Type::int16, {1, 6, 5, 2}, 0.0003F);
        const TensorId weights =
            b.constant<std::int8_t>(Type::int8, {4, 3, 2, 2}, values(48), 0.01F);
        b.node(op, {in, weights, bias(b)}, {b.output(Type::int16, {1, 3, 5, 4}, 0.0007F)});
    });
    cases.add("transposed conv", Rounding::tflite, [&](Builder& b) {
        const TensorId in = b.input(Type::int16, {1, 3, 5, 2}, 0.0003F);
        const TensorId weights =
            b.constant<std::int8_t>(Type::int8, {4, 3, 2, 2}, values(48), 0.01F);
        b.node(TransposeConv{op.window, Activation::none}, {in, weights, bias(b)},
               {b.output(Type::int16, {1, 6, 5, 4}, 0.0007F)});
    });
}

TEST(HostC, SumsOfInt16) {
    Cases cases;
    for (const bool once : {false, true}) {
        add_products<std::int64_t>(cases, Type::int64, once);
        add_products<std::int32_t>(cases, Type::int32, once);
        add_products<std::int32_t>(cases, Type::int8, once);
    }
    for (const bool narrow : {false, true}) {
        cases.add("matmul", Rounding::tflite, [&](Builder& b) {
            const TensorId x = b.input(Type::int16, {2, 5, 7}, 0.0003F);
            TensorId y = kNone;
            if (narrow) {
                y = b.constant<std::int8_t>(Type::int8, {7, 3}, test::random_values(21, 5), 1);
                b.graph.tensor(y).quantisation = {{0.01F, 0.02F, 0.005F}, {0, 0, 0}, 1};
            } else {
                y = b.input(Type::int16, {2, 7, 3}, 0.0004F);
            }
            b.node(MatMul{}, {x, y}, {b.output(Type::int16, {2, 5, 3}, narrow ? 0.0004F : 0.005F)});
        });
    }
    cases.add("mean", Rounding::tflite, [](Builder& b) {
        const TensorId in = b.input(Type::int16, {4, 6, 5}, 0.0003F);
        b.node(Mean{{0, 2}, false}, {in}, {b.output(Type::int16, {6}, 0.0001F)});
    });
    cases.add("average pool", Rounding::tflite, [](Builder& b) {
        const TensorId in = b.input(Type::int16, {1, 6, 6, 5}, 0.0003F);
        Pool op{Pooling::average, {}, Activation::none};
        op.window.kernel_h = op.window.kernel_w = op.window.stride_h = op.window.stride_w = 2;
        b.node(op, {in}, {b.output(Type::int16, {1, 3, 3, 5}, 0.0003F)});
    });
    cases.add("prelu", Rounding::tflite, [](Builder& b) {
        const TensorId in = b.input(Type::int16, {3, 4}, 0.0003F);
        const TensorId slopes = b.constant<std::int8_t>(Type::int8, {4}, {100, -90, 3, 0}, 0.01F);
        b.node(Prelu{}, {in, slopes}, {b.output(Type::int16, {3, 4}, 0.0002F)});
    });
    cases.expect_reference();
}

}  // namespace
}  // namespace macrame::compiler::host_c
