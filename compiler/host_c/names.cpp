#include "compiler/host_c/names.hpp"

#include <algorithm>
#include <cctype>
#include <set>

namespace macrame::compiler::host_c {

namespace {

/// What C and C++ have for themselves, and macros that are there without a header.
const std::set<std::string> kReserved = {
    // C
    "auto", "break", "case", "char", "const", "continue", "default", "do", "double", "else", "enum",
    "extern", "float", "for", "goto", "if", "inline", "int", "long", "register", "restrict",
    "return", "short", "signed", "sizeof", "static", "struct", "switch", "typedef", "typeof",
    "union", "unsigned", "void", "volatile", "while",
    // C++ and newer C
    "alignas", "alignof", "and", "and_eq", "asm", "bitand", "bitor", "bool", "catch", "char8_t",
    "char16_t", "char32_t", "class", "co_await", "co_return", "co_yield", "compl", "concept",
    "const_cast", "consteval", "constexpr", "constinit", "decltype", "delete", "dynamic_cast",
    "explicit", "export", "false", "friend", "mutable", "namespace", "new", "noexcept", "not",
    "not_eq", "nullptr", "operator", "or", "or_eq", "private", "protected", "public",
    "reinterpret_cast", "requires", "static_assert", "static_cast", "template", "this",
    "thread_local", "throw", "true", "try", "typeid", "typename", "using", "virtual", "wchar_t",
    "xor", "xor_eq",
    // macros
    "EOF", "INFINITY", "NAN", "NULL", "assert", "errno", "i386", "linux", "stderr", "stdin",
    "stdout", "unix"};

bool ends_with(const std::string& text, const std::string& with) {
    return text.size() >= with.size() &&
           text.compare(text.size() - with.size(), with.size(), with) == 0;
}

}  // namespace

std::string c_name(const std::string& name) {
    std::string out;
    for (const char c : name) {
        const auto byte = static_cast<unsigned char>(c);
        out += byte < 128 && std::isalnum(byte) != 0 ? c : '_';
    }
    const bool starts_name = !out.empty() && std::isalpha(static_cast<unsigned char>(out[0])) != 0;
    if (!starts_name || kReserved.count(out) != 0 || ends_with(out, "_t") ||
        out.rfind("macrame", 0) == 0)
        out = "net_" + out;
    return out;
}

std::string upper(std::string name) {
    std::transform(name.begin(), name.end(), name.begin(),
                   [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    return name;
}

std::string comment(std::string text) {
    for (char& c : text)
        if (c == '*' || c == '\\' || static_cast<unsigned char>(c) < 32) c = ' ';
    return text;
}

std::string quoted(const std::string& text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') out += '\\';
        out += static_cast<unsigned char>(c) < 32 || c == '?' ? '_' : c;
    }
    return out + "\"";
}

}  // namespace macrame::compiler::host_c
