/// Files of other forms: operator sets, functions, order, data that lie elsewhere.
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>

#include "compiler/test/front/onnx_builder.hpp"

namespace macrame::front {
namespace {

using test::Floats;
using test::OnnxBuilder;
using test::run;

bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

TEST(OnnxForm, WhatOnlyGivesIsNotThere) {
    // Between operators that belong together, on constants, in front of an output.
    OnnxBuilder b;
    const auto same = [&](const std::string& name) { return b.op("Identity", {name}); };
    const std::string scale = same(same(b.real(0.5F))), zero = same(b.zero(1));
    const std::string x =
        b.op("DequantizeLinear", {same(b.input({1, 4}, OnnxBuilder::kInt8)), scale, zero});
    const std::string real = b.op("Cast", {b.op("Dropout", {x})}, {{"to", std::int64_t{1}}});
    const std::string y = b.op("QuantizeLinear", {same(b.op("Relu", {real})), scale, zero});
    b.output(same(y));
    const ReadResult read = b.read();
    ASSERT_TRUE(read.ok()) << read.errors[0];
    ASSERT_EQ(read.graph.nodes.size(), 1U);
    EXPECT_EQ(read.graph.tensor(read.graph.nodes[0].inputs[0]).type, graph::Type::int8);
    EXPECT_EQ((run<std::int8_t, std::int8_t>(read, {-5, 0, 1, 9})),
              (std::vector<std::int8_t>{1, 1, 1, 9}));
}

TEST(OnnxForm, ZeroPointsOfBiases) {
    const auto read = [](std::int32_t first, std::int32_t zero) {
        OnnxBuilder b;
        const auto real = [&](const std::string& values, float scale, const std::string& by) {
            return b.op("DequantizeLinear", {values, b.real(scale), by});
        };
        const std::string bias = b.constant<std::int32_t>(OnnxBuilder::kInt32, {2}, {first, 30});
        const std::string sum =
            b.op("Gemm",
                 {real(b.input({1, 1}, OnnxBuilder::kInt8), 1, b.zero(0)),
                  real(b.constant<std::int8_t>(OnnxBuilder::kInt8, {1, 2}, {1, 2}), 1, b.zero(0)),
                  real(bias, 1, b.constant<std::int32_t>(OnnxBuilder::kInt32, {}, {zero}))});
        b.output(b.op("QuantizeLinear", {sum, b.real(1), b.zero(0)}));
        return b.read();
    };
    EXPECT_EQ((run<std::int8_t, std::int8_t>(read(20, 10), {3})),
              (std::vector<std::int8_t>{13, 26}));
    EXPECT_TRUE(has(read(-2147483647, 10).errors[0], "less a zero point of 10: want 32 bits"));
}

TEST(OnnxForm, NewerOperatorSets) {
    OnnxBuilder same(99);
    same.output(same.op("LeakyRelu", {same.input({1, 3})}, {{"alpha", 0.5F}}));
    EXPECT_EQ((run<float, float>(same.read(), {1, -2, 3})), (Floats{1, -1, 3}));
    OnnxBuilder other(99);
    other.output(other.op("LeakyRelu", {other.input({1, 3})}, {{"beta", 0.5F}}));
    EXPECT_TRUE(has(other.errors(), "attribute beta in operator set 99: want those of set 28"))
        << other.errors();
    OnnxBuilder repeated;
    repeated.set("ai.onnx", 17);
    repeated.output(repeated.op("Relu", {repeated.input({1, 3})}));
    EXPECT_EQ(repeated.errors(), "");
    repeated.set("ai.onnx", 18);
    EXPECT_TRUE(has(repeated.errors(), "operator set '' twice, 17 and 18: want it once"));
}

/// A function whose body is one operator.
void add_function(OnnxBuilder& b, const std::string& name, const std::string& body,
                  const std::string& domain) {
    onnx_schema::Function& f = *b.model.add_functions();
    f.set_name(name);
    f.set_domain("own");
    f.add_input("in");
    f.add_output("out");
    onnx_schema::Node& node = *f.add_node();
    node.set_op_type(body);
    node.set_domain(domain);
    node.add_input("in");
    node.add_output("out");
    onnx_schema::Attribute& alpha = *node.add_attribute();
    alpha.set_name("alpha");
    alpha.set_type(1);
    alpha.set_ref_attr_name("slope");
    onnx_schema::OperatorSet& set = *f.add_opset_import();
    set.set_domain(domain);
    set.set_version(16);
}

TEST(OnnxForm, Functions) {
    OnnxBuilder b;
    b.set("own", 1);
    add_function(b, "Leaky", "LeakyRelu", "");
    const std::string x = b.input({1, 2});
    const std::string y = b.op("Leaky", {x}, {{"slope", 0.5F}}, "own");
    b.output(b.op("Leaky", {y}, {}, "own"));  // 0.01 where none is given
    EXPECT_EQ((run<float, float>(b.read(), {3, -200})), (Floats{3, -1}));
    OnnxBuilder endless;
    endless.set("own", 1);
    add_function(endless, "Again", "Again", "own");
    endless.output(endless.op("Again", {endless.input({1, 2})}, {}, "own"));
    EXPECT_TRUE(has(endless.errors(),
                    "operator 0 (Again): functions 16 deep: want fewer, and none "
                    "that calls itself"))
        << endless.errors();
}

TEST(OnnxForm, OperatorsInAnyOrderAndUnread) {
    OnnxBuilder b;
    const std::string x = b.input({1, 2});
    b.op("Neg", {"y3"});
    b.op("ImageDecoder", {x});  // not known, and nobody reads it
    b.op("Relu", {x});
    b.output("y1");
    EXPECT_EQ((run<float, float>(b.read(), {3, -2})), (Floats{-3, 0}));
}

/// Says that the data of a constant are in another file.
void lies_in(onnx_schema::Tensor& t, const std::string& file, int offset, int bytes) {
    t.clear_raw_data();
    t.clear_external_data();
    t.set_data_location(1);
    for (const auto& [key, value] :
         {std::pair("location", file), std::pair("offset", std::to_string(offset)),
          std::pair("length", std::to_string(bytes))}) {
        onnx_schema::Entry& entry = *t.add_external_data();
        entry.set_key(key);
        entry.set_value(value);
    }
}

TEST(OnnxForm, DataInAnotherFile) {
    const std::string folder = testing::TempDir();
    OnnxBuilder b;
    b.output(b.op("Add", {b.input({1, 3}), b.real({3}, {1, 2, 3})}));
    std::ofstream(folder + "macrame_weights.data", std::ios::binary)
        << "eight..." << b.graph().initializer(0).raw_data();
    lies_in(*b.graph().mutable_initializer(0), "macrame_weights.data", 8, 12);
    const ReadResult network = read_onnx(folder + "net.onnx", b.bytes());
    EXPECT_EQ((run<float, float>(network, {10, 20, 30})), (Floats{11, 22, 33}));
    // Beyond its end.
    b.graph().mutable_initializer(0)->mutable_external_data(1)->set_value("9");
    EXPECT_TRUE(has(read_onnx(folder + "net.onnx", b.bytes()).errors.at(0), "12 bytes from 9: "));
    const auto refused = [&](const std::string& file, const std::string& text) {
        lies_in(*b.graph().mutable_initializer(0), file, 8, 12);
        EXPECT_TRUE(has(b.errors(), text)) << b.errors();
    };
    refused("../secret",
            "c1: data in the file '../secret': want one in the folder of the network, ");
    refused("none",
            "c1: data in the file 'none', 12 bytes from 8: cannot be read: want them there");
    std::remove((folder + "macrame_weights.data").c_str());
}

TEST(OnnxForm, SparseConstants) {
    OnnxBuilder b;
    b.output(b.op("Add", {b.input({1, 3}), "sparse"}));
    onnx_schema::SparseTensor& t = *b.graph().add_sparse_initializer();
    t.add_dims(1);
    t.add_dims(3);
    const float value = 5;
    t.mutable_values()->set_name("sparse");
    t.mutable_values()->set_data_type(OnnxBuilder::kFloat);
    t.mutable_values()->set_raw_data(std::string(reinterpret_cast<const char*>(&value), 4));
    t.mutable_indices()->add_dims(1);
    t.mutable_indices()->add_dims(2);
    for (const int place : {0, 2})
        t.mutable_indices()->add_int64_data(place);
    EXPECT_EQ((run<float, float>(b.read(), {1, 1, 1})), (Floats{1, 1, 6}));
    t.mutable_indices()->set_int64_data(1, 3);
    EXPECT_TRUE(has(b.errors(), "sparse: sparse, in a form of its own: want all elements"))
        << b.errors();
}

}  // namespace
}  // namespace macrame::front
