#pragma once
/// A program of one convolution as a driver writes it: data and weights in memory, registers of the
/// units, and what must be in memory behind it. Only for tests of the golden model.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "verif/common/memory.hpp"
#include "verif/common/random.hpp"
#include "verif/dla/model/device.hpp"
#include "verif/dla/model/float.hpp"
#include "verif/dla/test/naive_conv.hpp"

namespace macrame::test {

struct ConvProgram {
    NaiveConv c;
    int format = 12, x_offset = 0;
    // Behind another layer.
    int group = 0;                                  ///< register group
    bool data_reuse = false, weight_reuse = false;  ///< of all that the layer before has left
    bool skip_data = false, skip_weight = false;    ///< leaves all for the next layer

    struct Banks {
        int data = 1, weights = 1;
    };
    Banks banks;  ///< at least what load() finds

    struct Special {
        std::uint32_t nan = 0, inf = 0;
    };
    Special data_counts, weight_counts;
    std::uint32_t saturated = 0;  ///< results

    const NamedFormat& pixels() const { return named_formats()[static_cast<std::size_t>(format)]; }
    std::string text() const;

    /// Does the buffer hold the data and the weights of a kernel group?
    bool fits(const dla::model::Architecture& sizes) const;
    /// Puts data and weights into memory and lays out everything else.
    void load(verif::Random& rnd, const dla::model::Architecture& sizes, verif::Memory& memory);
    void write_registers(dla::model::Device& device) const;
    void check_output(const verif::Memory& memory);
    void check_counters(dla::model::Device& device) const;
    /// Masks of weights go round in their bank.
    bool masks_wrap(const dla::model::Architecture& sizes) const {
        return static_cast<int>(mask_bytes_) > sizes.cbuf_depth * sizes.entry_bytes;
    }
    /// Weights go round in their region: behind the layer not all of them are in the buffer.
    bool weights_wrap(const dla::model::Architecture& sizes) const {
        return static_cast<int>(weight_bytes_) >
               banks.weights * sizes.cbuf_depth * sizes.entry_bytes;
    }

private:
    static constexpr std::uint32_t kIn = 0x100000, kPlane = 0x800000, kWeights = 0x1000000,
                                   kMasks = 0x1800000, kOut = 0x2000000;

    static int ceil_div(int a, int b) { return (a + b - 1) / b; }
    static std::uint32_t u32(int v) { return static_cast<std::uint32_t>(v); }
    static std::uint32_t precision(Precision p) { return static_cast<std::uint32_t>(p); }
    static std::uint32_t round_up(std::size_t bytes) {
        return static_cast<std::uint32_t>(std::max<std::size_t>((bytes + 127) / 128, 1) * 128);
    }
    /// Little-endian number.
    static void store(verif::Memory& memory, std::uint64_t addr, int bytes, std::uint32_t value) {
        for (int b = 0; b < bytes; ++b)
            memory.write(addr + u32(b), static_cast<std::uint8_t>(value >> 8 * b));
    }
    void load_cubes(verif::Random& rnd, verif::Memory& memory);
    void load_pixels(verif::Memory& memory);
    void load_weights(verif::Memory& memory);
    int slice_entries(const dla::model::Architecture& sizes) const;
    Banks least_banks(const dla::model::Architecture& sizes) const;
    void count(int element, Special& into) const;
    void write_cdma(dla::model::Device& device) const;
    void write_csc(dla::model::Device& device) const;
    void write_sdp(dla::model::Device& device) const;

    int in_bytes() const { return c.in == Precision::int8 ? 1 : 2; }

    // strides
    int line_ = 0, surface_ = 0, cube_ = 0, uv_line_ = 0;
    int out_line_ = 0, out_surface_ = 0, out_cube_ = 0;
    int entries_ = 1;
    std::uint32_t weight_bytes_ = 0, mask_bytes_ = 0;
};

inline std::string ConvProgram::text() const {
    const auto n = [](int v) { return std::to_string(v) + " "; };
    return n(static_cast<int>(c.mode)) + n(c.width) + n(c.height) + n(c.channels) + "kernels " +
           n(c.kernels) + n(c.s) + n(c.r) + "stride " + n(c.sx) + n(c.sy) + "dilation " + n(c.dx) +
           n(c.dy) + "pad " + n(c.left) + n(c.right) + n(c.top) + n(c.bottom) + "batches " +
           n(c.batches) + "rows " + n(c.rows_together) + "truncate " + n(c.truncate) +
           (c.compressed ? "compressed " : "") + (c.cvt ? "converted " : "") +
           (c.nan_to_zero ? "flushed" : "");
}

inline void ConvProgram::count(int element, Special& into) const {
    into.nan += NaiveConv::is_nan(element) ? 1u : 0u;
    into.inf += NaiveConv::is_inf(element) ? 1u : 0u;
}

/// Entries of a line: whole ones for full blocks of channels, shared ones for the rest.
inline int ConvProgram::slice_entries(const dla::model::Architecture& sizes) const {
    const int q = sizes.entry_bytes / sizes.atom_bytes;
    if (c.winograd()) {
        return c.extended_width() / 4 * (c.kernel_channels() * c.element_bytes() / 32);
    }
    if (c.image()) {
        return ceil_div((c.left + c.width + c.right) * c.channels * c.element_bytes(),
                        sizes.entry_bytes);
    }
    const int atoms = ceil_div(c.channels * c.element_bytes(), sizes.atom_bytes);
    const int rest = atoms % q;
    const int shared = rest == 0             ? 0
                       : q == 4 && rest == 1 ? ceil_div(c.width, 4)
                       : 2 * rest <= q       ? ceil_div(c.width, 2)
                                             : c.width;
    return atoms / q * c.width + shared;
}

/// Channels that the last atom has too much hold anything but NaN.
inline void ConvProgram::load_cubes(verif::Random& rnd, verif::Memory& memory) {
    const int each = c.atom_bytes / in_bytes();
    const int surfaces = ceil_div(c.channels, each);
    line_ = (c.width + rnd.in(0, 2)) * c.atom_bytes;
    surface_ = line_ * c.height + rnd.in(0, 2) * c.atom_bytes;
    cube_ = surface_ * surfaces + rnd.in(0, 2) * c.atom_bytes;
    for (int b = 0; b < c.batches; ++b) {
        for (int s = 0; s < surfaces; ++s) {
            for (int i = 0; i < c.height * c.width * each; ++i) {
                const int y = i / each / c.width, x = i / each % c.width;
                const int channel = s * each + i % each;
                const int element =
                    channel < c.channels ? c.pixel(b, y, x, channel) : rnd.in(0, 0x7800);
                store(memory,
                      kIn + u32(b * cube_ + s * surface_ + y * line_ + x * c.atom_bytes +
                                i % each * in_bytes()),
                      in_bytes(), u32(element));
                if (c.in == Precision::fp16) count(element, data_counts);
            }
        }
    }
}

inline void ConvProgram::load_pixels(verif::Memory& memory) {
    const int* bytes = pixels().bytes;
    const int offsets[2] = {x_offset, bytes[1] == 0 ? 0 : x_offset % (c.atom_bytes / bytes[1])};
    const auto whole = [&](int pixel) {
        return ceil_div((x_offset + c.width) * pixel, c.atom_bytes) * c.atom_bytes;
    };
    line_ = whole(bytes[0]);
    uv_line_ = whole(bytes[1]) + c.atom_bytes;
    for (int i = 0; i < c.height * c.width; ++i) {
        const int y = i / c.width, x = i % c.width;
        std::uint64_t words[2] = {0, 0};
        for (int k = 0; k < c.channels; ++k) {
            const NamedFormat::Component& at = pixels().at[static_cast<std::size_t>(k)];
            const int value = c.pixel(0, y, x, k);
            const std::uint32_t field = u32(pixels().packed() ? value >> (16 - at.bits) : value);
            words[at.plane] |= std::uint64_t{field & ((std::uint64_t{1} << at.bits) - 1)} << at.bit;
            if (c.in == Precision::fp16) count(value, data_counts);
        }
        const std::uint32_t base[2] = {kIn + u32(y * line_), kPlane + u32(y * uv_line_)};
        for (int p = 0; p < 2; ++p) {
            for (int b = 0; b < bytes[p]; ++b) {
                memory.write(base[p] + u32((offsets[p] + x) * bytes[p] + b),
                             static_cast<std::uint8_t>(words[p] >> 8 * b));
            }
        }
    }
}

inline void ConvProgram::load_weights(verif::Memory& memory) {
    const std::vector<int> stream = c.stream();
    std::vector<std::uint8_t> masks((stream.size() + 7) / 8);
    std::uint32_t at = 0;
    for (std::size_t i = 0; i < stream.size(); ++i) {
        if (c.compressed && stream[i] == 0) continue;
        masks[i / 8] = static_cast<std::uint8_t>(masks[i / 8] | 1 << i % 8);
        store(memory, kWeights + at, c.element_bytes(), u32(stream[i]));
        at += u32(c.element_bytes());
        if (c.proc == Precision::fp16) count(stream[i], weight_counts);
    }
    memory.fill(kWeights + at, 128, 0);  // up to WEIGHT_BYTES
    weight_bytes_ = round_up(at);
    if (!c.compressed) return;
    memory.load(kMasks, masks);
    mask_bytes_ = round_up(masks.size());
}

inline ConvProgram::Banks ConvProgram::least_banks(const dla::model::Architecture& sizes) const {
    const int lines = c.winograd() ? c.extended_height() : c.height;
    // A kernel group and its neighbours' shares of the first and last entry; the end of the layer.
    const int bytes = std::min(c.group, c.kernels) * c.kernel_weights() * c.element_bytes();
    return {ceil_div(slice_entries(sizes) * lines * c.batches, sizes.cbuf_depth),
            ceil_div(bytes + 2 * sizes.entry_bytes + 128, sizes.cbuf_depth * sizes.entry_bytes)};
}

inline bool ConvProgram::fits(const dla::model::Architecture& sizes) const {
    const Banks least = least_banks(sizes);
    const int masks = ceil_div(std::min(c.group, c.kernels) * c.kernel_weights(), 8);
    return least.data + least.weights < sizes.cbuf_banks &&
           masks + 2 * sizes.entry_bytes <= sizes.cbuf_depth * sizes.entry_bytes;
}

inline void ConvProgram::load(verif::Random& rnd, const dla::model::Architecture& sizes,
                              verif::Memory& memory) {
    data_counts = weight_counts = {};
    if (c.image())
        load_pixels(memory);
    else
        load_cubes(rnd, memory);
    load_weights(memory);
    // What is reused is not read again.
    if (data_reuse) {
        memory.fill(kIn, kWeights - kIn, 0xA5);
        data_counts = {};
    }
    if (weight_reuse) {
        memory.fill(kWeights, kOut - kWeights, 0xA5);
        weight_counts = {};
    }
    entries_ = slice_entries(sizes);
    const Banks least = least_banks(sizes);
    banks.data = std::max(banks.data, least.data);
    banks.weights = std::max(banks.weights, least.weights);
    if (skip_weight) {
        const int bank = sizes.cbuf_depth * sizes.entry_bytes;
        banks.weights = std::max(banks.weights, ceil_div(static_cast<int>(weight_bytes_), bank));
    }
    ASSERT_LT(banks.data + banks.weights, sizes.cbuf_banks);
    const int columns = c.out_width(), each = c.atom_bytes / 2;
    out_line_ = columns * c.atom_bytes;
    out_surface_ = out_line_ * c.out_height();
    out_cube_ = out_surface_ * (ceil_div(c.kernels, each) + 1);
}

inline void ConvProgram::write_cdma(dla::model::Device& device) const {
    namespace r = dla_regs::cdma;
    const auto put = [&](auto reg) { device.csb_write(decltype(reg)::kAddress, reg.raw); };
    put(r::D_MISC_CFG()
            .CONV_MODE(c.winograd() ? 1 : 0)
            .IN_PRECISION(precision(c.in))
            .PROC_PRECISION(precision(c.proc))
            .DATA_REUSE(data_reuse ? 1 : 0)
            .WEIGHT_REUSE(weight_reuse ? 1 : 0)
            .SKIP_DATA_RLS(skip_data ? 1 : 0)
            .SKIP_WEIGHT_RLS(skip_weight ? 1 : 0));
    put(r::D_DATAIN_FORMAT()
            .DATAIN_FORMAT(c.image() ? 1 : 0)
            .PIXEL_FORMAT(u32(format))
            .PIXEL_SIGN_OVERRIDE(c.has_sign ? 1 : 0));
    put(r::D_DATAIN_SIZE_0().DATAIN_WIDTH(u32(c.width - 1)).DATAIN_HEIGHT(u32(c.height - 1)));
    put(r::D_DATAIN_SIZE_1().DATAIN_CHANNEL(u32(c.channels - 1)));
    if (c.winograd()) {
        put(r::D_DATAIN_SIZE_EXT_0()
                .DATAIN_WIDTH_EXT(u32(c.extended_width() - 1))
                .DATAIN_HEIGHT_EXT(u32(c.extended_height() - 1)));
    }
    put(r::D_PIXEL_OFFSET().PIXEL_X_OFFSET(u32(x_offset)));
    put(r::D_DAIN_RAM_TYPE(1));
    put(r::D_DAIN_ADDR_LOW_0(kIn));
    put(r::D_DAIN_ADDR_LOW_1(kPlane));
    put(r::D_LINE_STRIDE(u32(line_)));
    put(r::D_LINE_UV_STRIDE(u32(uv_line_)));
    put(r::D_SURF_STRIDE(u32(surface_)));
    put(r::D_BATCH_NUMBER(u32(c.batches - 1)));
    put(r::D_BATCH_STRIDE(u32(cube_)));
    put(r::D_ENTRY_PER_SLICE(u32(entries_ - 1)));
    put(r::D_WEIGHT_FORMAT(c.compressed ? 1 : 0));
    put(r::D_WEIGHT_SIZE_0(u32(c.kernel_weights() * c.element_bytes() - 1)));
    put(r::D_WEIGHT_SIZE_1(u32(c.kernels - 1)));
    put(r::D_WEIGHT_RAM_TYPE(1));
    put(r::D_WEIGHT_ADDR_LOW(kWeights));
    put(r::D_WEIGHT_BYTES(weight_bytes_));
    put(r::D_WMB_ADDR_LOW(kMasks));
    put(r::D_WMB_BYTES(mask_bytes_));
    put(r::D_MEAN_FORMAT(c.mean_on ? 1 : 0));
    put(r::D_MEAN_GLOBAL_0().MEAN_RY(u32(c.mean[0]) & 0xFFFF).MEAN_GU(u32(c.mean[1]) & 0xFFFF));
    put(r::D_MEAN_GLOBAL_1().MEAN_BV(u32(c.mean[2]) & 0xFFFF).MEAN_AX(u32(c.mean[3]) & 0xFFFF));
    put(r::D_CVT_CFG().CVT_EN(c.cvt ? 1 : 0).CVT_TRUNCATE(u32(c.shift)));
    put(r::D_CVT_OFFSET(u32(c.offset) & 0xFFFF));
    put(r::D_CVT_SCALE(u32(c.scale) & 0xFFFF));
    put(r::D_CONV_STRIDE().CONV_X_STRIDE(u32(c.sx - 1)).CONV_Y_STRIDE(u32(c.sy - 1)));
    put(r::D_ZERO_PADDING()
            .PAD_LEFT(u32(c.left))
            .PAD_RIGHT(u32(c.right))
            .PAD_TOP(u32(c.top))
            .PAD_BOTTOM(u32(c.bottom)));
    put(r::D_ZERO_PADDING_VALUE(u32(c.cdma_pad) & 0xFFFF));
    put(r::D_BANK().DATA_BANK(u32(banks.data - 1)).WEIGHT_BANK(u32(banks.weights - 1)));
    put(r::D_NAN_FLUSH_TO_ZERO(c.nan_to_zero ? 1 : 0));
}

inline void ConvProgram::write_csc(dla::model::Device& device) const {
    namespace r = dla_regs::csc;
    const auto put = [&](auto reg) { device.csb_write(decltype(reg)::kAddress, reg.raw); };
    const bool w = c.winograd();
    const int width = w ? c.extended_width() : c.width;
    const int height = w ? c.extended_height() : c.height;
    put(r::D_MISC_CFG()
            .CONV_MODE(w ? 1 : 0)
            .IN_PRECISION(precision(c.proc))
            .PROC_PRECISION(precision(c.proc))
            .DATA_REUSE(data_reuse ? 1 : 0)
            .WEIGHT_REUSE(weight_reuse ? 1 : 0)
            .SKIP_DATA_RLS(skip_data ? 1 : 0)
            .SKIP_WEIGHT_RLS(skip_weight ? 1 : 0));
    put(r::D_DATAIN_FORMAT(c.image() ? 1 : 0));
    put(r::D_DATAIN_SIZE_EXT_0()
            .DATAIN_WIDTH_EXT(u32(width - 1))
            .DATAIN_HEIGHT_EXT(u32(height - 1)));
    put(r::D_DATAIN_SIZE_EXT_1().DATAIN_CHANNEL_EXT(
        u32((w ? c.kernel_channels() : c.channels) - 1)));
    put(r::D_BATCH_NUMBER(u32(c.batches - 1)));
    put(r::D_POST_Y_EXTENSION(u32(c.rows_together / 2)));
    put(r::D_ENTRY_PER_SLICE(u32(entries_ - 1)));
    put(r::D_WEIGHT_FORMAT(c.compressed ? 1 : 0));
    put(r::D_WEIGHT_SIZE_EXT_0()
            .WEIGHT_WIDTH_EXT(u32(c.kernel_columns() - 1))
            .WEIGHT_HEIGHT_EXT(u32(c.kernel_rows() - 1)));
    put(r::D_WEIGHT_SIZE_EXT_1()
            .WEIGHT_CHANNEL_EXT(u32(c.kernel_channels() - 1))
            .WEIGHT_KERNEL(u32(c.kernels - 1)));
    put(r::D_WEIGHT_BYTES(weight_bytes_));
    put(r::D_WMB_BYTES(mask_bytes_));
    put(r::D_DATAOUT_SIZE_0()
            .DATAOUT_WIDTH(u32(c.out_width() - 1))
            .DATAOUT_HEIGHT(u32(c.out_height() - 1)));
    put(r::D_DATAOUT_SIZE_1(u32(c.kernels - 1)));
    put(r::D_ATOMICS(u32(c.out_width() * c.out_height() - 1)));
    put(r::D_RELEASE(u32(height - 1)));
    put(r::D_CONV_STRIDE_EXT()
            .CONV_X_STRIDE_EXT(u32(w ? 0 : c.sx - 1))
            .CONV_Y_STRIDE_EXT(u32(w ? 0 : c.sy - 1)));
    put(r::D_DILATION_EXT().X_DILATION_EXT(u32(c.dx - 1)).Y_DILATION_EXT(u32(c.dy - 1)));
    put(r::D_ZERO_PADDING().PAD_LEFT(u32(w ? 0 : c.left)).PAD_TOP(u32(w ? 0 : c.top)));
    put(r::D_ZERO_PADDING_VALUE(u32(c.csc_pad) & 0xFFFF));
    put(r::D_BANK().DATA_BANK(u32(banks.data - 1)).WEIGHT_BANK(u32(banks.weights - 1)));
    put(r::D_PRA_CFG(u32(c.pra_truncate)));
}

/// SDP hands words on: saturated to 16 bits, fp32 as fp16.
inline void ConvProgram::write_sdp(dla::model::Device& device) const {
    namespace r = dla_regs::sdp;
    const auto put = [&](auto reg) { device.csb_write(decltype(reg)::kAddress, reg.raw); };
    put(r::D_DATA_CUBE_WIDTH(u32(c.out_width() - 1)));
    put(r::D_DATA_CUBE_HEIGHT(u32(c.out_height() - 1)));
    put(r::D_DATA_CUBE_CHANNEL(u32(c.kernels - 1)));
    put(r::D_DST_BASE_ADDR_LOW(kOut));
    put(r::D_DST_LINE_STRIDE(u32(out_line_)));
    put(r::D_DST_SURFACE_STRIDE(u32(out_surface_)));
    put(r::D_DST_BATCH_STRIDE(u32(out_cube_)));
    put(r::D_DP_BS_CFG(1));
    put(r::D_DP_BN_CFG(1));
    put(r::D_DP_EW_CFG(1));
    put(r::D_FEATURE_MODE_CFG(1).WINOGRAD(c.winograd() ? 1 : 0).BATCH_NUMBER(u32(c.batches - 1)));
    put(r::D_DST_DMA_CFG(1));
    put(r::D_DATA_FORMAT()
            .PROC_PRECISION(precision(c.proc))
            .OUT_PRECISION(c.proc == Precision::fp16 ? 2 : 1));
    put(r::D_CVT_SCALE(1));
}

inline void ConvProgram::write_registers(dla::model::Device& device) const {
    const auto put = [&](auto reg) { device.csb_write(decltype(reg)::kAddress, reg.raw); };
    put(dla_regs::cdma::S_POINTER(u32(group)));
    put(dla_regs::csc::S_POINTER(u32(group)));
    put(dla_regs::cmac_a::S_POINTER(u32(group)));
    put(dla_regs::cmac_b::S_POINTER(u32(group)));
    put(dla_regs::cacc::S_POINTER(u32(group)));
    put(dla_regs::sdp::S_POINTER(u32(group)));
    write_cdma(device);
    write_csc(device);
    const std::uint32_t mode = c.winograd() ? 1 : 0;
    put(dla_regs::cmac_a::D_MISC_CFG().CONV_MODE(mode).PROC_PRECISION(precision(c.proc)));
    put(dla_regs::cmac_b::D_MISC_CFG().CONV_MODE(mode).PROC_PRECISION(precision(c.proc)));
    put(dla_regs::cacc::D_MISC_CFG().CONV_MODE(mode).PROC_PRECISION(precision(c.proc)));
    put(dla_regs::cacc::D_CLIP_CFG(u32(c.truncate)));
    write_sdp(device);
    put(dla_regs::sdp::D_OP_ENABLE(1));
    put(dla_regs::cacc::D_OP_ENABLE(1));
    put(dla_regs::cmac_a::D_OP_ENABLE(1));
    put(dla_regs::cmac_b::D_OP_ENABLE(1));
    put(dla_regs::csc::D_OP_ENABLE(1));
    put(dla_regs::cdma::D_OP_ENABLE(1));
}

inline void ConvProgram::check_output(const verif::Memory& memory) {
    saturated = 0;
    using dla::model::Fp16;
    using dla::model::Fp32;
    const int each = c.atom_bytes / 2, columns = c.out_width();
    for (int i = 0; i < c.batches * c.kernels * c.out_height() * columns; ++i) {
        const int x = i % columns, y = i / columns % c.out_height();
        const int k = i / columns / c.out_height() % c.kernels;
        const int b = i / columns / c.out_height() / c.kernels;
        const NaiveConv::Word word = c.output(b, k, y, x);
        saturated += word.saturated ? 1 : 0;
        const int want = c.proc == Precision::fp16
                             ? static_cast<int>(dla::model::narrow<Fp32, Fp16>(
                                   static_cast<std::uint32_t>(word.value)))
                             : std::clamp(word.value, -32768, 32767) & 0xFFFF;
        const std::uint64_t at = kOut + u32(b * out_cube_ + k / each * out_surface_ +
                                            y * out_line_ + x * c.atom_bytes + k % each * 2);
        ASSERT_EQ(memory.peek(at) | memory.peek(at + 1) << 8, want)
            << "batch " << b << " kernel " << k << " line " << y << " column " << x;
    }
}

inline void ConvProgram::check_counters(dla::model::Device& device) const {
    const auto value = [&](std::uint32_t addr) { return device.csb_read(addr); };
    namespace r = dla_regs::cdma;
    EXPECT_EQ(value(r::D_NAN_INPUT_DATA_NUM::kAddress), data_counts.nan);
    EXPECT_EQ(value(r::D_INF_INPUT_DATA_NUM::kAddress), data_counts.inf);
    EXPECT_EQ(value(r::D_NAN_INPUT_WEIGHT_NUM::kAddress), weight_counts.nan);
    EXPECT_EQ(value(r::D_INF_INPUT_WEIGHT_NUM::kAddress), weight_counts.inf);
    EXPECT_EQ(value(dla_regs::cacc::D_OUT_SATURATION::kAddress), saturated);
}

}  // namespace macrame::test
