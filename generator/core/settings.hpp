#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/design.hpp"
#include "core/diag.hpp"

namespace macrame {

/// Where the value of a parameter came from.
struct Origin {
    enum class Level { kDefault, kPreset, kFile, kFlag, kFollows };
    Level level = Level::kDefault;
    std::string where = "default";  ///< "nv_small.toml", "my.toml:3", "--mac-atomic-c-size"

    /// The user of this run wrote it.
    bool is_explicit() const { return level == Level::kFile || level == Level::kFlag; }
};

/// A configuration of a family and the origin of each of its values. Not checked.
struct Settings {
    explicit Settings(const Family& of)
        : design{of, std::string(of.default_preset), of.defaults, {}}, origins(of.params.size()) {}

    Design design;
    std::vector<Origin> origins;        ///< in the order of the parameter table
    std::set<std::string_view> broken;  ///< parameters given a text that is no value of theirs

    const Params& params() const { return design.family.params; }
    const AnyConfig& config() const { return design.config; }
    Origin& origin(const Param& param);
    const Origin& origin(const Param& param) const;
};

/// Sets one parameter by its text. Unknown keys and malformed values become diagnostics.
void apply_setting(Settings& settings, std::string_view key, std::string_view value,
                   const Origin& origin, Diags& diags);

/// Applies the keys of a TOML text, those of kTomlChoices aside. `file` is for messages.
void apply_toml(Settings& settings, std::string_view toml, std::string_view file,
                Origin::Level level, Diags& diags);

/// Keys of a TOML text that choose what the others start from.
inline constexpr std::string_view kTomlChoices[] = {"family", "preset"};

/// Value of such a key, empty if it is not there. Something else than a word becomes a diagnostic.
std::string choice_of_toml(std::string_view toml, std::string_view key, std::string_view file,
                           Diags& diags);

/// Parameters that have to equal another one follow it when the user changed only the other one.
void apply_derived_defaults(Settings& settings);

/// One thing that is wrong with a configuration.
struct Violation {
    const Param* param = nullptr;  ///< parameter the message is about
    const Rule* rule = nullptr;    ///< null: the value is out of the range of the parameter
    std::string text;              ///< what was found, what was wanted, where
};

/// Everything that is wrong: ranges in the order of the parameters, then rules in theirs. Nothing
/// about parameters whose text was malformed: that has been said.
std::vector<Violation> violations(const Settings& settings);

/// The same as messages.
Diags check(const Settings& settings);

}  // namespace macrame
