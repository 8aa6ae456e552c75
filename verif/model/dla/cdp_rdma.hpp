#pragma once
/// Golden model of CDP_RDMA: where the atoms of the input cube are. They are read pixel by pixel:
/// line, column, then all surfaces.

#include <cstdint>

namespace macrame::model::dla {

/// Byte address of the atom of surface `s` of pixel (x, y); strides in bytes.
inline std::uint64_t cdp_atom_address(std::uint64_t base, std::uint32_t line_stride,
                                      std::uint32_t surface_stride, int atom_bytes, int x, int y,
                                      int s) {
    const auto u64 = [](int n) { return static_cast<std::uint64_t>(n); };
    return base + u64(y) * line_stride + u64(x) * u64(atom_bytes) + u64(s) * surface_stride;
}

}  // namespace macrame::model::dla
