#pragma once
/// Plays layers on dla_csc: registers, CBUF and CDMA that fills it, credits of CACC. Every
/// operation, shadow weight and release is compared with the golden model.

#include <gtest/gtest.h>
#include <verilated.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "Vdut.h"
#include "tb/common/ports.hpp"
#include "tb/common/random_state.hpp"
#include "tb/dla/unit/csc_ports.hpp"
#include "tb/dla/unit/csc_stimulus.hpp"
#include "verif/common/run/console.hpp"
#include "verif/common/text.hpp"
#include "verif/dla/model/csc.hpp"

namespace macrame::tb::csc {

constexpr int kCells = 2 * p::cmac_cells;
constexpr bool kMasks = p::weight_compression_enable;

/// Weights or masks, as CDMA brings them.
struct Ring {
    int first = 0, region = 1;  // entries
    int head = 0, tail = 0;     // next to write, oldest in use
    int free = 0;
    int entries = 0, written = 0;  // of the layer
    bool updt = false;
    std::deque<int> rls;  // expected

    void empty(int first_entry, int size) {
        first = first_entry;
        region = free = size;
        head = tail = 0;
    }
    void begin(int count, bool fetched) {
        entries = count;
        written = fetched ? 0 : count;
    }
};

class Bench {
public:
    Bench(Stall stall, unsigned seed, bool all_there = false)
        : context_(seed), stall_(stall), all_there_(all_there), rnd_(seed), image_(sizes()) {
        dut_ = std::make_unique<Vdut>(&context_);
        visible_.assign(static_cast<std::size_t>(p::cbuf_entries), kNever);
        shadow_.assign(kCells, Bytes(kEB));
        active_ = shadow_;
        content_.assign(static_cast<std::size_t>(p::cbuf_entries), Bytes(kEB));
        dat_.pipe.assign(p::cbuf_rd_latency, {false, 0});
        wt_.pipe.assign(p::cbuf_rd_latency, {false, 0});
        wmb_.pipe.assign(p::cbuf_rd_latency, {false, 0});
        dut_->rst_n = 0;
        for (int i = 0; i < 3; ++i) {
            dut_->clk = 0;
            dut_->eval();
            context_.timeInc(1);
            dut_->clk = 1;
            dut_->eval();
        }
        dut_->rst_n = 1;
        for (int i = 0; i < 140; ++i)
            tick();  // the register file sets its RAM
    }
    ~Bench() { dut_->final(); }

    void run(const std::vector<Layer>& layers) {
        layers_ = layers;
        expect();
        load_steps();
        const std::uint64_t limit = cycle_ + 6000000;
        std::uint64_t idle = 0;
        while (beats_layer_ < layers_.size() || !data_rls_.empty() || !weights_.rls.empty() ||
               !masks_.rls.empty() || cdma_ < layers_.size() || idle < 60) {
            idle = beats_layer_ < layers_.size() ? 0 : idle + 1;
            tick();
            if (::testing::Test::HasFailure()) {
                verif::run::print("layer " + verif::text::shortest(beats_layer_) + " of " +
                                  verif::text::shortest(layers_.size()) + ", cycle " +
                                  verif::text::shortest(cycle_) + "\n");
                return;
            }
            ASSERT_LT(cycle_, limit)
                << "hangs: layer " << beats_layer_ << " step " << step_ << " cdma layer " << cdma_
                << " slices " << slices_written_ << " entries " << weights_.written;
            ASSERT_LT(cycle_, last_event_ + 20000)
                << "nothing happens: layer " << beats_layer_ << " step " << step_ << " position "
                << position_ << " cdma layer " << cdma_ << " data free " << data_free_
                << " weights free " << weights_.free << " masks " << masks_.free;
        }
    }

    /// From the first to the last beat of a layer, both included.
    std::uint64_t cycles(std::size_t layer) const {
        return last_beat_[layer] - first_beat_[layer] + 1;
    }

    int credit_every = 0;  ///< cycles per position that CACC delivers, 0: at once

    // What the layers brought about.
    int split_slices() const { return split_slices_; }
    int wrapped_reads() const { return wrapped_reads_; }
    int early_padding() const { return early_padding_; }
    int most_owed() const { return most_owed_; }

private:
    static constexpr std::uint64_t kNever = ~std::uint64_t{0};

    bool gap() {
        switch (stall_) {
            case Stall::kNone:
                return false;
            case Stall::kRandom:
                return rnd_.chance(30);
            default:
                return rnd_.chance(90);
        }
    }

    void write(int byte_offset, std::uint32_t value) { csb_.push_back({byte_offset / 4, value}); }
    void program(const Layer& layer, int group);
    void expect();
    void load_steps();
    void drive_csb();
    void drive_cdma();
    void drive_credit();
    void drive_cmac();
    void drive_cbuf(ReadPort& port);
    void read(ReadPort& port, bool valid, int entry, const char* what);
    void check_release(bool valid, int entries, std::deque<int>& want, const char* what);
    void set_free(int entries, int first, int region, int& tail, int& free);
    void take_releases();
    void check_beat();
    void check_cell(const Layer& layer, const m::CscStep& s, int k, const std::string& where);
    void take_weights();
    void tick();

    RandomState context_;
    std::unique_ptr<Vdut> dut_;
    Stall stall_;
    bool all_there_;
    Random rnd_;
    m::CbufImage image_;
    std::vector<Layer> layers_;
    std::uint64_t cycle_ = 0;
    std::uint64_t last_event_ = 0;

    // CSB
    std::deque<std::pair<int, std::uint32_t>> csb_;
    std::size_t programmed_ = 0;
    int status_wait_ = 0;

    // CDMA
    std::size_t cdma_ = 0;
    bool cdma_started_ = false;
    int slices_written_ = 0;
    int dat_updts_ = 0;  // to announce
    int data_free_ = 0;
    int data_head_ = 0;  // next entry to write
    int data_tail_ = 0;  // oldest entry in use
    int data_region_ = 0;
    Ring weights_, masks_;

    // CMAC: each half has its next layer enabled from this cycle on
    std::array<std::uint64_t, 2> enable_at_{};
    bool end_seen_ = false;  // last beat of a layer in the cycle before

    // CBUF
    std::vector<std::uint64_t> visible_;  // cycle from which an entry can be read
    std::vector<Bytes> content_;
    ReadPort dat_, wt_, wmb_;

    // expectations
    std::deque<int> data_rls_;
    std::vector<m::CscStep> steps_;
    std::size_t beats_layer_ = 0, step_ = 0;
    int position_ = 0;
    std::uint64_t written_ = 0;  // cells with new shadow weights, one bit each
    std::vector<Bytes> shadow_, active_;
    int owed_ = 0;  // positions in CACC
    int split_slices_ = 0, wrapped_reads_ = 0, early_padding_ = 0, most_owed_ = 0;
    std::uint64_t next_credit_ = 0;
    std::vector<std::uint64_t> beat_of_place_ = std::vector<std::uint64_t>(p::cacc_depth);
    std::vector<std::uint64_t> first_beat_, last_beat_;
};

inline void Bench::program(const Layer& layer, int group) {
    const m::ConvLayer& r = layer.regs;
    const auto u32 = [](auto v) { return static_cast<std::uint32_t>(v); };
    write(0x04, u32(group));
    write(0x0c, u32(r.is_winograd) | u32(r.precision) << 8 | u32(r.precision) << 12 | u32(r.data_reuse) << 16 |
                    u32(r.weight_reuse) << 20 | u32(r.skip_data_rls) << 24 |
                    u32(r.skip_weight_rls) << 28);
    write(0x14, u32(r.width - 1) | u32(r.height - 1) << 16);
    write(0x10, u32(r.is_image) | 0x0c00u);
    write(0x18, u32((r.is_image ? r.components : r.channels) - 1));
    write(0x1c, u32(r.batches - 1));
    write(0x20, r.rows_per_step == 1 ? 0 : r.rows_per_step == 2 ? 1 : u32(rnd_.in(2, 3)));
    write(0x24, u32(r.entries_per_slice - 1));
    write(0x2c, u32(r.kernel_width - 1) | u32(r.kernel_height - 1) << 16);
    write(0x30, u32(r.channels - 1) | u32(r.kernels - 1) << 16);
    write(0x34, r.weight_bytes);
    write(0x28, u32(r.compressed));
    write(0x38, r.compressed ? r.mask_bytes : rnd_.bits() & 0xfffff80u);
    write(0x3c, u32(r.out_width - 1) | u32(r.out_height - 1) << 16);
    write(0x44, u32(r.positions - 1));
    write(0x48, u32(r.release - 1));
    write(0x4c, u32(r.stride_x - 1) | u32(r.stride_y - 1) << 16);
    write(0x50, u32(r.dilation_x - 1) | u32(r.dilation_y - 1) << 16);
    write(0x54, u32(r.pad_left) | u32(r.pad_top) << 16);
    write(0x58, u32(r.pad_value) & 0xffff);
    write(0x60, u32(r.pra_truncate));
    write(0x5c, u32(r.data_banks - 1) | u32(r.weight_banks - 1) << 16);
    write(0x08, 1);
}

/// Releases of all layers, from the bookkeeping of the model.
inline void Bench::expect() {
    m::CscBook book(sizes());
    const auto push = [](std::deque<int>& list, int entries) {
        if (entries > 0) list.push_back(entries);
    };
    for (const Layer& layer : layers_) {
        const m::ConvLayer& r = layer.regs;
        if (book.banks_move(r)) book.bank_change(r);
        const auto at_start = book.start(r);
        push(data_rls_, at_start.data);
        push(weights_.rls, at_start.weights);
        push(masks_.rls, at_start.masks);
        const int each = group_kernels(r), groups = (r.kernels + each - 1) / each;
        for (int g = 0; g < groups; ++g) {
            const bool last = g + 1 == groups;
            const std::int64_t end = layer.group_ends[static_cast<std::size_t>(g)];
            push(weights_.rls, book.end_group(r, end, last));
            if (!r.compressed) continue;
            const std::int64_t masks = m::group_elements(r, each, g + 1) / 8;
            push(masks_.rls, book.end_group_masks(r, masks, last));
        }
        push(data_rls_, book.end(r));
    }
    first_beat_.assign(layers_.size(), 0);
    last_beat_.assign(layers_.size(), 0);
}

inline void Bench::load_steps() {
    steps_.clear();
    step_ = 0;
    position_ = 0;
    if (beats_layer_ == layers_.size()) return;
    const m::ConvLayer& r = layers_[beats_layer_].regs;
    m::for_each_step(r, step_sizes(r), [&](const m::CscStep& s) { steps_.push_back(s); });
}

inline void Bench::drive_csb() {
    Vdut& d = *dut_;
    d.csb2csc_valid = 0;
    if (status_wait_ == 3) {  // answer of the read
        const unsigned shift = programmed_ % 2 == 0 ? 0 : 16;
        status_wait_ = 0;
        d.eval();
        if ((d.csc2csb_rdata >> shift & 3) == 0) {
            program(layers_[programmed_], static_cast<int>(programmed_ % 2));
            ++programmed_;
        }
    }
    if (!csb_.empty()) {
        if (stall_ == Stall::kRandom && rnd_.chance(20)) return;
        d.csb2csc_valid = 1;
        d.csb_write = 1;
        put_number(d.csb_addr, csb_.front().first);
        d.csb_wdata = csb_.front().second;
        csb_.pop_front();
    } else if (status_wait_ == 0 && programmed_ < layers_.size()) {
        d.csb2csc_valid = 1;
        d.csb_write = 0;
        d.csb_addr = 0;
        status_wait_ = 1;
    }
}

/// CMAC: with stalls some layers are enabled late, the halves apart; the last beat ends them.
inline void Bench::drive_cmac() {
    for (std::uint64_t& at : enable_at_) {
        if (end_seen_) at = cycle_ + static_cast<unsigned>(gap() ? rnd_.in(1, 900) : 0);
    }
    end_seen_ = false;
    dut_->mac_a2csc_enabled = cycle_ >= enable_at_[0];
    dut_->mac_b2csc_enabled = cycle_ >= enable_at_[1];
}

inline void Bench::drive_credit() {
    dut_->cacc2csc_credit = 0;
    if (owed_ == 0 || cycle_ < next_credit_) return;
    if (stall_ != Stall::kNone && gap()) return;
    dut_->cacc2csc_credit = 1;
    --owed_;
    next_credit_ = cycle_ + static_cast<std::uint64_t>(credit_every);
}

inline void Bench::drive_cbuf(ReadPort& port) {
    const auto [valid, entry] = port.pipe.front();
    if (valid) port.data = content_[static_cast<std::size_t>(entry)];
}

inline void Bench::read(ReadPort& port, bool valid, int entry, const char* what) {
    if (valid) {
        ASSERT_LT(entry, p::cbuf_entries);
        const std::uint64_t from = visible_[static_cast<std::size_t>(entry)];
        EXPECT_NE(from, kNever) << what << ": nothing in entry " << entry << ", cycle " << cycle_;
        EXPECT_GE(cycle_, from) << what << ": entry " << entry << " read too early";
    }
    port.pipe.pop_front();
    port.pipe.push_back({valid, entry});
}

inline void Bench::check_beat() {
    Vdut& d = *dut_;
    EXPECT_EQ(d.csc2mac_a_dat_valid, d.csc2mac_b_dat_valid);
    if (!d.csc2mac_a_dat_valid) return;
    ASSERT_TRUE(d.mac_a2csc_enabled && d.mac_b2csc_enabled)
        << "beat of a layer that CMAC does not know yet, cycle " << cycle_;
    ASSERT_LT(beats_layer_, layers_.size()) << "beat that nobody expects, cycle " << cycle_;
    const Layer& layer = layers_[beats_layer_];
    const m::CscStep& s = steps_[step_];
    const int input = position_ % layer.regs.batches;
    const int position = s.position + position_ / layer.regs.batches;
    const std::string where = "cycle " + std::to_string(cycle_) + " layer " +
                              std::to_string(beats_layer_) + " step " + std::to_string(step_) +
                              " position " + std::to_string(position) + " input " +
                              std::to_string(input) + " group " + std::to_string(s.group) +
                              " channel " + std::to_string(s.channel) + " row " +
                              std::to_string(s.row) + " column " + std::to_string(s.column);
    if (step_ == 0 && position_ == 0) first_beat_[beats_layer_] = cycle_;

    const Bytes want_bytes = operation_bytes(layer, s, position, input);
    EXPECT_EQ(get_bytes(d.csc2mac_a_dat_data, kEB), want_bytes) << where;
    EXPECT_EQ(get_bytes(d.csc2mac_b_dat_data, kEB), want_bytes) << where;
    EXPECT_EQ(bool(d.csc2mac_a_dat_swap), position_ == 0) << where;
    EXPECT_EQ(bool(d.csc2mac_a_dat_first), s.first) << where;
    EXPECT_EQ(bool(d.csc2mac_a_dat_last), s.last) << where;
    EXPECT_EQ(bool(d.csc2mac_a_dat_end), s.end && position_ + 1 == s.length * layer.regs.batches)
        << where;
    EXPECT_EQ(d.csc2mac_a_dat_swap, d.csc2mac_b_dat_swap);
    EXPECT_EQ(d.csc2mac_a_dat_first, d.csc2mac_b_dat_first);
    EXPECT_EQ(d.csc2mac_a_dat_last, d.csc2mac_b_dat_last);
    EXPECT_EQ(d.csc2mac_a_dat_end, d.csc2mac_b_dat_end);
    const m::ConvLayer& r = layer.regs;
    if (position_ == 0) {
        const int each = cell_kernels(r);
        EXPECT_EQ(written_, (std::uint64_t{1} << (s.kernels + each - 1) / each) - 1) << where;
        written_ = 0;
        for (int k = 0; k < s.kernels; k += each)
            check_cell(layer, s, k, where);
        if (::testing::Test::HasFatalFailure()) return;
    }
    const int top = position / r.out_width * r.stride_y - r.pad_top;
    early_padding_ += !r.is_image && top + s.row * r.dilation_y < 0 && cdma_ == beats_layer_ &&
                      slices_written_ < r.slices();
    std::uint64_t& before = beat_of_place_[static_cast<std::size_t>(position_)];
    if (!s.first) {
        EXPECT_GE(cycle_, before + p::cacc_min_stripe) << where;
    }
    before = cycle_;
    if (s.last) {
        owed_ += beat_places(r);
        EXPECT_LE(owed_, p::cacc_depth) << "beat without a credit, " << where;
        most_owed_ = std::max(most_owed_, owed_);
    }
    end_seen_ = d.csc2mac_a_dat_end != 0;
    last_event_ = cycle_;

    if (++position_ < s.length * r.batches) return;
    position_ = 0;
    if (++step_ < steps_.size()) return;
    last_beat_[beats_layer_] = cycle_;
    ++beats_layer_;
    load_steps();
}

/// Shadow weights of the cell that has kernel `k` of the group and, if two share it, the next.
inline void Bench::check_cell(const Layer& layer, const m::CscStep& s, int k,
                              const std::string& where) {
    const Bytes& have = shadow_[static_cast<std::size_t>(k / cell_kernels(layer.regs))];
    const CellWeights want = cell_weights(layer, s, k);
    for (std::size_t i = 0; i < have.size(); ++i) {
        if (!want.used[i]) continue;
        ASSERT_EQ(have[i], want.bytes[i]) << where << " cell of kernel " << k << " byte " << i;
    }
}

inline void Bench::take_weights() {
    Vdut& d = *dut_;
    const auto one = [&](bool valid, unsigned sel, const Bytes& data, int first) {
        if (!valid) return;
        int cell = 0;
        while (cell < p::cmac_cells && sel != 1u << cell)
            ++cell;
        ASSERT_LT(cell, p::cmac_cells) << "select is not one-hot, cycle " << cycle_;
        shadow_[static_cast<std::size_t>(first + cell)] = data;
        written_ |= std::uint64_t{1} << (first + cell);
    };
    EXPECT_FALSE(d.csc2mac_a_wt_valid && d.csc2mac_b_wt_valid);
    one(d.csc2mac_a_wt_valid, d.csc2mac_a_wt_sel, get_bytes(d.csc2mac_a_wt_data, kEB), 0);
    one(d.csc2mac_b_wt_valid, d.csc2mac_b_wt_sel, get_bytes(d.csc2mac_b_wt_data, kEB),
        p::cmac_cells);
}

inline void Bench::tick() {
    Vdut& d = *dut_;
    d.clk = 0;
    drive_cbuf(dat_);
    drive_cbuf(wt_);
    d.cbuf2csc_dat_rd_valid = dat_.pipe.front().first;
    d.cbuf2csc_wt_rd_valid = wt_.pipe.front().first;
    put_bytes(d.cbuf2csc_dat_rd_data, dat_.data);
    put_bytes(d.cbuf2csc_wt_rd_data, wt_.data);
    drive_cbuf(wmb_);
    put_mask_answer<kMasks>(d, wmb_.pipe.front().first, wmb_.data);
    drive_csb();
    drive_credit();
    drive_cmac();
    if (!all_there_ || csb_.empty()) drive_cdma();
    d.eval();

    wrapped_reads_ += d.csc2cbuf_dat_rd_valid && d.csc2cbuf_dat_rd_addr < data_tail_;
    read(dat_, d.csc2cbuf_dat_rd_valid, d.csc2cbuf_dat_rd_addr, "data");
    read(wt_, d.csc2cbuf_wt_rd_valid, d.csc2cbuf_wt_rd_addr, "weight");
    if constexpr (kMasks)
        read(wmb_, mask_read<kMasks>(d), masks_.first + mask_row<kMasks>(d), "mask");
    take_releases();
    check_beat();
    take_weights();
    if (status_wait_ != 0) ++status_wait_;

    d.clk = 1;
    d.eval();
    ++cycle_;
}

}  // namespace macrame::tb::csc

#include "tb/dla/unit/csc_bench_cdma.hpp"
