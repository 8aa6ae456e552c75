#include <fmt/format.h>

#include <csignal>
#include <cstdio>
#include <exception>

#include "cli.hpp"

int main(int argc, char** argv) {
    std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is an error of write()
    try {
        return macrame::run({argv + 1, argv + argc}, macrame::all_families());
    } catch (const std::exception& error) {
        fmt::print(stderr, "macrame: internal error: {}\n", error.what());
        return macrame::kInternalError;
    }
}
