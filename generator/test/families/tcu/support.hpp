#pragma once
/// What the tests of the family share.

#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "emit/assets.hpp"
#include "families/tcu/config.hpp"
#include "families/tcu/family.hpp"
#include "families/tcu/tables.hpp"
#include "generator/test/texts.hpp"
#include "resolve.hpp"

namespace macrame::tcu {

inline const Config& config_of(const Settings& settings) {
    return std::any_cast<const Config&>(settings.config());
}

/// A preset, which has no mistakes.
inline Settings preset(const std::string& name) {
    Request request;
    request.preset = name;
    Diags diags;
    Settings settings = resolve(request, emit::Assets(), diags);
    EXPECT_TRUE(diags.empty()) << name;
    EXPECT_TRUE(check(settings).empty()) << name;
    return settings;
}

/// A file with this text; its path.
inline std::string file_with(const std::string& name, const std::string& text) {
    const std::string path = testing::TempDir() + name;
    std::ofstream(path) << text;
    return path;
}

}  // namespace macrame::tcu
