#include "families/dla/memif.hpp"
#include "families/dla/units.hpp"

namespace macrame::dla {
namespace {

text::Scope cvif_scope(const Config& config, const Derived& derived) {
    return memif_scope(config, derived,
                       {"cvif", "CVIF", "cvsram", config.secondary_memif_width,
                        config.secondary_memif_latency, config.secondary_memif_max_burst_length});
}

}  // namespace

const Unit& cvif_unit() {
    static const Unit unit{
        "cvif",
        "second memory interface, and the switches that send a client to either",
        [](const Config& c) { return c.secondary_memif_enable; },
        {"dla_cvif.v", "dla_cvif_rd.v", "dla_cvif_wr.v", "dla_route_rd.v", "dla_route_wr.v"},
        {"arb_wrr", "fifo_reg", "fifo_sync", "reg_copy", "skid_buffer", "sram_dist_1r1w"},
        {memif_registers("cvif")},
        cvif_scope,
        memif_options(&Config::secondary_memif_width, "dla_cvif_atoms.v", "dla_cvif_pairs.v"),
        {},
        Place::memory,
    };
    return unit;
}

}  // namespace macrame::dla
