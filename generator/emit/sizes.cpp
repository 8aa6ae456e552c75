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

/// What software compares; patterns of 32 bits.
struct Word {
    std::string_view name;
    std::uint32_t value = 0;
    std::string_view doc;
};

std::vector<Word> words(const Design& design) {
    return {
        {"identity", design.identity(), "hash of the parameters that compiled programs depend on"},
        {"identity_register", design.identity_register(),
         "byte address of the register with this hash; 0: there is none"}};
}

/// The lines of the parameters that programs depend on, as strings of C.
std::string parameter_strings(const Design& design, std::string_view between) {
    std::string out;
    std::string left = design.program_parameters();
    while (!left.empty()) {
        const std::size_t end = left.find('\n');
        out += fmt::format("{}\"{}\\n\"", between, left.substr(0, end));
        left.erase(0, end + 1);
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

/// Flags and numbers among the rows.
std::vector<Size> counts(const Design& design) {
    std::vector<Size> out;
    for (const Row& row : rows(design)) {
        if (const auto* flag = std::get_if<bool>(&row.value)) out.push_back({row.name, *flag});
        if (const auto* number = std::get_if<int>(&row.value)) out.push_back({row.name, *number});
    }
    return out;
}

}  // namespace

std::vector<Size> numbers(const Design& design) {
    std::vector<Size> out = counts(design);
    for (const Word& word : words(design))
        out.push_back({word.name, static_cast<int>(word.value)});
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
    for (const Word& word : words(design))
        constants += fmt::format("/// {}\ninline constexpr unsigned {} = {:#x}u;\n", word.doc,
                                 word.name, word.value);
    constants +=
        fmt::format("/// these parameters\ninline constexpr const char* program_parameters ={};\n",
                    parameter_strings(design, "\n    "));
    for (const Size& size : counts(design))
        table += fmt::format("    {{\"{0}\", {0}}},\n", size.name);
    for (const Word& word : words(design))
        table += fmt::format("    {{\"{0}\", static_cast<int>({0})}},\n", word.name);
    return fmt::format(
        "#pragma once\n/// Sizes of this configuration, made by macrame {0}.\n\n"
        "namespace {1}_params {{\n\n"
        "inline constexpr const char* name = \"{2}\";\n{3}\n"
        "/// All that are numbers or flags, by name.\n"
        "struct Size {{\n    const char* name;\n    int value;\n}};\n"
        "inline constexpr Size sizes[] = {{\n{4}}};\n\n}}  // namespace {1}_params\n",
        kVersion, design.header_name(), design.name, constants, table);
}

std::string sizes_h(const Design& design) {
    const std::string prefix = upper(design.header_name());
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
    for (const Word& word : words(design))
        out += fmt::format("/* {} */\n#define {}_{} {:#x}u\n", word.doc, prefix, upper(word.name),
                           word.value);
    out += fmt::format("/* these parameters */\n#define {}_PROGRAM_PARAMETERS{}\n", prefix,
                       parameter_strings(design, " \\\n    "));
    return out + "\n#endif\n";
}

}  // namespace macrame::emit
