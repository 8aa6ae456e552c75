#include "emit/port_rules.hpp"

#include <gtest/gtest.h>

namespace macrame::emit {
namespace {

/// The rules of a module with these ports.
std::string rules(const std::string& ports) {
    const std::string head = "module a_b (\n" + ports + ");\n\n";
    const std::string end = "endmodule\n";
    const std::string text = with_port_rules(head + end);
    EXPECT_EQ(text.substr(0, head.size()), head);
    EXPECT_EQ(text.substr(text.size() - end.size()), end);
    return text.substr(head.size(), text.size() - head.size() - end.size());
}

const std::string kClock = "    input  wire        clk,\n    input  wire        rst_n,\n";

std::string guarded(const std::string& text) {
    return "`ifdef MACRAME_ASSERT\n"
           "    // ------------------------------------------------------------------"
           " rules of the ports\n" +
           text + "`endif\n\n";
}

TEST(PortRules, OfTheSideThatOffers) {
    EXPECT_EQ(rules(kClock + "    output wire        b2c_valid,\n"
                             "    input  wire        b2c_ready,\n"
                             "    output wire [7:0]  b2c_data,  // a byte\n"
                             "    output wire        b2c_last,\n"
                             "    input  wire        c2b_valid,\n"
                             "    output wire        c2b_ready,\n"
                             "    input  wire [7:0]  c2b_data\n"),
              guarded("    assert_link #(.W(9)) a_b2c (\n"
                      "        .clk(clk), .rst_n(rst_n), .valid(b2c_valid), .ready(b2c_ready),\n"
                      "        .payload({b2c_data, b2c_last})\n"
                      "    );\n"));
}

TEST(PortRules, PayloadStandsBesideTheLink) {
    const std::string text = rules(kClock +
                                   "    output wire        b2c_valid,\n"
                                   "    input  wire        b2c_ready,\n"
                                   "    output wire [3:0]  b2c_entry,\n"
                                   "    // beside the link\n"
                                   "    output wire        b2c_run,\n"
                                   "    input  wire        idle,\n"
                                   "    output wire [7:0]  b2c_data\n");
    EXPECT_NE(text.find(".W(4)"), text.npos);
    EXPECT_NE(text.find(".payload({b2c_entry})"), text.npos);
}

TEST(PortRules, FromOutsideOfTheSideThatTakes) {
    const std::string text = rules(kClock +
                                   "    input  wire        s_axi_wvalid,\n"
                                   "    output wire        s_axi_wready,\n"
                                   "    input  wire [W-1:0] s_axi_wdata,\n"
                                   "    input  wire [3:0]  s_axi_wstrb\n");
    EXPECT_NE(text.find("assert_link #(.W(4 + W)) a_s_axi_w ("), text.npos);
}

TEST(PortRules, OfAMaster) {
    const std::string text = rules(kClock +
                                   "    output wire        m_axi_awvalid,\n"
                                   "    input  wire        m_axi_awready,\n"
                                   "    output wire [31:0] m_axi_awaddr,\n"
                                   "    output wire [3:0]  m_axi_awlen,\n"
                                   "    output wire        m_axi_wvalid,\n"
                                   "    input  wire        m_axi_wready,\n"
                                   "    output wire [63:0] m_axi_wdata,\n"
                                   "    output wire        m_axi_wlast\n");
    EXPECT_NE(text.find("    assert_axi_burst #(.BUS_W(64), .LEN_W(4)) a_m_axi_aw_burst (\n"
                        "        .clk(clk), .rst_n(rst_n), .valid(m_axi_awvalid),"
                        " .addr(m_axi_awaddr[11:0]),\n"
                        "        .len(m_axi_awlen), .size(3'd3), .burst(2'b01)\n"),
              text.npos)
        << text;
    EXPECT_NE(text.find("    assert_axi_write #(.LEN_W(4)) a_m_axi_aw_data (\n"), text.npos);
    EXPECT_NE(text.find(".wlast(m_axi_wlast)"), text.npos);
}

TEST(PortRules, WhatOutlivesAReset) {
    const std::string text = rules(kClock +
                                   "    input  wire        por_n,\n"
                                   "    output wire        x_valid,\n"
                                   "    input  wire        x_ready\n");
    EXPECT_NE(text.find(".rst_n(por_n)"), text.npos);
    EXPECT_NE(text.find(".payload(1'b0)"), text.npos);
}

TEST(PortRules, UnitsThatAreStopped) {
    const std::string text = rules(kClock +
                                   "    input  wire        a2b_run,\n"
                                   "    output wire        b2c_valid,\n"
                                   "    input  wire        b2c_ready,\n"
                                   "    output wire        m_axi_arvalid,\n"
                                   "    input  wire        m_axi_arready\n");
    EXPECT_NE(text.find(".ready(b2c_ready || !a2b_run)"), text.npos);
    EXPECT_NE(text.find(".ready(m_axi_arready)"), text.npos);
}

TEST(PortRules, NoneWithoutLinkOrClock) {
    EXPECT_EQ(rules(kClock + "    output wire        b2c_valid\n"), "");
    EXPECT_EQ(rules("    output wire        b2c_valid,\n    input  wire        b2c_ready\n"), "");
}

}  // namespace
}  // namespace macrame::emit
