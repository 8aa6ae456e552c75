/// Programs that wait for ever, one for each reason: the layer checker and the message of the
/// player name it. Writes to a group that is enabled.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "verif/common/crc32.hpp"
#include "verif/dla/model/layer_checker.hpp"
#include "verif/dla/test/layer_cases.hpp"
#include "verif/dla/test/layer_cases_movers.hpp"
#include "verif/dla/test/layer_trace.hpp"

namespace macrame {
namespace {

namespace l = dla::layer_cases;
using dla::model::LayerRegisters;

using l::changed;
using l::kConv;
using l::line_with;
using l::Names;
using l::run;
using l::Trace;

/// Checker and player name the cause; `rule` is that of the checker.
void expect_cause(const Trace& trace, const std::string& rule, const std::string& cause,
                  const std::string& in_run = "") {
    const std::string text = run(trace);
    EXPECT_NE(line_with(text, "error " + rule).find(cause), std::string::npos) << cause << text;
    const std::string stuck = line_with(text, "no progress for");
    EXPECT_NE(stuck.find(in_run.empty() ? cause : in_run), std::string::npos) << cause << text;
    EXPECT_NE(run(trace, true).find("FAIL: not run"), std::string::npos) << cause;
}

Names without(const Names& names, const std::string& name) {
    Names out;
    for (const std::string& other : names) {
        if (other != name) out.push_back(other);
    }
    return out;
}

/// With the interrupts of the convolution units masked.
Trace only_sdp() { return Trace().write("GLB.S_INTR_MASK", 0x3F0000); }

TEST(LayerWaits, ALayerThatIsCompleteComes) {
    const std::string text = run(only_sdp().units(kConv, l::conv_layer()).wait("SDP_0"));
    EXPECT_NE(text.find("1 passed"), text.npos) << text;
    EXPECT_EQ(text.find("error"), text.npos) << text;
}

TEST(LayerWaits, AUnitThatIsNotEnabled) {
    for (const std::string& name : kConv) {
        expect_cause(Trace().units(without(kConv, name), l::conv_layer()).wait("SDP_0"),
                     "no-interrupt", name + " was never enabled");
    }
    expect_cause(Trace().unit("PDP", l::pdp_layer()).wait("PDP_0"), "no-interrupt",
                 "PDP waits: PDP_RDMA was never enabled");
    expect_cause(Trace().unit("PDP_RDMA", l::pdp_layer()).wait("PDP_0"), "no-interrupt",
                 "PDP was never enabled");
    expect_cause(Trace().unit("CDP", l::cdp_layer()).wait("CDP_0"), "no-interrupt",
                 "CDP waits: CDP_RDMA was never enabled");
    expect_cause(Trace().wait("RUBIK_0"), "no-interrupt", "RUBIK was never enabled");
    expect_cause(Trace().wait("CACC_0"), "no-interrupt", "CACC was never enabled");
}

TEST(LayerWaits, AUnitInTheOtherGroup) {
    for (const std::string& name : without(kConv, "SDP")) {
        expect_cause(Trace().units(kConv, l::conv_layer(), name).wait("SDP_0"), "no-interrupt",
                     name + " is enabled in group 1 (S_POINTER 1), but its group 0 is next");
    }
    expect_cause(Trace().units(kConv, l::conv_layer(), "SDP").wait("SDP_0"), "no-interrupt",
                 "SDP was enabled for 0 layers in group 0 and for 1 in group 1");
    expect_cause(Trace().units({"CDP", "CDP_RDMA"}, l::cdp_layer(), "CDP_RDMA").wait("CDP_0"),
                 "no-interrupt", "CDP_RDMA is enabled in group 1");
    EXPECT_NE(run(Trace().units(kConv, l::conv_layer(), "CDMA").wait("SDP_0"))
                  .find("error wrong-group: CDMA.D_OP_ENABLE = 0x1: want S_POINTER 0 before it"),
              std::string::npos);
}

TEST(LayerWaits, MoreInterruptsThanLayers) {
    expect_cause(only_sdp().units(kConv, l::conv_layer()).wait("SDP_0").wait("SDP_1", "other"),
                 "no-interrupt", "SDP was enabled for 0 layers in group 1 and for 1 in group 0");
    expect_cause(only_sdp().units(kConv, l::conv_layer()).wait("SDP_0").wait("SDP_0", "again"),
                 "no-interrupt", "SDP was enabled for 1 layer in group 0 and for 0 in group 1");
    // Of CDMA, too, which needs no partner.
    expect_cause(
        Trace().units(kConv, l::conv_layer()).write("GLB.S_INTR_MASK", 0x3E0000).wait("CDMA_DAT_1"),
        "no-interrupt", "CDMA was enabled for 0 layers in group 1 and for 1 in group 0");
}

TEST(LayerWaits, AMaskedInterrupt) {
    expect_cause(
        Trace().write("GLB.S_INTR_MASK", 0x3F03FF).units(kConv, l::conv_layer()).wait("SDP_0"),
        "masked-interrupt",
        "GLB.S_INTR_MASK = 0x3f03ff: want 0 in bit 0: the program waits for interrupt SDP_0",
        "S_INTR_MASK = 0x3f03ff keeps S_INTR_STATUS = 0x150001 from the pin");
    // One that is open again is served.
    const std::string text = run(Trace()
                                     .write("GLB.S_INTR_MASK", 0x3F03FF)
                                     .units(kConv, l::conv_layer())
                                     .write("GLB.S_INTR_MASK", 0x3F03FC)
                                     .wait("SDP_0"));
    EXPECT_EQ(text.find("error"), text.npos) << text;
}

TEST(LayerWaits, AModeThatIsAnother) {
    const LayerRegisters offline = changed(l::conv_layer(), {{"SDP.D_FEATURE_MODE_CFG", 0}});
    expect_cause(Trace().units(without(kConv, "SDP_RDMA"), offline).wait("CACC_0"), "no-interrupt",
                 "SDP takes its input from memory (FLYING_MODE 0), not from the convolution");
    const LayerRegisters pooled = l::sdp_pdp_layer();
    expect_cause(Trace().units({"SDP_RDMA", "SDP"}, pooled).wait("SDP_0"), "no-interrupt",
                 "SDP waits: PDP was never enabled");
    expect_cause(Trace().unit("PDP", pooled).wait("PDP_0"), "no-interrupt",
                 "PDP waits: SDP was never enabled");
    const LayerRegisters to_memory = changed(pooled, {{"SDP.D_FEATURE_MODE_CFG", 1}});
    expect_cause(Trace().units({"PDP", "SDP"}, to_memory).wait("PDP_0"), "no-interrupt",
                 "SDP writes to memory (OUTPUT_DST 0), not to PDP");
    expect_cause(Trace().unit("PDP_RDMA", pooled).unit("PDP", pooled).wait("PDP_0"), "no-interrupt",
                 "PDP waits: SDP was never enabled");
}

TEST(LayerWaits, CopiesThatAreNotLaunched) {
    expect_cause(Trace().write("BDMA.CFG_OP", 1).wait("BDMA_0"), "no-interrupt",
                 "BDMA has 1 copies that were not launched");
    expect_cause(Trace().wait("BDMA_1"), "no-interrupt", "no copy was launched as group 1");
}

TEST(LayerWaits, AUnitThatIsNotBuilt) {
    dla::model::Architecture sizes = l::full_sizes();
    sizes.rubik_contract = sizes.rubik_reshape = false;
    dla::model::LayerFollower follower(sizes);
    EXPECT_EQ(follower.why(8), "RUBIK is not built");
    EXPECT_EQ(follower.why(31), "no unit raises bit 31");
    EXPECT_EQ(follower.why(), "");
}

TEST(LayerWaits, APollOfTheStatus) {
    expect_cause(Trace()
                     .write("GLB.S_INTR_MASK", 0x3F03FF)
                     .unit("CDP", l::cdp_layer())
                     .line("poll_reg_equal(NVDLA_GLB.S_INTR_STATUS_0, 4)"),
                 "no-interrupt", "CDP waits: CDP_RDMA was never enabled");
}

/// A pooling layer of so many output columns; the line buffer has room for 64.
LayerRegisters pooled_columns(std::uint32_t columns) {
    return changed(l::pdp_layer(), {{"PDP.D_DATA_CUBE_IN_WIDTH", 2 * columns},
                                    {"PDP_RDMA.D_DATA_CUBE_IN_WIDTH", 2 * columns},
                                    {"PDP.D_DATA_CUBE_OUT_WIDTH", columns - 1},
                                    {"PDP.D_DST_LINE_STRIDE", 8 * columns},
                                    {"PDP.D_DST_SURFACE_STRIDE", 32 * columns},
                                    {"PDP_RDMA.D_SRC_LINE_STRIDE", 16 * columns + 8},
                                    {"PDP_RDMA.D_SRC_SURFACE_STRIDE", 144 * columns + 72}});
}

TEST(LayerWaits, TheModelStopsWhereTheLineBufferEnds) {
    const Names units = {"PDP_RDMA", "PDP"};
    const std::string good = run(Trace().units(units, pooled_columns(64)).wait("PDP_0"));
    EXPECT_NE(good.find("1 passed"), good.npos) << good;
    EXPECT_EQ(good.find("error"), good.npos) << good;
    const std::string stops =
        "PDP: output lines of 65 columns: want at most 64, for which the line "
        "buffer has room with this window and stride";
    const std::string bad = run(Trace().units(units, pooled_columns(65)).wait("PDP_0"));
    EXPECT_NE(bad.find("error line-buffer: PDP.D_DATA_CUBE_OUT_WIDTH = 0x40"), bad.npos) << bad;
    EXPECT_NE(line_with(bad, "no progress for").find(stops), bad.npos) << bad;
    // Behind SDP, too.
    const LayerRegisters wide = changed(l::sdp_pdp_layer(), {{"SDP.D_DATA_CUBE_WIDTH", 130},
                                                             {"SDP_RDMA.D_DATA_CUBE_WIDTH", 130},
                                                             {"PDP.D_DATA_CUBE_IN_WIDTH", 130},
                                                             {"PDP.D_DATA_CUBE_OUT_WIDTH", 64}});
    const std::string behind = run(Trace().units({"SDP_RDMA", "PDP", "SDP"}, wide).wait("SDP_0"));
    EXPECT_NE(line_with(behind, "no progress for").find(stops), behind.npos) << behind;
}

TEST(LayerWaits, AStripMayNotBeWiderThanTheLineBuffer) {
    const LayerRegisters strips =
        changed(l::strip_layer(), {{"PDP.D_PARTIAL_WIDTH_OUT", 0x401 + 64 * 0x400}});
    const std::string bad = run(Trace().units({"PDP_RDMA", "PDP"}, strips).wait("PDP_0"));
    EXPECT_NE(bad.find("error strip-line-buffer: "), bad.npos) << bad;
    EXPECT_NE(bad.find("PDP: output lines of "), bad.npos) << bad;
}

/// What the recorder of a driver writes: memory in its turn, a reset, a poll of some bits.
TEST(LayerWaits, ATraceOfADriverIsPlayed) {
    const auto check = [](std::vector<std::uint8_t> bytes) {
        return "mem_check(pri_mem, 0x100, 2, " + std::to_string(verif::crc32(bytes)) + ")";
    };
    const auto trace = [&](const std::vector<std::uint8_t>& second) {
        return only_sdp()
            .line("mem_hex(pri_mem, 0x100, 0506)")
            .line(check({5, 6}))
            .units(kConv, l::conv_layer())
            .wait("SDP_0")
            .line("reset()")
            .line("mem_write(pri_mem, 0x100, 0102)")
            .line(check(second))
            .write("GLB.S_INTR_MASK", 0x3F0001)
            .units(kConv, l::conv_layer())
            .line("poll_reg_equal(NVDLA_GLB.S_INTR_STATUS_0, 1, 1)");
    };
    const std::string good = run(trace({1, 2}), true);
    EXPECT_NE(good.find("1 passed"), good.npos) << good;
    const std::string bad = run(trace({1, 3}), true);
    EXPECT_NE(bad.find("mem_check pri_mem 0x100+0x2: checksum"), bad.npos) << bad;
    EXPECT_NE(run(Trace().line("reset(1)")).find("reset with arguments: want none"),
              std::string::npos);
}

// ---- writes to an enabled group

TEST(LayerWaits, AWriteToAnEnabledGroupIsTold) {
    const std::string lost = run(only_sdp()
                                     .units(without(kConv, "CDMA"), l::conv_layer())
                                     .write("CSC.D_ATOMICS", 5)
                                     .unit("CDMA", l::conv_layer())
                                     .wait("SDP_0"));
    EXPECT_NE(
        lost.find("error busy-group: CSC.D_ATOMICS = 0x5: want no write to group 0 before its "
                  "layer has ended: it is enabled, and the write is lost  (NVDLA register "
                  "sets)"),
        lost.npos)
        << lost;
    EXPECT_NE(lost.find("1 passed"), lost.npos) << lost;
    // The layer runs.
    Trace race;
    race.units(kConv, l::conv_layer()).write("CSC.D_ATOMICS", 5).wait("SDP_0");
    EXPECT_NE(run(race).find("error busy-group: CSC.D_ATOMICS = 0x5"), std::string::npos);
    EXPECT_NE(run(race, true).find("FAIL: not run"), std::string::npos);
    // Enabled twice.
    Trace twice;
    twice.units(kConv, l::conv_layer()).write("CSC.D_OP_ENABLE", 1).wait("SDP_0");
    EXPECT_NE(run(twice).find("error busy-group: CSC.D_OP_ENABLE = 0x1"), std::string::npos);
}

TEST(LayerWaits, OtherWritesAreFree) {
    Trace good;
    good.units(kConv, l::conv_layer()).write("CSC.S_POINTER", 1).write("CSC.D_ATOMICS", 5);
    good.wait("SDP_0").write("CSC.S_POINTER", 0).write("CSC.D_ATOMICS", 5);
    EXPECT_EQ(run(good).find("error"), std::string::npos);
    Trace same;  // changes nothing
    same.units(kConv, l::conv_layer()).write("CSC.D_ATOMICS", 19).wait("SDP_0");
    EXPECT_EQ(run(same).find("error"), std::string::npos);
}

}  // namespace
}  // namespace macrame
