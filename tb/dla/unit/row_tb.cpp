/// Unit test of dla_row against its golden model: every request and every written atom of random
/// layers in all modes, interrupts, stall counters; under no, random and worst-case stalls and
/// latencies. Speed of long rows.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "Vdut.h"
#include "dla_params.hpp"
#include "tb/dla/unit/mcif_stub.hpp"
#include "tb/dla/unit/unit_bench.hpp"
#include "verif/dla/model/row.hpp"

namespace {

namespace m = macrame::dla::model;
namespace p = dla_params;
namespace tb = macrame::tb;

struct Job {
    m::RowLayer layer;
    bool perf_en = true;
};

Job random_job(tb::Random& rnd) {
    Job job;
    m::RowLayer& l = job.layer;
    m::RowSettings& s = l.settings;
    s.mode = static_cast<m::RowMode>(rnd.in(0, 2));
    s.in_offset = rnd.chance(50) ? 0 : rnd.in(-128, 127);
    s.out_offset = rnd.chance(50) ? -128 : rnd.in(-128, 127);
    s.shift = rnd.chance(80) ? rnd.in(18, 40) : rnd.in(0, 63);
    s.epsilon = rnd.chance(30) ? rnd.bits() : static_cast<std::uint32_t>(rnd.in(1, 5000));
    l.channels = rnd.chance(10)   ? p::row_length - rnd.in(0, 9)
                 : rnd.chance(30) ? rnd.in(1, 4)
                                  : rnd.in(1, 5 * tb::kAtom);
    const bool wide = l.channels > 5 * tb::kAtom;
    l.width = rnd.in(1, wide ? 2 : 6);
    l.height = rnd.in(1, wide ? 1 : 3);
    l.src_addr = tb::random_addr(rnd);
    l.operand_addr = tb::random_addr(rnd);
    l.dst_addr = tb::random_addr(rnd);
    l.src_ram_type = rnd.bits() & 1u;
    l.dst_ram_type = rnd.bits() & 1u;
    for (std::uint32_t* stride : {&l.src_line, &l.src_surf, &l.dst_line, &l.dst_surf})
        *stride = rnd.bits() / tb::kAtom * tb::kAtom;
    job.perf_en = rnd.chance(80);
    return job;
}

/// Layers of which some keep the records of the one before.
std::vector<Job> random_jobs(tb::Random& rnd, int count) {
    std::vector<Job> jobs = tb::random_jobs(rnd, count, random_job);
    for (std::size_t i = 1; i < jobs.size(); ++i) {
        const m::RowLayer& before = jobs[i - 1].layer;
        m::RowLayer& l = jobs[i].layer;
        if (!rnd.chance(25)) continue;
        l.keep = true;
        l.settings.mode = before.settings.mode;
        l.channels = std::min(l.channels, before.channels);
    }
    return jobs;
}

class Bench : public tb::UnitBench {
public:
    Bench(tb::Stall stall, unsigned seed, int latency)
        : UnitBench(stall, seed), reads_(*this, latency), writes_(*this) {
        start(dut().csb2row_valid, dut().row2csb_rdata);
    }

    void run(const std::vector<Job>& jobs) {
        run_layers(
            jobs.size(),
            [&](std::size_t i) {
                expect(jobs[i].layer);
                program(jobs[i], static_cast<int>(i % 2));
                wait_for([&] { return bus_idle(); }, "no access");
            },
            [&](std::size_t i) {
                EXPECT_EQ(read(0x60), jobs[i].perf_en ? rd_stalls_[i] : 0) << "layer " << i;
                EXPECT_EQ(read(0x64), jobs[i].perf_en ? writes_.stalls(i) : 0) << "layer " << i;
            });
        wait_for([&] { return writes_.layers_done == jobs.size(); }, "interrupt missing");
        EXPECT_TRUE(reads_.idle());
        EXPECT_TRUE(writes_.idle());
    }

    std::uint64_t first_write = 0;
    std::uint64_t last_write() const { return writes_.last_write; }

private:
    struct Ports {
        bool src, dst;
    };

    void program(const Job& job, int group);
    /// The model tells in which order atoms are read and written.
    void expect(const m::RowLayer& l);
    void drive(Vdut& d) override {
        reads_.drive(d.row2mcif_rd_req_ready, d.mcif2row_rd_rsp_valid, d.mcif2row_rd_rsp_data);
        writes_.drive(d.row2mcif_wr_req_ready, d.mcif2row_wr_rsp_complete);
    }
    void sample(Vdut& d) override;
    template <typename Dut>
    void sample_ports(const Dut& d);

    tb::ReadStub reads_;
    tb::WriteStub writes_;
    std::vector<m::RowRecord> records_;
    std::vector<Ports> ports_;              // by layer
    std::vector<std::uint64_t> rd_stalls_;  // the same
    std::size_t layer_ = 0;                 // that runs
};

void Bench::expect(const m::RowLayer& l) {
    m::row_layer(
        tb::kAtom, l, records_,
        [&](std::uint64_t addr, std::uint8_t* to, std::size_t count) {
            reads_.expect(tb::bus_addr(addr));
            tb::memory_read(addr, to, count);
        },
        [&](std::uint64_t addr, const std::uint8_t* from, std::size_t) {
            writes_.expect(addr, reinterpret_cast<const std::int8_t*>(from));
        });
    writes_.end_layer();
    ports_.push_back({l.src_ram_type != 0, l.dst_ram_type != 0});
    rd_stalls_.push_back(0);
}

void Bench::program(const Job& job, int group) {
    const m::RowLayer& l = job.layer;
    const m::RowSettings& s = l.settings;
    const auto u32 = [](auto v) { return static_cast<std::uint32_t>(v); };
    const auto mode = u32(s.mode);
    write(0x04, u32(group));
    write(0x0c, (mode == 2 ? 2 + (random().bits() & 1u) : mode) | u32(l.keep) << 8);
    write(0x10, u32(l.width - 1));
    write(0x14, u32(l.height - 1));
    write(0x18, u32(l.channels - 1));
    write(0x1c, l.src_ram_type);
    write(0x20, u32(l.src_addr) | (random().bits() & (tb::kAtom - 1)));
    write(0x24, u32(l.src_addr >> 32));
    write(0x28, l.src_line);
    write(0x2c, l.src_surf);
    write(0x30, u32(l.operand_addr));
    write(0x34, u32(l.operand_addr >> 32));
    write(0x38, l.dst_ram_type);
    write(0x3c, u32(l.dst_addr));
    write(0x40, u32(l.dst_addr >> 32));
    write(0x44, l.dst_line);
    write(0x48, l.dst_surf);
    write(0x4c, u32(s.in_offset) & 0xffu);
    write(0x50, u32(s.out_offset) & 0xffu);
    write(0x54, u32(s.shift));
    write(0x58, s.epsilon);
    write(0x5c, u32(job.perf_en));
    write(0x08, 1);
}

/// Only designs with a second memory port have these outputs.
template <typename Dut>
void Bench::sample_ports(const Dut& d) {
    if constexpr (p::secondary_memif_enable != 0) {
        if (d.row2mcif_rd_req_valid) {
            EXPECT_EQ(d.row2mcif_rd_ram_type != 0, ports_[layer_].src) << layer_;
        }
        if (d.row2mcif_wr_req_valid) {
            EXPECT_EQ(d.row2mcif_wr_ram_type != 0, ports_[layer_].dst) << layer_;
        }
    }
}

void Bench::sample(Vdut& d) {
    reads_.sample(d.row2mcif_rd_req_valid, d.row2mcif_rd_req_addr, d.row2mcif_rd_req_size);
    writes_.sample(d.row2mcif_wr_req_valid, d.row2mcif_wr_req_addr, d.row2mcif_wr_req_data,
                   d.row2mcif_wr_req_last, d.row2glb_done);
    if (::testing::Test::HasFailure()) return;
    sample_ports(d);
    if (d.row2mcif_rd_req_valid && !d.row2mcif_rd_req_ready) ++rd_stalls_[layer_];
    if (!d.row2mcif_wr_req_valid || !d.row2mcif_wr_req_ready) return;
    if (first_write == 0) first_write = cycle();
    if (d.row2mcif_wr_req_last) ++layer_;
}

class Row : public ::testing::TestWithParam<tb::ReadCase> {};

TEST_P(Row, RandomLayers) {
    const tb::ReadCase& c = GetParam();
    tb::say_seed(c.seed);
    tb::Random rnd(c.seed);
    Bench(c.stall, c.seed, c.latency).run(random_jobs(rnd, c.layers));
}

INSTANTIATE_TEST_SUITE_P(Stalls, Row, ::testing::ValuesIn(tb::kReadCases));

/// Rows follow each other without a gap if they are longer than the solver takes for one.
TEST(RowSpeed, OneBeatPerCycle) {
    constexpr int kBeats = 128, kRows = 20;
    if (kBeats * p::row_throughput > p::row_length) GTEST_SKIP();
    for (const m::RowMode mode : {m::RowMode::softmax, m::RowMode::layer_norm}) {
        tb::Random rnd(5);
        Job job = random_job(rnd);
        job.layer.settings.mode = mode;
        job.layer.width = kRows;
        job.layer.height = 1;
        job.layer.channels = kBeats * p::row_throughput;
        Bench bench(tb::Stall::kNone, 7, std::min<int>(p::primary_memif_latency, 128) + 6);
        bench.run({job});
        const std::uint64_t cycles = bench.last_write() - bench.first_write;
        EXPECT_LE(cycles, kRows * kBeats + kBeats / 8) << static_cast<int>(mode);
    }
}

}  // namespace
