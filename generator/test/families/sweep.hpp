#pragma once
/// scripts/<family>/sweep.txt: the configurations that lint, regression and tests share.

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "cli.hpp"
#include "emit/generate.hpp"
#include "resolve.hpp"
#include "test/source_dir.hpp"
#include "verif/common/text.hpp"

namespace macrame::sweep {

struct Line {
    std::string text;
    bool random = false;  ///< the regression runs random programs on it
    Settings settings;
};

/// Takes the first word off `rest`.
inline std::string first_word(std::string_view& rest) {
    rest = verif::text::trim(rest);
    const std::string word(rest.substr(0, rest.find(' ')));
    rest = verif::text::trim(rest.substr(word.size()));
    return word;
}

/// All lines of the family's file as configurations.
inline std::vector<Line> lines_of(const std::string& family) {
    std::vector<Line> lines;
    std::ifstream in(source_dir() + "/scripts/" + family + "/sweep.txt");
    for (std::string text; std::getline(in, text);) {
        if (text.empty() || text[0] == '#') continue;
        const bool random = text.compare(0, 2, "* ") == 0;
        if (random) text.erase(0, 2);
        std::vector<std::string> words = {"generate", "--out", "x"};
        for (std::string_view rest = text; !rest.empty();)
            words.push_back(first_word(rest));
        int status = 0;
        Diags diags;
        const Settings settings =
            resolve(parse_command_line(words, emit::Assets(), status), emit::Assets(), diags);
        EXPECT_EQ(status, 0) << text;
        EXPECT_TRUE(diags.empty()) << text;
        EXPECT_EQ(settings.design.family.name, family) << text;
        lines.push_back({text, random, settings});
    }
    return lines;
}

inline void expect_legal_and_different(const std::vector<Line>& lines) {
    std::set<std::string> seen;
    for (const Line& line : lines) {
        for (const Diag& diag : check(line.settings))
            ADD_FAILURE() << line.text << "\n" << diag.text;
        std::string all;
        for (const Param& param : line.settings.params())
            all += value_text(line.settings.config(), param) + " ";
        // Published configurations may differ in no more than their board.
        const bool is_preset = line.text == "--preset " + line.settings.design.name;
        EXPECT_TRUE(seen.insert(all).second || is_preset) << line.text;
    }
}

inline void expect_every_preset(const std::vector<Line>& lines) {
    const Family& family = lines.front().settings.design.family;
    for (const std::string& name : preset_names(family, emit::Assets())) {
        EXPECT_TRUE(std::any_of(lines.begin(), lines.end(), [&](const Line& line) {
            return line.text == "--preset " + name;
        })) << name;
    }
}

/// The values of a parameter: all of a list, both ends of a range or of many powers of two.
inline std::vector<std::string> values_to_see(const Param& param) {
    const Allowed& allowed = param.allowed;
    if (param.is_flag()) return {"true", "false"};
    std::vector<std::string> values(allowed.words.begin(), allowed.words.end());
    for (const int number : allowed.choices)
        values.push_back(std::to_string(number));
    constexpr int kMany = 256;
    if (allowed.power_of_two && allowed.high <= kMany * allowed.low) {
        for (int n = allowed.low; n <= allowed.high; n *= 2)
            values.push_back(std::to_string(n));
    } else if (values.empty()) {
        values = {std::to_string(allowed.low), std::to_string(allowed.high)};
    }
    if (allowed.or_none) values.emplace_back("none");
    return values;
}

inline void expect_value(const std::vector<Line>& lines, const Param& param,
                         const std::string& value) {
    EXPECT_TRUE(std::any_of(
        lines.begin(), lines.end(),
        [&](const Line& line) { return value_text(line.settings.config(), param) == value; }))
        << param.key << " = " << value;
}

/// The Verilog files of a design, without its testbench, by their modules.
inline std::map<std::string, std::string> verilog(const Settings& settings) {
    std::map<std::string, std::string> files;
    Diags diags;
    const emit::OutputSet set = emit::generate(settings.design, emit::Assets(), diags);
    for (const emit::OutputFile& file : set.files()) {
        const std::string path = file.path;
        const std::size_t slash = path.rfind('/') + 1;
        if (path.substr(0, slash) != "rtl/") continue;
        files[path.substr(slash, path.size() - 2 - slash)] = file.bytes;
    }
    return files;
}

/// First word of every line of a Verilog file: modules that it instantiates are among them.
inline std::set<std::string> first_words(const std::string& verilog) {
    std::set<std::string> words;
    for (std::string_view rest = verilog; !rest.empty();) {
        std::string_view line = verif::text::next_line(rest);
        if (line.substr(0, 1) == " ") words.insert(first_word(line));
    }
    return words;
}

/// Every Verilog file but that of the top is instantiated.
inline void expect_all_instantiated(const std::vector<Line>& lines) {
    for (const Line& line : lines) {
        const auto files = verilog(line.settings);
        std::set<std::string> used;
        for (const auto& [module, text] : files)
            used.merge(first_words(text));
        std::string unused;
        for (const auto& [module, text] : files) {
            if (used.count(module) == 0) unused += module + " ";
        }
        EXPECT_EQ(std::count(unused.begin(), unused.end(), ' '), 1) << unused << "of " << line.text;
    }
}

/// What made the file, a comment on its purpose, `default_nettype none, the module; cells may have
/// an attribute in front, those for simulation alone are between `ifdef and `endif.
inline void expect_alike_beginnings(const std::vector<Line>& lines) {
    for (const Line& line : lines) {
        for (const auto& [module, text] : verilog(line.settings)) {
            const std::size_t at = text.find("\n`default_nettype none\n\n");
            ASSERT_NE(at, text.npos) << module << " of " << line.text;
            std::string_view first = std::string_view(text).substr(text.find("\n\n", at) + 2);
            const bool guarded = first.substr(0, 6) == "`ifdef";
            if (guarded || first.substr(0, 2) == "(*") verif::text::next_line(first);
            EXPECT_EQ(first.substr(0, module.size() + 8), "module " + module + " ") << line.text;
            std::string_view comment = std::string_view(text).substr(0, at);
            std::string_view last;
            while (!comment.empty()) {
                last = verif::text::next_line(comment);
                EXPECT_TRUE(last.empty() || last.substr(0, 2) == "//") << module << last;
            }
            EXPECT_EQ(last.substr(0, 2), "//") << module << ": want a comment on the module";
            const std::string end = guarded ? "\nendmodule\n`endif\n\n" : "\nendmodule\n\n";
            EXPECT_NE(text.find(end + "`default_nettype wire\n"), text.npos) << module;
        }
    }
}

}  // namespace macrame::sweep
