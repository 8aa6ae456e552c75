#include "emit/sizes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "core/version.hpp"

namespace macrame::emit {

namespace {

/// A parameter or a derived size.
struct Row {
    std::string_view name;
    ParamValue value;
    std::string_view doc;
};

std::vector<Row> rows(const Design& design) {
    std::vector<Row> out;
    for (const Param& param : design.family.params)
        out.push_back({param.key, param.get(design.config), param.doc});
    for (const Size& size : design.family.sizes(design.sizes())) {
        const bool is_param = find_param(design.family.params, size.name) != nullptr;
        if (!is_param) out.push_back({size.name, size.value, ""});
    }
    return out;
}

std::string upper(std::string_view text) {
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(), [](char c) {
        return static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    });
    return out;
}

}  // namespace

std::vector<Size> numbers(const Design& design) {
    std::vector<Size> out;
    for (const Row& row : rows(design)) {
        if (const auto* flag = std::get_if<bool>(&row.value)) out.push_back({row.name, *flag});
        if (const auto* number = std::get_if<int>(&row.value)) out.push_back({row.name, *number});
    }
    return out;
}

std::string sizes_hpp(const Design& design) {
    std::string constants;
    std::string table;
    for (const Row& row : rows(design)) {
        if (const auto* text = std::get_if<std::string>(&row.value)) {
            constants +=
                fmt::format("inline constexpr const char* {} = \"{}\";\n", row.name, *text);
            continue;
        }
        if (const auto* flag = std::get_if<bool>(&row.value)) {
            constants += fmt::format("inline constexpr bool {} = {};\n", row.name, *flag);
        } else {
            constants +=
                fmt::format("inline constexpr int {} = {};\n", row.name, std::get<int>(row.value));
        }
    }
    for (const Size& size : numbers(design))
        table += fmt::format("    {{\"{0}\", {0}}},\n", size.name);
    return fmt::format(
        "#pragma once\n/// Sizes of this configuration, made by macrame {}.\n\n"
        "namespace {}_params {{\n\n"
        "inline constexpr const char* name = \"{}\";\n{}\n"
        "/// All that are numbers or flags, by name.\n"
        "struct Size {{\n    const char* name;\n    int value;\n}};\n"
        "inline constexpr Size sizes[] = {{\n{}}};\n\n}}  // namespace {}_params\n",
        kVersion, design.family.name, design.name, constants, table, design.family.name);
}

std::string sizes_h(const Design& design) {
    const std::string prefix = upper(design.family.name);
    std::string out = fmt::format(
        "/* Sizes of this configuration, made by macrame {0}. */\n#ifndef {1}_PARAMS_H\n"
        "#define {1}_PARAMS_H\n\n#define {1}_CONFIGURATION \"{2}\"\n",
        kVersion, prefix, design.name);
    for (const Row& row : rows(design)) {
        const std::string name = fmt::format("{}_{}", prefix, upper(row.name));
        if (!row.doc.empty()) out += fmt::format("/* {} */\n", row.doc);
        if (const auto* text = std::get_if<std::string>(&row.value)) {
            out += fmt::format("#define {} \"{}\"\n", name, *text);
        } else if (const auto* flag = std::get_if<bool>(&row.value)) {
            out += fmt::format("#define {} {:d}\n", name, *flag);
        } else {
            out += fmt::format("#define {} {}\n", name, std::get<int>(row.value));
        }
    }
    return out + "\n#endif\n";
}

}  // namespace macrame::emit
