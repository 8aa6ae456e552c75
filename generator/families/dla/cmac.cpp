#include "families/dla/units.hpp"

namespace macrame::dla {

const Unit& cmac_unit() {
    static const Unit unit{
        "cmac",
        "one half of the MAC array: signed 8 x 8 products summed over the channel lanes",
        nullptr,
        {"dla_cmac.v", "dla_cmac_pair.v", "dla_cmac_dot.v"},
        {"clkgate", "reg_copy"},
        {{"cmac", {}, {}, {}, "cmac_a"}},  // both halves have one register file
        nullptr,
        {{[](const Config& c) { return c.retiming_enable; }, {"dla_cmac_retimed.v"}}},
        {"cmac_a", "cmac_b"},
    };
    return unit;
}

}  // namespace macrame::dla
