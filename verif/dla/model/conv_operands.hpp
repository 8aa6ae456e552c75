#pragma once
/// Golden model of what CSC takes out of the convolution buffer: the data and the weights of every
/// operation. Elements have 16 bits: int8 sign extended, fp16 as a pattern.
///
/// The operations of an output position, in order:
///
///     direct, image   channel block > kernel row (image: up to 4 of them) > kernel column
///     Winograd        block of 4 channels

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "cbuf.hpp"
#include "conv.hpp"
#include "input_convertor.hpp"
#include "winograd.hpp"

namespace macrame::dla::model {

using Elements = std::vector<std::int16_t>;

/// Operations of an output position (Winograd: of a tile).
inline int operations_of(const ConvLayer& layer, int atomic_c) {
    if (layer.is_winograd) return layer.channels / kTileChannels;
    const int blocks = (layer.channels + atomic_c - 1) / atomic_c;
    const int rows = (layer.kernel_height + layer.rows_per_step - 1) / layer.rows_per_step;
    return blocks * rows * layer.kernel_width;
}

/// Input of a layer, taken out of the convolution buffer.
class ConvInput {
public:
    ConvInput(const CdmaSizes& sizes, int atomic_c, const CbufImage& cbuf, const CscBook& book,
              const ConvLayer& layer)
        : sizes_(sizes), atomic_c_(atomic_c), layer_(layer) {
        if (layer.is_winograd) {
            read_tiles(cbuf, book);
        } else if (layer.is_image) {
            read_lines(cbuf, book);
        } else {
            read_pixels(cbuf, book);
        }
    }

    /// Data of all operations of a place, `atomic_c` lanes each.
    void operands(int place, int batch, std::int16_t* to) const {
        if (layer_.is_winograd) {
            tile_operands(place, to);
        } else if (layer_.is_image) {
            image_operands(place, to);
        } else {
            direct_operands(place, batch, to);
        }
    }

private:
    static std::size_t index(std::int64_t i) { return static_cast<std::size_t>(i); }
    const std::uint8_t* byte(const CbufImage& cbuf, int first, CbufPlace place) const {
        const int region = layer_.data_banks * sizes_.cbuf_depth;
        return cbuf.entry((first + place.entry) % region) + place.byte;
    }

    /// Channels padded to whole operations with lanes of 0.
    void read_pixels(const CbufImage& cbuf, const CscBook& book) {
        const Precision type = layer_.precision;
        const int bytes = layer_.pixel_bytes(), each = sizes_.atom_bytes / bytes_of(type);
        line_ = (layer_.channels + atomic_c_ - 1) / atomic_c_ * atomic_c_;
        data_.assign(index(std::int64_t{1} * layer_.slices() * layer_.width * line_), 0);
        outside_.assign(index(line_), 0);
        std::fill_n(outside_.begin(), layer_.channels, pad());
        std::int16_t* pixel = data_.data();
        for (int slice = 0; slice < layer_.slices(); ++slice) {
            const int first = book.slice_entry(layer_, slice);
            for (int x = 0; x < layer_.width; ++x, pixel += line_) {
                for (int s = 0; s < surfaces_of(sizes_, bytes); ++s) {
                    const std::uint8_t* from =
                        byte(cbuf, first, place_of_atom(sizes_, layer_.width, bytes, x, s));
                    const int count = std::min(each, layer_.channels - s * each);
                    for (int c = 0; c < count; ++c)
                        pixel[s * each + c] = load_element(from + c * bytes_of(type), type);
                }
            }
        }
    }

    /// Lines of pixels, whole slices.
    void read_lines(const CbufImage& cbuf, const CscBook& book) {
        const Precision type = layer_.precision;
        const int bytes = layer_.entries_per_slice * sizes_.entry_bytes;
        line_ = bytes / bytes_of(type);
        for (int y = 0; y < layer_.height; ++y) {
            const int first = book.slice_entry(layer_, y);
            for (int b = 0; b < bytes; b += bytes_of(type)) {
                data_.push_back(load_element(
                    byte(cbuf, first, {b / sizes_.entry_bytes, b % sizes_.entry_bytes}), type));
            }
        }
    }

    /// Tiles of 4 x 4 pixels, two pixels apart, behind the pre-addition: lane
    /// (row * 4 + column) * 4 + channel of every block of channels.
    void read_tiles(const CbufImage& cbuf, const CscBook& book) {
        data_.resize(index(std::int64_t{1} * places_of(layer_) * layer_.channels * 16));
        std::int16_t* block = data_.data();
        for (int tile = 0; tile < places_of(layer_); ++tile) {
            const TileCorner corner = tile_corner(layer_, tile);
            for (int c = 0; c < layer_.channels; ++c) {
                ChannelTile<std::int16_t> d{};
                for (int i = 0; i < 16; ++i)
                    d[index(i)] = tile_element(cbuf, book, corner.x + i % 4, corner.y + i / 4, c);
                const auto v = pre_added(d, layer_.precision, layer_.pra_truncate);
                const int channel = c % kTileChannels;
                for (int i = 0; i < 16; ++i)
                    block[i * kTileChannels + channel] = v[index(i)];
                if (channel == kTileChannels - 1) block += 16 * kTileChannels;
            }
        }
    }
    std::int16_t tile_element(const CbufImage& cbuf, const CscBook& book, int x, int y,
                              int channel) const {
        const int each = bytes_of(layer_.precision);
        const CbufPlace place = winograd_place(sizes_, layer_.width, x, y % 4, channel * each);
        return load_element(byte(cbuf, book.slice_entry(layer_, y / 4 * 4), place),
                            layer_.precision);
    }

    std::int16_t pad() const {
        return layer_.precision == Precision::int8 ? static_cast<std::int8_t>(layer_.pad_value)
                                                   : layer_.pad_value;
    }

    void direct_operands(int position, int batch, std::int16_t* to) const {
        const int left = position % layer_.out_width * layer_.stride_x - layer_.pad_left;
        const int top = position / layer_.out_width * layer_.stride_y - layer_.pad_top;
        for (int cb = 0; cb < line_; cb += atomic_c_) {
            for (int r = 0; r < layer_.kernel_height; ++r) {
                for (int s = 0; s < layer_.kernel_width; ++s, to += atomic_c_) {
                    const int x = left + s * layer_.dilation_x, y = top + r * layer_.dilation_y;
                    const bool inside = x >= 0 && x < layer_.width && y >= 0 && y < layer_.height;
                    const std::int64_t pixel =
                        (std::int64_t{1} * y * layer_.batches + batch) * layer_.width + x;
                    std::copy_n((inside ? &data_[index(pixel * line_)] : outside_.data()) + cb,
                                atomic_c_, to);
                }
            }
        }
    }

    void image_operands(int position, std::int16_t* to) const {
        const int first = window_offset(layer_, position % layer_.out_width);
        const int top = position / layer_.out_width * layer_.stride_y - layer_.pad_top;
        for (int cb = 0; cb < layer_.channels; cb += atomic_c_) {
            const int lanes = std::min(atomic_c_, layer_.channels - cb);
            for (int r = 0; r < layer_.kernel_height; r += layer_.rows_per_step, to += atomic_c_) {
                std::fill_n(to, atomic_c_, std::int16_t{0});
                for (int j = 0; j < layer_.rows_per_step && r + j < layer_.kernel_height; ++j) {
                    for (int e = 0; e < lanes; ++e) {
                        to[first_lane(layer_, atomic_c_, j) + e] =
                            image_element(top + r + j, first + cb + e);
                    }
                }
            }
        }
    }
    std::int16_t image_element(int y, int element) const {
        if (y < 0 || y >= layer_.height) return pad();
        const std::int64_t at = std::int64_t{1} * y * line_ + element;
        return index(at) < data_.size() ? data_[index(at)] : std::int16_t{0};
    }

    void tile_operands(int place, std::int16_t* to) const {
        const std::int64_t size = std::int64_t{1} * layer_.channels * 16;
        std::copy_n(&data_[index(place * size)], size, to);
    }

    CdmaSizes sizes_;
    int atomic_c_;
    ConvLayer layer_;
    int line_ = 0;  ///< elements of a pixel with padded channels; of a line of an image
    Elements data_;
    Elements outside_;  ///< a pixel of padding
};

/// Bytes of a ring of entries that begins at entry `first` of the buffer.
struct RingBytes {
    const CbufImage& cbuf;
    int first, region;  ///< entries
    int start;          ///< entry of the ring with byte 0

    std::uint8_t operator[](std::int64_t byte) const {
        const auto entry = static_cast<int>((start + byte / cbuf.entry_bytes) % region);
        return cbuf.entry(first + entry)[byte % cbuf.entry_bytes];
    }
};

/// The part of the weight stream that a kernel group has in the buffer.
struct GroupStream {
    RingBytes weights, masks;
    std::int64_t first = 0;  ///< byte of the stored weights
    std::int64_t mask = 0;   ///< bit of the masks
    std::int64_t count = 0;  ///< elements
    bool compressed = false;

    bool is_stored(std::int64_t i) const {
        return !compressed || (masks[(mask + i) / 8] >> (mask + i) % 8 & 1) != 0;
    }
    /// Bytes that are stored of the group.
    std::int64_t stored_bytes(Precision type) const {
        std::int64_t stored = 0;
        for (std::int64_t i = 0; i < count; ++i)
            stored += is_stored(i) ? 1 : 0;
        return stored * bytes_of(type);
    }
    /// The elements; those that are not stored are 0.
    Elements expand(Precision type) const {
        Elements out;
        std::int64_t from = first;
        for (std::int64_t i = 0; i < count; ++i) {
            out.push_back(0);
            if (!is_stored(i)) continue;
            const std::uint8_t bytes[2] = {
                weights[from], type == Precision::int8 ? std::uint8_t{0} : weights[from + 1]};
            out.back() = load_element(bytes, type);
            from += bytes_of(type);
        }
        return out;
    }
};

/// Weights of a kernel group from its stream, [kernel][operation][lane].
inline Elements arrange_weights(const ConvLayer& layer, int atomic_c, int kernels,
                                const Elements& stream) {
    const std::int64_t operations = operations_of(layer, atomic_c);
    Elements out(static_cast<std::size_t>(kernels * operations * atomic_c));
    auto from = stream.begin();
    const auto take = [&](int kernel, std::int64_t operation, int lane, int count) {
        std::copy_n(from, count, out.begin() + (kernel * operations + operation) * atomic_c + lane);
        from += count;
    };
    if (layer.is_winograd) {
        for (std::int64_t o = 0; o < operations; ++o) {
            for (int k = 0; k < kernels; ++k)
                take(k, o, 0, 16 * kTileChannels);
        }
        return out;
    }
    std::int64_t operation = 0;
    for (int cb = 0; cb < layer.channels; cb += atomic_c) {
        const int lanes = std::min(atomic_c, layer.channels - cb);
        for (int r = 0; r < layer.kernel_height; r += layer.rows_per_step) {
            const int rows = std::min(layer.rows_per_step, layer.kernel_height - r);
            for (int s = 0; s < layer.kernel_width; ++s, ++operation) {
                for (int k = 0; k < kernels; ++k) {
                    for (int j = 0; j < rows; ++j)
                        take(k, operation, first_lane(layer, atomic_c, j), lanes);
                }
            }
        }
    }
    return out;
}

}  // namespace macrame::dla::model
