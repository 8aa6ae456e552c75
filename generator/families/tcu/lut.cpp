#include <fmt/format.h>

#include <string>

#include "families/tcu/units.hpp"
#include "verif/tcu/isa/layout.hpp"

namespace macrame::tcu {

namespace {

/// The operand of a lane, so many stages behind the first one.
std::string delayed(const char* operand, int stages) {
    return stages == 0 ? fmt::format("{}_q", operand)
                       : fmt::format("{}_delay_q[W*{} +: W]", operand, stages - 1);
}

}  // namespace

text::Scope simd_scope(const Config& c, const Derived& d) {
    const bool tables = c.lut_tables > 0;
    const int index = tables ? clog2(c.lut_depth) : 0;
    const int lookup = tables ? index + 1 : 0;  // cycles of tcu_lut
    const int stages = d.simd_stages;
    const int unused = (c.simd_registers_depth - c.lut_tables) * d.data_w;
    return {
        {"and_lookup", tables ? ", Lookup" : ""},
        {"factor_left", delayed("left", stages - d.product_stages)},
        {"factor_right", delayed("right", stages - d.product_stages)},
        {"looked_padded", unused > 0 ? fmt::format("{{{}'d0, looked_q}}", unused) : "looked_q"},
        {"lookup_x", delayed("left", stages - lookup)},
        {"lut_index_w", index},
        {"or_lookup", tables ? fmt::format(" || op == {}'d16", d.simd_op_w) : ""},
        {"register_value", tables ? "result_r" : "value"},
    };
}

}  // namespace macrame::tcu
