#pragma once
/// The part of the bench of dla_csc that is CDMA: fills CBUF, gets entries back.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>

#include "tb/dla/unit/csc_bench.hpp"

namespace macrame::tb::csc {

/// CDMA: brings lines and weights of the programmed layers as far as there is room.
inline void Bench::drive_cdma() {
    Vdut& d = *dut_;
    d.cdma2csc_dat_updt = dat_updts_ > 0;
    d.cdma2csc_wt_updt = weights_.updt;
    put_mask_updt<kMasks>(d, masks_.updt);
    dat_updts_ -= dat_updts_ > 0;
    weights_.updt = masks_.updt = false;
    d.cdma2csc_bank_change = 0;
    if (cdma_ >= programmed_ || (!csb_.empty() && cdma_ + 1 == programmed_)) return;
    const Layer& layer = layers_[cdma_];
    const m::ConvLayer& r = layer.regs;
    if (!cdma_started_) {
        const m::ConvLayer* prev = cdma_ == 0 ? nullptr : &layers_[cdma_ - 1].regs;
        const bool data_moved = prev == nullptr || r.data_banks != prev->data_banks;
        const bool moved = data_moved || r.weight_banks != prev->weight_banks;
        if (moved) {
            d.cdma2csc_bank_change = 1;
            d.eval();
            if (!d.csc2cdma_bank_change) return;
            if (data_moved) {
                data_region_ = r.data_banks * p::cbuf_depth;
                data_free_ = data_region_;
                data_head_ = data_tail_ = 0;
            }
            weights_.empty(data_region_, r.weight_banks * p::cbuf_depth);
            masks_.empty(p::cbuf_entries - p::cbuf_depth, p::cbuf_depth);
            for (int e = data_moved ? 0 : data_region_; e < p::cbuf_entries; ++e) {
                visible_[static_cast<std::size_t>(e)] = kNever;
            }
        }
        cdma_started_ = true;
        slices_written_ = r.slices() - layer.new_lines;
        weights_.begin(entries_of(r.weight_bytes), layer.weights_fetched);
        masks_.begin(r.compressed ? entries_of(r.mask_bytes) : 0, layer.weights_fetched);
        if (moved) return;
    }
    const auto store = [&](int entry, const Bytes& from, int index) {
        Bytes& to = content_[static_cast<std::size_t>(entry)];
        std::copy_n(from.begin() + std::ptrdiff_t{index} * kEB, kEB, to.begin());
        visible_[static_cast<std::size_t>(entry)] = cycle_ + 2;
        last_event_ = cycle_;
    };
    // Tiles have lines in fours, which are announced when all of them are there.
    const int lines = r.is_winograd ? 4 : 1, entries = lines * r.entries_per_slice;
    if (slices_written_ < r.slices() && dat_updts_ == 0 && data_free_ >= entries && !gap() &&
        (stall_ == Stall::kNone || rnd_.chance(10))) {
        split_slices_ += data_head_ + entries > data_region_;
        for (int i = 0; i < entries; ++i) {
            const int line = slices_written_ + i / r.entries_per_slice;
            store(data_head_, *layer.lines[static_cast<std::size_t>(line)],
                  i % r.entries_per_slice);
            data_head_ = (data_head_ + 1) % data_region_;
        }
        data_free_ -= entries;
        slices_written_ += lines;
        dat_updts_ = lines;
    }
    const auto bring = [&](Ring& ring, const Line& from) {
        if (ring.written >= ring.entries || ring.free == 0 || gap()) return;
        store(ring.first + ring.head, *from, ring.written);
        ring.head = (ring.head + 1) % ring.region;
        --ring.free;
        ++ring.written;
        ring.updt = true;
    };
    bring(weights_, layer.weights);
    bring(masks_, layer.masks);
    if (slices_written_ == r.slices() && dat_updts_ <= 1 && weights_.written == weights_.entries &&
        masks_.written == masks_.entries) {
        ++cdma_;
        cdma_started_ = false;
    }
}

inline void Bench::check_release(bool valid, int entries, std::deque<int>& want, const char* what) {
    if (!valid || entries == 0) return;  // a small group may fill no entry
    ASSERT_FALSE(want.empty()) << what << ": " << entries << " entries released, cycle " << cycle_;
    EXPECT_EQ(entries, want.front()) << what << " released, cycle " << cycle_;
    want.pop_front();
    last_event_ = cycle_;
}

/// Entries behind `first` + `tail` are free again.
inline void Bench::set_free(int entries, int first, int region, int& tail, int& free) {
    free += entries;
    EXPECT_LE(free, region) << "cycle " << cycle_;
    for (int i = 0; i < entries; ++i) {
        visible_[static_cast<std::size_t>(first + tail)] = kNever;
        tail = (tail + 1) % region;
    }
}

inline void Bench::take_releases() {
    Vdut& d = *dut_;
    if (d.csc2cdma_dat_rls_valid) {
        check_release(true, d.csc2cdma_dat_rls_entries, data_rls_, "data");
        set_free(d.csc2cdma_dat_rls_entries, 0, data_region_, data_tail_, data_free_);
    }
    const auto take = [&](bool valid, int entries, Ring& ring, const char* what) {
        if (!valid) return;
        check_release(true, entries, ring.rls, what);
        set_free(entries, ring.first, ring.region, ring.tail, ring.free);
    };
    take(d.csc2cdma_wt_rls_valid, d.csc2cdma_wt_rls_entries, weights_, "weights");
    take(mask_release<kMasks>(d), mask_release_entries<kMasks>(d), masks_, "masks");
}

}  // namespace macrame::tb::csc
