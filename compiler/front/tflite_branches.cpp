/// IF and WHILE of TFLite files, and composites: the subgraphs that they name become a part of the
/// graph; of an IF that is decided by a computed value both, of WHILE those of each turn.
#include <fmt/format.h>

#include <utility>

#include "compiler/front/tflite_importers.hpp"
#include "compiler/graph/at.hpp"
#include "compiler/graph/check.hpp"

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

void TfliteImporters::composite(TfliteReader& r, const Op& op) { r.take_composite(op); }

void TfliteImporters::repeat(TfliteReader& r, const Op& op) { r.repeat(op); }

/// A subgraph as a graph of its own, with inputs like these.
graph::Graph TfliteReader::inner_graph(int number, const std::vector<TensorId>& inputs) {
    const schema::Model& model = *schema::GetModel(bytes_.data());
    const auto count = static_cast<int>(model.subgraphs()->size());
    if (number < 1 || number >= count)
        throw Refusal{fmt::format("subgraph {}: want one of 1 to {}", number, count - 1)};
    if (depth_ == kMostBranches)
        throw Refusal{fmt::format("more than {} branches in branches: want fewer", kMostBranches)};
    std::vector<graph::Tensor> like;
    for (const TensorId id : inputs) {
        if (id == kNone) throw Refusal{"an input that is left out: want it"};
        like.push_back(tensor(id));
    }
    TfliteReader inner(name_, bytes_);
    inner.budget_ = budget_;
    inner.rounds_once_ = rounds_once_;
    inner.depth_ = depth_ + 1;
    inner.read_ = read_;  // data of a file are copied once
    try {
        inner.read_branch(*model.subgraphs()->Get(static_cast<flatbuffers::uoffset_t>(number)),
                          like);
    } catch (const Refusal& refusal) {
        throw Refusal{fmt::format("subgraph {}: {}", number, refusal.text)};
    }
    budget_ = inner.budget_;
    read_ = std::move(inner.read_);
    return std::move(inner.graph_);
}

void TfliteReader::take_branch(const TfliteOperator& op) {
    const auto& choice = options<schema::IfOptions>(op, schema::OptionsType::IF);
    const TensorId asked = input(op, 0);
    const graph::Tensor& condition = tensor(asked);
    if (condition.elements() != 1 || !is_truth_[at(asked)])
        throw Refusal{fmt::format("condition {} is {} of type {}: want one of bool", condition.name,
                                  graph::text_of(condition.shape), name_of(condition.type))};
    const std::vector<TensorId> inputs(op.inputs.begin() + 1, op.inputs.end());
    const int ways[] = {choice.then_subgraph_index(), choice.else_subgraph_index()};
    if (!condition.constant) return take_both(op, inputs, ways);
    const bool yes = *condition.data.begin() != 0;
    adopt(op, inputs, inner_graph(ways[yes ? 0 : 1], inputs));
}

/// A condition that is computed chooses from the results of both branches. Variables, all that is
/// done beside, are refused in branches.
void TfliteReader::take_both(const TfliteOperator& op, const std::vector<TensorId>& inputs,
                             const int (&ways)[2]) {
    std::vector<TensorId> results[2];
    for (std::size_t way = 0; way < 2; ++way) {
        graph::Graph branch = inner_graph(ways[way], inputs);
        if (branch.outputs.size() != op.outputs.size() || op.outputs.empty())
            throw Refusal{fmt::format("{} results of a branch: want {}, at least 1",
                                      branch.outputs.size(), op.outputs.size())};
        TfliteOperator one = op;
        one.outputs.clear();
        for (const TensorId id : branch.outputs) {
            graph::Tensor model = branch.tensor(id);
            model.name = tensor(op.outputs[0]).name + "/" + model.name;
            one.outputs.push_back(add_tensor(model, model.shape));
        }
        const std::size_t first = graph_.nodes.size();
        adopt(one, inputs, std::move(branch));
        settle(first);
        results[way] = std::move(one.outputs);
    }
    const TensorId asked = input(op, 0), condition = add_tensor(tensor(asked), {});
    add(op, graph::Reshape{}, {asked}, {condition});
    for (std::size_t i = 0; i < op.outputs.size(); ++i) {
        const graph::Tensor &yes = tensor(results[0][i]), &no = tensor(results[1][i]);
        graph::Tensor& to = graph_.tensor(op.outputs[i]);
        for (const graph::Tensor* from : {&yes, &no}) {
            if (from->shape != yes.shape || from->type != to.type ||
                !is_same(from->quantisation, to.quantisation))
                throw Refusal{fmt::format(
                    "control flow that {} decides, with a result {} of {} in one branch and {} in "
                    "the other: want the same shape, type and scale in both, or the condition "
                    "decided before conversion, or a network for each way",
                    tensor(asked).name, to.name, graph::text_of(yes.shape),
                    graph::text_of(no.shape))};
        }
        to.shape = yes.shape;
        add(op, graph::Select{}, {condition, results[0][i], results[1][i]}, {op.outputs[i]});
    }
}

/// What stands for several operators is replaced by these.
void TfliteReader::take_composite(const TfliteOperator& op) {
    const auto* table =
        reinterpret_cast<const schema::StablehloCompositeOptions*>(op.table->options_2());
    flatbuffers::Verifier verifier(bytes_.data(), bytes_.size());
    if (table == nullptr || !table->Verify(verifier))
        throw Refusal{"no options, or damaged ones: want those that name a subgraph"};
    adopt(op, op.inputs, inner_graph(table->decomposition_subgraph_index(), op.inputs));
}

/// A loop whose condition is known in each turn: one turn after the other.
void TfliteReader::repeat(const TfliteOperator& op) {
    constexpr int kMostTurns = 2048;
    const auto& loop = options<schema::WhileOptions>(op, schema::OptionsType::WHILE);
    std::vector<TensorId> now = op.inputs;
    if (op.outputs.size() != now.size())
        throw Refusal{
            fmt::format("{} results of {} inputs: want as many", op.outputs.size(), now.size())};
    for (int turn = 0;; ++turn) {
        const graph::Graph asked = inner_graph(loop.cond_subgraph_index(), now);
        const graph::Tensor* condition =
            asked.outputs.size() == 1 ? &asked.tensor(asked.outputs[0]) : nullptr;
        if (condition == nullptr || !condition->constant || condition->elements() != 1)
            throw Refusal{
                "control flow whose number of turns is computed: want one that constants tell, "
                "its steps unrolled before conversion, or a network of one turn that your program "
                "runs as often"};
        if (*condition->data.begin() == 0) break;
        if (turn == kMostTurns)
            throw Refusal{fmt::format("more than {} turns: want fewer", kMostTurns)};
        graph::Graph body = inner_graph(loop.body_subgraph_index(), now);
        TfliteOperator one = op;
        one.outputs.clear();
        for (const TensorId id : body.outputs)
            one.outputs.push_back(add_tensor(body.tensor(id), body.tensor(id).shape));
        if (one.outputs.size() != now.size())
            throw Refusal{
                fmt::format("{} results of a turn: want {}", one.outputs.size(), now.size())};
        const std::size_t first = graph_.nodes.size();
        adopt(one, now, std::move(body));
        settle(first);
        now = one.outputs;
    }
    for (std::size_t i = 0; i < now.size(); ++i) {
        graph::Tensor& to = graph_.tensor(op.outputs[i]);
        if (to.type != tensor(now[i]).type ||
            !is_same(to.quantisation, tensor(now[i]).quantisation))
            throw Refusal{
                fmt::format("result {}: want the type and scale of what a turn gives", to.name)};
        to.shape = tensor(now[i]).shape;
        add(op, graph::Reshape{}, {now[i]}, {op.outputs[i]});
    }
}

void TfliteReader::read_branch(const schema::SubGraph& subgraph,
                               const std::vector<graph::Tensor>& inputs) {
    read_tensors(*schema::GetModel(bytes_.data()), subgraph);
    graph_.inputs = ids(subgraph.inputs(), false);
    graph_.outputs = ids(subgraph.outputs(), false);
    if (graph_.inputs.size() != inputs.size())
        throw Refusal{fmt::format("{} inputs: want {}, those of the operator", graph_.inputs.size(),
                                  inputs.size())};
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
    if (!kept_.empty()) throw Refusal{"a subgraph that keeps something: want that in the main one"};
    for (const TensorId id : graph_.outputs)
        if (!written_[at(id)] && !graph_.tensor(id).constant)
            throw Refusal{
                fmt::format("output {}: want an operator that writes it", graph_.tensor(id).name)};
}

void TfliteReader::adopt(const TfliteOperator& op, const std::vector<TensorId>& inputs,
                         graph::Graph branch) {
    if (branch.outputs.size() != op.outputs.size())
        throw Refusal{fmt::format("{} results of a branch: want {}", branch.outputs.size(),
                                  op.outputs.size())};
    std::vector<TensorId> place(branch.tensors.size(), kNone);
    for (std::size_t i = 0; i < branch.inputs.size(); ++i)
        place[at(branch.inputs[i])] = inputs[i];
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
        // Constants of the file are there once, however many turns read them.
        TensorId own = kNone;
        TensorId& known = from.constant ? adopted_[from.data.data()].id : own;
        if (from.constant && known != kNone && tensor(known).shape == from.shape &&
            tensor(known).type == from.type &&
            is_same(tensor(known).quantisation, from.quantisation)) {
            place[i] = known;
            continue;
        }
        from.name = tensor(op.outputs[0]).name + "/" + from.name;
        known = place[i] = static_cast<TensorId>(graph_.tensors.size());
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
