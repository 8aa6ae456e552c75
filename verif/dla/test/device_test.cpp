/// The golden model as a device: worked example, register groups, interrupts, wrong programs.

#include "verif/dla/model/device.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "verif/dla/trace/program.hpp"

namespace macrame::dla::model {
namespace {

namespace regs = dla_regs;

/// A device with its memory and short names.
struct Bench {
    verif::Memory memory{"pri_mem"};
    Device device{{}, memory};

    template <class Register>
    void put(const Register& reg) {
        device.csb_write(Register::kAddress, reg.raw);
    }
    template <class Register>
    std::uint32_t get() {
        return device.csb_read(Register::kAddress);
    }
};

constexpr std::uint32_t kIn = 0x1000, kWeights = 0x2000, kOut = 0x3000;

/// A layer computed by hand: 3x3x2, kernel 2x2, one pad column left with value 5, T = 1.
void program_worked_example(Bench& b) {
    for (int i = 0; i < 9; ++i) {
        const std::vector<std::uint8_t> atom = {static_cast<std::uint8_t>(i + 1),
                                                static_cast<std::uint8_t>(-2 * (i + 1)),
                                                9,
                                                9,
                                                9,
                                                9,
                                                9,
                                                9};
        b.memory.load(kIn + static_cast<std::uint64_t>(i) * 8, atom);
    }
    b.memory.load(kWeights, {0x01, 0x05, 0x02, 0xFA, 0x03, 0x07, 0xFC, 0x08});
    {
        namespace r = regs::cdma;
        b.put(r::D_MISC_CFG(0));
        b.put(r::D_DATAIN_FORMAT(0));
        b.put(r::D_DATAIN_SIZE_0().DATAIN_WIDTH(2).DATAIN_HEIGHT(2));
        b.put(r::D_DATAIN_SIZE_1().DATAIN_CHANNEL(1));
        b.put(r::D_DAIN_RAM_TYPE(1));
        b.put(r::D_DAIN_ADDR_LOW_0(kIn));
        b.put(r::D_LINE_STRIDE(24));
        b.put(r::D_SURF_STRIDE(72));
        b.put(r::D_DAIN_MAP(0x10001));
        b.put(r::D_ENTRY_PER_SLICE(2));
        b.put(r::D_WEIGHT_SIZE_0(7));
        b.put(r::D_WEIGHT_RAM_TYPE(1));
        b.put(r::D_WEIGHT_ADDR_LOW(kWeights));
        b.put(r::D_WEIGHT_BYTES(128));
    }
    {
        namespace r = regs::csc;
        b.put(r::D_MISC_CFG(0));
        b.put(r::D_DATAIN_SIZE_EXT_0().DATAIN_WIDTH_EXT(2).DATAIN_HEIGHT_EXT(2));
        b.put(r::D_DATAIN_SIZE_EXT_1().DATAIN_CHANNEL_EXT(1));
        b.put(r::D_ENTRY_PER_SLICE(2));
        b.put(r::D_WEIGHT_SIZE_EXT_0().WEIGHT_WIDTH_EXT(1).WEIGHT_HEIGHT_EXT(1));
        b.put(r::D_WEIGHT_SIZE_EXT_1().WEIGHT_CHANNEL_EXT(1).WEIGHT_KERNEL(0));
        b.put(r::D_WEIGHT_BYTES(128));
        b.put(r::D_DATAOUT_SIZE_0().DATAOUT_WIDTH(2).DATAOUT_HEIGHT(1));
        b.put(r::D_ATOMICS(5));
        b.put(r::D_RELEASE(2));
        b.put(r::D_ZERO_PADDING().PAD_LEFT(1));
        b.put(r::D_ZERO_PADDING_VALUE(5));
    }
    b.put(regs::cacc::D_CLIP_CFG(1));
    {
        namespace r = regs::sdp;
        b.put(r::D_DATA_CUBE_WIDTH(2));
        b.put(r::D_DATA_CUBE_HEIGHT(1));
        b.put(r::D_DATA_CUBE_CHANNEL(0));
        b.put(r::D_DST_BASE_ADDR_LOW(kOut));
        b.put(r::D_DST_LINE_STRIDE(24));
        b.put(r::D_DST_SURFACE_STRIDE(48));
        b.put(r::D_FEATURE_MODE_CFG(1));
        b.put(r::D_DST_DMA_CFG(1));
        b.put(r::D_CVT_SCALE(1));
    }
}

void enable_conv(Bench& b) {
    b.put(regs::sdp::D_OP_ENABLE(1));
    b.put(regs::cacc::D_OP_ENABLE(1));
    b.put(regs::cmac_a::D_OP_ENABLE(1));
    b.put(regs::cmac_b::D_OP_ENABLE(1));
    b.put(regs::csc::D_OP_ENABLE(1));
    b.put(regs::cdma::D_OP_ENABLE(1));
}

TEST(Device, WorkedExample) {
    Bench b;
    program_worked_example(b);
    enable_conv(b);
    EXPECT_FALSE(b.device.interrupt());
    EXPECT_EQ(b.get<regs::csc::S_STATUS>(), 1u);
    b.device.advance(1);
    EXPECT_EQ(b.get<regs::glb::S_INTR_STATUS>(), 0x50000u);  // CDMA only
    b.device.advance(1);
    EXPECT_EQ(b.get<regs::glb::S_INTR_STATUS>(), 0x150001u);
    EXPECT_EQ(b.get<regs::csc::S_STATUS>(), 0u);
    EXPECT_EQ(b.get<regs::csc::S_POINTER>(), 0x10000u);
    const int expected[] = {7, -63, -76, -2, -102, -115};
    for (unsigned i = 0; i < 6; ++i) {
        EXPECT_EQ(static_cast<std::int8_t>(b.memory.peek(kOut + i * 8)), expected[i]) << i;
        EXPECT_EQ(b.memory.peek(kOut + i * 8 + 1), 0);  // unused lanes hold the image of 0
    }
    EXPECT_EQ(b.get<regs::sdp::D_STATUS>(), 1u);
    EXPECT_TRUE(b.device.violations().empty());
}

/// The design counts in atoms, too: bits inside of one do nothing, in addresses and in strides.
TEST(Device, AddressesAndStridesAreWholeAtoms) {
    Bench b;
    program_worked_example(b);
    b.put(regs::cdma::D_DAIN_ADDR_LOW_0(kIn + 1));
    b.put(regs::cdma::D_LINE_STRIDE(24 + 5));
    b.put(regs::cdma::D_WEIGHT_ADDR_LOW(kWeights + 4));
    b.put(regs::sdp::D_DST_BASE_ADDR_LOW(kOut + 7));
    b.put(regs::sdp::D_DST_LINE_STRIDE(24 + 3));
    enable_conv(b);
    b.device.advance(1);
    b.device.advance(1);
    const int expected[] = {7, -63, -76, -2, -102, -115};
    for (unsigned i = 0; i < 6; ++i)
        EXPECT_EQ(static_cast<std::int8_t>(b.memory.peek(kOut + i * 8)), expected[i]) << i;
}

TEST(Device, BusyGroupDropsWrites) {
    Bench b;
    program_worked_example(b);
    enable_conv(b);
    b.put(regs::cacc::D_CLIP_CFG(7));
    EXPECT_EQ(b.get<regs::cacc::D_CLIP_CFG>(), 1u);
    b.put(regs::cacc::S_POINTER(1));
    b.put(regs::cacc::D_CLIP_CFG(7));
    EXPECT_EQ(b.get<regs::cacc::D_CLIP_CFG>(), 7u);
    b.put(regs::cacc::D_OP_ENABLE(1));
    EXPECT_EQ(b.get<regs::cacc::S_STATUS>(), 0x20001u);
}

TEST(Device, SaturationCounterOnlyWhenEnabled) {
    for (const std::uint32_t enable : {0u, 4u}) {
        Bench b;
        program_worked_example(b);
        b.put(regs::sdp::D_CVT_SCALE(0x4000));
        b.put(regs::sdp::D_PERF_ENABLE(enable));
        enable_conv(b);
        b.device.advance(1);
        b.device.advance(1);
        EXPECT_EQ(b.get<regs::sdp::D_PERF_OUT_SATURATION>(), enable == 0 ? 0u : 5u);
    }
}

TEST(Device, NothingRunsWithoutAllUnits) {
    Bench b;
    program_worked_example(b);
    b.put(regs::sdp::D_OP_ENABLE(1));
    b.put(regs::csc::D_OP_ENABLE(1));
    b.put(regs::cdma::D_OP_ENABLE(1));
    for (int i = 0; i < 5; ++i)
        b.device.advance(1);
    EXPECT_EQ(b.get<regs::glb::S_INTR_STATUS>(), 0x50000u);
    EXPECT_EQ(b.get<regs::csc::S_STATUS>(), 1u);
}

TEST(Device, InputThatDoesNotFitIsNamed) {
    Bench b;
    program_worked_example(b);
    b.put(regs::csc::D_DATAIN_SIZE_EXT_0().DATAIN_WIDTH_EXT(2).DATAIN_HEIGHT_EXT(7));
    enable_conv(b);
    for (int i = 0; i < 5; ++i)
        b.device.advance(1);
    ASSERT_EQ(b.device.violations().size(), 1u);
    EXPECT_EQ(b.device.violations()[0],
              "CSC waits for 8 slices, the buffer has 3 and no room for more");
}

TEST(Device, BanksThatDisagreeAreNamed) {
    Bench b;
    program_worked_example(b);
    b.put(regs::csc::D_BANK(1));
    enable_conv(b);
    b.device.advance(1);
    ASSERT_EQ(b.device.violations().size(), 1u);
    EXPECT_EQ(b.device.violations()[0], "D_BANK of CDMA and CSC differ");
}

TEST(Device, PagesOfUnits) {
    verif::Memory memory("pri_mem");
    Architecture all;
    all.pdp = all.cdp = all.secondary = all.rubik_reshape = all.row = true;
    all.row_length = 512;
    Device small({}, memory), full(all, memory);
    const dla_regs::RegisterTable table = dla_regs::table();
    int answers_small = 0, answers_full = 0;
    for (std::size_t i = 0; i < table.unit_count; ++i) {
        const dla_regs::UnitInfo& unit = table.units[i];
        if (unit.boundary >= 0x1000) continue;  // no register groups
        const std::uint32_t pointer = unit.base + 4;
        for (Device* device : {&small, &full})
            device->csb_write(pointer, 1);
        const std::string_view family = unit.name.substr(0, 3);
        const bool optional = family == "PDP" || family == "CDP" ||
                              family == "RUB" || family == "ROW";
        EXPECT_EQ(small.csb_read(pointer), optional ? 0u : 1u) << unit.name;
        EXPECT_EQ(full.csb_read(pointer), 1u) << unit.name;
        answers_small += static_cast<int>(small.csb_read(pointer));
        answers_full += static_cast<int>(full.csb_read(pointer));
        full.reset();
        EXPECT_EQ(full.csb_read(pointer), 0u) << unit.name;
    }
    EXPECT_EQ(answers_small, 7);
    EXPECT_EQ(answers_full, 13);
}

TEST(Device, InterruptPinFollowsMask) {
    Bench b;
    b.put(regs::glb::S_INTR_SET(1));
    EXPECT_TRUE(b.device.interrupt());
    b.put(regs::glb::S_INTR_MASK(1));
    EXPECT_FALSE(b.device.interrupt());
    b.put(regs::glb::S_INTR_STATUS(1));
    EXPECT_EQ(b.get<regs::glb::S_INTR_STATUS>(), 0u);
    b.device.csb_write(0xB004, 1);
    EXPECT_EQ(b.device.csb_read(0xB004), 0u);  // PDP is not there
    b.device.reset();
    EXPECT_EQ(b.get<regs::glb::S_INTR_MASK>(), 0u);
}

/// A machine with types of 16 bits, and a register of each of its units.
struct Types16Bench {
    verif::Memory memory{"pri_mem"};
    Device device{sizes(), memory};

    static Architecture sizes() {
        Architecture out;
        out.int16 = out.fp16 = out.pdp = out.cdp = out.batch = true;
        out.max_batch = 8;
        return out;
    }
    template <class Register>
    void put(const Register& reg) {
        device.csb_write(Register::kAddress, reg.raw);
    }
    /// What is wrong with the layers that were enabled.
    std::vector<std::string> violations() {
        for (int i = 0; i < 3; ++i)
            device.advance(1);
        return device.violations();
    }
    bool ended(std::uint32_t bits) {
        return device.csb_read(regs::glb::S_INTR_STATUS::kAddress) == bits;
    }
};

using Violations = std::vector<std::string>;

TEST(Device, TypesThatDisagreeAreNamed) {
    const auto pdp = [](std::uint32_t reads, std::uint32_t pools) {
        Types16Bench b;
        b.put(regs::pdp_rdma::D_DATA_FORMAT(reads));
        b.put(regs::pdp_rdma::D_SRC_RAM_CFG(1));
        b.put(regs::pdp_rdma::D_OP_ENABLE(1));
        b.put(regs::pdp::D_OPERATION_MODE_CFG().FLYING_MODE(1).POOLING_METHOD(1));
        b.put(regs::pdp::D_DATA_FORMAT(pools));
        b.put(regs::pdp::D_DST_RAM_CFG(1));
        b.put(regs::pdp::D_OP_ENABLE(1));
        const Violations found = b.violations();
        EXPECT_EQ(b.ended(0x10), found.empty());
        return found;
    };
    EXPECT_EQ(pdp(1, 1), Violations{});
    EXPECT_EQ(pdp(0, 2), Violations{"INPUT_DATA of PDP and PDP_RDMA differ"});
    EXPECT_EQ(pdp(1, 2), Violations{"INPUT_DATA of PDP and PDP_RDMA differ"});

    const auto cdp = [](std::uint32_t reads, std::uint32_t computes) {
        Types16Bench b;
        b.put(regs::cdp_rdma::D_DATA_FORMAT(reads));
        b.put(regs::cdp_rdma::D_SRC_DMA_CFG(1));
        b.put(regs::cdp_rdma::D_OP_ENABLE(1));
        b.put(regs::cdp::D_DATA_FORMAT(computes));
        b.put(regs::cdp::D_DST_DMA_CFG(1));
        b.put(regs::cdp::D_OP_ENABLE(1));
        const Violations found = b.violations();
        EXPECT_EQ(b.ended(0x4), found.empty());
        return found;
    };
    EXPECT_EQ(cdp(2, 2), Violations{});
    EXPECT_EQ(cdp(0, 1), Violations{"INPUT_DATA_TYPE of CDP is not INPUT_DATA of CDP_RDMA"});
}

/// A layer of SDP from memory, to PDP or, if `pools` is 3, to memory.
Violations offline(std::uint32_t proc, std::uint32_t out, std::uint32_t pools,
                   std::uint32_t batches = 0) {
    Types16Bench b;
    const bool pooled = pools != 3;
    b.put(regs::sdp_rdma::D_BRDMA_CFG(1));
    b.put(regs::sdp_rdma::D_NRDMA_CFG(1));
    b.put(regs::sdp_rdma::D_ERDMA_CFG(1));
    b.put(regs::sdp_rdma::D_SRC_DMA_CFG(1));
    b.put(regs::sdp_rdma::D_FEATURE_MODE_CFG().IN_PRECISION(proc).PROC_PRECISION(proc));
    b.put(regs::sdp_rdma::D_OP_ENABLE(1));
    b.put(regs::sdp::D_DP_BS_CFG(1));
    b.put(regs::sdp::D_DP_BN_CFG(1));
    b.put(regs::sdp::D_DP_EW_CFG(1));
    b.put(regs::sdp::D_DST_DMA_CFG(1));
    b.put(regs::sdp::D_FEATURE_MODE_CFG().OUTPUT_DST(pooled ? 1 : 0).BATCH_NUMBER(batches));
    b.put(regs::sdp::D_DATA_FORMAT().PROC_PRECISION(proc).OUT_PRECISION(out));
    b.put(regs::sdp::D_OP_ENABLE(1));
    if (pooled) {
        b.put(regs::pdp::D_DATA_FORMAT(pools));
        b.put(regs::pdp::D_DST_RAM_CFG(1));
        b.put(regs::pdp::D_OP_ENABLE(1));
    }
    const Violations found = b.violations();
    EXPECT_EQ(b.ended(pooled ? 0x11 : 1), found.empty());
    return found;
}

TEST(Device, TypesThatPdpDoesNotGetAreNamed) {
    const Violations wrong{"INPUT_DATA of PDP is no type that SDP makes for it"};
    EXPECT_EQ(offline(1, 1, 1), Violations{});
    EXPECT_EQ(offline(0, 0, 1), wrong);
    EXPECT_EQ(offline(1, 2, 1), wrong);
    EXPECT_EQ(offline(0, 1, 1), wrong);  // two atoms per pixel
}

TEST(Device, BatchesFromMemoryAreNamed) {
    EXPECT_EQ(offline(0, 0, 3), Violations{});
    EXPECT_EQ(offline(0, 0, 3, 1),
              Violations{"SDP: BATCH_NUMBER of a layer whose input is in memory"});
}

/// The first register map: other pages, fewer bits, other resets, no CFGROM.
TEST(Device, FirstRegisterMap) {
    Architecture sizes;
    sizes.v1_map = true;
    verif::Memory memory{"pri_mem"};
    Device device(sizes, memory);
    const std::string_view v1 = register_variant(true);
    const auto at = [&](std::uint32_t addr) { return register_address(addr, "", v1); };
    EXPECT_EQ(device.csb_read(0), 0x00303031u);  // GLB
    const std::uint32_t data_addr = at(regs::cdma::D_DAIN_ADDR_LOW_0::kAddress);
    EXPECT_EQ(data_addr & ~kPageMask, 0x5000u);
    device.csb_write(data_addr, 0xFFFFFFFF);
    EXPECT_EQ(device.csb_read(data_addr), 0xFFFFFFE0u);
    device.csb_write(at(regs::cdma::D_BANK::kAddress), 0xFFFFFFFF);
    EXPECT_EQ(device.csb_read(at(regs::cdma::D_BANK::kAddress)), 0x000F000Fu);
    EXPECT_EQ(device.csb_read(at(regs::sdp_rdma::D_BRDMA_CFG::kAddress)) & 1u, 0u);
    EXPECT_EQ(at(regs::cfgrom::kBase), kNoUnit);
    EXPECT_EQ(register_address(0x1000, v1, ""), kNoUnit);  // the error collator
    EXPECT_EQ(device.csb_read(0x1000), 0u);

    trace::Trace program;
    program.commands.resize(2);
    program.commands[0].addr = regs::csc::D_BANK::kAddress;
    program.commands[1].op = trace::Op::sync_wait;
    const trace::Trace moved = trace::in_map(program, "", v1);
    EXPECT_EQ(moved.commands[0].addr, 0x6000u + regs::csc::D_BANK::kOffset);
    EXPECT_EQ(moved.commands[1].addr, 0u);
    EXPECT_EQ(moved.glb_base, 0u);
    EXPECT_EQ(trace::in_map(moved, v1, "").commands[0].addr, regs::csc::D_BANK::kAddress);
}

}  // namespace
}  // namespace macrame::dla::model
