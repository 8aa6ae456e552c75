#pragma once
/// A quantised network as a graph of operators. Knows no accelerator and no file format.
///
/// Activations are N x H x W x C with N = 1, or 1 x C behind a reshape; front ends bring other
/// layouts into this one. Integer tensors mean real = scale * (value - zero_point).

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "compiler/graph/data.hpp"

namespace macrame::graph {

enum class Type { int8, uint8, int16, int32, int64, float32 };

/// Bytes of an element.
std::size_t size_of(Type type);
std::string_view name_of(Type type);

/// Scale and zero point, one for all or one for each index of `axis`.
struct Quantisation {
    std::vector<float> scale;  ///< empty: not quantised
    std::vector<std::int32_t> zero_point;
    int axis = 0;  ///< of the channels, if there is more than one scale

    bool per_channel() const { return scale.size() > 1; }
};

struct Tensor {
    std::string name;
    Type type = Type::int8;
    std::vector<int> shape;  ///< all at least 1; empty: a scalar
    Quantisation quantisation;
    /// int8 that are uint8 in the file, less by 128. The same real values; but references round
    /// some by those of the file: where zero points are added in float32, halves of averages.
    bool shifted = false;
    bool constant = false;
    Data data;  ///< of constants: elements in order, little-endian

    std::size_t elements() const;
    std::size_t bytes() const { return elements() * size_of(type); }
};

/// Index into Graph::tensors.
using TensorId = int;
constexpr TensorId kNone = -1;

/// Clamp that belongs to an operator, on the real values.
enum class Activation { none, relu, relu6, relu_n1_to_1 };

/// A window that moves over height and width.
struct Window {
    int kernel_h = 1, kernel_w = 1;
    int stride_h = 1, stride_w = 1;
    int dilation_h = 1, dilation_w = 1;
    int top = 0, left = 0, bottom = 0, right = 0;  ///< padding with the zero point
};

// Operators. Inputs are the tensors in the comment, in this order; there is one output where
// nothing else is said. A conv with groups = input channels is what TFLite calls depthwise.

/// How sums of int32 are written where hardware that writes bytes computes them.
enum class Sums {
    whole,   ///< as the type of the output says
    digits,  ///< one to three outputs, d0, d1, d2: the sum is d0 - 2^8 d1 - 2^16 d2
    bytes    ///< one output of four times the channels: the bytes of each sum, low ones first
};
/// input, weights [K, kernel_h, kernel_w, C / groups], bias [K] or kNone. Sums of numbers of int32
/// with weights less their zero points are int32 and have no bias; so are those of FullyConnected.
/// Digits and bytes are those of sums of int8 with a scale of 1 and no zero point.
struct Conv {
    Window window;
    int groups = 1;
    Activation activation = Activation::none;
    Sums sums = Sums::whole;
};
/// Digits, or bytes, of sums: the sums, int32.
struct Join {};
/// Two tensors [..., rows, depth] and [..., depth, columns]: their products, axes in front
/// broadcast; also numbers of int32.
struct MatMul {
    bool transpose_a = false, transpose_b = false;  ///< of the last two axes
};
/// input, weights as Conv with groups = 1, bias or kNone; the window is that of the convolution
/// whose gradient it is.
struct TransposeConv {
    Window window;
    Activation activation = Activation::none;
};
/// input [..., C], flattened; weights [K, C], bias [K] or kNone.
struct FullyConnected {
    Activation activation = Activation::none;
    bool rounds_once = false;  ///< of TFLite: as its reference does from version 2.20 on
};
enum class Arithmetic {
    add,
    sub,
    mul,
    maximum,
    minimum,
    squared_difference,
    div,
    pow,
    floor_div,  ///< rounded down
    floor_mod   ///< what that leaves
};
/// Two inputs, of which one may be broadcast; also numbers of int32 and int64, which wrap.
struct Binary {
    Arithmetic function = Arithmetic::add;
    Activation activation = Activation::none;
    bool as_real = false;  ///< as Pool::as_real
};
enum class Pooling { maximum, average };
/// input. Average counts only what lies inside the input.
struct Pool {
    Pooling function = Pooling::maximum;
    Window window;
    Activation activation = Activation::none;
    bool as_real = false;  ///< averages of ONNX: rounded once, as between DequantizeLinear and
                           ///< QuantizeLinear
};
/// input: mean over the axes, ascending.
struct Mean {
    std::vector<int> axes;
    bool keep_dims = false;
};
enum class Reduction { sum, product, maximum, minimum };
/// input: all elements along the axes, ascending, as one.
struct Reduce {
    Reduction function = Reduction::sum;
    std::vector<int> axes;
    bool keep_dims = false;
};
enum class Function {
    relu,
    relu6,
    relu_n1_to_1,
    relu_0_to_1,
    leaky_relu,
    sigmoid,
    tanh,
    hard_swish,
    exp,
    elu,
    abs,
    neg,
    square,
    sqrt,
    rsqrt,
    hard_sigmoid,
    gelu,
    gelu_tanh,  ///< gelu by its approximation with tanh
    erf,
    silu,  ///< x sigmoid(alpha x)
    mish,
    softplus,
    softsign,
    log,
    reciprocal,
    sin,
    cos,
    floor,
    ceil,
    round,  ///< halves to even
    sign
};
/// input.
struct Unary {
    Function function = Function::relu;
    float alpha = 0;  ///< of leaky_relu, elu, silu; hard_sigmoid is alpha x + beta within 0..1
    float beta = 0;
};
/// input, slopes [C].
struct Prelu {};
/// input: the same real values in the type and quantisation of the output, also from and to float.
struct Requantise {};
/// input of float32, as many rows as there are scales: each in 255 steps of its own range in this
/// run, or symmetric, 254. Outputs: their numbers, int8; scales, float32; zero points, int8.
struct DynamicQuantise {
    bool symmetric = false;
};
/// input [..., C] of float32, R rows in all: each value as d1 + d2 / 254 steps, of which 127 are the
/// largest magnitude in this run. Outputs: d1 of all rows, then d2, numbers of int8 [2 R, C]; the
/// step, float32.
struct RealDigits {};
/// sums of int32 [2 R, 2 K], of both digits of R rows with first and second digits of K kernels;
/// the step of the values; steps of the kernels [K]; bias [K] or kNone, float32: the real sums.
struct RealSums {
    Activation activation = Activation::none;
};
/// input: its numbers in the file, whatever their scale, in the type of the output; fractions are
/// dropped.
struct Cast {};
/// All inputs, along `axis`.
struct Concat {
    int axis = 0;
    Activation activation = Activation::none;
};
/// input: elements begin, begin + stride, ... of each axis, as many as the output has.
struct Slice {
    std::vector<int> begin, stride;
};
/// input; several outputs.
struct Split {
    int axis = 0;
};
enum class Padding {
    constant,
    reflect,    ///< as a mirror in the middle of the outermost element
    symmetric,  ///< as a mirror at its edge
    edge        ///< the outermost element
};
/// input: before and behind each axis.
struct Pad {
    std::vector<std::array<int, 2>> amounts;
    Padding kind = Padding::constant;
    float value = 0;  ///< of Padding::constant; 0: the zero point
    bool is_zero() const { return kind == Padding::constant && value == 0; }
};
/// input: shape of the output, same order of elements.
struct Reshape {};
/// input: axis i of the output is axis order[i] of the input.
struct Transpose {
    std::vector<int> order;
};
enum class Resampling { nearest, bilinear };
/// input: height and width of the output.
struct Resize {
    Resampling function = Resampling::nearest;
    bool align_corners = false, half_pixel_centers = false;
};
/// input: along the last axis.
struct Softmax {
    float beta = 1;
    bool log = false;  ///< its logarithm, of float32
    /// As QLinearSoftmax of ONNX Runtime: 1 is a whole number of steps of the output, rounded down.
    bool whole_steps = false;
};
/// input; gain and offset of the shape of its axes from `axis` on, or kNone each: elements of these
/// axes together less their mean, over the square root of their variance and epsilon.
struct Norm {
    int axis = 0;
    float epsilon = 1e-5F;
    bool centred = true;  ///< false: the mean counts as 0, in the variance, too (RMS)
};
/// input; indices, int32 or int64, also from behind: what is there along `axis`, which the axes of
/// the indices replace.
struct Gather {
    int axis = 0;
};
enum class Relation { equal, not_equal, less, less_equal };
/// Two inputs of one type, of which one may be broadcast: int8 of a scale of 1, 1 where they are
/// related and 0 elsewhere. That is what truth values are everywhere.
struct Compare {
    Relation relation = Relation::equal;
};
/// condition, int8; two inputs as the output: the first where the condition is not 0. All may be
/// broadcast.
struct Select {};
/// input: index of the largest along `axis`, or of the least.
struct Argmax {
    int axis = 0;
    bool least = false;
};
/// input: rows of the last axis over the root of the sum of their squares.
struct L2Norm {};
/// input: elements of the last axis over (bias + alpha * sum of squares of those up to `before` in
/// front of them and `behind`) ^ beta, of float32.
struct LocalNorm {
    int before = 0, behind = 0;
    float bias = 1, alpha = 1, beta = 0.5F;
};
/// input: the largest of the last axis in order, or the least; of equal ones the first. Outputs:
/// these, and their indices, int32 or int64.
struct TopK {
    bool least = false;
};
/// input; indices [..., M], int32 or int64, also from behind: what is there along the M axes behind
/// the `batch` first ones, which are the same in both.
struct GatherNd {
    int batch = 0;
};
/// input; indices of as many axes: the element there along `axis`, and where the index is itself
/// along the others.
struct GatherElements {
    int axis = 0;
};
/// input; rows, like it but along `axis`; a place along it for each row, int32 or int64, also from
/// behind: the input with the rows in their places. Of several in one the last counts.
struct PutRows {
    int axis = 0;
};
/// input; indices [..., M], int32 or int64, also from behind; updates [..., axes behind the first M
/// of the input]: the input with the updates at these places of its first M axes.
struct ScatterNd {
    /// Updates and what is there as one, numbers whatever their scale; without, the last one stays.
    std::optional<Reduction> joined;
};
/// input of float32 or numbers: sums along `axis` up to each element, with it or without.
struct Cumsum {
    int axis = 0;
    bool exclusive = false;
    bool reverse = false;  ///< from the last one on
};
/// input [N, C]; weights of features [rank * K, C] and of time [rank * K, T], bias [K] or kNone;
/// state [N, rank * K * T], the features of T steps. Outputs: [N, K], the state behind this step.
struct Svdf {
    int rank = 1;
    Activation activation = Activation::none;  ///< of float32; those of integers are in the scale
};
/// boxes [1, N, 4 or more]: y, x, height and width against anchors; scores [1, N, classes] with one
/// of the background in front or without; anchors [N, 4]. Outputs of float32, D = `most` * `each`:
/// boxes [1, D, 4], their classes and scores [1, D], how many there are [1].
struct Detections {
    int most = 1;        ///< boxes in all
    int each = 1;        ///< classes of a box
    int of_class = 100;  ///< boxes of a class, where each class is looked at by itself
    int classes = 1;
    bool by_class = false;
    float score = 0, overlap = 0.5F;
    std::array<float, 4> scale = {1, 1, 1, 1};  ///< of y, x, height, width
};
/// boxes [N, 4], scores [N]: `most` of the best that overlap less. Outputs: their indices, int32,
/// in order, then 0; their scores, float32, then 0; how many there are, int32.
struct Suppression {
    float score = 0, overlap = 0.5F;
    float sigma = 0;  ///< not 0: overlaps make scores less
};

/// input [1, T, C]; weights of the input, forget, cell and output gate [K, C], the same of the
/// output before [K, K], biases [K] or kNone; output before [1, K], state of the cells [1, K],
/// int16 of a scale 2^n. Outputs: those of all T steps [1, T, K], output and state behind the last.
struct Lstm {
    int clip = 0;  ///< of the state, in steps of its scale; 0: none
};

using Operator =
    std::variant<Conv, TransposeConv, FullyConnected, Binary, Pool, Mean, Unary, Prelu, Requantise,
                 Concat, Slice, Split, Pad, Reshape, Transpose, Resize, Softmax, Norm, Gather,
                 Compare, Select, Argmax, Lstm, MatMul, Reduce, Cast, L2Norm, LocalNorm, TopK,
                 GatherNd, GatherElements, PutRows, ScatterNd, Cumsum, Svdf, Detections,
                 Suppression, DynamicQuantise, Join, RealDigits, RealSums>;

/// "conv", "fully connected", ...
std::string_view name_of(const Operator& op);

template <typename... Kinds>
bool is_one_of(const Operator& op) {
    return (std::holds_alternative<Kinds>(op) || ...);
}

struct Node {
    Operator op;
    std::vector<TensorId> inputs;  ///< kNone: left out
    std::vector<TensorId> outputs;
    std::string where;  ///< for messages: "operator 3 (CONV_2D), tensor conv1/Relu"
};

/// How products of scales are rounded: each reference executor has its own integers.
enum class Rounding {
    tflite,  ///< reference kernels: 32-bit multiplier, rounded twice
    onnx     ///< ONNX Runtime's kernels for integers: float32, rounded once to nearest even
};

/// A value that an operator of the network's file writes, and what the graph has of it.
struct FileValue {
    int place = 0;     ///< of the operator in the file
    std::string kind;  ///< of the operator: "CONV_2D"
    std::string name;
    TensorId id = kNone;     ///< kNone: no tensor of its own
    std::vector<int> shape;  ///< in the file
    /// C, H, W where elements have that order in the file and H, W, C here; else empty.
    std::vector<int> planes;
    bool unsigned_bytes = false;  ///< uint8 in the file, here less by 128
    bool real = false;            ///< stands for the real values; the tensor may have integers
};

struct Graph {
    std::string name;
    Rounding rounding = Rounding::tflite;
    std::deque<Tensor> tensors;  ///< references stay good where one is added
    std::vector<Node> nodes;     ///< what a node reads was written by nodes before it
    std::vector<TensorId> inputs, outputs;
    /// Of networks that remember: what the last so many inputs are in the first run. In the next
    /// one each is what the output at its place from the end was.
    std::vector<Data> states;
    std::vector<FileValue> file_values;  ///< in the order of the file; without constants

    const Tensor& tensor(TensorId id) const { return tensors[static_cast<std::size_t>(id)]; }
    /// Without those of states.
    std::size_t own_inputs() const { return inputs.size() - states.size(); }
    std::size_t own_outputs() const { return outputs.size() - states.size(); }
    Tensor& tensor(TensorId id) { return tensors[static_cast<std::size_t>(id)]; }
};

/// What is wrong with a graph: one message each, with the place. A graph without any is safe for
/// everything else here: ids in range, written before read, shapes and types as the operators want.
std::vector<std::string> check(const Graph& graph);

/// Padding of TFLite's SAME for one axis: before and behind.
std::array<int, 2> same_padding(int input, int kernel, int stride, int dilation);

}  // namespace macrame::graph
