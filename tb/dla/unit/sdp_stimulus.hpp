#pragma once
/// Random layers of SDP with their data and what the golden model makes of them.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "dla_params.hpp"
#include "tb/dla/unit/unit_bench.hpp"
#include "verif/dla/model/sdp.hpp"

namespace macrame::tb::sdp {

namespace m = dla::model;
namespace p = dla_params;

constexpr int kAtom = p::atom_bytes;
constexpr int kLanes = p::sdp_lanes;
constexpr std::size_t kLanesZ = p::sdp_lanes;
constexpr int kLaneBits = p::lane_bits;
constexpr int kEwLanes = p::sdp_ew_enable ? p::sdp_ew_throughput_effective : 1;

inline std::int16_t operand(Random& rnd) {
    constexpr int kCorner[] = {0, 1, -1, 32767, -32768, 2, -2, 256};
    if (rnd.chance(25)) return static_cast<std::int16_t>(kCorner[rnd.in(0, 7)]);
    if (rnd.chance(40)) return static_cast<std::int16_t>(rnd.in(-128, 127));
    return static_cast<std::int16_t>(rnd.in(-32768, 32767));
}

inline std::int32_t word(Random& rnd) {
    constexpr std::int32_t kCorner[] = {0, 1, -1, INT32_MAX, INT32_MIN, 65535, -65536, 127};
    if (rnd.chance(15)) return kCorner[rnd.in(0, 7)];
    const auto v = static_cast<std::int32_t>(rnd.bits());
    return v >> rnd.in(0, 30);
}

inline std::int8_t byte(Random& rnd) {
    constexpr int kCorner[] = {0, 1, -1, 127, -128};
    return static_cast<std::int8_t>(rnd.chance(25) ? kCorner[rnd.in(0, 4)] : rnd.in(-128, 127));
}

/// An element type that this configuration has.
inline m::Precision random_type(Random& rnd) {
    std::vector<m::Precision> all;
    if (p::int8) all.push_back(m::Precision::int8);
    if (p::int16) all.push_back(m::Precision::int16);
    if (p::fp16) all.push_back(m::Precision::fp16);
    return all[static_cast<std::size_t>(rnd.in(0, static_cast<int>(all.size()) - 1))];
}

/// A floating point number: `exponent` and `mantissa` bits, near 1 more often than not.
inline std::uint32_t fp_number(Random& rnd, int exponent, int mantissa) {
    const int top = (1 << exponent) - 1, bias = top / 2;
    int e = rnd.in(bias - 8, bias + 8);
    if (rnd.chance(15)) e = rnd.in(0, top);
    if (rnd.chance(8)) e = rnd.chance(50) ? 0 : top - rnd.in(0, 1);
    std::uint32_t f = rnd.bits() & ((1u << mantissa) - 1);
    if (rnd.chance(30)) f = f >> rnd.in(0, mantissa) << rnd.in(0, mantissa);
    f &= (1u << mantissa) - 1;
    const std::uint32_t sign = rnd.chance(50) ? 1 : 0;
    return sign << (exponent + mantissa) | static_cast<std::uint32_t>(e) << mantissa | f;
}
inline std::int16_t fp16_operand(Random& rnd) {
    return static_cast<std::int16_t>(fp_number(rnd, 5, 10));
}
/// What CACC delivers: no infinite and no denormal numbers.
inline std::int32_t fp32_word(Random& rnd) {
    const std::uint32_t v = fp_number(rnd, 8, 23);
    const bool odd = m::Fp32::is_inf(v) || (m::Fp32::exponent(v) == 0 && !m::Fp32::is_zero(v));
    return m::word(odd ? 0x3F800000u : v);
}

inline m::SdpX random_x(Random& rnd) {
    m::SdpX x;
    x.bypass = rnd.chance(20);
    x.alu_bypass = rnd.chance(25);
    x.alu_algo = rnd.in(0, 3);
    x.mul_bypass = rnd.chance(30);
    x.mul_prelu = rnd.chance(35);
    x.relu_bypass = rnd.chance(60);
    x.alu_from_memory = rnd.chance(50);
    x.mul_from_memory = rnd.chance(50);
    x.alu_shift = rnd.chance(20) ? rnd.in(0, 63) : rnd.chance(30) ? rnd.in(12, 33) : rnd.in(0, 8);
    x.alu_operand = operand(rnd);
    x.mul_shift = rnd.chance(20) ? rnd.in(0, 255) : rnd.in(0, 20);
    x.mul_operand = operand(rnd);
    return x;
}

inline m::SdpConvertor random_cvt(Random& rnd) {
    m::SdpConvertor c;
    if (rnd.chance(20)) return c;
    c.offset = rnd.chance(30) ? word(rnd) : rnd.in(-500, 500);
    c.scale = operand(rnd);
    c.shift = rnd.chance(15) ? rnd.in(0, 63) : rnd.in(0, 24);
    return c;
}

inline m::SdpEwConvertor random_ew_cvt(Random& rnd) {
    m::SdpEwConvertor c;
    c.bypass = rnd.chance(40);
    c.offset = rnd.chance(30) ? word(rnd) : rnd.in(-500, 500);
    c.scale = operand(rnd);
    c.shift = rnd.chance(20) ? rnd.in(0, 63) : rnd.in(0, 20);
    return c;
}

inline m::SdpEw random_ew(Random& rnd) {
    m::SdpEw ew;
    ew.bypass = rnd.chance(25);
    ew.alu_bypass = rnd.chance(30);
    ew.alu_algo = rnd.chance(15) ? 3 : rnd.in(0, 2);
    ew.mul_bypass = rnd.chance(40);
    ew.mul_prelu = rnd.chance(30);
    ew.lut_bypass = !p::sdp_lut_enable || rnd.chance(40);
    ew.alu_from_memory = rnd.chance(50);
    ew.mul_from_memory = rnd.chance(50);
    ew.alu_cvt = random_ew_cvt(rnd);
    ew.mul_cvt = random_ew_cvt(rnd);
    ew.alu_operand = word(rnd);
    ew.mul_operand = word(rnd);
    ew.truncate = rnd.chance(10) ? rnd.in(0, 1023) : rnd.chance(30) ? rnd.in(0, 66) : rnd.in(0, 24);
    return ew;
}

/// The same where numbers are fp16 and fp32; integers take it, too.
inline void make_fp(m::Lut& lut, Random& rnd) {
    for (m::Lut::Range* r : {&lut.le, &lut.lo}) {
        r->start = m::word(fp_number(rnd, 8, 23));
        r->end = m::word(fp_number(rnd, 8, 23));
        r->select = rnd.chance(20) ? rnd.in(-128, 127) : rnd.in(-8, 4);
        r->uflow_scale = fp16_operand(rnd);
        r->oflow_scale = fp16_operand(rnd);
    }
    lut.le_offset = rnd.chance(20)   ? rnd.in(-128, 127)
                    : rnd.chance(15) ? rnd.in(-128, -126)
                                     : rnd.in(-50, 4);
    for (auto& entry : lut.le_table)
        entry = fp16_operand(rnd);
    for (auto& entry : lut.lo_table)
        entry = fp16_operand(rnd);
}

inline m::Lut random_lut(Random& rnd) {
    m::Lut lut;
    const auto range = [&](int entries) {
        m::Lut::Range r;
        const auto clamp = [](std::int64_t v) {
            return std::clamp<std::int64_t>(v, INT32_MIN, INT32_MAX);
        };
        r.start = rnd.chance(60) ? word(rnd) >> 8 : word(rnd);
        r.select = rnd.chance(20) ? rnd.in(-128, 127) : rnd.in(-3, 24);
        r.end = rnd.chance(30) ? word(rnd) : clamp(r.start + (std::int64_t{entries - 1} << 8));
        r.uflow_scale = operand(rnd);
        r.oflow_scale = operand(rnd);
        r.uflow_shift = rnd.in(-16, 15);
        r.oflow_shift = rnd.in(-16, 15);
        return r;
    };
    lut.le_linear = rnd.chance(50);
    lut.le_offset = rnd.chance(20) ? rnd.in(-128, 127) : rnd.in(-3, 20);
    lut.uflow_lo = rnd.chance(50);
    lut.oflow_lo = rnd.chance(50);
    lut.hybrid_lo = rnd.chance(50);
    lut.le = range(m::kLeEntries);
    lut.lo = range(m::kLoEntries);
    for (auto& entry : lut.le_table)
        entry = operand(rnd);
    for (auto& entry : lut.lo_table)
        entry = operand(rnd);
    if (p::fp16 && rnd.chance(p::int8 || p::int16 ? 50 : 90)) make_fp(lut, rnd);
    return lut;
}

struct Job {
    m::SdpLayer layer;
    std::vector<std::int32_t> in;
    std::vector<m::SdpOperand> b, n, e;                // per element
    bool b_once = true, n_once = true, e_once = true;  // else the same for all pixels of a surface
    m::Lut lut;                                        // the same for all jobs of a run
    bool sat_en = true, dma_en = true, lut_en = true, nan_en = true;
    m::Precision in_type = m::Precision::int8;  // of elements from memory
    m::SdpResult expected;
};

/// Nothing of the layer is written.
inline bool dropped(const Job& job) { return job.layer.to_pdp || job.layer.ew.eql(); }

inline void expect(Job& job) {
    job.expected = m::sdp_layer(kAtom, job.layer, job.in, job.b, job.n, job.e, job.lut);
}

/// Elements of a pixel, and those of a surface in one batch.
inline std::size_t pixel_elements(const m::SdpLayer& l) {
    return static_cast<std::size_t>(l.elements(kAtom));
}
inline std::size_t surface_elements(const m::SdpLayer& l) {
    return static_cast<std::size_t>(l.width * l.height) * pixel_elements(l);
}

/// An element as it comes from CACC or memory.
inline std::int32_t random_element(const Job& job, Random& rnd) {
    if (job.layer.proc == m::Precision::fp16) {
        return job.layer.flying ? fp32_word(rnd) : fp16_operand(rnd);
    }
    if (job.layer.flying) return word(rnd);
    return job.in_type == m::Precision::int8 ? byte(rnd) : operand(rnd);
}

inline void fill(Job& job, Random& rnd) {
    const std::size_t count = m::sdp_elements(kAtom, job.layer);
    const std::size_t surface = surface_elements(job.layer), pixel = pixel_elements(job.layer);
    const bool fp = job.layer.proc == m::Precision::fp16;
    const auto add = [&](std::vector<m::SdpOperand>& all, bool once, std::size_t i) {
        const bool again = !once && i % surface >= pixel;
        const auto next = [&] { return fp ? fp16_operand(rnd) : operand(rnd); };
        const m::SdpOperand fresh{next(), next()};
        all.push_back(again ? all[i - pixel] : fresh);
    };
    for (std::size_t i = 0; i < count; ++i) {
        job.in.push_back(random_element(job, rnd));
    }
    for (std::size_t i = 0; i < count / static_cast<std::size_t>(job.layer.batches); ++i) {
        add(job.b, job.b_once, i);
        add(job.n, job.n_once, i);
        if (p::sdp_ew_enable) add(job.e, job.e_once, i);
    }
    expect(job);
}

/// Element types, and orders as far as the configuration has them.
inline void random_types(Job& job, Random& rnd) {
    m::SdpLayer& l = job.layer;
    l.proc = random_type(rnd);
    l.out = m::sdp_out_precision(l.proc, random_type(rnd));
    job.in_type = m::sdp_in_precision(l.proc, p::int16 ? random_type(rnd) : l.proc);
    l.nan_to_zero = p::fp16 && rnd.chance(50);
    job.nan_en = p::fp16 && rnd.chance(80);
    if (p::winograd_enable && rnd.chance(25)) {
        l.winograd = l.flying = true;
        l.width = 2 * rnd.in(1, 6);
        l.height = 4 * rnd.in(1, 3);
    } else if (p::batch_enable && rnd.chance(25)) {
        l.batches = rnd.chance(20) ? 32 : rnd.in(2, 5);
        l.flying = true;
        l.to_pdp = false;
    }
}

inline Job random_job(Random& rnd, const m::Lut& lut) {
    Job job;
    m::SdpLayer& l = job.layer;
    const bool dot = rnd.chance(20);
    l.width = dot ? 1 : rnd.chance(15) ? rnd.in(1, 40) : rnd.in(1, 7);
    l.height = dot ? 1 : rnd.in(1, 5);
    l.channels = rnd.in(1, kAtom * (dot ? 12 : 3));
    l.flying = rnd.chance(50);
    l.to_pdp = rnd.chance(10);
    random_types(job, rnd);
    l.dst_addr = random_addr(rnd);
    l.line_stride = static_cast<std::uint32_t>((l.width + rnd.in(0, 3)) * kAtom);
    l.surf_stride = rnd.chance(10) ? rnd.bits() / kAtom * kAtom
                                   : l.line_stride * static_cast<std::uint32_t>(l.height);
    l.batch_stride = rnd.bits() / kAtom * kAtom;
    if (p::sdp_bs_enable) l.bs = random_x(rnd);
    if (p::sdp_bn_enable) l.bn = random_x(rnd);
    if (l.proc == m::Precision::fp16) {
        for (m::SdpX* x : {&l.bs, &l.bn}) {
            x->alu_operand = fp16_operand(rnd);
            x->mul_operand = fp16_operand(rnd);
        }
    }
    if (p::sdp_ew_enable) l.ew = random_ew(rnd);
    if (l.proc == m::Precision::fp16 && rnd.chance(80)) {
        l.ew.alu_operand = m::word(fp_number(rnd, 8, 23));
        l.ew.mul_operand = m::word(fp_number(rnd, 8, 23));
    }
    if (l.ew.eql()) l.to_pdp = false;
    l.cvt = random_cvt(rnd);
    job.b_once = rnd.chance(50);
    job.n_once = rnd.chance(50);
    job.e_once = rnd.chance(50);
    job.lut = lut;
    job.lut_en = rnd.chance(80);
    job.sat_en = rnd.chance(80);
    job.dma_en = rnd.chance(80);
    fill(job, rnd);
    return job;
}

}  // namespace macrame::tb::sdp
