#pragma once
/// What passes of the compiler have made, as files for people: `macrame compile --dump`.

#include <string>
#include <vector>

#include "families/family.hpp"
#include "network/network.hpp"
#include "request.hpp"

namespace macrame::network {

/// Passes in front of the back end.
inline constexpr std::string_view kRead = "read", kCanonical = "canonical",
                                  kPartition = "partition";

/// Names of all passes in order: those above, then the family's.
std::vector<std::string> pass_names(const Family& family);

/// What runs where.
std::string partition_text(const Network& network);

/// Writes NAME.NN-pass.txt of what the request asks for into its folder; false after an error,
/// which is printed.
bool write_dumps(const Request& request, const Network& network, const Family& family);

}  // namespace macrame::network
