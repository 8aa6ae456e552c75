#pragma once
/// Definitions of the operators, one function each: the elements of the output.

#include <cstdint>
#include <vector>

#include "compiler/graph/graph.hpp"
#include "compiler/graph/quantised.hpp"
#include "compiler/graph/reference.hpp"

namespace macrame::graph {

/// A node with the elements of its inputs.
struct Call {
    const Graph& graph;
    const Node& node;
    const std::vector<const Bytes*>& inputs;

    bool has(std::size_t i) const { return i < inputs.size() && node.inputs[i] != kNone; }
    const Tensor& in(std::size_t i = 0) const { return graph.tensor(node.inputs[i]); }
    const Tensor& out(std::size_t i = 0) const { return graph.tensor(node.outputs[i]); }
    const Bytes& bytes(std::size_t i = 0) const { return *inputs[i]; }

    /// Elements of an input of an integer type of at most 32 bits.
    std::vector<std::int32_t> integers(std::size_t i = 0) const;
    /// Numbers of an input of any integer type, whatever its scale.
    std::vector<std::int64_t> whole(std::size_t i = 0) const;
    /// Real values of an input.
    std::vector<float> reals(std::size_t i = 0) const;

    /// Whether TFLite's integers are wanted; else real values are rounded at the end.
    bool fixed_point() const {
        return graph.rounding == Rounding::tflite && out().type != Type::float32;
    }
};

/// Elements of a tensor of an integer type; what is outside of the type saturates.
Bytes pack(const Tensor& tensor, const std::vector<std::int32_t>& values);
/// Numbers in the type of a tensor; what is outside of it wraps.
Bytes pack_whole(const Tensor& tensor, const std::vector<std::int64_t>& values);
/// Real values in the type of the output of a call, behind the activation.
Bytes pack(const Call& call, const std::vector<float>& values,
           Activation activation = Activation::none);
/// The integer that stands for a real value: halves go away from zero (TFLite) or to even (ONNX).
std::int32_t quantise(Rounding rounding, const Tensor& tensor, float value);

/// Requantises integers of one tensor for another.
std::vector<std::int32_t> requantise(Rounding rounding, const Tensor& from, const Tensor& to,
                                     std::vector<std::int32_t> values);

/// Element of an axis that Resampling::nearest takes for an element of the output.
int nearest_source(int to, int input, int output, const Resize& op);

/// Element of the input that a padding repeats at a place before (negative) or behind it.
int repeated(Padding kind, int at, int size);

// Softmax of elements of 8 bits: exp of the differences 0 to -255 of two elements, in TFLite's
// fixed point and as ONNX Runtime has it, there with the steps of the output that 1 is.
std::vector<std::int32_t> softmax_table(const Tensor& input, const Softmax& op);
std::vector<double> real_softmax_table(const Tensor& input, const Softmax& op);
double softmax_steps(const Tensor& output, const Softmax& op);

/// Of each element of an axis of a bilinear Resize: the two elements of the input that it lies
/// between, and how much of the second it takes; in float32, and in TFLite's integers of 1/1024.
struct BetweenOfAxis {
    std::vector<std::int32_t> first, second, fixed_first, fixed_second, fixed_part;
    std::vector<float> part;
};
BetweenOfAxis between(int input, int output, const Resize& op);

// Of an LSTM: factors of the sums of a gate, of the output; the scale of states is 2^exponent.
Multiplier lstm_factor(const Tensor& weights, const Tensor& values);
Multiplier lstm_output_factor(const Tensor& output);
int lstm_exponent(const Tensor& state);

std::vector<Bytes> execute(const Call& call, const Conv& op);
Bytes execute(const Call& call, const Join& op);
Bytes execute(const Call& call, const TransposeConv& op);
Bytes execute(const Call& call, const FullyConnected& op);
Bytes execute(const Call& call, const Binary& op);
Bytes execute(const Call& call, const Pool& op);
/// Averages of float32: ONNX Runtime's kernels add sums of columns where steps are small, all of a
/// window in a row where they are not.
bool sums_columns_first(const Graph& graph, const Window& window);
Bytes execute(const Call& call, const Mean& op);
Bytes execute(const Call& call, const Unary& op);
Bytes execute(const Call& call, const Prelu& op);
Bytes execute(const Call& call, const Requantise& op);
Bytes execute(const Call& call, const Concat& op);
Bytes execute(const Call& call, const Slice& op);
std::vector<Bytes> execute(const Call& call, const Split& op);
Bytes execute(const Call& call, const Pad& op);
Bytes execute(const Call& call, const Reshape& op);
Bytes execute(const Call& call, const Transpose& op);
Bytes execute(const Call& call, const Resize& op);
Bytes execute(const Call& call, const Softmax& op);
Bytes execute(const Call& call, const Norm& op);
Bytes execute(const Call& call, const Gather& op);
Bytes execute(const Call& call, const Compare& op);
Bytes execute(const Call& call, const Select& op);
Bytes execute(const Call& call, const Argmax& op);
std::vector<Bytes> execute(const Call& call, const Lstm& op);
Bytes execute(const Call& call, const MatMul& op);
Bytes execute(const Call& call, const Reduce& op);
Bytes execute(const Call& call, const Cast& op);
Bytes execute(const Call& call, const L2Norm& op);
Bytes execute(const Call& call, const LocalNorm& op);
std::vector<Bytes> execute(const Call& call, const TopK& op);
Bytes execute(const Call& call, const GatherNd& op);
Bytes execute(const Call& call, const GatherElements& op);
Bytes execute(const Call& call, const PutRows& op);
Bytes execute(const Call& call, const ScatterNd& op);
Bytes execute(const Call& call, const Cumsum& op);
std::vector<Bytes> execute(const Call& call, const Svdf& op);
std::vector<Bytes> execute(const Call& call, const Detections& op);
std::vector<Bytes> execute(const Call& call, const Suppression& op);
std::vector<Bytes> execute(const Call& call, const DynamicQuantise& op);
std::vector<Bytes> execute(const Call& call, const RealDigits& op);
Bytes execute(const Call& call, const RealSums& op);

}  // namespace macrame::graph
