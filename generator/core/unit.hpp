#pragma once

#include <string_view>
#include <vector>

#include "core/config.hpp"
#include "core/derived.hpp"
#include "text/template.hpp"

namespace macrame {

/// How a unit uses one of its register files: which fields become ports of `dla_<unit>_regs`.
/// Names are "REGISTER.FIELD" (strobes: "REGISTER"), e.g. "D_BANK.DATA_BANK".
struct RegUse {
    std::string_view unit;                  ///< register map, e.g. "cdma"
    std::vector<std::string_view> outputs;  ///< -> port d_bank_data_bank
    std::vector<std::string_view> inputs;   ///< fields owned by hardware: status and counters
    std::vector<std::string_view> strobes;  ///< "S_LUT_ACCESS_DATA" -> port s_lut_access_data_wr
};

/// What a unit has only in some configurations.
struct UnitOption {
    bool (*enabled)(const Config&) = nullptr;
    std::vector<std::string_view> templates;  ///< as in Unit
    // more of the first register file
    std::vector<std::string_view> outputs = {};
    std::vector<std::string_view> inputs = {};
    std::vector<std::string_view> strobes = {};
};

/// One row of the unit table.
struct Unit {
    std::string_view name;                     ///< folder in templates/<family>
    std::string_view doc;                      ///< one sentence
    bool (*enabled)(const Config&) = nullptr;  ///< null: always
    std::vector<std::string_view> templates;   ///< file names in the folder, one per emitted file
    std::vector<std::string_view> cells;       ///< library cells; cells used by cells are implied
    std::vector<RegUse> regs;                  ///< register files
    /// Names for the templates beyond Config and Derived; may be null.
    text::Scope (*scope)(const Config&, const Derived&) = nullptr;
    std::vector<UnitOption> options = {};
};

}  // namespace macrame
