#pragma once
/// Golden model of image (pixel) input: formats and what one line becomes in the convolution
/// buffer.
///
/// A line is PAD_LEFT + width + PAD_RIGHT pixels of 1, 3 or 4 components, stored without gaps.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "arithmetic.hpp"
#include "memory_access.hpp"

namespace macrame::dla::model {

/// Input convertor of one 8-bit element (`in` as the number it stands for):
/// sat8(R((in - offset) * scale, truncate)), R = right shift that rounds half away from zero.
inline std::int8_t cvt(int in, std::int16_t offset, std::int16_t scale, int truncate) {
    const std::int64_t product = (std::int64_t{in} - offset) * scale;
    return static_cast<std::int8_t>(round_shift_right(product, truncate, 34, 8).value);
}

/// Where the components of a pixel lie, in the order in which the pipeline sees them.
struct PixelFormat {
    int components = 4;           ///< 1, 3 or 4
    int bytes[2] = {4, 0};        ///< of a pixel in plane 0 and 1; 0: no such plane
    int plane[4] = {0, 0, 0, 0};  ///< of a component
    int byte[4] = {0, 1, 2, 3};   ///< in the pixel of its plane
};

/// Formats of 8-bit builds; all other codes are A8B8G8R8.
inline PixelFormat pixel_format(int code) {
    switch (code) {
        case 0:  // R8
            return {1, {1, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}};
        case 13:  // A8R8G8B8
        case 17:  // X8R8G8B8
        case 26:  // A8Y8U8V8
            return {4, {4, 0}, {0, 0, 0, 0}, {2, 1, 0, 3}};
        case 14:  // B8G8R8A8
        case 18:  // B8G8R8X8
        case 27:  // V8U8Y8A8
            return {4, {4, 0}, {0, 0, 0, 0}, {1, 2, 3, 0}};
        case 15:  // R8G8B8A8
        case 19:  // R8G8B8X8
            return {4, {4, 0}, {0, 0, 0, 0}, {3, 2, 1, 0}};
        case 28:  // Y8, U8V8
            return {3, {1, 2}, {0, 1, 1, 0}, {0, 1, 0, 0}};
        case 29:  // Y8, V8U8
            return {3, {1, 2}, {0, 1, 1, 0}, {0, 0, 1, 0}};
        default:  // A8B8G8R8
            return {4, {4, 0}, {0, 0, 0, 0}, {0, 1, 2, 3}};
    }
}

/// The registers that only image layers have, as real numbers.
struct ImageInput {
    int format = 12;                      ///< PIXEL_FORMAT
    int x_offset = 0;                     ///< PIXEL_X_OFFSET, pixels before the first
    bool is_signed = false;               ///< PIXEL_SIGN_OVERRIDE
    std::uint64_t addr_1 = 0;             ///< DAIN_ADDR_HIGH/LOW_1
    std::uint32_t uv_stride = 0;          ///< LINE_UV_STRIDE, bytes
    bool mean_en = false;                 ///< MEAN_FORMAT
    std::int16_t mean[4] = {0, 0, 0, 0};  ///< MEAN_GLOBAL_0/1
    int pad_left = 0, pad_right = 0;      ///< ZERO_PADDING
    std::int8_t pad_value = 0;            ///< ZERO_PADDING_VALUE, not converted
};

/// Coefficients of the convertor.
struct CvtSettings {
    bool enable = false;
    std::int16_t offset = 0, scale = 0;
    int truncate = 0;  ///< 0..63
};

/// Entries of `entry_bytes` that a line needs.
inline int image_entries_per_slice(int entry_bytes, const ImageInput& image, int width) {
    const int bytes =
        (image.pad_left + width + image.pad_right) * pixel_format(image.format).components;
    return (bytes + entry_bytes - 1) / entry_bytes;
}

/// The stored bytes of a line; `plane_addr` are the addresses of its planes.
inline std::vector<std::uint8_t> image_line(int atom_bytes, const ImageInput& image,
                                            const CvtSettings& cvt_of, int width,
                                            const std::uint64_t plane_addr[2],
                                            const MemoryRead& read) {
    const PixelFormat format = pixel_format(image.format);
    std::vector<std::uint8_t> pixels[2];
    for (int p = 0; p < 2; ++p) {
        if (format.bytes[p] == 0) continue;
        const int skip = p == 0 ? image.x_offset : image.x_offset % (atom_bytes / format.bytes[p]);
        pixels[p].resize(static_cast<std::size_t>(width * format.bytes[p]));
        read(plane_addr[p] + static_cast<unsigned>(skip * format.bytes[p]), pixels[p].data(),
             pixels[p].size());
    }
    std::vector<std::uint8_t> out;
    for (int x = -image.pad_left; x < width + image.pad_right; ++x) {
        for (int c = 0; c < format.components; ++c) {
            if (x < 0 || x >= width) {
                out.push_back(static_cast<std::uint8_t>(image.pad_value));
                continue;
            }
            const int p = format.plane[c];
            const std::uint8_t raw =
                pixels[p][static_cast<std::size_t>(x * format.bytes[p] + format.byte[c])];
            const int number = image.is_signed ? static_cast<std::int8_t>(raw) : raw;
            const std::int16_t offset = image.mean_en ? image.mean[c] : cvt_of.offset;
            out.push_back(cvt_of.enable ? static_cast<std::uint8_t>(
                                              cvt(number, offset, cvt_of.scale, cvt_of.truncate))
                                        : raw);
        }
    }
    return out;
}

}  // namespace macrame::dla::model
