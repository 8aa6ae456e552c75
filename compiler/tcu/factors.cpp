#include "compiler/tcu/factors.hpp"

#include <cmath>
#include <cstddef>
#include <map>
#include <numeric>

namespace macrame::tcu::compiler {

using graph::Graph;
using graph::Node;
using graph::TensorId;

namespace {

std::size_t at(TensorId id) { return static_cast<std::size_t>(id); }

/// Does the operator copy values, or choose between them?
bool keeps_values(const graph::Operator& op) {
    if (const auto* pool = std::get_if<graph::Pool>(&op))
        return pool->function == graph::Pooling::maximum;
    if (const auto* binary = std::get_if<graph::Binary>(&op))
        return binary->function == graph::Arithmetic::maximum ||
               binary->function == graph::Arithmetic::minimum;
    return std::holds_alternative<graph::Unary>(op) || std::holds_alternative<graph::Prelu>(op) ||
           std::holds_alternative<graph::Concat>(op) || std::holds_alternative<graph::Slice>(op) ||
           std::holds_alternative<graph::Split>(op) || std::holds_alternative<graph::Pad>(op) ||
           std::holds_alternative<graph::Reshape>(op) ||
           std::holds_alternative<graph::Transpose>(op) ||
           std::holds_alternative<graph::Resize>(op);
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
    const double least = tensor.type == graph::Type::int8 ? -128 : 0;
    const double scale = static_cast<double>(q.scale[0]);
    return {scale * (least - q.zero_point[0]), scale * (least + 255 - q.zero_point[0]), true};
}

double power_below(double value) { return std::exp2(std::floor(std::log2(value))); }

std::vector<double> factors(const Graph& graph, const Format& format) {
    Classes classes(graph.tensors.size());
    for (const Node& node : graph.nodes) {
        if (!keeps_values(node.op)) continue;
        for (const auto* ids : {&node.inputs, &node.outputs})
            for (const TensorId id : *ids)
                if (id != graph::kNone && !graph.tensor(id).constant)
                    classes.join(at(id), at(node.outputs[0]));
    }
    std::map<std::size_t, Range> ranges;
    for (std::size_t i = 0; i < graph.tensors.size(); ++i) {
        if (graph.tensors[i].constant) continue;
        const Range range = range_of(graph.tensors[i]);
        const auto [found, fresh] = ranges.emplace(classes.of(i), range);
        if (fresh) continue;
        Range& all = found->second;
        all = {std::min(all.low, range.low), std::max(all.high, range.high),
               all.known && range.known};
    }
    // Sums need some bits above the values of a tensor; a wide format needs no factor.
    const double room = format.range() / 8;
    std::vector<double> out(graph.tensors.size(), 1.0);
    for (std::size_t i = 0; i < out.size(); ++i) {
        if (graph.tensors[i].constant) continue;
        const Range& range = ranges.at(classes.of(i));
        if (!range.known || range.size() <= 0) continue;
        const double most = power_below(room / range.size());
        const bool fine = range.size() / 256 * static_cast<double>(format.one()) >= 64;
        out[i] = fine ? std::min(1.0, most) : most;
    }
    return out;
}

}  // namespace macrame::tcu::compiler
