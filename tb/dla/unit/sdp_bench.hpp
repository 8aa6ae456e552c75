#pragma once
/// Plays layers on dla_sdp: registers, sources of data and operands, memory and PDP at its outputs.

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

#include "Vdut.h"
#include "tb/common/ports.hpp"
#include "tb/dla/unit/lut_load.hpp"
#include "tb/dla/unit/sdp_stimulus.hpp"
#include "tb/dla/unit/unit_bench.hpp"

namespace macrame::tb::sdp {

/// One source of beats for SDP.
struct Source {
    struct Beat {
        const Job* job;
        std::size_t first;  // element
        bool once;
    };
    std::deque<Beat> beats;
    bool valid = false;
};

class Bench : public UnitBench {
public:
    Bench(Stall stall, unsigned seed) : UnitBench(stall, seed) {
        start(dut().csb2sdp_valid, dut().sdp2csb_rdata);
    }

    void run(const std::vector<Job>& jobs, bool by_status = false);
    void load(const m::Lut& lut) { load_lut(*this, lut, RangeWidth::k32); }

    std::uint64_t enable_cycle() const { return enable_; }
    std::uint64_t last_write_cycle() const { return last_write_; }

private:
    void program(const Job& job, int group);
    void program_ew(const m::SdpEw& ew);
    void check_status(const Job& job, std::size_t index);
    void drive(Vdut& d) override { drive_links(d); }
    void sample(Vdut& d) override { sample_links(d); }
    template <typename D>
    void drive_links(D& d);
    template <typename D>
    void sample_links(D& d);
    template <typename D>
    void sample_pdp(D& d);
    template <typename D>
    void sample_done(D& d);
    template <typename D>
    void sample_write(D& d);
    bool offer(Source& source);
    template <typename Port>
    void offer(Source& source, std::vector<m::SdpOperand> Job::*operands, CData& valid, CData& once,
               Port& alu, Port& mul);
    void taken(Source& source, bool ready);

    Source cacc_, m_, b_, n_, e_;

    const std::vector<Job>* jobs_ = nullptr;
    std::size_t write_job_ = 0;    // job of the next write
    std::size_t atom_ = 0;         // next atom of it
    std::size_t done_ = 0;         // interrupts seen
    std::size_t pdp_job_ = 0;      // layer of the next element for PDP
    std::size_t pdp_element_ = 0;  // that element
    bool pdp_held_ = false;
    std::size_t next_pdp_ = 0;  // layers before it have gone to memory or are finished
    std::deque<std::pair<std::uint64_t, std::size_t>> acks_;  // earliest cycle, layer
    bool answered_ = false;                                   // a cycle ago
    std::size_t answered_layer_ = 0;
    std::vector<bool> finished_;  // interrupt seen, by layer
    std::vector<std::uint64_t> stalls_;
    bool held_ = false;
    std::uint64_t enable_ = 0, last_write_ = 0;
};

inline void Bench::program_ew(const m::SdpEw& ew) {
    const auto u32 = [](auto v) { return static_cast<std::uint32_t>(v); };
    write(0x80, u32(ew.bypass) | u32(ew.alu_bypass) << 1 | u32(ew.alu_algo) << 2 |
                    u32(ew.mul_bypass) << 4 | u32(ew.mul_prelu) << 5 | u32(ew.lut_bypass) << 6);
    write(0x84, u32(ew.alu_from_memory) | u32(ew.alu_cvt.bypass) << 1);
    write(0x88, u32(ew.alu_operand));
    write(0x8c, u32(ew.alu_cvt.offset));
    write(0x90, u32(ew.alu_cvt.scale) & 0xffff);
    write(0x94, u32(ew.alu_cvt.shift));
    write(0x98, u32(ew.mul_from_memory) | u32(ew.mul_cvt.bypass) << 1);
    write(0x9c, u32(ew.mul_operand));
    write(0xa0, u32(ew.mul_cvt.offset));
    write(0xa4, u32(ew.mul_cvt.scale) & 0xffff);
    write(0xa8, u32(ew.mul_cvt.shift));
    write(0xac, u32(ew.truncate));
}

inline void Bench::program(const Job& job, int group) {
    const m::SdpLayer& l = job.layer;
    const auto u32 = [](auto v) { return static_cast<std::uint32_t>(v); };
    write(0x04, u32(group));
    write(0x3c, u32(l.width - 1));
    write(0x40, u32(l.height - 1));
    write(0x44, u32(l.channels - 1));
    write(0x48, u32(l.dst_addr));
    write(0x4c, u32(l.dst_addr >> 32));
    write(0x50, l.line_stride);
    write(0x54, l.surf_stride);
    int at = 0x58;
    for (const m::SdpX* x : {&l.bs, &l.bn}) {
        write(at, u32(x->bypass) | u32(x->alu_bypass) << 1 | u32(x->alu_algo) << 2 |
                      u32(x->mul_bypass) << 4 | u32(x->mul_prelu) << 5 | u32(x->relu_bypass) << 6);
        write(at + 4, u32(x->alu_from_memory) | u32(x->alu_shift) << 8);
        write(at + 8, u32(x->alu_operand) & 0xffff);
        write(at + 12, u32(x->mul_from_memory) | u32(x->mul_shift) << 8);
        write(at + 16, u32(x->mul_operand) & 0xffff);
        at += 0x14;
    }
    if (p::sdp_ew_enable) {
        program_ew(l.ew);
    } else {
        write(0x80, random().bits());  // storage
    }
    write(0xb0, u32(l.flying) | u32(l.to_pdp) << 1 | u32(l.winograd) << 2 |
                    u32(l.nan_to_zero) << 3 | u32(l.batches - 1) << 8);
    write(0xb4, 1);
    write(0xb8, l.batch_stride);
    write(0xbc, u32(l.proc) | u32(l.out) << 2);
    write(0xc0, u32(l.cvt.offset));
    write(0xc4, u32(l.cvt.scale) & 0xffff);
    write(0xc8, u32(l.cvt.shift));
    write(0xdc,
          u32(job.dma_en) | u32(job.lut_en) << 1 | u32(job.sat_en) << 2 | u32(job.nan_en) << 3);
    write(0x38, 1);
}

inline void Bench::check_status(const Job& job, std::size_t index) {
    write(0x04, static_cast<std::uint32_t>(index % 2));
    EXPECT_EQ(read(0xcc), job.expected.any_bit ? 1u : 0u) << "D_STATUS, layer " << index;
    EXPECT_EQ(read(0xec), job.sat_en ? job.expected.saturated : 0u) << "layer " << index;
    EXPECT_EQ(read(0xe0), job.dma_en ? stalls_[index] : 0u) << "stalls, layer " << index;
    for (int offset : {0xd0, 0xd4})
        EXPECT_EQ(read(offset), 0u);
    EXPECT_EQ(read(0xd8), job.nan_en ? job.expected.nans : 0u) << "NaN, layer " << index;
    const m::LutCounts& lut = job.expected.lut_counts;
    constexpr int kLutCounters[] = {0xe4, 0xe8, 0xf0, 0xf4, 0xf8};
    for (std::size_t i = 0; i < lut.size(); ++i) {
        EXPECT_EQ(read(kLutCounters[i]), job.lut_en ? lut[i] : 0u) << i << " layer " << index;
    }
}

/// A beat that was offered stays until it is taken.
inline bool Bench::offer(Source& source) {
    if (!source.valid) source.valid = !source.beats.empty() && !gap();
    return source.valid;
}

template <typename Port>
void Bench::offer(Source& source, std::vector<m::SdpOperand> Job::*operands, CData& valid,
                  CData& once, Port& alu, Port& mul) {
    valid = offer(source);
    once = valid ? source.beats.front().once : random().chance(50);
    for (std::size_t i = 0; valid && i < kLanesZ; ++i) {
        const Source::Beat& beat = source.beats.front();
        const m::SdpOperand o = (beat.job->*operands)[beat.first + i];
        const int lo = static_cast<int>(16 * i);
        put_bits(alu, lo, 16, static_cast<std::uint16_t>(o.alu));
        put_bits(mul, lo, 16, static_cast<std::uint16_t>(o.mul));
    }
}

template <typename D>
void Bench::drive_links(D& d) {
    if (d.csb2sdp_valid && d.csb_write && d.csb_addr == 0x38 / 4) enable_ = cycle();
    d.cacc2sdp_valid = offer(cacc_);
    d.sdp_rdma2sdp_m_valid = offer(m_);
    const auto element = [&](const Source& s, std::size_t i) {
        // Data without valid is anything.
        if (!s.valid) return random().bits();
        const Source::Beat& beat = s.beats.front();
        return static_cast<std::uint32_t>(beat.job->in[beat.first + i]);
    };
    for (std::size_t i = 0; i < kLanesZ; ++i) {
        const int lane = static_cast<int>(i);
        put_bits(d.cacc2sdp_data, 32 * lane, 32, element(cacc_, i));
        put_bits(d.sdp_rdma2sdp_m_data, kLaneBits * lane, kLaneBits, element(m_, i));
    }
    if constexpr (p::sdp_bs_enable) {
        offer(b_, &Job::b, d.sdp_rdma2sdp_b_valid, d.sdp_rdma2sdp_b_once, d.sdp_rdma2sdp_b_alu,
              d.sdp_rdma2sdp_b_mul);
    }
    if constexpr (p::sdp_bn_enable) {
        offer(n_, &Job::n, d.sdp_rdma2sdp_n_valid, d.sdp_rdma2sdp_n_once, d.sdp_rdma2sdp_n_alu,
              d.sdp_rdma2sdp_n_mul);
    }
    if constexpr (p::sdp_ew_enable) {
        offer(e_, &Job::e, d.sdp_rdma2sdp_e_valid, d.sdp_rdma2sdp_e_once, d.sdp_rdma2sdp_e_alu,
              d.sdp_rdma2sdp_e_mul);
    }
    d.sdp2mcif_wr_req_ready = !refuses();
    if constexpr (p::pdp_enable) d.sdp2pdp_ready = !refuses();
    d.mcif2sdp_wr_rsp_complete = !acks_.empty() && acks_.front().first <= cycle() && !gap();
}

inline void Bench::taken(Source& source, bool ready) {
    if (!source.valid || !ready) return;
    source.beats.pop_front();
    source.valid = false;
}

/// Elements for PDP: those of the next layer that goes there.
template <typename D>
void Bench::sample_pdp(D& d) {
    if constexpr (p::pdp_enable) {
        if (pdp_held_) {
            EXPECT_TRUE(d.sdp2pdp_valid) << "PDP beat withdrawn";
        }
        pdp_held_ = d.sdp2pdp_valid && !d.sdp2pdp_ready;
        if (!d.sdp2pdp_valid || !d.sdp2pdp_ready) return;
        while (pdp_job_ < finished_.size() && !(*jobs_)[pdp_job_].layer.to_pdp)
            ++pdp_job_;
        ASSERT_LT(pdp_job_, finished_.size()) << "unexpected beat for PDP, cycle " << cycle();
        const m::SdpResult& want = (*jobs_)[pdp_job_].expected;
        const m::Precision out = (*jobs_)[pdp_job_].layer.out;
        const auto bytes = static_cast<std::size_t>(m::bytes_of(out));
        for (std::size_t i = 0; i < kLanesZ; ++i, ++pdp_element_) {
            const auto low = static_cast<std::uint8_t>(want.data[bytes * pdp_element_]);
            const int element =
                want.data[bytes * pdp_element_ + bytes - 1] * (bytes == 2 ? 256 : 1);
            const int lane = kLaneBits * static_cast<int>(i);
            EXPECT_EQ(get_bits(d.sdp2pdp_data, lane, kLaneBits),
                      static_cast<std::uint32_t>(bytes == 2 ? element | low : element) &
                          ((1u << kLaneBits) - 1))
                << "layer " << pdp_job_ << " element " << pdp_element_;
        }
        if (bytes * pdp_element_ == want.data.size()) {
            pdp_element_ = 0;
            ++pdp_job_;
        }
    }
}

template <typename D>
void Bench::sample_links(D& d) {
    taken(cacc_, d.cacc2sdp_ready);
    taken(m_, d.sdp_rdma2sdp_m_ready);
    if constexpr (p::sdp_bs_enable) {
        taken(b_, d.sdp_rdma2sdp_b_ready);
    }
    if constexpr (p::sdp_bn_enable) {
        taken(n_, d.sdp_rdma2sdp_n_ready);
    }
    if constexpr (p::sdp_ew_enable) {
        taken(e_, d.sdp_rdma2sdp_e_ready);
    }
    sample_pdp(d);
    sample_done(d);
    sample_write(d);
}

template <typename D>
void Bench::sample_done(D& d) {
    // Layers that write finish in the cycle behind their answer, the others by themselves and maybe
    // earlier.
    unsigned done = d.sdp2glb_done;
    const auto finish = [&](std::size_t layer) {
        EXPECT_TRUE(done >> (layer % 2) & 1) << "no interrupt of layer " << layer;
        done &= ~(1u << (layer % 2));
        finished_[layer] = true;
        ++done_;
    };
    if (answered_) finish(answered_layer_);
    answered_ = d.mcif2sdp_wr_rsp_complete;
    if (answered_) {
        answered_layer_ = acks_.front().second;
        acks_.pop_front();
    }
    if (done != 0) {
        while (next_pdp_ < finished_.size() && !dropped((*jobs_)[next_pdp_]))
            ++next_pdp_;
        ASSERT_LT(next_pdp_, finished_.size()) << "interrupt, cycle " << cycle();
        for (std::size_t i = write_job_; i < next_pdp_; ++i) {
            EXPECT_TRUE(finished_[i]) << "layer " << next_pdp_ << " overtakes " << i;
        }
        if (p::pdp_enable && (*jobs_)[next_pdp_].layer.to_pdp) {
            EXPECT_GT(pdp_job_, next_pdp_) << "interrupt before the last element";
        }
        finish(next_pdp_++);
    }
    EXPECT_EQ(done, 0u) << "interrupt, cycle " << cycle();
}

template <typename D>
void Bench::sample_write(D& d) {
    if (held_) {
        EXPECT_TRUE(d.sdp2mcif_wr_req_valid) << "write withdrawn";
    }
    held_ = d.sdp2mcif_wr_req_valid && !d.sdp2mcif_wr_req_ready;
    if (!d.sdp2mcif_wr_req_valid) return;
    while (jobs_ != nullptr && write_job_ < jobs_->size() && dropped((*jobs_)[write_job_])) {
        ++write_job_;
    }
    ASSERT_TRUE(jobs_ != nullptr && write_job_ < jobs_->size()) << "unexpected write";
    const m::SdpResult& want = (*jobs_)[write_job_].expected;
    const auto first = want.data.begin() + static_cast<std::ptrdiff_t>(atom_ * kAtom);
    const bool last = atom_ + 1 == want.addrs.size();
    EXPECT_EQ(static_cast<std::uint64_t>(d.sdp2mcif_wr_req_addr), bus_addr(want.addrs[atom_]))
        << "layer " << write_job_ << " atom " << atom_;
    EXPECT_EQ(get_bytes(d.sdp2mcif_wr_req_data, kAtom),
              std::vector<std::uint8_t>(first, first + kAtom))
        << "layer " << write_job_ << " atom " << atom_ << " cycle " << cycle();
    EXPECT_EQ(d.sdp2mcif_wr_req_last, last);
    if (!d.sdp2mcif_wr_req_ready) {
        ++stalls_[write_job_];
        return;
    }
    last_write_ = cycle();
    ++atom_;
    if (last) {
        atom_ = 0;
        const int most = stall() == Stall::kBlocked ? 3000 : 200;
        const int delay = stall() == Stall::kNone ? 4 : random().in(1, most);
        acks_.push_back({cycle() + 1 + static_cast<std::uint64_t>(delay), write_job_});
        ++write_job_;
    }
}

inline void Bench::run(const std::vector<Job>& jobs, bool by_status) {
    jobs_ = &jobs;
    write_job_ = done_ = next_pdp_ = pdp_job_ = 0;
    stalls_.assign(jobs.size(), 0);
    finished_.assign(jobs.size(), false);
    for (const Job& job : jobs) {
        const m::SdpLayer& l = job.layer;
        const auto add = [&](Source& source, bool needed, bool once, std::size_t i) {
            const bool again = !once && i % surface_elements(l) >= pixel_elements(l);
            if (needed && !again) source.beats.push_back({&job, i, once});
        };
        for (std::size_t i = 0; i < job.in.size(); i += kLanesZ)
            add(l.flying ? cacc_ : m_, true, true, i);
        for (std::size_t i = 0; i < job.in.size() / static_cast<std::size_t>(l.batches);
             i += kLanesZ) {
            add(b_, l.bs.needs_memory(), job.b_once, i);
            add(n_, l.bn.needs_memory(), job.n_once, i);
            add(e_, l.ew.needs_memory(), job.e_once, i);
        }
    }
    std::size_t programmed = 0, checked = 0;
    const std::uint64_t limit = cycle() + 3000000;
    while (done_ < jobs.size()) {
        if (programmed < jobs.size() && bus_idle()) {
            const int group = static_cast<int>(programmed % 2);
            bool free = programmed < 2 || finished_[programmed - 2];
            if (by_status) free = ((read(0x00) >> (16 * group)) & 3) == 0;
            if (free) {
                if (!by_status && programmed >= 2) check_status(jobs[checked], checked), ++checked;
                program(jobs[programmed], group);
                ++programmed;
            }
        }
        tick();
        if (::testing::Test::HasFailure()) return;
        ASSERT_LT(cycle(), limit) << "hangs: " << done_ << " layers done, write of layer "
                                  << write_job_ << " atom " << atom_;
    }
    while (!by_status && checked < jobs.size())
        check_status(jobs[checked], checked), ++checked;
    for (int i = 0; i < 300; ++i)
        tick();
    EXPECT_EQ(done_, jobs.size());
    EXPECT_TRUE(cacc_.beats.empty() && m_.beats.empty() && b_.beats.empty() && n_.beats.empty() &&
                e_.beats.empty());
    EXPECT_EQ(read(0x00), 0u) << "S_STATUS";
}

}  // namespace macrame::tb::sdp
