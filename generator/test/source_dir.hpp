#pragma once
/// Where the sources are, for tests that read files of the repository.

#include <string>

namespace macrame {

/// Absolute path. Compiled in one file, so that the others are the same in every checkout.
std::string source_dir();

}  // namespace macrame
