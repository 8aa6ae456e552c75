#pragma once
/// Registers -> documentation and headers for software. `variant` names one of the set's variants;
/// empty: the maps as they are.

#include <string>
#include <string_view>

#include "regs/register_map.hpp"

namespace macrame::regs {

/// registers.md: one section per unit, a list of its registers and a table of their fields.
std::string to_markdown(const RegisterSet& set, std::string_view variant = "");

/// registers.html: one page with a picture of every register.
std::string to_html(const RegisterSet& set, std::string_view variant = "");

/// registers.json: the whole description for other tools.
std::string to_json(const RegisterSet& set, std::string_view variant = "");

/// registers.rdl: the same as SystemRDL 2.0, one addrmap per unit.
std::string to_systemrdl(const RegisterSet& set, std::string_view variant = "");

/// C header: byte addresses `<prefix><UNIT>_<REGISTER><suffix>`, and per field `..._<FIELD>_SHIFT`
/// and `..._<FIELD>_MASK` (in place), and the codes of fields that have names for them. `before`
/// stands, in capitals, in front of all names.
std::string to_c(const RegisterSet& set, std::string_view variant = "",
                 std::string_view before = "");

}  // namespace macrame::regs
