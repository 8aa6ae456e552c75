#pragma once
/// Ways to requantise a layer, by likelihood: which stage does what, and shifts that fit all
/// channels.

#include <cstddef>
#include <optional>
#include <vector>

#include "compiler/dla/channel_search.hpp"
#include "compiler/dla/requantise.hpp"

namespace macrame::dla::compiler {

enum class Method { one_stage, fine, two_stage };

struct LayerPlan {
    Plan plan;
    Method method = Method::fine;
};

class PlannedLayer {
public:
    PlannedLayer(const LayerTarget& layer, const Stages& stages);
    /// Of functions that are known by their steps; `layer` has no channels then.
    PlannedLayer(const LayerTarget& layer, const Stages& stages, std::vector<Channel> channels,
                 bool no_addend);

    const std::vector<LayerPlan>& plans() const { return plans_; }
    const Channel& channel(std::size_t index) const { return channels_[index]; }
    /// Operands of every `stride`-th channel, zeros for the others. Without a value: one-stage,
    /// which is of no use unless exact.
    std::optional<Requantisation> make(std::size_t plan, std::size_t stride) const;

private:
    void find_shifts();
    void find_clamps();
    void add_plans();
    Plan common(const char* mapping) const;
    Plan one_stage_plan() const;
    /// `least_shift`: right shift of the largest slope of v2.
    Plan fine_plan(const char* mapping, int least_shift, int bias_shift) const;
    /// One bit more of B1 * B2, if all channels have it and a choice of B1 besides.
    void widen(Plan& plan) const;
    int convertor_shift() const;
    Plan two_stage_plan(int bias_shift) const;
    Plan minimum_plan() const;
    /// Least shifts of A1 for which the biases fit: of all channels, of nearly all.
    std::vector<int> bias_shifts() const;
    int rest_shift(Plan plan) const;
    Requantisation assemble(const LayerPlan& chosen, const std::vector<Operands>& operands) const;

    const LayerTarget& layer_;
    Stages stages_;
    std::vector<Channel> channels_;
    std::vector<LayerPlan> plans_;
    bool no_addend_ = false;
    int least_right_ = 0, most_right_ = 0;  ///< shifts of the factors of channels with steps
    int least_slope_ = 0;                   ///< least slope_shift() of them
    int least_unit_ = 0;  ///< the same where the slope is in units of TFLite's first rounding
    bool relu_ = false, ew_clamp_ = false, high_clamp_ = false;
    AluFunction ew_function_ = AluFunction::minimum;
};

}  // namespace macrame::dla::compiler
