#pragma once
/// Golden model of SDP_RDMA: the input cube and the operands of a layer, fetched from memory.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "memory_access.hpp"
#include "sdp.hpp"
#include "unit.hpp"

namespace macrame::dla::model {

/// What DATA_USE says an operand record holds; 3 acts as 2.
enum SdpDataUse { kUseMul = 0, kUseAlu = 1, kUseBoth = 2 };

/// Registers of one operand channel (BRDMA, NRDMA or ERDMA).
struct SdpOperandSource {
    bool enable = false;       ///< not *_DISABLE
    int data_use = kUseMul;    ///< SdpDataUse
    bool two_byte = false;     ///< bytes per component
    bool per_element = false;  ///< a record per element; else one per channel
    std::uint64_t addr = 0;
    std::uint32_t line_stride = 0, surf_stride = 0;  ///< bytes
    std::uint32_t ram_type = 1;                      ///< memory port

    /// Bytes of the record of one element: 1, 2 or 4.
    int record_bytes() const { return (data_use == kUseBoth ? 2 : 1) * (two_byte ? 2 : 1); }
};

/// The D_ registers of SDP_RDMA that matter, as real numbers (sizes are NOT minus one here).
struct SdpRdmaLayer : SdpOrder {
    Precision in = Precision::int8;  ///< of the main input
    bool flying = false;             ///< no main input
    std::uint64_t src_addr = 0;
    std::uint32_t line_stride = 0, surf_stride = 0;  ///< bytes
    SdpOperandSource bs, bn, ew;
    std::uint32_t src_ram_type = 1;  ///< memory port
};

/// Address of the record of element e of the atom (surface s, line h, column w).
inline std::uint64_t sdp_operand_addr(int atom_bytes, const SdpRdmaLayer& layer,
                                      const SdpOperandSource& op, int s, int h, int w, int e) {
    const auto u64 = [](int v) { return static_cast<std::uint64_t>(v); };
    const std::uint64_t record = u64(op.record_bytes());
    const std::uint64_t pixel = u64(layer.elements(atom_bytes)) * record;
    const std::uint64_t element = op.addr + u64(e) * record;
    if (!op.per_element || (layer.width == 1 && layer.height == 1)) return element + u64(s) * pixel;
    return element + u64(s) * op.surf_stride + u64(h) * op.line_stride + u64(w) * pixel;
}

/// Operands of an element from its record. A single component serves as both.
inline SdpOperand sdp_decode_operand(const SdpOperandSource& op, const std::uint8_t* record) {
    const auto component = [&](int index) {
        if (!op.two_byte) {
            return static_cast<std::int16_t>(static_cast<std::int8_t>(record[index]));
        }
        return static_cast<std::int16_t>(record[2 * index] | record[2 * index + 1] << 8);
    };
    return {component(0), component(op.data_use == kUseBoth ? 1 : 0)};
}

/// Main input in visit order, sign extended; empty if the layer is flying.
inline std::vector<std::int32_t> sdp_read_main(int atom_bytes, const SdpRdmaLayer& layer,
                                               const MemoryRead& read) {
    std::vector<std::int32_t> out;
    if (layer.flying) return out;
    const int bytes = bytes_of(layer.in), atoms = sdp_atoms_per_pixel(layer.proc, layer.in);
    std::vector<std::uint8_t> atom(static_cast<std::size_t>(atom_bytes));
    for_each_sdp_pixel(atom_bytes, layer, [&](int s, int h, int w, int) {
        for (int a = 0; a < atoms; ++a) {
            read(sdp_atom_addr(atom_bytes, layer.width, layer.height, layer.src_addr,
                               layer.line_stride, layer.surf_stride, s * atoms + a, h, w),
                 atom.data(), atom.size());
            for (std::size_t i = 0; i < atom.size(); i += static_cast<std::size_t>(bytes)) {
                out.push_back(bytes == 1 ? static_cast<std::int8_t>(atom[i])
                                         : static_cast<std::int16_t>(atom[i] | atom[i + 1] << 8));
            }
        }
    });
    return out;
}

/// Operands of one channel in visit order, for one batch; empty if the channel is off.
inline std::vector<SdpOperand> sdp_read_operands(int atom_bytes, const SdpRdmaLayer& layer,
                                                 const SdpOperandSource& op,
                                                 const MemoryRead& read) {
    std::vector<SdpOperand> out;
    if (!op.enable) return out;
    const auto record = static_cast<std::size_t>(op.record_bytes());
    const auto elements = static_cast<std::size_t>(layer.elements(atom_bytes));
    std::vector<std::uint8_t> pixel(record * elements);
    for_each_sdp_pixel(atom_bytes, layer, [&](int s, int h, int w, int b) {
        if (b != 0) return;
        read(sdp_operand_addr(atom_bytes, layer, op, s, h, w, 0), pixel.data(), pixel.size());
        for (std::size_t e = 0; e < elements; ++e) {
            out.push_back(sdp_decode_operand(op, pixel.data() + e * record));
        }
    });
    return out;
}

/// NaN and infinite elements of an fp16 input, as they are in memory.
struct SdpInputCounts {
    std::uint32_t nans = 0, infs = 0;
};

inline SdpInputCounts sdp_count_input(const std::vector<std::int32_t>& main) {
    SdpInputCounts out;
    for (const std::int32_t v : main) {
        out.nans += Fp16::is_nan(pattern(v) & 0xFFFF) ? 1u : 0u;
        out.infs += Fp16::is_inf(pattern(v) & 0xFFFF) ? 1u : 0u;
    }
    return out;
}

/// What a layer reads, in visit order; empty what SDP does not take from memory.
struct SdpRdmaData {
    std::vector<std::int32_t> main;
    std::vector<SdpOperand> bs, bn, ew;
};

/// SDP_RDMA in the device; SDP runs its layers, but for those that read nothing.
class SdpRdmaUnit : public Unit {
public:
    using Unit::Unit;

    SdpRdmaLayer layer() const;
    /// A layer on the fly without operands ends by itself.
    bool step() override;

    /// Is a layer enabled that brings all that this one takes?
    bool serves(const SdpLayer& sdp);
    /// Reads what it takes.
    SdpRdmaData fetch(const SdpLayer& sdp) const;
    /// Ends the layer with what was read.
    void finish(const SdpRdmaData& read);

private:
    SdpOperandSource source(bool built, std::uint32_t distance) const;
};

}  // namespace macrame::dla::model
