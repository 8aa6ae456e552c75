#pragma once
/// Text helpers of the projections.

#include <fmt/format.h>

#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace macrame::regs {

/// Appends one formatted line.
template <class... Args>
void line(std::string& out, fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out), format, std::forward<Args>(args)...);
    out += '\n';
}

/// "D_BANK" -> "d_bank".
std::string lower(std::string_view text);
/// "d_bank" -> "D_BANK".
std::string upper(std::string_view text);

}  // namespace macrame::regs
