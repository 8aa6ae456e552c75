#pragma once
/// Pins of the AXI4-Lite slave s_axi of a Verilated model, to and from what AxiLiteMaster sees.

#include "tb/common/ports.hpp"
#include "tb/common/register_bus.hpp"

namespace macrame::tb {

template <typename Top>
void sample_axi_lite(Top& top, AxiLitePins& pins) {
    pins.aw_ready = top.s_axi_awready != 0;
    pins.w_ready = top.s_axi_wready != 0;
    pins.b_valid = top.s_axi_bvalid != 0;
    pins.b_resp = top.s_axi_bresp;
    pins.ar_ready = top.s_axi_arready != 0;
    pins.r_valid = top.s_axi_rvalid != 0;
    pins.r_resp = top.s_axi_rresp;
    pins.r_data = top.s_axi_rdata;
}

template <typename Top>
void drive_axi_lite(Top& top, const AxiLitePins& pins) {
    top.s_axi_awvalid = pins.aw_valid;
    put_number(top.s_axi_awaddr, pins.aw_addr);
    top.s_axi_awprot = 0;
    top.s_axi_wvalid = pins.w_valid;
    put_number(top.s_axi_wdata, pins.w_data);
    put_number(top.s_axi_wstrb, pins.w_strb);
    top.s_axi_bready = pins.b_ready;
    top.s_axi_arvalid = pins.ar_valid;
    put_number(top.s_axi_araddr, pins.ar_addr);
    top.s_axi_arprot = 0;
    top.s_axi_rready = pins.r_ready;
}

}  // namespace macrame::tb
