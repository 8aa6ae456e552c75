#pragma once
/// Small helpers: numbers, lines, files, and what is printed (no printf, no streams).

#include <array>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <vector>

namespace macrame::verif::text {

inline std::string_view trim(std::string_view s) {
    while (!s.empty() && std::isspace(static_cast<unsigned char>(s.front())))
        s.remove_prefix(1);
    while (!s.empty() && std::isspace(static_cast<unsigned char>(s.back())))
        s.remove_suffix(1);
    return s;
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

/// The whole text as a decimal number of type T (int, std::uint64_t, double); nothing if anything
/// else is in it or T cannot hold it.
template <class T>
std::optional<T> decimal(std::string_view s) {
    T value{};
    const auto [end, error] = std::from_chars(s.data(), s.data() + s.size(), value);
    if (s.empty() || error != std::errc() || end != s.data() + s.size()) return std::nullopt;
    return value;
}

/// Shortest text that decimal() turns into the same value.
template <class T>
std::string shortest(T value) {
    std::array<char, 400> out{};
    char* const end = out.data() + out.size();
    std::to_chars_result result{};
    if constexpr (std::is_floating_point_v<T>) {
        result = std::to_chars(out.data(), end, value, std::chars_format::fixed);
    } else {
        result = std::to_chars(out.data(), end, value);
    }
    return std::string(out.data(), result.ptr);
}

/// With so many decimals: fixed(12.345, 1) is "12.3".
inline std::string fixed(double value, int decimals) {
    std::array<char, 400> out{};
    const auto result = std::to_chars(out.data(), out.data() + out.size(), value,
                                      std::chars_format::fixed, decimals);
    return std::string(out.data(), result.ptr);
}

/// Two or more hexadecimal digits without 0x: hex_digits(10, 2) is "0a".
inline std::string hex_digits(std::uint64_t value, std::size_t digits) {
    const std::string text = hex(value).substr(2);
    return std::string(digits > text.size() ? digits - text.size() : 0, '0') + text;
}

/// Blanks in front of (behind) a text that is shorter than `width`.
inline std::string pad_left(std::string_view s, std::size_t width) {
    return std::string(width > s.size() ? width - s.size() : 0, ' ') + std::string(s);
}
inline std::string pad_right(std::string_view s, std::size_t width) {
    return std::string(s) + std::string(width > s.size() ? width - s.size() : 0, ' ');
}

/// "a, b and c"; `last` is "and" or "or".
inline std::string join(const std::vector<std::string>& items, std::string_view last) {
    std::string out;
    for (std::size_t i = 0; i < items.size(); ++i) {
        if (i > 0) out += i + 1 == items.size() ? " " + std::string(last) + " " : ", ";
        out += items[i];
    }
    return out;
}

/// Words of a text on lines of at most `width` columns.
inline std::vector<std::string> wrap(std::string_view s, std::size_t width) {
    std::vector<std::string> lines(1);
    while (!(s = trim(s)).empty()) {
        const std::string word(s.substr(0, s.find_first_of(" \n")));
        s.remove_prefix(word.size());
        std::string& line = lines.back();
        if (line.empty()) {
            line = word;
        } else if (line.size() + 1 + word.size() <= width) {
            line += " " + word;
        } else {
            lines.push_back(word);
        }
    }
    return lines;
}

/// Words of a message for text that somebody else wrote: in backticks, no control characters, and
/// shortened.
inline std::string shown(std::string_view s) {
    constexpr std::size_t kMost = 80;
    std::string out = "`";
    for (const char c : s.substr(0, kMost)) {
        const auto byte = static_cast<unsigned char>(c);
        out += byte >= 0x20 && byte != 0x7f ? std::string(1, c) : "\\x" + hex_digits(byte, 2);
    }
    return out + (s.size() > kMost ? "...`" : "`");
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

/// No file that is read whole is longer.
inline constexpr std::size_t kMaxFileBytes = std::size_t{1} << 28;

/// Whole file. Nothing if it cannot be read; `problem` then says why, "is a folder".
inline std::optional<std::string> read_file(const std::string& path, std::string& problem) {
    const auto unreadable = [&problem](int error) {
        problem = "cannot be read (" + std::generic_category().message(error) + ")";
        return std::nullopt;
    };
    std::error_code code;
    if (std::filesystem::is_directory(path, code)) {
        problem = "is a folder";
        return std::nullopt;
    }
    errno = 0;
    std::ifstream in(path, std::ios::binary);
    if (!in) return unreadable(errno);
    std::string out;
    std::vector<char> piece(std::size_t{1} << 16);
    while (in) {
        in.read(piece.data(), static_cast<std::streamsize>(piece.size()));
        out.append(piece.data(), static_cast<std::size_t>(in.gcount()));
        if (out.size() > kMaxFileBytes) {
            problem = "has more than " + hex(kMaxFileBytes) + " bytes";
            return std::nullopt;
        }
    }
    if (in.bad()) return unreadable(errno != 0 ? errno : EIO);
    return out;
}

}  // namespace macrame::verif::text
