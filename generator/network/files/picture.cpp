#include "network/files/picture.hpp"

#include <fmt/format.h>
#include <png.h>
#include <turbojpeg.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>

namespace macrame::network {

namespace {

Picture no_picture(std::string text) {
    Picture picture;
    picture.error = std::move(text);
    return picture;
}

/// A picture without contents, or why there is none of that size.
Picture sized(std::int64_t width, std::int64_t height) {
    if (width < 1 || height < 1 || width > kMostPixels / height) {
        return no_picture(fmt::format("{} x {} pixels: want at most {} million", width, height,
                                      kMostPixels >> 20));
    }
    Picture picture;
    picture.width = static_cast<int>(width);
    picture.height = static_cast<int>(height);
    picture.rgb.resize(static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * 3);
    return picture;
}

}  // namespace

const std::uint8_t* Picture::at(int x, int y) const {
    return &rgb[(static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                 static_cast<std::size_t>(x)) *
                3];
}

Picture read_png(std::string_view file) {
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    if (png_image_begin_read_from_memory(&image, file.data(), file.size()) == 0)
        return no_picture(fmt::format("{}: want a PNG picture", image.message));
    Picture picture = sized(image.width, image.height);
    if (!picture.error.empty()) {
        png_image_free(&image);
        return picture;
    }
    image.format = PNG_FORMAT_RGB;
    const png_color black{0, 0, 0};
    if (png_image_finish_read(&image, &black, picture.rgb.data(), 0, nullptr) == 0)
        return no_picture(fmt::format("{}: want a whole PNG picture", image.message));
    return picture;
}

Picture read_jpeg(std::string_view file) {
    const std::unique_ptr<void, int (*)(tjhandle)> decoder(tjInitDecompress(), tjDestroy);
    const auto* bytes = reinterpret_cast<const unsigned char*>(file.data());
    int width = 0, height = 0, sampling = 0, space = 0;
    if (decoder == nullptr || tjDecompressHeader3(decoder.get(), bytes, file.size(), &width,
                                                  &height, &sampling, &space) != 0)
        return no_picture(fmt::format("{}: want a JPEG picture", tjGetErrorStr2(decoder.get())));
    Picture picture = sized(width, height);
    if (!picture.error.empty()) return picture;
    if (tjDecompress2(decoder.get(), bytes, file.size(), picture.rgb.data(), width, 0, height,
                      TJPF_RGB, TJFLAG_ACCURATEDCT | TJFLAG_STOPONWARNING) != 0)
        return no_picture(
            fmt::format("{}: want a whole JPEG picture", tjGetErrorStr2(decoder.get())));
    return picture;
}

Picture resized(const Picture& picture, int width, int height) {
    Picture out = sized(width, height);
    /// Both pixels on each side of a place, and how near the second is.
    struct Between {
        int low, high;
        double part;
    };
    const auto between = [](int to, int size, int from_size) {
        const double scale = static_cast<double>(from_size) / size;
        const double at = std::clamp((to + 0.5) * scale - 0.5, 0.0, from_size - 1.0);
        const int low = static_cast<int>(at);
        return Between{low, std::min(low + 1, from_size - 1), at - low};
    };
    std::size_t next = 0;
    for (int y = 0; y < height; ++y) {
        const Between v = between(y, height, picture.height);
        for (int x = 0; x < width; ++x) {
            const Between h = between(x, width, picture.width);
            for (int c = 0; c < 3; ++c) {
                const auto line = [&](int row) {
                    return picture.at(h.low, row)[c] * (1 - h.part) +
                           picture.at(h.high, row)[c] * h.part;
                };
                const double value = line(v.low) * (1 - v.part) + line(v.high) * v.part;
                out.rgb[next++] = static_cast<std::uint8_t>(std::lround(value));
            }
        }
    }
    return out;
}

std::uint8_t grey(const std::uint8_t* rgb) {
    return static_cast<std::uint8_t>((299 * rgb[0] + 587 * rgb[1] + 114 * rgb[2] + 500) / 1000);
}

std::string write_png(const Picture& picture) {
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    image.width = static_cast<png_uint_32>(picture.width);
    image.height = static_cast<png_uint_32>(picture.height);
    image.format = PNG_FORMAT_RGB;
    png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
    std::string out(size, '\0');
    if (png_image_write_to_memory(&image, out.data(), &size, 0, picture.rgb.data(), 0, nullptr) ==
        0)
        return "";
    out.resize(size);
    return out;
}

}  // namespace macrame::network
