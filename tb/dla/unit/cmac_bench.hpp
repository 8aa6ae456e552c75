#pragma once
/// What tests of dla_cmac and dla_cmac_retimed have in common: beats with their flags, the exact
/// latency, anything at the inputs without a beat. A test brings lanes, weights and sums.

#include <gtest/gtest.h>
#include <verilated.h>

#include <cstdint>
#include <deque>
#include <memory>
#include <random>

#include "Vdut.h"
#include "dla_params.hpp"
#include "tb/common/ports.hpp"
#include "tb/common/random_state.hpp"
#include "tb/dla/unit/mac_kind.hpp"

/// Register slices around the half: one on the way in, one on the way out.
#ifndef SLICES
#define SLICES 0
#endif

namespace macrame::tb::cmac {

namespace p = dla_params;

constexpr int kLatency = p::cmac_latency + SLICES;

struct Traffic {
    const char* name;
    int beat;    ///< percent of cycles with a beat
    int weight;  ///< percent of cycles with a weight write
    int swap;    ///< percent of beats with a swap
    int corner;  ///< percent of lanes with a corner value
};

/// Sums: those of all cells for a beat.
template <typename Sums>
class CmacBench {
public:
    CmacBench(const CmacBench&) = delete;
    CmacBench& operator=(const CmacBench&) = delete;
    virtual ~CmacBench() = default;

    bool drained() const { return expected_.empty(); }
    int beats() const { return beats_; }

protected:
    CmacBench(const Traffic& traffic, std::uint64_t seed)
        : traffic_(traffic), rng_(seed), context_(seed) {
        dut_ = std::make_unique<Vdut>(&context_);
        dut_->csb2cmac_valid = 0;
        dut_->csc2mac_dat_valid = 0;
        dut_->csc2mac_wt_valid = 0;
        dut_->csc2mac_dat_swap = 0;
        dut_->csc2mac_dat_end = 0;
        dut_->rst_n = 0;
        cycle();
        cycle();
        dut_->rst_n = 1;
    }

    /// Register access of this cycle, if any.
    virtual void drive_registers() {}
    /// Random lanes at the data and weight ports.
    virtual void put_noise() = 0;
    /// The sums in this cycle: those of a beat, or null.
    virtual void check_sums(const Sums* want) = 0;

    bool chance(int percent) { return static_cast<int>(rng_() % 100) < percent; }

    /// Selects the cell of a shadow write in this cycle.
    void select(int cell) {
        dut_->csc2mac_wt_valid = 1;
        put_number(dut_->csc2mac_wt_sel, std::uint64_t{1} << cell);
    }

    /// Flags of a beat in this cycle, and what becomes of it.
    void send(bool swap, bool end, unsigned kind, Sums sums) {
        const bool first = chance(30), last = end || chance(30);
        dut_->csc2mac_dat_valid = 1;
        dut_->csc2mac_dat_swap = swap;
        dut_->csc2mac_dat_first = first;
        dut_->csc2mac_dat_last = last;
        dut_->csc2mac_dat_end = end;
        expected_.push_back({cycle_ + kLatency, std::move(sums), swap, first, last, end, kind});
        ++beats_;
    }

    /// Sums of the beat that was sent last.
    Sums& sent() { return expected_.back().sums; }

    void tick() {
        drive_registers();
        dut_->eval();
        const bool due = !expected_.empty() && expected_.front().due == cycle_;
        ASSERT_EQ(dut_->mac2accu_valid != 0, due) << "cycle " << cycle_;
        check_sums(due ? &expected_.front().sums : nullptr);
        if (due) {
            const Result& want = expected_.front();
            ASSERT_EQ(dut_->mac2accu_swap != 0, want.swap) << "cycle " << cycle_;
            ASSERT_EQ(dut_->mac2accu_first != 0, want.first) << "cycle " << cycle_;
            ASSERT_EQ(dut_->mac2accu_last != 0, want.last) << "cycle " << cycle_;
            ASSERT_EQ(dut_->mac2accu_end != 0, want.end) << "cycle " << cycle_;
            ASSERT_EQ(dla::get_kind(*dut_, want.kind, 0), want.kind) << "cycle " << cycle_;
            expected_.pop_front();
        }
        cycle();
        // Without a beat there is no swap; the rest is anything.
        dut_->csc2mac_dat_valid = 0;
        dut_->csc2mac_dat_swap = 0;
        dut_->csc2mac_wt_valid = 0;
        dut_->csc2mac_dat_first = chance(50);
        dut_->csc2mac_dat_last = chance(50);
        dut_->csc2mac_dat_end = chance(50);
        put_noise();
        put_number(dut_->csc2mac_wt_sel, rng_() % (1u << p::cmac_cells));
    }

    Traffic traffic_;
    std::mt19937_64 rng_;

private:
    struct Result {
        long due;
        Sums sums;
        bool swap, first, last, end;
        unsigned kind;
    };

    void cycle() {
        context_.timeInc(1);
        dut_->clk = 1;
        dut_->eval();
        dut_->clk = 0;
        dut_->eval();
        ++cycle_;
    }

    RandomState context_;

protected:
    std::unique_ptr<Vdut> dut_;
    long cycle_ = 0;

private:
    std::deque<Result> expected_;
    int beats_ = 0;
};

}  // namespace macrame::tb::cmac
