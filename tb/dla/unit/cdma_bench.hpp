#pragma once
/// Plays layers on dla_cdma: registers, memory, CSC. Every write into CBUF, every request and the
/// order of announcements are compared with the golden model.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

#include "Vdut.h"
#include "tb/common/ports.hpp"
#include "tb/dla/unit/cdma_csc_stub.hpp"
#include "tb/dla/unit/cdma_ports.hpp"
#include "tb/dla/unit/cdma_stimulus.hpp"
#include "tb/dla/unit/mcif_stub.hpp"
#include "tb/dla/unit/unit_bench.hpp"

namespace macrame::tb::cdma {

using Atom = std::vector<std::uint8_t>;

constexpr int kQ = p::atoms_per_entry;
constexpr int kWeightAtoms = p::wt_atoms;  // per cycle
constexpr bool kTwoPorts = p::secondary_memif_enable;
constexpr bool kMasks = p::weight_compression_enable;
/// Atoms of a request of weights where CBUF has room.
constexpr int kWeightRequest = std::max(8, 128 / p::atom_bytes);
/// Requests of weights and masks that CDMA can have under way.
constexpr std::size_t kWeightRequests = std::max(16, p::img_fifo_depth / 4);

struct Request {
    std::uint64_t addr;
    int atoms;
};

class Bench : public UnitBench {
public:
    Bench(Stall stall, unsigned seed) : UnitBench(stall, seed), image_(sizes()), rtl_(sizes()) {
        start(dut().csb2cdma_valid, dut().cdma2csb_rdata, 140);
    }

    std::uint64_t both_writes() const { return both_writes_; }
    /// Writes of two atoms.
    std::size_t weight_pairs() const { return weight_pairs_; }
    std::size_t mask_writes() const { return mask_writes_; }
    std::size_t tile_writes() const { return tile_writes_; }
    const m::CbufImage& rtl_image() const { return rtl_; }

    /// Runs all layers, programmed as early as the register groups allow.
    void run(const std::vector<Program>& layers) {
        expect(layers);
        csc_.layers = layers;
        std::size_t programmed = 0;
        const std::uint64_t limit = cycle() + 4000000;
        while (!csc_.finished() || done_layers_ < layers.size()) {
            if (programmed < layers.size() && bus_idle() && programmed < done_layers_ + 2) {
                if (programmed >= 2) check_counters(programmed - 2);
                program(layers[programmed], static_cast<int>(programmed % 2));
                ++programmed;
            }
            tick();
            if (::testing::Test::HasFailure()) return;
            ASSERT_LT(cycle(), limit)
                << "hangs: layer " << done_layers_ << " csc " << csc_.index << " phase "
                << csc_.phase << " slices " << csc_.slices << " entries in use " << data_claimed_
                << " and " << csc_.weights.claimed << " and " << csc_.masks.claimed;
        }
        for (int i = 0; i < 20; ++i)
            tick();
        EXPECT_TRUE(data_log_.empty());
        EXPECT_TRUE(weight_log_.empty());
        EXPECT_TRUE(mask_log_.empty());
        EXPECT_TRUE(data_requests_.empty());
        EXPECT_EQ(rtl_.bytes, image_.bytes);
    }

    /// Special numbers that the layers bring.
    const std::vector<m::SpecialCounts>& data_counts() const { return data_counts_; }
    /// Cycle in which the flush ended.
    std::uint64_t flush_cycles() const { return flush_rows_; }
    std::uint64_t first_request_cycle() const { return first_request_; }
    std::uint64_t op_enable_cycle() const { return op_enable_; }
    std::uint64_t last_interrupt_cycle() const { return last_interrupt_; }

private:
    void program(const Program& layer, int group);
    void expect(const std::vector<Program>& layers);
    void check_counters(std::size_t layer);
    void drive_csc();
    void csc_events();
    void drive(Vdut& d) override;
    void sample(Vdut& d) override;
    bool pixels() const { return layer_ < csc_.layers.size() && csc_.layers[layer_].regs.is_image; }
    bool tiles() const {
        return layer_ < csc_.layers.size() && csc_.layers[layer_].regs.is_winograd;
    }
    void expect_requests(const m::CdmaLayer& layer);
    void sample_announcements(const Vdut& d);
    void sample_interrupts(const Vdut& d);
    void sample_counters(const Vdut& d);
    void sample_requests(const Vdut& d);
    void check_data_request(const Vdut& d);
    void check_weight_request(const Vdut& d);
    void drive_releases();
    void use_ring(RingStub& ring, bool keep, int need);
    bool masks_now() const {
        return layer_ < csc_.layers.size() && csc_.layers[layer_].regs.compressed;
    }
    void sample_writes(const Vdut& d);
    void sample_weight_writes(const Vdut& d);
    void check_write(bool valid, int entry, int atom, const Atom& data,
                     std::deque<m::CbufWrite>& log, const char* what);

    m::CbufImage image_, rtl_;  // expected and seen
    ReadStub dat_{*this, 8}, wt_{*this, 8};
    CscStub csc_;

    // expectations, in order over all layers
    std::deque<m::CbufWrite> data_log_, weight_log_, mask_log_;
    std::deque<Request> data_requests_;
    std::deque<std::size_t> slice_ends_, entry_ends_, mask_entry_ends_;  // write counts
    std::deque<std::size_t> data_ends_, weight_ends_, mask_ends_;        // write counts per layer
    std::deque<Request> weight_streams_, mask_streams_;    // per fetching layer: address, atoms
    std::deque<std::pair<std::size_t, int>> data_claims_;  // request number, entries
    std::deque<std::pair<std::size_t, int>> unit_claims_;  // write number, entries: Winograd
    std::size_t data_writes_ = 0, weight_writes_ = 0, mask_writes_ = 0, data_reqs_ = 0;
    int slices_due_ = 0;
    bool entry_due_ = false, mask_due_ = false;
    std::vector<std::uint64_t> dat_latency_, wt_latency_, dat_stalls_, wt_stalls_;  // per layer
    std::vector<m::SpecialCounts> data_counts_, weight_counts_;                     // per layer
    std::deque<std::size_t> data_surfaces_;  // write count at which a request is complete
    int data_outstanding_ = 0;
    int weight_outstanding_ = 0;

    // space
    int data_claimed_ = 0;   // entries in use
    std::size_t layer_ = 0;  // the layer CDMA works on
    std::size_t done_layers_ = 0;
    int weight_asked_ = 0;     // atoms requested in this layer
    bool data_asked_ = false;  // a request of data in the cycle before
    bool weight_offered_ = false;
    std::deque<int> weight_requests_;  // atoms that are still to come
    bool weights_full_ = false;        // in the cycle before
    bool data_irq_ = false, weight_irq_ = false;
    std::uint64_t flush_rows_ = 0;
    std::uint64_t both_writes_ = 0;  // cycles with pixels and weights
    std::size_t tile_writes_ = 0;    // rows of tiles
    std::size_t weight_pairs_ = 0;
    std::uint64_t first_request_ = 0, op_enable_ = 0, last_interrupt_ = 0;
};

inline void Bench::program(const Program& layer, int group) {
    const m::CdmaLayer& r = layer.regs;
    const auto u32 = [](auto v) { return static_cast<std::uint32_t>(v); };
    write(0x04, u32(group));
    const m::WinogradInput& w = r.winograd;
    write(0x14, u32(r.is_winograd) | u32(r.in) << 8 | u32(r.proc) << 12 | u32(r.data_reuse) << 16 |
                    u32(r.weight_reuse) << 20 | u32(r.skip_data_rls) << 24 |
                    u32(r.skip_weight_rls) << 28);
    const m::ImageInput& i = r.image;
    write(0x18, u32(r.is_image) | u32(i.format) << 8 | u32(i.is_signed) << 20);
    write(0x28, u32(i.x_offset));
    write(0x38, u32(i.addr_1 >> 32));
    write(0x3c, u32(i.addr_1));
    write(0x44, i.uv_stride);
    write(0x98, u32(i.mean_en));
    write(0x9c, (u32(i.mean[0]) & 0xffff) | u32(i.mean[1]) << 16);
    write(0xa0, (u32(i.mean[2]) & 0xffff) | u32(i.mean[3]) << 16);
    write(0xb4, u32(i.pad_left) | u32(i.pad_right) << 8 | (random().bits() & 0x3f000000u) |
                    (r.is_winograd ? u32(w.pad_top) << 16 : random().bits() & 0x1f0000u));
    write(0x24, u32(w.width - 1) | u32(w.height - 1) << 16);
    write(0xb0, u32(w.stride_x - 1) | u32(w.stride_y - 1) << 16);
    const std::uint32_t used = r.proc == m::Precision::int8 ? 0xff : 0xffff;
    write(0xb8, (u32(i.pad_value) & used) | (random().bits() & 0xffffu & ~used));
    write(0xc0, u32(r.nan_to_zero));
    write(0x1c, u32(r.width - 1) | u32(r.height - 1) << 16);
    write(0x20, u32(r.channels - 1));
    write(0x2c, u32(layer.dat_primary));
    write(0x74, u32(layer.wt_primary));
    write(0x30, u32(r.data_addr >> 32));
    write(0x34, u32(r.data_addr));
    write(0x40, r.line_stride);
    write(0x48, r.surf_stride);
    write(0x58, u32(r.batches - 1));
    write(0x5c, r.batch_stride);
    write(0x60, u32(r.entries_per_slice - 1));
    write(0x64, random().bits() & 0xfff);
    write(0x68, u32(r.compressed));
    write(0x8c, u32(r.mask_addr >> 32));
    write(0x90, u32(r.mask_addr));
    write(0x94, r.compressed ? r.mask_bytes : random().bits() & 0xfffff80u);
    write(0x6c, u32(layer.group_atoms * m::bytes_of(r.proc) - 1));
    write(0x78, u32(r.weight_addr >> 32));
    write(0x7c, u32(r.weight_addr));
    write(0x80, r.weight_bytes);
    write(0xa4, u32(r.cvt_en) | u32(r.cvt_truncate) << 4);
    write(0xa8, u32(r.cvt_offset) & 0xffff);
    write(0xac, u32(r.cvt_scale) & 0xffff);
    write(0xbc, u32(r.data_banks - 1) | u32(r.weight_banks - 1) << 16);
    write(0xd4, u32(layer.perf));
    write(0x10, 1);
}

/// What the layer asks memory for.
inline void Bench::expect_requests(const m::CdmaLayer& r) {
    const int most = r.is_winograd ? 32 : r.width;  // atoms of a request
    const int slices = r.is_winograd ? r.height : r.slices();
    for (int slice = 0; slice < slices; ++slice) {
        const int y = slice / r.batches, input = slice % r.batches;
        if (!r.is_winograd) data_claims_.push_back({data_requests_.size(), r.entries_per_slice});
        if (r.is_image) {
            for (const std::uint64_t addr : image_atoms(r, y)) {
                data_requests_.push_back({bus_addr(addr), 1});
            }
            continue;
        }
        for (int s = 0; s < m::surfaces_of(sizes(), r.pixel_bytes()); ++s) {
            const std::uint64_t addr = r.data_addr +
                                       static_cast<std::uint64_t>(input) * r.batch_stride +
                                       static_cast<std::uint64_t>(y) * r.line_stride +
                                       static_cast<std::uint64_t>(s) * r.surf_stride;
            for (int x = 0; x < r.width; x += most) {
                data_requests_.push_back(
                    {bus_addr(addr + static_cast<std::uint64_t>(x * p::atom_bytes)),
                     std::min(most, r.width - x)});
            }
        }
    }
}

inline void Bench::expect(const std::vector<Program>& layers) {
    m::Cdma model(sizes());
    for (const Program& layer : layers) {
        const m::CdmaLayer& r = layer.regs;
        model.start(r);
        std::vector<m::CbufWrite> log;
        while (model.data_pending()) {
            model.release_data(r.entries_per_step());  // space is checked apart from the order
            const std::size_t before = data_writes_ + data_log_.size();
            if (r.is_winograd) {
                unit_claims_.push_back({before + log.size(), r.entries_per_step()});
            }
            ASSERT_TRUE(model.step_data(memory_read, image_, &log));
            slice_ends_.push_back(before + log.size());
        }
        if (!model.data_kept()) expect_requests(r);
        data_log_.insert(data_log_.end(), log.begin(), log.end());
        data_ends_.push_back(data_log_.size());
        log.clear();
        if (model.weight_pending()) {
            const std::uint32_t am = p::atom_bytes;
            weight_streams_.push_back(
                {r.weight_addr, static_cast<int>((r.weight_bytes + am - 1) / am)});
        }
        while (model.weight_pending()) {
            model.release_weights(1);
            ASSERT_TRUE(model.step_weight(memory_read, image_, &log));
            entry_ends_.push_back(weight_log_.size() + log.size());
        }
        weight_log_.insert(weight_log_.end(), log.begin(), log.end());
        weight_ends_.push_back(weight_log_.size());
        log.clear();
        if (model.mask_pending()) {
            mask_streams_.push_back({r.mask_addr, static_cast<int>(r.mask_bytes / p::atom_bytes)});
        }
        while (model.mask_pending()) {
            model.release_masks(1);
            ASSERT_TRUE(model.step_mask(memory_read, image_, &log));
            mask_entry_ends_.push_back(mask_log_.size() + log.size());
        }
        mask_log_.insert(mask_log_.end(), log.begin(), log.end());
        mask_ends_.push_back(mask_log_.size());
        data_counts_.push_back(model.data_counts());
        weight_counts_.push_back(model.weight_counts());
    }
    dat_latency_.assign(layers.size(), 0);
    wt_latency_.assign(layers.size(), 0);
    dat_stalls_.assign(layers.size(), 0);
    wt_stalls_.assign(layers.size(), 0);
}

inline void Bench::check_counters(std::size_t layer) {
    const bool on = csc_.layers[layer].perf;
    write(0x04, static_cast<std::uint32_t>(layer % 2));
    EXPECT_EQ(read(0xd8), on ? dat_stalls_[layer] : 0) << "data stalls, layer " << layer;
    EXPECT_EQ(read(0xdc), on ? wt_stalls_[layer] : 0) << "weight stalls, layer " << layer;
    const std::uint32_t latency = read(0xe0);
    if (on && csc_.layers[layer].regs.is_winograd) {
        EXPECT_GE(latency, dat_latency_[layer]) << "data latency, layer " << layer;
    } else {
        EXPECT_EQ(latency, on ? dat_latency_[layer] : 0) << "data latency, layer " << layer;
    }
    EXPECT_EQ(read(0xe4), on ? wt_latency_[layer] : 0) << "weight latency, layer " << layer;
    EXPECT_EQ(read(0xc4), data_counts_[layer].nan) << "NaN in data, layer " << layer;
    EXPECT_EQ(read(0xc8), weight_counts_[layer].nan) << "NaN in weights, layer " << layer;
    EXPECT_EQ(read(0xcc), data_counts_[layer].inf) << "Inf in data, layer " << layer;
    EXPECT_EQ(read(0xd0), weight_counts_[layer].inf) << "Inf in weights, layer " << layer;
}

inline void Bench::check_write(bool valid, int entry, int atom, const Atom& data,
                               std::deque<m::CbufWrite>& log, const char* what) {
    if (!valid) return;
    ASSERT_FALSE(log.empty()) << what << ": write that nobody expects, cycle " << cycle();
    const m::CbufWrite& want = log.front();
    ASSERT_EQ(entry, want.entry) << what << " entry, cycle " << cycle();
    ASSERT_EQ(atom, want.atom) << what << " atom select, cycle " << cycle();
    // At the end of a line of pixels an atom may have bytes that belong to nothing.
    const Atom used(data.begin(), data.begin() + static_cast<int>(want.data.size()));
    ASSERT_EQ(used, want.data) << what << " data, cycle " << cycle();
    std::copy(used.begin(), used.end(), rtl_.entry(entry) + atom * p::atom_bytes);
    log.pop_front();
}

inline void Bench::drive(Vdut& d) {
    if (d.csb2cdma_valid && d.csb_write && d.csb_addr == 0x10 / 4) op_enable_ = cycle();
    dat_.drive(d.cdma_dat2mcif_rd_req_ready, d.mcif2cdma_dat_rd_rsp_valid,
               d.mcif2cdma_dat_rd_rsp_data);
    if constexpr (kWeightAtoms > 1) {
        wt_.drive_pairs(d.cdma_wt2mcif_rd_req_ready, d.mcif2cdma_wt_rd_rsp_valid,
                        d.mcif2cdma_wt_rd_rsp_data);
    } else {
        wt_.drive(d.cdma_wt2mcif_rd_req_ready, d.mcif2cdma_wt_rd_rsp_valid,
                  d.mcif2cdma_wt_rd_rsp_data);
    }
    drive_csc();
}

inline void Bench::sample(Vdut& d) {
    if (d.cdma2cbuf_flush_valid) {
        EXPECT_EQ(d.cdma2cbuf_flush_row, flush_rows_);
        ++flush_rows_;
        EXPECT_FALSE(d.cdma_dat2mcif_rd_req_valid || d.cdma_wt2mcif_rd_req_valid);
    }
    if (d.cdma_dat2mcif_rd_req_valid && first_request_ == 0) first_request_ = cycle();
    sample_announcements(d);
    sample_interrupts(d);
    sample_counters(d);
    sample_requests(d);
    sample_writes(d);
    csc_events();
    if (data_irq_ && weight_irq_) {
        data_irq_ = weight_irq_ = false;
        weight_asked_ = 0;
        ++layer_;
        ++done_layers_;
    }
}

/// They follow the write by one cycle, for pixels the end of a line.
inline void Bench::sample_announcements(const Vdut& d) {
    if (pixels() && d.cdma2csc_dat_updt) {
        ASSERT_FALSE(slice_ends_.empty()) << "slice too many, cycle " << cycle();
        EXPECT_LE(slice_ends_.front(), data_writes_) << "slice announced, cycle " << cycle();
        slice_ends_.pop_front();
    }
    if (!pixels()) {
        EXPECT_EQ(d.cdma2csc_dat_updt, slices_due_ > 0) << "slice announced, cycle " << cycle();
    }
    slices_due_ -= slices_due_ > 0;
    EXPECT_EQ(bool(d.cdma2csc_wt_updt), entry_due_) << "entry announced, cycle " << cycle();
    EXPECT_EQ(mask_updt<kMasks>(d), mask_due_) << "masks announced, cycle " << cycle();
}

/// They come after the last write of the layer, with its group.
inline void Bench::sample_interrupts(const Vdut& d) {
    for (int kind = 0; kind < 2; ++kind) {
        const unsigned irq = kind == 0 ? d.cdma_dat2glb_done : d.cdma_wt2glb_done;
        bool& seen = kind == 0 ? data_irq_ : weight_irq_;
        if (irq == 0) continue;
        EXPECT_EQ(irq, 1u << layer_ % 2) << "interrupt group, cycle " << cycle();
        EXPECT_FALSE(seen) << "second interrupt, cycle " << cycle();
        seen = true;
        const std::size_t writes = kind == 0 ? data_writes_ : weight_writes_;
        const std::size_t want = (kind == 0 ? data_ends_ : weight_ends_)[layer_];
        EXPECT_EQ(writes, want) << "interrupt before the data, cycle " << cycle();
        if (kind == 1) {
            EXPECT_EQ(mask_writes_, mask_ends_[layer_]) << "interrupt before masks";
        }
        last_interrupt_ = cycle();
    }
}

inline void Bench::sample_counters(const Vdut& d) {
    if (layer_ < dat_latency_.size()) {
        dat_latency_[layer_] += data_outstanding_ > 0;
        wt_latency_[layer_] += weight_outstanding_ > 0;
        dat_stalls_[layer_] += d.cdma_dat2mcif_rd_req_valid && !d.cdma_dat2mcif_rd_req_ready;
        wt_stalls_[layer_] += d.cdma_wt2mcif_rd_req_valid && !d.cdma_wt2mcif_rd_req_ready;
    }
}

inline void Bench::sample_requests(const Vdut& d) {
    const bool dat_fire = d.cdma_dat2mcif_rd_req_valid && d.cdma_dat2mcif_rd_req_ready;
    const bool wt_fire = d.cdma_wt2mcif_rd_req_valid && d.cdma_wt2mcif_rd_req_ready;
    const bool wt_held = wt_.waits();
    dat_.sample(d.cdma_dat2mcif_rd_req_valid, d.cdma_dat2mcif_rd_req_addr,
                d.cdma_dat2mcif_rd_req_size);
    wt_.sample(d.cdma_wt2mcif_rd_req_valid, d.cdma_wt2mcif_rd_req_addr, d.cdma_wt2mcif_rd_req_size);
    if (dat_fire) check_data_request(d);
    if (kTwoPorts && d.cdma_dat2mcif_rd_req_valid) {
        EXPECT_EQ(dat_primary<kTwoPorts>(d), csc_.layers[layer_].dat_primary)
            << "cycle " << cycle();
    }
    if (kTwoPorts && d.cdma_wt2mcif_rd_req_valid) {
        EXPECT_EQ(wt_primary<kTwoPorts>(d), csc_.layers[layer_].wt_primary) << "cycle " << cycle();
    }
    const bool same_port = dat_primary<kTwoPorts>(d) == wt_primary<kTwoPorts>(d);
    // Of weights and masks one waits for the other and has asked earlier then; both do while as
    // many requests as CDMA can follow are under way.
    const bool earlier = wt_held || (masks_now() && weight_offered_) || weights_full_;
    weights_full_ = kMasks && weight_requests_.size() >= kWeightRequests;
    if (d.mcif2cdma_wt_rd_rsp_valid) {
        weight_requests_.front() -= count_bits(d.mcif2cdma_wt_rd_rsp_valid);
        if (weight_requests_.front() == 0) weight_requests_.pop_front();
    }
    if (wt_fire) weight_requests_.push_back(d.cdma_wt2mcif_rd_req_size + 1);
    weight_offered_ = d.cdma_wt2mcif_rd_req_valid;
    if (d.cdma_wt2mcif_rd_req_valid && data_asked_ && !earlier && same_port) {
        EXPECT_LT(weight_asked_, csc_.layers[layer_].group_atoms)
            << "weights behind the first group in the way of data, cycle " << cycle();
    }
    if (wt_fire) check_weight_request(d);
    data_asked_ = d.cdma_dat2mcif_rd_req_valid;
}

inline void Bench::check_data_request(const Vdut& d) {
    ASSERT_FALSE(data_requests_.empty()) << "data request too many, cycle " << cycle();
    EXPECT_EQ(d.cdma_dat2mcif_rd_req_addr, data_requests_.front().addr);
    EXPECT_EQ(d.cdma_dat2mcif_rd_req_size + 1, data_requests_.front().atoms);
    if (tiles()) {
        data_outstanding_ += data_requests_.front().atoms;
    } else if (!pixels()) {
        const auto atoms = static_cast<std::size_t>(data_requests_.front().atoms);
        const bool first = data_outstanding_ == 0 || data_surfaces_.empty();
        data_surfaces_.push_back((first ? data_writes_ : data_surfaces_.back()) + atoms);
        ++data_outstanding_;
    }
    data_requests_.pop_front();
    if (!data_claims_.empty() && data_claims_.front().first == data_reqs_) {
        data_claimed_ += data_claims_.front().second;
        data_claims_.pop_front();
        EXPECT_LE(data_claimed_, csc_.layers[layer_].regs.data_banks * p::cbuf_depth)
            << "line requested without room, cycle " << cycle();
    }
    ++data_reqs_;
}

inline void Bench::sample_writes(const Vdut& d) {
    const bool dat_wr = d.cdma2cbuf_dat_wr_valid, wt_wr = d.cdma2cbuf_wt_wr_valid;
    EXPECT_FALSE((pixels() || tiles()) && dat_wr && wt_wr && !kTwoPorts)
        << "data do not wait, cycle " << cycle();
    if (dat_wr && !unit_claims_.empty() && unit_claims_.front().first == data_writes_) {
        data_claimed_ += unit_claims_.front().second;
        unit_claims_.pop_front();
        EXPECT_LE(data_claimed_, csc_.layers[layer_].regs.data_banks * p::cbuf_depth)
            << "unit written without room, cycle " << cycle();
    }
    both_writes_ += pixels() && dat_wr && wt_wr;
    check_write(dat_wr, d.cdma2cbuf_dat_wr_addr, dat_sel<kQ>(d),
                get_bytes(d.cdma2cbuf_dat_wr_data, p::atom_bytes), data_log_, "data");
    data_writes_ += dat_wr;
    tile_writes_ += tiles() && dat_wr;
    if (tiles()) data_outstanding_ -= d.mcif2cdma_dat_rd_rsp_valid;
    if (dat_wr && !data_surfaces_.empty() && data_surfaces_.front() == data_writes_) {
        data_surfaces_.pop_front();
        --data_outstanding_;
    }
    if (!pixels() && dat_wr && !slice_ends_.empty() && slice_ends_.front() == data_writes_) {
        slices_due_ += tiles() ? 4 : 1;
        slice_ends_.pop_front();
    }
    entry_due_ = mask_due_ = false;
    if (wt_wr) sample_weight_writes(d);
}

}  // namespace macrame::tb::cdma

#include "tb/dla/unit/cdma_bench_csc.hpp"
#include "tb/dla/unit/cdma_bench_weights.hpp"
