/// Branches of ONNX files, loops that constants decide.
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "compiler/test/front/onnx_builder.hpp"

namespace macrame::front::test {
namespace {

/// A branch of one operator, with a constant of its own.
void add_branch(onnx_schema::Node& node, const std::string& name, const std::string& type,
                const std::string& x) {
    onnx_schema::Attribute& attribute = *node.add_attribute();
    attribute.set_name(name);
    attribute.set_type(5);
    onnx_schema::Graph& graph = *attribute.mutable_g();
    onnx_schema::Tensor& tensor = *graph.add_initializer();
    tensor.set_name("c");
    tensor.set_data_type(OnnxBuilder::kFloat);
    tensor.add_float_data(3);
    onnx_schema::Node& inner = *graph.add_node();
    inner.set_op_type(type);
    inner.add_input(x);
    inner.add_input("c");
    inner.add_output("y");
    graph.add_output()->set_name("y");
}

/// x of two elements, by the branch that a comparison of its size takes.
OnnxBuilder branches(std::int64_t size) {
    OnnxBuilder b;
    const std::string x = b.input({2});
    const std::string same = b.op("Equal", {b.op("Shape", {x}), b.integers({size})});
    b.output(b.op("If", {b.op("Squeeze", {same})}));
    onnx_schema::Node& node = *b.graph().mutable_node()->rbegin();
    add_branch(node, "then_branch", "Add", x);
    add_branch(node, "else_branch", "Mul", x);
    return b;
}

TEST(OnnxBranches, AreTakenByConstants) {
    for (const std::int64_t size : {2, 5}) {
        const ReadResult read = branches(size).read();
        ASSERT_TRUE(read.ok()) << read.errors[0];
        ASSERT_EQ(read.graph.nodes.size(), 1U);
        const auto function = std::get<graph::Binary>(read.graph.nodes[0].op).function;
        EXPECT_EQ(function, size == 2 ? graph::Arithmetic::add : graph::Arithmetic::mul);
    }
}

TEST(OnnxBranches, HaveAsManyResults) {
    OnnxBuilder b = branches(2);
    b.graph().mutable_node()->rbegin()->add_output("z");
    b.output("z");
    EXPECT_EQ(b.errors(), "net: operator 3 (If): 1 results of a branch: want 2\n");
    OnnxBuilder none = branches(5);
    none.graph().mutable_node()->rbegin()->mutable_attribute()->RemoveLast();
    EXPECT_EQ(none.errors(), "net: operator 3 (If): no else_branch: want one\n");
}

/// x of two elements, by the branch that the input decides; a result of the other shape.
OnnxBuilder choices(bool same) {
    OnnxBuilder b;
    const std::string x = b.input({2}), wide = b.input({3, 2});
    const std::string low = b.op("Less", {b.op("ReduceSum", {x}), b.real(0)});
    b.output(b.op("If", {low}));
    onnx_schema::Node& node = *b.graph().mutable_node()->rbegin();
    add_branch(node, "then_branch", "Add", x);
    add_branch(node, "else_branch", "Mul", same ? x : wide);
    return b;
}

TEST(OnnxBranches, BothAreThereWhereTheConditionIsComputed) {
    const ReadResult read = choices(true).read();
    ASSERT_TRUE(read.ok()) << read.errors[0];
    const auto run = [&](float a, float b) {
        const float x[] = {a, b}, other[6] = {};
        const auto bytes = [](const float* from, std::size_t count) {
            const auto* first = reinterpret_cast<const std::uint8_t*>(from);
            return graph::Bytes(first, first + count * sizeof(float));
        };
        float y[2];
        std::memcpy(y, graph::run(read.graph, {bytes(x, 2), bytes(other, 6)}).at(0).data(),
                    sizeof y);
        return std::vector<float>{y[0], y[1]};
    };
    EXPECT_EQ(run(-5, 2), (std::vector<float>{-2, 5}));
    EXPECT_EQ(run(5, 2), (std::vector<float>{15, 6}));
    const std::string errors = choices(false).errors();
    EXPECT_NE(errors.find("of float32 2 in one branch and float32 3x2 in the other: want the same"),
              std::string::npos)
        << errors;
}

TEST(OnnxBranches, HaveResultsOfOtherNames) {
    OnnxBuilder b = branches(2);
    onnx_schema::Node& same = *b.graph().add_node();
    same.set_op_type("Identity");
    same.add_input(b.graph().output(0).name());
    same.add_output("last");
    b.graph().mutable_output(0)->set_name("last");
    const ReadResult read = b.read();
    ASSERT_TRUE(read.ok()) << read.errors[0];
    EXPECT_EQ(read.graph.nodes.size(), 1U);
}

/// A loop over x, which is kept; `says`: what the body makes of its condition.
OnnxBuilder loops(const std::string& turns, const std::string& says, OnnxBuilder b) {
    const std::string x = b.input({2});
    b.output(b.op("Loop", {turns, "", x}));
    onnx_schema::Attribute& attribute = *b.graph().mutable_node()->rbegin()->add_attribute();
    attribute.set_name("body");
    attribute.set_type(5);
    onnx_schema::Graph& body = *attribute.mutable_g();
    for (const char* const name : {"i", "go", "v"})
        body.add_input()->set_name(name);
    onnx_schema::Node& add = *body.add_node();
    add.set_op_type("Add");
    add.add_input("v");
    add.add_input(x);
    add.add_output("w");
    body.add_output()->set_name(says);
    body.add_output()->set_name("w");
    return b;
}

TEST(OnnxBranches, LoopsBecomeTheirTurns) {
    for (const int turns : {1, 3}) {
        OnnxBuilder b;
        const std::string count = b.integers({turns});
        const ReadResult read = loops(count, "go", std::move(b)).read();
        ASSERT_TRUE(read.ok()) << read.errors[0];
        EXPECT_EQ(read.graph.nodes.size(), static_cast<std::size_t>(turns));
    }
}

TEST(OnnxBranches, LoopsOfComputedLengthAreRefused) {
    OnnxBuilder b;
    const std::string count = b.integers({3});
    const std::string errors = loops(count, "w", std::move(b)).errors();
    EXPECT_NE(errors.find("operator 0 (Loop)"), std::string::npos) << errors;
    EXPECT_NE(errors.find("its number of turns is computed: want a constant"), std::string::npos)
        << errors;
    OnnxBuilder many;
    const std::string most = many.integers({3000});
    EXPECT_NE(loops(most, "go", std::move(many)).errors().find("3000 turns: want at most 2048"),
              std::string::npos);
}

TEST(OnnxBranches, AllRowsOfBoxesAreReadByNobody) {
    for (const std::string type : {"Cast", "ReduceMax"}) {
        OnnxBuilder b;
        const std::string boxes = b.input({1, 3, 4}), scores = b.input({1, 1, 3});
        const std::string found = b.op("NonMaxSuppression", {boxes, scores, b.integers({2})});
        b.output(type == "Cast" ? b.op(type, {found}, {{"to", std::int64_t{1}}})
                                : b.op(type, {found}));
        const ReadResult read = b.read();
        EXPECT_EQ(read.ok(), type == "Cast");
        if (read.ok())
            EXPECT_EQ(read.graph.outputs.size(), 2U);
        else
            EXPECT_NE(read.errors[0].find("ReduceMax"), std::string::npos) << read.errors[0];
    }
}

}  // namespace
}  // namespace macrame::front::test
