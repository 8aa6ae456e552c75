/// Unit test of dla_bdma against its golden model: every request and every written atom with its
/// memory port, groups and their interrupts, status and stall counters, what is not defined; under
/// no, random and worst-case stalls and latencies.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <vector>

#include "Vdut.h"
#include "dla_params.hpp"
#include "tb/dla/unit/mcif_stub.hpp"
#include "tb/dla/unit/unit_bench.hpp"
#include "verif/dla/model/bdma.hpp"

namespace {

namespace m = macrame::dla::model;
namespace p = dla_params;
namespace tb = macrame::tb;

constexpr std::uint32_t kIdle = 0x114;

using Group = std::vector<m::BdmaCopy>;

m::BdmaCopy random_copy(tb::Random& rnd) {
    m::BdmaCopy copy;
    copy.src_addr = tb::random_addr(rnd) / 32 * 32;
    copy.dst_addr = tb::random_addr(rnd) / 32 * 32;
    copy.src_ram_type = rnd.bits() & 1u;
    copy.dst_ram_type = rnd.bits() & 1u;
    copy.units = rnd.chance(50) ? rnd.in(1, 4) : rnd.in(1, 40);
    copy.lines = rnd.chance(40) ? 1 : rnd.in(1, 5);
    copy.surfaces = rnd.chance(60) ? 1 : rnd.in(1, 3);
    const auto stride = [&] { return rnd.bits() / 32 * 32; };
    copy.src_line = stride();
    copy.dst_line = stride();
    copy.src_surf = stride();
    copy.dst_surf = stride();
    return copy;
}

/// All copies of a group have the same destination.
std::vector<Group> random_groups(tb::Random& rnd, int count) {
    std::vector<Group> groups;
    for (int i = 0; i < count; ++i) {
        Group group;
        for (int n = rnd.chance(30) ? 1 : rnd.in(1, 10); n > 0; --n)
            group.push_back(random_copy(rnd));
        for (m::BdmaCopy& copy : group)
            copy.dst_ram_type = group.front().dst_ram_type;
        groups.push_back(group);
    }
    return groups;
}

class Bench : public tb::UnitBench {
public:
    Bench(tb::Stall stall, unsigned seed, int latency)
        : UnitBench(stall, seed), reads_(*this, latency), writes_(*this) {
        start(dut().csb2bdma_valid, dut().bdma2csb_rdata);
    }

    void push(const m::BdmaCopy& copy);
    void launch(std::size_t group) { write(group % 2 == 0 ? 0x34 : 0x38, 1); }
    /// The unit has to make this copy.
    void expect(const m::BdmaCopy& copy, std::size_t group);
    void run(const std::vector<Group>& groups, bool count_stalls);
    void wait_idle() {
        wait_for([&] { return read(0x40) == kIdle; }, "BDMA hangs");
        EXPECT_TRUE(reads_.idle());
        EXPECT_TRUE(writes_.idle());
    }

    std::uint64_t first_write = 0;
    std::uint64_t last_write() const { return writes_.last_write; }
    std::size_t groups_done() const { return writes_.layers_done; }
    void end_group() {
        writes_.end_layer();
        rd_stalls_.push_back(0);
    }

private:
    struct Atom {
        bool primary;
        std::size_t group;
    };

    void drive(Vdut& d) override {
        reads_.drive(d.bdma2mcif_rd_req_ready, d.mcif2bdma_rd_rsp_valid, d.mcif2bdma_rd_rsp_data);
        writes_.drive(d.bdma2mcif_wr_req_ready, d.mcif2bdma_wr_rsp_complete);
    }
    void sample(Vdut& d) override;
    template <typename Dut>
    void sample_ports(const Dut& d);

    tb::ReadStub reads_;
    tb::WriteStub writes_;
    std::deque<Atom> rd_atoms_, wr_atoms_;
    std::vector<std::uint64_t> rd_stalls_;  // by group
};

void Bench::push(const m::BdmaCopy& copy) {
    const auto low = [](std::uint64_t v) { return static_cast<std::uint32_t>(v); };
    write(0x00, low(copy.src_addr) | (random().bits() & 31u));  // these bits do not exist
    write(0x04, low(copy.src_addr >> 32));
    write(0x08, low(copy.dst_addr));
    write(0x0c, low(copy.dst_addr >> 32));
    write(0x10, low(static_cast<std::uint64_t>(copy.units - 1)));
    write(0x14, copy.src_ram_type | copy.dst_ram_type << 1);
    write(0x18, low(static_cast<std::uint64_t>(copy.lines - 1)));
    write(0x1c, copy.src_line);
    write(0x20, copy.dst_line);
    write(0x24, low(static_cast<std::uint64_t>(copy.surfaces - 1)));
    write(0x28, copy.src_surf);
    write(0x2c, copy.dst_surf);
    if (random().chance(30)) write(0x30, 0);  // pushes nothing
    write(0x30, 1);
}

void Bench::expect(const m::BdmaCopy& copy, std::size_t group) {
    m::for_each_line(copy, [&](std::uint64_t from, std::uint64_t to) {
        for (int i = 0; i < copy.units * 32; i += tb::kAtom) {
            const auto offset = static_cast<std::uint64_t>(i);
            std::uint8_t bytes[tb::kAtomZ];
            tb::memory_read(from + offset, bytes, tb::kAtomZ);
            reads_.expect(tb::bus_addr(from + offset));
            writes_.expect(to + offset, reinterpret_cast<const std::int8_t*>(bytes));
            rd_atoms_.push_back({copy.src_ram_type != 0, group});
            wr_atoms_.push_back({copy.dst_ram_type != 0, group});
        }
    });
}

/// Only designs with a second memory port have these outputs.
template <typename Dut>
void Bench::sample_ports(const Dut& d) {
    if constexpr (p::secondary_memif_enable != 0) {
        if (d.bdma2mcif_rd_req_valid) {
            EXPECT_EQ(d.bdma2mcif_rd_ram_type != 0, rd_atoms_.front().primary);
        }
        if (d.bdma2mcif_wr_req_valid) {
            EXPECT_EQ(d.bdma2mcif_wr_ram_type != 0, wr_atoms_.front().primary);
        }
    }
}

void Bench::sample(Vdut& d) {
    reads_.sample(d.bdma2mcif_rd_req_valid, d.bdma2mcif_rd_req_addr, d.bdma2mcif_rd_req_size);
    writes_.sample(d.bdma2mcif_wr_req_valid, d.bdma2mcif_wr_req_addr, d.bdma2mcif_wr_req_data,
                   d.bdma2mcif_wr_req_last, d.bdma2glb_done);
    if (::testing::Test::HasFailure()) return;
    sample_ports(d);
    if (d.bdma2mcif_rd_req_valid) {
        if (d.bdma2mcif_rd_req_ready) {
            rd_atoms_.erase(rd_atoms_.begin(), rd_atoms_.begin() + d.bdma2mcif_rd_req_size + 1);
        } else {
            ++rd_stalls_[rd_atoms_.front().group];
        }
    }
    if (d.bdma2mcif_wr_req_valid && d.bdma2mcif_wr_req_ready) {
        wr_atoms_.pop_front();
        if (first_write == 0) first_write = cycle();
    }
}

void Bench::run(const std::vector<Group>& groups, bool count_stalls) {
    write(0x3c, count_stalls ? 1 : 0);
    for (std::size_t i = 0; i < groups.size() + 2; ++i) {
        if (i >= 2) {
            const int group = static_cast<int>(i % 2);
            wait_for([&] { return (read(0x40) >> (9 + group) & 1) == 0; }, "a group hangs");
            if (::testing::Test::HasFailure()) return;
            EXPECT_EQ(read(0x44 + 8 * group), count_stalls ? rd_stalls_[i - 2] : 0) << i;
            EXPECT_EQ(read(0x48 + 8 * group), count_stalls ? writes_.stalls(i - 2) : 0) << i;
        }
        if (i >= groups.size()) continue;
        for (const m::BdmaCopy& copy : groups[i]) {
            expect(copy, i);
            push(copy);
        }
        end_group();
        launch(i);
        wait_for([&] { return bus_idle(); }, "no access");
        const int n = random().chance(50) ? 0 : random().in(1, 300);
        for (int k = 0; k < n; ++k)
            tick();
    }
    wait_idle();
    EXPECT_EQ(groups_done(), groups.size());
}

class Bdma : public ::testing::TestWithParam<tb::ReadCase> {};

TEST_P(Bdma, RandomGroups) {
    const tb::ReadCase& c = GetParam();
    tb::say_seed(c.seed);
    tb::Random rnd(c.seed);
    Bench bench(c.stall, c.seed, c.latency);
    bench.run(random_groups(rnd, c.layers / 2), c.seed % 3 != 0);
}

INSTANTIATE_TEST_SUITE_P(Stalls, Bdma, ::testing::ValuesIn(tb::kReadCases));

TEST(BdmaQueue, WhatIsNotDefinedDoesNothing) {
    tb::Random rnd(1);
    Bench bench(tb::Stall::kRandom, 1, 10);
    EXPECT_EQ(bench.read(0x40), kIdle);
    bench.launch(0);  // without copies
    bench.write(0x34, 0);
    EXPECT_EQ(bench.read(0x40), kIdle);
    for (int i = 0; i < 23; ++i) {  // three too many
        const m::BdmaCopy copy = random_copy(rnd);
        bench.push(copy);
        if (i < 20) bench.expect(copy, 0);
    }
    EXPECT_EQ(bench.read(0x40), 0u);
    bench.end_group();
    bench.launch(0);
    bench.launch(0);  // is busy
    bench.launch(1);  // without copies
    EXPECT_NE(bench.read(0x40) & 0x200, 0u);
    EXPECT_EQ(bench.read(0x40) & 0x400, 0u);
    bench.wait_idle();
    EXPECT_EQ(bench.groups_done(), 1u);
}

TEST(BdmaSpeed, OneAtomPerCycle) {
    m::BdmaCopy copy;
    copy.src_addr = 0x1020;
    copy.dst_addr = 0x8040;
    copy.units = 61;
    copy.lines = 5;
    copy.src_line = copy.dst_line = 64 * 32;
    Bench bench(tb::Stall::kNone, 7, std::min<int>(p::primary_memif_latency, 256) + 6);
    bench.run({{copy}}, true);
    EXPECT_EQ(bench.last_write() - bench.first_write + 1, 61u * 5 * 32 / tb::kAtomZ);
}

}  // namespace
