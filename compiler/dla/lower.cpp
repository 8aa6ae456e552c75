#include "compiler/dla/lower.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "compiler/dla/buffer.hpp"
#include "compiler/dla/values.hpp"

namespace macrame::dla::compiler {

namespace {

using graph::TensorId;

XRegisters x_registers(const XStage& stage) {
    XRegisters x;
    x.bypass = stage.bypass;
    if (stage.bypass) return x;
    x.alu_bypass = x.mul_bypass = false;
    x.relu = stage.relu;
    x.function = stage.function;
    x.alu_shift = stage.alu_shift;
    x.mul_shift = stage.mul_shift;
    return x;
}

}  // namespace

std::vector<std::int8_t> diagonal(int channels, int positions) {
    std::vector<std::int8_t> out(at(channels) * at(channels) * at(positions), 0);
    for (int c = 0; c < channels; ++c)
        for (int p = 0; p < positions; ++p)
            out[(at(c) * at(positions) + at(p)) * at(channels) + at(c)] = 1;
    return out;
}

Lowering::Lowering(const graph::Graph& graph, const model::DeviceSizes& sizes)
    : graph_(graph), sizes_(sizes) {}

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
    const int buffer = add_buffer(name, contents.size(), true);
    buffers[at(buffer)].contents = std::move(contents);
    return {buffer, 0};
}

Cube Lowering::new_cube(const std::string& name, int width, int height, int channels) {
    Cube cube{width, height, channels, {}, 0, 0};
    const int atom = sizes_.atom_bytes;
    cube.line_stride = static_cast<std::uint32_t>(width * atom);
    cube.surface_stride = cube.line_stride * static_cast<std::uint32_t>(height);
    const std::uint64_t surfaces = static_cast<std::uint64_t>(div_up(channels, atom));
    cube.place = {add_buffer(name, cube.surface_stride * surfaces), 0};
    return cube;
}

/// Some channels of a cube, from a whole atom on.
Cube Lowering::block(const Cube& cube, int first, int channels) const {
    Cube part = cube;
    part.channels = channels;
    part.place.offset +=
        static_cast<std::uint64_t>(first / sizes_.atom_bytes) * cube.surface_stride;
    return part;
}

Lowering::Location& Lowering::add_output(int index, int width, int height, int channels) {
    const TensorId id = node(index).outputs[0];
    Location& location = locations_[id];
    location.cube = new_cube(tensor(id).name, width, height, channels);
    return location;
}

bool Lowering::used_only_by(TensorId id, int index) const {
    for (std::size_t i = 0; i < graph_.nodes.size(); ++i) {
        const std::vector<TensorId>& in = graph_.nodes[i].inputs;
        if (static_cast<int>(i) != index && std::count(in.begin(), in.end(), id) != 0) return false;
    }
    return std::count(graph_.outputs.begin(), graph_.outputs.end(), id) == 0;
}

/// Is an input of the network better read as an image? Only by a convolution without groups.
bool Lowering::wants_pixels(TensorId id) const {
    const int channels = shape_of(tensor(id)).channels;
    if (!sizes_.image || channels == 2 || channels > 4) return false;
    for (std::size_t i = 0; i < graph_.nodes.size(); ++i) {
        const graph::Node& user = graph_.nodes[i];
        if (std::count(user.inputs.begin(), user.inputs.end(), id) == 0) continue;
        const graph::Conv* conv = std::get_if<graph::Conv>(&user.op);
        return conv != nullptr && conv->groups == 1 && user.inputs[0] == id &&
               conv->window.dilation_h == 1 && conv->window.dilation_w == 1 &&
               used_only_by(id, static_cast<int>(i));
    }
    return false;
}

void Lowering::place_inputs() {
    for (const TensorId id : graph_.inputs) {
        const graph::Tensor& tensor = graph_.tensor(id);
        if (tensor.type != graph::Type::int8)
            throw Unsupported{
                fmt::format("input {}: {}: want int8", tensor.name, graph::name_of(tensor.type))};
        const Shape shape = shape_of(tensor);
        Location& location = locations_[id];
        if (wants_pixels(id)) {
            const int components = shape.channels == 1 ? 1 : 4;
            const std::uint64_t line =
                round_up(static_cast<std::uint64_t>(shape.width * components),
                         static_cast<std::uint64_t>(sizes_.atom_bytes));
            location.image = true;
            location.pixels = {
                shape.width, shape.height, components, {}, static_cast<std::uint32_t>(line)};
            location.pixels.place = {
                add_buffer(tensor.name, line * static_cast<std::uint64_t>(shape.height), true), 0};
        } else {
            location.cube = new_cube(tensor.name, shape.width, shape.height, shape.channels);
            buffers[at(location.cube.place.buffer)].keep = true;
        }
    }
}

// ---------------------------------------------------------------- layers

void Lowering::add_layer(Layer layer) { layers.push_back(std::move(layer)); }

PostProcess Lowering::post_process(int index, const LayerTarget& target, const Cube& output) {
    const Requantisation made = requantise(target, {sizes_.sdp_bs, sizes_.sdp_bn, sizes_.sdp_ew});
    macrame::compiler::Exactness exact{
        index, made.mapping, static_cast<int>(target.channels.size()), 0, 0, 0, 0};
    exact.proved = exact.channels - static_cast<int>(made.deviations.size());
    for (const Deviation& d : made.deviations) {
        exact.values += d.values;
        exact.reachable += d.reachable;
        exact.most = std::max(exact.most, d.most);
    }
    exactness.push_back(exact);

    const std::string name = tensor(node(index).outputs[0]).name;
    const std::size_t channels = round_up(target.channels.size(), at(sizes_.atom_bytes));
    const auto put = [](std::vector<std::uint8_t>& bytes, std::size_t word, std::int16_t value) {
        bytes[2 * word] = static_cast<std::uint8_t>(value);
        bytes[2 * word + 1] = static_cast<std::uint8_t>(value >> 8);
    };
    PostProcess post;
    const auto x_stage = [&](const XStage& stage, const char* text) {
        XRegisters x = x_registers(stage);
        if (stage.bypass) return x;
        std::vector<std::uint8_t> bytes(4 * channels, 0);
        for (std::size_t c = 0; c < target.channels.size(); ++c) {
            put(bytes, 2 * c, stage.alu[c]);
            put(bytes, 2 * c + 1, stage.mul[c]);
        }
        x.memory = Operands{true, true, true, false, {}, 0, 0};
        x.memory->place = add_constant(name + text, std::move(bytes));
        return x;
    };
    post.bs = x_stage(made.bs, " BS");
    post.bn = x_stage(made.bn, " BN");
    post.ew.bypass = made.ew.bypass;
    post.ew.alu_bypass = made.ew.alu_bypass;
    post.ew.function = made.ew.function;
    post.ew.alu_value = made.ew.alu;
    if (!made.ew.bypass && !made.ew.mul.empty()) {
        std::vector<std::uint8_t> bytes(2 * channels, 0);
        for (std::size_t c = 0; c < target.channels.size(); ++c)
            put(bytes, c, made.ew.mul[c]);
        post.ew.mul_bypass = false;
        post.ew.truncate = made.ew.truncate;
        post.ew.memory = Operands{false, true, true, false, {}, 0, 0};
        post.ew.memory->place = add_constant(name + " EW", std::move(bytes));
    }
    post.offset = made.offset;
    post.shift = made.shift;
    post.output = output;
    return post;
}

/// Part of a convolution: these lines of its output.
ConvLayer lines_of(const ConvLayer& whole, int first, int count) {
    ConvLayer part = whole;
    const int span = (whole.kernel_h - 1) * whole.dilation_h + 1;
    const int height = std::visit([](const auto& in) { return in.height; }, whole.input);
    const int from = first * whole.stride_h - whole.top;
    const int to = (first + count - 1) * whole.stride_h - whole.top + span;
    const int begin = std::max(from, 0);
    const int end = std::min(to, height);
    part.top = begin - from;
    part.bottom = to - end;
    part.out_h = count;
    std::visit(
        [&](auto& in) {
            in.height = end - begin;
            in.place.offset += static_cast<std::uint64_t>(begin) * in.line_stride;
        },
        part.input);
    Cube& out = part.post.output;
    out.height = count;
    out.place.offset += static_cast<std::uint64_t>(first) * out.line_stride;
    return part;
}

/// Does the hardware take a cube of these sizes and strides? One of 1 x 1 has to be packed.
bool is_legal(const model::DeviceSizes& sizes, const Cube& cube) {
    return cube.width > 1 || cube.height > 1 || cube.channels <= sizes.atom_bytes ||
           cube.surface_stride == static_cast<std::uint32_t>(sizes.atom_bytes);
}

bool is_legal(const model::DeviceSizes& sizes, const ConvLayer& conv) {
    const Cube* input = std::get_if<Cube>(&conv.input);
    return is_legal(sizes, conv.post.output) && (input == nullptr || is_legal(sizes, *input));
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

void Lowering::add_conv(int index, ConvLayer conv, std::vector<std::int8_t> weights,
                        const std::vector<int>& after, std::uint64_t macs) {
    const std::string name = tensor(node(index).outputs[0]).name;
    if (const Cube* input = std::get_if<Cube>(&conv.input); input && !is_legal(sizes_, *input))
        widen(conv, locations_.at(node(index).inputs[0]).cube, weights);
    conv.weight_bytes = weight_bytes(conv);
    conv.weights = add_constant(name + " weights", weight_stream(sizes_, conv, weights));
    // As many lines at a time as fit.
    int lines = conv.out_h;
    for (; lines >= 1; --lines) {
        bool fits = true;
        for (int first = 0; first < conv.out_h && fits; first += lines) {
            const ConvLayer part = lines_of(conv, first, std::min(lines, conv.out_h - first));
            fits = is_legal(sizes_, part) && plan_buffer(sizes_, part).has_value();
        }
        if (fits) break;
    }
    if (lines < 1)
        throw Unsupported{fmt::format(
            "kernel of {} x {} x {} channels and {} lines of input do not fit into the "
            "convolution buffer: want more or deeper banks (cbuf-bank-number, cbuf-bank-depth)",
            conv.kernel_h, conv.kernel_w, kernel_channels(conv), conv.kernel_h)};
    for (int first = 0; first < conv.out_h; first += lines) {
        ConvLayer part = lines_of(conv, first, std::min(lines, conv.out_h - first));
        part.buffer = *plan_buffer(sizes_, part);
        Layer layer;
        layer.macs = macs * static_cast<unsigned>(part.out_h) / static_cast<unsigned>(conv.out_h);
        layer.work = std::move(part);
        layer.name = name;
        layer.node = index;
        layer.after = after;
        add_layer(std::move(layer));
        locations_[node(index).outputs[0]].writers.push_back(static_cast<int>(layers.size()) - 1);
    }
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
    if (std::max(w.kernel_h, w.kernel_w) > 32 || std::max(conv.stride_h, conv.stride_w) > 8 ||
        std::max(w.dilation_h, w.dilation_w) > 32)
        throw Unsupported{"window: want kernels up to 32, strides up to 8, dilation up to 32"};
    conv.top = w.top;
    conv.left = w.left;
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
        conv.right = fit(input.width, out_w, conv.stride_w, w.kernel_w, w.dilation_w, w.left);
        conv.input = input;
    };
    if (in.image) {
        place(in.pixels);
    } else {
        place(in.cube);
    }
    if (in.image) {
        // As many lines of a kernel in one operation as its lanes hold.
        const int components = in.pixels.components;
        for (const int rows : {2, 4}) {
            if (rows <= w.kernel_h && components * w.kernel_w <= sizes_.atomic_c / rows &&
                conv.stride_w * components <= sizes_.atomic_c / rows)
                conv.rows_per_step = rows;
        }
    }
    return conv;
}

/// Channels of a layer that keeps channels apart: up to the lanes of the MAC array, unless fetching
/// the zeros takes longer than computing.
int Lowering::block_channels(int channels, int) const {
    return std::min(channels, std::max(sizes_.atomic_k, sizes_.atomic_c));
}

template <class Other>
void Lowering::lower(int index, const Other&) {
    throw Unsupported{
        fmt::format("operator: want conv, fully connected, pooling, mean, add or "
                    "reshape, or softmax and the like at the end{}",
                    index < 0 ? "." : "")};
}

void Lowering::run() {
    const auto message = [&](const std::string& where, const std::string& text) {
        errors.push_back(fmt::format("{}: {}: {}", graph_.name, where, text));
    };
    try {
        place_inputs();
    } catch (const Unsupported& problem) {
        message("network", problem.text);
        return;
    }
    // What the host does behind the hardware: softmax and argmax.
    std::size_t end = graph_.nodes.size();
    while (end > 0 && (std::holds_alternative<graph::Softmax>(graph_.nodes[end - 1].op) ||
                       std::holds_alternative<graph::Argmax>(graph_.nodes[end - 1].op)))
        --end;
    for (std::size_t i = 0; i < end; ++i) {
        const int index = static_cast<int>(i);
        try {
            std::visit([&](const auto& op) { lower(index, op); }, graph_.nodes[i].op);
        } catch (const Unsupported& problem) {
            message(graph_.nodes[i].where, problem.text);
            return;
        } catch (const std::invalid_argument& problem) {
            message(graph_.nodes[i].where, problem.what());
            return;
        }
    }
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
}

}  // namespace macrame::dla::compiler
