#pragma once
/// Reads JSON (RFC 8259) strictly: no comments, no trailing commas, no key twice. Every value knows
/// where it stood, so that whoever looks at it can say so.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace macrame::verif {

struct Json {
    enum class Kind { null, boolean, number, string, array, object };

    Kind kind = Kind::null;
    bool boolean = false;
    std::string text;                                   ///< of a string; of a number as written
    std::vector<Json> items;                            ///< of an array
    std::vector<std::pair<std::string, Json>> members;  ///< of an object, in order
    int line = 1;
    int column = 1;

    bool is(Kind k) const { return kind == k; }
    /// Null if this is no object or has no such member.
    const Json* find(std::string_view key) const;
    /// As messages show it: "`text`", "8", "an object".
    std::string shown() const;
};

/// The value that is all of `text`; nothing if it is malformed, `problem` is then
/// "3:14: found ...: want ...".
std::optional<Json> parse_json(std::string_view text, std::string& problem);

/// The text as a JSON string, quotes included.
std::string json_string(std::string_view text);

}  // namespace macrame::verif
