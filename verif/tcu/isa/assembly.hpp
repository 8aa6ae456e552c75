#pragma once
/// Assembly text (.tasm), both ways; exact for every pattern of bits.
///
/// A line per instruction: "[index] thread instruction", CRLF. Reading takes LF as well, lines
/// without "[index] thread", blank lines, and comments from ; to the end of the line.
///
///     Wait                                                     (NoOp)
///     MatMul Local(32)@2^1 Acc(64) 15(+1)                      16 vectors, step 2 in local memory
///     MatMul(Acc) Zeroes Acc(64) 0(+1)                         accumulate the bias once
///     LoadWeights Local(16) 8(+1)
///     LoadWeights Zeroes 0(+1)
///     DataMove(<-) Local(16) DRAM1(291)@2^2 63(+1)             DRAM1 to local memory
///     DataMove(->) Local(48) Acc(64) 0(+1)                     local memory to accumulators
///     DataMove(->, Acc) Local(48) Acc(64) 0(+1)                the same, added
///     SIMD(RW) Max(In, R1) -> R1 Acc(5) <- Acc(6)              read Acc(6); output to R1 and
///     Acc(5) SIMD Zero() -> R1 Acc(0) <- Acc(0) LoadLUT Local(16) Table(1) Configure DRAM0Offset
///     4660
///
/// SIMD has the letters of its flags: R read, W write, A accumulate; the destination Out is the
/// output alone; In behind the sources that the operation uses is left out. What the original does
/// not have is written as
///
///     Invalid(6)                                               opcode 6
///     DataMove(0x4) Local(1) Address(2) 0(+1)                  kinds that do nothing
///     SIMD Op17() -> Out Acc(0) <- Acc(0)                      operations that do not exist
///     Configure Register(2) 5                                  registers that do not exist
///     MatMul Zeroes(5)@2^1 Acc(64) 0(+1)                       an address that is not used
///     Wait | 0x1ff                                             bits that no field has, as a number
///                                                              that is added to the instruction

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "verif/tcu/isa/instruction.hpp"
#include "verif/tcu/isa/layout.hpp"

namespace macrame::tcu {

/// One instruction, without index and line end.
std::string assembly_text(const Layout& layout, const Instruction& instruction);

/// A whole program; `program` has whole instructions.
std::string disassemble(const Layout& layout, const std::vector<std::uint8_t>& program);
/// Of its instructions the `count` from `first` on, as far as there are so many.
std::string disassemble(const Layout& layout, const std::vector<std::uint8_t>& program,
                        std::size_t first, std::size_t count);

/// The program that `text` is. Mistakes go to `errors`: "x.tasm:3:8: found ...: want ...".
std::optional<std::vector<std::uint8_t>> assemble(const Layout& layout, std::string_view text,
                                                  const std::string& file,
                                                  std::vector<std::string>& errors);

/// "DRAM0Offset"; empty if there is no such register.
std::string_view configure_name(int config_register);

}  // namespace macrame::tcu
