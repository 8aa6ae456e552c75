#pragma once
/// An instruction taken apart, and back. Both ways are exact for every pattern of bits.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "verif/tcu/isa/layout.hpp"

namespace macrame::tcu {

/// The top four bits. Numbers without a name are invalid; load_lut is without lookup tables.
enum Opcode : int {
    kNoOp = 0x0,
    kMatMul = 0x1,
    kDataMove = 0x2,
    kLoadWeights = 0x3,
    kSimd = 0x4,
    kLoadLut = 0x5,
    kConfigure = 0xf
};

/// Flags of MatMul, LoadWeights and SIMD.
enum Flag : int {
    kMatMulAccumulate = 1,
    kMatMulZeroes = 2,
    kLoadWeightsZeroes = 1,
    kSimdRead = 1,
    kSimdWrite = 2,
    kSimdAccumulate = 4
};

/// Flags of DataMove; the others do nothing.
enum Move : int {
    kDram0ToLocal = 0x0,
    kLocalToDram0 = 0x1,
    kDram1ToLocal = 0x2,
    kLocalToDram1 = 0x3,
    kAccumulatorToLocal = 0xc,
    kLocalToAccumulator = 0xd,
    kLocalToAccumulatorAdd = 0xf
};

enum SimdOp : int {
    kSimdNoOp,
    kSimdZero,
    kSimdMove,
    kSimdNot,
    kSimdAnd,
    kSimdOr,
    kSimdIncrement,
    kSimdDecrement,
    kSimdAdd,
    kSimdSubtract,
    kSimdMultiply,
    kSimdAbs,
    kSimdGreaterThan,
    kSimdGreaterThanEqual,
    kSimdMin,
    kSimdMax,
    kSimdLookup  ///< with lookup tables only; 0x11..0x1f do not exist
};

/// Number of sources that an operation uses: left, or left and right.
int simd_sources(int op);
/// "Max"; empty if there is none of that number.
std::string_view simd_name(int op);

/// Numbers of the configuration registers; the others are accepted and have no effect.
enum ConfigureRegister : int {
    kDram0Offset = 0x0,  ///< in 64 KiB
    kDram0Cache = 0x1,
    kDram1Offset = 0x4,
    kDram1Cache = 0x5,
    kTimeout = 0x8,
    kTracepoint = 0x9,
    kProgramCounter = 0xa,
    kSampleInterval = 0xb
};

/// What memories an instruction touches, in the terms of its operands.
enum class Space { none, local, accumulators, dram0, dram1 };

/// Fields that the opcode does not have are 0 (size: 1).
struct Instruction {
    int opcode = kNoOp;
    int flags = 0;

    // MatMul, DataMove, LoadWeights, LoadLUT: local memory (0), accumulators or DRAM (1). SIMD: the
    // accumulator written (0) and read (1). LoadLUT: address1 is the table.
    std::uint64_t address0 = 0;
    std::uint64_t address1 = 0;
    int stride0 = 0;  ///< code s: a step of 2^s vectors
    int stride1 = 0;
    std::uint64_t size = 1;  ///< vectors; the field holds one less

    // SIMD: source 0 is the vector read, r is register r; destination 0 is the output alone.
    int simd_op = 0;
    int simd_left = 0;
    int simd_right = 0;
    int simd_dest = 0;

    // Configure.
    int config_register = 0;
    std::uint32_t config_value = 0;

    /// Bits of each operand that belong to no field, in place: padding, unused operands, all of an
    /// invalid instruction. Normally zero.
    std::array<std::uint64_t, 3> stray = {};

    bool is(int code) const { return opcode == code; }
    bool has(int flag) const { return (flags & flag) != 0; }
};

bool operator==(const Instruction& a, const Instruction& b);
inline bool operator!=(const Instruction& a, const Instruction& b) { return !(a == b); }

/// Memory at operand 1 of a DataMove; none if its kind does not exist.
Space move_space(int flags);
/// Does this DataMove write local memory?
bool moves_to_local(int flags);

/// The `layout.bytes` bytes at `bytes`.
Instruction decode(const Layout& layout, const std::uint8_t* bytes);

/// Writes layout.bytes bytes. Fields must fit: see unfit().
void encode(const Layout& layout, const Instruction& instruction, std::uint8_t* bytes);

/// The first field that is too large for its bits: "size 70000: want 1..65536"; empty if none is.
std::string unfit(const Layout& layout, const Instruction& instruction);

}  // namespace macrame::tcu
