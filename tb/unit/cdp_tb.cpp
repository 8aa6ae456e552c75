/// Unit test of dla_cdp against its golden model, and of the model against the definition: every
/// atom written, interrupts, table counters, table access, ping-pong groups, under no, random and
/// worst-case stalls.

#include <gtest/gtest.h>
#include <verilated.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <memory>
#include <random>
#include <vector>

#include "Vdut.h"
#include "dla_params.hpp"
#include "verif/model/dla/cdp.hpp"

namespace {

namespace m = macrame::model::dla;
namespace p = dla_params;

constexpr int kAtom = p::atom_bytes;
constexpr std::size_t kAtomZ = p::atom_bytes;
constexpr int kLanes = p::cdp_throughput;

enum class Stall { kNone, kRandom, kWorst };

class Random {
public:
    explicit Random(unsigned seed) : engine_(seed) {}
    int in(int lo, int hi) { return std::uniform_int_distribution<int>(lo, hi)(engine_); }
    bool chance(int percent) { return in(1, 100) <= percent; }
    std::uint32_t bits() { return static_cast<std::uint32_t>(engine_()); }

private:
    std::mt19937 engine_;
};

std::uint64_t bus_addr(std::uint64_t addr) {
    return p::addr_w < 64 ? addr & ((std::uint64_t{1} << (p::addr_w % 64)) - 1) : addr;
}

std::int16_t int16(Random& rnd) {
    constexpr std::int16_t kCorner[] = {0, 1, -1, 32767, -32768};
    return rnd.chance(30) ? kCorner[rnd.in(0, 4)] : static_cast<std::int16_t>(rnd.bits());
}

m::Lut::Range random_range(Random& rnd, int last) {
    m::Lut::Range r;
    r.start = rnd.chance(50) ? 0 : rnd.in(-3000, 3000);
    r.select = rnd.chance(10) ? rnd.in(-32, 31) : rnd.in(-4, 12);
    r.end = rnd.chance(80) ? r.start + std::int64_t{last} * 8 : rnd.in(-600000, 600000);
    if (rnd.chance(10)) r.start = rnd.in(-2097152, 2097151);
    if (rnd.chance(10)) {
        r.end = m::cdp_wrap(static_cast<std::int64_t>(std::uint64_t{rnd.bits()} << 8), 38);
    }
    r.uflow_scale = int16(rnd);
    r.oflow_scale = int16(rnd);
    r.uflow_shift = rnd.in(-16, 15);
    r.oflow_shift = rnd.in(-16, 15);
    return r;
}

m::Lut random_lut(Random& rnd) {
    m::Lut lut;
    lut.le_linear = rnd.chance(50);
    lut.le_offset = rnd.chance(70) ? rnd.in(-2, 20) : rnd.in(-128, 127);
    lut.uflow_lo = rnd.chance(50);
    lut.oflow_lo = rnd.chance(50);
    lut.hybrid_lo = rnd.chance(50);
    lut.le = random_range(rnd, 64);
    lut.lo = random_range(rnd, 256);
    for (std::int16_t& y : lut.le_table) y = int16(rnd);
    for (std::int16_t& y : lut.lo_table) y = int16(rnd);
    return lut;
}

struct Job {
    m::CdpLayer layer;
    std::vector<std::vector<std::int8_t>> pixels;  // whole atoms, line by line
};

Job random_job(Random& rnd) {
    Job job;
    m::CdpLayer& l = job.layer;
    l.width = rnd.in(1, 5);
    l.height = rnd.in(1, 3);
    l.channels = rnd.in(1, kAtom * 3);
    l.dst_addr = bus_addr(std::uint64_t{rnd.bits()} << 32 | rnd.bits()) / kAtom * kAtom;
    l.dst_line = static_cast<std::uint32_t>((l.width + rnd.in(0, 3)) * kAtom);
    l.dst_surf = rnd.chance(10) ? rnd.bits() / kAtom * kAtom
                                : l.dst_line * static_cast<std::uint32_t>(l.height);
    l.half = rnd.in(1, 4);
    l.sqsum_bypass = rnd.chance(20);
    l.mul_bypass = rnd.chance(20);
    l.in_offset = static_cast<std::int8_t>(rnd.bits());
    l.in_scale = int16(rnd);
    l.in_shift = rnd.chance(80) ? rnd.in(0, 16) : rnd.in(0, 31);
    l.out_offset = static_cast<std::int32_t>(m::cdp_wrap(rnd.bits() >> rnd.in(0, 24), 25));
    l.out_scale = int16(rnd);
    l.out_shift = rnd.chance(80) ? rnd.in(8, 34) : rnd.in(0, 63);
    const std::size_t bytes =
        static_cast<std::size_t>((l.channels + kAtom - 1) / kAtom) * kAtomZ;
    for (int i = 0; i < l.width * l.height; ++i) {
        std::vector<std::int8_t> pixel(bytes);
        const int kind = rnd.in(0, 2);
        for (std::int8_t& x : pixel) {
            constexpr std::int8_t kCorner[] = {0, 1, -1, 127, -128};
            x = kind == 0 ? kCorner[rnd.in(0, 4)]
                          : static_cast<std::int8_t>(kind == 1 ? rnd.in(-4, 4) : rnd.in(-128, 127));
        }
        job.pixels.push_back(pixel);
    }
    return job;
}

// ---------------------------------------------------------------- ports of any width

template <typename Port>
void put_byte(Port& port, int index, std::uint8_t value) {
    if constexpr (std::is_integral_v<Port>) {
        const auto mask = static_cast<std::uint64_t>(0xff) << (8 * index);
        port = static_cast<Port>((port & ~mask) | std::uint64_t{value} << (8 * index));
    } else {
        std::uint32_t& word = port[static_cast<std::size_t>(index / 4)];
        word = (word & ~(0xffu << (8 * (index % 4)))) | std::uint32_t{value} << (8 * (index % 4));
    }
}

template <typename Port>
std::uint8_t get_byte(const Port& port, int index) {
    if constexpr (std::is_integral_v<Port>) {
        return static_cast<std::uint8_t>(port >> (8 * index));
    } else {
        return static_cast<std::uint8_t>(port[static_cast<std::size_t>(index / 4)] >>
                                         (8 * (index % 4)));
    }
}

struct Beat {
    std::vector<std::int8_t> data;
    std::uint32_t mask = 0;
    bool first = false, last = false, line = false, end = false;
};

struct Write {
    std::uint64_t addr = 0;
    std::vector<std::int8_t> data;
    bool last = false;
};

class Bench {
public:
    Bench(Stall stall, unsigned seed) : stall_(stall), rnd_(seed) {
        context_.randReset(2);
        context_.randSeed(static_cast<int>(seed) + 1);
        dut_ = std::make_unique<Vdut>(&context_);
        dut_->rst_n = 0;
        for (int i = 0; i < 3; ++i) {
            dut_->clk = 0;
            dut_->eval();
            dut_->clk = 1;
            dut_->eval();
        }
        dut_->rst_n = 1;
        for (int i = 0; i < 300; ++i) tick();  // tables and read-back copy are cleared
    }
    ~Bench() { dut_->final(); }

    void write(int byte_offset, std::uint32_t value) {
        csb_.push_back({byte_offset / 4, value, true});
    }
    std::uint32_t read(int byte_offset) {
        csb_.push_back({byte_offset / 4, 0, false});
        while (!csb_.empty()) tick();
        return dut_->cdp2csb_rdata;
    }
    void load(const m::Lut& lut);
    void run(const m::Lut& lut, const std::vector<Job>& jobs);
    std::uint64_t cycle() const { return cycle_; }
    std::uint64_t first_take = 0, last_take = 0;

private:
    struct Access {
        int word;
        std::uint32_t value;
        bool write;
    };
    bool gap() {
        switch (stall_) {
            case Stall::kNone: return false;
            case Stall::kRandom: return rnd_.chance(30);
            default: return rnd_.chance(88);
        }
    }
    template <typename D> void drive(D& d);
    template <typename D> void sample(D& d);
    void tick();
    void program(const Job& job, int group);
    void expect(const m::Lut& lut, const Job& job);

    VerilatedContext context_;
    std::unique_ptr<Vdut> dut_;
    Stall stall_;
    Random rnd_;
    std::uint64_t cycle_ = 0;
    std::deque<Access> csb_;
    std::deque<Beat> beats_;
    std::deque<Write> writes_;
    std::deque<std::uint64_t> acks_;  // cycles in which a `last` write is answered
    std::vector<m::CdpCounts> counts_;
    std::vector<std::uint64_t> stalls_;
    std::size_t writing_ = 0;  // layer whose atoms are written
    int done_ = 0;
    bool offered_ = false, ready_ = false;
};

void Bench::load(const m::Lut& lut) {
    const auto u32 = [](auto v) { return static_cast<std::uint32_t>(v); };
    write(0x08, 0x20000);
    for (const std::int16_t y : lut.le_table) write(0x0c, u32(y));
    write(0x08, 0x30000);
    for (const std::int16_t y : lut.lo_table) write(0x0c, u32(y));
    write(0x10, u32(lut.le_linear) | u32(lut.uflow_lo) << 4 | u32(lut.oflow_lo) << 5 |
                    u32(lut.hybrid_lo) << 6);
    write(0x14, (u32(lut.le_offset) & 0xff) | (u32(lut.le.select) & 0xff) << 8 |
                    (u32(lut.lo.select) & 0xff) << 16);
    int at = 0x18;
    for (const m::Lut::Range* r : {&lut.le, &lut.lo}) {
        write(at, u32(r->start));
        write(at + 4, u32(r->start >> 32) & 0x3f);
        write(at + 8, u32(r->end));
        write(at + 12, u32(r->end >> 32) & 0x3f);
        at += 16;
    }
    for (const m::Lut::Range* r : {&lut.le, &lut.lo}) {
        write(at, (u32(r->uflow_scale) & 0xffff) | u32(r->oflow_scale) << 16);
        write(at + 4, (u32(r->uflow_shift) & 0x1f) | (u32(r->oflow_shift) & 0x1f) << 5);
        at += 8;
    }
}

void Bench::program(const Job& job, int group) {
    const m::CdpLayer& l = job.layer;
    const auto u32 = [](auto v) { return static_cast<std::uint32_t>(v); };
    write(0x04, u32(group));
    write(0x4c, u32(l.sqsum_bypass) | u32(l.mul_bypass) << 1);
    write(0x50, u32(l.dst_addr));
    write(0x54, u32(l.dst_addr >> 32));
    write(0x58, l.dst_line);
    write(0x5c, l.dst_surf);
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

void Bench::expect(const m::Lut& lut, const Job& job) {
    const m::CdpLayer& l = job.layer;
    m::CdpCounts counts{};
    for (std::size_t i = 0; i < job.pixels.size(); ++i) {
        const std::vector<std::int8_t>& in = job.pixels[i];
        const int w = static_cast<int>(i) % l.width, h = static_cast<int>(i) / l.width;
        const bool line = w + 1 == l.width, end = line && h + 1 == l.height;
        for (std::size_t c = 0; c < in.size(); c += kLanes) {
            Beat beat;
            for (std::size_t k = c; k < c + kLanes; ++k) {
                beat.data.push_back(in[k]);
                if (static_cast<int>(k) < l.channels) beat.mask |= 1u << (k - c);
            }
            beat.first = c == 0;
            beat.last = c + kLanes == in.size();
            beat.line = line;
            beat.end = end;
            beats_.push_back(beat);
        }
        const std::vector<std::int8_t> out = m::cdp_pixel(l, lut, in, counts);
        for (std::size_t s = 0; s < out.size() / kAtomZ; ++s) {
            const auto from = out.begin() + static_cast<std::ptrdiff_t>(s * kAtomZ);
            writes_.push_back(
                {bus_addr(l.dst_addr + s * l.dst_surf +
                          static_cast<std::uint64_t>(h) * l.dst_line +
                          static_cast<std::uint64_t>(w) * kAtomZ),
                 {from, from + kAtom},
                 end && s + 1 == out.size() / kAtomZ});
        }
    }
    counts_.push_back(counts);
}

template <typename D>
void Bench::drive(D& d) {
    if constexpr (p::clock_gating != 0) d.clk_ovr_on = 0;
    if (!offered_) offered_ = !beats_.empty() && !gap();
    d.cdp_rdma2cdp_valid = offered_;
    if (offered_) {
        const Beat& beat = beats_.front();
        for (int i = 0; i < kLanes; ++i) {
            put_byte(d.cdp_rdma2cdp_data, i,
                     static_cast<std::uint8_t>(beat.data[static_cast<std::size_t>(i)]));
        }
        d.cdp_rdma2cdp_mask = beat.mask & 0xffu;
        d.cdp_rdma2cdp_first = beat.first;
        d.cdp_rdma2cdp_last = beat.last;
        d.cdp_rdma2cdp_line = beat.line;
        d.cdp_rdma2cdp_end = beat.end;
    }
    ready_ = !gap();
    d.cdp2mcif_wr_req_ready = ready_;
    d.mcif2cdp_wr_rsp_complete = !acks_.empty() && acks_.front() <= cycle_;
}

template <typename D>
void Bench::sample(D& d) {
    if (offered_ && d.cdp_rdma2cdp_ready) {
        if (first_take == 0) first_take = cycle_;
        last_take = cycle_;
        offered_ = false;
        beats_.pop_front();
    }
    if (d.cdp2mcif_wr_req_valid) {
        ASSERT_FALSE(writes_.empty()) << "unexpected write, cycle " << cycle_;
        const Write& want = writes_.front();
        EXPECT_EQ(d.cdp2mcif_wr_req_addr, want.addr) << "cycle " << cycle_;
        EXPECT_EQ(d.cdp2mcif_wr_req_last, want.last) << "cycle " << cycle_;
        for (int i = 0; i < kAtom; ++i) {
            EXPECT_EQ(static_cast<std::int8_t>(get_byte(d.cdp2mcif_wr_req_data, i)),
                      want.data[static_cast<std::size_t>(i)])
                << "element " << i << " cycle " << cycle_ << " layer " << writing_;
        }
        if (!ready_) {
            ++stalls_[writing_];
        } else {
            if (want.last) {
                acks_.push_back(cycle_ + static_cast<std::uint64_t>(rnd_.in(1, 60)));
                if (acks_.size() > 1) acks_.back() = std::max(acks_.back(), acks_[acks_.size() - 2] + 1);
                ++writing_;
            }
            writes_.pop_front();
        }
    }
    const int want_done = d.mcif2cdp_wr_rsp_complete ? 1 << (done_ % 2) : 0;
    EXPECT_EQ(d.cdp2glb_done, want_done) << "cycle " << cycle_;
    if (d.mcif2cdp_wr_rsp_complete) {
        ++done_;
        acks_.pop_front();
    }
}

void Bench::tick() {
    dut_->clk = 0;
    dut_->csb2cdp_valid = 0;
    if (!csb_.empty()) {
        dut_->csb2cdp_valid = 1;
        dut_->csb_write = csb_.front().write;
        dut_->csb_addr = csb_.front().word & 0x3ff;
        dut_->csb_wdata = csb_.front().value;
        csb_.pop_front();
    }
    drive(*dut_);
    dut_->eval();
    sample(*dut_);
    dut_->clk = 1;
    dut_->eval();
    ++cycle_;
}

/// Both groups are always in flight; the elements of the next layer wait at the input.
void Bench::run(const m::Lut& lut, const std::vector<Job>& jobs) {
    load(lut);
    stalls_.assign(jobs.size() + 1, 0);
    for (const Job& job : jobs) expect(lut, job);
    const std::uint64_t limit = cycle_ + 3000000;
    const auto finish = [&](std::size_t layer) {
        const int group = static_cast<int>(layer % 2);
        write(0x04, static_cast<std::uint32_t>(group));
        while (((read(0x00) >> (16 * group)) & 3) != 0) {
            tick();  // registers are loaded in cycles without an access
            if (::testing::Test::HasFailure()) return;
            ASSERT_LT(cycle_, limit) << "layer " << layer << " hangs";
        }
        for (int i = 0; i < 5; ++i) {
            EXPECT_EQ(read(0xa4 + 4 * i), counts_[layer][static_cast<std::size_t>(i)])
                << "counter " << i << " layer " << layer;
        }
        EXPECT_EQ(read(0xa0), stalls_[layer]) << "layer " << layer;
        EXPECT_EQ(read(0x98), 0u);
    };
    for (std::size_t layer = 0; layer < jobs.size(); ++layer) {
        if (layer >= 2) finish(layer - 2);
        if (::testing::Test::HasFailure()) return;
        program(jobs[layer], static_cast<int>(layer % 2));
    }
    for (std::size_t layer = jobs.size() < 2 ? 0 : jobs.size() - 2; layer < jobs.size(); ++layer) {
        finish(layer);
        if (::testing::Test::HasFailure()) return;
    }
    while (done_ != static_cast<int>(jobs.size())) {
        tick();
        ASSERT_LT(cycle_, limit) << "interrupts missing";
    }
    EXPECT_TRUE(beats_.empty() && writes_.empty());
}

// ---------------------------------------------------------------- tests

/// The definition with real numbers; inputs are chosen so that doubles are exact.
TEST(CdpModel, LookupFollowsTheDefinition) {
    Random rnd(1);
    for (int i = 0; i < 200000; ++i) {
        static m::Lut lut = random_lut(rnd);
        if (i % 100 == 0) lut = random_lut(rnd);
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

/// post.md 10: C = 3, v = (3, -4, 5), 3 taps.
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
    m::CdpCounts counts{};
    const std::vector<std::int8_t> out = m::cdp_pixel(layer, lut, in, counts);
    EXPECT_EQ(out[0], 45);
    EXPECT_EQ(out[1], -59);
    EXPECT_EQ(out[2], 74);
    EXPECT_EQ(out[3], 0);
}

struct Case {
    Stall stall;
    unsigned seed;
    int layers;
};

class Cdp : public ::testing::TestWithParam<Case> {};

TEST_P(Cdp, RandomLayers) {
    const Case c = GetParam();
    for (unsigned round = 0; round < 30; ++round) {
        const unsigned seed = c.seed + 100 * round;
        Random rnd(seed);
        const m::Lut lut = random_lut(rnd);
        std::vector<Job> jobs;
        for (int i = 0; i < c.layers; ++i) jobs.push_back(random_job(rnd));
        Bench(c.stall, seed).run(lut, jobs);
        if (HasFailure()) {
            std::printf("seed %u\n", seed);
            return;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Stalls, Cdp,
                         ::testing::Values(Case{Stall::kNone, 1, 30}, Case{Stall::kNone, 2, 30},
                                           Case{Stall::kRandom, 3, 30},
                                           Case{Stall::kRandom, 4, 30},
                                           Case{Stall::kWorst, 5, 12}, Case{Stall::kWorst, 6, 12}));

TEST(CdpSpeed, OneBeatPerCycle) {
    Random rnd(9);
    Job job = random_job(rnd);
    m::CdpLayer& l = job.layer;
    l.width = 16;
    l.height = 4;
    l.channels = 2 * kAtom;
    job.pixels.assign(64, std::vector<std::int8_t>(2 * kAtomZ, 3));
    Bench bench(Stall::kNone, 9);
    bench.run(random_lut(rnd), {job});
    EXPECT_EQ(bench.last_take - bench.first_take + 1, 64u * 2 * kAtomZ / kLanes);
}

/// Pointer, direction, ends of the tables, and a read directly behind the write of the pointer.
TEST(CdpTables, AccessFollowsTheModel) {
    Bench bench(Stall::kNone, 11);
    Random rnd(11);
    m::Lut lut;  // reset content is 0
    m::CdpLutAccess model;
    for (int i = 0; i < 6000; ++i) {
        const int kind = rnd.in(0, 9);
        if (kind == 0) {
            const bool lo = rnd.chance(50);
            const int last = lo ? 256 : 64;
            const int at = rnd.chance(30) ? last - rnd.in(0, 2)
                                          : rnd.in(0, rnd.chance(90) ? last : 1023);
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
