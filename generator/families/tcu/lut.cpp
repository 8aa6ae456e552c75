#include "families/tcu/units.hpp"
#include "verif/tcu/isa/layout.hpp"

namespace macrame::tcu {

text::Scope simd_scope(const Config& c, const Derived&) {
    return {{"lut_index_w", c.lut_tables > 0 ? clog2(c.lut_depth) : 0}};
}

}  // namespace macrame::tcu
