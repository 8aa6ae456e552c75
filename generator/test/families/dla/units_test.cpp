/// A reader finds everything of a unit by its name: generator, templates, model, test, output.

#include "families/dla/units.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "families/dla/family.hpp"
#include "test/source_dir.hpp"

namespace macrame::dla {
namespace {

namespace fs = std::filesystem;

using Paths = std::vector<std::string>;

/// The top has no behaviour of its own, it wires the units: the device model (device.hpp) is its
/// model and the system testbench (tb/dla/system) is its test. So it is with the system top.
bool has_behaviour(const Unit& unit) { return unit.name != "top" && unit.name != "axi"; }

/// Has the published nv_small this unit or option? The others leave no committed output.
template <typename Row>
bool in_nv_small(const Row& row) {
    return !row.enabled || row.enabled(Config{});
}

std::string template_path(const Unit& unit, std::string_view file) {
    return "templates/dla/" + std::string(unit.name) + "/" + std::string(file);
}

/// Templates of a unit, those of its options included; `published`: only those of nv_small.
std::vector<std::string_view> templates_of(const Unit& unit, bool published = false) {
    if (published && !in_nv_small(unit)) return {};
    std::vector<std::string_view> files = unit.templates;
    for (const UnitOption& option : unit.options) {
        if (published && !in_nv_small(option)) continue;
        files.insert(files.end(), option.templates.begin(), option.templates.end());
    }
    return files;
}

/// Paths in the source tree that a row of the unit table asks for.
Paths wanted(const Unit& unit) {
    const std::string name(unit.name);
    Paths paths = {"generator/families/dla/" + name + ".cpp"};
    for (const std::string_view file : templates_of(unit)) {
        paths.push_back(template_path(unit, file));
    }
    for (const std::string_view file : templates_of(unit, true)) {
        paths.push_back("rtl_out/nv_small/rtl/" + std::string(file));
    }
    if (has_behaviour(unit)) {
        paths.push_back("verif/dla/model/" + name + ".hpp");
        paths.push_back("tb/dla/unit/" + name + "_tb.cpp");
    }
    return paths;
}

/// Those that are not in `root`.
Paths missing(const Unit& unit, const fs::path& root) {
    Paths paths = wanted(unit);
    const auto exists = [&](const std::string& path) { return fs::is_regular_file(root / path); };
    paths.erase(std::remove_if(paths.begin(), paths.end(), exists), paths.end());
    return paths;
}

/// Files of no unit: all of these folders are emitted.
constexpr std::string_view kProject = "templates/dla/project/";
constexpr std::string_view kBoards = "templates/dla/fpga/";
constexpr std::string_view kSystems = "templates/dla/soc/";

/// What a template includes, as directives name it.
Paths fragments_of(const fs::path& path, const fs::path& folder) {
    constexpr std::string_view kDirective = "//%", kInclude = "include \"";
    Paths out;
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
        if (line.compare(0, kDirective.size(), kDirective) != 0) continue;
        const std::size_t word = line.find_first_not_of(' ', kDirective.size());
        if (word == std::string::npos || line.compare(word, kInclude.size(), kInclude) != 0)
            continue;
        const std::size_t name = word + kInclude.size();
        out.push_back(line.substr(name, line.find('"', name) - name));
        const Paths inner = fragments_of(folder / out.back(), folder);
        out.insert(out.end(), inner.begin(), inner.end());
    }
    return out;
}

/// Files in folders of templates that no row names and no template of a row includes, in order.
Paths strays(const std::vector<const Unit*>& rows, const fs::path& root) {
    std::set<std::string> named;
    for (const Unit* unit : rows) {
        for (const std::string_view file : templates_of(*unit)) {
            const std::string path = template_path(*unit, file);
            named.insert(path);
            for (const std::string& fragment : fragments_of(root / path, root / "templates/dla"))
                named.insert("templates/dla/" + fragment);
        }
    }
    Paths out;
    for (const auto& entry : fs::recursive_directory_iterator(root / "templates/dla")) {
        const std::string path = fs::relative(entry.path(), root).generic_string();
        if (!entry.is_regular_file() || path == "templates/dla/README.md" ||
            path.compare(0, kProject.size(), kProject) == 0 ||
            path.compare(0, kBoards.size(), kBoards) == 0 ||
            path.compare(0, kSystems.size(), kSystems) == 0) {
            continue;
        }
        if (named.count(path) == 0) out.push_back(path);
    }
    std::sort(out.begin(), out.end());
    return out;
}

TEST(UnitFiles, EveryRowHasItsFiles) {
    for (const Unit* unit : units())
        EXPECT_EQ(missing(*unit, source_dir()), Paths{}) << unit->name;
}

TEST(UnitFiles, EveryUnitHasItsOwnModule) {
    for (const Unit* unit : units()) {
        const std::string module = "dla_" + std::string(unit->name) + ".v";
        std::vector<std::string_view> files = unit->templates;
        for (const UnitOption& option : unit->options)
            files.insert(files.end(), option.templates.begin(), option.templates.end());
        EXPECT_NE(std::find(files.begin(), files.end(), module), files.end()) << module;
    }
}

TEST(UnitFiles, EveryTemplateHasItsRow) { EXPECT_EQ(strays(units(), source_dir()), Paths{}); }

TEST(UnitFiles, WhatIsMissingIsNamed) {
    EXPECT_EQ(missing(glb_unit(), fs::path(source_dir()) / "no such folder"),
              (Paths{"generator/families/dla/glb.cpp", "templates/dla/glb/dla_glb.v",
                     "rtl_out/nv_small/rtl/dla_glb.v", "verif/dla/model/glb.hpp",
                     "tb/dla/unit/glb_tb.cpp"}));
    EXPECT_EQ(missing(top_unit(), fs::path(source_dir()) / "no such folder").size(), 3u);
    std::vector<const Unit*> rows = units();
    rows.erase(std::find(rows.begin(), rows.end(), family().find_unit("glb")));
    EXPECT_EQ(strays(rows, source_dir()), Paths{"templates/dla/glb/dla_glb.v"});
}

}  // namespace
}  // namespace macrame::dla
