/// Each operator of ONNX, on real values, from its definition.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

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

/// Result of one operator with one input that is not constant.
struct Result {
    std::vector<int> shape;
    Floats values;
    std::string errors;
};
using Rest = std::function<Names(OnnxBuilder&)>;

Result result_of(const std::string& type, const Dims& dims, const Floats& data,
                 const Attributes& attributes = {}, const Rest& rest = {},
                 std::int64_t version = 17) {
    OnnxBuilder b(version);
    Names inputs = {b.input(dims)};
    if (rest) {
        for (const std::string& name : rest(b))
            inputs.push_back(name);
    }
    b.output(b.op(type, inputs, attributes));
    const ReadResult read = b.read();
    if (!read.ok()) return {{}, {}, read.errors[0]};
    return {read.graph.tensor(read.graph.outputs[0]).shape, test::run<float>(read, data), {}};
}

void expect_near(const Floats& got, const Floats& want) {
    ASSERT_EQ(got.size(), want.size());
    for (std::size_t i = 0; i < got.size(); ++i)
        EXPECT_NEAR(got[i], want[i], 1e-5F) << i;
}

TEST(OnnxOperator, ConcatLeavesOutWhatHasNoElements) {
    const auto with = [](const Dims& dims) {
        return result_of(
            "Concat", {1, 2}, {3, 4}, {{"axis", std::int64_t{1}}}, [&](OnnxBuilder& b) {
                return Names{b.op("Identity", {b.real(dims, {})}), b.real({1, 1}, {5})};
            });
    };
    for (const Dims& dims : {Dims{0}, Dims{1, 0}}) {
        EXPECT_EQ(with(dims).errors, "");
        EXPECT_EQ(with(dims).values, (Floats{3, 4, 5}));
    }
}

TEST(OnnxOperator, ClipToWhatIsComputed) {
    const auto with = [](const Dims& dims) {
        OnnxBuilder b;
        const std::string x = b.input(dims);
        const std::string most = b.op("ReduceMax", {x}, {{"keepdims", std::int64_t{0}}});
        b.output(b.op("Clip", {x, b.op("Sub", {most, b.real(2)}), b.real(3)}));
        return b.read();
    };
    EXPECT_EQ(test::run<float>(with({4}), Floats{-1, 1, 2, 4}), (Floats{2, 2, 2, 3}));
    OnnxBuilder b;
    const std::string x = b.input({2});
    b.output(b.op("Clip", {x, b.op("Neg", {x})}));
    EXPECT_EQ(b.errors(),
              "net: operator 1 (Clip), tensor y2: bound of shape 2: want one element\n");
}

TEST(OnnxOperator, TruthValuesAreBytesWhereTheFileSaysSo) {
    constexpr int kBool = 9;
    for (const int type : {OnnxBuilder::kFloat, kBool}) {
        OnnxBuilder b;
        b.output(b.op("Less", {b.input({2}), b.real(0)}));
        b.graph().mutable_output(0)->mutable_type()->mutable_tensor_type()->set_elem_type(type);
        const ReadResult read = b.read();
        ASSERT_TRUE(read.ok());
        EXPECT_EQ(read.real_outputs.empty(), type == kBool);
    }
}

TEST(OnnxOperator, ConstantsOfFloat16) {
    OnnxBuilder b;
    const std::string x = b.input({3});
    // 1.5, -2^-24, -65504
    const std::string half = b.constant<std::uint16_t>(10, {3}, {0x3e00, 0x8001, 0xfbff});
    b.output(b.op("Mul", {x, b.op("Cast", {half}, {{"to", std::int64_t{1}}})}));
    EXPECT_EQ(test::run<float>(b.read(), Floats{1, 1, 1}),
              (Floats{1.5F, -std::ldexp(1.0F, -24), -65504}));
}

/// Inputs and outputs of float16, bfloat16 and double are float32.
TEST(OnnxOperator, InputsOfOtherFloatingPointTypes) {
    for (const int type : {10, 11, 16}) {
        OnnxBuilder b;
        const std::string x = b.input({3}, type);
        b.output(b.op("Cast", {b.op("Add", {x, x})}, {{"to", std::int64_t{type}}}));
        EXPECT_EQ(test::run<float>(b.read(), Floats{1, -2, 0.5F}), (Floats{2, -4, 1})) << type;
    }
    OnnxBuilder b;
    const std::string bits = b.constant<std::uint16_t>(16, {2}, {0x3fc0, 0xc000});  // 1.5, -2
    b.output(b.op("Mul", {b.input({2}, 16), bits}));
    EXPECT_EQ(test::run<float>(b.read(), Floats{2, 3}), (Floats{3, -6}));
}

TEST(OnnxOperator, TrainedDropout) {
    const Rest trained = [](OnnxBuilder& b) {
        return Names{b.real(0.5F), b.constant<std::uint8_t>(9, {}, {1})};
    };
    EXPECT_NE(result_of("Dropout", {1, 2}, {1, 2}, {}, trained).errors.find("training_mode"),
              std::string::npos);
}

/// Operators that are others put together use all attributes or refuse them, as those of
/// com.microsoft.
TEST(OnnxOperator, AttributesThatNothingUses) {
    const auto errors = [](const char* type, const Attributes& attributes, const char* domain) {
        OnnxBuilder b;
        b.output(b.op(type, {b.input({1, 2})}, attributes, domain));
        return b.errors();
    };
    EXPECT_EQ(errors("Shrink", {{"lambd", 0.5F}, {"bias", 0.1F}}, ""), "");
    EXPECT_NE(errors("Shrink", {{"beta", 0.5F}}, "").find("(Shrink): attribute beta: want it left"),
              std::string::npos);
    EXPECT_EQ(errors("Gelu", {}, "com.microsoft"), "");
    EXPECT_NE(errors("Gelu", {{"beta", 0.5F}}, "com.microsoft").find("attribute beta: want it"),
              std::string::npos);
}

TEST(OnnxOperator, FunctionsOfOneElement) {
    const Floats x = {-2, -0.5F, 0, 0.5F, 4};
    const auto of = [&](const char* type, const std::function<float(float)>& f,
                        const Attributes& attributes = {}) {
        SCOPED_TRACE(type);
        Floats want;
        for (const float value : x)
            want.push_back(f(value));
        const Result got = result_of(type, {1, 5}, x, attributes);
        EXPECT_EQ(got.errors, "");
        expect_near(got.values, want);
    };
    of("Abs", [](float v) { return std::abs(v); });
    of("Elu", [](float v) { return v < 0 ? 2 * std::expm1(v) : v; }, {{"alpha", 2.0F}});
    of("Exp", [](float v) { return std::exp(v); });
    of("Ceil", [](float v) { return std::ceil(v); });
    of("Cos", [](float v) { return std::cos(v); });
    of("Erf", [](float v) { return std::erf(v); });
    of("Floor", [](float v) { return std::floor(v); });
    of("Gelu", [](float v) { return v * std::erfc(-v / std::sqrt(2.0F)) / 2; });
    of("Mish", [](float v) { return v * std::tanh(std::log1p(std::exp(v))); });
    of("Round", [](float v) { return std::nearbyint(v); });
    of("Sign", [](float v) { return v == 0 ? 0 : v / std::abs(v); });
    of("Sin", [](float v) { return std::sin(v); });
    of("Softplus", [](float v) { return std::log1p(std::exp(v)); });
    of("Softsign", [](float v) { return v / (1 + std::abs(v)); });
    of("Swish", [](float v) { return v / (1 + std::exp(-2 * v)); }, {{"alpha", 2.0F}});
    of("HardSigmoid", [](float v) { return std::clamp(0.2F * v + 0.5F, 0.0F, 1.0F); });
    of("HardSwish", [](float v) { return v * std::clamp(v / 6 + 0.5F, 0.0F, 1.0F); });
    of("LeakyRelu", [](float v) { return v < 0 ? 0.01F * v : v; });
    of("LeakyRelu", [](float v) { return v < 0 ? 0.5F * v : v; }, {{"alpha", 0.5F}});
    of("Neg", [](float v) { return -v; });
    of("Relu", [](float v) { return std::max(v, 0.0F); });
    of("Sigmoid", [](float v) { return 1 / (1 + std::exp(-v)); });
    of("Tanh", [](float v) { return std::tanh(v); });
    of("Identity", [](float v) { return v; });
}

TEST(OnnxOperator, TwoOperands) {
    const auto of = [](const char* type, const Floats& want) {
        const Result got = result_of(type, {2, 2}, {1, -2, 3, 8}, {}, [](OnnxBuilder& b) {
            return Names{b.real({2}, {2, -4})};
        });
        EXPECT_EQ(got.values, want) << type << got.errors;
    };
    of("Add", {3, -6, 5, 4});
    of("Sub", {-1, 2, 1, 12});
    of("Mul", {2, 8, 6, -32});
    of("Div", {0.5F, 0.5F, 1.5F, -2});
    of("Max", {2, -2, 3, 8});
    of("Min", {1, -4, 2, -4});
}

TEST(OnnxOperator, ProductsOfComputedMatrices) {
    // Both from the input: x times itself turned, for each of two heads.
    OnnxBuilder b;
    const std::string x = b.input({1, 2, 1, 3});
    const std::string turned = b.op("Transpose", {x}, {{"perm", Ints{0, 1, 3, 2}}});
    b.output(b.op("MatMul", {x, turned}));
    b.output(b.op("MatMul", {turned, x}));
    const ReadResult read = b.read();
    ASSERT_TRUE(read.ok()) << read.errors[0];
    EXPECT_EQ(read.graph.tensor(read.graph.outputs[0]).shape, (std::vector<int>{1, 2, 1, 1}));
    EXPECT_EQ(read.graph.tensor(read.graph.outputs[1]).shape, (std::vector<int>{1, 2, 3, 3}));
    EXPECT_EQ(test::run<float>(read, ramp(6, 1)), (Floats{14, 77}));
    // A vector in front of weights with a batch.
    const Result row = result_of("MatMul", {2}, {1, 10}, {}, [](OnnxBuilder& own) {
        return Names{own.real({2, 2, 1}, {1, 2, 3, 4})};
    });
    EXPECT_EQ(row.shape, (std::vector<int>{2, 1}));
    EXPECT_EQ(row.values, (Floats{21, 43}));
    const Result gemm = result_of(
        "Gemm", {2, 1}, {1, 10}, {{"transA", std::int64_t{1}}, {"alpha", 2.0F}, {"beta", 3.0F}},
        [](OnnxBuilder& own) {
            return Names{own.real({2, 2}, {1, 2, 3, 4}), own.real({2}, {1, 0})};
        });
    EXPECT_EQ(gemm.values, (Floats{65, 84}));
    EXPECT_NE(result_of("MatMul", {1, 2, 3}, ramp(6), {},
                        [](OnnxBuilder& own) {
                            return Names{own.real({1, 2, 2}, ramp(4))};
                        })
                  .errors.find("shapes 1x2x3 and 1x2x2: want as many columns as rows"),
              std::string::npos);
}

TEST(OnnxOperator, Normalisations) {
    const auto of = [](const char* type, const Dims& dims, const Floats& x, std::size_t parameters,
                       const Attributes& attributes = {{"epsilon", 0.0F}}) {
        const Result got = result_of(type, dims, x, attributes, [&](OnnxBuilder& b) {
            return Names{b.real({static_cast<std::int64_t>(parameters)}, Floats(parameters, 2)),
                         b.real({static_cast<std::int64_t>(parameters)}, Floats(parameters, 1))};
        });
        EXPECT_EQ(got.errors, "") << type;
        return got.values;
    };
    expect_near(of("LayerNormalization", {2, 2}, {1, 5, 3, 4}, 2), {-1, 3, -1, 3});
    expect_near(of("InstanceNormalization", {1, 2, 2}, {1, 5, 3, 4}, 2), {-1, 3, -1, 3});
    expect_near(of("GroupNormalization", {1, 2, 2}, {1, 1, 5, 5}, 2,
                   {{"epsilon", 0.0F}, {"num_groups", std::int64_t{1}}}),
                {-1, -1, 3, 3});
    const Result rms =
        result_of("RMSNormalization", {1, 2}, {3, 4}, {{"epsilon", 0.0F}}, [](OnnxBuilder& b) {
            return Names{b.real({2}, {5, 5})};
        });
    expect_near(rms.values, {15 / std::sqrt(12.5F), 20 / std::sqrt(12.5F)});
}

TEST(OnnxOperator, ConvWithPaddings) {
    const auto of = [](const Attributes& attributes) {
        return result_of("Conv", {1, 1, 1, 4}, {1, 2, 3, 4}, attributes, [](OnnxBuilder& b) {
            return Names{b.real({1, 1, 1, 2}, {1, 10})};
        });
    };
    EXPECT_EQ(of({}).values, (Floats{21, 32, 43}));
    EXPECT_EQ(of({{"pads", Ints{0, 1, 0, 0}}}).values, (Floats{10, 21, 32, 43}));
    EXPECT_EQ(of({{"auto_pad", std::string("SAME_UPPER")}}).values, (Floats{21, 32, 43, 4}));
    EXPECT_EQ(of({{"auto_pad", std::string("SAME_LOWER")}}).values, (Floats{10, 21, 32, 43}));
    EXPECT_EQ(of({{"dilations", Ints{1, 2}}}).values, (Floats{31, 42}));
    EXPECT_EQ(of({{"strides", Ints{1, 2}}}).values, (Floats{21, 43}));
    EXPECT_NE(of({{"auto_pad", std::string("ODD")}}).errors.find("auto_pad ODD: want NOTSET"),
              std::string::npos);
    EXPECT_NE(of({{"strides", Ints{1, 0}}}).errors.find("strides = 0: want 1 to"),
              std::string::npos);
    EXPECT_NE(of({{"pads", Ints{0, -1, 0, 0}}}).errors.find("pads = -1"), std::string::npos);
    EXPECT_NE(of({{"dilations", Ints{1, 9}}}).errors.find("a kernel over 10 of 4"),
              std::string::npos);
    const Result line = result_of("Conv", {1, 1, 4}, ramp(4), {}, [](OnnxBuilder& b) {
        return Names{b.real({1, 1, 2}, {1, 1})};
    });
    EXPECT_EQ(line.shape, (std::vector<int>{1, 1, 3})) << line.errors;
    EXPECT_EQ(line.values, (Floats{1, 3, 5}));
}

TEST(OnnxOperator, GroupedConv) {
    const Result got = result_of(
        "Conv", {1, 2, 1, 2}, {1, 2, 3, 4}, {{"group", std::int64_t{2}}}, [](OnnxBuilder& b) {
            return Names{b.real({2, 1, 1, 1}, {10, 100}), b.real({2}, {1, 2})};
        });
    EXPECT_EQ(got.values, (Floats{11, 21, 302, 402}));
}

TEST(OnnxOperator, ConvTranspose) {
    const auto of = [](const Attributes& attributes) {
        return result_of("ConvTranspose", {1, 1, 1, 3}, {1, 2, 3}, attributes, [](OnnxBuilder& b) {
            return Names{b.real({1, 2, 1, 2}, {1, 10, 5, 7})};
        });
    };
    EXPECT_EQ(of({}).values, (Floats{1, 12, 23, 30, 5, 17, 29, 21}));
    EXPECT_EQ(of({{"strides", Ints{1, 2}}, {"output_padding", Ints{0, 1}}}).values,
              (Floats{1, 10, 2, 20, 3, 30, 0, 5, 7, 10, 14, 15, 21, 0}));
    EXPECT_EQ(of({{"pads", Ints{0, 1, 0, 0}}}).values, (Floats{12, 23, 30, 17, 29, 21}));
    EXPECT_NE(of({{"group", std::int64_t{2}}})
                  .errors.find("2 groups of 1 channels, weights for 1: want a divisor"),
              std::string::npos);
    const auto each =
        result_of("ConvTranspose", {1, 2, 1, 2}, {1, 2, 3, 4}, {{"group", std::int64_t{2}}},
                  [](OnnxBuilder& b) {
                      return Names{b.real({2, 1, 1, 1}, {10, 100}), b.real({2}, {1, 2})};
                  });
    EXPECT_EQ(each.values, (Floats{11, 21, 302, 402}));
}

TEST(OnnxOperator, GemmAndMatMul) {
    const auto gemm = [](const Attributes& attributes, const Dims& dims) {
        return result_of("Gemm", {1, 2}, {3, 5}, attributes, [&](OnnxBuilder& b) {
            return Names{b.real(dims, {1, 2, 3, 4, 5, 6}), b.real({3}, {100, 200, 300})};
        });
    };
    EXPECT_EQ(gemm({}, {2, 3}).values, (Floats{123, 231, 339}));
    EXPECT_EQ(gemm({{"transB", std::int64_t{1}}}, {3, 2}).values, (Floats{113, 229, 345}));
    EXPECT_EQ(gemm({{"alpha", 2.0F}, {"beta", 0.5F}}, {2, 3}).values, (Floats{96, 162, 228}));
    EXPECT_NE(gemm({{"transA", std::int64_t{1}}}, {2, 3}).errors.find("as many columns as rows"),
              std::string::npos);
    const Result rows = result_of("MatMul", {2, 2}, {1, 0, 0, 1}, {}, [](OnnxBuilder& b) {
        return Names{b.real({2, 2}, {1, 2, 3, 4})};
    });
    EXPECT_EQ(rows.values, (Floats{1, 2, 3, 4}));
}

TEST(OnnxOperator, Pooling) {
    const auto of = [](const char* type, const Attributes& more) {
        Attributes attributes = {{"kernel_shape", Ints{1, 2}}, {"strides", Ints{1, 2}}};
        attributes.insert(attributes.end(), more.begin(), more.end());
        return result_of(type, {1, 1, 1, 5}, {1, 2, 4, 3, 9}, attributes);
    };
    const Attributes ceil = {{"ceil_mode", std::int64_t{1}}}, pads = {{"pads", Ints{0, 1, 0, 0}}};
    EXPECT_EQ(of("MaxPool", {}).values, (Floats{2, 4}));
    EXPECT_EQ(of("MaxPool", ceil).values, (Floats{2, 4, 9}));
    EXPECT_EQ(of("AveragePool", {}).values, (Floats{1.5F, 3.5F}));
    EXPECT_EQ(of("AveragePool", ceil).values, (Floats{1.5F, 3.5F, 9}));
    EXPECT_EQ(of("AveragePool", pads).values, (Floats{1, 3, 6}));
    Attributes include = pads;
    include.emplace_back("count_include_pad", std::int64_t{1});
    EXPECT_EQ(of("AveragePool", include).values, (Floats{0.5F, 3, 6}));
    EXPECT_EQ(result_of("GlobalAveragePool", {1, 2, 1, 3}, ramp(6)).values, (Floats{1, 4}));
    EXPECT_EQ(result_of("GlobalMaxPool", {1, 2, 1, 3}, ramp(6)).values, (Floats{2, 5}));
}

TEST(OnnxOperator, ReduceMean) {
    const auto of = [](const Ints& axes, std::int64_t keep) {
        return result_of("ReduceMean", {1, 2, 1, 3}, ramp(6), {{"axes", axes}, {"keepdims", keep}});
    };
    EXPECT_EQ(of({2, 3}, 1).values, (Floats{1, 4}));
    EXPECT_EQ(of({2, 3}, 1).shape, (std::vector<int>{1, 2, 1, 1}));
    EXPECT_EQ(of({-1, -2}, 0).shape, (std::vector<int>{1, 2}));
    EXPECT_EQ(of({1}, 0).values, (Floats{1.5F, 2.5F, 3.5F}));
    EXPECT_NE(of({4}, 0).errors.find("axis 4: want one of 4"), std::string::npos);
    const Result all = result_of("ReduceMean", {1, 2, 1, 3}, ramp(6), {}, {}, 18);
    EXPECT_EQ(all.values, Floats{2.5F});
}

TEST(OnnxOperator, Softmax) {
    const float a = 1 / (1 + std::exp(1.0F)), b = 1 - a;
    expect_near(
        result_of("Softmax", {1, 2, 1, 2}, {1, 5, 2, 6}, {{"axis", std::int64_t{1}}}).values,
        {a, a, b, b});
    expect_near(result_of("Softmax", {2, 2}, {1, 2, 8, 7}).values, {a, b, b, a});
    // Before version 13 all axes behind are one.
    expect_near(result_of("Softmax", {1, 1, 2}, {1, 2}, {}, {}, 11).values, {a, b});
    expect_near(result_of("Softmax", {1, 2, 1}, {1, 2}, {}, {}, 11).values, {a, b});
    expect_near(result_of("Softmax", {1, 2, 1}, {1, 2}).values, {1, 1});
}

TEST(OnnxOperator, PReluOfChannels) {
    const auto prelu = [](const Dims& shape, const Floats& values, const Dims& slopes,
                          const Floats& by) {
        return result_of("PRelu", shape, values, {},
                         [&](OnnxBuilder& b) { return Names{b.real(slopes, by)}; });
    };
    const Dims picture{1, 2, 1, 2};
    const Floats x{-1, 1, -10, 3};
    EXPECT_EQ(prelu(picture, x, {2, 1, 1}, {2, 10}).values, (Floats{-2, 1, -100, 3}));
    EXPECT_EQ(prelu(picture, x, {1, 2, 1, 1}, {2, 10}).values, (Floats{-2, 1, -100, 3}));
    // One for all, as networks have it that learn one.
    EXPECT_EQ(prelu(picture, x, {1, 1, 1}, {3}).values, (Floats{-3, 1, -30, 3}));
    EXPECT_EQ(prelu(picture, x, {1}, {3}).values, (Floats{-3, 1, -30, 3}));
    EXPECT_EQ(prelu({1, 4}, x, {4}, {2, 3, 4, 5}).values, (Floats{-2, 1, -40, 3}));
    EXPECT_EQ(prelu({1, 2, 2}, x, {2}, {2, 3}).values, (Floats{-2, 1, -20, 3}));
    // Along columns, of which there are as many as channels; along the channels of a line.
    EXPECT_EQ(prelu(picture, x, {2}, {2, 3}).values, (Floats{-2, 1, -20, 3}));
    EXPECT_EQ(prelu({1, 2, 2}, x, {2, 1}, {2, 10}).values, (Floats{-2, 1, -100, 3}));
    EXPECT_NE(prelu(picture, x, {3}, {2, 3, 4}).errors.find("shapes 1x2x1x2 and 3: want equal"),
              std::string::npos)
        << prelu(picture, x, {3}, {2, 3, 4}).errors;
}

TEST(OnnxOperator, ArgMax) {
    OnnxBuilder b;
    const std::string x = b.input({1, 2, 1, 2});
    const std::string y = b.op("MaxPool", {x}, {{"kernel_shape", Ints{1, 1}}});
    b.output(b.op("ArgMax", {y}, {{"axis", std::int64_t{1}}, {"keepdims", std::int64_t{0}}}));
    EXPECT_EQ((test::run<std::int64_t>(b.read(), Floats{1, 9, 2, 3})), (Ints{1, 0}));
}

// ---------------------------------------------------------------- layout

TEST(OnnxOperator, SliceSplitConcat) {
    const auto slice = [](const Ints& from, const Ints& to, const Ints& axes, const Ints& steps) {
        return result_of("Slice", {1, 2, 3, 2}, ramp(12), {}, [&](OnnxBuilder& b) {
            return Names{b.integers(from), b.integers(to), b.integers(axes), b.integers(steps)};
        });
    };
    EXPECT_EQ(slice({1}, {99}, {1}, {1}).values, ramp(6, 6));
    EXPECT_EQ(slice({-1, 0}, {-99, 1}, {2, 3}, {-2, 1}).values, (Floats{4, 0, 10, 6}));
    EXPECT_NE(slice({2}, {1}, {2}, {1}).errors.find("no elements of axis 2"), std::string::npos);
    EXPECT_NE(slice({0}, {1}, {2}, {0}).errors.find("stride 0"), std::string::npos);
    OnnxBuilder b;
    const std::string x = b.input({1, 3, 1, 2});
    const std::string p = b.op("MaxPool", {x}, {{"kernel_shape", Ints{1, 1}}});
    const std::string parts =
        b.op("Split", {p, b.integers({1, 2})}, {{"axis", std::int64_t{1}}}, "", 2);
    b.output(b.op("Concat", {parts + "_1", parts}, {{"axis", std::int64_t{-3}}}));
    EXPECT_EQ((test::run<float>(b.read(), ramp(6))), (Floats{2, 3, 4, 5, 0, 1}));
}

TEST(OnnxOperator, Shapes) {
    const Rest third = [](OnnxBuilder& b) { return Names{b.integers({2})}; };
    EXPECT_EQ(result_of("Squeeze", {1, 2, 1, 3}, ramp(6), {}, third).shape,
              (std::vector<int>{1, 2, 3}));
    EXPECT_EQ(result_of("Unsqueeze", {1, 2, 3}, ramp(6), {}, third).shape,
              (std::vector<int>{1, 2, 1, 3}));
    EXPECT_EQ(result_of("Flatten", {1, 2, 3}, ramp(6), {{"axis", std::int64_t{2}}}).shape,
              (std::vector<int>{2, 3}));
    const Rest shape = [](OnnxBuilder& b) { return Names{b.integers({0, -1, 3})}; };
    EXPECT_EQ(result_of("Reshape", {1, 2, 3}, ramp(6), {}, shape).shape,
              (std::vector<int>{1, 2, 3}));
    const Rest wrong = [](OnnxBuilder& b) { return Names{b.integers({4, -1})}; };
    EXPECT_NE(result_of("Reshape", {1, 2, 3}, ramp(6), {}, wrong).errors.find("want a divisor"),
              std::string::npos);
    EXPECT_EQ(result_of("Transpose", {2, 3}, ramp(6)).values, (Floats{0, 3, 1, 4, 2, 5}));
    EXPECT_EQ(result_of("Gather", {2, 3}, ramp(6), {{"axis", std::int64_t{1}}}, third).values,
              (Floats{2, 5}));
}

TEST(OnnxOperator, Pad) {
    const auto pad = [](float value) {
        return result_of("Pad", {1, 2, 1, 2}, {1, 2, 3, 4}, {}, [&](OnnxBuilder& b) {
            return Names{b.integers({0, 0, 0, 1, 0, 0, 0, 0}), b.real(value)};
        });
    };
    EXPECT_EQ(pad(0).values, (Floats{0, 1, 2, 0, 3, 4}));
    EXPECT_EQ(pad(9).values, (Floats{9, 1, 2, 9, 3, 4}));
    EXPECT_NE(pad(std::nanf("")).errors.find("a padding value that is no number"),
              std::string::npos);
    const auto mode = [](const std::string& name) {
        return result_of("Pad", {1, 3}, {1, 2, 4}, {{"mode", name}}, [](OnnxBuilder& b) {
            return Names{b.integers({0, 2, 0, 1})};
        });
    };
    EXPECT_EQ(mode("reflect").values, (Floats{4, 2, 1, 2, 4, 2}));
    EXPECT_EQ(mode("edge").values, (Floats{1, 1, 1, 2, 4, 4}));
    EXPECT_NE(mode("wrap").errors.find("mode wrap: want constant, reflect or edge"),
              std::string::npos);
}

TEST(OnnxOperator, Resize) {
    const auto resize = [](float factor, const Attributes& attributes) {
        return result_of("Resize", {1, 1, 1, 3}, {1, 2, 4}, attributes, [&](OnnxBuilder& b) {
            return Names{"", b.real({4}, {1, 1, 1, factor})};
        });
    };
    const Floats twice = {1, 1, 2, 2, 4, 4};
    EXPECT_EQ(resize(2, {}).values, twice);
    EXPECT_EQ(resize(2, {{"coordinate_transformation_mode", std::string("asymmetric")},
                         {"nearest_mode", std::string("floor")}})
                  .values,
              twice);
    // No rounding of the graph takes the same.
    EXPECT_EQ(resize(2, {{"coordinate_transformation_mode", std::string("asymmetric")},
                         {"nearest_mode", std::string("ceil")}})
                  .values,
              (Floats{1, 2, 2, 4, 4, 4}));
    EXPECT_EQ(resize(2, {{"mode", std::string("linear")}}).values,
              (Floats{1, 1.25F, 1.75F, 2.5F, 3.5F, 4}));
    // Weights -0.03515625, 0.26171875, 0.87890625, -0.10546875, a quarter in front of the first.
    EXPECT_EQ(resize(2, {{"mode", std::string("cubic")}}).values[0], 0.89453125F);
    EXPECT_NE(resize(2, {{"mode", std::string("area")}}).errors.find("mode area: want nearest"),
              std::string::npos);
    // What is not made smaller needs no wider kernel.
    EXPECT_EQ(resize(2, {{"mode", std::string("linear")}, {"antialias", std::int64_t{1}}}).values,
              (Floats{1, 1.25F, 1.75F, 2.5F, 3.5F, 4}));
    EXPECT_NE(resize(2, {{"keep_aspect_ratio_policy", std::string("not_larger")}})
                  .errors.find("want stretch"),
              std::string::npos);
    EXPECT_NE(resize(1e9F, {}).errors.find("want 1 to"), std::string::npos);
    const Result old = result_of(
        "Upsample", {1, 1, 1, 3}, {1, 2, 4}, {},
        [](OnnxBuilder& b) {
            return Names{b.real({4}, {1, 1, 1, 2})};
        },
        9);
    EXPECT_EQ(old.values, twice);
}

}  // namespace
}  // namespace macrame::front
