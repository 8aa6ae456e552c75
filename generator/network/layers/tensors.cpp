#include "network/layers/tensors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <functional>
#include <set>

namespace macrame::network::layers {

namespace {

using graph::FileValue;
using graph::TensorId;

/// Type, shape and scales of a tensor that exists in the graph.
void describe(const graph::Tensor& from, const std::vector<int>& shape, FileTensor& to) {
    to.type = to.unsigned_bytes ? Array::Type::uint8 : array_type(from.type);
    to.shape.assign(shape.begin(), shape.end());
    to.scale = from.quantisation.scale;
    to.zero_point = from.quantisation.zero_point;
    if (to.unsigned_bytes)
        for (int& zero : to.zero_point)
            zero += 128;
}

int writer_of(const graph::Graph& graph, TensorId id) {
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        const std::vector<TensorId>& out = graph.nodes[i].outputs;
        if (std::count(out.begin(), out.end(), id) != 0) return static_cast<int>(i);
    }
    return -1;
}

int last_layer(const compiler::Compiled& made, int node) {
    int out = -1;
    for (std::size_t i = 0; i < made.layers.size(); ++i)
        if (made.layers[i].node == node && made.layers[i].unit != "host") out = static_cast<int>(i);
    return out;
}

/// The operators behind a tensor whose layers have taken it along.
std::string taken_along(const graph::Graph& graph, TensorId id, const Values& values) {
    std::vector<TensorId> open = {id};
    std::set<TensorId> seen;
    while (!open.empty()) {
        const TensorId next = open.back();
        open.pop_back();
        if (!seen.insert(next).second) continue;
        for (const graph::Node& node : graph.nodes) {
            if (std::count(node.inputs.begin(), node.inputs.end(), next) == 0) continue;
            for (const TensorId out : node.outputs) {
                if (values.count(out) != 0)
                    return fmt::format("inside the layer of {}", node.where);
                open.push_back(out);
            }
        }
    }
    return "nothing in the program makes it";
}

/// Why there are no elements of their own for a value; empty: there are.
std::string absence(const graph::Graph& graph, const FileValue& value, const Values& values) {
    if (value.id == graph::kNone) return "no tensor of its own: a part of another operator";
    if (value.real && graph.tensor(value.id).type != graph::Type::float32) {
        for (const FileValue& other : graph.file_values)
            if (other.id == value.id && !other.real)
                return fmt::format("the real values of {}", other.name);
    }
    return values.count(value.id) != 0 ? "" : taken_along(graph, value.id, values);
}

/// A permutation of elements between H, W, C here and C, H, W in the file.
Bytes reordered(const FileTensor& tensor, const Bytes& from, bool to_file) {
    const std::size_t size = size_of(tensor.type);
    const std::size_t c = tensor.planes[0], pixels = tensor.planes[1] * tensor.planes[2];
    Bytes out(from.size());
    for (std::size_t i = 0; i * size < from.size(); ++i) {
        const std::size_t picture = i / (c * pixels), inside = i % (c * pixels);
        const std::size_t here = picture * c * pixels + inside % pixels * c + inside / pixels;
        const std::size_t source = to_file ? here : i, target = to_file ? i : here;
        std::copy_n(from.begin() + static_cast<std::ptrdiff_t>(source * size), size,
                    out.begin() + static_cast<std::ptrdiff_t>(target * size));
    }
    return out;
}

}  // namespace

Array::Type array_type(graph::Type type) {
    switch (type) {
        case graph::Type::int8:
            return Array::Type::int8;
        case graph::Type::uint8:
            return Array::Type::uint8;
        case graph::Type::int16:
            return Array::Type::int16;
        case graph::Type::int32:
            return Array::Type::int32;
        case graph::Type::int64:
            return Array::Type::int64;
        case graph::Type::float32:
            break;
    }
    return Array::Type::float32;
}

std::string FileTensor::text() const {
    return place == kInput ? fmt::format("input {}", name)
                           : fmt::format("operator {} ({}), tensor {}", place, kind, name);
}

std::string file_name(const std::string& name) {
    constexpr std::size_t kMost = 100;
    std::string out = name.substr(0, kMost);
    for (char& c : out)
        if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '.' && c != '-') c = '_';
    return out;
}

std::vector<FileTensor> file_tensors(const Network& network, const Values& values) {
    const graph::Graph& graph = network.graph;
    std::vector<FileTensor> out;
    std::set<std::string> names;
    const auto add = [&](FileTensor tensor, const std::string& prefix) {
        if (tensor.exists()) {
            std::string name = prefix + file_name(tensor.name);
            for (int i = 2; !names.insert(name).second; ++i)
                name = fmt::format("{}{}-{}", prefix, file_name(tensor.name), i);
            tensor.file = name + ".npy";
        }
        out.push_back(std::move(tensor));
    };
    for (const TensorId id : graph.inputs) {
        const graph::Tensor& from = graph.tensor(id);
        FileTensor tensor;
        tensor.kind = "input";
        tensor.name = from.name;
        tensor.id = id;
        describe(from, from.shape, tensor);
        add(std::move(tensor), "input-");
    }
    for (const FileValue& value : graph.file_values) {
        FileTensor tensor;
        tensor.place = value.place;
        tensor.kind = value.kind;
        tensor.name = value.name;
        tensor.id = value.id;
        tensor.absent = absence(graph, value, values);
        if (value.id != graph::kNone) {
            tensor.node = writer_of(graph, value.id);
            tensor.layer = last_layer(network.compiled, tensor.node);
            tensor.planes.assign(value.planes.begin(), value.planes.end());
            const graph::Tensor& from = graph.tensor(value.id);
            tensor.unsigned_bytes = value.unsigned_bytes && from.type == graph::Type::int8;
            describe(from, value.shape, tensor);
        }
        add(std::move(tensor), fmt::format("{:03}-", value.place));
    }
    return out;
}

Bytes to_file(const FileTensor& tensor, const Bytes& elements) {
    Bytes out = tensor.planes.empty() ? elements : reordered(tensor, elements, true);
    if (tensor.unsigned_bytes)
        for (std::uint8_t& byte : out)
            byte ^= 0x80;
    return out;
}

Bytes from_file(const FileTensor& tensor, const Bytes& elements) {
    Bytes out = tensor.planes.empty() ? elements : reordered(tensor, elements, false);
    if (tensor.unsigned_bytes)
        for (std::uint8_t& byte : out)
            byte ^= 0x80;
    return out;
}

}  // namespace macrame::network::layers
