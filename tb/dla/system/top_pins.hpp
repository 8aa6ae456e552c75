#pragma once
/// Pins of the Verilated top, whichever it is: the core alone, or the system top with standard
/// buses. What a top does not have is left alone.

#include <cstdint>
#include <type_traits>
#include <utility>

#include "tb/common/lite_pins.hpp"
#include "tb/common/ports.hpp"
#include "tb/common/register_bus.hpp"
#include "verif/common/axi_memory.hpp"

namespace macrame::tb {

using verif::AxiPins;

/// Defines has_PIN<Top>: the top has this pin.
#define DLA_HAS(PIN)                                                                        \
    template <typename Top, typename = void>                                                \
    struct Has_##PIN : std::false_type {};                                                  \
    template <typename Top>                                                                 \
    struct Has_##PIN<Top, std::void_t<decltype(std::declval<Top&>().PIN)>> : std::true_type { \
    };                                                                                      \
    template <typename Top>                                                                 \
    inline constexpr bool has_##PIN = Has_##PIN<Top>::value

DLA_HAS(aclk);
DLA_HAS(core_clk);
DLA_HAS(dla_core_clk);
DLA_HAS(csb2nvdla_valid);
DLA_HAS(s_axi_awvalid);
DLA_HAS(s_apb_psel);
DLA_HAS(nvdla_core2dbb_r_rvalid);
DLA_HAS(nvdla_core2cvsram_r_rvalid);
DLA_HAS(m_axi_rvalid);
DLA_HAS(m_axi_sec_rvalid);
DLA_HAS(m_axi_wid);
DLA_HAS(m_axi_awqos);
#undef DLA_HAS

// ------------------------------------------------------------------------------- memory ports

/// Defines sample_NAME() and drive_NAME(), which move the pins of a memory port. `A`, `W`, `B`, `R`
/// begin the names of the pins of a channel.
#define DLA_MEMORY_PORT(NAME, AW, W, B, AR, R)                                      \
    template <typename Top>                                                         \
    void sample_##NAME(Top& top, AxiPins& pins, int bus_bytes) {                    \
        pins.aw_valid = top.AW##awvalid != 0;                                       \
        pins.ar_valid = top.AR##arvalid != 0;                                       \
        pins.w_valid = top.W##wvalid != 0;                                          \
        pins.b_ready = top.B##bready != 0;                                          \
        pins.r_ready = top.R##rready != 0;                                          \
        if (pins.aw_valid) {                                                        \
            pins.aw_id = top.AW##awid;                                              \
            pins.aw_len = top.AW##awlen;                                            \
            pins.aw_addr = top.AW##awaddr;                                          \
        }                                                                           \
        if (pins.ar_valid) {                                                        \
            pins.ar_id = top.AR##arid;                                              \
            pins.ar_len = top.AR##arlen;                                            \
            pins.ar_addr = top.AR##araddr;                                          \
        }                                                                           \
        if (pins.w_valid) {                                                         \
            pins.w_last = top.W##wlast != 0;                                        \
            get_bytes(top.W##wstrb, pins.w_strb, (bus_bytes + 7) / 8);              \
            get_bytes(top.W##wdata, pins.w_data, bus_bytes);                        \
        }                                                                           \
    }                                                                               \
    template <typename Top>                                                         \
    void drive_##NAME(Top& top, const AxiPins& pins, int bus_bytes) {               \
        top.AW##awready = pins.aw_ready;                                            \
        top.W##wready = pins.w_ready;                                               \
        top.AR##arready = pins.ar_ready;                                            \
        top.B##bvalid = pins.b_valid;                                               \
        put_number(top.B##bid, pins.b_id);                                          \
        top.R##rvalid = pins.r_valid;                                               \
        if (!pins.r_valid) return;                                                  \
        put_number(top.R##rid, pins.r_id);                                          \
        top.R##rlast = pins.r_last;                                                 \
        put_bytes(top.R##rdata, pins.r_data, bus_bytes);                            \
    }

/// The same for what full AXI has beyond it.
#define DLA_FULL_PORT(NAME, P)                                                                \
    DLA_MEMORY_PORT(NAME, P, P, P, P, P)                                                      \
    template <typename Top>                                                                   \
    void sample_full_##NAME(Top& top, AxiPins& pins) {                                        \
        pins.full = true;                                                                     \
        pins.aw = {top.P##awsize, top.P##awburst, top.P##awlock, top.P##awcache, top.P##awprot, 0}; \
        pins.ar = {top.P##arsize, top.P##arburst, top.P##arlock, top.P##arcache, top.P##arprot, 0}; \
        if constexpr (has_m_axi_awqos<Top>) {                                                 \
            pins.aw.qos = top.P##awqos;                                                       \
            pins.ar.qos = top.P##arqos;                                                       \
        }                                                                                     \
        if constexpr (has_m_axi_wid<Top>) pins.w_id = top.P##wid;                             \
    }                                                                                         \
    template <typename Top>                                                                   \
    void drive_full_##NAME(Top& top, const AxiPins& pins) {                                   \
        put_number(top.P##bresp, pins.b_resp);                                                \
        put_number(top.P##rresp, pins.r_resp);                                                \
    }

DLA_MEMORY_PORT(dbb, nvdla_core2dbb_aw_, nvdla_core2dbb_w_, nvdla_core2dbb_b_, nvdla_core2dbb_ar_,
                nvdla_core2dbb_r_)
DLA_MEMORY_PORT(cvsram, nvdla_core2cvsram_aw_, nvdla_core2cvsram_w_, nvdla_core2cvsram_b_,
                nvdla_core2cvsram_ar_, nvdla_core2cvsram_r_)
DLA_FULL_PORT(axi, m_axi_)
DLA_FULL_PORT(sec_axi, m_axi_sec_)
#undef DLA_FULL_PORT
#undef DLA_MEMORY_PORT

/// What the memories see.
template <typename Top>
void sample_memory(Top& top, AxiPins& pri, int pri_bytes, AxiPins& sec, int sec_bytes) {
    if constexpr (has_nvdla_core2dbb_r_rvalid<Top>) sample_dbb(top, pri, pri_bytes);
    if constexpr (has_nvdla_core2cvsram_r_rvalid<Top>) sample_cvsram(top, sec, sec_bytes);
    if constexpr (has_m_axi_rvalid<Top>) {
        sample_axi(top, pri, pri_bytes);
        sample_full_axi(top, pri);
    }
    if constexpr (has_m_axi_sec_rvalid<Top>) {
        sample_sec_axi(top, sec, sec_bytes);
        sample_full_sec_axi(top, sec);
    }
}

/// What they answer.
template <typename Top>
void drive_memory(Top& top, const AxiPins& pri, int pri_bytes, const AxiPins& sec, int sec_bytes) {
    if constexpr (has_nvdla_core2dbb_r_rvalid<Top>) drive_dbb(top, pri, pri_bytes);
    if constexpr (has_nvdla_core2cvsram_r_rvalid<Top>) drive_cvsram(top, sec, sec_bytes);
    if constexpr (has_m_axi_rvalid<Top>) {
        drive_axi(top, pri, pri_bytes);
        drive_full_axi(top, pri);
    }
    if constexpr (has_m_axi_sec_rvalid<Top>) {
        drive_sec_axi(top, sec, sec_bytes);
        drive_full_sec_axi(top, sec);
    }
}

// --------------------------------------------------------------------------- clocks and resets

/// The system top has a page of registers of its own.
template <typename Top>
inline constexpr bool is_system = has_aclk<Top>;

/// The register bus has a clock of its own.
template <typename Top>
inline constexpr bool has_bus_clock = has_core_clk<Top> || has_dla_core_clk<Top>;

/// It is the clock of memory, too.
template <typename Top>
inline constexpr bool has_memory_on_bus_clock = has_core_clk<Top> && has_m_axi_rvalid<Top>;

template <typename Top>
void put_core_clock(Top& top, int level) {
    if constexpr (has_core_clk<Top>) put_number(top.core_clk, level);
    if constexpr (has_dla_core_clk<Top>) put_number(top.dla_core_clk, level);
    if constexpr (!has_bus_clock<Top>) put_number(top.aclk, level);
}

template <typename Top>
void put_bus_clock(Top& top, int level) {
    if constexpr (has_core_clk<Top>) put_number(top.aclk, level);
    if constexpr (has_dla_core_clk<Top>) put_number(top.dla_csb_clk, level);
}

/// Active low.
template <typename Top>
void put_reset(Top& top, int level) {
    if constexpr (has_aclk<Top>) put_number(top.aresetn, level);
    if constexpr (has_dla_core_clk<Top>) put_number(top.dla_reset_rstn, level);
}

/// Pins that stay as they are.
template <typename Top>
void put_constants(Top& top, bool gates_off) {
    if constexpr (has_dla_core_clk<Top>) {
        top.direct_reset_ = 1;
        top.test_mode = 0;
        top.global_clk_ovr_on = gates_off ? 1 : 0;
        top.tmc2slcg_disable_clock_gating = 0;
    }
}

// ------------------------------------------------------------------------------ register buses

template <typename Top>
void sample_apb(Top& top, ApbPins& pins) {
    pins.ready = top.s_apb_pready != 0;
    pins.slverr = top.s_apb_pslverr != 0;
    pins.rdata = top.s_apb_prdata;
}

template <typename Top>
void drive_apb(Top& top, const ApbPins& pins) {
    top.s_apb_psel = pins.sel;
    top.s_apb_penable = pins.enable;
    top.s_apb_pwrite = pins.write;
    put_number(top.s_apb_paddr, pins.addr);
    put_number(top.s_apb_pwdata, pins.wdata);
    put_number(top.s_apb_pstrb, pins.strb);
    top.s_apb_pprot = 0;
}

}  // namespace macrame::tb
