#pragma once
/// What compiled programs depend on: they run on a machine of the same identity only.

#include <cstdint>
#include <string>
#include <string_view>

#include "core/of_config.hpp"
#include "core/param.hpp"

namespace macrame {

/// A line "key=value" for each parameter that programs depend on, in the order of the rows.
std::string program_parameters(const Params& params, const AnyConfig& config);

/// Hash of the family's name and these lines; never 0, which means any machine.
std::uint32_t program_identity(std::string_view family, const Params& params,
                               const AnyConfig& config);

}  // namespace macrame
