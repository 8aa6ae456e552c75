#include "verif/common/run/command_line.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "verif/common/run/console.hpp"

namespace macrame::verif::run {

namespace {

constexpr std::string_view kUsage = "usage: sim [options] PATH...\n\n";
constexpr std::string_view kStatuses =
    "\nExit status: 0 all programs passed, 1 one failed or none ran, 2 wrong options or files "
    "that\n"
    "cannot be read or written, 3 an error inside the simulator.\n";

}  // namespace

bool read_command_line(int argc, char** argv, const OptionRows& rows, std::string_view about,
                       int& status) {
    const std::vector<std::string> words(argv + 1, argv + argc);
    const OptionRows mine = offered(rows, Offered::delivered);
    const auto is_help = [](const std::string& w) { return w == "--help" || w == "-h"; };
    if (std::any_of(words.begin(), words.end(), is_help)) {
        print(std::string(kUsage) + std::string(about) + "\n" + help_text(mine) +
              std::string(kStatuses));
        status = kPassed;
        return false;
    }
    const std::vector<std::string> errors = set_options(mine, read_arguments(mine, words));
    for (const std::string& error : errors)
        complain("sim", error);
    status = errors.empty() ? kPassed : kUserError;
    return errors.empty();
}

}  // namespace macrame::verif::run
