#pragma once
/// Golden model of CBUF, the convolution buffer: an array of entries, written by atom.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace macrame::model::dla {

/// Contents of the convolution buffer. The model has no clock: a write is visible at once.
/// Entries are absolute: bank = entry / depth, row = entry % depth.
class CbufModel {
public:
    /// Everything is 0, as after the flush that follows a reset.
    CbufModel(int banks, int depth, int entry_bytes, int atom_bytes)
        : banks_(banks),
          depth_(depth),
          entry_bytes_(entry_bytes),
          atom_bytes_(atom_bytes),
          bytes_(size(banks) * size(depth) * size(entry_bytes)) {}

    int entries() const { return banks_ * depth_; }
    int entry_bytes() const { return entry_bytes_; }
    int atom_bytes() const { return atom_bytes_; }

    /// First byte of an entry.
    std::uint8_t* entry(int index) { return &bytes_.at(size(index) * size(entry_bytes_)); }
    const std::uint8_t* entry(int index) const {
        return &bytes_.at(size(index) * size(entry_bytes_));
    }

    /// Bytes of an entry, channel 0 first.
    std::vector<std::uint8_t> read(int index) const {
        return {entry(index), entry(index) + entry_bytes_};
    }

    /// Writes atom number `atom` of an entry; `data` has atom_bytes() bytes.
    void write(int index, int atom, const std::uint8_t* data) {
        std::copy_n(data, atom_bytes_, entry(index) + atom * atom_bytes_);
    }

    /// Clears that row of every bank.
    void flush(int row) {
        for (int bank = 0; bank < banks_; ++bank) {
            std::fill_n(entry(bank * depth_ + row), entry_bytes_, std::uint8_t{0});
        }
    }

private:
    static std::size_t size(int n) { return static_cast<std::size_t>(n); }

    int banks_;
    int depth_;
    int entry_bytes_;
    int atom_bytes_;
    std::vector<std::uint8_t> bytes_;
};

}  // namespace macrame::model::dla
