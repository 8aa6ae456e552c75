#include "compiler/tcu/factors.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <numeric>

#include "compiler/graph/at.hpp"
#include "compiler/graph/quantised.hpp"

namespace macrame::tcu::compiler {

using graph::Graph;
using graph::Node;
using graph::TensorId;

namespace {

/// Has the output values of the inputs, or these clamped?
bool copies(const graph::Operator& op) {
    if (const auto* pool = std::get_if<graph::Pool>(&op))
        return pool->function == graph::Pooling::maximum;
    if (const auto* unary = std::get_if<graph::Unary>(&op))
        return unary->function == graph::Function::relu ||
               unary->function == graph::Function::relu6 ||
               unary->function == graph::Function::relu_n1_to_1;
    return std::holds_alternative<graph::Requantise>(op) ||
           std::holds_alternative<graph::Concat>(op) || std::holds_alternative<graph::Slice>(op) ||
           std::holds_alternative<graph::Split>(op) || std::holds_alternative<graph::Pad>(op) ||
           std::holds_alternative<graph::Reshape>(op) ||
           std::holds_alternative<graph::Transpose>(op) ||
           std::holds_alternative<graph::Resize>(op);
}

bool averages(const graph::Operator& op) {
    return std::holds_alternative<graph::Mean>(op) || std::holds_alternative<graph::Pool>(op);
}

/// Does the operator compute with values as they lie in memory, whatever their factor?
bool keeps_factor(const graph::Operator& op) {
    if (const auto* binary = std::get_if<graph::Binary>(&op))
        return binary->function == graph::Arithmetic::maximum ||
               binary->function == graph::Arithmetic::minimum;
    return copies(op) || std::holds_alternative<graph::Unary>(op) ||
           std::holds_alternative<graph::Prelu>(op);
}

/// Are all values of the output at least 0?
bool rectifies(const graph::Operator& op) {
    const auto clamps = [](graph::Activation activation) {
        return activation == graph::Activation::relu || activation == graph::Activation::relu6;
    };
    if (const auto* unary = std::get_if<graph::Unary>(&op))
        return unary->function == graph::Function::relu ||
               unary->function == graph::Function::relu6;
    if (const auto* conv = std::get_if<graph::Conv>(&op)) return clamps(conv->activation);
    if (const auto* fully = std::get_if<graph::FullyConnected>(&op))
        return clamps(fully->activation);
    const auto* binary = std::get_if<graph::Binary>(&op);
    return binary != nullptr && clamps(binary->activation);
}

Range joined(const Range& a, const Range& b) {
    return {std::min(a.low, b.low), std::max(a.high, b.high), a.known && b.known};
}

/// Sets of tensors, by one of each.
class Classes {
public:
    explicit Classes(std::size_t count) : parent_(count) {
        std::iota(parent_.begin(), parent_.end(), std::size_t{0});
    }
    std::size_t of(std::size_t i) {
        while (parent_[i] != i)
            i = parent_[i] = parent_[parent_[i]];
        return i;
    }
    void join(std::size_t a, std::size_t b) { parent_[of(a)] = of(b); }

private:
    std::vector<std::size_t> parent_;
};

}  // namespace

Range range_of(const graph::Tensor& tensor) {
    const graph::Quantisation& q = tensor.quantisation;
    if (tensor.type == graph::Type::float32 || q.scale.size() != 1) return {};
    const auto [least, most] = graph::bounds(graph::Activation::none, tensor);
    const double scale = static_cast<double>(q.scale[0]);
    return {scale * (1.0 * least - q.zero_point[0]), scale * (1.0 * most - q.zero_point[0]), true};
}

std::vector<Range> ranges(const Graph& graph) {
    std::vector<Range> out;
    for (const graph::Tensor& tensor : graph.tensors)
        out.push_back(range_of(tensor));
    const auto all = [&](const std::vector<TensorId>& ids) {
        Range range{0, 0, true};
        for (const TensorId id : ids)
            range = joined(range, out[at(id)]);
        return range;
    };
    for (const Node& node : graph.nodes) {
        if (!copies(node.op) && !averages(node.op)) continue;
        Range range = all(node.inputs);
        if (rectifies(node.op)) range.low = 0;
        for (const TensorId id : node.outputs)
            if (!out[at(id)].known) out[at(id)] = range;
    }
    // What all readers copy has the range of the copies.
    std::vector<Range> read(graph.tensors.size(), {0, 0, true});
    for (const TensorId id : graph.outputs)
        read[at(id)] = {};
    for (auto node = graph.nodes.rbegin(); node != graph.nodes.rend(); ++node) {
        for (const TensorId id : node->outputs) {
            Range& range = out[at(id)];
            const double size = read[at(id)].size();
            if (!range.known && read[at(id)].known)
                range = {rectifies(node->op) ? 0 : -size, size, true};
        }
        const Range range = copies(node->op) ? all(node->outputs) : Range{};
        for (const TensorId id : node->inputs)
            if (id != graph::kNone) read[at(id)] = joined(read[at(id)], range);
    }
    return out;
}

double power_below(double value) { return std::exp2(std::floor(std::log2(value))); }

std::vector<double> factors(const Graph& graph, const std::vector<Range>& ranges,
                            const Format& format) {
    Classes classes(graph.tensors.size());
    for (const Node& node : graph.nodes) {
        if (!keeps_factor(node.op)) continue;
        for (const auto* ids : {&node.inputs, &node.outputs})
            for (const TensorId id : *ids)
                if (id != graph::kNone && !graph.tensor(id).constant)
                    classes.join(at(id), at(node.outputs[0]));
    }
    std::map<std::size_t, Range> of_class;
    for (std::size_t i = 0; i < ranges.size(); ++i) {
        if (graph.tensors[i].constant) continue;
        Range& all = of_class.emplace(classes.of(i), Range{0, 0, true}).first->second;
        all = joined(all, ranges[i]);
    }
    // Sums need some bits above the values of a tensor; a wide format needs no factor.
    const double room = format.range() / 8;
    std::vector<double> out(graph.tensors.size(), 1.0);
    for (std::size_t i = 0; i < out.size(); ++i) {
        if (graph.tensors[i].constant) continue;
        const Range& range = of_class.at(classes.of(i));
        if (range.size() <= 0) continue;
        const double most = power_below(room / range.size());
        const bool fine = range.size() / 256 * static_cast<double>(format.one()) >= 64;
        out[i] = fine || !range.known ? std::min(1.0, most) : most;
    }
    return out;
}

}  // namespace macrame::tcu::compiler
