#pragma once
/// The files that bring a design onto a board.

#include <cstdint>
#include <string>

#include "core/design.hpp"
#include "core/diag.hpp"
#include "emit/assets.hpp"
#include "emit/output_set.hpp"
#include "fpga/board.hpp"

namespace macrame::fpga {

/// What may be chosen; 0: as the board has it.
struct ProjectOptions {
    int core_mhz = 0;
};

/// The design as it goes onto the board: beside a processor with the buses of that.
Design on_board(const Design& design, const Board& board);

/// Why the design does not go onto the board, with all reasons; none if it does.
Diags refusal(const Design& design, const Board& board, const ProjectOptions& options);

/// All files of the project: the design, the system around it, constraints, build files.
emit::OutputSet project(const Design& design, const Board& board, const ProjectOptions& options,
                        const emit::Assets& assets, Diags& diags);

/// What stands for a board where the processor is a part of the design: a system on chip.
const Board& soc();

/// All files of the system around the design, which on_board() has prepared; the network
/// is not among them.
emit::OutputSet soc_project(const Design& design, const emit::Assets& assets, Diags& diags);

/// Tells configurations apart, for host and board: a checksum of the family and all sizes.
std::uint32_t design_id(const Design& design);

}  // namespace macrame::fpga
