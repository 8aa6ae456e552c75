/// Unit test of dla_cdp_rdma against the definition: the requests, every element handed to CDP with
/// its flags, the stall counter and the hand-over between layers, under no, random and worst-case
/// stalls and latencies.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "Vdut.h"
#include "dla_params.hpp"
#include "tb/common/ports.hpp"
#include "tb/dla/unit/read_bench.hpp"
#include "tb/dla/unit/type_stimulus.hpp"
#include "verif/dla/model/cube.hpp"

namespace {

namespace m = macrame::dla::model;
namespace p = dla_params;
namespace tb = macrame::tb;

using tb::kAtom;
constexpr int kLanes = p::cdp_throughput;

struct Job {
    int width = 1, height = 1, channels = 1;
    m::Precision precision = m::Precision::int8;
    std::uint64_t addr = 0;
    std::uint32_t line = 0, surf = 0;
    bool dma_en = true;

    int surfaces() const { return tb::atoms_of_pixel(precision, channels); }
};

Job random_job(tb::Random& rnd) {
    Job job;
    job.width = rnd.in(1, 7);
    job.height = rnd.in(1, 4);
    job.precision = tb::random_type(rnd);
    job.channels = rnd.in(1, tb::elements_of_atom(job.precision) * 4);
    job.addr = tb::random_addr(rnd);
    job.line = static_cast<std::uint32_t>((job.width + rnd.in(0, 3)) * kAtom);
    job.surf = rnd.chance(10) ? rnd.bits() / kAtom * kAtom
                              : job.line * static_cast<std::uint32_t>(job.height);
    job.dma_en = rnd.chance(80);
    return job;
}

struct Beat {
    std::uint64_t addr;
    std::uint32_t mask;
    bool first, last, line, end;
};

class Bench : public tb::ReadBench<Job, Beat> {
public:
    Bench(tb::Stall stall, unsigned seed, int latency) : ReadBench(stall, seed, latency, 0x3c) {
        start(dut().csb2cdp_rdma_valid, dut().cdp_rdma2csb_rdata);
    }

private:
    void program(const Job& job, int group) override;
    void expect(const Job& job) override;
    bool offers() override { return dut().cdp_rdma2cdp_valid; }
    void drive(Vdut& d) override;
    void sample(Vdut& d) override;
};

void Bench::expect(const Job& job) {
    const auto u64 = [](int v) { return static_cast<std::uint64_t>(v); };
    for (int h = 0; h < job.height; ++h) {
        for (int w = 0; w < job.width; ++w) {
            for (int s = 0; s < job.surfaces(); ++s) {
                const std::uint64_t addr =
                    tb::bus_addr(m::atom_address(kAtom, job.addr, job.line, job.surf, s, h, w));
                memory_.expect(addr);
                const bool last = s + 1 == job.surfaces();
                const bool line = last && w + 1 == job.width;
                for (int e = 0; e < kAtom; e += kLanes) {
                    std::uint32_t mask = 0;
                    for (int i = 0; i < kLanes; ++i) {
                        if (s * kAtom + e + i < job.channels * m::bytes_of(job.precision))
                            mask |= 1u << i;
                    }
                    beats_.push_back({addr + u64(e), mask, s == 0 && e == 0,
                                      last && e + kLanes == kAtom, line,
                                      line && h + 1 == job.height});
                }
            }
        }
    }
}

void Bench::drive(Vdut& d) {
    memory_.drive(d.cdp2mcif_rd_req_ready, d.mcif2cdp_rd_rsp_valid, d.mcif2cdp_rd_rsp_data);
    d.cdp_rdma2cdp_ready = !beats_.empty() && !refuses();
}

void Bench::sample(Vdut& d) {
    memory_.sample(d.cdp2mcif_rd_req_valid, d.cdp2mcif_rd_req_addr, d.cdp2mcif_rd_req_size);
    if (d.cdp2mcif_rd_req_valid) {
        EXPECT_EQ(d.cdp2mcif_rd_req_size, 0);
    }
    if (!d.cdp_rdma2cdp_valid || !d.cdp_rdma2cdp_ready) return;
    const Beat& want = beats_.front();
    for (int i = 0; i < kLanes; ++i) {
        EXPECT_EQ(tb::get_bits(d.cdp_rdma2cdp_data, 8 * i, 8),
                  tb::memory_byte(want.addr + static_cast<std::uint64_t>(i)))
            << "cycle " << cycle();
    }
    EXPECT_EQ(d.cdp_rdma2cdp_mask, want.mask) << "cycle " << cycle();
    EXPECT_EQ(bool(d.cdp_rdma2cdp_first), want.first);
    EXPECT_EQ(bool(d.cdp_rdma2cdp_last), want.last);
    if (want.last) {
        EXPECT_EQ(bool(d.cdp_rdma2cdp_line), want.line);
        EXPECT_EQ(bool(d.cdp_rdma2cdp_end), want.end);
    }
    taken();
}

void Bench::program(const Job& job, int group) {
    const auto u32 = [](auto v) { return static_cast<std::uint32_t>(v); };
    write(0x04, u32(group));
    write(0x0c, u32(job.width - 1));
    write(0x10, u32(job.height - 1));
    write(0x14, u32(job.channels - 1));
    write(0x18, u32(job.addr));
    write(0x1c, u32(job.addr >> 32));
    write(0x20, job.line);
    write(0x24, job.surf);
    write(0x28, 1);
    write(0x34, u32(job.precision));
    write(0x38, u32(job.dma_en));
    write(0x08, 1);
}

class CdpRdma : public ::testing::TestWithParam<tb::ReadCase> {};

TEST_P(CdpRdma, RandomLayers) { tb::run_random<Bench>(GetParam(), random_job); }

INSTANTIATE_TEST_SUITE_P(Stalls, CdpRdma, ::testing::ValuesIn(tb::kReadCases));

TEST(CdpRdmaSpeed, OneBeatPerCycle) {
    Job job;
    job.width = 32;
    job.height = 4;
    job.precision = p::int8 != 0 ? m::Precision::int8 : m::Precision::fp16;
    job.channels = 4 * tb::elements_of_atom(job.precision);
    job.line = 32 * kAtom;
    job.surf = 128 * kAtom;
    Bench bench(tb::Stall::kNone, 7, std::min(60, 28 * kAtom / kLanes));
    bench.run({job});
    EXPECT_EQ(bench.last_cycle - bench.first_cycle + 1, 32u * 4 * 4 * kAtom / kLanes);
}

}  // namespace
