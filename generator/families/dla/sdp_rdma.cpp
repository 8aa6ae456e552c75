#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "families/dla/sdp_texts.hpp"
#include "families/dla/texts.hpp"
#include "families/dla/units.hpp"

namespace macrame::dla {
namespace {

/// Wires of the layer's types, their fields and what they are for in dla_sdp_rdma.
text::Scope layer_texts(const SdpTypes& t, bool winograd, int surface_msb) {
    const bool choice = t.choice();
    // Elements computed in fp16 are read in fp16, int8 only computes integers.
    const char* const in_fp = !t.int16 ? "|proc" : !t.int8 ? "proc != 2'd1" : "proc[1]";
    const std::string surfaces = fmt::format("wire [{:2}:0] surfaces = ", surface_msb);
    return {
        {"type_wires",
         lines({when(choice, "wire [1:0]  proc;"),
                when(t.mixed(),
                     "wire [1:0]  in;\n"
                     "wire        proc_wide = |proc;\n"
                     "wire        in_wide   = (|in) || proc_wide;"),
                when(t.fp_choice(), fmt::format("wire        in_fp     = {};", in_fp)),
                when(t.fp16, "wire        perf_nan_en;\nwire [31:0] nans, infs;"),
                when(winograd, "wire        tiles;")})},
        {"type_fields",
         lines({when(choice, ".d_feature_mode_cfg_proc_precision      (proc),"),
                when(t.mixed(), ".d_feature_mode_cfg_in_precision        (in),"),
                when(t.fp16,
                     ".d_perf_enable_perf_nan_inf_count_en    (perf_nan_en),\n"
                     ".d_status_nan_input_num                 (nans),\n"
                     ".d_status_inf_input_num                 (infs),"),
                when(winograd, ".d_feature_mode_cfg_winograd            (tiles),")})},
        {"surfaces_wire",
         t.mixed() ? surfaces + "proc_wide ? channel[12:LSB-1] : {1'b0, channel[12:LSB]};"
                   : when(t.wide(), surfaces + "channel[12:LSB-1];")},
        {"surfaces", t.wide() ? "surfaces" : "channel[12:LSB]"},
        {"main_modes", lines({when(t.mixed(),
                                   ".wide        (in_wide),\n"
                                   ".pairs       (in_wide && !proc_wide),"),
                              when(t.fp16, fmt::format(".nan_count_en (perf_nan_en{}),\n"
                                                       ".nans_q      (nans),\n"
                                                       ".infs_q      (infs),",
                                                       t.fp_choice() ? " && in_fp" : ""))})},
        {"operand_modes", lines({when(t.mixed(), ".wide        (proc_wide),"),
                                 when(winograd, ".tiles       (tiles),")})},
    };
}

/// The channels.
text::Scope channel_texts(const SdpTypes& t, bool winograd) {
    const bool mixed = t.mixed(), half_only = t.wide() && !mixed;
    return {
        {"main_fifo_in", mixed ? "{wide, rsp_data}" : "rsp_data"},
        {"main_fifo_out", mixed ? "{atom_wide, atom}" : "atom"},
        {"go", mixed ? "go" : "ask"},
        {"asked_addr", mixed ? "asked_addr" : "addr_q"},
        {"lines", winograd ? "line_count" : "lines"},
        {"operand_mode_ports",
         lines({when(mixed,
                     "input  wire         wide,          // an atom has half as many "
                     "elements: two_byte"),
                when(winograd,
                     "input  wire         tiles,         // 4 lines of 2 columns after "
                     "each other")})},
        {"two_byte_port",
         when(!half_only, "input  wire         two_byte,      // bytes per component")},
        {"record_doc", half_only
                           ? "// A record has 2 or 4 bytes: 1 or 2 atoms per atom of elements.\n"
                             "localparam two_byte = 1'b1;"
                           : "// A record has 1, 2 or 4 bytes: so many atoms per atom of elements" +
                                 when(mixed, ", half as many in 16 bits") + "."},
        {"record_atoms",
         mixed       ? "wire        four     = both && two_byte && !wide;\n"
                       "wire        two      = both != (two_byte && !wide);\n"
                       "wire [14:0] atoms    = four ? {units, 2'b11} : two ? {1'b0, units, 1'b1} : "
                       "{2'b00, units};"
         : half_only ? "wire [14:0] atoms    = both ? {1'b0, units, 1'b1} : {2'b00, units};"
                     : "wire [14:0] atoms    = (both && two_byte) ? {units, 2'b11}\n"
                       "                     : (both || two_byte) ? {1'b0, units, 1'b1} : {2'b00, "
                       "units};"},
        {"operand_req_modes",
         lines({when(mixed, ".pairs       (1'b0),"),
                when(winograd, fmt::format(".tiles       (tiles && !one_line),\n"
                                           ".tile_atoms  ({}),\n"
                                           ".tile_count  (width[12:1]),",
                                           mixed       ? "four ? 3'd7 : two ? 3'd3 : 3'd1"
                                           : half_only ? "both ? 3'd3 : 3'd1"
                                                       : "(both && two_byte) ? 3'd7 : (both || "
                                                         "two_byte) ? 3'd3 : 3'd1"))})},
    };
}

text::Scope sdp_rdma_scope(const Config& config, const Derived& derived) {
    const SdpTypes types = sdp_types(derived);
    const bool half_only = types.wide() && !types.mixed();
    const int elem_lsb = clog2(derived.atom_bytes) - (types.wide() ? 1 : 0);
    text::List operands;
    text::List absent;
    std::string unused_two_byte;
    std::string active_terms;
    std::string idle_terms;
    const auto add = [&](const char* x, const char* s, const char* stage, int depth) {
        operands.push_back(text::Scope{
            {"x", x},
            {"s", s},
            {"stage", stage},
            {"depth", depth},
            {"comma", ","},
            {"two_byte_pin", half_only ? ""
                                       : fmt::format(".two_byte    ({}_two_byte{}),", s,
                                                     types.mixed() ? " || proc_wide" : "")}});
        if (half_only) unused_two_byte += fmt::format("{}_two_byte,\n", s);
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
    if (!unused_two_byte.empty()) unused_two_byte.pop_back();
    const int cuts = derived.atom_bytes / derived.sdp_lanes;
    text::Scope scope{
        {"atom_lsb", clog2(derived.atom_bytes)},
        {"elem_lsb", elem_lsb},
        {"mixed", types.mixed()},
        {"beats", sdp_beats(derived)},
        {"unused_two_byte", unused_two_byte},
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
    scope.merge(layer_texts(types, config.winograd_enable, 12 - elem_lsb));
    scope.merge(channel_texts(types, config.winograd_enable));
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
