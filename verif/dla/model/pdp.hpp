#pragma once
/// Golden model of PDP, int8: pooling of every channel on its own.
///
/// A layer that is processed in strips gives the same bytes as one that is not, so the model knows
/// no strips. Elements are in visit order: surface -> line -> column -> element of the atom.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "arithmetic.hpp"
#include "cube.hpp"
#include "unit.hpp"

namespace macrame::dla::model {

struct SdpLayer;

/// POOLING_METHOD.
enum PdpMethod { kPdpAverage = 0, kPdpMax = 1, kPdpMin = 2 };

/// Registers of a PDP layer as real numbers (sizes are NOT minus one here).
struct PdpLayer {
    int width = 1, height = 1, channels = 1;  ///< input
    int out_width = 1, out_height = 1;
    int method = kPdpAverage;
    bool flying = false;  ///< input from SDP, else from PDP_RDMA
    int kernel_width = 1, kernel_height = 1;
    int stride_x = 1, stride_y = 1;
    int pad_left = 0, pad_top = 0;
    std::uint32_t recip_width = 0, recip_height = 0;  ///< 17 bits, 1.0 = 0x10000
    std::array<std::int32_t, 8> pad{};                ///< [n]: what n padded columns add
    std::uint64_t dst_addr = 0;
    std::uint32_t line_stride = 0, surf_stride = 0;  ///< bytes
    std::uint32_t dst_ram_type = 1;                  ///< memory port
};

/// What a PDP layer writes: data holds atom_bytes elements for each of addrs.
struct PdpResult {
    std::vector<std::int8_t> data;
    std::vector<std::uint64_t> addrs;
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

/// The window of output (oh, ow) over one channel; at(y, x) is an input element.
template <typename At>
std::int8_t pdp_window(const PdpLayer& layer, int oh, int ow, At at) {
    const int top = oh * layer.stride_y - layer.pad_top;
    const int left = ow * layer.stride_x - layer.pad_left;
    const int y0 = std::max(top, 0), y1 = std::min(top + layer.kernel_height, layer.height);
    const int x0 = std::max(left, 0), x1 = std::min(left + layer.kernel_width, layer.width);
    if (layer.method != kPdpAverage) {
        int best = layer.method == kPdpMax ? -128 : 127;
        for (int y = y0; y < y1; ++y) {
            for (int x = x0; x < x1; ++x) {
                const int v = at(y, x);
                best = layer.method == kPdpMax ? std::max(best, v) : std::min(best, v);
            }
        }
        return static_cast<std::int8_t>(best);
    }
    const auto pad = [&](int n) {
        return n > 0 ? std::int64_t{layer.pad[static_cast<std::size_t>(std::min(n, 7))]} : 0;
    };
    std::int64_t sum = 0;
    for (int y = y0; y < y1; ++y) {
        std::int64_t row = 0;
        for (int x = x0; x < x1; ++x)
            row += at(y, x);
        sum += wrap(wrap(row, 11) + pad(layer.kernel_width - (x1 - x0)), 11);
    }
    sum = wrap(sum, 14);
    const std::int64_t missing = pad(layer.kernel_height - (y1 - y0));
    sum = wrap(sum + wrap(missing * layer.kernel_width, 14), 15);
    const std::int64_t half = pdp_scale(sum, layer.recip_width, 11, 30);
    return static_cast<std::int8_t>(pdp_scale(half, layer.recip_height, 8, 62));
}

/// Runs a layer over its input in visit order.
inline PdpResult pdp_layer(int atom_bytes, const PdpLayer& layer,
                           const std::vector<std::int8_t>& input) {
    PdpResult result;
    const auto size = [](int v) { return static_cast<std::size_t>(v); };
    const auto pool = [&](int s, int oh, int ow) {
        result.addrs.push_back(atom_address(atom_bytes, layer.dst_addr, layer.line_stride,
                                            layer.surf_stride, s, oh, ow));
        for (int e = 0; e < atom_bytes; ++e) {
            result.data.push_back(pdp_window(layer, oh, ow, [&](int y, int x) {
                const std::size_t atom =
                    (size(s) * size(layer.height) + size(y)) * size(layer.width) + size(x);
                return input[atom * size(atom_bytes) + size(e)];
            }));
        }
    };
    for_each_atom(atom_bytes, layer.out_width, layer.out_height, layer.channels, pool);
    return result;
}

/// PDP in the device.
class PdpUnit : public Unit {
public:
    using Unit::Unit;

    PdpLayer layer() const;
    /// Runs a layer with input from PDP_RDMA.
    bool step() override;

    /// Is a layer enabled that takes the output of this one?
    bool takes(const SdpLayer& sdp);
    /// Runs the layer on its input.
    void run(const std::vector<std::int8_t>& input);
};

}  // namespace macrame::dla::model
