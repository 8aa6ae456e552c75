/// Chains of operators that are linear in each channel: one layer of sums for all of them.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <map>
#include <utility>

#include "compiler/graph/at.hpp"
#include "compiler/graph/work.hpp"
#include "compiler/tcu/lower.hpp"

namespace macrame::tcu::compiler {

using graph::TensorId;

namespace {

/// An element of an axis, and how much of it an output takes.
struct Part {
    int index;
    double weight;
};

/// Those that an output of a bilinear resize lies between.
std::vector<Part> between(int to, int input, int output, const graph::Resize& op) {
    const double scale = op.align_corners && output > 1
                             ? static_cast<double>(input - 1) / (output - 1)
                             : static_cast<double>(input) / output;
    const double at_input = op.half_pixel_centers ? (to + 0.5) * scale - 0.5 : to * scale;
    const int low = static_cast<int>(std::floor(at_input));
    const double part = at_input - low;
    const int first = std::clamp(low, 0, input - 1), second = std::clamp(low + 1, 0, input - 1);
    if (first == second || part == 0) return {{first, 1}};
    return {{first, 1 - part}, {second, part}};
}

}  // namespace

bool Lowering::is_affine(const graph::Node& n) const {
    const auto* op = std::get_if<graph::Binary>(&n.op);
    if (op == nullptr || graph::is_for_host(n.op) || op->function == graph::Arithmetic::maximum ||
        op->function == graph::Arithmetic::minimum ||
        constant(n.inputs[0]) == constant(n.inputs[1]))
        return false;
    const TensorId number = n.inputs[constant(n.inputs[0]) ? 0 : 1];
    const std::optional<Shape> shape = shape_of(tensor(number));
    return shape && shape->pixels() == 1;
}

void Lowering::find_chains() {
    for (std::size_t i = 0; i < graph_.nodes.size(); ++i) {
        const graph::Node& n = graph_.nodes[i];
        const auto* resize = std::get_if<graph::Resize>(&n.op);
        const bool linear =
            is_affine(n) || (resize != nullptr && resize->function == graph::Resampling::bilinear);
        const TensorId made = n.outputs[0];
        if (host_[i] || !linear || tensor(made).type != graph::Type::float32 || is_output(made))
            continue;
        if (const auto* op = std::get_if<graph::Binary>(&n.op);
            op != nullptr && op->activation != graph::Activation::none)
            continue;
        if (std::any_of(n.inputs.begin(), n.inputs.end(),
                        [&](TensorId id) { return fused_.count(id) != 0; }))
            continue;
        const std::vector<int> users = readers(made);
        if (users.size() == 1 && !host_[at(users[0])] && is_affine(node(users[0])) &&
            tensor(made).shape == tensor(node(users[0]).outputs[0]).shape)
            chained_[made] = static_cast<int>(i);
    }
}

Lowering::Affine Lowering::affine_of(int index, TensorId& source) const {
    const auto channels = at(shape_without_batch(tensor(node(index).outputs[0])).channels);
    Affine out{std::vector<double>(channels, 1.0), std::vector<double>(channels, 0.0)};
    for (;;) {
        const graph::Node& n = node(index);
        const auto& op = std::get<graph::Binary>(n.op);
        const bool first = constant(n.inputs[0]);
        const std::vector<float> numbers = reals(n.inputs[first ? 0 : 1]);
        const bool minus = op.function == graph::Arithmetic::sub;
        for (std::size_t c = 0; c < channels; ++c) {
            const double number = static_cast<double>(numbers[numbers.size() == 1 ? 0 : c]);
            if (op.function == graph::Arithmetic::mul) {
                out.scale[c] *= number;
                continue;
            }
            out.offset[c] += out.scale[c] * (minus && !first ? -number : number);
            if (minus && first) out.scale[c] = -out.scale[c];
        }
        source = n.inputs[first ? 1 : 0];
        const auto before = chained_.find(source);
        if (before == chained_.end() || !is_affine(node(before->second))) return out;
        index = before->second;
    }
}

void Lowering::lower_affine(int index) {
    const TensorId output = node(index).outputs[0];
    const graph::Activation activation = std::get<graph::Binary>(node(index).op).activation;
    const std::optional<Shape> shape = shape_of(tensor(output));
    if (!shape) throw Unsupported{"output with a batch: want one"};
    TensorId source = graph::kNone;
    const Affine affine = affine_of(index, source);
    if (const auto resize = chained_.find(source); resize != chained_.end())
        return lower_bilinear(resize->second, index, affine, activation);
    const int pack = packs_[at(output)];
    Linear sum = new_sum(output);
    add_tensor(sum, view(source), values(source), *shape, pack, affine.scale);
    for (int c = 0; c < shape->channels * pack; ++c)
        sum.add_bias(c, affine.offset[at(c % shape->channels)]);
    finish_sum(sum, index, output, activation, 0);
}

TensorLayout Lowering::resized_lines(int resize, const std::vector<int>& lines, const Shape& out,
                                     int pack) {
    const graph::Node& n = node(resize);
    const auto& op = std::get<graph::Resize>(n.op);
    const TensorLayout in = view(n.inputs[0]);
    const int channels = out.channels;
    const TensorLayout made = new_view({static_cast<int>(lines.size()), out.width, channels}, pack);
    Linear sum(pool, channels * pack, made.pixels());
    for (int x = 0; x < out.width; ++x) {
        for (const Part& column : between(x, in.shape.width, out.width, op)) {
            std::vector<float> weights(at(channels * lanes()), 0.0F);
            for (int c = 0; c < channels; ++c)
                weights[at(c * lanes() + x % pack * channels + c)] =
                    static_cast<float>(column.weight);
            const int set = sum.add_set(0, std::move(weights), values(n.inputs[0]));
            for (int y = 0; y < made.shape.height; ++y)
                sum.add_term(y * made.columns() + x / pack, set,
                             in.at(0, lines[at(y)], column.index));
        }
    }
    Layer layer = new_layer(resize, n.outputs[0]);
    layer.line = made.columns();
    sum.finish(layer, made.vectors, values(n.inputs[0]), false, 0);
    layers.layers.push_back(std::move(layer));
    return made;
}

void Lowering::lower_bilinear(int resize, int index, const Affine& affine,
                              graph::Activation activation) {
    const graph::Node& n = node(resize);
    const auto& op = std::get<graph::Resize>(n.op);
    const TensorId output = node(index).outputs[0];
    const Shape out = shape_without_batch(tensor(output));
    const int pack = packs_[at(output)];
    const TensorLayout& from = view(n.inputs[0]);
    std::vector<int> lines;  // that are read
    for (int y = 0; y < out.height; ++y)
        for (const Part& row : between(y, from.shape.height, out.height, op))
            lines.push_back(row.index);
    std::sort(lines.begin(), lines.end());
    lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
    const TensorLayout in = pack > 1 ? resized_lines(resize, lines, out, pack) : from;
    Linear sum = new_sum(output);
    const int columns = out.width / pack, channels = out.channels * pack;
    for (int group = 0; group < sum.groups(); ++group) {
        const int count = std::min(lanes(), channels - group * lanes());
        std::map<double, int> sets;
        const auto set_of = [&](double weight) {
            const auto [found, fresh] = sets.emplace(weight, 0);
            if (!fresh) return found->second;
            std::vector<float> weights(at(count * lanes()), 0.0F);
            for (int lane = 0; lane < count; ++lane)
                weights[at(lane * lanes() + lane)] = static_cast<float>(
                    weight * affine.scale[at((group * lanes() + lane) % out.channels)]);
            return found->second = sum.add_set(group, std::move(weights), values(n.inputs[0]));
        };
        for (int y = 0; y < out.height; ++y) {
            for (const Part& row : between(y, from.shape.height, out.height, op)) {
                const auto line = std::lower_bound(lines.begin(), lines.end(), row.index);
                for (int x = 0; x < columns; ++x) {
                    const int to = y * columns + x;
                    if (pack > 1) {
                        sum.add_term(to, set_of(row.weight),
                                     in.at(0, static_cast<int>(line - lines.begin()), x));
                        continue;
                    }
                    for (const Part& column : between(x, from.shape.width, out.width, op))
                        sum.add_term(to, set_of(row.weight * column.weight),
                                     in.at(group, row.index, column.index));
                }
            }
        }
    }
    for (int c = 0; c < channels; ++c)
        sum.add_bias(c, affine.offset[at(c % out.channels)]);
    finish_sum(sum, index, output, activation, 0);
}

}  // namespace macrame::tcu::compiler
