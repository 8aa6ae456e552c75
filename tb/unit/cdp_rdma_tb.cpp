/// Unit test of dla_cdp_rdma against the definition: the requests, every element handed to CDP with
/// its flags, the stall counter and the hand-over between layers, under no, random and worst-case
/// stalls and latencies.

#include <gtest/gtest.h>
#include <verilated.h>

#include <cstdint>
#include <cstdio>
#include <deque>
#include <memory>
#include <random>
#include <vector>

#include "Vdut.h"
#include "dla_params.hpp"
#include "verif/model/dla/cdp_rdma.hpp"

namespace {

namespace p = dla_params;

constexpr int kAtom = p::atom_bytes;
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

std::uint8_t memory_byte(std::uint64_t addr) {
    std::uint64_t h = (bus_addr(addr) + 1) * 0x9E3779B97F4A7C15ull;
    h ^= h >> 29;
    h *= 0xBF58476D1CE4E5B9ull;
    return static_cast<std::uint8_t>(h >> 40);
}

struct Job {
    int width = 1, height = 1, channels = 1;
    std::uint64_t addr = 0;
    std::uint32_t line = 0, surf = 0;
    bool dma_en = true;

    int surfaces() const { return (channels + kAtom - 1) / kAtom; }
};

Job random_job(Random& rnd) {
    Job job;
    job.width = rnd.in(1, 7);
    job.height = rnd.in(1, 4);
    job.channels = rnd.in(1, kAtom * 4);
    job.addr = bus_addr(std::uint64_t{rnd.bits()} << 32 | rnd.bits()) / kAtom * kAtom;
    job.line = static_cast<std::uint32_t>((job.width + rnd.in(0, 3)) * kAtom);
    job.surf = rnd.chance(10) ? rnd.bits() / kAtom * kAtom
                              : job.line * static_cast<std::uint32_t>(job.height);
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

struct Beat {
    std::uint64_t addr;
    std::uint32_t mask;
    bool first, last, line, end;
};

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
        for (int i = 0; i < 200; ++i) tick(*dut_);
    }
    ~Bench() { dut_->final(); }

    void run(const std::vector<Job>& jobs);
    std::uint64_t first_cycle = 0, last_cycle = 0;

private:
    bool gap() {
        switch (stall_) {
            case Stall::kNone: return false;
            case Stall::kRandom: return rnd_.chance(30);
            default: return rnd_.chance(88);
        }
    }
    void write(int offset, std::uint32_t value) { csb_.push_back({offset / 4, value}); }
    std::uint32_t read(int offset) {
        while (!csb_.empty()) tick(*dut_);
        csb_read_ = offset / 4;
        tick(*dut_);
        csb_read_ = -1;
        return dut_->cdp_rdma2csb_rdata;
    }
    void expect(const Job& job);
    template <typename D> void tick(D& d);

    VerilatedContext context_;
    std::unique_ptr<Vdut> dut_;
    Stall stall_;
    int latency_;
    Random rnd_;
    std::uint64_t cycle_ = 0;
    std::deque<std::pair<int, std::uint32_t>> csb_;
    int csb_read_ = -1;
    std::deque<std::uint64_t> requests_;                       // addresses still to be asked for
    std::deque<std::pair<std::uint64_t, std::uint64_t>> queue_;  // address, earliest cycle
    std::deque<Beat> beats_;
    std::uint64_t stalls_ = 0;  // of the running layer
};

void Bench::expect(const Job& job) {
    const auto u64 = [](int v) { return static_cast<std::uint64_t>(v); };
    for (int h = 0; h < job.height; ++h) {
        for (int w = 0; w < job.width; ++w) {
            for (int s = 0; s < job.surfaces(); ++s) {
                const std::uint64_t addr =
                    bus_addr(macrame::model::dla::cdp_atom_address(job.addr, job.line, job.surf, kAtom, w,
                                                                   h, s));
                requests_.push_back(addr);
                const bool last = s + 1 == job.surfaces();
                const bool line = last && w + 1 == job.width;
                for (int e = 0; e < kAtom; e += kLanes) {
                    std::uint32_t mask = 0;
                    for (int i = 0; i < kLanes; ++i) {
                        if (s * kAtom + e + i < job.channels) mask |= 1u << i;
                    }
                    beats_.push_back({addr + u64(e), mask, s == 0 && e == 0,
                                      last && e + kLanes == kAtom, line,
                                      line && h + 1 == job.height});
                }
            }
        }
    }
}

template <typename D>
void Bench::tick(D& d) {
    if constexpr (p::clock_gating != 0) d.clk_ovr_on = 0;
    d.clk = 0;
    d.csb2cdp_rdma_valid = 0;
    if (csb_read_ >= 0) {
        d.csb2cdp_rdma_valid = 1;
        d.csb_write = 0;
        d.csb_addr = csb_read_ & 0x3ff;
    } else if (!csb_.empty()) {
        d.csb2cdp_rdma_valid = 1;
        d.csb_write = 1;
        d.csb_addr = csb_.front().first & 0x3ff;
        d.csb_wdata = csb_.front().second;
        csb_.pop_front();
    }
    const bool ready = !gap();
    const bool rsp = !queue_.empty() && queue_.front().second <= cycle_ && !gap();
    d.cdp2mcif_rd_req_ready = ready;
    d.mcif2cdp_rd_rsp_valid = rsp;
    if (rsp) put_atom(d.mcif2cdp_rd_rsp_data, queue_.front().first);
    const bool take = !beats_.empty() && !gap();
    d.cdp_rdma2cdp_ready = take;
    d.eval();
    if (rsp) queue_.pop_front();
    if (d.cdp2mcif_rd_req_valid && d.rst_n) {
        if (requests_.empty()) {
            ADD_FAILURE() << "more requests than atoms, cycle " << cycle_;
        } else if (ready) {
            EXPECT_EQ(d.cdp2mcif_rd_req_addr, requests_.front());
            EXPECT_EQ(d.cdp2mcif_rd_req_size, 0);
            requests_.pop_front();
            const int extra = stall_ == Stall::kNone ? 0 : rnd_.in(0, 20);
            queue_.push_back(
                {d.cdp2mcif_rd_req_addr, cycle_ + static_cast<std::uint64_t>(latency_ + extra)});
        } else {
            ++stalls_;
        }
    }
    if (take && d.cdp_rdma2cdp_valid) {
        const Beat& want = beats_.front();
        for (int i = 0; i < kLanes; ++i) {
            EXPECT_EQ(get_byte(d.cdp_rdma2cdp_data, i),
                      memory_byte(want.addr + static_cast<std::uint64_t>(i)))
                << "cycle " << cycle_;
        }
        EXPECT_EQ(d.cdp_rdma2cdp_mask, want.mask) << "cycle " << cycle_;
        EXPECT_EQ(bool(d.cdp_rdma2cdp_first), want.first);
        EXPECT_EQ(bool(d.cdp_rdma2cdp_last), want.last);
        if (want.last) {
            EXPECT_EQ(bool(d.cdp_rdma2cdp_line), want.line);
            EXPECT_EQ(bool(d.cdp_rdma2cdp_end), want.end);
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
        write(0x0c, u32(job.width - 1));
        write(0x10, u32(job.height - 1));
        write(0x14, u32(job.channels - 1));
        write(0x18, u32(job.addr));
        write(0x1c, u32(job.addr >> 32));
        write(0x20, job.line);
        write(0x24, job.surf);
        write(0x28, 1);
        write(0x38, u32(job.dma_en));
        stalls_ = 0;
        expect(job);
        write(0x08, 1);
        while (!csb_.empty()) tick(*dut_);
        while (((read(0x00) >> (16 * group)) & 3) != 0) {
            tick(*dut_);
            if (::testing::Test::HasFailure()) return;
            ASSERT_LT(cycle_, limit) << "layer " << i << " hangs";
        }
        EXPECT_TRUE(requests_.empty() && queue_.empty());
        EXPECT_EQ(read(0x3c), job.dma_en ? stalls_ : 0) << "layer " << i;
    }
    while (!beats_.empty()) {
        tick(*dut_);
        ASSERT_LT(cycle_, limit) << "beats missing: " << beats_.size();
    }
    for (int i = 0; i < 100; ++i) tick(*dut_);
    const unsigned left = dut_->cdp_rdma2cdp_valid;
    EXPECT_EQ(left, 0u) << "more data than asked for";
}

struct Case {
    Stall stall;
    unsigned seed;
    int layers;
    int latency;
};

class CdpRdma : public ::testing::TestWithParam<Case> {};

TEST_P(CdpRdma, RandomLayers) {
    const Case c = GetParam();
    std::printf("seed %u\n", c.seed);
    Random rnd(c.seed);
    std::vector<Job> jobs;
    for (int i = 0; i < c.layers; ++i) jobs.push_back(random_job(rnd));
    Bench(c.stall, c.seed, c.latency).run(jobs);
}

INSTANTIATE_TEST_SUITE_P(Stalls, CdpRdma,
                         ::testing::Values(Case{Stall::kNone, 1, 100, 1},
                                           Case{Stall::kNone, 2, 100, 50},
                                           Case{Stall::kRandom, 3, 100, 5},
                                           Case{Stall::kRandom, 4, 100, 30},
                                           Case{Stall::kWorst, 5, 40, 1},
                                           Case{Stall::kWorst, 6, 40, 100}));

TEST(CdpRdmaSpeed, OneBeatPerCycle) {
    Job job;
    job.width = 32;
    job.height = 4;
    job.channels = 4 * kAtom;
    job.line = 32 * kAtom;
    job.surf = 128 * kAtom;
    Bench bench(Stall::kNone, 7, std::min(60, 28 * kAtom / kLanes));
    bench.run({job});
    EXPECT_EQ(bench.last_cycle - bench.first_cycle + 1, 32u * 4 * 4 * kAtom / kLanes);
}

}  // namespace
