/// What readers say of what they refuse: place, what was found, what is wanted.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "compiler/front/building.hpp"
#include "compiler/front/front.hpp"
#include "compiler/test/front/onnx_builder.hpp"
#include "compiler/test/front/tflite_builder.hpp"

namespace macrame::front::test {
namespace {

using Code = schema::BuiltinOperator;
using schema::TensorType;

/// What a message lacks; empty: nothing.
std::string lacking(const std::string& message, const std::string& kind) {
    if (message.find(kind) == std::string::npos) return "no operator";
    if (message.find("operator ") == std::string::npos) return "no place";
    if (message.find(": want ") == std::string::npos) return "nothing that is wanted";
    if (message.find("not supported") != std::string::npos) return "a reason";
    if (message.size() > 400) return "shortness";
    return {};
}

TEST(Messages, OfEveryOperatorOfTfliteThatHasNoInputs) {
    for (const Code code : schema::EnumValuesBuiltinOperator()) {
        if (code == Code::PLACEHOLDER_FOR_GREATER_OP_CODES || code == Code::DELEGATE ||
            code == Code::CALL_ONCE || code == Code::VAR_HANDLE)
            continue;
        TfliteBuilder b;
        const int x = b.int8({2}), y = b.int8({2});
        b.op(code, {}, {y});
        const ReadResult read = read_tflite("net", b.finish({x}, {y}));
        ASSERT_FALSE(read.ok()) << schema::EnumNameBuiltinOperator(code);
        for (const std::string& error : read.errors)
            EXPECT_EQ(lacking(error, schema::EnumNameBuiltinOperator(code)), "") << error;
    }
}

TEST(Messages, OfOperatorsOfOnnxWithoutInputs) {
    for (const std::string type : {"Add",
                                   "And",
                                   "ArgMin",
                                   "BatchNormalization",
                                   "Cast",
                                   "Clip",
                                   "Concat",
                                   "Conv",
                                   "ConvInteger",
                                   "DynamicQuantizeLinear",
                                   "CumSum",
                                   "DepthToSpace",
                                   "Einsum",
                                   "Equal",
                                   "Expand",
                                   "Gather",
                                   "GatherND",
                                   "Gemm",
                                   "If",
                                   "LRN",
                                   "LSTM",
                                   "Loop",
                                   "MatMul",
                                   "MaxPool",
                                   "MatMulInteger",
                                   "ScatterND",
                                   "Selu",
                                   "ReduceL1",
                                   "Size",
                                   "Mod",
                                   "NonMaxSuppression",
                                   "NonZero",
                                   "OneHot",
                                   "Pad",
                                   "Pow",
                                   "QLinearConv",
                                   "QuantizeLinear",
                                   "ReduceMin",
                                   "Resize",
                                   "Reshape",
                                   "STFT",
                                   "Slice",
                                   "Softmax",
                                   "Split",
                                   "TopK",
                                   "Trilu",
                                   "Unique",
                                   "Where"}) {
        OnnxBuilder b;
        b.input({1, 3});
        b.output(b.op(type, {}));
        const ReadResult read = b.read();
        ASSERT_FALSE(read.ok()) << type;
        for (const std::string& error : read.errors)
            EXPECT_EQ(lacking(error, type), "") << error;
    }
}

TEST(Messages, OfDynamicRangeQuantisation) {
    // No state that is kept.
    TfliteBuilder b;
    const int x = b.tensor(TensorType::FLOAT32, {2, 2}), y = b.tensor(TensorType::FLOAT32, {2, 1});
    const int w = b.tensor<std::int8_t>(TensorType::INT8, {2, 1}, {1}, {0}, {1, 2});
    b.op(Code::SVDF, {x, w, w, -1, x}, {y}, schema::OptionsType::SVDF,
         schema::CreateSvdfOptions(b.fbb, 1));
    const ReadResult read = read_tflite("net", b.finish({x}, {y}));
    ASSERT_EQ(read.errors.size(), 1U);
    EXPECT_NE(read.errors[0].find("is no variable"), std::string::npos) << read.errors[0];
    EXPECT_EQ(lacking(read.errors[0], "SVDF"), "");
}

TEST(Messages, OfMatricesWhoseScalesTheReferenceMixesUp) {
    for (const int heads : {1, 3}) {
        TfliteBuilder b;
        const int x = b.tensor(TensorType::FLOAT32, {2, heads, 1, 2}),
                  y = b.tensor(TensorType::FLOAT32, {2, heads, 1, 1});
        const int w = b.tensor<std::int8_t>(TensorType::INT8, {2, 1}, {1}, {0}, {1, 2});
        b.op(Code::BATCH_MATMUL, {x, w}, {y}, schema::OptionsType::BATCH_MATMUL,
             schema::CreateBatchMatMulOptions(b.fbb));
        const ReadResult read = read_tflite("net", b.finish({x}, {y}));
        ASSERT_EQ(read.errors.size(), heads == 1 ? 0U : 1U);
        if (read.ok()) continue;
        EXPECT_NE(read.errors[0].find("scales of other rows"), std::string::npos);
        EXPECT_EQ(lacking(read.errors[0], "BATCH_MATMUL"), "");
    }
}

TEST(Messages, OfWeightsWithZeroPointsBesideFloat32) {
    TfliteBuilder b;
    const int x = b.tensor(TensorType::FLOAT32, {1, 2}), y = b.tensor(TensorType::FLOAT32, {1, 1});
    const int w = b.tensor<std::int8_t>(TensorType::INT8, {1, 2}, {1}, {3}, {1, 2});
    b.op(Code::FULLY_CONNECTED, {x, w, -1}, {y}, schema::OptionsType::FULLY_CONNECTED,
         schema::CreateFullyConnectedOptions(b.fbb));
    const ReadResult read = read_tflite("net", b.finish({x}, {y}));
    ASSERT_EQ(read.errors.size(), 1U);
    EXPECT_NE(read.errors[0].find("zero points of 0"), std::string::npos) << read.errors[0];
    EXPECT_EQ(lacking(read.errors[0], "FULLY_CONNECTED"), "");
}

TEST(Messages, OfConditionsThatAreComputed) {
    OnnxBuilder b;
    const std::string x = b.input({1, 3});
    b.output(b.op("If", {b.op("Cast", {b.op("ReduceMax", {x})}, {{"to", std::int64_t{9}}})}));
    const ReadResult read = b.read();
    ASSERT_EQ(read.errors.size(), 1U);
    EXPECT_NE(read.errors[0].find("is computed: want it decided"), std::string::npos)
        << read.errors[0];
    EXPECT_EQ(lacking(read.errors[0], "If"), "");
}

TEST(Messages, NameTheNearest) {
    const std::vector<std::string> known = {"Conv", "ConvTranspose", "Cos", "ReduceMax",
                                            "ReduceMin"};
    EXPECT_EQ(nearest("ReduceMxn", known), "; the nearest known: ReduceMin, ReduceMax");
    EXPECT_EQ(nearest("conv", known), "; the nearest known: Conv");
    EXPECT_EQ(nearest("Einsum", known), "");
}

}  // namespace
}  // namespace macrame::front::test
