#pragma once
/// Feature cubes in memory: one atom per pixel and surface, surface by surface, line by line.

#include <cstdint>

namespace macrame::dla::model {

/// Surfaces (atoms per pixel) of a cube.
inline int surfaces(int atom_bytes, int channels) {
    return (channels + atom_bytes - 1) / atom_bytes;
}

/// Address of an atom; strides in bytes.
inline std::uint64_t atom_address(int atom_bytes, std::uint64_t base, std::uint32_t line_stride,
                                  std::uint32_t surf_stride, int surface, int line, int column) {
    const auto u64 = [](int v) { return static_cast<std::uint64_t>(v); };
    return base + u64(surface) * surf_stride + u64(line) * line_stride +
           u64(column) * u64(atom_bytes);
}

/// Calls visit(surface, line, column) for all atoms in visit order.
template <typename Visit>
void for_each_atom(int atom_bytes, int width, int height, int channels, Visit visit) {
    for (int s = 0; s < surfaces(atom_bytes, channels); ++s) {
        for (int h = 0; h < height; ++h) {
            for (int w = 0; w < width; ++w)
                visit(s, h, w);
        }
    }
}

}  // namespace macrame::dla::model
