#include "compiler/dla/registers.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <utility>

#include "compiler/dla/cbuf_plan.hpp"
#include "compiler/dla/register_writes.hpp"
#include "dla_regs.hpp"

namespace macrame::dla::compiler {

namespace {

namespace regs = dla_regs;

struct Size {
    int width, height, channels;
};

// ---------------------------------------------------------------- SDP

template <class Cfg, class AluCfg, class AluValue, class MulCfg, class MulValue>
void x_stage(Writes& w, const XRegisters& stage) {
    // Fields of BS and BN have the same places.
    const bool alu_mem = stage.memory && stage.memory->alu;
    const bool mul_mem = stage.memory && stage.memory->mul;
    w.put(Cfg((stage.bypass ? 1u : 0u) | (stage.alu_bypass ? 2u : 0u) |
              static_cast<std::uint32_t>(stage.function) << 2 | (stage.mul_bypass ? 0x10u : 0u) |
              (stage.prelu ? 0x20u : 0u) | (stage.relu ? 0u : 0x40u)));
    w.put(AluCfg((alu_mem ? 1u : 0u) | bits(stage.alu_shift) << 8));
    w.put(AluValue(half(stage.alu_value)));
    w.put(MulCfg((mul_mem ? 1u : 0u) | bits(stage.mul_shift) << 8));
    w.put(MulValue(half(stage.mul_value)));
}

void y_stage(Writes& w, const model::Architecture& sizes, const YRegisters& stage) {
    namespace r = regs::sdp;
    using Cfg = r::D_DP_EW_CFG;
    if (!sizes.sdp_ew || stage.bypass) {
        w.put(Cfg(0).EW_BYPASS(1).EW_ALU_BYPASS(1).EW_MUL_BYPASS(1).EW_LUT_BYPASS(1));
        return;
    }
    w.put(Cfg(0)
              .EW_ALU_BYPASS(stage.alu_bypass)
              .EW_ALU_ALGO(static_cast<std::uint32_t>(stage.function))
              .EW_MUL_BYPASS(stage.mul_bypass)
              .EW_LUT_BYPASS(!stage.lookup));
    const bool alu_mem = stage.memory && stage.memory->alu;
    const bool mul_mem = stage.memory && stage.memory->mul;
    w.put(r::D_DP_EW_ALU_CFG(0).EW_ALU_SRC(alu_mem).EW_ALU_CVT_BYPASS(!alu_mem));
    w.put(r::D_DP_EW_ALU_SRC_VALUE(bits(stage.alu_value)));
    if (alu_mem) {
        w.put(r::D_DP_EW_ALU_CVT_OFFSET_VALUE(bits(stage.alu_zero)));
        w.put(r::D_DP_EW_ALU_CVT_SCALE_VALUE(half(stage.alu_scale)));
        w.put(r::D_DP_EW_ALU_CVT_TRUNCATE_VALUE(bits(stage.alu_shift)));
    }
    w.put(r::D_DP_EW_MUL_CFG(0).EW_MUL_SRC(mul_mem).EW_MUL_CVT_BYPASS(stage.mul_zero == 0));
    w.put(r::D_DP_EW_MUL_CVT_OFFSET_VALUE(bits(stage.mul_zero)));
    w.put(r::D_DP_EW_MUL_CVT_SCALE_VALUE(1));
    w.put(r::D_DP_EW_MUL_CVT_TRUNCATE_VALUE(0));
    w.put(r::D_DP_EW_MUL_SRC_VALUE(bits(stage.mul_value)));
    w.put(r::D_DP_EW_TRUNCATE_VALUE(bits(stage.truncate)));
}

UnitProgram sdp(const model::Architecture& sizes, const PostProcess& post, Size size, bool flying,
                bool to_pdp) {
    namespace r = regs::sdp;
    Writes w(Unit::sdp);
    w.put(r::D_DATA_CUBE_WIDTH(minus1(size.width)));
    w.put(r::D_DATA_CUBE_HEIGHT(minus1(size.height)));
    w.put(r::D_DATA_CUBE_CHANNEL(minus1(size.channels)));
    w.put_address<r::D_DST_BASE_ADDR_HIGH, r::D_DST_BASE_ADDR_LOW>(post.output.place);
    w.put(r::D_DST_LINE_STRIDE(post.output.line_stride));
    w.put(r::D_DST_SURFACE_STRIDE(post.output.surface_stride));
    x_stage<r::D_DP_BS_CFG, r::D_DP_BS_ALU_CFG, r::D_DP_BS_ALU_SRC_VALUE, r::D_DP_BS_MUL_CFG,
            r::D_DP_BS_MUL_SRC_VALUE>(w, post.bs);
    x_stage<r::D_DP_BN_CFG, r::D_DP_BN_ALU_CFG, r::D_DP_BN_ALU_SRC_VALUE, r::D_DP_BN_MUL_CFG,
            r::D_DP_BN_MUL_SRC_VALUE>(w, post.bn);
    y_stage(w, sizes, post.ew);
    w.put(r::D_FEATURE_MODE_CFG(0).FLYING_MODE(flying).OUTPUT_DST(to_pdp));
    w.put(r::D_DST_DMA_CFG(kPrimary));
    w.put(r::D_DATA_FORMAT(0));
    w.put(r::D_CVT_OFFSET(bits(post.offset)));
    w.put(r::D_CVT_SCALE(half(post.scale)));
    w.put(r::D_CVT_SHIFT(bits(post.shift)));
    w.put(r::D_PERF_ENABLE(0));
    return w.take();
}

/// Set-up of the read channel of a stage.
template <class Cfg, class High, class Low, class Line, class Surface>
void operand_channel(Writes& w, const std::optional<Operands>& operands) {
    // Fields of BRDMA, NRDMA and ERDMA have the same places.
    if (!operands) {
        w.put(Cfg(1 | kPrimary << 5));
        return;
    }
    const std::uint32_t use = operands->alu && operands->mul ? 2 : operands->alu ? 1 : 0;
    w.put(Cfg(use << 1 | (operands->two_byte ? 8u : 0u) | (operands->per_element ? 0x10u : 0u) |
              kPrimary << 5));
    w.put_address<High, Low>(operands->place);
    w.put(Line(operands->line_stride));
    w.put(Surface(operands->surface_stride));
}

UnitProgram sdp_rdma(const model::Architecture& sizes, const PostProcess& post, Size size,
                     const Cube* source) {
    namespace r = regs::sdp_rdma;
    Writes w(Unit::sdp_rdma);
    w.put(r::D_DATA_CUBE_WIDTH(minus1(size.width)));
    w.put(r::D_DATA_CUBE_HEIGHT(minus1(size.height)));
    w.put(r::D_DATA_CUBE_CHANNEL(minus1(size.channels)));
    if (source != nullptr) {
        w.put_address<r::D_SRC_BASE_ADDR_HIGH, r::D_SRC_BASE_ADDR_LOW>(source->place);
        w.put(r::D_SRC_LINE_STRIDE(source->line_stride));
        w.put(r::D_SRC_SURFACE_STRIDE(source->surface_stride));
    }
    w.put(r::D_SRC_DMA_CFG(kPrimary));
    operand_channel<r::D_BRDMA_CFG, r::D_BS_BASE_ADDR_HIGH, r::D_BS_BASE_ADDR_LOW,
                    r::D_BS_LINE_STRIDE, r::D_BS_SURFACE_STRIDE>(w, post.bs.memory);
    operand_channel<r::D_NRDMA_CFG, r::D_BN_BASE_ADDR_HIGH, r::D_BN_BASE_ADDR_LOW,
                    r::D_BN_LINE_STRIDE, r::D_BN_SURFACE_STRIDE>(w, post.bn.memory);
    if (sizes.sdp_ew) {
        operand_channel<r::D_ERDMA_CFG, r::D_EW_BASE_ADDR_HIGH, r::D_EW_BASE_ADDR_LOW,
                        r::D_EW_LINE_STRIDE, r::D_EW_SURFACE_STRIDE>(w, post.ew.memory);
    } else {
        w.put(r::D_ERDMA_CFG(0).ERDMA_DISABLE(1));
    }
    w.put(r::D_FEATURE_MODE_CFG(0).FLYING_MODE(source == nullptr));
    w.put(r::D_PERF_ENABLE(0));
    return w.take();
}

// ---------------------------------------------------------------- PDP

UnitProgram pdp_unit(const PdpLayer& p, bool flying) {
    namespace r = regs::pdp;
    Writes w(Unit::pdp);
    w.put(r::D_DATA_CUBE_IN_WIDTH(minus1(p.input.width)));
    w.put(r::D_DATA_CUBE_IN_HEIGHT(minus1(p.input.height)));
    w.put(r::D_DATA_CUBE_IN_CHANNEL(minus1(p.input.channels)));
    w.put(r::D_DATA_CUBE_OUT_WIDTH(minus1(p.output.width)));
    w.put(r::D_DATA_CUBE_OUT_HEIGHT(minus1(p.output.height)));
    w.put(r::D_DATA_CUBE_OUT_CHANNEL(minus1(p.output.channels)));
    w.put(r::D_OPERATION_MODE_CFG(0).POOLING_METHOD(p.average ? 0 : 1).FLYING_MODE(!flying));
    w.put(r::D_PARTIAL_WIDTH_IN(0).PARTIAL_WIDTH_IN_FIRST(minus1(p.input.width) & 0x3FFu));
    w.put(r::D_PARTIAL_WIDTH_OUT(0).PARTIAL_WIDTH_OUT_FIRST(minus1(p.output.width) & 0x3FFu));
    w.put(r::D_POOLING_KERNEL_CFG(0)
              .KERNEL_WIDTH(minus1(p.kernel_w))
              .KERNEL_HEIGHT(minus1(p.kernel_h))
              .KERNEL_STRIDE_WIDTH(minus1(p.stride_w))
              .KERNEL_STRIDE_HEIGHT(minus1(p.stride_h)));
    w.put(r::D_RECIP_KERNEL_WIDTH(0x10000u / bits(p.kernel_w)));
    w.put(r::D_RECIP_KERNEL_HEIGHT(0x10000u / bits(p.kernel_h)));
    w.put(r::D_POOLING_PADDING_CFG(0)
              .PAD_LEFT(bits(p.left))
              .PAD_TOP(bits(p.top))
              .PAD_RIGHT(bits(p.right))
              .PAD_BOTTOM(bits(p.bottom)));
    if (!flying) {
        w.put_address<r::D_SRC_BASE_ADDR_HIGH, r::D_SRC_BASE_ADDR_LOW>(p.input.place);
        w.put(r::D_SRC_LINE_STRIDE(p.input.line_stride));
        w.put(r::D_SRC_SURFACE_STRIDE(p.input.surface_stride));
    }
    w.put_address<r::D_DST_BASE_ADDR_HIGH, r::D_DST_BASE_ADDR_LOW>(p.output.place);
    w.put(r::D_DST_LINE_STRIDE(p.output.line_stride));
    w.put(r::D_DST_SURFACE_STRIDE(p.output.surface_stride));
    w.put(r::D_DST_RAM_CFG(kPrimary));
    w.put(r::D_DATA_FORMAT(0));
    w.put(r::D_PERF_ENABLE(0));
    return w.take();
}

std::vector<UnitProgram> pdp(const PdpLayer& p) {
    namespace d = regs::pdp_rdma;
    Writes rdma(Unit::pdp_rdma);
    rdma.put(d::D_DATA_CUBE_IN_WIDTH(minus1(p.input.width)));
    rdma.put(d::D_DATA_CUBE_IN_HEIGHT(minus1(p.input.height)));
    rdma.put(d::D_DATA_CUBE_IN_CHANNEL(minus1(p.input.channels)));
    rdma.put(d::D_FLYING_MODE(1));
    rdma.put_address<d::D_SRC_BASE_ADDR_HIGH, d::D_SRC_BASE_ADDR_LOW>(p.input.place);
    rdma.put(d::D_SRC_LINE_STRIDE(p.input.line_stride));
    rdma.put(d::D_SRC_SURFACE_STRIDE(p.input.surface_stride));
    rdma.put(d::D_SRC_RAM_CFG(kPrimary));
    rdma.put(d::D_DATA_FORMAT(0));
    rdma.put(d::D_OPERATION_MODE_CFG(0));
    rdma.put(d::D_POOLING_KERNEL_CFG(0)
                 .KERNEL_WIDTH(minus1(p.kernel_w))
                 .KERNEL_STRIDE_WIDTH(minus1(p.stride_w)));
    rdma.put(d::D_POOLING_PADDING_CFG(0).PAD_WIDTH(bits(p.left)));
    rdma.put(d::D_PARTIAL_WIDTH_IN(0).PARTIAL_WIDTH_IN_FIRST(minus1(p.input.width) & 0x3FFu));
    rdma.put(d::D_PERF_ENABLE(0));
    return {pdp_unit(p, false), rdma.take()};
}

// ---------------------------------------------------------------- convolution

/// A convolution as its registers see it.
struct Geometry {
    int width, height, channels;  // of the input
    int weight_w, weight_channels;
    Place place;
    std::uint32_t line_stride, surface_stride;
    int format;
};

Geometry geometry(const ConvLayer& c) {
    if (const Pixels* p = std::get_if<Pixels>(&c.input)) {
        // A line of the kernel is one pixel of many channels.
        return {p->width,
                p->height,
                p->components,
                1,
                p->components * c.kernel_w,
                p->place,
                p->line_stride,
                0,
                pixel_format_code(p->components)};
    }
    const Cube& cube = std::get<Cube>(c.input);
    return {cube.width, cube.height,      cube.channels,       c.kernel_w, cube.channels,
            cube.place, cube.line_stride, cube.surface_stride, 0};
}

UnitProgram cacc(const ConvLayer& c) {
    namespace r = regs::cacc;
    Writes w(Unit::cacc);
    w.put(r::D_MISC_CFG(0));
    w.put(r::D_DATAOUT_SIZE_0(0).DATAOUT_WIDTH(minus1(c.out_w)).DATAOUT_HEIGHT(minus1(c.out_h)));
    w.put(r::D_DATAOUT_SIZE_1(0).DATAOUT_CHANNEL(minus1(c.kernels)));
    const Cube& out = c.post.output;
    w.put(r::D_DATAOUT_ADDR(0));
    w.put(r::D_BATCH_NUMBER(0));
    w.put(r::D_LINE_STRIDE(out.line_stride & 0xFFFFFFu));
    w.put(r::D_SURF_STRIDE(out.surface_stride & 0xFFFFFFu));
    const bool single = c.out_w == 1 && c.out_h == 1;
    w.put(r::D_DATAOUT_MAP(0).LINE_PACKED(single).SURF_PACKED(single));
    w.put(r::D_CLIP_CFG(0));
    return w.take();
}

template <class Misc>
UnitProgram cmac(Unit unit) {
    Writes w(unit);
    w.put(Misc(0));
    return w.take();
}

UnitProgram csc(const ConvLayer& c, const Geometry& g) {
    namespace r = regs::csc;
    Writes w(Unit::csc);
    w.put(r::D_MISC_CFG(0));
    w.put(r::D_DATAIN_FORMAT(0).DATAIN_FORMAT(c.is_image()));
    w.put(r::D_DATAIN_SIZE_EXT_0(0)
              .DATAIN_WIDTH_EXT(minus1(g.width))
              .DATAIN_HEIGHT_EXT(minus1(g.height)));
    w.put(r::D_DATAIN_SIZE_EXT_1(0).DATAIN_CHANNEL_EXT(minus1(g.channels)));
    w.put(r::D_BATCH_NUMBER(0));
    w.put(r::D_POST_Y_EXTENSION(0).Y_EXTENSION(bits(c.rows_per_step) / 2));
    w.put(r::D_ENTRY_PER_SLICE(0).ENTRIES(minus1(c.buffer.entries_per_slice)));
    w.put(r::D_WEIGHT_FORMAT(0).WEIGHT_FORMAT(c.masks.has_value()));
    w.put(r::D_WEIGHT_SIZE_EXT_0(0)
              .WEIGHT_WIDTH_EXT(minus1(g.weight_w))
              .WEIGHT_HEIGHT_EXT(minus1(c.kernel_h)));
    w.put(r::D_WEIGHT_SIZE_EXT_1(0)
              .WEIGHT_CHANNEL_EXT(minus1(g.weight_channels))
              .WEIGHT_KERNEL(minus1(c.kernels)));
    w.put(r::D_WEIGHT_BYTES(c.weight_bytes));
    w.put(r::D_WMB_BYTES(c.masks ? c.masks->bytes : 0));
    w.put(r::D_DATAOUT_SIZE_0(0).DATAOUT_WIDTH(minus1(c.out_w)).DATAOUT_HEIGHT(minus1(c.out_h)));
    w.put(r::D_DATAOUT_SIZE_1(0).DATAOUT_CHANNEL(minus1(c.kernels)));
    w.put(r::D_ATOMICS(0).ATOMICS(minus1(c.out_w * c.out_h)));
    w.put(r::D_RELEASE(0).RLS_SLICES(minus1(g.height)));
    w.put(r::D_CONV_STRIDE_EXT(0)
              .CONV_X_STRIDE_EXT(minus1(c.stride_w))
              .CONV_Y_STRIDE_EXT(minus1(c.stride_h)));
    w.put(r::D_DILATION_EXT(0)
              .X_DILATION_EXT(minus1(c.dilation_w))
              .Y_DILATION_EXT(minus1(c.dilation_h)));
    w.put(r::D_ZERO_PADDING(0).PAD_LEFT(bits(c.left)).PAD_TOP(bits(c.top)));
    w.put(r::D_ZERO_PADDING_VALUE(half(c.padding)));
    w.put(r::D_BANK(0)
              .DATA_BANK(minus1(c.buffer.data_banks))
              .WEIGHT_BANK(minus1(c.buffer.weight_banks)));
    w.put(r::D_PRA_CFG(0));
    return w.take();
}

UnitProgram cdma(const model::Architecture& sizes, const ConvLayer& c, const Geometry& g) {
    namespace r = regs::cdma;
    Writes w(Unit::cdma);
    w.put(r::D_MISC_CFG(0));
    w.put(r::D_DATAIN_FORMAT(0).DATAIN_FORMAT(c.is_image()).PIXEL_FORMAT(bits(g.format)));
    w.put(r::D_DATAIN_SIZE_0(0).DATAIN_WIDTH(minus1(g.width)).DATAIN_HEIGHT(minus1(g.height)));
    w.put(r::D_DATAIN_SIZE_1(0).DATAIN_CHANNEL(minus1(g.channels)));
    w.put(r::D_DATAIN_SIZE_EXT_0(0)
              .DATAIN_WIDTH_EXT(minus1(g.width))
              .DATAIN_HEIGHT_EXT(minus1(g.height)));
    w.put(r::D_PIXEL_OFFSET(0));
    w.put(r::D_DAIN_RAM_TYPE(kPrimary));
    w.put_address<r::D_DAIN_ADDR_HIGH_0, r::D_DAIN_ADDR_LOW_0>(g.place);
    w.put(r::D_LINE_STRIDE(g.line_stride));
    w.put(r::D_SURF_STRIDE(g.surface_stride));
    const std::uint32_t line_bytes = bits(g.width * sizes.atom_bytes);
    const bool line_packed = !c.is_image() && g.line_stride == line_bytes;
    const bool packed = line_packed && g.surface_stride == line_bytes * bits(g.height);
    w.put(r::D_DAIN_MAP(0).LINE_PACKED(line_packed).SURF_PACKED(packed));
    w.put(r::D_BATCH_NUMBER(0));
    w.put(r::D_BATCH_STRIDE(0));
    w.put(r::D_ENTRY_PER_SLICE(0).ENTRIES(minus1(c.buffer.entries_per_slice)));
    w.put(r::D_FETCH_GRAIN(0));
    w.put(r::D_WEIGHT_FORMAT(0).WEIGHT_FORMAT(c.masks.has_value()));
    w.put(
        r::D_WEIGHT_SIZE_0(0).BYTE_PER_KERNEL(minus1(g.weight_channels * g.weight_w * c.kernel_h)));
    w.put(r::D_WEIGHT_SIZE_1(0).WEIGHT_KERNEL(minus1(c.kernels)));
    w.put(r::D_WEIGHT_RAM_TYPE(kPrimary));
    w.put_address<r::D_WEIGHT_ADDR_HIGH, r::D_WEIGHT_ADDR_LOW>(c.weights);
    w.put(r::D_WEIGHT_BYTES(c.weight_bytes));
    if (c.masks) {
        w.put_address<r::D_WGS_ADDR_HIGH, r::D_WGS_ADDR_LOW>(c.masks->groups);
        w.put_address<r::D_WMB_ADDR_HIGH, r::D_WMB_ADDR_LOW>(c.masks->bits);
        w.put(r::D_WMB_BYTES(c.masks->bytes));
    }
    w.put(r::D_MEAN_FORMAT(0));
    w.put(r::D_CVT_CFG(0));
    w.put(r::D_CONV_STRIDE(0).CONV_X_STRIDE(minus1(c.stride_w)).CONV_Y_STRIDE(minus1(c.stride_h)));
    w.put(r::D_ZERO_PADDING(0)
              .PAD_LEFT(bits(c.left))
              .PAD_RIGHT(bits(c.right))
              .PAD_TOP(bits(c.top))
              .PAD_BOTTOM(bits(c.bottom)));
    w.put(r::D_ZERO_PADDING_VALUE(half(c.padding)));
    w.put(r::D_BANK(0)
              .DATA_BANK(minus1(c.buffer.data_banks))
              .WEIGHT_BANK(minus1(c.buffer.weight_banks)));
    w.put(r::D_NAN_FLUSH_TO_ZERO(0));
    w.put(r::D_PERF_ENABLE(0));
    return w.take();
}

// ---------------------------------------------------------------- RUBIK

UnitProgram rubik(const model::Architecture& sizes, const RubikLayer& layer) {
    namespace r = regs::rubik;
    const Cube &in = layer.input, &out = layer.output;
    const std::uint32_t surfaces = bits(div_up(out.channels, sizes.atom_bytes));
    Writes w(Unit::rubik);
    w.put(r::D_MISC_CFG(0));
    w.put(r::D_DAIN_RAM_TYPE(kPrimary));
    w.put(r::D_DATAIN_SIZE_0(0).DATAIN_WIDTH(minus1(in.width)).DATAIN_HEIGHT(minus1(in.height)));
    w.put(r::D_DATAIN_SIZE_1(minus1(in.channels)));
    w.put_address<r::D_DAIN_ADDR_HIGH, r::D_DAIN_ADDR_LOW>(in.place);
    w.put(r::D_DAIN_LINE_STRIDE(in.line_stride));
    w.put(r::D_DAIN_SURF_STRIDE(in.surface_stride));
    w.put(r::D_DAOUT_RAM_TYPE(kPrimary));
    w.put(r::D_DATAOUT_SIZE_1(minus1(out.channels)));
    w.put_address<r::D_DAOUT_ADDR_HIGH, r::D_DAOUT_ADDR_LOW>(out.place);
    w.put(r::D_DAOUT_LINE_STRIDE(out.line_stride));
    w.put(r::D_DAOUT_SURF_STRIDE(out.surface_stride));
    w.put(r::D_CONTRACT_STRIDE_0(surfaces * in.surface_stride));
    w.put(r::D_CONTRACT_STRIDE_1(bits(layer.stride_h) * out.line_stride));
    w.put(r::D_DECONV_STRIDE(0)
              .DECONV_X_STRIDE(minus1(layer.stride_w))
              .DECONV_Y_STRIDE(minus1(layer.stride_h)));
    w.put(r::D_PERF_ENABLE(0));
    return w.take();
}

bool reads_operands(const PostProcess& post) {
    return post.bs.memory || post.bn.memory || post.ew.memory;
}

std::vector<UnitProgram> conv(const model::Architecture& sizes, const ConvLayer& c) {
    const Geometry g = geometry(c);
    const Size size{c.out_w, c.out_h, c.kernels};
    std::vector<UnitProgram> units;
    if (c.pool) units.push_back(pdp_unit(*c.pool, true));
    if (reads_operands(c.post)) units.push_back(sdp_rdma(sizes, c.post, size, nullptr));
    units.push_back(sdp(sizes, c.post, size, true, c.pool.has_value()));
    units.push_back(cacc(c));
    units.push_back(cmac<regs::cmac_a::D_MISC_CFG>(Unit::cmac_a));
    units.push_back(cmac<regs::cmac_b::D_MISC_CFG>(Unit::cmac_b));
    units.push_back(csc(c, g));
    units.push_back(cdma(sizes, c, g));
    return units;
}

/// S_STATUS, S_POINTER and D_OP_ENABLE of a unit, in the order of Unit.
struct Controls {
    std::uint32_t status, pointer, enable;
};
#define CONTROLS(unit)                                                   \
    {                                                                    \
        regs::unit::S_STATUS::kAddress, regs::unit::S_POINTER::kAddress, \
            regs::unit::D_OP_ENABLE::kAddress                            \
    }
constexpr std::array<Controls, kUnits> kControls = {
    {CONTROLS(cdma), CONTROLS(csc), CONTROLS(cmac_a), CONTROLS(cmac_b), CONTROLS(cacc),
     CONTROLS(sdp_rdma), CONTROLS(sdp), CONTROLS(pdp_rdma), CONTROLS(pdp), CONTROLS(cdp_rdma),
     CONTROLS(cdp), CONTROLS(rubik), CONTROLS(row)}};
#undef CONTROLS

}  // namespace

std::vector<UnitProgram> unit_programs(const model::Architecture& sizes, const Layer& layer) {
    if (const ConvLayer* c = std::get_if<ConvLayer>(&layer.work)) return conv(sizes, *c);
    if (const PdpLayer* p = std::get_if<PdpLayer>(&layer.work)) return pdp(*p);
    if (const CdpLayer* p = std::get_if<CdpLayer>(&layer.work)) return cdp_programs(*p);
    if (const RubikLayer* r = std::get_if<RubikLayer>(&layer.work)) return {rubik(sizes, *r)};
    if (const RowLayer* r = std::get_if<RowLayer>(&layer.work)) return {row_program(*r)};
    const SdpLayer& s = std::get<SdpLayer>(layer.work);
    const Size size{s.input.width, s.input.height, s.input.channels};
    return {sdp(sizes, s.post, size, false, false), sdp_rdma(sizes, s.post, size, &s.input)};
}

std::uint32_t status_register(Unit unit) {
    return kControls[static_cast<std::size_t>(unit)].status;
}

std::uint32_t pointer_register(Unit unit) {
    return kControls[static_cast<std::size_t>(unit)].pointer;
}

std::uint32_t enable_register(Unit unit) {
    return kControls[static_cast<std::size_t>(unit)].enable;
}

std::vector<Unit> done_units(const Layer& layer) {
    if (std::holds_alternative<PdpLayer>(layer.work)) return {Unit::pdp};
    if (std::holds_alternative<CdpLayer>(layer.work)) return {Unit::cdp};
    if (std::holds_alternative<RubikLayer>(layer.work)) return {Unit::rubik};
    if (std::holds_alternative<RowLayer>(layer.work)) return {Unit::row};
    const ConvLayer* conv = std::get_if<ConvLayer>(&layer.work);
    if (conv != nullptr && conv->pool) return {Unit::sdp, Unit::pdp};
    return {Unit::sdp};
}

int done_interrupt(Unit unit) {
    switch (unit) {
        case Unit::cdp:
            return 2;
        case Unit::pdp:
            return 4;
        case Unit::rubik:
            return 8;
        case Unit::row:
            return 10;
        default:
            return 0;
    }
}

}  // namespace macrame::dla::compiler
