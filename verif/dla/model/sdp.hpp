#pragma once
/// Golden model of SDP: what becomes of every element of a layer, and where it is written.
///
///     v -> X1 "BS" -> X2 "BN" -> Y "EW" (sdp_ew.hpp) -> C (output convertor) -> memory or PDP
///
/// Elements are integers of 32 bits or, in a layer that computes in fp16, fp32 (sdp_fp.hpp). They
/// are always in visit order (for_each_sdp_pixel), those of an atom in a row. The padding channels
/// of the last surface are elements like all others.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "cacc.hpp"
#include "sdp_ew.hpp"
#include "sdp_fp.hpp"
#include "sdp_math.hpp"
#include "unit.hpp"

namespace macrame::dla::model {

/// v * 2^shift, saturated to 32 bits. `v` has 16 bits.
inline std::int32_t shift_left_saturated(std::int16_t v, int shift) {
    const std::int64_t wide = std::int64_t{v} * (std::int64_t{1} << std::min(shift, 32));
    return static_cast<std::int32_t>(std::clamp<std::int64_t>(wide, INT32_MIN, INT32_MAX));
}

/// Registers of one X stage (BS or BN).
struct SdpX {
    bool bypass = true;
    bool alu_bypass = true;
    int alu_algo = kMax;
    bool mul_bypass = true;
    bool mul_prelu = false;
    bool relu_bypass = true;
    bool alu_from_memory = false;
    bool mul_from_memory = false;
    int alu_shift = 0;             ///< left shift of the ALU operand, 0..63
    std::int16_t alu_operand = 0;  ///< register operand
    int mul_shift = 0;             ///< right shift; 8 bits, the low 6 act
    std::int16_t mul_operand = 0;  ///< register operand

    /// The stage takes one record per element from SDP_RDMA.
    bool needs_memory() const {
        return !bypass && ((!alu_bypass && alu_from_memory) || (!mul_bypass && mul_from_memory));
    }
};

/// X1 or X2 for one element. `memory`: operands from SDP_RDMA, as far as the stage uses them.
inline std::int32_t sdp_x_stage(const SdpX& x, std::int32_t in, SdpOperand memory = {}) {
    if (x.bypass) return in;
    std::int64_t v = in;
    if (!x.alu_bypass) {
        const std::int64_t o =
            shift_left_saturated(x.alu_from_memory ? memory.alu : x.alu_operand, x.alu_shift);
        if (x.alu_algo == kMax)
            v = std::max(v, o);
        else if (x.alu_algo == kMin)
            v = std::min(v, o);
        else
            v += o;
    }
    bool pass = false;
    if (!x.mul_bypass) {
        pass = x.mul_prelu && v >= 0;
        if (!pass) v *= x.mul_from_memory ? memory.mul : x.mul_operand;
    }
    const auto r = static_cast<std::int32_t>(static_cast<std::uint32_t>(
        pass ? v : round_shift_right(v, x.mul_shift & 63, 49, 32).value));
    return x.relu_bypass ? r : std::max(r, 0);
}

/// Registers of the output convertor.
struct SdpConvertor {
    std::int32_t offset = 0;
    std::int16_t scale = 1;
    int shift = 0;  ///< 0..63
};

/// Result of the output convertor.
struct SdpOut {
    std::int16_t value = 0;  ///< pattern if fp16
    bool saturated = false;  ///< counted in D_PERF_OUT_SATURATION
};

/// C for one element. Integers: 17 bits, then those of the output without a flag; the flag of an
/// fp16 output says that it is the largest number. From fp32 the convertor has no effect.
inline SdpOut sdp_c_stage(const SdpConvertor& cvt, std::int32_t in,
                          Precision proc = Precision::int8, Precision out = Precision::int8) {
    const auto largest = [](std::uint32_t fp16) {
        return SdpOut{signed16(fp16), Fp16::magnitude(fp16) == Fp16::max_finite(false)};
    };
    if (proc == Precision::fp16) {
        const std::uint32_t half = narrow<Fp32, Fp16>(pattern(in));
        return out == Precision::fp16 ? largest(half) : SdpOut{int16_of_fp16(half), false};
    }
    const std::int64_t product = (std::int64_t{in} - cvt.offset) * cvt.scale;
    const Rounded t = round_shift_right(product, cvt.shift, 49, 17);
    if (out == Precision::fp16) return largest(Fp16::from_int(t.value));
    const std::int64_t max = out == Precision::int8 ? 127 : 32767;
    const std::int64_t value = std::clamp<std::int64_t>(t.value, -max - 1, max);
    return {static_cast<std::int16_t>(value), t.saturated};
}

/// The D_ registers of SDP that matter, as real numbers (sizes are NOT minus one here).
struct SdpLayer : SdpOrder {
    Precision out = Precision::int8;
    std::uint64_t dst_addr = 0;
    std::uint32_t line_stride = 0, surf_stride = 0, batch_stride = 0;  ///< bytes
    bool flying = false;       ///< input from CACC, else from SDP_RDMA
    bool to_pdp = false;       ///< output to PDP, else to memory
    bool nan_to_zero = false;  ///< NaN of inputs and operands
    SdpX bs, bn;
    SdpEw ew;
    SdpConvertor cvt;
    std::uint32_t dst_ram_type = 1;  ///< memory port

    /// The layer takes part of SDP_RDMA.
    bool needs_rdma() const {
        return !flying || bs.needs_memory() || bn.needs_memory() || ew.needs_memory();
    }
};

/// What a layer leaves behind.
struct SdpResult {
    std::vector<std::int8_t> data;     ///< bytes as in memory, visit order
    std::vector<std::uint64_t> addrs;  ///< of each atom of it; empty if nothing is written
    std::uint32_t saturated = 0;       ///< D_PERF_OUT_SATURATION if PERF_SAT_EN
    std::uint32_t nans = 0;            ///< D_STATUS_NAN_OUTPUT_NUM if PERF_NAN_INF_COUNT_EN
    bool any_bit = false;              ///< D_STATUS bit 0
    LutCounts lut_counts{};            ///< if PERF_LUT_EN
};

/// All stages for one element. `in`: integer, fp16 pattern of memory or fp32 pattern of CACC.
inline SdpOut sdp_element(const SdpLayer& layer, std::int32_t in, SdpOperand b, SdpOperand n,
                          SdpOperand e, const Lut& lut, LutCounts& counts) {
    const bool fp = layer.proc == Precision::fp16, flush = layer.nan_to_zero;
    std::int32_t v = in;
    if (fp && layer.flying) v = flush && Fp32::is_nan(pattern(v)) ? 0 : v;
    if (fp && !layer.flying) v = word(sdp_fp_of_memory(pattern(v) & 0xFFFF, flush));
    if (fp) {
        const std::uint32_t x =
            sdp_fp_x_stage(layer.bn, flush, sdp_fp_x_stage(layer.bs, flush, pattern(v), b), n);
        v = word(sdp_fp_ew_arithmetic(layer.ew, flush, x, e));
    } else {
        v = sdp_ew_arithmetic(layer.ew, sdp_x_stage(layer.bn, sdp_x_stage(layer.bs, v, b), n), e);
    }
    if (layer.ew.uses_lut()) {
        const SdpLutOut found = fp ? sdp_fp_lut(lut, pattern(v)) : sdp_lut(lut, v);
        v = found.value;
        sdp_lut_count(found, counts);
    }
    if (!layer.ew.eql()) return sdp_c_stage(layer.cvt, v, layer.proc, layer.out);
    // Compare mode: the low bits pass C as they are.
    return {layer.out == Precision::int8 ? std::int16_t{signed8(pattern(v))} : signed16(pattern(v)),
            false};
}

/// Addresses of the atoms of a layer in visit order.
inline std::vector<std::uint64_t> sdp_out_addrs(int atom_bytes, const SdpLayer& layer) {
    std::vector<std::uint64_t> out;
    const int atoms = sdp_atoms_per_pixel(layer.proc, layer.out);
    for_each_sdp_pixel(atom_bytes, layer, [&](int s, int h, int w, int b) {
        const std::uint64_t base =
            layer.dst_addr + static_cast<std::uint64_t>(b) * layer.batch_stride;
        for (int a = 0; a < atoms; ++a) {
            out.push_back(sdp_atom_addr(atom_bytes, layer.width, layer.height, base,
                                        layer.line_stride, layer.surf_stride, s * atoms + a, h, w));
        }
    });
    return out;
}

/// Runs a layer. `in`: 32-bit words of CACC, or elements of memory, sign extended; `bs`, `bn` and
/// `ew`: one record per element of a batch, empty for a stage without memory operands. All in visit
/// order.
inline SdpResult sdp_layer(int atom_bytes, const SdpLayer& layer,
                           const std::vector<std::int32_t>& in,
                           const std::vector<SdpOperand>& bs = {},
                           const std::vector<SdpOperand>& bn = {},
                           const std::vector<SdpOperand>& ew = {}, const Lut& lut = {}) {
    const std::size_t count = sdp_elements(atom_bytes, layer);
    const auto batches = static_cast<std::size_t>(layer.batches);
    const auto each = static_cast<std::size_t>(layer.elements(atom_bytes));
    const auto complete = [&](bool needed, const std::vector<SdpOperand>& operands) {
        return !needed || operands.size() == count / batches;
    };
    if (in.size() != count || !complete(layer.bs.needs_memory(), bs) ||
        !complete(layer.bn.needs_memory(), bn) || !complete(layer.ew.needs_memory(), ew)) {
        throw std::invalid_argument("sdp_layer: want one input and operand per element");
    }
    SdpResult result;
    const bool written = !layer.to_pdp;
    for (std::size_t i = 0; i < count; ++i) {
        const auto operand = [&](bool needed, const std::vector<SdpOperand>& operands) {
            return needed ? operands[i / each / batches * each + i % each] : SdpOperand{};
        };
        const SdpOut out =
            sdp_element(layer, in[i], operand(layer.bs.needs_memory(), bs),
                        operand(layer.bn.needs_memory(), bn), operand(layer.ew.needs_memory(), ew),
                        lut, result.lut_counts);
        for (int byte = 0; byte < bytes_of(layer.out); ++byte)
            result.data.push_back(signed8(pattern16(out.value) >> (8 * byte)));
        const bool nan = layer.out == Precision::fp16 && Fp16::is_nan(pattern16(out.value));
        result.saturated += out.saturated ? 1u : 0u;
        result.nans += nan && written && !layer.ew.eql() ? 1u : 0u;
        result.any_bit = result.any_bit || (out.value != 0 && written);
    }
    if (written && !layer.ew.eql()) result.addrs = sdp_out_addrs(atom_bytes, layer);
    return result;
}

/// SDP in the device.
class SdpUnit : public Unit {
public:
    using Unit::Unit;

    SdpLayer layer() const;
    /// Runs a layer with input from SDP_RDMA.
    bool step() override;

    /// Can a layer on the fly of that many atoms run now?
    bool takes(std::int64_t atoms);
    /// Runs the layer in front and, if it feeds one, that of PDP. `flying`: results of CACC, for a
    /// layer on the fly.
    void run(const std::vector<std::int32_t>& flying, const NegativeTies& ties = {});

    void write(std::uint32_t offset, std::uint32_t data) override;
    std::uint32_t read(std::uint32_t offset) override;

private:
    SdpX x_stage(bool built, std::uint32_t distance) const;
    SdpEw ew_stage() const;
    Lut lut() const;
    bool ready(const SdpLayer& layer, bool flying);
    void count(const SdpResult& result);

    Lut tables_;  // only the entries; the rest is in registers
    SdpLutAccess access_;
};

}  // namespace macrame::dla::model
