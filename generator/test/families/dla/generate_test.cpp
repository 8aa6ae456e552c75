#include "emit/generate.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

#include "cli.hpp"
#include "core/version.hpp"
#include "families/dla/units.hpp"
#include "support.hpp"
#include "verif/common/text.hpp"

namespace macrame::dla {
namespace {

namespace fs = std::filesystem;
using namespace emit;

const OutputFile* find(const OutputSet& set, const std::string& path) {
    for (const OutputFile& file : set.files()) {
        if (file.path == path) {
            return &file;
        }
    }
    return nullptr;
}

OutputSet generated(const Config& config, const Assets& assets = Assets()) {
    Diags diags;
    OutputSet set = generate(design(config), assets, diags);
    const Diags faults = set.check();
    diags.insert(diags.end(), faults.begin(), faults.end());
    for (const Diag& diag : diags) {
        ADD_FAILURE() << diag.text;
    }
    return set;
}

TEST(Generate, SameInputSameBytes) {
    const OutputSet a = generated(Config{});
    const OutputSet b = generated(Config{});
    ASSERT_EQ(a.files().size(), b.files().size());
    for (std::size_t i = 0; i < a.files().size(); ++i) {
        EXPECT_EQ(a.files()[i].path, b.files()[i].path);
        EXPECT_EQ(a.files()[i].bytes, b.files()[i].bytes) << a.files()[i].path;
    }
}

TEST(Generate, FileListHasEveryFileOfTheDesign) {
    const OutputSet set = generated(Config{});
    std::set<std::string> listed;
    std::string_view lines = find(set, "filelist.f")->bytes;
    while (!lines.empty()) {
        const std::string line(verif::text::next_line(lines));
        EXPECT_TRUE(listed.insert(line).second) << line;
    }
    for (const OutputFile& file : set.files()) {
        if (file.path.substr(0, 4) == "rtl/") {
            EXPECT_EQ(listed.count(file.path), 1u) << file.path;
        }
    }
}

TEST(Generate, SecondPortIsASecondMcif) {
    Config config;
    config.secondary_memif_enable = true;
    config.secondary_memif_width = 64;
    config.secondary_memif_latency = 64;
    config.secondary_memif_max_burst_length = 1;
    const OutputSet two = generated(config);
    const OutputSet one = generated(Config{});
    for (const std::string name : {"", "_rd", "_wr", "_regs"}) {
        const OutputFile* file = find(two, "rtl/dla_cvif" + name + ".v");
        ASSERT_NE(file, nullptr) << name;
        EXPECT_NE(file->bytes.find("module dla_cvif" + name + " "), std::string::npos) << name;
        // From the second line of code on: the header of the file names the template.
        const std::string code = file->bytes.substr(file->bytes.find("`default_nettype"));
        EXPECT_EQ(code.find("mcif"), std::string::npos) << name;
        EXPECT_EQ(find(one, "rtl/dla_cvif" + name + ".v"), nullptr) << name;
    }
    EXPECT_EQ(find(one, "rtl/dla_top.v")->bytes.find("cvsram"), std::string::npos);
    EXPECT_EQ(find(one, "rtl/dla_cdma.v")->bytes.find("ram_type"), std::string::npos);
}

/// Without clock gating nothing speaks of a clock that may stop.
TEST(Generate, GatedClockOnlyWithClockGating) {
    Config gated;
    gated.clock_gating = true;
    EXPECT_NE(find(generated(gated), "rtl/dla_sdp.v")->bytes.find("gclk"), std::string::npos);
    const OutputSet set = generated(Config{});
    for (const OutputFile& file : set.files()) {
        if (file.path.compare(0, 4, "rtl/") != 0) continue;
        for (const std::string word : {"gclk", "Stops", "clock of the"}) {
            EXPECT_EQ(file.bytes.find(word), std::string::npos) << file.path << ": " << word;
        }
    }
}

/// Cubes of fp16 alone pass CDMA as they are: without images there is nothing to convert.
TEST(Generate, ConvertorOnlyWhereSomethingIsConverted) {
    Config config;
    config.feature_data_types = config.weight_data_types = "FP16";
    config.memory_atomic_size = config.cbuf_bank_width = 16;
    config.primary_memif_width = 128;
    config.pdp_throughput = config.cdp_throughput = 2;
    EXPECT_NE(find(generated(config), "rtl/dla_cdma.v")->bytes.find("cvt"), std::string::npos);
    config.image_enable = false;
    const OutputSet set = generated(config);
    for (const OutputFile& file : set.files()) {
        if (file.path.compare(0, 12, "rtl/dla_cdma") != 0) continue;
        EXPECT_EQ(file.bytes.find("cvt"), std::string::npos) << file.path;
    }
}

TEST(Generate, UnitFilesStartWithVersionAndParameters) {
    const OutputSet set = generated(Config{});
    const std::string made = "// Made by macrame " + std::string(kVersion) + " from ";
    for (const Unit* unit : units()) {
        if (!unit->is_in(Config{})) continue;
        for (const std::string_view name : unit->templates) {
            const OutputFile* file = find(set, "rtl/" + std::string(name));
            ASSERT_NE(file, nullptr) << name;
            EXPECT_EQ(file->bytes.substr(0, made.size()), made) << name;
        }
    }
    EXPECT_NE(find(set, "rtl/dla_cbuf.v")->bytes.find("cbuf_depth=512"), std::string::npos);
}

/// Only files that depend on a parameter change with it.
TEST(Generate, UnrelatedFilesStay) {
    Config config;
    config.cbuf_bank_depth = 256;
    const OutputSet a = generated(Config{});
    const OutputSet b = generated(config);
    EXPECT_EQ(find(a, "rtl/dla_glb.v")->bytes, find(b, "rtl/dla_glb.v")->bytes);
    EXPECT_NE(find(a, "rtl/dla_cbuf.v")->bytes, find(b, "rtl/dla_cbuf.v")->bytes);
}

TEST(Generate, TemplatesFromAFolder) {
    const fs::path folder = fs::path(testing::TempDir()) / "macrame_templates";
    const Assets built_in;
    for (const std::string& path : built_in.list("templates/")) {
        const fs::path to = folder / path.substr(std::string_view("templates/").size());
        fs::create_directories(to.parent_path());
        std::ofstream(to, std::ios::binary) << *built_in.read(path);
    }
    const Assets assets(folder.string());
    EXPECT_EQ(find(generated(Config{}, assets), "manifest.json")->bytes,
              find(generated(Config{}), "manifest.json")->bytes);
    std::ofstream(folder / "dla/cbuf/dla_cbuf.v") << "module dla_cbuf;\n  ${nope}\nendmodule\n";
    fs::remove(folder / "dla/glb/dla_glb.v");
    fs::remove(folder / "dla/csc/dla_csc.v");
    fs::create_directory(folder / "dla/csc/dla_csc.v");
    Diags diags;
    generate(design(), assets, diags);
    std::set<std::string> texts;
    for (const Diag& diag : diags) {
        texts.insert(diag.text);
    }
    EXPECT_EQ(texts, (std::set<std::string>{
                         folder.string() + "/dla/cbuf/dla_cbuf.v:2:5: unknown name 'nope'",
                         folder.string() + "/dla/csc/dla_csc.v: want this template",
                         folder.string() + "/dla/glb/dla_glb.v: want this template"}));
    fs::remove_all(folder);
}

/// A unit names the library cells that it uses.
TEST(Units, CellsAreNamed) {
    const Assets assets;
    const auto cells = assets.list("templates/lib/");
    for (const Unit* unit : units()) {
        for (const std::string_view cell : unit->cells) {
            const std::string path = "templates/lib/" + std::string(cell) + ".v";
            EXPECT_NE(std::find(cells.begin(), cells.end(), path), cells.end())
                << unit->name << " " << cell;
        }
    }
}

TEST(Units, NamesAreUniqueAndTemplatesExist) {
    std::set<std::string_view> names;
    const Assets assets;
    for (const Unit* unit : units()) {
        EXPECT_TRUE(names.insert(unit->name).second) << unit->name;
        EXPECT_FALSE(unit->doc.empty()) << unit->name;
        for (const std::string_view name : unit->templates) {
            const std::string path = std::string(unit->name) + "/" + std::string(name);
            EXPECT_TRUE(assets.read("templates/dla/" + path).has_value())
                << unit->name << " " << name;
        }
    }
}

}  // namespace
}  // namespace macrame::dla
