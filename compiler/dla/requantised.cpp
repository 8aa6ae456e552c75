#include "compiler/dla/requantised.hpp"

#include <algorithm>

#include "compiler/dla/cost.hpp"

namespace macrame::dla::compiler {

macrame::compiler::Exactness exactness_of(int index, const std::string& mapping,
                                          const std::vector<Deviation>& deviations,
                                          std::size_t channels) {
    macrame::compiler::Exactness exact{index, mapping, static_cast<int>(channels), 0, 0, 0, 0};
    exact.proved = exact.channels - static_cast<int>(deviations.size());
    for (const Deviation& d : deviations) {
        exact.values += d.values;
        exact.reachable += d.reachable;
        exact.most = std::max(exact.most, d.most);
    }
    return exact;
}

/// Without EW where it would be what the convolution waits for and hardly a value differs.
Requantisation requantised(const Context& context, int index, const LayerTarget& target,
                           const ConvLayer* conv) {
    const model::Architecture& sizes = context.sizes;
    const Stages stages{sizes.sdp_bs, sizes.sdp_bn, sizes.sdp_ew};
    if (stages.ew && conv != nullptr && !context.exact_at(index)) {
        Layer with, without;
        ConvLayer shape = *conv;
        shape.post.output = {conv->out_w, conv->out_h, conv->kernels, {}, 0, 0};
        without.work = shape;
        shape.post.ew.bypass = false;
        with.work = shape;
        if (bounds(sizes, with).most() > bounds(sizes, without).most()) {
            const Requantisation& made =
                context.searches.requantise(target, {stages.bs, stages.bn, false});
            std::int64_t values = 0, reachable = 0;
            int most = 0;
            for (const Deviation& d : made.deviations) {
                values += d.values;
                most = std::max(most, d.most);
            }
            for (const ChannelTarget& channel : target.channels)
                reachable += channel.high - channel.low + 1;
            if (most <= 1 && values * 1000 <= reachable) return made;
        }
    }
    return context.searches.requantise(target, stages);
}

Choice choose(const Context& context, int index, const LayerTarget& target, const ConvLayer* conv) {
    const model::Architecture& sizes = context.sizes;
    Choice out;
    out.single = requantised(context, index, target, conv);
    const std::size_t channels = target.channels.size();
    out.exactness = exactness_of(index, out.single.mapping, out.single.deviations, channels);
    if (!context.exact_at(index) || out.single.proved() || !sizes.sdp_bs || !sizes.sdp_bn)
        return out;
    const std::optional<Halves>& halves =
        context.searches.requantise_in_halves(target, {sizes.sdp_bs, sizes.sdp_bn, sizes.sdp_ew});
    if (!halves) return out;
    const auto both = exactness_of(index, "two halves", halves->deviations, channels);
    if (both.values >= out.exactness.values) return out;
    out.halves = halves;
    out.exactness = both;
    return out;
}

}  // namespace macrame::dla::compiler
