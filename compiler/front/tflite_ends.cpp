/// Inputs and outputs of TFLite files.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "compiler/front/fixed.hpp"
#include "compiler/front/tflite_reader.hpp"
#include "compiler/graph/check.hpp"

namespace macrame::front {
namespace {

/// Whether the file leaves an axis open.
bool is_open(const schema::Tensor& from, std::size_t axis) {
    const auto* signature = from.shape_signature();
    return signature != nullptr && axis < signature->size() &&
           signature->Get(static_cast<flatbuffers::uoffset_t>(axis)) == -1;
}

}  // namespace

/// Without a shape given, a batch that is open is 1; other open axes are as the file has them.
void TfliteReader::shape_input(const schema::Tensor& from, graph::Tensor& to) {
    const bool known =
        from.shape_signature() != nullptr && from.shape_signature()->size() == to.shape.size();
    const Shapes::node_type given = shapes_.extract(to.name);
    if (given.empty()) {
        for (std::size_t i = 0; known && i < to.shape.size(); ++i) {
            if (!is_open(from, i)) continue;
            if (i == 0)
                to.shape[i] = 1;
            else if (open_.empty() || open_.back() != to.name)
                open_.push_back(to.name);
        }
        return;
    }
    const std::vector<int>& shape = given.mapped();
    if (shape.size() != to.shape.size())
        throw Refusal{fmt::format("input {}: a shape of {} axes: want {}", to.name, shape.size(),
                                  to.shape.size())};
    for (std::size_t i = 0; i < shape.size(); ++i) {
        if (shape[i] != to.shape[i] && !(known && is_open(from, i)))
            throw Refusal{
                fmt::format("input {}: axis {} of the shape given is {}: want {}, as in the file",
                            to.name, i, shape[i], to.shape[i])};
        to.shape[i] = shape[i];
    }
}

bool TfliteReader::fix_input(const schema::Tensor& from, graph::Tensor& to) {
    ElementForm form{ElementForm::Kind::integer, graph::size_of(to.type)};
    if (to.type == graph::Type::float32) form.kind = ElementForm::Kind::real;
    if (to.type == graph::Type::uint8) form.kind = ElementForm::Kind::natural;
    if (from.type() == schema::TensorType::BOOL) form.kind = ElementForm::Kind::truth;
    auto bytes = fixed_elements(fixed_, to.name, form, to.shape);
    if (!bytes) return false;
    if (from.type() == schema::TensorType::COMPLEX64 || from.type() == schema::TensorType::FLOAT16)
        throw Refusal{fmt::format("input {}: a value of type {}: want float32 or whole numbers",
                                  to.name, schema::EnumNameTensorType(from.type()))};
    budget_.charge(bytes->size());
    to.constant = true;
    to.data = std::move(*bytes);
    return true;
}

void TfliteReader::read_ends(const schema::SubGraph& subgraph) {
    try {
        graph_.inputs = ids(subgraph.inputs(), false);
        graph_.outputs = ids(subgraph.outputs(), false);
        std::vector<std::string> names;
        std::vector<graph::TensorId> left;
        for (const graph::TensorId id : graph_.inputs) {
            const schema::Tensor& from =
                *subgraph.tensors()->Get(static_cast<flatbuffers::uoffset_t>(id));
            names.push_back(tensor(id).name);
            shape_input(from, graph_.tensor(id));
            written_[static_cast<std::size_t>(id)] = true;
            if (!fix_input(from, graph_.tensor(id))) left.push_back(id);
        }
        want_none_left(shapes_, fixed_, names);
        check_tensors(graph_.inputs);
        graph_.inputs = std::move(left);
    } catch (const Refusal& refusal) {
        throw Refusal{"inputs and outputs: " + refusal.text};
    }
}

void TfliteReader::tell_open() {
    for (const std::string& name : open_) {
        const auto found =
            std::find_if(graph_.inputs.begin(), graph_.inputs.end(),
                         [&](graph::TensorId id) { return tensor(id).name == name; });
        errors_.insert(errors_.begin(),
                       fmt::format("input {}: axes are open, here {}: want --shape {}=N,N,... "
                                   "where that is not the shape",
                                   name, graph::text_of(tensor(*found).shape), name));
    }
}

}  // namespace macrame::front
