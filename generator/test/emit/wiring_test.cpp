// What the template of a top gets from the table of units and links.
#include "emit/wiring.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "emit/output_set.hpp"

namespace macrame::emit {
namespace {

OutputSet modules() {
    OutputSet set;
    set.add("rtl/f_a.v",
            "module f_a (\n"
            "    input  wire        clk,\n"
            "    input  wire        rst_n,\n"
            "    output wire        a2b_valid,\n"
            "    input  wire        a2b_ready,\n"
            "    output wire [ 7:0] a2b_data,\n"
            "    output wire [ 0:0] a2b_kind\n"
            ");\nendmodule\n");
    set.add("rtl/f_b.v",
            "module f_b (\n"
            "    input  wire        clk,\n"
            "    input  wire        rst_n,\n"
            "    input  wire        in_valid,\n"
            "    output wire        in_ready,\n"
            "    input  wire [ 7:0] in_data,\n"
            "    input  wire [ 0:0] in_kind\n"
            ");\nendmodule\n");
    return set;
}

Joint b(const Patterns& pins) {
    return {"b", "f_b", pins, {{"rst_n", "b_rst_n"}, {"in_", "a2b_"}}};
}

Wiring wiring_of(const Joint& joint, int columns = 0) {
    return {{{"part", "", "", {joint}}}, columns};
}

const text::Value& field(const text::Value& record, const char* name) {
    return *std::get<text::Scope>(record.data).find(name);
}

std::string text_of(const text::Value& value) { return std::get<std::string>(value.data); }

const text::List& list_of(const text::Value& value) { return std::get<text::List>(value.data); }

/// The first group of the part.
text::Value group_of(const Wiring& wiring, Diags& diags) {
    const text::Scope scope = wiring_scope(wiring, modules(), {"f_a", "f_b", "f_c"}, diags);
    return list_of(field(*scope.find("parts"), "part")).at(0);
}

/// Lines of the pins of the first unit.
std::vector<std::string> lines(const Wiring& wiring, Diags& diags) {
    std::vector<std::string> out;
    const text::Value unit = list_of(field(group_of(wiring, diags), "units")).at(0);
    for (const text::Value& line : list_of(field(unit, "lines")))
        out.push_back(text_of(line));
    return out;
}

std::vector<std::string> lines(const Wiring& wiring) {
    Diags diags;
    const std::vector<std::string> out = lines(wiring, diags);
    EXPECT_TRUE(diags.empty());
    return out;
}

using Lines = std::vector<std::string>;

TEST(Wiring, PinsAreInTheOrderOfThePatternsAndInColumns) {
    EXPECT_EQ(lines(wiring_of(b("clk *_data ~*_kind * rst_n"))),
              (Lines{".clk      (clk),", ".in_data  (a2b_data),", ".in_kind (a2b_kind),",
                     ".in_valid (a2b_valid),", ".in_ready (a2b_ready),", ".rst_n    (b_rst_n)"}));
}

TEST(Wiring, LooseNamesDoNotWidenTheColumn) {
    EXPECT_EQ(lines(wiring_of(b("clk ~in_v* ~in_r* * rst_n"))).front(), ".clk     (clk),");
    EXPECT_EQ(lines(wiring_of(b("clk rst_n ~*"))).front(), ".clk   (clk),");
}

TEST(Wiring, LinesAreFilled) {
    // The comma of the last pin counts, too.
    EXPECT_EQ(lines(wiring_of(b("clk * rst_n"), 48)),
              (Lines{".clk(clk), .in_valid(a2b_valid),", ".in_ready(a2b_ready),",
                     ".in_data(a2b_data), .in_kind(a2b_kind),", ".rst_n(b_rst_n)"}));
    EXPECT_EQ(
        lines(wiring_of(b("clk |* rst_n"), 90)),
        (Lines{".clk(clk),", ".in_valid(a2b_valid), .in_ready(a2b_ready), .in_data(a2b_data),",
               ".in_kind(a2b_kind), .rst_n(b_rst_n)"}));
    EXPECT_EQ(lines(wiring_of(b("clk rst_n ||in_*y |*"), 200)),
              (Lines{".clk(clk), .rst_n(b_rst_n),", ".in_ready(a2b_ready),",
                     ".in_valid(a2b_valid), .in_data(a2b_data), .in_kind(a2b_kind)"}));
}

TEST(Wiring, AUnitThatTheDesignLacksIsLeftOut) {
    Joint other = b("*");
    other.module = "f_c";
    EXPECT_EQ(lines({{{"part", "", "", {other, b("*")}}}}).size(), 6U);
    Diags diags;
    EXPECT_TRUE(list_of(field(group_of(wiring_of(other), diags), "units")).empty());
}

TEST(Wiring, AModuleThatNoDesignHasIsAMistake) {
    Joint other = b("*");
    other.module = "f_d";
    Diags diags;
    group_of(wiring_of(other), diags);
    ASSERT_EQ(diags.size(), 1U);
    EXPECT_EQ(diags[0].text, "links of the top: no unit of the family has the module f_d");
}

TEST(Wiring, APortWithoutALinkIsAMistake) {
    Diags diags;
    lines(wiring_of(b("clk rst_n in_data in_kind in_v*")), diags);
    ASSERT_EQ(diags.size(), 1U);
    EXPECT_EQ(diags[0].text, "f_b: no link of the top has its port in_ready");
}

TEST(Wiring, NetsOfAGroupHaveTheWidthsOfTheirPorts) {
    Diags diags;
    const Wiring wiring{{{"part", "links", "-*_ready a2b_d* ~a2b_k* a2b_*", {{"a", "f_a", "*"}}},
                         {"part", "none", "b2a*", {b("*")}}}};
    const text::Value group = group_of(wiring, diags);
    std::string text = text_of(field(group, "title"));
    for (const text::Value& net : list_of(field(group, "nets"))) {
        text += "\n" + text_of(field(net, "name"));
        for (const char* name : {"bits", "ranged", "loose"})
            text += " " + std::to_string(std::get<std::int64_t>(field(net, name).data));
    }
    EXPECT_EQ(text, "links\na2b_data 8 1 0\na2b_kind 1 1 1\na2b_valid 1 0 0");
    const text::Scope scope = wiring_scope(wiring, modules(), {"f_a", "f_b", "f_c"}, diags);
    const text::Value& other = list_of(field(*scope.find("parts"), "part")).at(1);
    EXPECT_TRUE(list_of(field(other, "nets")).empty());
    EXPECT_EQ(std::get<std::int64_t>(field(other, "declares").data), 0);
}

}  // namespace
}  // namespace macrame::emit
