#include "compiler/graph/graph.hpp"

#include <algorithm>
#include <limits>

namespace macrame::graph {

std::size_t size_of(Type type) {
    switch (type) {
        case Type::int8:
        case Type::uint8:
            return 1;
        case Type::int16:
            return 2;
        case Type::int32:
        case Type::float32:
            return 4;
        case Type::int64:
            return 8;
    }
    return 0;
}

std::string_view name_of(Type type) {
    switch (type) {
        case Type::int8:
            return "int8";
        case Type::uint8:
            return "uint8";
        case Type::int16:
            return "int16";
        case Type::int32:
            return "int32";
        case Type::int64:
            return "int64";
        case Type::float32:
            return "float32";
    }
    return "?";
}

std::size_t Tensor::elements() const {
    // What does not fit stays the largest number: check() refuses it.
    constexpr std::size_t kMost = std::numeric_limits<std::size_t>::max() / 8;
    std::size_t product = 1;
    for (const int size : shape) {
        const auto factor = static_cast<std::size_t>(std::max(size, 0));
        if (factor != 0 && product > kMost / factor) return kMost;
        product *= factor;
    }
    return product;
}

namespace {

struct NameOfOperator {
    std::string_view operator()(const Conv& op) const {
        return op.groups > 1 ? "grouped conv" : "conv";
    }
    std::string_view operator()(const TransposeConv&) const { return "transposed conv"; }
    std::string_view operator()(const FullyConnected&) const { return "fully connected"; }
    std::string_view operator()(const Binary& op) const {
        constexpr std::string_view kNames[] = {
            "add", "sub", "mul",       "maximum",  "minimum", "squared difference",
            "div", "pow", "floor div", "floor mod"};
        return kNames[static_cast<std::size_t>(op.function)];
    }
    std::string_view operator()(const Pool& op) const {
        return op.function == Pooling::maximum ? "max pool" : "average pool";
    }
    std::string_view operator()(const Mean&) const { return "mean"; }
    std::string_view operator()(const Unary& op) const {
        constexpr std::string_view kNames[] = {
            "relu",         "relu6",    "relu -1..1",   "relu 0..1",   "leaky relu",
            "sigmoid",      "tanh",     "hard-swish",   "exp",         "elu",
            "abs",          "neg",      "square",       "square root", "1 / square root",
            "hard sigmoid", "gelu",     "gelu by tanh", "erf",         "silu",
            "mish",         "softplus", "softsign",     "log",         "reciprocal",
            "sin",          "cos",      "floor",        "ceil",        "round",
            "sign"};
        return kNames[static_cast<std::size_t>(op.function)];
    }
    std::string_view operator()(const Prelu&) const { return "prelu"; }
    std::string_view operator()(const Requantise&) const { return "requantise"; }
    std::string_view operator()(const Concat&) const { return "concat"; }
    std::string_view operator()(const Slice&) const { return "slice"; }
    std::string_view operator()(const Split&) const { return "split"; }
    std::string_view operator()(const Pad&) const { return "pad"; }
    std::string_view operator()(const Reshape&) const { return "reshape"; }
    std::string_view operator()(const Transpose&) const { return "transpose"; }
    std::string_view operator()(const Resize& op) const {
        return op.function == Resampling::nearest ? "resize nearest" : "resize bilinear";
    }
    std::string_view operator()(const Softmax&) const { return "softmax"; }
    std::string_view operator()(const Norm& op) const {
        return op.centred ? "layer norm" : "rms norm";
    }
    std::string_view operator()(const Gather&) const { return "gather"; }
    std::string_view operator()(const Compare& op) const {
        constexpr std::string_view kNames[] = {"equal", "not equal", "less", "less or equal"};
        return kNames[static_cast<std::size_t>(op.relation)];
    }
    std::string_view operator()(const Select&) const { return "select"; }
    std::string_view operator()(const Argmax& op) const { return op.least ? "argmin" : "argmax"; }
    std::string_view operator()(const Lstm&) const { return "lstm"; }
    std::string_view operator()(const MatMul&) const { return "matmul"; }
    std::string_view operator()(const Reduce& op) const {
        constexpr std::string_view kNames[] = {"sum", "product", "largest", "least"};
        return kNames[static_cast<std::size_t>(op.function)];
    }
    std::string_view operator()(const Cast&) const { return "cast"; }
    std::string_view operator()(const L2Norm&) const { return "l2 norm"; }
    std::string_view operator()(const LocalNorm&) const { return "local response norm"; }
    std::string_view operator()(const TopK& op) const { return op.least ? "least k" : "top k"; }
    std::string_view operator()(const GatherNd&) const { return "gather nd"; }
    std::string_view operator()(const GatherElements&) const { return "gather elements"; }
    std::string_view operator()(const PutRows&) const { return "put rows"; }
    std::string_view operator()(const ScatterNd&) const { return "scatter nd"; }
    std::string_view operator()(const Cumsum&) const { return "cumulative sum"; }
    std::string_view operator()(const Svdf&) const { return "svdf"; }
    std::string_view operator()(const Detections&) const { return "detections"; }
    std::string_view operator()(const Suppression&) const { return "non-max suppression"; }
    std::string_view operator()(const DynamicQuantise&) const { return "dynamic quantise"; }
    std::string_view operator()(const Join&) const { return "join"; }
    std::string_view operator()(const RealDigits&) const { return "real digits"; }
    std::string_view operator()(const RealSums&) const { return "real sums"; }
};

}  // namespace

std::string_view name_of(const Operator& op) { return std::visit(NameOfOperator{}, op); }

std::array<int, 2> same_padding(int input, int kernel, int stride, int dilation) {
    const std::int64_t extent = std::int64_t{kernel - 1} * dilation + 1;
    const std::int64_t outputs = (std::int64_t{input} + stride - 1) / stride;
    const std::int64_t total =
        std::max<std::int64_t>(0, (outputs - 1) * stride + extent - std::int64_t{input});
    return {static_cast<int>(total / 2), static_cast<int>(total - total / 2)};
}

}  // namespace macrame::graph
