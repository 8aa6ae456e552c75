#include "compiler/systolic/lower.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "compiler/graph/at.hpp"
#include "compiler/graph/work.hpp"

namespace macrame::systolic::compiler {

using graph::Node;
using graph::TensorId;

namespace {

/// Only changes the form of values, so that the host may do it in front of the program.
bool changes_form(const graph::Operator& op) {
    return std::holds_alternative<graph::Requantise>(op) ||
           std::holds_alternative<graph::Transpose>(op) ||
           std::holds_alternative<graph::Reshape>(op);
}

bool is_for_array(const graph::Operator& op) {
    return std::holds_alternative<graph::Conv>(op) ||
           std::holds_alternative<graph::TransposeConv>(op) ||
           std::holds_alternative<graph::FullyConnected>(op) ||
           std::holds_alternative<graph::MatMul>(op);
}

bool is_left_to_host(const graph::Operator& op) {
    return graph::is_for_host(op) && !is_for_array(op);
}

/// Moves elements and computes nothing, so that the host may do it behind the program.
bool moves_elements(const graph::Operator& op) {
    return changes_form(op) || std::holds_alternative<graph::Concat>(op) ||
           std::holds_alternative<graph::Slice>(op) || std::holds_alternative<graph::Split>(op);
}

}  // namespace

bool moves_lanes(const graph::Transpose& op, const graph::Tensor& input) {
    std::vector<int> moved;
    for (const int axis : op.order)
        if (input.shape[at(axis)] != 1) moved.push_back(axis);
    return !std::is_sorted(moved.begin(), moved.end());
}

std::optional<TensorLayout> size_of(const graph::Tensor& tensor) {
    TensorLayout size;
    int* const axes[3] = {&size.channels, &size.width, &size.height};
    for (std::size_t i = 0; i < tensor.shape.size(); ++i) {
        const int length = tensor.shape[tensor.shape.size() - 1 - i];
        if (i >= 3 && length != 1) return std::nullopt;
        if (i < 3) *axes[i] = length;
    }
    return size;
}

Lowering::Lowering(const graph::Graph& graph, const Architecture& architecture)
    : graph_(graph),
      architecture_(architecture),
      made_(graph.tensors.size(), Made::here),
      host_(graph.nodes.size()) {}

void Lowering::refuse(int index, const std::string& text) {
    refused.push_back(
        {index, fmt::format("{}: {}", graph::name_of(graph_.nodes[at(index)].op), text)});
}

/// What has no lanes to move channels to, where nothing behind it wants the array: a transposition,
/// or a reshaped picture of which more than the form changes.
bool Lowering::is_last_move(int index) const {
    const Node& node = graph_.nodes[at(index)];
    if (const auto* op = std::get_if<graph::Transpose>(&node.op)) {
        if (!moves_lanes(*op, tensor(node.inputs[0]))) return false;
    } else {
        if (!std::holds_alternative<graph::Reshape>(node.op)) return false;
        const auto size = size_of(tensor(node.inputs[0]));
        const std::vector<int> users = readers(node.outputs[0]);
        const bool picture = size && size->height * size->width > 1;
        if (!picture || std::none_of(users.begin(), users.end(), [&](int n) {
                const graph::Operator& user = graph_.nodes[at(n)].op;
                return moves_elements(user) && !std::holds_alternative<graph::Reshape>(user);
            }))
            return false;
    }
    std::vector<int> open = {index};
    while (!open.empty()) {
        const Node& n = graph_.nodes[at(open.back())];
        open.pop_back();
        if (!moves_elements(n.op) && !is_left_to_host(n.op)) return false;
        for (const TensorId id : n.outputs)
            for (const int reader : readers(id))
                open.push_back(reader);
    }
    return true;
}

/// Why the array and ALU cannot do it, wherever it stands; empty: they may.
std::string Lowering::host_reason(const Node& node) const {
    if (is_left_to_host(node.op))
        return "the array and ALU have no operation for it: want the host to do it (without "
               "--no-host)";
    for (const auto* ids : {&node.inputs, &node.outputs}) {
        for (const TensorId id : *ids) {
            if (id == graph::kNone || constant(id)) continue;
            if (tensor(id).type != graph::Type::int8)
                return fmt::format("tensor {} is {}: want {}", tensor(id).name,
                                   graph::name_of(tensor(id).type),
                                   graph::wanted_for_int8(tensor(id).type));
        }
    }
    return "";
}

void Lowering::refuse_in_front_of(int index) {
    const auto behind = [&](TensorId id) { return made_[at(id)] == Made::behind; };
    for (const int next : graph::in_front(graph_, index, behind)) {
        const std::string reason = host_reason(graph_.nodes[at(next)]);
        if (!reason.empty()) refuse(next, reason);
    }
}

void Lowering::find_host_nodes() {
    for (const TensorId id : graph_.inputs)
        made_[at(id)] = Made::before;
    for (std::size_t i = 0; i < graph_.nodes.size(); ++i) {
        const Node& n = graph_.nodes[i];
        const auto any = [&](Made when) {
            return std::any_of(n.inputs.begin(), n.inputs.end(), [&](TensorId id) {
                return id != graph::kNone && !constant(id) && made_[at(id)] == when;
            });
        };
        Made when = Made::here;
        if (any(Made::behind) || is_left_to_host(n.op)) {
            when = Made::behind;
        } else if (changes_form(n.op) && !any(Made::here)) {
            when = Made::before;
        } else if (is_last_move(static_cast<int>(i)) || !host_reason(n).empty()) {
            when = Made::behind;
        }
        for (const TensorId id : n.outputs)
            made_[at(id)] = when;
        if (when == Made::behind && is_for_array(n.op)) refuse_in_front_of(static_cast<int>(i));
        if (when == Made::here) continue;
        host_[i] = true;
        (when == Made::before ? host_first : host_nodes).push_back(static_cast<int>(i));
    }
}

bool Lowering::shares_rows(const Node& node) const {
    const auto* conv = std::get_if<graph::Conv>(&node.op);
    if (conv == nullptr || conv->groups != 1) return false;
    const graph::Window& w = conv->window;
    return w.kernel_h * w.kernel_w > 1 &&
           2 * tensor(node.inputs[0]).shape.back() <= architecture_.rows;
}

/// Taps share rows by LOADs alone, from a picture that lies padded in memory.
void Lowering::plan_borders() {
    for (std::size_t i = 0; i < graph_.nodes.size(); ++i) {
        const Node& n = graph_.nodes[i];
        if (host_[i] || !shares_rows(n) || parts_.count(n.inputs[0]) != 0) continue;
        const graph::Window& w = std::get<graph::Conv>(n.op).window;
        const auto input = size_of(tensor(n.inputs[0])), output = size_of(tensor(n.outputs[0]));
        if (!input || !output) continue;
        const TensorLayout &in = *input, &out = *output;
        Border& border = borders_[n.inputs[0]];
        const auto reach = [](int count, int stride, int kernel, int dilation, int before,
                              int size) {
            const int last = (count - 1) * stride + (kernel - 1) * dilation - before;
            return std::max(0, last - (size - 1));
        };
        border.top = std::max(border.top, w.top);
        border.left = std::max(border.left, w.left);
        border.bottom = std::max(border.bottom, reach(out.height, w.stride_h, w.kernel_h,
                                                      w.dilation_h, w.top, in.height));
        border.right = std::max(
            border.right, reach(out.width, w.stride_w, w.kernel_w, w.dilation_w, w.left, in.width));
    }
}

bool Lowering::has_bytes_of_sums(TensorId id) const {
    const int made = graph::maker(graph_, id);
    const auto* conv = made < 0 ? nullptr : std::get_if<graph::Conv>(&graph_.nodes[at(made)].op);
    return conv != nullptr && conv->sums == graph::Sums::bytes;
}

const Value& Lowering::new_value(TensorId id) {
    const auto size = size_of(tensor(id));
    if (!size) throw Unsupported{fmt::format("tensor {}: want a batch of 1", tensor(id).name)};
    if (const auto part = parts_.find(id); part != parts_.end()) {
        if (values_.count(part->second.whole) == 0) new_value(part->second.whole);
        values_[id] =
            part_of(values_.at(part->second.whole), part->second.axis, part->second.at, *size);
        return values_.at(id);
    }
    const auto found = borders_.find(id);
    const Border border = found == borders_.end() ? Border{} : found->second;
    Value value;
    TensorLayout& s = value.surface;
    s = *size;
    s.block = std::min(s.channels, architecture_.columns * (has_bytes_of_sums(id) ? kSumBytes : 1));
    s.pixel = s.block;
    s.line = (border.left + s.width + border.right) * s.pixel;
    s.plane = (border.top + s.height + border.bottom) * s.line;
    s.base = border.top * s.line + border.left * s.pixel;
    Area area;
    area.name = tensor(id).name;
    area.bytes = s.plane * ceil_div(s.channels, s.block);
    if (found != borders_.end()) {
        value.bordered = true;
        area.keep = area.bordered = true;
        const auto& zero = tensor(id).quantisation.zero_point;
        area.fill = static_cast<std::int8_t>(zero.empty() ? 0 : zero[0]);
    }
    value.area = static_cast<int>(areas.size());
    areas.push_back(area);
    values_[id] = value;
    return values_.at(id);
}

Value Lowering::temporary(const TensorLayout& size, const std::string& name) {
    Value value;
    const int block = std::min(size.channels, architecture_.columns);
    value.surface = dense_layout(0, size.height, size.width, block, 1);
    value.surface.channels = size.channels;
    Area area;
    area.name = name;
    area.bytes = value.surface.plane * ceil_div(size.channels, block);
    value.area = static_cast<int>(areas.size());
    areas.push_back(area);
    return value;
}

Value Lowering::part_of(const Value& whole, int axis, int at, const TensorLayout& size) {
    Value out = whole;
    out.bordered = false;
    TensorLayout& s = out.surface;
    s.height = size.height;
    s.width = size.width;
    s.channels = size.channels;
    if (axis == 0) s.base += at * s.line;
    if (axis == 1) s.base += at * s.pixel;
    if (axis == 2) s.first += at;
    return out;
}

const Value& Lowering::picture(TensorId id) const {
    const auto found = values_.find(id);
    if (found == values_.end())
        throw Unsupported{
            fmt::format("tensor {}: a constant, or of the host: want one that the array computes",
                        tensor(id).name)};
    const auto size = size_of(tensor(id));
    const TensorLayout& s = found->second.surface;
    if (!size || size->height != s.height || size->width != s.width || size->channels != s.channels)
        throw Unsupported{"what reads it wants another form than it has in memory",
                          graph::maker(graph_, id)};
    return found->second;
}

void Lowering::add_inputs() {
    std::vector<TensorId> candidates = graph_.inputs;
    for (const int index : host_first)
        for (const TensorId id : graph_.nodes[at(index)].outputs)
            candidates.push_back(id);
    for (const TensorId id : candidates) {
        const std::vector<int> users = readers(id);
        if (std::all_of(users.begin(), users.end(), [&](int n) { return host_[at(n)]; })) continue;
        if (!size_of(tensor(id))) {
            for (const int user : users)
                if (!host_[at(user)]) refuse(user, "an input with a batch: want one of 1");
            lost_.insert(id);
            continue;
        }
        areas[at(new_value(id).area)].keep = true;
        inputs.push_back(id);
    }
}

void Lowering::add_outputs(bool keep_tensors) {
    for (const auto& [id, value] : values_) {
        const std::vector<int> users = readers(id);
        const bool for_host =
            std::any_of(users.begin(), users.end(), [&](int n) { return host_[at(n)]; });
        if (!is_output(id) && !for_host) continue;
        areas[at(value.area)].keep = true;
        if (std::count(inputs.begin(), inputs.end(), id) == 0 || is_output(id))
            outputs.push_back(id);
    }
    if (!keep_tensors) return;
    for (const auto& [id, value] : values_) {
        if (std::count(inputs.begin(), inputs.end(), id) != 0 ||
            std::count(outputs.begin(), outputs.end(), id) != 0)
            continue;
        areas[at(value.area)].keep = true;
        outputs.push_back(id);
    }
}

void Lowering::replace(int index) {
    for (const TensorId id : graph_.nodes[at(index)].outputs) {
        if (values_.count(id) != 0) continue;
        if (size_of(tensor(id)))
            new_value(id);
        else
            lost_.insert(id);
    }
}

void Lowering::run(bool keep_tensors) {
    find_host_nodes();
    plan_parts();
    plan_borders();
    add_inputs();
    for (int index = 0; index < static_cast<int>(graph_.nodes.size()); ++index) {
        const std::vector<TensorId>& in = graph_.nodes[at(index)].inputs;
        const bool lost =
            std::any_of(in.begin(), in.end(), [&](TensorId id) { return lost_.count(id) != 0; });
        if (host_[at(index)]) continue;
        try {
            if (!lost) lower(index);
        } catch (const Unsupported& problem) {
            refuse(problem.node < 0 ? index : problem.node, problem.text);
        }
        replace(index);
    }
    if (refused.empty()) add_outputs(keep_tensors);
}

}  // namespace macrame::systolic::compiler
