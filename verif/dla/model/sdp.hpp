#pragma once
/// Golden model of SDP, int8: what becomes of every element of a layer, and where it is written.
///
///     v -> X1 "BS" -> X2 "BN" -> Y "EW" (sdp_ew.hpp) -> C (output convertor) -> int8
///
/// Elements are always in visit order: surface -> line -> column -> element of the atom. The
/// padding channels of the last surface are elements like all others.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "cube.hpp"
#include "sdp_ew.hpp"
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
    std::int8_t value = 0;
    bool saturated = false;  ///< counted in D_PERF_OUT_SATURATION: 17 bits were not enough
};

/// C for one element: 17 bits with the counted flag, then int8 without.
inline SdpOut sdp_c_stage(const SdpConvertor& cvt, std::int32_t in) {
    const std::int64_t product = (std::int64_t{in} - cvt.offset) * cvt.scale;
    const Rounded t = round_shift_right(product, cvt.shift, 49, 17);
    return {static_cast<std::int8_t>(std::clamp<std::int64_t>(t.value, -128, 127)), t.saturated};
}

/// The D_ registers of SDP that matter, as real numbers (sizes are NOT minus one here).
struct SdpLayer {
    int width = 1, height = 1, channels = 1;
    std::uint64_t dst_addr = 0;
    std::uint32_t line_stride = 0, surf_stride = 0;  ///< bytes
    bool flying = false;                             ///< input from CACC, else from SDP_RDMA
    bool to_pdp = false;                             ///< output to PDP, else to memory
    SdpX bs, bn;
    SdpEw ew;
    SdpConvertor cvt;
    std::uint32_t dst_ram_type = 1;  ///< memory port

    /// The layer takes part of SDP_RDMA.
    bool needs_rdma() const {
        return !flying || bs.needs_memory() || bn.needs_memory() || ew.needs_memory();
    }
};

/// Elements of a layer in visit order, padding channels included.
inline std::size_t sdp_elements(int atom_bytes, const SdpLayer& layer) {
    return static_cast<std::size_t>(surfaces(atom_bytes, layer.channels)) *
           static_cast<std::size_t>(layer.height) * static_cast<std::size_t>(layer.width) *
           static_cast<std::size_t>(atom_bytes);
}

/// Address of the atom (surface s, line h, column w) of a cube. A 1x1 cube is packed: no strides.
inline std::uint64_t sdp_atom_addr(int atom_bytes, int width, int height, std::uint64_t base,
                                   std::uint32_t line_stride, std::uint32_t surf_stride, int s,
                                   int h, int w) {
    const bool packed = width == 1 && height == 1;
    return atom_address(atom_bytes, base, line_stride,
                        packed ? static_cast<std::uint32_t>(atom_bytes) : surf_stride, s, h, w);
}

/// What a layer leaves behind.
struct SdpResult {
    std::vector<std::int8_t> data;     ///< visit order
    std::vector<std::uint64_t> addrs;  ///< of each atom, visit order; empty if nothing is written
    std::uint32_t saturated = 0;       ///< D_PERF_OUT_SATURATION if PERF_SAT_EN
    bool any_bit = false;              ///< D_STATUS bit 0
    LutCounts lut_counts{};            ///< if PERF_LUT_EN
};

/// Runs a layer. `in`: 32-bit words of CACC or sign-extended bytes of memory; `bs`, `bn` and `ew`:
/// one record per element, empty for a stage without memory operands. All in visit order.
inline SdpResult sdp_layer(int atom_bytes, const SdpLayer& layer,
                           const std::vector<std::int32_t>& in,
                           const std::vector<SdpOperand>& bs = {},
                           const std::vector<SdpOperand>& bn = {},
                           const std::vector<SdpOperand>& ew = {}, const Lut& lut = {}) {
    const std::size_t count = sdp_elements(atom_bytes, layer);
    if (in.size() != count || (layer.bs.needs_memory() && bs.size() != count) ||
        (layer.bn.needs_memory() && bn.size() != count) ||
        (layer.ew.needs_memory() && ew.size() != count)) {
        throw std::invalid_argument("sdp_layer: want one input and operand per element");
    }
    SdpResult result;
    result.data.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
        const SdpOperand b = layer.bs.needs_memory() ? bs[i] : SdpOperand{};
        const SdpOperand n = layer.bn.needs_memory() ? bn[i] : SdpOperand{};
        const SdpOperand e = layer.ew.needs_memory() ? ew[i] : SdpOperand{};
        const std::int32_t x = sdp_x_stage(layer.bn, sdp_x_stage(layer.bs, in[i], b), n);
        std::int32_t y = sdp_ew_arithmetic(layer.ew, x, e);
        if (layer.ew.uses_lut()) {
            const SdpLutOut found = sdp_lut(lut, y);
            y = found.value;
            sdp_lut_count(found, result.lut_counts);
        }
        // Compare mode: the low 8 bits pass C as they are.
        const SdpOut out = layer.ew.eql() ? SdpOut{static_cast<std::int8_t>(y & 0xFF), false}
                                          : sdp_c_stage(layer.cvt, y);
        result.data.push_back(out.value);
        result.saturated += out.saturated ? 1u : 0u;
        result.any_bit = result.any_bit || (out.value != 0 && !layer.to_pdp);
    }
    if (layer.to_pdp || layer.ew.eql()) return result;
    for_each_atom(atom_bytes, layer.width, layer.height, layer.channels, [&](int s, int h, int w) {
        result.addrs.push_back(sdp_atom_addr(atom_bytes, layer.width, layer.height, layer.dst_addr,
                                             layer.line_stride, layer.surf_stride, s, h, w));
    });
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
    void run(const std::vector<std::int32_t>& flying);

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
