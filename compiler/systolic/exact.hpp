#pragma once
/// Scales with multipliers of 32 bits and a way of rounding that give the integers of the
/// reference: by construction, or searched for among those nearby and proved on all values.

#include <cstdint>
#include <functional>
#include <vector>

#include "compiler/graph/quantised.hpp"
#include "compiler/systolic/requantise.hpp"

namespace macrame::systolic::compiler {

/// Rounds a sum times a factor as graph::multiply() does.
void set_as_tflite(Scale& scale, graph::Multiplier factor);

/// The multiplier of 32 bits and the shift that are nearest to a factor, and `nudge` beside it.
void set_nearest(Scale& scale, double factor, model::Rounding rounding, int nudge = 0);

/// Scales that may have the integers of a reference with this factor, the likeliest first.
std::vector<Scale> candidates(const Scale& like, double factor);

/// How a scale or a layer compares with the reference.
struct Fit {
    std::int64_t wrong = 0, values = 0;
    int most = 0;  ///< largest difference

    bool exact() const { return wrong == 0; }
    void count(int found, int wanted);
};

/// A function of sums that the reference has, behind its clamp.
using Function = std::function<int(std::int64_t sum)>;

/// The first of some scales that has the values of a function for all sums from `low` to `high`, or
/// the one with the fewest wrong ones. Sums are `step` times that in OBUF.
struct Fitted {
    Scale scale;
    Fit fit;
};
Fitted best_scale(const std::vector<Scale>& among, const Function& wanted, std::int64_t low,
                  std::int64_t high, int step = 1);

/// The same for a function that does not fall: where its values begin is compared.
Fitted best_rising_scale(const std::vector<Scale>& among, const Function& wanted, std::int64_t low,
                         std::int64_t high);

/// a * factors[0] + b * factors[1], shifted to the left, + a * correction, and scaled.
struct SumOfTwo {
    int factors[2] = {1, 1};
    int left = 0, correction = 0;
    Scale scale;
    Fit fit;

    int apply(int a, int b) const;
};
struct Addend {
    double scale;  ///< negative: is subtracted
    int zero;
};
/// The first sum of two values of int8 that has all 2^16 results of the reference, wanted[a + 128]
/// [b + 128], or the best that was found.
SumOfTwo best_sum(const Addend& a, const Addend& b, double output_scale, const Scale& like,
                  const std::vector<std::int8_t>& wanted);

}  // namespace macrame::systolic::compiler
