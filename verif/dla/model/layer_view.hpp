#pragma once
/// What the registers of a layer mean, for its rules: sizes as numbers (not minus one), stages,
/// operand streams. Part of the layer checker.

#include <cstdint>
#include <string>

#include "image.hpp"
#include "layer_checker.hpp"

namespace macrame::dla::model::rules {

namespace bdma = dla_regs::bdma;
namespace cacc = dla_regs::cacc;
namespace cdma = dla_regs::cdma;
namespace cdp = dla_regs::cdp;
namespace cdp_rdma = dla_regs::cdp_rdma;
namespace cmac_a = dla_regs::cmac_a;
namespace cmac_b = dla_regs::cmac_b;
namespace csc = dla_regs::csc;
namespace pdp = dla_regs::pdp;
namespace pdp_rdma = dla_regs::pdp_rdma;
namespace rdma = dla_regs::sdp_rdma;
namespace row = dla_regs::row;
namespace rubik = dla_regs::rubik;
namespace sdp = dla_regs::sdp;

using S = const Architecture&;
using L = const LayerRegisters&;

inline std::int64_t plus1(std::uint32_t field) { return std::int64_t{field} + 1; }
inline std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }
inline std::int64_t round_up(std::int64_t a, std::int64_t b) { return ceil_div(a, b) * b; }

struct Cube {
    std::int64_t width = 0, height = 0, channels = 0;
    int bytes = 1;           ///< of an element of the type whose surfaces the units count
    std::int64_t parts = 1;  ///< atoms of a pixel of such a surface in memory

    bool operator==(const Cube& o) const {
        return width == o.width && height == o.height && channels == o.channels;
    }
    bool single() const { return width == 1 && height == 1; }
    /// In memory.
    std::int64_t surfaces(S s) const { return ceil_div(channels * bytes, s.atom_bytes) * parts; }
    std::string text() const;  ///< "5 x 4 x 12"
};

/// Bytes of an element of the type in a field, if the configuration has types of 16 bits.
inline int bytes_of_field(L l, std::uint32_t field) { return bytes_of(l.sizes.precision(field)); }

Cube sdp_cube(L l);   ///< sizes alone, of the type that computes
Cube rdma_cube(L l);  ///< the same
Cube sdp_out(L l);    ///< as it is written
Cube rdma_in(L l);    ///< as it is read
Cube pdp_in(L l);
Cube pdp_out(L l);
Cube pdp_rdma_in(L l);
Cube cdp_cube(L l);

/// A convolution.
struct Conv {
    explicit Conv(L l);

    /// Entries of the convolution buffer that a line takes (NVDLA CBUF entries).
    std::int64_t entries_per_slice(S s) const;
    /// Kernels of a group, as many as an atom has elements.
    std::int64_t group_kernels(S s) const;
    /// Weights of a whole kernel group.
    std::int64_t group_bytes(S s) const;
    /// Weights that must be in the buffer at once: a kernel group and 128 bytes, or all. Of
    /// compressed weights no register tells it.
    std::int64_t least_weight_bytes(S s) const;
    /// The pixels, as a configuration with or without types of 16 bits knows them.
    PixelFormat format(S s) const { return pixel_format(static_cast<int>(code), s.types16()); }
    bool two_planes(S s) const { return pixels && format(s).bytes[1] != 0; }
    /// Type of the components of a format: IN_PRECISION.
    std::uint32_t pixel_type(S s) const;

    // Winograd: the input by strides and padding extended, whose strides become channels.
    std::int64_t atom_channels(S s) const { return s.atom_bytes / bytes; }
    std::int64_t extended_channels(S s) const {
        return round_up(fetched.channels, atom_channels(s)) * fetch_stride_x * fetch_stride_y;
    }

    bool pixels = false, winograd = false, compressed = false;
    int bytes = 1;  ///< of an element that is computed
    std::int64_t batches = 1;
    std::int64_t fetch_stride_x = 1, fetch_stride_y = 1;       ///< of CDMA
    std::int64_t extended_width = 1, extended_height = 1;      ///< of CDMA
    std::uint32_t code = 0;                                    ///< PIXEL_FORMAT
    Cube fetched;                                              ///< by CDMA
    Cube in, out;                                              ///< of CSC
    std::int64_t taps_x = 0, taps_y = 0, weight_channels = 0;  ///< of a kernel, as in CSC
    std::int64_t kernels = 0, kernel_bytes = 0;
    /// Of a kernel on the input, with dilation. In images the line of a kernel lies in its
    /// channels (pre-extension), and this is its real width.
    std::int64_t window_x = 0, window_y = 0;
    std::int64_t stride_x = 0, stride_y = 0;
    std::int64_t left = 0, right = 0, top = 0, bottom = 0;
    std::int64_t data_banks = 0, weight_banks = 0;
};

bool is_conv(L l);
bool is_feature(L l);
bool is_image(L l);
bool is_winograd(L l);
bool is_batch(L l);
bool is_compressed(L l);

/// What the layer is for the weight book of the original hardware.
WeightUse weight_use(S s, L l);

/// The lines kept of the layer before stay in front of those of this one (NVDLA data and weight
/// reuse).
bool lines_join(L l);
/// They are the whole input: CDMA fetches none.
bool data_kept(L l);

/// What an SDP stage does, and with operands from where.
struct Stage {
    bool active = false, alu = false, mul = false;
    bool alu_memory = false, mul_memory = false;

    bool memory() const { return alu_memory || mul_memory; }
    /// DATA_USE of its read channel.
    std::uint32_t data_use() const { return alu_memory && mul_memory ? 2u : alu_memory ? 1u : 0u; }
};
Stage bs_stage(L l);
Stage bn_stage(L l);
Stage ew_stage(L l);
bool compares(L l);   ///< EQL: nothing is written
bool uses_lut(L l);   ///< of SDP
bool to_memory(L l);  ///< SDP writes
bool offline(L l);    ///< SDP_RDMA reads the cube, too

/// Operand stream as SDP_RDMA is told to fetch it.
struct Stream {
    bool on = false;
    std::uint32_t use = 0;  ///< DATA_USE
    bool per_element = false;
    bool two_byte = false;
    std::int64_t record = 1;  ///< bytes per element
};
Stream bs_stream(L l);
Stream bn_stream(L l);
Stream ew_stream(L l);

/// A pooling layer.
struct Pool {
    explicit Pool(L l);

    /// Output columns that the line buffer holds (NVDLA PDP line buffer).
    std::int64_t max_width() const;

    Cube in, out;
    std::int64_t kw = 1, kh = 1, sx = 1, sy = 1, left = 0, right = 0, top = 0, bottom = 0;
    std::uint32_t method = 0;  ///< 0 average, 1 max, 2 min
    bool flying = false;       ///< behind SDP
    std::int64_t strips = 1;
    std::int64_t in_first = 1, in_mid = 1, in_last = 1, out_first = 1, out_mid = 1, out_last = 1;
};

/// The value added for `n` padded positions.
std::int64_t pad_value(L l, std::uint32_t n);

}  // namespace macrame::dla::model::rules
