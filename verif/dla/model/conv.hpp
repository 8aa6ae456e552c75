#pragma once
/// Golden model of the consumer side of the convolution pipeline, layer by layer: CSC's bookkeeping
/// of the convolution buffer, the operand sequence of CSC, CMAC and CACC. No clock.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "cacc.hpp"
#include "cdma.hpp"
#include "cmac.hpp"

namespace macrame::dla::model {

/// The D_ registers of CSC (and CACC's truncation) as real numbers, nothing is minus one here.
struct ConvLayer {
    int width = 1, height = 1;                      ///< DATAIN_SIZE_EXT, with reused lines
    int channels = 1;                               ///< WEIGHT_CHANNEL_EXT
    int kernel_width = 1, kernel_height = 1;        ///< WEIGHT_SIZE_EXT
    int kernels = 1;                                ///< WEIGHT_KERNEL
    int out_width = 1, out_height = 1;              ///< DATAOUT_SIZE_0
    int positions = 1;                              ///< ATOMICS
    int stride_x = 1, stride_y = 1;                 ///< CONV_STRIDE_EXT
    int dilation_x = 1, dilation_y = 1;             ///< DILATION_EXT
    int pad_left = 0, pad_top = 0;                  ///< ZERO_PADDING
    std::int8_t pad_value = 0;                      ///< ZERO_PADDING_VALUE
    int entries_per_slice = 1;                      ///< ENTRY_PER_SLICE
    std::uint32_t weight_bytes = 0;                 ///< WEIGHT_BYTES
    int release = 1;                                ///< RLS_SLICES
    int data_banks = 1, weight_banks = 1;           ///< BANK
    bool data_reuse = false, weight_reuse = false;  ///< MISC_CFG
    bool skip_data_rls = false, skip_weight_rls = false;
    int truncate = 0;  ///< CACC CLIP_TRUNCATE

    // Image input: the columns of a kernel are part of its channels, left padding and dilation mean
    // nothing, a window of `channels` bytes begins every stride_x * components bytes of a line.
    bool is_image = false;  ///< DATAIN_FORMAT
    int components = 1;     ///< DATAIN_CHANNEL_EXT, of a pixel
    int rows_per_step = 1;  ///< D_POST_Y_EXTENSION: kernel rows that share an operation, 1, 2 or 4
};

/// The direct convolution that computes the same from an input whose pixels are the windows.
inline ConvLayer windows_as_pixels(ConvLayer layer) {
    if (!layer.is_image) return layer;
    layer.width = layer.out_width;
    layer.stride_x = layer.dilation_x = layer.dilation_y = layer.kernel_width = 1;
    layer.pad_left = 0;
    return layer;
}

/// Weight bytes of the kernels before group `g` (uncompressed direct convolution, int8).
inline std::int64_t group_start(const ConvLayer& layer, int atomic_k, int g) {
    const std::int64_t kernel_bytes =
        std::int64_t{1} * layer.channels * layer.kernel_width * layer.kernel_height;
    return std::min<std::int64_t>(std::int64_t{1} * g * atomic_k, layer.kernels) * kernel_bytes;
}

/// Reads one byte of a packed weight stream that starts `first` entries into the weight region.
inline std::uint8_t weight_byte(const CdmaSizes& sizes, const CbufImage& cbuf,
                                const ConvLayer& layer, int first, std::int64_t byte) {
    const std::int64_t region = std::int64_t{1} * layer.weight_banks * sizes.cbuf_depth;
    const std::int64_t entry = (first + byte / sizes.entry_bytes) % region;
    return cbuf.entry(layer.data_banks * sizes.cbuf_depth +
                      static_cast<int>(entry))[byte % sizes.entry_bytes];
}

/// CSC's view of the convolution buffer: what is in it and what it still needs. The state lives as
/// long as the device; pointers are entries relative to the start of the region.
class CscBook {
public:
    explicit CscBook(const CdmaSizes& sizes) : sizes_(sizes) {}

    /// Both sides agreed on a bank change: contents are dropped, CDMA starts again at entry 0.
    void bank_change(const ConvLayer& layer) {
        if (data_moves(layer)) {
            data_pointer_ = slices_ = remaining_ = 0;
        }
        weight_pointer_ = weights_ = kept_weights_ = 0;
        data_banks_ = layer.data_banks;
        weight_banks_ = layer.weight_banks;
    }
    bool data_moves(const ConvLayer& layer) const { return layer.data_banks != data_banks_; }
    bool banks_move(const ConvLayer& layer) const {
        return data_moves(layer) || layer.weight_banks != weight_banks_;
    }

    /// CDMA announced slices / weight entries.
    void add_slices(int n) { slices_ += n; }
    void add_weights(int n) { weights_ += n; }

    /// Begins a layer; returns what it gives back at once (entries of data and of weights).
    struct Released {
        int data = 0, weights = 0;
    };
    Released start(const ConvLayer& layer) {
        Released out;
        if (!layer.data_reuse || layer.is_image != last_is_image_) {
            out.data = release_slices(remaining_, last_entries_per_slice_, layer);
        }
        remaining_ = 0;
        if (!layer.weight_reuse) out.weights = release_weights(kept_weights_, layer);
        kept_weights_ = 0;
        group_released_ = 0;
        last_entries_per_slice_ = layer.entries_per_slice;
        last_is_image_ = layer.is_image;
        return out;
    }

    /// The input of the layer is complete / the first `bytes` bytes of its weights are there.
    bool data_ready(const ConvLayer& layer) const { return slices_ >= layer.height; }
    bool weights_ready(std::int64_t bytes) const {
        return weights_ >= entries_of(bytes) - group_released_;
    }

    /// First entry of slice `y` / of the layer's weights, inside their region.
    int slice_entry(const ConvLayer& layer, int y) const {
        return static_cast<int>((data_pointer_ + std::int64_t{1} * y * layer.entries_per_slice) %
                                region(layer.data_banks));
    }
    int weight_entry(const ConvLayer& layer) const {
        const int size = region(layer.weight_banks);
        return (weight_pointer_ - group_released_ % size + size) % size;
    }

    /// A kernel group whose weights end at `end` bytes is done; returns the weight entries that are
    /// free now. The last group gives back all that is left of the layer.
    int end_group(const ConvLayer& layer, std::int64_t end, bool last) {
        if (layer.skip_weight_rls) {
            if (last) kept_weights_ = entries_of(layer.weight_bytes);
            return 0;
        }
        const int upto =
            last ? entries_of(layer.weight_bytes) : static_cast<int>(end / sizes_.entry_bytes);
        const int entries = upto - group_released_;
        group_released_ = upto;
        return release_weights(entries, layer);
    }

    /// Ends the layer; returns the data entries that are free now.
    int end(const ConvLayer& layer) {
        group_released_ = 0;
        remaining_ = layer.height;
        if (layer.skip_data_rls) return 0;
        remaining_ -= layer.release;
        return release_slices(layer.release, layer.entries_per_slice, layer);
    }

    int slices() const { return slices_; }
    int weights() const { return weights_; }

private:
    int region(int banks) const { return banks * sizes_.cbuf_depth; }
    int entries_of(std::int64_t bytes) const {
        return static_cast<int>((bytes + sizes_.entry_bytes - 1) / sizes_.entry_bytes);
    }
    int release_slices(int n, int entries_per_slice, const ConvLayer& layer) {
        slices_ -= n;
        const int entries = n * entries_per_slice;
        data_pointer_ = (data_pointer_ + entries) % region(layer.data_banks);
        return entries;
    }
    int release_weights(int n, const ConvLayer& layer) {
        weights_ -= n;
        weight_pointer_ = (weight_pointer_ + n) % region(layer.weight_banks);
        return n;
    }

    CdmaSizes sizes_;
    int data_banks_ = 0, weight_banks_ = 0;  // 0: after reset, always different
    int data_pointer_ = 0, weight_pointer_ = 0;
    int slices_ = 0;     // in the buffer, of this and later layers
    int weights_ = 0;    // entries in the buffer
    int remaining_ = 0;  // slices of the layer before that were not released
    int kept_weights_ = 0;
    int group_released_ = 0;  // weight entries of this layer already given back
    int last_entries_per_slice_ = 0;
    bool last_is_image_ = false;
};

/// Input cube of a layer as CSC sees it, channels padded to whole operations of `atomic_c` lanes.
struct ConvInput {
    int channels_padded = 0;
    std::vector<std::int8_t> data;  ///< [y][x][channel], lanes beyond the channels are 0
};

/// Byte of a stored image line at which the window of output column `ox` begins.
inline int window_offset(const ConvLayer& layer, int ox) {
    return ox * layer.stride_x * layer.components;
}

/// Fetches the windows of an image, as pixels with `stride` channels.
inline ConvInput read_windows(const CdmaSizes& sizes, const CbufImage& cbuf, const CscBook& book,
                              const ConvLayer& layer, std::size_t stride) {
    ConvInput out;
    out.channels_padded = static_cast<int>(stride);
    out.data.assign(
        stride * static_cast<std::size_t>(layer.out_width) * static_cast<std::size_t>(layer.height),
        0);
    const int region = layer.data_banks * sizes.cbuf_depth;
    std::int8_t* window = out.data.data();
    for (int y = 0; y < layer.height; ++y) {
        const int slice = book.slice_entry(layer, y);
        for (int ox = 0; ox < layer.out_width; ++ox, window += stride) {
            for (int c = 0; c < layer.channels; ++c) {
                const int byte = window_offset(layer, ox) + c;
                const int entry = (slice + byte / sizes.entry_bytes) % region;
                window[c] = static_cast<std::int8_t>(cbuf.entry(entry)[byte % sizes.entry_bytes]);
            }
        }
    }
    return out;
}

/// Fetches the input out of the convolution buffer.
inline ConvInput read_input(const CdmaSizes& sizes, int atomic_c, const CbufImage& cbuf,
                            const CscBook& book, const ConvLayer& layer) {
    ConvInput out;
    out.channels_padded = (layer.channels + atomic_c - 1) / atomic_c * atomic_c;
    const auto stride = static_cast<std::size_t>(out.channels_padded);
    if (layer.is_image) return read_windows(sizes, cbuf, book, layer, stride);
    out.data.assign(
        stride * static_cast<std::size_t>(layer.width) * static_cast<std::size_t>(layer.height), 0);
    const int region = layer.data_banks * sizes.cbuf_depth;
    std::int8_t* pixel = out.data.data();
    for (int y = 0; y < layer.height; ++y) {
        const int slice = book.slice_entry(layer, y);
        for (int x = 0; x < layer.width; ++x, pixel += stride) {
            for (int s = 0; s < surfaces_of(sizes, layer.channels); ++s) {
                const CbufPlace place = place_of_atom(sizes, layer.width, layer.channels, x, s);
                const std::uint8_t* from = cbuf.entry((slice + place.entry) % region) + place.byte;
                const int first = s * sizes.atom_bytes;
                const int count = std::min(sizes.atom_bytes, layer.channels - first);
                for (int c = 0; c < count; ++c) {
                    pixel[first + c] = static_cast<std::int8_t>(from[c]);
                }
            }
        }
    }
    return out;
}

/// Weights of one kernel group, [kernel][row][column][channel], channels padded as the input.
inline std::vector<std::int8_t> read_weights(const CdmaSizes& sizes, int atomic_c, int atomic_k,
                                             const CbufImage& cbuf, const CscBook& book,
                                             const ConvLayer& layer, int group) {
    const int padded = (layer.channels + atomic_c - 1) / atomic_c * atomic_c;
    const int taps = layer.kernel_width * layer.kernel_height;
    const int kernels = std::min(atomic_k, layer.kernels - group * atomic_k);
    std::vector<std::int8_t> out(static_cast<std::size_t>(kernels) *
                                 static_cast<std::size_t>(taps) * static_cast<std::size_t>(padded));
    const int first = book.weight_entry(layer);
    std::int64_t byte = group_start(layer, atomic_k, group);
    for (int cb = 0; cb < layer.channels; cb += atomic_c) {
        const int end = std::min(layer.channels, cb + atomic_c);
        for (int step = 0; step < taps; step += layer.rows_per_step) {
            const int step_end = std::min(taps, step + layer.rows_per_step);
            for (int k = 0; k < kernels; ++k) {
                for (int tap = step; tap < step_end; ++tap) {
                    const std::int64_t at = (std::int64_t{1} * k * taps + tap) * padded;
                    for (int c = cb; c < end; ++c) {
                        out[static_cast<std::size_t>(at + c)] = static_cast<std::int8_t>(
                            weight_byte(sizes, cbuf, layer, first, byte++));
                    }
                }
            }
        }
    }
    return out;
}

/// Results of one kernel group in delivery order: position by position, `atomic_k` kernels each (0
/// for kernels that do not exist). Counts saturated results in `saturated`.
inline std::vector<std::int32_t> convolve_group(int atomic_c, int atomic_k,
                                                const ConvLayer& registers, const ConvInput& input,
                                                const std::vector<std::int8_t>& weights, int group,
                                                std::uint64_t& saturated) {
    const ConvLayer layer = windows_as_pixels(registers);
    const int kernels = std::min(atomic_k, layer.kernels - group * atomic_k);
    const int taps = layer.kernel_width * layer.kernel_height;
    const int padded = input.channels_padded;
    const auto lanes = static_cast<std::size_t>(atomic_c);
    std::vector<std::int8_t> outside(static_cast<std::size_t>(padded), 0);
    std::fill_n(outside.begin(), layer.channels, layer.pad_value);
    std::vector<const std::int8_t*> pixels(static_cast<std::size_t>(taps));
    std::vector<std::int32_t> out(static_cast<std::size_t>(layer.positions) *
                                  static_cast<std::size_t>(atomic_k));
    for (int p = 0; p < layer.positions; ++p) {
        const int left = p % layer.out_width * layer.stride_x - layer.pad_left;
        const int top = p / layer.out_width * layer.stride_y - layer.pad_top;
        for (int tap = 0; tap < taps; ++tap) {
            const int x = left + tap % layer.kernel_width * layer.dilation_x;
            const int y = top + tap / layer.kernel_width * layer.dilation_y;
            const bool inside = x >= 0 && x < layer.width && y >= 0 && y < layer.height;
            pixels[static_cast<std::size_t>(tap)] =
                inside ? input.data.data() + (std::int64_t{1} * y * layer.width + x) * padded
                       : outside.data();
        }
        for (int k = 0; k < kernels; ++k) {
            std::int64_t acc = 0;
            for (int cb = 0; cb < padded; cb += atomic_c) {
                const std::int8_t* w = weights.data() + std::int64_t{1} * k * taps * padded + cb;
                for (int tap = 0; tap < taps; ++tap, w += padded) {
                    const std::int8_t* d = pixels[static_cast<std::size_t>(tap)] + cb;
                    acc = accumulate(acc, psum(d, w, lanes));
                }
            }
            const FinalValue result = final_value(acc, layer.truncate);
            saturated += result.saturated ? 1 : 0;
            out[static_cast<std::size_t>(p) * static_cast<std::size_t>(atomic_k) +
                static_cast<std::size_t>(k)] = result.value;
        }
    }
    return out;
}

}  // namespace macrame::dla::model
