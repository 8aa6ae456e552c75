#pragma once
/// Assembly text, both ways; exact for every pattern of bits with an opcode that exists.
///
/// A line per instruction: the module, its flags, its fields as name=value. Fields that are left
/// out are zero. Comments go from ; to the end of the line.
///
///     LOAD  push_next dram_address=0x1000 sram_address=0x1000000 x_size=3 y_size=3 z_size=4 ...
///     GEMM  pop_prev ofmap_height=3 ofmap_width=3 active_rows=4 active_cols=2 stride_h=3 ...
///     ALU   pop_prev push_next alu_opcode=max output_height=3 ... use_immediate=1
///     STORE pop_prev push_prev dram_address=0x3000 sram_address=0x3000000 ...
///     ALU   push_prev pop_next                          no operation: only tokens
///     STORE spare=00000000000000000000000000000001      bits of no field

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "verif/systolic/isa/architecture.hpp"
#include "verif/systolic/isa/instruction.hpp"

namespace macrame::systolic {

std::string assembly_text(const Instruction& instruction);
std::string disassemble(const std::vector<Instruction>& program);

/// The program that `text` is. Mistakes go to `errors`: "x.sasm:3: found ...: want ...". With an
/// architecture, instructions that are illegal there are mistakes, too.
std::optional<std::vector<Instruction>> assemble(std::string_view text, const std::string& file,
                                                 const Architecture* architecture,
                                                 std::vector<std::string>& errors);

/// "max"
std::string_view alu_op_name(AluOp op);

}  // namespace macrame::systolic
