#include <algorithm>
#include <string>

#include "families/dla/units.hpp"

namespace macrame::dla {
namespace {

/// What depends on element types and Winograd.
void add_types(const Config& config, const Derived& derived, text::Scope& scope) {
    const bool wide = derived.wide != 0, mixed = derived.int8 != 0 && wide;
    const bool fp_choice = derived.fp16 != 0 && (derived.int8 != 0 || derived.int16 != 0);
    scope.set("mixed", mixed);
    scope.set("fp_choice", fp_choice);
    scope.set("type_choice", mixed || fp_choice);
    scope.set("elem_lsb", clog2(derived.atom_bytes) - (wide ? 1 : 0));
    // Words of an atom of the type with most elements.
    scope.set("beats", derived.atom_bytes / (derived.int8 != 0 ? 1 : 2) / derived.sdp_lanes);
    // Elements computed in fp16 are read in fp16, int8 only computes integers.
    scope.set("in_fp", derived.int16 == 0  ? "|proc"
                       : derived.int8 == 0 ? "proc != 2'd1"
                                           : "proc[1]");
    scope.set("and_in_fp", fp_choice ? " && in_fp" : "");
    scope.set("or_proc_wide", mixed ? " || proc_wide" : "");
    scope.set("surfaces", wide ? "surfaces" : "channel[12:LSB]");
    scope.set("main_fifo_in", mixed ? "{wide, rsp_data}" : "rsp_data");
    scope.set("main_fifo_out", mixed ? "{atom_wide, atom}" : "atom");
    scope.set("tile_atoms", !wide   ? "(both && two_byte) ? 3'd7 : (both || two_byte) ? 3'd3 : 3'd1"
                            : mixed ? "four ? 3'd7 : two ? 3'd3 : 3'd1"
                                    : "both ? 3'd3 : 3'd1");
    scope.set("go", mixed ? "go" : "ask");
    scope.set("asked_addr", mixed ? "asked_addr" : "addr_q");
    scope.set("lines", config.winograd_enable ? "line_count" : "lines");
}

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
    const int cuts = derived.atom_bytes / derived.sdp_lanes;
    text::Scope scope{
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
        {"cut_w", clog2(std::max(4, cuts))},
    };
    add_types(config, derived, scope);
    return scope;
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
         {[](const Config& c) { return has_type(c, "INT8") && has_wide_type(c); },
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
