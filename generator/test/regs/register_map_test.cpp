#include "regs/register_map.hpp"

#include <gtest/gtest.h>

#include <set>

#include "families/dla/registers/registers.hpp"

namespace macrame::regs {
namespace {

TEST(RegisterMap, AllDlaTablesAreConsistent) {
    std::size_t registers = 0;
    for (const RegisterMap* map : dla::all_register_maps()) {
        for (MapVersion version : {MapVersion::later, MapVersion::v1}) {
            for (const std::string& problem : problems(in_version(*map, version))) {
                ADD_FAILURE() << problem;
            }
        }
        registers += map->registers.size();
    }
    EXPECT_EQ(dla::all_register_maps().size(), 17u);
    EXPECT_EQ(registers, 499u);
}

TEST(RegisterMap, ProblemsAreFound) {
    RegisterMap map{"X", "", 0, 0, {}};
    map.registers.push_back({"A", 4, Kind::single, {{"F", 3, 0, Access::rw, Hw::plain, 16, ""}}});
    map.registers.push_back(
        {"B",
         0,
         Kind::pingpong,
         {{"F", 3, 0, Access::rw, Hw::plain, 0, ""}, {"G", 4, 3, Access::rw, Hw::plain, 0, ""}}});
    const std::vector<std::string> expected = {"X.A: reset too wide", "X.B: offset out of order",
                                               "X.B: on the wrong side of D_OP_ENABLE",
                                               "X.B: fields overlap"};
    EXPECT_EQ(problems(map), expected);
}

TEST(RegisterMap, ResetsAndMasksFollowFromFields) {
    const Register& misc = *dla::cdma_registers().find("D_MISC_CFG");
    EXPECT_EQ(misc.offset, 0x14u);
    EXPECT_EQ(misc.reset(), 0x1100u);
    EXPECT_EQ(misc.write_mask(), 0x11113301u);
    EXPECT_EQ(misc.access(), "rw");
    EXPECT_EQ(dla::cdma_registers().find("S_POINTER")->access(), "mixed");
    EXPECT_EQ(dla::cdma_registers().find("S_POINTER")->write_mask(), 1u);
    EXPECT_EQ(dla::glb_registers().find("S_INTR_STATUS")->write_mask(), 0u);
    EXPECT_EQ(dla::sdp_registers().boundary(), 0x38u);
    EXPECT_EQ(dla::mcif_registers().boundary(), 0x1000u);
}

TEST(RegisterMap, V1DiffersWhereTheTableSaysSo) {
    const RegisterMap cdma = in_version(dla::cdma_registers(), MapVersion::v1);
    EXPECT_EQ(cdma.find("D_BANK")->write_mask(), 0x000f000fu);
    EXPECT_EQ(cdma.find("D_WEIGHT_BYTES")->write_mask(), 0xffffff80u);
    const RegisterMap sdp = in_version(dla::sdp_registers(), MapVersion::v1);
    EXPECT_EQ(sdp.find("D_DP_BS_CFG")->reset(), 0u);
    EXPECT_EQ(dla::sdp_registers().find("D_DP_BS_CFG")->reset(), 0x73u);
    EXPECT_FALSE(base_of(dla::cfgrom_registers(), MapVersion::v1).has_value());
    EXPECT_EQ(base_of(dla::cdma_registers(), MapVersion::v1), 0x5000u);
}

TEST(RegisterMap, UnitsAreFoundByEitherSpelling) {
    EXPECT_EQ(dla::find_register_map("SDP_RDMA"), &dla::sdp_rdma_registers());
    EXPECT_EQ(dla::find_register_map("sdp_rdma"), &dla::sdp_rdma_registers());
    EXPECT_EQ(dla::find_register_map("cmac"), &dla::cmac_a_registers());
    EXPECT_EQ(dla::find_register_map("nothing"), nullptr);
}

TEST(RegisterMap, PortNamesDoNotStutter) {
    EXPECT_EQ(port_name("D_BANK.DATA_BANK"), "d_bank_data_bank");
    EXPECT_EQ(port_name("D_DATA_CUBE_IN_WIDTH.CUBE_IN_WIDTH"), "d_data_cube_in_width");
    EXPECT_EQ(port_name("D_PARTIAL_WIDTH_IN.PARTIAL_WIDTH_IN_LAST"), "d_partial_width_in_last");
    EXPECT_EQ(port_name("D_POST_Y_EXTENSION.Y_EXTENSION"), "d_post_y_extension");
    EXPECT_EQ(port_name("STATUS.STATUS_IDLE"), "status_idle");
    EXPECT_EQ(port_name("STATUS.STATUS"), "status");
    EXPECT_EQ(port_name("D_A_A_A.A_A_B"), "d_a_a_a_b");
    // Whole words only.
    EXPECT_EQ(port_name("D_SUBCUBE.CUBE"), "d_subcube_cube");
    EXPECT_EQ(port_name("D_CUBE.CUBES"), "d_cube_cubes");
}

/// Every field has a name of its own among all that could be ports of one register file.
TEST(RegisterMap, PortNamesAreUnique) {
    for (const RegisterMap* map : dla::all_register_maps()) {
        std::set<std::string> names;
        for (const Register& reg : map->registers) {
            for (const Field& field : reg.fields) {
                const std::string name = std::string(reg.name) + "." + std::string(field.name);
                EXPECT_TRUE(names.insert(port_name(name)).second) << map->unit << ": " << name;
            }
        }
    }
}

}  // namespace
}  // namespace macrame::regs
