#pragma once
/// Small RGB pictures: read binary PPM, write PNG (stored blocks, no compression library needed).

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace macrame::verif {

/// 8-bit RGB picture, rows from the top, 3 bytes a pixel.
struct Picture {
    int width = 0;
    int height = 0;
    std::vector<std::uint8_t> rgb;

    Picture() = default;
    Picture(int w, int h)
        : width(w), height(h), rgb(static_cast<std::size_t>(w) * static_cast<std::size_t>(h) * 3) {}
    std::uint8_t* at(int x, int y) {
        return &rgb[(static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                     static_cast<std::size_t>(x)) * 3];
    }
    const std::uint8_t* at(int x, int y) const { return const_cast<Picture*>(this)->at(x, y); }
};

/// The picture in a binary PPM (P6, maximum 255). Throws std::runtime_error that starts with
/// `name` and says what is wrong.
Picture parse_ppm(std::string_view bytes, const std::string& name);

/// The same from a file.
Picture read_ppm(const std::string& path);

/// Writes an 8-bit RGB PNG. Throws std::runtime_error when the file cannot be written.
void write_png(const std::string& path, const Picture& picture);

}  // namespace macrame::verif
