/// Options of networks, and the commands compile, run, estimate and quantise.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cli_parts.hpp"
#include "families/target.hpp"
#include "network/passes.hpp"

namespace macrame {

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
    const bool added = request.shapes.emplace(text.substr(0, end), std::move(shape)).second;
    if (!added) throw CLI::ValidationError("--shape", text + ": given twice: want it once");
}

/// NAME=V,V,... as elements of an input that becomes a constant.
void add_fixed(const std::string& text, Request& request) {
    const std::size_t end = text.rfind('=');
    const bool named = end != std::string::npos && end > 0;
    std::vector<std::string> values;
    if (named) values = CLI::detail::split(text.substr(end + 1), ',');
    if (values.empty() || std::any_of(values.begin(), values.end(),
                                      [](const std::string& value) { return value.empty(); }))
        throw CLI::ValidationError("--fix", text + ": want NAME=V,V,..., one value or each");
    const bool added = request.fixed.emplace(text.substr(0, end), std::move(values)).second;
    if (!added) throw CLI::ValidationError("--fix", text + ": given twice: want it once");
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

void add_settled_inputs(CLI::App& command, Request& request) {
    add_texts(command, "--shape", request, add_shape, "NAME=N,N,...",
              "shape of an input whose file leaves axes open; also several times");
    add_texts(command, "--fix", request, add_fixed, "NAME=V,V,...",
              "an input that becomes a constant: its elements, or one for all; also several times");
}

void add_network(CLI::App& command, const Family& family, Request& request) {
    command.add_option("network", request.networks, "TFLite or ONNX files; run: one")->required();
    add_settled_inputs(command, request);
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

}  // namespace

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
    add_settled_inputs(*quantise, request);
    add_configuration(*quantise, family, request);
}

}  // namespace macrame
