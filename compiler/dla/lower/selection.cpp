/// Channels taken apart: convolutions with weights of 0 and 1.

#include <algorithm>
#include <utility>

#include "compiler/dla/cbuf_plan.hpp"
#include "compiler/dla/limits.hpp"
#include "compiler/dla/lower/operators.hpp"
#include "compiler/dla/tiling.hpp"
#include "compiler/dla/values.hpp"

namespace macrame::dla::compiler {

namespace {

/// Atoms of a vector that are worth a layer of their own.
constexpr int kLongRun = 4;

}  // namespace

std::vector<int> add_selection(Lowering& lowering, int index, const Cube& whole,
                               const Selection& selection, const Cube& to,
                               const std::vector<int>& after) {
    std::vector<int> out;
    const int atom = lowering.context.sizes.atom_bytes;
    const auto vector = [&](const Cube& cube) {
        return cube.width == 1 && cube.height == 1 && is_legal(lowering.context.sizes, cube);
    };
    if (vector(whole) && vector(to) && to.channels > 2 * kLongRun * atom)
        return add_vector_selection(lowering, index, whole, selection, to, after);
    if (selection.stride_w > 8) throw Unsupported{"stride along the width: want at most 8"};
    const int lanes = std::max(lowering.context.sizes.atomic_c, lowering.context.sizes.atomic_k);
    for (int first = 0; first < to.channels; first += lanes) {
        const int count = std::min(lanes, to.channels - first);
        const auto begin = selection.channels.begin() + first;
        int low = whole.channels, high = 0;
        for (auto c = begin; c != begin + count; ++c) {
            if (*c < 0) continue;
            low = std::min(low, *c / atom * atom);
            high = std::max(high, *c + 1);
        }
        if (high == 0) {  // constants alone
            low = 0;
            high = std::min(atom, whole.channels);
        }
        ConvLayer conv;
        Cube in = lowering.part_of(lowering.block(whole, low, high - low), selection.y, selection.x,
                                   (to.height - 1) * selection.stride_h + 1,
                                   (to.width - 1) * selection.stride_w + 1);
        conv.stride_h = to.height == 1 ? 1 : selection.stride_h;
        conv.stride_w = to.width == 1 ? 1 : selection.stride_w;
        if (conv.stride_h > 1) {  // addresses step over lines
            in.line_stride *= static_cast<unsigned>(conv.stride_h);
            in.height = to.height;
            conv.stride_h = 1;
        }
        conv.input = in;
        conv.out_h = to.height;
        conv.out_w = to.width;
        conv.kernels = count;
        std::vector<std::int8_t> weights(at(count) * at(high - low), 0);
        LayerTarget target{Rounding::average, 0, -128, 127, {}};
        for (int k = 0; k < count; ++k) {
            const int c = begin[k];
            ChannelTarget channel{1.0, 0, -128, 127};
            if (c < 0) {
                channel = {1.0, selection.filler, 0, 0};
            } else {
                weights[at(k * (high - low) + c - low)] = 1;
            }
            target.channels.push_back(channel);
        }
        const Cube output = lowering.block(to, first, count);
        const bool constants = std::any_of(begin, begin + count, [](int c) { return c < 0; });
        if (constants) {
            conv.post = post_process(lowering, index, target, output);
        } else {
            conv.post.output = output;
        }
        gather(out, lowering.build.add_conv(std::move(conv), whole, std::move(weights), after, 0));
    }
    return out;
}

/// Packed vectors are lines of atoms: a run of channels goes to another lane of its atoms by a
/// window of two, in one layer.
std::vector<int> add_vector_selection(Lowering& lowering, int index, const Cube& whole,
                                      const Selection& selection, const Cube& to,
                                      const std::vector<int>& after) {
    const int atom = lowering.context.sizes.atom_bytes;
    const std::vector<int>& channels = selection.channels;
    const auto line = [&](const Cube& cube, int first, int count) {
        Cube out = lowering.block(cube, first * atom, atom);
        out.width = count;
        out.line_stride = out.surface_stride = static_cast<unsigned>(count * atom);
        return out;
    };
    const auto rest = [&](int first, int end) {
        Selection part;
        part.filler = selection.filler;
        part.channels.assign(channels.begin() + first, channels.begin() + end);
        return add_selection(lowering, index, whole, part, lowering.block(to, first, end - first),
                             after);
    };
    std::vector<int> out;
    int done = 0;  // channels in front of it
    for (int first = 0; first < to.channels;) {
        int end = first + 1;  // of a run of channels from there on
        while (channels[at(first)] >= 0 && end < to.channels &&
               channels[at(end)] == channels[at(end) - 1] + 1)
            ++end;
        const int begin = div_up(first, atom), count = end / atom - begin;
        first = end;
        if (count < kLongRun) continue;
        for (; done < begin * atom; done = std::min(done + kLongRun * atom, begin * atom))
            gather(out, rest(done, std::min(done + kLongRun * atom, begin * atom)));
        for (int part = 0; part < count; part += most_size() - 1) {
            const int atoms = std::min(most_size() - 1, count - part);
            const int source = channels[at((begin + part) * atom)], lane = source % atom;
            ConvLayer conv;
            conv.kernel_w = lane == 0 ? 1 : 2;
            const Cube in = line(whole, source / atom, atoms + conv.kernel_w - 1);
            conv.input = in;
            conv.out_w = atoms;
            conv.kernels = atom;
            conv.post.output = line(to, begin + part, atoms);
            std::vector<std::int8_t> weights(at(atom * conv.kernel_w * atom), 0);
            for (int k = 0; k < atom; ++k)
                weights[at(k * conv.kernel_w * atom + lane + k)] = 1;
            gather(out, lowering.build.add_conv(std::move(conv), in, std::move(weights), after, 0));
        }
        done = (begin + count) * atom;
    }
    for (; done < to.channels; done += kLongRun * atom)
        gather(out, rest(done, std::min(done + kLongRun * atom, to.channels)));
    return out;
}

}  // namespace macrame::dla::compiler
