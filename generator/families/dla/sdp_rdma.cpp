#include <algorithm>
#include <string>

#include "families/dla/units.hpp"

namespace macrame::dla {
namespace {

text::Scope sdp_rdma_scope(const Config& config, const Derived& derived) {
    text::List operands;
    text::List absent;
    std::string active_terms;
    std::string idle_terms;
    const auto add = [&](const char* x, const char* s, const char* stage, int depth) {
        operands.push_back(
            text::Scope{{"x", x}, {"s", s}, {"stage", stage}, {"depth", depth}, {"comma", ","}});
        active_terms += std::string(" || ") + x + "_active";
        idle_terms += std::string(" && !") + x + "_busy";
    };
    if (config.sdp_bs_enable) {
        add("b", "bs", "X1 (BS)", derived.sdp_b_fifo_depth);
    } else {
        absent.push_back("bs");
    }
    if (config.sdp_bn_enable) {
        add("n", "bn", "X2 (BN)", derived.sdp_n_fifo_depth);
    } else {
        absent.push_back("bn");
    }
    text::List all{text::Scope{{"x", "b"}, {"s", "bs"}}, text::Scope{{"x", "n"}, {"s", "bn"}}};
    if (config.sdp_ew_enable) {
        add("e", "ew", "Y (EW)", derived.sdp_e_fifo_depth);
        all.push_back(text::Scope{{"x", "e"}, {"s", "ew"}});
    }
    if (!operands.empty()) std::get<text::Scope>(operands.back().data).set("comma", "");
    const int beats = derived.atom_bytes / derived.sdp_lanes;
    return {
        {"atom_lsb", clog2(derived.atom_bytes)},
        {"operands", operands},
        {"operands_comma", operands.empty() ? "" : ","},
        {"all_operands", all},
        {"absent_stages", absent},
        {"active_terms", active_terms},
        {"idle_terms", idle_terms},
        // Requests as long as the memory interface can serve them in one transaction.
        {"rdma_chunk", std::clamp(derived.mcif_burst_atoms, 1, 4)},
        // Counts the pieces of an atom, or those of the largest record.
        {"cut_w", clog2(std::max(4, beats))},
    };
}

}  // namespace

const Unit& sdp_rdma_unit() {
    static const Unit unit{
        "sdp_rdma",
        "reads the input cube and the operands of an SDP layer from memory",
        nullptr,
        {"dla_sdp_rdma.v", "dla_sdp_rdma_main.v", "dla_sdp_rdma_req.v", "dla_sdp_rdma_fifo.v"},
        {"clkgate", "fifo_sync", "sram_1r1w", "sram_dist_1r1w"},
        {{"sdp_rdma",
          {"D_DATA_CUBE_WIDTH.WIDTH",
           "D_DATA_CUBE_HEIGHT.HEIGHT",
           "D_DATA_CUBE_CHANNEL.CHANNEL",
           "D_SRC_BASE_ADDR_LOW.SRC_BASE_ADDR_LOW",
           "D_SRC_BASE_ADDR_HIGH.SRC_BASE_ADDR_HIGH",
           "D_SRC_LINE_STRIDE.SRC_LINE_STRIDE",
           "D_SRC_SURFACE_STRIDE.SRC_SURFACE_STRIDE",
           "D_BRDMA_CFG.BRDMA_DISABLE",
           "D_BRDMA_CFG.BRDMA_DATA_USE",
           "D_BRDMA_CFG.BRDMA_DATA_SIZE",
           "D_BRDMA_CFG.BRDMA_DATA_MODE",
           "D_BS_BASE_ADDR_LOW.BS_BASE_ADDR_LOW",
           "D_BS_BASE_ADDR_HIGH.BS_BASE_ADDR_HIGH",
           "D_BS_LINE_STRIDE.BS_LINE_STRIDE",
           "D_BS_SURFACE_STRIDE.BS_SURFACE_STRIDE",
           "D_NRDMA_CFG.NRDMA_DISABLE",
           "D_NRDMA_CFG.NRDMA_DATA_USE",
           "D_NRDMA_CFG.NRDMA_DATA_SIZE",
           "D_NRDMA_CFG.NRDMA_DATA_MODE",
           "D_BN_BASE_ADDR_LOW.BN_BASE_ADDR_LOW",
           "D_BN_BASE_ADDR_HIGH.BN_BASE_ADDR_HIGH",
           "D_BN_LINE_STRIDE.BN_LINE_STRIDE",
           "D_BN_SURFACE_STRIDE.BN_SURFACE_STRIDE",
           "D_FEATURE_MODE_CFG.FLYING_MODE",
           "D_PERF_ENABLE.PERF_DMA_EN"},
          {"D_PERF_MRDMA_READ_STALL.MRDMA_STALL", "D_PERF_BRDMA_READ_STALL.BRDMA_STALL",
           "D_PERF_NRDMA_READ_STALL.NRDMA_STALL"},
          {}}},
        sdp_rdma_scope,
        {{[](const Config& c) { return c.sdp_bs_enable || c.sdp_bn_enable || c.sdp_ew_enable; },
          {"dla_sdp_rdma_operand.v"}},
         {[](const Config& c) { return c.sdp_ew_enable; },
          {},
          {"D_ERDMA_CFG.ERDMA_DISABLE", "D_ERDMA_CFG.ERDMA_DATA_USE", "D_ERDMA_CFG.ERDMA_DATA_SIZE",
           "D_ERDMA_CFG.ERDMA_DATA_MODE", "D_EW_BASE_ADDR_LOW.EW_BASE_ADDR_LOW",
           "D_EW_BASE_ADDR_HIGH.EW_BASE_ADDR_HIGH", "D_EW_LINE_STRIDE.EW_LINE_STRIDE",
           "D_EW_SURFACE_STRIDE.EW_SURFACE_STRIDE"},
          {"D_PERF_ERDMA_READ_STALL.ERDMA_STALL"}}},
    };
    return unit;
}

}  // namespace macrame::dla
