#pragma once
/// Names and texts of others as C takes them.

#include <string>

namespace macrame::compiler::host_c {

/// A name in C and C++, none of theirs and none of the runtime's.
std::string c_name(const std::string& name);

std::string upper(std::string name);

/// Text that stands in a comment of C.
std::string comment(std::string text);

/// Text as a string of C.
std::string quoted(const std::string& text);

}  // namespace macrame::compiler::host_c
