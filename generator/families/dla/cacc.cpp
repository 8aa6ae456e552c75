#include "families/dla/units.hpp"

namespace macrame::dla {

const Unit& cacc_unit() {
    static const Unit unit{
        "cacc",
        "accumulates partial sums per output position, rounds them and hands them to SDP",
        nullptr,
        {"dla_cacc.v", "dla_cacc_round.v"},
        {"sram_dist_1r1w", "fifo_sync", "clkgate", "reg_copy"},
        {{"cacc", {"D_CLIP_CFG.CLIP_TRUNCATE"}, {"D_OUT_SATURATION.SAT_COUNT"}, {}}},
        nullptr,
    };
    return unit;
}

}  // namespace macrame::dla
