/// What readers say of what they refuse: place, what was found, what is wanted.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <string>
#include <utility>
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
                                   "DeformConv",
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

std::string source_of(const std::filesystem::path& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// Operators of the table of ONNX's reader; which of them are Microsoft's.
std::vector<std::pair<std::string, bool>> onnx_rows() {
    const std::string table = source_of(SOURCE_DIR "/compiler/front/onnx_table.cpp");
    const std::regex row(R"re(\{"(\w+)", T::\w+(, true)?\})re");
    std::vector<std::pair<std::string, bool>> rows;
    for (std::sregex_iterator at(table.begin(), table.end(), row), end; at != end; ++at)
        rows.emplace_back((*at)[1], (*at)[2].matched);
    return rows;
}

TEST(Messages, OfEveryOperatorOfOnnxWithInputsThatItDoesNotExpect) {
    const std::vector<std::pair<std::string, bool>> rows = onnx_rows();
    ASSERT_GT(rows.size(), 120U);
    std::size_t refused = 0;
    for (const auto& [type, microsoft] : rows) {
        for (int form = 0; form < 10; ++form) {
            OnnxBuilder b(form % 2 == 0 ? 17 : 23);
            const std::string x = b.input({1, 3}), picture = b.input({1, 2, 4, 4}),
                              bytes = b.input({1, 3}, OnnxBuilder::kUint8);
            const std::string five = b.integers({5}), none = b.integers({}), one = b.real(1),
                              row = b.real({3}, {1, 2, 3});
            const std::vector<Names> inputs = {{},
                                               {x},
                                               {bytes, x},
                                               {five, five},
                                               {picture, x},
                                               {x, five, row},
                                               {x, "", one},
                                               {one, none},
                                               {bytes, one, bytes, bytes, one, bytes, one, bytes},
                                               {row, x, picture, five}};
            b.output(b.op(type, inputs[static_cast<std::size_t>(form)], {},
                          microsoft ? "com.microsoft" : ""));
            const ReadResult read = b.read();
            refused += !read.ok();
            for (const std::string& error : read.errors) {
                if (error == "net: output y1: y1 has no elements: want at least 1") continue;
                EXPECT_EQ(lacking(error, type), "") << form << ": " << error;
            }
        }
    }
    EXPECT_GT(refused, rows.size() * 3);
}

TEST(Messages, OfEveryOperatorOfTfliteWithInputsThatItDoesNotExpect) {
    std::size_t operators = 0, refused = 0;
    for (const Code code : schema::EnumValuesBuiltinOperator()) {
        if (code == Code::PLACEHOLDER_FOR_GREATER_OP_CODES || code == Code::DELEGATE ||
            code == Code::CALL_ONCE || code == Code::VAR_HANDLE)
            continue;
        ++operators;
        for (std::size_t form = 0; form < 7; ++form) {
            TfliteBuilder b;
            const int x = b.int8({1, 3}), picture = b.int8({1, 4, 4, 2}), y = b.int8({1, 3});
            const int real = b.tensor(TensorType::FLOAT32, {1, 3}), five = b.int32({5}),
                      wide = b.tensor(TensorType::INT16, {1, 3}, {1}, {0});
            const std::vector<std::vector<std::int32_t>> inputs = {
                {x},        {picture, x},       {real, x, five},
                {five},     {wide, five, five}, {picture, picture, picture, picture},
                {-1, x, -1}};
            b.op(code, inputs[form], {y});
            const ReadResult read = read_tflite("net", b.finish({x, picture, real, wide}, {y}));
            refused += !read.ok();
            for (const std::string& error : read.errors)
                EXPECT_EQ(lacking(error, schema::EnumNameBuiltinOperator(code)), "")
                    << form << ": " << error;
        }
    }
    EXPECT_GT(operators, 150U);
    EXPECT_GT(refused, operators * 4);
}

/// The texts in braces or brackets that begin at a place, one behind the other.
std::string texts_behind(const std::string& source, std::size_t at) {
    std::string texts;
    bool inside = false;
    for (int depth = 1; depth > 0 && at < source.size(); ++at) {
        const char c = source[at];
        if (c == '"') {
            inside = !inside;
        } else if (inside) {
            texts += c;
            if (c == '\\') texts += source[++at];
        } else {
            depth += c == '{' || c == '(' ? 1 : c == '}' || c == ')' ? -1 : 0;
        }
    }
    return texts;
}

/// Every place that throws tells what is wanted, or has another message inside.
TEST(Messages, OfEveryPlaceThatRefuses) {
    std::size_t places = 0;
    for (const auto& file :
         std::filesystem::recursive_directory_iterator(SOURCE_DIR "/compiler/front")) {
        if (file.path().extension() != ".cpp") continue;
        const std::string source = source_of(file.path()), begin = "throw Refusal{";
        for (std::size_t at = source.find(begin); at != std::string::npos;
             at = source.find(begin, at + 1)) {
            const std::string texts = texts_behind(source, at + begin.size());
            if (texts.empty()) continue;
            ++places;
            const bool goes_on = texts.size() > 2 && (texts.substr(texts.size() - 2) == "{}" ||
                                                      texts.substr(texts.size() - 2) == ": ");
            EXPECT_TRUE(goes_on || texts.find("want") != std::string::npos)
                << file.path() << ": " << texts;
            EXPECT_EQ(texts.find("not supported"), std::string::npos) << texts;
        }
    }
    EXPECT_GT(places, 250U);
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

TEST(Messages, OfConditionsThatAreSeveral) {
    OnnxBuilder b;
    const std::string x = b.input({1, 3});
    b.output(b.op("If", {b.op("Cast", {x}, {{"to", std::int64_t{9}}})}));
    const ReadResult read = b.read();
    ASSERT_EQ(read.errors.size(), 1U);
    EXPECT_NE(read.errors[0].find("is 1x3 of type int8: want one of bool"), std::string::npos)
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
