#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/config.hpp"
#include "core/diag.hpp"
#include "core/params.hpp"
#include "core/rules.hpp"

namespace macrame {

/// Where the value of a parameter came from.
struct Origin {
    enum class Level { kDefault, kPreset, kFile, kFlag, kFollows };
    Level level = Level::kDefault;
    std::string where = "default";  ///< "nv_small.toml", "my.toml:3", "--mac-atomic-c-size"

    /// The user of this run wrote it.
    bool is_explicit() const { return level == Level::kFile || level == Level::kFlag; }
};

/// A configuration and the origin of each of its values.
struct Settings {
    Config config;
    std::vector<Origin> origins = std::vector<Origin>(params().size());  ///< order of params()

    Origin& origin(const Param& param);
    const Origin& origin(const Param& param) const;
};

/// Sets one parameter by its text. Unknown keys and malformed values become diagnostics.
void apply_setting(Settings& settings, std::string_view key, std::string_view value,
                   const Origin& origin, Diags& diags);

/// Applies the keys of a TOML text. `file` is for messages.
void apply_toml(Settings& settings, std::string_view toml, std::string_view file,
                Origin::Level level, Diags& diags);

/// Value of the key `preset` of a TOML text, if it is there.
std::optional<std::string> preset_of_toml(std::string_view toml);

/// Sizes that must equal another one follow it when the user changed only the other one:
/// cbuf_bank_width, memory_atomic_size, primary_memif_width and the numbers of DMA clients.
void apply_followers(Settings& settings);

/// One thing that is wrong with a configuration.
struct Violation {
    const Param* param = nullptr;  ///< parameter the message is about
    const Rule* rule = nullptr;    ///< null: the value is out of the range of the parameter
    std::string text;              ///< what was found, what was wanted, where
};

/// Everything that is wrong: ranges in the order of params(), then rules in that of rules().
std::vector<Violation> violations(const Settings& settings);

/// The same as messages.
Diags check(const Settings& settings);

}  // namespace macrame
