#pragma once
/// Golden model of CSC: the order of its operations, and what each of them hands to CMAC.
///
///     kernel group > stripe of positions > channel block > kernel row > kernel column > position
///
/// With image input a step has up to 4 kernel rows, each in its share of the lanes. Stripes may run
/// across lines there, too: no sum depends on it. With Winograd positions are tiles, a block has 4
/// channels and a step the whole kernel. With batches every position is one of all cubes in turn.
///
/// The bookkeeping of the convolution buffer is CscBook in conv.hpp.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "cdma.hpp"
#include "convolve.hpp"

namespace macrame::dla::model {

/// Positions of the stripes of a kernel group, in order. `full` positions fit the assembly buffer
/// of CACC. As long as `full` + `least` or more remain stripes are full; the rest is one stripe
/// or, if it does not fit, a stripe of `least` and another: no stripe but a single one is shorter
/// than the kernels of a group.
inline std::vector<int> stripes_of(int positions, int least, int full) {
    std::vector<int> out;
    while (positions > full) {
        out.push_back(positions > full + least ? full : least);
        positions -= out.back();
    }
    out.push_back(positions);
    return out;
}

/// One step: a kernel tap of a channel block, applied to the positions of a stripe.
struct CscStep {
    int group = 0;            ///< kernel group
    int kernels = 0;          ///< in this group
    int position = 0;         ///< first of the stripe
    int length = 0;           ///< positions
    int channel = 0;          ///< first of the block
    int lanes = 0;            ///< weights of a kernel row, which follow each other
    int row = 0, column = 0;  ///< of the kernel
    int rows = 1;             ///< of the kernel, more than one only in image layers
    bool first = false;       ///< of the stripe
    bool last = false;        ///< of the stripe
    bool end = false;         ///< last step of the layer
};

/// What the steps of a layer depend on.
struct StepSizes {
    int atomic_c = 8;      ///< channels of a block
    int kernels = 8;       ///< of a group, in the type of the layer
    int short_stripe = 8;  ///< atomic_k
    int full_stripe = 16;  ///< cacc_depth
    int cell_kernels = 1;  ///< that CMAC takes per cycle: 2 of int8 beside types of 16 bits
    int least_cycles = 1;  ///< of a step
};

/// Calls `visit` for all steps of a layer in order.
inline void for_each_step(const ConvLayer& layer, const StepSizes& sizes,
                          const std::function<void(const CscStep&)>& visit) {
    const int atomic_c = sizes.atomic_c, atomic_k = sizes.kernels;
    int share = 1;  // of a stripe that a position takes with its inputs: a power of two
    while (share < layer.batches)
        share *= 2;
    const std::vector<int> stripes = stripes_of(places_of(layer), sizes.short_stripe / share,
                                                std::max(1, sizes.full_stripe / share));
    const int block = layer.is_winograd ? kTileChannels : atomic_c;
    const int rows = layer.is_winograd ? 1 : layer.kernel_height;
    const int columns = layer.is_winograd ? 1 : layer.kernel_width;
    CscStep step;
    for (step.group = 0; step.group * atomic_k < layer.kernels; ++step.group) {
        step.kernels = std::min(atomic_k, layer.kernels - step.group * atomic_k);
        step.position = 0;
        for (const int length : stripes) {
            step.length = length;
            step.first = true;
            for (step.channel = 0; step.channel < layer.channels; step.channel += block) {
                step.lanes =
                    layer.is_winograd ? 16 * block : std::min(block, layer.channels - step.channel);
                for (step.row = 0; step.row < rows; step.row += layer.rows_per_step) {
                    step.rows = std::min(layer.rows_per_step, rows - step.row);
                    for (step.column = 0; step.column < columns; ++step.column) {
                        step.last = step.channel + block >= layer.channels &&
                                    step.row + step.rows == rows && step.column + 1 == columns;
                        step.end = step.last && step.position + length == places_of(layer) &&
                                   step.group * atomic_k + step.kernels == layer.kernels;
                        visit(step);
                        step.first = false;
                    }
                }
            }
            step.position += length;
        }
    }
}

/// Cycles that a layer needs if nothing stalls: one position per cycle, and the kernels of a cell
/// or one row of a kernel.
inline std::int64_t ideal_cycles(const ConvLayer& layer, const StepSizes& sizes) {
    std::int64_t cycles = 0;
    for_each_step(layer, sizes, [&](const CscStep& s) {
        const int each = layer.rows_per_step == 1 ? sizes.cell_kernels : 1;
        const int loads = (s.kernels + each - 1) / each * s.rows;
        cycles += std::max({s.length * layer.batches, loads, sizes.least_cycles});
    });
    return cycles;
}

/// Input pixel of an operation.
struct CscTap {
    int x = 0, y = 0;
    bool inside = false;  ///< else the pad value is used and nothing is read
};

inline CscTap tap_of(const ConvLayer& layer, const CscStep& step, int position) {
    CscTap tap;
    tap.x = position % layer.out_width * layer.stride_x - layer.pad_left +
            step.column * layer.dilation_x;
    tap.y =
        position / layer.out_width * layer.stride_y - layer.pad_top + step.row * layer.dilation_y;
    tap.inside = tap.x >= 0 && tap.x < layer.width && tap.y >= 0 && tap.y < layer.height;
    return tap;
}

/// Byte of a slice of the stored input.
using SliceByte = std::function<std::uint8_t(int slice, CbufPlace place)>;

/// Element of the buffer, or the padding that stands for it.
inline std::int16_t stored_element(const ConvLayer& layer, bool inside, int slice, CbufPlace place,
                                   const SliceByte& byte) {
    std::uint8_t bytes[2] = {static_cast<std::uint8_t>(layer.pad_value),
                             static_cast<std::uint8_t>(layer.pad_value >> 8)};
    for (int b = 0; inside && b < bytes_of(layer.precision); ++b)
        bytes[b] = byte(slice, {place.entry, place.byte + b});
    return load_element(bytes, layer.precision);
}

/// Data of one operation of an image layer.
inline Elements image_operation_data(const CdmaSizes& sizes, int atomic_c, const ConvLayer& layer,
                                     const CscStep& step, int position, const SliceByte& byte) {
    Elements out(static_cast<std::size_t>(atomic_c), 0);
    for (int row = 0; row < step.rows; ++row) {
        const int y = position / layer.out_width * layer.stride_y - layer.pad_top + step.row + row;
        const int first = window_offset(layer, position % layer.out_width) + step.channel;
        for (int lane = 0; lane < step.lanes; ++lane) {
            const int at = (first + lane) * bytes_of(layer.precision);
            const CbufPlace place{at / sizes.entry_bytes, at % sizes.entry_bytes};
            out[static_cast<std::size_t>(first_lane(layer, atomic_c, row) + lane)] =
                stored_element(layer, y >= 0 && y < layer.height, y, place, byte);
        }
    }
    return out;
}

/// Data of one operation of a Winograd layer, before the pre-addition.
inline Elements winograd_tile(const CdmaSizes& sizes, const ConvLayer& layer, const CscStep& step,
                              int position, const SliceByte& byte) {
    const TileCorner corner = tile_corner(layer, position);
    Elements out;
    for (int i = 0; i < 16; ++i) {
        const int y = corner.y + i / 4;
        for (int c = 0; c < kTileChannels; ++c) {
            CbufPlace place = winograd_place(sizes, layer.width, corner.x + i % 4, y % 4,
                                             (step.channel + c) * bytes_of(layer.precision));
            const int slice = y / 4 * 4 + place.entry / layer.entries_per_slice;
            place.entry %= layer.entries_per_slice;
            out.push_back(stored_element(layer, true, slice, place, byte));
        }
    }
    return out;
}

/// The same behind it.
inline Elements winograd_operation_data(const CdmaSizes& sizes, const ConvLayer& layer,
                                        const CscStep& step, int position, const SliceByte& byte) {
    Elements out = winograd_tile(sizes, layer, step, position, byte);
    for (std::size_t c = 0; c < kTileChannels; ++c) {
        ChannelTile<std::int16_t> tile{};
        for (std::size_t i = 0; i < tile.size(); ++i)
            tile[i] = out[i * kTileChannels + c];
        tile = pre_added(tile, layer.precision, layer.pra_truncate);
        for (std::size_t i = 0; i < tile.size(); ++i)
            out[i * kTileChannels + c] = tile[i];
    }
    return out;
}

/// Data of one operation, `atomic_c` lanes.
inline Elements operation_data(const CdmaSizes& sizes, int atomic_c, const ConvLayer& layer,
                               const CscStep& step, int position, const SliceByte& byte,
                               int batch = 0) {
    if (layer.is_winograd) return winograd_operation_data(sizes, layer, step, position, byte);
    if (layer.is_image) return image_operation_data(sizes, atomic_c, layer, step, position, byte);
    Elements out(static_cast<std::size_t>(atomic_c), 0);
    const CscTap tap = tap_of(layer, step, position);
    for (int lane = 0; lane < step.lanes; ++lane) {
        const CbufPlace place =
            entry_of(sizes, layer.width, layer.pixel_bytes(), tap.inside ? tap.x : 0,
                     (step.channel + lane) * bytes_of(layer.precision));
        out[static_cast<std::size_t>(lane)] =
            stored_element(layer, tap.inside, tap.y * layer.batches + batch, place, byte);
    }
    return out;
}

/// Byte of the weight stream at which row `row` of kernel `kernel` (inside the group) of a step
/// begins; its `step.lanes` weights follow each other.
inline std::int64_t weight_offset(const ConvLayer& layer, int atomic_k, const CscStep& step,
                                  int kernel, int row = 0) {
    const std::int64_t taps = std::int64_t{1} * layer.kernel_width * layer.kernel_height;
    const std::int64_t tap = std::int64_t{1} * step.row * layer.kernel_width + step.column;
    const std::int64_t element = taps * step.channel * step.kernels +
                                 (tap * step.kernels + kernel * step.rows + row) * step.lanes;
    return group_start(layer, atomic_k, step.group) + element * bytes_of(layer.precision);
}

/// CSC in the device. It runs the convolution: CMAC_A, CMAC_B and CACC have no work of their own,
/// SDP takes the results.
class CscUnit : public Unit {
public:
    CscUnit(DeviceState& machine, std::string_view name);

    ConvLayer layer() const;
    bool step() override;
    /// With what is kept of the layer before.
    void add_registers(LayerRegisters& to) const override;
    /// Layers since reset.
    std::uint64_t finished() const { return finished_; }

    /// CDMA, which ended `layers` layers, wants to begin one with other banks. True: CSC is about
    /// to start the same layer; both sides forget what is in the buffer.
    bool change_banks(std::uint64_t layers, int data_banks, int weight_banks);

    /// CDMA has put slices / a weight entry / an entry of masks into the buffer.
    void add_slices(int n) { book_.add_slices(n); }
    void add_weight() { book_.add_weights(1); }
    void add_mask() { book_.add_masks(1); }

private:
    void read_types16(ConvLayer& out) const;
    bool agrees(const ConvLayer& layer);
    bool begin(const ConvLayer& layer);
    bool wait_for(bool masks, std::int64_t bytes);
    bool find_group(const ConvLayer& layer, bool last, GroupStream& group, std::int64_t& end);
    bool convolve(const ConvLayer& layer, ConvResults& results);
    void keep();

    CdmaUnit& cdma() const { return unit<CdmaUnit>("CDMA"); }
    /// Kernels of a group.
    int group_kernels(const ConvLayer& layer) const { return sizes().elements(layer.precision); }

    CscBook book_;
    KeptInBuffer kept_;
    std::uint64_t finished_ = 0;  // layers
    bool begun_ = false;          // the layer was taken over and waits for its input
};

}  // namespace macrame::dla::model
