#pragma once
/// What a family of accelerators is. The core takes it as data: how to add one is told in README.md
/// beside this file.

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/asset.hpp"
#include "core/of_config.hpp"
#include "core/param.hpp"
#include "core/rule.hpp"
#include "core/space.hpp"
#include "core/unit.hpp"
#include "regs/register_map.hpp"
#include "verif/common/run/options.hpp"

namespace macrame {

struct Design;
class Target;

namespace fpga {
struct BoardSupport;
}

/// A named number that templates, headers and models see beside the parameters.
struct Size {
    std::string_view name;
    int value = 0;
};

/// A published configuration that this release cannot build yet.
struct PlannedPreset {
    std::string_view name;
    std::string_view lacks;  ///< "int16 and fp16, Winograd, ..."
};

/// How programs run on the designs of a family.
struct Simulator {
    /// Options with their defaults, in a struct that has Options as base.
    std::shared_ptr<verif::run::Options> (*make_options)();
    /// All options as rows bound to such a struct.
    verif::run::OptionRows (*option_rows)(verif::run::Options&);
    /// Runs on the golden model, inside this program. Returns the exit status.
    int (*run_model)(const Design&, const verif::run::Options&);
    /// What the options ask of the design that it does not have; empty if all is well. May be null.
    std::string (*objection)(const Design&, const verif::run::Options&) = nullptr;
};

/// Files with parameters in JSON that users of a family have from elsewhere.
struct JsonFiles {
    std::vector<std::string_view> extensions;  ///< ".json"; others are known by keys
    std::vector<std::string_view> keys;        ///< parameters that each has; it may have others
    std::string_view member;                   ///< of a larger object: what holds the parameters
};

struct Family {
    /// Prefix of module names; folder below generator/families, templates, verif and tb.
    std::string_view name;
    std::string_view doc;  ///< one line
    std::string_view default_preset;
    std::vector<std::string_view> examples;  ///< command lines for the help, without the program
    AnyConfig defaults;  ///< the family's configuration struct with its defaults

    // Tables. Presets are the files generator/families/<name>/presets/*.toml.
    const Params& params;
    const std::vector<Rule>& rules;
    const std::vector<DerivedDefault>& derived_defaults;
    const std::vector<PlannedPreset>& planned;
    const std::vector<const Unit*>& units;  ///< in the order of the file list, the top last
    const regs::RegisterSet& registers;
    const AssetList& assets;  ///< presets, templates, models, testbench

    /// Text of the register file of a map, named `module`. Throws std::invalid_argument if `use`
    /// names what does not exist.
    std::string (*register_file)(const regs::RegisterMap&, const RegUse& use,
                                 std::string_view module);
    /// Derived sizes of a legal configuration, in a struct of the family's own. Pure.
    AnySizes (*derive)(const AnyConfig&);
    /// The same by name, for templates and headers.
    std::vector<Size> (*sizes)(const AnySizes&);
    /// The configuration in a few words: "64 MACs, 128 KiB buffer".
    std::string (*size_text)(const AnyConfig&);

    const Simulator& simulator;

    const fpga::BoardSupport* boards = nullptr;  ///< null: the family is not built for boards

    const Target* target = nullptr;  ///< null: there is no compiler for the family yet

    const JsonFiles* json = nullptr;  ///< null: parameters come in TOML only

    /// Files for software beyond headers of sizes and registers, text by path. May be null.
    std::map<std::string, std::string> (*documents)(const Design&) = nullptr;

    /// Why no design can be written yet; empty: it can.
    std::string_view lacks = {};

    /// Registers of a configuration if not all have the same; null: `registers`.
    const regs::RegisterSet& (*registers_of)(const AnyConfig&) = nullptr;

    /// Byte address of the word that holds the identity of the programs that a design runs; 0: it
    /// has none. May be null.
    std::uint32_t (*identity_register)(const AnyConfig&) = nullptr;

    const Space* space = nullptr;  ///< null: nothing to explore

    /// Null if there is none of that name.
    const Unit* find_unit(std::string_view unit) const;
};

using Families = std::vector<const Family*>;

/// The families of this program.
const Families& all_families();

/// The family of that name, null if there is none.
const Family* find_family(const Families& families, std::string_view name);

}  // namespace macrame
