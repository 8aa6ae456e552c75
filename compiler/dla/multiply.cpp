#include "compiler/dla/multiply.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "compiler/dla/levels.hpp"
#include "compiler/dla/sdp_arithmetic.hpp"
#include "compiler/graph/quantised.hpp"

namespace macrame::dla::compiler {

namespace {

/// A factor as first * second / 2^shift with 1 <= first <= `largest`, 2^14 <= |second| < 2^15.
struct Product {
    int first = 1, second = 1, shift = 0;
    double error = std::numeric_limits<double>::infinity();
};

/// The nearest products, the best first. `bits` of the first factor.
std::vector<Product> products(double factor, int bits, std::size_t count) {
    std::vector<Product> out;
    int exponent = 0;
    std::frexp(std::abs(factor), &exponent);
    const int most = bits + 15 - exponent;  // the product has that many bits, or one less
    const int low = 1 << (bits - 1), high = std::min((1 << bits) - 1, kMostOperand);
    // With the larger shift few pairs reach a mantissa near 1.
    for (int n = low; n <= 2 * high - low + 1; ++n) {
        const int shift = n <= high ? most : most - 1;
        const int first = n <= high ? n : n - high - 1 + low;
        const double wanted = std::ldexp(std::abs(factor), shift);
        const double second = std::nearbyint(wanted / first);
        if (second > kMostOperand) continue;
        const double error = std::ldexp(std::abs(first * second - wanted), -shift);
        if (out.size() == count && error >= out.back().error) continue;
        Product found{first, static_cast<int>(factor < 0 ? -second : second), shift, error};
        const auto place =
            std::upper_bound(out.begin(), out.end(), found,
                             [](const Product& a, const Product& b) { return a.error < b.error; });
        out.insert(place, found);
        if (out.size() > count) out.pop_back();
    }
    return out;
}

/// Bits of a factor in front of the convertor with which its offset fits.
int first_bits(const MultiplyTarget& target, int most) {
    const double steps = std::max(1, std::abs(target.zero_output)) / std::abs(target.factor);
    return std::clamp(30 - static_cast<int>(std::ceil(std::log2(steps))), 1, most);
}

class Search {
public:
    Search(const MultiplyTarget& target, const std::vector<std::int8_t>& pairs)
        : target_(target), pairs_(pairs) {}

    const MultiplyMapping& best() const { return best_; }
    bool found() const { return best_.wrong < std::numeric_limits<int>::max(); }

    void consider(MultiplyMapping made, double offset) {
        if (std::abs(offset) > 2147483000.0 || made.out_shift < 0 || made.out_shift > 48) return;
        made.offset = static_cast<std::int32_t>(std::nearbyint(offset));
        made.wrong = made.most = 0;
        // Neighbours are alike: a stride that visits all pairs far from each other tells sooner.
        constexpr int kPairs = 65536, kStride = 40503;
        for (int n = 0, i = 0; n < kPairs; ++n, i = (i + kStride) % kPairs) {
            const int found =
                std::clamp(made.apply(i / 256 - 128, i % 256 - 128), target_.low, target_.high);
            const int distance = std::abs(found - pairs_[static_cast<std::size_t>(i)]);
            if (distance == 0) continue;
            made.most = std::max(made.most, distance);
            if (++made.wrong >= best_.wrong) return;
        }
        best_ = made;
    }

    /// One rounding, in the convertor. `base`: what comes out of the stages in front, in units of
    /// `unit` products, with a constant.
    void once(MultiplyMapping base, int unit, double constant) {
        const double product = std::ldexp(1.0, base.out_shift) / base.scale;
        const double half = unit / (2 * mantissa());
        // One more or less where halves are met exactly.
        for (const double lean : {0.0, half, -half, half + 1, half - 1, 1 - half, -1 - half})
            consider(base, constant - target_.zero_output * product - lean);
    }

    /// As TFLite: what comes in has been rounded to units of the second rounding.
    void twice(MultiplyMapping base, double constant) {
        const int right = right_shift();
        if (right < 0) return;
        const double zero = std::ldexp(target_.zero_output, right);
        base.scale = 1;
        base.out_shift = right;
        consider(base, constant - zero);
        // A little less than 1: halves go towards zero.
        base.scale = kMostOperand;
        base.out_shift = right + 15;
        consider(base, constant - zero);
    }

    /// As TFLite for products of one sign: half a unit of the first rounding on top, and rounded
    /// once. `bits` of a unit are left in front of the convertor.
    void leaning(MultiplyMapping base, int bits) {
        const int right = right_shift();
        base.scale = 1;
        base.out_shift = right + bits;
        const double zero = std::ldexp(target_.zero_output, right + bits);
        for (const double units : {0.5, -0.5})
            for (const double more : {0.0, 1.0, -1.0, 4.0, -4.0, 16.0, -16.0})
                consider(base, -zero - std::ldexp(units, bits) - more);
    }

    /// TFLite's first rounding is of products times this, 0.5 to 1; its second one divides by
    /// 2^right_shift().
    double mantissa() const {
        int exponent = 0;
        return std::frexp(std::abs(target_.factor), &exponent);
    }
    int right_shift() const {
        int exponent = 0;
        std::frexp(target_.factor, &exponent);
        return -exponent;
    }

private:
    const MultiplyTarget& target_;
    const std::vector<std::int8_t>& pairs_;
    MultiplyMapping best_ = [] {
        MultiplyMapping none;
        none.wrong = std::numeric_limits<int>::max();
        return none;
    }();
};

void with_ew(const MultiplyTarget& target, Search& search) {
    MultiplyMapping base;
    base.ew = true;
    base.zero_a = target.zero_a;
    base.zero_b = target.zero_b;
    for (const Product& p : products(target.factor, first_bits(target, 15), 6)) {
        MultiplyMapping made = base;
        made.first = p.first;
        made.scale = p.second;
        made.out_shift = p.shift;
        search.once(made, p.first, 0);
    }
    if (target.rounding != Rounding::tflite || search.right_shift() < 0) return;
    // 22 fraction bits in front of EW, the first rounding of TFLite behind it, or in the convertor.
    constexpr int kFraction = 22, kLeaning = 14;
    const double mantissa = target.factor < 0 ? -search.mantissa() : search.mantissa();
    for (const Product& p : products(mantissa, 15, 6)) {
        MultiplyMapping made = base;
        made.first = p.first;
        made.second = p.second;
        made.shift = p.shift - kFraction;
        made.truncate = kFraction;
        search.twice(made, 0);
        const int bits = std::min(kLeaning, 23 - search.right_shift());
        made.truncate = kFraction - bits;
        if (bits > 0) search.leaning(made, bits);
    }
}

/// By the levels of what is in front of BN's multiplier.
void by_levels(const MultiplyTarget& target, const std::vector<std::int8_t>& pairs,
               MultiplyMapping base, Search& search) {
    const bool falls = target.factor < 0;
    Levels levels(target.low, target.high);
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        const std::int64_t sum =
            base.sum(static_cast<int>(i / 256) - 128, static_cast<int>(i % 256) - 128);
        levels.add(pairs[i], falls ? -sum : sum);
    }
    const std::optional<Tail> tail = levels.tail();
    if (!tail) return;
    base.second = falls ? -tail->mul : tail->mul;
    base.shift = tail->mul_shift;
    base.scale = tail->scale;
    base.out_shift = tail->shift;
    search.consider(base, tail->offset);
}

void without_ew(const MultiplyTarget& target, const std::vector<std::int8_t>& pairs,
                Search& search) {
    MultiplyMapping base;
    base.zero_a = target.zero_a;
    base.zero_b = target.zero_b;
    double constant = 0;
    if (target.zero_b != 0) {
        while (1 << (base.again + 1) <= -target.zero_b)
            ++base.again;
        constant = std::ldexp(target.zero_a, base.again);
    }
    for (const Product& p : products(target.factor, first_bits(target, 14), 6)) {
        MultiplyMapping made = base;
        made.second = p.first;
        made.scale = p.second;
        made.out_shift = p.shift;
        search.once(made, p.first, constant * p.first);
    }
    if (search.best().wrong > 0) by_levels(target, pairs, base, search);
    if (search.best().wrong == 0 || target.rounding != Rounding::tflite || constant != 0) return;
    const double mantissa = target.factor < 0 ? -search.mantissa() : search.mantissa();
    for (int step = -2; step <= 2; ++step) {
        MultiplyMapping made = base;
        made.second = static_cast<int>(std::nearbyint(std::ldexp(mantissa, 15))) + step;
        made.shift = 15;
        if (std::abs(made.second) <= kMostOperand) search.twice(made, 0);
    }
}

}  // namespace

std::int64_t MultiplyMapping::sum(int a, int b) const {
    const std::int64_t product = std::int64_t{a - zero_a} * b;
    return again < 0 ? product : product + alu_operand(a, again);
}

int MultiplyMapping::apply(int a, int b) const {
    std::int64_t v = 0;
    if (ew) {
        v = saturate(round_shift(std::int64_t{a - zero_a} * first * second, shift), 32);
        v = saturate(round_shift(v * (b - zero_b), truncate, 64), 32);
    } else {
        v = saturate(round_shift(sum(a, b) * second, shift), 32);
    }
    return static_cast<int>(
        saturate(saturate(round_shift((v - offset) * scale, out_shift), 17), 8));
}

bool is_power(int zero_point) {
    return zero_point == 0 || (zero_point < 0 && (-zero_point & (-zero_point - 1)) == 0);
}

std::optional<MultiplyMapping> multiply_parameters(const MultiplyTarget& target, bool ew,
                                                   const std::vector<std::int8_t>& pairs) {
    if (!ew && !is_power(target.zero_b)) return std::nullopt;
    Search search(target, pairs);
    if (ew) {
        with_ew(target, search);
    } else {
        without_ew(target, pairs, search);
    }
    if (!search.found()) return std::nullopt;
    return search.best();
}

std::optional<ProductParts> multiply_in_parts(const MultiplyTarget& target, bool ew,
                                              const std::vector<std::int8_t>& pairs) {
    const auto part = [&](bool above) {
        MultiplyTarget one = target;
        one.zero_output = above ? -128 : 127;
        // The sum saturates.
        (above ? one.high : one.low) = -ProductParts::offset(target.zero_output);
        std::vector<std::int8_t> wanted;
        for (const int y : pairs) {
            const int away = y - target.zero_output;
            wanted.push_back(static_cast<std::int8_t>(std::clamp(
                one.zero_output + (above ? std::max(away, 0) : std::min(away, 0)), -128, 127)));
        }
        return multiply_parameters(one, ew, wanted);
    };
    const auto above = part(true), below = part(false);
    if (!above || !below) return std::nullopt;
    return ProductParts{*above, *below};
}

int ProductParts::apply(int a, int b, int zero_output) const {
    const int sum = above.apply(a, b) + below.apply(a, b) + offset(zero_output);
    return std::clamp(sum, -128, 127);
}

std::vector<std::int8_t> multiply_reference(const MultiplyTarget& target) {
    std::vector<std::int8_t> out;
    const graph::Multiplier last = graph::multiplier(std::abs(target.factor));
    for (int a = -128; a < 128; ++a) {
        for (int b = -128; b < 128; ++b) {
            const int product = (a - target.zero_a) * (b - target.zero_b);
            const int sign = target.factor < 0 ? -1 : 1;
            const double rounded = target.rounding == Rounding::tflite
                                       ? sign * graph::multiply(product, last)
                                       : std::nearbyint(target.factor * product);
            out.push_back(
                static_cast<std::int8_t>(std::clamp(rounded + target.zero_output, -128.0, 127.0)));
        }
    }
    return out;
}

}  // namespace macrame::dla::compiler
