#pragma once
/// How the registers of a unit are written down.

#include <cassert>
#include <cstdint>
#include <utility>
#include <vector>

#include "compiler/dla/registers.hpp"

namespace macrame::dla::compiler {

inline std::uint32_t bits(int value) { return static_cast<std::uint32_t>(value); }
inline std::uint32_t minus1(int value) { return static_cast<std::uint32_t>(value - 1); }
/// A value of 16 bits in a register.
inline std::uint32_t half(int value) { return bits(value) & 0xFFFFu; }

/// Collects the writes of a unit.
class Writes {
public:
    explicit Writes(Unit unit) { made_.unit = unit; }

    template <class Register>
    void put(const Register& value) {
        made_.registers.push_back({program::Code::write, Register::kAddress, value.raw, 0});
    }
    /// An address in the block, in its two registers.
    template <class High, class Low>
    void put_address(const Place& place) {
        assert(place.buffer == Place::kPlaced);
        const auto low = static_cast<std::uint32_t>(place.offset);
        const auto high = static_cast<std::uint32_t>(place.offset >> 32);
        made_.registers.push_back({program::Code::write_high, High::kAddress, low, high});
        made_.registers.push_back({program::Code::write_low, Low::kAddress, low, high});
    }
    UnitProgram take() { return std::move(made_); }

private:
    UnitProgram made_;
};

/// Everything lies in the memory of the primary port.
constexpr std::uint32_t kPrimary = 1;

/// CDP and its read DMA, as a table.
std::vector<UnitProgram> cdp_programs(const CdpLayer& layer);
UnitProgram row_program(const RowLayer& layer);

}  // namespace macrame::dla::compiler
