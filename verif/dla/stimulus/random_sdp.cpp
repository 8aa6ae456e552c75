#include "random_sdp.hpp"

#include "dla_regs.hpp"
#include "random_pdp.hpp"

namespace macrame::dla::stimulus {

namespace {

namespace regs = dla_regs;

/// A stage: its registers and the set-up of its read channel.
struct Stage {
    std::uint32_t cfg = 1;  // bypass
    std::uint32_t alu_cfg = 0, alu_value = 0, mul_cfg = 0, mul_value = 0;
    std::uint32_t dma_cfg = 0x21;  // disabled
    Cube operands;
    bool memory = false;
    bool eql = false;  // compare mode: nothing is written
    std::string text;
};

struct Stages {
    Stage bs, bn, ew;
};

/// Operands of a stage in memory and its read channel.
void choose_operands(ProgramBuilder& b, Stage& st, bool alu_mem, bool mul_mem, const Cube& in) {
    const bool wide = in.type != Precision::int8;
    const bool two = b.random.chance(50) || wide, element = b.random.chance(50);
    const std::uint32_t use = alu_mem && mul_mem ? 2 : alu_mem ? 1 : 0;
    st.dma_cfg = use << 1 | (two ? 8u : 0u) | (element ? 0x10u : 0u) | 0x20u;
    const int record = b.sizes.elements(in.type) * (two ? 2 : 1) * (use == 2 ? 2 : 1);
    st.text += std::string(two ? " 2B" : " 1B") + (element ? " per element" : " per kernel");
    st.operands = Cube{element ? in.width : 1, element ? in.height : 1, in.channels};
    st.operands.type = in.type;
    b.set_strides(st.operands, record);
    st.operands.base = b.load_cube(st.operands, record, b.any_noise());
    if (b.ram_type(st.operands.base) == 0) st.dma_cfg &= ~0x20u;
}

Stage choose_stage(ProgramBuilder& b, bool present, const Cube& in) {
    Stage st;
    if (!present || b.random.chance(30)) return st;
    const bool alu = b.random.chance(70), mul = b.random.chance(60);
    const bool prelu = mul && b.random.chance(30), relu = b.random.chance(40);
    const int algo = b.random.in(0, in.type == Precision::fp16 ? 3 : 2);
    st.cfg = (alu ? 0u : 2u) | static_cast<std::uint32_t>(algo) << 2 | (mul ? 0u : 0x10u) |
             (prelu ? 0x20u : 0u) | (relu ? 0u : 0x40u);
    const bool alu_mem = alu && b.random.chance(50), mul_mem = mul && b.random.chance(50);
    const int alu_shift = b.random.chance(60) ? b.random.low(0, 10) : b.random.in(0, 63);
    const int mul_shift =
        !mul && b.random.chance(60) ? 0 : b.random.low(0, b.random.chance(10) ? 255 : 20);
    st.alu_cfg = (alu_mem ? 1u : 0u) | static_cast<std::uint32_t>(alu_shift) << 8;
    st.mul_cfg = (mul_mem ? 1u : 0u) | static_cast<std::uint32_t>(mul_shift) << 8;
    st.alu_value = b.any_word(in.type);
    st.mul_value = b.any_word(in.type);
    st.memory = alu_mem || mul_mem;
    st.text = std::string(alu ? (alu_mem ? " alu.mem" : " alu.reg") : "") +
              (mul ? (mul_mem ? " mul.mem" : " mul.reg") : "") + (prelu ? " prelu" : "") +
              (relu ? " relu" : "");
    if (st.memory) choose_operands(b, st, alu_mem, mul_mem, in);
    return st;
}

/// The Y stage. Its registers beyond those of a Stage are written by ew_registers().
Stage choose_ew(ProgramBuilder& b, const Cube& in, bool compares) {
    Stage st;
    if (!b.sizes.sdp_ew || b.random.chance(30)) return st;
    const bool alu = b.random.chance(60);
    const int algo = b.random.chance(10) && compares ? 3 : b.random.in(0, 2);
    st.eql = alu && algo == 3;  // comes alone
    const bool mul = !st.eql && b.random.chance(50);
    const bool prelu = mul && b.random.chance(30);
    const bool lut = !st.eql && b.sizes.sdp_lut && b.random.chance(60);
    st.cfg = (alu ? 0u : 2u) | static_cast<std::uint32_t>(algo) << 2 | (mul ? 0u : 0x10u) |
             (prelu ? 0x20u : 0u) | (lut ? 0u : 0x40u);
    const bool alu_mem = alu && b.random.chance(50), mul_mem = mul && b.random.chance(50);
    st.alu_cfg = (alu_mem ? 1u : 0u) | (b.random.chance(50) ? 2u : 0u);
    st.mul_cfg = (mul_mem ? 1u : 0u) | (b.random.chance(50) ? 2u : 0u);
    const int small = b.random.in(0, 24);
    const auto value = [&] {
        if (in.type == Precision::fp16) return b.any_float();
        return static_cast<std::uint32_t>(static_cast<std::int32_t>(b.random.word()) >> small);
    };
    st.alu_value = value();
    st.mul_value = value();
    st.memory = alu_mem || mul_mem;
    st.text = std::string(alu ? (alu_mem ? " alu.mem" : " alu.reg") : "") +
              (mul ? (mul_mem ? " mul.mem" : " mul.reg") : "") + (prelu ? " prelu" : "") +
              (lut ? " lut" : "") + (st.eql ? " eql" : "");
    if (st.memory) choose_operands(b, st, alu_mem, mul_mem, in);
    return st;
}

// ---- registers

void x_registers(ProgramBuilder& b, const Stage& bs, const Stage& bn) {
    namespace r = regs::sdp;
    b.put(r::D_DP_BS_CFG(bs.cfg));
    b.put(r::D_DP_BS_ALU_CFG(bs.alu_cfg));
    b.put(r::D_DP_BS_ALU_SRC_VALUE(bs.alu_value));
    b.put(r::D_DP_BS_MUL_CFG(bs.mul_cfg));
    b.put(r::D_DP_BS_MUL_SRC_VALUE(bs.mul_value));
    b.put(r::D_DP_BN_CFG(bn.cfg));
    b.put(r::D_DP_BN_ALU_CFG(bn.alu_cfg));
    b.put(r::D_DP_BN_ALU_SRC_VALUE(bn.alu_value));
    b.put(r::D_DP_BN_MUL_CFG(bn.mul_cfg));
    b.put(r::D_DP_BN_MUL_SRC_VALUE(bn.mul_value));
}

void ew_registers(ProgramBuilder& b, const Stage& ew) {
    namespace r = regs::sdp;
    if (!b.sizes.sdp_ew) {
        b.put(r::D_DP_EW_CFG(0x53));
        return;
    }
    const auto scale = [&] { return b.random.masked(50, 0xFF, 0xFFFF); };
    const auto shift = [&] { return static_cast<std::uint32_t>(b.random.low(0, 40)); };
    b.put(r::D_DP_EW_CFG(ew.cfg));
    b.put(r::D_DP_EW_ALU_CFG(ew.alu_cfg));
    b.put(r::D_DP_EW_ALU_SRC_VALUE(ew.alu_value));
    b.put(r::D_DP_EW_ALU_CVT_OFFSET_VALUE(b.random.masked(70, 0xFF, ~0u)));
    b.put(r::D_DP_EW_ALU_CVT_SCALE_VALUE(scale()));
    b.put(r::D_DP_EW_ALU_CVT_TRUNCATE_VALUE(shift()));
    b.put(r::D_DP_EW_MUL_CFG(ew.mul_cfg));
    b.put(r::D_DP_EW_MUL_SRC_VALUE(ew.mul_value));
    b.put(r::D_DP_EW_MUL_CVT_OFFSET_VALUE(b.random.masked(70, 0xFF, ~0u)));
    b.put(r::D_DP_EW_MUL_CVT_SCALE_VALUE(scale()));
    b.put(r::D_DP_EW_MUL_CVT_TRUNCATE_VALUE(shift()));
    const int truncate = b.random.chance(5) ? b.random.in(0, 1023) : b.random.in(0, 24);
    b.put(r::D_DP_EW_TRUNCATE_VALUE(static_cast<std::uint32_t>(truncate)));
}

void choose_convertor(ProgramBuilder& b) {
    namespace r = regs::sdp;
    const int kind = b.random.in(0, 3);
    std::uint32_t offset = 0, scale = 1, shift = 0;
    if (kind == 1) {
        offset = static_cast<std::uint32_t>(b.random.in(-300, 300));
        shift = static_cast<std::uint32_t>(b.random.in(0, 12));
    } else if (kind == 2) {
        offset = static_cast<std::uint32_t>(b.random.in(-20000, 20000));
        scale = b.random.word() & 0xFFFFu;
        shift = static_cast<std::uint32_t>(b.random.in(10, 26));
    } else if (kind == 3) {
        offset = b.random.word();
        scale = b.random.word() & 0xFFFFu;
        shift = static_cast<std::uint32_t>(b.random.in(0, 63));
    }
    b.put(r::D_CVT_OFFSET(offset));
    b.put(r::D_CVT_SCALE(scale));
    b.put(r::D_CVT_SHIFT(shift));
}

std::uint32_t code(Precision type) { return static_cast<std::uint32_t>(type); }

void sdp_registers(ProgramBuilder& b, const Cube& in, bool winograd, bool flying, bool pooled,
                   const Cube& out, const Stages& stages) {
    namespace r = regs::sdp;
    b.put(r::D_DATA_CUBE_WIDTH(minus1(in.width)));
    b.put(r::D_DATA_CUBE_HEIGHT(minus1(in.height)));
    b.put(r::D_DATA_CUBE_CHANNEL(minus1(in.channels)));
    b.put(r::D_DST_BASE_ADDR_LOW(low_of(out.base)));
    b.put(r::D_DST_BASE_ADDR_HIGH(high_of(out.base)));
    b.put(r::D_DST_LINE_STRIDE(out.line_stride));
    b.put(r::D_DST_SURFACE_STRIDE(out.surface_stride));
    x_registers(b, stages.bs, stages.bn);
    ew_registers(b, stages.ew);
    auto mode = r::D_FEATURE_MODE_CFG(flying ? 1 : 0).OUTPUT_DST(pooled ? 1 : 0);
    mode.WINOGRAD(winograd ? 1 : 0).BATCH_NUMBER(minus1(in.batches));
    if (in.type == Precision::fp16) mode.NAN_TO_ZERO(b.random.word() & 1u);
    b.put(mode);
    if (in.batches > 1) b.put(r::D_DST_BATCH_STRIDE(out.batch_stride));
    b.put(r::D_DST_DMA_CFG(b.ram_type(out.base)));
    b.put(r::D_DATA_FORMAT(0).PROC_PRECISION(code(in.type)).OUT_PRECISION(code(out.type)));
    choose_convertor(b);
    auto perf = r::D_PERF_ENABLE(b.random.in(0, 15) & (b.sizes.sdp_lut ? 0xF : 0xD));
    if (b.options.original_safe && b.counts_saturation) perf.PERF_SAT_EN(1);
    b.counts_saturation = perf.PERF_SAT_EN() != 0;
    b.put(perf);
}

void rdma_registers(ProgramBuilder& b, const Cube& in, bool winograd, const Cube* source,
                    const Stages& stages) {
    namespace r = regs::sdp_rdma;
    const auto& [bs, bn, ew] = stages;
    const bool flying = source == nullptr;
    b.put(r::D_DATA_CUBE_WIDTH(minus1(in.width)));
    b.put(r::D_DATA_CUBE_HEIGHT(minus1(in.height)));
    b.put(r::D_DATA_CUBE_CHANNEL(minus1(in.channels)));
    if (!flying) {
        b.put(r::D_SRC_BASE_ADDR_LOW(low_of(source->base)));
        b.put(r::D_SRC_BASE_ADDR_HIGH(high_of(source->base)));
        b.put(r::D_SRC_LINE_STRIDE(source->line_stride));
        b.put(r::D_SRC_SURFACE_STRIDE(source->surface_stride));
    }
    b.put(r::D_SRC_DMA_CFG(flying ? 1 : b.ram_type(source->base)));
    b.put(r::D_BRDMA_CFG(bs.dma_cfg | (bs.memory ? 0u : 1u)));
    b.put(r::D_BS_BASE_ADDR_LOW(low_of(bs.operands.base)));
    b.put(r::D_BS_BASE_ADDR_HIGH(high_of(bs.operands.base)));
    b.put(r::D_BS_LINE_STRIDE(bs.operands.line_stride));
    b.put(r::D_BS_SURFACE_STRIDE(bs.operands.surface_stride));
    b.put(r::D_NRDMA_CFG(bn.dma_cfg | (bn.memory ? 0u : 1u)));
    b.put(r::D_BN_BASE_ADDR_LOW(low_of(bn.operands.base)));
    b.put(r::D_BN_BASE_ADDR_HIGH(high_of(bn.operands.base)));
    b.put(r::D_BN_LINE_STRIDE(bn.operands.line_stride));
    b.put(r::D_BN_SURFACE_STRIDE(bn.operands.surface_stride));
    b.put(r::D_ERDMA_CFG(ew.dma_cfg | (ew.memory ? 0u : 1u)));
    if (ew.memory) {
        b.put(r::D_EW_BASE_ADDR_LOW(low_of(ew.operands.base)));
        b.put(r::D_EW_BASE_ADDR_HIGH(high_of(ew.operands.base)));
        b.put(r::D_EW_LINE_STRIDE(ew.operands.line_stride));
        b.put(r::D_EW_SURFACE_STRIDE(ew.operands.surface_stride));
    }
    b.put(r::D_FEATURE_MODE_CFG(flying ? 1 : 0)
              .WINOGRAD(winograd ? 1 : 0)
              .IN_PRECISION(code(flying ? in.type : source->type))
              .PROC_PRECISION(code(in.type))
              .OUT_PRECISION(code(in.type))
              .BATCH_NUMBER(minus1(in.batches)));
    b.put(r::D_PERF_ENABLE(static_cast<std::uint32_t>(b.random.in(0, 3))));
}

/// Type of the result of a layer that computes in another.
void choose_output(ProgramBuilder& b, const Cube& in, Cube& out) {
    out.type = in.type;
    if (!b.sizes.wide()) return;
    const bool other = b.random.chance(40);
    if (in.type == Precision::int8) {
        out.pairs = other && b.sizes.int16;
        if (out.pairs) out.type = Precision::int16;
    } else if (other && b.sizes.int16 && b.sizes.fp16) {
        out.type = in.type == Precision::fp16 ? Precision::int16 : Precision::fp16;
    }
}

/// Type that a layer computes in.
Precision choose_computed(ProgramBuilder& b, const Cube& source) {
    const bool narrows = source.type == Precision::int16 && source.pairs && b.sizes.int8;
    return narrows && b.random.chance(60) ? Precision::int8 : source.type;
}

}  // namespace

void load_sdp_tables(ProgramBuilder& b) {
    namespace r = regs::sdp;
    const bool floats = b.sizes.fp16 && (!b.sizes.int8 || b.random.chance(50));
    const auto bound = [&] {
        if (floats) return b.any_float();
        const auto wide = static_cast<std::int32_t>(b.random.word());
        return static_cast<std::uint32_t>(wide >> b.random.in(0, 24));
    };
    // Mostly what hits the table, sometimes anything that the documents allow.
    const auto index = [&](int low, int high, int least, int most) {
        return static_cast<std::uint32_t>(b.random.mostly(low, high, least, most)) & 0xFFu;
    };
    b.put(r::S_LUT_CFG(b.random.word() & 0x71u));
    const std::uint32_t le_offset = index(-3, 16, -64, 31);
    const std::uint32_t le_select = index(-3, 20, -6, 25);
    const std::uint32_t lo_select = index(-3, 20, -8, 23);
    b.put(r::S_LUT_INFO(le_offset | le_select << 8 | lo_select << 16));
    b.put(r::S_LUT_LE_START(bound()));
    b.put(r::S_LUT_LE_END(bound()));
    b.put(r::S_LUT_LO_START(bound()));
    b.put(r::S_LUT_LO_END(bound()));
    b.put(r::S_LUT_LE_SLOPE_SCALE(b.random.word()));
    b.put(r::S_LUT_LE_SLOPE_SHIFT(b.random.word() & 0x3FFu));
    b.put(r::S_LUT_LO_SLOPE_SCALE(b.random.word()));
    b.put(r::S_LUT_LO_SLOPE_SHIFT(b.random.word() & 0x3FFu));
    for (int lo = 0; lo < 2; ++lo) {
        b.put(r::S_LUT_ACCESS_CFG(0x20000u | static_cast<std::uint32_t>(lo) << 16));
        const bool small = b.random.chance(50);
        for (int i = 0; i < (lo != 0 ? 257 : 65); ++i)
            b.put(r::S_LUT_ACCESS_DATA(floats ? b.any_word(Precision::fp16)
                                              : b.random.word() & (small ? 0x7Fu : 0xFFFFu)));
    }
}

SdpLayer program_sdp(ProgramBuilder& b, const Cube& in, bool winograd, const Cube* source) {
    const bool flying = source == nullptr;
    Stages stages;
    stages.ew = choose_ew(b, in, !winograd && in.batches == 1);
    const bool compares = stages.ew.eql;
    stages.bs = choose_stage(b, b.sizes.sdp_bs && !compares, in);
    stages.bn = choose_stage(b, b.sizes.sdp_bn && !compares, in);
    const auto& [bs, bn, ew] = stages;
    Cube made{in.width, in.height, in.channels};
    made.batches = in.batches;
    choose_output(b, in, made);
    Pooling pool;
    const bool poolable = !compares && !made.pairs && made.batches == 1;
    const bool pooled = b.sizes.pdp && b.options.pdp && poolable && b.random.chance(30) &&
                        choose_pooling(b, pool, in.width, in.height, false);
    const Cube out = b.output_cube(pooled ? pool.output(made) : made);
    SdpLayer layer;
    layer.text = " |" + (bs.text.empty() ? "" : " BS" + bs.text) +
                 (bn.text.empty() ? "" : " BN" + bn.text) +
                 (ew.text.empty() ? "" : " EW" + ew.text) +
                 (made.type == in.type ? "" : std::string(" to") + type_text(made.type)) +
                 (pooled ? pool.text() : "");
    layer.reads = !flying || bs.memory || bn.memory || ew.memory;
    if (layer.reads) {
        b.take(Unit::sdp_rdma);
        rdma_registers(b, in, winograd, source, stages);
    }
    if (pooled) {
        b.set_writer(Unit::pdp);
        start_pooling(b, pool, made, out, true);
    }
    layer.group = b.take(Unit::sdp);
    sdp_registers(b, in, winograd, flying, pooled, out, stages);
    b.add_output(out, !compares);
    return layer;
}

void make_sdp(ProgramBuilder& b) {
    Cube source;
    if (b.result() != nullptr && b.random.chance(40)) {
        source = *b.result();
        b.wait_layer(source.layer);
    } else {
        source = b.any_cube(5 * b.sizes.atom_bytes, b.any_type());
        source.pairs = source.type == Precision::int16 && b.sizes.int8 && b.random.chance(50);
        source = b.input_cube(source);
    }
    Cube in{source.width, source.height, source.channels};
    in.type = choose_computed(b, source);
    const SdpLayer sdp = program_sdp(b, in, false, &source);
    b.expect("SDP", 0, sdp.group);
    b.enable_both(Unit::sdp_rdma, Unit::sdp);
    b.describe("sdp " + std::to_string(source.width) + "x" + std::to_string(source.height) + "x" +
               std::to_string(source.channels) + type_text(source.type) +
               (in.type == source.type ? "" : " in int8") + sdp.text);
}

}  // namespace macrame::dla::stimulus
