#include "text.hpp"

#include <algorithm>

namespace macrame::regs {
namespace {

std::string digits_of(std::uint32_t value, int digits) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string text;
    while (value != 0 || static_cast<int>(text.size()) < digits) {
        text += kDigits[value & 15u];
        value >>= 4;
    }
    std::reverse(text.begin(), text.end());
    return text;
}

}  // namespace

std::string hex(std::uint32_t value, int digits) { return "0x" + digits_of(value, digits); }

std::string verilog_hex(std::uint32_t value, int width) {
    return std::to_string(width) + "'h" + digits_of(value, (width + 3) / 4);
}

std::vector<std::string> wrap(std::string_view text, std::size_t columns) {
    std::vector<std::string> lines;
    while (text.size() > columns) {
        std::size_t cut = text.rfind(' ', columns);
        if (cut == std::string_view::npos || cut == 0) cut = columns;
        lines.emplace_back(text.substr(0, cut));
        text.remove_prefix(std::min(text.size(), text[cut] == ' ' ? cut + 1 : cut));
    }
    lines.emplace_back(text);
    return lines;
}

std::string pad(std::string_view text, std::size_t columns) {
    std::string padded(text);
    if (padded.size() < columns) padded.append(columns - padded.size(), ' ');
    return padded;
}

}  // namespace macrame::regs
