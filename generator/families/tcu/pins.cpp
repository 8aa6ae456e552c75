#include "families/tcu/pins.hpp"

#include <fmt/format.h>

#include "families/tcu/registers.hpp"
#include "regs/text.hpp"

namespace macrame::tcu {

namespace {

constexpr int kData = -1, kStrobes = -2;
constexpr bool kOut = true, kIn = false;

struct Pin {
    std::string_view name;
    bool is_output;
    int bits = 1;  ///< or one of the above
    std::string_view doc = "";
};

// clang-format off
constexpr Pin kPins[] = {
    {"awid", kOut, 6, "0"}, {"awaddr", kOut, 32, "bytes"}, {"awlen", kOut, 8, "beats - 1"},
    {"awsize", kOut, 3, "whole bus"}, {"awburst", kOut, 2, "INCR"}, {"awlock", kOut, 1, "0"},
    {"awcache", kOut, 4, "configuration register"}, {"awprot", kOut, 3, "0"},
    {"awqos", kOut, 4, "0"}, {"awvalid", kOut}, {"awready", kIn},
    {"wid", kOut, 6, "0"}, {"wdata", kOut, kData}, {"wstrb", kOut, kStrobes}, {"wlast", kOut},
    {"wvalid", kOut}, {"wready", kIn},
    {"bid", kIn, 6, "not used"}, {"bresp", kIn, 2, "errors are recorded"}, {"bvalid", kIn}, {"bready", kOut},
    {"arid", kOut, 6, "0"}, {"araddr", kOut, 32, "bytes"}, {"arlen", kOut, 8, "beats - 1"},
    {"arsize", kOut, 3, "whole bus"}, {"arburst", kOut, 2, "INCR"}, {"arlock", kOut, 1, "0"},
    {"arcache", kOut, 4, "configuration register"}, {"arprot", kOut, 3, "0"},
    {"arqos", kOut, 4, "0"}, {"arvalid", kOut}, {"arready", kIn},
    {"rid", kIn, 6, "not used"}, {"rdata", kIn, kData},
    {"rresp", kIn, 2, "errors are recorded"}, {"rlast", kIn}, {"rvalid", kIn}, {"rready", kOut},
};

constexpr int kRegisterAddress = -3;
constexpr Pin kControlPins[] = {
    {"awvalid", kIn}, {"awready", kOut}, {"awaddr", kIn, kRegisterAddress, "bytes"},
    {"awprot", kIn, 3, "not used"}, {"wvalid", kIn}, {"wready", kOut}, {"wdata", kIn, 32},
    {"wstrb", kIn, 4}, {"bvalid", kOut}, {"bready", kIn},
    {"bresp", kOut, 2, "OKAY, or SLVERR: no such register"}, {"arvalid", kIn}, {"arready", kOut},
    {"araddr", kIn, kRegisterAddress, "bytes"}, {"arprot", kIn, 3, "not used"}, {"rvalid", kOut},
    {"rready", kIn}, {"rdata", kOut, 32}, {"rresp", kOut, 2},
};
// clang-format on

int bits_of(const Pin& pin, int bus_bytes) {
    if (pin.bits == kData) return 8 * bus_bytes;
    if (pin.bits == kRegisterAddress) return control_address_bits();
    return pin.bits == kStrobes ? bus_bytes : pin.bits;
}

/// A pin of the port `bus`, "m_axi_dram0".
text::Scope row(const Pin& pin, std::string_view bus, int bits) {
    return {{"bus", bus},
            {"signal", regs::upper(pin.name)},
            {"is_output", pin.is_output},
            {"bits", bits},
            {"name", fmt::format("{}_{}", bus, pin.name)},
            {"doc", pin.doc}};
}

}  // namespace

text::List bus_ports(const Config& config, const Derived& derived) {
    text::List ports;
    const auto add = [&](const std::string& title, const auto& table, const std::string& bus,
                         int bytes) {
        text::List pins;
        for (const Pin& pin : table)
            pins.emplace_back(row(pin, bus, bits_of(pin, bytes)));
        ports.emplace_back(text::Scope{{"title", title}, {"pins", pins}});
    };
    if (config.control_port) add("registers: AXI4-Lite", kControlPins, "s_axi", 0);
    for (const std::string bank : {"dram0", "dram1"})
        add("memory bank " + bank, kPins, "m_axi_" + bank, derived.axi_bytes);
    return ports;
}

}  // namespace macrame::tcu
