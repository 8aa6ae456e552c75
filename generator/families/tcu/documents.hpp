#pragma once
/// Files for users of a design: what the drivers of Tensil and its compiler read, and the
/// instruction set of this architecture.

#include <map>
#include <string>

#include "core/design.hpp"
#include "families/tcu/page.hpp"
#include "verif/tcu/isa/architecture.hpp"

namespace macrame::tcu {

/// Text by path in the output.
std::map<std::string, std::string> documents(const Design& design);

/// The constants that Tensil's C driver is compiled with; `before` stands, in capitals, in front of
/// their names.
std::string driver_header(const Architecture& architecture, std::string_view name,
                          std::string_view before = "");

/// Bit fields of all instructions, formulas, examples.
Page instruction_page(const Architecture& architecture, std::string_view name);

}  // namespace macrame::tcu
