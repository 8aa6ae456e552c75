/// Rules of the layer checker one by one: good layers have no finding, and for every rule there is
/// a layer that breaks just it.

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "verif/dla/model/layer_checker.hpp"
#include "verif/dla/test/layer_cases_conv.hpp"
#include "verif/dla/test/layer_cases_ends.hpp"
#include "verif/dla/test/layer_cases_modes.hpp"
#include "verif/dla/test/layer_cases_movers.hpp"
#include "verif/dla/test/layer_cases_original.hpp"
#include "verif/dla/test/layer_cases_overlap.hpp"
#include "verif/dla/test/layer_cases_post.hpp"
#include "verif/dla/test/layer_cases_row.hpp"

namespace macrame {
namespace {

using dla::layer_cases::Case;
using dla::layer_cases::Cases;
using dla::model::Finding;
using dla::model::LayerRegisters;
using dla::model::LayerRule;

Cases all_cases() {
    Cases out = dla::layer_cases::conv_cases();
    for (Case& c : dla::layer_cases::post_cases())
        out.push_back(std::move(c));
    for (Case& c : dla::layer_cases::rubik_cases())
        out.push_back(std::move(c));
    for (Case& c : dla::layer_cases::bdma_cases())
        out.push_back(std::move(c));
    for (Case& c : dla::layer_cases::row_cases())
        out.push_back(std::move(c));
    for (Case& c : dla::layer_cases::end_cases())
        out.push_back(std::move(c));
    for (Case& c : dla::layer_cases::overlap_cases())
        out.push_back(std::move(c));
    for (Case& c : dla::layer_cases::original_cases())
        out.push_back(std::move(c));
    for (Case& c : dla::layer_cases::types16_cases())
        out.push_back(std::move(c));
    for (Case& c : dla::layer_cases::types16_mode_cases())
        out.push_back(std::move(c));
    return out;
}

std::vector<Finding> findings(const Case& c) {
    LayerRegisters layer = c.base();
    dla::layer_cases::set(layer, c.change);
    dla::model::Architecture sizes = dla::layer_cases::full_sizes();
    if (c.setting) c.setting(sizes, layer.before);
    return check_layer(sizes, layer);
}

/// "rule at UNIT.REGISTER", one of which is a row of layer_rules().
std::string row(const std::string& rule, const std::string& unit, const std::string& reg) {
    return rule + " at " + unit + "." + reg;
}

TEST(LayerRules, GoodLayersHaveNoFinding) {
    namespace l = dla::layer_cases;
    for (LayerRegisters (*layer)() :
         {l::conv_layer,     l::point_layer,         l::image_layer,      l::planes_layer,
          l::offline_layer,  l::offline_point_layer, l::lut_layer,        l::compare_layer,
          l::pdp_layer,      l::strip_layer,         l::pdp_point_layer,  l::sdp_pdp_layer,
          l::cdp_layer,      l::cdp_point_layer,     l::conv_ports_layer, l::offline_ports_layer,
          l::contract_layer, l::split_layer,         l::merge_layer,      l::copy_layer,
          l::norm_layer}) {
        for (const Finding& f : check_layer(l::full_sizes(), layer()))
            ADD_FAILURE() << f.text();
    }
}

TEST(LayerRules, GoodLayersOfOtherTypesAndModesHaveNoFinding) {
    namespace l = dla::layer_cases;
    for (LayerRegisters (*layer)() :
         {l::conv16_layer, l::batch_layer, l::compressed_layer, l::winograd_layer, l::image16_layer,
          l::offline16_layer, l::widening_layer, l::pdp16_layer, l::sdp_pdp16_layer,
          l::cdp16_layer}) {
        for (const Finding& f : check_layer(l::types16_sizes(), layer()))
            ADD_FAILURE() << f.text();
    }
}

TEST(LayerRules, TheOriginalRunsWhatHasNoHint) {
    for (const Case& c : dla::layer_cases::original_clean_cases()) {
        for (const Finding& f : findings(c))
            ADD_FAILURE() << f.text();
    }
}

TEST(LayerRules, BrokenLayersHaveJustTheirFinding) {
    for (const Case& c : all_cases()) {
        std::vector<std::string> found;
        for (const Finding& f : findings(c))
            found.push_back(f.text());
        EXPECT_EQ(found, std::vector<std::string>{c.finding});
    }
}

TEST(LayerRules, EveryRuleHasALayerThatBreaksJustIt) {
    std::set<std::string> covered;
    for (const Case& c : all_cases()) {
        const std::vector<Finding> found = findings(c);
        if (found.size() == 1) covered.insert(row(found[0].rule, found[0].unit, found[0].reg));
    }
    std::set<std::string> rows;
    const dla_regs::RegisterTable table = dla_regs::table();
    for (const LayerRule& rule : dla::model::layer_rules()) {
        std::string name;
        for (std::size_t i = 0; i < table.register_count; ++i) {
            const dla_regs::RegisterInfo& r = table.registers[i];
            if (r.address == rule.address) {
                name = row(rule.name, std::string(r.unit), std::string(r.name));
            }
        }
        EXPECT_NE(name, "") << rule.name << " is about no register";
        EXPECT_TRUE(rows.insert(name).second) << name << " is there twice";
        EXPECT_EQ(covered.count(name), 1u) << "no case breaks just " << name;
    }
}

std::set<std::string> names_of(dla::model::Level level) {
    std::set<std::string> out;
    for (const LayerRule& rule : dla::model::layer_rules()) {
        if (rule.level == level) out.insert(rule.name);
    }
    return out;
}

/// Layers in place: a byte is read before it is replaced, whatever the memory does.
TEST(LayerRules, LayersMayRunInPlace) {
    namespace l = dla::layer_cases;
    const auto expect_good = [](LayerRegisters layer, const l::Values& values) {
        l::set(layer, values);
        for (const Finding& f : check_layer(l::full_sizes(), layer))
            ADD_FAILURE() << f.text();
    };
    expect_good(l::offline_layer(), {{"SDP.D_DST_BASE_ADDR_LOW", 0}});
    expect_good(l::cdp_layer(), {{"CDP.D_DST_BASE_ADDR_LOW", 0}});
    expect_good(l::norm_layer(), {{"ROW.D_DST_BASE_ADDR_LOW", 0}});
    // Pooled results are packed: they stay behind what is read.
    expect_good(l::pdp_layer(), {{"PDP.D_DST_BASE_ADDR_LOW", 0}});
    expect_good(l::sdp_pdp_layer(), {{"PDP.D_DST_BASE_ADDR_LOW", 0}});
    // A copy to lower addresses.
    expect_good(l::copy_layer(), {{"BDMA.CFG_SRC_ADDR_LOW", 32},
                                  {"BDMA.CFG_DST_ADDR_LOW", 0},
                                  {"BDMA.CFG_SRC_LINE", 96},
                                  {"BDMA.CFG_SRC_SURF", 288}});
    // Between the lines of the other cube.
    expect_good(l::cdp_layer(), {{"CDP.D_DST_BASE_ADDR_LOW", 32},
                                 {"CDP.D_DST_LINE_STRIDE", 64},
                                 {"CDP.D_DST_SURFACE_STRIDE", 256},
                                 {"CDP_RDMA.D_SRC_LINE_STRIDE", 64},
                                 {"CDP_RDMA.D_SRC_SURFACE_STRIDE", 256}});
}

TEST(LayerRules, SomeAreOnlyWarnings) {
    EXPECT_EQ(names_of(dla::model::Level::warning),
              (std::set<std::string>{
                  "cacc-packed", "data-reuse", "fetch-grain-packed", "kept-weights", "lut-le-end",
                  "lut-lo-end", "mean", "output-height-rest", "output-width-rest", "pad-values",
                  "prelu", "rdma-mode", "rdma-padding", "truncate", "weight-bytes-rounded"}));
}

TEST(LayerRules, SomeOnlyTellOfTheOriginalHardware) {
    EXPECT_EQ(names_of(dla::model::Level::info),
              (std::set<std::string>{"original-idle-release", "original-lost-weights",
                                     "original-moved-weights", "original-port-weight",
                                     "original-weight-tail"}));
}

/// Sizes decide with the registers: the same cubes with larger atoms, entries and groups.
TEST(LayerRules, SizesOfTheConfigurationCount) {
    const auto names = [](const dla::model::Architecture& sizes, LayerRegisters (*layer)()) {
        std::vector<std::string> out;
        for (const Finding& f : check_layer(sizes, layer()))
            out.push_back(f.text());
        return out;
    };
    dla::model::Architecture sizes = dla::layer_cases::full_sizes();
    sizes.entry_bytes = 16;  // two atoms: half as many entries
    EXPECT_EQ(names(sizes, dla::layer_cases::conv_layer),
              (std::vector<std::string>{"entries-per-slice: CDMA.D_ENTRY_PER_SLICE = 0xb: want 5 "
                                        "(a line takes 6 entries)  (NVDLA convolution modes)"}));
    sizes = dla::layer_cases::full_sizes();
    sizes.atom_bytes = 16;  // the cube of CDP is one surface of lines of 64 bytes
    EXPECT_EQ(names(sizes, dla::layer_cases::cdp_layer),
              (std::vector<std::string>{
                  "line-stride: CDP.D_DST_LINE_STRIDE = 0x20: want at least 64 (bytes of a line of "
                  "4)  (NVDLA limits)",
                  "line-stride: CDP_RDMA.D_SRC_LINE_STRIDE = 0x20: want at least 64 (bytes of a "
                  "line of 4)  (NVDLA limits)"}));
    sizes = dla::layer_cases::full_sizes();
    sizes.atomic_c = 32;  // post-extension by 2 takes up to 16 channels
    LayerRegisters image = dla::layer_cases::image_layer();
    dla::layer_cases::set(image, {{"CSC.D_POST_Y_EXTENSION", 1}});
    EXPECT_TRUE(check_layer(sizes, image).empty());
    dla::layer_cases::set(image, {{"CSC.D_POST_Y_EXTENSION", 2}});
    EXPECT_EQ(check_layer(sizes, image).size(), 1u);
}

/// All lines may be the same one where they are read, but not where they are written.
TEST(LayerRules, OneLineManyTimes) {
    const dla::model::Architecture sizes = dla::layer_cases::full_sizes();
    LayerRegisters layer = dla::layer_cases::conv_layer();
    dla::layer_cases::set(layer, {{"CDMA.D_LINE_STRIDE", 0}, {"CDMA.D_DAIN_MAP", 0}});
    EXPECT_EQ(check_layer(sizes, layer).size(), 0u);
    dla::layer_cases::set(layer, {{"CDMA.D_LINE_STRIDE", 8}});
    ASSERT_EQ(check_layer(sizes, layer).size(), 1u);
    EXPECT_EQ(check_layer(sizes, layer)[0].text().substr(0, 12), "line-stride:");
    layer = dla::layer_cases::offline_layer();
    EXPECT_EQ(check_layer(sizes, layer).size(), 0u);
    dla::layer_cases::set(layer, {{"SDP.D_DST_LINE_STRIDE", 0}});
    ASSERT_EQ(check_layer(sizes, layer).size(), 1u);
    EXPECT_EQ(check_layer(sizes, layer)[0].text().substr(0, 12), "line-stride:");
}

}  // namespace
}  // namespace macrame
