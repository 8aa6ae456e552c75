#pragma once

#include <string>
#include <vector>

#include "emit/assets.hpp"
#include "messages.hpp"
#include "request.hpp"

namespace macrame {

/// Exit statuses of the program.
inline constexpr int kPassed = 0;
inline constexpr int kFailed = 1;         ///< what was asked for ran and failed
inline constexpr int kUserError = 2;      ///< bad input
inline constexpr int kInternalError = 3;  ///< a mistake of the program

/// Replaces unique prefixes of commands, list subjects and options by the full words.
/// Wrong words become diagnostics with a suggestion.
std::vector<std::string> complete_arguments(const std::vector<std::string>& arguments,
                                            const Family& family, Diags& diags);

/// Reads the command line. If the program is to stop at once (help, version, mistake) the command
/// of the request is empty, the exit status is set and what was to be said has been said.
Request parse_command_line(const std::vector<std::string>& arguments, const emit::Assets& assets,
                           int& exit_status);

/// The whole program with these families.
int run(const std::vector<std::string>& arguments, const Families& families);

}  // namespace macrame
