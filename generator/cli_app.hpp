#pragma once

#include <CLI/CLI.hpp>

#include "families/family.hpp"
#include "request.hpp"

namespace macrame {

/// Gives the command line its commands and options; parsing fills the request. The parameters are
/// those of the family.
void add_commands(CLI::App& app, const Family& family, Request& request);

/// Examples for help and man page.
std::string examples(const Family& family);

}  // namespace macrame
