#include "compiler/dla/table.hpp"

#include <algorithm>

#include "compiler/graph/alone.hpp"
#include "compiler/graph/reference.hpp"

namespace macrame::dla::compiler {

namespace {

/// Channels that a constant operand tells apart: 1 if it is one for all; 0: it is not per channel.
int channels_of(const graph::Tensor& constant) {
    const std::size_t elements = constant.elements();
    if (elements == 1) return 1;
    const int last = constant.shape.back();
    return elements == static_cast<std::size_t>(last) ? last : 0;
}

}  // namespace

std::vector<Table> tables_of(const graph::Graph& graph, const graph::Node& node,
                             std::size_t operand) {
    const graph::Tensor& in = graph.tensor(node.inputs[operand]);
    const graph::Tensor& out = graph.tensor(node.outputs[0]);
    if (in.type != graph::Type::int8 || out.type != graph::Type::int8) return {};
    int channels = 1;
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
        if (i == operand) continue;
        const graph::Tensor& constant = graph.tensor(node.inputs[i]);
        if (!constant.constant) return {};
        const int found = channels_of(constant);
        if (found == 0 || (found > 1 && found != in.shape.back())) return {};
        channels = std::max(channels, found);
    }
    // The node alone, on all values of all channels.
    graph::Graph probe;
    probe.name = graph.name;
    probe.rounding = graph.rounding;
    graph::Node copy = node;
    graph::Bytes values;
    std::vector<const graph::Bytes*> inputs;
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
        probe.tensors.push_back(graph.tensor(node.inputs[i]));
        copy.inputs[i] = static_cast<graph::TensorId>(i);
    }
    probe.tensors.push_back(out);
    copy.outputs = {static_cast<graph::TensorId>(node.inputs.size())};
    probe.tensors[operand].shape = probe.tensors.back().shape = {1, 1, 256, channels};
    for (int value = -128; value < 128; ++value)
        values.insert(values.end(), static_cast<std::size_t>(channels),
                      static_cast<std::uint8_t>(value));
    for (std::size_t i = 0; i < node.inputs.size(); ++i)
        inputs.push_back(i == operand ? &values : &probe.tensors[i].data.bytes());
    const graph::Bytes result = graph::run_node(probe, copy, inputs)[0];
    std::vector<Table> tables(static_cast<std::size_t>(channels));
    for (std::size_t i = 0; i < result.size(); ++i)
        tables[i % tables.size()][i / tables.size()] = static_cast<std::int8_t>(result[i]);
    const auto same = [&](const Table& table) { return table == tables[0]; };
    if (std::all_of(tables.begin(), tables.end(), same)) tables.resize(1);
    return tables;
}

std::vector<std::int8_t> pairs_of(const graph::Graph& graph, const graph::Node& node) {
    graph::Alone alone(graph, node);
    alone.set_input(0, {1, 256, 1, 1}, graph::all_values(graph::Type::int8));
    alone.set_input(1, {1, 1, 256, 1}, graph::all_values(graph::Type::int8));
    const graph::Bytes result = alone.run({1, 256, 256, 1});
    return {result.begin(), result.end()};
}

}  // namespace macrame::dla::compiler
