/// Unit test of dla_rubik against its golden model: every request and every written atom of random
/// layers in all modes and element types that the configuration has, interrupts, stall counters;
/// under no, random and worst-case stalls and latencies.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "Vdut.h"
#include "dla_params.hpp"
#include "tb/dla/unit/mcif_stub.hpp"
#include "tb/dla/unit/unit_bench.hpp"
#include "verif/dla/model/rubik.hpp"

namespace {

namespace m = macrame::dla::model;
namespace p = dla_params;
namespace tb = macrame::tb;

constexpr bool kInt8 = p::int8 != 0, kWide = p::types16 != 0;
constexpr bool kContract = p::rubik_contract_enable != 0, kReshape = p::rubik_reshape_enable != 0;

struct Job {
    m::RubikLayer layer;
    bool perf_en = true;
};

m::RubikMode random_mode(tb::Random& rnd) {
    if (!kReshape || (kContract && rnd.chance(40))) return m::RubikMode::contract;
    return rnd.chance(50) ? m::RubikMode::split : m::RubikMode::merge;
}

Job random_job(tb::Random& rnd) {
    Job job;
    m::RubikLayer& l = job.layer;
    l.mode = random_mode(rnd);
    l.element_bytes = kWide && (!kInt8 || rnd.chance(50)) ? 2 : 1;
    const int elements = tb::kAtom / l.element_bytes;
    const bool contract = l.mode == m::RubikMode::contract;
    l.width = rnd.chance(30) ? rnd.in(1, 4) : rnd.in(1, contract ? 12 : 5 * elements / 2);
    l.height = rnd.in(1, 3);
    l.channels = rnd.chance(30) ? rnd.in(1, 4) : rnd.in(1, 3 * elements);
    l.stride_x = rnd.chance(60) ? rnd.in(1, 3) : rnd.in(1, contract ? 8 : 32);
    l.stride_y = rnd.chance(80) ? rnd.in(1, 3) : rnd.in(1, contract ? 6 : 32);
    l.src_addr = tb::random_addr(rnd) / 32 * 32;
    l.dst_addr = tb::random_addr(rnd) / 32 * 32;
    l.src_ram_type = rnd.bits() & 1u;
    l.dst_ram_type = rnd.bits() & 1u;
    for (std::uint32_t* stride : {&l.src_line, &l.src_surf, &l.src_planar, &l.dst_line, &l.dst_surf,
                                  &l.dst_planar, &l.contract}) {
        *stride = rnd.bits() / 32 * 32;
    }
    job.perf_en = rnd.chance(80);
    return job;
}

class Bench : public tb::UnitBench {
public:
    Bench(tb::Stall stall, unsigned seed, int latency)
        : UnitBench(stall, seed), reads_(*this, latency), writes_(*this) {
        start(dut().csb2rubik_valid, dut().rubik2csb_rdata);
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
                EXPECT_EQ(read(0x5c), jobs[i].perf_en ? rd_stalls_[i] : 0) << "layer " << i;
                EXPECT_EQ(read(0x60), jobs[i].perf_en ? writes_.stalls(i) : 0) << "layer " << i;
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
    void expect(const m::RubikLayer& l);
    void drive(Vdut& d) override {
        reads_.drive(d.rubik2mcif_rd_req_ready, d.mcif2rubik_rd_rsp_valid,
                     d.mcif2rubik_rd_rsp_data);
        writes_.drive(d.rubik2mcif_wr_req_ready, d.mcif2rubik_wr_rsp_complete);
    }
    void sample(Vdut& d) override;
    template <typename Dut>
    void sample_ports(const Dut& d);

    tb::ReadStub reads_;
    tb::WriteStub writes_;
    std::vector<Ports> ports_;              // by layer
    std::vector<std::uint64_t> rd_stalls_;  // the same
    std::size_t layer_ = 0;                 // that runs
};

void Bench::expect(const m::RubikLayer& l) {
    m::rubik_layer(
        tb::kAtom, l,
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
    const m::RubikLayer& l = job.layer;
    const auto u32 = [](auto v) { return static_cast<std::uint32_t>(v); };
    const auto any = [&] { return random().bits(); };
    // What a configuration lacks is chosen by no value of these fields.
    const std::uint32_t precision = l.element_bytes == 1 ? (kWide ? 0 : any() & 3u)
                                    : kInt8 ? static_cast<std::uint32_t>(random().in(1, 2))
                                            : any() & 3u;
    const std::uint32_t mode = kReshape ? u32(l.mode) : any() & 3u;
    write(0x04, u32(group));
    write(0x0c, mode | precision << 8);
    write(0x10, l.src_ram_type);
    write(0x14, u32(l.width - 1) | u32(l.height - 1) << 16);
    write(0x18, any());
    write(0x1c, u32(l.src_addr >> 32));
    write(0x20, u32(l.src_addr) | (any() & 31u));
    write(0x24, l.src_line);
    write(0x28, l.src_surf);
    write(0x2c, l.src_planar);
    write(0x30, l.dst_ram_type);
    write(0x34, u32(l.channels - 1));
    write(0x38, u32(l.dst_addr >> 32));
    write(0x3c, u32(l.dst_addr));
    write(0x40, l.dst_line);
    write(0x44, l.contract);
    write(0x48, any());
    write(0x4c, l.dst_surf);
    write(0x50, l.dst_planar);
    write(0x54, u32(l.stride_x - 1) | u32(l.stride_y - 1) << 16);
    write(0x58, u32(job.perf_en));
    write(0x08, 1);
}

/// Only designs with a second memory port have these outputs.
template <typename Dut>
void Bench::sample_ports(const Dut& d) {
    if constexpr (p::secondary_memif_enable != 0) {
        if (d.rubik2mcif_rd_req_valid) {
            EXPECT_EQ(d.rubik2mcif_rd_ram_type != 0, ports_[layer_].src) << layer_;
        }
        if (d.rubik2mcif_wr_req_valid) {
            EXPECT_EQ(d.rubik2mcif_wr_ram_type != 0, ports_[layer_].dst) << layer_;
        }
    }
}

void Bench::sample(Vdut& d) {
    reads_.sample(d.rubik2mcif_rd_req_valid, d.rubik2mcif_rd_req_addr, d.rubik2mcif_rd_req_size);
    writes_.sample(d.rubik2mcif_wr_req_valid, d.rubik2mcif_wr_req_addr, d.rubik2mcif_wr_req_data,
                   d.rubik2mcif_wr_req_last, d.rubik2glb_done);
    if (::testing::Test::HasFailure()) return;
    sample_ports(d);
    if (d.rubik2mcif_rd_req_valid && !d.rubik2mcif_rd_req_ready) ++rd_stalls_[layer_];
    if (!d.rubik2mcif_wr_req_valid || !d.rubik2mcif_wr_req_ready) return;
    if (first_write == 0) first_write = cycle();
    if (d.rubik2mcif_wr_req_last) ++layer_;
}

class Rubik : public ::testing::TestWithParam<tb::ReadCase> {};

TEST_P(Rubik, RandomLayers) { tb::run_random<Bench>(GetParam(), random_job); }

INSTANTIATE_TEST_SUITE_P(Stalls, Rubik, ::testing::ValuesIn(tb::kReadCases));

/// Cycles from the first write of a layer to its last, and atoms written.
void expect_speed(m::RubikMode mode, int element_bytes) {
    Job job;
    m::RubikLayer& l = job.layer;
    l.mode = mode;
    l.element_bytes = element_bytes;
    l.width = 4 * tb::kAtom / element_bytes;
    l.channels = mode == m::RubikMode::contract ? 1 : 2 * tb::kAtom / element_bytes;
    l.height = 3;
    l.stride_x = l.stride_y = 2;
    Bench bench(tb::Stall::kNone, 7, std::min<int>(p::primary_memif_latency, 128) + 6);
    bench.run({job});
    // The same number in all modes: 4 atoms of columns and 2 of channels, or 2 * 2 pixels.
    const auto atoms = static_cast<std::uint64_t>(mode == m::RubikMode::contract ? 3 * 4 * l.width
                                                                                 : 3 * 2 * l.width);
    const std::uint64_t cycles = bench.last_write() - bench.first_write + 1;
    EXPECT_LE(cycles, atoms + atoms / 25) << static_cast<int>(mode);
}

TEST(RubikSpeed, OneAtomPerCycle) {
    for (const int bytes : {1, 2}) {
        if (bytes == 1 ? !kInt8 : !kWide) continue;
        if (kContract) expect_speed(m::RubikMode::contract, bytes);
        if (!kReshape) continue;
        expect_speed(m::RubikMode::split, bytes);
        expect_speed(m::RubikMode::merge, bytes);
    }
}

}  // namespace
