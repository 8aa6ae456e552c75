#pragma once
/// Golden model of CDMA, int8: what it writes into the convolution buffer.
///
/// The model has no clock. It works in the two steps in which the unit claims space: one input line
/// (slice) and one weight entry. Who drives it decides how they mix with the releases of CSC:
///
///     Cdma cdma(sizes);  CbufImage cbuf(sizes);
///     cdma.start(layer);
///     while (cdma.step_data(read, cbuf)) {}        // as far as there is room
///     while (cdma.step_weight(read, cbuf)) {}
///     ... CSC consumes ...  cdma.release_data(entries);  and step again

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "cbuf.hpp"
#include "cube.hpp"
#include "image.hpp"
#include "memory_access.hpp"
#include "sizes.hpp"
#include "unit.hpp"

namespace macrame::dla::model {

/// The D_ registers of CDMA that matter, as real numbers (sizes and banks are NOT minus one here).
struct CdmaLayer {
    int width = 1, height = 1, channels = 1;  ///< DATAIN_SIZE: lines to fetch, without reused ones
    std::uint64_t data_addr = 0;              ///< DAIN_ADDR_HIGH/LOW_0
    std::uint32_t line_stride = 0;            ///< bytes
    std::uint32_t surf_stride = 0;            ///< bytes
    int entries_per_slice = 1;                ///< ENTRY_PER_SLICE + 1
    std::uint64_t weight_addr = 0;            ///< WEIGHT_ADDR_HIGH/LOW
    std::uint32_t weight_bytes = 0;           ///< WEIGHT_BYTES
    int data_banks = 1, weight_banks = 1;     ///< BANK + 1
    bool data_reuse = false, weight_reuse = false;
    bool skip_data_rls = false, skip_weight_rls = false;
    bool cvt_en = false;
    std::int16_t cvt_offset = 0, cvt_scale = 0;
    int cvt_truncate = 0;   ///< 0..63
    bool is_image = false;  ///< DATAIN_FORMAT: pixels; channels and surf_stride mean nothing then
    ImageInput image;
    std::uint32_t data_ram_type = 1, weight_ram_type = 1;  ///< memory ports
};

/// Banks, reuse and release of a layer: CDMA and CSC have the same registers for them.
template <class Bank, class Misc, class Layer>
void read_buffer_use(Bank bank, Misc misc, Layer& out) {
    out.data_banks = plus1(bank.DATA_BANK());
    out.weight_banks = plus1(bank.WEIGHT_BANK());
    out.data_reuse = misc.DATA_REUSE() != 0;
    out.weight_reuse = misc.WEIGHT_REUSE() != 0;
    out.skip_data_rls = misc.SKIP_DATA_RLS() != 0;
    out.skip_weight_rls = misc.SKIP_WEIGHT_RLS() != 0;
}

/// Position of a byte inside a slice or inside CBUF.
struct CbufPlace {
    int entry = 0;
    int byte = 0;
};

/// Surfaces (atoms per pixel) of a cube.
inline int surfaces_of(const CdmaSizes& sizes, int channels) {
    return surfaces(sizes.atom_bytes, channels);
}

/// Pixels that share one entry in the last channel block: 1, 2 (block <= EB/2), 4 (<= EB/4).
inline int pixels_per_tail_entry(const CdmaSizes& sizes, int channels) {
    const int q = sizes.atoms_per_entry();
    const int tail = surfaces_of(sizes, channels) % q;
    if (tail == 0) return 1;
    if (q == 4 && tail == 1) return 4;
    return 2 * tail <= q ? 2 : 1;
}

/// Entries that one input line needs (the value that ENTRY_PER_SLICE + 1 is programmed to).
inline int entries_per_slice(const CdmaSizes& sizes, int width, int channels) {
    const int q = sizes.atoms_per_entry();
    const int atoms = surfaces_of(sizes, channels);
    const int pixels = pixels_per_tail_entry(sizes, channels);
    return atoms / q * width + (atoms % q == 0 ? 0 : (width + pixels - 1) / pixels);
}

/// Where atom `surface` of pixel `x` lies inside its slice.
inline CbufPlace place_of_atom(const CdmaSizes& sizes, int width, int channels, int x,
                               int surface) {
    const int q = sizes.atoms_per_entry();
    const int block = surface / q;
    const bool tail = block == surfaces_of(sizes, channels) / q;  // a partly filled last block
    const int pixels = tail ? pixels_per_tail_entry(sizes, channels) : 1;
    return {block * width + x / pixels,
            x % pixels * (sizes.entry_bytes / pixels) + surface % q * sizes.atom_bytes};
}

/// Where element (x, channel) lies inside its slice.
inline CbufPlace entry_of(const CdmaSizes& sizes, int width, int channels, int x, int channel) {
    CbufPlace place = place_of_atom(sizes, width, channels, x, channel / sizes.atom_bytes);
    place.byte += channel % sizes.atom_bytes;
    return place;
}

/// One atom written to CBUF, for scoreboards: absolute entry, atom of the entry, bytes (fewer than
/// an atom at the end of an image line: the others may be anything).
struct CbufWrite {
    int entry = 0;
    int atom = 0;
    std::vector<std::uint8_t> data;
};

/// CDMA with the state that it keeps between layers: pointers, free entries, banks, skip flags.
class Cdma {
public:
    explicit Cdma(const CdmaSizes& sizes) : sizes_(sizes) {}

    /// Takes over a layer. Of the previous one nothing may be pending.
    void start(const CdmaLayer& layer) {
        if (data_pending() || weight_pending()) {
            throw std::logic_error("CDMA layer started too early");
        }
        const bool data_moved = data_moves(layer);
        const bool weight_moved = banks_move(layer);
        if (data_moved) {
            data_pointer_ = 0;
            data_free_ = layer.data_banks * sizes_.cbuf_depth;
        }
        if (weight_moved) {
            weight_pointer_ = 0;
            weight_free_ = layer.weight_banks * sizes_.cbuf_depth;
        }
        data_kept_ = layer.data_reuse && !data_moved && prev_.skip_data_rls &&
                     prev_.is_image == layer.is_image;
        const bool weight_kept = layer.weight_reuse && !weight_moved && prev_.skip_weight_rls;
        banks_valid_ = true;
        prev_ = layer;
        line_ = data_kept_ ? layer.height : 0;
        weight_done_ = weight_kept ? layer.weight_bytes : 0;
    }

    /// The layer has other banks than the one before, or is the first one.
    bool banks_move(const CdmaLayer& layer) const {
        return data_moves(layer) || layer.weight_banks != prev_.weight_banks;
    }

    /// The layer in progress or, if there is none, the last one.
    const CdmaLayer& layer() const { return prev_; }

    /// The layer in progress keeps the data of the one before.
    bool data_kept() const { return data_kept_; }

    /// Something of the layer in progress is not yet in CBUF.
    bool data_pending() const { return line_ < (banks_valid_ ? prev_.height : 0); }
    bool weight_pending() const { return weight_done_ < (banks_valid_ ? prev_.weight_bytes : 0); }

    /// Fetches one input line. False, and nothing done, if none is pending or it has no room.
    /// Appends the writes to `log` (if not null) in the order of the unit: surface by surface.
    bool step_data(const MemoryRead& read, CbufImage& cbuf, std::vector<CbufWrite>* log = nullptr) {
        if (!data_pending() || data_free_ < prev_.entries_per_slice) return false;
        if (prev_.is_image) {
            write_image_line(read, cbuf, log);
        } else {
            write_cube_line(read, cbuf, log);
        }
        data_pointer_ =
            (data_pointer_ + prev_.entries_per_slice) % (prev_.data_banks * sizes_.cbuf_depth);
        data_free_ -= prev_.entries_per_slice;
        ++line_;
        return true;
    }

    /// Fetches the atoms of one weight entry (fewer than Q of them at the end of the layer).
    /// False, and nothing done, if none is pending or no entry is free.
    bool step_weight(const MemoryRead& read, CbufImage& cbuf,
                     std::vector<CbufWrite>* log = nullptr) {
        if (!weight_pending() || weight_free_ < 1) return false;
        std::vector<std::uint8_t> atom(static_cast<std::size_t>(sizes_.atom_bytes));
        const int entry = prev_.data_banks * sizes_.cbuf_depth + weight_pointer_;
        for (int a = 0; a < sizes_.atoms_per_entry() && weight_pending(); ++a) {
            read(prev_.weight_addr + weight_done_, atom.data(), atom.size());
            write(cbuf, entry, a * sizes_.atom_bytes, atom, log);
            weight_done_ += atom.size();
        }
        weight_pointer_ = (weight_pointer_ + 1) % (prev_.weight_banks * sizes_.cbuf_depth);
        --weight_free_;
        return true;
    }

    /// CSC gives entries back.
    void release_data(int entries) { data_free_ += entries; }
    void release_weights(int entries) { weight_free_ += entries; }

private:
    bool data_moves(const CdmaLayer& layer) const {
        return !banks_valid_ || layer.data_banks != prev_.data_banks;
    }

    /// All atoms of the line in progress, surface by surface.
    void write_cube_line(const MemoryRead& read, CbufImage& cbuf, std::vector<CbufWrite>* log) {
        const int region = prev_.data_banks * sizes_.cbuf_depth;
        std::vector<std::uint8_t> atom(static_cast<std::size_t>(sizes_.atom_bytes));
        for (int s = 0; s < surfaces_of(sizes_, prev_.channels); ++s) {
            for (int x = 0; x < prev_.width; ++x) {
                read(atom_address(sizes_.atom_bytes, prev_.data_addr, prev_.line_stride,
                                  prev_.surf_stride, s, line_, x),
                     atom.data(), atom.size());
                if (prev_.cvt_en) convert(atom);
                const CbufPlace place = place_of_atom(sizes_, prev_.width, prev_.channels, x, s);
                write(cbuf, (data_pointer_ + place.entry) % region, place.byte, atom, log);
            }
        }
    }

    /// The pixels of the line in progress, without gaps.
    void write_image_line(const MemoryRead& read, CbufImage& cbuf, std::vector<CbufWrite>* log) {
        const auto y = static_cast<std::uint64_t>(line_);
        const std::uint64_t planes[2] = {prev_.data_addr + y * prev_.line_stride,
                                         prev_.image.addr_1 + y * prev_.image.uv_stride};
        const std::vector<std::uint8_t> line =
            image_line(sizes_.atom_bytes, prev_.image,
                       {prev_.cvt_en, prev_.cvt_offset, prev_.cvt_scale, prev_.cvt_truncate},
                       prev_.width, planes, read);
        const int region = prev_.data_banks * sizes_.cbuf_depth;
        const int bytes = static_cast<int>(line.size());
        for (int b = 0; b < bytes; b += sizes_.atom_bytes) {
            const std::vector<std::uint8_t> atom(
                line.begin() + b, line.begin() + std::min(b + sizes_.atom_bytes, bytes));
            write(cbuf, (data_pointer_ + b / sizes_.entry_bytes) % region, b % sizes_.entry_bytes,
                  atom, log);
        }
    }

    void convert(std::vector<std::uint8_t>& atom) const {
        for (std::uint8_t& byte : atom) {
            byte = static_cast<std::uint8_t>(cvt(static_cast<std::int8_t>(byte), prev_.cvt_offset,
                                                 prev_.cvt_scale, prev_.cvt_truncate));
        }
    }

    void write(CbufImage& cbuf, int entry, int byte, const std::vector<std::uint8_t>& atom,
               std::vector<CbufWrite>* log) const {
        std::copy(atom.begin(), atom.end(), cbuf.entry(entry) + byte);
        if (log != nullptr) log->push_back({entry, byte / sizes_.atom_bytes, atom});
    }

    CdmaSizes sizes_;
    CdmaLayer prev_;            // the layer in progress or the last one
    bool banks_valid_ = false;  // a first layer has been seen
    bool data_kept_ = false;
    int line_ = 0;                   // lines fetched
    std::uint64_t weight_done_ = 0;  // bytes fetched
    int data_pointer_ = 0, weight_pointer_ = 0;
    int data_free_ = 0, weight_free_ = 0;
};

/// CDMA in the device. It fetches one layer ahead of CSC or more, as long as the buffer has room.
class CdmaUnit : public Unit {
public:
    CdmaUnit(Machine& machine, std::string_view name);

    CdmaLayer layer() const;
    /// Takes the next layer over, if nothing is in the way, and fetches.
    bool step() override;

    /// Fetches as much as there is room for. False: nothing.
    bool fetch();
    /// CSC gives entries back.
    void release(int data_entries, int weight_entries);

    /// Layers taken over since reset.
    std::uint64_t started() const { return started_; }
    const CbufImage& cbuf() const { return cbuf_; }

private:
    ImageInput image() const;
    bool start();

    Cdma cdma_;
    CbufImage cbuf_;
    std::uint64_t started_ = 0, finished_ = 0;      // layers
    bool data_done_ = false, weight_done_ = false;  // events of the layer were raised
};

}  // namespace macrame::dla::model
