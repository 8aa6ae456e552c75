/// Register files and documents of a small map.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "regs/to_cpp.hpp"
#include "regs/to_docs.hpp"
#include "regs/to_verilog.hpp"

namespace macrame::regs {
namespace {

bool has(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

const RegisterMap& map() {
    static const RegisterMap map{
        "TIMER",
        "counts cycles",
        0x2000,
        {},
        {{"CTRL",
          0x0,
          Kind::single,
          {{"ENABLE", 0, 0, Access::rw, Hw::plain, 0, "counts if 1", {"OFF", "ON"}},
           {"STEP", 15, 8, Access::rw, Hw::plain, 3, "added per cycle: \"step\" < 256 & more"}}},
         {"COUNT", 0x8, Kind::single, {{"COUNT", 31, 0, Access::ro, Hw::status, 0, "so far"}}}}};
    return map;
}

RegisterSet set() { return {"clock", {&map()}, "Read COUNT last.", "CLK_", "", {}}; }

const RegUse kUse{"timer", {"CTRL.ENABLE", "CTRL.STEP"}, {"COUNT"}, {"CTRL"}};

std::string message(const RegisterMap& map, const RegUse& use) {
    try {
        to_verilog(map, use, Bus::native, "dut");
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
    return "";
}

TEST(ToVerilog, EveryBusHasItsPortsAndTheFields) {
    const std::pair<Bus, const char*> buses[] = {
        {Bus::native, "reg_valid"}, {Bus::axi4_lite, "s_axi_awvalid"}, {Bus::apb4, "s_apb_psel"}};
    for (const auto& [bus, port] : buses) {
        const std::string text = to_verilog(map(), kUse, bus, "clock_timer_regs");
        EXPECT_TRUE(has(text, "module clock_timer_regs ("));
        EXPECT_TRUE(has(text, port));
        EXPECT_TRUE(has(text, "output wire [7:0]  ctrl_step"));
        EXPECT_TRUE(has(text, "input  wire [31:0] count  "));
        EXPECT_TRUE(has(text, "output reg         ctrl_wr"));
        EXPECT_TRUE(has(text, "localparam [1:0]  COUNT = 2'h2;"));
        EXPECT_TRUE(has(text, "COUNT: value = count;"));
        std::size_t start = 0;
        for (std::size_t end = text.find('\n'); end != std::string::npos;
             start = end + 1, end = text.find('\n', start)) {
            EXPECT_LE(end - start, 100u) << text.substr(start, end - start);
        }
    }
}

TEST(ToVerilog, TwoPortsOfOneNameAreReported) {
    const RegisterMap bad{"UNIT",
                          "a unit",
                          0,
                          {},
                          {{"A_B", 0, Kind::single, {{"C", 0, 0, Access::rw, Hw::plain, 0, ""}}},
                           {"A", 4, Kind::single, {{"B_C", 0, 0, Access::rw, Hw::plain, 0, ""}}}}};
    EXPECT_EQ(message(bad, {"unit", {"A_B.C"}, {}, {}}), "");
    EXPECT_EQ(message(bad, {"unit", {"A_B.C", "A.B_C"}, {}, {}}), "dut: two signals named a_b_c");
    EXPECT_EQ(message(bad, {"unit", {"A.B_C", "A.B_C"}, {}, {}}), "dut: two signals named a_b_c");
}

TEST(ToVerilog, APortWithANameFromInsideIsReported) {
    const RegisterMap bad{
        "UNIT",
        "a unit",
        0,
        {},
        {{"WORD", 0, Kind::single, {{"WORD", 3, 0, Access::rw, Hw::plain, 0, ""}}},
         {"A", 4, Kind::single, {{"Q", 7, 0, Access::rw, Hw::plain, 0, ""}}}}};
    EXPECT_EQ(message(bad, {"unit", {}, {}, {}}), "");
    EXPECT_EQ(message(bad, {"unit", {"WORD"}, {}, {}}), "dut: two signals named word");
    EXPECT_EQ(message(bad, {"unit", {"A.Q"}, {}, {}}), "dut: two signals named a_q");
}

TEST(ToVerilog, WhatPlainRegisterFilesLackIsReported) {
    RegisterMap grouped = map();
    grouped.registers[1].kind = Kind::pingpong;
    EXPECT_EQ(message(grouped, {"timer", {}, {}, {}}),
              "registers of timer: COUNT: want a register that exists once");
    RegisterMap clears = map();
    clears.registers[0].fields[0].access = Access::w1c;
    EXPECT_EQ(message(clears, {"timer", {}, {}, {}}),
              "registers of timer: CTRL: want no w1c field");
    EXPECT_EQ(message(map(), {"timer", {"CTRL"}, {}, {}}),
              "registers of timer: CTRL: want REGISTER.FIELD");
}

TEST(ToDocs, JsonIsWholeAndEscaped) {
    const auto json = nlohmann::json::parse(to_json(set()));
    EXPECT_EQ(json["family"], "clock");
    const auto& unit = json["units"][0];
    EXPECT_EQ(unit["unit"], "TIMER");
    EXPECT_EQ(unit["base"], 0x2000);
    const auto& step = unit["registers"][0]["fields"][1];
    EXPECT_EQ(step["doc"], "added per cycle: \"step\" < 256 & more");
    EXPECT_EQ(step["msb"], 15);
    EXPECT_EQ(unit["registers"][0]["fields"][0]["values"][1], "ON");
}

TEST(ToDocs, HtmlHasAPictureOfEveryRegister) {
    const std::string html = to_html(set());
    EXPECT_TRUE(has(html, "Read COUNT last."));
    EXPECT_TRUE(has(html, "<h3 id=\"TIMER.CTRL\">"));
    EXPECT_TRUE(has(html, "grid-column: 17 / span 8\" href=\"#TIMER.CTRL.STEP\""));
    EXPECT_TRUE(has(html, "added per cycle: &quot;step&quot; &lt; 256 &amp; more"));
    EXPECT_TRUE(has(html, "<li>1 ON</li>"));
    EXPECT_FALSE(has(html, "http"));  // loads nothing
}

TEST(ToDocs, SystemRdlNamesWhatSoftwareAndHardwareDo) {
    const std::string rdl = to_systemrdl(set());
    EXPECT_TRUE(has(rdl, "addrmap clock {"));
    EXPECT_TRUE(has(rdl, "} TIMER @ 0x2000;"));
    EXPECT_TRUE(has(rdl, "} STEP[15:8] = 8'h3;"));
    EXPECT_TRUE(has(rdl, "desc = \"added per cycle: \\\"step\\\" < 256 & more\";"));
    EXPECT_TRUE(has(rdl, "sw = r; hw = w;"));
}

TEST(ToDocs, HeadersUseTheSpellingOfTheFamily) {
    const std::string c = to_c(set());
    EXPECT_TRUE(has(c, "#ifndef CLOCK_REGS_H"));
    EXPECT_TRUE(has(c, "#define CLK_TIMER_COUNT "));
    EXPECT_TRUE(has(c, "CLK_TIMER_CTRL_ENABLE_ON "));
    const std::string cpp = to_cpp(set());
    EXPECT_TRUE(has(cpp, "inline RegisterTable table() {"));
    EXPECT_TRUE(has(cpp, "kPrefix = \"CLK_\", kSuffix = \"\";"));
}

}  // namespace
}  // namespace macrame::regs
