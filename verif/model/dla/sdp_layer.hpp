#pragma once
/// Golden model of one SDP layer, int8: main source and operands from memory (SDP_RDMA) or results
/// of the convolution, the two X stages, the output convertor, the write to memory. No clock.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace macrame::model::dla {

/// Memory as the layer sees it.
struct SdpMemory {
    std::function<void(std::uint64_t, std::uint8_t*, std::size_t)> read;
    std::function<void(std::uint64_t, const std::uint8_t*, std::size_t)> write;
};

/// A cube in memory: surface, line and pixel of one atom (or of one operand record).
struct SdpCube {
    std::uint64_t base = 0;
    std::uint32_t line_stride = 0, surface_stride = 0;
};

/// One X stage (BS or BN) with its operand channel.
struct SdpStage {
    bool bypass = true;
    bool alu_bypass = true, mul_bypass = true, relu_bypass = true;
    int alu_algo = 0;  ///< 0 max, 1 min, 2 and 3 sum
    bool prelu = false;
    bool alu_from_memory = false, mul_from_memory = false;
    std::int16_t alu_operand = 0, mul_operand = 0;
    int alu_shift = 0;  ///< 0..63, left
    int mul_shift = 0;  ///< 8 bits, right; only 6 act

    int data_use = 0;          ///< operand records hold: 0 MUL, 1 ALU, 2 ALU then MUL
    bool two_bytes = false;    ///< per component
    bool per_element = false;  ///< else one record per channel
    SdpCube operands;

    /// Reads something from memory.
    bool needs_memory() const {
        return !bypass && ((!alu_bypass && alu_from_memory) || (!mul_bypass && mul_from_memory));
    }
    int components() const { return data_use == 2 ? 2 : 1; }
    int record_bytes() const { return components() * (two_bytes ? 2 : 1); }
};

struct SdpLayer {
    int width = 1, height = 1, channels = 1;
    bool flying = false;  ///< source is the convolution, else `source`
    SdpCube source, destination;
    SdpStage bs, bn;
    std::int32_t cvt_offset = 0;
    std::int16_t cvt_scale = 0;
    int cvt_shift = 0;
};

/// What a layer leaves in the status registers.
struct SdpStatus {
    bool any_bit = false;          ///< some written bit was 1 (D_STATUS)
    std::uint32_t saturated = 0;   ///< D_PERF_OUT_SATURATION if enabled
};

/// Result of a rounding right shift with the flag that counters use.
struct Rounded {
    std::int64_t value;
    bool saturated;
};

/// RSHR of post.md 0.1: shift right, round half away from zero, saturate to `out_bits`; 0 if the
/// shift reaches `in_bits`. The flag of a negative number looks at the value before rounding.
inline Rounded rshr(std::int64_t v, int shift, int in_bits, int out_bits) {
    if (shift >= in_bits) return {0, false};
    const std::int64_t top = (std::int64_t{1} << (out_bits - 1)) - 1;
    const std::int64_t floor = v >> shift;
    const bool guard = shift > 0 && (v >> (shift - 1) & 1) != 0;
    const std::int64_t below = shift > 1 ? v & ((std::int64_t{1} << (shift - 1)) - 1) : 0;
    const std::int64_t r = floor + (guard && (v >= 0 || below != 0) ? 1 : 0);
    return {std::clamp(r, -top - 1, top), v < 0 ? floor < -top - 1 : r > top};
}

/// One element through a BS or BN stage.
inline std::int32_t sdp_stage(const SdpStage& stage, std::int32_t x, std::int16_t alu,
                              std::int16_t mul) {
    if (stage.bypass) return x;
    std::int64_t v = x;
    if (!stage.alu_bypass) {
        // Beyond 31 places every operand but 0 saturates.
        const std::int64_t shifted = std::int64_t{alu} * (std::int64_t{1} << std::min(stage.alu_shift, 40));
        const std::int64_t o = std::clamp<std::int64_t>(shifted, INT32_MIN, INT32_MAX);
        v = stage.alu_algo == 0 ? std::max(v, o) : stage.alu_algo == 1 ? std::min(v, o) : v + o;
    }
    std::int64_t r = 0;
    if (!stage.mul_bypass && stage.prelu && v >= 0) {
        r = static_cast<std::int32_t>(static_cast<std::uint32_t>(v & 0xFFFFFFFF));
    } else {
        if (!stage.mul_bypass) v *= mul;
        r = rshr(v, stage.mul_shift & 63, 49, 32).value;
    }
    if (!stage.relu_bypass) r = std::max<std::int64_t>(r, 0);
    return static_cast<std::int32_t>(r);
}

/// Reads the operand records of one atom (surface s, line h, column w) into `records`.
inline void sdp_fetch(const SdpLayer& layer, const SdpStage& stage, int atom, const SdpMemory& memory,
                      int s, int h, int w, std::vector<std::uint8_t>& records) {
    const auto bytes = static_cast<std::uint64_t>(atom * stage.record_bytes());
    std::uint64_t addr = stage.operands.base;
    if (!stage.per_element || (layer.width == 1 && layer.height == 1)) {
        addr += static_cast<std::uint64_t>(s) * bytes;
    } else {
        addr += static_cast<std::uint64_t>(s) * stage.operands.surface_stride +
                static_cast<std::uint64_t>(h) * stage.operands.line_stride +
                static_cast<std::uint64_t>(w) * bytes;
    }
    records.resize(static_cast<std::size_t>(bytes));
    memory.read(addr, records.data(), records.size());
}

/// Operand component (0 first, 1 second) of element e of an atom, sign extended.
inline std::int16_t sdp_operand(const SdpStage& stage, const std::vector<std::uint8_t>& records,
                                int e, int component) {
    const int bytes = stage.two_bytes ? 2 : 1;
    const auto at = static_cast<std::size_t>(e * stage.record_bytes() + component * bytes);
    if (bytes == 1) return static_cast<std::int8_t>(records[at]);
    return static_cast<std::int16_t>(static_cast<std::uint16_t>(records[at] | records[at + 1] << 8));
}

/// Address of an atom of the source or destination; a 1x1 cube is packed.
inline std::uint64_t sdp_atom_addr(const SdpLayer& layer, const SdpCube& cube, int atom, int s, int h,
                                   int w) {
    if (layer.width == 1 && layer.height == 1) {
        return cube.base + static_cast<std::uint64_t>(s) * static_cast<std::uint64_t>(atom);
    }
    return cube.base + static_cast<std::uint64_t>(s) * cube.surface_stride +
           static_cast<std::uint64_t>(h) * cube.line_stride +
           static_cast<std::uint64_t>(w) * static_cast<std::uint64_t>(atom);
}

/// Runs a layer. `atom` is the memory atom in bytes = elements. `flying` holds the convolution's
/// results in delivery order if the layer takes them (atoms in visiting order: surface, line,
/// column).
inline SdpStatus run_sdp(const SdpLayer& layer, int atom, const SdpMemory& memory,
                         const std::vector<std::int32_t>& flying) {
    SdpStatus status;
    const int surfaces = (layer.channels + atom - 1) / atom;
    std::vector<std::uint8_t> bytes(static_cast<std::size_t>(atom)), bs, bn;
    std::size_t next = 0;
    for (int s = 0; s < surfaces; ++s) {
        for (int h = 0; h < layer.height; ++h) {
            for (int w = 0; w < layer.width; ++w) {
                if (!layer.flying) {
                    memory.read(sdp_atom_addr(layer, layer.source, atom, s, h, w), bytes.data(),
                                bytes.size());
                }
                if (layer.bs.needs_memory()) sdp_fetch(layer, layer.bs, atom, memory, s, h, w, bs);
                if (layer.bn.needs_memory()) sdp_fetch(layer, layer.bn, atom, memory, s, h, w, bn);
                for (int e = 0; e < atom; ++e) {
                    std::uint8_t& byte = bytes[static_cast<std::size_t>(e)];
                    std::int32_t x = layer.flying ? flying.at(next++)
                                                  : static_cast<std::int8_t>(byte);
                    for (const SdpStage* stage : {&layer.bs, &layer.bn}) {
                        const auto& records = stage == &layer.bs ? bs : bn;
                        const bool from_memory = stage->needs_memory();
                        const std::int16_t alu =
                            from_memory && stage->alu_from_memory
                                ? sdp_operand(*stage, records, e, 0)
                                : stage->alu_operand;
                        const std::int16_t mul =
                            from_memory && stage->mul_from_memory
                                ? sdp_operand(*stage, records, e, stage->components() - 1)
                                : stage->mul_operand;
                        x = sdp_stage(*stage, x, alu, mul);
                    }
                    const std::int64_t product =
                        (std::int64_t{x} - layer.cvt_offset) * layer.cvt_scale;
                    const Rounded t = rshr(product, layer.cvt_shift, 49, 17);
                    if (t.saturated && status.saturated != 0xFFFFFFFFu) ++status.saturated;
                    byte = static_cast<std::uint8_t>(std::clamp<std::int64_t>(t.value, -128, 127));
                    status.any_bit = status.any_bit || byte != 0;
                }
                memory.write(sdp_atom_addr(layer, layer.destination, atom, s, h, w), bytes.data(),
                             bytes.size());
            }
        }
    }
    return status;
}

}  // namespace macrame::model::dla
