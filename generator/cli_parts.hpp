#pragma once
/// Groups of options that several commands have.

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "core/diag.hpp"
#include "families/family.hpp"
#include "request.hpp"
#include "verif/common/run/options.hpp"

namespace macrame {

/// Those of a simulation that the generator takes.
verif::run::OptionRows simulate_rows(const Family& family, verif::run::Options& options);

/// Options that choose a configuration.
void add_configuration(CLI::App& command, const Family& family, Request& request);

/// The folder of templates, of commands that write designs or tell about them.
void add_templates(CLI::App& command, Request& request);

/// Options of a simulation, from their table.
void add_rows(CLI::App* command, const std::shared_ptr<verif::run::OptionRows>& rows);

/// A network and how it is compiled, with its configuration.
void add_network(CLI::App& command, const Family& family, Request& request);

/// What is settled of the inputs of networks before they are read: shapes, and values.
void add_settled_inputs(CLI::App& command, Request& request);

/// Inputs of networks; `doc` is that of --input.
CLI::Option* add_inputs(CLI::App& command, Request& request, const std::string& doc);

/// The folder of boards that the user has.
void add_board_folder(CLI::App& command, std::string& folder);

/// Messages about options of a command that do nothing without others.
Diags idle_options(const CLI::App& command);

/// The commands compile, run, estimate; quantise.
void add_networks(CLI::App& app, const Family& family, Request& request);
void add_quantise(CLI::App& app, const Family& family, Request& request);

/// The commands fpga, soc, host.
void add_boards(CLI::App& app, const Family& family, Request& request);

}  // namespace macrame
