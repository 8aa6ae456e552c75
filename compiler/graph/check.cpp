/// Checks of tensors and of the order of nodes; the operators: check_operators.cpp.
#include "compiler/graph/check.hpp"

#include <fmt/format.h>

#include <cmath>

namespace macrame::graph {

std::string text_of(const std::vector<int>& shape) {
    return shape.empty() ? "scalar" : fmt::format("{}", fmt::join(shape, "x"));
}

namespace {

bool in_range(Type type, std::int32_t zero_point) {
    switch (type) {
        case Type::int8:
            return zero_point >= -128 && zero_point <= 127;
        case Type::uint8:
            return zero_point >= 0 && zero_point <= 255;
        case Type::int16:
            return zero_point >= -32768 && zero_point <= 32767;
        default:
            return zero_point == 0;
    }
}

std::string quantisation_problem(const Tensor& tensor) {
    const Quantisation& q = tensor.quantisation;
    if (q.scale.empty() && q.zero_point.empty()) return {};
    if (q.scale.size() != q.zero_point.size())
        return fmt::format("{} scales and {} zero points: want as many", q.scale.size(),
                           q.zero_point.size());
    if (q.per_channel()) {
        const auto rank = static_cast<int>(tensor.shape.size());
        if (q.axis < 0 || q.axis >= rank)
            return fmt::format("scales along axis {}: want one of {} axes", q.axis, rank);
        const int channels = tensor.shape[static_cast<std::size_t>(q.axis)];
        if (q.scale.size() != static_cast<std::size_t>(channels))
            return fmt::format("{} scales along an axis of {}: want as many", q.scale.size(),
                               channels);
        if (!tensor.constant)
            return fmt::format("{} scales: want one where a tensor is no constant", q.scale.size());
    }
    for (const float scale : q.scale) {
        // A constant of zeros may have a scale of 0.
        if (!std::isfinite(scale) || scale < 0 || (scale == 0 && !tensor.constant))
            return fmt::format("a scale of {}: want a positive number", scale);
    }
    for (const std::int32_t zero_point : q.zero_point) {
        if (!in_range(tensor.type, zero_point))
            return fmt::format("zero point {}: want a value of the type {}", zero_point,
                               name_of(tensor.type));
    }
    return {};
}

/// Place of a tensor in messages.
std::string place_of(const Graph& graph, TensorId id) {
    return fmt::format("tensor {} ({})", id, graph.tensor(id).name);
}

class Checker {
public:
    explicit Checker(const Graph& graph) : graph_(graph), state_(graph.tensors.size()) {}

    std::vector<std::string> run() {
        for (std::size_t i = 0; i < graph_.tensors.size(); ++i)
            check_tensor(static_cast<int>(i));
        if (errors_.empty()) check_inputs();
        if (!errors_.empty()) return std::move(errors_);
        for (const Node& node : graph_.nodes) {
            const std::string problem = check_node(node);
            if (!problem.empty()) errors_.push_back(fmt::format("{}: {}", node.where, problem));
        }
        if (errors_.empty()) check_outputs();
        if (errors_.empty()) check_states();
        return std::move(errors_);
    }

private:
    enum class State { unknown, constant, written };

    bool exists(TensorId id) const {
        return id >= 0 && static_cast<std::size_t>(id) < graph_.tensors.size();
    }
    State& state(TensorId id) { return state_[static_cast<std::size_t>(id)]; }

    void check_tensor(TensorId id) {
        const Tensor& tensor = graph_.tensor(id);
        const std::string problem = problem_of(tensor);
        if (!problem.empty())
            errors_.push_back(fmt::format("{}: {}", place_of(graph_, id), problem));
        if (tensor.constant) state(id) = State::constant;
    }

    void check_inputs() {
        for (const TensorId id : graph_.inputs) {
            if (!exists(id)) {
                errors_.push_back(fmt::format("input of the graph is tensor {}: want one of {}", id,
                                              graph_.tensors.size()));
            } else if (state(id) != State::unknown) {
                errors_.push_back(
                    fmt::format("{} is an input of the graph and a constant, or an "
                                "input twice: want it once",
                                place_of(graph_, id)));
            } else {
                state(id) = State::written;
            }
        }
    }

    std::string check_node(const Node& node) {
        for (const TensorId id : node.inputs) {
            if (id == kNone) continue;
            if (!exists(id))
                return fmt::format("reads tensor {}: want one of {}", id, graph_.tensors.size());
            if (state(id) == State::unknown)
                return fmt::format("reads {}, which nothing before it writes: want nodes in order",
                                   place_of(graph_, id));
        }
        for (const TensorId id : node.outputs) {
            if (!exists(id))
                return fmt::format("writes tensor {}: want one of {}", id, graph_.tensors.size());
            if (state(id) != State::unknown)
                return fmt::format("writes {}, which has a value already: want one writer",
                                   place_of(graph_, id));
            state(id) = State::written;
        }
        return problem_of(graph_, node);
    }

    void check_outputs() {
        if (graph_.outputs.empty()) errors_.push_back("no outputs: want at least one");
        for (const TensorId id : graph_.outputs) {
            if (!exists(id)) {
                errors_.push_back(fmt::format("output of the graph is tensor {}: want one of {}",
                                              id, graph_.tensors.size()));
            } else if (state(id) == State::unknown) {
                errors_.push_back(fmt::format("{} is an output of the graph: want it written",
                                              place_of(graph_, id)));
            }
        }
    }

    /// Bytes of an output become those of an input.
    void check_states() {
        const std::size_t count = graph_.states.size();
        if (count > graph_.inputs.size() || count > graph_.outputs.size()) {
            errors_.push_back(
                fmt::format("{} states: want at most as many as inputs and outputs", count));
            return;
        }
        for (std::size_t i = 0; i < count; ++i) {
            const Tensor& in = graph_.tensor(graph_.inputs[graph_.own_inputs() + i]);
            const Tensor& out = graph_.tensor(graph_.outputs[graph_.own_outputs() + i]);
            if (in.type != out.type || in.shape != out.shape ||
                graph_.states[i].size() != in.bytes())
                errors_.push_back(fmt::format(
                    "state {} is {} of {} and becomes {} of {}: want the same", in.name,
                    text_of(in.shape), name_of(in.type), text_of(out.shape), name_of(out.type)));
        }
    }

    const Graph& graph_;
    std::vector<State> state_;
    std::vector<std::string> errors_;
};

}  // namespace

std::string problem_of(const Tensor& tensor) {
    if (tensor.shape.size() > kMaxRank)
        return fmt::format("{} axes: want at most {}", tensor.shape.size(), kMaxRank);
    for (const int size : tensor.shape) {
        if (size < 1)
            return fmt::format("shape {}: want every size at least 1", text_of(tensor.shape));
    }
    if (tensor.bytes() > kMaxBytes)
        return fmt::format("shape {} of {}: want at most {} bytes", text_of(tensor.shape),
                           name_of(tensor.type), kMaxBytes);
    if (tensor.constant && tensor.data.size() != tensor.bytes())
        return fmt::format("{} bytes of data: want {} for shape {} of {}", tensor.data.size(),
                           tensor.bytes(), text_of(tensor.shape), name_of(tensor.type));
    return quantisation_problem(tensor);
}

std::vector<std::string> check(const Graph& graph) { return Checker(graph).run(); }

}  // namespace macrame::graph
