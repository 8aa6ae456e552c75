#pragma once
/// A convolution of any kind, computed from the definitions with nested loops, and the memory that
/// a program of it needs. No groups of kernels but in the weight stream, no buffer, no tiles but
/// those of Winograd. Only for tests of the golden model.
///
/// Elements are numbers of 16 bits: int8 sign extended, fp16 as a pattern.

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "verif/dla/model/cacc_fp16.hpp"
#include "verif/dla/model/winograd.hpp"

namespace macrame::test {

using dla::model::Precision;

/// The layer as somebody thinks of it who programs it.
struct NaiveConv {
    enum class Mode { cube, image, winograd } mode = Mode::cube;
    Precision in = Precision::int8, proc = Precision::int8;
    int batches = 1, width = 1, height = 1, channels = 1;  ///< image: components of a pixel
    int kernels = 1, s = 3, r = 3;
    int sx = 1, sy = 1, dx = 1, dy = 1;
    int left = 0, right = 0, top = 0, bottom = 0;
    int cdma_pad = 0, csc_pad = 0;
    int rows_together = 1;  ///< post-extension
    int truncate = 0, pra_truncate = 0;
    bool compressed = false, nan_to_zero = false;
    bool cvt = false, has_sign = false, mean_on = false;
    int offset = 0, scale = 1, shift = 0;
    std::array<int, 4> mean{};
    // Of the machine: channels of an operation, kernels of a group.
    int atomic_c = 64, group = 32, atom_bytes = 32;

    std::vector<int> data;     ///< [batch][y][x][c], pixels as numbers before the convertor
    std::vector<int> weights;  ///< [k][c][r][s]; Winograd: extended channels, 4 x 4 transformed

    bool image() const { return mode == Mode::image; }
    bool winograd() const { return mode == Mode::winograd; }
    int element_bytes() const { return proc == Precision::int8 ? 1 : 2; }
    /// Channels that a kernel sees, its rows and columns.
    int padded_channels() const {
        const int atom = atom_bytes / element_bytes();
        return (channels + atom - 1) / atom * atom;
    }
    int kernel_channels() const {
        return winograd() ? padded_channels() * sx * sy : image() ? channels * s : channels;
    }
    int kernel_columns() const { return winograd() ? 4 : image() ? 1 : s; }
    int kernel_rows() const { return winograd() ? 4 : r; }
    int kernel_weights() const { return kernel_channels() * kernel_columns() * kernel_rows(); }
    int extended_width() const { return (left + width + right) / sx; }
    int extended_height() const { return (top + height + bottom) / sy; }
    int out_width() const {
        if (winograd()) return extended_width() - 4;
        return (left + width + right - (s - 1) * dx - 1) / sx + 1;
    }
    int out_height() const {
        if (winograd()) return extended_height() - 4;
        return (top + height + bottom - (r - 1) * dy - 1) / sy + 1;
    }

    int weight(int k, int c, int row, int column) const {
        return weights[static_cast<std::size_t>(
            ((k * kernel_channels() + c) * kernel_rows() + row) * kernel_columns() + column)];
    }
    int pixel(int b, int y, int x, int c) const {
        return data[static_cast<std::size_t>(((b * height + y) * width + x) * channels + c)];
    }

    /// All weights in the order in which they lie in memory.
    std::vector<int> stream() const {
        std::vector<int> out;
        for (int g = 0; g < kernels; g += group) {
            const int end = std::min(kernels, g + group);
            if (winograd())
                stream_winograd(g, end, out);
            else
                stream_direct(g, end, out);
        }
        return out;
    }

    /// 32-bit word of an output as SDP gets it.
    struct Word {
        std::int32_t value;
        bool saturated;
    };
    Word output(int b, int k, int y, int x) const {
        Sum sum;
        if (winograd())
            sum_winograd(k, y, x, sum);
        else if (image())
            sum_image(k, y, x, sum);
        else
            sum_direct(b, k, y, x, sum);
        return finish(sum);
    }

    static bool is_nan(int v) { return (v & 0x7FFF) > 0x7C00; }
    static bool is_inf(int v) { return (v & 0x7FFF) == 0x7C00; }

private:
    struct Sum {
        std::int64_t integer = 0;
        dla::model::FloatAcc fp;
    };

    static std::int64_t sat(std::int64_t v, int bits) {
        const std::int64_t top = (std::int64_t{1} << (bits - 1)) - 1;
        return std::min(std::max(v, -top - 1), top);
    }
    /// v / 2^n, half away from zero.
    static std::int64_t rounded(std::int64_t v, int n) {
        const std::int64_t unit = std::int64_t{1} << n;
        const std::int64_t size = ((v < 0 ? -v : v) * 2 + unit) / (2 * unit);
        return v < 0 ? -size : size;
    }

    void stream_direct(int first, int end, std::vector<int>& out) const {
        for (int cb = 0; cb < kernel_channels(); cb += atomic_c) {
            for (int r0 = 0; r0 < r; r0 += rows_together) {
                for (int column = 0; column < kernel_columns(); ++column) {
                    for (int k = first; k < end; ++k) {
                        for (int row = r0; row < std::min(r, r0 + rows_together); ++row) {
                            for (int c = cb; c < std::min(kernel_channels(), cb + atomic_c); ++c)
                                out.push_back(weight(k, c, row, column));
                        }
                    }
                }
            }
        }
    }
    void stream_winograd(int first, int end, std::vector<int>& out) const {
        for (int cb = 0; cb < kernel_channels(); cb += 4) {
            for (int k = first; k < end; ++k) {
                for (int i = 0; i < 16; ++i) {
                    for (int c = cb; c < cb + 4; ++c)
                        out.push_back(weight(k, c, i / 4, i % 4));
                }
            }
        }
    }

    int flushed(int v) const { return proc == Precision::fp16 && nan_to_zero && is_nan(v) ? 0 : v; }
    int stored_pad(int pad) const {
        return proc == Precision::int8 ? static_cast<std::int8_t>(pad)
                                       : static_cast<std::int16_t>(pad);
    }
    /// Element behind the input convertor.
    int element(int b, int y, int x, int c) const {
        const int raw = pixel(b, y, x, c);
        if (in == Precision::fp16) return flushed(raw);
        const int bits = in == Precision::int8 ? 8 : 16;
        const int number = raw >= 1 << (bits - 1) ? raw - (1 << bits) : raw;
        if (!cvt) return number;
        const int off = image() && mean_on ? mean[static_cast<std::size_t>(c)] : offset;
        const std::int64_t product =
            std::int64_t{image() && !has_sign ? raw & ((1 << bits) - 1) : number} - off;
        const std::int64_t u = shift >= 34 ? 0 : sat(rounded(product * scale, shift), 17);
        if (proc == Precision::fp16) {
            return static_cast<std::int16_t>(dla::model::Fp16::from_int(u));
        }
        return static_cast<int>(sat(u, proc == Precision::int8 ? 8 : 16));
    }

    /// One operation.
    void add(const std::vector<int>& d, const std::vector<int>& w, Sum& sum) const {
        if (proc == Precision::fp16) {
            const std::vector<std::uint16_t> data16(d.begin(), d.end()), w16(w.begin(), w.end());
            sum.fp =
                accumulate(sum.fp, dla::model::fp16_psum(data16.data(), w16.data(), data16.size()));
            return;
        }
        for (std::size_t i = 0; i < d.size(); ++i)
            sum.integer += std::int64_t{d[i]} * w[i];
        sum.integer = sat(sum.integer, proc == Precision::int8 ? 34 : 48);
    }
    Word finish(const Sum& sum) const {
        if (proc == Precision::fp16) {
            return {static_cast<std::int32_t>(dla::model::final_fp32(sum.fp)), false};
        }
        const std::int64_t v = rounded(sum.integer, truncate), word = sat(v, 32);
        return {static_cast<std::int32_t>(word), word != v};
    }

    void sum_direct(int b, int k, int oy, int ox, Sum& sum) const {
        for (int cb = 0; cb < channels; cb += atomic_c) {
            for (int row = 0; row < r; ++row) {
                for (int column = 0; column < s; ++column) {
                    const int y = oy * sy - top + row * dy, x = ox * sx - left + column * dx;
                    const bool inside = y >= 0 && y < height && x >= 0 && x < width;
                    std::vector<int> d, w;
                    for (int c = cb; c < std::min(channels, cb + atomic_c); ++c) {
                        d.push_back(inside ? element(b, y, x, c) : stored_pad(csc_pad));
                        w.push_back(flushed(weight(k, c, row, column)));
                    }
                    add(d, w, sum);
                }
            }
        }
    }

    void sum_image(int k, int oy, int ox, Sum& sum) const {
        for (int eb = 0; eb < s * channels; eb += atomic_c) {
            for (int row = 0; row < r; row += rows_together) {
                std::vector<int> d, w;
                for (int j = row; j < std::min(r, row + rows_together); ++j) {
                    const int y = oy * sy - top + j;
                    for (int e = eb; e < std::min(s * channels, eb + atomic_c); ++e) {
                        const int x = ox * sx - left + e / channels;
                        d.push_back(y < 0 || y >= height  ? stored_pad(csc_pad)
                                    : x < 0 || x >= width ? stored_pad(cdma_pad)
                                                          : element(0, y, x, e % channels));
                        w.push_back(flushed(weight(k, e, j, 0)));
                    }
                }
                add(d, w, sum);
            }
        }
    }

    /// Element of the extended plane.
    int extended(int x, int y, int channel) const {
        const int plane = channel / padded_channels(), c = channel % padded_channels();
        const int px = x * sx + plane % sx - left, py = y * sy + plane / sx - top;
        if (px < 0 || px >= width || py < 0 || py >= height) return stored_pad(cdma_pad);
        return c < channels ? element(0, py, px, c) : 0;
    }

    void sum_winograd(int k, int oy, int ox, Sum& sum) const {
        for (int cb = 0; cb < kernel_channels(); cb += 4) {
            std::vector<int> v(64), u(64);
            for (int c = 0; c < 4; ++c) {
                const auto tile = transformed(ox / 2 * 2, oy / 2 * 2, cb + c);
                for (int i = 0; i < 16; ++i) {
                    v[static_cast<std::size_t>(4 * i + c)] = tile[static_cast<std::size_t>(i)];
                    u[static_cast<std::size_t>(4 * i + c)] =
                        flushed(weight(k, cb + c, i / 4, i % 4));
                }
            }
            add_tile(v, u, 2 * (oy % 2) + ox % 2, sum);
        }
    }
    /// B^T d B as matrices say it; fp16 by the pre-addition, whose roundings have an order.
    std::array<int, 16> transformed(int x, int y, int channel) const {
        static constexpr int kB[4][4] = {{1, 0, -1, 0}, {0, 1, 1, 0}, {0, -1, 1, 0}, {0, 1, 0, -1}};
        std::array<int, 16> d{}, out{};
        for (int i = 0; i < 16; ++i)
            d[static_cast<std::size_t>(i)] = extended(x + i % 4, y + i / 4, channel);
        if (proc == Precision::fp16) {
            dla::model::ChannelTile<std::int16_t> tile{};
            std::transform(d.begin(), d.end(), tile.begin(),
                           [](int e) { return static_cast<std::int16_t>(e); });
            tile = dla::model::pre_added(tile, proc, 0);
            std::copy(tile.begin(), tile.end(), out.begin());
            return out;
        }
        for (int i = 0; i < 16; ++i) {
            std::int64_t sum = 0;
            for (int j = 0; j < 16; ++j)
                sum += kB[i / 4][j / 4] * kB[i % 4][j % 4] * d[static_cast<std::size_t>(j)];
            out[static_cast<std::size_t>(i)] =
                static_cast<int>(sat(rounded(sum, std::min(pra_truncate, 2)), 8 * element_bytes()));
        }
        return out;
    }
    /// A^T m A, result `which` of the tile.
    void add_tile(const std::vector<int>& v, const std::vector<int>& u, int which, Sum& sum) const {
        static constexpr int kA[2][4] = {{1, 1, 1, 0}, {0, 1, -1, -1}};
        if (proc == Precision::fp16) {
            const std::vector<std::uint16_t> v16(v.begin(), v.end()), u16(u.begin(), u.end());
            sum.fp =
                accumulate(sum.fp, dla::model::fp16_winograd_psums(
                                       v16.data(), u16.data())[static_cast<std::size_t>(which)]);
            return;
        }
        for (std::size_t i = 0; i < 64; ++i)
            sum.integer += std::int64_t{kA[which / 2][i / 16] * kA[which % 2][i / 4 % 4]} *
                           (std::int64_t{v[i]} * u[i]);
        sum.integer = sat(sum.integer, proc == Precision::int8 ? 34 : 48);
    }
};

/// A pixel format by the name of the documents: components from the highest bits down, "___" in
/// front of those of the second plane.
struct NamedFormat {
    struct Component {
        int plane = 0, bit = 0, bits = 0;
    };
    int code = 0;
    std::string name;
    int bytes[2] = {0, 0};
    std::array<Component, 4> at{};  ///< (R or Y), (G or U), (B or V), (A or X)
    int components = 0;

    /// "A2B10G10R10"
    NamedFormat(int number, const std::string& text) : code(number), name(text) {
        const std::size_t split = text.find("___");
        parse(text.substr(0, split), 0);
        if (split != std::string::npos) parse(text.substr(split + 3), 1);
    }
    bool packed() const { return name.find("10") != std::string::npos && bytes[0] == 4; }

private:
    void parse(const std::string& text, int plane) {
        int bits = 0;
        std::vector<std::pair<int, int>> parts;  // component, bits
        static const std::string kNames = "RGBAYUVX";
        for (std::size_t i = 0; i < text.size(); ++i) {
            const std::size_t which = kNames.find(text[i]);
            if (which == std::string::npos) continue;
            parts.emplace_back(which == 7 ? 3 : static_cast<int>(which % 4),
                               std::stoi(text.substr(i + 1)));
        }
        for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
            const bool packed = plane == 0 && parts.size() > 1;
            const int container = part->second > 8 && !packed ? 16 : part->second;
            at[static_cast<std::size_t>(part->first)] = {plane, bits, container};
            bits += container;
            components = std::max(components, part->first + 1);
        }
        bytes[plane] = bits / 8;
    }
};

/// The names of all codes but those of integers and floats that share a layout with them.
inline const std::vector<NamedFormat>& named_formats() {
    static const std::vector<NamedFormat> kFormats = [] {
        const char* const names[36] = {
            "R8",           "R10",          "R12",          "R16",          "R16",
            "R16",          "A16B16G16R16", "X16B16G16R16", "A16B16G16R16", "A16Y16U16V16",
            "V16U16Y16A16", "A16Y16U16V16", "A8B8G8R8",     "A8R8G8B8",     "B8G8R8A8",
            "R8G8B8A8",     "X8B8G8R8",     "X8R8G8B8",     "B8G8R8X8",     "R8G8B8X8",
            "A2B10G10R10",  "A2R10G10B10",  "B10G10R10A2",  "R10G10B10A2",  "A2Y10U10V10",
            "V10U10Y10A2",  "A8Y8U8V8",     "V8U8Y8A8",     "Y8___U8V8",    "Y8___V8U8",
            "Y10___U10V10", "Y10___V10U10", "Y12___U12V12", "Y12___V12U12", "Y16___U16V16",
            "Y16___V16U16"};
        std::vector<NamedFormat> out;
        for (int code = 0; code < 36; ++code)
            out.emplace_back(code, names[code]);
        return out;
    }();
    return kFormats;
}

}  // namespace macrame::test
