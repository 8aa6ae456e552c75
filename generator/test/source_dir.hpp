#pragma once
/// Where the sources are, for tests that read files of the repository.

#include <string>

namespace macrame {

/// Absolute path. Compiled in one file, so that the others are the same in every checkout.
std::string source_dir();

/// Text of a file there, for tests of documents; empty if there is none.
std::string source_text(const std::string& path);

}  // namespace macrame
