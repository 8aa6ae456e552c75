#pragma once
/// Boards with an FPGA. Each is a file, fpga/boards/<name>/board.toml or of a folder of the user;
/// nothing else knows one.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/diag.hpp"
#include "emit/assets.hpp"

namespace macrame::fpga {

/// A port of the top and where it is on the FPGA.
struct Pin {
    std::string port;
    std::vector<std::string> sites;  ///< one per bit, bit 0 first
    std::string io;                  ///< standard and attributes: "LVCMOS33 DRIVE=4"
};

struct Board {
    std::string name;
    std::string doc;   ///< one line
    std::string note;  ///< what a user has to know before; may be empty
    std::string flow;  ///< tools: ecp5, vivado, ice40
    std::string device, package, speed;
    std::string part;        ///< as the tools want it
    std::string board_part;  ///< pattern of the board's files in Vivado; may be empty
    std::string load;        ///< program and option that load a bitstream; may be empty
    std::string memory;      ///< block: RAM of the FPGA; sdram; ps7, ps8: the
                             ///< processor's; soc: of a system that is not a board
    int memory_kib = 0;
    int memory_bytes_per_cycle = 0;  ///< most that it moves in a cycle of the core; 0: the port's
    int clock_mhz = 0;               ///< of the pin, 0: the processor makes the clock
    int core_mhz = 0;                ///< clock of the accelerator, if nothing else is asked for
    int luts = 0, dsps = 0, brams = 0;  ///< of the FPGA
    int baud = 0;                       ///< of the UART to the host; 0: none
    int reset_level = 0;                ///< of the reset button when it is pressed
    int led_level = 1;                  ///< of LEDs that are lit
    std::vector<Pin> pins;

    bool is_soc() const { return memory == "soc"; }
    bool has_processor() const { return memory == "ps7" || memory == "ps8" || is_soc(); }
    /// LEDs that its top has.
    int leds() const;
    /// Block RAMs that its memory takes.
    int memory_brams() const;
};

/// All boards, sorted by name: ours and those of `folder`, <name>/board.toml, which take the place
/// of ours of the same name; an empty `folder`: ours. A mistake of a file or of the folder becomes
/// a diagnostic.
std::vector<Board> boards(const emit::Assets& assets, Diags& diags, const std::string& folder = "");

/// The board of this name.
std::optional<Board> find_board(const std::string& name, const std::string& folder,
                                const emit::Assets& assets, Diags& diags);

/// What does not go together in a board; `place` stands in front of it: the file.
Diags check(const Board& board, const std::string& place);

}  // namespace macrame::fpga
