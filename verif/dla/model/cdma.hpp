#pragma once
/// Golden model of CDMA: what it writes into the convolution buffer.
///
/// The model has no clock. It works in the steps in which the unit claims space: one input line
/// (slice), one entry of weights, one of their masks. Who drives it decides how they mix with the
/// releases of CSC:
///
///     Cdma cdma(sizes);  CbufImage cbuf(sizes);
///     cdma.start(layer);
///     while (cdma.step_data(read, cbuf)) {}        // as far as there is room
///     while (cdma.step_weight(read, cbuf)) {}
///     while (cdma.step_mask(read, cbuf)) {}        // compressed weights
///     ... CSC consumes ...  cdma.release_data(entries);  and step again

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "cbuf.hpp"
#include "cbuf_places.hpp"
#include "image.hpp"
#include "layer_checker.hpp"
#include "memory_access.hpp"
#include "sizes.hpp"
#include "unit.hpp"

namespace macrame::dla::model {

/// The registers that only Winograd layers have, as real numbers. Padding is that of the image.
struct WinogradInput {
    int width = 0, height = 0;       ///< DATAIN_SIZE_EXT, of the extended plane
    int stride_x = 1, stride_y = 1;  ///< CONV_STRIDE: planes per extended plane
    int pad_top = 0;                 ///< ZERO_PADDING
};

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

    Precision in = Precision::int8, proc = Precision::int8;  ///< IN_PRECISION, PROC_PRECISION
    bool nan_to_zero = false;                                ///< NAN_FLUSH_TO_ZERO
    int batches = 1;                                         ///< BATCHES + 1
    std::uint32_t batch_stride = 0;                          ///< bytes
    bool is_winograd = false;                                ///< CONV_MODE
    WinogradInput winograd;
    bool compressed = false;       ///< WEIGHT_FORMAT: masks say which weights there are
    std::uint64_t mask_addr = 0;   ///< WMB_ADDR_HIGH/LOW
    std::uint32_t mask_bytes = 0;  ///< WMB_BYTES

    /// Bytes of the channels of a pixel of a cube.
    int pixel_bytes() const { return channels * bytes_of(in); }
    /// Lines that become slices.
    int lines() const { return is_winograd ? winograd.height : height; }
    /// Slices that CDMA brings, and how many at once.
    int slices() const { return lines() * batches; }
    int slices_per_step() const { return is_winograd ? 4 : 1; }
    int entries_per_step() const { return slices_per_step() * entries_per_slice; }
    CvtSettings convertor() const {
        return {cvt_en, cvt_offset, cvt_scale, cvt_truncate, in, proc, nan_to_zero};
    }
    /// Layers of the same kind can share data.
    template <class Layer>
    bool same_kind(const Layer& other) const {
        return is_image == other.is_image && is_winograd == other.is_winograd;
    }
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

/// One atom written to CBUF, for scoreboards: absolute entry, atom of the entry, bytes (fewer than
/// an atom at the end of an image line: the others may be anything).
struct CbufWrite {
    int entry = 0;
    int atom = 0;
    std::vector<std::uint8_t> data;
};

/// Weights or masks on their way into a ring of entries.
struct WeightStream {
    std::uint64_t addr = 0;
    std::uint64_t bytes = 0, done = 0;  ///< of the layer
    int first = 0, region = 1;          ///< entries of the ring
    int pointer = 0, free = 0;

    bool pending() const { return done < bytes; }
    void empty_ring(int entries) {
        pointer = 0;
        free = entries;
    }
};

/// CDMA with the state that it keeps between layers: pointers, free entries, banks, skip flags.
class Cdma {
public:
    explicit Cdma(const CdmaSizes& sizes) : sizes_(sizes) {}

    /// Takes over a layer. Of the previous one nothing may be pending.
    void start(const CdmaLayer& layer) {
        if (data_pending() || weight_pending() || mask_pending()) {
            throw std::logic_error("CDMA layer started too early");
        }
        const bool data_moved = data_moves(layer);
        const bool weight_moved = banks_move(layer);
        if (data_moved) {
            data_pointer_ = 0;
            data_free_ = layer.data_banks * sizes_.cbuf_depth;
        }
        if (weight_moved) {
            weights_.empty_ring(layer.weight_banks * sizes_.cbuf_depth);
            masks_.empty_ring(sizes_.cbuf_depth);
        }
        data_kept_ =
            layer.data_reuse && !data_moved && prev_.skip_data_rls && layer.same_kind(prev_);
        const bool weight_kept = layer.weight_reuse && !weight_moved && prev_.skip_weight_rls;
        banks_valid_ = true;
        prev_ = layer;
        slice_ = data_kept_ ? layer.slices() : 0;
        begin(weights_, layer.weight_addr, weight_kept ? 0 : layer.weight_bytes);
        begin(masks_, layer.mask_addr, weight_kept || !layer.compressed ? 0 : layer.mask_bytes);
        weights_.first = layer.data_banks * sizes_.cbuf_depth;
        weights_.region = layer.weight_banks * sizes_.cbuf_depth;
        masks_.first = (sizes_.cbuf_banks - 1) * sizes_.cbuf_depth;
        masks_.region = sizes_.cbuf_depth;
        data_counts_ = weight_counts_ = {};
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
    bool data_pending() const { return slice_ < (banks_valid_ ? prev_.slices() : 0); }
    bool weight_pending() const { return weights_.pending(); }
    bool mask_pending() const { return masks_.pending(); }

    /// Fetches one input line of a cube or, with Winograd, four lines of the extended plane. False,
    /// and nothing done, if none is pending or it has no room. Appends the writes to `log` (if not
    /// null) in the order of the unit: surface by surface.
    bool step_data(const MemoryRead& read, CbufImage& cbuf, std::vector<CbufWrite>* log = nullptr) {
        if (!data_pending() || data_free_ < prev_.entries_per_step()) return false;
        if (prev_.is_winograd) {
            write_tile_lines(read, cbuf, log);
        } else if (prev_.is_image) {
            write_image_line(read, cbuf, log);
        } else {
            write_cube_line(read, cbuf, log);
        }
        data_pointer_ = (data_pointer_ + prev_.entries_per_step()) % data_region();
        data_free_ -= prev_.entries_per_step();
        slice_ += prev_.slices_per_step();
        return true;
    }

    /// Fetches the atoms of one weight entry (fewer than Q of them at the end of the layer).
    /// False, and nothing done, if none is pending or no entry is free.
    bool step_weight(const MemoryRead& read, CbufImage& cbuf,
                     std::vector<CbufWrite>* log = nullptr) {
        return step(weights_, prev_.proc == Precision::fp16, read, cbuf, log);
    }
    /// The same for an entry of masks of compressed weights.
    bool step_mask(const MemoryRead& read, CbufImage& cbuf, std::vector<CbufWrite>* log = nullptr) {
        return step(masks_, false, read, cbuf, log);
    }

    /// CSC gives entries back.
    void release_data(int entries) { data_free_ += entries; }
    void release_weights(int entries) { weights_.free += entries; }
    void release_masks(int entries) { masks_.free += entries; }

    /// Special numbers that the layer in progress has fetched: fp16, before they are flushed.
    const SpecialCounts& data_counts() const { return data_counts_; }
    const SpecialCounts& weight_counts() const { return weight_counts_; }

private:
    using Bytes = std::vector<std::uint8_t>;

    bool data_moves(const CdmaLayer& layer) const {
        return !banks_valid_ || layer.data_banks != prev_.data_banks;
    }
    int data_region() const { return prev_.data_banks * sizes_.cbuf_depth; }

    static void begin(WeightStream& stream, std::uint64_t addr, std::uint64_t bytes) {
        stream.addr = addr;
        stream.bytes = bytes;
        stream.done = 0;
    }

    bool step(WeightStream& stream, bool fp16, const MemoryRead& read, CbufImage& cbuf,
              std::vector<CbufWrite>* log) {
        if (!stream.pending() || stream.free < 1) return false;
        Bytes atom(static_cast<std::size_t>(sizes_.atom_bytes));
        for (int a = 0; a < sizes_.atoms_per_entry() && stream.pending(); ++a) {
            read(stream.addr + stream.done, atom.data(), atom.size());
            if (fp16) flush(atom, weight_counts_);
            write(cbuf, stream.first + stream.pointer, a * sizes_.atom_bytes, atom, log);
            stream.done += atom.size();
        }
        stream.pointer = (stream.pointer + 1) % stream.region;
        --stream.free;
        return true;
    }

    /// An atom of the cube, as the buffer gets it.
    Bytes cube_atom(const MemoryRead& read, int batch, int surface, int line, int column) {
        Bytes atom(static_cast<std::size_t>(sizes_.atom_bytes)), out;
        const std::uint64_t cube =
            prev_.data_addr + std::uint64_t{1} * static_cast<unsigned>(batch) * prev_.batch_stride;
        read(atom_address(sizes_.atom_bytes, cube, prev_.line_stride, prev_.surf_stride, surface,
                          line, column),
             atom.data(), atom.size());
        const CvtSettings cvt = prev_.convertor();
        if (!cvt.enable && cvt.in != Precision::fp16) return atom;
        for (std::size_t i = 0; i < atom.size(); i += static_cast<std::size_t>(bytes_of(cvt.in))) {
            const std::int16_t element = load_element(&atom[i], cvt.in);
            if (cvt.in == Precision::fp16) data_counts_.add(element);
            append_element(out, converted(cvt, element, cvt.offset), cvt.out);
        }
        return out;
    }

    /// All atoms of the line in progress, surface by surface.
    void write_cube_line(const MemoryRead& read, CbufImage& cbuf, std::vector<CbufWrite>* log) {
        const int line = slice_ / prev_.batches, batch = slice_ % prev_.batches;
        for (int s = 0; s < surfaces_of(sizes_, prev_.pixel_bytes()); ++s) {
            for (int x = 0; x < prev_.width; ++x) {
                const CbufPlace place =
                    place_of_atom(sizes_, prev_.width, prev_.pixel_bytes(), x, s);
                write(cbuf, (data_pointer_ + place.entry) % data_region(), place.byte,
                      cube_atom(read, batch, s, line, x), log);
            }
        }
    }

    /// The pixels of the line in progress, without gaps.
    void write_image_line(const MemoryRead& read, CbufImage& cbuf, std::vector<CbufWrite>* log) {
        const auto y = static_cast<std::uint64_t>(slice_);
        const std::uint64_t planes[2] = {prev_.data_addr + y * prev_.line_stride,
                                         prev_.image.addr_1 + y * prev_.image.uv_stride};
        const Bytes line = image_line(sizes_.atom_bytes, prev_.image, prev_.convertor(),
                                      prev_.width, planes, read, &data_counts_);
        const int bytes = static_cast<int>(line.size());
        for (int b = 0; b < bytes; b += sizes_.atom_bytes) {
            const Bytes atom(line.begin() + b,
                             line.begin() + std::min(b + sizes_.atom_bytes, bytes));
            write(cbuf, (data_pointer_ + b / sizes_.entry_bytes) % data_region(),
                  b % sizes_.entry_bytes, atom, log);
        }
    }

    /// Four lines of the extended plane. Pixel (X, Y) of its plane (sy, sx) is pixel
    /// (X * SX + sx, Y * SY + sy) of the padded cube; planes follow each other as channels do.
    void write_tile_lines(const MemoryRead& read, CbufImage& cbuf, std::vector<CbufWrite>* log) {
        const WinogradInput& w = prev_.winograd;
        const int surfaces = surfaces_of(sizes_, prev_.pixel_bytes());
        for (int row = 0; row < 4; ++row) {
            for (int sy = 0; sy < w.stride_y; ++sy) {
                for (int s = 0; s < surfaces; ++s) {
                    for (int x = 0; x < w.width; x += 4) {
                        for (int sx = 0; sx < w.stride_x; ++sx) {
                            const int first =
                                ((sy * w.stride_x + sx) * surfaces + s) * sizes_.atom_bytes;
                            write_tile_row(tile_row(read, s, x, sx, row, sy), x, row, first, cbuf,
                                           log);
                        }
                    }
                }
            }
        }
    }

    /// Atoms of four pixels of a plane.
    std::vector<Bytes> tile_row(const MemoryRead& read, int surface, int x, int sx, int row,
                                int sy) {
        const WinogradInput& w = prev_.winograd;
        Bytes padding;
        while (static_cast<int>(padding.size()) < sizes_.atom_bytes)
            append_element(padding, prev_.image.pad_value, prev_.proc);
        const int line = (slice_ + row) * w.stride_y + sy - w.pad_top;
        std::vector<Bytes> out;
        for (int i = 0; i < 4; ++i) {
            const int column = (x + i) * w.stride_x + sx - prev_.image.pad_left;
            const bool inside =
                column >= 0 && column < prev_.width && line >= 0 && line < prev_.height;
            out.push_back(inside ? cube_atom(read, 0, surface, line, column) : padding);
        }
        return out;
    }

    /// These atoms into the entries of their tile; `first`: of their channel bytes.
    void write_tile_row(const std::vector<Bytes>& atoms, int x, int row, int first, CbufImage& cbuf,
                        std::vector<CbufWrite>* log) const {
        const int each = tile_bytes(sizes_);
        for (int b = 0; b < sizes_.atom_bytes; b += each) {
            Bytes data;
            for (const Bytes& atom : atoms)
                data.insert(data.end(), atom.begin() + b, atom.begin() + b + each);
            const CbufPlace place = winograd_place(sizes_, prev_.winograd.width, x, row, first + b);
            write(cbuf, (data_pointer_ + place.entry) % data_region(), place.byte, data, log);
        }
    }

    /// fp16 elements: counted, and NaN made 0 if the layer says so.
    void flush(Bytes& atom, SpecialCounts& counts) const {
        Bytes out;
        for (std::size_t i = 0; i < atom.size(); i += 2) {
            const std::int16_t element = load_element(&atom[i], Precision::fp16);
            counts.add(element);
            append_element(out, prev_.nan_to_zero ? flushed(element) : element, Precision::fp16);
        }
        atom = out;
    }

    void write(CbufImage& cbuf, int entry, int byte, const Bytes& atom,
               std::vector<CbufWrite>* log) const {
        std::copy(atom.begin(), atom.end(), cbuf.entry(entry) + byte);
        if (log != nullptr) log->push_back({entry, byte / sizes_.atom_bytes, atom});
    }

    CdmaSizes sizes_;
    CdmaLayer prev_;            // the layer in progress or the last one
    bool banks_valid_ = false;  // a first layer has been seen
    bool data_kept_ = false;
    int slice_ = 0;  // slices fetched
    int data_pointer_ = 0, data_free_ = 0;
    WeightStream weights_, masks_;
    SpecialCounts data_counts_, weight_counts_;
};

/// CDMA in the device. It fetches one layer ahead of CSC or more, as long as the buffer has room.
class CdmaUnit : public Unit {
public:
    CdmaUnit(DeviceState& machine, std::string_view name);

    CdmaLayer layer() const;
    /// Takes the next layer over, if nothing is in the way, and fetches.
    bool step() override;

    /// Fetches as much as there is room for. False: nothing.
    bool fetch();
    /// CSC gives entries back.
    void release(int data_entries, int weight_entries, int mask_entries = 0);

    /// Those of the layer that CSC has next; CDMA may be ahead.
    void add_registers(LayerRegisters& to) const override;
    /// CSC is done with a layer.
    void forget() { taken_.pop_front(); }

    /// The layer in progress or, if there is none, the last one.
    const CdmaLayer& current() const { return cdma_.layer(); }
    /// Layers taken over since reset.
    std::uint64_t started() const { return started_; }
    const CbufImage& cbuf() const { return cbuf_; }

private:
    ImageInput image() const;
    void read_types16(CdmaLayer& out) const;
    bool legal(const CdmaLayer& next);
    bool start();
    void end();

    Cdma cdma_;
    CbufImage cbuf_;
    std::uint64_t started_ = 0, finished_ = 0;      // layers
    std::deque<LayerRegisters> taken_;              // of those that CSC has not done
    bool data_done_ = false, weight_done_ = false;  // events of the layer were raised
};

}  // namespace macrame::dla::model
