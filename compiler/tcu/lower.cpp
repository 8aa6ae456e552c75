#include "compiler/tcu/lower.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "compiler/graph/at.hpp"
#include "compiler/graph/kernels.hpp"
#include "compiler/graph/work.hpp"
#include "compiler/tcu/memory.hpp"

namespace macrame::tcu::compiler {

using graph::Node;
using graph::TensorId;

namespace {

constexpr const char* kNoOperation =
    "the tensor unit has no operation for it: want the host to do it (without --no-host)";

/// Only changes the form of values, so that the host may do it in front of the program.
bool changes_form(const graph::Operator& op) {
    return std::holds_alternative<graph::Requantise>(op) ||
           std::holds_alternative<graph::Transpose>(op) ||
           std::holds_alternative<graph::Reshape>(op);
}

/// Computes or reads numbers without a scale, for which there are no codes.
bool has_numbers(const graph::Graph& graph, const Node& node) {
    const auto is_number = [&](TensorId id) {
        if (id == graph::kNone || graph.tensor(id).constant) return false;
        const graph::Type type = graph.tensor(id).type;
        return type == graph::Type::int32 || type == graph::Type::int64;
    };
    return std::any_of(node.inputs.begin(), node.inputs.end(), is_number) ||
           std::any_of(node.outputs.begin(), node.outputs.end(), is_number);
}

bool is_matmul(const graph::Operator& op) { return std::holds_alternative<graph::MatMul>(op); }

/// The SIMD unit has no means to do these.
bool needs_host(const graph::Operator& op) {
    if (is_matmul(op)) return false;
    if (graph::is_for_host(op)) return true;
    const auto* unary = std::get_if<graph::Unary>(&op);
    if (unary == nullptr) return false;
    switch (unary->function) {
        case graph::Function::relu:
        case graph::Function::relu6:
        case graph::Function::relu_n1_to_1:
        case graph::Function::leaky_relu:
        case graph::Function::abs:
        case graph::Function::neg:
        case graph::Function::hard_swish:
        case graph::Function::hard_sigmoid:
            return false;
        default:
            return true;
    }
}

}  // namespace

std::optional<Shape> shape_of(const graph::Tensor& tensor) {
    Shape shape;
    int* const axes[3] = {&shape.channels, &shape.width, &shape.height};
    for (std::size_t i = 0; i < tensor.shape.size(); ++i) {
        const int size = tensor.shape[tensor.shape.size() - 1 - i];
        if (i >= 3 && size != 1) return std::nullopt;
        if (i < 3) *axes[i] = size;
    }
    return shape;
}

Shape shape_without_batch(const graph::Tensor& tensor) {
    if (const std::optional<Shape> shape = shape_of(tensor)) return *shape;
    throw Unsupported{fmt::format("tensor {} with a batch: want one of 1", tensor.name)};
}

Lowering::Lowering(const graph::Graph& graph, const Architecture& architecture,
                   const TimingSizes& machine, bool shared)
    : pool(layers, Format(architecture.data_type)),
      graph_(graph),
      machine_(machine),
      architecture_(architecture),
      shared_(shared),
      ranges_(compiler::ranges(graph)),
      packs_(graph.tensors.size(), 1),
      made_(graph.tensors.size(), Made::here),
      host_(graph.nodes.size()) {
    layers.array_size = architecture.array_size;
    factors = compiler::factors(graph, ranges_, Format(architecture.data_type));
}

Values Lowering::values(TensorId id) const { return {ranges_[at(id)], factors[at(id)]}; }

bool Lowering::clamps_at_zero(TensorId id) const {
    const Range range = range_of(tensor(id));
    return range.known && range.low == 0;
}

std::vector<float> Lowering::reals(TensorId id) const {
    Node reader;
    reader.inputs = {id};
    const std::vector<const graph::Bytes*> bytes = {&tensor(id).data.bytes()};
    return graph::Call{graph_, reader, bytes}.reals();
}

const TensorLayout& Lowering::view(TensorId id) const {
    const auto found = views_.find(id);
    if (found == views_.end())
        throw Unsupported{fmt::format("{} {}: want what the network computes",
                                      tensor(id).constant ? "constant" : "input", tensor(id).name)};
    return found->second;
}

TensorLayout Lowering::new_view(const Shape& shape, int pack) {
    TensorLayout view{shape, {}, pack};
    for (int i = 0; i < blocks(shape.channels * pack) * view.pixels(); ++i)
        view.vectors.push_back(pool.variable());
    return view;
}

Layer Lowering::new_layer(int index, TensorId output) const {
    Layer layer;
    layer.name = tensor(output).name;
    layer.node = index;
    return layer;
}

void Lowering::refuse(int index, const std::string& text) {
    refused.push_back({index, fmt::format("{}: {}", graph::name_of(node(index).op), text)});
}

void Lowering::refuse_in_front_of(int index) {
    const auto behind = [&](TensorId id) { return made_[at(id)] == Made::behind; };
    for (const int next : graph::in_front(graph_, index, behind))
        if (needs_host(node(next).op) || has_numbers(graph_, node(next)))
            refuse(next, kNoOperation);
}

void Lowering::find_host_nodes() {
    for (const TensorId id : graph_.inputs)
        made_[at(id)] = Made::before;
    for (std::size_t i = 0; i < graph_.nodes.size(); ++i) {
        const Node& n = graph_.nodes[i];
        const auto any = [&](Made when) {
            return std::any_of(n.inputs.begin(), n.inputs.end(), [&](TensorId id) {
                return id != graph::kNone && !constant(id) && made_[at(id)] == when;
            });
        };
        Made when = Made::here;
        const bool form = changes_form(n.op) && !any(Made::here);
        const bool numbers = has_numbers(graph_, n);
        if (needs_host(n.op) || any(Made::behind) || (!form && numbers)) {
            when = Made::behind;
        } else if (form) {
            when = Made::before;
        } else if (std::holds_alternative<graph::Requantise>(n.op) &&
                   std::all_of(n.outputs.begin(), n.outputs.end(),
                               [&](TensorId id) { return is_output(id); })) {
            when = Made::behind;
        }
        for (const TensorId id : n.outputs)
            made_[at(id)] = when;
        if (when == Made::behind && (graph::has_products(n.op) || (is_matmul(n.op) && !numbers)))
            refuse_in_front_of(static_cast<int>(i));
        if (when == Made::here) continue;
        host_[i] = true;
        (when == Made::before ? host_first : host_nodes).push_back(static_cast<int>(i));
    }
}

void Lowering::add_inputs() {
    std::vector<TensorId> candidates = graph_.inputs;
    for (const int index : host_first)
        for (const TensorId id : node(index).outputs)
            candidates.push_back(id);
    for (const TensorId id : candidates) {
        const std::vector<int> users = readers(id);
        if (std::all_of(users.begin(), users.end(), [&](int n) { return host_[at(n)]; })) continue;
        const std::optional<Shape> shape = shape_of(tensor(id));
        if (!shape) {
            for (const int user : users)
                if (!host_[at(user)]) refuse(user, "an input with a batch: want one of 1");
            lost_.insert(id);
            continue;
        }
        TensorLayout view = new_view(*shape);
        std::vector<VectorId> in_file;
        for (int p = 0; p < shape->pixels(); ++p)
            for (int block = 0; block < blocks(shape->channels); ++block)
                in_file.push_back(view.vectors[at(block * shape->pixels() + p)]);
        layers.inputs.push_back(std::move(in_file));
        inputs.push_back(id);
        views_[id] = std::move(view);
    }
}

TensorLayout Lowering::own_view(TensorId id, const TensorLayout& view) {
    const auto foreign = [&](VectorId vector) {
        return vector == kZeros || layers.at(vector).constant;
    };
    if (std::none_of(view.vectors.begin(), view.vectors.end(), foreign)) return view;
    Layer layer = new_layer(static_cast<int>(graph_.nodes.size()) - 1, id);
    layer.combine = Combine::copy;
    layer.line = view.shape.width;
    TensorLayout out = new_view(view.shape);
    for (std::size_t i = 0; i < out.vectors.size(); ++i)
        layer.add_output(out.vectors[i], static_cast<int>(i) / view.shape.pixels(),
                         {{0, loadable(view.vectors[i])}});
    layers.layers.push_back(std::move(layer));
    return out;
}

void Lowering::add_outputs() {
    for (auto& [id, view] : views_) {
        const std::vector<int> users = readers(id);
        const bool for_host = std::any_of(users.begin(), users.end(), [&](int n) {
            return std::count(host_nodes.begin(), host_nodes.end(), n) != 0;
        });
        if (constant(id) || (!is_output(id) && !for_host)) continue;
        view = own_view(id, view);
        layers.outputs.push_back(in_file(view));
        outputs.push_back(id);
    }
}

std::vector<VectorId> Lowering::in_file(const TensorLayout& view) {
    const int blocks = static_cast<int>(view.vectors.size()) / view.pixels();
    std::vector<VectorId> out;
    for (int p = 0; p < view.pixels(); ++p)
        for (int block = 0; block < blocks; ++block)
            out.push_back(view.vectors[at(block * view.pixels() + p)]);
    return out;
}

void Lowering::add_kept() {
    const auto in = [](const std::vector<TensorId>& ids, TensorId id) {
        return std::count(ids.begin(), ids.end(), id) != 0;
    };
    for (const auto& [id, view] : views_) {
        const bool constants = std::any_of(
            view.vectors.begin(), view.vectors.end(),
            [&](VectorId vector) { return vector != kZeros && layers.at(vector).constant; });
        if (constant(id) || constants || in(inputs, id) || in(outputs, id)) continue;
        layers.kept.push_back(in_file(view));
        kept.push_back(id);
    }
}

bool Lowering::can_fuse(int index, int reader) const {
    const auto* sum = std::get_if<graph::Binary>(&node(reader).op);
    if (sum == nullptr || sum->function != graph::Arithmetic::add || host_[at(reader)])
        return false;
    const Node& n = node(index);
    if (const auto* conv = std::get_if<graph::Conv>(&n.op);
        conv != nullptr && conv->activation != graph::Activation::none)
        return false;
    if (const auto* fully = std::get_if<graph::FullyConnected>(&n.op);
        fully != nullptr && fully->activation != graph::Activation::none)
        return false;
    if (clamps_at_zero(n.outputs[0])) return false;
    return tensor(n.outputs[0]).shape == tensor(node(reader).outputs[0]).shape;
}

void Lowering::find_fused() {
    for (std::size_t i = 0; i < graph_.nodes.size(); ++i) {
        const Node& n = graph_.nodes[i];
        if (!graph::has_products(n.op) || std::holds_alternative<graph::TransposeConv>(n.op))
            continue;
        const TensorId made = n.outputs[0];
        const std::vector<int> users = readers(made);
        if (users.size() != 1 || is_output(made) || !can_fuse(static_cast<int>(i), users[0]))
            continue;
        // Twice the same: a sum of one.
        const Node& sum = node(users[0]);
        if (sum.inputs[0] != sum.inputs[1]) fused_[made] = static_cast<int>(i);
    }
}

void Lowering::lower(int index) {
    const Node& n = node(index);
    if (fused_.count(n.outputs[0]) != 0 || chained_.count(n.outputs[0]) != 0) return;
    if (const auto* op = std::get_if<graph::Conv>(&n.op))
        return lower_products(index, op->activation);
    if (const auto* op = std::get_if<graph::TransposeConv>(&n.op))
        return lower_products(index, op->activation);
    if (const auto* op = std::get_if<graph::FullyConnected>(&n.op))
        return lower_products(index, op->activation);
    if (const auto* op = std::get_if<graph::MatMul>(&n.op)) return lower_matmul(index, *op);
    if (const auto* op = std::get_if<graph::Binary>(&n.op)) return lower_binary(index, *op);
    if (const auto* op = std::get_if<graph::Pool>(&n.op)) return lower_pool(index, *op);
    if (const auto* op = std::get_if<graph::Mean>(&n.op)) return lower_mean(index, *op);
    if (const auto* op = std::get_if<graph::Unary>(&n.op)) return lower_unary(index, *op);
    if (std::holds_alternative<graph::Prelu>(n.op)) return lower_prelu(index);
    if (const auto* op = std::get_if<graph::Concat>(&n.op)) return lower_concat(index, *op);
    if (const auto* op = std::get_if<graph::Slice>(&n.op))
        return lower_slice(index, 0, op->begin, op->stride);
    if (const auto* op = std::get_if<graph::Split>(&n.op)) return lower_split(index, *op);
    if (const auto* op = std::get_if<graph::Pad>(&n.op)) return lower_pad(index, *op);
    if (std::holds_alternative<graph::Reshape>(n.op)) return lower_reshape(index);
    if (const auto* op = std::get_if<graph::Transpose>(&n.op)) return lower_transpose(index, *op);
    if (const auto* op = std::get_if<graph::Resize>(&n.op)) return lower_resize(index, *op);
    if (std::holds_alternative<graph::Requantise>(n.op)) return lower_requantise(index);
    throw Unsupported{kNoOperation};
}

void Lowering::replace(int index) {
    for (const TensorId id : node(index).outputs) {
        if (views_.count(id) != 0 || fused_.count(id) != 0 || chained_.count(id) != 0) continue;
        if (const std::optional<Shape> shape = shape_of(tensor(id)))
            views_[id] = new_view(*shape, packs_[at(id)]);
        else
            lost_.insert(id);
    }
}

void Lowering::run(bool keep_tensors) {
    find_host_nodes();
    add_inputs();
    find_fused();
    find_chains();
    plan_packs();
    const auto attempt = [&](int index, const auto& action) {
        try {
            action();
        } catch (const Unsupported& problem) {
            refuse(index, problem.text);
        }
    };
    const auto count = static_cast<int>(graph_.nodes.size());
    for (int index = 0; index < count; ++index)
        if (!host_[at(index)]) attempt(index, [&] { check_form(index); });
    if (!refused.empty()) return;  // layers of large networks take seconds
    pack_inputs();
    no_room = crowded();
    if (no_room) return;
    for (int index = 0; index < count; ++index) {
        if (host_[at(index)]) continue;
        const std::vector<TensorId>& in = node(index).inputs;
        const bool lost =
            std::any_of(in.begin(), in.end(), [&](TensorId id) { return lost_.count(id) != 0; });
        if (!lost) attempt(index, [&] { lower(index); });
        replace(index);
    }
    if (!refused.empty()) return;
    add_outputs();
    if (keep_tensors) add_kept();
}

}  // namespace macrame::tcu::compiler
