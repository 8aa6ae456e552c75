#include "compiler/dla/cost.hpp"

#include <algorithm>

#include "compiler/dla/cbuf_plan.hpp"
#include "compiler/dla/fetch.hpp"
#include "compiler/dla/stripes.hpp"
#include "compiler/dla/timing.hpp"

namespace macrame::dla::compiler {

namespace {

using Count = std::uint64_t;

Count as_count(int n) { return static_cast<Count>(n); }

/// Bytes of a read channel per cycle.
Count port_bytes(const model::Architecture& sizes) {
    const int bus = std::min(sizes.bus_bytes, sizes.atom_bytes);
    return as_count(sizes.axi_bytes == 0 ? bus : std::min(bus, sizes.axi_bytes));
}

/// Windows of an axis that reach over its end, and positions at its beginning behind which none is
/// complete.
struct Edge {
    int late, free;
};
Edge edge(int input, int output, int kernel, int stride, int before) {
    Edge out{0, std::max(0, kernel - 1 - before)};
    for (int o = output - 1; o >= 0 && o * stride - before + kernel > input; --o)
        ++out.late;
    return out;
}

/// Atoms and windows that PDP takes one after the other: windows over the right edge go beside the
/// first columns of the next line as long as these complete none, rows over the bottom edge beside
/// the first lines of the next surface.
Count pdp_turns(const model::Architecture& sizes, const PdpLayer& p) {
    const Edge x = edge(p.input.width, p.output.width, p.kernel_w, p.stride_w, p.left);
    const Edge y = edge(p.input.height, p.output.height, p.kernel_h, p.stride_h, p.top);
    const Count surfaces = as_count(div_up(p.input.channels, sizes.atom_bytes));
    const Count line = as_count(p.input.width + std::max(0, x.late - x.free));
    const Count rows = (surfaces - 1) * as_count(std::max(0, y.late - y.free)) + as_count(y.late);
    return surfaces * as_count(p.input.height) * line + as_count(std::min(x.late, x.free)) +
           rows * as_count(p.output.width);
}

Count cube_bytes(const model::Architecture& sizes, int width, int height, int channels) {
    return as_count(width) * as_count(height) *
           round_up(as_count(channels), as_count(sizes.atom_bytes));
}

Count operand_bytes(const model::Architecture& sizes, const PostProcess& post, Count elements) {
    Count bytes = 0;
    for (const auto* operands : {&post.bs.memory, &post.bn.memory, &post.ew.memory}) {
        if (!*operands) continue;
        const Count record =
            ((*operands)->alu && (*operands)->mul ? 2u : 1u) * ((*operands)->two_byte ? 2u : 1u);
        const Count channels = round_up(as_count(post.output.channels), as_count(sizes.atom_bytes));
        bytes += record * ((*operands)->per_element ? elements : channels);
    }
    return bytes;
}

Bounds conv_bounds(const model::Architecture& sizes, const ConvLayer& c) {
    Bounds b;
    const Count groups = as_count(div_up(c.kernels, sizes.atomic_k));
    const ConvSteps steps = steps_of(sizes, c);
    const int last = c.kernels - (static_cast<int>(groups) - 1) * sizes.atomic_k;
    b.mac = (groups - 1) * group_cycles(steps, least_step(sizes, c, sizes.atomic_k)) +
            group_cycles(steps, least_step(sizes, c, last));
    const Count outputs = as_count(c.out_w) * as_count(c.out_h);
    b.sdp = groups * outputs * as_count(div_up(sizes.atomic_k, sdp_throughput(sizes, c.post)));
    Count input = 0, pixels_fetched = 0;
    if (const Pixels* pixels = std::get_if<Pixels>(&c.input)) {
        input = as_count(pixels->height) * pixels->line_stride;
        pixels_fetched =
            as_count(pixels->height) *
            as_count(pixels->components == 1 ? div_up(pixels->width, 4) : pixels->width);
    } else {
        const Cube& cube = std::get<Cube>(c.input);
        input = cube_bytes(sizes, cube.width, cube.height, cube.channels);
    }
    Count out = cube_bytes(sizes, c.out_w, c.out_h, c.kernels);
    if (c.pool) {
        b.sdp = std::max(b.sdp, out / as_count(sizes.pdp_throughput));
        const Cube& pooled = c.pool->output;
        out = cube_bytes(sizes, pooled.width, pooled.height, pooled.channels);
    }
    const Count weights = fetched_weight_bytes(c);
    const Count reads = input + weights + operand_bytes(sizes, c.post, out);
    const Count bus = port_bytes(sizes);
    b.read_bytes = reads;
    b.write_bytes = out;
    b.memory = std::max(std::max(reads, out) / bus, pixels_fetched);
    if (sizes.wt_atoms > 1) {  // weights beside all else, the port gives as much as they take
        const Count port = static_cast<Count>(weight_rate(sizes));
        b.memory = std::max({reads / port, std::max(reads - weights, out) / bus, pixels_fetched});
    }
    b.start = 200 + (input + weights / groups) * 3 / 10 / bus;
    return b;
}

}  // namespace

int sdp_throughput(const model::Architecture& sizes, const PostProcess& post) {
    const int x = std::max(sizes.sdp_bs_throughput, sizes.sdp_bn_throughput);
    if (!post.ew.bypass) return std::max(1, std::min(x, sizes.sdp_ew_throughput));
    return std::max(1, x);
}

std::uint64_t row_records(const RowLayer& row) {
    return row.settings.mode == model::RowMode::softmax ? as_count(model::kRowDifferences)
                                                        : as_count(row.input.channels);
}

std::uint64_t row_solver_cycles(const RowLayer& row) {
    return row.settings.mode == model::RowMode::softmax ? 61 : 100;
}

std::uint64_t row_cycles(const model::Architecture& sizes, const RowLayer& row) {
    const Count beats =
        cube_bytes(sizes, 1, 1, row.input.channels) / as_count(sizes.row_throughput);
    return std::max(beats, row_solver_cycles(row));
}

std::uint64_t Bounds::most() const { return std::max({mac, sdp, memory}); }

Bounds bounds(const model::Architecture& sizes, const Layer& layer) {
    if (const ConvLayer* conv = std::get_if<ConvLayer>(&layer.work))
        return conv_bounds(sizes, *conv);
    Bounds b;
    b.start = 100;
    if (std::holds_alternative<HostLayer>(layer.work)) return b;
    const Count bus = port_bytes(sizes);
    if (const SdpLayer* sdp = std::get_if<SdpLayer>(&layer.work)) {
        const Count elements =
            cube_bytes(sizes, sdp->input.width, sdp->input.height, sdp->input.channels);
        b.sdp = elements / as_count(sdp_throughput(sizes, sdp->post));
        b.read_bytes = elements + operand_bytes(sizes, sdp->post, elements);
        b.write_bytes = elements;
        b.memory = b.read_bytes / bus;
        return b;
    }
    if (const CdpLayer* cdp = std::get_if<CdpLayer>(&layer.work)) {
        const Count elements =
            cube_bytes(sizes, cdp->input.width, cdp->input.height, cdp->input.channels);
        b.sdp = elements / as_count(sizes.cdp_throughput);
        b.read_bytes = b.write_bytes = elements;
        b.memory = elements / bus;
        return b;
    }
    if (const RowLayer* row = std::get_if<RowLayer>(&layer.work)) {
        const Cube& in = row->input;
        const Count elements = cube_bytes(sizes, in.width, in.height, in.channels);
        const Count records = row_records(*row) * model::kRowRecordBytes;
        b.sdp = records / as_count(std::min(model::kRowRecordBytes, sizes.atom_bytes)) +
                as_count(in.width) * as_count(in.height) * row_cycles(sizes, *row);
        b.read_bytes = elements + records;
        b.write_bytes = elements;
        b.memory = b.read_bytes / bus;
        return b;
    }
    if (const RubikLayer* rubik = std::get_if<RubikLayer>(&layer.work)) {
        const Count bytes =
            cube_bytes(sizes, rubik->input.width, rubik->input.height, rubik->input.channels);
        b.sdp = bytes / as_count(sizes.atom_bytes);
        b.read_bytes = b.write_bytes = bytes;
        b.memory = bytes / bus;
        return b;
    }
    const PdpLayer& pdp = std::get<PdpLayer>(layer.work);
    const Count elements = cube_bytes(sizes, pdp.input.width, pdp.input.height, pdp.input.channels);
    b.sdp = pdp_turns(sizes, pdp) * as_count(sizes.atom_bytes) / as_count(sizes.pdp_throughput);
    b.read_bytes = elements;
    b.write_bytes = cube_bytes(sizes, pdp.output.width, pdp.output.height, pdp.output.channels);
    b.memory = elements / bus;
    return b;
}

void estimate(const model::Architecture& sizes, const std::vector<program::Command>& commands,
              std::vector<Layer>& layers, int latency) {
    if (layers.empty()) return;
    Count last = 0;
    const std::vector<Count> ends = layer_ends(sizes, layers, commands, latency);
    for (std::size_t i = 0; i < layers.size(); ++i) {
        layers[i].cycles = ends[i] > last ? ends[i] - last : 0;
        last = std::max(last, ends[i]);
    }
}

}  // namespace macrame::dla::compiler
