#include <fmt/format.h>

#include <algorithm>

#include "families/tcu/units.hpp"

namespace macrame::tcu {

text::Scope validate_scope(const Config& c, const Derived& d) {
    // Operands as wide as the last address.
    const int end = 1 + std::max({d.op0_w, d.op1_w, d.op2_w});
    const bool tables = c.lut_tables > 0;
    const auto field = [end](int at, int from) { return bits("instruction", at, from, end); };
    return {
        {"address0", field(0, d.op0_addr_w)},
        {"address1", field(d.op1_at, d.op1_addr_w)},
        {"end_w", end},
        {"or_load_lut", tables ? " || opcode == 4'h5" : ""},
        {"or_no_room", tables ? " || no_room" : ""},
        {"whole0", field(0, d.op0_w)},
        {"whole1", field(d.op1_at, d.op1_w)},
        {"whole2", (tables ? fmt::format("opcode == 4'h5 ? {}'d{} : ", end, c.lut_depth - 1) : "") +
                       field(d.op2_at, d.op2_w)},
    };
}

}  // namespace macrame::tcu
