#pragma once
/// Everything that a simulation says goes through these two.

#include <cstdio>
#include <string>
#include <string_view>

namespace macrame::verif::run {

/// Results.
inline void print(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); }

/// A message of the program of that name: "sim: <what was found>: want <what was wanted>".
inline void complain(std::string_view program, std::string_view text) {
    std::fflush(stdout);
    const std::string line = std::string(program) + ": " + std::string(text) + "\n";
    std::fwrite(line.data(), 1, line.size(), stderr);
}

}  // namespace macrame::verif::run
