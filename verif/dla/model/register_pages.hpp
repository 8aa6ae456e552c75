#pragma once
/// Pages of the two register maps. Registers have the same offsets in both; tools and golden model
/// name them by the addresses of the map of the configurable designs, and only what meets a design
/// with the map of the first one ("v1") uses the other addresses.

#include <cstdint>
#include <string_view>

#include "dla_regs.hpp"

namespace macrame::dla::model {

inline constexpr std::uint32_t kPageMask = 0xFFF;
/// A page of the map of the configurable designs without a unit.
inline constexpr std::uint32_t kNoUnit = 0x12000;

inline constexpr std::string_view register_variant(bool v1_map) { return v1_map ? "v1" : ""; }

/// The address in map `to` of the register that is at `addr` in map `from` (their variants); in a
/// page that both leave empty if map `to` has no such unit.
inline std::uint32_t register_address(std::uint32_t addr, std::string_view from,
                                      std::string_view to) {
    const dla_regs::RegisterTable source = dla_regs::table(from);
    for (std::size_t i = 0; i < source.unit_count; ++i) {
        if (source.units[i].base != (addr & ~kPageMask)) continue;
        const dla_regs::UnitInfo* unit = dla_regs::table(to).unit(source.units[i].name);
        return (unit == nullptr ? kNoUnit : unit->base) + (addr & kPageMask);
    }
    return kNoUnit + (addr & kPageMask);
}

}  // namespace macrame::dla::model
