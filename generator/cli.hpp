#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/diag.hpp"
#include "core/settings.hpp"
#include "emit/assets.hpp"
#include "verif/dla/run/simulate_options.hpp"

namespace macrame {

/// What the user asked for.
struct Request {
    std::string command;  ///< generate, list, explain, simulate
    std::string preset;
    std::string config_file;
    std::string out;
    std::string templates_folder;
    std::string subject;                                      ///< of list and explain
    std::vector<std::pair<std::string, std::string>> values;  ///< parameter key, text
    dla::run::SimulateOptions simulate;
};

/// Replaces unique prefixes of commands, list subjects and options by the full words.
/// Wrong words become diagnostics with a suggestion.
std::vector<std::string> complete_arguments(const std::vector<std::string>& arguments,
                                            Diags& diags);

/// Reads the command line. If the program is to stop at once (help, version, mistake) the exit
/// status is set and what was to be said has been said.
Request parse_command_line(const std::vector<std::string>& arguments, int& exit_status);

/// Names of the configurations inside the program.
std::vector<std::string> preset_names(const emit::Assets& assets);

/// The configuration asked for: preset, then file, then flags, then followers. Not checked.
Settings resolve(const Request& request, const emit::Assets& assets, Diags& diags);

}  // namespace macrame
