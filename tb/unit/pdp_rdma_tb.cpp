/// Unit test of dla_pdp_rdma against its golden model: the requests, every element handed to PDP,
/// strips, the stall counter and the hand-over between layers, under no, random and worst-case
/// stalls and latencies.

#include <gtest/gtest.h>
#include <verilated.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <memory>
#include <random>
#include <vector>

#include "Vdut.h"
#include "dla_params.hpp"
#include "verif/model/dla/pdp_rdma.hpp"

namespace {

namespace m = macrame::model::dla;
namespace p = dla_params;

constexpr int kAtom = p::atom_bytes;
constexpr int kLanes = p::pdp_throughput;

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

std::uint8_t memory_byte(std::uint64_t addr) {
    std::uint64_t h = (bus_addr(addr) + 1) * 0x9E3779B97F4A7C15ull;
    h ^= h >> 29;
    h *= 0xBF58476D1CE4E5B9ull;
    return static_cast<std::uint8_t>(h >> 40);
}

struct Job {
    m::PdpRdmaLayer layer;
    bool dma_en = true;
};

Job random_job(Random& rnd) {
    Job job;
    m::PdpRdmaLayer& l = job.layer;
    l.width = rnd.in(1, 12);
    l.height = rnd.in(1, 4);
    l.channels = rnd.in(1, kAtom * 3);
    l.src_addr = bus_addr(std::uint64_t{rnd.bits()} << 32 | rnd.bits()) / kAtom * kAtom;
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

template <typename Port>
std::uint8_t get_byte(const Port& port, int index) {
    if constexpr (std::is_integral_v<Port>) {
        return static_cast<std::uint8_t>(port >> (8 * index));
    } else {
        return static_cast<std::uint8_t>(port[static_cast<std::size_t>(index / 4)] >>
                                         (8 * (index % 4)));
    }
}

template <typename Port>
void put_atom(Port& port, std::uint64_t addr) {
    for (int i = 0; i < kAtom; ++i) {
        const std::uint8_t byte = memory_byte(addr + static_cast<std::uint64_t>(i));
        if constexpr (std::is_integral_v<Port>) {
            if (i == 0) port = 0;
            port |= static_cast<Port>(Port{byte} << (8 * i));
        } else {
            const auto word = static_cast<std::size_t>(i / 4);
            if (i % 4 == 0) port[word] = 0;
            port[word] |= std::uint32_t{byte} << (8 * (i % 4));
        }
    }
}

class Bench {
public:
    Bench(Stall stall, unsigned seed, int latency) : stall_(stall), latency_(latency), rnd_(seed) {
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
        for (int i = 0; i < 200; ++i)
            tick(*dut_);
    }
    ~Bench() { dut_->final(); }

    void run(const std::vector<Job>& jobs);
    std::uint64_t first_cycle = 0, last_cycle = 0;

private:
    bool gap() {
        switch (stall_) {
            case Stall::kNone:
                return false;
            case Stall::kRandom:
                return rnd_.chance(30);
            default:
                return rnd_.chance(88);
        }
    }
    void write(int offset, std::uint32_t value) { csb_.push_back({offset / 4, value}); }
    std::uint32_t read(int offset) {
        while (!csb_.empty())
            tick(*dut_);
        csb_read_ = offset / 4;
        tick(*dut_);
        csb_read_ = -1;
        return dut_->pdp_rdma2csb_rdata;
    }
    void expect(const Job& job);
    template <typename D>
    void tick(D& d);

    VerilatedContext context_;
    std::unique_ptr<Vdut> dut_;
    Stall stall_;
    int latency_;
    Random rnd_;
    std::uint64_t cycle_ = 0;
    std::deque<std::pair<int, std::uint32_t>> csb_;
    int csb_read_ = -1;
    std::deque<std::uint64_t> requests_;                         // addresses still to be asked for
    std::deque<std::pair<std::uint64_t, std::uint64_t>> queue_;  // address, earliest cycle
    std::deque<std::uint64_t> beats_;                            // address of the first element
    std::uint64_t stalls_ = 0;                                   // of the running layer
};

void Bench::expect(const Job& job) {
    for (const std::uint64_t atom : m::pdp_rdma_atoms(kAtom, job.layer)) {
        requests_.push_back(bus_addr(atom));
        for (int e = 0; e < kAtom; e += kLanes) {
            beats_.push_back(bus_addr(atom) + static_cast<std::uint64_t>(e));
        }
    }
}

template <typename D>
void Bench::tick(D& d) {
    if constexpr (p::clock_gating != 0) d.clk_ovr_on = 0;
    d.clk = 0;
    d.csb2pdp_rdma_valid = 0;
    if (csb_read_ >= 0) {
        d.csb2pdp_rdma_valid = 1;
        d.csb_write = 0;
        d.csb_addr = csb_read_ & 0x3ff;
    } else if (!csb_.empty()) {
        d.csb2pdp_rdma_valid = 1;
        d.csb_write = 1;
        d.csb_addr = csb_.front().first & 0x3ff;
        d.csb_wdata = csb_.front().second;
        csb_.pop_front();
    }
    const bool ready = !gap();
    const bool rsp = !queue_.empty() && queue_.front().second <= cycle_ && !gap();
    d.pdp2mcif_rd_req_ready = ready;
    d.mcif2pdp_rd_rsp_valid = rsp;
    if (rsp) put_atom(d.mcif2pdp_rd_rsp_data, queue_.front().first);
    const bool take = !beats_.empty() && !gap();
    d.pdp_rdma2pdp_ready = take;
    d.eval();
    if (rsp) queue_.pop_front();
    if (d.pdp2mcif_rd_req_valid && d.rst_n) {
        const std::size_t atoms = std::size_t{d.pdp2mcif_rd_req_size} + 1;
        if (requests_.size() < atoms) {
            ADD_FAILURE() << "more requests than atoms, cycle " << cycle_;
        } else if (ready) {
            std::uint64_t at = cycle_ + static_cast<std::uint64_t>(latency_);
            if (stall_ != Stall::kNone) at += static_cast<std::uint64_t>(rnd_.in(0, 20));
            for (std::size_t i = 0; i < atoms; ++i) {
                const std::uint64_t addr = bus_addr(d.pdp2mcif_rd_req_addr + i * kAtom);
                EXPECT_EQ(addr, requests_.front()) << "cycle " << cycle_;
                queue_.push_back({requests_.front(), at});
                requests_.pop_front();
            }
        } else {
            ++stalls_;
        }
    }
    if (take && d.pdp_rdma2pdp_valid) {
        for (int i = 0; i < kLanes; ++i) {
            EXPECT_EQ(get_byte(d.pdp_rdma2pdp_data, i),
                      memory_byte(beats_.front() + static_cast<std::uint64_t>(i)))
                << "cycle " << cycle_;
        }
        if (first_cycle == 0) first_cycle = cycle_;
        last_cycle = cycle_;
        beats_.pop_front();
    }
    d.clk = 1;
    d.eval();
    ++cycle_;
}

/// Programs one layer after the other, each as soon as the one before has ended: the FIFO still
/// holds its data then.
void Bench::run(const std::vector<Job>& jobs) {
    const std::uint64_t limit = cycle_ + 3000000;
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        const Job& job = jobs[i];
        const auto u32 = [](auto v) { return static_cast<std::uint32_t>(v); };
        const int group = static_cast<int>(i % 2);
        write(0x04, u32(group));
        const m::PdpRdmaLayer& l = job.layer;
        const bool cut = l.strips > 1;
        write(0x0c, cut ? rnd_.bits() & 0x1fff : u32(l.width - 1));
        write(0x10, u32(l.height - 1));
        write(0x14, u32(l.channels - 1));
        write(0x18, 1);
        write(0x1c, u32(l.src_addr));
        write(0x20, u32(l.src_addr >> 32));
        write(0x24, l.line_stride);
        write(0x28, l.surf_stride);
        write(0x2c, 1);
        write(0x34, u32(l.strips - 1));
        write(0x38, u32(l.kernel_width - 1) | u32(l.stride_x - 1) << 4);
        write(0x40, cut ? u32(l.in_first - 1) | u32(l.in_last - 1) << 10 | u32(l.in_mid - 1) << 20
                        : rnd_.bits());
        write(0x44, u32(job.dma_en));
        stalls_ = 0;
        expect(job);
        write(0x08, 1);
        while (!csb_.empty())
            tick(*dut_);
        while (((read(0x00) >> (16 * group)) & 3) != 0) {
            tick(*dut_);
            if (::testing::Test::HasFailure()) return;
            ASSERT_LT(cycle_, limit) << "layer " << i << " hangs";
        }
        EXPECT_TRUE(requests_.empty() && queue_.empty());
        EXPECT_EQ(read(0x48), job.dma_en ? stalls_ : 0) << "layer " << i;
    }
    while (!beats_.empty()) {
        tick(*dut_);
        ASSERT_LT(cycle_, limit) << "beats missing: " << beats_.size();
    }
    for (int i = 0; i < 100; ++i)
        tick(*dut_);
    const unsigned left = dut_->pdp_rdma2pdp_valid;
    EXPECT_EQ(left, 0u) << "more data than asked for";
}

struct Case {
    Stall stall;
    unsigned seed;
    int layers;
    int latency;
};

class PdpRdma : public ::testing::TestWithParam<Case> {};

TEST_P(PdpRdma, RandomLayers) {
    const Case c = GetParam();
    std::printf("seed %u\n", c.seed);
    Random rnd(c.seed);
    std::vector<Job> jobs;
    for (int i = 0; i < c.layers; ++i)
        jobs.push_back(random_job(rnd));
    Bench(c.stall, c.seed, c.latency).run(jobs);
}

INSTANTIATE_TEST_SUITE_P(
    Stalls, PdpRdma,
    ::testing::Values(Case{Stall::kNone, 1, 100, 1}, Case{Stall::kNone, 2, 100, 50},
                      Case{Stall::kRandom, 3, 100, 5}, Case{Stall::kRandom, 4, 100, 30},
                      Case{Stall::kWorst, 5, 40, 1}, Case{Stall::kWorst, 6, 40, 100}));

TEST(PdpRdmaSpeed, OneBeatPerCycle) {
    Job job;
    m::PdpRdmaLayer& l = job.layer;
    l.width = 32;
    l.height = 4;
    l.channels = 4 * kAtom;
    l.line_stride = 32 * kAtom;
    l.surf_stride = 128 * kAtom;
    Bench bench(Stall::kNone, 7, p::primary_memif_latency + 6);  // memory, memory interface
    bench.run({job});
    EXPECT_EQ(bench.last_cycle - bench.first_cycle + 1, 32u * 4 * 4 * kAtom / kLanes);
}

}  // namespace
