#include "families/dla/system.hpp"
#include "families/dla/units.hpp"

namespace macrame::dla {

const Unit& apb_unit() {
    static const Unit unit{
        "apb",
        "control bus: APB4 slave in front of the CSB",
        [](const Config& c) { return c.control_bus == "apb4"; },
        {"dla_apb.v"},
        {},
        {},
        control_scope,
    };
    return unit;
}

}  // namespace macrame::dla
