/// Operators of the host that compute with several elements, in C: the bytes of the reference
/// executor.

#include <gtest/gtest.h>

#include <cmath>

#include "compiler/test/host_c/cases.hpp"

extern "C" {
// Functions are called as their structs.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#include "runtime/host/macrame_host.h"
#pragma GCC diagnostic pop
}

namespace macrame::compiler::host_c {
namespace {

Tensor reals(std::vector<int> shape) { return tensor(Type::float32, std::move(shape)); }

/// Two inputs and one output.
void pair(Cases& cases, const std::string& name, const Operator& op, const Tensor& a,
          const Tensor& b, const Tensor& to) {
    cases.add(name, [&](Builder& builder) {
        builder.graph.tensors = {a, b, to};
        builder.graph.inputs = {0, 1};
        builder.graph.outputs = {2};
        builder.node(op, {0, 1}, {2});
    });
}

TEST(HostC, Pairs) {
    Cases cases;
    for (const Arithmetic function :
         {Arithmetic::add, Arithmetic::sub, Arithmetic::mul, Arithmetic::maximum,
          Arithmetic::minimum, Arithmetic::squared_difference, Arithmetic::div, Arithmetic::pow}) {
        const std::string name(name_of(Binary{function}));
        const bool same = function == Arithmetic::maximum || function == Arithmetic::minimum;
        pair(cases, name, Binary{function, same ? Activation::none : Activation::relu6},
             bytes({1, 3, 4, 50}), bytes({1, 3, 1, 50}, same ? 0.05F : 0.021F, same ? -3 : 7),
             bytes({1, 3, 4, 50}, same ? 0.05F : 0.03F, same ? -3 : -20));
        pair(cases, name + " of float32", Binary{function}, reals({3, 1, 7}), reals({1, 5, 7}),
             reals({3, 5, 7}));
    }
    pair(cases, "add of float32, clamped", Binary{Arithmetic::add, Activation::relu}, reals({3, 7}),
         reals({3, 7}), reals({3, 7}));
    for (const Binary& op : {Binary{Arithmetic::sub}, Binary{Arithmetic::mul},
                             Binary{Arithmetic::mul, Activation::none, true}})
        for (const bool first : {false, true})
            cases.add("with a constant", [&](Builder& b) {
                const TensorId in = b.input(Type::int8, {1, 300}, 0.1F, 3);
                const TensorId one = b.constant<std::int8_t>(Type::int8, {1}, {-77}, 0.02F, 4);
                const TensorId out = b.output(Type::int8, {1, 300}, 0.09F, 2);
                b.node(op, first ? std::vector{one, in} : std::vector{in, one}, {out});
            });
    for (const Relation relation :
         {Relation::equal, Relation::not_equal, Relation::less, Relation::less_equal})
        pair(cases, "compare", Compare{relation}, tensor(Type::int8, {9, 30}, 1, 0),
             tensor(Type::int8, {1, 30}, 1, 0), bytes({9, 30}, 1, 0));
    for (const float scale : {1.0F, 0.07F})
        cases.add("compare by scales", Rounding::tflite, [&](Builder& b) {
            b.graph.tensors = {bytes({9, 30}, scale, 0), bytes({1, 30}, 0.1F, 5),
                               bytes({9, 30}, 1, 0)};
            b.graph.inputs = {0, 1};
            b.graph.outputs = {2};
            b.node(Compare{Relation::less_equal}, {0, 1}, {2});
        });
    pair(cases, "compare float32", Compare{Relation::less}, reals({9, 30}), reals({9, 1}),
         bytes({9, 30}, 1, 0));
    cases.add("select", [](Builder& b) {
        const TensorId choice = b.input(Type::int8, {1, 5}, 1, 0);
        const TensorId even = b.tensor(Type::int8, {1, 5}, 1, 0);
        const TensorId zero = b.constant<std::int8_t>(Type::int8, {1, 1}, {3}, 1, 0);
        b.node(Compare{Relation::less}, {choice, zero}, {even});
        b.node(Select{}, {even, b.input(Type::float32, {4, 5}), b.input(Type::float32, {4, 1})},
               {b.output(Type::float32, {4, 5})});
    });
    cases.expect_reference();
}

/// 3 * 8388609 - 2^-40 lies just below the middle of two numbers of float32. In double precision it
/// is the middle, whose nearest even number is the upper one.
TEST(HostC, ProductsAndSumsAreRoundedOnce) {
    struct macrame_host_even_binary with {};
    with.function = MACRAME_HOST_ADD;
    with.factor_b = 8388609;
    with.rest = std::ldexp(-1.0F, -40);
    with.factor_a = -25165826;
    with.least = -128;
    with.most = 127;
    with.a_type = with.b_type = with.to_type = MACRAME_HOST_INT8;
    const std::int8_t a = 1, b = 3;
    std::int8_t sum = 77;
    macrame_host_even_binary(&sum, &a, &b, &with);
    EXPECT_EQ(sum, std::fma(1.0F, with.factor_a, std::fma(3.0F, with.factor_b, with.rest)));
    EXPECT_EQ(sum, 0);
}

TEST(HostC, Functions) {
    Cases cases;
    for (int i = 0; i <= static_cast<int>(Function::sign); ++i) {
        const auto function = static_cast<Function>(i);
        cases.add("function " + std::to_string(i), Rounding::onnx, [&](Builder& b) {
            const TensorId in = b.input(Type::float32, {1, 3000});
            b.node(Unary{function, 0.3F, 0.1F}, {in}, {b.output(Type::float32, {1, 3000})});
        });
    }
    for (const bool real : {false, true})
        cases.add("prelu", [&](Builder& b) {
            const Type type = real ? Type::float32 : Type::int8;
            const float scale = real ? 0 : 0.1F;
            const TensorId in = b.input(type, {1, 3, 5, 4}, scale, real ? 0 : 3);
            const TensorId slopes =
                real ? b.constant<float>(type, {4}, {0.1F, -2, 0.3F, 1})
                     : b.constant<std::int8_t>(type, {4}, {100, -90, 3, 0}, 0.01F, 2);
            b.node(Prelu{}, {in, slopes}, {b.output(type, {1, 3, 5, 4}, scale * 0.8F, 0)});
        });
    for (const bool centred : {false, true})
        cases.add("norm", [&](Builder& b) {
            const TensorId in = b.input(Type::float32, {4, 3, 5});
            std::vector<float> gain(15), offset(15);
            for (std::size_t i = 0; i < 15; ++i) {
                gain[i] = 0.1F * static_cast<float>(i);
                offset[i] = 1 - gain[i];
            }
            Norm op;
            op.axis = 1;
            op.centred = centred;
            b.node(op,
                   {in, b.constant<float>(Type::float32, {3, 5}, gain),
                    centred ? b.constant<float>(Type::float32, {3, 5}, offset) : kNone},
                   {b.output(Type::float32, {4, 3, 5})});
        });
    cases.expect_reference();
}

Window window(int kernel, int stride, int dilation, int padding) {
    return {kernel, kernel, stride, stride, dilation, dilation, padding, padding, padding, padding};
}

TEST(HostC, Windows) {
    Cases cases;
    for (const Pooling function : {Pooling::maximum, Pooling::average}) {
        const std::string name(name_of(Pool{function, {}, {}}));
        cases.add(name, Pool{function, window(3, 2, 1, 1), Activation::relu}, bytes({1, 7, 9, 5}),
                  bytes({1, 4, 5, 5}));
        cases.add(name + " of float32", Pool{function, window(2, 1, 1, 0), Activation::relu6},
                  reals({1, 5, 4, 3}), reals({1, 4, 3, 3}));
    }
    const auto shifted = [](Tensor t) {
        t.shifted = true;
        return t;
    };
    cases.add("average pool of what is uint8 in the file",
              Pool{Pooling::average, window(2, 1, 1, 0), {}}, shifted(bytes({1, 7, 9, 5})),
              shifted(bytes({1, 6, 8, 5})));
    for (const int stride : {2, 3}) {
        const int size = stride == 2 ? 5 : 4;
        cases.add("average pool of ONNX, of real numbers",
                  Pool{Pooling::average, window(3, stride, 1, 1), {}, true}, bytes({1, 10, 10, 5}),
                  bytes({1, size, size, 5}));
    }
    cases.add("resize bilinear of what is uint8 in the file", Resize{Resampling::bilinear},
              shifted(bytes({1, 4, 3, 5})), shifted(bytes({1, 7, 9, 5})));
    cases.add("resize bilinear of uint8", Resize{Resampling::bilinear},
              tensor(Type::uint8, {1, 4, 3, 5}, 0.05F, 3),
              tensor(Type::uint8, {1, 7, 9, 5}, 0.05F, 3));
    const Mean planes{{1, 2}, true}, ends{{0, 2}, false};
    cases.add("mean", planes, bytes({1, 7, 5, 6}), bytes({1, 1, 1, 6}, 0.031F, 9));
    cases.add("mean of two axes apart", ends, bytes({3, 4, 5}), bytes({4}, 0.02F, 0));
    // So many that a quotient and a product with 1 / 15 differ.
    cases.add("mean of float32", ends, reals({3, 300, 5}), reals({300}));
    for (const int axis : {0, 1, 2}) {
        std::vector<int> shape = {3, 4, 50};
        shape.erase(shape.begin() + axis);
        cases.add("argmax", Argmax{axis}, bytes({3, 4, 50}), tensor(Type::int32, shape));
        cases.add("argmin", Argmax{axis, true}, bytes({3, 4, 50}), tensor(Type::int64, shape));
        cases.add("argmax of float32", Argmax{axis}, reals({3, 4, 50}), tensor(Type::int64, shape));
    }
    for (const Reduction function :
         {Reduction::sum, Reduction::maximum, Reduction::minimum, Reduction::product}) {
        const Reduce op{function, {0, 2}, false};
        const bool same = function != Reduction::sum;
        if (function != Reduction::product)
            cases.add("reduce", op, bytes({3, 4, 5}), bytes({4}, same ? 0.05F : 0.3F, -3));
        cases.add("reduce float32", op, reals({3, 4, 5}), reals({4}));
    }
    for (const Type type : {Type::float32, Type::int32, Type::int64})
        cases.add("cast", Cast{}, tensor(Type::uint8, {1, 300}), tensor(type, {1, 300}));
    for (const bool corners : {false, true}) {
        const Resize op{Resampling::bilinear, corners, !corners};
        cases.add("resize bilinear", op, bytes({1, 4, 3, 5}), bytes({1, 7, 9, 5}));
        cases.add("resize bilinear of float32", op, reals({1, 4, 3, 5}), reals({1, 7, 9, 5}));
    }
    cases.expect_reference();
}

TensorId weights(Builder& b, std::vector<int> shape, bool real, int seed) {
    std::size_t count = 1;
    for (const int size : shape)
        count *= static_cast<std::size_t>(size);
    const std::vector<std::int8_t> values =
        graph::test::random_values(count, static_cast<unsigned>(seed));
    if (real) return b.constant<float>(Type::float32, shape, {values.begin(), values.end()});
    const int kernels = shape[0];
    const TensorId id = b.constant<std::int8_t>(Type::int8, std::move(shape), values, 0.01F);
    Quantisation& q = b.graph.tensor(id).quantisation;
    q.scale.clear();
    q.zero_point.clear();
    for (int k = 0; k < kernels; ++k) {
        q.scale.push_back(0.001F * static_cast<float>(k + 1));
        q.zero_point.push_back(0);
    }
    return id;
}

TensorId bias(Builder& b, int count, bool real) {
    std::vector<std::int32_t> values;
    for (int i = 0; i < count; ++i)
        values.push_back(i * 1000 - 1500);
    if (real) return b.constant<float>(Type::float32, {count}, {values.begin(), values.end()});
    return b.constant<std::int32_t>(Type::int32, {count}, values);
}

TEST(HostC, Products) {
    Cases cases;
    for (const bool real : {false, true}) {
        const Type type = real ? Type::float32 : Type::int8;
        const auto end = [&](Builder& b, bool in, std::vector<int> shape) {
            const float scale = real ? 0 : in ? 0.05F : 0.3F;
            const int zero = real ? 0 : 5;
            return in ? b.input(type, std::move(shape), scale, zero)
                      : b.output(type, std::move(shape), scale, zero);
        };
        for (const int groups : {1, 2, 6})
            cases.add("conv of " + std::to_string(groups) + " groups", [&](Builder& b) {
                Conv op;
                op.window = window(3, 2, 2, 2);
                op.groups = groups;
                op.activation = Activation::relu6;
                const TensorId in = end(b, true, {1, 9, 8, 6});
                b.node(op, {in, weights(b, {6, 3, 3, 6 / groups}, real, 1), bias(b, 6, real)},
                       {end(b, false, {1, 5, 4, 6})});
            });
        cases.add("transposed conv", [&](Builder& b) {
            TransposeConv op;
            op.window = window(3, 2, 1, 1);
            const TensorId in = end(b, true, {1, 4, 5, 3});
            b.node(op, {in, weights(b, {2, 3, 3, 3}, real, 2), bias(b, 2, real)},
                   {end(b, false, {1, 7, 9, 2})});
        });
        for (const bool once : {false, true})
            cases.add("fully connected", [&](Builder& b) {
                FullyConnected op;
                op.rounds_once = once;
                const TensorId in = end(b, true, {5, 40});
                b.node(op, {in, weights(b, {7, 40}, real, 3), once ? kNone : bias(b, 7, real)},
                       {end(b, false, {5, 7})});
            });
        for (const bool turned : {false, true})
            cases.add("matmul", [&](Builder& b) {
                const TensorId x =
                    end(b, true, turned ? std::vector{2, 6, 5} : std::vector{2, 5, 6});
                const TensorId y =
                    end(b, true, turned ? std::vector{1, 4, 6} : std::vector{1, 6, 4});
                b.node(MatMul{turned, turned}, {x, y}, {end(b, false, {2, 5, 4})});
            });
    }
    cases.expect_reference();
}

TEST(HostC, GatherTakesIndicesThatAreInside) {
    Builder b;
    const TensorId table = b.input(Type::int8, {3, 5, 2}, 1, 0);
    const TensorId indices = b.input(Type::int32, {4});
    b.node(Gather{1}, {table, indices}, {b.output(Type::int8, {3, 4, 2}, 1, 0)});
    const CompiledC compiled({b.graph});
    CompiledC::Net net = compiled.net(0, b.graph);
    graph::Bytes values(30);
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = static_cast<std::uint8_t>(i);
    const auto with = [&](const std::vector<std::int32_t>& list) {
        return std::vector<graph::Bytes>{values, graph::test::bytes_of(list)};
    };
    const auto inside = with({4, 0, -1, -5});
    EXPECT_EQ(net.run(inside), graph::run(b.graph, inside));
    EXPECT_EQ(net.failed(), "");
    for (const std::int32_t wrong : {5, -6}) {
        EXPECT_TRUE(net.run(with({0, 0, 0, wrong})).empty());
        EXPECT_EQ(net.error, 1000);
        EXPECT_EQ(net.failed(), "node 0");
    }
}

}  // namespace
}  // namespace macrame::compiler::host_c
