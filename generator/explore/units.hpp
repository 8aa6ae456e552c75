#pragma once
/// The Verilog of units, and a key for what was measured on it.

#include <map>
#include <string>
#include <vector>

#include "core/design.hpp"
#include "core/diag.hpp"
#include "emit/assets.hpp"

namespace macrame::explore {

struct UnitText {
    std::string name;  ///< "cdma"
    std::string key;   ///< 16 hexadecimal digits of a hash of its modules
    int copies = 1;    ///< in the top
};

/// Verilog without comments, blanks at ends of lines and empty lines.
std::string code_of(std::string_view verilog);

/// Units of the top, in its order. The key of a unit hashes code_of() of its module and of all
/// below it, in the order of their names; scripts/explore/fill.py has the same.
std::vector<UnitText> units_of(const Design& design, const emit::Assets& assets, Diags& diags);

}  // namespace macrame::explore
