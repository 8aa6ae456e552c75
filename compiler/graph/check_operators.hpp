#pragma once
/// What check_*.cpp share: the tensors of a node, and what many operators want of theirs. Each
/// problem() is one operator; an empty text: nothing is wrong.

#include <string>
#include <vector>

#include "compiler/graph/check.hpp"

namespace macrame::graph::checks {

using Text = std::string;
using Shape = std::vector<int>;

/// Tensors of the node under test.
struct View {
    const Graph& graph;
    const Node& node;

    bool has(std::size_t i) const { return i < node.inputs.size() && node.inputs[i] != kNone; }
    const Tensor& in(std::size_t i) const { return graph.tensor(node.inputs[i]); }
    const Tensor& out(std::size_t i = 0) const { return graph.tensor(node.outputs[i]); }
    bool tflite() const { return graph.rounding == Rounding::tflite; }
};

inline std::size_t index(int i) { return static_cast<std::size_t>(i); }

/// Shape of two that are broadcast; `ok` false if they do not fit.
Shape broadcast(const Shape& a, const Shape& b, bool& ok);
bool equal_scales(const Tensor& a, const Tensor& b);
Text count_problem(const View& v, std::size_t least, std::size_t most, bool one_output = true);
Text shape_problem(const Tensor& t, const Shape& want);
Text type_problem(const Tensor& t, Type want);
/// For arithmetic: int8, uint8 or int16 with one scale, or float32; the same for input and output.
Text arithmetic_type_problem(const Tensor& in, const Tensor& out);
/// Numbers of int32 or int64, which have no scale.
inline bool is_whole(const Tensor& t) { return t.type == Type::int32 || t.type == Type::int64; }
/// For what only moves elements.
Text same_problem(const Tensor& in, const Tensor& out);

// check_products.cpp
Text problem(const View& v, const Conv& op);
Text problem(const View& v, const Join& op);
Text problem(const View& v, const TransposeConv& op);
Text problem(const View& v, const FullyConnected& op);
Text problem(const View& v, const Pool& op);
Text problem(const View& v, const Lstm& op);
Text problem(const View& v, const MatMul& op);

// check_elements.cpp
Text problem(const View& v, const Binary& op);
Text problem(const View& v, const Mean& op);
Text problem(const View& v, const Unary& op);
Text problem(const View& v, const Prelu& op);
Text problem(const View& v, const Requantise& op);
Text problem(const View& v, const Resize& op);
Text problem(const View& v, const Softmax& op);
Text problem(const View& v, const Norm& op);
Text problem(const View& v, const Compare& op);
Text problem(const View& v, const Select& op);
Text problem(const View& v, const Argmax& op);
Text problem(const View& v, const Reduce& op);
Text problem(const View& v, const Cast& op);
Text problem(const View& v, const DynamicQuantise& op);
Text problem(const View& v, const RealDigits& op);
Text problem(const View& v, const RealSums& op);
Text problem(const View& v, const L2Norm& op);
Text problem(const View& v, const LocalNorm& op);
Text problem(const View& v, const Cumsum& op);

// check_choice.cpp
Text problem(const View& v, const TopK& op);
Text problem(const View& v, const GatherNd& op);
Text problem(const View& v, const GatherElements& op);
Text problem(const View& v, const PutRows& op);
Text problem(const View& v, const ScatterNd& op);
Text problem(const View& v, const Svdf& op);
Text problem(const View& v, const Detections& op);
Text problem(const View& v, const Suppression& op);

// check_layout.cpp
Text problem(const View& v, const Concat& op);
Text problem(const View& v, const Slice& op);
Text problem(const View& v, const Split& op);
Text problem(const View& v, const Pad& op);
Text problem(const View& v, const Reshape& op);
Text problem(const View& v, const Transpose& op);
Text problem(const View& v, const Gather& op);

}  // namespace macrame::graph::checks
