/// Branches of ONNX files that constants decide.
#include <gtest/gtest.h>

#include <string>

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

}  // namespace
}  // namespace macrame::front::test
