/// Unit test of dla_cacc with element types of 16 bits against the golden models: every type and
/// mode in turn, stripes as short as they may be, exact rounding, order, credits, stalls by SDP,
/// layers back to back, interrupts, the count of saturated results; recorded chains of additions.

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
#include "tb/dla/unit/mac_kind.hpp"
#include "verif/dla/model/arithmetic.hpp"
#include "verif/dla/model/cacc.hpp"
#include "verif/dla/model/cacc_fp16.hpp"
#include "verif/dla/test/oracle_csv.hpp"

namespace {

namespace m = macrame::dla::model;
namespace p = dla_params;
namespace oracle = macrame::dla::oracle;
using m::Precision;
using macrame::dla::Kind;
using macrame::tb::get_bits;
using macrame::tb::put_bits;

constexpr int kCells = 2 * p::cmac_cells;
constexpr int kHalf = p::psum_w / 2;
constexpr int kStatusWord = 1, kOpEnableWord = 2, kMiscWord = 3, kClipWord = 11,
              kSaturationWord = 12;

constexpr int log2_lanes(int lanes) { return lanes > 1 ? 1 + log2_lanes(lanes / 2) : 0; }
constexpr int kSum8 = 16 + log2_lanes(p::atomic_c), kSum16 = 32 + log2_lanes(p::atomic_c);

struct Traffic {
    const char* name;
    int beat;       ///< percent of cycles in which CMAC sends, if it may
    int ready;      ///< percent of cycles in which SDP takes
    int late;       ///< cycles that software may be late with the next layer
    bool large;     ///< partial sums of one sign and full size
    int ahead = 2;  ///< layers that software has enabled at a time
};

/// An accumulator of any type.
struct Acc {
    std::int64_t integer = 0;
    m::FloatAcc real;
};

struct Layer {
    Kind kind;
    int truncate;
    int stripes;
    std::uint32_t saturated = 0;
};

struct Expected {
    std::uint32_t value;
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
        const std::vector<Kind> kinds = macrame::dla::kinds();
        for (int i = 0; i < layers; ++i) {
            layers_.push_back({kinds[rng_() % kinds.size()],
                               static_cast<int>(rng_() % (traffic_.large ? 4 : 32)), stripes});
        }
        run(max_length, max_steps);
    }

    /// Layers of one kind with given partial sums: chains[step][cell].
    void run(const Kind& kind, std::vector<std::vector<std::uint64_t>> chains) {
        layers_.push_back({kind, 0, 1});
        given_ = std::move(chains);
        run(1, static_cast<int>(given_.size()));
    }

    long cycles() const { return cycles_; }
    long positions() const { return positions_; }
    std::uint64_t saturated() const { return saturated_; }
    const std::vector<std::uint32_t>& results() const { return results_; }

private:
    void run(int max_length, int max_steps) {
        const int layers = static_cast<int>(layers_.size());
        max_length_ = max_length;
        max_steps_ = max_steps;
        while (done_ < layers) {
            if (::testing::Test::HasFatalFailure()) return;
            tick();
            ASSERT_LT(cycle_ - moved_, 20000) << "stuck";
        }
        cycles_ = cycle_ - start_;
        for (int i = 0; i < 20; ++i)
            tick();
        ASSERT_TRUE(expected_.empty());
        ASSERT_EQ(credits_, p::cacc_depth);
        for (int l = std::max(0, layers - 2); l < layers; ++l)
            check_saturation(l);
    }

    bool chance(int percent) { return static_cast<int>(rng_() % 100) < percent; }

    // ------------------------------------------------------------------ software

    void software() {
        dut_.csb2cacc_valid = 0;
        if (csb_.empty() && programmed_ < static_cast<int>(layers_.size()) &&
            programmed_ < done_ + traffic_.ahead && (late_ == 0 || --late_ == 0)) {
            const auto group = static_cast<std::uint32_t>(programmed_ % 2);
            const Layer& layer = layers_[static_cast<std::size_t>(programmed_)];
            csb_.push_back({kStatusWord, group});
            csb_.push_back({kMiscWord, layer.kind.misc()});
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

    // ------------------------------------------------------------------ partial sums

    /// Bits of an integer partial sum that CMAC can make; large ones are what the bus can carry.
    std::int64_t random_integer(std::int64_t acc, int bits, bool last, int truncate) {
        if (traffic_.large) {
            const std::int64_t top = (std::int64_t{1} << (bits - 1)) - 1;
            return chance(5) ? static_cast<std::int64_t>(rng_() % 3) - 1 : sign_ ? -top - 1 : top;
        }
        if (last && truncate > 0 && chance(60)) {  // near a half
            const std::int64_t half = std::int64_t{1} << (truncate - 1);
            std::int64_t want = m::wrap(static_cast<std::int64_t>(rng_()), bits - 1);
            want = want / half * half + static_cast<std::int64_t>(rng_() % 3) - 1;
            if (chance(50)) want += std::int64_t{1} << rng_() % static_cast<unsigned>(truncate);
            const std::int64_t limit = (std::int64_t{1} << (bits - 1)) - 1;
            return std::clamp(want - acc, -limit, limit);
        }
        return m::wrap(static_cast<std::int64_t>(rng_()), bits) >>
               rng_() % static_cast<unsigned>(bits);
    }

    std::uint64_t random_float(const m::FloatAcc& acc) {
        if (chance(1)) return m::psum_word(m::kPsumNan, (std::int64_t{1} + rng_() % 1023) << 27);
        int exponent = 4 * static_cast<int>(rng_() % 15);
        std::int64_t sum = m::wrap(static_cast<std::int64_t>(rng_()), 36) >> rng_() % 36;
        if (chance(30) && !acc.is_nan() && acc.exponent >= 55 && acc.exponent < 105) {
            // Cancels most of the accumulator.
            exponent = (acc.exponent - 49 + 3) / 4 * 4;
            sum = -(acc.mantissa >> std::clamp(exponent + 51 - acc.exponent, 3, 39)) +
                  static_cast<std::int64_t>(rng_() % 3) - 1;
            exponent = std::clamp(exponent, 0, 56);
        }
        return m::psum_word(exponent, chance(10) ? 0 : sum);
    }

    /// A partial sum of a cell, added to its accumulators.
    std::uint64_t next_psum(const Layer& layer, Acc* acc, std::size_t cell, bool last) {
        const int lanes = p::psum_w;
        switch (layer.kind.precision) {
            case Precision::fp16: {
                const std::uint64_t word = given_.empty()
                                               ? random_float(acc->real)
                                               : given_[static_cast<std::size_t>(step_)][cell];
                acc->real = m::accumulate(acc->real, word);
                return word;
            }
            case Precision::int16: {
                const bool wide = traffic_.large && saturates16();
                const std::int64_t psum =
                    random_integer(acc->integer, wide ? lanes : kSum16 - 1, last, layer.truncate);
                acc->integer = m::accumulate(acc->integer, psum, m::kAccBitsInt16);
                return static_cast<std::uint64_t>(psum) & ((std::uint64_t{1} << lanes) - 1);
            }
            default: {
                std::uint64_t word = 0;
                for (int k = 0; k < 2; ++k) {
                    const std::int64_t psum =
                        random_integer(acc[k].integer, kSum8, last, layer.truncate);
                    acc[k].integer = m::accumulate(acc[k].integer, psum);
                    word |= (static_cast<std::uint64_t>(psum) & ((std::uint64_t{1} << kHalf) - 1))
                            << k * kHalf;
                }
                return word;
            }
        }
    }

    static bool saturates16() { return p::cbuf_bytes > 256 * 1024; }

    // ------------------------------------------------------------------ CSC and CMAC

    void new_stripe() {
        const Layer& layer = layers_[static_cast<std::size_t>(sending_)];
        const auto longest =
            static_cast<unsigned>(std::min(max_length_, p::cacc_depth / size(layer)));
        length_ = static_cast<int>(rng_() % longest) + 1;
        steps_ = static_cast<int>(rng_() % static_cast<unsigned>(max_steps_)) + 1;
        if (traffic_.large || !given_.empty()) steps_ = max_steps_;
        sign_ = chance(50);
        pos_ = 0;
        step_ = 0;
        const std::size_t accs = 2 * kCells * static_cast<std::size_t>(size(layer));
        acc_.assign(static_cast<std::size_t>(length_), std::vector<Acc>(accs));
        sent_.assign(static_cast<std::size_t>(length_), -p::cacc_min_stripe);
    }

    static int size(const Layer& layer) { return layer.kind.winograd ? 4 : 1; }

    void put_psum(int result, int cell, std::uint64_t word) {
        auto& port = cell < p::cmac_cells ? dut_.mac_a2accu_data : dut_.mac_b2accu_data;
        const int at = (result * p::cmac_cells + cell % p::cmac_cells) * p::psum_w;
        put_bits(port, at, 32, static_cast<std::uint32_t>(word));
        put_bits(port, at + 32, p::psum_w - 32, static_cast<std::uint32_t>(word >> 32));
    }

    void expect(Layer& layer, const Acc& acc, bool end) {
        if (layer.kind.precision == Precision::fp16) {
            expected_.push_back({m::final_fp32(acc.real), end});
            return;
        }
        const m::FinalValue value = m::final_value(acc.integer, layer.truncate);
        layer.saturated += value.saturated ? 1 : 0;
        saturated_ += value.saturated ? 1 : 0;
        expected_.push_back({static_cast<std::uint32_t>(value.value), end});
    }

    void mac() {
        dut_.mac_a2accu_valid = 0;
        dut_.mac_b2accu_valid = 0;
        dut_.mac_a2accu_end = 0;
        macrame::dla::put_kind(dut_, static_cast<unsigned>(rng_() % 8), 0);
        if (sending_ == static_cast<int>(layers_.size())) return;
        if (length_ == 0) new_stripe();
        Layer& layer = layers_[static_cast<std::size_t>(sending_)];
        const bool last = step_ == steps_ - 1;
        if (!chance(traffic_.beat) || (last && credits_ < size(layer))) return;
        if (cycle_ < sent_[static_cast<std::size_t>(pos_)] + p::cacc_min_stripe) return;

        const bool end = last && pos_ == length_ - 1 && layer.stripes == 1;
        const int kernels = layer.kind.precision == Precision::int8 ? 2 : 1;
        for (int r = 0; r < size(layer); ++r) {
            for (int c = 0; c < kCells; ++c) {
                Acc* const acc = &acc_[static_cast<std::size_t>(pos_)]
                                      [static_cast<std::size_t>(2 * (r * kCells + c))];
                put_psum(r, c, next_psum(layer, acc, static_cast<std::size_t>(c), last));
                for (int k = 0; last && k < kernels; ++k) {
                    const bool final = r == size(layer) - 1 && c == kCells - 1 && k == kernels - 1;
                    expect(layer, acc[k], end && final);
                }
            }
        }
        dut_.mac_a2accu_valid = 1;
        dut_.mac_b2accu_valid = 1;
        dut_.mac_a2accu_swap = pos_ == 0;
        dut_.mac_a2accu_first = step_ == 0;
        dut_.mac_a2accu_last = last;
        dut_.mac_a2accu_end = end;
        macrame::dla::put_kind(dut_, layer.kind.bits(), 0);
        sent_[static_cast<std::size_t>(pos_)] = cycle_;
        if (last) {
            credits_ -= size(layer);
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
                const Layer& layer = layers_[static_cast<std::size_t>(done_)];
                ASSERT_EQ(get_bits(dut_.cacc2sdp_data, 32 * l, 32),
                          expected_[static_cast<std::size_t>(l)].value)
                    << "cycle " << cycle_ << " lane " << l << " layer " << done_ << " kind "
                    << layer.kind.bits() << " truncate " << layer.truncate;
            }
            if (dut_.cacc2sdp_ready) {
                end = expected_[p::sdp_lanes - 1].end;
                for (int l = 0; l < p::sdp_lanes; ++l)
                    results_.push_back(expected_[static_cast<std::size_t>(l)].value);
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
    std::vector<std::vector<Acc>> acc_;  ///< [position][2 * (result * cells + cell) + kernel]
    std::vector<long> sent_;             ///< when a position was sent
    std::vector<std::vector<std::uint64_t>> given_;
    std::vector<std::uint32_t> results_;
    int max_length_ = 1, max_steps_ = 1;
    int sending_ = 0, programmed_ = 0, done_ = 0, late_ = 0;
    int length_ = 0, steps_ = 0, pos_ = 0, step_ = 0;
    int credits_ = p::cacc_depth;
    long cycle_ = 0, start_ = 0, cycles_ = 0, moved_ = 0, positions_ = 0;
    std::uint64_t saturated_ = 0;
    bool stalled_ = false, ended_ = false, sign_ = false;
};

class CaccWide : public ::testing::TestWithParam<std::tuple<Traffic, int>> {};

TEST_P(CaccWide, ResultsMatchModel) {
    const auto& [traffic, seed] = GetParam();
    SCOPED_TRACE(std::string(traffic.name) + ", seed " + std::to_string(seed));
    Bench bench(traffic, static_cast<std::uint64_t>(seed));
    bench.run(10, 6, p::cacc_depth, 5);
}

const Traffic kTraffic[] = {
    {"no stall", 100, 100, 0, false},       {"random", 50, 50, 0, false},
    {"SDP slow", 100, 10, 0, false},        {"CMAC slow", 10, 100, 0, false},
    {"software late", 100, 80, 400, false}, {"one layer at a time", 100, 100, 300, false, 1},
};

INSTANTIATE_TEST_SUITE_P(Table, CaccWide,
                         ::testing::Combine(::testing::ValuesIn(kTraffic),
                                            ::testing::Values(1, 2)));

TEST(CaccWideLayers, OfOneResultBackToBack) {
    Bench bench({"tiny layers", 100, 70, 0, false}, 4);
    bench.run(80, 1, 1, 1);
}

/// Short stripes: a position comes again as soon as it may.
TEST(CaccWideLayers, OfShortStripes) {
    Bench bench({"short stripes", 100, 100, 0, false}, 5);
    bench.run(30, 6, p::cacc_min_stripe, 8);
}

/// One layer fills the delivery RAM while the next ones are on their way.
TEST(CaccWideLayers, OfEveryLengthAgainstASlowSdp) {
    Bench bench({"slow", 100, 25, 0, false}, 6);
    bench.run(60, 1, 7, 2);
}

TEST(CaccWideValues, OfFullSizeSaturate) {
    Bench bench({"large", 100, 100, 0, true}, 7);
    bench.run(24, 1, 4, 40);
    if (p::int16) {  // int8 is too small for that in a short kernel
        EXPECT_GT(bench.saturated(), 0U);
    }
}

TEST(CaccWideSpeed, NoGapBetweenPositions) {
    Bench bench({"speed", 100, 100, 0, false}, 8);
    bench.run(1, 30, p::cacc_depth, 1);
    EXPECT_LE(bench.cycles(),
              bench.positions() * p::mac_results * (p::atomic_k / p::sdp_lanes) + 40);
}

TEST(CaccRecorded, Chains) {
    if (!p::fp16) {
        GTEST_SKIP() << "no fp16";
    }
    ORACLE_ROWS(rows, "cacc_fp.csv");
    std::vector<std::vector<std::uint64_t>> chains;
    std::vector<std::uint32_t> want;
    for (const oracle::Row& row : rows) {
        if (row[1] == "0") {
            chains.emplace_back();
            want.push_back(0);
        }
        chains.back().push_back(oracle::hex(row[3]));
        want.back() = static_cast<std::uint32_t>(oracle::hex(row[5]));
    }
    ASSERT_GT(chains.size(), 100U);
    // A chain per cell; additions of 0 behind the shorter ones.
    for (std::size_t first = 0; first < chains.size(); first += kCells) {
        const std::size_t count = std::min<std::size_t>(kCells, chains.size() - first);
        std::size_t steps = 0;
        for (std::size_t c = 0; c < count; ++c)
            steps = std::max(steps, chains[first + c].size());
        std::vector<std::vector<std::uint64_t>> psums(steps, std::vector<std::uint64_t>(kCells, 0));
        for (std::size_t c = 0; c < count; ++c) {
            for (std::size_t s = 0; s < chains[first + c].size(); ++s)
                psums[s][c] = chains[first + c][s];
        }
        Bench bench({"recorded", 100, 100, 0, false}, first);
        bench.run({Precision::fp16, false}, psums);
        if (HasFatalFailure()) return;
        for (std::size_t c = 0; c < count; ++c)
            ASSERT_EQ(bench.results()[c], want[first + c]) << "chain " << first + c;
    }
}

}  // namespace
