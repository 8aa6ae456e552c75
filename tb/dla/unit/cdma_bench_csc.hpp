#pragma once
/// The part of the bench of dla_cdma that is CSC: takes what was announced, gives entries back.

#include <algorithm>

#include "tb/dla/unit/cdma_bench.hpp"

namespace macrame::tb::cdma {

inline void Bench::drive_releases() {
    dut().csc2cdma_dat_rls_valid = 0;
    dut().csc2cdma_wt_rls_valid = 0;
    if (!csc_.data_rls.empty() && !gap()) {
        dut().csc2cdma_dat_rls_valid = 1;
        put_number(dut().csc2cdma_dat_rls_entries, csc_.data_rls.front());
    }
    if (!csc_.weights.rls.empty() && !gap()) {
        dut().csc2cdma_wt_rls_valid = 1;
        put_number(dut().csc2cdma_wt_rls_entries, csc_.weights.rls.front());
    }
    const bool masks = !csc_.masks.rls.empty() && !gap();
    put_mask_release<kMasks>(dut(), masks, masks ? csc_.masks.rls.front() : 0);
}

/// What CSC does between two clock edges: start and end of its layers, releases.
inline void Bench::drive_csc() {
    csc_.bank_change = false;
    drive_releases();
    if (!csc_.finished() && csc_.phase == 0) {
        const m::CdmaLayer& r = csc_.layers[csc_.index].regs;
        const m::CdmaLayer* prev = csc_.index == 0 ? nullptr : &csc_.layers[csc_.index - 1].regs;
        const bool idle =
            csc_.data_rls.empty() && csc_.weights.rls.empty() && csc_.masks.rls.empty();
        csc_.bank_change = idle && (prev == nullptr || r.data_banks != prev->data_banks ||
                                    r.weight_banks != prev->weight_banks);
    }
    dut().csc2cdma_bank_change = csc_.bank_change;
}

/// Gives entries back that the layer has used.
inline void Bench::use_ring(RingStub& ring, bool keep, int need) {
    if (keep || ring.used >= need || ring.entries == 0 || gap()) return;
    const int most = std::min(ring.entries, need - ring.used);
    const int some = stall() == Stall::kNone ? most : random().in(1, most);
    ring.rls.push_back(some);
    ring.entries -= some;
    ring.used += some;
}

/// Follows the events of a clock cycle on the side of CSC.
inline void Bench::csc_events() {
    if (dut().csc2cdma_dat_rls_valid) {
        data_claimed_ -= csc_.data_rls.front();
        csc_.data_rls.pop_front();
    }
    if (dut().csc2cdma_wt_rls_valid) {
        csc_.weights.claimed -= csc_.weights.rls.front();
        csc_.weights.rls.pop_front();
    }
    if (mask_release<kMasks>(dut())) {
        csc_.masks.claimed -= csc_.masks.rls.front();
        csc_.masks.rls.pop_front();
    }
    csc_.slices += dut().cdma2csc_dat_updt;
    csc_.weights.entries += dut().cdma2csc_wt_updt;
    csc_.masks.entries += mask_updt<kMasks>(dut());
    if (csc_.finished()) return;

    const Program& layer = csc_.layers[csc_.index];
    const m::CdmaLayer& r = layer.regs;
    const m::CdmaLayer* prev = csc_.index == 0 ? nullptr : &csc_.layers[csc_.index - 1].regs;
    const bool data_moved = prev == nullptr || r.data_banks != prev->data_banks;
    const bool moved = data_moved || r.weight_banks != prev->weight_banks;
    if (csc_.phase == 0) {
        if (moved && !(csc_.bank_change && dut().cdma2csc_bank_change)) return;
        if (moved) {
            EXPECT_TRUE(dat_.idle() && wt_.idle()) << "fetch during a bank change";
            csc_.weights = csc_.masks = RingStub{};
        }
        if (data_moved) data_claimed_ = csc_.slices = csc_.remaining = 0;
        csc_.phase = 1;
        return;
    }
    // Slices all have the size of the layer that fetched them; what remains has prev's size.
    if (csc_.phase == 1) {
        if (!r.data_reuse || (prev != nullptr && !r.same_kind(*prev))) {
            for (int i = 0; i < csc_.remaining; ++i) {
                csc_.data_rls.push_back(prev->entries_per_slice);
                --csc_.slices;
            }
            csc_.remaining = 0;
        }
        csc_.weights.start(r.weight_reuse);
        csc_.masks.start(r.weight_reuse);
        csc_.phase = 2;
        return;
    }
    const bool data_kept = r.data_reuse && !data_moved && prev->skip_data_rls && r.same_kind(*prev);
    const int height = data_kept ? csc_.remaining : csc_.remaining + r.slices();
    const int entries = static_cast<int>((r.weight_bytes + p::entry_bytes - 1) / p::entry_bytes);
    const int masks = r.compressed ? static_cast<int>(r.mask_bytes) / p::entry_bytes : 0;
    use_ring(csc_.weights, r.skip_weight_rls, entries);
    use_ring(csc_.masks, r.skip_weight_rls, masks);
    const bool weights_ok =
        csc_.weights.done(r.skip_weight_rls, entries) && csc_.masks.done(r.skip_weight_rls, masks);
    if (csc_.slices < height || !weights_ok || (stall() != Stall::kNone && !random().chance(3)))
        return;
    csc_.remaining = height;
    csc_.weights.kept = r.skip_weight_rls ? entries : 0;
    csc_.masks.kept = r.skip_weight_rls ? masks : 0;
    if (!r.skip_data_rls) {
        csc_.data_rls.push_back(layer.csc_release * r.entries_per_slice);
        csc_.slices -= layer.csc_release;
        csc_.remaining -= layer.csc_release;
    }
    ++csc_.index;
    csc_.phase = 0;
}

}  // namespace macrame::tb::cdma
