#include "compiler/graph/real_products.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <utility>
#include <vector>

#include "compiler/graph/at.hpp"
#include "compiler/graph/reference.hpp"
#include "compiler/graph/work.hpp"
#include "runtime/host/macrame_real.h"

namespace macrame::graph {

namespace {

/// The host has done less before it has made digits.
constexpr std::uint64_t kLeastProducts = 1024;

bool is_product_of_int8(const Graph& graph, const Node& node) {
    return (has_products(node.op) || std::holds_alternative<MatMul>(node.op)) &&
           graph.tensor(node.outputs[0]).type == Type::int8;
}

class RealSplitter {
public:
    RealSplitter(Graph& graph, Sums form, const TakesSums& takes)
        : graph_(graph), form_(form), takes_(takes) {}

    bool run() {
        bool any = false;
        std::vector<Node> nodes;
        for (const Node& node : graph_.nodes) {
            if (!is_for_digits(node)) {
                nodes.push_back(node);
                continue;
            }
            made_.clear();
            split(node);
            nodes.insert(nodes.end(), made_.begin(), made_.end());
            any = true;
        }
        if (any) graph_.nodes = std::move(nodes);
        return any;
    }

private:
    struct Size {
        int rows, channels, kernels;
    };
    Size size_of(const Node& node) const {
        const Tensor& weights = graph_.tensor(node.inputs[1]);
        const int rows =
            static_cast<int>(graph_.tensor(node.inputs[0]).elements()) / weights.shape[1];
        return {rows, weights.shape[1], weights.shape[0]};
    }

    bool is_for_digits(const Node& node) {
        if (!std::holds_alternative<FullyConnected>(node.op)) return false;
        const Tensor &input = graph_.tensor(node.inputs[0]),
                     &weights = graph_.tensor(node.inputs[1]);
        const bool biased = node.inputs.size() > 2 && node.inputs[2] != kNone;
        if (input.type != Type::float32 || input.constant || weights.type != Type::float32 ||
            (biased && !graph_.tensor(node.inputs[2]).constant) ||
            multiply_adds(graph_, node) < kLeastProducts)
            return false;
        const Size size = size_of(node);
        const auto key = std::make_pair(node.inputs[1], size.rows);
        const auto known = taken_.find(key);
        if (known != taken_.end()) return known->second;
        return taken_[key] = all_finite(node) && is_taken(node);
    }

    std::vector<float> reals(TensorId id) const {
        const Data& data = graph_.tensor(id).data;
        std::vector<float> out(data.size() / sizeof(float));
        if (!out.empty()) std::memcpy(out.data(), data.data(), data.size());
        return out;
    }
    bool all_finite(const Node& node) const {
        const std::vector<float> weights = reals(node.inputs[1]);
        return std::all_of(weights.begin(), weights.end(),
                           [](float w) { return std::isfinite(w); });
    }

    TensorId add_tensor(const Node& node, Type type, std::vector<int> shape,
                        Quantisation quantisation = {}) {
        Tensor tensor;
        tensor.name = graph_.tensor(node.outputs[0]).name;
        tensor.type = type;
        tensor.shape = std::move(shape);
        tensor.quantisation = std::move(quantisation);
        graph_.tensors.push_back(std::move(tensor));
        return static_cast<TensorId>(graph_.tensors.size()) - 1;
    }
    template <typename Element>
    TensorId add_constant(const Node& node, Type type, std::vector<int> shape,
                          const std::vector<Element>& values, Quantisation quantisation = {}) {
        const TensorId id = add_tensor(node, type, std::move(shape), std::move(quantisation));
        Bytes bytes(values.size() * sizeof(Element));
        std::memcpy(bytes.data(), values.data(), bytes.size());
        graph_.tensor(id).constant = true;
        graph_.tensor(id).data = std::move(bytes);
        return id;
    }

    /// Digits of the weights, the first ones of all kernels in front, and the steps of kernels.
    struct Weights {
        TensorId digits, steps;
    };
    const Weights& weights_of(const Node& node) {
        const auto known = weights_.find(node.inputs[1]);
        if (known != weights_.end()) return known->second;
        const Size size = size_of(node);
        const std::vector<float> all = reals(node.inputs[1]);
        const std::size_t each = at(size.channels), kernels = at(size.kernels);
        std::vector<std::int8_t> digits;
        std::vector<std::int8_t> second;
        std::vector<float> steps(kernels);
        for (std::size_t k = 0; k < kernels; ++k) {
            std::vector<std::int8_t> own(2 * each);
            macrame_real_digits(&all[k * each], each, own.data(), &steps[k]);
            const auto middle = own.begin() + static_cast<std::ptrdiff_t>(each);
            digits.insert(digits.end(), own.begin(), middle);
            second.insert(second.end(), middle, own.end());
        }
        digits.insert(digits.end(), second.begin(), second.end());
        const Weights made = {
            add_constant(node, Type::int8, {2 * size.kernels, size.channels}, digits, kNumber),
            add_constant(node, Type::float32, {size.kernels}, steps)};
        return weights_[node.inputs[1]] = made;
    }

    void split(const Node& node) {
        const Size size = size_of(node);
        const std::vector<int> values = {2 * size.rows, size.channels};
        const TensorId digits = add_tensor(node, Type::int8, values, kNumber),
                       step = add_tensor(node, Type::float32, {}),
                       wide = add_tensor(node, Type::int32, values),
                       sums = add_tensor(node, Type::int32, {2 * size.rows, 2 * size.kernels});
        const Weights weights = weights_of(node);
        const bool biased = node.inputs.size() > 2;
        const auto add = [&](Operator op, std::vector<TensorId> in, std::vector<TensorId> out) {
            made_.push_back({std::move(op), std::move(in), std::move(out), node.where});
        };
        add(RealDigits{}, {node.inputs[0]}, {digits, step});
        add(Cast{}, {digits}, {wide});
        add(FullyConnected{}, {wide, weights.digits}, {sums});
        add(RealSums{std::get<FullyConnected>(node.op).activation},
            {sums, step, weights.steps, biased ? node.inputs[2] : kNone}, node.outputs);
    }

    /// What becomes of it, as a network by itself, has sums of the hardware.
    bool is_taken(const Node& node) const {
        Graph alone;
        alone.rounding = graph_.rounding;
        alone.name = graph_.name;
        Node own = node;
        for (std::vector<TensorId>* ids : {&own.inputs, &own.outputs})
            for (TensorId& id : *ids) {
                if (id == kNone) continue;
                alone.tensors.push_back(graph_.tensor(id));
                id = static_cast<TensorId>(alone.tensors.size()) - 1;
            }
        alone.inputs = {own.inputs[0]};
        alone.outputs = own.outputs;
        RealSplitter trial(alone, form_, takes_);
        trial.split(own);
        alone.nodes = trial.made_;
        split_sums(alone, form_, takes_);
        return std::any_of(alone.nodes.begin(), alone.nodes.end(), [](const Node& one) {
            const auto* conv = std::get_if<Conv>(&one.op);
            return conv != nullptr && conv->sums != Sums::whole;
        });
    }

    Graph& graph_;
    const Sums form_;
    const TakesSums& takes_;
    std::vector<Node> made_;  ///< of the product at hand
    std::map<TensorId, Weights> weights_;
    std::map<std::pair<TensorId, int>, bool> taken_;  ///< by weights and rows
};

}  // namespace

bool split_real_products(Graph& graph, Sums form, const TakesSums& takes) {
    const auto is_product = [&](const Node& node) { return is_product_of_int8(graph, node); };
    if (form == Sums::whole || !std::any_of(graph.nodes.begin(), graph.nodes.end(), is_product))
        return false;
    return RealSplitter(graph, form, takes).run();
}

}  // namespace macrame::graph
