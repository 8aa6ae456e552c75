#pragma once
/// Pictures in files: PNG and JPEG.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace macrame::network {

/// 8-bit RGB, rows from the top, 3 bytes a pixel.
struct Picture {
    int width = 0, height = 0;
    std::vector<std::uint8_t> rgb;
    std::string error;  ///< then there is nothing else

    const std::uint8_t* at(int x, int y) const;
};

/// Larger pictures are refused before they are decoded.
inline constexpr int kMostPixels = 1 << 26;

/// What is transparent is black; palettes, grey and 16 bits become 8-bit RGB.
Picture read_png(std::string_view file);
Picture read_jpeg(std::string_view file);

/// The picture in another size, bilinear between the centres of pixels.
Picture resized(const Picture& picture, int width, int height);

/// 8-bit grey of a pixel: 0.299 R + 0.587 G + 0.114 B.
std::uint8_t grey(const std::uint8_t* rgb);

/// The picture as a PNG file.
std::string write_png(const Picture& picture);

}  // namespace macrame::network
