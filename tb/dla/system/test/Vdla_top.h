#pragma once
/// In place of a Verilated system top: pins alone, of a design that asks for data of memory and
/// for an answer to its master, and takes none. Its checker has its reset from flops, as in a
/// design: an edge of the clock at the same moment as the reset is one without.

#include <cstdint>

class VerilatedContext;

class Vdla_top {
public:
    explicit Vdla_top(VerilatedContext*) {}
    void final() {}

    void eval() {
        if (aclk != 0 && aclk_before_ == 0 && aresetn_before_ != 0) {
            broken += (read_waits_ && m_axi_rvalid == 0) + (access_waits_ && s_apb_psel == 0);
            read_waits_ = m_axi_rvalid != 0;
            access_waits_ = s_apb_psel != 0;
            stalled += read_waits_ && access_waits_;
        }
        if (aresetn == 0) read_waits_ = access_waits_ = false;
        m_axi_arvalid = aresetn;
        aclk_before_ = aclk;
        aresetn_before_ = aresetn;
    }

    static inline int broken = 0;   ///< what was offered went away
    static inline int stalled = 0;  ///< cycles in which both wait

    std::uint8_t aclk = 0, core_clk = 0, aresetn = 0, dla_intr = 0;

    std::uint8_t s_apb_psel = 0, s_apb_penable = 0, s_apb_pwrite = 0, s_apb_pstrb = 0;
    std::uint8_t s_apb_pprot = 0, s_apb_pready = 0, s_apb_pslverr = 0;
    std::uint32_t s_apb_paddr = 0, s_apb_pwdata = 0, s_apb_prdata = 0;

    std::uint64_t m_axi_araddr = 0, m_axi_awaddr = 0, m_axi_rdata = 0, m_axi_wdata = 0;
    std::uint8_t m_axi_arvalid = 0, m_axi_arready = 0, m_axi_arid = 0, m_axi_arlen = 0;
    std::uint8_t m_axi_arsize = 3, m_axi_arburst = 1, m_axi_arlock = 0, m_axi_arcache = 2;
    std::uint8_t m_axi_arprot = 0, m_axi_arqos = 0;
    std::uint8_t m_axi_rvalid = 0, m_axi_rready = 0, m_axi_rid = 0, m_axi_rresp = 0,
                 m_axi_rlast = 0;
    std::uint8_t m_axi_awvalid = 0, m_axi_awready = 0, m_axi_awid = 0, m_axi_awlen = 0;
    std::uint8_t m_axi_awsize = 3, m_axi_awburst = 1, m_axi_awlock = 0, m_axi_awcache = 2;
    std::uint8_t m_axi_awprot = 0, m_axi_awqos = 0;
    std::uint8_t m_axi_wvalid = 0, m_axi_wready = 0, m_axi_wstrb = 0, m_axi_wlast = 0;
    std::uint8_t m_axi_bvalid = 0, m_axi_bready = 0, m_axi_bid = 0, m_axi_bresp = 0;

private:
    bool read_waits_ = false, access_waits_ = false;
    std::uint8_t aclk_before_ = 0, aresetn_before_ = 0;
};
