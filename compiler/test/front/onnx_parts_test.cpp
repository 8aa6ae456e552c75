/// Operators of ONNX that transformers and recurrent networks are made of, on real values.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <set>

#include "compiler/test/front/onnx_builder.hpp"

namespace macrame::front {
namespace {

using test::Attributes;
using test::Dims;
using test::Floats;
using test::Ints;
using test::Names;
using test::OnnxBuilder;
using test::ramp;

/// Values of the outputs back to back, of a graph with one input; or the first error.
std::pair<Floats, std::string> run(const Dims& dims, const Floats& data,
                                   const std::function<Names(OnnxBuilder&, std::string)>& build) {
    OnnxBuilder b;
    for (const std::string& name : build(b, b.input(dims)))
        b.output(name);
    const ReadResult read = b.read();
    if (!read.ok()) return {{}, read.errors[0]};
    Floats all;
    for (const graph::Bytes& bytes : graph::run(read.graph, {test::to_bytes(data)})) {
        Floats values(bytes.size() / sizeof(float));
        std::memcpy(values.data(), bytes.data(), bytes.size());
        all.insert(all.end(), values.begin(), values.end());
    }
    return {all, ""};
}

void expect_near(const std::pair<Floats, std::string>& got, const Floats& want) {
    EXPECT_EQ(got.second, "");
    ASSERT_EQ(got.first.size(), want.size());
    for (std::size_t i = 0; i < want.size(); ++i)
        EXPECT_NEAR(got.first[i], want[i], 1e-5F) << i;
}

TEST(OnnxParts, SumsOfAllAxesOrSome) {
    const Floats data = {1, 5, 2, 4, 0, 9};
    const auto sum = [&](const char* type, const Attributes& attributes) {
        return run({1, 2, 3}, data, [&](OnnxBuilder& b, const std::string& x) {
            return Names{b.op(type, {x}, attributes)};
        });
    };
    expect_near(sum("ReduceSum", {}), {21});
    expect_near(sum("ReduceSum", {{"noop_with_empty_axes", 1}}), data);
    expect_near(sum("ReduceMean", {}), {3.5F});
    expect_near(sum("ReduceSumSquare", {{"axes", Ints{-1}}, {"keepdims", 0}}), {30, 97});
}

TEST(OnnxParts, LargestAlongAxes) {
    const Floats data = {1, 5, 2, 4, 0, 9};
    const auto most = [&](const Attributes& attributes) {
        return run({1, 2, 3}, data, [&](OnnxBuilder& b, const std::string& x) {
            return Names{b.op("ReduceMax", {x}, attributes)};
        });
    };
    expect_near(most({{"axes", Ints{2}}, {"keepdims", 0}}), {5, 9});
    expect_near(most({{"axes", Ints{-2}}}), {4, 5, 9});
    expect_near(most({}), {9});
}

TEST(OnnxParts, ProductsOfTwoComputedMatricesOfIntegers) {
    OnnxBuilder b;
    const std::string x = b.input({2, 2}, OnnxBuilder::kInt8);
    const std::string scale = b.real(0.5F), zero = b.zero(1);
    b.output(b.op("QLinearMatMul", {x, scale, zero, x, scale, zero, b.real(1), b.zero(0)}));
    using Bytes = std::vector<std::int8_t>;
    // 1, 2 and 0, -1 of real values, squared.
    EXPECT_EQ(test::run<std::int8_t>(b.read(), Bytes{3, 5, 1, -1}), (Bytes{1, 0, 0, 1}));
}

TEST(OnnxParts, RowsOfIntegersHaveTheScaleOfTheirUse) {
    OnnxBuilder b;
    const std::string table = b.constant<std::int8_t>(OnnxBuilder::kInt8, {2, 2}, {1, 2, 3, 4});
    const std::string rows = b.op("Gather", {table, b.input({1, 1}, OnnxBuilder::kInt64)});
    b.output(b.op("Relu", {b.dequantised(rows, 0.25F, 3)}));
    EXPECT_EQ((test::run<float>(b.read(), Ints{1})), (Floats{0, 0.25F}));
}

TEST(OnnxParts, RowsByIdsOfTheInput) {
    OnnxBuilder b;
    const std::string table = b.real({3, 2}, ramp(6));
    b.output(b.op("Gather", {table, b.input({1, 2}, OnnxBuilder::kInt64)}));
    const ReadResult read = b.read();
    ASSERT_TRUE(read.ok()) << read.errors[0];
    EXPECT_EQ(read.graph.tensor(read.graph.outputs[0]).shape, (std::vector<int>{1, 2, 2}));
    EXPECT_EQ((test::run<float>(read, Ints{2, -3})), (Floats{4, 5, 0, 1}));
    EXPECT_THROW(test::run<float>(read, Ints{3, 0}), graph::BadValue);
}

TEST(OnnxParts, CausalMask) {
    const auto got = run({2, 2}, {1, 2, 3, 4}, [](OnnxBuilder& b, const std::string& x) {
        const std::string positions = b.op(
            "Range", {b.constant<std::int64_t>(7, {}, {0}), b.constant<std::int64_t>(7, {}, {2}),
                      b.constant<std::int64_t>(7, {}, {1})});
        const std::string column = b.op("Unsqueeze", {positions, b.integers({1})});
        const std::string later = b.op("Greater", {positions, column});
        const std::string mask = b.op("Not", {later});
        return Names{b.op("Where", {mask, x, b.real(-9)}), b.op("Trilu", {x}),
                     b.op("Expand", {b.op("ReduceSum", {x, b.integers({1})}), b.integers({2, 2})}),
                     b.op("Tile", {x, b.integers({1, 2})})};
    });
    expect_near(got, {1, -9, 3, 4, 1, 2, 0, 4, 3, 3, 7, 7, 1, 2, 1, 2, 3, 4, 3, 4});
}

TEST(OnnxParts, ConditionsOfValues) {
    const auto got = run({4}, {-1, 0, 2, 5}, [](OnnxBuilder& b, const std::string& x) {
        const std::string low = b.op("Less", {x, b.real(0.5F)});
        const std::string two = b.op("Equal", {x, b.real(2)});
        const std::string either = b.op("Or", {low, two});
        const std::string none = b.op("And", {low, two});
        return Names{b.op("Cast", {either}, {{"to", std::int64_t{1}}}),
                     b.op("Where", {none, x, b.op("Neg", {x})})};
    });
    ASSERT_EQ(got.second, "");
    expect_near({{got.first.end() - 4, got.first.end()}, ""}, {1, 0, -2, -5});
}

TEST(OnnxParts, ConcatOfNumbersOfBothWidths) {
    OnnxBuilder b;
    // Casts between them cost nothing, of constants (shapes) and of what is computed.
    const std::string x = b.input({2, 3}, OnnxBuilder::kInt64);
    const auto as_int32 = [&](const std::string& name) {
        return b.op("Cast", {name}, {{"to", std::int64_t{OnnxBuilder::kInt32}}});
    };
    const auto int32 = [&](const test::Dims& dims, std::int32_t value) {
        return b.constant<std::int32_t>(OnnxBuilder::kInt32, dims, {value});
    };
    const std::string rows = b.op(
        "Slice", {as_int32(b.op("Shape", {x})), b.integers({0}), b.integers({1}), b.integers({0})});
    const std::string shape =
        b.op("Concat", {rows, int32({1}, 3), int32({1}, 1)}, {{"axis", std::int64_t{0}}});
    const std::string wide = b.op("Cast", {shape}, {{"to", std::int64_t{OnnxBuilder::kInt64}}});
    const std::string deep = b.op("Reshape", {as_int32(x), wide});
    const std::string row =
        b.op("Slice", {deep, b.integers({0}), b.integers({1}), b.integers({0})});
    const std::string flat = b.op("Reshape", {row, b.integers({3})});
    b.output(b.op("Concat", {int32({1}, -9), flat}, {{"axis", std::int64_t{0}}}));
    const ReadResult read = b.read();
    ASSERT_TRUE(read.ok()) << read.errors[0];
    EXPECT_EQ((test::run<std::int64_t>(read, std::vector<std::int64_t>{5, 6, 7, 1, 2, 3})),
              (std::vector<std::int64_t>{-9, 5, 6, 7}));
}

TEST(OnnxParts, RootMeanSquareInPiecesAndRotation) {
    const auto got = run({1, 4}, {1, 2, 3, 4}, [](OnnxBuilder& b, const std::string& x) {
        const std::string mean =
            b.op("ReduceMean", {b.op("Pow", {x, b.real(2)})}, {{"axes", Ints{-1}}});
        const std::string norm = b.op("Div", {x, b.op("Sqrt", {mean})});
        const std::string half =
            b.op("Slice", {x, b.integers({2}), b.integers({9}), b.integers({1})});
        const std::string other =
            b.op("Slice", {x, b.integers({0}), b.integers({2}), b.integers({1})});
        return Names{norm,
                     b.op("Concat", {b.op("Neg", {half}), other}, {{"axis", std::int64_t{1}}}),
                     b.op("Pow", {x, b.real(3)})};
    });
    const float root = std::sqrt(7.5F);
    expect_near(got, {1 / root, 2 / root, 3 / root, 4 / root, -3, -4, 1, 2, 1, 8, 27, 64});
}

TEST(OnnxParts, Lines) {
    const auto got = run({1, 1, 5}, {1, 2, 4, 3, 9}, [](OnnxBuilder& b, const std::string& x) {
        const std::string y = b.op("Conv", {x, b.real({2, 1, 2}, {1, 1, 1, -1})},
                                   {{"dilations", Ints{2}}, {"pads", Ints{1, 0}}});
        const Attributes pool = {{"kernel_shape", Ints{2}}, {"strides", Ints{2}}};
        return Names{y, b.op("MaxPool", {y}, pool), b.op("GlobalAveragePool", {x})};
    });
    expect_near(got, {2, 5, 5, 13, -2, -3, -1, -5, 5, 13, -2, -1, 3.8F});
}

TEST(OnnxParts, BlocksOfPixels) {
    const auto of = [](const char* mode) {
        return run({1, 4, 1, 2}, ramp(8), [&](OnnxBuilder& b, const std::string& x) {
            return Names{b.op("DepthToSpace", {x},
                              {{"blocksize", std::int64_t{2}}, {"mode", std::string(mode)}})};
        });
    };
    expect_near(of("DCR"), {0, 2, 1, 3, 4, 6, 5, 7});
    expect_near(of("CRD"), {0, 2, 1, 3, 4, 6, 5, 7});
    EXPECT_NE(of("RCD").second.find("mode RCD: want DCR or CRD"), std::string::npos);
}

float sigmoid(float x) { return 1 / (1 + std::exp(-x)); }

TEST(OnnxParts, LstmStepByStep) {
    // One cell, two steps; gates i, o, f, c.
    const Floats w = {0.5F, -1, 2, 1}, u = {1, 0.5F, -0.5F, 2},
                 bias = {0.1F, 0.2F, 0.3F, 0.4F, 0, 0, 0, 0.1F};
    const auto got = run({2, 1, 1}, {1, -2}, [&](OnnxBuilder& b, const std::string& x) {
        const std::string y =
            b.op("LSTM", {x, b.real({1, 4, 1}, w), b.real({1, 4, 1}, u), b.real({1, 8}, bias)},
                 {{"hidden_size", std::int64_t{1}}}, "", 3);
        return Names{y, y + "_1", y + "_2"};
    });
    float h = 0, c = 0;
    Floats want;
    for (const float x : {1.0F, -2.0F}) {
        const auto sum = [&](std::size_t i) { return w[i] * x + u[i] * h + bias[i] + bias[i + 4]; };
        const float in = sigmoid(sum(0)), out = sigmoid(sum(1)), keep = sigmoid(sum(2));
        c = keep * c + in * std::tanh(sum(3));
        h = out * std::tanh(c);
        want.push_back(h);
    }
    want.insert(want.end(), {h, c});
    expect_near(got, want);
}

TEST(OnnxParts, GruBothWays) {
    const Floats w = {0.5F, -1, 2, 1, 1, 1}, u = {1, 0.5F, -0.5F, 1, 1, 1};
    for (const bool linear : {false, true}) {
        const auto got = run({2, 1, 1}, {1, -2}, [&](OnnxBuilder& b, const std::string& x) {
            const std::string y = b.op("GRU",
                                       {x, b.real({2, 3, 1}, w), b.real({2, 3, 1}, u), "", "",
                                        b.real({2, 1, 1}, {0.25F, 0})},
                                       {{"hidden_size", std::int64_t{1}},
                                        {"direction", std::string("bidirectional")},
                                        {"linear_before_reset", std::int64_t{linear}}},
                                       "", 2);
            return Names{y};
        });
        Floats ways[2];
        for (std::size_t d = 0; d < 2; ++d) {
            float h = d == 0 ? 0.25F : 0;
            for (const float x : d == 0 ? Floats{1, -2} : Floats{-2, 1}) {
                const float* const a = &w[3 * d];
                const float* const r = &u[3 * d];
                const float z = sigmoid(a[0] * x + r[0] * h), reset = sigmoid(a[1] * x + r[1] * h);
                const float made = std::tanh(a[2] * x + r[2] * reset * h);
                h = (1 - z) * made + z * h;
                ways[d].push_back(h);
            }
        }
        expect_near(got, {ways[0][0], ways[1][1], ways[0][1], ways[1][0]});
    }
}

TEST(OnnxParts, SequencesAreTakenWhole) {
    const auto with = [](std::int32_t length) {
        return run({2, 1, 1}, {1, -2}, [&](OnnxBuilder& b, const std::string& x) {
            const std::string lengths =
                b.constant<std::int32_t>(OnnxBuilder::kInt32, {1}, {length});
            return Names{b.op("RNN",
                              {x, b.real({1, 1, 1}, {1}), b.real({1, 1, 1}, {0}), "", lengths},
                              {{"hidden_size", std::int64_t{1}}})};
        });
    };
    expect_near(with(2), {std::tanh(1.0F), std::tanh(-2.0F)});
    expect_near(with(1), {std::tanh(1.0F), 0});
    EXPECT_NE(with(3).second.find("sequence_lens 3: want 0 to 2"), std::string::npos)
        << with(3).second;
}

TEST(OnnxParts, RecurrentLayersSayWhatTheyWant) {
    const auto error = [](const Attributes& attributes) {
        return run({2, 1, 1}, {1, -2},
                   [&](OnnxBuilder& b, const std::string& x) {
                       return Names{b.op("RNN", {x, b.real({1, 1, 1}, {1}), b.real({1, 1, 1}, {1})},
                                         attributes)};
                   })
            .second;
    };
    EXPECT_EQ(error({{"hidden_size", std::int64_t{1}}}), "");
    EXPECT_NE(error({{"hidden_size", std::int64_t{2}}}).find("want 2x1 for each direction"),
              std::string::npos);
    EXPECT_NE(error({{"hidden_size", std::int64_t{1}}, {"direction", std::string("both")}})
                  .find("direction both: want forward"),
              std::string::npos);
}

Floats sloped(int count, float start, float step) {
    Floats values = ramp(static_cast<std::size_t>(count));
    for (float& value : values)
        value = start + value * step;
    return values;
}

/// Batch x steps x heads x 3 x depth holds what three tensors of batch x steps x heads * depth do.
TEST(OnnxParts, AttentionOfQueriesKeysAndValuesInOneTensor) {
    const int steps = 3, heads = 2, depth = 2;
    const Floats all = sloped(steps * heads * 3 * depth, -1, 0.15F);
    const auto three = [&](OnnxBuilder& b, const std::string& x) {
        Names parts;
        for (std::int64_t i = 0; i < 3; ++i) {
            const std::string part = b.op("Gather", {x, b.integers({i})}, {{"axis", 3}});
            parts.push_back(b.op("Reshape", {part, b.integers({1, steps, heads * depth})}));
        }
        return Names{b.op("MultiHeadAttention", parts, {{"num_heads", heads}}, "com.microsoft")};
    };
    const auto one = [&](OnnxBuilder& b, const std::string& x) {
        return Names{b.op("MultiHeadAttention", {x}, {{"num_heads", heads}}, "com.microsoft")};
    };
    const Dims dims = {1, steps, heads, 3, depth};
    const auto want = run(dims, all, three);
    ASSERT_EQ(want.second, "");
    expect_near(run(dims, all, one), want.first);
    const auto two = [&](OnnxBuilder& b, const std::string& x) {
        const auto part = [&](const Ints& which) {
            return b.op("Gather", {x, b.integers(which)}, {{"axis", 3}});
        };
        const std::string query =
            b.op("Reshape", {part({0}), b.integers({1, steps, heads * depth})});
        return Names{b.op("MultiHeadAttention", {query, part({1, 2})}, {{"num_heads", heads}},
                          "com.microsoft")};
    };
    expect_near(run(dims, all, two), want.first);
}

/// In a buffer that has room for more, keys and values of this step lie behind those before; what
/// is behind them is not seen.
TEST(OnnxParts, GroupedAttentionInABufferWithRoom) {
    const int room = 5, depth = 8;
    const auto attend = [&](float behind) {
        return run(
            {1, 1, depth}, sloped(depth, -1, 0.3F), [&](OnnxBuilder& b, const std::string& x) {
                Floats kept = sloped(room * depth, 1, -0.05F);
                std::fill(kept.begin() + 2 * depth, kept.end(), behind);
                const std::string past = b.real({1, 1, room, depth}, kept);
                const std::string lengths = b.op(
                                      "Cast",
                                      {b.op("Add",
                                            {b.op("Mul", {b.op("ReduceMax", {x}, {{"keepdims", 0}}),
                                                          b.real(0)}),
                                             b.real({1}, {2})})},
                                      {{"to", 6}}),
                                  count = b.op("Cast", {b.real(3)}, {{"to", 6}});
                const std::string y =
                    b.op("GroupQueryAttention", {x, x, x, past, past, lengths, count},
                         {{"num_heads", 1}, {"kv_num_heads", 1}}, "com.microsoft", 3);
                return Names{y, y + "_1"};
            });
    };
    const auto near = attend(0), far = attend(100);
    ASSERT_EQ(near.second, "");
    ASSERT_EQ(near.first.size(), static_cast<std::size_t>(depth + room * depth));
    const Floats step = sloped(depth, -1, 0.3F);
    for (int i = 0; i < depth; ++i) {
        EXPECT_EQ(near.first[static_cast<std::size_t>(i)], far.first[static_cast<std::size_t>(i)]);
        EXPECT_EQ(near.first[static_cast<std::size_t>(depth + 2 * depth + i)],
                  step[static_cast<std::size_t>(i)]);
    }
}

/// Steps of a layer read the same weights: these are there once, with one transposition.
TEST(OnnxParts, WeightsOfStepsAreShared) {
    for (const bool dynamic : {true, false}) {
        OnnxBuilder b;
        const std::string w =
            b.constant<std::uint8_t>(OnnxBuilder::kInt8, {2, 3}, {1, 2, 3, 4, 5, 6});
        const std::string x = dynamic ? b.input({1, 2}) : b.input({1, 2}, OnnxBuilder::kInt8);
        const std::string scale = b.real(0.5F), zero = b.zero(1);
        for (int step = 0; step < 2; ++step) {
            if (dynamic) {
                const std::string q = b.op("DynamicQuantizeLinear", {x}, {}, "", 3);
                b.output(b.op("MatMulInteger", {q, w, q + "_2", zero}));
            } else {
                b.output(b.op("QLinearMatMul", {x, scale, zero, w, scale, zero, scale, zero}));
            }
        }
        const ReadResult read = b.read();
        ASSERT_TRUE(read.ok()) << read.errors[0];
        std::set<graph::TensorId> weights;
        int layers = 0;
        for (const graph::Node& node : read.graph.nodes) {
            if (!std::holds_alternative<graph::FullyConnected>(node.op)) continue;
            ++layers;
            weights.insert(node.inputs[1]);
        }
        EXPECT_EQ(layers, 2);
        EXPECT_EQ(weights.size(), 1U) << dynamic;
    }
}

/// As ONNX Runtime's kernel of integers, which knows no scale.
TEST(OnnxResize, BetweenBytesDropsFractions) {
    const auto twice = [](int type, const graph::Bytes& input) {
        OnnxBuilder b;
        const std::string x = b.input({1, 1, 1, 2}, type);
        b.output(b.op("Resize", {x, "", b.real({4}, {1, 1, 1, 2})},
                      {{"mode", std::string("linear")},
                       {"coordinate_transformation_mode", std::string("asymmetric")}}));
        const ReadResult read = b.read();
        EXPECT_TRUE(read.ok()) << (read.ok() ? "" : read.errors[0]);
        return read.ok() ? graph::run(read.graph, {input})[0] : graph::Bytes();
    };
    EXPECT_EQ(twice(OnnxBuilder::kUint8, {10, 13}), (graph::Bytes{10, 11, 13, 13}));
    EXPECT_EQ(twice(OnnxBuilder::kUint8, {200, 203}), (graph::Bytes{200, 201, 203, 203}));
    EXPECT_EQ(twice(OnnxBuilder::kInt8, {246, 243}), (graph::Bytes{246, 245, 243, 243}));
}

}  // namespace
}  // namespace macrame::front
