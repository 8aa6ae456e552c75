#pragma once
/// Programs in files: .hex with the word of an instruction per line, most significant digit first,
/// or assembly text.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "verif/systolic/isa/architecture.hpp"
#include "verif/systolic/isa/instruction.hpp"

namespace macrame::systolic::files {

/// Mistakes go to `errors`: "program.hex:3: opcode 5: want 8, 9, 10 or 11". With an architecture,
/// instructions that are illegal there are mistakes, too.
std::optional<std::vector<Instruction>> parse_hex(std::string_view text, const std::string& file,
                                                  const Architecture* architecture,
                                                  std::vector<std::string>& errors);

std::string hex_text(const std::vector<Instruction>& program);

/// A .hex file; any other is assembly text.
std::optional<std::vector<Instruction>> read_program(const std::string& path,
                                                     const Architecture* architecture,
                                                     std::vector<std::string>& errors);

std::optional<std::vector<std::uint8_t>> read_bytes(const std::string& path,
                                                    std::vector<std::string>& errors);
bool write_bytes(const std::string& path, const std::vector<std::uint8_t>& bytes,
                 std::vector<std::string>& errors);

}  // namespace macrame::systolic::files
