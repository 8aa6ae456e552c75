#pragma once
/// Golden model of PDP_RDMA: which atoms of the input cube are read, in which order.
///
/// Order: strip -> surface -> line -> column. A strip but the first one begins kernel width -
/// stride columns before the end of the one before (behind it if that is negative).

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cube.hpp"
#include "memory_access.hpp"
#include "unit.hpp"

namespace macrame::dla::model {

/// Registers of a PDP_RDMA layer as real numbers (sizes are NOT minus one here).
struct PdpRdmaLayer {
    int width = 1, height = 1, channels = 1;
    Precision precision = Precision::int8;
    std::uint64_t src_addr = 0;
    std::uint32_t line_stride = 0, surf_stride = 0;  ///< bytes
    int strips = 1;                                  ///< the following count if more than 1
    int kernel_width = 1, stride_x = 1;
    int in_first = 0, in_mid = 0, in_last = 0;  ///< columns of a strip without the overlap
    std::uint32_t src_ram_type = 1;             ///< memory port
};

/// Columns of the input that a strip reads.
struct PdpColumns {
    int begin = 0, count = 0;

    bool operator==(const PdpColumns& o) const { return begin == o.begin && count == o.count; }
    bool operator!=(const PdpColumns& o) const { return !(*this == o); }
};

/// The strips of a layer from left to right; one with all columns if it is not split.
inline std::vector<PdpColumns> pdp_strips(const PdpRdmaLayer& layer) {
    if (layer.strips == 1) return {{0, layer.width}};
    const int overlap = layer.kernel_width - layer.stride_x;
    std::vector<PdpColumns> out = {{0, layer.in_first}};
    int end = layer.in_first;
    for (int i = 1; i < layer.strips; ++i) {
        const int columns = i + 1 < layer.strips ? layer.in_mid : layer.in_last;
        out.push_back({end - overlap, columns + overlap});
        end += columns;
    }
    return out;
}

/// Byte addresses of all atoms in the order in which they are read.
inline std::vector<std::uint64_t> pdp_rdma_atoms(int atom_bytes, const PdpRdmaLayer& layer) {
    std::vector<std::uint64_t> out;
    const int elements = atom_bytes / bytes_of(layer.precision);
    for (const PdpColumns& strip : pdp_strips(layer)) {
        for_each_atom(elements, strip.count, layer.height, layer.channels,
                      [&](int s, int h, int w) {
                          out.push_back(atom_address(atom_bytes, layer.src_addr, layer.line_stride,
                                                     layer.surf_stride, s, h, strip.begin + w));
                      });
    }
    return out;
}

/// Input cube of an offline layer without strips: surface -> line -> column -> byte.
inline std::vector<std::int8_t> pdp_read_input(int atom_bytes, PdpRdmaLayer layer,
                                               const MemoryRead& read) {
    layer.strips = 1;
    std::vector<std::uint8_t> atom(static_cast<std::size_t>(atom_bytes));
    std::vector<std::int8_t> out;
    for (const std::uint64_t addr : pdp_rdma_atoms(atom_bytes, layer)) {
        read(addr, atom.data(), atom.size());
        for (const std::uint8_t byte : atom)
            out.push_back(static_cast<std::int8_t>(byte));
    }
    return out;
}

/// PDP_RDMA in the device; PDP runs its layers.
class PdpRdmaUnit : public Unit {
public:
    using Unit::Unit;

    PdpRdmaLayer layer() const;
    /// Reads the input of the layer, each column once.
    std::vector<std::int8_t> fetch() const;
};

}  // namespace macrame::dla::model
