/// Unit test of dla_pdp against its golden model: every atom written, in order, with strips, input
/// from SDP and from PDP_RDMA, interrupts, stall counter, ping-pong groups, under no, random and
/// worst-case stalls; and the speed it promises.

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
#include "verif/model/dla/pdp.hpp"
#include "verif/model/dla/pdp_rdma.hpp"

namespace {

namespace m = macrame::model::dla;
namespace p = dla_params;

constexpr int kAtom = p::atom_bytes;
constexpr std::size_t kAtomZ = p::atom_bytes;

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

struct Job {
    m::PdpLayer layer;
    m::PdpRdmaLayer in;  // for its strips
    int out_first = 0, out_mid = 0, out_last = 0;
    int pad_right = 0, pad_bottom = 0;
    bool dma_en = true;
    std::vector<std::int8_t> input;  // whole cube: surface -> line -> column -> element

    int surfaces() const { return (layer.channels + kAtom - 1) / kAtom; }
    std::vector<m::PdpColumns> out_strips() const {
        if (in.strips == 1) return {{0, layer.out_width}};
        std::vector<m::PdpColumns> out = {{0, out_first}};
        for (int i = 1; i < in.strips; ++i) {
            out.push_back(
                {out.back().begin + out.back().count, i + 1 < in.strips ? out_mid : out_last});
        }
        return out;
    }
};

/// Result columns of a strip that the line buffer can hold.
int widest(const m::PdpLayer& l) {
    const int rows = (l.kernel_height + l.stride_y - 1) / l.stride_y;
    return rows == 1 ? 128 : rows == 2 ? 64 : rows <= 4 ? 32 : 16;
}

/// Kernel, stride and padding of one axis with `out` windows; the input size, or 0 if impossible.
int random_axis(Random& rnd, int out, int& kernel, int& stride, int& before, int& after) {
    kernel = rnd.chance(60) ? rnd.in(1, 4) : rnd.in(1, 8);
    stride = rnd.chance(75) ? rnd.in(1, kernel) : rnd.in(1, 16);
    before = rnd.chance(40) ? 0 : rnd.in(0, kernel - 1);
    after = rnd.chance(40) ? 0 : rnd.in(0, kernel - 1);
    return std::max(0, (out - 1) * stride + kernel - before - after);
}

/// Cuts the layer into strips; false if that is impossible.
bool split(Random& rnd, Job& job) {
    const m::PdpLayer& l = job.layer;
    m::PdpRdmaLayer& in = job.in;
    in.strips = rnd.in(2, 4);
    const int middle = in.strips - 2;
    job.out_first = rnd.in(1, 4);
    job.out_mid = rnd.in(1, 4);
    job.out_last = l.out_width - job.out_first - middle * job.out_mid;
    in.in_first = (job.out_first - 1) * l.stride_x + l.kernel_width - l.pad_left;
    in.in_mid = job.out_mid * l.stride_x;
    in.in_last = l.width - in.in_first - middle * in.in_mid;
    const int overlap = l.kernel_width - l.stride_x;
    if (job.out_last < 1 || in.in_first < 1 || in.in_last < 1) return false;
    if (in.in_first < overlap || in.in_last + overlap < 1) return false;
    return std::max({job.out_first, job.out_mid, job.out_last}) <= widest(l);
}

std::int8_t element(Random& rnd, int kind) {
    constexpr std::int8_t kCorner[] = {0, 1, -1, 127, -128};
    if (kind == 0) return kCorner[rnd.in(0, 4)];
    return static_cast<std::int8_t>(kind == 1 ? rnd.in(-4, 4) : rnd.in(-128, 127));
}

Job try_job(Random& rnd) {
    Job job;
    m::PdpLayer& l = job.layer;
    l.out_width = rnd.chance(90) ? rnd.in(1, 8) : rnd.in(1, 128);
    l.out_height = rnd.in(1, 7);
    l.width = random_axis(rnd, l.out_width, l.kernel_width, l.stride_x, l.pad_left, job.pad_right);
    l.height =
        random_axis(rnd, l.out_height, l.kernel_height, l.stride_y, l.pad_top, job.pad_bottom);
    l.channels = rnd.in(1, kAtom * 3);
    l.method = rnd.in(0, 2);
    l.flying = rnd.chance(40);
    l.dst_addr = bus_addr(std::uint64_t{rnd.bits()} << 32 | rnd.bits()) / kAtom * kAtom;
    l.line_stride = static_cast<std::uint32_t>((l.out_width + rnd.in(0, 3)) * kAtom);
    l.surf_stride = rnd.chance(10) ? rnd.bits() / kAtom * kAtom
                                   : l.line_stride * static_cast<std::uint32_t>(l.out_height);
    const bool sane = rnd.chance(50);
    const int value = rnd.in(-128, 127);
    for (int n = 1; n < 8; ++n) {
        l.pad[static_cast<std::size_t>(n)] =
            sane ? n * value : static_cast<std::int32_t>(m::pdp_wrap(rnd.bits(), 19));
    }
    const auto recip = [&](int kernel) {
        return sane ? 65536u / static_cast<unsigned>(kernel) : rnd.bits() & 0x1FFFFu;
    };
    l.recip_width = recip(l.kernel_width);
    l.recip_height = recip(l.kernel_height);
    job.dma_en = rnd.chance(80);
    return job;
}

Job random_job(Random& rnd) {
    for (;;) {
        Job job = try_job(rnd);
        m::PdpLayer& l = job.layer;
        const int atoms =
            job.surfaces() * std::max(l.width, l.out_width) * std::max(l.height, l.out_height);
        if (l.width < 1 || l.height < 1 || atoms > 400) continue;
        job.in.width = l.width;
        job.in.kernel_width = l.kernel_width;
        job.in.stride_x = l.stride_x;
        if (!l.flying && rnd.chance(40)) {
            if (!split(rnd, job)) continue;
        } else if (l.out_width > widest(l)) {
            continue;
        }
        job.input.resize(static_cast<std::size_t>(job.surfaces() * l.width * l.height) * kAtomZ);
        const int kind = rnd.in(0, 2);
        for (std::int8_t& x : job.input)
            x = element(rnd, kind);
        return job;
    }
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
        for (int i = 0; i < 200; ++i)
            tick();  // the read-back copy of the registers is filled
    }
    ~Bench() { dut_->final(); }

    void run(const std::vector<Job>& jobs);
    std::uint64_t first_take = 0, last_take = 0, last_write = 0;

private:
    struct Access {
        int word;
        std::uint32_t value;
        bool write;
    };
    /// Elements on their way to the unit from one source.
    struct Source {
        std::deque<std::int8_t> data;
        bool offered = false;
    };
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
    void write(int byte_offset, std::uint32_t value) {
        csb_.push_back({byte_offset / 4, value, true});
    }
    std::uint32_t read(int byte_offset) {
        csb_.push_back({byte_offset / 4, 0, false});
        while (!csb_.empty())
            tick();
        return dut_->pdp2csb_rdata;
    }
    template <typename Valid, typename Data>
    void offer(Source& source, Valid& valid, Data& data, int lanes);
    void took(Source& source, bool ready, int lanes);
    template <typename D>
    void drive(D& d);
    template <typename D>
    void sample(D& d);
    void tick();
    void program(const Job& job, int group);
    void expect(const Job& job);
    void finish(const Job& job, std::size_t layer);

    VerilatedContext context_;
    std::unique_ptr<Vdut> dut_;
    Stall stall_;
    Random rnd_;
    std::uint64_t cycle_ = 0, limit_ = 0;
    std::deque<Access> csb_;
    Source sdp_, rdma_;
    std::deque<Write> writes_;
    std::deque<std::uint64_t> acks_;  // cycles in which a `last` write is answered
    std::vector<std::uint32_t> stalls_;
    std::size_t writing_ = 0;  // layer whose atoms are written
    int done_ = 0;
    bool ready_ = false, held_ = false;
};

void Bench::program(const Job& job, int group) {
    const m::PdpLayer& l = job.layer;
    const auto u32 = [](auto v) { return static_cast<std::uint32_t>(v); };
    const bool cut = job.in.strips > 1;
    const auto partial = [&](int first, int mid, int last) {
        return cut ? (u32(first - 1) & 0x3ff) | (u32(last - 1) & 0x3ff) << 10 |
                         (u32(mid - 1) & 0x3ff) << 20
                   : rnd_.bits();
    };
    write(0x04, u32(group));
    write(0x0c, cut ? rnd_.bits() & 0x1fff : u32(l.width - 1));
    write(0x10, u32(l.height - 1));
    write(0x14, u32(l.channels - 1));
    write(0x18, cut ? rnd_.bits() & 0x1fff : u32(l.out_width - 1));
    write(0x1c, u32(l.out_height - 1));
    write(0x20, u32(l.channels - 1));
    write(0x24, u32(l.method) | u32(!l.flying) << 4 | u32(job.in.strips - 1) << 8);
    write(0x2c, partial(job.in.in_first, job.in.in_mid, job.in.in_last));
    write(0x30, partial(job.out_first, job.out_mid, job.out_last));
    write(0x34, u32(l.kernel_width - 1) | u32(l.kernel_height - 1) << 8 |
                    u32(l.stride_x - 1) << 16 | u32(l.stride_y - 1) << 20);
    write(0x38, l.recip_width);
    write(0x3c, l.recip_height);
    write(0x40, u32(l.pad_left) | u32(l.pad_top) << 4 | u32(job.pad_right) << 8 |
                    u32(job.pad_bottom) << 12);
    for (int n = 1; n < 8; ++n) {
        write(0x40 + 4 * n, u32(l.pad[static_cast<std::size_t>(n)]) & 0x7ffff);
    }
    write(0x70, u32(l.dst_addr));
    write(0x74, u32(l.dst_addr >> 32));
    write(0x78, l.line_stride);
    write(0x7c, l.surf_stride);
    write(0x94, u32(job.dma_en));
    write(0x08, 1);
}

void Bench::expect(const Job& job) {
    const m::PdpLayer& l = job.layer;
    Source& source = l.flying ? sdp_ : rdma_;
    const auto at = [](int v) { return static_cast<std::size_t>(v); };
    for (const m::PdpColumns& strip : m::pdp_strips(job.in)) {
        for (int line = 0; line < job.surfaces() * l.height; ++line) {
            const auto from = job.input.begin() + static_cast<std::ptrdiff_t>(
                                                      at(line * l.width + strip.begin) * kAtomZ);
            source.data.insert(source.data.end(), from,
                               from + static_cast<std::ptrdiff_t>(at(strip.count) * kAtomZ));
        }
    }
    const m::PdpResult want = m::pdp_layer(kAtom, l, job.input);
    for (const m::PdpColumns& strip : job.out_strips()) {
        for (int line = 0; line < job.surfaces() * l.out_height; ++line) {
            for (int w = strip.begin; w < strip.begin + strip.count; ++w) {
                const std::size_t atom = at(line * l.out_width + w);
                const auto from = want.data.begin() + static_cast<std::ptrdiff_t>(atom * kAtomZ);
                writes_.push_back({bus_addr(want.addrs[atom]), {from, from + kAtom}, false});
            }
        }
    }
    writes_.back().last = true;
}

template <typename Valid, typename Data>
void Bench::offer(Source& source, Valid& valid, Data& data, int lanes) {
    if (!source.offered) source.offered = !source.data.empty() && !gap();
    valid = source.offered;
    for (int i = 0; i < lanes; ++i) {
        const auto at = static_cast<std::size_t>(i);
        const int value = source.offered ? source.data[at] : rnd_.in(0, 255);
        put_byte(data, i, static_cast<std::uint8_t>(value));
    }
}

void Bench::took(Source& source, bool ready, int lanes) {
    if (!source.offered || !ready) return;
    if (first_take == 0) first_take = cycle_;
    last_take = cycle_;
    source.offered = false;
    source.data.erase(source.data.begin(), source.data.begin() + lanes);
}

template <typename D>
void Bench::drive(D& d) {
    if constexpr (p::clock_gating != 0) d.clk_ovr_on = 0;
    offer(sdp_, d.sdp2pdp_valid, d.sdp2pdp_data, p::sdp_lanes);
    offer(rdma_, d.pdp_rdma2pdp_valid, d.pdp_rdma2pdp_data, p::pdp_throughput);
    ready_ = !gap();
    d.pdp2mcif_wr_req_ready = ready_;
    d.mcif2pdp_wr_rsp_complete = !acks_.empty() && acks_.front() <= cycle_;
}

template <typename D>
void Bench::sample(D& d) {
    took(sdp_, d.sdp2pdp_ready, p::sdp_lanes);
    took(rdma_, d.pdp_rdma2pdp_ready, p::pdp_throughput);
    if (held_) {
        EXPECT_TRUE(d.pdp2mcif_wr_req_valid) << "write withdrawn, cycle " << cycle_;
    }
    held_ = d.pdp2mcif_wr_req_valid && !ready_;
    if (d.pdp2mcif_wr_req_valid) {
        ASSERT_FALSE(writes_.empty()) << "unexpected write, cycle " << cycle_;
        const Write& want = writes_.front();
        EXPECT_EQ(d.pdp2mcif_wr_req_addr, want.addr) << "cycle " << cycle_;
        EXPECT_EQ(d.pdp2mcif_wr_req_last, want.last) << "cycle " << cycle_;
        for (int i = 0; i < kAtom; ++i) {
            EXPECT_EQ(static_cast<std::int8_t>(get_byte(d.pdp2mcif_wr_req_data, i)),
                      want.data[static_cast<std::size_t>(i)])
                << "element " << i << " cycle " << cycle_ << " layer " << writing_;
        }
        if (!ready_) {
            ++stalls_[writing_];
        } else {
            if (want.last) {
                std::uint64_t answer = cycle_ + static_cast<std::uint64_t>(rnd_.in(1, 60));
                if (!acks_.empty()) answer = std::max(answer, acks_.back() + 1);
                acks_.push_back(answer);
                ++writing_;
            }
            last_write = cycle_;
            writes_.pop_front();
        }
    }
    const int want_done = d.mcif2pdp_wr_rsp_complete ? 1 << (done_ % 2) : 0;
    EXPECT_EQ(d.pdp2glb_done, want_done) << "cycle " << cycle_;
    if (d.mcif2pdp_wr_rsp_complete) {
        ++done_;
        acks_.pop_front();
    }
}

void Bench::tick() {
    dut_->clk = 0;
    dut_->csb2pdp_valid = 0;
    if (!csb_.empty()) {
        dut_->csb2pdp_valid = 1;
        dut_->csb_write = csb_.front().write;
        dut_->csb_addr = csb_.front().word & 0x3ff;
        dut_->csb_wdata = csb_.front().value;
        csb_.pop_front();
    }
    drive(*dut_);
    dut_->eval();
    if (dut_->rst_n) sample(*dut_);
    dut_->clk = 1;
    dut_->eval();
    ++cycle_;
}

void Bench::finish(const Job& job, std::size_t layer) {
    const int group = static_cast<int>(layer % 2);
    write(0x04, static_cast<std::uint32_t>(group));
    while (((read(0x00) >> (16 * group)) & 3) != 0) {
        tick();  // registers are loaded in cycles without an access
        if (::testing::Test::HasFailure()) return;
        ASSERT_LT(cycle_, limit_) << "layer " << layer << " hangs";
    }
    EXPECT_EQ(read(0x98), job.dma_en ? stalls_[layer] : 0u) << "layer " << layer;
    for (const int counter : {0x88, 0x8c, 0x90})
        EXPECT_EQ(read(counter), 0u);
}

/// Both groups are always in flight; the elements of later layers wait at the inputs.
void Bench::run(const std::vector<Job>& jobs) {
    stalls_.assign(jobs.size() + 1, 0);
    for (const Job& job : jobs)
        expect(job);
    limit_ = cycle_ + 3000000;
    for (std::size_t layer = 0; layer < jobs.size(); ++layer) {
        if (layer >= 2) finish(jobs[layer - 2], layer - 2);
        if (::testing::Test::HasFailure()) return;
        program(jobs[layer], static_cast<int>(layer % 2));
    }
    for (std::size_t layer = jobs.size() < 2 ? 0 : jobs.size() - 2; layer < jobs.size(); ++layer) {
        finish(jobs[layer], layer);
        if (::testing::Test::HasFailure()) return;
    }
    while (done_ != static_cast<int>(jobs.size())) {
        tick();
        ASSERT_LT(cycle_, limit_) << "interrupts missing";
    }
    EXPECT_TRUE(sdp_.data.empty() && rdma_.data.empty() && writes_.empty());
}

// ---------------------------------------------------------------- tests

struct Case {
    Stall stall;
    unsigned seed;
    int layers;
};

class Pdp : public ::testing::TestWithParam<Case> {};

TEST_P(Pdp, RandomLayers) {
    const Case c = GetParam();
    for (unsigned round = 0; round < 20; ++round) {
        const unsigned seed = c.seed + 100 * round;
        Random rnd(seed);
        std::vector<Job> jobs;
        for (int i = 0; i < c.layers; ++i)
            jobs.push_back(random_job(rnd));
        Bench(c.stall, seed).run(jobs);
        if (HasFailure()) {
            std::printf("seed %u\n", seed);
            return;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Stalls, Pdp,
                         ::testing::Values(Case{Stall::kNone, 1, 30}, Case{Stall::kNone, 2, 30},
                                           Case{Stall::kRandom, 3, 30}, Case{Stall::kRandom, 4, 30},
                                           Case{Stall::kWorst, 5, 6}));

/// A layer of 4 surfaces whose windows reach over the edges.
Job padded_job(int kernel, int stride, int before, int after) {
    Job job;
    m::PdpLayer& l = job.layer;
    l.out_width = 10;
    l.out_height = 6;
    l.kernel_width = l.kernel_height = kernel;
    l.stride_x = l.stride_y = stride;
    l.pad_left = l.pad_top = before;
    job.pad_right = job.pad_bottom = after;
    l.width = 9 * stride + kernel - before - after;
    l.height = 5 * stride + kernel - before - after;
    l.channels = 4 * kAtom;
    l.method = m::kPdpMax;
    l.line_stride = 10 * kAtom;
    l.surf_stride = 60 * kAtom;
    job.in.width = l.width;
    job.input.resize(static_cast<std::size_t>(4 * l.width * l.height) * kAtomZ);
    Random rnd(7);
    for (std::int8_t& x : job.input)
        x = element(rnd, 2);
    return job;
}

/// All input goes in at one group of elements per cycle if no axis has more windows than elements.
TEST(PdpSpeed, EdgesTakeNoTime) {
    struct Shape {
        int kernel, stride, before, after;
    };
    for (const Shape& shape :
         {Shape{1, 1, 0, 0}, Shape{2, 1, 0, 1}, Shape{3, 1, 1, 1}, Shape{3, 1, 0, 2},
          Shape{2, 2, 0, 1}, Shape{3, 2, 0, 1}, Shape{3, 2, 1, 0}, Shape{4, 2, 1, 1},
          Shape{8, 1, 3, 4}, Shape{8, 1, 0, 7}, Shape{5, 3, 1, 2}}) {
        const Job job = padded_job(shape.kernel, shape.stride, shape.before, shape.after);
        Bench bench(Stall::kNone, 8);
        bench.run({job});
        EXPECT_EQ(bench.last_take - bench.first_take + 1, job.input.size() / p::pdp_throughput)
            << "kernel " << shape.kernel << " stride " << shape.stride << " padding "
            << shape.before << " " << shape.after;
    }
}

/// Only the rows over the bottom edge of the last surface come behind the input.
TEST(PdpSpeed, LastRowsTakeTheirTime) {
    const Job job = padded_job(3, 1, 1, 1);
    Bench bench(Stall::kNone, 9);
    bench.run({job});
    const std::uint64_t row = 10 * kAtom / p::pdp_throughput;
    EXPECT_LE(bench.last_write - bench.last_take, row + kAtom / p::pdp_throughput + 12);
}

}  // namespace
