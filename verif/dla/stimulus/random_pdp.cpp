#include "random_pdp.hpp"

#include <algorithm>

#include "dla_regs.hpp"
#include "verif/dla/model/float.hpp"

namespace macrame::dla::stimulus {

namespace {

namespace regs = dla_regs;

/// False if nothing that the unit can do is found.
bool choose_axis(ProgramBuilder& b, PoolAxis& a, int size) {
    for (int i = 0; i < 20; ++i) {
        a.kernel = b.random.chance(25) ? b.random.in(5, 8) : b.random.low(1, 8);
        a.stride = b.random.chance(75) ? b.random.in(1, a.kernel) : b.random.low(1, 16);
        a.before = b.random.chance(50)   ? 0
                   : b.random.chance(20) ? a.kernel - 1
                                         : b.random.in(0, a.kernel - 1);
        if (fit_windows(size, a.before, a.kernel, a.stride, a.out, a.after)) return true;
    }
    return false;
}

/// Cuts the line into strips, if these windows can be.
bool cut(ProgramBuilder& b, Pooling& p, int width) {
    constexpr int kMostStrips = 256, kWidestInput = 1024;
    const int widest = p.widest();
    const int least = std::max(2, (p.x.out + widest - 1) / widest);
    p.strips = b.random.low(least, least + 4);
    if (p.strips > kMostStrips) return false;
    const int middle = p.strips - 2, overlap = p.x.kernel - p.x.stride;
    const int share = std::max(1, p.x.out / p.strips);
    p.out[1] = least > 2 ? share + b.random.in(0, 1) : b.random.in(1, share);
    const int rest = p.x.out - middle * p.out[1];
    if (rest < 2 || rest > 2 * widest) return false;
    p.out[0] = b.random.in(std::max(1, rest - widest), std::min(rest - 1, widest));
    p.out[2] = rest - p.out[0];
    p.in[0] = (p.out[0] - 1) * p.x.stride + p.x.kernel - p.x.before;
    p.in[1] = p.out[1] * p.x.stride;
    p.in[2] = width - p.in[0] - middle * p.in[1];
    if (p.in[0] < std::max(1, overlap) || p.in[2] < std::max(1, 1 - overlap)) return false;
    if (middle > 0 && p.in[1] < overlap) return false;
    return std::max({p.out[0], p.out[1], p.out[2]}) <= widest &&
           std::max({p.in[0], p.in[1], p.in[2]}) <= kWidestInput;
}

/// fp17 of 1 / n.
constexpr std::uint32_t kReciprocals[] = {0x7C00, 0x7800, 0x7555, 0x7400,
                                          0x7266, 0x7155, 0x7092, 0x7000};

/// fp17 of n times a number.
std::uint32_t float_multiple(int n, int value) {
    using dla::model::Fp17;
    return Fp17::from_int(n * value);
}

std::uint32_t three(const int (&widths)[3]) {
    return minus1(widths[0]) | minus1(widths[2]) << 10 | minus1(widths[1]) << 20;
}

void pdp_rdma_registers(ProgramBuilder& b, const Pooling& p, const Cube& in) {
    namespace r = regs::pdp_rdma;
    b.put(r::D_DATA_CUBE_IN_WIDTH(minus1(in.width)));
    b.put(r::D_DATA_CUBE_IN_HEIGHT(minus1(in.height)));
    b.put(r::D_DATA_CUBE_IN_CHANNEL(minus1(in.channels)));
    b.put(r::D_FLYING_MODE(1));
    b.put(r::D_SRC_BASE_ADDR_LOW(low_of(in.base)));
    b.put(r::D_SRC_BASE_ADDR_HIGH(high_of(in.base)));
    b.put(r::D_SRC_LINE_STRIDE(in.line_stride));
    b.put(r::D_SRC_SURFACE_STRIDE(in.surface_stride));
    b.put(r::D_SRC_RAM_CFG(b.ram_type(in.base)));
    b.put(r::D_DATA_FORMAT(static_cast<std::uint32_t>(in.type)));
    b.put(r::D_OPERATION_MODE_CFG(0).SPLIT_NUM(minus1(p.strips)));
    b.put(r::D_POOLING_KERNEL_CFG(0)
              .KERNEL_WIDTH(minus1(p.x.kernel))
              .KERNEL_STRIDE_WIDTH(minus1(p.x.stride)));
    b.put(r::D_POOLING_PADDING_CFG(0).PAD_WIDTH(static_cast<std::uint32_t>(p.x.before)));
    b.put(r::D_PARTIAL_WIDTH_IN(three(p.in)));
    b.put(r::D_PERF_ENABLE(b.random.word() & 1u));
}

}  // namespace

bool choose_pooling(ProgramBuilder& b, Pooling& p, int width, int height, bool strips) {
    for (int i = 0; i < 20; ++i) {
        if (!choose_axis(b, p.x, width) || !choose_axis(b, p.y, height)) continue;
        p.strips = 1;
        if (strips && (p.x.out > p.widest() || b.random.chance(75)) && cut(b, p, width)) {
            return true;
        }
        p.strips = 1;
        if (p.x.out <= p.widest()) return true;
    }
    return false;
}

void start_pooling(ProgramBuilder& b, const Pooling& p, const Cube& in, const Cube& out,
                   bool flying) {
    namespace r = regs::pdp;
    const int group = b.take(Unit::pdp);
    b.put(r::D_DATA_CUBE_IN_WIDTH(minus1(in.width)));
    b.put(r::D_DATA_CUBE_IN_HEIGHT(minus1(in.height)));
    b.put(r::D_DATA_CUBE_IN_CHANNEL(minus1(in.channels)));
    b.put(r::D_DATA_CUBE_OUT_WIDTH(minus1(p.x.out)));
    b.put(r::D_DATA_CUBE_OUT_HEIGHT(minus1(p.y.out)));
    b.put(r::D_DATA_CUBE_OUT_CHANNEL(minus1(in.channels)));
    b.put(r::D_OPERATION_MODE_CFG(0)
              .POOLING_METHOD(static_cast<std::uint32_t>(b.random.in(0, 2)))
              .FLYING_MODE(flying ? 0 : 1)
              .SPLIT_NUM(minus1(p.strips)));
    b.put(r::D_PARTIAL_WIDTH_IN(three(p.in)));
    b.put(r::D_PARTIAL_WIDTH_OUT(three(p.out)));
    b.put(r::D_POOLING_KERNEL_CFG(0)
              .KERNEL_WIDTH(minus1(p.x.kernel))
              .KERNEL_HEIGHT(minus1(p.y.kernel))
              .KERNEL_STRIDE_WIDTH(minus1(p.x.stride))
              .KERNEL_STRIDE_HEIGHT(minus1(p.y.stride)));
    const bool floats = in.type == Precision::fp16;
    const auto reciprocal = [&](int kernel) {
        if (floats) return kReciprocals[kernel - 1];
        return 65536u / static_cast<std::uint32_t>(kernel) +
               (kernel > 2 && b.random.chance(50) ? 1u : 0u);
    };
    b.put(r::D_RECIP_KERNEL_WIDTH(reciprocal(p.x.kernel)));
    b.put(r::D_RECIP_KERNEL_HEIGHT(reciprocal(p.y.kernel)));
    b.put(r::D_POOLING_PADDING_CFG(0)
              .PAD_LEFT(static_cast<std::uint32_t>(p.x.before))
              .PAD_TOP(static_cast<std::uint32_t>(p.y.before))
              .PAD_RIGHT(static_cast<std::uint32_t>(p.x.after))
              .PAD_BOTTOM(static_cast<std::uint32_t>(p.y.after)));
    const int pad = b.random.chance(30) ? 0 : b.random.in(-128, 127);
    const bool any = b.random.chance(20);  // not multiples of anything
    for (int n = 1; n < 8; ++n) {
        const std::uint32_t value = any      ? b.random.word()
                                    : floats ? float_multiple(n, pad)
                                             : static_cast<std::uint32_t>(n * pad);
        b.write("PDP.D_POOLING_PADDING_VALUE_" + std::to_string(n) + "_CFG", value & 0x7FFFFu);
    }
    b.put(r::D_DST_BASE_ADDR_LOW(low_of(out.base)));
    b.put(r::D_DST_BASE_ADDR_HIGH(high_of(out.base)));
    b.put(r::D_DST_LINE_STRIDE(out.line_stride));
    b.put(r::D_DST_SURFACE_STRIDE(out.surface_stride));
    b.put(r::D_DST_RAM_CFG(b.ram_type(out.base)));
    b.put(r::D_DATA_FORMAT(static_cast<std::uint32_t>(in.type)));
    if (floats) b.put(r::D_NAN_FLUSH_TO_ZERO(b.random.word() & 1u));
    b.put(r::D_PERF_ENABLE(b.random.word() & 1u));
    b.expect("PDP", 4, group);
    b.enable(Unit::pdp);
}

void make_pdp(ProgramBuilder& b) {
    Cube in;
    Pooling pool;
    const bool behind = b.result() != nullptr && b.random.chance(50);
    const Precision type = b.any_type();
    if (behind) in = *b.result();
    if (behind && choose_pooling(b, pool, in.width, in.height, true)) {
        b.wait_layer(in.layer);
    } else {
        do {
            in = b.any_cube(5 * b.sizes.atom_bytes, type);
        } while (!choose_pooling(b, pool, in.width, in.height, true));
        in = b.input_cube(in);
    }
    const Cube out = b.output_cube(pool.output(in));
    b.take(Unit::pdp_rdma);
    pdp_rdma_registers(b, pool, in);
    const bool rdma_first = b.random.chance(50);
    if (rdma_first) b.enable(Unit::pdp_rdma);
    start_pooling(b, pool, in, out, false);
    if (!rdma_first) b.enable(Unit::pdp_rdma);
    b.add_output(out);
    b.describe("pdp " + std::to_string(in.width) + "x" + std::to_string(in.height) + "x" +
               std::to_string(in.channels) + type_text(in.type) + pool.text());
}

}  // namespace macrame::dla::stimulus
