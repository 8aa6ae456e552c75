#include "cli.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <memory>
#include <set>

#include "cli_app.hpp"
#include "cli_parts.hpp"
#include "core/version.hpp"
#include "resolve.hpp"

namespace macrame {

std::string examples(const Family& family) {
    std::string text = "Examples:\n";
    for (const std::string_view line : family.examples)
        text += fmt::format("  macrame {}\n", line);
    return text + "Commands and options may be shortened as long as they are unique.";
}

namespace {

const std::vector<std::string> kCommands = {"generate", "list",     "explain",  "simulate",
                                            "fpga",     "soc",      "host",     "compile",
                                            "run",      "estimate", "quantise", "explore"};
const std::vector<std::string> kSubjects = {"families", "presets", "params",
                                            "units",    "boards",  "operators"};
const std::vector<std::string> kChoices = {"family", "preset", "config"};

}  // namespace

verif::run::OptionRows simulate_rows(const Family& family, verif::run::Options& options) {
    return verif::run::offered(family.simulator.option_rows(options),
                               verif::run::Offered::generator);
}

namespace {

/// The options of a command, without their dashes.
std::vector<std::string> options(const Family& family, const std::string& command) {
    CLI::App app;
    Request request;
    add_commands(app, family, request);
    std::vector<std::string> list;
    const CLI::App& found = *app.get_subcommand(command);
    for (const CLI::Option* option : found.get_options())
        for (const std::string& name : option->get_lnames())
            list.push_back(name);
    return list;
}

}  // namespace

/// Options that choose a configuration.
void add_configuration(CLI::App& command, const Family& family, Request& request) {
    command.footer(examples(family));
    command.add_option("--family", request.family, "family of accelerators (from the preset)");
    command.add_option("--preset", request.preset,
                       fmt::format("configuration to start from ({})", family.default_preset));
    command.add_option("--config", request.config_file,
                       "file with parameters: TOML, which may name a preset, or JSON of a family");
    for (const Param& param : family.params) {
        const std::string unit = param.unit.empty() ? "" : fmt::format(" [{}]", param.unit);
        CLI::Option* option = command.add_option_function<std::string>(
            "--" + flag_name(param.key),
            [&request, &param](const std::string& text) {
                const bool bare = param.is_flag() && text.empty();
                request.values.emplace_back(param.key, bare ? "true" : text);
            },
            fmt::format("{}{}: {}", param.doc, unit, allowed_text(param)));
        option->group("Parameters")->type_name("");
        if (param.is_flag()) {
            option->expected(0, 1);
        }
    }
}

void add_templates(CLI::App& command, Request& request) {
    command.add_option("--templates", request.templates_folder,
                       "templates to use instead of the built-in ones");
}

namespace {

/// Options that name modules.
void add_names(CLI::App& command, Request& request) {
    command.add_option(
        "--prefix", request.names.prefix,
        "text before the names of all modules, library cells too, and in headers: core0_");
    command.add_option("--top", request.names.top, "name of the top module, without prefix");
}

void add_generate(CLI::App& app, const Family& family, Request& request) {
    CLI::App* generate = app.add_subcommand("generate", "write the files of a configuration");
    add_configuration(*generate, family, request);
    add_templates(*generate, request);
    add_names(*generate, request);
    generate->add_option("--out", request.out, "output folder")->required();
}

void add_list(CLI::App& app, Request& request) {
    CLI::App* list =
        app.add_subcommand("list", "list families, presets, params, units, boards or operators");
    list->add_option("what", request.subject,
                     "families, presets, params, units, boards or operators of network files")
        ->required();
    list->add_option("--family", request.family, "only of this family");
    add_board_folder(*list, request.board_folder);
}

void add_explain(CLI::App& app, const Family& family, Request& request) {
    CLI::App* explain = app.add_subcommand(
        "explain", "explain a parameter, a preset, a unit, or why a configuration is refused");
    explain->add_option("name", request.subject,
                        "parameter, preset or unit; none: the configuration chosen by the options");
    add_configuration(*explain, family, request);
    add_templates(*explain, request);
}

}  // namespace

/// The options of a simulation come from their table. CLI11 takes the command line apart and makes
/// the help; values are read and checked as in the delivered simulator, with the same messages.
void add_rows(CLI::App* command, const std::shared_ptr<verif::run::OptionRows>& rows) {
    const auto given = std::make_shared<std::vector<verif::run::Given>>();
    for (const verif::run::Option& row : *rows) {
        const std::string name(row.name);
        const std::string value = verif::run::default_text(row);
        const std::string doc =
            value.empty() ? std::string(row.doc) : fmt::format("{} ({})", row.doc, value);
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
            report({{error}});
        if (!errors.empty()) throw CLI::RuntimeError(kUserError);
    });
}

namespace {

void add_simulate(CLI::App& app, const Family& family, Request& request) {
    CLI::App* command = app.add_subcommand(
        "simulate", "generate, build with Verilator, run traces, random programs or the picture");
    add_configuration(*command, family, request);
    add_templates(*command, request);
    add_names(*command, request);
    add_rows(command,
             std::make_shared<verif::run::OptionRows>(simulate_rows(family, *request.simulate)));
}

void add_explore(CLI::App& app, Request& request) {
    CLI::App* explore = app.add_subcommand(
        "explore", "find the configurations that are worth building for some networks");
    add_explore_options(*explore, request.explore);
    add_settled_inputs(*explore, request);
    add_board_folder(*explore, request.explore.board_folder);
    explore->add_option("--out", request.out, "output folder")->required();
}

/// Value of an option that chooses a configuration, as far as it can be seen without a parser.
void peek(const std::vector<std::string>& words, const std::string& option,
          std::optional<std::string>& value) {
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::size_t equals = std::min(words[i].find('='), words[i].size());
        const std::string name = words[i].substr(0, equals);
        if (name.size() < 5 || ("--" + option).compare(0, name.size(), name) != 0) continue;
        if (equals < words[i].size()) {
            value = words[i].substr(equals + 1);
        } else if (i + 1 < words.size()) {
            value = words[i + 1];
        }
    }
}

/// The family whose parameters are options: the one that the command line asks for.
const Family& family_of(const std::vector<std::string>& words, const emit::Assets& assets) {
    Request request;
    peek(words, "family", request.family);
    peek(words, "preset", request.preset);
    peek(words, "config", request.config_file);
    Diags later;  // said when the request is carried out
    return choose_family(request, assets, later);
}

}  // namespace

void add_commands(CLI::App& app, const Family& family, Request& request) {
    app.footer(examples(family));
    app.set_version_flag("--version", fmt::format("macrame {}", kVersion));
    app.require_subcommand(1);
    add_generate(app, family, request);
    add_list(app, request);
    add_explain(app, family, request);
    request.simulate = family.simulator.make_options();
    add_simulate(app, family, request);
    add_boards(app, family, request);
    add_networks(app, family, request);
    add_quantise(app, family, request);
    add_explore(app, request);
}

std::vector<std::string> complete_arguments(const std::vector<std::string>& arguments,
                                            const Family& family, Diags& diags) {
    std::vector<std::string> result = arguments;
    if (result.empty() || result[0].compare(0, 1, "-") == 0) return result;
    result[0] = complete("command ", result[0], kCommands, diags);
    if (!diags.empty()) return result;
    if (result[0] == "list" && result.size() > 1 && result[1].compare(0, 1, "-") != 0) {
        result[1] = complete("list ", result[1], kSubjects, diags);
    }
    const std::vector<std::string> known = options(family, result[0]);
    for (std::string& word : result) {
        if (word.size() > 2 && word.compare(0, 2, "--") == 0) {
            const std::size_t equals = std::min(word.find('='), word.size());
            word = "--" + complete("--", word.substr(2, equals - 2), known, diags) +
                   word.substr(equals);
        }
    }
    return result;
}

Request parse_command_line(const std::vector<std::string>& arguments, const emit::Assets& assets,
                           int& exit_status) {
    Request request;
    Diags diags;
    const Family& family = family_of(arguments, assets);
    std::vector<std::string> words = complete_arguments(arguments, family, diags);
    if (report(diags)) {
        exit_status = kUserError;
        return request;
    }
    if (words.empty()) words.emplace_back("--help");
    CLI::App app("Generates deep-learning accelerators in Verilog.", "macrame");
    add_commands(app, family, request);
    try {
        std::reverse(words.begin(), words.end());
        app.parse(words);
        if (report(idle_options(*app.get_subcommands().front())))
            throw CLI::RuntimeError(kUserError);
    } catch (const CLI::Success& e) {  // help, version
        exit_status = app.exit(e);
        return request;
    } catch (const CLI::RuntimeError& e) {  // said already
        exit_status = e.get_exit_code();
        return request;
    } catch (const CLI::ParseError& e) {
        fmt::print(stderr, "macrame: {}\n", e.what());
        exit_status = kUserError;
        return request;
    }
    request.command = app.get_subcommands().front()->get_name();
    if (!request.networks.empty()) request.network = request.networks.front();
    exit_status = kPassed;
    return request;
}

}  // namespace macrame
