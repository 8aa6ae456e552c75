#pragma once

#include <string_view>
#include <vector>

#include "core/of_config.hpp"
#include "core/wiring.hpp"
#include "text/template.hpp"

namespace macrame {

/// How a unit uses one of its register files: which fields become ports of the register file.
/// Names are "REGISTER.FIELD" (strobes: "REGISTER"), e.g. "D_BANK.DATA_BANK".
struct RegUse {
    std::string_view unit;                  ///< in the module's name; register map, e.g. "cdma"
    std::vector<std::string_view> outputs;  ///< values that software writes
    std::vector<std::string_view> inputs;   ///< fields owned by hardware: status and counters
    std::vector<std::string_view> strobes;  ///< pulses with the new value of a register
    std::string_view map = {};              ///< register map if it has another name
    OfConfig<bool> enabled = {};            ///< empty: always
};

/// What a unit has only in some configurations.
struct UnitOption {
    OfConfig<bool> enabled;
    std::vector<std::string_view> templates;  ///< as in Unit
    // more of the first register file
    std::vector<std::string_view> outputs = {};
    std::vector<std::string_view> inputs = {};
    std::vector<std::string_view> strobes = {};
    std::vector<std::string_view> without = {};  ///< templates that it has no use for
};

/// Where the block diagram has a unit: among the others, or at an edge with a bus of its own.
enum class Place { middle, control, memory };

/// One row of a family's unit table.
struct Unit {
    std::string_view name;                    ///< folder in templates/<family>
    std::string_view doc;                     ///< one sentence
    OfConfig<bool> enabled;                   ///< empty: always
    std::vector<std::string_view> templates;  ///< file names in the folder, one per emitted file
    std::vector<std::string_view> cells;      ///< library cells; cells used by cells are implied
    std::vector<RegUse> regs;                 ///< register files
    /// Names for the templates beyond parameters and derived sizes; may be empty.
    OfSizes<text::Scope> scope;
    std::vector<UnitOption> options = {};
    /// Register maps of its documentation beyond those of `regs`.
    std::vector<std::string_view> maps = {};
    Place place = Place::middle;
    OfSizes<Wiring> wiring = {};  ///< of a top: how it joins the units before it

    bool is_in(const AnyConfig& config) const { return !enabled || enabled(config); }
    /// The unit with the options that the configuration has, as part of it.
    Unit with_options(const AnyConfig& config) const;
};

}  // namespace macrame
