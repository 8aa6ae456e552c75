#pragma once
/// What the functions that make calls of operators share.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compiler/graph/graph.hpp"
#include "compiler/graph/quantised.hpp"
#include "compiler/host_c/calls.hpp"

namespace macrame::compiler::host_c {

/// Initialiser of a struct: fields by name.
class Fields {
public:
    template <typename Value>
    Fields& set(std::string_view name, const Value& value) {
        if (!text_.empty()) text_ += ", ";
        text_ += "." + std::string(name) + " = " + text_of(value);
        return *this;
    }
    template <typename Value>
    Fields& list(std::string_view name, const std::vector<Value>& values) {
        std::string all;
        for (const Value& value : values)
            all += (all.empty() ? "" : ", ") + text_of(value);
        return set(name, "{" + (all.empty() ? std::string("0") : all) + "}");
    }
    std::string text() const { return "{" + text_ + "}"; }

private:
    static std::string text_of(const std::string& value) { return value; }
    static std::string text_of(std::string_view value) { return std::string(value); }
    static std::string text_of(const char* value) { return value; }
    static std::string text_of(float value) { return c_text(value); }
    static std::string text_of(double value) { return c_text(value); }
    static std::string text_of(std::int32_t value) {
        return value == INT32_MIN ? "INT32_MIN" : std::to_string(value);
    }
    template <typename Whole>
    static std::string text_of(Whole value) {
        return std::to_string(value);
    }

    std::string text_;
};

/// Elements of a box, where they are written and where they are read. In elements of the tensors.
struct Box {
    std::vector<std::int64_t> shape, to, from;
    std::int64_t to_start = 0, from_start = 0;
};

/// Axes without those of one element; one that goes on where the next one ends is one with it, in
/// all tensors that have these strides.
void join_axes(std::vector<std::int64_t>& shape,
               const std::vector<std::vector<std::int64_t>*>& strides);

/// One operator.
class Lowering {
public:
    Lowering(const graph::Graph& graph, const graph::Node& node, Constants& constants)
        : graph_(graph), node_(node), constants_(constants) {}

    Calls run();
    /// Of a node that reads, or writes, one tensor.
    Calls encode(const CodedTensor& coded);
    Calls decode(const CodedTensor& coded);

private:
    // By kind of operator; what has no function leaves a problem.
    void add(const graph::Reshape& op);
    void add(const graph::Transpose& op);
    void add(const graph::Slice& op);
    void add(const graph::Split& op);
    void add(const graph::Concat& op);
    void add(const graph::Pad& op);
    void add(const graph::Resize& op);
    void add(const graph::Unary& op);
    void add(const graph::Requantise& op);
    void add(const graph::Softmax& op);
    void add(const graph::Binary& op);
    void add(const graph::Prelu& op);
    void add(const graph::Pool& op);
    void add(const graph::Mean& op);
    void add(const graph::Argmax& op);
    void add(const graph::Reduce& op);
    void add(const graph::Cast& op);
    void add(const graph::Conv& op);
    void add(const graph::TransposeConv& op);
    void add(const graph::FullyConnected& op);
    void add(const graph::MatMul& op);
    void add(const graph::Gather& op);
    void add(const graph::Compare& op);
    void add(const graph::Select& op);
    void add(const graph::Norm& op);
    void add(const graph::Lstm& op);
    void add(const graph::TopK& op);
    void add(const graph::GatherNd& op);
    void add(const graph::GatherElements& op);
    void add(const graph::PutRows& op);
    void add(const graph::ScatterNd& op);
    void add(const graph::Cumsum& op);
    void add(const graph::DynamicQuantise& op);
    void add(const graph::Join& op);
    void add(const graph::RealDigits& op);
    void add(const graph::RealSums& op);
    void add(const graph::L2Norm& op);
    void add(const graph::LocalNorm& op);
    void add(const graph::Svdf& op);
    void add(const graph::Detections& op);
    void add(const graph::Suppression& op);
    template <typename Op>
    void add(const Op& /*op*/) {
        refuse("no function in C for it yet");
    }

    const graph::Tensor& in(std::size_t i = 0) const { return graph_.tensor(node_.inputs[i]); }
    const graph::Tensor& out(std::size_t i = 0) const { return graph_.tensor(node_.outputs[i]); }
    bool has(std::size_t i) const { return i < node_.inputs.size() && node_.inputs[i] >= 0; }
    Operand from(std::size_t i = 0) const { return {node_.inputs[i], -1}; }
    Operand to(std::size_t i = 0) const { return {node_.outputs[i], -1}; }
    Operand scratch(std::uint64_t bytes);
    bool fixed_point() const {
        return graph_.rounding == graph::Rounding::tflite && out().type != graph::Type::float32;
    }
    std::string_view rounding() const {
        return graph_.rounding == graph::Rounding::onnx ? "MACRAME_HOST_EVEN" : "MACRAME_HOST_AWAY";
    }

    void refuse(const std::string& why) {
        if (calls_.problem.empty()) calls_.problem = why;
    }
    void call(std::string_view function, std::vector<Operand> operands, const Fields& with) {
        calls_.calls.push_back({std::string(function), std::move(operands), with.text(), ""});
    }
    void move(Operand to, Operand from, std::size_t size, Box box);
    void take(std::size_t size, const std::vector<std::vector<std::int64_t>>& offsets);
    void fill(Operand to, const graph::Tensor& tensor, const graph::Bytes& element);

    /// By a table that the reference makes: of the operator on all values of 8 bits as `input`,
    /// with the output of the node.
    void look_up(Operand to, Operand from, const graph::Operator& op, const graph::Tensor& input);
    void look_up(Operand to, Operand from, const graph::Bytes& table, std::size_t count);

    /// Between codes in order and those in vectors.
    void move_codes(bool into_vectors, Operand vectors, Operand packed, const CodedTensor& coded);
    /// Of int16.
    void add_wide(const graph::Unary& op);

    // Kinds of Binary.
    void add_fixed(const graph::Binary& op);
    void add_even(const graph::Binary& op);
    void add_real(const graph::Binary& op);
    /// With a constant of one element; false: there is none.
    bool look_up_pair(const graph::Binary& op);
    void bilinear(const graph::Resize& op);
    /// Convolutions of all kinds: operands, fields of the window, channels and groups.
    void products(std::string_view function, const Fields& window, int kernels, int groups,
                  graph::Activation activation);
    /// How their sums become elements.
    Fields scaling(graph::Activation activation);
    /// A walk over the output, or a tensor of that shape, and inputs that are broadcast to it.
    std::string broadcast_walk(std::size_t inputs) const;

    /// Real values of an input: itself, if it is float32.
    Operand reals(std::size_t i);
    std::vector<float> constant_reals(std::size_t i) const;
    /// Where those of the output go before they are quantised.
    Operand real_output();
    /// Behind that: within bounds, in the type of the output.
    void finish(Operand reals, graph::Activation activation);
    static void set_bounds(Fields& fields, graph::Activation activation);

    const graph::Graph& graph_;
    const graph::Node& node_;
    Constants& constants_;
    Calls calls_;
};

inline bool is_byte(const graph::Tensor& tensor) {
    return (tensor.type == graph::Type::int8 || tensor.type == graph::Type::uint8) &&
           !tensor.quantisation.per_channel();
}

/// Or 16 bits.
inline bool is_small(const graph::Tensor& tensor) {
    return is_byte(tensor) ||
           (tensor.type == graph::Type::int16 && tensor.quantisation.scale.size() == 1);
}

/// All of 8 bits, in order.
graph::Bytes every_byte();

/// Initialisers of structs: macrame_host_walk, with strides in elements; macrame_host_window;
/// macrame_factor.
std::string walk_text(const std::vector<std::int64_t>& shape,
                      const std::vector<std::vector<std::int64_t>>& strides);
Fields window_fields(const graph::Window& window, const std::vector<int>& in,
                     const std::vector<int>& out, int channels);
std::string factor_text(graph::Multiplier factor);

/// Strides of a tensor whose elements lie in order.
std::vector<std::int64_t> strides_of(const std::vector<int>& shape);
/// Of one that is broadcast: 0 along axes that it does not have.
std::vector<std::int64_t> broadcast_strides(const std::vector<int>& shape,
                                            const std::vector<int>& to);
std::vector<std::int64_t> wide(const std::vector<int>& shape);

}  // namespace macrame::compiler::host_c
