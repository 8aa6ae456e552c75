#pragma once
/// Random elements of the types of the configuration under test.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "dla_params.hpp"
#include "tb/dla/unit/element_types.hpp"
#include "tb/dla/unit/unit_bench.hpp"
#include "verif/dla/model/elements.hpp"

namespace macrame::tb {

using dla::model::Precision;

/// One of the types of the configuration.
inline Precision random_type(Random& rnd) {
    const std::vector<Precision> all = types();
    return all[static_cast<std::size_t>(rnd.in(0, static_cast<int>(all.size()) - 1))];
}

/// Elements of an atom.
inline int elements_of_atom(Precision type) { return kAtom / dla::model::bytes_of(type); }

/// Atoms of a pixel.
inline int atoms_of_pixel(Precision type, int channels) {
    return (channels + elements_of_atom(type) - 1) / elements_of_atom(type);
}

/// Kind 0: corner values; 1: small ones; 2: any; 3: fp16 numbers of about the same size.
inline int random_element(Random& rnd, Precision type, int kind) {
    if (type == Precision::fp16) {
        constexpr int kCorner[] = {0x0000, 0x8000, 0x3C00, 0xBC00, 0x7BFF, 0xFBFF, 0x7C00,
                                   0xFC00, 0x7E01, 0xFE02, 0x0001, 0x83FF, 0x0400};
        if (kind == 0) return kCorner[rnd.in(0, 12)];
        if (kind == 2) return static_cast<int>(rnd.bits() & 0xffff);
        return rnd.in(0, 1) << 15 | rnd.in(kind == 1 ? 0 : 12, kind == 1 ? 4 : 17) << 10 |
               rnd.in(0, 1023);
    }
    const int most = type == Precision::int8 ? 127 : 32767;
    const int corner[] = {0, 1, -1, most, -most - 1};
    if (kind == 0) return corner[rnd.in(0, 4)];
    return kind == 1 ? rnd.in(-4, 4) : rnd.in(-most - 1, most);
}

/// A cube of so many atoms as its bytes in memory; an fp16 cube may hold a few special numbers.
inline std::vector<std::int8_t> random_cube(Random& rnd, Precision type, int atoms) {
    std::vector<std::int8_t> out;
    const int kind = rnd.in(0, 3);
    const bool special = rnd.chance(30);
    for (int i = 0; i < atoms * elements_of_atom(type); ++i) {
        const bool corner = special && rnd.chance(2);
        dla::model::add_element(type, out, random_element(rnd, type, corner ? 0 : kind));
    }
    return out;
}

}  // namespace macrame::tb
