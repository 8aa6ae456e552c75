/// Unit test of dla_sdp_rdma against its golden model, and of the model against the definition:
/// every element and operand handed to SDP, the requests, stall counters and the hand-over between
/// layers, under no, random and worst-case stalls and latencies.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "Vdut.h"
#include "dla_params.hpp"
#include "tb/common/ports.hpp"
#include "tb/dla/unit/mcif_stub.hpp"
#include "tb/dla/unit/unit_bench.hpp"
#include "verif/dla/model/sdp_rdma.hpp"

namespace {

namespace m = macrame::dla::model;
namespace p = dla_params;
namespace tb = macrame::tb;
namespace text = macrame::verif::text;

using tb::kAtom, tb::kAtomZ;
constexpr int kLanes = p::sdp_lanes;
constexpr std::size_t kLanesZ = p::sdp_lanes;

m::SdpOperandSource random_source(tb::Random& rnd, const m::SdpRdmaLayer& l) {
    m::SdpOperandSource op;
    op.enable = rnd.chance(70);
    op.data_use = rnd.in(0, 2);
    op.two_byte = rnd.chance(50) || l.proc != m::Precision::int8;
    op.per_element = rnd.chance(50);
    op.addr = tb::random_addr(rnd);
    const int pixel = l.elements(kAtom) * op.record_bytes();
    op.line_stride = static_cast<std::uint32_t>(l.width * pixel + rnd.in(0, 3) * kAtom);
    op.surf_stride = rnd.chance(10) ? rnd.bits() / kAtom * kAtom
                                    : op.line_stride * static_cast<std::uint32_t>(l.height);
    return op;
}

struct Job {
    m::SdpRdmaLayer layer;
    bool dma_en = true, nan_en = true;
};

m::Precision random_type(tb::Random& rnd) {
    std::vector<m::Precision> all;
    if (p::int8) all.push_back(m::Precision::int8);
    if (p::int16) all.push_back(m::Precision::int16);
    if (p::fp16) all.push_back(m::Precision::fp16);
    return all[static_cast<std::size_t>(rnd.in(0, static_cast<int>(all.size()) - 1))];
}

Job random_job(tb::Random& rnd) {
    Job job;
    m::SdpRdmaLayer& l = job.layer;
    const bool dot = rnd.chance(20);
    l.width = dot ? 1 : rnd.chance(15) ? rnd.in(1, 40) : rnd.in(1, 7);
    l.height = dot ? 1 : rnd.in(1, 5);
    l.channels = rnd.in(1, kAtom * (dot ? 12 : 3));
    l.flying = rnd.chance(40);
    l.proc = random_type(rnd);
    l.in = m::sdp_in_precision(l.proc, p::int16 ? random_type(rnd) : l.proc);
    if (p::winograd_enable && rnd.chance(30)) {
        l.winograd = l.flying = true;
        l.width = 2 * rnd.in(1, 6);
        l.height = 4 * rnd.in(1, 3);
    }
    l.src_addr = tb::random_addr(rnd);
    l.line_stride = static_cast<std::uint32_t>((l.width + rnd.in(0, 3)) * kAtom);
    l.surf_stride = rnd.chance(10) ? rnd.bits() / kAtom * kAtom
                                   : l.line_stride * static_cast<std::uint32_t>(l.height);
    if (p::sdp_bs_enable) l.bs = random_source(rnd, l);
    if (p::sdp_bn_enable) l.bn = random_source(rnd, l);
    if (p::sdp_ew_enable) l.ew = random_source(rnd, l);
    job.dma_en = rnd.chance(80);
    job.nan_en = rnd.chance(80);
    return job;
}

/// One read channel: memory and what SDP gets.
struct Channel {
    Channel(const char* name_, tb::UnitBench& bench, int latency)
        : name(name_), memory(bench, latency) {}

    struct Beat {
        std::vector<m::SdpOperand> elements;
        bool once;
    };
    const char* name;
    tb::ReadStub memory;
    std::deque<Beat> beats;
    std::uint64_t last_cycle = 0, first_cycle = 0;
};

class Bench : public tb::UnitBench {
public:
    Bench(tb::Stall stall, unsigned seed, int latency)
        : UnitBench(stall, seed),
          m_("m", *this, latency),
          b_("b", *this, latency),
          n_("n", *this, latency),
          e_("e", *this, latency) {
        start(dut().csb2sdp_rdma_valid, dut().sdp_rdma2csb_rdata);
    }

    void run(const std::vector<Job>& jobs);
    const Channel& m() const { return m_; }
    const Channel& b() const { return b_; }
    std::uint64_t enable_cycle() const { return enable_; }

private:
    void program(const Job& job, int group);
    void expect(const Job& job);
    void drive(Vdut& d) override { drive_channels(d); }
    void sample(Vdut& d) override { sample_channels(d); }
    template <typename D>
    void drive_channels(D& d);
    template <typename D>
    void sample_channels(D& d);
    template <typename D>
    void expect_nothing(const D& d);
    void offer(Channel& c, CData& ready) { ready = !c.beats.empty() && !refuses(); }
    template <typename Alu, typename Mul>
    void handed_over(Channel& c, bool valid, bool ready, bool once, int width, const Alu& alu,
                     const Mul& mul);

    Channel m_, b_, n_, e_;
    m::SdpInputCounts counts_;  // of the latest layer
    std::uint64_t enable_ = 0;
};

void Bench::program(const Job& job, int group) {
    const m::SdpRdmaLayer& l = job.layer;
    const auto u32 = [](auto v) { return static_cast<std::uint32_t>(v); };
    write(0x04, u32(group));
    write(0x0c, u32(l.width - 1));
    write(0x10, u32(l.height - 1));
    write(0x14, u32(l.channels - 1));
    write(0x18, u32(l.src_addr));
    write(0x1c, u32(l.src_addr >> 32));
    write(0x20, l.line_stride);
    write(0x24, l.surf_stride);
    int at = 0x28;
    for (const m::SdpOperandSource* op : {&l.bs, &l.bn, &l.ew}) {
        if (op == &l.ew && !p::sdp_ew_enable) continue;
        write(at, u32(!op->enable) | u32(op->data_use) << 1 | u32(op->two_byte) << 3 |
                      u32(op->per_element) << 4 | 1u << 5);
        write(at + 4, u32(op->addr));
        write(at + 8, u32(op->addr >> 32));
        write(at + 12, op->line_stride);
        write(at + 16, op->surf_stride);
        write(at + 20, random().bits());
        at += 0x18;
    }
    if (!p::sdp_ew_enable) write(0x58, 1);
    write(0x70, u32(l.flying) | u32(l.winograd) << 1 | u32(l.in) << 2 | u32(l.proc) << 4);
    write(0x74, 1);
    write(0x80, u32(job.dma_en) | u32(job.nan_en) << 1);
    write(0x08, 1);
}

void Bench::expect(const Job& job) {
    const m::SdpRdmaLayer& l = job.layer;
    // Operands per channel are handed over for the first pixel of a surface.
    const auto add = [&](Channel& c, const std::vector<m::SdpOperand>& elements, bool once) {
        const auto pixel = static_cast<std::size_t>(l.elements(kAtom));
        const std::size_t per_surface = static_cast<std::size_t>(l.width * l.height) * pixel;
        for (std::size_t i = 0; i < elements.size(); i += kLanesZ) {
            if (!once && i % per_surface >= pixel) continue;
            const auto from = elements.begin() + static_cast<std::ptrdiff_t>(i);
            c.beats.push_back({{from, from + kLanes}, once});
        }
    };
    std::vector<m::SdpOperand> main;
    const std::vector<std::int32_t> elements = m::sdp_read_main(kAtom, l, tb::memory_read);
    for (const std::int32_t v : elements)
        main.push_back({static_cast<std::int16_t>(v), 0});
    const bool counts = job.nan_en && l.in == m::Precision::fp16;
    counts_ = counts ? m::sdp_count_input(elements) : m::SdpInputCounts{};
    add(m_, main, true);
    add(b_, m::sdp_read_operands(kAtom, l, l.bs, tb::memory_read), l.bs.per_element);
    add(n_, m::sdp_read_operands(kAtom, l, l.bn, tb::memory_read), l.bn.per_element);
    add(e_, m::sdp_read_operands(kAtom, l, l.ew, tb::memory_read), l.ew.per_element);
}

template <typename D>
void Bench::drive_channels(D& d) {
    if (d.csb2sdp_rdma_valid && d.csb_write && d.csb_addr == 0x08 / 4) enable_ = cycle();
    m_.memory.drive(d.sdp2mcif_rd_req_ready, d.mcif2sdp_rd_rsp_valid, d.mcif2sdp_rd_rsp_data);
    offer(m_, d.sdp_rdma2sdp_m_ready);
    if constexpr (p::sdp_bs_enable) {
        b_.memory.drive(d.sdp_b2mcif_rd_req_ready, d.mcif2sdp_b_rd_rsp_valid,
                        d.mcif2sdp_b_rd_rsp_data);
        offer(b_, d.sdp_rdma2sdp_b_ready);
    }
    if constexpr (p::sdp_bn_enable) {
        n_.memory.drive(d.sdp_n2mcif_rd_req_ready, d.mcif2sdp_n_rd_rsp_valid,
                        d.mcif2sdp_n_rd_rsp_data);
        offer(n_, d.sdp_rdma2sdp_n_ready);
    }
    if constexpr (p::sdp_ew_enable) {
        e_.memory.drive(d.sdp_e2mcif_rd_req_ready, d.mcif2sdp_e_rd_rsp_valid,
                        d.mcif2sdp_e_rd_rsp_data);
        offer(e_, d.sdp_rdma2sdp_e_ready);
    }
}

template <typename Alu, typename Mul>
void Bench::handed_over(Channel& c, bool valid, bool ready, bool once, int width, const Alu& alu,
                        const Mul& mul) {
    if (!valid || !ready) return;
    const Channel::Beat& want = c.beats.front();
    EXPECT_EQ(once, want.once) << c.name << " cycle " << cycle();
    for (std::size_t i = 0; i < kLanesZ; ++i) {
        const int lo = width * static_cast<int>(i);
        const auto mask = width == 8 ? 0xffu : 0xffffu;
        EXPECT_EQ(tb::get_bits(alu, lo, width),
                  static_cast<std::uint32_t>(want.elements[i].alu) & mask)
            << c.name << " lane " << i << " cycle " << cycle();
        if (&c != &m_) {
            EXPECT_EQ(tb::get_bits(mul, lo, width),
                      static_cast<std::uint32_t>(want.elements[i].mul) & mask)
                << c.name << " lane " << i << " cycle " << cycle();
        }
    }
    if (c.first_cycle == 0) c.first_cycle = cycle();
    c.last_cycle = cycle();
    c.beats.pop_front();
}

template <typename D>
void Bench::sample_channels(D& d) {
    m_.memory.sample(d.sdp2mcif_rd_req_valid, d.sdp2mcif_rd_req_addr, d.sdp2mcif_rd_req_size);
    handed_over(m_, d.sdp_rdma2sdp_m_valid, d.sdp_rdma2sdp_m_ready, true, p::lane_bits,
                d.sdp_rdma2sdp_m_data, d.sdp_rdma2sdp_m_data);
    if constexpr (p::sdp_bs_enable) {
        b_.memory.sample(d.sdp_b2mcif_rd_req_valid, d.sdp_b2mcif_rd_req_addr,
                         d.sdp_b2mcif_rd_req_size);
        handed_over(b_, d.sdp_rdma2sdp_b_valid, d.sdp_rdma2sdp_b_ready, d.sdp_rdma2sdp_b_once, 16,
                    d.sdp_rdma2sdp_b_alu, d.sdp_rdma2sdp_b_mul);
    }
    if constexpr (p::sdp_bn_enable) {
        n_.memory.sample(d.sdp_n2mcif_rd_req_valid, d.sdp_n2mcif_rd_req_addr,
                         d.sdp_n2mcif_rd_req_size);
        handed_over(n_, d.sdp_rdma2sdp_n_valid, d.sdp_rdma2sdp_n_ready, d.sdp_rdma2sdp_n_once, 16,
                    d.sdp_rdma2sdp_n_alu, d.sdp_rdma2sdp_n_mul);
    }
    if constexpr (p::sdp_ew_enable) {
        e_.memory.sample(d.sdp_e2mcif_rd_req_valid, d.sdp_e2mcif_rd_req_addr,
                         d.sdp_e2mcif_rd_req_size);
        handed_over(e_, d.sdp_rdma2sdp_e_valid, d.sdp_rdma2sdp_e_ready, d.sdp_rdma2sdp_e_once, 16,
                    d.sdp_rdma2sdp_e_alu, d.sdp_rdma2sdp_e_mul);
    }
}

template <typename D>
void Bench::expect_nothing(const D& d) {
    const auto none = [](const Channel& c, bool valid) {
        EXPECT_FALSE(valid) << c.name << ": more data than asked for";
    };
    none(m_, d.sdp_rdma2sdp_m_valid);
    if constexpr (p::sdp_bs_enable) none(b_, d.sdp_rdma2sdp_b_valid);
    if constexpr (p::sdp_bn_enable) none(n_, d.sdp_rdma2sdp_n_valid);
    if constexpr (p::sdp_ew_enable) none(e_, d.sdp_rdma2sdp_e_valid);
}

/// Programs one layer after the other: half of them as soon as the one before has ended, when the
/// channels still hold its data; the others when all of it was taken, as nothing but the unit
/// itself keeps its clock running until then.
void Bench::run(const std::vector<Job>& jobs) {
    const auto all_of = [&](auto is_true) {
        return is_true(m_) && is_true(b_) && is_true(n_) && is_true(e_);
    };
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        expect(jobs[i]);
        for (Channel* c : {&m_, &b_, &n_, &e_})
            c->memory.stalls = 0;
        program(jobs[i], static_cast<int>(i % 2));
        wait_for_layer(i);
        if (::testing::Test::HasFailure()) return;
        int counter = 0x84;
        for (const Channel* c : {&m_, &b_, &n_, &e_}) {
            EXPECT_EQ(read(counter), jobs[i].dma_en ? c->memory.stalls : 0) << c->name << " " << i;
            counter += 4;
        }
        EXPECT_EQ(read(0x78), counts_.nans) << "NaN, layer " << i;
        EXPECT_EQ(read(0x7c), counts_.infs) << "Inf, layer " << i;
        if (i + 1 < jobs.size() && random().chance(50)) continue;
        wait_for([&] { return all_of([](const Channel& c) { return c.beats.empty(); }); },
                 "beats missing");
    }
    for (int i = 0; i < 100; ++i)
        tick();
    EXPECT_TRUE(all_of([](const Channel& c) { return c.memory.idle(); }));
    expect_nothing(dut());
}

// ---------------------------------------------------------------- tests

TEST(SdpRdmaModel, AddressesFollowTheDefinition) {
    tb::Random rnd(3);
    for (int i = 0; i < 2000; ++i) {
        const Job job = random_job(rnd);
        const m::SdpRdmaLayer& l = job.layer;
        const m::SdpOperandSource op = random_source(rnd, l);
        const std::uint64_t kb = (op.data_use == 2 ? 2u : 1u) * (op.two_byte ? 2u : 1u);
        const auto elements = static_cast<std::uint64_t>(l.elements(kAtom));
        const std::uint64_t r = elements * kb;
        const int s = rnd.in(0, 5), e = rnd.in(0, l.elements(kAtom) - 1);
        const int h = rnd.in(0, l.height - 1), w = rnd.in(0, l.width - 1);
        const auto z = [](int v) { return static_cast<std::uint64_t>(v); };
        std::uint64_t want = op.addr + z(s) * op.surf_stride + z(h) * op.line_stride;
        want += z(w) * r + z(e) * kb;
        if (l.width == 1 && l.height == 1) want = op.addr + z(s) * r + z(e) * kb;
        if (!op.per_element) want = op.addr + (z(s) * elements + z(e)) * kb;
        ASSERT_EQ(m::sdp_operand_addr(kAtom, l, op, s, h, w, e), want);
    }
    const std::uint8_t record[4] = {0x80, 0x7f, 0x01, 0xff};
    m::SdpOperandSource op;
    EXPECT_EQ(m::sdp_decode_operand(op, record).mul, -128);
    op.data_use = m::kUseBoth;
    EXPECT_EQ(m::sdp_decode_operand(op, record).alu, -128);
    EXPECT_EQ(m::sdp_decode_operand(op, record).mul, 127);
    op.two_byte = true;
    EXPECT_EQ(m::sdp_decode_operand(op, record).alu, 0x7f80);
    EXPECT_EQ(m::sdp_decode_operand(op, record).mul, -255);
}

class SdpRdma : public ::testing::TestWithParam<tb::ReadCase> {};

TEST_P(SdpRdma, RandomLayers) { tb::run_random<Bench>(GetParam(), random_job); }

INSTANTIATE_TEST_SUITE_P(Stalls, SdpRdma, ::testing::ValuesIn(tb::kReadCases));

Job fast_job(int data_use, bool two_byte, bool per_element) {
    Job job;
    m::SdpRdmaLayer& l = job.layer;
    l.proc = l.in = p::int8 ? m::Precision::int8 : m::Precision::fp16;
    l.width = 32;
    l.height = 4;
    l.channels = 4 * kAtom;
    l.line_stride = 32 * kAtom;
    l.surf_stride = 128 * kAtom;
    if (p::sdp_bs_enable) {
        l.bs.enable = true;
        l.bs.data_use = data_use;
        l.bs.two_byte = two_byte;
        l.bs.per_element = per_element;
        l.bs.addr = 0x100000;
        l.bs.line_stride = static_cast<std::uint32_t>(32 * kAtom * l.bs.record_bytes());
        l.bs.surf_stride = 4 * l.bs.line_stride;
    }
    return job;
}

/// One beat per cycle at a latency that the FIFOs cover, as far as memory gives an atom per cycle.
TEST(SdpRdmaSpeed, OneBeatPerCycle) {
    for (const int kind : {0, 1, 2, 3}) {
        const bool per_element = kind != 0;
        const int record = kind == 0 ? 4 : 1 << (kind - 1);
        if (record == 1 && !p::int8) continue;
        const Job job = fast_job(record == 1 ? 0 : record == 4 ? 2 : 1, record >= 2, per_element);
        const int per_cycle = std::min(kLanes * (per_element ? record : 1), kAtom);
        const int latency = std::min(p::sdp_m_fifo_depth * kAtom / (kLanes * (p::int8 ? 1 : 2)),
                                     p::sdp_b_fifo_depth * kAtom / per_cycle) *
                                3 / 4 -
                            4;
        Bench bench(tb::Stall::kNone, 7, latency);
        bench.run({job});
        const std::uint64_t beats = 32 * 4 * 4 * kAtomZ / kLanesZ;
        const auto cycles = [](const Channel& c) { return c.last_cycle - c.first_cycle + 1; };
        macrame::verif::run::print(std::string(p::name) + " record " + text::shortest(record) +
                                   ": latency " + text::shortest(latency) + ", first beat " +
                                   text::shortest(bench.m().first_cycle - bench.enable_cycle()) +
                                   ", " + text::shortest(beats) + " beats in " +
                                   text::shortest(cycles(bench.m())) + ", " +
                                   text::shortest(cycles(bench.b())) + " cycles\n");
        EXPECT_EQ(cycles(bench.m()), beats);
        if (p::sdp_bs_enable && per_element && kLanes * record <= kAtom) {
            EXPECT_EQ(cycles(bench.b()), beats);
        }
    }
}

}  // namespace
