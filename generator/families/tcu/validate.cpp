#include <algorithm>

#include "families/tcu/units.hpp"

namespace macrame::tcu {

text::Scope validate_scope(const Config&, const Derived& d) {
    // Operands as wide as the last address.
    const int end = 1 + std::max({d.op0_w, d.op1_w, d.op2_w});
    return {{"end_w", end}};
}

}  // namespace macrame::tcu
