#pragma once
/// --coverage: the table of functional coverage that runs add to.

#include <string>
#include <string_view>
#include <vector>

#include "verif/common/bins.hpp"

namespace macrame::verif::run {

/// Takes over what the table at `path` says so far, if it is there; an error if it is none.
void read_coverage(const std::string& path, Bins& bins, std::vector<std::string>& errors);

/// Prints the sum and what was not hit and writes the table; "-" prints the table. False if it
/// cannot be written, `program` says so.
bool write_coverage(const std::string& path, const Bins& bins, std::string_view program);

}  // namespace macrame::verif::run
