#include "compiler/graph/text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <cstddef>
#include <string_view>
#include <variant>
#include <vector>

namespace macrame::graph {

namespace {

std::string activation_text(Activation activation) {
    constexpr std::array<std::string_view, 4> kNames = {"", ", relu", ", relu6", ", relu -1..1"};
    return std::string(kNames[static_cast<std::size_t>(activation)]);
}

std::string window_text(const Window& w) {
    std::string out = fmt::format(" {}x{}", w.kernel_h, w.kernel_w);
    if (w.stride_h != 1 || w.stride_w != 1)
        out += fmt::format(", stride {}x{}", w.stride_h, w.stride_w);
    if (w.dilation_h != 1 || w.dilation_w != 1)
        out += fmt::format(", dilation {}x{}", w.dilation_h, w.dilation_w);
    if (w.top + w.left + w.bottom + w.right != 0)
        out += fmt::format(", padding {} {} {} {}", w.top, w.left, w.bottom, w.right);
    return out;
}

/// What an operator has beside its name and its tensors.
struct Details {
    std::string operator()(const Conv& op) const {
        const std::string groups = op.groups > 1 ? fmt::format(", {} groups", op.groups) : "";
        constexpr std::array<std::string_view, 3> kForms = {"", ", digits of sums",
                                                            ", bytes of sums"};
        return window_text(op.window) + groups + activation_text(op.activation) +
               std::string(kForms[static_cast<std::size_t>(op.sums)]);
    }
    std::string operator()(const TransposeConv& op) const {
        return window_text(op.window) + activation_text(op.activation);
    }
    std::string operator()(const FullyConnected& op) const {
        return activation_text(op.activation);
    }
    std::string operator()(const Binary& op) const { return activation_text(op.activation); }
    std::string operator()(const Pool& op) const {
        return window_text(op.window) + activation_text(op.activation);
    }
    std::string operator()(const Mean& op) const {
        return fmt::format(" over axes {}", fmt::join(op.axes, ", "));
    }
    std::string operator()(const Concat& op) const {
        return fmt::format(" along axis {}{}", op.axis, activation_text(op.activation));
    }
    std::string operator()(const Slice& op) const {
        return fmt::format(" from {}, steps {}", fmt::join(op.begin, " "),
                           fmt::join(op.stride, " "));
    }
    std::string operator()(const Split& op) const { return fmt::format(" along axis {}", op.axis); }
    std::string operator()(const Transpose& op) const {
        return fmt::format(" to axes {}", fmt::join(op.order, " "));
    }
    std::string operator()(const Argmax& op) const { return fmt::format(" of axis {}", op.axis); }
    template <class Other>
    std::string operator()(const Other&) const {
        return "";
    }
};

void add_tensors(const Graph& graph, std::string_view title, const std::vector<TensorId>& ids,
                 std::string& out) {
    for (const TensorId id : ids) {
        if (id == kNone) continue;
        out += fmt::format("    {} {}: {}{}\n", title, id,
                           graph.tensor(id).constant ? "constant " : "", text_of(graph.tensor(id)));
    }
}

}  // namespace

std::string text_of(const Tensor& tensor) {
    const Quantisation& q = tensor.quantisation;
    std::string out =
        fmt::format("{} {} {}", tensor.name, name_of(tensor.type), fmt::join(tensor.shape, "x"));
    if (q.per_channel())
        out += fmt::format(", {} scales along axis {}", q.scale.size(), q.axis);
    else if (!q.scale.empty())
        out += fmt::format(", scale {}", q.scale[0]);
    if (!q.zero_point.empty() && !q.per_channel())
        out += fmt::format(", zero point {}", q.zero_point[0]);
    return out;
}

std::string text_of(const Graph& graph) {
    std::string out = fmt::format("{}: {} operators, {} tensors, rounding of {}\n\n", graph.name,
                                  graph.nodes.size(), graph.tensors.size(),
                                  graph.rounding == Rounding::tflite ? "TFLite" : "ONNX Runtime");
    add_tensors(graph, "input", graph.inputs, out);
    add_tensors(graph, "output", graph.outputs, out);
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        const Node& node = graph.nodes[i];
        out += fmt::format("\noperator {}: {}{}  ({})\n", i, name_of(node.op),
                           std::visit(Details{}, node.op), node.where);
        add_tensors(graph, "reads", node.inputs, out);
        add_tensors(graph, "writes", node.outputs, out);
    }
    return out;
}

}  // namespace macrame::graph
