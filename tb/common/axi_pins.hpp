#pragma once
/// Pins of a full AXI port of a Verilated model, to and from what AxiMemory sees: functions for the
/// channels of reads and those of writes, overloaded by a type that stands for the port.
///
///     struct Load {};
///     MACRAME_AXI_READS(Load, m_axi_load_)  // sample_reads(top, pins, Load{}), drive_reads(...)

#include <cstdint>

#include "tb/common/ports.hpp"
#include "verif/common/axi_memory.hpp"

namespace macrame::tb {

using verif::AxiPins;

/// `PORT`: the type; `P` begins the names of the pins.
#define MACRAME_AXI_READS(PORT, P)                                         \
    template <typename Top>                                                \
    void sample_reads(const Top& top, AxiPins& pins, PORT) {               \
        pins.full = true;                                                  \
        pins.ar_valid = top.P##arvalid != 0;                               \
        pins.r_ready = top.P##rready != 0;                                 \
        if (!pins.ar_valid) return;                                        \
        pins.ar_id = top.P##arid;                                          \
        pins.ar_len = top.P##arlen;                                        \
        pins.ar_addr = top.P##araddr;                                      \
        pins.ar = {top.P##arsize,  top.P##arburst, top.P##arlock,          \
                   top.P##arcache, top.P##arprot,  top.P##arqos};          \
    }                                                                      \
    template <typename Top>                                                \
    void drive_reads(Top& top, const AxiPins& pins, int bus_bytes, PORT) { \
        top.P##arready = pins.ar_ready;                                    \
        top.P##rvalid = pins.r_valid;                                      \
        if (!pins.r_valid) return;                                         \
        put_number(top.P##rid, pins.r_id);                                 \
        put_number(top.P##rresp, pins.r_resp);                             \
        top.P##rlast = pins.r_last;                                        \
        put_bytes(top.P##rdata, pins.r_data, bus_bytes);                   \
    }

/// `W_ID`: the id of a beat, which AXI4 does not have.
#define MACRAME_AXI_WRITES(PORT, P, W_ID)                                    \
    template <typename Top>                                                  \
    void sample_writes(const Top& top, AxiPins& pins, int bus_bytes, PORT) { \
        pins.full = true;                                                    \
        pins.aw_valid = top.P##awvalid != 0;                                 \
        pins.w_valid = top.P##wvalid != 0;                                   \
        pins.b_ready = top.P##bready != 0;                                   \
        if (pins.aw_valid) {                                                 \
            pins.aw_id = top.P##awid;                                        \
            pins.aw_len = top.P##awlen;                                      \
            pins.aw_addr = top.P##awaddr;                                    \
            pins.aw = {top.P##awsize,  top.P##awburst, top.P##awlock,        \
                       top.P##awcache, top.P##awprot,  top.P##awqos};        \
        }                                                                    \
        if (!pins.w_valid) return;                                           \
        pins.w_id = W_ID;                                                    \
        pins.w_last = top.P##wlast != 0;                                     \
        get_bytes(top.P##wstrb, pins.w_strb, (bus_bytes + 7) / 8);           \
        get_bytes(top.P##wdata, pins.w_data, bus_bytes);                     \
    }                                                                        \
    template <typename Top>                                                  \
    void drive_writes(Top& top, const AxiPins& pins, PORT) {                 \
        top.P##awready = pins.aw_ready;                                      \
        top.P##wready = pins.w_ready;                                        \
        top.P##bvalid = pins.b_valid;                                        \
        put_number(top.P##bid, pins.b_id);                                   \
        put_number(top.P##bresp, pins.b_resp);                               \
    }

}  // namespace macrame::tb
