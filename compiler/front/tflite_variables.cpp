/// What a network of a TFLite file keeps from one run to the next.
///
/// VAR_HANDLE names a variable, READ_VARIABLE and ASSIGN_VARIABLE get such a handle. CALL_ONCE runs
/// another subgraph before the first run, which assigns constants. A variable becomes an input and
/// an output of the graph, behind those of the file (Graph::states).
#include <fmt/format.h>

#include <algorithm>

#include "compiler/front/tflite_reader.hpp"
#include "compiler/graph/check.hpp"

namespace macrame::front {
namespace {

using graph::TensorId;
using Code = schema::BuiltinOperator;
using Options = schema::OptionsType;

constexpr std::size_t kMaxVariables = 256;

/// Number of a tensor, of any type.
TensorId id_of(const flatbuffers::Vector<std::int32_t>* ids, std::size_t place,
               const schema::SubGraph& subgraph) {
    if (ids == nullptr || ids->size() <= place)
        throw Refusal{fmt::format("tensor {} is left out: want it", place)};
    const std::size_t count = subgraph.tensors() == nullptr ? 0 : subgraph.tensors()->size();
    const TensorId id = ids->Get(static_cast<flatbuffers::uoffset_t>(place));
    if (id < 0 || static_cast<std::size_t>(id) >= count)
        throw Refusal{fmt::format("tensor {}: want one of {}", id, count)};
    return id;
}

template <typename Function>
void at_place(const TfliteOperator& op, const Function& function) {
    try {
        function();
    } catch (const Refusal& refusal) {
        throw Refusal{fmt::format("{}: {}", op.where, refusal.text)};
    }
}

std::string text_of(const graph::Tensor& tensor) {
    return fmt::format("{} of {}", graph::text_of(tensor.shape), name_of(tensor.type));
}

}  // namespace

std::size_t TfliteReader::variable_of(const TfliteOperator& handle) {
    const auto& names = options_or_none<schema::VarHandleOptions>(handle, Options::VAR_HANDLE);
    std::string name;
    for (const auto* part : {names.container(), names.shared_name()})
        name += "/" + readable(part == nullptr ? std::string_view{} : part->string_view());
    const auto found = std::find_if(variables_.begin(), variables_.end(),
                                    [&](const Variable& one) { return one.name == name; });
    if (found != variables_.end()) return static_cast<std::size_t>(found - variables_.begin());
    if (variables_.size() == kMaxVariables)
        throw Refusal{fmt::format("more than {} variables: want fewer", kMaxVariables)};
    variables_.emplace_back().name = std::move(name);
    return variables_.size() - 1;
}

void TfliteReader::find_variables(const schema::Model& model, const schema::SubGraph& subgraph) {
    const auto& operators = *subgraph.operators();
    for (std::size_t i = 0; i < operators.size(); ++i) {
        const schema::Operator& table = *operators.Get(static_cast<flatbuffers::uoffset_t>(i));
        const TfliteOperator op = named(model, table, i);
        at_place(op, [&] {
            if (op.code == Code::CALL_ONCE) find_first_values(model, op);
            if (op.code == Code::VAR_HANDLE)
                handles_[id_of(table.outputs(), 0, subgraph)] = variable_of(op);
            if (op.code != Code::ASSIGN_VARIABLE) return;
            const auto found = handles_.find(id_of(table.inputs(), 0, subgraph));
            if (found != handles_.end()) variables_[found->second].assigned = true;
        });
    }
}

void TfliteReader::find_first_values(const schema::Model& model, const TfliteOperator& call) {
    const int number =
        options<schema::CallOnceOptions>(call, Options::CALL_ONCE).init_subgraph_index();
    const auto count = static_cast<int>(model.subgraphs()->size());
    if (number < 1 || number >= count)
        throw Refusal{fmt::format("subgraph {}: want one of 1 to {}", number, count - 1)};
    const schema::SubGraph& subgraph =
        *model.subgraphs()->Get(static_cast<flatbuffers::uoffset_t>(number));
    if (subgraph.operators() == nullptr) return;
    std::map<TensorId, std::size_t> handles;
    std::size_t place = 0;
    for (const schema::Operator* table : *subgraph.operators()) {
        budget_.charge(sizeof(graph::Node));
        const TfliteOperator op = named(model, *table, place++);
        at_place(op, [&] {
            if (op.code == Code::VAR_HANDLE) {
                handles[id_of(table->outputs(), 0, subgraph)] = variable_of(op);
                return;
            }
            if (op.code != Code::ASSIGN_VARIABLE)
                throw Refusal{"before the first run: want constants assigned to variables"};
            const auto found = handles.find(id_of(table->inputs(), 0, subgraph));
            if (found == handles.end()) throw Refusal{"no variable: want a VAR_HANDLE before it"};
            const auto id =
                static_cast<flatbuffers::uoffset_t>(id_of(table->inputs(), 1, subgraph));
            const schema::Tensor& from = *subgraph.tensors()->Get(id);
            graph::Tensor& first = variables_[found->second].first;
            first = {};
            first.name = variables_[found->second].name;
            if (!convert(from.type(), first.type))
                throw Refusal{"a variable of another type: want integers or float32"};
            if (from.shape() != nullptr)
                first.shape.assign(from.shape()->begin(), from.shape()->end());
            read_data(model, from, first);
            if (!first.constant) throw Refusal{"assigns what is computed: want a constant"};
            const std::string problem = graph::problem_of(first);
            if (!problem.empty()) throw Refusal{problem};
        });
    }
}

bool TfliteReader::read_variable(const schema::Model& model, const schema::Operator& table,
                                 std::size_t number) {
    TfliteOperator op = named(model, table, number);
    const bool names = op.code == Code::CALL_ONCE || op.code == Code::VAR_HANDLE;
    if (!names && op.code != Code::READ_VARIABLE && op.code != Code::ASSIGN_VARIABLE) return false;
    if (depth_ > 0)
        throw Refusal{op.where +
                      ": a variable in a branch: want it read and assigned outside of "
                      "IF"};
    if (names) return true;
    at_place(op, [&] {
        const auto* from = table.inputs();
        const auto handle =
            from == nullptr || from->size() == 0 ? handles_.end() : handles_.find(from->Get(0));
        if (handle == handles_.end()) throw Refusal{"no variable: want a VAR_HANDLE before it"};
        Variable& variable = variables_[handle->second];
        if (op.code == Code::READ_VARIABLE) {
            op.outputs = ids(table.outputs(), false);
            read_value(op, variable);
        } else {
            const std::int32_t id = from->size() < 2 ? graph::kNone : from->Get(1);
            if (id < 0 || static_cast<std::size_t>(id) >= defects_.size())
                throw Refusal{fmt::format("tensor {}: want one of {}", id, defects_.size())};
            op.inputs = {id};
            check_tensors(op.inputs);
            assign(op, variable);
        }
    });
    return true;
}

void TfliteReader::read_value(const TfliteOperator& op, Variable& variable) {
    const TensorId id = output(op);
    graph::Tensor& to = graph_.tensor(id);
    const auto place = static_cast<std::size_t>(id);
    if (written_[place] || to.constant)
        throw Refusal{fmt::format("writes {}, which has a value: want one writer", to.name)};
    written_[place] = true;
    if (variable.value != graph::kNone) {
        to.shape = tensor(variable.value).shape;
        const std::size_t first = graph_.nodes.size();
        add(op, graph::Reshape{}, {variable.value}, {id});
        settle(first);
        return;
    }
    if (!variable.first.constant)
        throw Refusal{
            fmt::format("reads variable {}, which has no value in the first run: want "
                        "CALL_ONCE to assign one",
                        variable.name)};
    if (to.type != variable.first.type)
        throw Refusal{fmt::format("reads {}: want {}, as is assigned before the first run",
                                  name_of(to.type), name_of(variable.first.type))};
    to.shape = variable.first.shape;
    check_tensors({id});
    variable.value = id;
    if (variable.assigned) {
        variable.before = id;
        return;
    }
    budget_.charge(variable.first.bytes());
    to.constant = true;
    to.data = variable.first.data;
}

void TfliteReader::assign(const TfliteOperator& op, Variable& variable) {
    const TensorId id = op.inputs[0];
    if (!written_[static_cast<std::size_t>(id)] && !tensor(id).constant)
        throw Refusal{fmt::format("assigns {}, which nothing before it writes: want nodes in order",
                                  tensor(id).name)};
    const graph::Tensor& first = variable.first;
    if (first.constant && (first.type != tensor(id).type || first.shape != tensor(id).shape))
        throw Refusal{fmt::format("assigns {}: want {}, as before the first run",
                                  text_of(tensor(id)), text_of(first))};
    variable.value = id;
}

void TfliteReader::keep(TensorId before, TensorId after, graph::Data first) {
    kept_.push_back({before, after, std::move(first)});
}

void TfliteReader::add_states() {
    for (const Variable& variable : variables_)
        if (variable.before != graph::kNone)
            keep(variable.before, variable.value, variable.first.data);
    const std::vector<Kept> all = kept_;
    for (Kept kept : all) {
        const auto is_one_of = [&](const std::vector<TensorId>& ids) {
            return std::find(ids.begin(), ids.end(), kept.after) != ids.end();
        };
        const bool is_before = std::any_of(
            all.begin(), all.end(), [&](const Kept& other) { return other.before == kept.after; });
        // What has another use at an end becomes a tensor of its own.
        if (tensor(kept.after).constant || is_before || is_one_of(graph_.inputs) ||
            is_one_of(graph_.outputs)) {
            const graph::Tensor model = tensor(kept.after);
            const TensorId copy = add_tensor(model, model.shape);
            graph_.nodes.push_back(
                {graph::Reshape{}, {kept.after}, {copy}, "state " + tensor(kept.before).name});
            kept.after = copy;
        }
        graph_.inputs.push_back(kept.before);
        graph_.outputs.push_back(kept.after);
        graph_.states.push_back(kept.first);
    }
}

}  // namespace macrame::front
