/// Registers of a convolution layer, from CACC back to CDMA.

#include <algorithm>

#include "dla_regs.hpp"
#include "random_conv.hpp"

namespace macrame::dla::stimulus {

namespace {

namespace regs = dla_regs;

std::uint32_t conv_code(Precision type) { return static_cast<std::uint32_t>(type); }

void cacc_registers(ProgramBuilder& b, const Conv& c) {
    namespace r = regs::cacc;
    b.put(r::D_MISC_CFG(0).CONV_MODE(c.winograd).PROC_PRECISION(conv_code(c.type)));
    b.put(r::D_DATAOUT_SIZE_0(0)
              .DATAOUT_WIDTH(minus1(c.out_width))
              .DATAOUT_HEIGHT(minus1(c.out_height)));
    b.put(r::D_DATAOUT_SIZE_1(0).DATAOUT_CHANNEL(minus1(c.kernels)));
    const Cube& out = b.output();
    b.put(r::D_DATAOUT_ADDR(static_cast<std::uint32_t>(out.base)));
    b.put(r::D_BATCH_NUMBER(minus1(c.batches)));
    b.put(r::D_LINE_STRIDE(out.line_stride & 0xFFFFFFu));
    b.put(r::D_SURF_STRIDE(out.surface_stride & 0xFFFFFFu));
    const std::uint32_t single = c.out_width == 1 && c.out_height == 1 ? 1 : 0;
    b.put(r::D_DATAOUT_MAP(0).LINE_PACKED(single).SURF_PACKED(single));
    b.put(r::D_CLIP_CFG(0).CLIP_TRUNCATE(static_cast<std::uint32_t>(c.truncate)));
    b.put(regs::cmac_a::D_MISC_CFG(0).CONV_MODE(c.winograd).PROC_PRECISION(conv_code(c.type)));
    b.put(regs::cmac_b::D_MISC_CFG(0).CONV_MODE(c.winograd).PROC_PRECISION(conv_code(c.type)));
}

template <class Misc>
Misc misc(const Conv& c, Precision in) {
    return Misc(0)
        .CONV_MODE(c.winograd)
        .IN_PRECISION(conv_code(in))
        .PROC_PRECISION(conv_code(c.type))
        .DATA_REUSE(c.data_reuse)
        .WEIGHT_REUSE(c.weight_reuse)
        .SKIP_DATA_RLS(c.skip_data)
        .SKIP_WEIGHT_RLS(c.skip_weight);
}

/// Returns the padding value; CDMA gets the same.
std::uint32_t csc_registers(ProgramBuilder& b, const Conv& c) {
    namespace r = regs::csc;
    b.put(misc<r::D_MISC_CFG>(c, c.type));
    b.put(r::D_DATAIN_FORMAT(0).DATAIN_FORMAT(c.is_image ? 1 : 0));
    b.put(r::D_DATAIN_SIZE_EXT_0(0)
              .DATAIN_WIDTH_EXT(minus1(c.width))
              .DATAIN_HEIGHT_EXT(minus1(c.height)));
    b.put(r::D_DATAIN_SIZE_EXT_1(0).DATAIN_CHANNEL_EXT(minus1(c.channels)));
    b.put(r::D_BATCH_NUMBER(minus1(c.batches)));
    b.put(r::D_POST_Y_EXTENSION(0).Y_EXTENSION(static_cast<std::uint32_t>(c.rows_per_step) / 2));
    b.put(r::D_ENTRY_PER_SLICE(0).ENTRIES(minus1(entries(b, c))));
    b.put(r::D_WEIGHT_FORMAT(0).WEIGHT_FORMAT(c.compressed));
    const int columns = c.is_image ? 1 : c.s;  // those of an image are channels
    b.put(
        r::D_WEIGHT_SIZE_EXT_0(0).WEIGHT_WIDTH_EXT(minus1(columns)).WEIGHT_HEIGHT_EXT(minus1(c.r)));
    b.put(r::D_WEIGHT_SIZE_EXT_1(0)
              .WEIGHT_CHANNEL_EXT(minus1(c.channels * c.s / columns))
              .WEIGHT_KERNEL(minus1(c.kernels)));
    b.put(r::D_WEIGHT_BYTES(c.weight_bytes));
    b.put(r::D_WMB_BYTES(c.mask_bytes));
    b.put(r::D_DATAOUT_SIZE_0(0)
              .DATAOUT_WIDTH(minus1(c.out_width))
              .DATAOUT_HEIGHT(minus1(c.out_height)));
    b.put(r::D_DATAOUT_SIZE_1(0).DATAOUT_CHANNEL(minus1(c.kernels)));
    b.put(r::D_ATOMICS(0).ATOMICS(minus1(c.out_width * c.out_height)));
    b.put(r::D_RELEASE(0).RLS_SLICES(minus1(c.release)));
    // Winograd has its strides and its padding in the extended plane.
    b.put(r::D_CONV_STRIDE_EXT(0)
              .CONV_X_STRIDE_EXT(c.winograd ? 0 : minus1(c.sx))
              .CONV_Y_STRIDE_EXT(c.winograd ? 0 : minus1(c.sy)));
    b.put(r::D_DILATION_EXT(0).X_DILATION_EXT(minus1(c.dx)).Y_DILATION_EXT(minus1(c.dy)));
    b.put(r::D_ZERO_PADDING(0)
              .PAD_LEFT(static_cast<std::uint32_t>(c.winograd ? 0 : c.pl))
              .PAD_TOP(static_cast<std::uint32_t>(c.winograd ? 0 : c.pt)));
    const std::uint32_t pad_value = b.options.plain       ? 0
                                    : c.sums              ? static_cast<std::uint16_t>(c.sum_data)
                                    : c.deep              ? b.random.chance(50) ? 0xFF80u : 0x7Fu
                                    : b.random.chance(40) ? 0
                                                          : b.any_word(c.type);
    b.put(r::D_ZERO_PADDING_VALUE(pad_value));
    b.put(r::D_BANK(0).DATA_BANK(minus1(c.data_banks)).WEIGHT_BANK(minus1(c.weight_banks)));
    b.put(r::D_PRA_CFG(c.winograd && !b.options.plain ? b.random.word() & 3u : 0u));
    return pad_value;
}

/// What is fetched, and from where.
void cdma_input(ProgramBuilder& b, const Conv& c, const Cube& input) {
    namespace r = regs::cdma;
    b.put(r::D_DATAIN_FORMAT(0)
              .DATAIN_FORMAT(c.is_image ? 1 : 0)
              .PIXEL_FORMAT(static_cast<std::uint32_t>(c.image.format))
              .PIXEL_SIGN_OVERRIDE(c.image.is_signed ? 1 : 0));
    Cube fetched{c.width, c.new_lines, c.channels};
    if (c.winograd) fetched = {c.raw_width, c.raw_height, c.raw_channels};
    b.put(r::D_DATAIN_SIZE_0(0)
              .DATAIN_WIDTH(minus1(fetched.width))
              .DATAIN_HEIGHT(minus1(fetched.height)));
    b.put(r::D_DATAIN_SIZE_1(0).DATAIN_CHANNEL(minus1(fetched.channels)));
    b.put(r::D_DATAIN_SIZE_EXT_0(0)
              .DATAIN_WIDTH_EXT(minus1(c.width))
              .DATAIN_HEIGHT_EXT(minus1(c.height)));
    b.put(r::D_PIXEL_OFFSET(0).PIXEL_X_OFFSET(static_cast<std::uint32_t>(c.image.x_offset)));
    b.put(r::D_DAIN_RAM_TYPE(b.ram_type(input.base)));
    b.put(r::D_DAIN_ADDR_HIGH_0(high_of(input.base)));
    b.put(r::D_DAIN_ADDR_LOW_0(low_of(input.base)));
    b.put(r::D_DAIN_ADDR_HIGH_1(high_of(c.image.addr_1)));
    b.put(r::D_DAIN_ADDR_LOW_1(low_of(c.image.addr_1)));
    b.put(r::D_LINE_UV_STRIDE(c.image.uv_stride));
    b.put(r::D_LINE_STRIDE(input.line_stride));
    b.put(r::D_SURF_STRIDE(input.surface_stride));
    const std::uint32_t line_bytes = static_cast<std::uint32_t>(fetched.width * b.sizes.atom_bytes);
    const bool line_packed = !c.is_image && input.line_stride == line_bytes;
    const bool surface_packed =
        line_packed &&
        input.surface_stride == line_bytes * static_cast<std::uint32_t>(input.height);
    b.put(r::D_DAIN_MAP(0).LINE_PACKED(line_packed).SURF_PACKED(surface_packed));
    b.put(r::D_BATCH_NUMBER(minus1(c.batches)));
    b.put(r::D_BATCH_STRIDE(input.batch_stride));
    b.put(r::D_ENTRY_PER_SLICE(0).ENTRIES(minus1(entries(b, c))));
    const int grains =
        std::min(fetched.height, c.data_banks * b.sizes.cbuf_depth / entries(b, c) / c.batches);
    b.put(r::D_FETCH_GRAIN(0).GRAINS(
        minus1(b.options.plain || b.random.chance(50) ? 1 : b.random.in(1, std::max(grains, 1)))));
}

void cdma_weights(ProgramBuilder& b, const Conv& c, const WeightPlaces& places) {
    namespace r = regs::cdma;
    b.put(r::D_WEIGHT_FORMAT(0).WEIGHT_FORMAT(c.compressed));
    b.put(r::D_WEIGHT_SIZE_0(0).BYTE_PER_KERNEL(minus1(c.channels * c.s * c.r * c.bytes())));
    b.put(r::D_WEIGHT_SIZE_1(0).WEIGHT_KERNEL(minus1(c.kernels)));
    b.put(r::D_WEIGHT_RAM_TYPE(b.ram_type(places.weights)));
    b.put(r::D_WEIGHT_ADDR_HIGH(high_of(places.weights)));
    b.put(r::D_WEIGHT_ADDR_LOW(low_of(places.weights)));
    b.put(r::D_WEIGHT_BYTES(c.weight_bytes));
    if (!c.compressed) return;
    b.put(r::D_WGS_ADDR_HIGH(high_of(places.group_sizes)));
    b.put(r::D_WGS_ADDR_LOW(low_of(places.group_sizes)));
    b.put(r::D_WMB_ADDR_HIGH(high_of(places.masks)));
    b.put(r::D_WMB_ADDR_LOW(low_of(places.masks)));
    b.put(r::D_WMB_BYTES(c.mask_bytes));
}

/// Mean and convertor of the input.
void cdma_convertor(ProgramBuilder& b, const Conv& c) {
    namespace r = regs::cdma;
    if (b.options.plain) {
        b.put(r::D_CVT_CFG(0));
        return;
    }
    // Without pixels the means mean nothing.
    b.put(r::D_MEAN_FORMAT(b.random.chance(50) ? 1 : 0));
    const auto mean = [&] {
        return b.random.chance(30) ? b.random.word() & 0xFFFFu
                                   : static_cast<std::uint32_t>(b.random.in(-200, 200)) & 0xFFFFu;
    };
    const std::uint32_t means[4] = {mean(), mean(), mean(), mean()};
    b.put(r::D_MEAN_GLOBAL_0(means[0] | means[1] << 16));
    b.put(r::D_MEAN_GLOBAL_1(means[2] | means[3] << 16));
    b.put(r::D_CVT_CFG(0)
              .CVT_EN(c.convertor.on)
              .CVT_TRUNCATE(static_cast<std::uint32_t>(c.convertor.shift)));
    b.put(r::D_CVT_OFFSET(c.convertor.offset & 0xFFFFu));
    b.put(r::D_CVT_SCALE(c.convertor.scale & 0xFFFFu));
}

void cdma_registers(ProgramBuilder& b, const Conv& c, const Cube& input,
                    const WeightPlaces& weights, std::uint32_t pad_value) {
    namespace r = regs::cdma;
    b.put(misc<r::D_MISC_CFG>(c, c.in));
    cdma_input(b, c, input);
    cdma_weights(b, c, weights);
    cdma_convertor(b, c);
    b.put(r::D_CONV_STRIDE(0).CONV_X_STRIDE(minus1(c.sx)).CONV_Y_STRIDE(minus1(c.sy)));
    b.put(r::D_ZERO_PADDING(0)
              .PAD_LEFT(static_cast<std::uint32_t>(c.pl))
              .PAD_RIGHT(static_cast<std::uint32_t>(c.pr))
              .PAD_TOP(static_cast<std::uint32_t>(c.pt))
              .PAD_BOTTOM(static_cast<std::uint32_t>(c.pb)));
    if (c.is_image) {
        pad_value = b.sizes.types16() ? static_cast<std::uint16_t>(c.image.pad_value)
                                      : static_cast<std::uint8_t>(c.image.pad_value);
    }
    b.put(r::D_ZERO_PADDING_VALUE(pad_value));
    b.put(r::D_BANK(0).DATA_BANK(minus1(c.data_banks)).WEIGHT_BANK(minus1(c.weight_banks)));
    if (b.options.plain) return;
    b.put(r::D_NAN_FLUSH_TO_ZERO(c.type == Precision::fp16 ? b.random.word() & 1u : 0u));
    b.put(r::D_PERF_ENABLE(b.random.chance(30) ? 1 : 0));
}

}  // namespace

void conv_registers(ProgramBuilder& b, const Conv& c, const Cube& input,
                    const WeightPlaces& weights) {
    cacc_registers(b, c);
    const std::uint32_t pad_value = csc_registers(b, c);
    cdma_registers(b, c, input, weights, pad_value);
}

}  // namespace macrame::dla::stimulus
