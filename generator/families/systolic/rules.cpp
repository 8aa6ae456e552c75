#include <fmt/format.h>

#include "families/systolic/tables.hpp"

namespace macrame::systolic {

const std::vector<Rule>& rules() {
    using C = const Config&;
    static const std::vector<Rule> kRules = {
        {"obuf_entries", "", [](C c) { return c.obuf_entries % 2 == 0; },
         [](C) { return std::string("an even number: OBUF1 and OBUF2 have half of them each"); }},
        {"out_width", "in_width", [](C c) { return c.out_width >= c.in_width; },
         [](C c) { return fmt::format("at least in-width ({})", c.in_width); }},
        {"wbuf_entries", "rows", [](C c) { return c.wbuf_entries >= c.rows; },
         [](C c) { return fmt::format("at least rows ({}): the weights of a tap", c.rows); }},
    };
    return kRules;
}

}  // namespace macrame::systolic
