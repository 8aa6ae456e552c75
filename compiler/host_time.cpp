#include "compiler/host_time.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "compiler/graph/quantised.hpp"
#include "compiler/graph/work.hpp"

namespace macrame::compiler {

namespace {

bool clamps(graph::Function function) {
    switch (function) {
        case graph::Function::relu:
        case graph::Function::relu6:
        case graph::Function::relu_n1_to_1:
        case graph::Function::relu_0_to_1:
        case graph::Function::leaky_relu:
        case graph::Function::abs:
        case graph::Function::neg:
            return true;
        default:
            return false;
    }
}

std::string_view kind_of(const graph::Operator& op, bool real) {
    if (graph::has_products(op) || graph::is_one_of<graph::MatMul>(op)) return "products";
    if (graph::is_one_of<graph::Pool, graph::Mean, graph::Reduce>(op)) return "window";
    if (graph::is_one_of<graph::Binary>(op)) return "arithmetic";
    if (graph::is_one_of<graph::Prelu>(op)) return "clamp";
    if (const auto* unary = std::get_if<graph::Unary>(&op);
        unary != nullptr && clamps(unary->function))
        return "clamp";
    if (graph::is_one_of<graph::Softmax, graph::Norm, graph::L2Norm, graph::LocalNorm>(op))
        return "softmax";
    if (graph::is_one_of<graph::Argmax, graph::TopK, graph::Detections, graph::Suppression>(op))
        return "search";
    if (graph::is_one_of<graph::Gather, graph::GatherNd, graph::GatherElements, graph::PutRows,
                         graph::ScatterNd>(op))
        return "move";
    if (graph::is_one_of<graph::Cumsum>(op)) return "arithmetic";
    if (graph::is_one_of<graph::Compare, graph::Select, graph::Cast, graph::RealSums>(op))
        return "arithmetic";
    if (graph::is_one_of<graph::Requantise, graph::DynamicQuantise, graph::RealDigits>(op))
        return "requantise";
    if (graph::is_one_of<graph::Join>(op)) return "move";
    if (const auto* resize = std::get_if<graph::Resize>(&op);
        resize != nullptr && resize->function == graph::Resampling::bilinear)
        return "bilinear";
    if (graph::is_one_of<graph::Concat, graph::Slice, graph::Split, graph::Pad, graph::Reshape,
                         graph::Transpose, graph::Resize>(op))
        return "move";
    return real ? "real function" : "function";
}

}  // namespace

const HostWork& host_work(const graph::Graph& graph, const graph::Node& node) {
    const bool real = graph.tensor(node.outputs[0]).type == graph::Type::float32;
    const bool flips =
        std::holds_alternative<graph::Requantise>(node.op) &&
        graph::differ_in_sign(graph.tensor(node.inputs[0]), graph.tensor(node.outputs[0]));
    const std::string_view kind = flips ? "uint8 to int8" : kind_of(node.op, real);
    return *std::find_if(std::begin(kHostWork), std::end(kHostWork),
                         [kind](const HostWork& work) { return work.name == kind; });
}

std::uint64_t host_units(const graph::Graph& graph, const graph::Node& node) {
    const std::uint64_t in = graph.tensor(node.inputs[0]).elements();
    std::uint64_t out = 0;
    for (const graph::TensorId id : node.outputs)
        out += graph.tensor(id).elements();
    if (const std::uint64_t products = graph::multiply_adds(graph, node)) return products;
    if (const auto* pool = std::get_if<graph::Pool>(&node.op))
        return out * static_cast<std::uint64_t>(pool->window.kernel_h * pool->window.kernel_w);
    if (graph::is_one_of<graph::Mean, graph::Reduce, graph::Softmax, graph::Norm, graph::Argmax,
                         graph::TopK, graph::Detections, graph::Suppression>(node.op))
        return in;
    return out;
}

std::uint64_t host_cycles(const graph::Graph& graph, const graph::Node& node) {
    const HostWork& work = host_work(graph, node);
    const auto units = static_cast<double>(host_units(graph, node));
    const auto outputs = static_cast<double>(graph.tensor(node.outputs[0]).elements());
    return static_cast<std::uint64_t>(
        std::llround(kHostCall + units * work.cycles + outputs * work.of_output));
}

}  // namespace macrame::compiler
