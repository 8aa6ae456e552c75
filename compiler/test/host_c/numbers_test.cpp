/// Numbers, casts, indices and what a run quantises in C: the bytes of the reference executor.
#include <gtest/gtest.h>

#include "compiler/test/host_c/cases.hpp"

namespace macrame::compiler::host_c {
namespace {

TEST(HostC, NumbersAndCasts) {
    Cases cases;
    const std::vector<int> shape = {2, 3, 4};
    const Type types[] = {Type::float32, Type::int16, Type::int32, Type::int64, Type::uint8};
    for (const Type from : types)
        for (const Type to : types)
            cases.add("cast", Cast{}, tensor(from, shape), tensor(to, shape));
    for (const Type type : {Type::int32, Type::int64}) {
        for (const Arithmetic function :
             {Arithmetic::add, Arithmetic::sub, Arithmetic::mul, Arithmetic::maximum,
              Arithmetic::minimum, Arithmetic::squared_difference})
            cases.add("numbers", [&](Builder& b) {
                const TensorId x = b.input(type, shape), y = b.input(type, {3, 1});
                b.node(Binary{function, Activation::none}, {x, y}, {b.output(type, shape)});
            });
        // 0 divides nothing: of numbers a constant.
        for (const Arithmetic function :
             {Arithmetic::div, Arithmetic::pow, Arithmetic::floor_div, Arithmetic::floor_mod})
            cases.add("quotients", [&](Builder& b) {
                const TensorId x = b.input(type, shape);
                const TensorId y = type == Type::int32
                                       ? b.constant<std::int32_t>(type, {4}, {-1, 3, -7, 2})
                                       : b.constant<std::int64_t>(type, {4}, {5, -2, 1, -1});
                b.node(Binary{function, Activation::none}, {x, y}, {b.output(type, shape)});
            });
        cases.add("cumulative sum", Cumsum{1, true, false}, tensor(type, shape),
                  tensor(type, shape));
    }
    for (const Arithmetic function : {Arithmetic::floor_div, Arithmetic::floor_mod})
        cases.add("rounded down", [&](Builder& b) {
            const TensorId x = b.input(Type::float32, shape), y = b.input(Type::float32, {3, 1});
            b.node(Binary{function, Activation::none}, {x, y}, {b.output(Type::float32, shape)});
        });
    for (const bool reverse : {false, true})
        cases.add("cumulative sum", Cumsum{2, reverse, reverse}, tensor(Type::float32, shape),
                  tensor(Type::float32, shape));
    cases.expect_reference();
}

TEST(HostC, DivisionsBy0AreBadValues) {
    Builder b;
    const TensorId x = b.input(Type::int32, {2}), y = b.input(Type::int32, {2});
    b.node(Binary{Arithmetic::floor_mod, Activation::none}, {x, y}, {b.output(Type::int32, {2})});
    const CompiledC compiled({b.graph});
    CompiledC::Net net = compiled.net(0, b.graph);
    EXPECT_TRUE(net.run({Bytes(8, 1), Bytes(8)}).empty());
    EXPECT_EQ(net.error, 1000);
    EXPECT_EQ(net.failed(), "node 0");
}

TEST(HostC, SumsOfDigitsOrBytes) {
    Cases cases;
    const std::vector<int> shape = {2, 3, 5};
    for (std::size_t count = 1; count <= 3; ++count)
        cases.add("digits", [&](Builder& b) {
            std::vector<TensorId> digits;
            for (std::size_t d = 0; d < count; ++d)
                digits.push_back(b.input(Type::int8, {1, 6, 5}, 1));
            b.node(Join{}, digits, {b.output(Type::int32, shape)});
        });
    cases.add("bytes", [&](Builder& b) {
        const TensorId bytes = b.input(Type::int8, {1, 6, 20}, 1);
        b.node(Join{}, {bytes}, {b.output(Type::int32, shape)});
    });
    cases.expect_reference();
}

TEST(HostC, RealValuesInDigits) {
    Cases cases;
    cases.add("digits", [&](Builder& b) {
        const TensorId x = b.input(Type::float32, {3, 7});
        b.node(RealDigits{}, {x}, {b.output(Type::int8, {6, 7}, 1), b.output(Type::float32, {})});
    });
    for (const bool biased : {false, true})
        cases.add("sums", [&](Builder& b) {
            const TensorId sums = b.input(Type::int32, {6, 8}), step = b.input(Type::float32, {});
            const TensorId steps =
                b.constant<float>(Type::float32, {4}, {0.5F, 0.01F, 1e-4F, 0.3F});
            const TensorId bias = b.constant<float>(Type::float32, {4}, {1, -2, 0, 1e3F});
            const Activation activation = biased ? Activation::relu : Activation::none;
            b.node(RealSums{activation}, {sums, step, steps, biased ? bias : kNone},
                   {b.output(Type::float32, {3, 4})});
        });
    cases.expect_reference();
}

TEST(HostC, SumsOfNumbers) {
    Cases cases;
    cases.add("conv", [](Builder& b) {
        const TensorId x = b.input(Type::int32, {1, 4, 5, 2});
        const TensorId w = b.constant<std::int8_t>(Type::int8, {2, 2, 1, 2},
                                                   {1, -2, 3, 100, -128, 127, 5, 6}, 1, 3);
        Conv conv;
        conv.window.kernel_h = 2;
        conv.window.top = conv.window.stride_w = 2;
        b.node(conv, {x, w, kNone}, {b.output(Type::int32, {1, 5, 3, 2})});
    });
    cases.add("fully connected", [](Builder& b) {
        const TensorId x = b.input(Type::int32, {3, 2});
        const TensorId w = b.constant<std::int8_t>(Type::int8, {2, 2}, {1, -2, 3, 4}, 1, -1);
        b.node(FullyConnected{}, {x, w, kNone}, {b.output(Type::int32, {3, 2})});
    });
    cases.add("matmul", [](Builder& b) {
        const TensorId x = b.input(Type::int32, {2, 3, 4}), y = b.input(Type::int32, {5, 4});
        b.node(MatMul{false, true}, {x, y}, {b.output(Type::int32, {2, 3, 5})});
    });
    for (const bool symmetric : {false, true})
        cases.add("dynamic quantise", symmetric ? Rounding::tflite : Rounding::onnx,
                  [&](Builder& b) {
                      const TensorId x = b.input(Type::float32, {4, 25});
                      b.node(DynamicQuantise{symmetric}, {x},
                             {b.output(Type::int8, {4, 25}), b.output(Type::float32, {4}),
                              b.output(Type::int8, {4})});
                  });
    cases.add("dynamic quantise, asymmetric", Rounding::tflite, [&](Builder& b) {
        const TensorId x = b.input(Type::float32, {30, 3});
        b.node(DynamicQuantise{}, {x},
               {b.output(Type::int8, {30, 3}), b.output(Type::float32, {30}),
                b.output(Type::int8, {30})});
    });
    cases.expect_reference();
}

TEST(HostC, PicksAndOrders) {
    Cases cases;
    const std::vector<int> shape = {2, 3, 4};
    for (const Type type : {Type::float32, Type::int8, Type::int64})
        for (const bool least : {false, true})
            cases.add("top k", [&](Builder& b) {
                const TensorId x = b.input(type, {3, 40}, type == Type::int8 ? 1.0F : 0);
                b.node(TopK{least}, {x},
                       {b.output(type, {3, 7}, type == Type::int8 ? 1.0F : 0),
                        b.output(least ? Type::int32 : Type::int64, {3, 7})});
            });
    cases.add("gather nd", [&](Builder& b) {
        const TensorId x = b.input(Type::int16, shape, 1);
        const TensorId i = b.constant<std::int32_t>(Type::int32, {3, 2}, {0, 2, -1, -3, 1, 1});
        b.node(GatherNd{}, {x, i}, {b.output(Type::int16, {3, 4}, 1)});
    });
    cases.add("gather nd of batches", [&](Builder& b) {
        const TensorId x = b.input(Type::float32, shape);
        const TensorId i = b.constant<std::int64_t>(Type::int64, {2, 2, 1}, {0, 2, -1, -3});
        b.node(GatherNd{1}, {x, i}, {b.output(Type::float32, {2, 2, 4})});
    });
    for (const Type type :
         {Type::float32, Type::int8, Type::uint8, Type::int16, Type::int32, Type::int64})
        for (int how = 0; how < 5; ++how)
            cases.add("scatter nd", [&](Builder& b) {
                const bool small = size_of(type) < 4;
                const TensorId x = b.input(type, shape, small ? 1.0F : 0),
                               u = b.input(type, {3, 4}, small ? 1.0F : 0);
                const TensorId i =
                    b.constant<std::int32_t>(Type::int32, {3, 2}, {0, 2, -1, -3, 0, -1});
                ScatterNd op;
                if (how > 0) op.joined = static_cast<Reduction>(how - 1);
                b.node(op, {x, i, u}, {b.output(type, shape, small ? 1.0F : 0)});
            });
    cases.add("gather elements", [&](Builder& b) {
        const TensorId x = b.input(Type::int8, shape, 1);
        const TensorId i = b.constant<std::int64_t>(Type::int64, {2, 2, 3},
                                                    {0, 2, -1, -3, 1, 1, 0, 0, 2, 2, 1, 0});
        b.node(GatherElements{1}, {x, i}, {b.output(Type::int8, {2, 2, 3}, 1)});
    });
    for (const int axis : {0, 1, 2})
        cases.add("put rows", [&](Builder& b) {
            std::vector<int> part = shape;
            part[static_cast<std::size_t>(axis)] = 2;
            const TensorId x = b.input(Type::int16, shape, 1), rows = b.input(Type::int16, part, 1);
            const TensorId i = b.constant<std::int64_t>(Type::int64, {2}, {-1, axis == 0 ? 0 : 1});
            b.node(PutRows{axis}, {x, rows, i}, {b.output(Type::int16, shape, 1)});
        });
    cases.expect_reference();
}

}  // namespace
}  // namespace macrame::compiler::host_c
