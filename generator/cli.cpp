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
#include "families/target.hpp"
#include "network/passes.hpp"
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

/// Options of a simulation for networks on the design.
const std::vector<std::string_view> kRunOptions = {
    "both", "latency",  "secondary-latency", "stall", "interleave", "seed",
    "jobs", "csb-idle", "bus-clock-div",     "wave",  "build-dir",  "steps"};

/// The golden model is what networks run on unless the options say otherwise.
verif::run::OptionRows run_rows(const Family& family, verif::run::Options& options) {
    using verif::run::Subject;
    options.subject = Subject::model;
    verif::run::OptionRows rows = {{"rtl",
                                    verif::run::SubjectFlag{&options.subject, Subject::rtl},
                                    "",
                                    {},
                                    "on the Verilated design instead of the golden model",
                                    {},
                                    {"both"}}};
    for (verif::run::Option& row : simulate_rows(family, options)) {
        if (std::find(kRunOptions.begin(), kRunOptions.end(), row.name) != kRunOptions.end())
            rows.push_back(std::move(row));
    }
    return rows;
}

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

std::vector<std::string> strategies_of(const Family& family) {
    if (family.target == nullptr) return {};
    const std::vector<std::string_view> names = family.target->strategies();
    return {names.begin(), names.end()};
}

/// Whose hardware programs may be for.
std::vector<std::string> programs_for(const Family& family) {
    std::vector<std::string> names = {"macrame"};
    if (family.target == nullptr || family.target->original().empty()) return names;
    names.emplace_back("original");
    if (names.back() != family.target->original()) names.emplace_back(family.target->original());
    return names;
}

std::string strategy_doc(const std::vector<std::string>& strategies) {
    return "what of a network stays on the chip" +
           (strategies.empty() ? " (nothing to choose)" : fmt::format(" ({})", strategies.front()));
}

/// NAME=N,N,... as a shape of the request.
void add_shape(const std::string& text, Request& request) {
    const std::size_t end = text.rfind('=');
    std::vector<int> shape;
    bool good = end != std::string::npos && end > 0;
    if (good) {
        for (const std::string& number : CLI::detail::split(text.substr(end + 1), ',')) {
            int size = 0;
            good &= CLI::detail::lexical_cast(number, size) && size > 0;
            shape.push_back(size);
        }
    }
    if (!good) throw CLI::ValidationError("--shape", text + ": want NAME=N,N,... of at least 1");
    request.shapes[text.substr(0, end)] = std::move(shape);
}

/// OUT=IN as a state of the request.
void add_state(const std::string& text, Request& request) {
    const std::size_t end = text.find('=');
    if (end == std::string::npos || end == 0 || end + 1 == text.size())
        throw CLI::ValidationError("--state", text + ": want OUT=IN, an output and an input");
    request.states.emplace_back(text.substr(0, end), text.substr(end + 1));
}

/// An option that may be given several times, a text each.
void add_texts(CLI::App& command, const std::string& name, Request& request,
               void (*take)(const std::string&, Request&), const std::string& type,
               const std::string& doc) {
    command
        .add_option_function<std::vector<std::string>>(
            name,
            [&request, take](const std::vector<std::string>& all) {
                for (const std::string& one : all)
                    take(one, request);
            },
            doc)
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->type_name(type);
}

}  // namespace

void add_network(CLI::App& command, const Family& family, Request& request) {
    command.add_option("network", request.networks, "TFLite or ONNX files; run: one")->required();
    add_texts(command, "--shape", request, add_shape, "NAME=N,N,...",
              "shape of an input whose file leaves axes open; also several times");
    add_texts(command, "--state", request, add_state, "OUT=IN",
              "an output that is an input of the next run, 0 in the first; also several times");
    command.add_flag(
        "--exact", request.exact,
        "values of the reference also where they cost cycles (else where that adds less "
        "than 2 % to the cycles of the network; estimate tells what is proved)");
    command.add_flag("--no-host", request.no_host,
                     "refuse what the configuration cannot do instead of running it on the host, "
                     "but at the ends of the network");
    command.add_flag("--host-fallback")->group("");  // what it asked for is done anyway
    command
        .add_option_function<std::string>(
            "--for",
            [&request](const std::string& what) { request.for_original = what != "macrame"; },
            "program for macrame's hardware or one that avoids defects of the original's, as the "
            "trace always does (macrame)")
        ->check(CLI::IsMember(programs_for(family)));
    const std::vector<std::string> strategies = strategies_of(family);
    command.add_option("--strategy", request.strategy, strategy_doc(strategies))
        ->check(CLI::IsMember(strategies));
    add_configuration(command, family, request);
}

CLI::Option* add_inputs(CLI::App& command, Request& request, const std::string& doc) {
    command.add_flag("--resize", request.resize, "bring pictures to the size of the input");
    command
        .add_option("--input-type", request.input_type,
                    "type of raw inputs: float32, or elements of the network's own (that of the "
                    "network's file)")
        ->check(CLI::IsMember({"float32", "elements"}));
    command
        .add_option("--pixel-range", request.pixel_range,
                    "real values of pixels 0 and 255 (the range of the input)")
        ->delimiter(',')
        ->type_name("LOW,HIGH");
    return command.add_option("--input", request.input, doc)
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

namespace {

void add_report(CLI::App& command, Request& request) {
    command
        .add_option("--host-mhz", request.host_mhz,
                    "clock of the host, for the time of its operators (1000)")
        ->check(CLI::Range(1, 10000));
    command.add_option("--report", request.report, "write a report on the network, an HTML file");
}

void add_networks(CLI::App& app, const Family& family, Request& request) {
    CLI::App* compile = app.add_subcommand("compile", "write the program of a network");
    add_network(*compile, family, request);
    add_report(*compile, request);
    compile->add_option("--out", request.out, "output folder")->required();
    add_inputs(*compile, request, "write a trace or inputs with this, a file as of run");
    if (family.target != nullptr && family.target->writes_registers())
        compile->add_flag("--trace", request.trace, "write a trace, without --input of zeros");
    std::vector<std::string> passes = network::pass_names(family);
    passes.emplace_back(compiler::kAllPasses);
    compile
        ->add_option("--dump", request.dump,
                     "write what a pass, or all, have made as text (NAME.NN-pass.txt)")
        ->check(CLI::IsMember(passes));
    CLI::App* run = app.add_subcommand("run", "run a network on inputs");
    add_network(*run, family, request);
    add_report(*run, request);
    add_templates(*run, request);
    add_inputs(
        *run, request,
        "inputs, also several times: raw elements back to back, .npy, .png, .jpg, .wav, or a "
        "folder of them; NAME=FILE has those of one input of the network")
        ->required();
    run->add_option("--output", request.output, "file for the outputs, raw elements back to back");
    run->add_option("--output-type", request.output_type,
                    "type of these: float32, or elements of the network's own (that of the "
                    "network's file)")
        ->check(CLI::IsMember({"float32", "elements"}));
    run->add_option("--count", request.count, "so many inputs (all)")
        ->check(CLI::Range(1, 1 << 30));
    run->add_option("--labels", request.labels,
                    "file of true classes, a number or nothing per line and input");
    run->add_option("--classes", request.classes, "file of names, a line per class");
    run->add_option(
        "--json", request.json,
        "write how exact it is, cycles of the design, and what --compare-layers found, to "
        "this file");
    run->add_option("--layers", request.layers,
                    "folder for the tensors at the ends of layers, .npy files and an index.json");
    run->add_option("--compare-layers", request.compare_layers,
                    "compare them with the reference executor, or with the .npy files of a folder; "
                    "an error if one differs more than was declared")
        ->expected(0, 1)
        ->type_name("FOLDER");
    request.machine = family.simulator.make_options();
    add_rows(run, std::make_shared<verif::run::OptionRows>(run_rows(family, *request.machine)));
    CLI::App* estimate = app.add_subcommand("estimate", "cycles of a network, without simulation");
    add_network(*estimate, family, request);
    add_report(*estimate, request);
    estimate->add_option("--json", request.json,
                         "write the layers, and how exact it is, to this file, too");
    estimate->add_option("--mhz", request.mhz, "clock of the accelerator, for times")
        ->check(CLI::Range(1, 10000));
    if (family.target != nullptr && family.target->takes_latency())
        estimate
            ->add_option("--latency", request.latency,
                         "memory latency in cycles, as of run (as programs are made for)")
            ->check(CLI::Range(1, 100000));
    estimate->add_option("--board", request.board, "its clock and memory (macrame list boards)");
    add_board_folder(*estimate, request.board_folder);
    estimate
        ->add_option("--memory-bytes-per-cycle", request.memory_bytes_per_cycle,
                     "most that memory moves (the board's, else what the ports do)")
        ->check(CLI::Range(0.01, 4096.0));
}

void add_quantise(CLI::App& app, const Family& family, Request& request) {
    CLI::App* quantise = app.add_subcommand("quantise", "make an int8 network of a float one");
    quantise->add_option("network", request.network, "a float network, ONNX or TFLite")->required();
    add_quantise_options(*quantise, request.quantise);
    add_texts(*quantise, "--shape", request, add_shape, "NAME=N,N,...",
              "shape of an input whose file leaves axes open; also several times");
    add_configuration(*quantise, family, request);
}

void add_explore(CLI::App& app, Request& request) {
    CLI::App* explore = app.add_subcommand(
        "explore", "find the configurations that are worth building for some networks");
    add_explore_options(*explore, request.explore);
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
