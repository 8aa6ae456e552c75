#pragma once

#include <cstddef>
#include <vector>

#include "verif/systolic/cycles/activity.hpp"
#include "verif/systolic/isa/architecture.hpp"
#include "verif/systolic/isa/word.hpp"

namespace macrame::systolic::cycles {

/// Cycle model of gemm.
class Gemm {
public:
    struct Inputs {
        bool resolver2gemm_valid = false;
        Word resolver2gemm_parameters;
        bool obuf2gemm_done = false;
    };
    /// What belongs to a step matters while there is one.
    struct Outputs {
        bool resolver2gemm_ready = false;
        bool gemm2resolver_done = false;
        bool gemm2array_weight_read = false;
        bool gemm2array_step = false, gemm2array_swap = false;
        bool gemm2obuf_step = false, gemm2obuf_last = false, gemm2obuf_preload = false;
        int gemm2obuf_entry = 0;
    };

    explicit Gemm(const Architecture& architecture);

    Outputs outputs() const {
        Outputs out;
        out.resolver2gemm_ready = is_ready();
        out.gemm2resolver_done = done_;
        out.gemm2array_weight_read = weights_left_ > 0;
        out.gemm2array_step = step_.valid;
        out.gemm2array_swap = swap_;
        out.gemm2obuf_step = oldest().valid;
        out.gemm2obuf_last = oldest().last;
        out.gemm2obuf_preload = oldest().preload;
        out.gemm2obuf_entry = oldest().output;
        return out;
    }
    /// A rising edge.
    void clock(const Inputs& in);

    /// Work, weights, order or, if no fold is here, drain.
    Activity activity() const;
    /// Folds that have not made all their steps.
    std::size_t folds() const { return (now_.valid ? 1u : 0u) + (next_.valid ? 1u : 0u); }

private:
    /// An instruction; one without steps has no operation.
    struct Fold {
        bool valid = false;
        int steps = 0;  ///< that are left
        int output = 0;
        bool preload = false, first = false;
    };
    /// What OBUF is told, some cycles later.
    struct Step {
        bool valid = false, last = false, preload = false;
        int output = 0;
    };

    void accept(const Word& parameters);
    bool must_wait() const {
        const auto writes = [&](const Step& step) {
            return step.valid && step.output == now_.output;
        };
        return now_.preload && (writes(step_) || writes(before1_) || writes(before2_));
    }
    bool is_ready() const { return !next_.valid && !(now_.valid && now_.first && must_wait()); }
    const Step& oldest() const { return delay_.empty() ? step_ : delay_[at_]; }

    Fold next_, now_;
    int weights_left_ = 0;  ///< rows of `next` to be read, the one being read included
    Step step_, before1_, before2_;
    bool swap_ = false, done_ = false;
    std::vector<Step> delay_;  ///< of the cycles before, the oldest one at `at_`
    std::size_t at_ = 0;
};

}  // namespace macrame::systolic::cycles
