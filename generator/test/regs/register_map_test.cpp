#include "regs/register_map.hpp"

#include <gtest/gtest.h>

namespace macrame::regs {
namespace {

TEST(RegisterMap, ProblemsAreFound) {
    RegisterMap map{"X", "", 0, {}, {}};
    map.registers.push_back({"A", 4, Kind::single, {{"F", 3, 0, Access::rw, Hw::plain, 16, ""}}});
    map.registers.push_back(
        {"B",
         0,
         Kind::pingpong,
         {{"F", 3, 0, Access::rw, Hw::plain, 0, ""}, {"G", 4, 3, Access::rw, Hw::plain, 0, ""}}});
    const std::vector<std::string> expected = {"X.A: a single register behind those of groups",
                                               "X.A: reset too wide", "X.B: offset out of order",
                                               "X.B: fields overlap"};
    EXPECT_EQ(problems(map), expected);
}

TEST(RegisterMap, VariantsDifferWhereTheTableSaysSo) {
    const RegisterMap map{
        "X",
        "",
        0x1000,
        {{"old", 0x2000}},
        {{"A",
          0,
          Kind::single,
          {{"F", 7, 0, Access::rw, Hw::plain, 5, "", {}, {{"old", 3, {}, 2u}}}}}}};
    const RegisterMap same = in_variant(map, "");
    EXPECT_EQ(same.base, 0x1000u);
    EXPECT_EQ(same.find("A")->write_mask(), 0xffu);
    const RegisterMap old = in_variant(map, "old");
    EXPECT_EQ(old.base, 0x2000u);
    EXPECT_EQ(old.find("A")->write_mask(), 0xfu);
    EXPECT_EQ(old.find("A")->reset(), 2u);
    EXPECT_FALSE(in_variant(map, "other").base.has_value());
    const RegisterSet set{"family", {&map}, "", "", "", {"old"}};
    EXPECT_EQ(set.present().size(), 1u);
    EXPECT_EQ(set.present("other").size(), 0u);
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

}  // namespace
}  // namespace macrame::regs
