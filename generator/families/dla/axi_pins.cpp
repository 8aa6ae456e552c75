#include "families/dla/axi_pins.hpp"

#include <fmt/format.h>

#include <cctype>
#include <string>
#include <vector>

#include "families/dla/system.hpp"

namespace macrame::dla {
namespace {

constexpr int kAddr = -1, kData = -2, kStrobes = -3, kLength = -4, kLock = -5;
constexpr bool kOut = true, kIn = false;

struct Pin {
    std::string_view name;
    bool is_output;
    int bits = 1;  ///< or one of the above
    std::string_view doc = "";
};

int bits_of(const Pin& pin, const Config& config, PortWidths widths) {
    const bool axi3 = config.memory_bus == "axi3";
    switch (pin.bits) {
        case kAddr: return widths.addr;
        case kData: return widths.data;
        case kStrobes: return widths.data / 8;
        case kLength: return axi3 ? 4 : 8;
        case kLock: return axi3 ? 2 : 1;
        default: return pin.bits;
    }
}

/// `column` is the name in connections: longer than each, so that they stand below each other.
text::Scope row(const Pin& pin, int bits) {
    const std::string range = bits == 1 ? "" : fmt::format("[{}:0]", bits - 1);
    const std::string port = fmt::format("{} wire {}", pin.is_output ? "output" : "input ", range);
    return {{"name", pin.name},
            {"column", fmt::format("{:<8}", pin.name)},
            {"range", fmt::format("{:<7}", range)},
            {"port", fmt::format("{:<19}", port)}};
}

}  // namespace

text::List core_pins(const Config& config, std::string_view core, std::string_view name,
                     PortWidths widths) {
    static const std::vector<Pin> kPins = {
        {"awvalid", kOut}, {"awready", kIn},       {"awid", kOut, 8},  {"awlen", kOut, 4},
        {"awaddr", kOut, kAddr}, {"wvalid", kOut}, {"wready", kIn},    {"wdata", kOut, kData},
        {"wstrb", kOut, kStrobes}, {"wlast", kOut}, {"bvalid", kIn},   {"bready", kOut},
        {"bid", kIn, 8},   {"arvalid", kOut},      {"arready", kIn},   {"arid", kOut, 8},
        {"arlen", kOut, 4}, {"araddr", kOut, kAddr}, {"rvalid", kIn},  {"rready", kOut},
        {"rid", kIn, 8},   {"rlast", kIn},         {"rdata", kIn, kData},
    };
    text::List list;
    for (const Pin& pin : kPins) {
        text::Scope scope = row(pin, bits_of(pin, config, widths));
        const std::string_view channel = pin.name.substr(0, pin.name[0] == 'a' ? 2 : 1);
        const std::string wire = fmt::format("nvdla_core2{}_{}_{}", core, channel, pin.name);
        const bool crosses = config.bus_clock == "own";
        scope.merge({{"wire", wire},
                     {"bus_wire", crosses ? fmt::format("{}_{}", name, pin.name) : wire},
                     {"comma", &pin == &kPins.back() ? "" : ","},
                     {"pin", wire},
                     {"attribute", ""},
                     {"parameter", ""},
                     {"doc", ""}});
        list.emplace_back(scope);
    }
    return list;
}

text::List axi_pins(const Config& config, std::string_view axi, PortWidths widths) {
    static const std::vector<Pin> kPins = {
        {"awid", kOut, 1, "always 0"}, {"awaddr", kOut, kAddr},
        {"awlen", kOut, kLength, "beats - 1"}, {"awsize", kOut, 3}, {"awburst", kOut, 2, "INCR"},
        {"awlock", kOut, kLock}, {"awcache", kOut, 4}, {"awprot", kOut, 3}, {"awqos", kOut, 4},
        {"awvalid", kOut}, {"awready", kIn},
        {"wid", kOut, 1, "always 0"}, {"wdata", kOut, kData}, {"wstrb", kOut, kStrobes},
        {"wlast", kOut}, {"wvalid", kOut}, {"wready", kIn},
        {"bid", kIn}, {"bresp", kIn, 2}, {"bvalid", kIn}, {"bready", kOut},
        {"arid", kOut, 1, "always 0"}, {"araddr", kOut, kAddr},
        {"arlen", kOut, kLength, "beats - 1"}, {"arsize", kOut, 3}, {"arburst", kOut, 2, "INCR"},
        {"arlock", kOut, kLock}, {"arcache", kOut, 4}, {"arprot", kOut, 3}, {"arqos", kOut, 4},
        {"arvalid", kOut}, {"arready", kIn},
        {"rid", kIn}, {"rdata", kIn, kData}, {"rresp", kIn, 2}, {"rlast", kIn}, {"rvalid", kIn},
        {"rready", kOut},
    };
    const bool axi3 = config.memory_bus == "axi3";
    text::List list;
    for (const Pin& pin : kPins) {
        const bool only_axi4 = pin.name.substr(2) == "qos", only_axi3 = pin.name == "wid";
        if ((only_axi4 && axi3) || (only_axi3 && !axi3)) continue;
        std::string signal;
        for (const char c : pin.name)
            signal += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
        text::Scope scope = row(pin, bits_of(pin, config, widths));
        scope.merge({{"pin", fmt::format("{}_{}", axi, pin.name)},
                     {"attribute", fmt::format("(* X_INTERFACE_INFO = \"xilinx.com:interface:"
                                               "aximm:1.0 {} {}\" *)",
                                               axi, signal)},
                     {"parameter", list.empty() ? fmt::format("(* X_INTERFACE_PARAMETER = "
                                                              "\"PROTOCOL {}\" *)",
                                                              axi3 ? "AXI3" : "AXI4")
                                                : ""},
                     {"doc", pin.doc.empty() ? "" : fmt::format(" // {}", pin.doc)}});
        list.emplace_back(scope);
    }
    return list;
}

}  // namespace macrame::dla
