#include "random_cdp.hpp"

#include <algorithm>

#include "dla_regs.hpp"

namespace macrame::dla::stimulus {

namespace {

namespace regs = dla_regs;

/// Tables and S_LUT_ registers; no layer that uses them may run.
void load_tables(ProgramBuilder& b) {
    namespace r = regs::cdp;
    const bool floats = b.sizes.fp16 && (!b.sizes.int8 || b.random.chance(50));
    const int entry_bits = b.random.chance(25) ? b.random.in(1, 7) : 15;
    for (const std::uint32_t lo : {0u, 1u}) {
        b.put(r::S_LUT_ACCESS_CFG(0).LUT_TABLE_ID(lo).LUT_ACCESS_TYPE(1));
        const int kind = b.random.in(0, 2), step = b.random.in(-150, 150);
        for (int i = 0; i < (lo != 0 ? 257 : 65); ++i) {
            const int smooth = i * step;
            const std::uint32_t entry = kind == 0 || entry_bits < 15
                                            ? any_number(b, entry_bits)
                                            : static_cast<std::uint32_t>(smooth);
            b.put(r::S_LUT_ACCESS_DATA(floats ? b.any_word(Precision::fp16) : entry & 0xFFFFu));
        }
    }
    // Mostly what hits the table, sometimes anything that the documents allow.
    const auto index = [&](int low, int high, int least, int most) {
        return static_cast<std::uint32_t>(b.random.mostly(low, high, least, most)) & 0xFFu;
    };
    b.put(r::S_LUT_CFG(b.random.word() & 0x71u));
    const std::uint32_t le_offset = index(-2, 14, -64, 20);
    const std::uint32_t le_select = index(-4, 14, -6, 15);
    const std::uint32_t lo_select = index(-6, 12, -8, 13);
    b.put(r::S_LUT_INFO(le_offset | le_select << 8 | lo_select << 16));
    // Squares add up to more than the elements that take their place.
    const int in_bits = b.random.in(3, 18);
    const bool follows = b.random.chance(60);
    const auto bound = [&] {
        return std::int64_t{follows ? b.random.in(-16, 1 << in_bits) : b.random.in(-400, 20000)};
    };
    b.cdp_tables = {{in_bits, false}, {entry_bits, false}};
    std::int64_t bounds[4] = {bound() / 8, bound(), bound() / 8, bound()};
    const auto low = [](std::int64_t v) { return static_cast<std::uint32_t>(v); };
    const auto high = [](std::int64_t v) { return static_cast<std::uint32_t>(v >> 32) & 0x3Fu; };
    if (floats) {
        for (std::int64_t& value : bounds)
            value = b.any_float();
    }
    b.put(r::S_LUT_LE_START_LOW(low(bounds[0])));
    b.put(r::S_LUT_LE_START_HIGH(high(bounds[0])));
    b.put(r::S_LUT_LE_END_LOW(low(bounds[1])));
    b.put(r::S_LUT_LE_END_HIGH(high(bounds[1])));
    b.put(r::S_LUT_LO_START_LOW(low(bounds[2])));
    b.put(r::S_LUT_LO_START_HIGH(high(bounds[2])));
    b.put(r::S_LUT_LO_END_LOW(low(bounds[3])));
    b.put(r::S_LUT_LO_END_HIGH(high(bounds[3])));
    const Slopes le = any_slopes(b, in_bits, entry_bits), lo = any_slopes(b, in_bits, entry_bits);
    b.put(r::S_LUT_LE_SLOPE_SCALE(le.scale));
    b.put(r::S_LUT_LE_SLOPE_SHIFT(le.shift));
    b.put(r::S_LUT_LO_SLOPE_SCALE(lo.scale));
    b.put(r::S_LUT_LO_SLOPE_SHIFT(lo.shift));
}

Cube sizes_of(const Cube& in) {
    Cube out{in.width, in.height, in.channels};
    out.type = in.type;
    return out;
}

/// Convertors of input and output. Most follow the numbers, so that about a byte is left of them;
/// `bits`: of an element.
void put_convertors(ProgramBuilder& b, int bits, bool multiplies) {
    namespace r = regs::cdp;
    const bool plain = b.random.chance(30), follows = b.random.chance(60);
    const int in_scale = b.random.in(1, 15), in_offset = b.random.in(0, bits);
    const int in_shift =
        follows ? std::max(0, std::max(bits, in_offset) + in_scale - bits - 1 + b.random.in(-1, 1))
                : b.random.in(5, 20);
    b.put(r::D_DATIN_OFFSET(plain ? 0 : any_number(b, follows ? in_offset : 15) & 0xFFFFu));
    b.put(r::D_DATIN_SCALE(plain ? 1 : any_number(b, follows ? in_scale : 15) & 0xFFFFu));
    b.put(r::D_DATIN_SHIFTER(plain ? 0 : static_cast<std::uint32_t>(in_shift)));
    // An entry, times the input.
    const int made = b.cdp_tables.out.bits - b.random.in(0, 3) + (multiplies ? bits - 1 : 0);
    const int out_scale = b.random.in(1, 15),
              out_offset = std::clamp(made + b.random.in(-6, 1), 0, 24);
    b.put(r::D_DATOUT_OFFSET(
        plain ? 0 : any_number(b, follows ? out_offset : b.random.in(0, 24)) & 0x1FFFFFFu));
    b.put(r::D_DATOUT_SCALE(plain ? 1 : any_number(b, follows ? out_scale : 15) & 0xFFFFu));
    const int left = made + (plain ? 0 : out_scale) - bits + b.random.in(-7, 1);
    const int out_shift = follows              ? std::max(left, 0)
                          : b.random.chance(5) ? 0
                                               : b.random.in(4, plain ? 16 : 34);
    b.put(r::D_DATOUT_SHIFTER(static_cast<std::uint32_t>(out_shift)));
}

void cdp_registers(ProgramBuilder& b, const Cube& in, const Cube& out) {
    namespace m = regs::cdp_rdma;
    b.put(m::D_DATA_CUBE_WIDTH(minus1(in.width)));
    b.put(m::D_DATA_CUBE_HEIGHT(minus1(in.height)));
    b.put(m::D_DATA_CUBE_CHANNEL(minus1(in.channels)));
    b.put(m::D_SRC_BASE_ADDR_LOW(low_of(in.base)));
    b.put(m::D_SRC_BASE_ADDR_HIGH(high_of(in.base)));
    b.put(m::D_SRC_LINE_STRIDE(in.line_stride));
    b.put(m::D_SRC_SURFACE_STRIDE(in.surface_stride));
    b.put(m::D_SRC_DMA_CFG(b.ram_type(in.base)));
    b.put(m::D_DATA_FORMAT(static_cast<std::uint32_t>(in.type)));
    b.put(m::D_PERF_ENABLE(b.random.word() & 1u));
    namespace r = regs::cdp;
    const std::uint32_t bypass = b.random.chance(70) ? 0 : b.random.word() & 3u;
    b.put(r::D_FUNC_BYPASS(bypass));
    b.put(r::D_DST_BASE_ADDR_LOW(low_of(out.base)));
    b.put(r::D_DST_BASE_ADDR_HIGH(high_of(out.base)));
    b.put(r::D_DST_LINE_STRIDE(out.line_stride));
    b.put(r::D_DST_SURFACE_STRIDE(out.surface_stride));
    b.put(r::D_DST_DMA_CFG(b.ram_type(out.base)));
    b.put(r::D_DATA_FORMAT(static_cast<std::uint32_t>(in.type)));
    if (in.type == Precision::fp16) b.put(r::D_NAN_FLUSH_TO_ZERO(b.random.word() & 1u));
    b.put(r::D_LRN_CFG(b.random.word() & 3u));
    put_convertors(b, in.type == Precision::int8 ? 7 : 15, (bypass & 2u) == 0);
    b.put(r::D_PERF_ENABLE(b.random.word() & 3u));
}

}  // namespace

void make_cdp(ProgramBuilder& b) {
    Cube in;
    if (b.result() != nullptr && b.random.chance(50)) {
        in = *b.result();
        b.wait_layer(in.layer);
    } else {
        in = b.any_cube(6 * b.sizes.atom_bytes, b.any_type());
        in = b.input_cube(in);
    }
    const std::vector<int>& users = b.users(Unit::cdp);
    if (users.empty() || b.random.chance(30)) {
        for (const int layer : users)
            b.wait_layer(layer);
        load_tables(b);
    }
    const Cube out = b.output_cube(sizes_of(in));
    b.take(Unit::cdp_rdma);
    const int group = b.take(Unit::cdp);
    cdp_registers(b, in, out);
    b.add_output(out);
    b.expect("CDP", 2, group);
    b.enable_both(Unit::cdp_rdma, Unit::cdp);
    b.describe("cdp " + std::to_string(in.width) + "x" + std::to_string(in.height) + "x" +
               std::to_string(in.channels) + type_text(in.type));
}

}  // namespace macrame::dla::stimulus
