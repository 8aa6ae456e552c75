/// Spaces of the families, keys of units, formulas.

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>
#include <stdexcept>

#include "cli.hpp"
#include "core/settings.hpp"
#include "emit/file_io.hpp"
#include "explore/cost.hpp"
#include "explore/points.hpp"
#include "explore/units.hpp"
#include "test/source_dir.hpp"

namespace macrame::explore {
namespace {

namespace fs = std::filesystem;

Decided last_values(const Space& space) {
    Decided out;
    for (const SpaceRow& row : space.decided)
        out.push_back(row.values.size() - 1);
    return out;
}

TEST(Space, RowsAreLegalAndDifferent) {
    int spaces = 0;
    for (const Family* family : all_families()) {
        if (family->space == nullptr) continue;
        ++spaces;
        for (const auto* rows : {&family->space->searched, &family->space->decided}) {
            for (const SpaceRow& row : *rows) {
                for (const std::string_view key : row.keys)
                    EXPECT_NE(find_param(family->params, key), nullptr) << key;
                for (const auto& value : row.values)
                    EXPECT_EQ(value.size(), row.keys.size()) << row.keys.front();
            }
        }
        ASSERT_EQ(family->space->reference.size(), family->space->searched.size());
        const Decided decided = last_values(*family->space);
        EXPECT_NO_THROW(reference_point(*family, decided));
        const std::vector<Point> points = points_of(*family, decided);
        EXPECT_GT(points.size(), 100U);
        EXPECT_LT(points.size(), 20000U);
        std::set<std::string> names;
        for (const Point& point : points)
            names.insert(point.name);
        EXPECT_EQ(names.size(), points.size());
    }
    EXPECT_GE(spaces, 1);
}

/// What is written of a point is the point.
TEST(Space, TomlOfAPointIsThePoint) {
    const Family& family = *find_family(all_families(), "dla");
    const std::vector<Point> points = points_of(family, last_values(*family.space));
    for (const std::size_t i : {std::size_t{0}, points.size() / 2, points.size() - 1}) {
        Settings settings(family);
        Diags diags;
        apply_toml(settings, toml_of(points[i]), "point.toml", Origin::Level::kFile, diags);
        apply_derived_defaults(settings);
        EXPECT_TRUE(diags.empty());
        for (const Param& param : family.params)
            EXPECT_EQ(value_text(settings.config(), param),
                      value_text(points[i].design.config, param))
                << points[i].name << " " << param.key;
    }
}

TEST(Space, RandomPointsAreLegalAndTheSameAgain) {
    const Family& family = *find_family(all_families(), "dla");
    const Decided decided = last_values(*family.space);
    const std::vector<Point> points = random_points(family, decided, 20, 1);
    const std::vector<Point> again = random_points(family, decided, 20, 1);
    ASSERT_EQ(points.size(), 20U);
    std::set<int> depths;
    const Param& depth = *find_param(family.params, "cbuf_bank_depth");
    for (std::size_t i = 0; i < points.size(); ++i) {
        Settings settings(family);
        settings.design.config = points[i].design.config;
        EXPECT_TRUE(check(settings).empty());
        EXPECT_EQ(toml_of(points[i]), toml_of(again[i]));
        depths.insert(std::get<int>(depth.get(points[i].design.config)));
    }
    EXPECT_GT(depths.size(), 2U);
}

TEST(UnitKey, CommentsAndBlanksDoNotCount) {
    EXPECT_EQ(code_of("// a\nmodule x; // b\n\n  wire y;  \nendmodule\n"),
              "module x;\n  wire y;\nendmodule\n");
    EXPECT_EQ(code_of("wire y;"), "wire y;\n");
}

TEST(UnitKey, ChangesWhereTheUnitDoes) {
    const Family& family = *find_family(all_families(), "dla");
    const emit::Assets assets;
    const auto keys = [&](const std::string& width) {
        Settings settings(family);
        Diags diags;
        for (const char* key : {"sdp_bs_throughput", "sdp_bn_throughput"})
            apply_setting(settings, key, width, {Origin::Level::kFlag, "test"}, diags);
        std::map<std::string, std::string> out;
        for (const UnitText& unit : units_of(settings.design, assets, diags)) {
            out[unit.name] = unit.key;
            EXPECT_EQ(unit.copies, unit.name == "cmac" ? 2 : 1) << unit.name;
            EXPECT_EQ(unit.key.size(), 16U);
        }
        EXPECT_TRUE(diags.empty());
        return out;
    };
    const auto one = keys("1"), two = keys("2");
    EXPECT_GT(one.size(), 10U);
    EXPECT_EQ(one, keys("1"));
    EXPECT_NE(one.at("sdp"), two.at("sdp"));
    EXPECT_EQ(one.at("csc"), two.at("csc"));
}

/// The script that fills the table has the same keys.
TEST(UnitKey, IsThatOfTheScript) {
    const fs::path folder =
        fs::temp_directory_path() / ("macrame_unit_key_" + std::to_string(getpid()));
    testing::internal::CaptureStdout();
    const int status =
        run({"generate", "--preset", "nv_small", "--out", folder.string()}, all_families());
    testing::internal::GetCapturedStdout();
    ASSERT_EQ(status, kPassed);
    const std::string command = "python3 -B " + source_dir() + "/scripts/explore/fill.py --keys " +
                                folder.string() + " > " + folder.string() + ".keys";
    ASSERT_EQ(std::system(command.c_str()), 0);
    Diags diags;
    const Family& family = *find_family(all_families(), "dla");
    Settings settings(family);
    std::string ours;
    for (const UnitText& unit : units_of(settings.design, emit::Assets(), diags))
        ours += unit.name + " " + unit.key + "\n";
    EXPECT_EQ(emit::read_file(folder.string() + ".keys").bytes, ours);
    fs::remove_all(folder);
    fs::remove(folder.string() + ".keys");
}

TEST(Formula, IsASumOfProducts) {
    const Family& family = *find_family(all_families(), "dla");
    const auto at = [&](const std::string& json) {
        return Formula::read(json, family).at(family.defaults);
    };
    // nv_small: 8 channels, image, 32 banks of 512 entries of 8 bytes.
    EXPECT_DOUBLE_EQ(at(R"({"terms": [[3], [2, "mac_atomic_c_size"]]})"), 19);
    EXPECT_DOUBLE_EQ(at(R"({"terms": [[5, "log mac_atomic_c_size", "image_enable"]]})"), 15);
    EXPECT_DOUBLE_EQ(at(R"({"log": true, "terms": [[0]]})"), 1);
    EXPECT_DOUBLE_EQ(
        at(R"({"terms": [[1, "cbuf_bank_number", "rams cbuf_bank_width cbuf_bank_depth"]]})"), 64);
    EXPECT_DOUBLE_EQ(at(R"({"terms": [[1, "min mac_atomic_c_size primary_memif_width 16"]]})"), 4);
    EXPECT_DOUBLE_EQ(at(R"({"terms": [[1, "min mac_atomic_c_size primary_memif_width 1"]]})"), 8);
    EXPECT_THROW(at(R"({"terms": [[1, "nothing"]]})"), std::runtime_error);
    EXPECT_THROW(at(R"({"terms": [[1, "min mac_atomic_c_size"]]})"), std::runtime_error);
    EXPECT_THROW(at(R"({"terms": [[1, "sqrt mac_atomic_c_size"]]})"), std::runtime_error);
    EXPECT_THROW(at(R"({"terms": [[1, "feature_data_types"]]})"), std::runtime_error);
}

/// Tables can be read, and all units of a point have a number. Families without one say so.
TEST(CostTable, KnowsAllUnitsOfASpace) {
    const emit::Assets assets;
    for (const Family* family : all_families()) {
        if (family->space == nullptr) continue;
        Diags diags;
        const auto costs = CostTable::read(*family, "xc7", assets, diags);
        if (family->name != "dla" && !costs) {
            ASSERT_EQ(diags.size(), 1U);
            EXPECT_NE(diags[0].text.find("no units are measured"), std::string::npos);
            continue;
        }
        ASSERT_TRUE(costs && diags.empty()) << family->name;
        const Point point = reference_point(*family, last_values(*family->space));
        const auto area = costs->area(units_of(point.design, assets, diags), point.design, diags);
        ASSERT_TRUE(area && diags.empty()) << family->name;
        EXPECT_GT(area->luts, 1000);
        EXPECT_GT(area->ns, 1);
        EXPECT_FALSE(area->slowest.empty());
    }
    Diags diags;
    EXPECT_FALSE(CostTable::read(*find_family(all_families(), "dla"), "none", assets, diags));
    ASSERT_EQ(diags.size(), 1U);
    EXPECT_NE(diags[0].text.find("dla on none: no units are measured: want"), std::string::npos);
}

}  // namespace
}  // namespace macrame::explore
