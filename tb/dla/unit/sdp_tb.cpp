/// Unit test of dla_sdp against its golden model, and of the model against the definition: every
/// write, operand hand-over, interrupt and status register of random layers, under no, random and
/// worst-case stalls.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <vector>

#include "Vdut.h"
#include "dla_params.hpp"
#include "tb/common/ports.hpp"
#include "tb/dla/unit/unit_bench.hpp"
#include "verif/dla/model/sdp.hpp"

namespace {

namespace m = macrame::dla::model;
namespace p = dla_params;
namespace tb = macrame::tb;

constexpr int kAtom = p::atom_bytes;
constexpr int kLanes = p::sdp_lanes;
constexpr std::size_t kLanesZ = p::sdp_lanes;
constexpr int kEwLanes = p::sdp_ew_enable ? p::sdp_ew_throughput_effective : 1;

// ---------------------------------------------------------------- the model against the definition

using Wide = __int128;

/// floor(a / 2^s) for any a, s.
Wide floor_shift(Wide a, int s) {
    const Wide d = Wide{1} << s;
    return a >= 0 ? a / d : -((-a + d - 1) / d);
}

/// Nearest, ties away from zero, then clamped; the flag as defined.
m::Rounded naive_rshr(Wide v, int s, int in, int out) {
    if (s >= in) return {};
    const Wide d = Wide{1} << s;
    const Wide r = v >= 0 ? (2 * v + d) / (2 * d) : -((-2 * v + d) / (2 * d));
    const Wide max = (Wide{1} << (out - 1)) - 1;
    const Wide clamped = r > max ? max : r < -max - 1 ? -max - 1 : r;
    return {static_cast<std::int64_t>(clamped), v < 0 ? floor_shift(v, s) < -max - 1 : r > max};
}

std::int32_t naive_x(const m::SdpX& x, std::int32_t in, m::SdpOperand memory) {
    if (x.bypass) return in;
    const Wide a = x.alu_from_memory ? memory.alu : x.alu_operand;
    const Wide b = x.mul_from_memory ? memory.mul : x.mul_operand;
    Wide o = a * (Wide{1} << x.alu_shift);
    if (o > INT32_MAX) o = INT32_MAX;
    if (o < INT32_MIN) o = INT32_MIN;
    Wide v = in;
    if (!x.alu_bypass) {
        if (x.alu_algo == 0)
            v = v > o ? v : o;
        else if (x.alu_algo == 1)
            v = v < o ? v : o;
        else
            v = v + o;
    }
    std::int32_t r;
    if (!x.mul_bypass && x.mul_prelu && v >= 0) {
        Wide low = v % (Wide{1} << 32);
        if (low >= (Wide{1} << 31)) low -= Wide{1} << 32;
        r = static_cast<std::int32_t>(low);
    } else {
        if (!x.mul_bypass) v = v * b;
        r = static_cast<std::int32_t>(naive_rshr(v, x.mul_shift % 64, 49, 32).value);
    }
    return !x.relu_bypass && r < 0 ? 0 : r;
}

m::SdpOut naive_c(const m::SdpConvertor& c, std::int32_t in) {
    const m::Rounded t = naive_rshr((Wide{in} - c.offset) * c.scale, c.shift, 49, 17);
    const std::int64_t v = t.value > 127 ? 127 : t.value < -128 ? -128 : t.value;
    return {static_cast<std::int8_t>(v), t.saturated};
}

// ---------------------------------------------------------------- stimulus

std::int16_t operand(tb::Random& rnd) {
    constexpr int kCorner[] = {0, 1, -1, 32767, -32768, 2, -2, 256};
    if (rnd.chance(25)) return static_cast<std::int16_t>(kCorner[rnd.in(0, 7)]);
    if (rnd.chance(40)) return static_cast<std::int16_t>(rnd.in(-128, 127));
    return static_cast<std::int16_t>(rnd.in(-32768, 32767));
}

std::int32_t word(tb::Random& rnd) {
    constexpr std::int32_t kCorner[] = {0, 1, -1, INT32_MAX, INT32_MIN, 65535, -65536, 127};
    if (rnd.chance(15)) return kCorner[rnd.in(0, 7)];
    const auto v = static_cast<std::int32_t>(rnd.bits());
    return v >> rnd.in(0, 30);
}

std::int8_t byte(tb::Random& rnd) {
    constexpr int kCorner[] = {0, 1, -1, 127, -128};
    return static_cast<std::int8_t>(rnd.chance(25) ? kCorner[rnd.in(0, 4)] : rnd.in(-128, 127));
}

m::SdpX random_x(tb::Random& rnd) {
    m::SdpX x;
    x.bypass = rnd.chance(20);
    x.alu_bypass = rnd.chance(25);
    x.alu_algo = rnd.in(0, 3);
    x.mul_bypass = rnd.chance(30);
    x.mul_prelu = rnd.chance(35);
    x.relu_bypass = rnd.chance(60);
    x.alu_from_memory = rnd.chance(50);
    x.mul_from_memory = rnd.chance(50);
    x.alu_shift = rnd.chance(20) ? rnd.in(0, 63) : rnd.chance(30) ? rnd.in(12, 33) : rnd.in(0, 8);
    x.alu_operand = operand(rnd);
    x.mul_shift = rnd.chance(20) ? rnd.in(0, 255) : rnd.in(0, 20);
    x.mul_operand = operand(rnd);
    return x;
}

m::SdpConvertor random_cvt(tb::Random& rnd) {
    m::SdpConvertor c;
    if (rnd.chance(20)) return c;
    c.offset = rnd.chance(30) ? word(rnd) : rnd.in(-500, 500);
    c.scale = operand(rnd);
    c.shift = rnd.chance(15) ? rnd.in(0, 63) : rnd.in(0, 24);
    return c;
}

m::SdpEwConvertor random_ew_cvt(tb::Random& rnd) {
    m::SdpEwConvertor c;
    c.bypass = rnd.chance(40);
    c.offset = rnd.chance(30) ? word(rnd) : rnd.in(-500, 500);
    c.scale = operand(rnd);
    c.shift = rnd.chance(20) ? rnd.in(0, 63) : rnd.in(0, 20);
    return c;
}

m::SdpEw random_ew(tb::Random& rnd) {
    m::SdpEw ew;
    ew.bypass = rnd.chance(25);
    ew.alu_bypass = rnd.chance(30);
    ew.alu_algo = rnd.chance(15) ? 3 : rnd.in(0, 2);
    ew.mul_bypass = rnd.chance(40);
    ew.mul_prelu = rnd.chance(30);
    ew.lut_bypass = !p::sdp_lut_enable || rnd.chance(40);
    ew.alu_from_memory = rnd.chance(50);
    ew.mul_from_memory = rnd.chance(50);
    ew.alu_cvt = random_ew_cvt(rnd);
    ew.mul_cvt = random_ew_cvt(rnd);
    ew.alu_operand = word(rnd);
    ew.mul_operand = word(rnd);
    ew.truncate = rnd.chance(10) ? rnd.in(0, 1023) : rnd.chance(30) ? rnd.in(0, 66) : rnd.in(0, 24);
    return ew;
}

m::Lut random_lut(tb::Random& rnd) {
    m::Lut lut;
    const auto range = [&](int entries) {
        m::Lut::Range r;
        const auto clamp = [](std::int64_t v) {
            return std::clamp<std::int64_t>(v, INT32_MIN, INT32_MAX);
        };
        r.start = rnd.chance(60) ? word(rnd) >> 8 : word(rnd);
        r.select = rnd.chance(20) ? rnd.in(-128, 127) : rnd.in(-3, 24);
        r.end = rnd.chance(30) ? word(rnd) : clamp(r.start + (std::int64_t{entries - 1} << 8));
        r.uflow_scale = operand(rnd);
        r.oflow_scale = operand(rnd);
        r.uflow_shift = rnd.in(-16, 15);
        r.oflow_shift = rnd.in(-16, 15);
        return r;
    };
    lut.le_linear = rnd.chance(50);
    lut.le_offset = rnd.chance(20) ? rnd.in(-128, 127) : rnd.in(-3, 20);
    lut.uflow_lo = rnd.chance(50);
    lut.oflow_lo = rnd.chance(50);
    lut.hybrid_lo = rnd.chance(50);
    lut.le = range(m::kLeEntries);
    lut.lo = range(m::kLoEntries);
    for (auto& entry : lut.le_table)
        entry = operand(rnd);
    for (auto& entry : lut.lo_table)
        entry = operand(rnd);
    return lut;
}

struct Job {
    m::SdpLayer layer;
    std::vector<std::int32_t> in;
    std::vector<m::SdpOperand> b, n, e;
    m::Lut lut;  // the same for all jobs of a run
    bool sat_en = true, dma_en = true, lut_en = true;
    m::SdpResult expected;
};

/// Nothing of the layer is written.
bool dropped(const Job& job) { return job.layer.to_pdp || job.layer.ew.eql(); }

void expect(Job& job) {
    job.expected = m::sdp_layer(kAtom, job.layer, job.in, job.b, job.n, job.e, job.lut);
}

void fill(Job& job, tb::Random& rnd) {
    const std::size_t count = m::sdp_elements(kAtom, job.layer);
    for (std::size_t i = 0; i < count; ++i) {
        job.in.push_back(job.layer.flying ? word(rnd) : byte(rnd));
        job.b.push_back({operand(rnd), operand(rnd)});
        job.n.push_back({operand(rnd), operand(rnd)});
        if (p::sdp_ew_enable) job.e.push_back({operand(rnd), operand(rnd)});
    }
    expect(job);
}

Job random_job(tb::Random& rnd, const m::Lut& lut) {
    Job job;
    m::SdpLayer& l = job.layer;
    const bool dot = rnd.chance(20);
    l.width = dot ? 1 : rnd.chance(15) ? rnd.in(1, 40) : rnd.in(1, 7);
    l.height = dot ? 1 : rnd.in(1, 5);
    l.channels = rnd.in(1, kAtom * (dot ? 12 : 3));
    l.dst_addr = tb::random_addr(rnd);
    l.line_stride = static_cast<std::uint32_t>((l.width + rnd.in(0, 3)) * kAtom);
    l.surf_stride = rnd.chance(10) ? rnd.bits() / kAtom * kAtom
                                   : l.line_stride * static_cast<std::uint32_t>(l.height);
    l.flying = rnd.chance(50);
    l.to_pdp = rnd.chance(10);
    if (p::sdp_bs_enable) l.bs = random_x(rnd);
    if (p::sdp_bn_enable) l.bn = random_x(rnd);
    if (p::sdp_ew_enable) l.ew = random_ew(rnd);
    if (l.ew.eql()) l.to_pdp = false;
    l.cvt = random_cvt(rnd);
    job.lut = lut;
    job.lut_en = rnd.chance(80);
    job.sat_en = rnd.chance(80);
    job.dma_en = rnd.chance(80);
    fill(job, rnd);
    return job;
}

// ---------------------------------------------------------------- bench

/// One source of beats for SDP.
struct Source {
    struct Beat {
        const Job* job;
        std::size_t first;  // element
        bool turn;
    };
    std::deque<Beat> beats;
    bool valid = false;
};

class Bench : public tb::UnitBench {
public:
    Bench(tb::Stall stall, unsigned seed) : UnitBench(stall, seed) {
        start(dut().csb2sdp_valid, dut().sdp2csb_rdata);
    }

    void run(const std::vector<Job>& jobs, bool by_status = false);
    void load(const m::Lut& lut);

    std::uint64_t enable_cycle() const { return enable_; }
    std::uint64_t last_write_cycle() const { return last_write_; }

private:
    void program(const Job& job, int group);
    void program_ew(const m::SdpEw& ew);
    void check_status(const Job& job, std::size_t index);
    void drive(Vdut& d) override { drive_links(d); }
    void sample(Vdut& d) override { sample_links(d); }
    template <typename D>
    void drive_links(D& d);
    template <typename D>
    void sample_links(D& d);
    template <typename D>
    void sample_pdp(D& d);
    bool offer(Source& source);
    template <typename Port>
    void offer(Source& source, std::vector<m::SdpOperand> Job::*operands, CData& valid, Port& alu,
               Port& mul);
    void taken(Source& source, bool ready, bool turn, const char* what);

    Source cacc_, m_, b_, n_, e_;

    const std::vector<Job>* jobs_ = nullptr;
    std::size_t write_job_ = 0;    // job of the next write
    std::size_t atom_ = 0;         // next atom of it
    std::size_t done_ = 0;         // interrupts seen
    std::size_t pdp_job_ = 0;      // layer of the next element for PDP
    std::size_t pdp_element_ = 0;  // that element
    bool pdp_held_ = false;
    std::size_t next_pdp_ = 0;  // layers before it have gone to memory or are finished
    std::deque<std::pair<std::uint64_t, std::size_t>> acks_;  // earliest cycle, layer
    std::vector<bool> finished_;                              // interrupt seen, by layer
    std::vector<std::uint64_t> stalls_;
    bool held_ = false;
    std::uint64_t enable_ = 0, last_write_ = 0;
};

void Bench::program_ew(const m::SdpEw& ew) {
    const auto u32 = [](auto v) { return static_cast<std::uint32_t>(v); };
    write(0x80, u32(ew.bypass) | u32(ew.alu_bypass) << 1 | u32(ew.alu_algo) << 2 |
                    u32(ew.mul_bypass) << 4 | u32(ew.mul_prelu) << 5 | u32(ew.lut_bypass) << 6);
    write(0x84, u32(ew.alu_from_memory) | u32(ew.alu_cvt.bypass) << 1);
    write(0x88, u32(ew.alu_operand));
    write(0x8c, u32(ew.alu_cvt.offset));
    write(0x90, u32(ew.alu_cvt.scale) & 0xffff);
    write(0x94, u32(ew.alu_cvt.shift));
    write(0x98, u32(ew.mul_from_memory) | u32(ew.mul_cvt.bypass) << 1);
    write(0x9c, u32(ew.mul_operand));
    write(0xa0, u32(ew.mul_cvt.offset));
    write(0xa4, u32(ew.mul_cvt.scale) & 0xffff);
    write(0xa8, u32(ew.mul_cvt.shift));
    write(0xac, u32(ew.truncate));
}

void Bench::load(const m::Lut& lut) {
    const auto u32 = [](auto v) { return static_cast<std::uint32_t>(v); };
    write(0x10, u32(lut.le_linear) | u32(lut.uflow_lo) << 4 | u32(lut.oflow_lo) << 5 |
                    u32(lut.hybrid_lo) << 6);
    write(0x14, (u32(lut.le_offset) & 0xff) | (u32(lut.le.select) & 0xff) << 8 |
                    (u32(lut.lo.select) & 0xff) << 16);
    int at = 0x18;
    for (const m::Lut::Range* r : {&lut.le, &lut.lo}) {
        write(at, u32(r->start));
        write(at + 4, u32(r->end));
        at += 8;
    }
    for (const m::Lut::Range* r : {&lut.le, &lut.lo}) {
        write(at, (u32(r->uflow_scale) & 0xffff) | u32(r->oflow_scale) << 16);
        write(at + 4, (u32(r->uflow_shift) & 31) | (u32(r->oflow_shift) & 31) << 5);
        at += 8;
    }
    write(0x08, 0x20000);
    for (const std::int16_t entry : lut.le_table)
        write(0x0c, u32(entry));
    write(0x08, 0x30000);
    for (const std::int16_t entry : lut.lo_table)
        write(0x0c, u32(entry));
}

void Bench::program(const Job& job, int group) {
    const m::SdpLayer& l = job.layer;
    const auto u32 = [](auto v) { return static_cast<std::uint32_t>(v); };
    write(0x04, u32(group));
    write(0x3c, u32(l.width - 1));
    write(0x40, u32(l.height - 1));
    write(0x44, u32(l.channels - 1));
    write(0x48, u32(l.dst_addr));
    write(0x4c, u32(l.dst_addr >> 32));
    write(0x50, l.line_stride);
    write(0x54, l.surf_stride);
    int at = 0x58;
    for (const m::SdpX* x : {&l.bs, &l.bn}) {
        write(at, u32(x->bypass) | u32(x->alu_bypass) << 1 | u32(x->alu_algo) << 2 |
                      u32(x->mul_bypass) << 4 | u32(x->mul_prelu) << 5 | u32(x->relu_bypass) << 6);
        write(at + 4, u32(x->alu_from_memory) | u32(x->alu_shift) << 8);
        write(at + 8, u32(x->alu_operand) & 0xffff);
        write(at + 12, u32(x->mul_from_memory) | u32(x->mul_shift) << 8);
        write(at + 16, u32(x->mul_operand) & 0xffff);
        at += 0x14;
    }
    if (p::sdp_ew_enable) {
        program_ew(l.ew);
    } else {
        write(0x80, random().bits());  // storage
    }
    write(0xb0, u32(l.flying) | u32(l.to_pdp) << 1);
    write(0xb4, 1);
    write(0xbc, 0);
    write(0xc0, u32(l.cvt.offset));
    write(0xc4, u32(l.cvt.scale) & 0xffff);
    write(0xc8, u32(l.cvt.shift));
    write(0xdc, u32(job.dma_en) | u32(job.lut_en) << 1 | u32(job.sat_en) << 2);
    write(0x38, 1);
}

void Bench::check_status(const Job& job, std::size_t index) {
    write(0x04, static_cast<std::uint32_t>(index % 2));
    EXPECT_EQ(read(0xcc), job.expected.any_bit ? 1u : 0u) << "D_STATUS, layer " << index;
    EXPECT_EQ(read(0xec), job.sat_en ? job.expected.saturated : 0u) << "layer " << index;
    EXPECT_EQ(read(0xe0), job.dma_en ? stalls_[index] : 0u) << "stalls, layer " << index;
    for (int offset : {0xd0, 0xd4, 0xd8})
        EXPECT_EQ(read(offset), 0u);
    const m::LutCounts& lut = job.expected.lut_counts;
    constexpr int kLutCounters[] = {0xe4, 0xe8, 0xf0, 0xf4, 0xf8};
    for (std::size_t i = 0; i < lut.size(); ++i) {
        EXPECT_EQ(read(kLutCounters[i]), job.lut_en ? lut[i] : 0u) << i << " layer " << index;
    }
}

/// A beat that was offered stays until it is taken.
bool Bench::offer(Source& source) {
    if (!source.valid) source.valid = !source.beats.empty() && !gap();
    return source.valid;
}

template <typename Port>
void Bench::offer(Source& source, std::vector<m::SdpOperand> Job::*operands, CData& valid,
                  Port& alu, Port& mul) {
    valid = offer(source);
    for (std::size_t i = 0; valid && i < kLanesZ; ++i) {
        const Source::Beat& beat = source.beats.front();
        const m::SdpOperand o = (beat.job->*operands)[beat.first + i];
        const int lo = static_cast<int>(16 * i);
        tb::put_bits(alu, lo, 16, static_cast<std::uint16_t>(o.alu));
        tb::put_bits(mul, lo, 16, static_cast<std::uint16_t>(o.mul));
    }
}

template <typename D>
void Bench::drive_links(D& d) {
    if (d.csb2sdp_valid && d.csb_write && d.csb_addr == 0x38 / 4) enable_ = cycle();
    d.cacc2sdp_valid = offer(cacc_);
    d.sdp_rdma2sdp_m_valid = offer(m_);
    const auto element = [&](const Source& s, std::size_t i) {
        // Data without valid is anything.
        if (!s.valid) return random().bits();
        const Source::Beat& beat = s.beats.front();
        return static_cast<std::uint32_t>(beat.job->in[beat.first + i]);
    };
    for (std::size_t i = 0; i < kLanesZ; ++i) {
        const int lane = static_cast<int>(i);
        tb::put_bits(d.cacc2sdp_data, 32 * lane, 32, element(cacc_, i));
        tb::put_bits(d.sdp_rdma2sdp_m_data, 8 * lane, 8, element(m_, i));
    }
    if constexpr (p::sdp_bs_enable) {
        offer(b_, &Job::b, d.sdp_rdma2sdp_b_valid, d.sdp_rdma2sdp_b_alu, d.sdp_rdma2sdp_b_mul);
    }
    if constexpr (p::sdp_bn_enable) {
        offer(n_, &Job::n, d.sdp_rdma2sdp_n_valid, d.sdp_rdma2sdp_n_alu, d.sdp_rdma2sdp_n_mul);
    }
    if constexpr (p::sdp_ew_enable) {
        offer(e_, &Job::e, d.sdp_rdma2sdp_e_valid, d.sdp_rdma2sdp_e_alu, d.sdp_rdma2sdp_e_mul);
    }
    d.sdp2mcif_wr_req_ready = !gap();
    if constexpr (p::pdp_enable) d.sdp2pdp_ready = !gap();
    d.mcif2sdp_wr_rsp_complete = !acks_.empty() && acks_.front().first <= cycle() && !gap();
}

void Bench::taken(Source& source, bool ready, bool turn, const char* what) {
    if (!source.valid || !ready) return;
    EXPECT_EQ(turn, source.beats.front().turn) << what << " cycle " << cycle();
    source.beats.pop_front();
    source.valid = false;
}

/// Elements for PDP: those of the next layer that goes there.
template <typename D>
void Bench::sample_pdp(D& d) {
    if constexpr (p::pdp_enable) {
        if (pdp_held_) {
            EXPECT_TRUE(d.sdp2pdp_valid) << "PDP beat withdrawn";
        }
        pdp_held_ = d.sdp2pdp_valid && !d.sdp2pdp_ready;
        if (!d.sdp2pdp_valid || !d.sdp2pdp_ready) return;
        while (pdp_job_ < finished_.size() && !(*jobs_)[pdp_job_].layer.to_pdp)
            ++pdp_job_;
        ASSERT_LT(pdp_job_, finished_.size()) << "unexpected beat for PDP, cycle " << cycle();
        const m::SdpResult& want = (*jobs_)[pdp_job_].expected;
        for (std::size_t i = 0; i < kLanesZ; ++i, ++pdp_element_) {
            EXPECT_EQ(
                static_cast<std::int8_t>(tb::get_bits(d.sdp2pdp_data, 8 * static_cast<int>(i), 8)),
                want.data[pdp_element_])
                << "layer " << pdp_job_ << " element " << pdp_element_;
        }
        if (pdp_element_ == want.data.size()) {
            pdp_element_ = 0;
            ++pdp_job_;
        }
    }
}

template <typename D>
void Bench::sample_links(D& d) {
    taken(cacc_, d.cacc2sdp_ready, false, "cacc");
    taken(m_, d.sdp_rdma2sdp_m_ready, false, "m");
    if constexpr (p::sdp_bs_enable) {
        taken(b_, d.sdp_rdma2sdp_b_ready, d.sdp2sdp_rdma_b_turn, "b");
    }
    if constexpr (p::sdp_bn_enable) {
        taken(n_, d.sdp_rdma2sdp_n_ready, d.sdp2sdp_rdma_n_turn, "n");
    }
    if constexpr (p::sdp_ew_enable) {
        taken(e_, d.sdp_rdma2sdp_e_ready, d.sdp2sdp_rdma_e_turn, "e");
    }
    sample_pdp(d);
    // Layers that write finish with their answer, the others by themselves and maybe earlier.
    unsigned done = d.sdp2glb_done;
    const auto finish = [&](std::size_t layer) {
        EXPECT_TRUE(done >> (layer % 2) & 1) << "no interrupt of layer " << layer;
        done &= ~(1u << (layer % 2));
        finished_[layer] = true;
        ++done_;
    };
    if (d.mcif2sdp_wr_rsp_complete) {
        finish(acks_.front().second);
        acks_.pop_front();
    }
    if (done != 0) {
        while (next_pdp_ < finished_.size() && !dropped((*jobs_)[next_pdp_]))
            ++next_pdp_;
        ASSERT_LT(next_pdp_, finished_.size()) << "interrupt, cycle " << cycle();
        for (std::size_t i = write_job_; i < next_pdp_; ++i) {
            EXPECT_TRUE(finished_[i]) << "layer " << next_pdp_ << " overtakes " << i;
        }
        if (p::pdp_enable && (*jobs_)[next_pdp_].layer.to_pdp) {
            EXPECT_GT(pdp_job_, next_pdp_) << "interrupt before the last element";
        }
        finish(next_pdp_++);
    }
    EXPECT_EQ(done, 0u) << "interrupt, cycle " << cycle();
    if (held_) {
        EXPECT_TRUE(d.sdp2mcif_wr_req_valid) << "write withdrawn";
    }
    held_ = d.sdp2mcif_wr_req_valid && !d.sdp2mcif_wr_req_ready;
    if (!d.sdp2mcif_wr_req_valid) return;
    while (jobs_ != nullptr && write_job_ < jobs_->size() && dropped((*jobs_)[write_job_])) {
        ++write_job_;
    }
    ASSERT_TRUE(jobs_ != nullptr && write_job_ < jobs_->size()) << "unexpected write";
    const m::SdpResult& want = (*jobs_)[write_job_].expected;
    const auto first = want.data.begin() + static_cast<std::ptrdiff_t>(atom_ * kAtom);
    const bool last = atom_ + 1 == want.addrs.size();
    EXPECT_EQ(static_cast<std::uint64_t>(d.sdp2mcif_wr_req_addr), tb::bus_addr(want.addrs[atom_]))
        << "layer " << write_job_ << " atom " << atom_;
    EXPECT_EQ(tb::get_bytes(d.sdp2mcif_wr_req_data, kAtom),
              std::vector<std::uint8_t>(first, first + kAtom))
        << "layer " << write_job_ << " atom " << atom_ << " cycle " << cycle();
    EXPECT_EQ(d.sdp2mcif_wr_req_last, last);
    if (!d.sdp2mcif_wr_req_ready) {
        ++stalls_[write_job_];
        return;
    }
    last_write_ = cycle();
    ++atom_;
    if (last) {
        atom_ = 0;
        const int delay = stall() == tb::Stall::kNone ? 4 : random().in(1, 200);
        acks_.push_back({cycle() + 1 + static_cast<std::uint64_t>(delay), write_job_});
        ++write_job_;
    }
}

void Bench::run(const std::vector<Job>& jobs, bool by_status) {
    jobs_ = &jobs;
    write_job_ = done_ = next_pdp_ = pdp_job_ = 0;
    stalls_.assign(jobs.size(), 0);
    finished_.assign(jobs.size(), false);
    for (const Job& job : jobs) {
        const m::SdpLayer& l = job.layer;
        const std::size_t per_surface = static_cast<std::size_t>(l.width * l.height * kAtom);
        for (std::size_t i = 0; i < job.in.size(); i += kLanesZ) {
            const bool turn = i % per_surface >= per_surface - kAtom;
            (l.flying ? cacc_ : m_).beats.push_back({&job, i, false});
            if (l.bs.needs_memory()) b_.beats.push_back({&job, i, turn});
            if (l.bn.needs_memory()) n_.beats.push_back({&job, i, turn});
            if (l.ew.needs_memory()) e_.beats.push_back({&job, i, turn});
        }
    }
    std::size_t programmed = 0, checked = 0;
    const std::uint64_t limit = cycle() + 3000000;
    while (done_ < jobs.size()) {
        if (programmed < jobs.size() && bus_idle()) {
            const int group = static_cast<int>(programmed % 2);
            bool free = programmed < 2 || finished_[programmed - 2];
            if (by_status) free = ((read(0x00) >> (16 * group)) & 3) == 0;
            if (free) {
                if (!by_status && programmed >= 2) check_status(jobs[checked], checked), ++checked;
                program(jobs[programmed], group);
                ++programmed;
            }
        }
        tick();
        if (::testing::Test::HasFailure()) return;
        ASSERT_LT(cycle(), limit) << "hangs: " << done_ << " layers done, write of layer "
                                  << write_job_ << " atom " << atom_;
    }
    while (!by_status && checked < jobs.size())
        check_status(jobs[checked], checked), ++checked;
    for (int i = 0; i < 300; ++i)
        tick();
    EXPECT_EQ(done_, jobs.size());
    EXPECT_TRUE(cacc_.beats.empty() && m_.beats.empty() && b_.beats.empty() && n_.beats.empty() &&
                e_.beats.empty());
    EXPECT_EQ(read(0x00), 0u) << "S_STATUS";
}

// ---------------------------------------------------------------- tests

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

/// The table by its definition, for one element.
std::int32_t naive_lut(const m::Lut& lut, std::int32_t x) {
    struct Place {
        int state;  // -1 under, 0 in, 1 over
        int index;
        Wide fraction;
    };
    const auto place = [&](const m::Lut::Range& r, bool exponential, int last) -> Place {
        const Wide d = Wide{x} - r.start;
        if (d <= 0) return {-1, 0, 0};
        const Wide one = Wide{1} << 35;
        if (exponential) {
            int e = 0;
            while (d >> (e + 1))
                ++e;
            if (e < lut.le_offset) return {-1, 0, 0};
            if (e - lut.le_offset >= last) return {1, last, 0};
            return {0, e - lut.le_offset, (d - (Wide{1} << e)) * one >> e};
        }
        if (r.select < 0) {
            const Wide i = r.select < -40 ? Wide{1} << 40 : d << -r.select;
            return i >= last ? Place{1, last, 0} : Place{0, static_cast<int>(i), 0};
        }
        const int select = r.select > 100 ? 100 : r.select;
        const Wide i = d >> select;
        if (i >= last) return {1, last, 0};
        return {0, static_cast<int>(i), (d * one >> select) % one};
    };
    const Place le = place(lut.le, !lut.le_linear, 64), lo = place(lut.lo, false, 256);
    bool use_lo = lut.hybrid_lo;
    if (le.state == -1 && lo.state == -1)
        use_lo = lut.uflow_lo;
    else if (le.state == 1 && lo.state == 1)
        use_lo = lut.oflow_lo;
    else if (le.state == 0 && lo.state != 0)
        use_lo = false;
    else if (le.state != 0 && lo.state == 0)
        use_lo = true;
    const Place at = use_lo ? lo : le;
    const m::Lut::Range& r = use_lo ? lut.lo : lut.le;
    const auto y = [&](int i) -> Wide {
        const auto z = static_cast<std::size_t>(i);
        return use_lo ? lut.lo_table[z] : lut.le_table[z];
    };
    const auto sat = [](Wide v) {
        return v > INT32_MAX ? Wide{INT32_MAX} : v < INT32_MIN ? Wide{INT32_MIN} : v;
    };
    if (at.state == 0) {
        const Wide one = Wide{1} << 35;
        const Wide sum = y(at.index) * (one - at.fraction) + y(at.index + 1) * at.fraction;
        return static_cast<std::int32_t>(naive_rshr(sum, 35, 53, 32).value);
    }
    Wide base = at.state < 0 ? r.start : r.end;
    if (at.state < 0 && !use_lo && !lut.le_linear && lut.le_offset >= 0 && lut.le_offset <= 31) {
        base += Wide{1} << lut.le_offset;
    }
    const Wide p = (Wide{x} - base) * (at.state < 0 ? r.uflow_scale : r.oflow_scale);
    const int shift = at.state < 0 ? r.uflow_shift : r.oflow_shift;
    const Wide t =
        shift >= 0 ? Wide{naive_rshr(p, shift, 50, 32).value} : sat(p * (Wide{1} << -shift));
    return static_cast<std::int32_t>(sat(y(at.index) + t));
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
    std::printf("seed %u\n", c.seed);
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
                      Case{tb::Stall::kWorst, 7, 26, true}));

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
    job.layer.ew = ew;
    fill(job, rnd);
    Bench bench(tb::Stall::kNone, 5);
    bench.run({job});
    const std::uint64_t beats = job.in.size() / static_cast<std::size_t>(lanes);
    const std::uint64_t cycles = bench.last_write_cycle() - bench.enable_cycle();
    std::printf("%s: %d of %d lane(s), %llu beats, last write %llu cycles after OP_EN\n", p::name,
                lanes, kLanes, static_cast<unsigned long long>(beats),
                static_cast<unsigned long long>(cycles));
    EXPECT_LE(cycles, beats + more);
}

TEST(SdpSpeed, OneBeatPerCycle) { expect_speed({}, kLanes, 16); }

TEST(SdpSpeed, EwAtItsOwnSpeed) {
    if (!p::sdp_ew_enable) GTEST_SKIP();
    m::SdpEw ew;
    ew.bypass = false;
    ew.mul_bypass = false;
    ew.mul_from_memory = true;
    ew.truncate = 12;
    expect_speed(ew, kEwLanes, 40);
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
