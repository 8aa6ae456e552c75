#include <algorithm>
#include <limits>
#include <utility>

#include "compiler/systolic/conv.hpp"
#include "compiler/systolic/cost/estimate.hpp"

namespace macrame::systolic::compiler {

Choice best_tiling(const Architecture& architecture, const ConvLayer& layer, Goal goal,
                   std::size_t most) {
    constexpr std::size_t kTried = 16;
    ConvLayer shape = layer;
    shape.weights = nullptr;
    std::vector<Tiling> found = tilings(architecture, layer, goal, kTried);
    if (found.empty()) return {};
    // A layer that is cut anyway is tried in parts.
    const std::int64_t folds =
        plan_cost(architecture, layer, Plan(architecture, layer, found[0])).folds;
    if (folds > std::int64_t{kMostInstructions})
        return {std::move(found[0]), static_cast<std::size_t>(folds)};
    Choice best;
    double least = 0;
    bool whole = true;
    Stream stream(architecture);
    const auto write = [&](const Tiling& tiling, std::size_t so_many) {
        stream.clear();
        Constants constants(0);
        return write_conv(stream, constants, shape, tiling, so_many);
    };
    for (Tiling& tiling : found) {
        // What follows of a longer one is as what is there.
        const double share = write(tiling, most);
        const std::int64_t value = goal == Goal::cycles
                                       ? estimate(architecture, stream.program()).cycles
                                       : moved_bytes(architecture, stream.program());
        if (best.instructions > 0 && static_cast<double>(value) / share >= least) continue;
        least = static_cast<double>(value) / share;
        whole = share == 1;
        best = {std::move(tiling), stream.program().size()};
    }
    if (whole) return best;
    const double share = write(best.tiling, kMostInstructions);
    best.instructions =
        static_cast<std::size_t>(static_cast<double>(stream.program().size()) / share);
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

/// Lines of the input from its first one to the last one that a window reaches.
int reached_lines(const ConvLayer& layer) {
    const Window& w = layer.window;
    return (layer.out_height - 1) * w.stride_y + (w.height - 1) * w.dilation_y + 1 - w.top;
}

/// Bytes from `begin` up to, not including, `end`.
struct Extent {
    std::int64_t begin, end;
};

/// All that so many lines and columns from the first pixel on lie in.
Extent extent_of(const TensorLayout& s, std::int64_t lines, std::int64_t columns) {
    const std::int64_t last = (s.first + s.channels - 1) / s.block / s.repeats;
    return {s.base, s.base + last * s.plane + (lines - 1) * s.line + columns * s.pixel +
                        std::int64_t{s.block} * s.element};
}

Extent input_extent(const ConvLayer& layer) {
    const TensorLayout& s = layer.input;
    const Window& w = layer.window;
    const int lines = reached_lines(layer);
    if (!layer.bordered) return extent_of(s, std::min(lines, s.height), s.width);
    const int columns =
        (layer.out_width - 1) * w.stride_x + (w.width - 1) * w.dilation_x + 1 - w.left;
    Extent out = extent_of(s, lines, columns);
    out.begin -= w.top * s.line + w.left * s.pixel;
    return out;
}

/// How far the input lies from the output, where they are not apart: nothing waits there.
std::int64_t distance(const ConvLayer& layer) {
    constexpr std::int64_t kApart = std::numeric_limits<std::int64_t>::max();
    const TensorLayout& to = layer.output;
    const Extent input = input_extent(layer), output = extent_of(to, to.height, to.width);
    if (input.end <= output.begin || output.end <= input.begin) return kApart;
    return layer.input.base - layer.output.base;
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
    if (layer.operand) {
        const Operand& o = *layer.operand;
        add_layout(out, o.matrix);
        out.insert(out.end(), {o.turned, o.rows, o.block, o.terms, o.first});
    }
    out.push_back(static_cast<std::int64_t>(layer.post.size()));
    out.push_back(distance(layer));
    // Only an output where the trial has its constants waits for them.
    out.push_back(std::min(layer.output.base, most_constants(architecture, layer)));
    return out;
}

}  // namespace

const Choice& Choices::best(const Architecture& architecture, const ConvLayer& layer,
                            std::size_t most) {
    std::vector<std::int64_t> shape = shape_of(architecture, layer);
    shape.push_back(static_cast<std::int64_t>(most));
    const auto known = known_.find(shape);
    if (known != known_.end()) return known->second;
    return known_.emplace(shape, best_tiling(architecture, layer, Goal::cycles, most))
        .first->second;
}

std::int64_t moved_bytes(const Architecture& architecture, const Instruction& i) {
    if ((i.module != Module::load && i.module != Module::store) || is_nop(i)) return 0;
    const Place place = *place_of(architecture, i.transfer.sram_address);
    return i.transfer.x_size * i.transfer.y_size * i.transfer.z_size *
           transfer_bytes(architecture, place.buffer, i.transfer.bitwidth != 0);
}

std::int64_t moved_bytes(const Architecture& architecture,
                         const std::vector<Instruction>& program) {
    std::int64_t sum = 0;
    for (const Instruction& instruction : program)
        sum += moved_bytes(architecture, instruction);
    return sum;
}

}  // namespace macrame::systolic::compiler
