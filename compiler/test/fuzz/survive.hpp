#pragma once
/// What must hold for whatever a reader of networks made of a file.

#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

#include "compiler/front/front.hpp"
#include "compiler/graph/reference.hpp"

namespace macrame::front::test {

/// Messages, each with the file in front and what was wanted; or a graph.
inline void check_result(const ReadResult& result) {
    for (const std::string& error : result.errors) {
        if (error.rfind("net: ", 0) != 0 || error.size() > 4000) std::abort();
        if (error.find('\n') != std::string::npos) std::abort();
    }
    if (result.ok() ? !graph::check(result.graph).empty() : !result.graph.nodes.empty())
        std::abort();
}

/// Elements that all operators together look at, roughly, and those of inputs that none looks at.
inline double work_of(const graph::Graph& graph) {
    double work = 0;
    for (const graph::TensorId id : graph.inputs)
        work += static_cast<double>(graph.tensor(id).elements());
    for (const graph::Node& node : graph.nodes) {
        double elements = 0, window = 1;
        for (const graph::TensorId id : node.outputs)
            elements += static_cast<double>(graph.tensor(id).elements());
        for (const graph::TensorId id : node.inputs) {
            if (id == graph::kNone) continue;
            elements += static_cast<double>(graph.tensor(id).elements());
        }
        const graph::Window* w = nullptr;
        if (const auto* conv = std::get_if<graph::Conv>(&node.op)) w = &conv->window;
        if (const auto* conv = std::get_if<graph::TransposeConv>(&node.op)) w = &conv->window;
        if (const auto* pool = std::get_if<graph::Pool>(&node.op)) w = &pool->window;
        if (w != nullptr) window = static_cast<double>(w->kernel_h) * w->kernel_w;
        if (w != nullptr || std::holds_alternative<graph::FullyConnected>(node.op))
            window *= graph.tensor(node.inputs[0]).shape.back();
        work += elements * window;
    }
    return work;
}

/// Runs a small graph on zeros.
inline void run_small(const graph::Graph& graph) {
    if (work_of(graph) > 1e6) return;
    std::vector<graph::Bytes> inputs;
    for (const graph::TensorId id : graph.inputs)
        inputs.emplace_back(graph.tensor(id).bytes(), std::uint8_t{0});
    try {
        graph::run(graph, inputs);
    } catch (const std::invalid_argument&) {
        // An operator without exact arithmetic.
    }
}

}  // namespace macrame::front::test
