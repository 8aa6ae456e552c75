#include "compiler/dla/cost.hpp"

#include <algorithm>

#include "compiler/dla/buffer.hpp"

namespace macrame::dla::compiler {

namespace {

using Count = std::uint64_t;

Count count(int n) { return static_cast<Count>(n); }

/// Between two layers of which the second has its data when the first ends.
constexpr Count kQueued = 30;

/// Positions of a stripe; a short one takes as long as AK (NVDLA timing).
Count stripes(const model::DeviceSizes& sizes, int positions, bool image) {
    const int up = (image && sizes.atomic_c / sizes.atomic_k == 4 ? 4 : 2) * sizes.atomic_k;
    const int low = image ? up : sizes.atomic_k;
    Count cycles = 0;
    for (int done = 0; done < positions;) {
        const int left = positions - done;
        const int length = left >= 2 * up ? up : left <= up ? left : low;
        cycles += count(std::max(length, sizes.atomic_k));
        done += length;
    }
    return cycles;
}

Count cube_bytes(const model::DeviceSizes& sizes, int width, int height, int channels) {
    return count(width) * count(height) * round_up(count(channels), count(sizes.atom_bytes));
}

int sdp_throughput(const model::DeviceSizes& sizes, const PostProcess& post) {
    const int x = std::max(sizes.sdp_bs_throughput, sizes.sdp_bn_throughput);
    if (!post.ew.bypass) return std::max(1, std::min(x, sizes.sdp_ew_throughput));
    return std::max(1, x);
}

Count operand_bytes(const model::DeviceSizes& sizes, const PostProcess& post, Count elements) {
    Count bytes = 0;
    for (const auto* operands : {&post.bs.memory, &post.bn.memory, &post.ew.memory}) {
        if (!*operands) continue;
        const Count record =
            ((*operands)->alu && (*operands)->mul ? 2u : 1u) * ((*operands)->two_byte ? 2u : 1u);
        const Count channels = round_up(count(post.output.channels), count(sizes.atom_bytes));
        bytes += record * ((*operands)->per_element ? elements : channels);
    }
    return bytes;
}

Bounds conv_bounds(const model::DeviceSizes& sizes, const ConvLayer& c) {
    Bounds b;
    const Count groups = count(div_up(c.kernels, sizes.atomic_k));
    const Count taps = count(div_up(c.kernel_h, c.rows_per_step)) * count(kernel_columns(c)) *
                       count(div_up(kernel_channels(c), sizes.atomic_c));
    const Count positions = c.is_image() ? count(c.out_h) * stripes(sizes, c.out_w, true)
                                         : stripes(sizes, c.out_w * c.out_h, false);
    b.mac = groups * positions * taps;
    const Count outputs = count(c.out_w) * count(c.out_h);
    b.sdp = groups * outputs * count(div_up(sizes.atomic_k, sdp_throughput(sizes, c.post)));
    Count input = 0;
    if (const Pixels* pixels = std::get_if<Pixels>(&c.input)) {
        input = count(pixels->height) * pixels->line_stride;
    } else {
        const Cube& cube = std::get<Cube>(c.input);
        input = cube_bytes(sizes, cube.width, cube.height, cube.channels);
    }
    const Count out = cube_bytes(sizes, c.out_w, c.out_h, c.kernels);
    const Count reads = input + c.weight_bytes + operand_bytes(sizes, c.post, out);
    const Count bus = count(std::min(sizes.bus_bytes, sizes.atom_bytes));
    b.read_bytes = reads;
    b.write_bytes = out;
    b.memory = std::max(reads, out) / bus;
    const Count first_group = c.weight_bytes / groups;
    b.start = 200 + (input + first_group) * 3 / 10 / bus;
    return b;
}

}  // namespace

std::uint64_t Bounds::most() const { return std::max({mac, sdp, memory}); }

Bounds bounds(const model::DeviceSizes& sizes, const Layer& layer) {
    if (const ConvLayer* conv = std::get_if<ConvLayer>(&layer.work))
        return conv_bounds(sizes, *conv);
    Bounds b;
    const Count bus = count(std::min(sizes.bus_bytes, sizes.atom_bytes));
    b.start = 100;
    if (const SdpLayer* sdp = std::get_if<SdpLayer>(&layer.work)) {
        const Count elements =
            cube_bytes(sizes, sdp->input.width, sdp->input.height, sdp->input.channels);
        b.sdp = elements / count(sdp_throughput(sizes, sdp->post));
        b.read_bytes = elements + operand_bytes(sizes, sdp->post, elements);
        b.write_bytes = elements;
        b.memory = b.read_bytes / bus;
        return b;
    }
    const PdpLayer& pdp = std::get<PdpLayer>(layer.work);
    const Count elements = cube_bytes(sizes, pdp.input.width, pdp.input.height, pdp.input.channels);
    b.sdp = elements / count(sizes.pdp_throughput);
    b.read_bytes = elements;
    b.write_bytes = cube_bytes(sizes, pdp.output.width, pdp.output.height, pdp.output.channels);
    b.memory = elements / bus;
    return b;
}

void estimate(const model::DeviceSizes& sizes, std::vector<Layer>& layers) {
    for (std::size_t i = 0; i < layers.size(); ++i) {
        const std::vector<int>& after = layers[i].after;
        const int last = after.empty() ? -1 : *std::max_element(after.begin(), after.end());
        // It is fetched while the layer before it runs, if it does not read what that writes.
        const bool queued = i > 0 && last < static_cast<int>(i) - 1;
        const Bounds b = bounds(sizes, layers[i]);
        layers[i].cycles = b.most() + (queued ? kQueued : b.start);
    }
}

}  // namespace macrame::dla::compiler
