/// Unit test of dla_pdp_rdma against its golden model: the requests, every element handed to PDP,
/// strips, the stall counter and the hand-over between layers, under no, random and worst-case
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
#include "verif/dla/model/pdp_rdma.hpp"

namespace {

namespace m = macrame::dla::model;
namespace p = dla_params;
namespace tb = macrame::tb;

using tb::kAtom;
constexpr int kLanes = p::pdp_throughput;

struct Job {
    m::PdpRdmaLayer layer;
    bool dma_en = true;
};

Job random_job(tb::Random& rnd) {
    Job job;
    m::PdpRdmaLayer& l = job.layer;
    l.width = rnd.in(1, 12);
    l.height = rnd.in(1, 4);
    l.precision = tb::random_type(rnd);
    l.channels = rnd.in(1, tb::elements_of_atom(l.precision) * 3);
    l.src_addr = tb::random_addr(rnd);
    l.line_stride = static_cast<std::uint32_t>((20 + rnd.in(0, 3)) * kAtom);
    l.surf_stride = rnd.chance(10) ? rnd.bits() / kAtom * kAtom
                                   : l.line_stride * static_cast<std::uint32_t>(l.height);
    l.kernel_width = rnd.in(1, 8);
    l.stride_x = rnd.chance(70) ? rnd.in(1, l.kernel_width) : rnd.in(1, 16);
    if (rnd.chance(50)) {
        // Every strip has a column, and the overlap is no longer than what there is before it.
        const int overlap = l.kernel_width - l.stride_x;
        const int least = std::max({1, overlap, 1 - overlap});
        l.strips = rnd.in(2, 5);
        l.in_first = least + rnd.in(0, 4);
        l.in_mid = least + rnd.in(0, 4);
        l.in_last = least + rnd.in(0, 4);
    }
    job.dma_en = rnd.chance(80);
    return job;
}

/// Beats are the addresses of their first elements.
class Bench : public tb::ReadBench<Job, std::uint64_t> {
public:
    Bench(tb::Stall stall, unsigned seed, int latency) : ReadBench(stall, seed, latency, 0x48) {
        start(dut().csb2pdp_rdma_valid, dut().pdp_rdma2csb_rdata);
    }

private:
    void program(const Job& job, int group) override;
    void expect(const Job& job) override;
    bool offers() override { return dut().pdp_rdma2pdp_valid; }
    void drive(Vdut& d) override;
    void sample(Vdut& d) override;
};

void Bench::expect(const Job& job) {
    for (const std::uint64_t atom : m::pdp_rdma_atoms(kAtom, job.layer)) {
        memory_.expect(tb::bus_addr(atom));
        for (int e = 0; e < kAtom; e += kLanes) {
            beats_.push_back(tb::bus_addr(atom) + static_cast<std::uint64_t>(e));
        }
    }
}

void Bench::drive(Vdut& d) {
    memory_.drive(d.pdp2mcif_rd_req_ready, d.mcif2pdp_rd_rsp_valid, d.mcif2pdp_rd_rsp_data);
    d.pdp_rdma2pdp_ready = !beats_.empty() && !refuses();
}

void Bench::sample(Vdut& d) {
    memory_.sample(d.pdp2mcif_rd_req_valid, d.pdp2mcif_rd_req_addr, d.pdp2mcif_rd_req_size);
    if (!d.pdp_rdma2pdp_valid || !d.pdp_rdma2pdp_ready) return;
    for (int i = 0; i < kLanes; ++i) {
        EXPECT_EQ(tb::get_bits(d.pdp_rdma2pdp_data, 8 * i, 8),
                  tb::memory_byte(beats_.front() + static_cast<std::uint64_t>(i)))
            << "cycle " << cycle();
    }
    taken();
}

void Bench::program(const Job& job, int group) {
    const auto u32 = [](auto v) { return static_cast<std::uint32_t>(v); };
    const m::PdpRdmaLayer& l = job.layer;
    const bool cut = l.strips > 1;
    write(0x04, u32(group));
    write(0x0c, cut ? random().bits() & 0x1fff : u32(l.width - 1));
    write(0x10, u32(l.height - 1));
    write(0x14, u32(l.channels - 1));
    write(0x18, 1);
    write(0x1c, u32(l.src_addr));
    write(0x20, u32(l.src_addr >> 32));
    write(0x24, l.line_stride);
    write(0x28, l.surf_stride);
    write(0x2c, 1);
    write(0x30, u32(l.precision));
    write(0x34, u32(l.strips - 1));
    write(0x38, u32(l.kernel_width - 1) | u32(l.stride_x - 1) << 4);
    write(0x40, cut ? u32(l.in_first - 1) | u32(l.in_last - 1) << 10 | u32(l.in_mid - 1) << 20
                    : random().bits());
    write(0x44, u32(job.dma_en));
    write(0x08, 1);
}

class PdpRdma : public ::testing::TestWithParam<tb::ReadCase> {};

TEST_P(PdpRdma, RandomLayers) { tb::run_random<Bench>(GetParam(), random_job); }

INSTANTIATE_TEST_SUITE_P(Stalls, PdpRdma, ::testing::ValuesIn(tb::kReadCases));

TEST(PdpRdmaSpeed, OneBeatPerCycle) {
    Job job;
    m::PdpRdmaLayer& l = job.layer;
    l.width = 32;
    l.height = 4;
    l.precision = p::int8 != 0 ? m::Precision::int8 : m::Precision::fp16;
    l.channels = 4 * tb::elements_of_atom(l.precision);
    l.line_stride = 32 * kAtom;
    l.surf_stride = 128 * kAtom;
    Bench bench(tb::Stall::kNone, 7, p::primary_memif_latency + 6);  // memory, memory interface
    bench.run({job});
    EXPECT_EQ(bench.last_cycle - bench.first_cycle + 1, 32u * 4 * 4 * kAtom / kLanes);
}

}  // namespace
