#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/design.hpp"
#include "core/diag.hpp"
#include "emit/assets.hpp"
#include "emit/output_set.hpp"
#include "text/value.hpp"

namespace macrame::emit {

/// Module of a unit: "<family>_<unit>".
std::string module_name(const Family& family, std::string_view unit);

/// Module of the top: that of the last unit that the design has.
std::string top_module(const Design& design);

/// True if `word` occurs in `text` as a whole identifier.
bool mentions(std::string_view text, std::string_view word);

/// The rows with all files of their folders (templates/FAMILY/UNIT) as templates, but those of
/// options.
std::vector<Unit> with_templates(std::vector<Unit> rows, std::string_view family,
                                 const AssetList& assets);

/// Those that have templates.
std::vector<const Unit*> built(const std::vector<Unit>& rows);

/// Adds the Verilog of a unit with the options that the design has: its templates and its register
/// files. `base`: names that all templates see. `used`, if given, gets those that these read.
void add_unit(OutputSet& set, const Unit& unit, const Design& design, const Assets& assets,
              const text::Scope& base, Diags& diags, std::set<std::string>* used = nullptr);

/// Adds the library cells that the files so far instantiate, and the cells inside those. A cell of
/// the program that the folder of the user lacks is a mistake. Those that are there already stay.
void add_cells(OutputSet& set, const Assets& assets, Diags& diags,
               std::string_view folder = "templates/lib/");

}  // namespace macrame::emit
