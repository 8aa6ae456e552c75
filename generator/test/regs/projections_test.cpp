#include <gtest/gtest.h>

#include <stdexcept>

#include "families/dla/registers/registers.hpp"
#include "regs/to_cpp.hpp"
#include "regs/to_docs.hpp"
#include "regs/to_verilog.hpp"

namespace macrame::regs {
namespace {

bool has(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

std::string message(const RegUse& use) {
    try {
        to_verilog(*dla::find_register_map(use.unit), use);
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
    return "";
}

TEST(ToVerilog, PortsAreNamedByRegisterAndField) {
    const RegUse use{"cdma",
                     {"D_BANK.DATA_BANK", "S_ARBITER.ARB_WEIGHT", "D_WEIGHT_BYTES"},
                     {"S_CBUF_FLUSH_STATUS.FLUSH_DONE", "D_PERF_WT_READ_STALL"},
                     {"S_ARBITER"}};
    const std::string text = to_verilog(dla::cdma_registers(), use);
    EXPECT_TRUE(has(text, "module dla_cdma_regs ("));
    EXPECT_TRUE(has(text, "output wire [4:0]  d_bank_data_bank"));
    EXPECT_TRUE(has(text, "output wire [3:0]  s_arbiter_arb_weight"));
    EXPECT_TRUE(has(text, "output wire [31:0] d_weight_bytes"));
    EXPECT_TRUE(has(text, "input  wire        s_cbuf_flush_status_flush_done"));
    EXPECT_TRUE(has(text, "input  wire [31:0] d_perf_wt_read_stall_wt_rd_stall"));
    EXPECT_TRUE(has(text, "output reg         s_arbiter_wr"));
    EXPECT_FALSE(has(text, "d_bank_weight_bank"));
}

TEST(ToVerilog, LinesFitAndNothingElseThanAscii) {
    for (const RegisterMap* map : dla::all_register_maps()) {
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
                names.push_back(std::string(reg.name) + "." + std::string(field.name));
                (field.access == Access::rw ? use.outputs : use.inputs).push_back(names.back());
            }
        }
        const std::string text = to_verilog(*map, use);
        std::size_t start = 0;
        for (std::size_t end = text.find('\n'); end != std::string::npos;
             start = end + 1, end = text.find('\n', start)) {
            EXPECT_LE(end - start, 100u) << text.substr(start, end - start);
            EXPECT_TRUE(end == start || text[end - 1] != ' ') << text.substr(start, end - start);
        }
        EXPECT_EQ(start, text.size());
    }
}

TEST(ToVerilog, UnitsWithoutGroupsHaveNoLayerPorts) {
    const std::string text = to_verilog(dla::mcif_registers(), {"mcif", {}, {"STATUS.IDLE"}, {}});
    EXPECT_FALSE(has(text, "op_en"));
    EXPECT_TRUE(has(text, "input  wire        status_idle"));
}

TEST(ToVerilog, WrongNamesAreReported) {
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

TEST(ToVerilog, TwoPortsOfOneNameAreReported) {
    const RegisterMap map{"UNIT",
                          "a unit",
                          0,
                          0,
                          {{"A_B", 0, Kind::single, {{"C", 0, 0, Access::rw, Hw::plain, 0, ""}}},
                           {"A", 4, Kind::single, {{"B_C", 0, 0, Access::rw, Hw::plain, 0, ""}}}}};
    EXPECT_NE(to_verilog(map, {"unit", {"A_B.C"}, {}, {}}), "");
    EXPECT_THROW(to_verilog(map, {"unit", {"A_B.C", "A.B_C"}, {}, {}}), std::invalid_argument);
    EXPECT_THROW(to_verilog(map, {"unit", {"A_B.C", "A_B.C"}, {}, {}}), std::invalid_argument);
}

TEST(ToVerilog, SweepLength) {
    EXPECT_EQ(reset_sweep_cycles(dla::cdma_registers()), 128);
    EXPECT_EQ(reset_sweep_cycles(dla::cacc_registers()), 32);
    EXPECT_EQ(reset_sweep_cycles(dla::mcif_registers()), 8);
    EXPECT_EQ(reset_sweep_cycles(dla::cmac_a_registers()), 0);
}

TEST(ToCpp, HasAccessorsAndTables) {
    const std::string text = to_cpp(dla::all_register_maps(), "dla");
    EXPECT_TRUE(has(text, "namespace dla_regs {"));
    EXPECT_TRUE(has(text, "struct D_BANK {"));
    EXPECT_TRUE(has(text, "{\"CDMA\", \"D_BANK\", 0x0bc, 0x030bc, 0x0,"));
    EXPECT_TRUE(has(text, "{\"CDMA\", \"D_BANK\", 0x0bc, 0x050bc, 0x0,"));
}

TEST(ToDocs, NamesAddressesAndCodes) {
    const auto& maps = dla::all_register_maps();
    const std::string c = to_c(maps, MapVersion::later, "dla");
    EXPECT_TRUE(has(c, "#define NVDLA_CDMA_D_BANK_0 "));
    EXPECT_TRUE(has(c, " 0x030bcu\n"));
    EXPECT_TRUE(has(c, "#define NVDLA_CDMA_D_BANK_0_WEIGHT_BANK_SHIFT "));
    EXPECT_TRUE(has(c, " 0x001f0000u\n"));
    const std::string md = to_markdown(maps, MapVersion::later);
    EXPECT_TRUE(has(md, "## CDMA at 0x03000"));
    EXPECT_TRUE(has(md, "0 DIRECT, 1 WINOGRAD"));
    const std::string json = to_json(maps, MapVersion::v1);
    EXPECT_TRUE(has(json, "\"unit\": \"CDMA\", \"base\": 20480"));
    EXPECT_FALSE(has(json, "CFGROM"));
}

}  // namespace
}  // namespace macrame::regs
