#include "compiler/front/states.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "compiler/graph/check.hpp"

namespace macrame::front {

namespace {

using graph::Tensor;
using graph::TensorId;

/// Which of the first `count` has the name.
std::optional<std::size_t> find(const graph::Graph& graph, const std::vector<TensorId>& ids,
                                std::size_t count, std::string_view name) {
    for (std::size_t i = 0; i < count; ++i)
        if (graph.tensor(ids[i]).name == name) return i;
    return std::nullopt;
}

std::string names(const graph::Graph& graph, const std::vector<TensorId>& ids, std::size_t count) {
    std::string list;
    for (std::size_t i = 0; i < count; ++i)
        list += (i == 0 ? "" : ", ") + graph.tensor(ids[i]).name;
    return list.empty() ? "none is left" : list;
}

/// Takes a place out of a list of places.
void forget(std::vector<std::size_t>& places, std::size_t place) {
    places.erase(std::remove(places.begin(), places.end(), place), places.end());
    for (std::size_t& other : places)
        if (other > place) --other;
}

bool same_values(const Tensor& a, const Tensor& b) {
    return a.type == b.type && a.quantisation.scale == b.quantisation.scale &&
           a.quantisation.zero_point == b.quantisation.zero_point;
}

/// Real values of 0.
graph::Data zeros(const Tensor& tensor) {
    const bool has_zero =
        graph::size_of(tensor.type) == 1 && !tensor.quantisation.zero_point.empty();
    const int zero = has_zero ? tensor.quantisation.zero_point[0] : 0;
    return graph::Data::Bytes(tensor.bytes(), static_cast<std::uint8_t>(zero));
}

}  // namespace

std::string keep_state(ReadResult& read, const std::string& output, const std::string& input) {
    graph::Graph& graph = read.graph;
    const std::string place = fmt::format("state {}={}: ", output, input);
    const auto to = find(graph, graph.inputs, graph.own_inputs(), input);
    if (!to)
        return place + fmt::format("no input {}: want one of: {}", input,
                                   names(graph, graph.inputs, graph.own_inputs()));
    const auto from = find(graph, graph.outputs, graph.own_outputs(), output);
    if (!from)
        return place + fmt::format("no output {}: want one of: {}", output,
                                   names(graph, graph.outputs, graph.own_outputs()));
    const TensorId before = graph.inputs[*to];
    TensorId after = graph.outputs[*from];
    if (graph.tensor(before).shape != graph.tensor(after).shape)
        return place + fmt::format("{} becomes {}: want the same shape",
                                   graph::text_of(graph.tensor(after).shape),
                                   graph::text_of(graph.tensor(before).shape));
    const auto at_end = [&](TensorId id) {
        return std::count(graph.inputs.begin(), graph.inputs.end(), id) +
                   std::count(graph.outputs.begin(), graph.outputs.end(), id) >
               1;
    };
    const bool same = same_values(graph.tensor(before), graph.tensor(after));
    if (!same || at_end(after) || graph.tensor(after).constant) {
        Tensor kept = graph.tensor(before);
        kept.name = output + " kept";
        kept.data = {};
        graph.tensors.push_back(std::move(kept));
        const TensorId copy = static_cast<TensorId>(graph.tensors.size()) - 1;
        graph::Operator work = graph::Requantise{};
        if (same) work = graph::Reshape{};
        graph.nodes.push_back({work, {after}, {copy}, "state " + input});
        after = copy;
    }
    graph.inputs.erase(graph.inputs.begin() + static_cast<std::ptrdiff_t>(*to));
    graph.outputs.erase(graph.outputs.begin() + static_cast<std::ptrdiff_t>(*from));
    forget(read.real_inputs, *to);
    forget(read.real_outputs, *from);
    graph.inputs.push_back(before);
    graph.outputs.push_back(after);
    graph.states.push_back(zeros(graph.tensor(before)));
    return {};
}

}  // namespace macrame::front
