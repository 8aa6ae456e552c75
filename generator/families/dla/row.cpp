#include <algorithm>

#include "families/dla/units.hpp"

namespace macrame::dla {
namespace {

constexpr int kRecordBytes = 8;  ///< of an operand
constexpr int kDifferences = 256;
constexpr int kStages = 14;  ///< from a beat of the last pass to its results

text::Scope row_scope(const Config& config, const Derived& derived) {
    const int lanes = config.row_throughput;
    const int beats = derived.atom_bytes / lanes;
    return {
        {"atom_lsb", clog2(derived.atom_bytes)},
        {"row_lanes", lanes},
        {"row_lane_w", clog2(lanes)},
        {"row_beats", beats},
        {"row_record_w", clog2(derived.atom_bytes / kRecordBytes)},  // records of an atom
        {"row_fifo_depth", channel_depth(config, lanes, 16)},
        // The row that waits for what is computed of it, and as many beats of the next ones.
        {"row_queue_depth", std::max(kDifferences, 2 * config.row_length / lanes)},
        {"row_table_depth", std::max(kDifferences, config.row_length / lanes)},
        {"row_stages", kStages},
        // Atoms on their way through the last pass, the FIFO and back.
        {"row_out_depth", (kStages + 4 + beats - 1) / beats + 2},
    };
}

}  // namespace

const Unit& row_unit() {
    static const Unit unit{
        "row",
        "softmax, layer norm and RMS norm over channels",
        [](const Config& config) { return config.row_enable; },
        {"dla_row.v", "dla_row_walk.v", "dla_row_read.v", "dla_row_queue.v", "dla_row_max.v",
         "dla_row_sum.v", "dla_row_solve.v", "dla_row_scale.v", "dla_row_lane.v"},
        {"clkgate", "fifo_sync", "mult_pipe", "sram_1r1w"},
        {{"row",
          {"D_MISC_CFG.ROW_MODE", "D_MISC_CFG.OPERAND_KEEP", "D_DATA_CUBE_WIDTH.WIDTH",
           "D_DATA_CUBE_HEIGHT.HEIGHT", "D_DATA_CUBE_CHANNEL.CHANNEL",
           "D_SRC_BASE_ADDR_LOW.SRC_BASE_ADDR_LOW", "D_SRC_BASE_ADDR_HIGH.SRC_BASE_ADDR_HIGH",
           "D_SRC_LINE_STRIDE.SRC_LINE_STRIDE", "D_SRC_SURFACE_STRIDE.SRC_SURFACE_STRIDE",
           "D_OPERAND_ADDR_LOW.OPERAND_ADDR_LOW", "D_OPERAND_ADDR_HIGH.OPERAND_ADDR_HIGH",
           "D_DST_BASE_ADDR_LOW.DST_BASE_ADDR_LOW", "D_DST_BASE_ADDR_HIGH.DST_BASE_ADDR_HIGH",
           "D_DST_LINE_STRIDE.DST_LINE_STRIDE", "D_DST_SURFACE_STRIDE.DST_SURFACE_STRIDE",
           "D_DATIN_OFFSET.DATIN_OFFSET", "D_DATOUT_OFFSET.DATOUT_OFFSET",
           "D_DATOUT_SHIFTER.DATOUT_SHIFTER", "D_EPSILON.EPSILON", "D_PERF_ENABLE.DMA_EN"},
          {"D_PERF_READ_STALL.PERF_READ_STALL", "D_PERF_WRITE_STALL.PERF_WRITE_STALL"},
          {}}},
        row_scope,
    };
    return unit;
}

}  // namespace macrame::dla
