#include "families/dla/registers/register_file.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "families/dla/registers/registers.hpp"
#include "regs/text.hpp"
#include "regs/to_cpp.hpp"
#include "regs/to_docs.hpp"

namespace macrame::dla {
namespace {

using namespace regs;

bool has(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

std::string message(const RegUse& use) {
    try {
        register_file(*find_register_map(use.unit), use, "dut");
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
    return "";
}

TEST(RegisterFile, PortsAreNamedByRegisterAndField) {
    const RegUse use{"cdma",
                     {"D_BANK.DATA_BANK", "S_ARBITER.ARB_WEIGHT", "D_WEIGHT_BYTES"},
                     {"S_CBUF_FLUSH_STATUS.FLUSH_DONE", "D_PERF_WT_READ_STALL"},
                     {"S_ARBITER"}};
    const std::string text = register_file(cdma_registers(), use, "dla_cdma_regs");
    EXPECT_TRUE(has(text, "module dla_cdma_regs ("));
    EXPECT_TRUE(has(text, "output wire [4:0]  d_bank_data_bank"));
    EXPECT_TRUE(has(text, "output wire [3:0]  s_arbiter_arb_weight"));
    EXPECT_TRUE(has(text, "output wire [31:0] d_weight_bytes"));
    EXPECT_TRUE(has(text, "input  wire        s_cbuf_flush_status_flush_done"));
    EXPECT_TRUE(has(text, "input  wire [31:0] d_perf_wt_read_stall_wt_rd_stall"));
    EXPECT_TRUE(has(text, "output reg         s_arbiter_wr"));
    EXPECT_FALSE(has(text, "d_bank_weight_bank"));
}

/// Where the first map has fewer bits, the ports are as wide and have zeros there.
TEST(RegisterFile, PortsOfTheFirstMapAreAsWide) {
    const RegUse use{"cdma", {"D_BANK.DATA_BANK", "D_DAIN_ADDR_LOW_0"}, {}, {}};
    const std::string text = register_file(*find_register_map("cdma", kV1), use, "dut");
    EXPECT_TRUE(has(text, "output wire [4:0]  d_bank_data_bank"));
    EXPECT_TRUE(has(text, "assign d_bank_data_bank = {1'd0, "));
    EXPECT_TRUE(has(text, "output wire [31:0] d_dain_addr_low_0"));
    EXPECT_TRUE(has(text, ", 5'd0};"));
    const RegUse csc{"csc", {"D_ENTRY_PER_SLICE.ENTRIES"}, {}, {}};
    EXPECT_TRUE(has(register_file(*find_register_map("csc", kV1), csc, "dut"),
                    "assign d_entry_per_slice_entries = {2'd0, "));
}

TEST(RegisterFile, LinesFitAndNothingElseThanAscii) {
    for (const RegisterMap* map : all_register_maps()) {
        if (map->unit == "GLB" || map->unit == "CFGROM") continue;
        const std::string unit = lower(map->unit);
        std::vector<std::string> names;
        names.reserve(500);
        RegUse use{unit, {}, {}, {}};
        for (const Register& reg : map->registers) {
            if (reg.name == "S_STATUS" || reg.name == "S_POINTER" || reg.name == "D_OP_ENABLE") {
                continue;
            }
            for (const Field& field : reg.fields) {
                if (field.access == Access::wo) continue;
                names.push_back(std::string(reg.name) + "." + std::string(field.name));
                (field.access == Access::rw ? use.outputs : use.inputs).push_back(names.back());
            }
        }
        const std::string text = register_file(*map, use, "dut");
        std::size_t start = 0;
        for (std::size_t end = text.find('\n'); end != std::string::npos;
             start = end + 1, end = text.find('\n', start)) {
            EXPECT_LE(end - start, 100u) << text.substr(start, end - start);
            EXPECT_TRUE(end == start || text[end - 1] != ' ') << text.substr(start, end - start);
        }
        EXPECT_EQ(start, text.size());
    }
}

TEST(RegisterFile, UnitsWithoutGroupsHaveNoLayerPorts) {
    const std::string text =
        register_file(mcif_registers(), {"mcif", {}, {"STATUS.IDLE"}, {}}, "dut");
    EXPECT_FALSE(has(text, "op_en"));
    EXPECT_TRUE(has(text, "input  wire        status_idle"));
}

TEST(RegisterFile, WrongNamesAreReported) {
    EXPECT_EQ(message({"cdma", {"D_BANKS.DATA_BANK"}, {}, {}}),
              "registers of cdma: D_BANKS: no such register, or one that the register file keeps "
              "for itself");
    EXPECT_EQ(message({"cdma", {"D_BANK.BANK"}, {}, {}}),
              "registers of cdma: D_BANK.BANK: no such field");
    EXPECT_EQ(message({"cdma", {"D_BANK"}, {}, {}}),
              "registers of cdma: D_BANK: want REGISTER.FIELD");
    EXPECT_EQ(message({"cdma", {"D_PERF_WT_READ_STALL"}, {}, {}}),
              "registers of cdma: D_PERF_WT_READ_STALL: an output must be writable");
    EXPECT_EQ(message({"cdma", {}, {"D_CVT_SCALE"}, {}}),
              "registers of cdma: D_CVT_SCALE: an input must belong to hardware");
    EXPECT_EQ(message({"cdma", {}, {}, {"D_BANK"}}),
              "registers of cdma: D_BANK: strobes are for single registers");
}

/// Addresses have names: no case or comparison with a number.
TEST(RegisterFile, AddressesHaveNames) {
    const RegUse use{"cdma",
                     {"D_BANK.DATA_BANK", "D_WEIGHT_BYTES", "S_ARBITER.ARB_WEIGHT"},
                     {"S_CBUF_FLUSH_STATUS.FLUSH_DONE", "D_PERF_WT_READ_STALL"},
                     {"S_ARBITER"}};
    const std::string text = register_file(cdma_registers(), use, "dut");
    EXPECT_TRUE(has(text, "    localparam [5:0]  D_BANK "));
    EXPECT_TRUE(has(text, " = 6'h2f;\n"));
    EXPECT_TRUE(has(text, "load_next = D_BANK;"));
    for (const char* bare : {"'h2f: ", "== 6'h", "!= 6'h", ">= 6'h", "load_next = 6'h"})
        EXPECT_FALSE(has(text, bare)) << bare;
}

TEST(RegisterFile, SweepLength) {
    EXPECT_EQ(reset_sweep_cycles(cdma_registers()), 128);
    EXPECT_EQ(reset_sweep_cycles(cacc_registers()), 32);
    EXPECT_EQ(reset_sweep_cycles(mcif_registers()), 8);
    EXPECT_EQ(reset_sweep_cycles(cmac_a_registers()), 0);
}

TEST(ToCpp, HasAccessorsAndTables) {
    const std::string text = to_cpp(registers());
    EXPECT_TRUE(has(text, "namespace dla_regs {"));
    EXPECT_TRUE(has(text, "struct D_BANK {"));
    EXPECT_TRUE(has(text, "{\"CDMA\", \"D_BANK\", 0x0bc, 0x030bc, 0x0,"));
    EXPECT_TRUE(has(text, "{\"CDMA\", \"D_BANK\", 0x0bc, 0x050bc, 0x0,"));
}

TEST(ToDocs, NamesAddressesAndCodes) {
    const std::string c = to_c(registers());
    EXPECT_TRUE(has(c, "#define NVDLA_CDMA_D_BANK_0 "));
    EXPECT_TRUE(has(c, " 0x030bcu\n"));
    EXPECT_TRUE(has(c, "#define NVDLA_CDMA_D_BANK_0_WEIGHT_BANK_SHIFT "));
    EXPECT_TRUE(has(c, " 0x001f0000u\n"));
    const std::string md = to_markdown(registers());
    EXPECT_TRUE(has(md, "## CDMA at 0x03000"));
    EXPECT_TRUE(has(md, "0 DIRECT, 1 WINOGRAD"));
    EXPECT_FALSE(has(to_json(registers(), kV1), "CFGROM"));
}

}  // namespace
}  // namespace macrame::dla
