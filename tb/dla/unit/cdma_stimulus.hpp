#pragma once
/// Layers for dla_cdma: what it is programmed to and what CSC does with each.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "dla_params.hpp"
#include "tb/dla/unit/element_types.hpp"
#include "tb/dla/unit/unit_bench.hpp"
#include "verif/dla/model/cdma.hpp"

namespace macrame::tb::cdma {

namespace m = macrame::dla::model;
namespace p = dla_params;

inline m::CdmaSizes sizes() {
    return {p::atom_bytes, p::entry_bytes, p::cbuf_banks, p::cbuf_depth};
}

/// One layer: what CDMA is programmed to and what CSC does with it.
struct Program {
    m::CdmaLayer regs;
    int csc_release = 1;   ///< slices given back at the end (without SKIP_DATA_RLS)
    int group_atoms = 16;  ///< atoms of the first kernel group
    bool perf = true;
    bool dat_primary = true, wt_primary = true;  ///< RAM_TYPE of data and weights
};

inline std::int16_t random_offset(Random& rnd) {
    return static_cast<std::int16_t>(rnd.chance(20) ? (rnd.chance(50) ? -32768 : 32767)
                                                    : rnd.in(-200, 200));
}

/// Type of the components of pixels.
inline m::Precision pixel_type(const m::ImageInput& image) {
    if (!image.pixels().bits16) return m::Precision::int8;
    const bool fp16 = image.format == 5 || image.format == 8 || image.format == 11;
    return fp16 ? m::Precision::fp16 : m::Precision::int16;
}

/// Types of elements in memory and in the buffer; pixels may change theirs.
inline void random_types(Random& rnd, m::CdmaLayer& r) {
    const auto all = types();
    r.proc = all[static_cast<std::size_t>(rnd.in(0, static_cast<int>(all.size()) - 1))];
    r.in = r.proc;
    if (!r.is_image) return;
    r.in = pixel_type(r.image);
    if (r.in == m::Precision::fp16) r.proc = r.in;
}

/// Pixels of any format, padding and offset; the width is chosen later.
inline m::ImageInput random_image(Random& rnd) {
    constexpr int kFormats[] = {0, 12, 13, 14, 15, 16, 17, 18, 19, 26, 27, 28, 29, 5, 63};
    m::ImageInput image;
    image.types16 = p::types16;
    do {
        image.format = p::types16 ? rnd.in(0, 37) : kFormats[rnd.in(0, 14)];
    } while (!p::fp16 && pixel_type(image) == m::Precision::fp16);
    const int pixel = image.pixels().bytes[0];
    image.x_offset = rnd.in(0, p::atom_bytes / pixel - 1);
    image.is_signed = rnd.chance(50);
    image.addr_1 = random_addr(rnd);
    image.uv_stride = rnd.bits() / p::atom_bytes * p::atom_bytes;
    image.mean_en = rnd.chance(50);
    for (std::int16_t& mean : image.mean)
        mean = random_offset(rnd);
    image.pad_left = rnd.chance(50) ? 0 : rnd.in(1, rnd.chance(20) ? 31 : 3);
    image.pad_right = rnd.chance(50) ? 0 : rnd.in(1, rnd.chance(20) ? 63 : 3);
    image.pad_value =
        static_cast<std::int16_t>(p::types16 ? rnd.in(-32768, 32767) : rnd.in(-128, 127));
    return image;
}

/// Addresses of the atoms of a line, in the order in which they are asked for.
inline std::vector<std::uint64_t> image_atoms(const m::CdmaLayer& r, int y) {
    const m::PixelFormat format = r.image.pixels();
    const auto am = static_cast<std::uint64_t>(p::atom_bytes);
    const auto line = static_cast<std::uint64_t>(y);
    const std::uint64_t base_0 = r.data_addr + line * r.line_stride;
    const std::uint64_t base_1 = r.image.addr_1 + line * r.image.uv_stride;
    std::vector<std::uint64_t> out;
    int luma = -1, chroma = -1;
    for (int x = r.image.x_offset; x < r.image.x_offset + r.width; ++x) {
        const int skipped =
            format.bytes[1] == 0 ? 0 : r.image.x_offset / (p::atom_bytes / format.bytes[1]);
        const int a = x * format.bytes[0] / p::atom_bytes;
        if (a != luma) out.push_back(base_0 + static_cast<std::uint64_t>(luma = a) * am);
        if (format.bytes[1] == 0) continue;
        const int b = x * format.bytes[1] / p::atom_bytes - skipped;
        if (b != chroma) out.push_back(base_1 + static_cast<std::uint64_t>(chroma = b) * am);
    }
    return out;
}

/// Planes and padding of a layer of Winograd, with lines of at most `most` entries per slice.
inline void random_planes(Random& rnd, m::CdmaLayer& r, int most) {
    m::WinogradInput& w = r.winograd;
    r.image.pad_right = 0;
    do {
        w.stride_x = rnd.chance(40) ? 1 : rnd.in(1, 8);
        w.stride_y = rnd.chance(40) ? 1 : rnd.in(1, 8);
        w.width = 4 * rnd.in(1, rnd.chance(20) ? 40 : 6);
        r.image.pad_left = rnd.chance(40) ? 0 : rnd.in(1, rnd.chance(20) ? 31 : 3);
        const int right = rnd.chance(40) ? 0 : rnd.in(1, rnd.chance(20) ? 63 : 3);
        r.width = w.width * w.stride_x - r.image.pad_left - right;
        r.channels = rnd.in(1, p::atom_bytes * rnd.in(1, 5) / m::bytes_of(r.in));
        const int surfaces = m::surfaces_of(sizes(), r.pixel_bytes());
        r.entries_per_slice = m::winograd_entries_per_slice(
            sizes(), w.width, surfaces * p::atom_bytes * w.stride_x * w.stride_y);
    } while (r.width < 1 || r.entries_per_slice > most);
}

/// Lines of `units` units of four lines of the extended plane.
inline void random_lines(Random& rnd, m::CdmaLayer& r, int units) {
    m::WinogradInput& w = r.winograd;
    w.height = 4 * units;
    do {
        w.pad_top = rnd.chance(40) ? 0 : rnd.in(1, rnd.chance(20) ? 31 : 3);
        const int bottom = rnd.chance(40) ? 0 : rnd.in(1, rnd.chance(20) ? 63 : 3);
        r.height = w.height * w.stride_y - w.pad_top - bottom;
    } while (r.height < 1);
}

/// Shape of the input. New lines join the `remaining` ones of the layer before, if any.
inline void random_shape(Random& rnd, m::CdmaLayer& r, const m::CdmaLayer* prev, int remaining) {
    const m::CdmaSizes s = sizes();
    const int data_entries = r.data_banks * s.cbuf_depth;
    r.image = random_image(rnd);
    random_types(rnd, r);
    if (remaining > 0) {
        r.in = prev->in;
        r.proc = prev->proc;
        r.width = prev->width;
        r.channels = prev->channels;
        r.image.format = prev->image.format;
        r.image.x_offset = prev->image.x_offset;
        r.image.pad_left = prev->image.pad_left;
        r.image.pad_right = prev->image.pad_right;
        r.winograd = prev->winograd;
        r.entries_per_slice = prev->entries_per_slice;
        return;
    }
    if (r.is_winograd) return random_planes(rnd, r, data_entries / 4);
    if (r.is_image) {
        do {
            r.width = rnd.chance(20) ? rnd.in(1, 3) : rnd.in(1, rnd.chance(20) ? 300 : 40);
        } while (m::image_entries_per_slice(s.entry_bytes, r.image, r.width, r.proc) >
                 data_entries);
    } else {
        do {
            r.width = rnd.chance(20) ? 1 : rnd.in(1, rnd.chance(20) ? 200 : 24);
            r.channels = rnd.in(1, p::atom_bytes * (r.width == 1 ? 40 : rnd.in(1, 9)));
        } while (m::entries_per_slice(s, r.width, r.pixel_bytes()) > data_entries);
    }
    r.entries_per_slice = r.is_image
                              ? m::image_entries_per_slice(s.entry_bytes, r.image, r.width, r.proc)
                              : m::entries_per_slice(s, r.width, r.pixel_bytes());
}

/// `moved`: the layer before has left no weights.
inline void random_weights(Random& rnd, m::CdmaLayer& r, const m::CdmaLayer* prev, bool moved) {
    r.weight_reuse = rnd.chance(40);
    r.skip_weight_rls = rnd.chance(40);
    r.weight_addr = random_addr(rnd);
    const bool kept = r.weight_reuse && !moved && prev->skip_weight_rls;
    if (kept) {
        r.weight_bytes = prev->weight_bytes;
        r.compressed = prev->compressed;
        r.mask_bytes = prev->mask_bytes;
        return;
    }
    r.compressed = p::weight_compression_enable && rnd.chance(60);
    if (r.compressed) {
        const int ring = p::cbuf_depth * p::entry_bytes / 128;
        r.mask_addr = random_addr(rnd);
        r.mask_bytes =
            static_cast<std::uint32_t>(128 * rnd.in(1, rnd.chance(50)      ? 4
                                                       : r.skip_weight_rls ? ring
                                                                           : ring * 3 / 2));
    }
    const int capacity = r.weight_banks * p::cbuf_depth * p::entry_bytes;
    const int most = r.skip_weight_rls ? capacity : capacity * 3 / 2;
    r.weight_bytes = static_cast<std::uint32_t>(
        p::v1_map || rnd.chance(50) ? 128 * rnd.in(1, most / 128)
                                    : rnd.in(1, rnd.chance(50) ? std::min(most, 400) : most));
}

inline void random_convertor(Random& rnd, m::CdmaLayer& r) {
    r.cvt_en = (rnd.chance(40) && !r.is_winograd) || r.in != r.proc;
    r.nan_to_zero = rnd.chance(50);
    r.cvt_offset = random_offset(rnd);
    r.cvt_scale = static_cast<std::int16_t>(rnd.chance(20) ? (rnd.chance(50) ? -32768 : 32767)
                                                           : rnd.in(-3000, 3000));
    r.cvt_truncate = rnd.chance(20) ? rnd.in(0, 63) : rnd.in(0, 14);
    if (rnd.chance(20)) r.cvt_truncate = rnd.in(28, 34);
}

/// Cube, pixels or a cube for Winograd, often as before.
inline void random_kind(Random& rnd, m::CdmaLayer& r, const m::CdmaLayer* prev) {
    if (prev != nullptr && rnd.chance(60)) {
        r.is_image = prev->is_image;
        r.is_winograd = prev->is_winograd;
        return;
    }
    r.is_winograd = p::winograd_enable && rnd.chance(50);
    r.is_image = p::image_enable && !r.is_winograd && rnd.chance(50);
}

/// Random legal layers; `count` of them with every kind of reuse, skip, release and bank change.
inline std::vector<Program> random_layers(Random& rnd, int count) {
    std::vector<Program> layers;
    int remaining = 0;  // slices that CSC keeps
    while (static_cast<int>(layers.size()) < count) {
        Program layer;
        m::CdmaLayer& r = layer.regs;
        const m::CdmaLayer* prev = layers.empty() ? nullptr : &layers.back().regs;
        const bool same_banks = prev != nullptr && rnd.chance(75);
        r.data_banks = same_banks ? prev->data_banks : rnd.in(1, 3);
        r.weight_banks =
            same_banks || (prev != nullptr && rnd.chance(30)) ? prev->weight_banks : rnd.in(1, 3);
        const bool data_moved = prev == nullptr || r.data_banks != prev->data_banks;
        const bool moved = data_moved || r.weight_banks != prev->weight_banks;
        if (data_moved) remaining = 0;

        r.data_reuse = rnd.chance(40);
        random_kind(rnd, r, prev);
        const bool same_input = prev != nullptr && r.same_kind(*prev);
        const bool kept = r.data_reuse && !data_moved && prev->skip_data_rls && same_input;
        if (!r.data_reuse || !same_input) remaining = 0;
        random_shape(rnd, r, prev, remaining);
        const int room = r.data_banks * p::cbuf_depth / r.entries_per_slice - remaining;
        if (room < r.slices_per_step() && !kept) {
            if (prev != nullptr) remaining = 0;
            continue;
        }
        if (p::batch_enable && !r.is_image && !r.is_winograd && room > 1 && rnd.chance(40)) {
            r.batches = rnd.in(2, std::min(room, 32));
            r.batch_stride = rnd.bits() / p::atom_bytes * p::atom_bytes;
        }
        if (r.is_winograd) {
            random_lines(rnd, r, kept ? 4 : rnd.in(1, std::min(room / 4, 4)));
        } else {
            r.height = kept ? rnd.in(1, 50)
                            : rnd.in(1, std::min(room / r.batches, rnd.chance(30) ? 60 : 8));
        }
        r.data_addr = random_addr(rnd);
        r.line_stride = static_cast<std::uint32_t>((r.width + rnd.in(0, 2)) * p::atom_bytes);
        r.surf_stride = rnd.chance(10) ? rnd.bits() / p::atom_bytes * p::atom_bytes
                                       : r.line_stride * static_cast<std::uint32_t>(r.height);
        r.skip_data_rls = rnd.chance(40);
        const int total = kept ? remaining : remaining + r.slices();
        const int each = r.slices_per_step();
        layer.csc_release = rnd.chance(50) ? total : each * rnd.in(1, total / each);
        remaining = r.skip_data_rls ? total : total - layer.csc_release;

        random_weights(rnd, r, prev, moved);
        random_convertor(rnd, r);
        layer.perf = !r.is_image && rnd.chance(80);
        layer.group_atoms = rnd.chance(20) ? rnd.in(1, 1 << 17) : rnd.in(1, 300);
        if (p::secondary_memif_enable) {
            layer.dat_primary = rnd.chance(50);
            layer.wt_primary = rnd.chance(50);
        }
        layers.push_back(layer);
    }
    return layers;
}

}  // namespace macrame::tb::cdma
