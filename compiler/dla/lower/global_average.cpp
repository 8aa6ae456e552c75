/// Averages over a whole cube without zeros between the weights.

#include <algorithm>
#include <optional>
#include <utility>

#include "compiler/dla/cbuf_plan.hpp"
#include "compiler/dla/cost.hpp"
#include "compiler/dla/limits.hpp"
#include "compiler/dla/lower/operators.hpp"
#include "compiler/dla/tiling.hpp"
#include "compiler/dla/values.hpp"

namespace macrame::dla::compiler {

namespace {

/// Between a layer and one that reads what it writes.
constexpr std::uint64_t kDependent = 250;

std::uint64_t cycles(const model::Architecture& sizes, const ConvLayer& conv) {
    Layer layer;
    layer.work = conv;
    return bounds(sizes, layer).most() + kQueued;
}

bool is_packed(const Cube& cube, int atom) {
    const auto line = static_cast<unsigned>(cube.width * atom);
    return (cube.height == 1 || cube.line_stride == line) &&
           (cube.channels <= atom ||
            cube.surface_stride == line * static_cast<unsigned>(cube.height));
}

}  // namespace

/// Convolutions that make averages of a cube, the first of which the others may read.
class GlobalAverage {
public:
    GlobalAverage(Lowering& lowering, int index, const Cube& in, const Cube& out)
        : to_(lowering),
          sizes_(lowering.context.sizes),
          index_(index),
          in_(in),
          out_(out),
          atom_(sizes_.atom_bytes),
          surfaces_(div_up(in.channels, atom_)),
          positions_(in.height * in.width) {}

    /// The layers; none if the hardware has no way. Lanes behind the last channel are computed,
    /// too, and nobody reads them.
    std::vector<int> add(const ChannelTarget& channel, LayerTarget target) {
        const bool as_weights =
            sizes_.atomic_k == atom_ && in_.place.offset % kWeightAlignment == 0;
        const bool kernel = std::max(in_.height, in_.width) <= kMaxKernel;
        const std::uint64_t none = ~std::uint64_t{0};
        const std::uint64_t weights = as_weights && kernel ? cost({values_as_weights()}) : none;
        std::uint64_t lines = none;
        int height = 0;
        for (int h = 1; h <= kMaxStride && h <= positions_; ++h) {
            if (positions_ % h != 0 || positions_ / h > kMaxKernel) continue;
            const std::uint64_t now = cost({surfaces_as_lines(h)});
            if (now < lines) {
                lines = now;
                height = h;
            }
        }
        std::uint64_t transposed = none;
        if (as_weights && atom_ <= sizes_.atomic_c &&
            static_cast<unsigned>(atom_ * atom_) % kWeightAlignment == 0 &&
            surfaces_ * positions_ <= kMaxKernels) {
            std::vector<ConvLayer> all{transposition()};
            for (int s = 0; s < surfaces_; ++s)
                all.push_back(sum_of_lanes(s, {}));
            transposed = cost(all);
            if (transposed != none) transposed += kDependent;
        }
        const std::uint64_t least = std::min({weights, lines, transposed});
        if (least == none) return {};
        const auto finish = [&](ConvLayer conv) {
            const Cube output = conv.post.output;
            target.channels.assign(at(conv.kernels), channel);
            conv.post = post_process(to_, index_, target, output);
            return conv;
        };
        const std::vector<int> writers = to_.location_of(to_.node(index_).inputs[0]).writers;
        if (least == lines) {
            ConvLayer conv = finish(surfaces_as_lines(height));
            conv.weights = to_.build.add_constant(
                name() + " weights", weight_stream(sizes_, conv, diagonal(atom_, positions_)));
            return {add(std::move(conv), writers)};
        }
        if (least == weights) {
            ConvLayer conv = finish(values_as_weights());
            set_data(conv, std::vector<std::uint8_t>(at(positions_ * atom_), 1));
            return {add(std::move(conv), writers)};
        }
        ConvLayer conv = transposition();
        std::vector<std::uint8_t> unit(at(atom_ * atom_), 0);
        for (int i = 0; i < atom_; ++i)
            unit[at(i * atom_ + i)] = 1;
        set_data(conv, std::move(unit));
        const Cube rows = to_.build.new_cube(name() + " transposed", atom_, 1, conv.kernels);
        conv.post.output = rows;
        const int first = add(std::move(conv), writers);
        std::vector<int> out;
        for (int s = 0; s < surfaces_; ++s) {
            ConvLayer sum = finish(sum_of_lanes(s, rows));
            const int begin = s * positions_ / atom_ * atom_;
            std::vector<std::uint8_t> ones(at(sum.kernel_w * atom_), 0);
            for (int i = s * positions_; i < (s + 1) * positions_; ++i)
                ones[at(i - begin)] = 1;
            set_data(sum, std::move(ones));
            out.push_back(add(std::move(sum), {first}));
        }
        return out;
    }

private:
    /// WEIGHT_KERNEL has 13 bits.
    static constexpr int kMaxKernels = 8192;

    /// A surface has the order of weights with one channel and a kernel per lane: the values are
    /// the weights, and the data are ones.
    ConvLayer values_as_weights() const {
        ConvLayer conv;
        conv.input = data(in_.width, in_.height, 1);
        conv.kernel_h = in_.height;
        conv.kernel_w = in_.width;
        conv.kernels = surfaces_ * atom_;
        conv.weights = in_.place;
        conv.weight_bytes = weight_bytes(conv);
        conv.post.output = out_;
        conv.post.output.channels = conv.kernels;
        return conv;
    }

    /// Surfaces one below the other are a cube of one surface: a line of its output is the average
    /// of one of them.
    ConvLayer surfaces_as_lines(int height) const {
        ConvLayer conv;
        const int width = positions_ / height;
        Cube cube = data(width, height * surfaces_, atom_);
        cube.place = in_.place;
        conv.input = cube;
        conv.kernel_h = height;
        conv.kernel_w = width;
        conv.stride_h = surfaces_ == 1 ? 1 : height;
        conv.out_h = surfaces_;
        conv.kernels = atom_;
        conv.weight_bytes = weight_bytes(conv);
        conv.post.output = data(1, surfaces_, atom_);
        conv.post.output.place = out_.place;
        return conv;
    }

    /// A pixel of a surface is a kernel of one atom of channels. Times unit vectors it gives a cube
    /// with a column for each lane and the pixels as channels.
    ConvLayer transposition() const {
        ConvLayer conv;
        conv.input = data(atom_, 1, atom_);
        conv.out_w = atom_;
        conv.kernels = surfaces_ * positions_;
        conv.weights = in_.place;
        conv.weight_bytes = weight_bytes(conv);
        conv.post.output = data(atom_, 1, conv.kernels);
        return conv;
    }

    /// Of that cube, the columns are kernels: the surfaces that hold pixels of surface `s` of the
    /// input, times ones where they do.
    ConvLayer sum_of_lanes(int s, const Cube& rows) const {
        const int first = s * positions_ / atom_, last = ((s + 1) * positions_ - 1) / atom_;
        ConvLayer conv;
        conv.kernel_w = last - first + 1;
        conv.input = data(conv.kernel_w, 1, atom_);
        conv.kernels = atom_;
        conv.weights = rows.place;
        conv.weights.offset += static_cast<std::uint64_t>(first) * rows.surface_stride;
        conv.weight_bytes = weight_bytes(conv);
        conv.post.output = to_.block(out_, s * atom_, atom_);
        return conv;
    }

    /// A packed cube, to be placed.
    Cube data(int width, int height, int channels) const {
        const auto line = static_cast<unsigned>(width * atom_);
        return {width, height, channels, {}, line, line * static_cast<unsigned>(height)};
    }

    void set_data(ConvLayer& conv, std::vector<std::uint8_t> bytes) const {
        std::get<Cube>(conv.input).place =
            to_.build.add_constant(name() + " data", std::move(bytes));
    }

    /// Of all; the largest number if the buffer is too small for one.
    std::uint64_t cost(const std::vector<ConvLayer>& layers) const {
        std::uint64_t sum = 0;
        for (const ConvLayer& conv : layers) {
            if (excess(conv) || !plan_cbuf(sizes_, conv)) return ~std::uint64_t{0};
            sum += cycles(sizes_, conv);
        }
        return sum;
    }

    int add(ConvLayer conv, const std::vector<int>& after) {
        conv.buffer = *plan_cbuf(sizes_, conv);
        Layer layer;
        layer.work = std::move(conv);
        layer.name = name();
        layer.node = index_;
        layer.after = after;
        return to_.build.add_layer(std::move(layer));
    }

    const std::string& name() const { return to_.tensor(to_.node(index_).outputs[0]).name; }

    Lowering& to_;
    const model::Architecture& sizes_;
    const int index_;
    const Cube &in_, &out_;
    const int atom_, surfaces_, positions_;
};

std::vector<int> add_global_average(Lowering& lowering, int index, const Cube& in, const Cube& out,
                                    const graph::Window& window, const ChannelTarget& channel,
                                    LayerTarget target) {
    if (!is_packed(in, lowering.context.sizes.atom_bytes) || out.width * out.height != 1 ||
        !is_legal(lowering.context.sizes, out) || in.width * in.height == 1 ||
        window.kernel_h != in.height || window.kernel_w != in.width)
        return {};
    return GlobalAverage(lowering, index, in, out).add(channel, std::move(target));
}

}  // namespace macrame::dla::compiler
