/// Unit test of dla_cdp against its golden model, and of the model against the definition: every
/// atom written, interrupts, table counters, table access, ping-pong groups, under no, random and
/// worst-case stalls.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <deque>
#include <vector>

#include "Vdut.h"
#include "dla_params.hpp"
#include "tb/common/ports.hpp"
#include "tb/dla/unit/lut_load.hpp"
#include "tb/dla/unit/mcif_stub.hpp"
#include "tb/dla/unit/type_stimulus.hpp"
#include "tb/dla/unit/unit_bench.hpp"
#include "verif/dla/model/cdp.hpp"

namespace {

namespace m = macrame::dla::model;
namespace p = dla_params;
namespace tb = macrame::tb;

using tb::kAtom, tb::kAtomZ;
constexpr int kLanes = p::cdp_throughput;

std::int16_t int16(tb::Random& rnd) {
    constexpr std::int16_t kCorner[] = {0, 1, -1, 32767, -32768};
    return rnd.chance(30) ? kCorner[rnd.in(0, 4)] : static_cast<std::int16_t>(rnd.bits());
}

/// Any place that the registers have bits for.
std::int64_t any_place(tb::Random& rnd) {
    return m::wrap(static_cast<std::int64_t>(std::uint64_t{rnd.bits()} << 8 | (rnd.bits() & 0xff)),
                   38);
}

/// A table of fp32 places and fp16 slopes.
m::Lut::Range random_float_range(tb::Random& rnd) {
    m::Lut::Range r;
    const auto place = [&] {
        if (rnd.chance(10)) return std::int64_t{rnd.bits()};
        if (rnd.chance(30)) return std::int64_t{0};
        return static_cast<std::int64_t>(std::uint32_t{rnd.bits()} & 0x807FFFFFu) |
               static_cast<std::int64_t>(rnd.in(110, 150)) << 23;
    };
    r.start = place();
    r.end = place();
    r.select = rnd.chance(10) ? rnd.in(-128, 127) : rnd.in(-10, 10);
    r.uflow_scale = static_cast<std::int16_t>(tb::random_element(rnd, m::Precision::fp16, 3));
    r.oflow_scale =
        static_cast<std::int16_t>(tb::random_element(rnd, m::Precision::fp16, rnd.in(0, 3)));
    return r;
}

m::Lut::Range random_wide_range(tb::Random& rnd) {
    m::Lut::Range r;
    r.start = rnd.chance(50) ? 0 : any_place(rnd) >> rnd.in(0, 37);
    r.end = any_place(rnd) >> rnd.in(0, 37);
    r.select = rnd.chance(10) ? rnd.in(-64, 63) : rnd.in(-4, 32);
    r.uflow_scale = int16(rnd);
    r.oflow_scale = int16(rnd);
    r.uflow_shift = rnd.in(-16, 15);
    r.oflow_shift = rnd.in(-16, 15);
    return r;
}

m::Lut::Range random_range(tb::Random& rnd, m::Precision type, int last) {
    if (type == m::Precision::int16) return random_wide_range(rnd);
    if (type == m::Precision::fp16) return random_float_range(rnd);
    m::Lut::Range r;
    r.start = rnd.chance(50) ? 0 : rnd.in(-3000, 3000);
    r.select = rnd.chance(10) ? rnd.in(-32, 31) : rnd.in(-4, 12);
    r.end = rnd.chance(80) ? r.start + std::int64_t{last} * 8 : rnd.in(-600000, 600000);
    if (rnd.chance(10)) r.start = rnd.in(-2097152, 2097151);
    if (rnd.chance(10)) {
        r.end = m::wrap(static_cast<std::int64_t>(std::uint64_t{rnd.bits()} << 8), 38);
    }
    r.uflow_scale = int16(rnd);
    r.oflow_scale = int16(rnd);
    r.uflow_shift = rnd.in(-16, 15);
    r.oflow_shift = rnd.in(-16, 15);
    return r;
}

m::Lut random_lut(tb::Random& rnd, m::Precision type) {
    m::Lut lut;
    lut.le_linear = rnd.chance(50);
    lut.le_offset = rnd.chance(70) ? rnd.in(-2, 20) : rnd.in(-128, 127);
    const int kind = rnd.in(0, 3);
    const auto entry = [&] {
        if (type != m::Precision::fp16) return int16(rnd);
        return static_cast<std::int16_t>(tb::random_element(rnd, type, kind));
    };
    lut.uflow_lo = rnd.chance(50);
    lut.oflow_lo = rnd.chance(50);
    lut.hybrid_lo = rnd.chance(50);
    lut.le = random_range(rnd, type, 64);
    lut.lo = random_range(rnd, type, 256);
    for (std::int16_t& y : lut.le_table)
        y = entry();
    for (std::int16_t& y : lut.lo_table)
        y = entry();
    return lut;
}

struct Job {
    m::CdpLayer layer;
    std::vector<std::vector<std::int8_t>> pixels;  // whole atoms, line by line
};

Job random_job(tb::Random& rnd, m::Precision type) {
    Job job;
    m::CdpLayer& l = job.layer;
    l.precision = type;
    const bool narrow = type == m::Precision::int8;
    l.nan_to_zero = rnd.chance(30);
    l.width = rnd.in(1, 5);
    l.height = rnd.in(1, 3);
    l.channels = rnd.in(1, tb::elements_of_atom(type) * 3);
    l.dst_addr = tb::random_addr(rnd);
    l.dst_line = static_cast<std::uint32_t>((l.width + rnd.in(0, 3)) * kAtom);
    l.dst_surf = rnd.chance(10) ? rnd.bits() / kAtom * kAtom
                                : l.dst_line * static_cast<std::uint32_t>(l.height);
    l.half = rnd.in(1, 4);
    l.sqsum_bypass = rnd.chance(20);
    l.mul_bypass = rnd.chance(20);
    l.in_offset = narrow ? static_cast<std::int8_t>(rnd.bits()) : int16(rnd);
    l.in_scale = int16(rnd);
    l.in_shift = rnd.chance(80) ? rnd.in(0, 16) : rnd.in(0, 31);
    l.out_offset = static_cast<std::int32_t>(
        m::wrap(rnd.bits() >> rnd.in(0, narrow ? 24 : 31), narrow ? 25 : 32));
    l.out_scale = int16(rnd);
    l.out_shift = rnd.chance(80) ? rnd.in(8, 34) : rnd.in(0, 63);
    for (int i = 0; i < l.width * l.height; ++i)
        job.pixels.push_back(tb::random_cube(rnd, type, tb::atoms_of_pixel(type, l.channels)));
    return job;
}

struct Beat {
    std::vector<std::uint8_t> data;
    std::uint32_t mask = 0;
    bool first = false, last = false, line = false, end = false;
};

class Bench : public tb::UnitBench {
public:
    Bench(tb::Stall stall, unsigned seed) : UnitBench(stall, seed) {
        start(dut().csb2cdp_valid, dut().cdp2csb_rdata, 300);  // tables are cleared, too
    }

    void run(const m::Lut& lut, const std::vector<Job>& jobs);
    std::uint64_t first_take = 0, last_take = 0;

private:
    void drive(Vdut& d) override;
    void sample(Vdut& d) override;
    void program(const Job& job, int group);
    void expect(m::Lut lut, const Job& job);

    std::deque<Beat> beats_;
    bool offered_ = false;
    tb::WriteStub memory_{*this};
    std::vector<m::CdpCounts> counts_;
};

void Bench::program(const Job& job, int group) {
    const m::CdpLayer& l = job.layer;
    const auto u32 = [](auto v) { return static_cast<std::uint32_t>(v); };
    write(0x04, u32(group));
    write(0x4c, u32(l.sqsum_bypass) | u32(l.mul_bypass) << 1);
    write(0x50, u32(l.dst_addr));
    write(0x54, u32(l.dst_addr >> 32));
    write(0x58, l.dst_line);
    write(0x5c, l.dst_surf);
    write(0x68, u32(l.precision));
    write(0x6c, u32(l.nan_to_zero));
    write(0x70, u32(l.half - 1));
    write(0x74, u32(l.in_offset) & 0xffff);
    write(0x78, u32(l.in_scale) & 0xffff);
    write(0x7c, u32(l.in_shift));
    write(0x80, u32(l.out_offset));
    write(0x84, u32(l.out_scale) & 0xffff);
    write(0x88, u32(l.out_shift));
    write(0x9c, 1);
    write(0x48, 1);
}

void Bench::expect(m::Lut lut, const Job& job) {
    const m::CdpLayer& l = job.layer;
    for (int* select : {&lut.le.select, &lut.lo.select})
        *select = static_cast<int>(m::wrap(*select, 6 + static_cast<int>(l.precision)));
    m::CdpCounts counts;
    const int bytes = m::bytes_of(l.precision);
    for (std::size_t i = 0; i < job.pixels.size(); ++i) {
        const std::vector<std::int8_t>& in = job.pixels[i];
        const int w = static_cast<int>(i) % l.width, h = static_cast<int>(i) / l.width;
        const bool line = w + 1 == l.width, end = line && h + 1 == l.height;
        for (std::size_t c = 0; c < in.size(); c += kLanes) {
            Beat beat;
            for (std::size_t k = c; k < c + kLanes; ++k) {
                beat.data.push_back(static_cast<std::uint8_t>(in[k]));
                if (static_cast<int>(k) < l.channels * bytes) beat.mask |= 1u << (k - c);
            }
            beat.first = c == 0;
            beat.last = c + kLanes == in.size();
            beat.line = line;
            beat.end = end;
            beats_.push_back(beat);
        }
        const std::vector<std::int8_t> out = m::cdp_pixel(l, lut, in, counts);
        for (std::size_t s = 0; s < out.size() / kAtomZ; ++s) {
            memory_.expect(l.dst_addr + s * l.dst_surf +
                               static_cast<std::uint64_t>(h) * l.dst_line +
                               static_cast<std::uint64_t>(w) * kAtomZ,
                           &out[s * kAtomZ]);
        }
    }
    memory_.end_layer();
    counts_.push_back(counts);
}

void Bench::drive(Vdut& d) {
    if (!offered_) offered_ = !beats_.empty() && !gap();
    d.cdp_rdma2cdp_valid = offered_;
    if (offered_) {
        const Beat& beat = beats_.front();
        tb::put_bytes(d.cdp_rdma2cdp_data, beat.data);
        d.cdp_rdma2cdp_mask = beat.mask & 0xffu;
        d.cdp_rdma2cdp_first = beat.first;
        d.cdp_rdma2cdp_last = beat.last;
        d.cdp_rdma2cdp_line = beat.line;
        d.cdp_rdma2cdp_end = beat.end;
    }
    memory_.drive(d.cdp2mcif_wr_req_ready, d.mcif2cdp_wr_rsp_complete);
}

void Bench::sample(Vdut& d) {
    if (offered_ && d.cdp_rdma2cdp_ready) {
        if (first_take == 0) first_take = cycle();
        last_take = cycle();
        offered_ = false;
        beats_.pop_front();
    }
    memory_.sample(d.cdp2mcif_wr_req_valid, d.cdp2mcif_wr_req_addr, d.cdp2mcif_wr_req_data,
                   d.cdp2mcif_wr_req_last, d.cdp2glb_done);
}

/// The elements of later layers wait at the input.
void Bench::run(const m::Lut& lut, const std::vector<Job>& jobs) {
    tb::load_lut(*this, lut, tb::RangeWidth::k38);
    for (const Job& job : jobs)
        expect(lut, job);
    const auto check = [&](std::size_t layer) {
        for (int i = 0; i < 5; ++i) {
            EXPECT_EQ(read(0xa4 + 4 * i), counts_[layer].lut[static_cast<std::size_t>(i)])
                << "counter " << i << " layer " << layer;
        }
        EXPECT_EQ(read(0xa0), memory_.stalls(layer)) << "layer " << layer;
        EXPECT_EQ(read(0x98), p::types16 != 0 ? counts_[layer].saturated : 0u) << "layer " << layer;
        EXPECT_EQ(read(0x8c), counts_[layer].nan_in) << "layer " << layer;
        EXPECT_EQ(read(0x90), counts_[layer].inf_in) << "layer " << layer;
        EXPECT_EQ(read(0x94), counts_[layer].nan_out) << "layer " << layer;
    };
    run_layers(
        jobs.size(), [&](std::size_t i) { program(jobs[i], static_cast<int>(i % 2)); }, check);
    wait_for([&] { return memory_.layers_done == jobs.size(); }, "interrupts missing");
    EXPECT_TRUE(beats_.empty() && memory_.idle());
}

// ---------------------------------------------------------------- tests

/// The definition with real numbers; inputs are chosen so that doubles are exact.
TEST(CdpModel, LookupFollowsTheDefinition) {
    tb::Random rnd(1);
    for (int i = 0; i < 200000; ++i) {
        static m::Lut lut = random_lut(rnd, m::Precision::int8);
        if (i % 100 == 0) lut = random_lut(rnd, m::Precision::int8);
        const int x = rnd.chance(50) ? rnd.in(-256, 589824) : rnd.in(-256, 2000);
        const auto place = [&](const m::Lut::Range& r, bool power, int last, int& state) {
            const double d = static_cast<double>(x - r.start);
            double at = 0;
            state = 0;
            if (d <= 0) return at;
            if (power) {
                const double e = std::floor(std::log2(d));
                if (e < lut.le_offset) return at;
                at = e - lut.le_offset + (d / std::exp2(e) - 1);
            } else {
                at = d / std::exp2(r.select);
            }
            state = std::floor(at) >= last ? 2 : 1;
            return at;
        };
        int le_state = 0, lo_state = 0;
        const double le_at = place(lut.le, !lut.le_linear, 64, le_state);
        const double lo_at = place(lut.lo, false, 256, lo_state);
        bool lo = lut.hybrid_lo;
        m::LutEvent event = m::LutEvent::kHybrid;
        if (le_state == 0 && lo_state == 0) lo = lut.uflow_lo, event = m::LutEvent::kUnderflow;
        if (le_state == 2 && lo_state == 2) lo = lut.oflow_lo, event = m::LutEvent::kOverflow;
        if (le_state == 1 && lo_state != 1) lo = false, event = m::LutEvent::kLeHit;
        if (le_state != 1 && lo_state == 1) lo = true, event = m::LutEvent::kLoHit;
        const double at = lo ? lo_at : le_at;
        const int state = lo ? lo_state : le_state;
        const auto entry = [&](int n) {
            return static_cast<double>(lo ? lut.lo_table[static_cast<std::size_t>(n)]
                                          : lut.le_table[static_cast<std::size_t>(n)]);
        };
        const m::Lut::Range& r = lo ? lut.lo : lut.le;
        double y = 0;
        if (state == 1) {
            const int n = static_cast<int>(std::floor(at));
            const double fraction = std::floor((at - n) * 65536) / 65536;
            y = entry(n) + std::round((entry(n + 1) - entry(n)) * fraction);
        } else if (state == 2) {
            y = entry(lo ? 256 : 64) + std::round(static_cast<double>(x - r.end) * r.oflow_scale *
                                                  std::exp2(-r.oflow_shift));
        } else {
            double base = static_cast<double>(r.start);
            if (!lo && !lut.le_linear && lut.le_offset >= 0) {
                if (lut.le_offset < 38) base += std::exp2(lut.le_offset);
                if (lut.le_offset == 38) base -= std::exp2(38);
                if (lut.le_offset == 38 && r.start < 0) base += std::exp2(39);
            }
            y = entry(0) + std::round((x - base) * r.uflow_scale * std::exp2(-r.uflow_shift));
        }
        y = std::fmin(32767, std::fmax(-32768, y));
        const m::CdpLookup got = m::cdp_lookup(lut, x);
        ASSERT_EQ(got.event, event) << "x " << x;
        ASSERT_EQ(static_cast<double>(got.value), y)
            << "x " << x << " state " << state << " lo " << lo << " sample " << i;
    }
}

/// By hand: C = 3, v = (3, -4, 5), 3 taps.
TEST(CdpModel, WorkedExample) {
    m::Lut lut;
    for (int i = 0; i < m::kLoEntries; ++i)
        lut.lo_table[static_cast<std::size_t>(i)] = static_cast<std::int16_t>(1000 - 10 * i);
    lut.lo.select = 3;
    lut.le_linear = true;
    lut.le.start = 1000;
    m::CdpLayer layer;
    layer.channels = 3;
    layer.out_shift = 6;
    std::vector<std::int8_t> in(kAtomZ, 99);
    in[0] = 3;
    in[1] = -4;
    in[2] = 5;
    m::CdpCounts counts;
    const std::vector<std::int8_t> out = m::cdp_pixel(layer, lut, in, counts);
    EXPECT_EQ(out[0], 45);
    EXPECT_EQ(out[1], -59);
    EXPECT_EQ(out[2], 74);
    EXPECT_EQ(out[3], 0);
}

using Case = tb::LayersCase;

class Cdp : public ::testing::TestWithParam<Case> {};

TEST_P(Cdp, RandomLayers) {
    const Case c = GetParam();
    tb::run_rounds(c.seed, 30, [&](unsigned seed) {
        tb::Random rnd(seed);
        // The tables belong to one type, but their registers mean something in every type.
        const m::Lut lut = random_lut(rnd, tb::random_type(rnd));
        const m::Precision type = tb::random_type(rnd);
        std::vector<Job> jobs;
        for (int i = 0; i < c.layers; ++i)
            jobs.push_back(random_job(rnd, rnd.chance(20) ? tb::random_type(rnd) : type));
        Bench(c.stall, seed).run(lut, jobs);
    });
}

INSTANTIATE_TEST_SUITE_P(
    Stalls, Cdp,
    ::testing::Values(Case{tb::Stall::kNone, 1, 30}, Case{tb::Stall::kNone, 2, 30},
                      Case{tb::Stall::kRandom, 3, 30}, Case{tb::Stall::kRandom, 4, 30},
                      Case{tb::Stall::kWorst, 5, 12}, Case{tb::Stall::kWorst, 6, 12},
                      Case{tb::Stall::kBlocked, 7, 30}));

TEST(CdpSpeed, OneBeatPerCycle) {
    tb::Random rnd(9);
    const m::Precision type = tb::random_type(rnd);
    Job job = random_job(rnd, type);
    m::CdpLayer& l = job.layer;
    l.width = 16;
    l.height = 4;
    l.channels = 2 * tb::elements_of_atom(type);
    job.pixels.assign(64, std::vector<std::int8_t>(2 * kAtomZ, 3));
    Bench bench(tb::Stall::kNone, 9);
    bench.run(random_lut(rnd, type), {job});
    EXPECT_EQ(bench.last_take - bench.first_take + 1, 64u * 2 * kAtomZ / kLanes);
}

/// Pointer, direction, ends of the tables, and a read directly behind the write of the pointer.
TEST(CdpTables, AccessFollowsTheModel) {
    Bench bench(tb::Stall::kNone, 11);
    tb::Random rnd(11);
    m::Lut lut;  // reset content is 0
    m::CdpLutAccess model;
    for (int i = 0; i < 6000; ++i) {
        const int kind = rnd.in(0, 9);
        if (kind == 0) {
            const bool lo = rnd.chance(50);
            const int last = lo ? 256 : 64;
            const int at =
                rnd.chance(30) ? last - rnd.in(0, 2) : rnd.in(0, rnd.chance(90) ? last : 1023);
            const std::uint32_t value = static_cast<std::uint32_t>(at) |
                                        static_cast<std::uint32_t>(lo) << 16 |
                                        static_cast<std::uint32_t>(rnd.chance(60)) << 17;
            bench.write(0x08, value);
            model.write_cfg(value);
        } else if (kind < 6) {
            const std::uint32_t value = rnd.bits();
            bench.write(0x0c, value);
            model.write_data(lut, value);
            if (rnd.chance(20)) bench.read(0x10);
        } else if (kind < 9) {
            ASSERT_EQ(bench.read(0x0c), model.read_data(lut)) << "access " << i;
        } else {
            ASSERT_EQ(bench.read(0x08) & 0x3ff, static_cast<std::uint32_t>(model.pointer()));
        }
    }
}

}  // namespace
