/// Unit test of dla_cbuf against an array: flush, one write per cycle from either side (with two
/// memory ports: from both), all read ports in every cycle, exact latency, output that holds.

#include <gtest/gtest.h>
#include <verilated.h>

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "Vdut.h"
#include "dla_params.hpp"
#include "tb/common/ports.hpp"
#include "tb/common/random_state.hpp"
#include "verif/dla/model/cbuf.hpp"

namespace {

namespace p = dla_params;
using macrame::dla::model::CbufImage;
using macrame::dla::model::CdmaSizes;
using macrame::tb::get_bytes;
using macrame::tb::put_bytes;
using macrame::tb::put_number;
using Bytes = std::vector<std::uint8_t>;

constexpr int kVisible = 1;  ///< cycles from a write to a read that sees it

/// Atom selects exist only if an entry holds several atoms; weights may come as pairs of them.
template <int Q, typename Dut>
void put_select(Dut& dut, bool weights, int atom, int atoms) {
    if constexpr (Q > 1) {
        if (weights) {
            put_number(dut.cdma2cbuf_wt_wr_sel, ((1 << atoms) - 1) << atom);
        } else {
            put_number(dut.cdma2cbuf_dat_wr_sel, 1 << atom);
        }
    }
}

/// Who reads. Ports of masks exist only with compressed weights.
enum Side { kData, kWeights, kMasks };
constexpr int kSides = p::weight_compression_enable ? 3 : 2;
constexpr int kMaskFirst = p::cbuf_entries - p::cbuf_depth;  ///< entry in which their bank begins
template <bool Has, typename Dut>
void put_mask_read(Dut& dut, std::optional<int> entry) {
    if constexpr (Has) {
        dut.csc2cbuf_wmb_rd_valid = entry.has_value();
        if (entry) put_number(dut.csc2cbuf_wmb_rd_row, *entry - kMaskFirst);
    }
}
template <bool Has, typename Dut>
bool mask_valid(const Dut& dut) {
    if constexpr (Has)
        return dut.cbuf2csc_wmb_rd_valid != 0;
    else
        return false;
}
template <bool Has, typename Dut>
Bytes mask_data(const Dut& dut) {
    if constexpr (Has)
        return get_bytes(dut.cbuf2csc_wmb_rd_data, p::entry_bytes);
    else
        return {};
}

struct Write {
    int entry;
    int atom;
    Bytes data;  ///< of the atom, or of the pair that begins with it
};

class Cbuf : public ::testing::Test {
protected:
    Cbuf() {
        dut_ = std::make_unique<Vdut>(&context_);
        for (const bool weights : {false, true}) {
            drive_write(weights, std::nullopt);
            (weights ? dut_->csc2cbuf_wt_rd_valid : dut_->csc2cbuf_dat_rd_valid) = 0;
        }
        put_mask_read<p::weight_compression_enable>(*dut_, std::nullopt);
        dut_->rst_n = 0;
        cycle();
        cycle();
        dut_->rst_n = 1;
        for (int row = 0; row < p::cbuf_depth; ++row) {
            dut_->cdma2cbuf_flush_valid = 1;
            put_number(dut_->cdma2cbuf_flush_row, row);
            dut_->eval();
            EXPECT_FALSE(dut_->cbuf2csc_dat_rd_valid || dut_->cbuf2csc_wt_rd_valid) << row;
            cycle();
        }
        dut_->cdma2cbuf_flush_valid = 0;
        cycle();
    }

    void cycle() {
        dut_->clk = 0;
        dut_->eval();
        dut_->clk = 1;
        dut_->eval();
        ++now_;
    }

    int random(int n) { return static_cast<int>(rng_() % static_cast<unsigned>(n)); }

    /// An entry of `first` .. `first + count - 1` that nothing touched in the last cycles; a few
    /// hot rows make neighbours and repetitions likely.
    std::optional<int> untouched(int first, int count, const std::vector<int>& touched, int age) {
        const int span = random(4) == 0 ? count : std::min(count, 8);
        const int entry = first + (random(2) == 0 ? random(span) : count - 1 - random(span));
        if (now_ - touched[static_cast<std::size_t>(entry)] < age) return std::nullopt;
        return entry;
    }

    void drive_write(bool weights, const std::optional<Write>& w) {
        Vdut& d = *dut_;
        (weights ? d.cdma2cbuf_wt_wr_valid : d.cdma2cbuf_dat_wr_valid) = w.has_value();
        if (!w) return;
        if (weights) {
            put_number(d.cdma2cbuf_wt_wr_addr, w->entry);
            put_bytes(d.cdma2cbuf_wt_wr_data, w->data);
        } else {
            put_number(d.cdma2cbuf_dat_wr_addr, w->entry);
            put_bytes(d.cdma2cbuf_dat_wr_data, w->data);
        }
        const int atoms = static_cast<int>(w->data.size()) / p::atom_bytes;
        put_select<p::atoms_per_entry>(d, weights, w->atom, atoms);
        for (int a = 0; a < atoms; ++a)
            model_.write(w->entry, w->atom + a, w->data.data() + a * p::atom_bytes);
        pair_writes_ += atoms > 1;
        written_[static_cast<std::size_t>(w->entry)] = now_;
    }

    void drive_read(Side side, std::optional<int> entry) {
        Vdut& d = *dut_;
        auto& pending = pending_[side];
        if (side == kMasks) {
            put_mask_read<p::weight_compression_enable>(d, entry);
        } else {
            (side == kWeights ? d.csc2cbuf_wt_rd_valid : d.csc2cbuf_dat_rd_valid) =
                entry.has_value();
        }
        if (entry) {
            if (side == kWeights) {
                put_number(d.csc2cbuf_wt_rd_addr, *entry);
            } else if (side == kData) {
                put_number(d.csc2cbuf_dat_rd_addr, *entry);
            }
            read_[static_cast<std::size_t>(*entry)] = now_;
            pending.push_back(model_.read(*entry));
            ++reads_;
        } else {
            pending.emplace_back();
        }
    }

    void check_read(Side side) {
        auto& pending = pending_[side];
        if (static_cast<int>(pending.size()) <= p::cbuf_rd_latency) return;
        const Bytes want = pending.front();
        pending.pop_front();
        const Vdut& d = *dut_;
        constexpr bool kHas = p::weight_compression_enable;
        const bool valid = side == kMasks     ? mask_valid<kHas>(d)
                           : side == kWeights ? d.cbuf2csc_wt_rd_valid != 0
                                              : d.cbuf2csc_dat_rd_valid != 0;
        const Bytes got = side == kMasks     ? mask_data<kHas>(d)
                          : side == kWeights ? get_bytes(d.cbuf2csc_wt_rd_data, p::entry_bytes)
                                             : get_bytes(d.cbuf2csc_dat_rd_data, p::entry_bytes);
        ASSERT_EQ(valid, !want.empty()) << "cycle " << now_ << " side " << side;
        if (valid) {
            ASSERT_EQ(got, want) << "cycle " << now_ << " side " << side;
            held_[side] = got;
        } else if (!held_[side].empty()) {
            ASSERT_EQ(got, held_[side]) << "output does not hold, cycle " << now_;
        }
    }

    /// The cycle whose inputs are driven.
    void look() {
        dut_->clk = 0;
        dut_->eval();
        for (int side = 0; side < kSides; ++side)
            check_read(static_cast<Side>(side));
        cycle();
    }

    /// An atom for one side, or as many as weights have: a pair, or the low atom of one.
    std::optional<Write> random_write(int first, int count, int most = 1) {
        const auto entry = untouched(first, count, read_, 8);
        if (!entry) return std::nullopt;
        const int atoms = 1 + random(most);
        Write w{*entry, random(p::atoms_per_entry / most) * most,
                Bytes(static_cast<std::size_t>(atoms * p::atom_bytes))};
        for (auto& byte : w.data)
            byte = static_cast<std::uint8_t>(rng_());
        return w;
    }

    /// Data in the first `data_banks` banks, weights behind, with `masks` those of weights in the
    /// last; every probability in percent.
    void traffic(int data_banks, int cycles, int responses, int data_share, int reads,
                 bool masks = false) {
        SCOPED_TRACE("data banks " + std::to_string(data_banks) + ", responses " +
                     std::to_string(responses) + " %, seed 1");
        const int border = data_banks * p::cbuf_depth;
        const int weights = p::cbuf_entries - border - (masks ? p::cbuf_depth : 0);
        bool is_data = true;
        for (int i = 0; i < cycles; ++i) {
            std::optional<Write> dat, wt;
            if (random(100) < responses) {
                if (random(3) == 0) is_data = random(100) < data_share;  // runs of a few
                const bool both = p::secondary_memif_enable && random(2) == 0;
                if (is_data || both) dat = random_write(0, border);
                if (!is_data || both) {
                    wt = masks && random(2) == 0
                             ? random_write(kMaskFirst, p::cbuf_depth, p::wt_atoms)
                             : random_write(border, weights, p::wt_atoms);
                }
                both_writes_ += dat && wt;
            }
            drive_write(false, dat);
            drive_write(true, wt);
            for (int side = 0; side < kSides; ++side) {
                std::optional<int> entry;
                if (random(100) < reads && (masks || side != kMasks)) {
                    entry = side == kMasks
                                ? untouched(kMaskFirst, p::cbuf_depth, written_, kVisible)
                            : side == kWeights ? untouched(border, weights, written_, kVisible)
                                               : untouched(0, border, written_, kVisible);
                    mask_reads_ += side == kMasks && entry;
                }
                drive_read(static_cast<Side>(side), entry);
            }
            look();
            if (HasFatalFailure()) return;
        }
        for (int i = 0; i < 12; ++i) {
            for (int side = 0; side < kSides; ++side)
                drive_read(static_cast<Side>(side), std::nullopt);
            drive_write(false, std::nullopt);
            drive_write(true, std::nullopt);
            look();
        }
    }

    macrame::tb::RandomState context_{1};  // memories hold anything before the flush
    std::unique_ptr<Vdut> dut_;
    CbufImage model_{CdmaSizes{p::atom_bytes, p::entry_bytes, p::cbuf_banks, p::cbuf_depth}};
    std::mt19937 rng_{1};
    int now_ = 1000;
    int reads_ = 0;
    int mask_reads_ = 0;
    int pair_writes_ = 0;
    int both_writes_ = 0;  ///< cycles with a write of either side
    std::vector<int> written_ = std::vector<int>(p::cbuf_entries, 0);
    std::vector<int> read_ = std::vector<int>(p::cbuf_entries, 0);
    std::deque<Bytes> pending_[3];
    Bytes held_[3];
};

TEST_F(Cbuf, FlushClearsEveryEntry) {
    for (int entry = 0; entry < p::cbuf_entries + p::cbuf_rd_latency; ++entry) {
        const bool more = entry < p::cbuf_entries;
        drive_read(entry % 2 == 1 ? kWeights : kData,
                   more ? std::optional<int>(entry) : std::nullopt);
        drive_read(entry % 2 == 0 ? kWeights : kData, std::nullopt);
        if (kSides > 2) drive_read(kMasks, std::nullopt);
        look();
        if (HasFatalFailure()) return;
    }
}

TEST_F(Cbuf, ReadsSeeWrites) {
    for (int data_banks : {1, p::cbuf_banks / 2, p::cbuf_banks - 1}) {
        traffic(data_banks, 4000, 100, 50, 100);
        traffic(data_banks, 4000, 100, 10, 90);
        traffic(data_banks, 2000, 40, 90, 50);
        if (HasFatalFailure()) return;
    }
    EXPECT_GT(reads_, 20000);
    for (int data_banks = 1; kSides > 2 && data_banks < p::cbuf_banks - 1; data_banks += 6) {
        traffic(data_banks, 4000, 100, 30, 100, true);
        traffic(data_banks, 2000, 40, 50, 60, true);
        if (HasFatalFailure()) return;
    }
    EXPECT_GT(mask_reads_, kSides > 2 ? 8000 : -1);
    if (p::secondary_memif_enable) {
        EXPECT_GT(both_writes_, 1000);
    }
    EXPECT_GT(pair_writes_, p::wt_atoms > 1 ? 1000 : -1);
}

}  // namespace
