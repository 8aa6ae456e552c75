#pragma once
/// Small text helpers of the projections.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace macrame::regs {

/// Appends one line.
inline void line(std::string& out, std::string_view text) {
    out += text;
    out += '\n';
}

/// "0x0010" with at least that many digits.
std::string hex(std::uint32_t value, int digits = 1);

/// Verilog literal: "32'h00001100".
std::string verilog_hex(std::uint32_t value, int width);

/// Cuts a text into lines at blanks.
std::vector<std::string> wrap(std::string_view text, std::size_t columns);

/// Pads with blanks on the right.
std::string pad(std::string_view text, std::size_t columns);

}  // namespace macrame::regs
