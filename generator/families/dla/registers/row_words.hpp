#pragma once
/// Short words for the rows of the register tables, and the registers that all grouped units share.

#include "registers.hpp"

namespace macrame::dla::rows {

using regs::Field;
using regs::Register;
using regs::RegisterMap;

inline constexpr auto rw = regs::Access::rw;
inline constexpr auto ro = regs::Access::ro;
inline constexpr auto wo = regs::Access::wo;
inline constexpr auto w1c = regs::Access::w1c;

inline constexpr auto plain = regs::Hw::plain;
inline constexpr auto status = regs::Hw::status;
inline constexpr auto counter = regs::Hw::counter;
inline constexpr auto constant = regs::Hw::constant;
inline constexpr auto cleared_by_hw = regs::Hw::cleared_by_hw;
inline constexpr auto trigger = regs::Hw::trigger;
inline constexpr auto trigger_readback = regs::Hw::trigger_readback;

inline constexpr auto single = regs::Kind::single;
inline constexpr auto pingpong = regs::Kind::pingpong;
inline constexpr auto queue = regs::Kind::queue;

/// Bit range in the map of the first design.
inline std::vector<regs::FieldVariant> v1_bits(int msb, int lsb) { return {{kV1, msb, lsb, {}}}; }
/// Reset value there.
inline std::vector<regs::FieldVariant> v1_reset(std::uint32_t reset) {
    return {{kV1, {}, {}, reset}};
}
/// Page there.
inline std::vector<regs::BaseVariant> v1_base(std::uint32_t base) { return {{kV1, base}}; }

/// State of the two register groups, offset 0 of every grouped unit.
Register s_status();
/// Group pointers, offset 4 of every grouped unit.
Register s_pointer();
/// First register that exists once per group.
Register d_op_enable(std::uint32_t offset);
/// A register that is one 32-bit counter.
Register counter_word(std::string_view name, std::uint32_t offset, std::string_view field,
                      std::string_view doc);

}  // namespace macrame::dla::rows
