#pragma once
/// Makes ONNX files, node by node.

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "onnx.pb.h"

namespace macrame::front {

/// A file with operators of one version. Nodes and constants have names of their own, with a number
/// behind what they are about.
class OnnxFile {
public:
    using Ints = std::vector<std::int64_t>;
    using Names = std::vector<std::string>;

    OnnxFile(const std::string& name, std::int64_t version) {
        model_.set_ir_version(8);
        onnx_schema::OperatorSet& set = *model_.add_opset_import();
        set.set_domain("");
        set.set_version(version);
        graph().set_name(name);
    }

    std::vector<std::uint8_t> bytes() const {
        std::string all;
        model_.SerializeToString(&all);
        return {all.begin(), all.end()};
    }

    /// Names of inputs and outputs, before there is anything else.
    void reserve(const std::string& name) { reserved_.insert(name); }
    /// What the next nodes are about.
    void about(const std::string& name) { about_ = name; }

    void add_input(const std::string& name, const std::vector<int>& shape) {
        declare(*graph().add_input(), name, shape);
    }
    /// `from` under the name of an output.
    void add_output(const std::string& from, const std::string& name,
                    const std::vector<int>& shape) {
        declare(*graph().add_output(), name, shape);
        onnx_schema::Node& last = *graph().add_node();
        last.set_op_type("Identity");
        last.add_input(from);
        last.add_output(name);
    }

    std::string real(const Ints& dims, const std::vector<float>& values) {
        return constant(kFloat, dims, values.data(), values.size() * sizeof(float));
    }
    std::string real(float value) { return real({}, {value}); }
    std::string integers(const Ints& values) {
        return constant(kInt64, {static_cast<std::int64_t>(values.size())}, values.data(),
                        values.size() * sizeof(std::int64_t));
    }

    /// A node with one output; more may be added.
    onnx_schema::Node& add(const std::string& kind, const Names& inputs) {
        onnx_schema::Node& made = *graph().add_node();
        made.set_op_type(kind);
        for (const std::string& name : inputs)
            made.add_input(name);
        made.add_output(fresh());
        made.set_name(made.output(0));
        return made;
    }
    /// The output of a node without attributes.
    std::string op(const std::string& kind, const Names& inputs) {
        return add(kind, inputs).output(0);
    }
    std::string transposed(const std::string& from, const Ints& order) {
        onnx_schema::Node& made = add("Transpose", {from});
        set(made, "perm", order);
        return made.output(0);
    }
    std::string fresh() {
        while (true) {
            std::string name = fmt::format("{}:{}", about_, count_++);
            if (reserved_.count(name) == 0) return name;
        }
    }

    static void set(onnx_schema::Node& node, const std::string& name, std::int64_t value) {
        attribute(node, name, 2).set_i(value);
    }
    static void set(onnx_schema::Node& node, const std::string& name, float value) {
        attribute(node, name, 1).set_f(value);
    }
    static void set(onnx_schema::Node& node, const std::string& name, const std::string& value) {
        attribute(node, name, 3).set_s(value);
    }
    static void set(onnx_schema::Node& node, const std::string& name, const Ints& values) {
        onnx_schema::Attribute& made = attribute(node, name, 7);
        for (const std::int64_t value : values)
            made.add_ints(value);
    }

private:
    static constexpr int kFloat = 1, kInt64 = 7;  // TensorProto.DataType

    onnx_schema::Graph& graph() { return *model_.mutable_graph(); }

    /// `type`: AttributeProto.AttributeType.
    static onnx_schema::Attribute& attribute(onnx_schema::Node& node, const std::string& name,
                                             int type) {
        onnx_schema::Attribute& made = *node.add_attribute();
        made.set_name(name);
        made.set_type(type);
        return made;
    }

    static void declare(onnx_schema::ValueInfo& info, const std::string& name,
                        const std::vector<int>& shape) {
        info.set_name(name);
        onnx_schema::TensorType& type = *info.mutable_type()->mutable_tensor_type();
        type.set_elem_type(kFloat);
        type.mutable_shape();
        for (const int size : shape)
            type.mutable_shape()->add_dim()->set_dim_value(size);
    }

    std::string constant(int type, const Ints& dims, const void* values, std::size_t bytes) {
        onnx_schema::Tensor& made = *graph().add_initializer();
        made.set_name(fresh());
        made.set_data_type(type);
        for (const std::int64_t size : dims)
            made.add_dims(size);
        made.set_raw_data(std::string(static_cast<const char*>(values), bytes));
        return made.name();
    }

    onnx_schema::Model model_;
    std::set<std::string> reserved_;
    std::string about_;
    std::size_t count_ = 0;
};

}  // namespace macrame::front
