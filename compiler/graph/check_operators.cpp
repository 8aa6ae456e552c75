/// What each operator wants of its tensors.
#include "compiler/graph/check_operators.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace macrame::graph::checks {
namespace {

bool small_integer(Type type) {
    return type == Type::int8 || type == Type::uint8 || type == Type::int16;
}

}  // namespace

Shape broadcast(const Shape& a, const Shape& b, bool& ok) {
    Shape result(std::max(a.size(), b.size()), 1);
    ok = true;
    for (std::size_t i = 0; i < result.size(); ++i) {
        const int x = i < a.size() ? a[a.size() - 1 - i] : 1;
        const int y = i < b.size() ? b[b.size() - 1 - i] : 1;
        ok = ok && (x == y || x == 1 || y == 1);
        result[result.size() - 1 - i] = std::max(x, y);
    }
    return result;
}

bool equal_scales(const Tensor& a, const Tensor& b) {
    if (a.quantisation.scale.empty() || b.quantisation.scale.empty()) return true;
    return a.quantisation.scale == b.quantisation.scale &&
           a.quantisation.zero_point == b.quantisation.zero_point;
}

Text count_problem(const View& v, std::size_t least, std::size_t most, bool one_output) {
    if (v.node.inputs.size() < least || v.node.inputs.size() > most)
        return fmt::format("{} inputs: want {} to {}", v.node.inputs.size(), least, most);
    for (std::size_t i = 0; i < least; ++i) {
        if (!v.has(i)) return fmt::format("input {} is left out: want it", i);
    }
    if (v.node.outputs.empty() || (one_output && v.node.outputs.size() != 1))
        return fmt::format("{} outputs: want 1", v.node.outputs.size());
    return {};
}

Text shape_problem(const Tensor& t, const Shape& want) {
    if (t.shape == want) return {};
    return fmt::format("{} has shape {}: want {}", t.name, text_of(t.shape), text_of(want));
}

Text arithmetic_type_problem(const Tensor& in, const Tensor& out) {
    for (const Tensor* t : {&in, &out}) {
        if (t->type == Type::float32) continue;
        if (!small_integer(t->type))
            return fmt::format("{} has type {}: want int8, uint8, int16 or float32", t->name,
                               name_of(t->type));
        if (t->quantisation.scale.size() != 1)
            return fmt::format("{} of type {} has {} scales: want one", t->name, name_of(t->type),
                               t->quantisation.scale.size());
    }
    if (in.type == out.type) return {};
    return fmt::format("{} has type {}, {} has {}: want the same", in.name, name_of(in.type),
                       out.name, name_of(out.type));
}

Text same_problem(const Tensor& in, const Tensor& out) {
    if (in.type != out.type)
        return fmt::format("{} has type {}, {} has {}: want the same", in.name, name_of(in.type),
                           out.name, name_of(out.type));
    if (!equal_scales(in, out))
        return fmt::format("{} and {} have different scales or zero points: want the same", in.name,
                           out.name);
    return {};
}

Text type_problem(const Tensor& t, Type want) {
    if (t.type != want)
        return fmt::format("{} of type {}: want {}", t.name, name_of(t.type), name_of(want));
    if (want != Type::int32 && t.quantisation.scale.size() != 1)
        return fmt::format("{} has {} scales: want one", t.name, t.quantisation.scale.size());
    return {};
}

}  // namespace macrame::graph::checks

std::string macrame::graph::problem_of(const Graph& graph, const Node& node) {
    const checks::View view{graph, node};
    return std::visit([&](const auto& op) { return checks::problem(view, op); }, node.op);
}
