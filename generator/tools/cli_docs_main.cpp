/// Writes the man page and the bash completion of the program from its option tables.
///     macrame_cli_docs macrame.1 macrame.bash

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

#include "cli_app.hpp"
#include "core/version.hpp"
#include "core/words.hpp"
#include "resolve.hpp"

namespace {

using namespace macrame;

constexpr const char* kParameters = "Parameters";  // group of the options of a family

/// Text for roff: no command at the start of a line, minus signs that can be copied.
std::string roff(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c == '-' || c == '\\') out += '\\';
        out += c;
    }
    return (!out.empty() && (out[0] == '.' || out[0] == '\'') ? "\\&" : "") + out;
}

/// Paragraph of an option: ".TP \fB--name\fR text".
std::string item(const CLI::Option& option) {
    const std::string value = option.get_expected_max() == 0 ? "" : option.get_type_name();
    return fmt::format(".TP\n\\fB{}\\fR {}\n{}\n", roff(option.get_name(false, true)), roff(value),
                       roff(option.get_description()));
}

std::vector<const CLI::Option*> options_of(const CLI::App& command, bool parameters) {
    std::vector<const CLI::Option*> list;
    for (const CLI::Option* option : command.get_options()) {
        if ((option->get_group() == kParameters) == parameters) list.push_back(option);
    }
    return list;
}

std::string man_page(const CLI::App& app, const Families& families) {
    std::string out = fmt::format(".TH MACRAME 1 \"\" \"macrame {}\"\n.SH NAME\nmacrame \\- {}\n",
                                  kVersion, "generator of deep\\-learning accelerators in Verilog");
    out += ".SH SYNOPSIS\n";
    for (const CLI::App* command : app.get_subcommands({}))
        out += fmt::format(".B macrame {}\n[options]\n.br\n", command->get_name());
    for (const CLI::App* command : app.get_subcommands({})) {
        out += fmt::format(".SH macrame {}\n{}\n", command->get_name(),
                           roff(command->get_description()));
        for (const CLI::Option* option : options_of(*command, false))
            out += item(*option);
    }
    for (const Family* family : families) {
        out += fmt::format(".SH PARAMETERS OF {}\n{}\n", family->name, roff(family->doc));
        for (const Param& param : family->params) {
            out += fmt::format(".TP\n\\fB\\-\\-{}\\fR {}\n{}\n", roff(flag_name(param.key)),
                               roff(allowed_text(param)), roff(param.doc));
        }
    }
    for (const Family* family : families)
        out += fmt::format(".SH EXAMPLES OF {}\n.nf\n{}\n.fi\n", family->name, roff(examples(*family)));
    out += ".SH EXIT STATUS\n0 passed, 1 something failed, 2 bad input, 3 internal error\n";
    return out;
}

std::string long_options(const CLI::App& command) {
    std::string list;
    for (const CLI::Option* option : command.get_options()) {
        for (const std::string& name : option->get_lnames())
            list += fmt::format("{}--{}", list.empty() ? "" : " ", name);
    }
    return list;
}

std::string completion(const CLI::App& app, const Families& families) {
    const emit::Assets assets("", families);
    std::string presets, names, cases, words;
    for (const Family* family : families) {
        for (const std::string& preset : preset_names(*family, assets))
            presets += preset + " ";
        for (const Param& param : family->params)
            names += flag_name(param.key) + " ";
        for (const Unit* unit : family->units)
            names += fmt::format("{} ", unit->name);
    }
    for (const CLI::App* command : app.get_subcommands({})) {
        words += command->get_name() + " ";
        cases += fmt::format("        {}) words=\"{}\" ;;\n", command->get_name(),
                             long_options(*command));
    }
    return fmt::format(R"(# bash completion of macrame
_macrame() {{
    local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD - 1]}} words
    COMPREPLY=()
    case $before in
        --preset) mapfile -t COMPREPLY < <(compgen -W "{}" -- "$word"); return ;;
        --config|--trace|--csv|--json|--junit|--wave|--out|--templates|--build-dir|--image|--png)
            mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
        list) mapfile -t COMPREPLY < <(compgen -W "families presets params units" -- "$word")
            return ;;
        explain) mapfile -t COMPREPLY < <(compgen -W "{}{}" -- "$word"); return ;;
    esac
    case ${{COMP_WORDS[1]}} in
{}        *) words="{}--help --version" ;;
    esac
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
}}
complete -F _macrame macrame
)",
                       presets, names, presets, cases, words);
}

bool write(const char* path, const std::string& text) {
    std::ofstream file(path, std::ios::binary);
    file << text;
    return static_cast<bool>(file.flush());
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 3) {
        fmt::print(stderr, "usage: macrame_cli_docs <man page> <completion>\n");
        return 2;
    }
    const Families& families = all_families();
    CLI::App app;
    Request request;
    add_commands(app, *families.front(), request);
    const bool good =
        write(argv[1], man_page(app, families)) && write(argv[2], completion(app, families));
    return good ? 0 : 1;
}
