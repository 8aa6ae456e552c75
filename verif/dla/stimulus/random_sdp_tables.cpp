/// The tables of SDP.

#include <algorithm>

#include "dla_regs.hpp"
#include "random_sdp.hpp"

namespace macrame::dla::stimulus {

namespace regs = dla_regs;

void load_sdp_tables(ProgramBuilder& b) {
    namespace r = regs::sdp;
    const bool floats = b.sizes.fp16 && (!b.sizes.int8 || b.random.chance(50));
    const int in_bits = b.random.in(6, 20);
    const bool follows = b.random.chance(70);  // numbers of about so many bits
    const auto bound = [&] {
        if (floats) return b.any_float();
        return any_number(b, follows ? in_bits + b.random.in(-4, 0) : b.random.in(7, 31));
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
    const bool small = b.random.chance(50);  // entries
    // Of results: entries, or what lies beyond the tables.
    const int out_bits = b.random.chance(50) ? std::min(in_bits + b.random.in(3, 14), 31)
                         : small             ? 7
                                             : 15;
    b.sdp_tables = {{in_bits, false}, {out_bits, false}};
    const Slopes le = any_slopes(b, in_bits, out_bits),
                 lo_slopes = any_slopes(b, in_bits, out_bits);
    b.put(r::S_LUT_LE_SLOPE_SCALE(le.scale));
    b.put(r::S_LUT_LE_SLOPE_SHIFT(le.shift));
    b.put(r::S_LUT_LO_SLOPE_SCALE(lo_slopes.scale));
    b.put(r::S_LUT_LO_SLOPE_SHIFT(lo_slopes.shift));
    for (int lo = 0; lo < 2; ++lo) {
        b.put(r::S_LUT_ACCESS_CFG(0x20000u | static_cast<std::uint32_t>(lo) << 16));
        for (int i = 0; i < (lo != 0 ? 257 : 65); ++i)
            b.put(r::S_LUT_ACCESS_DATA(floats ? b.any_word(Precision::fp16)
                                              : b.random.word() & (small ? 0x7Fu : 0xFFFFu)));
    }
}

}  // namespace macrame::dla::stimulus
