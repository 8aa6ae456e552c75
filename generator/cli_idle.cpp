/// Options that are given for nothing.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string_view>
#include <vector>

#include "cli_parts.hpp"

namespace macrame {

namespace {

/// Options that do nothing without one of others.
struct Needs {
    std::string_view command, option;
    std::vector<std::string_view> one_of;
};

/// Options that do nothing beside another one.
struct Excludes {
    std::string_view command, option, other;
};

const std::vector<Needs> kNeeds = {
    {"compile", "resize", {"input"}},      {"compile", "input-type", {"input"}},
    {"compile", "pixel-range", {"input"}}, {"run", "output-type", {"output"}},
    {"run", "templates", {"rtl", "both"}}, {"estimate", "board-dir", {"board"}},
    {"explore", "board-dir", {"board"}}};

const std::vector<Excludes> kExcludes = {{"simulate", "prefix", "model"},
                                         {"simulate", "top", "model"},
                                         {"simulate", "templates", "model"},
                                         {"explore", "shape", "verify"},
                                         {"explore", "fix", "verify"}};

}  // namespace

Diags idle_options(const CLI::App& command) {
    const auto given = [&](std::string_view name) {
        return command.get_option(fmt::format("--{}", name))->count() > 0;
    };
    Diags out;
    for (const Needs& row : kNeeds) {
        if (row.command != command.get_name() || !given(row.option)) continue;
        if (std::any_of(row.one_of.begin(), row.one_of.end(), given)) continue;
        out.push_back(
            {fmt::format("--{}: want --{}, too", row.option, fmt::join(row.one_of, " or --"))});
    }
    for (const Excludes& row : kExcludes) {
        if (row.command != command.get_name() || !given(row.option) || !given(row.other)) continue;
        out.push_back({fmt::format("--{} and --{}: want one of them", row.other, row.option)});
    }
    return out;
}

}  // namespace macrame
