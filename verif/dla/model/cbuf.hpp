#pragma once
/// Golden model of CBUF, the convolution buffer: an array of entries, written by atom.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sizes.hpp"

namespace macrame::dla::model {

/// Contents of the convolution buffer. The model has no clock: a write is visible at once.
/// Entries are absolute: bank = entry / depth, row = entry % depth.
struct CbufImage {
    int entry_bytes;
    int atom_bytes;
    std::vector<std::uint8_t> bytes;  ///< entry by entry

    /// Everything is 0, as after the flush that follows a reset.
    explicit CbufImage(const CdmaSizes& sizes)
        : entry_bytes(sizes.entry_bytes),
          atom_bytes(sizes.atom_bytes),
          bytes(size(sizes.cbuf_banks) * size(sizes.cbuf_depth) * size(sizes.entry_bytes)) {}

    /// First byte of an entry.
    std::uint8_t* entry(int index) { return &bytes.at(size(index) * size(entry_bytes)); }
    const std::uint8_t* entry(int index) const {
        return &bytes.at(size(index) * size(entry_bytes));
    }

    /// Bytes of an entry, channel 0 first.
    std::vector<std::uint8_t> read(int index) const {
        return {entry(index), entry(index) + entry_bytes};
    }

    /// Writes atom number `atom` of an entry; `data` has `atom_bytes` bytes.
    void write(int index, int atom, const std::uint8_t* data) {
        std::copy_n(data, atom_bytes, entry(index) + atom * atom_bytes);
    }

private:
    static std::size_t size(int n) { return static_cast<std::size_t>(n); }
};

}  // namespace macrame::dla::model
