#pragma once
/// RegisterMap -> Verilog register file.

#include <string>
#include <string_view>

#include "core/unit.hpp"
#include "regs/register_map.hpp"

namespace macrame::regs {

/// The port by which software reaches a register file.
enum class Bus {
    native,     ///< reg_valid, reg_addr, reg_wdata, reg_write; data in the cycle after the request
    axi4_lite,  ///< 32 bits of data, one write and one read at a time
    apb4,       ///< no wait states
};

/// Text of `<module>.v`: every field that software writes is a flop, and reads come from the flops;
/// fields without a port that only hardware may change read as their reset value. AXI4-Lite and
/// APB write the bytes that are strobed and answer an address without a register with an error
/// (SLVERR; reads 0). The address is that within the map, as many bits as it takes.
/// Throws std::invalid_argument if `use` names something that does not exist, or if the map needs
/// what these register files do not have: register groups, w1c fields, values of triggers.
std::string to_verilog(const RegisterMap& map, const RegUse& use, Bus bus, std::string_view module);

}  // namespace macrame::regs
