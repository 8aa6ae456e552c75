/// Operators that move values and compute nothing: views of whole vectors where that is possible,
/// else sums with weights of 0 and 1, which are exact.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "compiler/graph/at.hpp"
#include "compiler/graph/kernels.hpp"
#include "compiler/graph/walk.hpp"
#include "compiler/tcu/lower.hpp"

namespace macrame::tcu::compiler {

using graph::TensorId;

namespace {

/// `shape` with axes of 1 in front, four altogether.
std::vector<int> four(const std::vector<int>& shape, int missing) {
    std::vector<int> out(shape.size() < 4 ? 4 - shape.size() : 0, missing);
    out.insert(out.end(),
               shape.end() - std::min<std::ptrdiff_t>(4, static_cast<std::ptrdiff_t>(shape.size())),
               shape.end());
    return out;
}

}  // namespace

VectorId Lowering::whole_vector(const std::vector<Element>& elements,
                                const std::vector<TensorId>& from) const {
    if (std::all_of(elements.begin(), elements.end(),
                    [](const Element& e) { return e.channel < 0; }))
        return kZeros;
    const Element& first = elements.front();
    if (first.channel < 0 || first.channel % lanes() != 0) return kNone;
    for (std::size_t lane = 0; lane < elements.size(); ++lane) {
        const Element& e = elements[lane];
        if (e.input != first.input || e.y != first.y || e.x != first.x ||
            e.channel != first.channel + static_cast<int>(lane))
            return kNone;
    }
    // Lanes behind these must be zeros there, too.
    const TensorLayout& view = this->view(from[first.input]);
    const int behind = first.channel + static_cast<int>(elements.size());
    if (behind % lanes() != 0 && behind != view.shape.channels) return kNone;
    return view.at(first.channel / lanes(), first.y, first.x);
}

void Lowering::add_selection(Linear& sum, int group, int position,
                             const std::vector<Element>& elements,
                             const std::vector<TensorId>& from, double factor,
                             SelectionSets& sets) {
    // Of each vector the lanes from and to, and how many of its lanes may be other than zero.
    struct Source {
        std::vector<std::array<int, 2>> pairs;
        int rows = 0;
    };
    std::map<std::pair<VectorId, std::size_t>, Source> by_vector;
    for (std::size_t lane = 0; lane < elements.size(); ++lane) {
        const Element& e = elements[lane];
        if (e.channel < 0) continue;
        const TensorLayout& view = this->view(from[e.input]);
        const int block = e.channel / lanes();
        Source& source = by_vector[{view.at(block, e.y, e.x), e.input}];
        source.pairs.push_back({e.channel % lanes(), static_cast<int>(lane)});
        source.rows = std::min(lanes(), view.shape.channels - block * lanes());
    }
    for (const auto& [source, of] : by_vector) {
        const auto [found, fresh] = sets.emplace(std::make_tuple(group, of.rows, of.pairs), 0);
        if (fresh) {
            std::vector<float> weights(at(of.rows) * at(lanes()), 0.0F);
            for (const auto& pair : of.pairs)
                weights[at(pair[0] * lanes() + pair[1])] = 1.0F;
            found->second =
                sum.add_set(group, std::move(weights), {ranges_[at(from[source.second])], factor});
        }
        sum.add_term(position, found->second, source.first);
    }
}

void Lowering::select(int index, TensorId output, const Shape& shape,
                      const std::vector<TensorId>& from, const ElementOf& element) {
    TensorLayout out{shape,
                     std::vector<VectorId>(at(blocks(shape.channels) * shape.pixels()), kNone)};
    std::vector<VectorId> made(out.vectors.size(), kZeros);  // those of sums
    Linear sum(pool, shape.channels, shape.pixels());
    SelectionSets sets;
    bool any = false;
    for (int block = 0; block < blocks(shape.channels); ++block) {
        const int count = std::min(lanes(), shape.channels - block * lanes());
        std::vector<std::vector<Element>> elements(at(shape.pixels()));
        bool whole = true;
        for (int p = 0; p < shape.pixels(); ++p) {
            for (int lane = 0; lane < count; ++lane)
                elements[at(p)].push_back(
                    element(p / shape.width, p % shape.width, block * lanes() + lane));
            VectorId& vector = out.vectors[at(block * shape.pixels() + p)];
            vector = whole_vector(elements[at(p)], from);
            whole = whole && vector != kNone;
        }
        if (whole) continue;
        any = true;
        for (int p = 0; p < shape.pixels(); ++p) {
            const std::size_t place = at(block * shape.pixels() + p);
            out.vectors[place] = made[place] = pool.variable();
            add_selection(sum, block, p, elements[at(p)], from, values(output).factor, sets);
        }
    }
    if (any) {
        Layer layer = new_layer(index, output);
        layer.line = shape.width;
        sum.finish(layer, made, values(output), false, 0);
        layers.layers.push_back(std::move(layer));
    }
    views_[output] = std::move(out);
}

void Lowering::lower_concat(int index, const graph::Concat& op) {
    const graph::Node& n = node(index);
    const TensorId output = n.outputs[0];
    for (const TensorId id : n.inputs)
        if (constant(id)) views_[id] = constant_view(id, factors[at(output)], false);
    const int axis = op.axis + 4 - static_cast<int>(tensor(output).shape.size());
    if (axis < 1) throw Unsupported{"along a batch: want another axis"};
    std::vector<int> starts = {0};
    for (const TensorId id : n.inputs)
        starts.push_back(starts.back() + four(tensor(id).shape, 1)[at(axis)]);
    select(index, output, shape_without_batch(tensor(output)), n.inputs,
           [&](int y, int x, int channel) {
               int place[3] = {y, x, channel};
               int& along = place[axis - 1];
               const auto next = std::upper_bound(starts.begin(), starts.end(), along);
               const auto input = static_cast<std::size_t>(next - starts.begin()) - 1;
               along -= starts[input];
               return Element{input, place[0], place[1], place[2]};
           });
    if (op.activation != graph::Activation::none) throw Unsupported{"an activation: want none"};
}

void Lowering::lower_slice(int index, std::size_t output, const std::vector<int>& begin,
                           const std::vector<int>& stride) {
    const graph::Node& n = node(index);
    const TensorId id = n.outputs[output];
    const std::vector<int> from = four(begin, 0), step = four(stride, 1);
    select(index, id, shape_without_batch(tensor(id)), {n.inputs[0]},
           [&](int y, int x, int channel) {
               return Element{0, from[1] + y * step[1], from[2] + x * step[2],
                              from[3] + channel * step[3]};
           });
}

void Lowering::lower_split(int index, const graph::Split& op) {
    const graph::Node& n = node(index);
    const std::size_t rank = tensor(n.inputs[0]).shape.size();
    const std::vector<int> stride(rank, 1);
    int first = 0;
    for (std::size_t i = 0; i < n.outputs.size(); ++i) {
        std::vector<int> begin(rank, 0);
        begin[at(op.axis)] = first;
        lower_slice(index, i, begin, stride);
        first += tensor(n.outputs[i]).shape[at(op.axis)];
    }
}

void Lowering::lower_pad(int index, const graph::Pad& op) {
    const graph::Node& n = node(index);
    std::array<std::array<int, 2>, 4> by{};
    for (std::size_t i = 0; i < op.amounts.size(); ++i)
        by[i + 4 - op.amounts.size()] = op.amounts[i];
    const Shape in = view(n.inputs[0]).shape;
    select(index, n.outputs[0], shape_without_batch(tensor(n.outputs[0])), {n.inputs[0]},
           [&](int y, int x, int channel) {
               const int iy = y - by[1][0], ix = x - by[2][0], c = channel - by[3][0];
               const bool inside = iy >= 0 && iy < in.height && ix >= 0 && ix < in.width &&
                                   c >= 0 && c < in.channels;
               return inside ? Element{0, iy, ix, c} : Element{};
           });
}

bool Lowering::is_flat(int index) const {
    const TensorId output = node(index).outputs[0];
    const std::vector<int> users = readers(output);
    return !is_output(output) && std::all_of(users.begin(), users.end(), [&](int user) {
        const auto* op = std::get_if<graph::FullyConnected>(&node(user).op);
        return op != nullptr && static_cast<std::size_t>(tensor(node(user).inputs[1]).shape[1]) ==
                                    tensor(output).elements();
    });
}

void Lowering::check_form(int index) const {
    const graph::Node& n = node(index);
    const graph::Tensor& output = tensor(n.outputs[0]);
    if (std::holds_alternative<graph::Reshape>(n.op)) {
        if (!is_flat(index) && !shape_of(output)) throw Unsupported{"to a batch: want one"};
    } else if (const auto* op = std::get_if<graph::Transpose>(&n.op)) {
        if (op->order.size() > 4) throw Unsupported{"of more than four axes: want at most four"};
        shape_without_batch(output);
    }
}

void Lowering::lower_reshape(int index) {
    const graph::Node& n = node(index);
    const TensorId input = n.inputs[0], output = n.outputs[0];
    const TensorLayout& in = view(input);
    if (is_flat(index)) {
        views_[output] = TensorLayout(in);
        return;
    }
    const Shape before = in.shape, shape = shape_without_batch(tensor(output));
    select(index, output, shape, {input}, [&](int y, int x, int channel) {
        const int element = (y * shape.width + x) * shape.channels + channel;
        const int p = element / before.channels;
        return Element{0, p / before.width, p % before.width, element % before.channels};
    });
}

void Lowering::lower_transpose(int index, const graph::Transpose& op) {
    const graph::Node& n = node(index);
    const std::size_t missing = 4 - op.order.size();
    std::array<int, 4> order{};
    for (std::size_t i = 0; i < 4; ++i)
        order[i] =
            i < missing ? static_cast<int>(i) : op.order[i - missing] + static_cast<int>(missing);
    select(index, n.outputs[0], shape_without_batch(tensor(n.outputs[0])), {n.inputs[0]},
           [&](int y, int x, int channel) {
               std::array<int, 4> from{};
               const std::array<int, 4> to = {0, y, x, channel};
               for (std::size_t i = 0; i < 4; ++i)
                   from[at(order[i])] = to[i];
               return Element{0, from[1], from[2], from[3]};
           });
}

void Lowering::lower_resize(int index, const graph::Resize& op) {
    const graph::Node& n = node(index);
    if (op.function == graph::Resampling::bilinear) {
        const auto channels = at(shape_without_batch(tensor(n.outputs[0])).channels);
        return lower_bilinear(index, index,
                              {std::vector<double>(channels, 1.0), std::vector<double>(channels)},
                              graph::Activation::none);
    }
    const Shape in = view(n.inputs[0]).shape, out = shape_without_batch(tensor(n.outputs[0]));
    select(index, n.outputs[0], out, {n.inputs[0]}, [&](int y, int x, int channel) {
        return Element{0, graph::nearest_source(y, in.height, out.height, op),
                       graph::nearest_source(x, in.width, out.width, op), channel};
    });
}

}  // namespace macrame::tcu::compiler
