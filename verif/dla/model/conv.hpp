#pragma once
/// Golden model of the consumer side of the convolution pipeline, layer by layer: what CSC reads of
/// its registers, its bookkeeping of the convolution buffer. No clock.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "cbuf_places.hpp"
#include "precision.hpp"

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
    std::int16_t pad_value = 0;                     ///< ZERO_PADDING_VALUE
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

    Precision precision = Precision::int8;  ///< PROC_PRECISION
    int batches = 1;                        ///< BATCHES

    // Winograd: the input is the extended plane, a kernel 4 x 4 transformed weights per channel.
    bool is_winograd = false;  ///< CONV_MODE
    int pra_truncate = 0;      ///< PRA_TRUNCATE

    bool compressed = false;       ///< WEIGHT_FORMAT
    std::uint32_t mask_bytes = 0;  ///< WMB_BYTES

    /// Bytes of the channels of a pixel.
    int pixel_bytes() const { return channels * bytes_of(precision); }
    /// Slices of the input, and those that are released at the end.
    int slices() const { return height * batches; }
    int released_slices() const { return release * batches; }
    /// Weights of a kernel.
    std::int64_t kernel_elements() const {
        return std::int64_t{1} * channels * kernel_width * kernel_height;
    }
};

/// Channels of a tile in a Winograd operation.
inline constexpr int kTileChannels = 4;

/// Places at which all operations are made: output positions; with Winograd tiles of 2 x 2 of them.
inline int places_of(const ConvLayer& layer) {
    return layer.is_winograd ? layer.positions / 4 : layer.positions;
}

/// Upper left pixel of a place's tile in the extended plane. Tiles are in the order of their
/// results: group of 4 lines > pair of columns > pair of lines.
struct TileCorner {
    int x = 0, y = 0;
};
inline TileCorner tile_corner(const ConvLayer& layer, int place) {
    const int in_group = place % layer.out_width;
    return {in_group / 2 * 2, place / layer.out_width * 4 + in_group % 2 * 2};
}

/// Weights of the kernels before group `g`, of `atomic_k` kernels each.
inline std::int64_t group_elements(const ConvLayer& layer, int atomic_k, int g) {
    return std::min<std::int64_t>(std::int64_t{1} * g * atomic_k, layer.kernels) *
           layer.kernel_elements();
}

/// Their bytes in an uncompressed stream.
inline std::int64_t group_start(const ConvLayer& layer, int atomic_k, int g) {
    return group_elements(layer, atomic_k, g) * bytes_of(layer.precision);
}

/// Weights or their masks in the convolution buffer: a ring of entries. What is consumed is given
/// back group by group, or kept as a whole for the next layer.
class WeightRing {
public:
    explicit WeightRing(int entry_bytes) : entry_bytes_(entry_bytes) {}

    void clear() { pointer_ = entries_ = kept_ = 0; }
    void add(int n) { entries_ += n; }
    int entries() const { return entries_; }
    void set_region(int region) { region_ = region; }

    /// Begins a layer; returns the entries that the layer before kept in vain.
    int start(bool reuse) {
        const int out = reuse ? 0 : release(kept_);
        kept_ = group_released_ = 0;
        return out;
    }
    /// The first `bytes` bytes of the layer are there.
    bool ready(std::int64_t bytes) const { return entries_ >= entries_of(bytes) - group_released_; }
    /// First entry of the layer, inside the ring.
    int first() const { return (pointer_ - group_released_ % region_ + region_) % region_; }

    /// A group that ends at `end` bytes is done; returns the entries that are free now. The last
    /// group gives back all of the layer's `bytes` bytes.
    int end_group(std::int64_t end, bool last, std::int64_t bytes, bool keep) {
        if (keep) {
            if (last) kept_ = entries_of(bytes);
            return 0;
        }
        const int upto = last ? entries_of(bytes) : static_cast<int>(end / entry_bytes_);
        const int out = upto - group_released_;
        group_released_ = upto;
        return release(out);
    }
    void end() { group_released_ = 0; }

private:
    int entries_of(std::int64_t bytes) const {
        return static_cast<int>((bytes + entry_bytes_ - 1) / entry_bytes_);
    }
    int release(int n) {
        entries_ -= n;
        pointer_ = (pointer_ + n) % region_;
        return n;
    }

    int entry_bytes_;
    int region_ = 1;
    int pointer_ = 0, entries_ = 0;
    int kept_ = 0;
    int group_released_ = 0;  // of this layer, already given back
};

/// CSC's view of the convolution buffer: what is in it and what it still needs. The state lives as
/// long as the device; pointers are entries relative to the start of the region.
class CscBook {
public:
    explicit CscBook(const CdmaSizes& sizes)
        : sizes_(sizes), weights_(sizes.entry_bytes), masks_(sizes.entry_bytes) {
        masks_.set_region(sizes.cbuf_depth);
    }

    /// Both sides agreed on a bank change: contents are dropped, CDMA starts again at entry 0.
    void bank_change(const ConvLayer& layer) {
        if (data_moves(layer)) {
            data_pointer_ = slices_ = remaining_ = 0;
        }
        weights_.clear();
        weights_.set_region(layer.weight_banks * sizes_.cbuf_depth);
        masks_.clear();
        data_banks_ = layer.data_banks;
        weight_banks_ = layer.weight_banks;
    }
    bool data_moves(const ConvLayer& layer) const { return layer.data_banks != data_banks_; }
    bool banks_move(const ConvLayer& layer) const {
        return data_moves(layer) || layer.weight_banks != weight_banks_;
    }

    /// CDMA announced slices / weight entries / entries of masks.
    void add_slices(int n) { slices_ += n; }
    void add_weights(int n) { weights_.add(n); }
    void add_masks(int n) { masks_.add(n); }

    /// Begins a layer; returns the entries that it gives back at once.
    struct Released {
        int data = 0, weights = 0, masks = 0;
    };
    Released start(const ConvLayer& layer) {
        Released out;
        if (!layer.data_reuse || layer.is_image != last_is_image_ ||
            layer.is_winograd != last_is_winograd_) {
            out.data = release_slices(remaining_, last_entries_per_slice_, layer);
        }
        remaining_ = 0;
        out.weights = weights_.start(layer.weight_reuse);
        out.masks = masks_.start(layer.weight_reuse);
        last_entries_per_slice_ = layer.entries_per_slice;
        last_is_image_ = layer.is_image;
        last_is_winograd_ = layer.is_winograd;
        return out;
    }

    /// The input of the layer is complete / the first `bytes` bytes of its weights, of their masks
    /// are there.
    bool data_ready(const ConvLayer& layer) const { return slices_ >= layer.slices(); }
    bool weights_ready(std::int64_t bytes) const { return weights_.ready(bytes); }
    bool masks_ready(std::int64_t bytes) const { return masks_.ready(bytes); }

    /// First entry of slice `y` / of the layer's weights / of its masks, inside their region.
    int slice_entry(const ConvLayer& layer, int y) const {
        return static_cast<int>((data_pointer_ + std::int64_t{1} * y * layer.entries_per_slice) %
                                (layer.data_banks * sizes_.cbuf_depth));
    }
    int weight_entry() const { return weights_.first(); }
    int mask_entry() const { return masks_.first(); }

    /// A kernel group whose weights end at `end` bytes is done; returns the weight entries that are
    /// free now. The last group gives back all that is left of the layer.
    int end_group(const ConvLayer& layer, std::int64_t end, bool last) {
        return weights_.end_group(end, last, layer.weight_bytes, layer.skip_weight_rls);
    }
    /// The same for its masks, of which `end` bytes are done.
    int end_group_masks(const ConvLayer& layer, std::int64_t end, bool last) {
        return masks_.end_group(end, last, layer.mask_bytes, layer.skip_weight_rls);
    }

    /// Ends the layer; returns the data entries that are free now.
    int end(const ConvLayer& layer) {
        weights_.end();
        masks_.end();
        remaining_ = layer.slices();
        if (layer.skip_data_rls) return 0;
        remaining_ -= layer.released_slices();
        return release_slices(layer.released_slices(), layer.entries_per_slice, layer);
    }

    int slices() const { return slices_; }
    int weights() const { return weights_.entries(); }
    int masks() const { return masks_.entries(); }

private:
    int release_slices(int n, int entries_per_slice, const ConvLayer& layer) {
        slices_ -= n;
        const int entries = n * entries_per_slice;
        data_pointer_ = (data_pointer_ + entries) % (layer.data_banks * sizes_.cbuf_depth);
        return entries;
    }

    CdmaSizes sizes_;
    int data_banks_ = 0, weight_banks_ = 0;  // 0: after reset, always different
    int data_pointer_ = 0;
    int slices_ = 0;     // in the buffer, of this and later layers
    int remaining_ = 0;  // slices of the layer before that were not released
    WeightRing weights_, masks_;
    int last_entries_per_slice_ = 0;
    bool last_is_image_ = false, last_is_winograd_ = false;
};

/// Element of a stored image line at which the window of output column `ox` begins.
inline int window_offset(const ConvLayer& layer, int ox) {
    return ox * layer.stride_x * layer.components;
}

/// Lanes of row `row` of a step begin here.
inline int first_lane(const ConvLayer& layer, int atomic_c, int row) {
    return row * (atomic_c / layer.rows_per_step);
}

}  // namespace macrame::dla::model
