/// Unit test of dla_sdp against its golden model, and of the model against the definition: every
/// write, operand hand-over, interrupt and status register of random layers, under no, random and
/// worst-case stalls.

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "dla_params.hpp"
#include "tb/dla/unit/sdp_bench.hpp"
#include "tb/dla/unit/sdp_reference.hpp"
#include "tb/dla/unit/sdp_stimulus.hpp"
#include "verif/dla/model/sdp.hpp"

namespace {

namespace m = macrame::dla::model;
namespace p = dla_params;
namespace tb = macrame::tb;
namespace text = macrame::verif::text;
using namespace macrame::tb::sdp;

TEST(SdpModel, MatchesTheDefinition) {
    tb::Random rnd(11);
    for (int i = 0; i < 200000; ++i) {
        const m::SdpX x = random_x(rnd);
        const std::int32_t in = word(rnd);
        const m::SdpOperand o{operand(rnd), operand(rnd)};
        ASSERT_EQ(m::sdp_x_stage(x, in, o), naive_x(x, in, o)) << i;
        const m::SdpConvertor c = random_cvt(rnd);
        const m::SdpOut out = m::sdp_c_stage(c, in), want = naive_c(c, in);
        ASSERT_EQ(out.value, want.value) << i;
        ASSERT_EQ(out.saturated, want.saturated) << i;
    }
}

TEST(SdpModel, WorkedExamples) {
    const auto rshr = [](std::int64_t v, int s) {
        return m::round_shift_right(v, s, 49, 32).value;
    };
    EXPECT_EQ(rshr(5, 1), 3);
    EXPECT_EQ(rshr(-5, 1), -3);
    EXPECT_EQ(rshr(6, 2), 2);
    EXPECT_EQ(rshr(-6, 2), -2);
    EXPECT_EQ(rshr(-7, 2), -2);
    EXPECT_EQ(rshr(-5, 2), -1);
    m::SdpX x;
    x.bypass = x.alu_bypass = x.mul_bypass = false;
    x.alu_algo = m::kSum;
    x.alu_operand = -3;
    x.alu_shift = 4;
    x.mul_operand = 25;
    x.mul_shift = 3;
    EXPECT_EQ(m::sdp_x_stage(x, 100), 163);
    EXPECT_EQ(m::sdp_x_stage(x, 20), -88);
    x.mul_prelu = true;
    EXPECT_EQ(m::sdp_x_stage(x, 100), 52);
    EXPECT_EQ(m::sdp_x_stage(x, 20), -88);
    x.relu_bypass = false;
    EXPECT_EQ(m::sdp_x_stage(x, 20), 0);
    EXPECT_EQ(m::sdp_c_stage({24, 5, 3}, 1000).value, 127);
    EXPECT_FALSE(m::sdp_c_stage({24, 5, 3}, 1000).saturated);
    EXPECT_FALSE(m::sdp_c_stage({0, 1, 0}, 40000).saturated);
    EXPECT_TRUE(m::sdp_c_stage({0, 1, 0}, 70000).saturated);
    EXPECT_TRUE(m::sdp_c_stage({0, 1, 1}, -2 * 65536 - 1).saturated) << "flag before rounding";
}

/// The examples of the LUT: linear LE y = 100 i, LO y = 1000 + 10 i.
m::Lut example_lut() {
    m::Lut lut;
    lut.le_linear = true;
    lut.oflow_lo = true;
    lut.le = {-256, 768, 4, 3, -5, 2, 1};
    lut.lo = {0, 2560, 1, 0, 7, 0, -2};
    for (std::size_t i = 0; i < lut.le_table.size(); ++i) {
        lut.le_table[i] = static_cast<std::int16_t>(100 * i);
    }
    for (std::size_t i = 0; i < lut.lo_table.size(); ++i) {
        lut.lo_table[i] = static_cast<std::int16_t>(1000 + 10 * i);
    }
    return lut;
}

TEST(SdpModel, LutExamples) {
    m::Lut lut = example_lut();
    const auto value = [&](std::int32_t x) { return m::sdp_lut(lut, x).value; };
    EXPECT_EQ(value(-400), -108);
    EXPECT_EQ(value(-256), 0);
    EXPECT_EQ(value(-255), 6);
    EXPECT_EQ(value(-10), 1538);
    EXPECT_EQ(value(100), 2225);
    EXPECT_EQ(value(800), -45720);
    lut.le_linear = false;
    lut.le.start = 0;
    lut.le_offset = 2;
    EXPECT_EQ(value(3), 1015);
    EXPECT_EQ(value(4), 0);
    EXPECT_EQ(value(5), 25);
    EXPECT_EQ(value(6), 50);
    EXPECT_EQ(value(100), 456);
}

TEST(SdpModel, LutMatchesTheDefinition) {
    tb::Random rnd(12);
    for (int i = 0; i < 2000; ++i) {
        const m::Lut lut = random_lut(rnd);
        for (int k = 0; k < 100; ++k) {
            std::int32_t x = word(rnd);
            if (rnd.chance(30)) {
                const std::int64_t near = rnd.chance(50) ? lut.le.start : lut.lo.start;
                x = m::saturate32(near + (word(rnd) >> rnd.in(0, 30)));
            }
            ASSERT_EQ(m::sdp_lut(lut, x).value, naive_lut(lut, x)) << i << " x " << x;
        }
    }
}

struct Case {
    tb::Stall stall;
    unsigned seed;
    int layers;
    bool by_status;
};

class Sdp : public ::testing::TestWithParam<Case> {};

TEST_P(Sdp, RandomLayers) {
    const Case c = GetParam();
    tb::say_seed(c.seed);
    tb::Random rnd(c.seed);
    std::vector<Job> jobs;
    Bench bench(c.stall, c.seed);
    for (int part = 0; part < (p::sdp_lut_enable ? 6 : 1); ++part) {
        const m::Lut lut = random_lut(rnd);
        jobs.clear();
        for (int i = 0; i < c.layers; ++i)
            jobs.push_back(random_job(rnd, lut));
        for (Job& job : jobs) {
            if (!c.by_status) break;
            job.layer.to_pdp = false;
            if (job.layer.ew.alu_algo == m::kEql) job.layer.ew.alu_algo = m::kSum;
            expect(job);
        }
        if (p::sdp_lut_enable) bench.load(lut);
        bench.run(jobs, c.by_status);
        if (HasFailure()) return;
    }
}

INSTANTIATE_TEST_SUITE_P(
    Stalls, Sdp,
    ::testing::Values(Case{tb::Stall::kNone, 1, 60, false}, Case{tb::Stall::kNone, 2, 60, true},
                      Case{tb::Stall::kRandom, 3, 80, false}, Case{tb::Stall::kRandom, 4, 80, true},
                      Case{tb::Stall::kRandom, 5, 80, false}, Case{tb::Stall::kWorst, 6, 26, false},
                      Case{tb::Stall::kWorst, 7, 26, true}, Case{tb::Stall::kBlocked, 8, 60, false},
                      Case{tb::Stall::kBlocked, 9, 60, true}));

/// A layer on the fly takes a cycle per `lanes` elements, and at most `more`.
void expect_speed(const m::SdpEw& ew, int lanes, std::uint64_t more) {
    tb::Random rnd(5);
    Job job;
    job.layer.width = 16;
    job.layer.height = 4;
    job.layer.channels = 4 * kAtom;
    job.layer.line_stride = 16 * kAtom;
    job.layer.surf_stride = 64 * kAtom;
    job.layer.flying = true;
    job.layer.proc = job.layer.out = random_type(rnd);
    job.layer.ew = ew;
    fill(job, rnd);
    Bench bench(tb::Stall::kNone, 5);
    bench.run({job});
    const std::uint64_t beats = job.in.size() / static_cast<std::size_t>(lanes);
    const std::uint64_t cycles = bench.last_write_cycle() - bench.enable_cycle();
    macrame::verif::run::print(std::string(p::name) + ": " + text::shortest(lanes) + " of " +
                               text::shortest(kLanes) + " lane(s), " + text::shortest(beats) +
                               " beats, last write " + text::shortest(cycles) +
                               " cycles after OP_EN\n");
    EXPECT_LE(cycles, beats + more);
}

TEST(SdpSpeed, OneBeatPerCycle) { expect_speed({}, kLanes, 40); }

TEST(SdpSpeed, EwAtItsOwnSpeed) {
    if (!p::sdp_ew_enable) GTEST_SKIP();
    m::SdpEw ew;
    ew.bypass = false;
    ew.mul_bypass = false;
    ew.mul_from_memory = true;
    ew.truncate = 12;
    expect_speed(ew, kEwLanes, 80);
}

TEST(SdpRegisters, LutAccess) {
    if (!p::sdp_lut_enable) GTEST_SKIP();
    Bench bench(tb::Stall::kNone, 9);
    // Reset content is 0; the read is right even directly behind the write of the pointer.
    for (const std::uint32_t cfg : {0u, 64u, 0x10000u, 0x10100u}) {
        bench.write(0x08, cfg);
        EXPECT_EQ(bench.read(0x0c), 0u) << cfg;
    }
    tb::Random rnd(9);
    const m::Lut lut = random_lut(rnd);
    bench.load(lut);
    const auto u16 = [](std::int16_t v) { return std::uint32_t{static_cast<std::uint16_t>(v)}; };
    bench.write(0x08, 0);
    for (const std::int16_t entry : lut.le_table)
        EXPECT_EQ(bench.read(0x0c), u16(entry));
    EXPECT_EQ(bench.read(0x0c), 0u) << "beyond the table";
    bench.write(0x08, 0x10000);
    for (const std::int16_t entry : lut.lo_table)
        EXPECT_EQ(bench.read(0x0c), u16(entry));
    EXPECT_EQ(bench.read(0x0c), 0u) << "beyond the table";
    EXPECT_EQ(bench.read(0x08), 0x10000u) << "as written";
    for (int i = 0; i < 50; ++i) {
        const int at = rnd.in(0, 256);
        bench.write(0x08, 0x10000u | static_cast<std::uint32_t>(at));
        EXPECT_EQ(bench.read(0x0c), u16(lut.lo_table[static_cast<std::size_t>(at)]));
        bench.write(0x08, static_cast<std::uint32_t>(at % 65));
        EXPECT_EQ(bench.read(0x0c), u16(lut.le_table[static_cast<std::size_t>(at % 65)]));
    }
    // Direction READ: the pointer moves on, nothing is stored. Writes beyond the table are lost.
    bench.write(0x08, 3);
    bench.write(0x0c, 0x5a5a);
    EXPECT_EQ(bench.read(0x0c), u16(lut.le_table[4]));
    bench.write(0x08, 0x20000 | 64);
    bench.write(0x0c, 0x1111);
    bench.write(0x0c, 0x2222);
    bench.write(0x08, 64);
    EXPECT_EQ(bench.read(0x0c), 0x1111u);
    bench.write(0x08, 0);
    EXPECT_EQ(bench.read(0x0c), u16(lut.le_table[0]));
}

TEST(SdpRegisters, LutIsStorage) {
    if (p::sdp_lut_enable) GTEST_SKIP();
    Bench bench(tb::Stall::kNone, 9);
    bench.write(0x08, 0x20005);
    bench.write(0x0c, 0x1234);
    EXPECT_EQ(bench.read(0x0c), 0u);
    EXPECT_EQ(bench.read(0x08), 0x20005u);
    EXPECT_EQ(bench.read(0x58), 0x73u) << "reset value of D_DP_BS_CFG";
}

}  // namespace
