/// Layers that touch the same memory and run at a time: the golden model finds them and warns.

#include "verif/dla/model/races.hpp"

#include <gtest/gtest.h>

#include "dla_regs.hpp"
#include "verif/dla/model/device.hpp"
#include "verif/dla/test/layer_cases_movers.hpp"
#include "verif/dla/test/layer_trace.hpp"

namespace macrame::dla::model {
namespace {

constexpr std::uint64_t kNone = ~std::uint64_t{0};

MemoryStream stream(DmaClient client, bool write, std::uint64_t enabled) {
    MemoryStream out;
    out.client = client;
    out.write = write;
    out.enabled = enabled;
    return out;
}

/// Accesses to 64 bytes in two runs.
void touch(Races& races, const MemoryStream& of, std::uint64_t addr) {
    const std::size_t index = races.open(of);
    races.add(index, addr + 96, 32);
    races.add(index, addr, 32);
}

/// One step each; `then` was enabled before the first had ended, or behind it.
std::string two_steps(const MemoryStream& first, std::uint64_t at, const MemoryStream& then,
                      std::uint64_t place, std::uint64_t convolved = 0) {
    Races races;
    touch(races, first, at);
    EXPECT_EQ(races.end_step(10, 0, convolved, 5), "");
    touch(races, then, place);
    return races.end_step(20, 0, convolved, 5);
}

TEST(Races, AResultThatIsReadByALayerEnabledTooEarly) {
    const MemoryStream sdp = stream(DmaClient::kSdp, true, 5);
    EXPECT_EQ(two_steps(sdp, 0x1000, stream(DmaClient::kPdp, false, 9), 0x1010),
              "race: SDP writes what PDP reads at 0x1010: want that enabled when this has ended");
    EXPECT_EQ(two_steps(sdp, 0x1000, stream(DmaClient::kPdp, false, 11), 0x1010), "");
    // Beside each other and between the runs.
    EXPECT_EQ(two_steps(sdp, 0x1000, stream(DmaClient::kPdp, false, 9), 0x1020), "");
    EXPECT_EQ(two_steps(sdp, 0x1000, stream(DmaClient::kPdp, false, 9), 0x1080), "");
    // At the other port.
    MemoryStream other = stream(DmaClient::kPdp, false, 9);
    other.secondary = true;
    EXPECT_EQ(two_steps(sdp, 0x1000, other, 0x1000), "");
}

TEST(Races, WhatAUnitKeepsInOrderIsNone) {
    const auto at_once = [](const MemoryStream& first, const MemoryStream& then,
                            std::uint64_t convolved = 0) {
        return two_steps(first, 0x1000, then, 0x1000, convolved).empty();
    };
    const MemoryStream sdp_writes = stream(DmaClient::kSdp, true, 6);
    const MemoryStream sdp_reads = stream(DmaClient::kSdpE, false, 6);
    const MemoryStream pdp_writes = stream(DmaClient::kPdp, true, 6);
    MemoryStream pdp_behind = pdp_writes;
    pdp_behind.flying = true;
    EXPECT_TRUE(at_once(sdp_writes, sdp_writes));
    EXPECT_TRUE(at_once(sdp_reads, sdp_writes));
    EXPECT_FALSE(at_once(sdp_writes, sdp_reads));
    EXPECT_TRUE(at_once(sdp_reads, pdp_behind));
    EXPECT_FALSE(at_once(sdp_reads, pdp_writes));
    EXPECT_FALSE(at_once(sdp_writes, pdp_writes));
    EXPECT_TRUE(at_once(sdp_reads, sdp_reads));
    MemoryStream weights = stream(DmaClient::kCdmaWeights, false, 6);
    weights.layer = 2;
    EXPECT_TRUE(at_once(weights, sdp_writes, 2));
    EXPECT_FALSE(at_once(weights, sdp_writes, 1));  // of a convolution that is still to come
    EXPECT_FALSE(at_once(weights, pdp_writes, 2));
}

TEST(Races, CdmaIsAheadInOneStep) {
    MemoryStream data = stream(DmaClient::kCdmaData, false, 6);
    data.layer = 2;
    const auto step = [&](std::uint64_t convolved) {
        Races races;
        touch(races, data, 0x1000);
        touch(races, stream(DmaClient::kSdp, true, 6), 0x1000);
        return races.end_step(10, 0, convolved, 5);
    };
    EXPECT_EQ(step(2), "");
    EXPECT_NE(step(1), "");
}

/// The last unit of a layer that is enabled decides when it writes.
TEST(Races, ResultsComeWhenAllUnitsAreEnabled) {
    Races races;
    touch(races, stream(DmaClient::kCdp, false, 5), 0x1000);
    EXPECT_EQ(races.end_step(10, 0, 0, 5), "");
    touch(races, stream(DmaClient::kSdp, true, 6), 0x1000);
    EXPECT_EQ(races.end_step(20, 11, 0, 5), "");
    touch(races, stream(DmaClient::kPdp, true, 6), 0x1000);
    EXPECT_NE(races.end_step(20, 9, 0, kNone), "");
}

TEST(Races, NothingIsKeptThatNobodyCanMeet) {
    Races races;
    touch(races, stream(DmaClient::kSdp, true, 5), 0x1000);
    EXPECT_EQ(races.end_step(10, 0, 0, kNone), "");
    touch(races, stream(DmaClient::kPdp, false, 9), 0x1000);  // cannot be: nothing was enabled
    EXPECT_EQ(races.end_step(20, 0, 0, kNone), "");
}

// ---- in the device

namespace l = layer_cases;

/// Two copies of one launch; the second reads at `from`.
std::string copies(std::uint32_t from) {
    l::Trace trace;
    for (const auto& [source, to] : {std::pair(0u, 0x1000u), std::pair(from, 0x8000u)}) {
        const LayerRegisters copy = l::changed(
            l::copy_layer(), {{"BDMA.CFG_SRC_ADDR_LOW", source}, {"BDMA.CFG_DST_ADDR_LOW", to}});
        for (const char* reg :
             {"SRC_ADDR_LOW", "SRC_ADDR_HIGH", "DST_ADDR_LOW", "DST_ADDR_HIGH", "LINE", "CMD",
              "LINE_REPEAT", "SRC_LINE", "DST_LINE", "SURF_REPEAT", "SRC_SURF", "DST_SURF", "OP"}) {
            const std::string name = std::string("BDMA.CFG_") + reg;
            trace.write(name, copy.word(dla_regs::table().find(name)->address));
        }
    }
    return l::run(trace.write("BDMA.CFG_LAUNCH0", 1).wait("BDMA_0"));
}

TEST(Races, ACopyReadsWhatTheCopyBeforeWrites) {
    EXPECT_EQ(copies(0x4000).find("race: "), std::string::npos);
    const std::string race = copies(0x1000);
    EXPECT_NE(race.find("race: BDMA writes what BDMA reads at 0x1000"), race.npos) << race;
}

/// A layer of CDP on results of SDP: behind the wait for them it is right, before it is a race.
TEST(Races, ALayerIsEnabledBeforeItsInputIsThere) {
    const LayerRegisters first =
        l::changed(l::offline_layer(), {{"SDP.D_DST_BASE_ADDR_LOW", 0x4000}});
    const LayerRegisters then =
        l::changed(l::cdp_layer(), {{"CDP_RDMA.D_SRC_BASE_ADDR_LOW", 0x4000}});
    const auto play = [&](bool waits) {
        l::Trace trace;
        trace.units({"SDP_RDMA", "SDP"}, first);
        if (waits) trace.wait("SDP_0", "one");
        trace.units({"CDP_RDMA", "CDP"}, then);
        if (!waits) trace.wait("SDP_0", "one");
        return l::run(trace.wait("CDP_0", "two"));
    };
    const std::string good = play(true), bad = play(false);
    EXPECT_NE(good.find("1 passed"), good.npos) << good;
    EXPECT_NE(bad.find("warning: race: SDP writes what CDP reads at 0x4000"), bad.npos) << bad;
    EXPECT_NE(bad.find("1 passed"), bad.npos) << bad;
}

}  // namespace
}  // namespace macrame::dla::model
