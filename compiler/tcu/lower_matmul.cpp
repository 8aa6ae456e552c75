/// Products of two matrices of which the network computes at least one: rows of the second one are
/// the weights of the array, from where they lie in memory, and those of the first one stream
/// through it.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "compiler/graph/at.hpp"
#include "compiler/tcu/lower.hpp"

namespace macrame::tcu::compiler {

using graph::TensorId;

TensorLayout Lowering::matrix(TensorId id, bool quantised) {
    const Shape shape = shape_without_batch(tensor(id));
    if (constant(id)) {
        double most = 0;
        for (const float value : reals(id))
            most = std::max(most, std::abs(static_cast<double>(value)));
        const double fits = power_below(pool.format().range() / 8 / std::max(most, 1e-9));
        factors[at(id)] = quantised ? fits : std::min(1.0, fits);
        ranges_[at(id)] = {-most, most, true};
        return constant_view(id, factors[at(id)], false);
    }
    const TensorLayout& found = view(id);
    if (!(found.shape == shape) || found.pack != 1)
        throw Unsupported{"operands that lie as another shape: want a matrix in lines"};
    return found;
}

bool Lowering::may_exceed_range(TensorId id) const {
    return !constant(id) && ranges_[at(id)].known &&
           std::count(inputs.begin(), inputs.end(), id) == 0;
}

bool Lowering::is_written_in_order(const TensorLayout& view) const {
    const VectorId first = view.vectors.front();
    for (const Layer& layer : layers.layers) {
        const auto end = layer.outputs.end();
        auto output = std::find_if(layer.outputs.begin(), end,
                                   [&](const Output& one) { return one.vector == first; });
        if (output == end) continue;
        for (std::size_t i = 0; i < view.vectors.size(); ++i, ++output)
            if (output == end || output->vector != view.vectors[i] ||
                view.vectors[i] != first + static_cast<VectorId>(i))
                return false;
        return true;
    }
    return false;
}

void Lowering::clamp_to_range(Layer& layer, const Range& range, double factor, int groups) {
    const auto bound = [&](StepKind kind, double value) {
        layer.steps.push_back({kind, std::vector<VectorId>(at(groups), pool.same(value * factor))});
    };
    bound(StepKind::minimum, range.high);
    bound(StepKind::maximum, range.low);
}

std::vector<Lowering::Digit> Lowering::digits_of_transposition(const Shape& shape) const {
    constexpr int kSwitch = 8, kLayer = 300;  // cycles of a set, of a layer, beside their vectors
    std::vector<Digit> digits;
    for (int step = 1, radix = 2; step < lanes();) {
        if (lanes() / step % radix == 0)
            digits.push_back({std::exchange(step, step * radix), radix});
        else
            ++radix;
    }
    const auto whole = [&](int size) { return std::int64_t{blocks(size)} * lanes(); };
    const std::int64_t vectors = shape.height * whole(shape.width) * blocks(shape.channels);
    std::int64_t one_by_one = 0;
    for (const Digit& digit : digits)
        one_by_one +=
            digit.radix * digit.radix * (lanes() + kSwitch) + vectors * (digit.radix + 1) + kLayer;
    const std::int64_t pairs = std::int64_t{std::min(lanes(), shape.channels)} * shape.width;
    const std::int64_t at_once = pairs * (std::min(lanes(), shape.channels) + kSwitch);
    return one_by_one < at_once ? digits : std::vector<Digit>{{1, lanes()}};
}

namespace {

/// From where in its tile an element comes to a line and a lane.
std::pair<int, int> swapped_in_tile(int line, int lane, int step, int radix) {
    const int by = (lane / step % radix - line / step % radix) * step;
    return {line + by, lane - by};
}

}  // namespace

TensorLayout Lowering::swapped(int index, TensorId id, const Digit& digit) {
    const TensorLayout in = view(id);
    const auto whole = [&](int size) { return blocks(size) * lanes(); };
    TensorLayout out = new_view({in.shape.height, whole(in.shape.width), whole(in.shape.channels)});
    const auto count = static_cast<int>(out.vectors.size());
    Linear sum(pool, lanes(), count);
    SelectionSets sets;
    for (int i = 0; i < count; ++i) {
        const int block = i / out.shape.pixels(), p = i % out.shape.pixels();
        const int row = p % out.shape.width, in_tile = row % lanes();
        std::vector<Element> elements;
        for (int to = 0; to < lanes(); ++to) {
            const auto [line, lane] = swapped_in_tile(in_tile, to, digit.step, digit.radix);
            const Element from{0, p / out.shape.width, row - in_tile + line,
                               block * lanes() + lane};
            const bool inside = from.x < in.shape.width && from.channel < in.shape.channels;
            elements.push_back(inside ? from : Element{});
        }
        add_selection(sum, 0, i, elements, {id}, factors[at(id)], sets);
    }
    Layer layer = new_layer(index, node(index).outputs[0]);
    layer.line = lanes();
    sum.finish(layer, out.vectors, values(id), false, 0);
    layers.layers.push_back(std::move(layer));
    return out;
}

TensorLayout Lowering::gathered(int index, TensorId id, const TensorLayout& from, bool transposed,
                                double factor) {
    const Shape in = from.shape;
    const Shape shape = transposed ? Shape{in.height, in.channels, in.width} : in;
    const TensorLayout before = from;
    views_[id] = before;  // a constant has none
    std::vector<Digit> digits = {{1, 1}};
    if (transposed) digits = digits_of_transposition(in);
    for (std::size_t i = 0; i + 1 < digits.size(); ++i) {
        TensorLayout made = swapped(index, id, digits[i]);
        views_[id] = std::move(made);
    }
    const Digit last = digits.back();
    TensorLayout out = new_view(shape);
    Linear sum(pool, shape.channels, shape.pixels());
    SelectionSets sets;
    for (int block = 0; block < blocks(shape.channels); ++block) {
        const int count = std::min(lanes(), shape.channels - block * lanes());
        for (int p = 0; p < shape.pixels(); ++p) {
            const int y = p / shape.width, row = p % shape.width, in_tile = row % lanes();
            std::vector<Element> elements;
            for (int to = 0; to < count; ++to) {
                const auto [line, lane] = swapped_in_tile(in_tile, to, last.step, last.radix);
                elements.push_back(transposed
                                       ? Element{0, y, block * lanes() + line, row - in_tile + lane}
                                       : Element{0, y, row, block * lanes() + to});
            }
            add_selection(sum, block, p, elements, {id}, factors[at(id)], sets);
        }
    }
    views_[id] = before;
    Layer layer = new_layer(index, node(index).outputs[0]);
    layer.line = shape.width;
    const Range& range = ranges_[at(id)];
    sum.finish(layer, out.vectors, {range, factor}, false, 0);
    if (may_exceed_range(id)) clamp_to_range(layer, range, factor, sum.groups());
    layers.layers.push_back(std::move(layer));
    return out;
}

std::array<double, 2> Lowering::factors_of_operands(int index, int depth) const {
    const graph::Node& n = node(index);
    const Range &a = ranges_[at(n.inputs[0])], &b = ranges_[at(n.inputs[1])];
    const double first = factors[at(n.inputs[0])];
    const Values out = values(n.outputs[0]);
    if (!a.known || !b.known || !out.range.known || a.size() * b.size() <= 0)
        return {first, out.factor / first};
    const double one = static_cast<double>(pool.format().one()), range = pool.format().range();
    // Values are taken as spread over a part of their range: a quarter of it.
    const double both = a.size() * b.size() / 16;
    const double peak = depth * both / 2 + 4 * std::sqrt(depth) * both;
    const double size = out.range.size();
    const double reach = std::max(1.2 * size, std::min(peak, 3 * size));
    const double most = std::min(power_below(range / reach), out.factor * one);
    const double for_operands = kFineWeights * kFineWeights / (one * one * both);
    const double for_sums =
        kRounding * std::sqrt(depth) * 255 / (kFineSums * (out.range.high - out.range.low) * one);
    double factor = out.factor;
    while (factor < std::max(for_operands, for_sums))
        factor *= 2;
    factor = std::min(factor, most);
    // What the first operand has is as good as nothing else while the second one is fine, too.
    const auto is_coarse = [&](double value) { return value * b.size() / 4 * one < kFineWeights; };
    double left = first;
    while (is_coarse(factor / left) && left * a.size() > factor / left * b.size())
        left /= 2;
    return {left, std::min(factor / left, power_below(range / b.size()))};
}

void Lowering::lower_matmul(int index, const graph::MatMul& op) {
    const graph::Node& n = node(index);
    const TensorId a = n.inputs[0], b = n.inputs[1], output = n.outputs[0];
    const Shape shape = shape_without_batch(tensor(output));
    const bool quantised = ranges_[at(output)].known;
    TensorLayout left = matrix(a, quantised), right = matrix(b, quantised);
    const int depth = op.transpose_a ? left.shape.width : left.shape.channels;
    const auto [left_factor, right_factor] = factors_of_operands(index, depth);
    if (op.transpose_a || left_factor != factors[at(a)] || may_exceed_range(a))
        left = gathered(index, a, left, op.transpose_a, left_factor);
    if (op.transpose_b || right_factor != factors[at(b)] || may_exceed_range(b) ||
        !is_written_in_order(right))
        right = gathered(index, b, right, op.transpose_b, right_factor);
    Layer layer = new_layer(index, output);
    layer.macs = macs(index);
    layer.line = shape.width;
    TensorLayout out = new_view(shape);
    for (int block = 0; block < blocks(shape.channels); ++block) {
        std::vector<int> first_sets;  // of the lines of the second operand
        for (int y = 0; y < right.shape.height; ++y) {
            first_sets.push_back(static_cast<int>(layer.sets.size()));
            for (int from = 0; from < blocks(depth); ++from)
                layer.sets.push_back({right.at(block, y, from * lanes()),
                                      std::min(lanes(), depth - from * lanes()), false});
        }
        for (int p = 0; p < shape.pixels(); ++p) {
            const int y = p / shape.width, x = p % shape.width;
            std::vector<Term> terms;
            for (int from = 0; from < blocks(depth); ++from)
                terms.push_back({first_sets[at(right.shape.height == 1 ? 0 : y)] + from,
                                 left.at(from, left.shape.height == 1 ? 0 : y, x)});
            layer.add_output(out.at(block, y, x), block, std::move(terms));
        }
    }
    const double change = factors[at(output)] / (left_factor * right_factor);
    if (change != 1)
        layer.steps.push_back({StepKind::multiply, std::vector<VectorId>(at(blocks(shape.channels)),
                                                                         pool.same(change))});
    if (quantised)
        clamp_to_range(layer, ranges_[at(output)], factors[at(output)], blocks(shape.channels));
    layers.layers.push_back(std::move(layer));
    views_[output] = std::move(out);
}

}  // namespace macrame::tcu::compiler
