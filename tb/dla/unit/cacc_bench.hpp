#pragma once
/// What tests of dla_cacc have in common: programs, stripes of positions as CSC and CMAC send them,
/// credits, results in order with stalls by SDP, interrupts and the count of saturated results. A
/// test brings the partial sums and what they add up to.

#include <gtest/gtest.h>
#include <verilated.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <random>
#include <utility>
#include <vector>

#include "Vdut.h"
#include "dla_params.hpp"
#include "tb/common/ports.hpp"
#include "tb/common/random_state.hpp"
#include "tb/dla/unit/mac_kind.hpp"
#include "verif/dla/model/cacc.hpp"

namespace macrame::tb::cacc {

namespace p = dla_params;

struct Traffic {
    const char* name;
    int beat;       ///< percent of cycles in which CMAC sends, if it may
    int ready;      ///< percent of cycles in which SDP takes
    int late;       ///< cycles that software may be late with the next layer
    bool large;     ///< drive the accumulators to values of full size
    int ahead = 2;  ///< layers that software has enabled at a time
};

struct Layer {
    dla::Kind kind;
    int truncate;
    int stripes;
    std::uint32_t saturated = 0;

    /// Places of a position.
    int places() const { return kind.winograd ? 4 : 1; }
};

class CaccBench {
public:
    CaccBench(const CaccBench&) = delete;
    CaccBench& operator=(const CaccBench&) = delete;
    virtual ~CaccBench() = default;

    long cycles() const { return cycles_; }
    long positions() const { return positions_; }
    std::uint64_t saturated() const { return saturated_; }
    const std::vector<std::uint32_t>& results() const { return results_; }

protected:
    CaccBench(const Traffic& traffic, std::uint64_t seed)
        : traffic_(traffic), rng_(seed), context_(seed) {
        dut_.csb2cacc_valid = dut_.mac_a2accu_valid = dut_.mac_b2accu_valid = 0;
        dut_.cacc2sdp_ready = 0;
        dut_.rst_n = 0;
        cycle();
        cycle();
        dut_.rst_n = 1;
        dut_.eval();
        for (int i = 0; i < 80; ++i) {  // read-back RAM of the registers
            EXPECT_FALSE(dut_.cacc2sdp_valid || dut_.cacc2csc_credit || dut_.cacc2glb_done)
                << "cycle " << cycle_;
            cycle();
        }
        start_ = cycle_;
    }

    /// Accumulators and whatever else a stripe of so many positions needs.
    virtual void begin_stripe(const Layer& layer, int length) = 0;
    /// Puts the partial sums of a beat on the ports, adds them up; of a position's last beat, calls
    /// expect() for each result.
    virtual void put_psums(Layer& layer, bool last, bool end) = 0;

    bool chance(int percent) { return static_cast<int>(rng_() % 100) < percent; }

    /// Runs these layers. Stripes have at most so many positions and steps; `full`: all the steps.
    void run_layers(std::deque<Layer> layers, int max_length, int max_steps, bool full) {
        layers_ = std::move(layers);
        max_length_ = max_length;
        max_steps_ = max_steps;
        full_ = full;
        while (done_ < count()) {
            if (::testing::Test::HasFatalFailure()) return;
            tick();
            ASSERT_LT(cycle_ - moved_, 20000) << "stuck";
        }
        cycles_ = cycle_ - start_;
        for (int i = 0; i < 20; ++i)
            tick();
        ASSERT_TRUE(expected_.empty());
        ASSERT_EQ(credits_, p::cacc_depth);
        for (int l = std::max(0, count() - 2); l < count(); ++l)
            check_saturation(l);
    }

    /// Of the beat that is sent.
    std::size_t position() const { return static_cast<std::size_t>(pos_); }
    int step() const { return step_; }

    void expect(std::uint32_t value, bool end) { expected_.push_back({value, end}); }
    void expect(Layer& layer, const dla::model::FinalValue& value, bool end) {
        layer.saturated += value.saturated ? 1 : 0;
        saturated_ += value.saturated ? 1 : 0;
        expect(static_cast<std::uint32_t>(value.value), end);
    }

    Traffic traffic_;
    std::mt19937_64 rng_;

private:
    static constexpr int kStatusWord = 1, kOpEnableWord = 2, kMiscWord = 3, kClipWord = 11,
                         kSaturationWord = 12;

    struct Expected {
        std::uint32_t value;
        bool end;
    };

    int count() const { return static_cast<int>(layers_.size()); }
    Layer& layer(int n) { return layers_[static_cast<std::size_t>(n)]; }

    // ------------------------------------------------------------------ software

    void software() {
        dut_.csb2cacc_valid = 0;
        if (csb_.empty() && programmed_ < count() && programmed_ < done_ + traffic_.ahead &&
            (late_ == 0 || --late_ == 0)) {
            csb_.push_back({kStatusWord, static_cast<std::uint32_t>(programmed_ % 2)});
            csb_.push_back({kMiscWord, layer(programmed_).kind.misc()});
            csb_.push_back({kClipWord, static_cast<std::uint32_t>(layer(programmed_).truncate)});
            csb_.push_back({kOpEnableWord, 1});
            ++programmed_;
            if (traffic_.late > 0) late_ = static_cast<int>(rng_() % traffic_.late) + 1;
        }
        if (csb_.empty()) return;
        put_access(csb_.front().first, true, csb_.front().second);
        csb_.pop_front();
    }

    void put_access(int word, bool write, std::uint32_t value) {
        dut_.csb2cacc_valid = 1;
        dut_.csb_write = write;
        dut_.csb_addr = static_cast<std::uint16_t>(word);
        dut_.csb_wdata = value;
    }

    std::uint32_t read(int word) {
        put_access(word, false, 0);
        cycle();
        dut_.csb2cacc_valid = 0;
        cycle();
        return dut_.cacc2csb_rdata;
    }

    void check_saturation(int n) {
        put_access(kStatusWord, true, static_cast<std::uint32_t>(n % 2));
        cycle();
        cycle();
        EXPECT_EQ(read(kSaturationWord), layer(n).saturated);
        EXPECT_EQ(read(kOpEnableWord), 0U);
    }

    // ------------------------------------------------------------------ CSC and CMAC

    void new_stripe(const Layer& layer) {
        const auto longest =
            static_cast<unsigned>(std::min(max_length_, p::cacc_depth / layer.places()));
        length_ = static_cast<int>(rng_() % longest) + 1;
        steps_ =
            full_ ? max_steps_ : static_cast<int>(rng_() % static_cast<unsigned>(max_steps_)) + 1;
        pos_ = 0;
        step_ = 0;
        sent_.assign(static_cast<std::size_t>(length_), -p::cacc_min_stripe);
        begin_stripe(layer, length_);
    }

    void mac() {
        dut_.mac_a2accu_valid = 0;
        dut_.mac_b2accu_valid = 0;
        dut_.mac_a2accu_end = 0;
        dla::put_kind(dut_, static_cast<unsigned>(rng_() % 8), 0);
        if (sending_ == count()) return;
        Layer& now = layer(sending_);
        if (length_ == 0) new_stripe(now);
        const bool last = step_ == steps_ - 1;
        if (!chance(traffic_.beat) || (last && credits_ < now.places())) return;
        if (cycle_ < sent_[position()] + p::cacc_min_stripe) return;

        const bool end = last && pos_ == length_ - 1 && now.stripes == 1;
        put_psums(now, last, end);
        dut_.mac_a2accu_valid = 1;
        dut_.mac_b2accu_valid = 1;
        dut_.mac_a2accu_swap = pos_ == 0;
        dut_.mac_a2accu_first = step_ == 0;
        dut_.mac_a2accu_last = last;
        dut_.mac_a2accu_end = end;
        dla::put_kind(dut_, now.kind.bits(), 0);
        sent_[position()] = cycle_;
        if (last) {
            credits_ -= now.places();
            ++positions_;
        }
        moved_ = cycle_;
        if (++pos_ < length_) return;
        pos_ = 0;
        if (++step_ < steps_) return;
        length_ = 0;
        if (--now.stripes == 0) ++sending_;
    }

    // ------------------------------------------------------------------ one cycle

    /// The results that SDP sees; is the very last one of a layer among them and taken?
    void check_results(bool& end) {
        ASSERT_GE(expected_.size(), static_cast<std::size_t>(p::sdp_lanes)) << "cycle " << cycle_;
        for (int l = 0; l < p::sdp_lanes; ++l) {
            ASSERT_EQ(get_bits(dut_.cacc2sdp_data, 32 * l, 32),
                      expected_[static_cast<std::size_t>(l)].value)
                << "cycle " << cycle_ << " lane " << l << " layer " << done_ << " kind "
                << layer(done_).kind.bits() << " truncate " << layer(done_).truncate;
        }
        if (!dut_.cacc2sdp_ready) return;
        end = expected_[p::sdp_lanes - 1].end;
        for (int l = 0; l < p::sdp_lanes; ++l)
            results_.push_back(expected_[static_cast<std::size_t>(l)].value);
        expected_.erase(expected_.begin(), expected_.begin() + p::sdp_lanes);
        moved_ = cycle_;
    }

    void tick() {
        software();
        mac();
        dut_.cacc2sdp_ready = chance(traffic_.ready);
        dut_.eval();

        if (stalled_) {
            ASSERT_TRUE(dut_.cacc2sdp_valid) << "valid fell while stalled, cycle " << cycle_;
        }
        bool end = false;
        if (dut_.cacc2sdp_valid) {
            check_results(end);
            if (::testing::Test::HasFatalFailure()) return;
        }
        stalled_ = dut_.cacc2sdp_valid && !dut_.cacc2sdp_ready;
        ASSERT_EQ(static_cast<int>(dut_.cacc2glb_done), ended_ ? 1 << (done_ % 2) : 0)
            << "cycle " << cycle_;
        if (ended_) ++done_;
        ended_ = end;
        if (dut_.cacc2csc_credit) {
            ++credits_;
            ASSERT_LE(credits_, p::cacc_depth);
        }
        cycle();
    }

    void cycle() {
        context_.timeInc(1);
        dut_.clk = 1;
        dut_.eval();
        dut_.clk = 0;
        dut_.eval();
        ++cycle_;
    }

    RandomState context_;

protected:
    Vdut dut_{&context_};

private:
    std::deque<Layer> layers_;
    std::deque<std::pair<int, std::uint32_t>> csb_;
    std::deque<Expected> expected_;
    std::vector<std::uint32_t> results_;
    std::vector<long> sent_;  ///< when a position was sent
    int max_length_ = 1, max_steps_ = 1;
    int sending_ = 0, programmed_ = 0, done_ = 0, late_ = 0;
    int length_ = 0, steps_ = 0, pos_ = 0, step_ = 0;
    int credits_ = p::cacc_depth;
    long cycle_ = 0, start_ = 0, cycles_ = 0, moved_ = 0, positions_ = 0;
    std::uint64_t saturated_ = 0;
    bool full_ = false, stalled_ = false, ended_ = false;
};

/// Pauses on all sides.
inline const Traffic kTraffic[] = {
    {"no stall", 100, 100, 0, false},       {"random", 50, 50, 0, false},
    {"SDP slow", 100, 10, 0, false},        {"CMAC slow", 10, 100, 0, false},
    {"software late", 100, 80, 400, false}, {"one layer at a time", 100, 100, 300, false, 1},
};

}  // namespace macrame::tb::cacc
