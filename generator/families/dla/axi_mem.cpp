#include <algorithm>

#include "families/dla/system.hpp"
#include "families/dla/units.hpp"

namespace macrame::dla {

text::Scope memory_bus_scope(const Config& config, const Derived& derived) {
    const bool axi3 = config.memory_bus == "axi3";
    return {
        {"bus_title", axi3 ? "AXI3" : "AXI4"},
        {"bus_burst", std::max(derived.max_burst, derived.secondary_max_burst)},
        {"len_w", axi3 ? 4 : 8},
        {"len_slice", axi3 ? "[3:0]" : ""},
        {"axi_bits", 8 * derived.axi_bytes},
        {"lock_w", axi3 ? 2 : 1},
        {"lock_range", axi3 ? "[1:0]" : ""},
    };
}

const Unit& axi_mem_unit() {
    static const Unit unit{
        "axi_mem",
        "memory bus: AXI master behind a memory port of the core, tells of errors",
        [](const Config& c) { return c.memory_bus != "native"; },
        {"dla_axi_mem.v", "dla_axi_mem_rd.v", "dla_axi_mem_wr.v", "dla_axi_mem_gather.v",
         "dla_axi_mem_split.v"},
        {"fifo_sync"},
        {},
        memory_bus_scope,
        {{[](const Config& c) { return c.memory_bus != "native" && c.bus_clock == "own"; },
          {"dla_axi_mem_cross.v"}}},
    };
    return unit;
}

}  // namespace macrame::dla
