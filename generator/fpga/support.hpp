#pragma once
/// What a family brings to boards. Its templates are in templates/<family>/fpga/: the system that
/// stands behind the pins of a board.

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/design.hpp"
#include "fpga/board.hpp"
#include "verif/common/run/options.hpp"

namespace macrame::fpga {

class BoardLink;

/// Of an FPGA, or what a design needs of one: LUTs (of 4 inputs on ECP5 and iCE40, with those of
/// carry chains and LUT RAM, of 6 inputs else), multipliers, block RAMs (18 kbit on ECP5, 4 kbit on
/// iCE40, 36 kbit else). Without what is around the accelerator.
struct Resources {
    int luts = 0;
    int dsps = 0;
    int brams = 0;
};

/// A design that stands beside a processor. Of kind "processor" its top has an AXI4-Lite slave
/// s_axi, an AXI master m_axi, aclk, aresetn; of kind "stream" an AXI stream of instructions, AXI
/// masters m_axi_dram0 and m_axi_dram1, an AXI4-Lite slave s_axi, clock, reset (active low).
struct ProcessorPort {
    std::string_view interrupt;  ///< its pin
    int register_kib = 0;        ///< range of s_axi, and in front of it of what brings instructions
    int memory_bits = 0;         ///< of the masters
    std::string_view kind = "processor";
    int reset = -1;  ///< address of the register whose write resets the accelerator; -1: none
};

struct BoardSupport {
    /// Measured for published presets, estimated for others.
    Resources (*need)(const Design&, const Board&);
    /// Parameters that no system of the family for this board can serve: what is found, what is
    /// wanted.
    std::vector<std::string> (*objections)(const Design&, const Board&);
    /// The configuration with the parameters that a board with a processor needs, and its port.
    AnyConfig (*beside_processor)(const Design&, const Board&);
    ProcessorPort (*processor_port)(const Design&);
    /// Plays programs on the accelerator behind the link. Returns the exit status.
    int (*play)(const Design&, const verif::run::Options&, BoardLink&);
    /// Options of its simulations that play() knows beside those of all families.
    std::vector<std::string_view> options;
    /// How nextpnr places and routes designs of the family for ECP5, with a space in front.
    std::string_view nextpnr_options = {};
    /// Endings of the files of a program that the firmware of a system on chip takes
    /// (templates/<family>/soc/); none: there is no system of the family.
    std::vector<std::string_view> firmware_files = {};
};

}  // namespace macrame::fpga
