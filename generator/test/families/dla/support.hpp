#pragma once
/// What the tests of the family share.

#include <string>

#include "emit/assets.hpp"
#include "families/dla/config.hpp"
#include "families/dla/family.hpp"
#include "families/dla/tables.hpp"
#include "resolve.hpp"

namespace macrame::dla {

/// A design of the family.
inline Design design(const Config& config = {}) { return {family(), "nv_small", config}; }

inline const Config& config_of(const Settings& settings) {
    return std::any_cast<const Config&>(settings.config());
}

inline const Param& param(std::string_view key) { return *find_param(family().params, key); }

}  // namespace macrame::dla
