/// Inputs and outputs of TFLite files.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "compiler/front/tflite_reader.hpp"

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

void TfliteReader::read_ends(const schema::SubGraph& subgraph) {
    try {
        graph_.inputs = ids(subgraph.inputs(), false);
        graph_.outputs = ids(subgraph.outputs(), false);
        for (const graph::TensorId id : graph_.inputs) {
            const auto place = static_cast<flatbuffers::uoffset_t>(id);
            shape_input(*subgraph.tensors()->Get(place), graph_.tensor(id));
        }
        want_none_left(shapes_, graph_);
        check_tensors(graph_.inputs);
    } catch (const Refusal& refusal) {
        throw Refusal{"inputs and outputs: " + refusal.text};
    }
    for (const graph::TensorId id : graph_.inputs)
        written_[static_cast<std::size_t>(id)] = true;
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
