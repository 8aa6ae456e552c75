#pragma once
/// Golden model of CDP_RDMA: where the atoms of the input cube are. They are read pixel by pixel:
/// line, column, then all surfaces.

#include <cstdint>

#include "cube.hpp"
#include "unit.hpp"

namespace macrame::model::dla {

/// The D_ registers of CDP_RDMA that matter, as real numbers (sizes are NOT minus one here).
struct CdpRdmaLayer {
    int width = 1, height = 1, channels = 1;
    std::uint64_t src_addr = 0;
    std::uint32_t src_line = 0, src_surf = 0;  ///< strides in bytes
    std::uint32_t src_ram_type = 1;            ///< memory port
};

/// Byte address of the atom of surface `s` of pixel (x, y); strides in bytes.
inline std::uint64_t cdp_atom_address(std::uint64_t base, std::uint32_t line_stride,
                                      std::uint32_t surface_stride, int atom_bytes, int x, int y,
                                      int s) {
    return atom_address(atom_bytes, base, line_stride, surface_stride, s, y, x);
}

/// CDP_RDMA in the device; CDP runs its layers.
class CdpRdmaUnit : public Unit {
public:
    using Unit::Unit;

    CdpRdmaLayer layer() const;
};

}  // namespace macrame::model::dla
