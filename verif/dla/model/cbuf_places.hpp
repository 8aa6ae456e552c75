#pragma once
/// Where elements of a layer's input lie in the convolution buffer. Channels are counted in bytes:
/// `bytes` are those of all channels of a pixel.

#include "cube.hpp"
#include "sizes.hpp"

namespace macrame::dla::model {

/// Position of a byte inside a slice or inside CBUF.
struct CbufPlace {
    int entry = 0;
    int byte = 0;
};

/// Surfaces (atoms per pixel) of a cube.
inline int surfaces_of(const CdmaSizes& sizes, int bytes) {
    return surfaces(sizes.atom_bytes, bytes);
}

/// Pixels that share one entry in the last channel block: 1, 2 (block <= EB/2), 4 (<= EB/4).
inline int pixels_per_tail_entry(const CdmaSizes& sizes, int bytes) {
    const int q = sizes.atoms_per_entry();
    const int tail = surfaces_of(sizes, bytes) % q;
    if (tail == 0) return 1;
    if (q == 4 && tail == 1) return 4;
    return 2 * tail <= q ? 2 : 1;
}

/// Entries that one input line needs (the value that ENTRY_PER_SLICE + 1 is programmed to).
inline int entries_per_slice(const CdmaSizes& sizes, int width, int bytes) {
    const int q = sizes.atoms_per_entry();
    const int atoms = surfaces_of(sizes, bytes);
    const int pixels = pixels_per_tail_entry(sizes, bytes);
    return atoms / q * width + (atoms % q == 0 ? 0 : (width + pixels - 1) / pixels);
}

/// Where atom `surface` of pixel `x` lies inside its slice.
inline CbufPlace place_of_atom(const CdmaSizes& sizes, int width, int bytes, int x, int surface) {
    const int q = sizes.atoms_per_entry();
    const int block = surface / q;
    const bool tail = block == surfaces_of(sizes, bytes) / q;  // a partly filled last block
    const int pixels = tail ? pixels_per_tail_entry(sizes, bytes) : 1;
    return {block * width + x / pixels,
            x % pixels * (sizes.entry_bytes / pixels) + surface % q * sizes.atom_bytes};
}

/// Where byte `byte` of pixel `x` lies inside its slice.
inline CbufPlace entry_of(const CdmaSizes& sizes, int width, int bytes, int x, int byte) {
    CbufPlace place = place_of_atom(sizes, width, bytes, x, byte / sizes.atom_bytes);
    place.byte += byte % sizes.atom_bytes;
    return place;
}

// ---- Winograd. Four lines of the extended plane are one unit; an entry of it is a tile of 4 x 4
// pixels with some bytes of their channels.

/// Channel bytes of each pixel of an entry.
inline int tile_bytes(const CdmaSizes& sizes) { return sizes.entry_bytes / 16; }

/// Entries per line, a quarter of a unit's: `bytes` of the extended channels.
inline int winograd_entries_per_slice(const CdmaSizes& sizes, int width, int bytes) {
    return width / 4 * bytes / tile_bytes(sizes) / 4;
}

/// Where byte `byte` of the extended channels of pixel (x, row) lies inside its unit.
inline CbufPlace winograd_place(const CdmaSizes& sizes, int width, int x, int row, int byte) {
    const int each = tile_bytes(sizes);
    return {byte / each * (width / 4) + x / 4, (row * 4 + x % 4) * each + byte % each};
}

}  // namespace macrame::dla::model
