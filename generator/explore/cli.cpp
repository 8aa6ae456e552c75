#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <string>

#include "explore/options.hpp"

namespace macrame {

namespace {

/// lut=N,dsp=N,bram=N, some of them.
void add_limits(const std::string& text, explore::Limits& limits) {
    for (const std::string& one : CLI::detail::split(text, ',')) {
        const std::size_t equals = one.find('=');
        const std::string name = one.substr(0, equals);
        int value = 0;
        const bool number = equals != std::string::npos &&
                            CLI::detail::lexical_cast(one.substr(equals + 1), value) && value > 0;
        std::optional<int>* limit = name == "lut"    ? &limits.luts
                                    : name == "dsp"  ? &limits.dsps
                                    : name == "bram" ? &limits.brams
                                                     : nullptr;
        if (!number || limit == nullptr)
            throw CLI::ValidationError("--limit", one + ": want lut=N, dsp=N or bram=N above 0");
        *limit = value;
    }
}

/// K/N
void add_part(const std::string& text, explore::Options& options) {
    const std::size_t slash = text.find('/');
    const bool good = slash != std::string::npos &&
                      CLI::detail::lexical_cast(text.substr(0, slash), options.part) &&
                      CLI::detail::lexical_cast(text.substr(slash + 1), options.parts) &&
                      options.part >= 1 && options.part <= options.parts;
    if (!good) throw CLI::ValidationError("--part", text + ": want K/N, K of 1 to N");
}

void add_clock(const std::string& text, explore::Options& options) {
    options.own_clock = text == "auto";
    if (options.own_clock) return;
    if (!CLI::detail::lexical_cast(text, options.mhz) || options.mhz < 1 || options.mhz > 10000)
        throw CLI::ValidationError("--clock", text + ": want MHz of 1 to 10000, or auto");
}

}  // namespace

void add_explore_options(CLI::App& command, explore::Options& options) {
    const auto text = [&](const std::string& name, auto take, const std::string& type,
                          const std::string& doc) {
        command.add_option_function<std::string>(name, take, doc)->type_name(type);
    };
    command.add_option("networks", options.networks, "quantised networks, TFLite or ONNX")
        ->required();
    command.add_option("--family", options.family, "dla, another family, or all (dla)");
    command.add_option("--board", options.board,
                       "its FPGA, clock and memory (macrame list boards)");
    text(
        "--limit", [&](const std::string& value) { add_limits(value, options.limits); },
        "lut=N,dsp=N,bram=N", "most that a point may take, in place of what the board has");
    command
        .add_option("--target", options.target, "whose LUTs: xc7, ecp5 (of the board, else xc7)")
        ->check(CLI::IsMember({"xc7", "ecp5"}));
    command
        .add_option("--goal", options.goal,
                    "what is to be small: time, area (time x LUT) or traffic of memory (time)")
        ->check(CLI::IsMember({"time", "area", "traffic"}));
    command.add_option("--weights", options.weights, "a number for each network (1,1,...)")
        ->delimiter(',')
        ->type_name("W,W,...");
    text(
        "--clock", [&](const std::string& value) { add_clock(value, options); }, "MHz",
        "clock of all points, or auto: what the longest path allows (the board's, 100)");
    command
        .add_option("--host-mhz", options.host_mhz,
                    "clock of the host, for the time of its operators (1000)")
        ->check(CLI::Range(1, 10000));
    command
        .add_option("--memory-bytes-per-cycle", options.memory_bytes_per_cycle,
                    "most that memory moves (the board's, else what the port does)")
        ->check(CLI::Range(0.01, 4096.0));
    command.add_option("--jobs", options.jobs, "threads (one per processor)")
        ->check(CLI::Range(1, 1024));
    command
        .add_option("--random", options.random,
                    "evaluate so many random configurations besides, to see what the space leaves "
                    "out")
        ->check(CLI::Range(1, 100000));
    command
        .add_option("--verify", options.verify,
                    "generate, lint, synthesise and run so many points of the front "
                    "(scripts/explore/verify.py: Yosys and Verilator for minutes)")
        ->check(CLI::Range(1, 100000));
    text(
        "--part", [&](const std::string& value) { add_part(value, options); }, "K/N",
        "evaluate every Nth point alone, for several machines");
    command
        .add_option("--merge", options.merge,
                    "folders of parts (--part), whose results are put together in that of --out")
        ->type_name("FOLDER...");
}

}  // namespace macrame
