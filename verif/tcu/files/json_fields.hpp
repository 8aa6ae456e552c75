#pragma once
/// Members of JSON objects with what is wanted of them, for the readers of this folder.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "verif/common/json.hpp"

namespace macrame::tcu::files {

/// The members of one object of a file. Everything that is wrong goes to `errors`.
class Fields {
public:
    /// `where`: of the object in its file, "inputs[1]."; empty: the file is the object.
    Fields(const verif::Json& object, std::string file, std::string where,
           std::vector<std::string>& errors);

    /// The member of that name, 0 or empty if it is missing or of another kind.
    std::int64_t number(std::string_view key, std::int64_t low, std::int64_t high,
                        bool optional = false);
    std::string string(std::string_view key);
    bool boolean(std::string_view key, bool missing);
    /// Null if it is missing or of another kind.
    const verif::Json* member(std::string_view key, verif::Json::Kind kind, std::string_view wanted,
                              bool optional = false);
    /// Complains about members that nobody asked for.
    void finish();

private:
    void complain(const verif::Json& at, std::string_view what);

    const verif::Json& object_;
    std::string file_;
    std::string where_;
    std::vector<std::string>& errors_;
    std::vector<std::string_view> asked_;
};

/// `text` of a file as JSON, which must be an object.
std::optional<verif::Json> parse_json_object(std::string_view text, const std::string& file,
                                             std::vector<std::string>& errors);

/// The same with the file itself.
std::optional<verif::Json> read_json_object(const std::string& path,
                                            std::vector<std::string>& errors);

}  // namespace macrame::tcu::files
