#include "compiler/dla/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <variant>

#include "compiler/dla/cbuf_plan.hpp"
#include "compiler/dla/convolutions.hpp"
#include "compiler/dla/fusion.hpp"
#include "compiler/dla/geometry.hpp"
#include "compiler/dla/limits.hpp"
#include "compiler/dla/pointwise.hpp"
#include "compiler/dla/requantised.hpp"
#include "compiler/dla/tiling.hpp"
#include "compiler/dla/values.hpp"
#include "compiler/graph/quantised.hpp"

namespace macrame::dla::compiler {

using graph::TensorId;

namespace {

// ---------------------------------------------------------------- ends of the network

/// Operators that bring inputs into a form that the hardware reads are for the host.
void plan_begin(const Context& context, Plan& plan) {
    const graph::Graph& graph = context.graph;
    plan.inputs = graph.inputs;
    for (; plan.first < graph.nodes.size(); ++plan.first) {
        const graph::Node& n = graph.nodes[plan.first];
        const auto input = std::find(plan.inputs.begin(), plan.inputs.end(), n.inputs[0]);
        if (input == plan.inputs.end() ||
            !context.used_only_by(*input, static_cast<int>(plan.first)))
            break;
        const graph::Tensor& from = context.tensor(n.inputs[0]);
        const bool type =
            std::holds_alternative<graph::Requantise>(n.op) && from.type != graph::Type::int8;
        const auto* transpose = std::get_if<graph::Transpose>(&n.op);
        const bool order = transpose != nullptr &&
                           transpose->order.back() != static_cast<int>(from.shape.size()) - 1;
        const bool shape = std::holds_alternative<graph::Reshape>(n.op) &&
                           from.shape.back() != context.tensor(n.outputs[0]).shape.back();
        if (!type && !order && !shape) break;
        plan.host_first.push_back(static_cast<int>(plan.first));
        *input = n.outputs[0];
    }
}

/// The first operator of those behind which the host can do the rest.
std::size_t end_of_hardware(const graph::Graph& graph) {
    std::size_t end = graph.nodes.size();
    for (; end > 0; --end) {
        const graph::Operator& op = graph.nodes[end - 1].op;
        if (!std::holds_alternative<graph::Softmax>(op) &&
            !std::holds_alternative<graph::Argmax>(op) &&
            !std::holds_alternative<graph::Requantise>(op) &&
            !std::holds_alternative<graph::Reshape>(op) &&
            !std::holds_alternative<graph::Transpose>(op))
            break;
    }
    return end;
}

// ---------------------------------------------------------------- images

/// Do registers and buffer have room for some lines of that form in front of a convolution?
bool image_fits(const Context& context, int index, const PixelForm& form) {
    const model::Architecture& sizes = context.sizes;
    const graph::Node& n = context.node(index);
    const Shape in = shape_of(context.tensor(n.inputs[0]));
    const Shape out = shape_of(context.tensor(n.outputs[0]));
    try {
        ConvLayer conv = geometry(context, index, std::get<graph::Conv>(n.op).window,
                                  image(sizes, in, form), out.height, out.width);
        if (wants_border(conv)) return false;
        conv.kernels = std::min(out.channels, sizes.atomic_k);
        conv.post.output = {out.width, out.height, conv.kernels, {}, 0, 0};
        return largest_tile(sizes, conv).has_value();
    } catch (const Unsupported&) {
        return false;  // is told when it is its turn
    }
}

/// Form of an input of the network as an image; none where it is better a cube. Only a convolution
/// without groups reads images.
std::optional<PixelForm> pixel_form(const Context& context, TensorId id) {
    const int channels = shape_of(context.tensor(id)).channels;
    if (!context.sizes.image) return std::nullopt;
    const std::vector<int>& readers = context.readers(id);
    if (readers.empty() || !context.used_only_by(id, readers[0])) return std::nullopt;
    const graph::Node& user = context.node(readers[0]);
    const graph::Conv* conv = std::get_if<graph::Conv>(&user.op);
    if (conv == nullptr || conv->groups != 1 || user.inputs[0] != id ||
        conv->window.dilation_h != 1 || conv->window.dilation_w != 1 ||
        context.searches.weights(context.tensor(user.inputs[1])).terms > 1)
        return std::nullopt;
    // Pixels of any size are as many columns of one byte, if the stride reaches over them.
    const graph::Window& w = conv->window;
    std::vector<PixelForm> forms;
    if (channels <= 4 && w.stride_w * channels <= kMaxStride &&
        std::max(w.left, w.right) * channels < kMaxKernel)
        forms.push_back({1, channels});
    if (channels == 3 || channels == 4) forms.push_back({4, 1});
    for (const PixelForm& form : forms)
        if (image_fits(context, readers[0], form)) return form;
    return std::nullopt;
}

// ---------------------------------------------------------------- concats

/// Where the inputs of a concat lie: side by side, with whole atoms each.
void plan_concat(const Context& context, const graph::Node& n, Plan& plan) {
    const graph::Concat& op = std::get<graph::Concat>(n.op);
    const graph::Tensor& out = context.tensor(n.outputs[0]);
    const Shape shape = shape_of(out);
    const int axis = axis_of(out, op.axis);
    if (axis < 0 || op.activation != graph::Activation::none) return;
    // Along other axes all have the size of the output, unless pieces of a vector are none.
    for (const TensorId id : n.inputs) {
        Shape piece = shape_of(context.tensor(id));
        (axis == 0   ? piece.height
         : axis == 1 ? piece.width
                     : piece.channels) = axis == 0   ? shape.height
                                         : axis == 1 ? shape.width
                                                     : shape.channels;
        if (!(piece == shape)) return;
    }
    Placement next{n.outputs[0], 0, 0, 0};
    ConcatSize& all = plan.concats[n.outputs[0]];
    all = {shape.height, shape.width, shape.channels};
    for (const TensorId id : n.inputs) {
        const graph::Tensor& from = context.tensor(id);
        const graph::Quantisation& q = from.quantisation;
        const Shape piece = shape_of(from);
        const bool pixel = piece.height == 1 && piece.width == 1;
        const bool input = std::count(context.graph.inputs.begin(), context.graph.inputs.end(), id);
        if (!from.constant && q.scale == out.quantisation.scale &&
            q.zero_point == out.quantisation.zero_point && (!pixel || axis == 2) && !input)
            plan.placements.emplace(id, next);  // of the first concat, others copy
        // The last one may end within an atom.
        if (axis == 2) all.channels = next.channel + piece.channels;
        next.y += axis == 0 ? piece.height : 0;
        next.x += axis == 1 ? piece.width : 0;
        if (axis == 2)
            next.channel +=
                static_cast<int>(round_up(at(piece.channels), at(context.sizes.atom_bytes)));
    }
}

// ---------------------------------------------------------------- fusions and clamps

/// How what an operator reads will lie: as the cube that it was before it was flattened.
Cube read_cube(const Context& context, const Plan& plan, TensorId id) {
    const Shape shape = shape_of(context.tensor(id));
    Cube cube = packed_cube(context.sizes, shape.width, shape.height, shape.channels);
    for (std::size_t i = plan.first; i < context.graph.nodes.size(); ++i) {
        const graph::Node& maker = context.graph.nodes[i];
        if (maker.outputs[0] != id || (!std::holds_alternative<graph::Reshape>(maker.op) &&
                                       !std::holds_alternative<graph::Transpose>(maker.op)))
            continue;
        const Cube from = read_cube(context, plan, maker.inputs[0]);
        const bool flat = shape.height == 1 && shape.width == 1;
        if ((from.height == shape.height && from.width == shape.width) ||
            (flat && only_flattened(context.graph, id)))
            return from;
    }
    return cube;
}

Cube repeated(const model::Architecture& sizes, const Cube& cube, int terms) {
    return packed_cube(sizes, cube.width, cube.height,
                       repeated_channels(sizes, cube.channels, terms));
}

/// A layer that ends in a requantisation.
struct Requantised {
    ConvLayer layer;
    LayerTarget target;
    Cube whole;  ///< of which the input is a part
};

std::vector<Requantised> conv_layers(const Context& context, const Plan& plan, int index) {
    const model::Architecture& sizes = context.sizes;
    const TensorId id = context.node(index).inputs[0];
    const Shape shape = shape_of(context.tensor(id));
    Location in;
    if (const auto form = plan.images.find(id); form != plan.images.end()) {
        in = image(sizes, shape, form->second);
    } else {
        in.cube = packed_cube(sizes, shape.width, shape.height, shape.channels);
    }
    const std::optional<ConvLayer> border = ConvParts::border(context, index, in);
    if (border) in = ConvParts::with_border(sizes, *border);
    const ConvParts parts(context, index, in, border.has_value());
    std::vector<Requantised> out;
    for (const GroupedConv& part : parts.all())
        out.push_back({part.layer, part.target, repeated(sizes, in.cube, parts.terms())});
    return out;
}

/// Of an operator that may have something behind it. Throws Unsupported where it has no layers.
std::vector<Requantised> layers_of(const Context& context, const Plan& plan, int index) {
    const graph::Node& n = context.node(index);
    if (std::holds_alternative<graph::Conv>(n.op)) return conv_layers(context, plan, index);
    const Cube in = read_cube(context, plan, n.inputs[0]);
    if (std::holds_alternative<graph::FullyConnected>(n.op)) {
        check_fully_connected(context, index, in);
        const int terms = context.searches.weights(context.tensor(n.inputs[1])).terms;
        const FullyConnectedConv made =
            fully_connected(context, index, repeated(context.sizes, in, terms), terms);
        return {{made.layer, made.target, made.input}};
    }
    if (std::holds_alternative<graph::Mean>(n.op)) {
        // All channels are the same, and so are the shifts that they have in common.
        MeanTarget mean = mean_target(context, index, in);
        mean.target.channels = {mean.channel};
        return {{{}, mean.target, in}};
    }
    return {};  // averages round once
}

/// Is there room for it behind the layers of a node?
bool fits_behind(const Context& context, const Plan& plan, int index, const Fusion& fusion) {
    const bool conv = !std::holds_alternative<graph::Mean>(context.node(index).op);
    Plan with;
    with.fusions[index] = fusion;
    for (Requantised& one : layers_of(context, plan, index)) {
        const LayerTarget target = with_clamps(with, index, one.target);
        // EW is at work anyway for a table.
        const bool choice = conv && !fusion.table;
        const Choice made = choose(context, index, target, choice ? &one.layer : nullptr);
        // The table takes the place of the output convertor.
        if (fusion.table && made.single.shift != 0) return false;
        // It would be behind either half.
        if (conv && made.halves && (fusion.table || fusion.pool)) return false;
        if (!fusion.pool) continue;
        widen(context.sizes, one.layer, one.whole);
        one.layer.post.output = packed_cube(context.sizes, fusion.pool->output.width,
                                            fusion.pool->output.height, one.layer.kernels);
        if (!add_pool(context.sizes, one.layer, *fusion.pool)) return false;
    }
    return true;
}

/// Is it off by more than a clamp behind it would be?
bool wants_clamp_layer(const Context& context, const Plan& plan, int index) {
    const auto [low, high] = late_bounds(context, index);
    if ((low == -128 && high == 127) || !context.sizes.sdp_bs || !context.sizes.sdp_bn)
        return false;
    const auto far = [&](const macrame::compiler::Exactness& e) {
        return e.most > 1 || (context.exact_at(index) && e.values > 0);
    };
    const auto exactness = [&](const LayerTarget& target, const ConvLayer& conv) {
        return choose(context, index, target, &conv).exactness;
    };
    if (!std::holds_alternative<graph::TransposeConv>(context.node(index).op)) {
        const std::vector<Requantised> layers = layers_of(context, plan, index);
        return std::any_of(layers.begin(), layers.end(), [&](const Requantised& one) {
            return far(exactness(one.target, one.layer));
        });
    }
    // The method with the fewest values that differ is the one that counts.
    const Cube in = read_cube(context, plan, context.node(index).inputs[0]);
    const TransposedConv transposed(
        context, index, repeated(context.sizes, in, TransposedConv::terms(context, index)));
    std::int64_t values = 0;
    bool apart = false;
    for (const TransposedConv::Part& part : transposed.phases()) {
        const macrame::compiler::Exactness e = exactness(part.target, part.layer);
        values += e.values;
        apart |= far(e);
    }
    if (!apart || !transposed.can_contract()) return apart;
    const TransposedConv::Part part = transposed.at_once();
    const macrame::compiler::Exactness e = exactness(part.target, part.layer);
    return e.values < values ? far(e) : apart;
}

/// Of int8 alone: everything else is refused when it is its turn.
bool is_int8(const Context& context, int index) {
    const graph::Node& n = context.node(index);
    const auto int8 = [&](TensorId id) {
        const graph::Tensor& tensor = context.tensor(id);
        return tensor.type == graph::Type::int8 && !tensor.quantisation.scale.empty();
    };
    return !n.inputs.empty() && n.inputs[0] != graph::kNone && int8(n.inputs[0]) &&
           int8(n.outputs[0]);
}

/// Does the hardware have a table, or stages that do the same?
bool has_table(const Context& context, const graph::Chain& chain) {
    const model::Architecture& sizes = context.sizes;
    if (sizes.cdp || (sizes.sdp_ew && sizes.sdp_lut)) return true;
    if (!sizes.sdp_bs || !sizes.sdp_bn) return false;
    const std::optional<Pointwise>& made =
        context.searches.pointwise({chain.table}, zero_point(context.tensor(chain.root)));
    return made && made->wrong == 0;
}

/// A chain that begins with a node.
void plan_chain(const Context& context, int index, Plan& plan) {
    for (const TensorId id : context.node(index).inputs) {
        if (id == graph::kNone || context.tensor(id).constant) continue;
        const std::optional<graph::Chain> chain = context.chain_from(id);
        if (!chain || chain->nodes.front() != index || !has_table(context, *chain)) continue;
        plan.chains[index] = *chain;
        return;
    }
}

void plan_node(const Context& context, int index, Plan& plan) {
    if (plan.is_fused(index) || plan.is_chained(index)) return;
    plan_chain(context, index, plan);
    if (plan.chains.count(index) != 0 || !is_int8(context, index)) return;
    try {
        for (const Fusion& fusion : fusions_behind(context, index)) {
            if (!fits_behind(context, plan, index, fusion)) continue;
            plan.fusions[index] = fusion;
            return;
        }
        if (wants_clamp_layer(context, plan, index)) plan.clamp_layers.insert(index);
    } catch (const Unsupported&) {  // is told when it is its turn
    } catch (const std::invalid_argument&) {
    }
}

}  // namespace

// ---------------------------------------------------------------- the plan

const Fusion* Plan::fusion(int index) const {
    const auto found = fusions.find(index);
    return found == fusions.end() ? nullptr : &found->second;
}

bool Plan::is_fused(int index) const {
    return std::any_of(fusions.begin(), fusions.end(), [&](const auto& one) {
        const std::vector<int>& nodes = one.second.nodes;
        return std::binary_search(nodes.begin(), nodes.end(), index);
    });
}

bool Plan::is_chained(int index) const {
    return std::any_of(chains.begin(), chains.end(), [&](const auto& one) {
        const std::vector<int>& nodes = one.second.nodes;
        return index != nodes.front() && std::binary_search(nodes.begin(), nodes.end(), index);
    });
}

TensorId Plan::result_of(const Context& context, int index) const {
    if (const Fusion* behind = fusion(index)) index = behind->nodes.back();
    if (const auto chain = chains.find(index); chain != chains.end())
        index = chain->second.nodes.back();
    return context.node(index).outputs[0];
}

Plan make_plan(const Context& context) {
    Plan plan;
    plan.exact = context.precise();
    plan_begin(context, plan);
    plan.rest = end_of_hardware(context.graph);
    for (const TensorId id : plan.inputs) {
        if (context.tensor(id).type != graph::Type::int8) continue;
        if (const std::optional<PixelForm> form = pixel_form(context, id)) plan.images[id] = *form;
    }
    for (std::size_t i = plan.first; i < context.graph.nodes.size(); ++i) {
        const graph::Node& n = context.graph.nodes[i];
        if (std::holds_alternative<graph::Concat>(n.op)) plan_concat(context, n, plan);
    }
    for (std::size_t i = plan.first; i < context.graph.nodes.size(); ++i)
        plan_node(context, static_cast<int>(i), plan);
    return plan;
}

std::pair<int, int> late_bounds(const Context& context, int index) {
    const graph::Node& n = context.node(index);
    graph::Activation activation = graph::Activation::none;
    if (const graph::Conv* conv = std::get_if<graph::Conv>(&n.op)) activation = conv->activation;
    if (const auto* full = std::get_if<graph::FullyConnected>(&n.op)) activation = full->activation;
    if (const auto* conv = std::get_if<graph::TransposeConv>(&n.op)) activation = conv->activation;
    if (activation == graph::Activation::none) return {-128, 127};
    const graph::Tensor& out = context.tensor(n.outputs[0]);
    const auto [low, high] = graph::bounds(activation, out);
    return {low == zero_point(out) ? -128 : low, high};
}

LayerTarget with_clamps(const Plan& plan, int index, LayerTarget target) {
    if (const Fusion* next = plan.fusion(index)) {
        // One clamp behind the other.
        target.low = std::clamp(target.low, next->low, next->high);
        target.high = std::clamp(target.high, next->low, next->high);
    }
    if (plan.clamp_layers.count(index) != 0) {
        target.high = 127;
        if (target.low != target.zero_point) target.low = -128;
    }
    return target;
}

bool add_pool(const model::Architecture& sizes, ConvLayer& conv, const PdpLayer& pool) {
    conv.pool = pool;
    conv.pool->input = Cube{conv.out_w, conv.out_h, conv.kernels, {}, 0, 0};
    conv.pool->output = conv.post.output;
    return !excess(conv) && is_legal(sizes, conv) && plan_cbuf(sizes, conv);
}

bool only_flattened(const graph::Graph& graph, TensorId id) {
    return std::all_of(graph.nodes.begin(), graph.nodes.end(), [&](const graph::Node& user) {
        return std::count(user.inputs.begin(), user.inputs.end(), id) == 0 ||
               std::holds_alternative<graph::FullyConnected>(user.op) ||
               std::holds_alternative<graph::Softmax>(user.op) ||
               std::holds_alternative<graph::Argmax>(user.op);
    });
}

std::string plan_text(const graph::Graph& graph, const Plan& plan) {
    const auto node = [&](int index) {
        const graph::Node& n = graph.nodes[at(index)];
        return fmt::format("{} ({}, {})", index, graph::name_of(n.op),
                           graph.tensor(n.outputs[0]).name);
    };
    std::string out;
    for (const int index : plan.host_first)
        out += fmt::format("host in front: operator {}\n", node(index));
    for (const int index : plan.exact)
        out += fmt::format("exact: operator {}\n", node(index));
    for (const auto& [id, form] : plan.images)
        out += fmt::format("image: {}, {} columns of {} bytes for a pixel\n", graph.tensor(id).name,
                           form.columns, form.components);
    const auto nodes = [&](const std::vector<int>& all) {
        std::string text = all.size() == 1 ? "operator " : "operators ";
        for (const int index : all)
            text += (index == all.front() ? "" : ", ") + node(index);
        return text;
    };
    for (const auto& [index, fusion] : plan.fusions)
        out += fmt::format("on the fly: {} behind {}: {}\n", nodes(fusion.nodes), node(index),
                           fusion.pool    ? "PDP"
                           : fusion.table ? "a table of SDP"
                                          : fmt::format("{} to {}", fusion.low, fusion.high));
    for (const auto& [index, chain] : plan.chains)
        out += fmt::format("one table: {}\n", nodes(chain.nodes));
    for (const int index : plan.clamp_layers)
        out += fmt::format("a layer for the activation: operator {}\n", node(index));
    for (const auto& [id, place] : plan.placements)
        out += fmt::format("in {}: {} at line {}, column {}, channel {}\n",
                           graph.tensor(place.concat).name, graph.tensor(id).name, place.y, place.x,
                           place.channel);
    return out.empty() ? "every operator has layers of its own\n" : out;
}

}  // namespace macrame::dla::compiler
