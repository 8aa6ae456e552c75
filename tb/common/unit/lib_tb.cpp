// Tests of the library cells: every cell of templates/lib in the module lib_dut.
#include <gtest/gtest.h>
#include <verilated.h>

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <random>
#include <utility>

#include "Vdut.h"
#include "tb/common/random_state.hpp"

namespace {

using Wide = __int128;

struct Rounded {
    std::int64_t value;
    bool flag;
};

/// RSHR(v, s, IN, OUT), the rounding right shift of NVDLA, written from its definition.
Rounded rshr(std::int64_t v, int s, int in_w, int out_w) {
    if (s >= in_w) return {0, false};
    const Wide one = 1;
    const Wide f = Wide{v} >> s;
    const bool g = s > 0 && ((Wide{v} >> (s - 1)) & 1) != 0;
    const bool k = s > 1 && (Wide{v} & ((one << (s - 1)) - 1)) != 0;
    const Wide r = g && (v >= 0 || k) ? f + 1 : f;
    const Wide top = (one << (out_w - 1)) - 1;
    const Wide clamped = r > top ? top : r < -top - 1 ? -top - 1 : r;
    return {static_cast<std::int64_t>(clamped), v < 0 ? f < -top - 1 : r > top};
}

std::int64_t low_bits(std::int64_t v, int bits) {
    const auto u = static_cast<std::uint64_t>(v) << (64 - bits);
    return static_cast<std::int64_t>(u) >> (64 - bits);
}

/// Calls check(number, shift) for corners, random numbers and all numbers of the smallest size.
template <typename Check>
void shift_cases(std::mt19937_64& rng, const Check& check) {
    const std::array<std::int64_t, 6> corners = {0,         -1,        1,
                                                 INT64_MIN, INT64_MAX, 0x5555555555555555};
    for (int s = 0; s < 64; ++s) {
        for (const std::int64_t v : corners)
            check(v, s);
        // Every multiple of a half around zero and around the limits of each result width.
        for (const int bits : {0, 7, 16, 31, 33, 48, 16 + s, 7 + s, 31 + s}) {
            for (std::int64_t d = -3; d <= 3; ++d) {
                const std::int64_t unit = s > 0 ? std::int64_t{1} << (s - 1) : 1;
                const std::int64_t base = std::int64_t{1} << (bits % 63);
                for (std::int64_t e = -1; e <= 1; ++e) {
                    const auto near =
                        static_cast<std::uint64_t>(base) +
                        static_cast<std::uint64_t>(d) * static_cast<std::uint64_t>(unit) +
                        static_cast<std::uint64_t>(e);
                    check(static_cast<std::int64_t>(near), s);
                    check(static_cast<std::int64_t>(0 - near), s);
                }
            }
            if (::testing::Test::HasFatalFailure()) return;
        }
    }
    for (int i = 0; i < 300000; ++i) {
        // Magnitudes of every size, then often a run of zeros below.
        auto v = static_cast<std::int64_t>(rng()) >> (rng() % 64);
        if (rng() % 2 == 0) v &= static_cast<std::int64_t>(~std::uint64_t{0} << (rng() % 49));
        check(v, static_cast<int>(rng() % 64));
        if (::testing::Test::HasFatalFailure()) return;
    }
    // The smallest size exhaustively.
    for (int v = -65536; v < 65536; ++v) {
        for (int s = 0; s < 20; ++s)
            check(v, s);
        if (::testing::Test::HasFatalFailure()) return;
    }
}

class Lib : public ::testing::Test {
protected:
    Lib() { power_on(1); }

    /// A new device that starts from random state, and its first reset.
    void power_on(unsigned seed) {
        dut_.reset();
        context_ = std::make_unique<macrame::tb::RandomState>(seed);
        dut_ = std::make_unique<Vdut>(context_.get());
        dut_->clk = 0;
        dut_->rst_n = 1;  // flops need an edge
        dut_->eval();
        dut_->rst_n = dut_->core_rst_n = 0;
        dut_->en = 1;
        cycle();
        cycle();
        dut_->rst_n = 1;
        dut_->eval();
    }

    void cycle() {
        dut_->clk = 1;
        dut_->rd_clk = 1;
        dut_->eval();
        dut_->clk = 0;
        dut_->rd_clk = 0;
        dut_->eval();
    }

    std::uint16_t word_out(int link) const {
        return static_cast<std::uint16_t>(dut_->out_data[link / 2] >> (16 * (link % 2)));
    }

    void word_in(int link, std::uint16_t v) {
        const int at = 16 * (link % 2);
        auto& w = dut_->in_data[link / 2];
        w = (w & ~(0xFFFFU << at)) | (static_cast<std::uint32_t>(v) << at);
    }

    std::unique_ptr<macrame::tb::RandomState> context_;
    std::unique_ptr<Vdut> dut_;
    std::mt19937_64 rng_{20261121};
};

/// A word in every cycle, with gaps.
TEST_F(Lib, PipelinedCellsMatchTheDefinition) {
    struct Word {
        std::int64_t in;
        int shift;
        bool wrap;
    };
    std::deque<Word> words;
    const auto check = [](const Word& w, int in_w, int shift_w, int out_w, std::int64_t out,
                          bool sat) {
        const int shift = w.shift & ((1 << shift_w) - 1);
        const std::int64_t in = low_bits(w.in, in_w);
        const Rounded want = rshr(in, shift, in_w, w.wrap ? 60 : out_w);
        ASSERT_EQ(low_bits(out, out_w), low_bits(want.value, out_w)) << in << " >> " << shift;
        ASSERT_EQ(sat, want.flag && !w.wrap) << in << " >> " << shift << ' ' << out_w;
    };
    const auto check_out = [&] {
        if (!dut_->pipe_out_valid) return;
        ASSERT_FALSE(words.empty());
        const Word& w = words.front();
        check(w, 34, 6, 17, dut_->rsp0_out, dut_->rsp0_sat);
        check(w, 49, 6, 32, static_cast<std::int32_t>(dut_->rsp1_out), dut_->rsp1_sat);
        check(w, 17, 5, 8, dut_->rsp2_out, dut_->rsp2_sat);
        const std::int64_t product = low_bits(w.in, 33) * low_bits(w.in >> 33, 16);
        ASSERT_EQ(low_bits(static_cast<std::int64_t>(dut_->product), 49), product) << w.in;
        words.pop_front();
    };
    shift_cases(rng_, [&](std::int64_t v, int s) {
        // A shift by nothing only: where rounding meets a wrap, no unit looks.
        const bool wrap = s == 0 && v % 2 == 0;
        dut_->rs_in = static_cast<std::uint64_t>(v) & ((std::uint64_t{1} << 49) - 1);
        dut_->rs_shift = static_cast<std::uint8_t>(s);
        dut_->pipe_wrap = wrap;
        dut_->pipe_valid = 1;
        words.push_back({v, s, wrap});
        cycle();
        check_out();
        if (v % 5 != 0) return;
        dut_->pipe_valid = 0;
        cycle();
        check_out();
    });
    dut_->pipe_valid = 0;
    cycle();
    check_out();
    EXPECT_TRUE(words.empty());
}

/// Random traffic on the links. Percentages: how often the sender offers, the receiver takes.
TEST_F(Lib, LinksKeepOrderAndNothingIsLost) {
    constexpr int kLinks = 6;
    const std::array<std::pair<int, int>, 4> rates = {{{100, 100}, {50, 50}, {100, 20}, {20, 100}}};
    const std::array<int, kLinks> capacity = {2, 5, 16, 1, 8, 10};
    for (const auto& [offer, take] : rates) {
        std::array<std::deque<std::uint16_t>, kLinks> model;
        std::array<int, kLinks> moved{};
        std::array<bool, kLinks> held{};
        for (int t = 0; t < 20000; ++t) {
            for (int l = 0; l < kLinks; ++l) {
                const bool keep = ((dut_->in_valid >> l) & 1) != 0 && held[l];
                if (!keep) {
                    const bool v = static_cast<int>(rng_() % 100) < offer;
                    dut_->in_valid =
                        static_cast<std::uint8_t>((dut_->in_valid & ~(1 << l)) | (v << l));
                    word_in(l, static_cast<std::uint16_t>(rng_()));
                }
                const bool r = static_cast<int>(rng_() % 100) < take;
                dut_->out_ready =
                    static_cast<std::uint8_t>((dut_->out_ready & ~(1 << l)) | (r << l));
            }
            dut_->eval();
            for (int l = 0; l < kLinks; ++l) {
                const bool in_v = ((dut_->in_valid >> l) & 1) != 0;
                const bool in_r = ((dut_->in_ready >> l) & 1) != 0;
                held[l] = in_v && !in_r;
                if (in_v && in_r) {
                    model[l].push_back(
                        static_cast<std::uint16_t>(dut_->in_data[l / 2] >> (16 * (l % 2))));
                }
                if (((dut_->out_valid >> l) & 1) != 0) {
                    ASSERT_FALSE(model[l].empty()) << "link " << l;
                    ASSERT_EQ(word_out(l), model[l].front()) << "link " << l << " cycle " << t;
                    if (((dut_->out_ready >> l) & 1) != 0) {
                        model[l].pop_front();
                        ++moved[l];
                    }
                }
                ASSERT_LE(static_cast<int>(model[l].size()), capacity[l]);
            }
            cycle();
        }
        for (int l = 0; l < kLinks; ++l) {
            if (offer == 100 && take == 100) {
                EXPECT_GE(moved[l], 19990) << "throughput of link " << l;
            }
        }
        // Empty all links.
        dut_->in_valid = 0;
        dut_->out_ready = (1 << kLinks) - 1;
        for (int t = 0; t < 40; ++t) {
            dut_->eval();
            for (int l = 0; l < kLinks; ++l) {
                if (((dut_->out_valid >> l) & 1) == 0) continue;
                ASSERT_EQ(word_out(l), model[l].front());
                model[l].pop_front();
            }
            cycle();
        }
        for (int l = 0; l < kLinks; ++l)
            EXPECT_TRUE(model[l].empty()) << "link " << l;
    }
}

/// fifo_async with clocks of unrelated speed, both ways.
TEST_F(Lib, AsyncFifoWithUnrelatedClocks) {
    for (const auto& [wr_half, rd_half] : {std::pair{5, 7}, std::pair{7, 3}, std::pair{10, 11}}) {
        std::deque<std::uint16_t> model;
        int moved = 0;
        for (int t = 1; t < 200000; ++t) {
            const bool wr = t % wr_half == 0;
            const bool rd = t % rd_half == 0;
            if (!wr && !rd) continue;
            const bool wr_rise = wr && dut_->clk == 0;
            const bool rd_rise = rd && dut_->rd_clk == 0;
            const bool pushed = wr_rise && ((dut_->in_valid & dut_->in_ready) & 16) != 0;
            const bool popped = rd_rise && ((dut_->out_valid & dut_->out_ready) & 16) != 0;
            if (pushed) model.push_back(static_cast<std::uint16_t>(dut_->in_data[2]));
            if (popped) {
                ASSERT_FALSE(model.empty());
                ASSERT_EQ(word_out(4), model.front());
                model.pop_front();
                ++moved;
            }
            if (wr) dut_->clk = !dut_->clk;
            if (rd) dut_->rd_clk = !dut_->rd_clk;
            dut_->eval();
            if (wr_rise && (pushed || (dut_->in_valid & 16) == 0)) {
                dut_->in_valid = rng_() % 4 != 0 ? 16 : 0;
                word_in(4, static_cast<std::uint16_t>(rng_()));
            }
            if (rd_rise) dut_->out_ready = rng_() % 4 != 0 ? 16 : 0;
            dut_->eval();
        }
        EXPECT_GT(moved, 5000);
        dut_->in_valid = 0;
        dut_->out_ready = 31;
        dut_->clk = 0;
        dut_->rd_clk = 0;
        dut_->eval();
        for (int t = 0; t < 40; ++t)
            cycle();
    }
}

/// Model of the arbiter of memory clients; weight 0 is least service.
struct ArbiterModel {
    int current = 4;
    int left = 0;

    int pick(unsigned req, const std::array<int, 5>& weight) const {
        unsigned heavy = 0;
        for (int i = 0; i < 5; ++i)
            heavy |= weight[i] != 0 ? 1U << i : 0U;
        const unsigned active = (req & heavy) != 0 ? req & heavy : req;
        if (left > 0 && ((active >> current) & 1) != 0) return current;
        for (int d = 1; d <= 5; ++d) {
            if (((active >> ((current + d) % 5)) & 1) != 0) return (current + d) % 5;
        }
        return -1;
    }

    void transfer(int client, bool stays, const std::array<int, 5>& weight) {
        left = stays ? left - 1 : weight[client] > 0 ? weight[client] - 1 : 0;
        current = client;
    }
};

TEST_F(Lib, ArbiterFollowsModel) {
    ArbiterModel model;
    std::array<int, 5> weight{};
    std::array<int, 5> served{};
    for (int t = 0; t < 100000; ++t) {
        if (t % 500 == 0) {
            std::uint32_t packed = 0;
            for (int i = 0; i < 5; ++i) {
                weight[i] = rng_() % 3 == 0 ? 0 : static_cast<int>(rng_() % 16);
                packed |= static_cast<std::uint32_t>(weight[i]) << (4 * i);
            }
            // The run of the client that has the turn goes by the old or the new weight: none has.
            dut_->weight = packed;
            dut_->req = 0;
            dut_->rst_n = 0;
            cycle();
            dut_->rst_n = 1;
            model = ArbiterModel{};
        }
        dut_->req = (t / 5000) % 2 == 0 ? 31 : static_cast<std::uint8_t>(rng_() & rng_() & 31);
        dut_->advance = rng_() % 4 != 0;
        dut_->eval();
        unsigned heavy = 0;
        for (int i = 0; i < 5; ++i)
            heavy |= weight[i] != 0 ? 1U << i : 0U;
        const int want = model.pick(dut_->req, weight);
        ASSERT_EQ(static_cast<int>(dut_->grant), want < 0 ? 0 : 1 << want) << "cycle " << t;
        if (want >= 0 && dut_->advance) {
            const unsigned active = (dut_->req & heavy) != 0 ? dut_->req & heavy : dut_->req;
            const bool stays = model.left > 0 && ((active >> model.current) & 1) != 0;
            model.transfer(want, stays, weight);
            ++served[want];
        }
        cycle();
    }
    for (const int n : served)
        EXPECT_GT(n, 1000);
}

/// Pins change behind the rising edge; memories may need the falling one to read.
TEST_F(Lib, RamsReadWhatWasWritten) {
    std::array<std::uint16_t, 32> model{};
    for (int i = 0; i < 32; ++i) {
        dut_->we = 1;
        dut_->waddr = static_cast<std::uint8_t>(i);
        dut_->wdata = static_cast<std::uint16_t>(rng_());
        model[i] = dut_->wdata;
        cycle();
    }
    dut_->we = 0;
    dut_->clk = 1;
    dut_->eval();
    std::uint16_t held = dut_->block_rdata;
    for (int t = 0; t < 5000; ++t) {
        dut_->we = rng_() % 2;
        dut_->waddr = static_cast<std::uint8_t>(rng_() % 32);
        dut_->wdata = static_cast<std::uint16_t>(rng_());
        dut_->raddr = static_cast<std::uint8_t>(rng_() % 32);
        dut_->re = rng_() % 2 != 0 && !(dut_->we && dut_->waddr == dut_->raddr);
        dut_->eval();
        dut_->clk = 0;
        dut_->eval();
        ASSERT_EQ(dut_->dist_rdata, model[dut_->raddr]);
        if (dut_->re) held = model[dut_->raddr];
        if (dut_->we) model[dut_->waddr] = dut_->wdata;
        dut_->clk = 1;
        dut_->eval();
        if (t > 20) {
            ASSERT_EQ(dut_->block_rdata, held);
        } else {
            held = dut_->block_rdata;
        }
    }
}

TEST_F(Lib, GatedClockRunsOnlyWhenEnabled) {
    std::uint8_t want = dut_->gated_count;
    for (int t = 0; t < 2000; ++t) {
        dut_->en = rng_() % 2;
        dut_->test_en = rng_() % 8 == 0;
        dut_->eval();
        if (dut_->en || dut_->test_en) ++want;
        dut_->clk = 1;
        dut_->eval();
        dut_->en = rng_() % 2;  // a change while the clock is high must not matter
        dut_->eval();
        dut_->en = 0;
        dut_->test_en = 0;
        dut_->clk = 0;
        dut_->eval();
        ASSERT_EQ(dut_->gated_count, want) << "cycle " << t;
    }
}

TEST_F(Lib, PowerOnResetIsTheFirstOne) {
    const auto cycles = [&](int count, bool rst_n, bool want) {
        for (int i = 0; i < count; ++i) {
            dut_->core_rst_n = rst_n;
            dut_->eval();
            ASSERT_EQ(dut_->por_n, want) << "cycle " << i;
            cycle();
        }
    };
    for (int seed = 1; seed < 50; ++seed) {
        power_on(static_cast<unsigned>(seed));
        cycles(seed, false, false);
        cycles(33, true, true);
        cycles(1, false, false);  // too early for a second one
        cycles(34, true, true);
        cycles(seed * 7, false, true);
        cycles(1, true, true);
        cycles(100, false, true);
    }
}

TEST_F(Lib, ResetIsReleasedInStep) {
    dut_->rst_n = 0;
    dut_->eval();
    EXPECT_EQ(dut_->synced_rst_n, 0);
    dut_->rst_n = 1;
    dut_->eval();
    EXPECT_EQ(dut_->synced_rst_n, 0);
    cycle();
    EXPECT_EQ(dut_->synced_rst_n, 0);
    cycle();
    EXPECT_EQ(dut_->synced_rst_n, 1);
    dut_->rst_n = 0;
    dut_->eval();
    EXPECT_EQ(dut_->synced_rst_n, 0);
}

}  // namespace
