#pragma once
/// The command line of the simulator that is delivered with a design.

#include <string_view>

#include "verif/common/run/options.hpp"

namespace macrame::verif::run {

/// Exit statuses of a simulation.
enum ExitStatus {
    kPassed = 0,
    kFailed = 1,         ///< a program failed, or none ran
    kUserError = 2,      ///< the command line, a file that cannot be read or written
    kInternalError = 3,  ///< our mistake
};

/// Sets the options that `rows` are bound to. False if the program is to stop with `status`: after
/// mistakes, which it prints, or after the help, which begins with `about`.
bool read_command_line(int argc, char** argv, const OptionRows& rows, std::string_view about,
                       int& status);

}  // namespace macrame::verif::run
