#include "compiler/dla/lower.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "compiler/dla/buffer.hpp"
#include "compiler/dla/cost.hpp"
#include "compiler/dla/limits.hpp"
#include "compiler/dla/lines.hpp"
#include "compiler/dla/values.hpp"
#include "compiler/graph/work.hpp"

namespace macrame::dla::compiler {

using graph::TensorId;

namespace {

/// Of a network: the work on an operator grows with their number.
constexpr std::size_t kMostOperators = 4096;
/// Of an activation, with channels that fill whole atoms.
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 30;

}  // namespace

std::vector<std::int8_t> diagonal(int channels, int positions) {
    std::vector<std::int8_t> out(at(channels) * at(channels) * at(positions), 0);
    for (int c = 0; c < channels; ++c)
        for (int p = 0; p < positions; ++p)
            out[(at(c) * at(positions) + at(p)) * at(channels) + at(c)] = 1;
    return out;
}

Lowering::Lowering(const graph::Graph& graph, const model::DeviceSizes& sizes,
                   const macrame::compiler::Options& options, Searches& searches,
                   std::set<int> precise)
    : context_(graph, sizes, options, searches, std::move(precise)),
      graph_(graph),
      sizes_(sizes),
      options_(options),
      searches_(searches) {}

// ---------------------------------------------------------------- memory

int Lowering::add_buffer(const std::string& name, std::uint64_t bytes, bool keep) {
    Buffer buffer;
    buffer.name = name;
    buffer.bytes = bytes;
    buffer.keep = keep;
    buffers.push_back(std::move(buffer));
    return static_cast<int>(buffers.size()) - 1;
}

Place Lowering::add_constant(const std::string& name, std::vector<std::uint8_t> contents) {
    // Both halves of a convolution have the same weights.
    for (std::size_t i = buffers.size(); i-- > 0;)
        if (!contents.empty() && buffers[i].name == name && buffers[i].contents == contents)
            return {static_cast<int>(i), 0};
    const int buffer = add_buffer(name, contents.size(), true);
    buffers[at(buffer)].contents = std::move(contents);
    return {buffer, 0};
}

Cube Lowering::new_cube(const std::string& name, int width, int height, int channels) {
    Cube cube = packed_cube(sizes_, width, height, channels);
    std::uint64_t surfaces = static_cast<std::uint64_t>(div_up(channels, sizes_.atom_bytes));
    // A long vector may become a cube of several pixels: row_of().
    if (width == 1 && height == 1) surfaces = round_up(surfaces, at(div_up(channels, most_size())));
    cube.place = {add_buffer(name, cube.surface_stride * surfaces), 0};
    return cube;
}

const Location& Lowering::location_of(TensorId id) const {
    const auto found = locations_.find(id);
    if (found != locations_.end()) return found->second;
    const graph::Tensor& t = tensor(id);
    if (t.type != graph::Type::int8)
        throw Unsupported{fmt::format("input {}: {}: want {}", t.name, graph::name_of(t.type),
                                      graph::wanted_for_int8(t.type))};
    throw Unsupported{"input: want int8 values of the hardware"};
}

Location& Lowering::output_of(TensorId id) {
    const auto found = locations_.find(id);
    if (found == locations_.end())
        throw std::logic_error(
            fmt::format("lowering of {}: {} has no place yet", graph_.name, tensor(id).name));
    return found->second;
}

Location& Lowering::add_output(int index, int width, int height, int channels) {
    const TensorId id = result_of(index);
    Location& location = locations_[id];
    if (const Fusion* fusion = plan_.fusion(index); fusion != nullptr && fusion->pool) {
        width = fusion->pool->output.width;
        height = fusion->pool->output.height;
    }
    if (const auto found = plan_.placements.find(id);
        found != plan_.placements.end() && plan_.clamp_layers.count(index) == 0) {
        const Placement& place = found->second;
        location.cube = block(part_of(gathered(place.concat), place.y, place.x, height, width),
                              place.channel, channels);
    } else {
        location.cube = new_cube(tensor(id).name, width, height, channels);
    }
    return location;
}

// ---------------------------------------------------------------- layers

int Lowering::add_layer(Layer layer) {
    if (const std::optional<Excess> found = excess(layer)) throw Unsupported{text_of(*found)};
    layers.push_back(std::move(layer));
    return static_cast<int>(layers.size()) - 1;
}

/// Weights for a kernel that has become a column or a line larger: zeros there.
std::vector<std::int8_t> with_zeros(const std::vector<std::int8_t>& weights, std::size_t run,
                                    std::size_t zeros) {
    std::vector<std::int8_t> out;
    for (std::size_t from = 0; from < weights.size(); from += run) {
        const auto begin = weights.begin() + static_cast<std::ptrdiff_t>(from);
        out.insert(out.end(), begin, begin + static_cast<std::ptrdiff_t>(run));
        out.insert(out.end(), zeros, 0);
    }
    return out;
}

std::vector<int> Lowering::add_conv(int index, ConvLayer conv, const Cube& whole,
                                    std::vector<std::int8_t> weights, const std::vector<int>& after,
                                    std::uint64_t macs) {
    const std::string name = tensor(node(index).outputs[0]).name;
    const int kernel_h = conv.kernel_h, kernel_w = conv.kernel_w;
    if (widen(sizes_, conv, whole)) {
        const std::size_t pixel = at(kernel_channels(conv)), line = at(kernel_w) * pixel;
        weights = conv.kernel_w > kernel_w ? with_zeros(weights, line, pixel)
                                           : with_zeros(weights, at(kernel_h) * line, line);
    }
    if (const Fusion* fusion = plan_.fusion(index); fusion != nullptr && fusion->pool) {
        if (!add_pool(sizes_, conv, *fusion->pool))
            throw std::logic_error(
                fmt::format("lowering of {}: planned pooling does not fit", name));
    }
    // As many kernels at a time as registers count.
    std::vector<int> out;
    const std::size_t kernel = weights.size() / at(conv.kernels);
    const std::uint64_t all = at(conv.kernels) * at(conv.out_h) * at(conv.out_w);
    for (int first = 0; first < conv.kernels; first += most_size()) {
        const int count = std::min(most_size(), conv.kernels - first);
        ConvLayer part = kernels_of(sizes_, conv, first, count);
        part.weight_bytes = weight_bytes(part);
        const auto begin = weights.begin() + static_cast<std::ptrdiff_t>(at(first) * kernel);
        part.weights = add_constant(
            name + " weights",
            weight_stream(sizes_, part,
                          {begin, begin + static_cast<std::ptrdiff_t>(at(count) * kernel)}));
        gather(out,
               add_tiles(index, part, after, static_cast<double>(macs) / static_cast<double>(all)));
    }
    return out;
}

std::vector<int> Lowering::add_tiles(int index, const ConvLayer& conv,
                                     const std::vector<int>& after, double macs) {
    const std::optional<Tile> tile = largest_tile(sizes_, conv);
    if (!tile) {
        const ConvLayer least =
            lines_of(conv.is_image() ? conv : columns_of(sizes_, conv, 0, 1), 0, 1);
        if (const std::optional<Excess> found = excess(least)) throw Unsupported{text_of(*found)};
        throw Unsupported{fmt::format(
            "kernel of {} x {} x {} channels and {} lines of input do not fit into the "
            "convolution buffer: want more or deeper banks (cbuf-bank-number, cbuf-bank-depth)",
            conv.kernel_h, conv.kernel_w, kernel_channels(conv), conv.kernel_h)};
    }
    std::vector<int> out;
    for (int x = 0; x < conv.out_w; x += tile->columns) {
        const int columns = std::min(tile->columns, conv.out_w - x);
        const ConvLayer wide = columns == conv.out_w ? conv : columns_of(sizes_, conv, x, columns);
        for (int y = 0; y < conv.out_h; y += tile->lines) {
            ConvLayer part = lines_of(wide, y, std::min(tile->lines, conv.out_h - y));
            part.buffer = *plan_buffer(sizes_, part);
            Layer layer;
            layer.macs = static_cast<std::uint64_t>(
                std::llround(macs * part.out_h * part.out_w * part.kernels));
            layer.work = std::move(part);
            layer.name = tensor(node(index).outputs[0]).name;
            layer.node = index;
            layer.after = after;
            out.push_back(add_layer(std::move(layer)));
        }
    }
    return out;
}

template <class Other>
void Lowering::lower(int index, const Other&) {
    throw Unsupported{fmt::format("{}: no unit computes it: want it at the end of the network",
                                  graph::name_of(node(index).op))};
}

std::string Lowering::try_lower(int index) {
    const Mark before = mark();
    std::string problem;
    try {
        lower_fused(index);
        return problem;
    } catch (const Unsupported& found) {
        problem = found.text;
    } catch (const std::invalid_argument& found) {
        problem = found.what();
    }
    // What it has done goes, and what would have been behind it has its own layers.
    undo(before);
    plan_.fusions.erase(index);
    return problem;
}

void Lowering::lower_fused(int index) {
    if (plan_.is_fused(index)) return;
    const bool clamps = plan_.clamp_layers.count(index) != 0;
    lower_alone(index);
    if (clamps) {
        const Location before = output_of(node(index).outputs[0]);
        const Cube& cube = before.cube;
        plan_.clamp_layers.erase(index);  // the output has its own place now
        const auto [low, high] = late_bounds(context_, index);
        Location& made = add_output(index, cube.width, cube.height, cube.channels);
        made.writers = {add_clamp(index, cube, made.cube, low, high, before.writers)};
        plan_.clamp_layers.insert(index);
    }
    const Fusion* fusion = plan_.fusion(index);
    if (fusion == nullptr || fusion->pool) return;
    exactness.push_back({fusion->node, fusion->table ? "SDP table" : "clamp", 1, 1, 0, 256, 0});
}

bool Lowering::takes_any_order(const graph::Operator& op) {
    return std::holds_alternative<graph::FullyConnected>(op) ||
           std::holds_alternative<graph::Reshape>(op) ||
           std::holds_alternative<graph::Transpose>(op);
}

bool Lowering::is_flattened(TensorId id) const {
    const auto found = locations_.find(id);
    if (found == locations_.end() || found->second.form) return false;
    const Cube& cube = found->second.cube;
    return !(Shape{cube.height, cube.width, cube.channels} == shape_of(tensor(id)));
}

void Lowering::lower_alone(int index) {
    const graph::Operator& op = node(index).op;
    for (const TensorId id : node(index).inputs)
        if (id != graph::kNone && !takes_any_order(op) && is_flattened(id))
            throw Unsupported{"input that was flattened: want the shape that it had"};
    std::visit([&](const auto& known) { lower(index, known); }, op);
}

std::string Lowering::size_problem() const {
    if (graph_.nodes.size() > kMostOperators)
        return fmt::format("{} operators: want at most {}", graph_.nodes.size(), kMostOperators);
    for (const graph::Tensor& t : graph_.tensors) {
        if (t.constant) continue;
        const Shape s = shape_of(t);
        const std::uint64_t bytes = static_cast<std::uint64_t>(s.height) *
                                    static_cast<unsigned>(s.width) *
                                    round_up(at(s.channels), at(sizes_.atom_bytes));
        if (bytes > kMostBytes)
            return fmt::format("{} takes {} bytes in memory: want at most {}", t.name, bytes,
                               kMostBytes);
    }
    return {};
}

void Lowering::run() {
    const auto message = [&](const std::string& where, const std::string& text) {
        errors.push_back(fmt::format("{}: {}: {}", graph_.name, where, text));
    };
    if (const std::string problem = size_problem(); !problem.empty())
        return message("network", problem);
    plan_ = make_plan(context_);
    host_first = plan_.host_first;
    program_inputs = plan_.inputs;
    std::size_t end = plan_.first;
    place_inputs();
    for (; end < graph_.nodes.size(); ++end) {
        const int index = static_cast<int>(end);
        std::string problem = try_lower(index);
        if (!problem.empty() && unflatten(index)) problem = try_lower(index);
        if (problem.empty()) continue;
        if (end >= plan_.rest) break;
        refused.push_back({index, problem});
        if (give_to_host(index)) continue;
        message(node(index).where, problem);
        return;
    }
    // All that is refused, in one go.
    if (!options_.host_commands)
        for (const macrame::compiler::Refusal& one : refused)
            message(node(one.node).where, one.reason);
    if (!errors.empty()) return;
    for (std::size_t i = end; i < graph_.nodes.size(); ++i)
        host_nodes.push_back(static_cast<int>(i));
    // Tensors that leave the hardware: outputs, and what the host reads.
    const auto leaves = [&](TensorId id) {
        if (locations_.count(id) == 0 || std::count(outputs.begin(), outputs.end(), id) != 0)
            return;
        outputs.push_back(id);
        buffers[at(locations_[id].cube.place.buffer)].keep = true;
    };
    for (const int index : host_nodes)
        for (const TensorId id : node(index).inputs)
            leaves(id);
    for (const TensorId id : graph_.outputs)
        leaves(id);
    if (!options_.keep_tensors) return;
    for (TensorId id = 0; id < static_cast<TensorId>(graph_.tensors.size()); ++id)
        if (std::count(program_inputs.begin(), program_inputs.end(), id) == 0) leaves(id);
}

}  // namespace macrame::dla::compiler
