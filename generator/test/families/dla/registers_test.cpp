#include "families/dla/registers/registers.hpp"

#include <gtest/gtest.h>

#include <set>

namespace macrame::dla {
namespace {

using namespace regs;

TEST(DlaRegisters, AllTablesAreConsistent) {
    std::size_t registers = 0;
    for (const RegisterMap* map : all_register_maps()) {
        for (std::string_view variant : {std::string_view(), kV1}) {
            for (const std::string& problem : problems(in_variant(*map, variant)))
                ADD_FAILURE() << problem;
        }
        if (const Register* op_enable = map->find("D_OP_ENABLE")) {
            EXPECT_EQ(map->boundary(), op_enable->offset) << map->unit;
        }
        registers += map->registers.size();
    }
    EXPECT_EQ(all_register_maps().size(), 19u);
    EXPECT_EQ(registers, 532u);
}

TEST(DlaRegisters, ResetsAndMasksFollowFromFields) {
    const Register& misc = *cdma_registers().find("D_MISC_CFG");
    EXPECT_EQ(misc.offset, 0x14u);
    EXPECT_EQ(misc.reset(), 0x1100u);
    EXPECT_EQ(misc.write_mask(), 0x11113301u);
    EXPECT_EQ(misc.access(), "rw");
    EXPECT_EQ(cdma_registers().find("S_POINTER")->access(), "mixed");
    EXPECT_EQ(cdma_registers().find("S_POINTER")->write_mask(), 1u);
    EXPECT_EQ(glb_registers().find("S_INTR_STATUS")->write_mask(), 0u);
    EXPECT_EQ(sdp_registers().boundary(), 0x38u);
    EXPECT_EQ(mcif_registers().boundary(), 0x1000u);
}

TEST(DlaRegisters, V1DiffersWhereTheTableSaysSo) {
    const RegisterMap cdma = in_variant(cdma_registers(), kV1);
    EXPECT_EQ(cdma.find("D_BANK")->write_mask(), 0x000f000fu);
    EXPECT_EQ(cdma.find("D_WEIGHT_BYTES")->write_mask(), 0xffffff80u);
    const RegisterMap sdp = in_variant(sdp_registers(), kV1);
    EXPECT_EQ(sdp.find("D_DP_BS_CFG")->reset(), 0u);
    EXPECT_EQ(sdp_registers().find("D_DP_BS_CFG")->reset(), 0x73u);
    EXPECT_FALSE(in_variant(cfgrom_registers(), kV1).base.has_value());
    EXPECT_EQ(cdma.base, 0x5000u);
}

TEST(DlaRegisters, UnitsAreFoundByEitherSpelling) {
    EXPECT_EQ(find_register_map("SDP_RDMA"), &sdp_rdma_registers());
    EXPECT_EQ(find_register_map("sdp_rdma"), &sdp_rdma_registers());
    EXPECT_EQ(find_register_map("cmac"), &cmac_a_registers());
    EXPECT_EQ(find_register_map("nothing"), nullptr);
}

/// Every field has a name of its own among all that could be ports of one register file.
TEST(DlaRegisters, PortNamesAreUnique) {
    for (const RegisterMap* map : all_register_maps()) {
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
}  // namespace macrame::dla
