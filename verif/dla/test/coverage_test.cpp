/// Functional coverage: bins are counted at the enable of a unit, holes are named, tables add up.

#include "verif/dla/stimulus/coverage.hpp"

#include <gtest/gtest.h>

#include "dla_regs.hpp"
#include "verif/dla/stimulus/random_layers.hpp"
#include "verif/dla/test/published_sizes.hpp"

namespace macrame {
namespace {

namespace regs = dla_regs;
using dla::model::Architecture;
using dla::stimulus::Coverage;

std::uint64_t count(const Coverage& coverage, const std::string& bin) {
    const auto it = coverage.bins().all().find(bin);
    EXPECT_NE(it, coverage.bins().all().end()) << bin;
    return it == coverage.bins().all().end() ? 0 : it->second;
}
bool exists(const Coverage& coverage, const std::string& bin) {
    return coverage.bins().all().count(bin) != 0;
}

/// Register writes one by one.
struct Writer {
    dla::trace::Trace program;

    template <class Register>
    void put(const Register& reg) {
        dla::trace::Command c;
        c.addr = Register::kAddress;
        c.value = reg.raw;
        program.commands.push_back(c);
    }
    void wait(const std::string& id) {
        dla::trace::Command c;
        c.op = dla::trace::Op::sync_wait;
        c.id = id;
        program.commands.push_back(c);
    }
    void expect(int bit, const std::string& id) {
        dla::trace::Notify n;
        n.bit = bit;
        n.id = id;
        program.notifies.push_back(n);
    }
};

TEST(Coverage, CountsAtTheEnableOfTheGroupThatWasWritten) {
    Coverage coverage({});
    EXPECT_EQ(coverage.bins().holes().size(), coverage.bins().all().size());
    Writer w;
    w.put(regs::csc::S_POINTER(1));
    w.put(regs::csc::D_CONV_STRIDE_EXT(0).CONV_X_STRIDE_EXT(1));
    w.put(regs::csc::S_POINTER(0));
    w.put(regs::csc::D_CONV_STRIDE_EXT(0).CONV_X_STRIDE_EXT(2));
    coverage.play(w.program);
    EXPECT_EQ(count(coverage, "CSC.x stride 2"), 0u);  // nothing enabled
    w.put(regs::csc::S_POINTER(1));
    w.put(regs::csc::D_OP_ENABLE(0));
    w.put(regs::csc::D_OP_ENABLE(1));
    coverage.play(w.program);
    EXPECT_EQ(count(coverage, "CSC.x stride 2"), 1u);
    EXPECT_EQ(count(coverage, "CSC.x stride 3"), 0u);
    EXPECT_EQ(count(coverage, "CSC.register group 1"), 1u);
    EXPECT_EQ(count(coverage, "CSC.register group 0"), 0u);
}

TEST(Coverage, SingleRegistersAreThoseOfBothGroups) {
    Architecture sizes;
    sizes.cdp = true;
    Coverage coverage(sizes);
    Writer w;
    w.put(regs::cdp::S_LUT_CFG(1));
    w.put(regs::cdp::S_POINTER(1));
    w.put(regs::cdp::D_LRN_CFG(3));
    w.put(regs::cdp::D_OP_ENABLE(1));
    coverage.play(w.program);
    EXPECT_EQ(count(coverage, "CDP.table LE linear"), 1u);
    EXPECT_EQ(count(coverage, "CDP.function whole x 9"), 1u);
}

TEST(Coverage, KeptDataNeedsALayerBeforeThatKeepsIt) {
    Coverage coverage({});
    Writer w;
    const auto layer = [&](bool reuse, bool skip, std::uint32_t weight_bank) {
        w.put(regs::csc::D_MISC_CFG(0).DATA_REUSE(reuse).SKIP_DATA_RLS(skip));
        w.put(regs::csc::D_BANK(0).WEIGHT_BANK(weight_bank));
        w.put(regs::csc::D_OP_ENABLE(1));
    };
    layer(true, false, 0);  // nothing there
    layer(true, true, 0);   // all lines released
    layer(true, true, 0);   // kept
    layer(true, false, 1);  // kept, though the weights move
    coverage.play(w.program);
    EXPECT_EQ(count(coverage, "CSC.data kept feature x whole"), 2u);
    EXPECT_EQ(count(coverage, "CSC.data kept, weight banks change"), 1u);
    EXPECT_EQ(count(coverage, "CSC.data reuse in vain"), 2u);
}

TEST(Coverage, LayersInFlightEndWhenTheirInterruptIsAwaited) {
    Architecture sizes;
    sizes.cdp = true;
    Coverage coverage(sizes);
    Writer w;
    w.expect(0, "sdp done");
    w.put(regs::csc::D_OP_ENABLE(1));
    w.put(regs::sdp::D_OP_ENABLE(1));
    w.wait("sdp done");
    w.put(regs::cdp::D_OP_ENABLE(1));
    coverage.play(w.program);
    EXPECT_EQ(count(coverage, "machine.CDP beside convolution"), 0u);
    w.put(regs::csc::D_OP_ENABLE(1));
    coverage.play(w.program);
    EXPECT_EQ(count(coverage, "machine.CDP beside convolution"), 1u);
}

TEST(Coverage, BinsOutOfReachDoNotExist) {
    Architecture small;
    small.image = false;
    const Coverage without(small);
    for (const char* bin : {"PDP.register group 0", "CDP.window 3", "CDMA.input pixels",
                            "SDP.EW on", "CDMA.data in memory secondary", "CACC.saturates"}) {
        EXPECT_FALSE(exists(without, bin)) << bin;
    }
    Architecture odd;
    odd.cbuf_banks = 2;
    odd.sdp_bs = odd.sdp_bn = false;
    for (const char* bin : {"CDMA.data banks 1", "CSC.banks change", "SDP_RDMA.mode on the fly"}) {
        EXPECT_FALSE(exists(Coverage(odd), bin)) << bin;
    }
    odd.sdp_ew = true;
    EXPECT_TRUE(exists(Coverage(odd), "SDP_RDMA.mode on the fly"));
    EXPECT_TRUE(exists(Coverage(odd), "SDP.EW does ALU"));
    EXPECT_FALSE(exists(Coverage(odd), "SDP.EW does ALU x table"));
    odd.sdp_lut = true;
    EXPECT_TRUE(exists(Coverage(odd), "SDP.EW does ALU x table"));
    Architecture large;
    large = {64, 32, 32, 64, 16, 512, 64};
    large.pdp = large.cdp = large.secondary = large.sdp_ew = large.sdp_lut = true;
    const Coverage with(large);
    for (const char* bin : {"PDP.register group 0", "CDP.window 3", "CDMA.input pixels",
                            "SDP.EW on", "CDMA.data in memory secondary", "CACC.saturates",
                            "SDP.table underflow", "machine.PDP beside CDP"}) {
        EXPECT_TRUE(exists(with, bin)) << bin;
    }
}

TEST(Coverage, CountersOfTheHardwareHitBins) {
    Coverage coverage({});
    coverage.reads({{"SDP.D_PERF_OUT_SATURATION", 0}, {"SDP.D_CVT_SHIFT", 3}});
    EXPECT_EQ(count(coverage, "SDP.output saturates"), 0u);
    coverage.reads({{"SDP.D_PERF_OUT_SATURATION", 7}});
    EXPECT_EQ(count(coverage, "SDP.output saturates"), 1u);
}

/// A layer of SDP that adds 1 << 33, saturated, to 1; its output convertor shifts.
dla::trace::Trace far_shift(std::uint32_t output_shift) {
    Writer w;
    dla::trace::MemoryInit input;
    input.base = 0x1000;
    input.segments.push_back({0, std::vector<std::uint8_t>(8, 1)});
    w.program.memory.push_back(input);
    w.expect(0, "done");
    namespace m = regs::sdp_rdma;
    w.put(m::D_DATA_CUBE_CHANNEL(7));
    w.put(m::D_SRC_BASE_ADDR_LOW(0x1000));
    w.put(m::D_SRC_LINE_STRIDE(8));
    w.put(m::D_SRC_SURFACE_STRIDE(8));
    w.put(m::D_SRC_DMA_CFG(1));
    w.put(m::D_BRDMA_CFG(0x21));
    w.put(m::D_NRDMA_CFG(0x21));
    w.put(m::D_OP_ENABLE(1));
    namespace r = regs::sdp;
    w.put(r::D_DATA_CUBE_CHANNEL(7));
    w.put(r::D_DST_BASE_ADDR_LOW(0x2000));
    w.put(r::D_DST_LINE_STRIDE(8));
    w.put(r::D_DST_SURFACE_STRIDE(8));
    w.put(r::D_DST_DMA_CFG(1));
    w.put(r::D_DP_BS_CFG(2u << 2 | 0x50u));
    w.put(r::D_DP_BS_ALU_CFG(33u << 8));
    w.put(r::D_DP_BS_ALU_SRC_VALUE(1));
    w.put(r::D_DP_BN_CFG(1));
    w.put(r::D_CVT_SCALE(1));
    w.put(r::D_CVT_SHIFT(output_shift));
    w.put(r::D_OP_ENABLE(1));
    w.wait("done");
    return w.program;
}

TEST(Coverage, AParameterIsSeenIfMemoryWouldBeAnother) {
    Coverage coverage({});
    coverage.play(far_shift(0));  // saturates, whatever the shift
    EXPECT_EQ(count(coverage, "SDP.BS ALU shift 32+"), 1u);
    EXPECT_EQ(count(coverage, "SDP.BS ALU shift seen 32..47"), 0u);
    EXPECT_EQ(count(coverage, "SDP.output convertor shift seen 0"), 0u);
    coverage.play(far_shift(25));
    EXPECT_EQ(count(coverage, "SDP.BS ALU shift seen 32..47"), 1u);
    EXPECT_EQ(count(coverage, "SDP.BS ALU shift seen 48+"), 0u);
    EXPECT_EQ(count(coverage, "SDP.output convertor shift seen 16..31"), 1u);
}

TEST(Coverage, NegativeTiesAreSeenOfTruncatesThatTheBufferHasProductsFor) {
    EXPECT_TRUE(exists(Coverage({}), "CACC.negative tie seen of truncate 31"));
    Architecture little;
    little.cbuf_banks = 2;
    little.cbuf_depth = 64;
    EXPECT_TRUE(exists(Coverage(little), "CACC.negative tie seen of truncate 20"));
    EXPECT_FALSE(exists(Coverage(little), "CACC.negative tie seen of truncate 31"));
    Architecture floats;
    floats.int8 = false;
    floats.fp16 = true;
    EXPECT_FALSE(exists(Coverage(floats), "CACC.negative tie seen of truncate 1"));
}

TEST(Coverage, TablesAddUp) {
    Coverage first({}), second({});
    first.play(dla::stimulus::random_program({}, 1));
    second.play(dla::stimulus::random_program({}, 2));
    Coverage both({});
    ASSERT_TRUE(both.bins().merge(first.bins().table()));
    both.play(dla::stimulus::random_program({}, 2));
    ASSERT_EQ(both.bins().all().size(), first.bins().all().size());
    for (const auto& [name, n] : both.bins().all()) {
        EXPECT_EQ(n, count(first, name) + count(second, name)) << name;
    }
    EXPECT_FALSE(both.bins().merge("name,count\n"));
    EXPECT_FALSE(both.bins().merge("# functional coverage: count and bin\nmany  CSC.x\n"));
}

TEST(Coverage, TextNamesTheHoles) {
    Coverage coverage({});
    Writer w;
    w.put(regs::cacc::D_OP_ENABLE(1));
    coverage.play(w.program);
    const std::string table = coverage.bins().table();
    EXPECT_NE(table.find("         1  CACC.truncate 0\n"), std::string::npos);
    EXPECT_NE(table.find("#   CACC.truncate 8..15\n"), std::string::npos);
    EXPECT_EQ(table.find("#   CACC.truncate 0\n"), std::string::npos);
    const std::string all = std::to_string(coverage.bins().all().size());
    EXPECT_EQ(coverage.bins().summary(), "2 of " + all + " bins hit");
}

/// Sizes of a published configuration.
struct Preset {
    const char* name;
    Architecture sizes;
};
std::vector<Preset> presets() {
    Architecture small;
    small.pdp = small.cdp = true;
    Architecture full = small;
    full.secondary = full.sdp_ew = full.sdp_lut = true;
    full.bdma = full.rubik_contract = full.rubik_reshape = true;
    full.atomic_c = full.entry_bytes = 32;
    full.cbuf_depth = 128;
    Architecture large = full;
    large.atomic_c = large.entry_bytes = 64;
    large.atomic_k = large.atom_bytes = 32;
    large.cbuf_banks = 16;
    large.cbuf_depth = 512;
    large.addr_w = 64;
    return {{"nv_small", small}, {"nv_small_256_full", full}, {"nv_large", large}};
}

/// No hole is left: more programs show no more. LONG plays them all, for the golden model's sake.
bool is_enough(const Coverage& coverage, std::uint64_t seed) {
    return !LONG_TESTS && seed % 20 == 0 && coverage.bins().holes().empty();
}

/// What random layers must reach: every bin, those of counters on the golden model.
TEST(Coverage, RandomLayersLeaveNoHole) {
    for (const auto& [name, sizes] : presets()) {
        Coverage coverage(sizes);
        for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
            const dla::trace::Trace program = dla::stimulus::random_program(sizes, seed);
            verif::Memory primary("pri_mem"), secondary("sec_mem");
            dla::model::Device device(sizes, primary, &secondary);
            const dla::trace::PlayResult result =
                dla::trace::play(program, device, primary, secondary);
            ASSERT_TRUE(result.passed)
                << name << ", seed " << seed << ": " << result.failures.front();
            coverage.play(program);
            coverage.reads(result.reads);
            if (is_enough(coverage, seed)) break;
        }
        std::string holes;
        for (const std::string& hole : coverage.bins().holes())
            holes += "\n  " + hole;
        EXPECT_EQ(holes, "") << name << ": " << coverage.bins().summary();
    }
}

/// The same of the full design: types and modes of each unit.
TEST(Coverage, RandomLayersOfTheFullDesignLeaveNoHole) {
    const Architecture sizes = dla::published::nv_full();
    Coverage coverage(sizes);
    for (std::uint64_t seed = 1; seed <= 400; ++seed) {
        dla::stimulus::RandomOptions options;
        options.seed = seed;
        options.layers = 16;
        const dla::trace::Trace program =
            dla::trace::in_map(dla::stimulus::random_layers(sizes, options).program, "", "v1");
        verif::Memory primary("pri_mem"), secondary("sec_mem");
        dla::model::Device device(sizes, primary, &secondary);
        const dla::trace::PlayResult result = dla::trace::play(program, device, primary, secondary);
        ASSERT_TRUE(result.passed) << "seed " << seed;
        coverage.play(program);
        coverage.reads(result.reads);
        if (is_enough(coverage, seed)) break;
    }
    std::string holes;
    for (const std::string& hole : coverage.bins().holes())
        holes += "\n  " + hole;
    EXPECT_EQ(holes, "") << coverage.bins().summary();
}

}  // namespace
}  // namespace macrame
