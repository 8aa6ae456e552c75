#pragma once
/// Searches the operands of one channel for shifts that its layer has in common.

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "compiler/dla/requantise.hpp"
#include "compiler/dla/step_function.hpp"

namespace macrame::dla::compiler {

/// What the channels of a layer have in common:
///   v1 = round((raw + (A1 << bias_shift)) * B1 / 2^scale_shift)          BS
///   v2 = round((v1 + (A2 << rest_shift)) * B2 / 2^out_shift)             BN
///   v3 = round(v2 * B3 / 2^ew_truncate)                                  EW
///   y  = round((v3 + (zero_point << cvt_shift)) / 2^cvt_shift)           output convertor
struct ScalingPlan {
    std::string mapping;
    int bias_shift = 0, scale_shift = 0, rest_shift = 0, out_shift = 0;
    int ew_truncate = 0, cvt_shift = 0;
    int zero_point = 0;
    bool rounds_twice = false;  ///< the reference does
    bool bs_minimum = false;    ///< BS takes the smaller of raw and A1 << bias_shift: no bias there
    bool no_addend = false;     ///< A1 is 0: BS's ALU has other things to do
    bool thorough = false;      ///< more pairs of multipliers are tried
    int low = -128, high = 127;  ///< results where something clamps, without the zero point
};

struct ChannelOperands {
    int a1 = 0, b1 = 0, a2 = 0, b2 = 0, b3 = 1;
};

/// A channel of the reference, as the search wants it.
struct Channel {
    Steps steps;
    Gain gain;
    std::int64_t bias = 0;
    std::int64_t clamp = 0;  ///< largest raw sum with the last result, if that was not clamped
    bool constant() const { return steps.at.empty(); }
    /// s of a slope in [2^(-s - 1), 2^-s): that of the factor, but where that is not all of it.
    int slope_shift() const;
    /// Whether TFLite's first rounding shows as half a unit into one direction only.
    bool one_sided() const {
        return constant() || steps.first >= 0 || steps.last <= 0 || gain.shift <= 0;
    }
    /// Largest |raw + bias| at a step.
    std::int64_t magnitude() const;
};

/// Weight of a result, without the zero point: layers without an activation have few large ones.
double likelihood(double result);

/// Operands, and whether all steps are right with them.
struct Found {
    ChannelOperands operands;
    bool exact = false;
};

/// Searches for one channel and one plan.
class ChannelSearch {
public:
    ChannelSearch(const Channel& channel, const ScalingPlan& plan);

    /// The largest B1 with which v1 does not saturate where there are steps.
    static double largest_b1(const Channel& channel, const ScalingPlan& plan);

    /// What B1 * B2 should be.
    static double product(const Channel& channel, const ScalingPlan& plan);

    /// What A1 cannot hold of the bias.
    static double left_of_bias(const Channel& channel, const ScalingPlan& plan);
    /// Least and largest B1 of use for a product.
    static std::pair<int, int> b1_range(const Channel& channel, const ScalingPlan& plan,
                                        double product);

    /// A channel whose result never changes. Without a value: no operands give it.
    std::optional<ChannelOperands> constant() const;
    /// B1 * B2 as exact as two factors of 16 bits can be, A2 whatever satisfies all steps.
    Found fine();
    /// Whether fine() would be exact.
    bool can_be_fine();
    /// v1 is what TFLite rounds to first, B2 a power of two: the second rounding is TFLite's.
    Found two_stage();
    /// B1 and A1 alone.
    Found one_stage();

private:
    struct Range {
        std::int64_t low, high;
    };
    struct Pair {
        double error;
        int b1, b2;
    };

    std::int64_t first_stage(std::int64_t raw, std::int64_t addend, std::int64_t b1) const;
    std::int64_t level(int index) const { return levels_[static_cast<std::size_t>(index)]; }
    /// What A2 << rest_shift may be, for all steps; false: nothing.
    bool interval(std::int64_t addend, int b1, int b2, Range& range);
    bool ends(std::int64_t addend, int b1, int b2, Range& range) const;
    /// A2 of a range, as near to its middle as its granularity allows.
    std::optional<int> choose(const Range& range) const;
    std::vector<Pair> pairs(std::size_t count, double tilt) const;
    std::vector<int> addends(int reach) const;
    /// Is there a line between all steps, with v1 rounded as much as it may be? Where there is
    /// none, no operands of fine() are exact.
    bool has_line() const;
    /// Operands with which all steps are right; `candidates` are the last pairs that were tried.
    std::optional<ChannelOperands> exact_pair(std::vector<Pair>& candidates);
    /// Sums that are wrong, about, by their likelihood, with the best A2, which goes to `a2`. Gives
    /// up at `limit`.
    double cost(std::int64_t addend, int b1, int b2, int& a2, double limit);
    double cost(const ChannelOperands& operands, double limit);
    /// What A2 << rest_shift may be at the first `count` steps in order, with the operands given
    /// at the start.
    void start_ranges(std::int64_t addend, int b1, int b2);
    void find_ranges(std::size_t count);
    double cost_at(std::int64_t a2, double per_sum, double limit);
    /// Least sum in front of BN's multiplier at a step.
    std::int64_t least_at(std::size_t step, int b2);
    Found least_wrong(const std::vector<Pair>& candidates, int reach);
    Found tilted(int reach);
    Found better(const Found& one, const Found& other);

    const Channel& channel_;
    const ScalingPlan& plan_;
    int b3_ = 1;
    bool hopeless_ =
        false;  ///< half a unit of TFLite's first rounding is missing on both sides of 0
    std::vector<std::int64_t> levels_;  ///< least v2 for results first .. last + 1
    std::vector<std::uint16_t> order_;  ///< of the steps: those that failed last come first
    std::vector<double> weights_;       ///< of the steps: likelihood()
    struct {
        std::int64_t addend = 0;
        int b1 = 0, b2 = 0;
    } factors_;               ///< of the ranges
    std::size_t ranges_ = 0;  ///< how many of them are known, in order
    std::vector<std::int64_t> lows_, highs_;
    std::vector<std::int64_t> least_;  ///< least_at(), with the factor that it was for
    std::vector<int> least_for_;
};

}  // namespace macrame::dla::compiler
