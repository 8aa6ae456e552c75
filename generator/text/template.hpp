#pragma once

#include <functional>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>

#include "text/value.hpp"

namespace macrame::text {

/// A mistake in a template. what() is "file:line:column: message".
class TemplateError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// A file that a template includes.
struct Fragment {
    std::string file;  ///< for messages
    std::string bytes;
};

/// Finds the file of an `include` by its path; empty if there is none.
using Fragments = std::function<std::optional<Fragment>(std::string_view path)>;

/// Expands `source` with the names of `scope`. Language: templates/README.md.
/// `file` is for messages. `used`, if given, receives the scope names that were read. Without
/// `fragments` there is nothing to include.
/// Throws TemplateError.
std::string render(std::string_view source, std::string_view file, const Scope& scope,
                   std::set<std::string>* used = nullptr, const Fragments& fragments = {});

}  // namespace macrame::text
