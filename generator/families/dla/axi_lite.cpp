#include "families/dla/system.hpp"
#include "families/dla/units.hpp"

namespace macrame::dla {

const Unit& axi_lite_unit() {
    static const Unit unit{
        "axi_lite",
        "control bus: AXI4-Lite slave in front of the CSB",
        [](const Config& c) { return c.control_bus == "axi4-lite"; },
        {"dla_axi_lite.v"},
        {},
        {},
        control_scope,
    };
    return unit;
}

}  // namespace macrame::dla
