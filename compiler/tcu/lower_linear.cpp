/// Operators that are sums of products: the array makes them.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>

#include "compiler/graph/at.hpp"
#include "compiler/graph/kernels.hpp"
#include "compiler/graph/walk.hpp"
#include "compiler/graph/work.hpp"
#include "compiler/tcu/lower.hpp"

namespace macrame::tcu::compiler {

using graph::TensorId;

VectorId Lowering::pixel(const TensorLayout& view, int block, int y, int column) {
    const bool inside = y >= 0 && y < view.shape.height && column >= 0 && column < view.columns();
    return inside ? view.at(block, y, column) : kZeros;
}

Linear Lowering::new_sum(TensorId output) {
    const std::optional<Shape> shape = shape_of(tensor(output));
    if (!shape) throw Unsupported{"output with a batch: want one"};
    const int pack = packs_[at(output)];
    return Linear(pool, shape->channels * pack, shape->pixels() / pack);
}

void Lowering::add_bias(Linear& sum, int index, int pack) {
    const graph::Node& n = node(index);
    const graph::Tensor& given = tensor(n.inputs[2]);
    std::vector<float> bias;
    if (given.type == graph::Type::float32) {
        bias = reals(n.inputs[2]);
    } else {
        // Integers in steps of the products, whatever scale they are given.
        const graph::Quantisation& input = tensor(n.inputs[0]).quantisation;
        const graph::Quantisation& weights = tensor(n.inputs[1]).quantisation;
        graph::Node reader;
        reader.inputs = {n.inputs[2]};
        const std::vector<const graph::Bytes*> bytes = {&given.data.bytes()};
        const std::vector<std::int64_t> steps = graph::Call{graph_, reader, bytes}.whole(0);
        for (std::size_t k = 0; k < steps.size(); ++k)
            bias.push_back(static_cast<float>(steps[k]) * input.scale[0] *
                           weights.scale[weights.per_channel() ? k : 0]);
    }
    for (std::size_t i = 0; i < bias.size() * at(pack); ++i)
        sum.add_bias(static_cast<int>(i), static_cast<double>(bias[i % bias.size()]));
}

std::vector<float> Lowering::conv_set(int index, const std::vector<float>& weights, int ky,
                                      int from, int to, int delta, int pack) const {
    const graph::Node& n = node(index);
    const TensorLayout& in = view(n.inputs[0]);
    const auto& op = std::get<graph::Conv>(n.op);
    const graph::Window& w = op.window;
    const int channels = in.shape.channels, kernels = tensor(n.outputs[0]).shape[3];
    const int depth = channels / op.groups, per_group = kernels / op.groups;
    const int rows = std::min(lanes(), channels * in.pack - from * lanes());
    std::vector<float> set(at(rows) * at(lanes()), 0.0F);
    bool any = false;
    for (int row = 0; row < rows; ++row) {
        const int in_lane = from * lanes() + row, c = in_lane % channels;
        for (int lane = 0; lane < lanes(); ++lane) {
            const int out_lane = to * lanes() + lane, k = out_lane % kernels;
            if (out_lane >= kernels * pack || c / depth != k / per_group) continue;
            const int behind =
                in_lane / channels + delta - out_lane / kernels * w.stride_w + w.left;
            const int kx = behind / w.dilation_w;
            if (behind < 0 || behind % w.dilation_w != 0 || kx >= w.kernel_w) continue;
            const float value =
                weights[at(((k * w.kernel_h + ky) * w.kernel_w + kx) * depth + c % depth)];
            set[at(row * lanes() + lane)] = value;
            any = any || value != 0;
        }
    }
    return any ? set : std::vector<float>{};
}

void Lowering::add_conv(Linear& sum, int index, const graph::Conv& op, int pack) {
    const graph::Node& n = node(index);
    const TensorLayout& in = view(n.inputs[0]);
    const std::vector<float> weights = reals(n.inputs[1]);
    const std::vector<int>& out = tensor(n.outputs[0]).shape;
    const graph::Window& w = op.window;
    const int columns = out[2] / pack, step = pack * w.stride_w;
    // From the first pixel of an output vector to that of an input vector.
    const int first = -w.left - in.pack + 1;
    const int last = (pack - 1) * w.stride_w + (w.kernel_w - 1) * w.dilation_w - w.left;
    for (int to = 0; to < sum.groups(); ++to) {
        for (int from = 0; from < blocks(in.shape.channels * in.pack); ++from) {
            for (int ky = 0; ky < w.kernel_h; ++ky) {
                for (int delta = first; delta <= last; ++delta) {
                    // Vectors of this distance there are only if it fits the stride.
                    int column = 0;
                    while (column < std::min(columns, in.pack) &&
                           (column * step + delta) % in.pack != 0)
                        ++column;
                    if (column == std::min(columns, in.pack)) continue;
                    std::vector<float> set = conv_set(index, weights, ky, from, to, delta, pack);
                    if (set.empty()) continue;
                    const int number = sum.add_set(to, std::move(set), values(n.inputs[0]));
                    for (int y = 0; y < out[1]; ++y) {
                        const int iy = y * w.stride_h + ky * w.dilation_h - w.top;
                        for (int x = column; x < columns; ++x) {
                            const int ix = x * step + delta;
                            if (ix >= 0 && ix % in.pack == 0)
                                sum.add_term(y * columns + x, number,
                                             pixel(in, from, iy, ix / in.pack));
                        }
                    }
                }
            }
        }
    }
}

void Lowering::add_transposed(Linear& sum, int index, const graph::TransposeConv& op) {
    const graph::Node& n = node(index);
    const TensorLayout& in = view(n.inputs[0]);
    const std::vector<float> weights = reals(n.inputs[1]);
    const std::vector<int>& out = tensor(n.outputs[0]).shape;
    const graph::Window& w = op.window;
    const int channels = in.shape.channels, kernels = out[3];
    const int taps = w.kernel_h * w.kernel_w;
    for (int to = 0; to < sum.groups(); ++to) {
        for (int from = 0; from < blocks(channels); ++from) {
            const int rows = std::min(lanes(), channels - from * lanes());
            for (int tap = 0; tap < taps; ++tap) {
                std::vector<float> set(at(rows) * at(lanes()), 0.0F);
                for (int row = 0; row < rows; ++row)
                    for (int k = to * lanes(); k < std::min(kernels, (to + 1) * lanes()); ++k)
                        set[at(row * lanes() + k % lanes())] =
                            weights[at((k * taps + tap) * channels + from * lanes() + row)];
                const int number = sum.add_set(to, std::move(set), values(n.inputs[0]));
                for (int y = 0; y < in.shape.height; ++y) {
                    const int oy = y * w.stride_h - w.top + tap / w.kernel_w * w.dilation_h;
                    for (int x = 0; x < in.shape.width; ++x) {
                        const int ox = x * w.stride_w - w.left + tap % w.kernel_w * w.dilation_w;
                        if (oy < 0 || oy >= out[1] || ox < 0 || ox >= out[2]) continue;
                        sum.add_term(oy * out[2] + ox, number, in.at(from, y, x));
                    }
                }
            }
        }
    }
}

void Lowering::add_fully_connected(Linear& sum, int index) {
    const graph::Node& n = node(index);
    const TensorLayout& in = view(n.inputs[0]);
    const std::vector<float> weights = reals(n.inputs[1]);
    const int kernels = tensor(n.inputs[1]).shape[0], elements = tensor(n.inputs[1]).shape[1];
    const int channels = in.shape.channels;
    // Rows that are pixels, or one row of all elements.
    const bool rows_are_pixels = in.shape.pixels() * channels != elements;
    if (rows_are_pixels && channels != elements)
        throw Unsupported{"rows that are no pixels: want a reshape of whole channels"};
    for (int to = 0; to < sum.groups(); ++to) {
        for (int from = 0; from < blocks(channels * in.pack); ++from) {
            const int rows = std::min(lanes(), channels * in.pack - from * lanes());
            int number = -1;
            for (int p = 0; p < in.pixels(); ++p) {
                if (number < 0 || !rows_are_pixels) {
                    // Lanes of packed pixels are elements one behind the other, too.
                    const int first =
                        from * lanes() + (rows_are_pixels ? 0 : p * channels * in.pack);
                    std::vector<float> set(at(rows) * at(lanes()), 0.0F);
                    for (int row = 0; row < rows; ++row)
                        for (int k = to * lanes(); k < std::min(kernels, (to + 1) * lanes()); ++k)
                            set[at(row * lanes() + k % lanes())] =
                                weights[at(k * elements + first + row)];
                    number = sum.add_set(to, std::move(set), values(n.inputs[0]));
                }
                sum.add_term(rows_are_pixels ? p : 0, number,
                             in.vectors[at(from * in.pixels() + p)]);
            }
        }
    }
}

bool Lowering::is_streamed(int index) const {
    const graph::Node& n = node(index);
    const TensorLayout& in = view(n.inputs[0]);
    const int channels = in.shape.channels * in.pack;
    if (in.pixels() * channels != tensor(n.inputs[1]).shape[1] || channels % lanes() != 0 ||
        values(n.inputs[0]).range.known)
        return false;
    constexpr int kSwitch = 7;  // cycles from one set to the next beside those of its rows
    constexpr int kGather = 9;  // cycles for an output that ends in a lane of its own
    const int kernels = tensor(n.inputs[1]).shape[0];
    const int bus = kernels * machine_.beats, sets = in.pixels() * blocks(channels);
    const int direct = blocks(kernels) * (lanes() / machine_.vectors + kSwitch);
    const int streamed = kernels / machine_.vectors;
    const int more = lanes() / machine_.vectors + lanes();  // to spread a vector
    return sets * (std::max(bus, streamed) + more) + kGather * kernels <
           sets * std::max(bus, direct);
}

std::vector<VectorId> Lowering::spread(int index) {
    const graph::Node& n = node(index);
    const TensorLayout& in = view(n.inputs[0]);
    const auto count = static_cast<int>(in.vectors.size());
    Linear sum(pool, lanes() * lanes(), count);
    std::vector<VectorId> made, by_group(at(count * lanes()));
    for (int i = 0; i < count * lanes(); ++i)
        made.push_back(pool.variable());
    for (int lane = 0; lane < lanes(); ++lane) {
        std::vector<float> weights(at(lanes() * lanes()), 0.0F);
        weights[at(lane * lanes())] = 1.0F;
        const int set = sum.add_set(lane, std::move(weights), values(n.inputs[0]));
        for (int i = 0; i < count; ++i) {
            sum.add_term(i, set, in.vectors[at(i)]);
            by_group[at(lane * count + i)] = made[at(i * lanes() + lane)];
        }
    }
    Layer layer = new_layer(index, n.outputs[0]);
    sum.finish(layer, by_group, values(n.inputs[0]), false, 0);
    // Rows of a set of weights lie one behind the other.
    std::sort(layer.outputs.begin(), layer.outputs.end(),
              [](const Output& a, const Output& b) { return a.vector < b.vector; });
    layers.layers.push_back(std::move(layer));
    return made;
}

void Lowering::add_streamed(Linear& sum, int index) {
    const graph::Node& n = node(index);
    const std::vector<float> weights = reals(n.inputs[1]);
    const int kernels = tensor(n.inputs[1]).shape[0], elements = tensor(n.inputs[1]).shape[1];
    const std::vector<VectorId> rows = spread(index);
    Layer layer = new_layer(index, n.outputs[0]);
    layer.macs = macs(index);
    std::vector<std::vector<Term>> terms(at(kernels));
    // Elements of a block of channels lie one behind the other in each pixel.
    const int pixels = view(n.inputs[0]).pixels();
    for (int set = 0; set * lanes() < elements; ++set) {
        layer.sets.push_back({rows[at(set * lanes())], lanes(), false});
        const int block = set / pixels, blocks_of = elements / (pixels * lanes());
        const int first = (set % pixels * blocks_of + block) * lanes();
        for (int o = 0; o < kernels; ++o) {
            const auto from = weights.begin() + o * elements + first;
            terms[at(o)].push_back({set, pool.constant(std::vector<double>(from, from + lanes()))});
        }
    }
    for (int o = 0; o < kernels; ++o) {
        layer.add_output(pool.variable(), 0, std::move(terms[at(o)]));
        std::vector<float> row(at(lanes()), 0.0F);
        row[at(o % lanes())] = 1.0F;
        sum.add_term(0, sum.add_set(o / lanes(), std::move(row), values(n.inputs[0])),
                     layer.outputs[at(o)].vector);
    }
    layers.layers.push_back(std::move(layer));
}

std::uint64_t Lowering::add_products(Linear& sum, int index, int pack) {
    const graph::Node& n = node(index);
    std::uint64_t products = macs(index);
    if (const auto* conv = std::get_if<graph::Conv>(&n.op)) add_conv(sum, index, *conv, pack);
    if (const auto* op = std::get_if<graph::TransposeConv>(&n.op)) add_transposed(sum, index, *op);
    if (std::holds_alternative<graph::FullyConnected>(n.op)) {
        if (is_streamed(index)) {
            add_streamed(sum, index);
            products = 0;  // are in a layer of their own
        } else {
            add_fully_connected(sum, index);
        }
    }
    if (n.inputs.size() > 2 && n.inputs[2] != graph::kNone) add_bias(sum, index, pack);
    return products;
}

std::uint64_t Lowering::macs(int index) const { return graph::multiply_adds(graph_, node(index)); }

void Lowering::finish_sum(Linear& sum, int index, TensorId output, graph::Activation activation,
                          std::uint64_t macs) {
    const std::optional<Shape> shape = shape_of(tensor(output));
    if (!shape) throw Unsupported{"output with a batch: want one"};
    TensorLayout out = new_view(*shape, packs_[at(output)]);
    Layer layer = new_layer(index, output);
    layer.macs = macs;
    layer.line = out.columns();
    const Values of = values(output);
    const bool relu = activation == graph::Activation::relu ||
                      activation == graph::Activation::relu6 || clamps_at_zero(output);
    // Files in QDQ form leave a ReLU6 to the quantisation.
    const double half_step = of.range.high / 510;
    const bool to_six = clamps_at_zero(output) && std::abs(of.range.high - 6) < half_step;
    double high = 0;
    if (activation == graph::Activation::relu6 || to_six)
        high = of.range.known ? std::min(6.0, of.range.high) : 6;
    if (activation == graph::Activation::relu_n1_to_1) high = 1;
    sum.finish(layer, out.vectors, of, relu, high);
    if (activation == graph::Activation::relu_n1_to_1)
        layer.steps.push_back(
            {StepKind::maximum, std::vector<VectorId>(at(sum.groups()), pool.same(-of.factor))});
    views_[output] = std::move(out);
    layers.layers.push_back(std::move(layer));
}

void Lowering::lower_products(int index, graph::Activation activation) {
    const TensorId output = node(index).outputs[0];
    Linear sum = new_sum(output);
    const std::uint64_t products = add_products(sum, index, packs_[at(output)]);
    finish_sum(sum, index, output, activation, products);
}

void Lowering::add_tensor(Linear& sum, const TensorLayout& from, const Values& of, const Shape& to,
                          int pack, const std::vector<double>& factor) {
    const bool spread = from.shape.channels == 1 && to.channels > 1;
    const int columns = to.width / pack;
    for (int group = 0; group < sum.groups(); ++group) {
        const int count = std::min(lanes(), to.channels * pack - group * lanes());
        std::vector<float> set(at(spread ? 1 : count) * at(lanes()), 0.0F);
        for (int lane = 0; lane < count; ++lane)
            set[at((spread ? 0 : lane) * lanes() + lane)] =
                static_cast<float>(factor[at((group * lanes() + lane) % to.channels)]);
        const int number = sum.add_set(group, std::move(set), of);
        for (int y = 0; y < to.height; ++y)
            for (int x = 0; x < columns; ++x)
                sum.add_term(y * columns + x, number,
                             from.at(spread ? 0 : group, from.shape.height == 1 ? 0 : y,
                                     from.shape.width == 1 ? 0 : x));
    }
}

void Lowering::add_average(Linear& sum, int index, const Shape& to, const graph::Window& w) {
    const TensorLayout& in = view(node(index).inputs[0]);
    const int channels = in.shape.channels;
    for (int group = 0; group < sum.groups(); ++group) {
        const int count = std::min(lanes(), channels - group * lanes());
        // By pixels in the window, and which of a vector these are.
        std::map<std::pair<int, std::vector<int>>, int> sets;
        const auto set_of = [&](int pixels, const std::vector<int>& parts) {
            const auto [found, fresh] = sets.emplace(std::make_pair(pixels, parts), 0);
            if (!fresh) return found->second;
            const int rows = in.pack == 1 ? count : in.pack * channels;
            std::vector<float> set(at(rows) * at(lanes()), 0.0F);
            for (const int part : parts)
                for (int lane = 0; lane < count; ++lane)
                    set[at((part * channels + lane) * lanes() + lane)] =
                        1.0F / static_cast<float>(pixels);
            return found->second =
                       sum.add_set(group, std::move(set), values(node(index).inputs[0]));
        };
        for (int y = 0; y < to.height; ++y) {
            const int top = y * w.stride_h - w.top;
            const auto rows = graph::taps(top, w.kernel_h, w.dilation_h, in.shape.height);
            for (int x = 0; x < to.width; ++x) {
                const int left = x * w.stride_w - w.left;
                const auto columns = graph::taps(left, w.kernel_w, w.dilation_w, in.shape.width);
                std::map<int, std::vector<int>> parts;  // by column of vectors
                for (int kx = columns.first; kx < columns.end; ++kx) {
                    const int ix = left + kx * w.dilation_w;
                    parts[ix / in.pack].push_back(ix % in.pack);
                }
                const int pixels = (rows.end - rows.first) * (columns.end - columns.first);
                for (int ky = rows.first; ky < rows.end; ++ky)
                    for (const auto& [column, of] : parts)
                        sum.add_term(y * to.width + x, set_of(pixels, of),
                                     in.at(group, top + ky * w.dilation_h, column));
            }
        }
    }
}

}  // namespace macrame::tcu::compiler
