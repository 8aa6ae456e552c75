#pragma once
/// Golden model of PDP: pooling of every channel on its own.
///
/// The windows of a strip see its columns only: strips that follow from the geometry give the same
/// bytes as a layer without. Elements are in visit order: surface -> line -> column -> element of
/// the atom, each column once.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "arithmetic.hpp"
#include "cube.hpp"
#include "elements.hpp"
#include "float.hpp"
#include "pdp_rdma.hpp"
#include "unit.hpp"

namespace macrame::dla::model {

struct SdpLayer;

/// POOLING_METHOD; 3 acts as 1.
enum PdpMethod { kPdpAverage = 0, kPdpMax = 1, kPdpMin = 2 };

/// Output columns of a strip for which the line buffer has room (NVDLA PDP line buffer): 128 atoms,
/// of which each row that is open at a time takes a share.
inline int pdp_line_limit(int kernel_height, int stride_y) {
    const int open = (kernel_height + stride_y - 1) / stride_y;
    return open == 1 ? 128 : open == 2 ? 64 : open <= 4 ? 32 : 16;
}

/// Registers of a PDP layer as real numbers (sizes are NOT minus one here).
struct PdpLayer {
    int width = 1, height = 1, channels = 1;  ///< input
    int out_width = 1, out_height = 1;
    Precision precision = Precision::int8;
    bool types16 = false;            ///< a machine with 16-bit types
    bool nan_to_zero = false;        ///< of fp16 input from PDP_RDMA
    std::vector<PdpColumns> strips;  ///< input columns as they are read; empty: all of them, once
    std::vector<PdpColumns> out_strips;  ///< output columns of the same strips
    int method = kPdpAverage;
    bool flying = false;  ///< input from SDP, else from PDP_RDMA
    int kernel_width = 1, kernel_height = 1;
    int stride_x = 1, stride_y = 1;
    int pad_left = 0, pad_top = 0;
    std::uint32_t recip_width = 0, recip_height = 0;  ///< 17 bits, 1.0 = 0x10000; or fp17
    std::array<std::int32_t, 8> pad{};                ///< [n]: what n padded columns add; or fp17
    std::uint64_t dst_addr = 0;
    std::uint32_t line_stride = 0, surf_stride = 0;  ///< bytes
    std::uint32_t dst_ram_type = 1;                  ///< memory port
};

/// Special numbers of an fp16 layer; columns that two strips read count twice.
struct PdpCounts {
    std::uint32_t inf_in = 0, nan_in = 0, nan_out = 0;
};

/// What a PDP layer writes: data holds atom_bytes bytes for each of addrs.
struct PdpResult {
    std::vector<std::int8_t> data;
    std::vector<std::uint64_t> addrs;
    PdpCounts counts;
};

/// v * recip / 65536, rounded half away from zero, wrapped to `bits` bits. The product counts as
/// negative if bit `sign_bit` of it is 1; others lose bit bits-1 before the rounding.
inline std::int64_t pdp_scale(std::int64_t v, std::uint32_t recip, int bits, int sign_bit) {
    const std::int64_t p = v * static_cast<std::int64_t>(recip & 0x1FFFFu);
    const std::int64_t floor = p >> 16;
    if (((p >> sign_bit) & 1) != 0) return wrap(floor + ((p & 0xFFFF) > 0x8000 ? 1 : 0), bits);
    const std::int64_t low = floor & ((std::int64_t{1} << (bits - 1)) - 1);
    return wrap(low + ((p >> 15) & 1), bits);
}

inline std::vector<PdpColumns> pdp_out_strips(const PdpLayer& layer) {
    if (layer.out_strips.empty()) return {{0, layer.out_width}};
    return layer.out_strips;
}

/// The part of a window that lies in the cube and in its strip, in lines and columns of the input.
struct PdpWindow {
    int y0 = 0, y1 = 0, x0 = 0, x1 = 0;

    PdpWindow(const PdpLayer& layer, int oh, int ow) {
        PdpColumns in{0, layer.width};
        int first = 0;  // output column of the strip
        for (std::size_t i = 0; i < layer.out_strips.size(); ++i) {
            if (layer.out_strips[i].begin > ow) break;
            in = layer.strips[i];
            first = layer.out_strips[i].begin;
        }
        const int top = oh * layer.stride_y - layer.pad_top;
        const int left =
            in.begin + (ow - first) * layer.stride_x - (first == 0 ? layer.pad_left : 0);
        y0 = std::max(top, 0), y1 = std::min(top + layer.kernel_height, layer.height);
        x0 = std::max(left, in.begin);
        x1 = std::min(left + layer.kernel_width, in.begin + in.count);
    }
};

/// What `n` missing columns or lines add.
inline std::int32_t pdp_pad(const PdpLayer& layer, int n) {
    return layer.pad[static_cast<std::size_t>(std::min(n, 7))];
}

/// The average of a window of integers; all sums wrap.
template <typename At>
std::int64_t pdp_average(const PdpLayer& layer, const PdpWindow& window, At at) {
    struct Bits {
        int row, sum, padded, half, out, sign;
    };
    const Bits bits = layer.precision == Precision::int16 ? Bits{22, 22, 22, 19, 16, 62}
                      : layer.types16                     ? Bits{11, 14, 14, 11, 8, 62}
                                                          : Bits{11, 14, 15, 11, 8, 30};
    const int columns = layer.kernel_width - (window.x1 - window.x0);
    const int lines = layer.kernel_height - (window.y1 - window.y0);
    const auto pad = [&](int n) { return n > 0 ? std::int64_t{pdp_pad(layer, n)} : 0; };
    std::int64_t sum = 0;
    for (int y = window.y0; y < window.y1; ++y) {
        std::int64_t row = 0;
        for (int x = window.x0; x < window.x1; ++x)
            row += at(y, x);
        sum += wrap(row + pad(columns), bits.row);
    }
    sum = wrap(sum, bits.sum);
    sum = wrap(sum + wrap(pad(lines) * layer.kernel_width, bits.sum), bits.padded);
    const std::int64_t half = pdp_scale(sum, layer.recip_width, bits.half, bits.sign);
    return pdp_scale(half, layer.recip_height, bits.out, 62);
}

/// The same of fp16, in fp17.
template <typename At>
std::int64_t pdp_average_float(const PdpLayer& layer, const PdpWindow& window, At at) {
    constexpr std::uint32_t kBits = 0x1FFFF;
    const auto element = [&](int y, int x) {
        return widen<Fp16, Fp17>(static_cast<std::uint32_t>(at(y, x)));
    };
    const auto pad = [&](int n) { return static_cast<std::uint32_t>(pdp_pad(layer, n)) & kBits; };
    const int columns = layer.kernel_width - (window.x1 - window.x0);
    const int lines = layer.kernel_height - (window.y1 - window.y0);
    std::uint32_t sum = 0;
    for (int y = window.y0; y < window.y1 && window.x0 < window.x1; ++y) {
        std::uint32_t row = element(y, window.x0);
        for (int x = window.x0 + 1; x < window.x1; ++x)
            row = Fp17::add(row, element(y, x));
        if (columns > 0) row = Fp17::add(row, pad(columns));
        sum = y == window.y0 ? row : Fp17::add(row, sum);
    }
    if (lines > 0) {
        const std::uint32_t width = Fp17::from_int(layer.kernel_width);
        sum = Fp17::add(sum, Fp17::mul(pad(lines), width));
    }
    const std::uint32_t half = Fp17::mul(sum, layer.recip_width & kBits);
    return narrow<Fp17, Fp16>(Fp17::mul(half, layer.recip_height & kBits));
}

/// The first of two elements, or the second one if that is larger (smaller).
inline std::int64_t pdp_choose(const PdpLayer& layer, std::int64_t first, std::int64_t second) {
    const bool most = layer.method != kPdpMin;
    if (layer.precision == Precision::fp16) {
        const auto a = static_cast<std::uint32_t>(first), b = static_cast<std::uint32_t>(second);
        return most ? Fp16::max(a, b) : Fp16::min(a, b);
    }
    return most ? std::max(first, second) : std::min(first, second);
}

/// The window of output (oh, ow) over one channel; at(y, x) is an input element.
template <typename At>
std::int64_t pdp_window(const PdpLayer& layer, int oh, int ow, At at) {
    const PdpWindow window(layer, oh, ow);
    if (layer.method == kPdpAverage) {
        return layer.precision == Precision::fp16 ? pdp_average_float(layer, window, at)
                                                  : pdp_average(layer, window, at);
    }
    std::int64_t best = 0;
    for (int y = window.y0; y < window.y1 && window.x0 < window.x1; ++y) {
        std::int64_t row = at(y, window.x0);
        for (int x = window.x0 + 1; x < window.x1; ++x)
            row = pdp_choose(layer, row, at(y, x));
        best = y == window.y0 ? row : pdp_choose(layer, row, best);
    }
    return best;
}

/// How often a column of the input is read.
inline std::uint32_t pdp_reads(const PdpLayer& layer, int column) {
    if (layer.strips.empty()) return 1;
    const auto reads = std::count_if(layer.strips.begin(), layer.strips.end(), [&](PdpColumns s) {
        return column >= s.begin && column < s.begin + s.count;
    });
    return static_cast<std::uint32_t>(reads);
}

/// Runs a layer over its input in visit order, bytes as in memory.
inline PdpResult pdp_layer(int atom_bytes, const PdpLayer& layer,
                           const std::vector<std::int8_t>& input) {
    PdpResult result;
    const auto size = [](int v) { return static_cast<std::size_t>(v); };
    const Precision precision = layer.precision;
    const int bytes = bytes_of(precision), elements = atom_bytes / bytes;
    std::vector<std::int32_t> cube(input.size() / size(bytes));
    for (std::size_t i = 0; i < cube.size(); ++i) {
        std::int32_t& v = cube[i];
        v = element_at(precision, input, i);
        if (precision != Precision::fp16) continue;
        const auto pattern = static_cast<std::uint32_t>(v);
        const std::uint32_t reads =
            pdp_reads(layer, static_cast<int>(i / size(elements) % size(layer.width)));
        result.counts.inf_in += Fp16::is_inf(pattern) ? reads : 0;
        result.counts.nan_in += Fp16::is_nan(pattern) ? reads : 0;
        if (layer.nan_to_zero && !layer.flying && Fp16::is_nan(pattern)) v = 0;
    }
    const auto pool = [&](int s, int oh, int ow) {
        result.addrs.push_back(atom_address(atom_bytes, layer.dst_addr, layer.line_stride,
                                            layer.surf_stride, s, oh, ow));
        for (int e = 0; e < elements; ++e) {
            const auto at = [&](int y, int x) {
                const std::size_t atom =
                    (size(s) * size(layer.height) + size(y)) * size(layer.width) + size(x);
                return cube[atom * size(elements) + size(e)];
            };
            const auto value = static_cast<std::int32_t>(pdp_window(layer, oh, ow, at));
            add_element(precision, result.data, value);
            if (precision == Precision::fp16 && Fp16::is_nan(static_cast<std::uint32_t>(value)))
                ++result.counts.nan_out;
        }
    };
    for_each_atom(elements, layer.out_width, layer.out_height, layer.channels, pool);
    return result;
}

/// What the design does not compute: windows without an element, strips without a column, lines
/// beyond its line buffer, where it does something else. Empty: nothing of that.
std::string pdp_objection(const PdpLayer& layer);

/// PDP in the device.
class PdpUnit : public Unit {
public:
    using Unit::Unit;

    PdpLayer layer() const;
    /// Input from SDP.
    bool flying() const;
    /// Runs a layer with input from PDP_RDMA.
    bool step() override;

    /// Is a layer enabled that takes the output of this one?
    bool takes(const SdpLayer& sdp);
    /// Runs the layer on its input.
    void run(const std::vector<std::int8_t>& input);

private:
    void read_strips(PdpLayer& out) const;
    bool can(const PdpLayer& layer);
    bool agrees(const PdpLayer& layer, const PdpRdmaLayer& rdma);
};

}  // namespace macrame::dla::model
