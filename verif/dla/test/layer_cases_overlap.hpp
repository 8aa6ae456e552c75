#pragma once
/// Layers that write over what they still read: a case for each unit that writes.

#include "verif/dla/test/layer_cases_movers.hpp"

namespace macrame::dla::layer_cases {

inline Cases overlap_cases() {
    Cases out;
    const auto add = [&](LayerRegisters (*base)(), const char* reg, std::uint32_t value) {
        add_each(out, base, "overlap", {reg}, value,
                 "results that replace nothing which the layer still reads  (order of memory "
                 "accesses)");
    };
    add(offline_layer, "SDP.D_DST_BASE_ADDR_LOW", 8);
    add(conv_layer, "SDP.D_DST_BASE_ADDR_LOW", 0);   // its weights
    add(pdp_layer, "PDP.D_DST_BASE_ADDR_LOW", 648);  // its second surface
    add(strip_layer, "PDP.D_DST_BASE_ADDR_LOW", 0);  // lines of its second strip
    add(sdp_pdp_layer, "PDP.D_DST_BASE_ADDR_LOW", 648);
    add(cdp_layer, "CDP.D_DST_BASE_ADDR_LOW", 8);
    add(contract_layer, "RUBIK.D_DAOUT_ADDR_LOW", 0);
    add(split_layer, "RUBIK.D_DAOUT_ADDR_LOW", 32);
    add(merge_layer, "RUBIK.D_DAOUT_ADDR_LOW", 0);
    add(copy_layer, "BDMA.CFG_DST_ADDR_LOW", 32);
    return out;
}

}  // namespace macrame::dla::layer_cases
