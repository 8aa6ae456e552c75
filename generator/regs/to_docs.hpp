#pragma once
/// RegisterMap -> documentation and headers for software.

#include <string>
#include <string_view>
#include <vector>

#include "regs/register_map.hpp"

namespace macrame::regs {

/// registers.md: one section per unit, a list of its registers and a table of their fields.
std::string to_markdown(const std::vector<const RegisterMap*>& maps, MapVersion version);

/// registers.json: the whole description for other tools.
std::string to_json(const std::vector<const RegisterMap*>& maps, MapVersion version);

/// C header: byte addresses `NVDLA_<UNIT>_<REGISTER>_0`, and per field `..._<FIELD>_SHIFT` and
/// `..._<FIELD>_MASK` (in place), and the codes of fields that have names for them.
std::string to_c(const std::vector<const RegisterMap*>& maps, MapVersion version,
                 std::string_view family);

}  // namespace macrame::regs
