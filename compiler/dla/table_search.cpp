#include "compiler/dla/table_search.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <utility>

#include "compiler/dla/layer_plans.hpp"
#include "compiler/dla/sdp_arithmetic.hpp"

namespace macrame::dla::compiler {

namespace {

/// A falling line rises with the negated input.
bool falls(const LineTable& line) { return line.slope < 0; }

/// The steps of a table, in the order in which it rises.
Channel channel_of(const LineTarget& target, const LineTable& line) {
    Channel channel;
    const int sign = falls(line) ? -1 : 1;
    const auto result = [&](std::int64_t raw) {
        return look_up(line.table, sign * static_cast<int>(raw)) - target.zero_point;
    };
    Steps& steps = channel.steps;
    steps.low = falls(line) ? -target.last : -128;
    steps.high = falls(line) ? 128 : target.last;
    steps.first = result(steps.low);
    steps.last = result(steps.high);
    for (std::int64_t raw = steps.low + 1; raw <= steps.high; ++raw)
        while (steps.first + static_cast<int>(steps.at.size()) < result(raw))
            steps.at.push_back(raw);
    channel.gain = {std::abs(line.slope), line.shift};
    channel.bias = -sign * std::llround(line.zero);
    channel.clamp = steps.high;
    return channel;
}

/// Back to the input as it is; the line ends at `last`.
void turn(const LineTarget& target, Requantisation& made) {
    for (std::size_t c = 0; c < target.channels.size(); ++c) {
        if (!falls(target.channels[c])) continue;
        made.bs.alu[c] = static_cast<std::int16_t>(-made.bs.alu[c]);
        made.bs.mul[c] = static_cast<std::int16_t>(-made.bs.mul[c]);
    }
    if (target.last == 127) return;
    made.bs.function = AluFunction::minimum;
    made.bs.alu.assign(target.channels.size(), static_cast<std::int16_t>(target.last));
    made.bs.alu_shift = 0;
}

void compare(const LineTarget& target, Requantisation& made) {
    made.deviations.clear();
    for (std::size_t c = 0; c < target.channels.size(); ++c) {
        Deviation found{static_cast<int>(c), 0, 256, 0};
        for (int x = -128; x < 128; ++x) {
            const int wanted = look_up(target.channels[c].table, std::min(x, target.last));
            const int distance = std::abs(made.apply(c, x) - wanted);
            found.values += distance != 0 ? 1 : 0;
            found.most = std::max(found.most, distance);
        }
        if (found.values > 0) made.deviations.push_back(found);
    }
}

std::pair<int, std::int64_t> rank(const Requantisation& made) {
    std::pair<int, std::int64_t> out{0, 0};
    for (const Deviation& d : made.deviations) {
        out.first = std::max(out.first, d.most);
        out.second += d.values;
    }
    out.first = std::max(out.first, 1);
    return out;
}

/// Slopes and offsets of lines that round to a table between two inputs.
struct OffsetBounds {
    double least = -std::numeric_limits<double>::infinity();
    double most = std::numeric_limits<double>::infinity();
};
OffsetBounds offsets(const Table& table, int first, double slope) {
    OffsetBounds out;
    for (int x = first; x < 128; ++x) {
        const int y = look_up(table, x);
        if (y > -128) out.least = std::max(out.least, y - 0.5 - slope * (x - first));
        if (y < 127) out.most = std::min(out.most, y + 0.5 - slope * (x - first));
    }
    return out;
}

/// Slope with the widest bounds, by their concavity.
double best_slope(const Table& table, int first) {
    double low = 0, high = 256;
    const auto room = [&](double slope) {
        const OffsetBounds found = offsets(table, first, slope);
        return std::min(found.most, 1e3) - std::max(found.least, -1e3);
    };
    for (int i = 0; i < 120; ++i) {
        const double a = low + (high - low) / 3, b = high - (high - low) / 3;
        (room(a) < room(b) ? low : high) = room(a) < room(b) ? a : b;
    }
    return (low + high) / 2;
}

}  // namespace

std::optional<Requantisation> requantise_lines(const LineTarget& target, const Stages& stages) {
    LayerTarget layer{target.rounding, target.zero_point, -128, 127, {}};
    std::vector<Channel> channels;
    for (const LineTable& line : target.channels)
        channels.push_back(channel_of(target, line));
    if (!stages.bs || !stages.bn) return {};
    const PlannedLayer planned(layer, stages, std::move(channels), target.last < 127);
    std::vector<Requantisation> best;
    for (std::size_t i = 0; i < planned.usual(); ++i) {
        std::optional<Requantisation> made = planned.make(i, 1);
        if (!made) continue;
        turn(target, *made);
        compare(target, *made);
        if (best.empty()) best.push_back(*made);
        if (rank(*made) < rank(best[0])) best[0] = std::move(*made);
        if (best[0].proved()) break;
    }
    if (best.empty()) return {};
    return std::move(best[0]);
}

int LineAndTensor::apply(int x, int n) const {
    const std::int64_t line = std::max(x - first, 0) * std::int64_t{multiplier};
    const std::int64_t v = saturate(line + alu_operand(n, shift), 32) - offset;
    return static_cast<int>(saturate(saturate(round_shift(v * scale, out_shift), 17), 8));
}

std::optional<LineAndTensor> line_and_tensor(const Table& table, int first) {
    const int zero = look_up(table, first);
    // Where nothing changes any more, any slope will do.
    const double slope = std::max(best_slope(table, first), 0x1p-8);
    int exponent = 0;
    std::frexp(slope, &exponent);
    LineAndTensor made;
    made.first = first;
    made.shift = 15 - exponent;
    if (made.shift < 1 || made.shift > 22) return {};
    made.out_shift = made.shift + 14;
    // The tensor is whole numbers: it does not mind a scale that is not quite a power of two.
    for (int away = 0; away <= 64; ++away) {
        made.scale = (1 << 14) + (away % 2 == 0 ? away / 2 : -(away + 1) / 2);
        const double unit = std::ldexp(made.scale, -made.out_shift);
        for (const int step : {0, 1, -1}) {
            made.multiplier = static_cast<int>(std::nearbyint(slope / unit)) + step;
            if (made.multiplier < 1 || made.multiplier > kMostOperand) continue;
            const OffsetBounds room = offsets(table, first, made.multiplier * unit);
            if (room.least >= room.most) continue;
            const double middle =
                (std::max(room.least, zero - 0.5) + std::min(room.most, zero + 0.5)) / 2;
            made.offset = static_cast<std::int32_t>(
                std::nearbyint(std::ldexp(zero, made.shift) - middle / unit));
            bool exact = true;
            for (int n = -128; n < 128; ++n)
                exact = exact && made.apply(first, n) == n;
            for (int x = first; x < 128; ++x)
                exact = exact && made.apply(x, zero) == look_up(table, x);
            if (exact) return made;
        }
    }
    return {};
}

}  // namespace macrame::dla::compiler
