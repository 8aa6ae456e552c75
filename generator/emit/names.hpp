#pragma once
/// Names that the user wants for the modules of a design, so that several designs and modules of
/// others can live in one.

#include <string>
#include <string_view>

#include "core/design.hpp"
#include "core/diag.hpp"
#include "emit/output_set.hpp"

namespace macrame::emit {

/// What is wrong with the names as such: they are no Verilog identifiers.
Diags check(const ModuleNames& names);

/// Name that a module of the family gets: "core0_" before it, or that of the top.
std::string emitted_name(const Design& design, std::string_view module);

/// Gives the modules of the Verilog files the names that the design wants: files, definitions,
/// instances, and comments that speak of them. Two modules of one name become a diagnostic.
void rename_modules(OutputSet& set, const Design& design, Diags& diags);

}  // namespace macrame::emit
