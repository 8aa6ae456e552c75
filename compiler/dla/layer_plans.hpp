#pragma once
/// Ways to requantise a layer, by likelihood: which stage does what, and shifts that fit all
/// channels.

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "compiler/dla/channel_search.hpp"
#include "compiler/dla/requantise.hpp"

namespace macrame::dla::compiler {

enum class Method { one_stage, fine, two_stage };

struct LayerPlan {
    ScalingPlan plan;
    Method method = Method::fine;
};

class PlannedLayer {
public:
    PlannedLayer(const LayerTarget& layer, const Stages& stages);
    /// Of functions that are known by their steps; `layer` has no channels then.
    PlannedLayer(const LayerTarget& layer, const Stages& stages, std::vector<Channel> channels,
                 bool no_addend);

    const std::vector<LayerPlan>& plans() const { return plans_; }
    /// How many of them, from the first on, are to be compared. Those behind are for layers where
    /// the best of these leaves a few channels that are not exact.
    std::size_t usual() const { return usual_; }
    /// Are these channels exact with a plan?
    bool exact(std::size_t plan, const std::vector<Deviation>& channels) const;
    const Channel& channel(std::size_t index) const { return channels_[index]; }
    /// Is told what was found for a channel, as a layer of that one; false: nobody wants the rest.
    using Judge = std::function<bool(std::size_t channel, const Requantisation& made)>;
    /// Operands of every `stride`-th channel, zeros for the others. Without a value: the judge gave
    /// up, or one-stage, which is of no use unless exact.
    std::optional<Requantisation> make(std::size_t plan, std::size_t stride,
                                       const Judge& judge = {}) const;

private:
    void find_shifts();
    void find_clamps();
    bool has_three_stages() const;
    void add_plans();
    /// The fine ones, with other numbers of fraction bits.
    void add_finer_plans(bool once, int bias_shift);
    ScalingPlan common(const char* mapping) const;
    ScalingPlan one_stage_plan() const;
    /// `least_shift`: right shift of the largest slope of v2; `more`: fraction bits.
    ScalingPlan fine_plan(const char* mapping, int least_shift, int bias_shift, int more = 0) const;
    ScalingPlan three_stage_plan(int bias_shift, int more = 0) const;
    /// As many bits of B1 * B2 as all channels have: one more with a choice of B1 besides, or less
    /// where v1 would saturate.
    void fit(ScalingPlan& plan) const;
    /// With the shifts that depend on all of a plan.
    LayerPlan completed(std::size_t plan) const;
    int convertor_shift() const;
    ScalingPlan two_stage_plan(int bias_shift) const;
    ScalingPlan minimum_plan() const;
    /// Least shifts of A1 for which the biases fit: of all channels, of nearly all.
    std::vector<int> bias_shifts() const;
    int rest_shift(ScalingPlan plan) const;
    Requantisation assemble(const LayerPlan& chosen,
                            const std::vector<ChannelOperands>& operands) const;

    const LayerTarget& layer_;
    Stages stages_;
    std::vector<Channel> channels_;
    std::vector<LayerPlan> plans_;
    std::size_t usual_ = 0;
    bool no_addend_ = false;
    int least_right_ = 0, most_right_ = 0;  ///< shifts of the factors of channels with steps
    int least_slope_ = 0;                   ///< least slope_shift() of them
    int least_unit_ = 0;  ///< the same where the slope is in units of TFLite's first rounding
    bool relu_ = false, ew_clamp_ = false, high_clamp_ = false;
    AluFunction ew_function_ = AluFunction::minimum;
};

}  // namespace macrame::dla::compiler
