#include "compiler/dla/halves.hpp"

#include <algorithm>
#include <utility>

#include "compiler/dla/sdp_arithmetic.hpp"
#include "compiler/dla/step_function.hpp"

namespace macrame::dla::compiler {

namespace {

constexpr std::size_t kHalvesSample = 128;  // channels

/// The layer whose result is `shift` more, clamped to low..high where that is not what the output
/// does anyway.
LayerTarget shifted(const LayerTarget& layer, int shift, int low, int high) {
    LayerTarget out = layer;
    out.zero_point += shift;
    out.low = std::max(-128, low + shift);
    out.high = std::min(127, high + shift);
    // The sum saturates: beyond its bounds the halves may be anything further out.
    if (low == -128) out.low = -128;
    if (high == 127) out.high = 127;
    for (ChannelTarget& channel : out.channels) {
        const std::int64_t first = least_raw(layer, channel, -127 - layer.zero_point) - 1;
        const std::int64_t last = least_raw(layer, channel, 127 - layer.zero_point);
        const std::int64_t end = channel.high;
        channel.high = std::clamp(last, channel.low, channel.high);
        channel.low = std::clamp(first, channel.low, end);
    }
    return out;
}

std::int64_t wrong(const std::vector<Deviation>& deviations) {
    std::int64_t sum = 0;
    for (const Deviation& d : deviations)
        sum += d.values;
    return sum;
}

Halves cut(const LayerTarget& layer, const Stages& stages, int at) {
    Halves made;
    made.at = at;
    made.below = requantise(shifted(layer, 127 - at, layer.low, at), stages);
    made.above = requantise(shifted(layer, -128 - at, at, layer.high), stages);
    for (std::size_t c = 0; c < layer.channels.size(); ++c) {
        const Deviation found =
            deviation(layer, c, [&](std::int64_t raw) { return made.apply(c, raw); });
        if (found.values > 0) made.deviations.push_back(found);
    }
    return made;
}

}  // namespace

int Halves::apply(std::size_t channel, std::int64_t accumulator) const {
    const int sum = below.apply(channel, accumulator) + above.apply(channel, accumulator);
    return static_cast<int>(saturate(sum + offset(), 8));
}

std::optional<Halves> requantise_in_halves(const LayerTarget& layer, const Stages& stages) {
    // Both halves of all channels at every place take long where there are many channels: some of
    // them choose the place.
    const std::size_t channels = layer.channels.size();
    const bool choose = channels >= 4 * kHalvesSample;
    LayerTarget some = layer;
    if (choose) {
        some.channels.clear();
        for (std::size_t c = 0; c < channels; c += channels / kHalvesSample)
            some.channels.push_back(layer.channels[c]);
    }
    std::optional<Halves> best;
    const int middle = (layer.low + layer.high) / 2;
    for (const int at : {layer.zero_point, middle, middle - 40, middle + 40}) {
        if (at <= layer.low || at >= layer.high) continue;
        Halves made = cut(some, stages, at);
        if (!best || wrong(made.deviations) < wrong(best->deviations)) best = std::move(made);
        if (best->deviations.empty()) break;
    }
    return best && choose ? cut(layer, stages, best->at) : best;
}

}  // namespace macrame::dla::compiler
