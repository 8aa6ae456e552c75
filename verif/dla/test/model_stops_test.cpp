/// Layers that the golden model does not run, as the hardware does something else than it would
/// compute: it stops with the reason, and the layer checker has an error for it.

#include <gtest/gtest.h>

#include <string>

#include "verif/dla/test/layer_cases_movers.hpp"
#include "verif/dla/test/layer_cases_types16.hpp"
#include "verif/dla/test/layer_trace.hpp"

namespace macrame {
namespace {

namespace l = dla::layer_cases;
using dla::model::LayerRegisters;
using l::changed;
using l::kConv;
using l::Names;
using l::Trace;

const Names kPdp = {"PDP_RDMA", "PDP"};

/// The run ends with this reason, of which the checker knows, too.
void expect_stop(const std::string& text, const std::string& rule, const std::string& reason) {
    EXPECT_NE(l::line_with(text, "error " + rule), "") << rule << text;
    EXPECT_NE(l::line_with(text, "no progress for").find(reason), std::string::npos)
        << reason << text;
}

std::string pooled(const LayerRegisters& layer) {
    return l::run(Trace().units(kPdp, layer).wait("PDP_0"));
}

TEST(ModelStops, WhereAWindowHasNoElement) {
    const std::string good = pooled(l::pdp_layer());
    EXPECT_NE(good.find("1 passed"), good.npos) << good;
    // 9 columns, windows of 3 at a stride of 2: the sixth begins behind them.
    expect_stop(pooled(changed(l::pdp_layer(), {{"PDP.D_DATA_CUBE_OUT_WIDTH", 5}})), "output-width",
                "PDP: all columns of the windows of output column 5 are missing");
    expect_stop(pooled(changed(l::pdp_layer(), {{"PDP.D_DATA_CUBE_OUT_HEIGHT", 5}})),
                "output-height", "PDP: all lines of the windows of output line 5 are missing");
    expect_stop(pooled(changed(l::pdp_layer(), {{"PDP.D_POOLING_PADDING_CFG", 3}})), "padding",
                "PDP: all columns of the windows of output column 0 are missing");
    // The fifth has one column, and the layer runs: less than the checker asks for.
    const std::string runs = pooled(changed(l::pdp_layer(), {{"PDP.D_DATA_CUBE_OUT_WIDTH", 4}}));
    EXPECT_EQ(runs.find("no progress"), runs.npos) << runs;
}

TEST(ModelStops, AtLargeWindowsAndAtStripsThatAreNone) {
    expect_stop(pooled(changed(l::pdp_layer(), {{"PDP.D_POOLING_KERNEL_CFG", 0x110208}})), "kernel",
                "PDP: a window of more than 8 x 8");
    // Strips of 5 and 4 columns; a stride of 9 skips 6 columns of the second.
    expect_stop(pooled(changed(l::strip_layer(), {{"PDP.D_POOLING_KERNEL_CFG", 0x180202},
                                                  {"PDP_RDMA.D_POOLING_KERNEL_CFG", 0x82}})),
                "strip-inputs", "PDP: a strip that begins at column 11 and has -2 columns");
}

TEST(ModelStops, WherePdpAndItsReadDmaHaveOtherStrips) {
    expect_stop(pooled(changed(l::strip_layer(), {{"PDP_RDMA.D_POOLING_KERNEL_CFG", 0x22}})),
                "rdma-kernel", "strips of PDP and PDP_RDMA differ");
    expect_stop(pooled(changed(l::strip_layer(), {{"PDP_RDMA.D_PARTIAL_WIDTH_IN", 0x1003}})),
                "rdma-strips", "strips of PDP and PDP_RDMA differ");
}

TEST(ModelStops, WhenReadingAnOperandThatNobodyTakes) {
    const LayerRegisters layer =
        changed(l::offline_layer(), {{"SDP.D_DP_BN_CFG", 0x53}});  // bypassed
    expect_stop(l::run(Trace().units({"SDP_RDMA", "SDP"}, layer).wait("SDP_0")), "operand-channel",
                "SDP_RDMA reads an operand that SDP does not take");
}

/// Rules of the layer checker on which the models rely.
TEST(ModelStops, AtLayersThatBreakSomeRules) {
    struct Case {
        const char* rule;
        LayerRegisters layer;
    };
    for (const Case& c :
         {Case{"data-format", changed(l::conv_layer(), {{"CSC.D_DATAIN_FORMAT", 1}})},
          Case{"entries-agree", changed(l::conv_layer(), {{"CSC.D_ENTRY_PER_SLICE", 10}})},
          Case{"input-width", changed(l::conv_layer(), {{"CSC.D_DATAIN_SIZE_EXT_0", 0x40006}})},
          Case{"release", changed(l::conv_layer(), {{"CSC.D_RELEASE", 5}})},
          Case{"image-line", changed(l::image_layer(), {{"CSC.D_DATAOUT_SIZE_0", 0x40008}})},
          Case{"post-extension", changed(l::image_layer(), {{"CSC.D_POST_Y_EXTENSION", 3}})},
          Case{"pre-extension", changed(l::image_layer(), {{"CSC.D_WEIGHT_SIZE_EXT_0", 0x10001}})},
          Case{"overlap", changed(l::conv_layer(), {{"SDP.D_DST_BASE_ADDR_LOW", 0}})}}) {
        Trace trace;
        trace.write("GLB.S_INTR_MASK", 0x3F0000);
        expect_stop(l::run(trace.units(kConv, c.layer).wait("SDP_0")), c.rule,
                    std::string(c.rule) + ": ");
    }
}

/// Refused before anything is computed: the sizes of these cases are of no machine with Winograd.
TEST(ModelStops, AtWinogradThatIsNone) {
    const auto run = [](const l::Values& values) {
        Trace trace;
        trace.write("GLB.S_INTR_MASK", 0x3F0000);
        return l::run(trace.units(kConv, changed(l::winograd_layer(), values)).wait("SDP_0"), false,
                      l::types16_sizes());
    };
    expect_stop(run({{"CSC.D_WEIGHT_SIZE_EXT_1", 0xb0000}}), "winograd-channels",
                "winograd-channels: ");
    expect_stop(run({{"CSC.D_ZERO_PADDING", 1}}), "winograd-padding", "winograd-padding: ");
    expect_stop(run({{"CDMA.D_ZERO_PADDING", 4}}), "extended-width", "extended-width: ");
    expect_stop(run({{"SDP.D_FEATURE_MODE_CFG", 1}}), "winograd-batch-agree",
                "winograd-batch-agree: ");
}

TEST(ModelStops, WhereALayerWritesOverWhatItReads) {
    const auto run = [](const Names& units, const LayerRegisters& layer, const char* done) {
        return l::run(Trace().units(units, layer).wait(done));
    };
    expect_stop(run(kPdp, changed(l::pdp_layer(), {{"PDP.D_DST_BASE_ADDR_LOW", 648}}), "PDP_0"),
                "overlap", "overlap: PDP.");
    expect_stop(run({"CDP_RDMA", "CDP"}, changed(l::cdp_layer(), {{"CDP.D_DST_BASE_ADDR_LOW", 8}}),
                    "CDP_0"),
                "overlap", "overlap: CDP.");
    expect_stop(
        run({"RUBIK"}, changed(l::split_layer(), {{"RUBIK.D_DAOUT_ADDR_LOW", 32}}), "RUBIK_0"),
        "overlap", "overlap: RUBIK.");
}

}  // namespace
}  // namespace macrame
