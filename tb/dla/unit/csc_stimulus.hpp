#pragma once
/// Layers for dla_csc: its registers, and what CDMA brings for each.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <utility>
#include <vector>

#include "dla_params.hpp"
#include "tb/dla/unit/element_types.hpp"
#include "tb/dla/unit/unit_bench.hpp"
#include "verif/dla/model/csc.hpp"

namespace macrame::tb::csc {

namespace m = macrame::dla::model;
namespace p = dla_params;

constexpr int kEB = p::entry_bytes;
constexpr int kAK = p::atomic_k;
constexpr int kAC = p::atomic_c;
constexpr bool kMix = p::int8 && p::types16;  ///< cells of one 16-bit kernel or two of int8
constexpr int kLane = p::lane_bits / 8;       ///< bytes of a lane

inline m::CdmaSizes sizes() {
    m::CdmaSizes s;
    s.atom_bytes = p::atom_bytes;
    s.entry_bytes = p::entry_bytes;
    s.cbuf_banks = p::cbuf_banks;
    s.cbuf_depth = p::cbuf_depth;
    return s;
}

using Bytes = std::vector<std::uint8_t>;

/// Read port of CBUF.
struct ReadPort {
    std::deque<std::pair<bool, int>> pipe;  // valid, entry
    Bytes data = Bytes(kEB);
};

/// Bytes with many corner values.
class Random : public tb::Random {
public:
    using tb::Random::Random;
    std::uint8_t byte() {
        static constexpr std::uint8_t kCorner[] = {0x00, 0xff, 0x80, 0x7f, 0x01};
        return chance(25) ? kCorner[in(0, 4)] : static_cast<std::uint8_t>(in(0, 255));
    }
    Bytes bytes(int count) {
        Bytes out(static_cast<std::size_t>(count));
        for (auto& b : out)
            b = byte();
        return out;
    }
};

inline m::Precision random_precision(Random& rnd) {
    const auto all = types();
    return all[static_cast<std::size_t>(rnd.in(0, static_cast<int>(all.size()) - 1))];
}

/// Kernels of a group.
inline int group_kernels(const m::ConvLayer& r) { return p::atom_bytes / m::bytes_of(r.precision); }

/// Kernels that share a cell.
inline int cell_kernels(const m::ConvLayer& r) {
    return kMix && r.precision == m::Precision::int8 ? 2 : 1;
}

/// Places of CACC that a beat takes: of a tile four.
inline int beat_places(const m::ConvLayer& r) { return r.is_winograd ? 4 : 1; }

inline m::StepSizes step_sizes(const m::ConvLayer& r) {
    m::StepSizes s;
    s.atomic_c = kAC;
    s.kernels = group_kernels(r);
    s.short_stripe = r.is_winograd ? kAK / 2 : kAK;
    s.full_stripe = p::cacc_depth / beat_places(r);
    s.cell_kernels = cell_kernels(r);
    s.least_cycles = p::cacc_min_stripe;
    return s;
}

using Line = std::shared_ptr<Bytes>;

/// One layer: registers, and what CDMA brings for it.
struct Layer {
    m::ConvLayer regs;
    std::vector<Line> lines;               ///< all input lines, in order; of several inputs in turn
    int new_lines = 0;                     ///< the last of them, to be fetched
    Line weights;                          ///< stream, whole entries
    Line masks;                            ///< of compressed weights, whole entries
    Bytes dense;                           ///< weights without compression
    std::vector<std::int64_t> group_ends;  ///< bytes of the stored weights up to each group
    bool weights_fetched = true;
};

inline int entries_of(std::uint32_t bytes) {
    return static_cast<int>((bytes + static_cast<std::uint32_t>(kEB) - 1) /
                            static_cast<std::uint32_t>(kEB));
}

inline std::int64_t stream_bytes(const m::ConvLayer& r) {
    return m::group_start(r, group_kernels(r), 1 << 20);
}

inline int random_kernels(Random& rnd, const m::ConvLayer& r) {
    const int group = group_kernels(r);
    return rnd.chance(30) ? group * rnd.in(1, 3) : rnd.in(1, rnd.chance(50) ? group : 3 * group);
}

inline std::int16_t random_padding(Random& rnd) {
    const int low = rnd.byte();
    return static_cast<std::int16_t>(rnd.byte() << 8 | low);
}

/// What the weights of a layer are, without compression; false if the stream has not as many.
inline bool expand_weights(Layer& layer) {
    const m::ConvLayer& r = layer.regs;
    layer.dense.clear();
    layer.group_ends.clear();
    const int each = group_kernels(r), bytes = m::bytes_of(r.precision);
    std::int64_t at = 0, element = 0;
    for (int g = 0; g * each < r.kernels; ++g) {
        for (; element < m::group_elements(r, each, g + 1); ++element) {
            const auto mask = static_cast<std::size_t>(element / 8);
            if (r.compressed && mask >= layer.masks->size()) return false;
            const bool stored = !r.compressed || ((*layer.masks)[mask] >> element % 8 & 1) != 0;
            if (stored && at + bytes > static_cast<std::int64_t>(r.weight_bytes)) return false;
            for (int b = 0; b < bytes; ++b) {
                layer.dense.push_back(stored ? (*layer.weights)[static_cast<std::size_t>(at++)]
                                             : std::uint8_t{0});
            }
        }
        layer.group_ends.push_back(at);
    }
    return true;
}

/// Masks of a layer of its own: runs of elements, of which some share is stored. Sets the sizes.
inline void random_masks(Random& rnd, Layer& layer) {
    m::ConvLayer& r = layer.regs;
    const std::int64_t elements = m::group_elements(r, group_kernels(r), 1 << 20);
    r.mask_bytes = static_cast<std::uint32_t>((elements + 1023) / 1024 * 128);
    layer.masks = std::make_shared<Bytes>(r.mask_bytes);
    std::int64_t stored = 0, left = 0;
    int share = 0;
    const bool empty = rnd.chance(10);
    for (std::int64_t i = 0; i < elements; ++i, --left) {
        if (left <= 0) {
            constexpr int kShares[] = {0, 5, 50, 90, 100};
            share = empty ? 0 : kShares[rnd.in(0, 4)];
            left = rnd.chance(20) ? rnd.in(1, 3000) : rnd.in(1, 100);
        }
        if (!rnd.chance(share)) continue;
        (*layer.masks)[static_cast<std::size_t>(i / 8)] |= static_cast<std::uint8_t>(1 << i % 8);
        ++stored;
    }
    const std::int64_t bytes = stored * m::bytes_of(r.precision);
    r.weight_bytes =
        static_cast<std::uint32_t>(std::max<std::int64_t>(bytes + 127, 128) / 128 * 128);
}

/// Inputs of a layer, in designs that take several.
inline int random_batches(Random& rnd, const m::ConvLayer& r) {
    if (!p::batch_enable || r.is_image || r.is_winograd || rnd.chance(60)) return 1;
    return rnd.chance(80) ? rnd.in(2, 5) : rnd.in(2, kAK);
}

/// Random shape of a layer of cubes: fits nothing yet.
inline void random_cube_shape(Random& rnd, m::ConvLayer& r, bool keep_line) {
    if (!keep_line) {
        r.width = rnd.in(1, rnd.chance(20) ? 40 : 9);
        r.channels =
            rnd.chance(30) ? kAC * rnd.in(1, 3) : rnd.in(1, rnd.chance(50) ? kAC : 4 * kAC);
    }
    r.kernel_width = rnd.in(1, rnd.chance(15) ? 9 : 3);
    r.kernel_height = rnd.in(1, rnd.chance(15) ? 7 : 3);
    r.dilation_x = rnd.chance(30) ? rnd.in(1, rnd.chance(20) ? 32 : 4) : 1;
    r.dilation_y = rnd.chance(30) ? rnd.in(1, rnd.chance(20) ? 32 : 4) : 1;
    r.stride_x = rnd.chance(40) ? rnd.in(1, 8) : 1;
    r.stride_y = rnd.chance(40) ? rnd.in(1, 8) : 1;
    r.pad_left = rnd.chance(50) ? rnd.in(0, rnd.chance(20) ? 31 : 3) : 0;
    r.pad_top = rnd.chance(50) ? rnd.in(0, rnd.chance(20) ? 31 : 3) : 0;
    r.kernels = random_kernels(rnd, r);
    r.pad_value = random_padding(rnd);
}

/// Bytes of a stored line of pixels.
inline int image_line_bytes(const m::ConvLayer& r) {
    return r.width * r.components * m::bytes_of(r.precision);
}

inline int slice_entries(const m::ConvLayer& r) {
    if (r.is_winograd) return m::winograd_entries_per_slice(sizes(), r.width, r.pixel_bytes());
    return r.is_image ? (image_line_bytes(r) + kEB - 1) / kEB
                      : m::entries_per_slice(sizes(), r.width, r.pixel_bytes());
}

/// Random shape of an image layer. The width is that of a stored line, padding included; the
/// padding and dilation registers may hold anything.
inline void random_image_shape(Random& rnd, m::ConvLayer& r, bool keep_line) {
    if (!keep_line) {
        constexpr int kComponents[] = {1, 3, 4};
        r.width = rnd.in(1, rnd.chance(20) ? 60 : 16);
        r.components = kComponents[rnd.in(0, 2)];
    }
    const int columns = rnd.in(1, std::min(r.width, rnd.chance(20) ? 12 : 5));
    r.channels = columns * r.components;
    r.kernel_width = 1;
    r.kernel_height = rnd.in(1, rnd.chance(20) ? 9 : 4);
    r.dilation_x = rnd.in(1, 32);
    r.dilation_y = rnd.in(1, 32);
    r.stride_x = rnd.chance(60) ? rnd.in(1, 8) : 1;
    r.stride_y = rnd.chance(40) ? rnd.in(1, 8) : 1;
    r.pad_left = rnd.in(0, 31);
    r.pad_top = rnd.chance(50) ? rnd.in(0, 3) : 0;
    r.kernels = random_kernels(rnd, r);
    r.pad_value = random_padding(rnd);
    r.rows_per_step = 1;
    for (const int rows : {2, 4}) {
        if (rnd.chance(60) && r.channels <= kAC / rows && r.stride_x * r.components <= kAC / rows) {
            r.rows_per_step = rows;
        }
    }
}

/// Random shape of a Winograd layer: whole atoms of channels of the extended plane.
inline void random_winograd_shape(Random& rnd, m::ConvLayer& r, bool keep_line) {
    if (!keep_line) {
        r.width = 4 * rnd.in(3, rnd.chance(20) ? 16 : 5);
        r.channels = group_kernels(r) * rnd.in(1, rnd.chance(20) ? 4 : 2);
    }
    r.kernel_width = r.kernel_height = 4;
    r.kernels = random_kernels(rnd, r);
    r.pad_value = random_padding(rnd);
    r.pra_truncate = rnd.in(0, 3);
}

/// Output size of a Winograd layer; false if it has too few lines.
inline bool winograd_output(m::ConvLayer& r) {
    if (r.height < 12) return false;
    r.out_width = r.width - 4;
    r.out_height = r.height - 4;
    r.positions = r.out_width * r.out_height;
    return true;
}

/// Random shape in the layer's mode.
inline void random_shape(Random& rnd, m::ConvLayer& r, bool keep_line) {
    if (r.is_winograd)
        random_winograd_shape(rnd, r, keep_line);
    else if (r.is_image)
        random_image_shape(rnd, r, keep_line);
    else
        random_cube_shape(rnd, r, keep_line);
}

/// Output size of an image layer: windows end inside the line.
inline bool random_image_output(Random& rnd, m::ConvLayer& r) {
    const int y_room = r.height + r.pad_top + rnd.in(0, 3) - r.kernel_height;
    if (y_room < 0) return false;
    r.out_width = (r.width - r.channels / r.components) / r.stride_x + 1;
    r.out_height = y_room / r.stride_y + 1;
    r.positions = r.out_width * r.out_height;
    return true;
}

/// Output size of a layer whose input size is known; false if it has none.
inline bool random_output(Random& rnd, m::ConvLayer& r) {
    if (r.is_winograd) return winograd_output(r);
    if (r.is_image) return random_image_output(rnd, r);
    const int x_room = r.width + r.pad_left + rnd.in(0, 4) - (r.kernel_width - 1) * r.dilation_x;
    const int y_room = r.height + r.pad_top + rnd.in(0, 4) - (r.kernel_height - 1) * r.dilation_y;
    if (x_room < 1 || y_room < 1) return false;
    r.out_width = (x_room - 1) / r.stride_x + 1;
    r.out_height = (y_room - 1) / r.stride_y + 1;
    r.positions = r.out_width * r.out_height;
    return true;
}

/// Sizes, reuse and masks of the weights; false if they do not fit. `moved`: the layer before has
/// left none.
inline bool random_weights(Random& rnd, Layer& layer, const Layer* prev, bool moved) {
    m::ConvLayer& r = layer.regs;
    const int weight_entries = r.weight_banks * p::cbuf_depth;
    r.weight_reuse = rnd.chance(40);
    r.skip_weight_rls = rnd.chance(40);
    layer.weights_fetched = !(r.weight_reuse && !moved && prev->regs.skip_weight_rls);
    const std::int64_t stream = stream_bytes(r);
    const bool whole = p::v1_map || rnd.chance(80);
    r.weight_bytes =
        static_cast<std::uint32_t>(whole ? (stream + 127) / 128 * 128 : stream + rnd.in(0, 300));
    r.compressed = p::weight_compression_enable && rnd.chance(60);
    if (!layer.weights_fetched) {
        r.compressed = prev->regs.compressed;
        r.weight_bytes = prev->regs.weight_bytes;
        r.mask_bytes = prev->regs.mask_bytes;
        layer.masks = prev->masks;
    } else if (r.compressed) {
        random_masks(rnd, layer);
    }
    if (!r.compressed && stream > r.weight_bytes) return false;
    if (r.compressed) {
        const std::int64_t group = m::group_elements(r, group_kernels(r), 1) / 8;
        if ((group + kEB - 1) / kEB + 1 > p::cbuf_depth) return false;
        if (r.skip_weight_rls && entries_of(r.mask_bytes) > p::cbuf_depth) return false;
    }
    const int entries = entries_of(r.weight_bytes);
    if (r.skip_weight_rls && entries > weight_entries) return false;
    if (m::group_start(r, group_kernels(r), 1) / kEB + 40 > weight_entries) return false;
    return true;
}

/// Do the regions of CBUF change from layer to layer, or is it one bank each, which layers go
/// round?
enum class Regions { kRandom, kSmallest };

/// Do two layers have the same kind of input?
inline bool same_input(const m::ConvLayer& r, const Layer& prev) {
    return r.is_image == prev.regs.is_image && r.is_winograd == prev.regs.is_winograd;
}

/// Cubes, pixels or tiles, often as before.
inline void random_input(Random& rnd, m::ConvLayer& r, const Layer* prev) {
    if (prev != nullptr && rnd.chance(70)) {
        r.is_image = prev->regs.is_image;
        r.is_winograd = prev->regs.is_winograd;
        return;
    }
    r.is_image = p::image_enable && rnd.chance(50);
    r.is_winograd = p::winograd_enable && rnd.chance(50);
    if (r.is_winograd) r.is_image = false;
}

/// Random legal layers with every kind of reuse, skip, release and bank change.
inline std::vector<Layer> random_layers(Random& rnd, int count,
                                        Regions regions = Regions::kRandom) {
    const m::CdmaSizes s = sizes();
    std::vector<Layer> layers;
    std::vector<Line> remaining;
    for (int tries = 0; static_cast<int>(layers.size()) < count; ++tries) {
        const Layer* prev = layers.empty() ? nullptr : &layers.back();
        Layer layer;
        m::ConvLayer& r = layer.regs;
        const int most_banks = regions == Regions::kSmallest ? 1 : 3;
        const bool same = prev != nullptr && rnd.chance(75);
        r.data_banks = same ? prev->regs.data_banks : rnd.in(1, most_banks);
        r.weight_banks = same || (prev != nullptr && rnd.chance(30)) ? prev->regs.weight_banks
                                                                     : rnd.in(1, most_banks);
        const bool data_moved = prev == nullptr || r.data_banks != prev->regs.data_banks;
        const bool moved = data_moved || r.weight_banks != prev->regs.weight_banks;
        const int data_entries = r.data_banks * s.cbuf_depth;

        // data
        r.data_reuse = rnd.chance(40);
        random_input(rnd, r, prev);
        const bool stays = prev != nullptr && r.data_reuse && !data_moved && same_input(r, *prev);
        std::vector<Line> lines;
        if (stays) lines = remaining;
        const bool data_kept = stays && prev->regs.skip_data_rls;
        if (!lines.empty()) {
            r.width = prev->regs.width;
            r.channels = prev->regs.channels;
            r.components = prev->regs.components;
        }
        r.precision = lines.empty() ? random_precision(rnd) : prev->regs.precision;
        r.batches = lines.empty() ? random_batches(rnd, r) : prev->regs.batches;
        random_shape(rnd, r, !lines.empty());
        const int unit = r.is_winograd ? 4 : 1;  // lines that come and go together
        r.entries_per_slice = slice_entries(r);
        const bool many = rnd.chance(regions == Regions::kSmallest ? 90 : 20);
        layer.new_lines = data_kept ? 0 : rnd.in(1, many ? 30 : 8) * unit * r.batches;
        r.height = (static_cast<int>(lines.size()) + layer.new_lines) / r.batches;
        if (r.slices() * r.entries_per_slice > data_entries) continue;
        if (!random_output(rnd, r)) continue;
        if (m::ideal_cycles(r, step_sizes(r)) > (rnd.chance(10) ? 20000 : 3000)) continue;
        r.skip_data_rls = rnd.chance(40);
        r.release = rnd.chance(50) ? r.height : unit * rnd.in(1, r.height / unit);

        if (!random_weights(rnd, layer, prev, moved)) continue;

        // contents
        for (int i = 0; i < layer.new_lines; ++i) {
            lines.push_back(std::make_shared<Bytes>(rnd.bytes(r.entries_per_slice * kEB)));
        }
        layer.lines = lines;
        layer.weights = layer.weights_fetched
                            ? std::make_shared<Bytes>(rnd.bytes(entries_of(r.weight_bytes) * kEB))
                            : prev->weights;
        if (!expand_weights(layer)) continue;
        if (!r.skip_data_rls) lines.erase(lines.begin(), lines.begin() + r.released_slices());
        remaining = lines;
        layers.push_back(layer);
    }
    return layers;
}

/// A single layer that starts on an empty buffer.
inline Layer single_layer(Random& rnd, m::ConvLayer r) {
    Layer layer;
    r.data_banks = p::cbuf_banks / 2;
    r.weight_banks = p::cbuf_banks / 2 - (r.compressed ? 1 : 0);
    r.entries_per_slice = slice_entries(r);
    r.release = r.height;
    r.weight_bytes = static_cast<std::uint32_t>((stream_bytes(r) + 127) / 128 * 128);
    r.positions = r.out_width * r.out_height;
    layer.regs = r;
    if (r.compressed) random_masks(rnd, layer);
    r = layer.regs;
    layer.new_lines = r.height;
    for (int i = 0; i < r.height; ++i) {
        layer.lines.push_back(std::make_shared<Bytes>(rnd.bytes(r.entries_per_slice * kEB)));
    }
    layer.weights = std::make_shared<Bytes>(rnd.bytes(entries_of(r.weight_bytes) * kEB));
    EXPECT_TRUE(expand_weights(layer));
    return layer;
}

/// Data of an operation as they go to CMAC; `input`: of the batch.
inline Bytes operation_bytes(const Layer& layer, const m::CscStep& s, int position, int input) {
    const auto byte = [&](int slice, m::CbufPlace place) {
        const Bytes& line = *layer.lines[static_cast<std::size_t>(slice)];
        return line[static_cast<std::size_t>(place.entry * kEB + place.byte)];
    };
    Bytes out;
    for (const std::int16_t element :
         m::operation_data(sizes(), kAC, layer.regs, s, position, byte, input)) {
        out.push_back(static_cast<std::uint8_t>(element));
        if (p::types16) out.push_back(static_cast<std::uint8_t>(element >> 8));
    }
    return out;
}

/// What a cell of CMAC gets in a step.
struct CellWeights {
    Bytes bytes;
    Bytes used;  ///< not 0: the byte matters
};

/// For kernel `k` of the group and, if two share a cell, the next one.
inline CellWeights cell_weights(const Layer& layer, const m::CscStep& s, int k) {
    const m::ConvLayer& r = layer.regs;
    const int end = std::min(k + cell_kernels(r), s.kernels), bytes = m::bytes_of(r.precision);
    // Without types of 16 bits what has no channel may be anything.
    CellWeights out{Bytes(kEB), Bytes(kEB, p::types16)};
    for (int kernel = k; kernel < end; ++kernel) {
        for (int row = 0; row < s.rows; ++row) {
            std::int64_t at = m::weight_offset(r, group_kernels(r), s, kernel, row);
            for (int lane = 0; lane < s.lanes; ++lane) {
                const int to = (m::first_lane(r, kAC, row) + lane) * kLane + kernel - k;
                for (int b = 0; b < bytes; ++b, ++at) {
                    out.bytes[static_cast<std::size_t>(to + b)] =
                        layer.dense[static_cast<std::size_t>(at)];
                    out.used[static_cast<std::size_t>(to + b)] = 1;
                }
            }
        }
    }
    return out;
}

}  // namespace macrame::tb::csc
