#include <fmt/format.h>

#include <string>

#include "families/dla/axi_pins.hpp"
#include "families/dla/system.hpp"
#include "families/dla/units.hpp"

namespace macrame::dla {
namespace {

/// Concatenation of an error signal of all ports, the first in the low bits.
std::string joined(const Config& config, std::string_view signal) {
    if (!config.secondary_memif_enable) return fmt::format("pri_{}", signal);
    return fmt::format("{{sec_{0}, pri_{0}}}", signal);
}

text::Scope axi_scope(const Config& config, const Derived& derived) {
    text::List ports;
    std::string busifs = config.control_bus == "axi4-lite" ? "s_axi"
                         : config.control_bus == "apb4"    ? "s_apb"
                                                           : "";
    const auto add = [&](std::string_view name, std::string_view title, std::string_view core,
                         std::string_view axi, int width, int axi_bytes, int notes) {
        const int axi_bits = 8 * axi_bytes;
        ports.emplace_back(
            text::Scope{{"name", name},
                        {"title", title},
                        {"axi", axi},
                        {"bus_bits", width},
                        {"axi_bits", axi_bits},
                        {"notes", notes},
                        {"core_pins", core_pins(core, {derived.addr_w, width})},
                        {"axi_pins", axi_pins(config, {derived.addr_w, axi_bits})}});
        if (config.memory_bus != "native") busifs += fmt::format("{}{}", busifs.empty() ? "" : ":", axi);
    };
    add("pri", "memory", "dbb", "m_axi", derived.bus_bits, derived.axi_bytes, derived.bus_notes);
    if (config.secondary_memif_enable) {
        add("sec", "second memory", "cvsram", "m_axi_sec", config.secondary_memif_width,
            derived.secondary_axi_bytes, derived.secondary_bus_notes);
    }
    text::Scope scope = memory_bus_scope(config, derived);
    scope.merge({{"memory_ports", ports},
                 {"busifs", busifs},
                 {"errors", joined(config, "error")},
                 {"error_decodes", joined(config, "error_decode")},
                 {"error_clients", joined(config, "error_client")},
                 {"error_addrs", joined(config, "error_addr")}});
    return scope;
}

}  // namespace

const Unit& axi_unit() {
    static const Unit unit{
        "axi",
        "system top: the core between bridges to standard buses",
        [](const Config& c) { return has_system_top(c); },
        {"dla_axi.v"},
        {"reset_sync"},
        {},
        axi_scope,
    };
    return unit;
}

}  // namespace macrame::dla
