/// The commands that bring configurations onto boards and into systems.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "cli_parts.hpp"
#include "fpga/host/serial_port.hpp"
#include "fpga/support.hpp"

namespace macrame {

namespace {

/// Options of a simulation that also make sense on a board of any family.
const std::vector<std::string_view> kHostOptions = {"trace",   "picture", "image", "png",  "strict",
                                                    "verbose", "quiet",   "csv",   "json", "junit"};

verif::run::OptionRows host_rows(const Family& family, verif::run::Options& options) {
    std::vector<std::string_view> names = kHostOptions;
    if (family.boards != nullptr)
        names.insert(names.end(), family.boards->options.begin(), family.boards->options.end());
    verif::run::OptionRows rows;
    for (verif::run::Option& row : simulate_rows(family, options)) {
        if (std::find(names.begin(), names.end(), row.name) != names.end())
            rows.push_back(std::move(row));
    }
    return rows;
}

void add_fpga(CLI::App& app, const Family& family, Request& request) {
    CLI::App* command =
        app.add_subcommand("fpga", "write a project that brings a configuration onto a board");
    add_configuration(*command, family, request);
    add_templates(*command, request);
    command->add_option("--board", request.board, "name of the board (macrame list boards)")
        ->required();
    add_board_folder(*command, request.board_folder);
    command->add_option("--out", request.out, "output folder")->required();
    command->add_option("--mhz", request.core_mhz, "clock of the accelerator (as the board has it)")
        ->check(CLI::Range(1, 1000));
}

void add_soc(CLI::App& app, const Family& family, Request& request) {
    CLI::App* command = app.add_subcommand(
        "soc", "write a system around a configuration, with a processor that runs a network");
    add_network(*command, family, request);
    add_templates(*command, request);
    add_inputs(*command, request, "what the network runs on, a file as of run")->required();
    command->add_option("--out", request.out, "output folder")->required();
}

void add_host(CLI::App& app, const Family& family, Request& request) {
    CLI::App* command =
        app.add_subcommand("host", "run traces or the picture on a board behind a serial line");
    add_configuration(*command, family, request);
    command->add_option("--port", request.port, "serial device: /dev/ttyUSB0")->required();
    std::set<int> rates(fpga::baud_rates().begin(), fpga::baud_rates().end());
    command->add_option("--baud", request.baud, "speed of the line (1000000)")
        ->check(CLI::IsMember(rates));
    add_rows(command,
             std::make_shared<verif::run::OptionRows>(host_rows(family, *request.simulate)));
}

}  // namespace

void add_board_folder(CLI::App& command, std::string& folder) {
    command
        .add_option("--board-dir", folder,
                    "boards of your own, NAME/board.toml in it; they go before those of that name")
        ->type_name("FOLDER");
}

void add_boards(CLI::App& app, const Family& family, Request& request) {
    add_fpga(app, family, request);
    add_soc(app, family, request);
    add_host(app, family, request);
}

}  // namespace macrame
