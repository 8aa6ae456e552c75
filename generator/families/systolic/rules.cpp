#include <fmt/format.h>

#include "families/systolic/registers.hpp"
#include "families/systolic/tables.hpp"

namespace macrame::systolic {

namespace {

bool is_power_of_two(int value) { return value > 0 && (value & (value - 1)) == 0; }

}  // namespace

const std::vector<Rule>& rules() {
    using C = const Config&;
    static const std::vector<Rule> kRules = {
        {"out_width", "in_width", [](C c) { return c.out_width >= c.in_width; },
         [](C c) { return fmt::format("at least in-width ({})", c.in_width); }},
        {"out_width", "weight_width", [](C c) { return c.out_width >= c.weight_width; },
         [](C c) { return fmt::format("at least weight-width ({})", c.weight_width); }},
        {"wbuf_entries", "rows", [](C c) { return c.wbuf_entries >= c.rows; },
         [](C c) { return fmt::format("at least rows ({}): the weights of a tap", c.rows); }},
        {"ibuf_entries", "", [](C c) { return is_power_of_two(c.ibuf_entries); },
         [](C) { return std::string("a power of two: addresses wrap there"); }},
        {"wbuf_entries", "", [](C c) { return is_power_of_two(c.wbuf_entries); },
         [](C) { return std::string("a power of two"); }},
        {"obuf_entries", "", [](C c) { return is_power_of_two(c.obuf_entries); },
         [](C) { return std::string("a power of two"); }},
        {"config_address", "", [](C c) { return c.config_address % kControlBytes == 0; },
         [](C) {
             return fmt::format("a multiple of {}, the size of the registers", kControlBytes);
         }},
        {"obuf_entries", "", [](C c) { return c.obuf_entries >= 4; },
         [](C) { return std::string("at least 4: OBUF1 and OBUF2 have half of them each"); }},
        {"requantise", "out_width",
         [](C c) { return c.requantise == kNoScales || c.out_width == 32; },
         [](C) { return std::string("false, or out-width 32: words of parameters have 32 bits"); }},
    };
    return kRules;
}

const std::vector<DerivedDefault>& derived_defaults() {
    static const std::vector<DerivedDefault> kDerivedDefaults = {
        {"requantise", "out_width",
         [](const Config& c) -> ParamValue {
             return std::string(c.out_width == 32 ? kExactScales : kNoScales);
         }},
    };
    return kDerivedDefaults;
}

}  // namespace macrame::systolic
