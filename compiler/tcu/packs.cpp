/// Pixels that share a vector: with few channels a convolution takes as many vectors less.

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <utility>

#include "compiler/tcu/lower.hpp"

namespace macrame::tcu::compiler {

using graph::TensorId;

namespace {

bool is_sum(const graph::Operator& op) {
    const auto* binary = std::get_if<graph::Binary>(&op);
    return binary != nullptr && (binary->function == graph::Arithmetic::add ||
                                 binary->function == graph::Arithmetic::sub);
}

}  // namespace

bool Lowering::reads_packed(int index) const {
    if (host_[static_cast<std::size_t>(index)]) return false;
    const graph::Node& n = node(index);
    if (std::holds_alternative<graph::Conv>(n.op) || is_sum(n.op) || is_affine(n)) return true;
    if (std::holds_alternative<graph::Mean>(n.op)) return true;
    if (const auto* pool_op = std::get_if<graph::Pool>(&n.op))
        return pool_op->function == graph::Pooling::average;
    if (std::holds_alternative<graph::FullyConnected>(n.op))
        return static_cast<std::size_t>(tensor(n.inputs[1]).shape[1]) ==
               tensor(n.inputs[0]).elements();
    if (!std::holds_alternative<graph::Reshape>(n.op) || is_output(n.outputs[0])) return false;
    const std::vector<int> users = readers(n.outputs[0]);
    return std::all_of(users.begin(), users.end(), [&](int user) {
        return std::holds_alternative<graph::FullyConnected>(node(user).op) && reads_packed(user);
    });
}

int Lowering::most_packed(TensorId id) const {
    const std::optional<Shape> shape = shape_of(tensor(id));
    const std::vector<int> users = readers(id);
    if (!shape || is_output(id) ||
        !std::all_of(users.begin(), users.end(), [&](int user) { return reads_packed(user); }))
        return 1;
    int pack = 1;
    while (2 * pack * shape->channels <= lanes() && shape->width % (2 * pack) == 0)
        pack *= 2;
    return pack;
}

void Lowering::plan_packs() {
    for (std::size_t i = 0; i < graph_.nodes.size(); ++i) {
        const graph::Node& n = graph_.nodes[i];
        const auto* resize = std::get_if<graph::Resize>(&n.op);
        const bool bilinear = resize != nullptr && resize->function == graph::Resampling::bilinear;
        if (host_[i] || (!std::holds_alternative<graph::Conv>(n.op) && !is_sum(n.op) &&
                         !is_affine(n) && !bilinear))
            continue;
        packs_[static_cast<std::size_t>(n.outputs[0])] = most_packed(n.outputs[0]);
    }
    // All of a sum are packed alike.
    for (bool changed = true; changed;) {
        changed = false;
        for (const graph::Node& n : graph_.nodes) {
            if (!is_sum(n.op) && !is_affine(n)) continue;
            int least = packs_[static_cast<std::size_t>(n.outputs[0])];
            const std::optional<Shape> shape = shape_of(tensor(n.outputs[0]));
            for (const TensorId id : n.inputs) {
                const std::optional<Shape> own = shape_of(tensor(id));
                const bool bias = constant(id) && own && own->pixels() == 1;
                if (bias) continue;
                const bool same = own && shape && *own == *shape && !constant(id);
                least = same ? std::min(least, packs_[static_cast<std::size_t>(id)]) : 1;
            }
            for (const auto* ids : {&n.inputs, &n.outputs}) {
                for (const TensorId id : *ids) {
                    if (constant(id) || packs_[static_cast<std::size_t>(id)] == least) continue;
                    packs_[static_cast<std::size_t>(id)] =
                        std::min(least, packs_[static_cast<std::size_t>(id)]);
                    changed = true;
                }
            }
        }
    }
}

std::int64_t Lowering::cycles_packed(TensorId id, int pack) const {
    const Shape shape = *shape_of(tensor(id));
    std::int64_t cycles = 0;
    constexpr int kLayer = 300;  // cycles between layers, at least
    if (pack > 1) cycles = kLayer + shape.height * (shape.width + (shape.width + pack - 1) / pack);
    for (const int reader : readers(id)) {
        const auto& op = std::get<graph::Conv>(node(reader).op);
        const graph::Window& w = op.window;
        const std::vector<int>& out = tensor(node(reader).outputs[0]).shape;
        const int out_pack = packs_[static_cast<std::size_t>(node(reader).outputs[0])];
        // A set for each distance; how many columns use it.
        std::map<int, int> uses;
        for (int column = 0; column < out[2] / out_pack; ++column) {
            const int first = column * out_pack * w.stride_w;
            std::set<int> vectors;
            for (int sub = 0; sub < out_pack; ++sub) {
                for (int kx = 0; kx < w.kernel_w; ++kx) {
                    const int x = first + sub * w.stride_w + kx * w.dilation_w - w.left;
                    if (x >= 0 && x < shape.width) vectors.insert(x / pack);
                }
            }
            for (const int vector : vectors)
                ++uses[vector * pack - first];
        }
        std::int64_t products = 0;
        for (const auto& [distance, columns] : uses)
            products += std::max(columns * out[1], lanes() + 2);
        cycles += products * w.kernel_h * blocks(out[3] * out_pack);
    }
    return cycles;
}

TensorLayout Lowering::packed(TensorId id, int pack) {
    const TensorLayout from = view(id);
    const int channels = from.shape.channels;
    TensorLayout out = new_view(from.shape, pack);
    Linear sum(pool, channels * pack, out.pixels());
    for (int part = 0; part < pack; ++part) {
        std::vector<float> weights(static_cast<std::size_t>(channels * lanes()), 0.0F);
        for (int c = 0; c < channels; ++c)
            weights[static_cast<std::size_t>(c * lanes() + part * channels + c)] = 1.0F;
        const int set = sum.add_set(0, std::move(weights), values(id));
        for (int y = 0; y < from.shape.height; ++y)
            for (int x = part; x < from.shape.width; x += pack)
                sum.add_term(y * out.columns() + x / pack, set, from.at(0, y, x));
    }
    Layer layer = new_layer(readers(id).front(), id);
    layer.line = out.columns();
    sum.finish(layer, out.vectors, values(id), false, 0);
    layers.layers.push_back(std::move(layer));
    return out;
}

void Lowering::pack_inputs() {
    for (const TensorId id : inputs) {
        const std::vector<int> users = readers(id);
        const bool convs = std::all_of(users.begin(), users.end(), [&](int user) {
            return !host_[static_cast<std::size_t>(user)] &&
                   std::holds_alternative<graph::Conv>(node(user).op);
        });
        if (!convs || is_output(id)) continue;
        const Shape shape = view(id).shape;
        std::int64_t best = cycles_packed(id, 1) * 9 / 10;
        int best_pack = 1;
        for (int pack = 2; pack * shape.channels <= lanes() && pack < 2 * shape.width; pack *= 2) {
            const std::int64_t cycles = cycles_packed(id, pack);
            if (cycles >= best) continue;
            best = cycles;
            best_pack = pack;
        }
        if (best_pack > 1) views_[id] = packed(id, best_pack);
    }
}

}  // namespace macrame::tcu::compiler
