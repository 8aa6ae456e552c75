#pragma once
/// What the stages of the SDP model share.

#include <algorithm>
#include <cstdint>

#include "arithmetic.hpp"
#include "cube.hpp"
#include "float.hpp"
#include "sizes.hpp"

namespace macrame::dla::model {

/// Operands of one element for one stage; patterns if the layer computes in fp16.
struct SdpOperand {
    std::int16_t alu = 0;
    std::int16_t mul = 0;
};

/// ALU operation of a stage; for X1 and X2 code 3 acts as kSum, but in fp16 as kEql.
enum SdpAlgo { kMax = 0, kMin = 1, kSum = 2, kEql = 3 };

/// An element on its way through the stages: an integer, or the pattern of an fp32 number.
inline std::uint32_t pattern(std::int32_t v) { return static_cast<std::uint32_t>(v); }
inline std::int32_t word(std::uint32_t pattern) { return static_cast<std::int32_t>(pattern); }
inline std::uint32_t pattern16(std::int16_t v) { return static_cast<std::uint16_t>(v); }

/// Type of a field in a configuration. What it does not have acts as the widest type that it has.
inline Precision sdp_precision(const Architecture& sizes, std::uint32_t field) {
    const Precision wanted = precision_of(field);
    if (sizes.has(wanted)) return wanted;
    return sizes.fp16 ? Precision::fp16 : sizes.int16 ? Precision::int16 : Precision::int8;
}

/// Types of memory around a layer: what computes in 16 bits is read in its own type and not written
/// in 8 bits; what computes in int8 reads integers.
inline Precision sdp_in_precision(Precision proc, Precision in) {
    if (proc != Precision::int8) return proc;
    return in == Precision::int8 ? in : Precision::int16;
}
inline Precision sdp_out_precision(Precision proc, Precision out) {
    return proc != Precision::int8 && out == Precision::int8 ? proc : out;
}

/// Cube and order of a layer. Surfaces have the elements of an atom in the type that computes.
struct SdpOrder {
    int width = 1, height = 1, channels = 1;
    Precision proc = Precision::int8;
    bool winograd = false;
    int batches = 1;

    int elements(int atom_bytes) const { return atom_bytes / bytes_of(proc); }
    int pixels() const { return width * height * batches; }
};

/// Calls visit(surface, line, column, batch) for all pixels in visit order: surface -> line ->
/// column -> batch; with Winograd surface -> 4 lines -> 2 columns -> line -> column.
template <typename Visit>
void for_each_sdp_pixel(int atom_bytes, const SdpOrder& o, Visit visit) {
    const int lines = o.winograd ? 4 : 1, columns = o.winograd ? 2 : o.width;
    for (int s = 0; s < surfaces(o.elements(atom_bytes), o.channels); ++s) {
        for (int h0 = 0; h0 < o.height; h0 += lines) {
            for (int w0 = 0; w0 < o.width; w0 += columns) {
                for (int h = h0; h < std::min(h0 + lines, o.height); ++h) {
                    for (int w = w0; w < std::min(w0 + columns, o.width); ++w) {
                        for (int b = 0; b < o.batches; ++b)
                            visit(s, h, w, b);
                    }
                }
            }
        }
    }
}

/// Elements of a layer in visit order, padding channels included.
inline std::size_t sdp_elements(int atom_bytes, const SdpOrder& o) {
    const int each = o.elements(atom_bytes);
    return static_cast<std::size_t>(surfaces(each, o.channels)) *
           static_cast<std::size_t>(o.pixels()) * static_cast<std::size_t>(each);
}

/// Address of the atom (surface s, line h, column w) of a cube. A 1x1 cube is packed: no strides.
inline std::uint64_t sdp_atom_addr(int atom_bytes, int width, int height, std::uint64_t base,
                                   std::uint32_t line_stride, std::uint32_t surf_stride, int s,
                                   int h, int w) {
    const bool packed = width == 1 && height == 1;
    return atom_address(atom_bytes, base, line_stride,
                        packed ? static_cast<std::uint32_t>(atom_bytes) : surf_stride, s, h, w);
}

/// Atoms that a pixel of a surface has in memory: two if it computes in int8 and memory has 16 bits
/// per element. They are those of the surfaces 2s and 2s + 1.
inline int sdp_atoms_per_pixel(Precision proc, Precision memory) {
    return bytes_of(memory) / bytes_of(proc);
}

}  // namespace macrame::dla::model
