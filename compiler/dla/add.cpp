#include "compiler/dla/add.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

#include "compiler/dla/sdp_arithmetic.hpp"
#include "compiler/dla/step_function.hpp"
#include "compiler/graph/quantised.hpp"

namespace macrame::dla::compiler {

namespace {

constexpr int kInputPairs = 65536;
constexpr int kLeftShift = 20;     // of TFLite's reference kernel
constexpr int kLeastSumShift = 6;  // of BN's operand where all of its bits are needed
constexpr int kMostSumShift = 18;  // of BN's operand, so that EW's product fits

int index_of(int a, int b) { return (a + 128) * 256 + b + 128; }

/// Compares all pairs; false as soon as as many are wrong as `best` has.
bool better(const AddTarget& target, const std::vector<int>& table, const AddMapping& best,
            AddMapping& candidate) {
    candidate.wrong = candidate.most = 0;
    // Neighbours are alike: a stride that visits all pairs far from each other tells sooner.
    constexpr int kStride = 40503;
    for (int n = 0, i = 0; n < kInputPairs; ++n, i = (i + kStride) % kInputPairs) {
        const int found =
            std::clamp(candidate.apply(i / 256 - 128, i % 256 - 128), target.low, target.high);
        const int distance = std::abs(found - table[static_cast<std::size_t>(i)]);
        if (distance == 0) continue;
        candidate.most = std::max(candidate.most, distance);
        if (++candidate.wrong >= best.wrong) return false;
    }
    return true;
}

/// Registers for one order and one shift; false: an operand does not fit.
bool registers(const AddTarget& target, bool main_is_b, int shift, AddMapping& made) {
    const AddTensor& main = main_is_b ? target.b : target.a;
    const AddTensor& other = main_is_b ? target.a : target.b;
    double multiplier = std::nearbyint(std::ldexp(main.scale / other.scale, shift));
    double slope = std::ldexp(other.scale / target.output.scale, -shift);
    if (multiplier < 1) return false;
    if (multiplier > kMostOperand) {
        if (shift != kLeastSumShift) return false;
        // Next to nothing: a little of it is as good as what it is.
        shift = 0;
        multiplier = kMostOperand;
        slope = main.scale / target.output.scale / kMostOperand;
    }
    int exponent = 0;
    const double mantissa = std::frexp(slope, &exponent);
    made.scale =
        static_cast<std::int16_t>(std::min(std::nearbyint(mantissa * 32768), 1.0 * kMostOperand));
    made.shift = 15 - exponent;
    if (made.shift < 0 || made.shift > 48) return false;
    const double zero = std::ldexp(target.output.zero_point, made.shift) / made.scale;
    // BS subtracts what it multiplies, or the convertor all of it.
    const bool negated = target.subtract && !main_is_b;
    if (negated) made.scale = static_cast<std::int16_t>(-made.scale);
    const double offset =
        std::ldexp(other.zero_point, shift) - std::nearbyint(negated ? -zero : zero);
    if (std::abs(offset) > 2147483000.0) return false;
    made.main_is_b = main_is_b;
    made.bs_alu = static_cast<std::int16_t>(-main.zero_point);
    made.bs_mul = static_cast<std::int16_t>(target.subtract ? -multiplier : multiplier);
    made.bn_shift = shift;
    made.offset = static_cast<std::int32_t>(offset);
    return true;
}

/// Neighbours of the best registers, as long as they are better.
void refine(const AddTarget& target, const std::vector<int>& table, AddMapping& best) {
    const int grain = std::max(1, (1 << best.bn_shift) / 256);
    for (bool again = true; again && best.wrong > 0;) {
        again = false;
        for (int change = 0; change < 8; ++change) {
            AddMapping candidate = best;
            const int step = change % 2 == 0 ? 1 : -1;
            if (change < 2) candidate.offset += step;
            if (change / 2 == 1) candidate.offset += step * grain;
            if (change / 2 == 2)
                candidate.scale = static_cast<std::int16_t>(
                    std::clamp(best.scale + step, -kMostOperand, kMostOperand));
            if (change / 2 == 3)
                candidate.bs_mul = static_cast<std::int16_t>(
                    std::clamp(best.bs_mul + step, -kMostOperand, kMostOperand));
            if (!better(target, table, best, candidate)) continue;
            best = candidate;
            again = true;
        }
    }
}

/// Registers with EW: `fraction` bits are left for the rounding of the convertor. The sum is `tilt`
/// larger than it should be, so that halves go away from 0 whatever the zero point is.
bool registers_with_ew(const AddTarget& target, bool main_is_b, int fraction, double tilt,
                       AddMapping& made) {
    const AddTensor& main = main_is_b ? target.b : target.a;
    const AddTensor& other = main_is_b ? target.a : target.b;
    const double ratio = main.scale / other.scale;
    int shift = kMostSumShift;
    while (shift > 0 && std::ldexp(ratio, shift) > 1 << 14)
        --shift;
    // What an operand of next to nothing is too large by, is taken off again by EW.
    const double multiplier = std::min(std::nearbyint(std::ldexp(ratio, shift)), 1.0 * (1 << 14));
    if (multiplier < 1) return false;
    const double unit = std::ldexp((1 + tilt) / target.output.scale, fraction);
    AddEw ew;
    int exponent = 0;
    const double factor = main.scale * unit / multiplier;
    ew.factor = static_cast<std::int32_t>(
        std::min(std::nearbyint(std::ldexp(std::frexp(factor, &exponent), 31)), 2147483647.0));
    ew.truncate = 31 - exponent;
    if (ew.truncate < 1 || ew.truncate > 62) return false;
    const double real = std::ldexp(ew.factor, -ew.truncate);
    const double rest = other.scale * unit - std::ldexp(real, shift);
    ew.shift = 15;
    if (rest != 0) {
        std::frexp(rest, &exponent);
        ew.shift = std::clamp(15 - exponent, 0, 48);
    }
    const double scale = std::nearbyint(std::ldexp(rest, ew.shift));
    if (std::abs(scale) > kMostOperand) return false;
    ew.scale = static_cast<std::int16_t>(scale);
    ew.zero = other.zero_point;
    // What is subtracted in the end is the main operand or the other one with all else negated.
    const bool negated = target.subtract && !main_is_b;
    const double zero = std::ldexp(target.output.zero_point, fraction);
    const double offset = std::ldexp(other.zero_point * real, shift) - (negated ? -zero : zero);
    if (std::abs(offset) > 2147483000.0) return false;
    made.main_is_b = main_is_b;
    made.bs_alu = static_cast<std::int16_t>(-main.zero_point);
    made.bs_mul = static_cast<std::int16_t>(target.subtract ? -multiplier : multiplier);
    made.bn_shift = shift;
    made.ew = ew;
    made.offset = static_cast<std::int32_t>(std::nearbyint(offset));
    made.scale = negated ? -1 : 1;
    made.shift = fraction;
    return true;
}

/// Where the references round in units of 2^-19 of the output, one mapping in two is exact.
void search_with_ew(const AddTarget& target, const std::vector<int>& table, AddMapping& best) {
    const double most = 256 * (target.a.scale + target.b.scale) / target.output.scale;
    int bits = 0;
    std::frexp(std::max(most, 256.0), &bits);
    const int widest = 31 - bits;
    for (const double tilt : {0.0, 0x1p-20, -0x1p-20, 0x1p-22, 0x1p-18, 0x1p-24}) {
        for (int fraction = widest; fraction >= std::max(widest - 3, 1); --fraction) {
            for (const bool main_is_b : {false, true}) {
                if (target.main_is_b && *target.main_is_b != main_is_b) continue;
                AddMapping candidate;
                if (!registers_with_ew(target, main_is_b, fraction, tilt, candidate)) continue;
                const AddMapping centre = candidate;
                for (const int step : {0, 1, -1, 2, -2}) {
                    candidate.offset = centre.offset + step;
                    if (better(target, table, best, candidate)) best = candidate;
                    if (best.wrong == 0) return;
                }
            }
        }
    }
}

}  // namespace

std::vector<int> add_table(const AddTarget& target) {
    std::vector<int> table(kInputPairs);
    const double twice = 2 * std::max(target.a.scale, target.b.scale);
    const double output = target.output.scale;
    const Fixed first = fixed(target.a.scale / twice), second = fixed(target.b.scale / twice);
    const Fixed last = fixed(twice / (std::ldexp(1.0, kLeftShift) * output));
    const int sign = target.subtract ? -1 : 1;
    const auto single = [](double scale) { return static_cast<float>(scale); };
    const graph::OnnxSum onnx(single(target.a.scale), target.a.zero_point, single(target.b.scale),
                              target.b.zero_point, single(output), target.output.zero_point,
                              target.shift);
    for (int a = -128; a < 128; ++a) {
        for (int b = -128; b < 128; ++b) {
            const std::int64_t x = a - target.a.zero_point, y = b - target.b.zero_point;
            std::int64_t sum = 0;
            if (target.rounding == Rounding::tflite) {
                const std::int64_t scaled = multiply(x * (1 << kLeftShift), first);
                sum = multiply(scaled + sign * multiply(y * (1 << kLeftShift), second), last);
            } else if (!target.subtract) {
                sum = static_cast<std::int64_t>(onnx(a, b)) - target.output.zero_point;
            } else {
                const float real = static_cast<float>(x) * static_cast<float>(target.a.scale) -
                                   static_cast<float>(y) * static_cast<float>(target.b.scale);
                sum = static_cast<std::int64_t>(std::nearbyint(real / static_cast<float>(output)));
            }
            table[static_cast<std::size_t>(index_of(a, b))] = static_cast<int>(
                std::clamp<std::int64_t>(sum + target.output.zero_point, target.low, target.high));
        }
    }
    return table;
}

int AddMapping::apply(int a, int b) const {
    const std::int64_t main = main_is_b ? b : a, other = main_is_b ? a : b;
    const std::int64_t added = bs_shift < 0 ? bs_alu : alu_operand(other, bs_shift);
    const std::int64_t scaled = saturate((main + added) * bs_mul, 32);
    std::int64_t sum = saturate(scaled + alu_operand(again ? main : other, bn_shift), 32);
    sum = saturate(round_shift(sum * bn_mul, bn_mul_shift), 32);
    if (ew) {
        const std::int64_t rest = round_shift((other - ew->zero) * ew->scale, ew->shift);
        sum = saturate(round_shift(sum * ew->factor, ew->truncate, 64), 32);
        sum = saturate(sum + saturate(rest, 32), 32);
    }
    return static_cast<int>(saturate(saturate(round_shift((sum - offset) * scale, shift), 17), 8));
}

int add_reference(const AddTarget& target, int a, int b) {
    return add_table(target)[static_cast<std::size_t>(index_of(a, b))];
}

AddMapping add_parameters(const AddTarget& target, bool ew, bool twice) {
    for (double scale : {target.a.scale, target.b.scale, target.output.scale}) {
        if (!std::isfinite(scale) || scale <= 0)
            throw std::invalid_argument("a scale of an addition is not positive: want more than 0");
    }
    const std::vector<int> table = add_table(target);
    const auto with_clamps = [&](AddMapping made) {
        made.maximum_left = target.low > -128;
        made.minimum_left = target.high < 127;
        return made;
    };
    if (const auto exact = exact_add(target, table, false)) return with_clamps(*exact);
    AddMapping best;
    best.wrong = std::numeric_limits<int>::max();
    std::vector<AddMapping> tried;
    for (int shift = 15; shift >= kLeastSumShift; --shift) {
        for (bool main_is_b : {false, true}) {
            AddMapping candidate;
            if (target.main_is_b && *target.main_is_b != main_is_b) continue;
            if (!registers(target, main_is_b, shift, candidate)) continue;
            if (better(target, table, best, candidate)) tried.push_back(best = candidate);
        }
    }
    if (tried.empty() && ew) search_with_ew(target, table, best);
    if (best.wrong == std::numeric_limits<int>::max())
        throw std::invalid_argument("scales of an addition differ too much");
    for (std::size_t n = tried.size(); n > 0 && n + 3 > tried.size(); --n) {
        refine(target, table, tried[n - 1]);
        if (tried[n - 1].wrong < best.wrong) best = tried[n - 1];
    }
    if (twice && best.wrong > 0)
        if (const auto exact = exact_add(target, table, true)) return with_clamps(*exact);
    if (ew && best.wrong > 0) search_with_ew(target, table, best);
    return with_clamps(best);
}

}  // namespace macrame::dla::compiler
