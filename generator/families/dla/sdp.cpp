#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "families/dla/units.hpp"

namespace macrame::dla {
namespace {

/// Smallest power of two from `least` that is not below `words`.
int ring_depth(int words, int least) { return std::max(least, 1 << clog2(words)); }

/// Register stages of the datapath.
constexpr int kXStages = 8, kArithmeticStages = 12, kLutStages = 15, kOutStages = 5;
/// The same of layers that compute in fp16.
constexpr int kFpInStages = 1, kFpXStages = 9, kFpArithmeticStages = 9, kFpLutStages = 26;

/// Element types of a configuration.
struct Types {
    bool int8, int16, fp16;
    bool ints() const { return int8 || int16; }
    bool wide() const { return int16 || fp16; }
    bool mixed() const { return int8 && wide(); }      ///< atoms of more or fewer elements
    bool fp_choice() const { return fp16 && ints(); }  ///< layers in integers or not
    bool choice() const { return mixed() || fp_choice(); }
};

Types types_of(const Derived& derived) {
    return {derived.int8 != 0, derived.int16 != 0, derived.fp16 != 0};
}

/// Register stages as far as the slowest element type goes.
struct Stages {
    int in, x1, x2, ew, out;
    int front() const { return in + x1 + x2; }
};

Stages stages_of(const Config& config, const Types& types) {
    const int x = types.fp16 ? kFpXStages : kXStages;
    const bool lut = config.sdp_lut_enable;
    const int ints = types.ints() ? kArithmeticStages + (lut ? kLutStages : 0) : 0;
    const int fp = types.fp16 ? kFpArithmeticStages + (lut ? kFpLutStages : 0) : 0;
    // X1 is an input register if the stage is absent.
    return {types.fp16 ? kFpInStages : 0, config.sdp_bs_enable ? x : 1,
            config.sdp_bn_enable ? x : 0, std::max(ints, fp),
            kOutStages + (types.fp_choice() ? 2 : 0)};
}

/// What a field of two bits says, for the registers PROC_PRECISION and OUT_PRECISION (proc, out).
/// What a configuration does not have acts as the widest type that it has.
void add_type_decoding(const Types& t, text::Scope& scope) {
    const bool three = t.int8 && t.int16 && t.fp16;
    const auto fp = [&](const std::string& field) {
        return three ? field + "[1]" : t.int8 ? "|" + field : field + " != 2'd1";
    };
    scope.set("proc_wide", "|proc");
    scope.set("out_wide", "(|out) || proc_wide");
    scope.set("proc_fp", fp("proc"));
    scope.set("out_fp", three    ? "out[1] || (proc_fp && !out[0])"
                        : t.int8 ? "(|out) || proc_fp"
                                 : fp("out"));
}

/// Texts about the output convertor.
void add_convertor(const Config& config, const Types& t, text::Scope& scope) {
    const bool raw = config.sdp_ew_enable;
    const auto when = [](bool yes, const char* text) { return std::string(yes ? text : ""); };
    scope.set("c_stages", t.fp_choice() ? 7 : !t.fp16 ? 5 : 2);
    scope.set("c_fp_stages", t.int16 ? 4 : 2);
    scope.set("c_fp_stages_doc", t.int16 ? "four register stages" : "two register stages");
    scope.set("c_fp_latency_doc", t.int16 ? "2, to int16 4" : "2");
    scope.set("c_fp_doc", when(t.int16, " or int16"));
    scope.set("c_latency_doc", std::string("2 from fp32") + when(t.int16, ", 4 to int16") +
                                   when(t.ints(), "; 5 from integers, 7 to fp16"));
    scope.set("c_int16_doc", when(t.int16, ", fp32 -> int16"));
    scope.set("c_last_4_reg", when(t.int16, ", last_4_q"));
    scope.set("c_last_4_term", when(t.int16, " || (last_4_q && valid_q[3])"));
    scope.set("c_last_4_not", when(t.int16, " && !last_4_q"));
    scope.set("c_raw_or", when(raw, "raw || "));
    scope.set("c_not_raw", when(raw, "!raw && "));
    scope.set("c_fp_not_raw", when(raw, " && !raw"));
    scope.set("c_fp_and_not_raw", when(raw, " && !raw"));
    scope.set("c_nan_mode", when(t.fp_choice(), " && from_fp_q"));
    scope.set("c_fp_data", t.ints() ? "fp_data" : "out_data[16*i +: 16]");
    scope.set("c_fp_sat", t.ints() ? "fp_sat" : "out_sat[i]");
    scope.set("c_int_data", t.fp16     ? "int_data"
                            : t.wide() ? "out_data[16*i +: 16]"
                                       : "out_data[8*i +: 8]");
    scope.set("c_int_sat", t.fp16 ? "int_sat" : "out_sat[i]");
    scope.set("c_sat_port", t.wide() ? "sat  " : "sat_q");
    std::string ports;
    if (raw)
        ports +=
            "input  wire         raw,           // offset, shift are 0, scale is 1: bits pass\n";
    if (t.mixed() && (t.int16 || raw)) {
        ports += "input  wire         out_wide,      // 16 bits, else int8\n";
    }
    if (t.fp16) ports += "input  wire         to_fp,         // fp16\n";
    if (!ports.empty()) ports.pop_back();
    scope.set("c_ports", ports);
    scope.set("c_lane", t.wide() ? "dla_sdp_c_int_lane" : "dla_sdp_c_lane");
    scope.set("c_wrap", raw ? "raw" : "1'b0");
    scope.set("c_to_fp", raw ? "(to_fp && !raw)" : "to_fp");
    scope.set("c_stages_doc", t.fp16 ? "seven register stages" : "five register stages");
    scope.set("c_flag_doc", t.fp16 ? "; fp16: the largest" : "; no flag for fewer");
    scope.set("c_bits_doc", t.mixed() ? t.int16 ? "8 or 16" : "8" : "16");
    scope.set("c_out_doc", t.fp16 ? "      // signed, or fp16" : "      // signed");
    scope.set("c_raw_out",
              t.mixed() ? "out_wide ? wide[15:0] : {{8{wide[7]}}, wide[7:0]}" : "wide[15:0]");
    const std::string byte = "{{8{byte_out[7]}}, byte_out}";
    scope.set("c_int_out", !t.int16    ? byte
                           : t.mixed() ? "out_wide ? half_out : " + byte
                                       : "half_out");
}

/// Ports of the register file of EW and its table, and the wires there.
text::List field_ports(const Config& config) {
    constexpr const char* kEw[][2] = {
        {"d_dp_ew_cfg_ew_bypass", "ew_bypass"},
        {"d_dp_ew_cfg_ew_alu_bypass", "ew_alu_bypass"},
        {"d_dp_ew_cfg_ew_alu_algo", "ew_alu_algo"},
        {"d_dp_ew_cfg_ew_mul_bypass", "ew_mul_bypass"},
        {"d_dp_ew_cfg_ew_mul_prelu", "ew_mul_prelu"},
        {"d_dp_ew_alu_cfg_ew_alu_src", "ew_alu_src"},
        {"d_dp_ew_alu_cfg_ew_alu_cvt_bypass", "ew_alu_cvt_bypass"},
        {"d_dp_ew_alu_src_value_ew_alu_operand", "ew_alu_value"},
        {"d_dp_ew_alu_cvt_offset_value_ew_alu_cvt_offset", "ew_alu_cvt_offset"},
        {"d_dp_ew_alu_cvt_scale_value_ew_alu_cvt_scale", "ew_alu_cvt_scale"},
        {"d_dp_ew_alu_cvt_truncate_value_ew_alu_cvt_truncate", "ew_alu_cvt_shift"},
        {"d_dp_ew_mul_cfg_ew_mul_src", "ew_mul_src"},
        {"d_dp_ew_mul_cfg_ew_mul_cvt_bypass", "ew_mul_cvt_bypass"},
        {"d_dp_ew_mul_src_value_ew_mul_operand", "ew_mul_value"},
        {"d_dp_ew_mul_cvt_offset_value_ew_mul_cvt_offset", "ew_mul_cvt_offset"},
        {"d_dp_ew_mul_cvt_scale_value_ew_mul_cvt_scale", "ew_mul_cvt_scale"},
        {"d_dp_ew_mul_cvt_truncate_value_ew_mul_cvt_truncate", "ew_mul_cvt_shift"},
        {"d_dp_ew_truncate_value_ew_truncate", "ew_truncate"},
    };
    constexpr const char* kLut[][2] = {
        {"d_dp_ew_cfg_ew_lut_bypass", "ew_lut_bypass"},
        {"s_lut_access_cfg_wr", "lut_cfg_wr"},
        {"s_lut_access_cfg_lut_addr", "lut_addr"},
        {"s_lut_access_cfg_lut_table_id", "lut_table"},
        {"s_lut_access_cfg_lut_access_type", "lut_direction"},
        {"s_lut_cfg_lut_le_function", "le_linear"},
        {"s_lut_cfg_lut_uflow_priority", "uflow_lo"},
        {"s_lut_cfg_lut_oflow_priority", "oflow_lo"},
        {"s_lut_cfg_lut_hybrid_priority", "hybrid_lo"},
        {"s_lut_info_lut_le_index_offset", "le_offset"},
        {"s_lut_info_lut_le_index_select", "le_select"},
        {"s_lut_info_lut_lo_index_select", "lo_select"},
        {"d_perf_enable_perf_lut_en", "perf_lut_en"},
        {"d_perf_lut_uflow", "lut_uflow"},
        {"d_perf_lut_oflow", "lut_oflow"},
        {"d_perf_lut_hybrid", "lut_hybrid"},
        {"d_perf_lut_le_hit", "lut_le_hit"},
        {"d_perf_lut_lo_hit", "lut_lo_hit"},
    };
    text::List out;
    const auto add = [&](const auto& rows) {
        for (const auto& [port, wire] : rows)
            out.push_back(text::Scope{{"port", port}, {"wire", wire}});
    };
    if (config.sdp_ew_enable) add(kEw);
    if (config.sdp_lut_enable) add(kLut);
    return out;
}

/// Texts about Y and its table.
void add_y(const Config& config, const Types& t, text::Scope& scope) {
    const bool lut = config.sdp_lut_enable, choice = t.fp_choice();
    const int ints = kArithmeticStages + (lut ? kLutStages : 0);
    const int fp = kFpArithmeticStages + kFpLutStages;
    const auto tap = [&](const char* word) {
        const auto at = [&](int stage) { return fmt::format("{}[{}]", word, stage); };
        const std::string plain = at(kFpArithmeticStages);
        const std::string table = lut ? fmt::format("lut_bypass ? {} : {}", plain, at(fp)) : plain;
        if (!choice) return table;
        return fmt::format("!fp ? {} : {}", at(ints), table);
    };
    scope.set("fp_arith_stages", kFpArithmeticStages);
    scope.set("fp_lut_stages", kFpLutStages);
    scope.set("ew_stages_int", ints);
    scope.set("ew_stages_fp", lut ? fp : kFpArithmeticStages);
    scope.set("ew_latencies", (choice ? fmt::format("integers {}, ", ints) : std::string()) +
                                  fmt::format("fp32 {}", kFpArithmeticStages) +
                                  (lut ? fmt::format(", with the table {}", fp) : std::string()));
    scope.set("ew_end_valid", tap("load"));
    scope.set("ew_end_last", tap("lasts"));
    scope.set("ew_moving", t.fp16 ? "moving" : "load[STAGES-1:0]");
    scope.set("ew_stops_early", choice && lut ? "fp && lut_bypass" : lut ? "lut_bypass" : "fp");
    scope.set("ew_end", t.fp16 ? "end_valid" : "load[STAGES]");
    scope.set("ew_fp_load", choice ? "fp_load" : "load");
    scope.set("ew_int_load", choice ? "int_load" : "load");
    scope.set("ew_around_lut", choice ? "(fp && lut_bypass)" : "lut_bypass");
    scope.set("ew_arithmetic", t.ints() ? "arithmetic" : "fp_arithmetic");
    scope.set("ew_found", t.fp16 ? "found" : "result");
    scope.set("ew_plain_result", choice   ? "fp ? fp_arithmetic : arithmetic"
                                 : t.fp16 ? "fp_arithmetic"
                                          : "arithmetic");
    scope.set("lut_indexes", choice ? "fp_index, int_index" : "index");
    scope.set("lut_re", choice ? "re" : "fp_load[9]");
    scope.set("lut_fp_index", choice ? "fp_index" : "index");
    scope.set("lut_fp_in", choice ? "fp_in_data[32*i +: 32]" : "in_data[32*i +: 32]");
    scope.set("lut_fp_out", choice ? "fp_data" : "out_data[32*i +: 32]");
    const char* const events[] = {"lo_hit[i]", "le_hit[i]", "over[i]", "under[i]"};
    for (int i = 0; i < 4; ++i) {
        scope.set(fmt::format("lut_fp_events_{}", i),
                  choice ? fmt::format("fp_events[{}]", i) : std::string(events[i]));
    }
    scope.set("lut_counted", !t.fp16  ? "load[6]"
                             : choice ? "(fp ? fp_load[9] : load[6])"
                                      : "fp_load[9]");
}

/// What depends on element types, batches and Winograd.
void add_types(const Config& config, const Derived& derived, text::Scope& scope) {
    const Types t = types_of(derived);
    const bool batch = config.batch_enable, winograd = config.winograd_enable;
    const int beats = derived.atom_bytes / (t.int8 ? 1 : 2) / derived.sdp_lanes;
    const auto when = [](bool yes, const char* text) { return std::string(yes ? text : ""); };
    add_type_decoding(t, scope);
    add_convertor(config, t, scope);
    add_y(config, t, scope);
    scope.set("mixed", t.mixed());
    scope.set("ints", t.ints());
    scope.set("fp_choice", t.fp_choice());
    scope.set("type_choice", t.choice());
    scope.set("plain_pack", !t.mixed() && !batch && !winograd);
    scope.set("elem_lsb", clog2(derived.atom_bytes) - (t.wide() ? 1 : 0));
    scope.set("beats", beats);
    // Pixels and their flags.
    std::string extra = when(batch, "batch_last, ") + when(winograd, "row_last, tile_last, ");
    scope.set("tag_doc", extra + "atom_last, line_last, surf_last, layer_last");
    if (!extra.empty()) extra.pop_back();
    scope.set("tag_extra", extra);
    scope.set("tag_w", 4 + (batch ? 1 : 0) + (winograd ? 2 : 0));
    scope.set("and_batch_last", when(batch, " && batch_last"));
    scope.set("next_column", winograd ? "next_tile" : "next_pixel");
    scope.set("width", winograd ? "columns" : "width");
    scope.set("height", winograd ? "lines" : "height");
    scope.set("mixed_pixel", t.mixed() ? "pixel" : "atom");
    scope.set("and_not_first_q", when(t.mixed(), " && !first_q"));
    scope.set("pixel", t.mixed() ? "pixel" : "addr_q");
    scope.set("next_from", batch ? "place_q" : t.mixed() ? "pixel" : "addr_q");
    // Stages.
    scope.set("issue_word", t.fp16 ? "word" : "src_data");
    scope.set("src_valid", t.fp16 ? "src_valid" : "take");
    scope.set("lane_pad", t.wide() ? "" : " ");
    scope.set("in_widen", when(t.ints(), "fp && ") + "!flying");
    scope.set("in_flush", when(t.ints(), "fp && ") + "flush");
    scope.set("x_latency_doc", !t.fp16 ? "8" : t.ints() ? "8, of fp32 9" : "9");
    scope.set("x_algo_3", t.ints() ? "unequal, of integers sum" : "unequal");
    scope.set("x_int_regs", when(t.ints(), "subtract_q, least_q, "));
    scope.set("x_fp_data", t.ints() ? "fp_data" : "out_data[32*i +: 32]");
    scope.set("x_int_load", t.fp16 ? "{load[7:1] & {7{!fp}}, load[0]}" : "load");
    scope.set("x_fp_load", t.ints() ? "load & {9{fp}}" : "load");
    const Stages stages = stages_of(config, t);
    scope.set("latency", stages.front() + stages.out + 2);
}

text::Scope sdp_scope(const Config& config, const Derived& derived) {
    const Types types = types_of(derived);
    const Stages stages = stages_of(config, types);
    // Parts that a word has for EW.
    const int ew_beats = config.sdp_ew_enable ? derived.sdp_lanes / config.sdp_ew_throughput : 1;
    // Words of an atom of the type with most elements.
    const int beats = derived.atom_bytes / (types.int8 ? 1 : 2) / derived.sdp_lanes;
    // Words between entry and the way of their place back: stages of C, the ring and its pointers.
    const int end = stages.out + 5;
    const int flight =
        std::max(stages.front() + end,
                 config.sdp_ew_enable ? (stages.front() + stages.ew + end) / ew_beats + 2 : 0);
    text::List operands;
    text::List x_stages;
    text::List absent;
    std::string operands_ok;
    // A record stays until its word is at the stage; four more are on the way.
    const auto add = [&](const char* x, const char* stage, int words) {
        operands.push_back(
            text::Scope{{"x", x}, {"stage", stage}, {"depth", ring_depth(words + 4, 2 * beats)}});
        operands_ok +=
            std::string(operands_ok.empty() ? "" : " && ") + "(" + x + "_ok || !" + x + "_needed)";
    };
    if (config.sdp_bs_enable) {
        add("b", "X1 (BS)", stages.in);
        x_stages.push_back(text::Scope{{"s", "bs"},
                                       {"x", "b"},
                                       {"name", "X1"},
                                       {"valid", types.fp16 ? "src_valid" : "take"},
                                       {"turned", types.fp16 ? "b_turned_q" : "b_turned"},
                                       {"in", "src"},
                                       {"out", "x1"}});
    } else {
        absent.push_back("bs");
    }
    if (config.sdp_bn_enable) {
        add("n", "X2 (BN)", stages.in + stages.x1);
        x_stages.push_back(text::Scope{{"s", "bn"},
                                       {"x", "n"},
                                       {"name", "X2"},
                                       {"valid", "x1_valid"},
                                       {"turned", "x1_tag[0]"},
                                       {"in", "x1"},
                                       {"out", "x2"}});
    } else {
        absent.push_back("bn");
    }
    if (config.sdp_ew_enable) add("e", "Y (EW)", stages.front() / ew_beats + 1);
    text::Scope scope{
        {"atom_lsb", clog2(derived.atom_bytes)},
        {"operands", operands},
        {"operands_ok", operands_ok.empty() ? "1'b1" : operands_ok},
        {"field_ports", field_ports(config)},
        {"stages", text::List{"bs", "bn"}},
        {"x_stages", x_stages},
        {"absent_stages", absent},
        {"x1_stages", stages.x1},
        {"x2_stages", stages.x2},
        {"ew_picture", config.sdp_ew_enable ? " Y (EW) or nothing ->" : ""},
        {"ew_doc", config.sdp_ew_enable ? " Y (EW)," : ""},
        {"ew_latency_doc", config.sdp_ew_enable
                               ? ", " + std::to_string(stages.ew + ew_beats - 1) + " more with EW"
                               : std::string()},
        {"out_pdp_doc", config.pdp_enable ? " or PDP" : ""},
        {"out_pdp_picture", config.pdp_enable ? ", or register -> PDP" : ""},
        {"out_pdp_end", config.pdp_enable ? " or PDP" : ""},
        {"out_depth", ring_depth(flight, 8)},
        {"issue_pace",
         ew_beats > 1 ? ", every " + std::to_string(ew_beats) + " cycles with EW" : std::string()},
        {"ew_arith_stages", kArithmeticStages},
        {"lut_stages", kLutStages},
        {"ew_stages", stages.ew},
        {"ew_beats", ew_beats},
        {"tag_n", config.sdp_bn_enable ? "n_turned" : "1'b0"},
        {"tag_e", config.sdp_ew_enable ? "e_turned" : "1'b0"},
        {"tables", text::List{"le", "lo"}},
    };
    add_types(config, derived, scope);
    return scope;
}

bool has_fp(const Config& c) { return has_type(c, "FP16"); }
bool has_ints(const Config& c) { return has_type(c, "INT8") || has_type(c, "INT16"); }
bool has_several_types(const Config& c) {
    return c.feature_data_types.find(',') != std::string::npos;
}
bool has_x(const Config& c) { return c.sdp_bs_enable || c.sdp_bn_enable; }

}  // namespace

const Unit& sdp_unit() {
    static const Unit unit{
        "sdp",
        "post-processes elements: bias, scale, activation, conversion to int8, write to memory",
        nullptr,
        {"dla_sdp.v", "dla_sdp_issue.v", "dla_sdp_c.v", "dla_sdp_out.v", "dla_sdp_pack.v",
         "dla_sdp_irq.v"},
        {"clkgate", "fifo_sync", "mult_pipe", "round_shift_pipe", "sram_1r1w", "sram_dist_1r1w",
         "fp_add", "fp_mul", "fp_max", "fp_widen", "fp_narrow", "fp_from_fixed", "fp16_to_int16"},
        {{"sdp",
          {"D_DATA_CUBE_WIDTH.WIDTH",
           "D_DATA_CUBE_HEIGHT.HEIGHT",
           "D_DATA_CUBE_CHANNEL.CHANNEL",
           "D_DST_BASE_ADDR_LOW.DST_BASE_ADDR_LOW",
           "D_DST_BASE_ADDR_HIGH.DST_BASE_ADDR_HIGH",
           "D_DST_LINE_STRIDE.DST_LINE_STRIDE",
           "D_DST_SURFACE_STRIDE.DST_SURFACE_STRIDE",
           "D_DP_BS_CFG.BS_BYPASS",
           "D_DP_BS_CFG.BS_ALU_BYPASS",
           "D_DP_BS_CFG.BS_ALU_ALGO",
           "D_DP_BS_CFG.BS_MUL_BYPASS",
           "D_DP_BS_CFG.BS_MUL_PRELU",
           "D_DP_BS_CFG.BS_RELU_BYPASS",
           "D_DP_BS_ALU_CFG.BS_ALU_SRC",
           "D_DP_BS_ALU_CFG.BS_ALU_SHIFT_VALUE",
           "D_DP_BS_ALU_SRC_VALUE.BS_ALU_OPERAND",
           "D_DP_BS_MUL_CFG.BS_MUL_SRC",
           "D_DP_BS_MUL_CFG.BS_MUL_SHIFT_VALUE",
           "D_DP_BS_MUL_SRC_VALUE.BS_MUL_OPERAND",
           "D_DP_BN_CFG.BN_BYPASS",
           "D_DP_BN_CFG.BN_ALU_BYPASS",
           "D_DP_BN_CFG.BN_ALU_ALGO",
           "D_DP_BN_CFG.BN_MUL_BYPASS",
           "D_DP_BN_CFG.BN_MUL_PRELU",
           "D_DP_BN_CFG.BN_RELU_BYPASS",
           "D_DP_BN_ALU_CFG.BN_ALU_SRC",
           "D_DP_BN_ALU_CFG.BN_ALU_SHIFT_VALUE",
           "D_DP_BN_ALU_SRC_VALUE.BN_ALU_OPERAND",
           "D_DP_BN_MUL_CFG.BN_MUL_SRC",
           "D_DP_BN_MUL_CFG.BN_MUL_SHIFT_VALUE",
           "D_DP_BN_MUL_SRC_VALUE.BN_MUL_OPERAND",
           "D_FEATURE_MODE_CFG.FLYING_MODE",
           "D_FEATURE_MODE_CFG.OUTPUT_DST",
           "D_CVT_OFFSET.CVT_OFFSET",
           "D_CVT_SCALE.CVT_SCALE",
           "D_CVT_SHIFT.CVT_SHIFT",
           "D_PERF_ENABLE.PERF_DMA_EN",
           "D_PERF_ENABLE.PERF_SAT_EN"},
          {"D_STATUS.STATUS_UNEQUAL", "D_PERF_WDMA_WRITE_STALL.WDMA_STALL",
           "D_PERF_OUT_SATURATION.OUT_SATURATION"},
          {}}},
        sdp_scope,
        {{[](const Config& c) { return !has_wide_type(c); }, {"dla_sdp_c_lane.v"}},
         {[](const Config& c) { return has_wide_type(c) && has_ints(c); },
          {"dla_sdp_c_int_lane.v"}},
         {has_fp,
          {"dla_sdp_in.v", "dla_sdp_c_fp_lane.v"},
          {"D_FEATURE_MODE_CFG.NAN_TO_ZERO", "D_PERF_ENABLE.PERF_NAN_INF_COUNT_EN"},
          {"D_STATUS_NAN_OUTPUT_NUM.STATUS_NAN_OUTPUT_NUM"}},
         {has_several_types, {}, {"D_DATA_FORMAT.PROC_PRECISION", "D_DATA_FORMAT.OUT_PRECISION"}},
         {[](const Config& c) { return c.batch_enable; },
          {},
          {"D_FEATURE_MODE_CFG.BATCH_NUMBER", "D_DST_BATCH_STRIDE.DST_BATCH_STRIDE"}},
         {[](const Config& c) { return c.winograd_enable; }, {}, {"D_FEATURE_MODE_CFG.WINOGRAD"}},
         {[](const Config& c) { return c.sdp_ew_enable && has_ints(c); }, {"dla_sdp_ew_lane.v"}},
         {[](const Config& c) { return c.sdp_ew_enable && has_fp(c); }, {"dla_sdp_ew_fp_lane.v"}},
         {[](const Config& c) { return c.sdp_lut_enable && has_ints(c); },
          {"dla_sdp_lut_lane.v", "dla_sdp_lut_place.v"}},
         {[](const Config& c) { return c.sdp_lut_enable && has_fp(c); },
          {"dla_sdp_lut_fp_lane.v", "dla_sdp_lut_fp_place.v", "dla_sdp_lut_rams.v"}},
         {has_x, {"dla_sdp_x.v"}},
         {[](const Config& c) { return has_x(c) && has_ints(c); }, {"dla_sdp_x_lane.v"}},
         {[](const Config& c) { return has_x(c) && has_fp(c); }, {"dla_sdp_x_fp_lane.v"}},
         {[](const Config& c) { return c.sdp_bs_enable || c.sdp_bn_enable || c.sdp_ew_enable; },
          {"dla_sdp_operand.v"}},
         {[](const Config& c) { return c.sdp_ew_enable; },
          {"dla_sdp_ew.v"},
          {"D_DP_EW_CFG.EW_BYPASS", "D_DP_EW_CFG.EW_ALU_BYPASS", "D_DP_EW_CFG.EW_ALU_ALGO",
           "D_DP_EW_CFG.EW_MUL_BYPASS", "D_DP_EW_CFG.EW_MUL_PRELU", "D_DP_EW_ALU_CFG.EW_ALU_SRC",
           "D_DP_EW_ALU_CFG.EW_ALU_CVT_BYPASS", "D_DP_EW_ALU_SRC_VALUE.EW_ALU_OPERAND",
           "D_DP_EW_ALU_CVT_OFFSET_VALUE.EW_ALU_CVT_OFFSET",
           "D_DP_EW_ALU_CVT_SCALE_VALUE.EW_ALU_CVT_SCALE",
           "D_DP_EW_ALU_CVT_TRUNCATE_VALUE.EW_ALU_CVT_TRUNCATE", "D_DP_EW_MUL_CFG.EW_MUL_SRC",
           "D_DP_EW_MUL_CFG.EW_MUL_CVT_BYPASS", "D_DP_EW_MUL_SRC_VALUE.EW_MUL_OPERAND",
           "D_DP_EW_MUL_CVT_OFFSET_VALUE.EW_MUL_CVT_OFFSET",
           "D_DP_EW_MUL_CVT_SCALE_VALUE.EW_MUL_CVT_SCALE",
           "D_DP_EW_MUL_CVT_TRUNCATE_VALUE.EW_MUL_CVT_TRUNCATE",
           "D_DP_EW_TRUNCATE_VALUE.EW_TRUNCATE"}},
         {[](const Config& c) { return c.sdp_lut_enable; },
          {"dla_sdp_lut.v"},
          {"D_DP_EW_CFG.EW_LUT_BYPASS",
           "D_PERF_ENABLE.PERF_LUT_EN",
           "S_LUT_ACCESS_CFG.LUT_ADDR",
           "S_LUT_ACCESS_CFG.LUT_TABLE_ID",
           "S_LUT_ACCESS_CFG.LUT_ACCESS_TYPE",
           "S_LUT_CFG.LUT_LE_FUNCTION",
           "S_LUT_CFG.LUT_UFLOW_PRIORITY",
           "S_LUT_CFG.LUT_OFLOW_PRIORITY",
           "S_LUT_CFG.LUT_HYBRID_PRIORITY",
           "S_LUT_INFO.LUT_LE_INDEX_OFFSET",
           "S_LUT_INFO.LUT_LE_INDEX_SELECT",
           "S_LUT_INFO.LUT_LO_INDEX_SELECT",
           "S_LUT_LE_START.LUT_LE_START",
           "S_LUT_LE_END.LUT_LE_END",
           "S_LUT_LO_START.LUT_LO_START",
           "S_LUT_LO_END.LUT_LO_END",
           "S_LUT_LE_SLOPE_SCALE.LUT_LE_SLOPE_UFLOW_SCALE",
           "S_LUT_LE_SLOPE_SCALE.LUT_LE_SLOPE_OFLOW_SCALE",
           "S_LUT_LE_SLOPE_SHIFT.LUT_LE_SLOPE_UFLOW_SHIFT",
           "S_LUT_LE_SLOPE_SHIFT.LUT_LE_SLOPE_OFLOW_SHIFT",
           "S_LUT_LO_SLOPE_SCALE.LUT_LO_SLOPE_UFLOW_SCALE",
           "S_LUT_LO_SLOPE_SCALE.LUT_LO_SLOPE_OFLOW_SCALE",
           "S_LUT_LO_SLOPE_SHIFT.LUT_LO_SLOPE_UFLOW_SHIFT",
           "S_LUT_LO_SLOPE_SHIFT.LUT_LO_SLOPE_OFLOW_SHIFT"},
          {"D_PERF_LUT_UFLOW.LUT_UFLOW", "D_PERF_LUT_OFLOW.LUT_OFLOW",
           "D_PERF_LUT_HYBRID.LUT_HYBRID", "D_PERF_LUT_LE_HIT.LUT_LE_HIT",
           "D_PERF_LUT_LO_HIT.LUT_LO_HIT"},
          {"S_LUT_ACCESS_CFG"}}},
    };
    return unit;
}

}  // namespace macrame::dla
