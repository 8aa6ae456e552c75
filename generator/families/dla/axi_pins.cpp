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

text::Scope row(const Pin& pin, int bits) {
    return {{"name", pin.name}, {"is_output", pin.is_output}, {"bits", bits}};
}

}  // namespace

text::List core_pins(const Config& config, std::string_view core, PortWidths widths) {
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
        const std::string net = fmt::format("nvdla_core2{}_{}_{}", core, channel, pin.name);
        scope.merge({{"net", net},
                     {"pin", net},
                     {"first", false},
                     {"last", &pin == &kPins.back()},
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
                     {"signal", signal},
                     {"first", list.empty()},
                     {"doc", pin.doc}});
        list.emplace_back(scope);
    }
    return list;
}

}  // namespace macrame::dla
