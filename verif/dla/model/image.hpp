#pragma once
/// Golden model of image (pixel) input: formats and what one line becomes in the convolution
/// buffer.
///
/// A line is PAD_LEFT + width + PAD_RIGHT pixels of 1, 3 or 4 components, stored without gaps.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "input_convertor.hpp"
#include "memory_access.hpp"

namespace macrame::dla::model {

/// Where the components of a pixel lie, in the order in which the pipeline sees them.
struct PixelFormat {
    int components = 4;           ///< 1, 3 or 4
    int bytes[2] = {4, 0};        ///< of a pixel in plane 0 and 1; 0: no such plane
    int plane[4] = {0, 0, 0, 0};  ///< of a component
    int bit[4] = {0, 8, 16, 24};  ///< its lowest in the pixel of its plane
    bool packed = false;          ///< 10 bits, the alpha of 4 components 2: left aligned in 16
    bool bits16 = false;          ///< components of 16 bits
};

/// Formats with components of 8 bits.
inline PixelFormat pixel_format_8(int code) {
    switch (code) {
        case 0:  // R8
            return {1, {1, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}};
        case 13:  // A8R8G8B8
        case 17:  // X8R8G8B8
        case 26:  // A8Y8U8V8
            return {4, {4, 0}, {0, 0, 0, 0}, {16, 8, 0, 24}};
        case 14:  // B8G8R8A8
        case 18:  // B8G8R8X8
        case 27:  // V8U8Y8A8
            return {4, {4, 0}, {0, 0, 0, 0}, {8, 16, 24, 0}};
        case 15:  // R8G8B8A8
        case 19:  // R8G8B8X8
            return {4, {4, 0}, {0, 0, 0, 0}, {24, 16, 8, 0}};
        case 28:  // Y8, U8V8
            return {3, {1, 2}, {0, 1, 1, 0}, {0, 8, 0, 0}};
        case 29:  // Y8, V8U8
            return {3, {1, 2}, {0, 1, 1, 0}, {0, 0, 8, 0}};
        default:  // A8B8G8R8
            return {4, {4, 0}, {0, 0, 0, 0}, {0, 8, 16, 24}};
    }
}

/// All formats; `types16`: those with components of 16 bits exist. All other codes are A8B8G8R8.
inline PixelFormat pixel_format(int code, bool types16 = false) {
    if (!types16) return pixel_format_8(code);
    switch (code) {
        case 1:  // R10
        case 2:  // R12
        case 3:  // R16
        case 4:  // R16_I
        case 5:  // R16_F
            return {1, {2, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}, false, true};
        case 6:  // A16B16G16R16
        case 7:  // X16B16G16R16
        case 8:  // A16B16G16R16_F
            return {4, {8, 0}, {0, 0, 0, 0}, {0, 16, 32, 48}, false, true};
        case 9:   // A16Y16U16V16
        case 11:  // A16Y16U16V16_F
            return {4, {8, 0}, {0, 0, 0, 0}, {32, 16, 0, 48}, false, true};
        case 10:  // V16U16Y16A16
            return {4, {8, 0}, {0, 0, 0, 0}, {16, 32, 48, 0}, false, true};
        case 20:  // A2B10G10R10
            return {4, {4, 0}, {0, 0, 0, 0}, {0, 10, 20, 30}, true, true};
        case 21:  // A2R10G10B10
        case 24:  // A2Y10U10V10
            return {4, {4, 0}, {0, 0, 0, 0}, {20, 10, 0, 30}, true, true};
        case 22:  // B10G10R10A2
        case 25:  // V10U10Y10A2
            return {4, {4, 0}, {0, 0, 0, 0}, {2, 12, 22, 0}, true, true};
        case 23:  // R10G10B10A2
            return {4, {4, 0}, {0, 0, 0, 0}, {22, 12, 2, 0}, true, true};
        case 30:  // Y10, U10V10
        case 32:  // Y12, U12V12
        case 34:  // Y16, U16V16
            return {3, {2, 4}, {0, 1, 1, 0}, {0, 16, 0, 0}, false, true};
        case 31:  // Y10, V10U10
        case 33:  // Y12, V12U12
        case 35:  // Y16, V16U16
            return {3, {2, 4}, {0, 1, 1, 0}, {0, 0, 16, 0}, false, true};
        default:
            return pixel_format_8(code);
    }
}

/// The formats whose components are fp16; those of others are integers.
inline bool is_float_format(int code) { return code == 5 || code == 8 || code == 11; }

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
    std::int16_t pad_value = 0;           ///< ZERO_PADDING_VALUE, not converted
    bool types16 = false;                 ///< the formats of 16 bits exist

    PixelFormat pixels() const { return pixel_format(format, types16); }
};

/// Entries of `entry_bytes` that a line needs; `type`: of the stored elements.
inline int image_entries_per_slice(int entry_bytes, const ImageInput& image, int width,
                                   Precision type = Precision::int8) {
    const int bytes =
        (image.pad_left + width + image.pad_right) * image.pixels().components * bytes_of(type);
    return (bytes + entry_bytes - 1) / entry_bytes;
}

/// A component of a pixel that begins at `pixel`, as a number or a pattern of fp16.
inline int pixel_component(const PixelFormat& format, const std::uint8_t* pixel, int c,
                           bool has_sign) {
    const int bit = format.bit[c];
    if (!format.bits16) {
        const int raw = pixel[bit / 8];
        return has_sign ? static_cast<std::int8_t>(raw) : raw;
    }
    int raw = 0;
    if (format.packed) {
        const std::uint32_t word =
            pixel[0] | pixel[1] << 8 | pixel[2] << 16 | static_cast<std::uint32_t>(pixel[3]) << 24;
        const int width = c == 3 ? 2 : 10;
        raw = static_cast<int>(word >> bit & ((1u << width) - 1)) << (16 - width);
    } else {
        raw = pixel[bit / 8] | pixel[bit / 8 + 1] << 8;
    }
    return has_sign ? static_cast<std::int16_t>(raw) : raw;
}

/// The stored bytes of a line; `plane_addr` are the addresses of its planes. `counts` (if not
/// null): what the line has of special fp16 numbers.
inline std::vector<std::uint8_t> image_line(int atom_bytes, const ImageInput& image,
                                            const CvtSettings& cvt_of, int width,
                                            const std::uint64_t plane_addr[2],
                                            const MemoryRead& read,
                                            SpecialCounts* counts = nullptr) {
    const PixelFormat format = image.pixels();
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
                append_element(out, image.pad_value, cvt_of.out);
                continue;
            }
            const int p = format.plane[c];
            const int number =
                pixel_component(format, &pixels[p][static_cast<std::size_t>(x * format.bytes[p])],
                                c, image.is_signed);
            if (counts != nullptr && cvt_of.in == Precision::fp16) {
                counts->add(static_cast<std::int16_t>(number));
            }
            const std::int16_t offset = image.mean_en ? image.mean[c] : cvt_of.offset;
            append_element(out, converted(cvt_of, number, offset), cvt_of.out);
        }
    }
    return out;
}

}  // namespace macrame::dla::model
