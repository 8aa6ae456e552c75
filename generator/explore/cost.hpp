#pragma once
/// Area and clock of a design as sums over its units: measured ones by a table, others by a fit.

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/design.hpp"
#include "core/diag.hpp"
#include "emit/assets.hpp"
#include "explore/units.hpp"

namespace macrame::explore {

struct UnitCost {
    double luts = 0, ffs = 0, dsps = 0;
    double rams = 0;   ///< as the table of the target counts them
    double ns = 0;     ///< longest path between registers
    double error = 0;  ///< of the LUTs, root mean square of a fit on units held out; 0.1: 10 %
    bool measured = false;
};

struct Area {
    int luts = 0, ffs = 0, dsps = 0;
    int brams = 0;             ///< blocks of the target: of 36 kbit on xc7
    double ns = 0;             ///< longest path of the slowest unit
    std::string slowest;       ///< that unit
    double measured_luts = 0;  ///< of `luts`: those of units in the table
    double luts_error = 0;     ///< of `luts`: what those of the others may be off, root mean square
    int units = 0, measured = 0;

    bool all_measured() const { return units == measured; }
};

/// A number as a sum of products: of parameters, their logarithms and block RAMs of memories.
class Formula {
public:
    /// {"log": true, "error": 0.02, "terms": [[0.5], [1.25, "log mac_atomic_c_size",
    /// "image_enable"]]}: the number is a power of e if `log` is true. `error` is that of UnitCost.
    /// A factor is a parameter (flags are 0 and 1, none is 0), "log KEY", its logarithm to the base
    /// of 2, 0 for 0, "rams BYTES DEPTH", half block RAMs of 36 kbit for a memory of parameters, or
    /// "min KEY OTHER DIVISOR", the smaller one of KEY and OTHER / DIVISOR.
    /// Throws std::runtime_error for others.
    static Formula read(const std::string& json, const Family& family);

    double at(const AnyConfig& config) const;
    double error() const { return error_; }

private:
    enum class Kind { value, log, rams, least };
    struct Factor {
        Kind kind;
        const Param* param;
        const Param* second;
        double divisor = 1;
    };
    static Factor factor(const std::vector<std::string>& words, const Family& family);
    struct Term {
        double weight;
        std::vector<Factor> factors;
    };
    bool power_ = false;
    double error_ = 0;
    std::vector<Term> terms_;
};

/// What is known of the units of a family on a target.
class CostTable {
public:
    /// generator/families/FAMILY/cost/TARGET.jsonl and TARGET.fit.json. Nothing after a message.
    static std::optional<CostTable> read(const Family& family, const std::string& target,
                                         const emit::Assets& assets, Diags& diags);

    /// Nothing if a unit is neither measured nor fitted.
    std::optional<UnitCost> unit(const UnitText& unit, const Design& design) const;
    /// A message names a unit that is neither.
    std::optional<Area> area(const std::vector<UnitText>& units, const Design& design,
                             Diags& diags) const;
    /// Tells whether a table is what it was.
    const std::string& hash() const { return hash_; }

private:
    std::string target_, hash_;
    std::map<std::string, UnitCost> measured_;                        ///< by key
    std::map<std::string, std::map<std::string, Formula>> formulas_;  ///< by unit and column
};

/// Targets of tables: xc7, ecp5.
const std::vector<std::string>& targets();
/// That of a board's tools; empty: there is none.
std::string target_of_flow(std::string_view flow);

}  // namespace macrame::explore
