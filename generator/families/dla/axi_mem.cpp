#include <algorithm>

#include "families/dla/system.hpp"
#include "families/dla/units.hpp"

namespace macrame::dla {

text::Scope memory_bus_scope(const Config&, const Derived& derived) {
    return {
        {"bus_burst", std::max(derived.max_burst, derived.secondary_max_burst)},
        {"axi_bits", 8 * derived.axi_bytes},
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
