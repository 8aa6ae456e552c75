/// Packages of a design: IP-XACT and FuseSoC.

#include <gtest/gtest.h>

#include "emit/fusesoc.hpp"
#include "emit/ip_xact.hpp"
#include "emit/verilog_text.hpp"
#include "text/xml.hpp"

namespace macrame::emit {
namespace {

constexpr const char* kTop = R"(module dla_top (
    // clock
    (* X_INTERFACE_INFO = "xilinx.com:signal:clock:1.0 aclk CLK" *)
    (* X_INTERFACE_PARAMETER =
       "ASSOCIATED_BUSIF s_apb:m_axi, ASSOCIATED_RESET aresetn" *)
    input  wire         aclk,
    input  wire         aresetn,  // low & asynchronous
    // registers
    (* X_INTERFACE_INFO = "xilinx.com:interface:apb:1.0 s_apb PSEL" *)
    input  wire         s_apb_psel,
    (* X_INTERFACE_INFO = "xilinx.com:interface:apb:1.0 s_apb PADDR" *)
    input  wire [17:0]  s_apb_paddr,
    // memory
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi AWADDR" *)
    output wire [31:0]  m_axi_awaddr,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi AWVALID" *)
    output wire         m_axi_awvalid,
    (* X_INTERFACE_INFO = "xilinx.com:interface:aximm:1.0 m_axi WDATA" *)
    output wire [63:0]  m_axi_wdata
);
endmodule
)";

Design design(const std::string& name = "nv_small") {
    const Family& family = *all_families().front();
    return {family, name, family.defaults, {}};
}

std::string component() {
    OutputSet set;
    set.add("rtl/dla_top.v", kTop);
    return ip_xact(design(), set, design().family.registers);
}

/// The part of the text from `begin` to the first `end` behind it.
std::string part(const std::string& text, const std::string& begin, const std::string& end) {
    const std::size_t from = text.find(begin);
    if (from == text.npos) return "";
    return text.substr(from, text.find(end, from) - from);
}

bool has(const std::string& text, const std::string& what) { return text.find(what) != text.npos; }

TEST(Xml, ElementsAndTexts) {
    text::Xml xml("p:");
    xml.open("a", "b=\"c\"");
    xml.leaf("d", "<e> & \"f\"");
    xml.empty("g");
    xml.close();
    EXPECT_EQ(xml.finish(),
              "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<p:a b=\"c\">\n"
              "  <p:d>&lt;e&gt; &amp; &quot;f&quot;</p:d>\n  <p:g/>\n</p:a>\n");
}

TEST(PortGroups, InterfacesOfPorts) {
    const std::vector<PortGroup> groups = port_groups(kTop);
    ASSERT_EQ(groups.size(), 3u);
    EXPECT_EQ(groups[0].ports[0].interface, "xilinx.com:signal:clock:1.0 aclk CLK");
    EXPECT_EQ(groups[0].ports[0].interface_parameters,
              "ASSOCIATED_BUSIF s_apb:m_axi, ASSOCIATED_RESET aresetn");
    EXPECT_EQ(groups[0].ports[1].interface, "");
    EXPECT_EQ(groups[0].ports[1].interface_parameters, "");
    EXPECT_EQ(groups[2].ports[2].interface, "xilinx.com:interface:aximm:1.0 m_axi WDATA");
}

TEST(IpXact, BusInterfaces) {
    const std::string text = component();
    const std::string clock = part(text, "<ipxact:name>aclk<", "</ipxact:busInterface>");
    EXPECT_TRUE(has(clock, "<ipxact:slave/>"));
    EXPECT_TRUE(has(clock, "<ipxact:value>&quot;s_apb:m_axi&quot;</ipxact:value>"));
    const std::string apb = part(text, "<ipxact:name>s_apb<", "</ipxact:busInterface>");
    EXPECT_TRUE(has(apb, "vendor=\"xilinx.com\" library=\"interface\" name=\"apb_rtl\""));
    EXPECT_TRUE(
        has(apb, "<ipxact:slave>\n        <ipxact:memoryMapRef memoryMapRef=\"registers\"/>"));
    const std::string axi = part(text, "<ipxact:name>m_axi<", "</ipxact:busInterface>");
    EXPECT_TRUE(has(axi, "<ipxact:master>\n        <ipxact:addressSpaceRef"));
    const std::string space = part(text, "<ipxact:addressSpace>", "</ipxact:addressSpace>");
    EXPECT_TRUE(has(space, "<ipxact:range>'h100000000</ipxact:range>"));
    EXPECT_TRUE(has(space, "<ipxact:width>64</ipxact:width>"));
}

TEST(IpXact, PortsAndFiles) {
    const std::string text = component();
    const std::string ports = part(text, "<ipxact:ports>", "</ipxact:ports>");
    EXPECT_TRUE(has(ports, "<ipxact:description>low &amp; asynchronous</ipxact:description>"));
    EXPECT_TRUE(has(ports, "<ipxact:left>17</ipxact:left>"));
    EXPECT_TRUE(has(text, "<ipxact:name>rtl/dla_top.v</ipxact:name>"));
}

TEST(IpXact, SidesOfStreams) {
    const std::string pin = "    (* X_INTERFACE_INFO = \"xilinx.com:interface:axis:1.0 ";
    OutputSet set;
    set.add("rtl/dla_top.v", "module dla_top (\n" + pin + "in TVALID\" *)\n" +
                                 "    input  wire in_tvalid,\n" + pin + "out TVALID\" *)\n" +
                                 "    output wire out_tvalid\n);\nendmodule\n");
    const std::string text = ip_xact(design(), set, {});
    const auto bus = [&](const std::string& name) {
        return part(text, "<ipxact:name>" + name + "</ipxact:name>", "</ipxact:busInterface>");
    };
    EXPECT_TRUE(has(bus("in"), "<ipxact:slave/>"));
    EXPECT_TRUE(has(bus("out"), "<ipxact:master/>"));
    EXPECT_FALSE(has(text, "addressSpaces"));
}

TEST(IpXact, WithoutInterfacesThereAreNone) {
    OutputSet set;
    set.add("rtl/dla_top.v", "module dla_top (\n    input wire clk\n);\nendmodule\n");
    const std::string text = ip_xact(design(), set, design().family.registers);
    EXPECT_FALSE(has(text, "busInterfaces"));
    EXPECT_FALSE(has(text, "addressSpaces"));
    EXPECT_TRUE(has(text, "<ipxact:memoryMaps>"));
}

TEST(Fusesoc, NamesAndFiles) {
    OutputSet set;
    set.add("rtl/dla_top.v", kTop);
    set.add("include/dla.h", "");
    const Design odd = design("my \"small\".toml");
    EXPECT_EQ(fusesoc_name(odd), "dla_top.core");
    const std::string core = fusesoc_core(odd, set);
    EXPECT_EQ(core.substr(0, 8), "CAPI=2:\n");
    EXPECT_TRUE(has(core, "name: macrame:dla:dla_top:"));
    EXPECT_TRUE(has(core, "description: \"my \\\"small\\\".toml: 64 MACs"));
    EXPECT_TRUE(has(core, "    files:\n      - rtl/dla_top.v\n    file_type: verilogSource\n"));
    Design named = design();
    named.names.top = "other";
    EXPECT_EQ(fusesoc_name(named), "other.core");
}

}  // namespace
}  // namespace macrame::emit
