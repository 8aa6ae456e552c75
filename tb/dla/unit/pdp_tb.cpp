/// Unit test of dla_pdp against its golden model: every atom written, in order, with strips, input
/// from SDP and from PDP_RDMA, interrupts, stall counter, ping-pong groups, under no, random and
/// worst-case stalls; and the speed it promises.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <vector>

#include "Vdut.h"
#include "dla_params.hpp"
#include "tb/common/ports.hpp"
#include "tb/dla/unit/element_types.hpp"
#include "tb/dla/unit/mcif_stub.hpp"
#include "tb/dla/unit/type_stimulus.hpp"
#include "tb/dla/unit/unit_bench.hpp"
#include "verif/dla/model/pdp.hpp"
#include "verif/dla/model/pdp_rdma.hpp"

namespace {

namespace m = macrame::dla::model;
namespace p = dla_params;
namespace tb = macrame::tb;

using tb::kAtom, tb::kAtomZ;

struct Job {
    m::PdpLayer layer;
    m::PdpRdmaLayer in;  // for its strips
    int out_first = 0, out_mid = 0, out_last = 0;
    int pad_right = 0, pad_bottom = 0;
    bool dma_en = true;
    std::vector<std::int8_t> input;  // whole cube: surface -> line -> column -> byte

    int surfaces() const { return tb::atoms_of_pixel(layer.precision, layer.channels); }
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
int random_axis(tb::Random& rnd, int out, int& kernel, int& stride, int& before, int& after) {
    kernel = rnd.chance(60) ? rnd.in(1, 4) : rnd.in(1, 8);
    stride = rnd.chance(75) ? rnd.in(1, kernel) : rnd.in(1, 16);
    before = rnd.chance(40) ? 0 : rnd.in(0, kernel - 1);
    after = rnd.chance(40) ? 0 : rnd.in(0, kernel - 1);
    return std::max(0, (out - 1) * stride + kernel - before - after);
}

/// Cuts the layer into strips; false if that is impossible.
bool split(tb::Random& rnd, Job& job) {
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

/// What missing elements add and reciprocals: as software stores them, or any numbers.
void set_factors(tb::Random& rnd, m::PdpLayer& l) {
    constexpr std::uint32_t kReciprocals[] = {0x07C00, 0x07800, 0x07555, 0x07400,
                                              0x07266, 0x07155, 0x07092, 0x07000};
    const bool real = l.precision == m::Precision::fp16;
    const bool sane = rnd.chance(70);
    const int value =
        l.precision == m::Precision::int16 ? rnd.in(-20000, 20000) : rnd.in(-128, 127);
    for (int n = 1; n < 8; ++n) {
        const std::int32_t pad =
            real ? static_cast<std::int32_t>(m::Fp17::from_int(n * value)) : n * value;
        l.pad[static_cast<std::size_t>(n)] =
            sane ? pad : static_cast<std::int32_t>(m::wrap(rnd.bits(), 19));
    }
    const auto recip = [&](int kernel) {
        if (!sane) return rnd.bits() & 0x1FFFFu;
        return real ? kReciprocals[kernel - 1] : 65536u / static_cast<unsigned>(kernel);
    };
    l.recip_width = recip(l.kernel_width);
    l.recip_height = recip(l.kernel_height);
}

Job try_job(tb::Random& rnd) {
    Job job;
    m::PdpLayer& l = job.layer;
    l.out_width = rnd.chance(90) ? rnd.in(1, 8) : rnd.in(1, 128);
    l.out_height = rnd.in(1, 7);
    l.width = random_axis(rnd, l.out_width, l.kernel_width, l.stride_x, l.pad_left, job.pad_right);
    l.height =
        random_axis(rnd, l.out_height, l.kernel_height, l.stride_y, l.pad_top, job.pad_bottom);
    l.types16 = p::types16 != 0;
    l.precision = tb::random_type(rnd);
    l.nan_to_zero = rnd.chance(30);
    l.channels = rnd.in(1, tb::elements_of_atom(l.precision) * 3);
    l.method = rnd.in(0, 2);
    l.flying = rnd.chance(40);
    l.dst_addr = tb::random_addr(rnd);
    l.line_stride = static_cast<std::uint32_t>((l.out_width + rnd.in(0, 3)) * kAtom);
    l.surf_stride = rnd.chance(10) ? rnd.bits() / kAtom * kAtom
                                   : l.line_stride * static_cast<std::uint32_t>(l.out_height);
    set_factors(rnd, l);
    job.dma_en = rnd.chance(80);
    return job;
}

Job random_job(tb::Random& rnd) {
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
        l.strips = m::pdp_strips(job.in);
        l.out_strips = job.out_strips();
        job.input = tb::random_cube(rnd, l.precision, job.surfaces() * l.width * l.height);
        return job;
    }
}

class Bench : public tb::UnitBench {
public:
    Bench(tb::Stall stall, unsigned seed) : UnitBench(stall, seed) {
        start(dut().csb2pdp_valid, dut().pdp2csb_rdata);
    }

    void run(const std::vector<Job>& jobs);
    std::uint64_t last_write() const { return memory_.last_write; }
    std::uint64_t first_take = 0, last_take = 0;

private:
    /// What is on its way to the unit from one source: elements of SDP, bytes of PDP_RDMA.
    struct Source {
        std::deque<std::int16_t> data;
        bool offered = false;
    };
    template <typename Data>
    void offer(Source& source, CData& valid, Data& data, int lanes, int bits);
    void took(Source& source, bool ready, int lanes);
    void drive(Vdut& d) override;
    void sample(Vdut& d) override;
    void program(const Job& job, int group);
    void expect(const Job& job);

    Source sdp_, rdma_;
    tb::WriteStub memory_{*this};
    std::vector<m::PdpCounts> counts_;
};

void Bench::program(const Job& job, int group) {
    const m::PdpLayer& l = job.layer;
    const auto u32 = [](auto v) { return static_cast<std::uint32_t>(v); };
    const bool cut = job.in.strips > 1;
    const auto partial = [&](int first, int mid, int last) {
        return cut ? (u32(first - 1) & 0x3ff) | (u32(last - 1) & 0x3ff) << 10 |
                         (u32(mid - 1) & 0x3ff) << 20
                   : random().bits();
    };
    write(0x04, u32(group));
    write(0x0c, cut ? random().bits() & 0x1fff : u32(l.width - 1));
    write(0x10, u32(l.height - 1));
    write(0x14, u32(l.channels - 1));
    write(0x18, cut ? random().bits() & 0x1fff : u32(l.out_width - 1));
    write(0x1c, u32(l.out_height - 1));
    write(0x20, u32(l.channels - 1));
    write(0x24, u32(l.method) | u32(!l.flying) << 4 | u32(job.in.strips - 1) << 8);
    write(0x28, u32(l.nan_to_zero));
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
    write(0x84, static_cast<std::uint32_t>(l.precision));
    write(0x94, u32(job.dma_en));
    write(0x08, 1);
}

void Bench::expect(const Job& job) {
    const m::PdpLayer& l = job.layer;
    Source& source = l.flying ? sdp_ : rdma_;
    const auto at = [](int v) { return static_cast<std::size_t>(v); };
    for (const m::PdpColumns& strip : m::pdp_strips(job.in)) {
        for (int line = 0; line < job.surfaces() * l.height; ++line) {
            const std::size_t unit = l.flying ? at(m::bytes_of(l.precision)) : 1;
            const std::size_t from = at(line * l.width + strip.begin) * kAtomZ / unit;
            for (std::size_t i = from; i < from + at(strip.count) * kAtomZ / unit; ++i) {
                const std::int32_t element =
                    l.flying ? m::element_at(l.precision, job.input, i) : job.input[i];
                source.data.push_back(static_cast<std::int16_t>(element));
            }
        }
    }
    const m::PdpResult want = m::pdp_layer(kAtom, l, job.input);
    for (const m::PdpColumns& strip : job.out_strips()) {
        for (int line = 0; line < job.surfaces() * l.out_height; ++line) {
            for (int w = strip.begin; w < strip.begin + strip.count; ++w) {
                const std::size_t atom = at(line * l.out_width + w);
                memory_.expect(want.addrs[atom], &want.data[atom * kAtomZ]);
            }
        }
    }
    memory_.end_layer();
    counts_.push_back(want.counts);
}

template <typename Data>
void Bench::offer(Source& source, CData& valid, Data& data, int lanes, int bits) {
    if (!source.offered) source.offered = !source.data.empty() && !gap();
    valid = source.offered;
    for (int i = 0; i < lanes; ++i) {
        const auto at = static_cast<std::size_t>(i);
        const int value = source.offered ? source.data[at] : random().in(0, 65535);
        tb::put_bits(data, bits * i, bits, static_cast<std::uint32_t>(value) & ((1u << bits) - 1));
    }
}

void Bench::took(Source& source, bool ready, int lanes) {
    if (!source.offered || !ready) return;
    if (first_take == 0) first_take = cycle();
    last_take = cycle();
    source.offered = false;
    source.data.erase(source.data.begin(), source.data.begin() + lanes);
}

void Bench::drive(Vdut& d) {
    offer(sdp_, d.sdp2pdp_valid, d.sdp2pdp_data, p::sdp_lanes, p::lane_bits);
    offer(rdma_, d.pdp_rdma2pdp_valid, d.pdp_rdma2pdp_data, p::pdp_throughput, 8);
    memory_.drive(d.pdp2mcif_wr_req_ready, d.mcif2pdp_wr_rsp_complete);
}

void Bench::sample(Vdut& d) {
    took(sdp_, d.sdp2pdp_ready, p::sdp_lanes);
    took(rdma_, d.pdp_rdma2pdp_ready, p::pdp_throughput);
    memory_.sample(d.pdp2mcif_wr_req_valid, d.pdp2mcif_wr_req_addr, d.pdp2mcif_wr_req_data,
                   d.pdp2mcif_wr_req_last, d.pdp2glb_done);
}

/// The elements of later layers wait at the inputs.
void Bench::run(const std::vector<Job>& jobs) {
    for (const Job& job : jobs)
        expect(job);
    const auto check = [&](std::size_t i) {
        EXPECT_EQ(read(0x98), jobs[i].dma_en ? memory_.stalls(i) : 0u) << "layer " << i;
        EXPECT_EQ(read(0x88), counts_[i].inf_in) << "layer " << i;
        EXPECT_EQ(read(0x8c), counts_[i].nan_in) << "layer " << i;
        EXPECT_EQ(read(0x90), counts_[i].nan_out) << "layer " << i;
    };
    run_layers(
        jobs.size(), [&](std::size_t i) { program(jobs[i], static_cast<int>(i % 2)); }, check);
    wait_for([&] { return memory_.layers_done == jobs.size(); }, "interrupts missing");
    EXPECT_TRUE(sdp_.data.empty() && rdma_.data.empty() && memory_.idle());
}

// ---------------------------------------------------------------- tests

using Case = tb::LayersCase;

class Pdp : public ::testing::TestWithParam<Case> {};

TEST_P(Pdp, RandomLayers) {
    const Case c = GetParam();
    tb::run_rounds(c.seed, 20, [&](unsigned seed) {
        tb::Random rnd(seed);
        Bench(c.stall, seed).run(tb::random_jobs(rnd, c.layers, random_job));
    });
}

INSTANTIATE_TEST_SUITE_P(
    Stalls, Pdp,
    ::testing::Values(Case{tb::Stall::kNone, 1, 30}, Case{tb::Stall::kNone, 2, 30},
                      Case{tb::Stall::kRandom, 3, 30}, Case{tb::Stall::kRandom, 4, 30},
                      Case{tb::Stall::kWorst, 5, 6}, Case{tb::Stall::kBlocked, 6, 20}));

/// A layer of 4 surfaces whose windows reach over the edges.
Job padded_job(m::Precision type, int kernel, int stride, int before, int after) {
    Job job;
    m::PdpLayer& l = job.layer;
    l.types16 = p::types16 != 0;
    l.precision = type;
    l.out_width = 10;
    l.out_height = 6;
    l.kernel_width = l.kernel_height = kernel;
    l.stride_x = l.stride_y = stride;
    l.pad_left = l.pad_top = before;
    job.pad_right = job.pad_bottom = after;
    l.width = 9 * stride + kernel - before - after;
    l.height = 5 * stride + kernel - before - after;
    l.channels = 4 * tb::elements_of_atom(type);
    l.method = type == m::Precision::fp16 ? m::kPdpAverage : m::kPdpMax;
    l.line_stride = 10 * kAtom;
    l.surf_stride = 60 * kAtom;
    job.in.width = l.width;
    tb::Random rnd(7);
    job.input = tb::random_cube(rnd, type, 4 * l.width * l.height);
    return job;
}

/// All input goes in at one group of elements per cycle if no axis has more windows than elements;
/// only the first ones wait for the first turn.
TEST(PdpSpeed, EdgesTakeNoTime) {
    struct Shape {
        int kernel, stride, before, after;
    };
    for (const Shape& shape :
         {Shape{1, 1, 0, 0}, Shape{2, 1, 0, 1}, Shape{3, 1, 1, 1}, Shape{3, 1, 0, 2},
          Shape{2, 2, 0, 1}, Shape{3, 2, 0, 1}, Shape{3, 2, 1, 0}, Shape{4, 2, 1, 1},
          Shape{8, 1, 3, 4}, Shape{8, 1, 0, 7}, Shape{5, 3, 1, 2}}) {
        for (const m::Precision type : tb::types()) {
            const Job job = padded_job(type, shape.kernel, shape.stride, shape.before, shape.after);
            Bench bench(tb::Stall::kNone, 8);
            bench.run({job});
            EXPECT_LE(bench.last_take - bench.first_take + 1,
                      job.input.size() / p::pdp_throughput + 5)
                << "kernel " << shape.kernel << " stride " << shape.stride << " padding "
                << shape.before << " " << shape.after << " type " << static_cast<int>(type);
        }
    }
}

/// Only the rows over the bottom edge of the last surface come behind the input.
TEST(PdpSpeed, LastRowsTakeTheirTime) {
    for (const m::Precision type : tb::types()) {
        const Job job = padded_job(type, 3, 1, 1, 1);
        Bench bench(tb::Stall::kNone, 9);
        bench.run({job});
        const std::uint64_t row = 10 * kAtom / p::pdp_throughput;
        EXPECT_LE(bench.last_write() - bench.last_take,
                  row + kAtom / p::pdp_throughput + (p::fp16 != 0 ? 70 : 20));
    }
}

}  // namespace
