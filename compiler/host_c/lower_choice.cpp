/// Boxes that are found, and networks of features and time.
#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "compiler/host_c/lowering.hpp"

namespace macrame::compiler::host_c {

using graph::Type;

void Lowering::add(const graph::Svdf& op) {
    constexpr std::size_t kFeature = 1, kTime = 2, kBias = 3, kState = 4;
    const bool real = in().type == Type::float32;
    const bool plain = op.activation == graph::Activation::none;
    const auto list = [&](std::size_t i) {
        return has(i) ? constants_.add(in(i).type, in(i).data.bytes()) : std::string("0");
    };
    for (const std::size_t i : {kFeature, kTime, kBias})
        if (has(i) && !in(i).constant) return refuse("weights that are computed");
    const int filters = in(kFeature).shape[0];
    Fields with;
    with.set("batches", in().shape[0])
        .set("inputs", in().shape[1])
        .set("filters", filters)
        .set("steps", in(kTime).shape[1])
        .set("rank", op.rank)
        .set("features", list(kFeature))
        .set("times", list(kTime))
        .set("bias", list(kBias));
    if (real) {
        const Operand values = plain ? to(0) : scratch(out().bytes());
        call("real_svdf", {values, to(1), from(0), from(kState)}, with);
        calls_.calls.back().type = "svdf";
        return finish(values, op.activation);
    }
    const auto scale = [&](std::size_t i) { return in(i).quantisation.scale[0]; };
    const auto factor = [](float value) {
        return factor_text(graph::multiplier(static_cast<double>(value)));
    };
    with.set("state_type", c_element(in(kState).type))
        .set("zero_from", in().quantisation.zero_point[0])
        .set("zero_state", in(kState).quantisation.zero_point[0])
        .set("zero_to", out().quantisation.zero_point[0])
        .set("to_state", factor(scale(0) * scale(kFeature) / scale(kState)))
        .set("to_output", factor(scale(kState) * scale(kTime) / out().quantisation.scale[0]));
    call("svdf", {to(0), to(1), from(0), from(kState)}, with);
}

void Lowering::add(const graph::Detections& op) {
    const auto boxes = static_cast<std::size_t>(in().shape[1]);
    const Operand codes = reals(0), scores = reals(1), anchors = reals(2);
    const Operand work = scratch(32 * boxes + 12 * static_cast<std::uint64_t>(op.classes) +
                                 24 * static_cast<std::uint64_t>(op.most));
    call("detections", {to(0), to(1), to(2), to(3), codes, scores, anchors, work},
         Fields()
             .set("boxes", boxes)
             .set("size", in().shape[2])
             .set("columns", in(1).shape[2])
             .set("classes", op.classes)
             .set("most", op.most)
             .set("each", op.each)
             .set("of_class", op.of_class)
             .set("by_class", op.by_class ? 1 : 0)
             .set("score", op.score)
             .set("overlap", op.overlap)
             .list("scale", std::vector<float>(op.scale.begin(), op.scale.end())));
    calls_.calls.back().can_fail = true;
}

void Lowering::add(const graph::Suppression& op) {
    const auto boxes = static_cast<std::size_t>(in().shape[0]);
    call("suppression", {to(0), to(1), to(2), from(0), from(1), scratch(28 * boxes)},
         Fields()
             .set("boxes", boxes)
             .set("most", out().elements())
             .set("score", op.score)
             .set("overlap", op.overlap)
             .set("sigma", op.sigma));
}

}  // namespace macrame::compiler::host_c
