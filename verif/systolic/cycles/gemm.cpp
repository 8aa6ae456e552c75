#include "verif/systolic/cycles/gemm.hpp"

#include "verif/systolic/cycles/parameters.hpp"

namespace macrame::systolic::cycles {

Gemm::Gemm(const Architecture& architecture)
    : delay_(static_cast<std::size_t>(architecture.rows - 1)) {}

Activity Gemm::activity() const {
    if (now_.valid) return must_wait() ? Activity::order : Activity::work;
    return next_.valid ? Activity::weights : Activity::drain;
}

void Gemm::accept(const Word& parameters) {
    const auto g = instruction_of(Module::gemm, parameters).gemm;
    next_.valid = next_.first = true;
    next_.steps = static_cast<int>(g.ofmap_height * g.ofmap_width);
    next_.output = static_cast<int>(g.output_address);
    next_.preload = g.preload_output != 0;
    weights_left_ = static_cast<int>(g.active_rows);
}

void Gemm::clock(const Inputs& in) {
    const bool go = now_.valid && !must_wait();
    const bool ends = go && now_.steps <= 1;
    const bool start = next_.valid && weights_left_ <= 1 && (!now_.valid || ends);
    const bool ready = is_ready();

    if (!delay_.empty()) {
        delay_[at_] = step_;
        at_ = at_ + 1 == delay_.size() ? 0 : at_ + 1;
    }
    before2_ = before1_;
    before1_ = step_;
    const bool some = go && now_.steps > 0;
    step_ = {some, ends, now_.preload, now_.output};
    swap_ = some && now_.first;
    if (go) {
        now_.valid = !ends;
        now_.first = false;
        --now_.steps;
        ++now_.output;
    }
    if (weights_left_ > 0) --weights_left_;
    if (start) {
        now_ = next_;
        next_.valid = false;
    }
    if (ready && in.resolver2gemm_valid) accept(in.resolver2gemm_parameters);
    done_ = in.obuf2gemm_done;
}

}  // namespace macrame::systolic::cycles
