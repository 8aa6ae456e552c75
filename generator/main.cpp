#include <fmt/format.h>

#include <csignal>
#include <cstdio>
#include <exception>

#include "cli.hpp"

int main(int argc, char** argv) {
    std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is an error of write()
    try {
        const int status = macrame::run({argv + 1, argv + argc}, macrame::all_families());
        if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return status;
    } catch (const std::exception& error) {
        if (std::ferror(stdout) == 0) {
            std::fputs(fmt::format("macrame: internal error: {}\n", error.what()).c_str(), stderr);
            return macrame::kInternalError;
        }
    }
    std::fputs("macrame: standard output: cannot write: want room for it\n", stderr);
    return macrame::kUserError;
}
