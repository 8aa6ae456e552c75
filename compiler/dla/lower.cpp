#include "compiler/dla/lower.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "compiler/dla/buffer.hpp"
#include "compiler/dla/cost.hpp"
#include "compiler/dla/limits.hpp"
#include "compiler/dla/lines.hpp"
#include "compiler/dla/values.hpp"

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
    : graph_(graph),
      sizes_(sizes),
      options_(options),
      searches_(searches),
      precise_(std::move(precise)),
      readers_(graph.tensors.size()) {
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        for (const TensorId id : graph.nodes[i].inputs) {
            if (id == graph::kNone) continue;
            std::vector<int>& readers = readers_[at(id)];
            if (readers.empty() || readers.back() != static_cast<int>(i))
                readers.push_back(static_cast<int>(i));
        }
    }
}

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
    Cube cube{width, height, channels, {}, 0, 0};
    const int atom = sizes_.atom_bytes;
    cube.line_stride = static_cast<std::uint32_t>(width * atom);
    cube.surface_stride = cube.line_stride * static_cast<std::uint32_t>(height);
    std::uint64_t surfaces = static_cast<std::uint64_t>(div_up(channels, atom));
    // A long vector may become a cube of several pixels: row_of().
    if (width == 1 && height == 1) surfaces = round_up(surfaces, at(div_up(channels, most_size())));
    cube.place = {add_buffer(name, cube.surface_stride * surfaces), 0};
    return cube;
}

Cube Lowering::row_of(const Cube& vector) const {
    const int width = div_up(vector.channels, most_size());
    const int surfaces = div_up(div_up(vector.channels, sizes_.atom_bytes), width);
    Cube row = vector;
    row.width = width;
    row.channels = surfaces * sizes_.atom_bytes;
    row.line_stride = row.surface_stride = static_cast<unsigned>(width * sizes_.atom_bytes);
    return row;
}

Cube Lowering::block(const Cube& cube, int first, int channels) const {
    Cube part = cube;
    part.channels = channels;
    part.place.offset +=
        static_cast<std::uint64_t>(first / sizes_.atom_bytes) * cube.surface_stride;
    return part;
}

Lowering::Location& Lowering::add_output(int index, int width, int height, int channels) {
    const TensorId id = result_of(index);
    Location& location = locations_[id];
    if (const auto found = fused_.find(index); found != fused_.end() && found->second.pool) {
        width = found->second.pool->output.width;
        height = found->second.pool->output.height;
    }
    if (const auto found = homes_.find(id);
        found != homes_.end() && clamp_later_.count(index) == 0) {
        const Home& home = found->second;
        location.cube = block(part_of(gathered(home.gathered), home.y, home.x, height, width),
                              home.channel, channels);
    } else {
        location.cube = new_cube(tensor(id).name, width, height, channels);
    }
    return location;
}

bool Lowering::used_only_by(TensorId id, int index) const {
    const std::vector<int>& readers = readers_[at(id)];
    if (readers.size() > 1 || (readers.size() == 1 && readers[0] != index)) return false;
    return std::count(graph_.outputs.begin(), graph_.outputs.end(), id) == 0;
}

// ---------------------------------------------------------------- layers

int Lowering::add_layer(Layer layer) {
    if (const std::optional<Excess> found = excess(layer)) throw Unsupported{text_of(*found)};
    layers.push_back(std::move(layer));
    return static_cast<int>(layers.size()) - 1;
}

/// Makes the kernel a column or a line larger, with zeros, so that more than one pixel of `whole`
/// is read.
void widen(ConvLayer& conv, const Cube& whole, std::vector<std::int8_t>& weights) {
    Cube& input = std::get<Cube>(conv.input);
    const bool across = whole.width > 1;
    int& kernel = across ? conv.kernel_w : conv.kernel_h;
    int& dilation = across ? conv.dilation_w : conv.dilation_h;
    int& size = across ? input.width : input.height;
    int& after = across ? conv.right : conv.bottom;
    if (kernel == 1) dilation = 1;
    const int need = size + after + dilation;
    size = std::min(need, across ? whole.width : whole.height);
    after = need - size;
    const std::size_t run = at((across ? kernel : kernel * conv.kernel_w) * kernel_channels(conv));
    const std::size_t zeros = run / at(kernel);
    std::vector<std::int8_t> wide;
    for (std::size_t from = 0; from < weights.size(); from += run) {
        const auto begin = weights.begin() + static_cast<std::ptrdiff_t>(from);
        wide.insert(wide.end(), begin, begin + static_cast<std::ptrdiff_t>(run));
        wide.insert(wide.end(), zeros, 0);
    }
    weights = std::move(wide);
    ++kernel;
}

std::vector<int> Lowering::add_conv(int index, ConvLayer conv, const Cube& whole,
                                    std::vector<std::int8_t> weights, const std::vector<int>& after,
                                    std::uint64_t macs) {
    const std::string name = tensor(node(index).outputs[0]).name;
    if (const Cube* input = std::get_if<Cube>(&conv.input); input && !is_legal(sizes_, *input))
        widen(conv, whole, weights);
    if (const auto fused = fused_.find(index); fused != fused_.end() && fused->second.pool) {
        conv.pool = fused->second.pool;
        conv.pool->input = Cube{conv.out_w, conv.out_h, conv.kernels, {}, 0, 0};
        conv.pool->output = conv.post.output;
        if (excess(conv) || !is_legal(sizes_, conv) || !plan_buffer(sizes_, conv))
            throw CannotFuse{};
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

/// Window, padding and input; where windows do not reach the end, the rest is not read.
ConvLayer Lowering::geometry(int index, const graph::Window& w, const Location& in, int out_h,
                             int out_w) const {
    ConvLayer conv;
    conv.kernel_h = w.kernel_h;
    conv.kernel_w = w.kernel_w;
    conv.stride_h = out_h == 1 ? 1 : w.stride_h;
    conv.stride_w = out_w == 1 ? 1 : w.stride_w;
    conv.dilation_h = w.dilation_h;
    conv.dilation_w = w.dilation_w;
    if (std::max(w.kernel_h, w.kernel_w) > kMaxKernel ||
        std::max(conv.stride_h, conv.stride_w) > kMaxStride ||
        std::max(w.dilation_h, w.dilation_w) > 32)
        throw Unsupported{"window: want kernels up to 32, strides up to 8, dilation up to 32"};
    const int columns = in.form ? in.form->columns : 1;  // of memory for one of the network
    conv.kernel_w *= columns;
    conv.stride_w *= columns;
    conv.top = w.top;
    conv.left = w.left * columns;
    conv.out_h = out_h;
    conv.out_w = out_w;
    conv.padding = zero_point(tensor(node(index).inputs[0]));
    const auto fit = [](int& size, int out, int stride, int kernel, int dilation, int before) {
        const int need = (out - 1) * stride + (kernel - 1) * dilation + 1 - before;
        const int after = std::max(need - size, 0);
        size = std::min(size, need);
        return after;
    };
    const auto place = [&](auto input) {
        conv.bottom = fit(input.height, out_h, conv.stride_h, w.kernel_h, w.dilation_h, w.top);
        conv.right = fit(input.width, out_w, conv.stride_w, conv.kernel_w, w.dilation_w, conv.left);
        conv.input = input;
    };
    if (in.form) {
        place(in.pixels);
    } else {
        place(in.cube);
    }
    if (in.form) {
        // As many lines of a kernel in one operation as its lanes hold.
        const int bytes = in.form->components;
        for (const int rows : {2, 4}) {
            if (rows <= w.kernel_h && bytes * conv.kernel_w <= sizes_.atomic_c / rows &&
                bytes * conv.stride_w <= sizes_.atomic_c / rows)
                conv.rows_per_step = rows;
        }
    }
    return conv;
}

int Lowering::block_channels(ConvLayer conv, int channels, int unit,
                             int kernels_per_channel) const {
    const Cube whole = std::get<Cube>(conv.input);
    int best = unit;
    std::uint64_t least = 0;
    for (int lanes = unit;
         lanes == unit || lanes < unit + std::max(sizes_.atomic_k, sizes_.atomic_c);
         lanes += unit) {
        const int block_size = std::min(lanes, channels);
        conv.input = block(whole, 0, block_size);
        conv.kernels = block_size * kernels_per_channel;
        conv.weight_bytes = weight_bytes(conv);
        conv.post.output = {conv.out_w, conv.out_h, conv.kernels, {}, 0, 0};
        Layer layer;
        layer.work = conv;
        const std::uint64_t cycles = static_cast<std::uint64_t>(div_up(channels, lanes)) *
                                         (bounds(sizes_, layer).most() + kQueued) +
                                     bounds(sizes_, layer).start;
        if (least == 0 || cycles < least) {
            least = cycles;
            best = lanes;
        }
        if (lanes >= channels) break;
    }
    return std::min(best, channels);
}

template <class Other>
void Lowering::lower(int index, const Other&) {
    throw Unsupported{fmt::format("{}: no unit computes it: want it at the end of the network",
                                  graph::name_of(node(index).op))};
}

std::string Lowering::try_lower(int index) {
    // What it has done goes if it fails.
    const Mark before = mark();
    const auto undo = [&] {
        this->undo(before);
        fused_.erase(index);
    };
    std::string problem;
    try {
        lower_fused(index);
        return problem;
    } catch (const CannotFuse&) {
        undo();
        apart_.insert(index);
        return try_lower(index);
    } catch (const ClampLater&) {
        undo();
        clamp_later_.insert(index);
        return try_lower(index);
    } catch (const Unsupported& found) {
        problem = found.text;
    } catch (const std::invalid_argument& found) {
        problem = found.what();
    } catch (const std::out_of_range&) {
        problem = foreign_input(index);
    }
    undo();
    return problem;
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
    const std::size_t rest = end_of_hardware();
    std::size_t end = first_of_hardware();
    place_inputs();
    for (std::size_t i = end; i < graph_.nodes.size(); ++i) {
        if (const auto* concat = std::get_if<graph::Concat>(&graph_.nodes[i].op))
            plan_concat(static_cast<int>(i), *concat);
    }
    for (; end < graph_.nodes.size(); ++end) {
        const int index = static_cast<int>(end);
        std::string problem = try_lower(index);
        if (!problem.empty() && unflatten(index)) problem = try_lower(index);
        if (problem.empty()) continue;
        if (end >= rest) break;
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
