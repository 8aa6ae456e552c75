#include "verif/tcu/isa/layout.hpp"

#include <algorithm>

namespace macrame::tcu {

namespace {

int whole_bytes(int bits) { return (bits + 7) / 8 * 8; }

}  // namespace

int clog2(std::int64_t values) {
    int bits = 0;
    while ((std::int64_t{1} << bits) < values)
        ++bits;
    return bits;
}

Layout layout_of(const Architecture& a) {
    Layout l;
    l.local_bits = clog2(a.local_depth);
    l.accumulator_bits = clog2(a.accumulator_depth);
    l.dram0_bits = clog2(a.dram0_depth);
    l.dram1_bits = clog2(a.dram1_depth);

    l.address0_bits = std::max(l.local_bits, l.accumulator_bits);
    l.stride0_bits = clog2(a.stride0_depth);
    l.operand0_bits = whole_bytes(l.address0_bits + l.stride0_bits);
    l.address1_bits = std::max({l.address0_bits, l.dram0_bits, l.dram1_bits});
    l.stride1_bits = clog2(a.stride1_depth);
    l.operand1_bits = whole_bytes(l.address1_bits + l.stride1_bits);

    l.register_bits = clog2(a.simd_registers_depth + std::int64_t{1});
    l.simd_op_bits = a.lut_tables > 0 ? 5 : 4;
    l.simd_right_at = l.register_bits;
    l.simd_left_at = 2 * l.register_bits;
    l.simd_op_at = 3 * l.register_bits;
    l.simd_bits = l.simd_op_at + l.simd_op_bits;
    l.size_bits =
        std::min(l.local_bits, std::max({l.accumulator_bits, l.dram0_bits, l.dram1_bits}));
    l.operand2_bits = whole_bytes(std::max(l.size_bits, l.simd_bits));

    l.operand1_at = l.operand0_bits;
    l.operand2_at = l.operand1_at + l.operand1_bits;
    l.flags_at = l.operand2_at + l.operand2_bits;
    l.opcode_at = l.flags_at + 4;
    l.bits = l.opcode_at + 4;
    l.bytes = l.bits / 8;
    l.configure_value_bits = std::min(l.flags_at - 4, 28);
    return l;
}

bool same_coding(const Layout& a, const Layout& b) {
    return a.address0_bits == b.address0_bits && a.stride0_bits == b.stride0_bits &&
           a.operand0_bits == b.operand0_bits && a.address1_bits == b.address1_bits &&
           a.stride1_bits == b.stride1_bits && a.operand1_bits == b.operand1_bits &&
           a.register_bits == b.register_bits && a.simd_op_bits == b.simd_op_bits &&
           a.operand2_bits == b.operand2_bits;
}

}  // namespace macrame::tcu
