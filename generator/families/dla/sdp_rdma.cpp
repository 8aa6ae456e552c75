#include <algorithm>

#include "families/dla/units.hpp"

namespace macrame::dla {
namespace {

text::Scope sdp_rdma_scope(const Config& config, const Derived& derived) {
    const bool ints = derived.int8 != 0 || derived.int16 != 0;
    text::List operands, all, absent;
    const auto add = [&](bool there, const char* x, const char* s, const char* stage, int depth) {
        all.push_back(text::Scope{{"x", x}, {"s", s}});
        if (there) {
            operands.push_back(text::Scope{
                {"x", x}, {"s", s}, {"stage", stage}, {"depth", depth}, {"last", false}});
        } else {
            absent.push_back(s);
        }
    };
    add(config.sdp_bs_enable, "b", "bs", "X1 (BS)", derived.sdp_b_fifo_depth);
    add(config.sdp_bn_enable, "n", "bn", "X2 (BN)", derived.sdp_n_fifo_depth);
    if (config.sdp_ew_enable) add(true, "e", "ew", "Y (EW)", derived.sdp_e_fifo_depth);
    if (!operands.empty()) std::get<text::Scope>(operands.back().data).set("last", true);
    const int cuts = derived.atom_bytes / derived.sdp_lanes;
    return {
        {"atom_lsb", clog2(derived.atom_bytes)},
        {"elem_lsb", clog2(derived.atom_bytes) - derived.types16},
        {"mixed", derived.int8 != 0 && derived.types16 != 0},
        {"fp_choice", derived.fp16 != 0 && ints},
        {"beats", cuts / (derived.int8 != 0 ? 1 : 2)},
        {"operands", operands},
        {"all_operands", all},
        {"absent_stages", absent},
        // Requests as long as the memory interface can serve them in one transaction.
        {"rdma_chunk", std::clamp(derived.mcif_burst_atoms, 1, 4)},
        // Counts the pieces of an atom, or those of the largest record.
        {"cut_w", clog2(std::max(4, cuts))},
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
         {[](const Config& c) { return c.feature_data_types.find(',') != std::string::npos; },
          {},
          {"D_FEATURE_MODE_CFG.PROC_PRECISION"}},
         {[](const Config& c) { return has_type(c, "INT8") && has_types16(c); },
          {},
          {"D_FEATURE_MODE_CFG.IN_PRECISION"}},
         {[](const Config& c) { return has_type(c, "FP16"); },
          {},
          {"D_PERF_ENABLE.PERF_NAN_INF_COUNT_EN"},
          {"D_STATUS_NAN_INPUT_NUM.STATUS_NAN_INPUT_NUM",
           "D_STATUS_INF_INPUT_NUM.STATUS_INF_INPUT_NUM"}},
         {[](const Config& c) { return c.winograd_enable; }, {}, {"D_FEATURE_MODE_CFG.WINOGRAD"}},
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
