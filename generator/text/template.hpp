#pragma once

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

/// Expands `source` with the names of `scope`. Language: templates/README.md.
/// `file` is for messages. `used`, if given, receives the scope names that were read.
/// Throws TemplateError.
std::string render(std::string_view source, std::string_view file, const Scope& scope,
                   std::set<std::string>* used = nullptr);

}  // namespace macrame::text
