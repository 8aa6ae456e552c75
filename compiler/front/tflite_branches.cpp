/// IF of TFLite files whose condition is known: the branch that is taken becomes a part of the
/// graph.
#include <fmt/format.h>

#include <utility>

#include "compiler/front/tflite_importers.hpp"
#include "compiler/graph/at.hpp"

namespace macrame::front {

using graph::kNone;
using graph::TensorId;

namespace {

/// Branches in branches.
constexpr int kMostBranches = 8;

bool is_same(const graph::Quantisation& a, const graph::Quantisation& b) {
    return a.scale == b.scale && a.zero_point == b.zero_point && a.axis == b.axis;
}

}  // namespace

void TfliteImporters::branch(TfliteReader& r, const Op& op) { r.take_branch(op); }

void TfliteReader::take_branch(const TfliteOperator& op) {
    const auto& choice = options<schema::IfOptions>(op, schema::OptionsType::IF);
    const graph::Tensor& condition = tensor(input(op, 0));
    if (!condition.constant || condition.elements() != 1)
        throw Refusal{fmt::format(
            "control flow that {} decides: want it decided before conversion, or a network for "
            "each way",
            condition.name)};
    const bool yes = *condition.data.begin() != 0;
    const int number = yes ? choice.then_subgraph_index() : choice.else_subgraph_index();
    const schema::Model& model = *schema::GetModel(bytes_.data());
    const auto count = static_cast<int>(model.subgraphs()->size());
    if (number < 1 || number >= count)
        throw Refusal{fmt::format("subgraph {}: want one of 1 to {}", number, count - 1)};
    if (depth_ == kMostBranches)
        throw Refusal{fmt::format("more than {} branches in branches: want fewer", kMostBranches)};
    std::vector<graph::Tensor> inputs;
    for (std::size_t i = 1; i < op.inputs.size(); ++i)
        inputs.push_back(tensor(input(op, i)));
    TfliteReader inner(name_, bytes_);
    inner.budget_ = budget_;
    inner.rounds_once_ = rounds_once_;
    inner.depth_ = depth_ + 1;
    try {
        inner.read_branch(*model.subgraphs()->Get(static_cast<flatbuffers::uoffset_t>(number)),
                          inputs);
    } catch (const Refusal& refusal) {
        throw Refusal{fmt::format("subgraph {}: {}", number, refusal.text)};
    }
    budget_ = inner.budget_;
    adopt(op, std::move(inner.graph_));
}

void TfliteReader::read_branch(const schema::SubGraph& subgraph,
                               const std::vector<graph::Tensor>& inputs) {
    read_tensors(*schema::GetModel(bytes_.data()), subgraph);
    graph_.inputs = ids(subgraph.inputs(), false);
    graph_.outputs = ids(subgraph.outputs(), false);
    if (graph_.inputs.size() != inputs.size())
        throw Refusal{
            fmt::format("{} inputs: want {}, those of IF", graph_.inputs.size(), inputs.size())};
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const TensorId id = graph_.inputs[i];
        graph::Tensor& to = graph_.tensor(id);
        if (written_[at(id)] || to.constant || to.type != inputs[i].type ||
            !is_same(to.quantisation, inputs[i].quantisation))
            throw Refusal{
                fmt::format("input {} ({}): want a tensor of its own, of the type and "
                            "scale of {}",
                            i, to.name, inputs[i].name)};
        to = inputs[i];
        written_[at(id)] = true;
    }
    read_operators(*schema::GetModel(bytes_.data()), subgraph);
    if (!errors_.empty()) throw Refusal{errors_[0]};
    if (!kept_.empty()) throw Refusal{"a branch that keeps something: want that outside of IF"};
    for (const TensorId id : graph_.outputs)
        if (!written_[at(id)] && !graph_.tensor(id).constant)
            throw Refusal{
                fmt::format("output {}: want an operator that writes it", graph_.tensor(id).name)};
}

void TfliteReader::adopt(const TfliteOperator& op, graph::Graph branch) {
    if (branch.outputs.size() != op.outputs.size())
        throw Refusal{fmt::format("{} results of a branch: want {}", branch.outputs.size(),
                                  op.outputs.size())};
    std::vector<TensorId> place(branch.tensors.size(), kNone);
    for (std::size_t i = 0; i < branch.inputs.size(); ++i)
        place[at(branch.inputs[i])] = op.inputs[i + 1];
    // What is a result twice, an input or a constant is copied.
    std::vector<std::size_t> copies;
    for (std::size_t i = 0; i < branch.outputs.size(); ++i) {
        const graph::Tensor& from = branch.tensor(branch.outputs[i]);
        graph::Tensor& to = graph_.tensor(op.outputs[i]);
        if (to.type != from.type || !is_same(to.quantisation, from.quantisation))
            throw Refusal{
                fmt::format("result {}: want the type and scale of {}", from.name, to.name)};
        to.shape = from.shape;
        TensorId& own = place[at(branch.outputs[i])];
        if (own == kNone && !from.constant)
            own = op.outputs[i];
        else
            copies.push_back(i);
    }
    for (std::size_t i = 0; i < place.size(); ++i) {
        if (place[i] != kNone) continue;
        graph::Tensor& from = branch.tensors[i];
        from.name = tensor(op.outputs[0]).name + "/" + from.name;
        place[i] = static_cast<TensorId>(graph_.tensors.size());
        graph_.tensors.push_back(std::move(from));
    }
    const auto move = [&](std::vector<TensorId>& ids) {
        for (TensorId& id : ids)
            if (id != kNone) id = place[at(id)];
    };
    for (graph::Node& node : branch.nodes) {
        move(node.inputs);
        move(node.outputs);
        node.where = op.where + ", " + node.where;
        graph_.nodes.push_back(std::move(node));
    }
    for (const std::size_t i : copies)
        add(op, graph::Reshape{}, {place[at(branch.outputs[i])]}, {op.outputs[i]});
}

}  // namespace macrame::front
