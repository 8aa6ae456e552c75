#include <fmt/format.h>

#include <string>

#include "families/dla/axi_pins.hpp"
#include "families/dla/system.hpp"
#include "families/dla/units.hpp"

namespace macrame::dla {
namespace {

text::Scope axi_scope(const Config& config, const Derived& derived) {
    const bool native = config.memory_bus == "native";
    const bool own = config.bus_clock == "own";
    text::List ports;
    const bool axi_lite = config.control_bus == "axi4-lite", apb = config.control_bus == "apb4";
    std::string busifs = axi_lite ? "s_axi" : apb ? "s_apb" : "";
    const auto add = [&](std::string_view name, std::string_view title, std::string_view core,
                         std::string_view axi, int width, int axi_bytes, int notes) {
        const PortWidths bus_widths{derived.addr_w, 8 * axi_bytes};
        const text::List of_core = core_pins(config, core, {derived.addr_w, width});
        ports.emplace_back(
            text::Scope{{"name", name},
                        {"title", title},
                        {"axi", axi},
                        {"clock", native && own ? "core_clk" : "aclk"},
                        {"bus_bits", width},
                        {"axi_bits", bus_widths.data},
                        {"notes", notes},
                        {"core_pins", of_core},
                        {"pins", native ? of_core : axi_pins(config, axi, bus_widths)}});
        if (!native) busifs += fmt::format("{}{}", busifs.empty() ? "" : ":", axi);
    };
    add("pri", "memory", "dbb", "m_axi", derived.bus_bits, derived.axi_bytes, derived.bus_notes);
    if (config.secondary_memif_enable) {
        add("sec", "second memory", "cvsram", "m_axi_sec", config.secondary_memif_width,
            derived.secondary_axi_bytes, derived.secondary_bus_notes);
    }
    text::Scope scope = memory_bus_scope(config, derived);
    scope.merge(
        {{"memory_ports", ports}, {"bridges", native ? text::List() : ports}, {"busifs", busifs}});
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
