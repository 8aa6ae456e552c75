#pragma once
/// A case for each address whose end is beyond the last one.

#include "layer_cases.hpp"
#include "layer_cases_movers.hpp"
#include "layer_cases_types16.hpp"

namespace macrame::dla::layer_cases {

inline Cases end_cases() {
    Cases out;
    const auto add = [&](LayerRegisters (*base)(), const std::string& reg, std::uint32_t value,
                         int bytes) {
        add_each(out, base, "address-width", {reg}, value,
                 "all " + std::to_string(bytes) +
                     " bytes below the end of addresses of 32 bits  (NVDLA memory formats)");
    };
    // Away from address 0, where the results go on.
    const auto from = [&](const char* source) { out.back().change.push_back({source, kResults}); };
    add(conv_layer, "CDMA.D_DAIN_ADDR_LOW_0", 0xffffffe8, 480);
    add(planes_layer, "CDMA.D_DAIN_ADDR_LOW_1", 0xffffffe8, 140);
    add(conv_layer, "CDMA.D_WEIGHT_ADDR_LOW", 0xffffffe8, 1792);
    add(offline_layer, "SDP.D_DST_BASE_ADDR_LOW", 0xffffffe8, 320);
    add(offline_layer, "SDP_RDMA.D_SRC_BASE_ADDR_LOW", 0xffffffe8, 320);
    add(offline_layer, "SDP_RDMA.D_BS_BASE_ADDR_LOW", 0xffffffe8, 320);
    add(offline_layer, "SDP_RDMA.D_BN_BASE_ADDR_LOW", 0xffffffe8, 320);
    add(offline_layer, "SDP_RDMA.D_EW_BASE_ADDR_LOW", 0xffffffe8, 320);
    add(pdp_layer, "PDP.D_DST_BASE_ADDR_LOW", 0xffffffe8, 256);
    add(pdp_layer, "PDP_RDMA.D_SRC_BASE_ADDR_LOW", 0xffffffe8, 1296);
    add(cdp_layer, "CDP.D_DST_BASE_ADDR_LOW", 0xffffffe8, 256);
    from("CDP_RDMA.D_SRC_BASE_ADDR_LOW");
    add(cdp_layer, "CDP_RDMA.D_SRC_BASE_ADDR_LOW", 0xffffffe8, 256);
    add(contract_layer, "RUBIK.D_DAIN_ADDR_LOW", 0xffffffe0, 3048);
    add(contract_layer, "RUBIK.D_DAOUT_ADDR_LOW", 0xffffffe0, 2288);
    from("RUBIK.D_DAIN_ADDR_LOW");
    add(split_layer, "RUBIK.D_DAOUT_ADDR_LOW", 0xffffffe0, 1512);
    from("RUBIK.D_DAIN_ADDR_LOW");
    add(merge_layer, "RUBIK.D_DAIN_ADDR_LOW", 0xffffffe0, 1512);
    add(copy_layer, "BDMA.CFG_SRC_ADDR_LOW", 0xffffffe0, 384);
    add(copy_layer, "BDMA.CFG_DST_ADDR_LOW", 0xffffffe0, 544);
    from("BDMA.CFG_SRC_ADDR_LOW");
    add(compressed_layer, "CDMA.D_WMB_ADDR_LOW", 0xffffffe8, 256);
    out.back().setting = [](Architecture& s, KeptInBuffer&) { add_types16(s); };
    return out;
}

}  // namespace macrame::dla::layer_cases
