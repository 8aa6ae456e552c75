#pragma once
/// Small text helpers of the trace readers.

#include <cctype>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>

namespace macrame::verif::text {

inline std::string_view trim(std::string_view s) {
    while (!s.empty() && std::isspace(static_cast<unsigned char>(s.front())))
        s.remove_prefix(1);
    while (!s.empty() && std::isspace(static_cast<unsigned char>(s.back())))
        s.remove_suffix(1);
    return s;
}

/// Whole file, or nothing if it cannot be read.
inline std::optional<std::string> read_file(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    if (!in) return std::nullopt;
    return std::string(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
}

/// Unsigned number: 0x hex, decimal, or octal with a leading 0 if `octal`. Nothing if malformed or
/// wider than 64 bits.
inline std::optional<std::uint64_t> number(std::string_view s, bool octal = false) {
    unsigned base = 10;
    if (s.size() > 2 && s[0] == '0' && (s[1] == 'x' || s[1] == 'X')) {
        base = 16;
        s.remove_prefix(2);
    } else if (octal && s.size() > 1 && s[0] == '0') {
        base = 8;
        s.remove_prefix(1);
    }
    if (s.empty()) return std::nullopt;
    std::uint64_t value = 0;
    for (const char c : s) {
        unsigned digit = 99;
        if (c >= '0' && c <= '9') digit = static_cast<unsigned>(c - '0');
        if (c >= 'a' && c <= 'f') digit = static_cast<unsigned>(c - 'a' + 10);
        if (c >= 'A' && c <= 'F') digit = static_cast<unsigned>(c - 'A' + 10);
        if (digit >= base || value > (~std::uint64_t{0} - digit) / base) return std::nullopt;
        value = value * base + digit;
    }
    return value;
}

/// "0x1f"
inline std::string hex(std::uint64_t value) {
    std::string out;
    do {
        out.insert(out.begin(), "0123456789abcdef"[value & 15u]);
        value >>= 4;
    } while (value != 0);
    return "0x" + out;
}

/// Directory part of a path, with the slash; empty if there is none.
inline std::string directory(const std::string& path) {
    const std::size_t slash = path.rfind('/');
    return slash == std::string::npos ? std::string() : path.substr(0, slash + 1);
}

/// Takes the next line off `rest`.
inline std::string_view next_line(std::string_view& rest) {
    const std::size_t end = rest.find('\n');
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    return line;
}

}  // namespace macrame::verif::text
