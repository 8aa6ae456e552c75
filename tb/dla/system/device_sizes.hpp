#pragma once
/// The sizes of this design for the golden model and the testbench, from its header of sizes.

#include "dla_params.hpp"
#include "verif/dla/model/sizes.hpp"

namespace macrame::tb {

inline dla::model::DeviceSizes device_sizes() {
    namespace p = dla_params;
    dla::model::DeviceSizes out;
    out.cfgrom_derived = p::cfgrom_derived;
    out.atomic_c = p::atomic_c;
    out.atomic_k = p::atomic_k;
    out.atom_bytes = p::atom_bytes;
    out.cbuf_banks = p::cbuf_banks;
    out.entry_bytes = p::entry_bytes;
    out.cbuf_depth = p::cbuf_depth;
    out.bus_bytes = p::bus_bytes;
    out.memif_latency = p::primary_memif_latency;
    out.max_burst = p::max_burst;
    out.addr_w = p::addr_w;
    out.sdp_lut = p::sdp_lut_enable;
    out.sdp_bs = p::sdp_bs_enable;
    out.sdp_bn = p::sdp_bn_enable;
    out.sdp_ew = p::sdp_ew_enable;
    out.sdp_bs_throughput = p::sdp_bs_throughput;
    out.sdp_bn_throughput = p::sdp_bn_throughput;
    out.sdp_ew_throughput = p::sdp_ew_throughput;
    out.pdp_throughput = p::pdp_throughput;
    out.cdp_throughput = p::cdp_throughput;
    out.image = p::image_enable;
    out.pdp = p::pdp_enable;
    out.cdp = p::cdp_enable;
    out.secondary = p::secondary_memif_enable;
    out.secondary_bus_bytes = p::secondary_bus_bytes;
    out.secondary_latency = p::secondary_memif_latency;
    out.secondary_max_burst = p::secondary_max_burst;
    return out;
}

}  // namespace macrame::tb
