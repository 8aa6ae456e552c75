#include "random_sdp.hpp"

#include <algorithm>

#include "dla_regs.hpp"
#include "random_pdp.hpp"

namespace macrame::dla::stimulus {

namespace {

namespace regs = dla_regs;

/// Convertor of an operand of EW.
struct OperandConvertor {
    std::uint32_t offset = 0, scale = 0, shift = 0;
};

/// A stage: its registers and the set-up of its read channel.
struct Stage {
    std::uint32_t cfg = 1;  // bypass
    std::uint32_t alu_cfg = 0, alu_value = 0, mul_cfg = 0, mul_value = 0;
    OperandConvertor alu_cvt, mul_cvt;  // EW
    int truncate = 0;                   // EW
    std::uint32_t dma_cfg = 0x21;       // disabled
    Cube operands;
    bool memory = false;
    bool eql = false;  // compare mode: nothing is written
    std::string text;
};

struct Stages {
    Stage bs, bn, ew;
};

/// Numbers on their way through the stages. Most layers follow them: operands and shifts such that
/// about a byte that depends on all of them is left. The others have anything.
struct Way {
    int bits = 7;
    bool follows = false;
    bool exact = false;  ///< no shift, no number that saturates
    bool far = false;    ///< stages may add what hides the numbers before
};

int clamped(int value, int most) { return std::clamp(value, 0, most); }

/// Operands of a stage in memory and its read channel. Returns the bits of an operand.
int choose_operands(ProgramBuilder& b, Stage& st, bool alu_mem, bool mul_mem, const Cube& in,
                    Noise noise) {
    const bool wide = in.type != Precision::int8;
    const bool two = b.random.chance(50) || wide, element = b.random.chance(50);
    const std::uint32_t use = alu_mem && mul_mem ? 2 : alu_mem ? 1 : 0;
    st.dma_cfg = use << 1 | (two ? 8u : 0u) | (element ? 0x10u : 0u) | 0x20u;
    const int record = b.sizes.elements(in.type) * (two ? 2 : 1) * (use == 2 ? 2 : 1);
    st.text += std::string(two ? " 2B" : " 1B") + (element ? " per element" : " per kernel");
    st.operands = Cube{element ? in.width : 1, element ? in.height : 1, in.channels};
    st.operands.type = in.type;
    b.set_strides(st.operands, record);
    Cube filled = st.operands;
    if (noise == Noise::narrow && two && !filled.far) filled.type = Precision::int16;
    st.operands.base = b.load_cube(filled, record, noise);
    if (b.ram_type(st.operands.base) == 0) st.dma_cfg &= ~0x20u;
    if (noise == Noise::small && (wide || !two)) return 1;
    return two && filled.type == in.type && noise != Noise::narrow ? 15 : 7;
}

/// Two bytes of an operand are more than most numbers have.
Noise operand_noise(ProgramBuilder& b, const Way& way) {
    return way.follows && b.random.chance(65) ? Noise::narrow : b.any_noise();
}

/// An X stage that leaves the last bit as it is: adds a small number.
Stage exact_stage(ProgramBuilder& b, bool present) {
    Stage st;
    if (!present || b.random.chance(60)) return st;
    st.cfg = 2u << 2 | 0x50u;
    st.alu_value = any_number(b, 4) & 0xFFFFu;
    st.text = " alu.reg";
    return st;
}

/// Where the left shift of an ALU operand leads.
enum class Reach {
    numbers,  ///< to the size of the numbers
    edge,     ///< to the largest that 32 bits hold, or just beyond
    beyond,   ///< 32 and more
};

Reach any_reach(ProgramBuilder& b, const Way& way) {
    if (!way.far) return Reach::numbers;
    return b.random.chance(50) ? Reach::beyond : b.random.chance(70) ? Reach::edge : Reach::numbers;
}

int alu_shift_of(ProgramBuilder& b, Reach reach, int bits, const Way& way) {
    if (reach == Reach::beyond) return b.random.in(32, 63);
    if (reach == Reach::edge) return clamped(31 - bits + b.random.in(-1, 1), 31);
    if (way.far) return b.random.in(0, 31);
    return clamped(way.bits - bits + b.random.in(-3, 1), 31);
}

/// Shifts and operands of an X stage that follow the numbers; `memory`: bits of operands there.
void follow_x(ProgramBuilder& b, Stage& st, bool alu, bool mul, int memory, Reach reach, Way& way) {
    int alu_shift = 0, mul_shift = 0;
    if (alu) {
        const int bits = (st.alu_cfg & 1u) != 0   ? memory
                         : reach == Reach::beyond ? b.random.in(0, 12)
                                                  : b.random.in(1, 15);
        st.alu_value = any_number(b, bits) & 0xFFFFu;
        alu_shift = alu_shift_of(b, reach, bits, way);
        way.bits = std::min(std::max(way.bits, bits + alu_shift), 31);
    }
    if (mul) {
        const int bits = (st.mul_cfg & 1u) != 0 ? memory : b.random.in(1, 15);
        st.mul_value = any_number(b, bits) & 0xFFFFu;
        const int left = b.random.chance(60) ? b.random.in(7, 14) : b.random.in(7, 31);
        mul_shift = clamped(way.bits + bits - left, 63);
        way.bits = std::min(way.bits + bits - mul_shift, 31);
        if (b.random.chance(10)) mul_shift += 64 * b.random.in(1, 3);  // do not act
    }
    st.alu_cfg |= static_cast<std::uint32_t>(alu_shift) << 8;
    st.mul_cfg |= static_cast<std::uint32_t>(mul_shift) << 8;
}

Stage choose_stage(ProgramBuilder& b, bool present, const Cube& in, Way& way) {
    if (way.exact) return exact_stage(b, present);
    Stage st;
    if (!present || b.random.chance(30)) return st;
    // Numbers that fill 32 bits are often added to: the sum has one more.
    const bool full = way.follows && way.bits >= 30;
    const bool alu = b.random.chance(full ? 90 : 70), mul = b.random.chance(60);
    const bool prelu = mul && b.random.chance(full ? 60 : 30),
               relu = b.random.chance(way.follows ? 25 : 40);
    const int most_algo = in.type == Precision::fp16 ? 3 : 2;
    const int algo = way.follows && b.random.chance(60) ? 2 : b.random.in(0, most_algo);
    st.cfg = (alu ? 0u : 2u) | static_cast<std::uint32_t>(algo) << 2 | (mul ? 0u : 0x10u) |
             (prelu ? 0x20u : 0u) | (relu ? 0u : 0x40u);
    const bool alu_mem = alu && b.random.chance(50), mul_mem = mul && b.random.chance(50);
    st.alu_cfg = alu_mem ? 1u : 0u;
    st.mul_cfg = mul_mem ? 1u : 0u;
    st.alu_value = b.any_word(in.type);
    st.mul_value = b.any_word(in.type);
    st.memory = alu_mem || mul_mem;
    st.text = std::string(alu ? (alu_mem ? " alu.mem" : " alu.reg") : "") +
              (mul ? (mul_mem ? " mul.mem" : " mul.reg") : "") + (prelu ? " prelu" : "") +
              (relu ? " relu" : "");
    const Reach reach = any_reach(b, way);
    int memory = 0;
    if (st.memory) {
        const Noise noise = reach == Reach::beyond ? Noise::small : operand_noise(b, way);
        memory = choose_operands(b, st, alu_mem, mul_mem, in, noise);
    }
    if (way.follows) {
        follow_x(b, st, alu, mul, memory, reach, way);
        return st;
    }
    const int alu_shift = b.random.chance(60) ? b.random.low(0, 10) : b.random.in(0, 63);
    const int mul_shift =
        !mul && b.random.chance(60) ? 0 : b.random.low(0, b.random.chance(10) ? 255 : 20);
    st.alu_cfg |= static_cast<std::uint32_t>(alu_shift) << 8;
    st.mul_cfg |= static_cast<std::uint32_t>(mul_shift) << 8;
    return st;
}

/// Convertor of operands of EW in memory: of `bits` bits to about `wanted`.
OperandConvertor follow_convertor(ProgramBuilder& b, int bits, int wanted) {
    OperandConvertor out;
    const int offset = b.random.chance(75) ? b.random.in(0, bits) : b.random.in(0, 31);
    const int scale = b.random.chance(10) ? 0 : b.random.in(1, 15);
    out.offset = any_number(b, offset);
    out.scale = scale == 0 ? 1 : any_number(b, scale);
    out.shift = static_cast<std::uint32_t>(clamped(std::max(bits, offset) + scale - wanted, 63));
    if (b.random.chance(10)) {  // a shift that only the largest products survive
        out.offset = any_number(b, 31);
        out.scale = any_number(b, 15);
        out.shift = static_cast<std::uint32_t>(b.random.in(32, 44));
    }
    return out;
}

/// What EW does with numbers, following them; `memory`: bits of operands there.
void follow_ew(ProgramBuilder& b, Stage& st, bool alu, bool mul, int memory, bool lut, Way& way) {
    st.truncate = 0;
    const int table = b.sdp_tables.in.bits + b.random.in(-2, 2);
    if (mul) {
        int bits = b.random.chance(70) ? b.random.in(1, 15) : b.random.in(16, 31);
        st.mul_value = any_number(b, bits);
        if ((st.mul_cfg & 1u) != 0) {
            const bool converts = (st.mul_cfg & 2u) == 0;
            st.mul_cvt = follow_convertor(b, memory, bits);
            if (!converts) bits = memory;
        }
        const int left = lut                   ? table
                         : b.random.chance(70) ? b.random.in(7, 14)
                                               : b.random.in(7, 30);
        st.truncate =
            b.random.chance(8) ? b.random.in(0, 1023) : clamped(way.bits + bits - left, 63);
        way.bits = clamped(way.bits + bits - st.truncate, 31);
    }
    if (alu) {
        const int bits = clamped(way.bits + b.random.in(-3, 1), 31);
        st.alu_value = any_number(b, bits);
        st.alu_cvt = follow_convertor(b, memory, bits);
        way.bits = std::max(way.bits, bits);
    }
}

/// The Y stage; `compares`: it does nothing else. Its registers beyond those of a Stage are written
/// by ew_registers().
Stage choose_ew(ProgramBuilder& b, const Cube& in, bool compares, Way& way) {
    Stage st;
    if (!b.sizes.sdp_ew || way.exact || (!compares && b.random.chance(30))) return st;
    const bool alu = compares || b.random.chance(60);
    const int algo = compares ? 3 : b.random.in(0, 2);
    st.eql = compares;  // comes alone
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
    const auto convertor = [&] {
        OperandConvertor out;
        out.offset = b.random.masked(70, 0xFF, ~0u);
        out.scale = b.random.masked(50, 0xFF, 0xFFFF);
        out.shift = static_cast<std::uint32_t>(b.random.low(0, 40));
        return out;
    };
    st.alu_cvt = convertor();
    st.mul_cvt = convertor();
    st.truncate = b.random.chance(5) ? b.random.in(0, 1023) : b.random.in(0, 24);
    st.memory = alu_mem || mul_mem;
    st.text = std::string(alu ? (alu_mem ? " alu.mem" : " alu.reg") : "") +
              (mul ? (mul_mem ? " mul.mem" : " mul.reg") : "") + (prelu ? " prelu" : "") +
              (lut ? " lut" : "") + (st.eql ? " eql" : "");
    int memory = 0;
    if (st.memory) memory = choose_operands(b, st, alu_mem, mul_mem, in, operand_noise(b, way));
    if (way.follows) follow_ew(b, st, alu, mul, memory, lut, way);
    if (lut) way.bits = b.sdp_tables.out.bits;
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
    b.put(r::D_DP_EW_CFG(ew.cfg));
    b.put(r::D_DP_EW_ALU_CFG(ew.alu_cfg));
    b.put(r::D_DP_EW_ALU_SRC_VALUE(ew.alu_value));
    b.put(r::D_DP_EW_ALU_CVT_OFFSET_VALUE(ew.alu_cvt.offset));
    b.put(r::D_DP_EW_ALU_CVT_SCALE_VALUE(ew.alu_cvt.scale & 0xFFFFu));
    b.put(r::D_DP_EW_ALU_CVT_TRUNCATE_VALUE(ew.alu_cvt.shift));
    b.put(r::D_DP_EW_MUL_CFG(ew.mul_cfg));
    b.put(r::D_DP_EW_MUL_SRC_VALUE(ew.mul_value));
    b.put(r::D_DP_EW_MUL_CVT_OFFSET_VALUE(ew.mul_cvt.offset));
    b.put(r::D_DP_EW_MUL_CVT_SCALE_VALUE(ew.mul_cvt.scale & 0xFFFFu));
    b.put(r::D_DP_EW_MUL_CVT_TRUNCATE_VALUE(ew.mul_cvt.shift));
    b.put(r::D_DP_EW_TRUNCATE_VALUE(static_cast<std::uint32_t>(ew.truncate)));
}

/// Output convertor to `out_bits` bits and a sign.
void choose_convertor(ProgramBuilder& b, const Way& way, int out_bits) {
    namespace r = regs::sdp;
    const int kind = way.exact ? 4 : way.follows ? 5 : b.random.in(0, 3);
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
    } else if (kind == 4) {
        offset = any_number(b, 3);
        scale = b.random.chance(50) ? 1 : 0xFFFFu;
    } else if (kind == 5) {
        const int scale_bits = b.random.chance(30) ? 0 : b.random.in(1, 15);
        const int offset_bits =
            b.random.chance(30) ? 0 : std::min(way.bits + b.random.in(-4, 1), 31);
        offset = any_number(b, std::max(offset_bits, 0));
        scale = scale_bits == 0 ? 1 : any_number(b, scale_bits) & 0xFFFFu;
        shift = static_cast<std::uint32_t>(clamped(
            std::max(way.bits, offset_bits) + scale_bits - out_bits + b.random.in(-2, 1), 63));
    }
    b.put(r::D_CVT_OFFSET(offset));
    b.put(r::D_CVT_SCALE(scale));
    b.put(r::D_CVT_SHIFT(shift));
}

std::uint32_t sdp_code(Precision type) { return static_cast<std::uint32_t>(type); }

void sdp_registers(ProgramBuilder& b, const Cube& in, bool winograd, bool flying, bool pooled,
                   const Cube& out, const Stages& stages, const Way& way) {
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
    b.put(r::D_DATA_FORMAT(0).PROC_PRECISION(sdp_code(in.type)).OUT_PRECISION(sdp_code(out.type)));
    choose_convertor(b, way, out.type == Precision::int8 ? 7 : 15);
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
              .IN_PRECISION(sdp_code(flying ? in.type : source->type))
              .PROC_PRECISION(sdp_code(in.type))
              .OUT_PRECISION(sdp_code(in.type))
              .BATCH_NUMBER(minus1(in.batches)));
    b.put(r::D_PERF_ENABLE(static_cast<std::uint32_t>(b.random.in(0, 3))));
}

/// Type of the result of a layer that computes in another.
void choose_output(ProgramBuilder& b, const Cube& in, Cube& out) {
    out.type = in.type;
    if (!b.sizes.types16()) return;
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

SdpLayer program_sdp(ProgramBuilder& b, const Cube& in, bool winograd, const Cube* source,
                     Numbers numbers) {
    const bool flying = source == nullptr;
    const bool integers = in.type != Precision::fp16;
    Way way{numbers.bits, integers && b.random.chance(80), numbers.exact && b.random.chance(90),
            false};
    way.far = way.follows && b.random.chance(35);
    const bool compares =
        b.sizes.sdp_ew && !way.exact && !winograd && in.batches == 1 && b.random.chance(4);
    Stages stages;
    stages.bs = choose_stage(b, b.sizes.sdp_bs && !compares, in, way);
    stages.bn = choose_stage(b, b.sizes.sdp_bn && !compares, in, way);
    stages.ew = choose_ew(b, in, compares, way);
    const auto& [bs, bn, ew] = stages;
    Cube made{in.width, in.height, in.channels};
    made.batches = in.batches;
    choose_output(b, in, made);
    Pooling pool;
    const bool poolable = !compares && !made.pairs && made.batches == 1;
    const bool pooled = b.sizes.pdp && b.options.pdp && poolable && !way.exact &&
                        b.random.chance(30) && choose_pooling(b, pool, in.width, in.height, false);
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
    sdp_registers(b, in, winograd, flying, pooled, out, stages, way);
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
    const SdpLayer sdp =
        program_sdp(b, in, false, &source, {in.type == Precision::int8 ? 7 : 15, false});
    b.expect("SDP", 0, sdp.group);
    b.enable_both(Unit::sdp_rdma, Unit::sdp);
    b.describe("sdp " + std::to_string(source.width) + "x" + std::to_string(source.height) + "x" +
               std::to_string(source.channels) + type_text(source.type) +
               (in.type == source.type ? "" : " in int8") + sdp.text);
}

}  // namespace macrame::dla::stimulus
