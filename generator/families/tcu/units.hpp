#pragma once
/// What rows of the unit table need beyond parameters and derived sizes, a file per unit.

#include "core/wiring.hpp"
#include "families/tcu/derived.hpp"
#include "text/value.hpp"

namespace macrame::tcu {

text::Scope fetch_scope(const Config& config, const Derived& derived);
text::Scope decode_scope(const Config& config, const Derived& derived);
text::Scope validate_scope(const Config& config, const Derived& derived);
/// acc and its lookup tables.
text::Scope simd_scope(const Config& config, const Derived& derived);
/// The links between the units.
Wiring top_wiring(const Config& config, const Derived& derived);

}  // namespace macrame::tcu
