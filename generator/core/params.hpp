#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/config.hpp"
#include "core/diag.hpp"

namespace macrame {

/// What a parameter may be set to.
struct Allowed {
    int low = 0;
    int high = 0;
    bool power_of_two = false;
    bool or_none = false;                      ///< "none" is stored as 0
    std::vector<int> choices = {};             ///< if not empty: these numbers only
    std::vector<std::string_view> words = {};  ///< for text parameters
};

/// One row of the parameter table. Flags, preset keys, help, range checks, file headers, manifest
/// and documentation are made from it.
struct Param {
    std::string_view key;  ///< key in files; the flag is the same with dashes
    std::variant<bool Config::*, int Config::*, std::string Config::*> member;
    Allowed allowed;
    std::string_view unit;
    std::string_view doc;

    bool is_flag() const { return member.index() == 0; }
};

/// All parameters in the order in which they are shown.
const std::vector<Param>& params();

/// The parameter with this key, null if there is none. Dashes and underscores are the same.
const Param* find_param(std::string_view key);

/// "mac_atomic_c_size" -> "mac-atomic-c-size".
std::string flag_name(std::string_view key);

/// Value as the user writes it: "8", "true", "none", "INT8".
std::string value_text(const Config& config, const Param& param);

/// What may be written, as part of a sentence: "8, 16 or 32", "a power of two in 2..32".
std::string allowed_text(const Param& param);

/// "8, 16 or 32"
std::string join_or(const std::vector<std::string>& items);

/// The parameter table of the README.
std::string markdown_table();

/// Sets the parameter; false if the text is not a number, a truth value or an allowed word.
bool assign(Config& config, const Param& param, std::string_view text);

/// True if the value is in the range of its row.
bool in_range(const Config& config, const Param& param);

/// The candidate most like `name`, empty if none is close.
std::string closest(std::string_view name, const std::vector<std::string>& candidates);

}  // namespace macrame
