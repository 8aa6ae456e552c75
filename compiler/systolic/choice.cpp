#include <algorithm>
#include <utility>

#include "compiler/systolic/conv.hpp"
#include "compiler/systolic/cost/estimate.hpp"

namespace macrame::systolic::compiler {

Choice best_tiling(const Architecture& architecture, const ConvLayer& layer, Goal goal) {
    constexpr std::size_t kTried = 16;
    ConvLayer shape = layer;
    shape.weights = nullptr;
    Choice best;
    std::int64_t least = 0;
    Stream stream(architecture);
    for (Tiling& tiling : tilings(architecture, layer, goal, kTried)) {
        stream.clear();
        Constants constants(0);
        write_conv(stream, constants, shape, tiling);
        const std::int64_t value = goal == Goal::cycles
                                       ? estimate(architecture, stream.program()).cycles
                                       : moved_bytes(architecture, stream.program());
        if (best.instructions > 0 && value >= least) continue;
        least = value;
        best = {std::move(tiling), stream.program().size()};
    }
    return best;
}

namespace {

void add_layout(std::vector<std::int64_t>& to, const TensorLayout& s) {
    to.insert(to.end(), {s.height, s.width, s.channels, s.block, s.first, s.element, s.pixel,
                         s.line, s.plane, s.repeats});
}

void add_window(std::vector<std::int64_t>& to, const Window& w) {
    to.insert(to.end(), {w.height, w.width, w.stride_y, w.stride_x, w.dilation_y, w.dilation_x,
                         w.top, w.left});
}

/// More than a trial has of constants, which it places at address 0.
std::int64_t most_constants(const Architecture& architecture, const ConvLayer& layer) {
    const auto padded = [](int count, int size) {
        return std::int64_t{ceil_div(count, size)} * size;
    };
    constexpr std::int64_t kLargestElement = 4, kLargestBeat = 128;
    const std::int64_t filters = padded(layer.filters(), architecture.columns);
    const std::int64_t weights = padded(layer.input.channels, architecture.rows) * filters *
                                 layer.window.height * layer.window.width * kLargestElement;
    return 2 * weights + filters * (kScaleWords * kLargestElement + kLargestBeat);
}

/// How far the input lies from the output, or that it is too far to matter.
std::int64_t distance(const ConvLayer& layer) {
    std::int64_t reach = 0;
    for (const TensorLayout& s : {layer.input, layer.output})
        reach += s.plane * ((s.first + s.channels) * s.repeats / s.block + 1) +
                 s.line * layer.window.height * layer.window.dilation_y;
    return std::clamp(layer.input.base - layer.output.base, -reach, reach);
}

/// Lines of the input from its first one to the last one that a window reaches.
int reached_lines(const ConvLayer& layer) {
    const Window& w = layer.window;
    return (layer.out_height - 1) * w.stride_y + (w.height - 1) * w.dilation_y + 1 - w.top;
}

void add_machine(std::vector<std::int64_t>& to, const Architecture& a) {
    to.insert(to.end(), {a.rows, a.columns, a.input_width, a.weight_width, a.accumulator_width,
                         a.ibuf_entries, a.wbuf_entries, a.obuf_entries, a.queue_depth,
                         a.token_depth, a.address_width, a.bus_bytes, a.requantise, a.exact});
}

/// All that the trials of a layer depend on.
std::vector<std::int64_t> shape_of(const Architecture& architecture, const ConvLayer& layer) {
    std::vector<std::int64_t> out = {layer.out_height, layer.out_width, layer.groups,
                                     layer.bordered};
    add_machine(out, architecture);
    TensorLayout input = layer.input;
    input.height = std::min(input.height, reached_lines(layer));
    add_layout(out, input);
    add_layout(out, layer.output);
    add_window(out, layer.window);
    add_window(out, layer.last_window());
    out.insert(out.end(), {layer.pool.has_value(), layer.scales.empty()});
    out.push_back(static_cast<std::int64_t>(layer.post.size()));
    out.push_back(distance(layer));
    // Only an output where the trial has its constants waits for them.
    out.push_back(std::min(layer.output.base, most_constants(architecture, layer)));
    return out;
}

}  // namespace

const Choice& Choices::best(const Architecture& architecture, const ConvLayer& layer) {
    const std::vector<std::int64_t> shape = shape_of(architecture, layer);
    const auto known = known_.find(shape);
    if (known != known_.end()) return known->second;
    return known_.emplace(shape, best_tiling(architecture, layer, Goal::cycles)).first->second;
}

std::int64_t moved_bytes(const Architecture& architecture,
                         const std::vector<Instruction>& program) {
    std::int64_t sum = 0;
    for (const Instruction& i : program) {
        if (is_nop(i) || (i.module != Module::load && i.module != Module::store)) continue;
        const Place place = *place_of(architecture, i.transfer.sram_address);
        sum += i.transfer.x_size * i.transfer.y_size * i.transfer.z_size *
               transfer_bytes(architecture, place.buffer, i.transfer.bitwidth != 0);
    }
    return sum;
}

}  // namespace macrame::systolic::compiler
