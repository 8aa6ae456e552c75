#include "cli.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <memory>

#include "core/version.hpp"
#include "emit/file_io.hpp"

namespace macrame {

namespace {

constexpr std::string_view kPresets = "generator/families/dla/presets/";
constexpr int kRun = -1;  // exit status: go on

const std::vector<std::string> kCommands = {"generate", "list", "explain", "simulate"};
const std::vector<std::string> kSubjects = {"presets", "params", "units"};

constexpr const char* kExamples =
    "Examples:\n"
    "  macrame generate --preset nv_small --out build/nv_small\n"
    "  macrame generate --preset nv_small --mac-atomic-c 16 --out build/wide\n"
    "  macrame generate --config my.toml --out build/mine\n"
    "  macrame simulate --preset nv_small --trace nvdla/hw/verif/tests/trace_tests/nv_small\n"
    "  macrame simulate --preset nv_small --both --random 20 --stall 0.3\n"
    "  macrame simulate --preset nv_small --picture --png filters.png\n"
    "  macrame list params\n"
    "  macrame explain cbuf-bank-depth\n"
    "  macrame explain --mac-atomic-c 64 --mac-atomic-k 8\n"
    "Commands and options may be shortened as long as they are unique.";

std::vector<std::string> options() {
    std::vector<std::string> list = {"preset", "config", "out", "templates", "help", "version"};
    dla::run::SimulateOptions simulate;
    for (const verif::run::Option& row :
         verif::run::offered(dla::run::option_rows(simulate), verif::run::Offered::generator)) {
        list.emplace_back(row.name);
    }
    for (const Param& param : params()) {
        list.push_back(flag_name(param.key));
    }
    return list;
}

/// The one candidate that is or starts with `word`; otherwise a diagnostic and `word` itself.
std::string complete(const std::string& what, const std::string& word,
                     const std::vector<std::string>& candidates, Diags& diags) {
    std::vector<std::string> found;
    for (const std::string& candidate : candidates) {
        if (candidate == word) {
            return word;
        }
        if (candidate.compare(0, word.size(), word) == 0) {
            found.push_back(candidate);
        }
    }
    if (found.size() == 1) {
        return found[0];
    }
    std::string text = what + word + ": ";
    if (found.empty()) {
        const std::string like = closest(word, candidates);
        text += like.empty() ? "unknown" : "unknown, did you mean " + like + "?";
    } else {
        text += "could be";
        for (std::size_t i = 0; i < found.size(); ++i) {
            text += (i == 0 ? " " : ", ") + found[i];
        }
    }
    diags.push_back({text});
    return word;
}

/// Options that choose a configuration.
void add_configuration(CLI::App& command, Request& request) {
    command.footer(kExamples);
    command.add_option("--preset", request.preset, "configuration to start from (nv_small)");
    command.add_option("--config", request.config_file,
                       "TOML file with parameters; may name a preset");
    command.add_option("--templates", request.templates_folder,
                       "templates to use instead of the built-in ones");
    for (const Param& param : params()) {
        const std::string unit = param.unit.empty() ? "" : " [" + std::string(param.unit) + "]";
        CLI::Option* option = command.add_option_function<std::string>(
            "--" + flag_name(param.key),
            [&request, &param](const std::string& text) {
                const bool bare = param.is_flag() && text.empty();
                request.values.emplace_back(param.key, bare ? "true" : text);
            },
            std::string(param.doc) + unit + ": " + allowed_text(param));
        option->group("Parameters")->type_name("");
        if (param.is_flag()) {
            option->expected(0, 1);
        }
    }
}

void add_generate(CLI::App& app, Request& request) {
    CLI::App* generate = app.add_subcommand("generate", "write the files of a configuration");
    add_configuration(*generate, request);
    generate->add_option("--out", request.out, "output folder")->required();
}

void add_explain(CLI::App& app, Request& request) {
    CLI::App* explain = app.add_subcommand(
        "explain", "explain a parameter, a preset, a unit, or why a configuration is refused");
    explain->add_option("name", request.subject,
                        "parameter, preset or unit; none: the configuration chosen by the options");
    add_configuration(*explain, request);
}

/// The options of a simulation come from their table. CLI11 takes the command line apart and makes
/// the help; values are read and checked as in the delivered simulator, with the same messages.
void add_simulate(CLI::App& app, Request& request) {
    CLI::App* command = app.add_subcommand(
        "simulate", "generate, build with Verilator, run traces, random programs or the picture");
    add_configuration(*command, request);
    const auto rows = std::make_shared<verif::run::OptionRows>(verif::run::offered(
        dla::run::option_rows(request.simulate), verif::run::Offered::generator));
    const auto given = std::make_shared<std::vector<verif::run::Given>>();
    for (const verif::run::Option& row : *rows) {
        const std::string name(row.name);
        const std::string value = verif::run::default_text(row);
        const std::string doc = std::string(row.doc) + (value.empty() ? "" : " (" + value + ")");
        if (row.is_flag()) {
            command
                ->add_flag_callback(
                    "--" + name,
                    [given, name] {
                        given->push_back({name, std::nullopt});
                    },
                    doc)
                ->disable_flag_override();
            continue;
        }
        const auto take = [given, name](const std::vector<std::string>& values) {
            for (const std::string& text : values)
                given->push_back({name, text});
        };
        command->add_option_function<std::vector<std::string>>("--" + name, take, doc)
            ->type_name(std::string(row.value))
            ->expected(0, row.value == "PATH" ? CLI::detail::expected_max_vector_size : 1)
            ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    }
    command->callback([rows, given] {
        const std::vector<std::string> errors = verif::run::set_options(*rows, *given);
        for (const std::string& error : errors)
            std::cerr << "macrame: " << error << "\n";
        if (!errors.empty()) throw CLI::RuntimeError(2);
    });
}

std::string known_presets(const emit::Assets& assets) {
    std::string text;
    for (const std::string& name : preset_names(assets)) {
        text += (text.empty() ? "" : ", ") + name;
    }
    return text;
}

/// Full name of a preset given by a unique prefix; empty with a diagnostic if there is none.
std::string find_preset(const std::string& name, const emit::Assets& assets,
                        const std::string& where, Diags& diags) {
    const std::vector<std::string> names = preset_names(assets);
    std::vector<std::string> found;
    for (const std::string& candidate : names) {
        if (candidate == name) {
            return name;
        }
        if (candidate.compare(0, name.size(), name) == 0) {
            found.push_back(candidate);
        }
    }
    if (found.size() == 1) {
        return found[0];
    }
    const std::string like = closest(name, names);
    diags.push_back({"preset = " + name + ": want one of " + known_presets(assets) + " (" + where +
                     ")" + (like.empty() ? "" : "; did you mean " + like + "?")});
    return "";
}

std::string stem(const std::string& path) {
    const std::string name = path.substr(path.find_last_of('/') + 1);
    return name.substr(0, name.find_last_of('.'));
}

}  // namespace

std::vector<std::string> complete_arguments(const std::vector<std::string>& arguments,
                                            Diags& diags) {
    std::vector<std::string> result = arguments;
    if (result.empty() || result[0].compare(0, 1, "-") == 0) {
        return result;
    }
    result[0] = complete("command ", result[0], kCommands, diags);
    if (result[0] == "list" && result.size() > 1 && result[1].compare(0, 1, "-") != 0) {
        result[1] = complete("list ", result[1], kSubjects, diags);
    }
    for (std::string& word : result) {
        if (word.size() > 2 && word.compare(0, 2, "--") == 0) {
            const std::size_t equals = std::min(word.find('='), word.size());
            word = "--" + complete("--", word.substr(2, equals - 2), options(), diags) +
                   word.substr(equals);
        }
    }
    return result;
}

Request parse_command_line(const std::vector<std::string>& arguments, int& exit_status) {
    Request request;
    Diags diags;
    std::vector<std::string> words = complete_arguments(arguments, diags);
    for (const Diag& diag : diags) {
        std::cerr << "macrame: " << diag.text << "\n";
    }
    if (!diags.empty()) {
        exit_status = 2;
        return request;
    }
    if (words.empty()) {
        words.emplace_back("--help");
    }
    CLI::App app("Generates deep-learning accelerators in Verilog.", "macrame");
    app.footer(kExamples);
    app.set_version_flag("--version", std::string("macrame ") + kVersion);
    app.require_subcommand(1);
    add_generate(app, request);
    app.add_subcommand("list", "list presets, params or units")
        ->add_option("what", request.subject, "presets, params or units")
        ->required();
    add_explain(app, request);
    add_simulate(app, request);
    try {
        std::reverse(words.begin(), words.end());
        app.parse(words);
    } catch (const CLI::ParseError& e) {
        exit_status = app.exit(e) == 0 ? 0 : 2;
        return request;
    }
    const CLI::App* command = app.get_subcommands().front();
    request.command = command->get_name();
    exit_status = kRun;
    return request;
}

std::vector<std::string> preset_names(const emit::Assets& assets) {
    std::vector<std::string> names;
    for (const std::string_view path : assets.list(kPresets)) {
        names.push_back(stem(std::string(path)));
    }
    return names;
}

Settings resolve(const Request& request, const emit::Assets& assets, Diags& diags) {
    Settings settings;
    std::string file_text;
    std::string preset = request.preset;
    std::string preset_where = "--preset";
    if (!request.config_file.empty()) {
        const emit::FileText file = emit::read_file(request.config_file);
        if (!file.error.empty()) {
            diags.push_back({request.config_file + ": " + file.error});
            return settings;
        }
        file_text = file.bytes;
        if (preset.empty()) {
            preset = preset_of_toml(file_text).value_or("");
            preset_where = request.config_file;
        }
    }
    const std::string base =
        find_preset(preset.empty() ? "nv_small" : preset, assets, preset_where, diags);
    if (base.empty()) {
        return settings;
    }
    const std::string path = std::string(kPresets) + base + ".toml";
    apply_toml(settings, assets.read(path).value_or(""), base + ".toml", Origin::Level::kPreset,
               diags);
    settings.config.name = base;
    if (!request.config_file.empty()) {
        apply_toml(settings, file_text, request.config_file, Origin::Level::kFile, diags);
        settings.config.name = stem(request.config_file);
    }
    for (const auto& [key, text] : request.values) {
        apply_setting(settings, key, text, {Origin::Level::kFlag, "--" + flag_name(key)}, diags);
    }
    apply_followers(settings);
    return settings;
}

}  // namespace macrame
