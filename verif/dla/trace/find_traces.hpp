#pragma once
/// The traces that an argument of the command line stands for.

#include <string>
#include <vector>

namespace macrame::dla::trace {

/// A file is a trace; a folder stands for the .cfg and .txn files in it and below it, sorted. Links
/// to folders are not followed. Appends messages to `errors`.
std::vector<std::string> find_traces(const std::string& path, std::vector<std::string>& errors);

}  // namespace macrame::dla::trace
