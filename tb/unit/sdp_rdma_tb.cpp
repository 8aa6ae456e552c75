/// Unit test of dla_sdp_rdma against its golden model, and of the model against the definition:
/// every element and operand handed to SDP, the requests, stall counters and the hand-over between
/// layers, under no, random and worst-case stalls and latencies.

#include <gtest/gtest.h>
#include <verilated.h>

#include <cstdint>
#include <cstdio>
#include <deque>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "Vdut.h"
#include "dla_params.hpp"
#include "verif/model/dla/sdp_rdma.hpp"

namespace {

namespace m = macrame::model::dla;
namespace p = dla_params;

constexpr int kAtom = p::atom_bytes;
constexpr std::size_t kAtomZ = p::atom_bytes;
constexpr int kLanes = p::sdp_lanes;
constexpr std::size_t kLanesZ = p::sdp_lanes;

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

/// Memory content, with many corner values.
std::uint8_t memory_byte(std::uint64_t addr) {
    std::uint64_t h = (bus_addr(addr) + 1) * 0x9E3779B97F4A7C15ull;
    h ^= h >> 29;
    h *= 0xBF58476D1CE4E5B9ull;
    h ^= h >> 32;
    constexpr std::uint8_t kCorner[] = {0x00, 0xff, 0x80, 0x7f, 0x01, 0x55};
    if ((h & 3) == 0) return kCorner[(h >> 8) % 6];
    return static_cast<std::uint8_t>(h >> 16);
}

void memory_read(std::uint64_t addr, std::uint8_t* to, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) to[i] = memory_byte(addr + i);
}

std::uint64_t random_addr(Random& rnd) {
    return bus_addr(std::uint64_t{rnd.bits()} << 32 | rnd.bits()) / kAtom * kAtom;
}

m::SdpOperandSource random_source(Random& rnd, const m::SdpRdmaLayer& l) {
    m::SdpOperandSource op;
    op.enable = rnd.chance(70);
    op.data_use = rnd.in(0, 2);
    op.two_byte = rnd.chance(50);
    op.per_element = rnd.chance(50);
    op.addr = random_addr(rnd);
    op.line_stride =
        static_cast<std::uint32_t>((l.width * op.record_bytes() + rnd.in(0, 3)) * kAtom);
    op.surf_stride = rnd.chance(10) ? rnd.bits() / kAtom * kAtom
                                    : op.line_stride * static_cast<std::uint32_t>(l.height);
    return op;
}

struct Job {
    m::SdpRdmaLayer layer;
    bool dma_en = true;
};

Job random_job(Random& rnd) {
    Job job;
    m::SdpRdmaLayer& l = job.layer;
    const bool dot = rnd.chance(20);
    l.width = dot ? 1 : rnd.chance(15) ? rnd.in(1, 40) : rnd.in(1, 7);
    l.height = dot ? 1 : rnd.in(1, 5);
    l.channels = rnd.in(1, kAtom * (dot ? 12 : 3));
    l.flying = rnd.chance(40);
    l.src_addr = random_addr(rnd);
    l.line_stride = static_cast<std::uint32_t>((l.width + rnd.in(0, 3)) * kAtom);
    l.surf_stride = rnd.chance(10) ? rnd.bits() / kAtom * kAtom
                                   : l.line_stride * static_cast<std::uint32_t>(l.height);
    if (p::sdp_bs_enable) l.bs = random_source(rnd, l);
    if (p::sdp_bn_enable) l.bn = random_source(rnd, l);
    if (p::sdp_ew_enable) l.ew = random_source(rnd, l);
    job.dma_en = rnd.chance(80);
    return job;
}

// ---------------------------------------------------------------- ports of any width

template <typename Port>
std::uint32_t get(const Port& port, int lo, int width) {
    const std::uint64_t mask = (std::uint64_t{1} << width) - 1;
    if constexpr (std::is_integral_v<Port>) {
        return static_cast<std::uint32_t>((std::uint64_t{port} >> lo) & mask);
    } else {
        return static_cast<std::uint32_t>(
            (port[static_cast<std::size_t>(lo / 32)] >> (lo % 32)) & mask);
    }
}

template <typename Port>
void put_atom(Port& port, std::uint64_t addr) {
    if constexpr (std::is_integral_v<Port>) {
        port = 0;
        for (int i = 0; i < kAtom; ++i) {
            port |= static_cast<Port>(Port{memory_byte(addr + static_cast<std::uint64_t>(i))}
                                      << (8 * i));
        }
    } else {
        for (int i = 0; i < kAtom; ++i) {
            const auto word = static_cast<std::size_t>(i / 4);
            if (i % 4 == 0) port[word] = 0;
            port[word] |= std::uint32_t{memory_byte(addr + static_cast<std::uint64_t>(i))}
                          << (8 * (i % 4));
        }
    }
}

/// One read channel: memory side and SDP side.
struct Channel {
    const char* name = "";
    // memory
    std::deque<std::pair<std::uint64_t, std::uint64_t>> queue;  // address, earliest cycle
    bool ready = false, rsp = false;
    bool waiting = false;
    std::uint64_t held_addr = 0;
    int held_size = 0;
    std::vector<std::uint64_t> stalls;  // by layer
    std::uint64_t requested = 0;
    // SDP
    struct Beat {
        std::vector<m::SdpOperand> elements;
        bool turn;
    };
    std::deque<Beat> beats;
    bool out_ready = false;
    std::uint64_t last_cycle = 0, first_cycle = 0;
};

class Bench {
public:
    Bench(Stall stall, unsigned seed, int latency) : stall_(stall), latency_(latency), rnd_(seed) {
        context_.randReset(2);
        context_.randSeed(static_cast<int>(seed) + 1);
        dut_ = std::make_unique<Vdut>(&context_);
        m_.name = "m";
        b_.name = "b";
        n_.name = "n";
        e_.name = "e";
        dut_->rst_n = 0;
        for (int i = 0; i < 3; ++i) {
            dut_->clk = 0;
            dut_->eval();
            dut_->clk = 1;
            dut_->eval();
        }
        dut_->rst_n = 1;
        for (int i = 0; i < 200; ++i) tick();  // the register file clears its read-back copy
    }
    ~Bench() { dut_->final(); }

    void run(const std::vector<Job>& jobs);
    void write(int byte_offset, std::uint32_t value) { csb_.push_back({byte_offset / 4, value}); }
    std::uint32_t read(int byte_offset) {
        while (!csb_.empty()) tick();
        csb_read_ = byte_offset / 4;
        tick();
        csb_read_ = -1;
        return dut_->sdp_rdma2csb_rdata;
    }
    const Channel& m() const { return m_; }
    const Channel& b() const { return b_; }
    std::uint64_t enable_cycle() const { return enable_; }
    /// Stops SDP; the channels fill up.
    void hold(bool on) { hold_ = on; }

private:
    bool gap() {
        switch (stall_) {
            case Stall::kNone: return false;
            case Stall::kRandom: return rnd_.chance(30);
            default: return rnd_.chance(88);
        }
    }
    void tick();
    void program(const Job& job, int group);
    void expect(const Job& job);
    template <typename D> void drive(D& d);
    template <typename D> void sample(D& d);
    void request(Channel& c, bool valid, std::uint64_t addr, int size);
    template <typename Alu, typename Mul>
    void handed_over(Channel& c, bool valid, int width, const Alu& alu, const Mul& mul);
    void prepare(Channel& c);

    VerilatedContext context_;
    std::unique_ptr<Vdut> dut_;
    Stall stall_;
    int latency_;
    Random rnd_;
    std::uint64_t cycle_ = 0, enable_ = 0;
    std::deque<std::pair<int, std::uint32_t>> csb_;
    int csb_read_ = -1;
    bool hold_ = false;
    Channel m_, b_, n_, e_;
    std::size_t layer_ = 0;  // the one that sends requests
    const std::vector<Job>* jobs_ = nullptr;
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
        write(at + 20, rnd_.bits());
        at += 0x18;
    }
    if (!p::sdp_ew_enable) write(0x58, 1);
    write(0x70, u32(l.flying));
    write(0x74, 1);
    write(0x80, u32(job.dma_en));
    write(0x08, 1);
}

void Bench::expect(const Job& job) {
    const m::SdpRdmaLayer& l = job.layer;
    const auto add = [&](Channel& c, const std::vector<m::SdpOperand>& elements) {
        const std::size_t per_surface = static_cast<std::size_t>(l.width * l.height) * kAtomZ;
        for (std::size_t i = 0; i < elements.size(); i += kLanesZ) {
            const auto from = elements.begin() + static_cast<std::ptrdiff_t>(i);
            c.beats.push_back({{from, from + kLanes}, i % per_surface >= per_surface - kAtomZ});
        }
    };
    std::vector<m::SdpOperand> main;
    for (const std::int32_t v : m::sdp_read_main(kAtom, l, memory_read)) {
        main.push_back({static_cast<std::int16_t>(v), 0});
    }
    add(m_, main);
    add(b_, m::sdp_read_operands(kAtom, l, l.bs, memory_read));
    add(n_, m::sdp_read_operands(kAtom, l, l.bn, memory_read));
    add(e_, m::sdp_read_operands(kAtom, l, l.ew, memory_read));
}

void Bench::prepare(Channel& c) {
    c.ready = !gap();
    c.rsp = !c.queue.empty() && c.queue.front().second <= cycle_ && !gap();
    c.out_ready = !hold_ && !c.beats.empty() && !gap();
}

template <typename D>
void Bench::drive(D& d) {
    if constexpr (p::clock_gating != 0) d.clk_ovr_on = 0;
    prepare(m_);
    d.sdp2mcif_rd_req_ready = m_.ready;
    d.mcif2sdp_rd_rsp_valid = m_.rsp;
    if (m_.rsp) put_atom(d.mcif2sdp_rd_rsp_data, m_.queue.front().first);
    d.sdp_rdma2sdp_m_ready = m_.out_ready;
    if constexpr (p::sdp_bs_enable) {
        prepare(b_);
        d.sdp_b2mcif_rd_req_ready = b_.ready;
        d.mcif2sdp_b_rd_rsp_valid = b_.rsp;
        if (b_.rsp) put_atom(d.mcif2sdp_b_rd_rsp_data, b_.queue.front().first);
        d.sdp_rdma2sdp_b_ready = b_.out_ready;
        d.sdp2sdp_rdma_b_turn = b_.beats.empty() ? rnd_.chance(50) : b_.beats.front().turn;
    }
    if constexpr (p::sdp_bn_enable) {
        prepare(n_);
        d.sdp_n2mcif_rd_req_ready = n_.ready;
        d.mcif2sdp_n_rd_rsp_valid = n_.rsp;
        if (n_.rsp) put_atom(d.mcif2sdp_n_rd_rsp_data, n_.queue.front().first);
        d.sdp_rdma2sdp_n_ready = n_.out_ready;
        d.sdp2sdp_rdma_n_turn = n_.beats.empty() ? rnd_.chance(50) : n_.beats.front().turn;
    }
    if constexpr (p::sdp_ew_enable) {
        prepare(e_);
        d.sdp_e2mcif_rd_req_ready = e_.ready;
        d.mcif2sdp_e_rd_rsp_valid = e_.rsp;
        if (e_.rsp) put_atom(d.mcif2sdp_e_rd_rsp_data, e_.queue.front().first);
        d.sdp_rdma2sdp_e_ready = e_.out_ready;
        d.sdp2sdp_rdma_e_turn = e_.beats.empty() ? rnd_.chance(50) : e_.beats.front().turn;
    }
}

void Bench::request(Channel& c, bool valid, std::uint64_t addr, int size) {
    if (c.rsp) c.queue.pop_front();
    if (c.waiting) {
        EXPECT_TRUE(valid) << "request withdrawn";
        EXPECT_EQ(addr, c.held_addr);
        EXPECT_EQ(size, c.held_size);
    }
    c.waiting = valid && !c.ready;
    c.held_addr = addr;
    c.held_size = size;
    if (!valid) return;
    EXPECT_EQ(addr % kAtomZ, 0u);
    if (!c.ready) {
        // The layer that sends requests is known when its first request is accepted or earlier.
        ++c.stalls[layer_];
        return;
    }
    for (int i = 0; i <= size; ++i) {
        const int extra = stall_ == Stall::kNone ? 0 : rnd_.in(0, 20);
        c.queue.push_back({addr + static_cast<std::uint64_t>(i) * kAtomZ,
                           cycle_ + static_cast<std::uint64_t>(latency_ + extra)});
        ++c.requested;
    }
}

template <typename Alu, typename Mul>
void Bench::handed_over(Channel& c, bool valid, int width, const Alu& alu, const Mul& mul) {
    if (!valid || !c.out_ready) return;
    const Channel::Beat& want = c.beats.front();
    for (std::size_t i = 0; i < kLanesZ; ++i) {
        const int lane = static_cast<int>(i);
        const auto mask = width == 8 ? 0xffu : 0xffffu;
        EXPECT_EQ(get(alu, width * lane, width),
                  static_cast<std::uint32_t>(want.elements[i].alu) & mask)
            << c.name << " lane " << i << " cycle " << cycle_;
        if (width == 16) {
            EXPECT_EQ(get(mul, 16 * lane, 16),
                      static_cast<std::uint32_t>(want.elements[i].mul) & mask)
                << c.name << " lane " << i << " cycle " << cycle_;
        }
    }
    if (c.first_cycle == 0) c.first_cycle = cycle_;
    c.last_cycle = cycle_;
    c.beats.pop_front();
}

template <typename D>
void Bench::sample(D& d) {
    request(m_, d.sdp2mcif_rd_req_valid, d.sdp2mcif_rd_req_addr, d.sdp2mcif_rd_req_size);
    handed_over(m_, d.sdp_rdma2sdp_m_valid, 8, d.sdp_rdma2sdp_m_data, d.sdp_rdma2sdp_m_data);
    if constexpr (p::sdp_bs_enable) {
        request(b_, d.sdp_b2mcif_rd_req_valid, d.sdp_b2mcif_rd_req_addr, d.sdp_b2mcif_rd_req_size);
        handed_over(b_, d.sdp_rdma2sdp_b_valid, 16, d.sdp_rdma2sdp_b_alu, d.sdp_rdma2sdp_b_mul);
    }
    if constexpr (p::sdp_bn_enable) {
        request(n_, d.sdp_n2mcif_rd_req_valid, d.sdp_n2mcif_rd_req_addr, d.sdp_n2mcif_rd_req_size);
        handed_over(n_, d.sdp_rdma2sdp_n_valid, 16, d.sdp_rdma2sdp_n_alu, d.sdp_rdma2sdp_n_mul);
    }
    if constexpr (p::sdp_ew_enable) {
        request(e_, d.sdp_e2mcif_rd_req_valid, d.sdp_e2mcif_rd_req_addr, d.sdp_e2mcif_rd_req_size);
        handed_over(e_, d.sdp_rdma2sdp_e_valid, 16, d.sdp_rdma2sdp_e_alu, d.sdp_rdma2sdp_e_mul);
    }
}

void Bench::tick() {
    dut_->clk = 0;
    dut_->csb2sdp_rdma_valid = 0;
    if (csb_read_ >= 0) {
        dut_->csb2sdp_rdma_valid = 1;
        dut_->csb_write = 0;
        dut_->csb_addr = csb_read_ & 0x3ff;
    } else if (!csb_.empty()) {
        dut_->csb2sdp_rdma_valid = 1;
        dut_->csb_write = 1;
        dut_->csb_addr = csb_.front().first & 0x3ff;
        dut_->csb_wdata = csb_.front().second;
        if (csb_.front().first == 0x08 / 4) enable_ = cycle_;
        csb_.pop_front();
    }
    drive(*dut_);
    dut_->eval();
    if (jobs_ != nullptr) sample(*dut_);
    dut_->clk = 1;
    dut_->eval();
    ++cycle_;
}

/// Programs one layer after the other, each as soon as the one before has ended: the channels still
/// hold its data then.
void Bench::run(const std::vector<Job>& jobs) {
    jobs_ = &jobs;
    for (Channel* c : {&m_, &b_, &n_, &e_}) c->stalls.assign(jobs.size(), 0);
    for (const Job& job : jobs) expect(job);
    const std::uint64_t limit = cycle_ + 3000000;
    for (layer_ = 0; layer_ < jobs.size(); ++layer_) {
        const int group = static_cast<int>(layer_ % 2);
        program(jobs[layer_], group);
        while (!csb_.empty()) tick();
        tick();
        while (((read(0x00) >> (16 * group)) & 3) != 0) {
            tick();
            if (::testing::Test::HasFailure()) return;
            ASSERT_LT(cycle_, limit) << "layer " << layer_ << " hangs";
        }
        const bool on = jobs[layer_].dma_en;
        EXPECT_EQ(read(0x84), on ? m_.stalls[layer_] : 0) << "layer " << layer_;
        EXPECT_EQ(read(0x88), on ? b_.stalls[layer_] : 0) << "layer " << layer_;
        EXPECT_EQ(read(0x8c), on ? n_.stalls[layer_] : 0) << "layer " << layer_;
        EXPECT_EQ(read(0x90), on ? e_.stalls[layer_] : 0) << "layer " << layer_;
        EXPECT_EQ(read(0x78), 0u);
        EXPECT_EQ(read(0x7c), 0u);
    }
    while (!m_.beats.empty() || !b_.beats.empty() || !n_.beats.empty() ||
           !e_.beats.empty()) {
        tick();
        if (::testing::Test::HasFailure()) return;
        ASSERT_LT(cycle_, limit) << "beats missing: " << m_.beats.size() << " " << b_.beats.size()
                                 << " " << n_.beats.size();
    }
    for (int i = 0; i < 100; ++i) tick();
    EXPECT_TRUE(m_.queue.empty() && b_.queue.empty() && n_.queue.empty() && e_.queue.empty());
    const unsigned left = dut_->sdp_rdma2sdp_m_valid;
    EXPECT_EQ(left, 0u) << "more data than asked for";
}

// ---------------------------------------------------------------- tests

TEST(SdpRdmaModel, AddressesFollowTheDefinition) {
    Random rnd(3);
    for (int i = 0; i < 2000; ++i) {
        const Job job = random_job(rnd);
        const m::SdpRdmaLayer& l = job.layer;
        const m::SdpOperandSource op = random_source(rnd, l);
        const std::uint64_t kb = (op.data_use == 2 ? 2u : 1u) * (op.two_byte ? 2u : 1u);
        const std::uint64_t r = kAtomZ * kb;
        const int s = rnd.in(0, 5), e = rnd.in(0, kAtom - 1);
        const int h = rnd.in(0, l.height - 1), w = rnd.in(0, l.width - 1);
        const auto z = [](int v) { return static_cast<std::uint64_t>(v); };
        std::uint64_t want = op.addr + z(s) * op.surf_stride + z(h) * op.line_stride;
        want += z(w) * r + z(e) * kb;
        if (l.width == 1 && l.height == 1) want = op.addr + z(s) * r + z(e) * kb;
        if (!op.per_element) want = op.addr + (z(s) * kAtomZ + z(e)) * kb;
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

struct Case {
    Stall stall;
    unsigned seed;
    int layers;
    int latency;
};

class SdpRdma : public ::testing::TestWithParam<Case> {};

TEST_P(SdpRdma, RandomLayers) {
    const Case c = GetParam();
    std::printf("seed %u\n", c.seed);
    Random rnd(c.seed);
    std::vector<Job> jobs;
    for (int i = 0; i < c.layers; ++i) jobs.push_back(random_job(rnd));
    Bench(c.stall, c.seed, c.latency).run(jobs);
}

INSTANTIATE_TEST_SUITE_P(Stalls, SdpRdma,
                         ::testing::Values(Case{Stall::kNone, 1, 60, 1},
                                           Case{Stall::kNone, 2, 60, 50},
                                           Case{Stall::kRandom, 3, 80, 5},
                                           Case{Stall::kRandom, 4, 80, 30},
                                           Case{Stall::kWorst, 5, 30, 1},
                                           Case{Stall::kWorst, 6, 30, 100}));

Job fast_job(int data_use, bool two_byte, bool per_element) {
    Job job;
    m::SdpRdmaLayer& l = job.layer;
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
        const Job job = fast_job(record == 1 ? 0 : record == 4 ? 2 : 1, record >= 2, per_element);
        const int per_cycle = std::min(kLanes * (per_element ? record : 1), kAtom);
        const int latency = std::min(p::sdp_m_fifo_depth * kAtom / kLanes,
                                     p::sdp_b_fifo_depth * kAtom / per_cycle) * 3 / 4 - 4;
        Bench bench(Stall::kNone, 7, latency);
        bench.run({job});
        const std::uint64_t beats = 32 * 4 * 4 * kAtomZ / kLanesZ;
        const auto cycles = [](const Channel& c) { return c.last_cycle - c.first_cycle + 1; };
        std::printf("%s record %d: latency %d, first beat %llu, %llu beats in %llu, %llu cycles\n",
                    p::name, record, latency,
                    static_cast<unsigned long long>(bench.m().first_cycle - bench.enable_cycle()),
                    static_cast<unsigned long long>(beats),
                    static_cast<unsigned long long>(cycles(bench.m())),
                    static_cast<unsigned long long>(cycles(bench.b())));
        EXPECT_EQ(cycles(bench.m()), beats);
        if (p::sdp_bs_enable && kLanes * record <= kAtom) {
            EXPECT_EQ(cycles(bench.b()), beats);
        }
    }
}

}  // namespace
