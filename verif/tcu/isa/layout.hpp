#pragma once
/// Bit positions of the instructions of one architecture.
///
/// An instruction is `bytes` bytes, little-endian: operand 0 in the lowest bits, operands 1 and 2
/// above it, then four flags, then four bits of opcode. Operands are whole bytes.

#include "verif/tcu/isa/architecture.hpp"

namespace macrame::tcu {

/// Smallest number of bits that tell `values` values apart: 20480 gives 15, 1 gives 0.
int clog2(std::int64_t values);

struct Layout {
    // Bits of an address in each memory.
    int local_bits = 0;
    int accumulator_bits = 0;
    int dram0_bits = 0;
    int dram1_bits = 0;

    // Operands 0 and 1: address in the low bits, the stride code directly above it, zeros on top.
    // As a size (operand 1 of LoadWeights) or an address without stride (SIMD) an operand is used
    // whole.
    int address0_bits = 0;
    int stride0_bits = 0;
    int operand0_bits = 0;
    int address1_bits = 0;
    int stride1_bits = 0;
    int operand1_bits = 0;

    // Operand 2: a size, or what SIMD does: destination, right source, left source, operation from
    // bit 0 upward.
    int size_bits = 0;  ///< that legal sizes use
    int register_bits = 0;
    int simd_op_bits = 4;  ///< 5 with lookup tables
    int operand2_bits = 0;
    int simd_right_at = 0;  ///< within operand 2; the destination is at 0
    int simd_left_at = 0;
    int simd_op_at = 0;
    int simd_bits = 0;

    // The whole.
    int operand0_at = 0;
    int operand1_at = 0;
    int operand2_at = 0;
    int flags_at = 0;
    int opcode_at = 0;
    int bits = 0;
    int bytes = 0;

    // Configure has its own: register number in bits 3..0, its value above.
    int configure_value_bits = 0;  ///< at most 28

    int operand_bits() const { return flags_at; }
};

Layout layout_of(const Architecture& architecture);

/// Programs of one run on the other, as far as the coding goes.
bool same_coding(const Layout& a, const Layout& b);

}  // namespace macrame::tcu
