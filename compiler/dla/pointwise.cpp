#include "compiler/dla/pointwise.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <utility>

#include "compiler/dla/sdp_arithmetic.hpp"

namespace macrame::dla::compiler {

namespace {

constexpr double kNoLimit = std::numeric_limits<double>::infinity();

/// y = clamp(round(slope * x + offset)), with `slack` to spare on both sides of every rounding.
struct Line {
    double slope = 0, offset = 0, slack = -kNoLimit;
};

/// Inputs of a line. At an end that is `cut`, the line may be beyond the output: a clamp between
/// two inputs follows.
struct TableEnds {
    int first = -128, last = 127;
    bool cut_first = false, cut_last = false;
};

/// Inputs outside of which the output does not change, although it does not saturate there.
TableEnds ends_of(const Table& table) {
    TableEnds ends;
    const auto saturates = [](int y) { return y == -128 || y == 127; };
    if (!saturates(table.front()))
        while (ends.first < 127 && look_up(table, ends.first + 1) == table.front())
            ++ends.first;
    if (!saturates(table.back()))
        while (ends.last > ends.first && look_up(table, ends.last - 1) == table.back())
            --ends.last;
    return ends;
}

/// What a line has to be above or below of at an input.
struct LineBound {
    double x = 0, y = 0;
};
struct LineBounds {
    std::vector<LineBound> least, most;
};

LineBounds line_bounds(const Table& table, const TableEnds& ends) {
    LineBounds out;
    const bool rises = table.front() <= table.back();
    for (int x = ends.first; x <= ends.last; ++x) {
        const int y = look_up(table, x);
        const bool cut_first = x == ends.first && ends.cut_first;
        const bool cut_last = x == ends.last && ends.cut_last;
        const bool below = y == -128 || (rises ? cut_first : cut_last);
        const bool above = y == 127 || (rises ? cut_last : cut_first);
        if (!below) out.least.push_back({1.0 * x, y - 0.5});
        if (!above) out.most.push_back({1.0 * x, y + 0.5});
    }
    return out;
}

/// Without those that others hide at every slope: `side` is 1 where the largest bound counts, -1
/// where the least does. By more than rounding can change, so that no line becomes another one.
std::vector<LineBound> outmost(const std::vector<LineBound>& bounds, int side) {
    constexpr double kRoom = 0x1.0p-20;
    std::vector<LineBound> out;
    for (const LineBound& bound : bounds) {
        const auto hidden = [&](const LineBound& from, const LineBound& at) {
            const double part = (at.x - from.x) / (bound.x - from.x);
            return side * (from.y + part * (bound.y - from.y) - at.y) > kRoom;
        };
        while (out.size() > 1 && hidden(out[out.size() - 2], out.back()))
            out.pop_back();
        out.push_back(bound);
    }
    return out;
}

/// What the offset may be for a slope: between the largest lower and the least upper bound.
Line at_slope(const LineBounds& bounds, double slope) {
    double least = -kNoLimit, most = kNoLimit;
    for (const LineBound& bound : bounds.least)
        least = std::max(least, bound.y - slope * bound.x);
    for (const LineBound& bound : bounds.most)
        most = std::min(most, bound.y - slope * bound.x);
    if (least == -kNoLimit) least = most - 1;
    if (most == kNoLimit) most = least + 1;
    return {slope, (least + most) / 2, most - least};
}

/// The line with the most to spare: how much that is, is a concave function of the slope.
Line best_line(const Table& table, const TableEnds& ends) {
    LineBounds bounds = line_bounds(table, ends);
    bounds = {outmost(bounds.least, 1), outmost(bounds.most, -1)};
    double low = -256, high = 256;
    for (int i = 0; i < 200; ++i) {
        const double a = low + (high - low) / 3, b = high - (high - low) / 3;
        const bool rises = at_slope(bounds, a).slack < at_slope(bounds, b).slack;
        double& end = rises ? low : high;
        if (end == (rises ? a : b)) break;  // nothing changes any more
        end = rises ? a : b;
    }
    return at_slope(bounds, (low + high) / 2);
}

/// Right shift s for which factor * 2^s is in 2^14 .. 2^15.
int shift_of(double factor, int most) {
    if (factor == 0) return 0;
    int exponent = 0;
    std::frexp(factor, &exponent);
    return std::clamp(15 - exponent, 0, most);
}

int rounded(double value) {
    return static_cast<int>(std::nearbyint(std::clamp(value, -2147483000.0, 2147483000.0)));
}
std::int16_t operand(double value) {
    return static_cast<std::int16_t>(std::clamp(rounded(value), -kMostOperand, kMostOperand));
}

XRegisters& use_alu(PointwiseStage& stage, AluFunction function, int value) {
    stage.registers.bypass = stage.registers.alu_bypass = false;
    stage.registers.function = function;
    stage.registers.alu_value = value;
    return stage.registers;
}
XRegisters& use_mul(PointwiseStage& stage, int value, int shift) {
    stage.registers.bypass = stage.registers.mul_bypass = false;
    stage.registers.mul_value = value;
    stage.registers.mul_shift = shift;
    return stage.registers;
}

/// One channel has its operands in registers.
void settle(PointwiseStage& stage) {
    if (stage.alu.size() == 1) stage.registers.alu_value = stage.alu[0];
    if (stage.mul.size() == 1) stage.registers.mul_value = stage.mul[0];
    if (stage.alu.size() == 1) stage.alu.clear();
    if (stage.mul.size() == 1) stage.mul.clear();
}

/// A line of slope 1: nothing but clamp_of and an offset.
std::optional<Pointwise> clamp_of(const Table& table) {
    const TableEnds ends = ends_of(table);
    const Line plain = at_slope(line_bounds(table, ends), 1);
    const double whole = std::nearbyint(plain.offset);
    if (std::abs(whole - plain.offset) >= plain.slack / 2) return std::nullopt;
    Pointwise made;
    made.mapping = "clamp";
    if (ends.first > -128) use_alu(made.bs, AluFunction::maximum, ends.first);
    if (ends.last < 127) use_alu(made.bn, AluFunction::minimum, ends.last);
    made.offset = rounded(-whole);
    return made;
}

/// One line with clamp_of: one of them in BS, at an input, the other one in BN, at a place between
/// two of them. Both multiply, the convertor adds.
Pointwise clamped_line(const Table& table, bool last_in_bn) {
    Pointwise made;
    made.mapping = "line";
    TableEnds ends = ends_of(table);
    const bool low = ends.first > -128, high = ends.last < 127;
    ends.cut_last = high && (last_in_bn || !low);
    ends.cut_first = low && !ends.cut_last;
    const Line line = best_line(table, ends);
    if (low && !ends.cut_first) use_alu(made.bs, AluFunction::maximum, ends.first);
    if (high && !ends.cut_last) use_alu(made.bs, AluFunction::minimum, ends.last);
    // The first factor is a power of two, for the clamp behind it.
    constexpr int kFraction = 13, kPlaces = 7;
    use_mul(made.bs, 1 << kFraction, 0);
    if ((ends.cut_first || ends.cut_last) && line.slope != 0) {
        const double at =
            ((ends.cut_last ? table.back() : table.front()) - line.offset) / line.slope;
        use_alu(made.bn, ends.cut_last ? AluFunction::minimum : AluFunction::maximum,
                operand(std::ldexp(at, kPlaces)))
            .alu_shift = kFraction - kPlaces;
    }
    const int bits = shift_of(std::abs(line.slope), 30);
    use_mul(made.bn, operand(std::ldexp(line.slope, bits)), 0);
    const int shift = bits + kFraction;
    // At most 32 bits come out of BN.
    const int narrow = std::max(0, shift - 20);
    made.bn.registers.mul_shift = narrow;
    made.shift = shift - narrow;
    made.offset = rounded(-std::ldexp(line.offset, made.shift));
    return made;
}

/// A line for each channel, without clamp_of: y = ((x + A1) * B1 + A2) * B2 / 2^(s2 + shift).
std::optional<Pointwise> lines(const std::vector<Table>& tables) {
    std::vector<Line> found;
    double steepest = 0;
    for (const Table& table : tables) {
        const TableEnds ends = ends_of(table);
        if (ends.first > -128 || ends.last < 127) {
            const bool constant = ends.first >= ends.last;
            if (!constant) return std::nullopt;
        }
        found.push_back(ends.first >= ends.last ? Line{0, double(table[0]), 1}
                                                : best_line(table, TableEnds{}));
        steepest = std::max(steepest, std::abs(found.back().slope));
    }
    Pointwise made;
    made.mapping = "lines";
    constexpr int kFraction = 14, kShift = 14;
    // Slope = B1 * B2 / 2^(s2 + kShift), B1 about 2^kFraction.
    const int bits = std::min(shift_of(steepest, 30), 30);
    const int s2 = bits + kFraction - kShift;
    if (s2 < 0 || s2 > 48) return std::nullopt;
    made.shift = kShift;
    for (const Line& line : found) {
        const double wanted = std::ldexp(line.slope, bits);  // B1 * B2 / 2^kFraction
        std::int16_t b1 = 1 << kFraction, b2 = operand(wanted);
        double best = kNoLimit;
        // The pair with the product nearest to it.
        for (int first = 1 << kFraction; first <= kMostOperand && line.slope != 0; first += 37) {
            const double second = std::nearbyint(std::ldexp(wanted, kFraction) / first);
            if (std::abs(second) > kMostOperand) continue;
            const double error = std::abs(second * first - std::ldexp(wanted, kFraction));
            if (error >= best) continue;
            best = error;
            b1 = static_cast<std::int16_t>(first);
            b2 = static_cast<std::int16_t>(second);
        }
        double before = 0, rest = 0;  // in units of x, in units of v1
        if (line.slope == 0) {
            b1 = 0;
            b2 = 1 << 10;
            rest = std::ldexp(line.offset, s2 + kShift) / b2;
        } else {
            const double real = double(b1) * b2 / std::ldexp(1.0, s2 + kShift);
            before = std::clamp(std::nearbyint(line.offset / real), -1.0 * kMostOperand,
                                1.0 * kMostOperand);
            rest = (line.offset / real - before) * b1;
        }
        made.bs.alu.push_back(operand(before));
        made.bs.mul.push_back(b1);
        made.bn.alu.push_back(operand(rest));
        made.bn.mul.push_back(b2);
    }
    use_alu(made.bs, AluFunction::sum, 0);
    use_mul(made.bs, 0, 0);
    use_alu(made.bn, AluFunction::sum, 0);
    use_mul(made.bn, 0, s2);
    settle(made.bs);
    settle(made.bn);
    return made;
}

/// Slopes that make of distances to the bend what the tables have; `side`: 1 or -1.
struct Slopes {
    double least = -kNoLimit, most = kNoLimit;
    double middle(double part = 0.5) const {
        if (least == -kNoLimit) return most == kNoLimit ? 0 : most;
        return most == kNoLimit ? least : least + part * (most - least);
    }
    bool any() const { return least <= most; }
};
Slopes slopes(const Table& table, int bend, int side, double offset) {
    Slopes out;
    for (int x = bend + side; x >= -128 && x <= 127; x += side) {
        const double d = x - bend;
        const int y = look_up(table, x);
        double low = y > -128 ? (y - 0.5 - offset) / d : -kNoLimit * side;
        double high = y < 127 ? (y + 0.5 - offset) / d : kNoLimit * side;
        if (d < 0) std::swap(low, high);
        out.least = std::max(out.least, low);
        out.most = std::min(out.most, high);
    }
    return out;
}

/// A bend: the same slope above it for all channels, one of its own below for each. What comes into
/// the bend is `lift` steps of the output larger, the output `tilt` steps, for references that
/// round twice.
std::optional<Pointwise> bent(const std::vector<Table>& tables, int bend, double tilt, double lift,
                              double part = 0.5) {
    const double offset = look_up(tables[0], bend) + tilt;
    Slopes above;
    for (const Table& table : tables) {
        const Slopes one = slopes(table, bend, 1, offset + lift);
        above.least = std::max(above.least, one.least);
        above.most = std::min(above.most, one.most);
    }
    double up = above.middle(part);
    if (bend == 127) {  // there is nothing above
        for (const Table& table : tables)
            up = std::max(up, std::abs(slopes(table, bend, -1, offset).middle()));
    }
    if (!(up > 0) || up > 64) return std::nullopt;
    std::vector<double> ratios;
    double largest = 0;
    for (const Table& table : tables) {
        double ratio = 0;
        for (int i = 0; i < 3; ++i)
            ratio = slopes(table, bend, -1, offset + lift * ratio).middle() / up;
        ratios.push_back(ratio);
        largest = std::max(largest, std::abs(ratios.back()));
    }
    if (largest > 1024) return std::nullopt;
    Pointwise made;
    made.mapping = "bend";
    use_alu(made.bs, AluFunction::sum, -bend);
    // Slope above = B1 * scale / 2^shift; 15 bits in front, as many behind.
    const int bits = shift_of(up, 30);
    double best = kNoLimit;
    int b1 = 0;
    const double product = std::ldexp(up, bits + 8);
    for (int scale = 128; scale <= 512; ++scale) {
        const double first = std::nearbyint(product / scale);
        if (first > kMostOperand || first < 1) continue;
        const double error = std::abs(first * scale - product);
        if (error >= best) continue;
        best = error;
        b1 = static_cast<int>(first);
        made.scale = scale;
    }
    if (b1 == 0) return std::nullopt;
    use_mul(made.bs, b1, 0);
    made.shift = bits + 8;
    made.offset = rounded(-std::ldexp(offset, made.shift) / made.scale);
    if (lift != 0) use_alu(made.bn, AluFunction::sum, operand(lift / up * b1));
    const int low_shift = std::min(shift_of(largest, 30), 30);
    use_mul(made.bn, 0, low_shift).prelu = true;
    for (const double ratio : ratios)
        made.bn.mul.push_back(operand(std::ldexp(ratio, low_shift)));
    settle(made.bn);
    return made;
}

/// How good it is: less is better.
using Rank = std::pair<int, int>;
Rank rank(const Pointwise& made) { return {std::max(made.most, 1), made.wrong}; }

/// Compares all values, or gives up where it is no better than `limit`.
bool compare(const std::vector<Table>& tables, Pointwise& made, const std::optional<Rank>& limit) {
    made.wrong = made.most = made.proved = 0;
    for (std::size_t c = 0; c < tables.size(); ++c) {
        const int before = made.wrong;
        for (int x = -128; x < 128; ++x) {
            const int distance = std::abs(made.apply(c, x) - look_up(tables[c], x));
            made.wrong += distance != 0 ? 1 : 0;
            made.most = std::max(made.most, distance);
        }
        made.proved += made.wrong == before ? 1 : 0;
        if (limit && rank(made) >= *limit) return false;
    }
    return true;
}

}  // namespace

std::int64_t PointwiseStage::apply(std::size_t channel, std::int64_t value) const {
    const XRegisters& r = registers;
    if (r.bypass) return value;
    if (!r.alu_bypass) {
        const std::int64_t o = alu_operand(alu.empty() ? r.alu_value : alu[channel], r.alu_shift);
        value = r.function == AluFunction::maximum   ? std::max(value, o)
                : r.function == AluFunction::minimum ? std::min(value, o)
                                                     : value + o;
    }
    const bool pass = !r.mul_bypass && r.prelu && value >= 0;
    if (!r.mul_bypass && !pass) value *= mul.empty() ? r.mul_value : mul[channel];
    if (!pass) value = saturate(round_shift(value, r.mul_shift), 32);
    return r.relu ? std::max<std::int64_t>(value, 0) : value;
}

int Pointwise::apply(std::size_t channel, int value) const {
    const std::int64_t v = bn.apply(channel, bs.apply(channel, value));
    return static_cast<int>(saturate(saturate(round_shift((v - offset) * scale, shift), 17), 8));
}

void compare(const std::vector<Table>& tables, Pointwise& made) { compare(tables, made, {}); }

std::optional<Pointwise> pointwise(const std::vector<Table>& tables, int bend) {
    std::optional<Pointwise> best;
    const auto consider = [&](std::optional<Pointwise> made) {
        if (!made) return;
        const std::optional<Rank> limit = best ? std::optional{rank(*best)} : std::nullopt;
        if (compare(tables, *made, limit)) best = std::move(made);
    };
    const auto exact = [&] { return best && best->wrong == 0; };
    if (tables.size() == 1) {
        consider(clamp_of(tables[0]));
        if (!exact()) consider(clamped_line(tables[0], true));
        if (!exact()) consider(clamped_line(tables[0], false));
    }
    if (!exact()) consider(lines(tables));
    // Other slopes above have other operands below.
    for (const double part : {0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8})
        if (!exact()) consider(bent(tables, bend, 0, 0, part));
    for (const double lift : {0.0, 0.25, 0.4, 0.12, -0.12}) {
        for (const double tilt : {0.0, 1e-3, -1e-3, 0.03, -0.03, 0.2, -0.2, 0.12, -0.12}) {
            if (exact()) break;
            consider(bent(tables, bend, tilt, lift));
        }
    }
    return best;
}

Pointwise pointwise_of(const Requantisation& made) {
    Pointwise out;
    out.mapping = made.mapping;
    const auto stage = [](const XStage& from, PointwiseStage& to) {
        if (from.bypass) return;
        if (!from.alu.empty()) use_alu(to, from.function, from.alu[0]).alu_shift = from.alu_shift;
        if (!from.mul.empty()) use_mul(to, from.mul[0], from.mul_shift);
        to.registers.bypass = false;
        to.registers.relu = from.relu;
    };
    stage(made.bs, out.bs);
    stage(made.bn, out.bn);
    out.offset = made.offset;
    out.shift = made.shift;
    return out;
}

}  // namespace macrame::dla::compiler
