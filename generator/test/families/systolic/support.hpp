#pragma once
/// What the tests of the family share.

#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "emit/assets.hpp"
#include "families/systolic/config.hpp"
#include "families/systolic/family.hpp"
#include "families/systolic/tables.hpp"
#include "generator/test/texts.hpp"
#include "resolve.hpp"

namespace macrame::systolic {

inline const Config& config_of(const Settings& settings) {
    return std::any_cast<const Config&>(settings.config());
}

/// A file with this text; its path.
inline std::string file_with(const std::string& name, const std::string& text) {
    const std::string path = testing::TempDir() + name;
    std::ofstream(path) << text;
    return path;
}

/// What the request chooses, and all messages about it.
inline Settings resolved(const Request& request, std::vector<std::string>& errors) {
    Diags diags;
    Settings settings = resolve(request, emit::Assets(), diags);
    const Diags more = check(settings);
    diags.insert(diags.end(), more.begin(), more.end());
    errors = texts(diags);
    return settings;
}

}  // namespace macrame::systolic
