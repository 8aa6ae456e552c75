#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "core/of_config.hpp"
#include "core/words.hpp"

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

/// Short forms for the rows.
Allowed choices(std::vector<int> numbers);
Allowed choices_or_none(std::vector<int> numbers);
Allowed power_of_two(int low, int high);
Allowed power_of_two_or_none(int low, int high);
Allowed range(int low, int high);
Allowed range_or_none(int low, int high);
Allowed words(std::vector<std::string_view> list);

/// A flag, a number or a text.
using ParamValue = std::variant<bool, int, std::string>;

/// Does what a compiled program computes, or that it ends, depend on a parameter? If in doubt it
/// does. `depend_if_set`: where it is not false or none, so that a parameter that comes later leaves
/// the programs of machines without it as they are.
enum class Programs { depend, depend_if_set, ignore };

/// One row of a family's parameter table. Flags, preset keys, help, range checks, file headers,
/// manifest, headers of sizes and documentation are made from it.
struct Param {
    std::string_view key;  ///< key in files; the flag is the same with dashes
    Allowed allowed;
    std::string_view unit;
    std::string_view doc;
    std::function<ParamValue(const AnyConfig&)> get;
    std::function<void(AnyConfig&, const ParamValue&)> set;
    enum class Kind { flag, number, text } kind;
    Programs programs;  ///< depend(_if_set): it is part of the identity (core/identity.hpp)

    template <class C, class T>
    Param(std::string_view a_key, T C::*member, Allowed may_be, std::string_view a_unit,
          std::string_view a_doc, Programs do_programs = Programs::depend)
        : key(a_key),
          allowed(std::move(may_be)),
          unit(a_unit),
          doc(a_doc),
          get([member](const AnyConfig& c) { return std::any_cast<const C&>(c).*member; }),
          set([member](AnyConfig& c, const ParamValue& value) {
              std::any_cast<C&>(c).*member = std::get<T>(value);
          }),
          kind(std::is_same_v<T, bool>  ? Kind::flag
               : std::is_same_v<T, int> ? Kind::number
                                        : Kind::text),
          programs(do_programs) {}

    bool is_flag() const { return kind == Kind::flag; }
};

using Params = std::vector<Param>;

/// The parameter with this key, null if there is none. Dashes and underscores are the same.
const Param* find_param(const Params& params, std::string_view key);

/// Value as the user writes it: "8", "true", "none", "INT8".
std::string value_text(const AnyConfig& config, const Param& param);

/// What may be written, as part of a sentence: "8, 16 or 32", "a power of two in 2..32".
std::string allowed_text(const Param& param);

/// The parameter table of docs/parameters.md; `defaults` are the values of its third column.
std::string markdown_table(const Params& params, const AnyConfig& defaults);

/// Sets the parameter; false if the text is not a number, a truth value or an allowed word.
bool assign(AnyConfig& config, const Param& param, std::string_view text);

/// True if the value is in the range of its row.
bool in_range(const AnyConfig& config, const Param& param);

}  // namespace macrame
