/// Unit test of dla_cacc against its golden model: accumulation of stripes of every length, exact
/// rounding, order, credits, stalls by SDP, layers back to back with different CLIP_TRUNCATE,
/// interrupts and the count of saturated results.

#include <gtest/gtest.h>
#include <verilated.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <random>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "Vdut.h"
#include "dla_params.hpp"
#include "tb/common/ports.hpp"
#include "tb/common/random_state.hpp"
#include "verif/dla/model/cacc.hpp"

namespace {

namespace m = macrame::dla::model;
namespace p = dla_params;
using macrame::tb::get_bits;
using macrame::tb::put_bits;

constexpr int kKernels = p::atomic_k;
constexpr int kBeats = p::atomic_k / p::sdp_lanes;

constexpr int kStatusWord = 1, kOpEnableWord = 2, kClipWord = 11, kSaturationWord = 12;

struct Traffic {
    const char* name;
    int beat;       ///< percent of cycles in which CMAC sends, if it may
    int ready;      ///< percent of cycles in which SDP takes
    int late;       ///< cycles that software may be late with the next layer
    bool targeted;  ///< drive the accumulators to chosen values of full size
    int ahead = 2;  ///< layers that software has enabled at a time
};

struct Layer {
    int truncate;
    int stripes;
    std::uint32_t saturated = 0;
};

struct Expected {
    std::int32_t value;
    bool end;
};

class Bench {
public:
    Bench(const Traffic& traffic, std::uint64_t seed)
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

    void run(int layers, int stripes, int max_length, int max_steps) {
        for (int i = 0; i < layers; ++i) {
            const auto truncate = traffic_.targeted ? static_cast<unsigned>(5 * i) : rng_();
            layers_.push_back({static_cast<int>(truncate % 32), stripes});
        }
        max_length_ = max_length;
        max_steps_ = max_steps;
        while (done_ < layers) {
            if (::testing::Test::HasFatalFailure()) return;
            tick();
            ASSERT_LT(cycle_ - moved_, 200000) << "stuck";
        }
        cycles_ = cycle_ - start_;
        for (int i = 0; i < 10; ++i)
            tick();
        ASSERT_TRUE(expected_.empty());
        ASSERT_EQ(credits_, p::cacc_depth);
        for (int l = std::max(0, layers - 2); l < layers; ++l)
            check_saturation(l);
    }

    long cycles() const { return cycles_; }
    long positions() const { return positions_; }
    std::uint64_t saturated() const { return saturated_; }

private:
    bool chance(int percent) { return static_cast<int>(rng_() % 100) < percent; }

    // ------------------------------------------------------------------ software

    void software() {
        dut_.csb2cacc_valid = 0;
        if (csb_.empty() && programmed_ < static_cast<int>(layers_.size()) &&
            programmed_ < done_ + traffic_.ahead && (late_ == 0 || --late_ == 0)) {
            const auto group = static_cast<std::uint32_t>(programmed_ % 2);
            const Layer& layer = layers_[static_cast<std::size_t>(programmed_)];
            csb_.push_back({kStatusWord, group});
            csb_.push_back({kClipWord, static_cast<std::uint32_t>(layer.truncate)});
            csb_.push_back({kOpEnableWord, 1});
            ++programmed_;
            if (traffic_.late > 0) late_ = static_cast<int>(rng_() % traffic_.late) + 1;
        }
        if (csb_.empty()) return;
        dut_.csb2cacc_valid = 1;
        dut_.csb_write = 1;
        dut_.csb_addr = static_cast<std::uint16_t>(csb_.front().first);
        dut_.csb_wdata = csb_.front().second;
        csb_.pop_front();
    }

    std::uint32_t read(int word) {
        dut_.csb2cacc_valid = 1;
        dut_.csb_write = 0;
        dut_.csb_addr = static_cast<std::uint16_t>(word);
        cycle();
        dut_.csb2cacc_valid = 0;
        cycle();
        return dut_.cacc2csb_rdata;
    }

    void check_saturation(int layer) {
        dut_.csb2cacc_valid = 1;
        dut_.csb_write = 1;
        dut_.csb_addr = kStatusWord;
        dut_.csb_wdata = static_cast<std::uint32_t>(layer % 2);
        cycle();
        cycle();
        EXPECT_EQ(read(kSaturationWord), layers_[static_cast<std::size_t>(layer)].saturated);
        EXPECT_EQ(read(kOpEnableWord), 0U);
    }

    // ------------------------------------------------------------------ CSC and CMAC

    void new_stripe() {
        length_ = static_cast<int>(rng_() % static_cast<unsigned>(max_length_)) + 1;
        steps_ = static_cast<int>(rng_() % static_cast<unsigned>(max_steps_)) + 1;
        if (traffic_.targeted) steps_ = max_steps_;
        pos_ = 0;
        step_ = 0;
        acc_.assign(static_cast<std::size_t>(p::cacc_depth),
                    std::vector<std::int64_t>(kKernels, 0));
        target_ = acc_;
        for (auto& kernels : target_) {
            for (auto& value : kernels)
                value = random_target();
        }
    }

    /// A value near a half or near the limits, as large as max_steps_ partial sums can make it.
    std::int64_t random_target() {
        const int truncate = layers_[static_cast<std::size_t>(sending_)].truncate;
        const std::int64_t limit = std::min((std::int64_t{1} << (p::acc_w - 1)) - 1,
                                            (std::int64_t{max_steps_} - 1) << (p::psum_w - 2));
        const int size = static_cast<int>(rng_() % p::acc_w) + 1;
        auto value = static_cast<std::int64_t>(rng_()) >> (64 - size);
        if (chance(60) && truncate > 0) {
            const std::int64_t half = std::int64_t{1} << (truncate - 1);
            value = (value / half) * half + static_cast<std::int64_t>(rng_() % 3) - 1;
            if (chance(50)) value += std::int64_t{1} << rng_() % static_cast<unsigned>(truncate);
            if (chance(30) && truncate > 17) {
                value +=
                    static_cast<std::int64_t>(rng_()) & ((std::int64_t{1} << (truncate - 16)) - 1);
            }
        }
        if (chance(10))
            value = chance(50) ? INT32_MAX + std::int64_t{1} : INT32_MIN - std::int64_t{1};
        return std::clamp(value, -limit, limit);
    }

    std::int32_t next_psum(std::int64_t acc, std::int64_t target) {
        const std::int32_t top = (1 << (p::psum_w - 1)) - 1;
        if (traffic_.targeted) {
            return static_cast<std::int32_t>(std::clamp<std::int64_t>(
                target - acc, -(1 << (p::psum_w - 2)), 1 << (p::psum_w - 2)));
        }
        switch (rng_() % 6) {
            case 0:
                return top;
            case 1:
                return -top - 1;
            case 2:
                return 0;
            case 3:
                return -1;
            default:
                return static_cast<std::int32_t>(rng_() % (2U * static_cast<unsigned>(top) + 2)) -
                       top - 1;
        }
    }

    void mac() {
        dut_.mac_a2accu_valid = 0;
        dut_.mac_b2accu_valid = 0;
        dut_.mac_a2accu_end = 0;
        if (sending_ == static_cast<int>(layers_.size())) return;
        if (length_ == 0) new_stripe();
        const bool last = step_ == steps_ - 1;
        if (!chance(traffic_.beat) || (last && credits_ == 0)) return;

        Layer& layer = layers_[static_cast<std::size_t>(sending_)];
        auto& acc = acc_[static_cast<std::size_t>(pos_)];
        const bool end = last && pos_ == length_ - 1 && layer.stripes == 1;
        for (int k = 0; k < kKernels; ++k) {
            auto& a = acc[static_cast<std::size_t>(k)];
            if (step_ == 0) a = 0;
            const std::int32_t psum =
                next_psum(a, target_[static_cast<std::size_t>(pos_)][static_cast<std::size_t>(k)]);
            a = m::accumulate(a, psum);
            const auto bits = static_cast<std::uint32_t>(psum);
            if (k < p::cmac_cells) {
                put_bits(dut_.mac_a2accu_data, k * p::psum_w, p::psum_w, bits);
            } else {
                put_bits(dut_.mac_b2accu_data, (k - p::cmac_cells) * p::psum_w, p::psum_w, bits);
            }
            if (last) {
                const m::FinalValue result = m::final_value(a, layer.truncate);
                layer.saturated += result.saturated ? 1 : 0;
                saturated_ += result.saturated ? 1 : 0;
                expected_.push_back({result.value, end && k == kKernels - 1});
            }
        }
        dut_.mac_a2accu_valid = 1;
        dut_.mac_b2accu_valid = 1;
        dut_.mac_a2accu_swap = pos_ == 0;
        dut_.mac_a2accu_first = step_ == 0;
        dut_.mac_a2accu_last = last;
        dut_.mac_a2accu_end = end;
        if (last) {
            --credits_;
            ++positions_;
        }
        moved_ = cycle_;
        if (++pos_ < length_) return;
        pos_ = 0;
        if (++step_ < steps_) return;
        length_ = 0;
        if (--layer.stripes == 0) ++sending_;
    }

    // ------------------------------------------------------------------ one cycle

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
            ASSERT_GE(expected_.size(), static_cast<std::size_t>(p::sdp_lanes))
                << "cycle " << cycle_;
            for (int l = 0; l < p::sdp_lanes; ++l) {
                ASSERT_EQ(static_cast<std::int32_t>(get_bits(dut_.cacc2sdp_data, 32 * l, 32)),
                          expected_[static_cast<std::size_t>(l)].value)
                    << "cycle " << cycle_ << " lane " << l << " layer " << done_ << " truncate "
                    << layers_[static_cast<std::size_t>(done_)].truncate;
            }
            if (dut_.cacc2sdp_ready) {
                end = expected_[p::sdp_lanes - 1].end;
                expected_.erase(expected_.begin(), expected_.begin() + p::sdp_lanes);
                moved_ = cycle_;
            }
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
        dut_.clk = 1;
        dut_.eval();
        dut_.clk = 0;
        dut_.eval();
        ++cycle_;
    }

    Traffic traffic_;
    std::mt19937_64 rng_;
    macrame::tb::RandomState context_;
    Vdut dut_{&context_};
    std::deque<Layer> layers_;
    std::deque<std::pair<int, std::uint32_t>> csb_;
    std::deque<Expected> expected_;
    std::vector<std::vector<std::int64_t>> acc_, target_;
    int max_length_ = 1, max_steps_ = 1;
    int sending_ = 0, programmed_ = 0, done_ = 0, late_ = 0;
    int length_ = 0, steps_ = 0, pos_ = 0, step_ = 0;
    int credits_ = p::cacc_depth;
    long cycle_ = 0, start_ = 0, cycles_ = 0, moved_ = 0, positions_ = 0;
    std::uint64_t saturated_ = 0;
    bool stalled_ = false, ended_ = false;
};

class Cacc : public ::testing::TestWithParam<std::tuple<Traffic, int>> {};

TEST_P(Cacc, ResultsMatchModel) {
    const auto& [traffic, seed] = GetParam();
    SCOPED_TRACE(std::string(traffic.name) + ", seed " + std::to_string(seed));
    Bench bench(traffic, static_cast<std::uint64_t>(seed));
    bench.run(8, 12, p::cacc_depth, 5);
}

const Traffic kTraffic[] = {
    {"no stall", 100, 100, 0, false},       {"random", 50, 50, 0, false},
    {"SDP slow", 100, 10, 0, false},        {"CMAC slow", 10, 100, 0, false},
    {"software late", 100, 80, 400, false}, {"one layer at a time", 100, 100, 300, false, 1},
};

INSTANTIATE_TEST_SUITE_P(Table, Cacc,
                         ::testing::Combine(::testing::ValuesIn(kTraffic),
                                            ::testing::Values(1, 2, 3)));

TEST(CaccLayers, OfOneResultBackToBack) {
    Bench bench({"tiny layers", 100, 70, 0, false}, 4);
    bench.run(60, 1, 1, 1);
}

TEST(CaccValues, AroundHalvesRound) {
    Bench bench({"targeted", 100, 100, 0, true}, 7);
    bench.run(64, 2, 8, 66);
}

TEST(CaccValues, OfFullSizeRoundAndSaturate) {
    Bench bench({"targeted", 100, 100, 0, true}, 5);
    // Enough partial sums to reach the largest accumulator.
    bench.run(10, 1, 8, (1 << (p::acc_w - p::psum_w + 1)) + 2);
    if (p::acc_w > 32) {
        EXPECT_GT(bench.saturated(), 0U);
    } else {
        EXPECT_EQ(bench.saturated(), 0U);
    }
}

TEST(CaccSpeed, NoGapBetweenPositions) {
    Bench bench({"speed", 100, 100, 0, false}, 6);
    bench.run(1, 40, p::cacc_depth, 1);
    EXPECT_LE(bench.cycles(), bench.positions() * kBeats + 20);
}

}  // namespace
