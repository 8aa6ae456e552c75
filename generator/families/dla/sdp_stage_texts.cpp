#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "families/dla/sdp_texts.hpp"
#include "families/dla/texts.hpp"

namespace macrame::dla {
namespace {

/// Register stages of the datapath.
constexpr int kXStages = 8, kArithmeticStages = 12, kLutStages = 15, kOutStages = 5;
/// The same of layers that compute in fp16.
constexpr int kFpInStages = 1, kFpXStages = 9, kFpArithmeticStages = 9, kFpLutStages = 26;

/// The X stages.
text::Scope x_texts(const Derived& derived, const SdpTypes& t) {
    const bool choice = t.fp_choice();
    const std::string of_fp = fmt::format(
        "{}; {} element(s) per cycle; nothing waits.\n"
        "// A tag goes along with each word. The registers hold while a layer runs, "
        "what is decoded from\n"
        "// them is ready in the cycle behind its start. Reset: no word; data has none.",
        t.ints() ? "8, of fp32 9, bypassed 1" : "9, bypassed 1", derived.sdp_lanes);
    const std::string of_ints = fmt::format(
        "8, bypassed 1; {} element(s) per cycle; nothing waits. A tag goes along with\n"
        "// each word. The registers hold while a layer runs, what is decoded from "
        "them is ready in the\n"
        "// cycle behind its start. Reset: no word; data has none.",
        derived.sdp_lanes);
    return {
        {"x_contract", t.fp16 ? of_fp : of_ints},
        {"x_fp_ports",
         lines({when(choice,
                     "input  wire         fp,            // elements are fp32, operands "
                     "fp16"),
                when(t.fp16,
                     "input  wire         flush,         // operands that are NaN count "
                     "as 0")})},
        {"x_algo_doc", !t.fp16    ? "and 3 sum"
                       : t.ints() ? "sum, 3 unequal, of integers sum"
                                  : "sum, 3 unequal"},
        {"x_alu_shift_port", when(t.ints(), "input  wire [5:0]   alu_shift,")},
        {"x_mul_shift_port", when(t.ints(), "input  wire [5:0]   mul_shift,")},
        {"x_depth", t.fp16 ? kFpXStages : kXStages},
        {"x_load", choice   ? "{valid_q[7] && fp, valid_q[6:1], valid_q[0] && !bypass, in_valid}"
                   : t.fp16 ? "{valid_q[7:1], valid_q[0] && !bypass, in_valid}"
                            : "{valid_q[6:1], valid_q[0] && !bypass, in_valid}"},
        {"x_end_valid", choice   ? "fp ? valid_q[8] : valid_q[7]"
                        : t.fp16 ? "valid_q[8]"
                                 : "valid_q[7]"},
        {"x_end_tag", choice   ? "fp ? tag_q[17:16] : tag_q[15:14]"
                      : t.fp16 ? "tag_q[17:16]"
                               : "tag_q[15:14]"},
        {"x_int_regs", when(t.ints(), "subtract_q, least_q, ")},
        {"x_fp_bypass", when(!t.ints(), ".bypass      (bypass),")},
        {"x_fp_data", t.ints() ? "fp_data" : "out_data[32*i +: 32]"},
        {"x_fp_load", t.ints() ? "load & {9{fp}}" : "load"},
        {"x_int_load", t.fp16 ? "{load[7:1] & {7{!fp}}, load[0]}" : "load"},
        {"x_int_data", t.fp16 ? "int_data" : "out_data[32*i +: 32]"},
        {"x_alu_operand", t.fp16 ? "alu_operand" : "alu_src ? operand_alu[16*i +: 16] : alu_value"},
        {"x_mul_operand", t.fp16 ? "mul_operand" : "mul_src ? operand_mul[16*i +: 16] : mul_value"},
    };
}

/// The output convertor.
text::Scope convertor_texts(const Config& config, const Derived& derived, const SdpTypes& t) {
    const bool raw = config.sdp_ew_enable, choice = t.fp_choice();
    const bool out_wide = t.mixed() && (t.int16 || raw);
    const std::string latency = std::string("2 from fp32") + when(t.int16, ", 4 to int16") +
                                when(t.ints(), "; 5 from integers, 7 to fp16");
    return {
        {"c_contract",
         t.fp16 ? fmt::format("{}; {} element(s) per\n// cycle; nothing waits. Reset: no word; "
                              "data has none",
                              latency, derived.sdp_lanes)
                : fmt::format("5, {} element(s) per cycle; nothing waits. Reset: no word; data has "
                              "none",
                              derived.sdp_lanes)},
        {"c_mode_ports",
         lines({when(t.ints(),
                     "input  wire [31:0]  offset,\n"
                     "input  wire [15:0]  scale,\n"
                     "input  wire [5:0]   shift,"),
                when(raw, fmt::format("input  wire         raw,           // the low {} bits pass",
                                      derived.lane_bits)),
                when(out_wide, "input  wire         out_wide,      // results have 16 bits"),
                when(choice,
                     "input  wire         proc_fp,       // elements are fp32, else "
                     "integers\n"
                     "input  wire         out_fp,        // results are fp16")})},
        {"c_nan_count_port", when(t.fp16, "input  wire         nan_count_en,")},
        {"c_nans_port", when(t.fp16, "output reg  [31:0]  nans_q,")},
        {"c_out_nan", when(t.fp16, "wire [LANES-1:0] out_nan;")},
        {"c_stages", choice    ? 7
                     : !t.fp16 ? 5
                               : 2},
        {"c_int16_doc", when(t.int16, ", fp32 -> int16")},
        {"c_last_4_reg", when(t.int16, ", last_4_q")},
        {"c_last_4_term", when(t.int16, " || (last_4_q && valid_q[3])")},
        {"c_last_4_not", when(t.int16, " && !last_4_q")},
        {"c_last_4_load",
         when(t.int16, "last_4_q  <= proc_fp && " + when(raw, "!raw && ") + "!out_fp;")},
        {"c_raw_or", when(raw, "raw || ")},
        {"c_nan_mode", when(choice, " && from_fp_q")},
        {"c_fp_lane_modes",
         lines({when(raw, ".raw      (raw),"), when(t.int16, ".to_int   (last_4_q),")})},
        {"c_fp_data", t.ints() ? "fp_data" : "out_data[16*i +: 16]"},
        {"c_fp_sat", t.ints() ? "fp_sat" : "out_sat[i]"},
        {"c_held", when(raw, "_q")},
        {"c_int_lane_modes",
         lines({when(raw, ".raw      (raw_q),"), when(out_wide, ".out_wide (out_wide),"),
                when(t.fp16, ".to_fp    (out_fp),")})},
        {"c_int_data", t.fp16     ? "int_data"
                       : t.wide() ? "out_data[16*i +: 16]"
                                  : "out_data[8*i +: 8]"},
        {"c_int_sat", t.fp16 ? "int_sat" : "out_sat[i]"},
        {"c_sat_port", t.wide() ? "sat  " : "sat_q"},
        {"c_lane", t.wide() ? "dla_sdp_c_int_lane" : "dla_sdp_c_lane"},
    };
}

/// Its lanes.
text::Scope convertor_lane_texts(const Config& config, const SdpTypes& t) {
    const bool raw = config.sdp_ew_enable;
    const bool out_wide = t.mixed() && (t.int16 || raw);
    const std::string byte = "{{8{byte_out[7]}}, byte_out}";
    return {
        {"c_fp_stages", t.int16 ? 4 : 2},
        {"c_fp_stages_doc", t.int16 ? "four register stages" : "two register stages"},
        {"c_fp_latency_doc", t.int16 ? "2, to int16 4" : "2"},
        {"c_fp_doc", when(t.int16, " or int16")},
        {"c_fp_not_raw", when(raw, " && !raw")},
        {"c_fp_lane_ports",
         lines(
             {when(raw,
                   "input  wire         raw,           // the low 16 bits pass, behind 2 "
                   "stages"),
              when(t.int16, "input  wire         to_int,        // result is int16, else fp16")})},
        {"c_ports",
         lines({when(raw,
                     "input  wire         raw,           // offset, shift are 0, scale is 1: "
                     "bits pass"),
                when(out_wide, "input  wire         out_wide,      // 16 bits, else int8"),
                when(t.fp16, "input  wire         to_fp,         // fp16")})},
        {"c_fp_picture", when(t.fp16, "//" + std::string(68, ' ') + "| to fp16, 2 stages | ->")},
        {"c_wrap", raw ? "raw" : "1'b0"},
        {"c_to_fp", raw ? "(to_fp && !raw)" : "to_fp"},
        {"c_stages_doc", t.fp16 ? "seven register stages" : "five register stages"},
        {"c_flag_doc", t.fp16 ? "; fp16: the largest" : "; no flag for fewer"},
        {"c_bits_doc", t.mixed() ? t.int16 ? "8 or 16" : "8" : "16"},
        {"c_out_doc", t.fp16 ? "      // signed, or fp16" : "      // signed"},
        {"c_raw_out",
         t.mixed() ? "out_wide ? wide[15:0] : {{8{wide[7]}}, wide[7:0]}" : "wide[15:0]"},
        {"c_int_out", !t.int16    ? byte
                      : t.mixed() ? "out_wide ? half_out : " + byte
                                  : "half_out"},
    };
}

/// Y.
text::Scope y_texts(const Config& config, const Derived& derived, const SdpTypes& t) {
    const bool lut = config.sdp_lut_enable, choice = t.fp_choice();
    const int stages = sdp_stages(config, t).ew, ew_beats = sdp_ew_beats(config, derived);
    const int ints = kArithmeticStages + (lut ? kLutStages : 0);
    const int fp = kFpArithmeticStages + (lut ? kFpLutStages : 0);
    const auto tap = [&](const char* word) {
        const auto at = [&](int stage) { return fmt::format("{}[{}]", word, stage); };
        const std::string plain = at(kFpArithmeticStages);
        const std::string table = lut ? fmt::format("lut_bypass ? {} : {}", plain, at(fp)) : plain;
        if (!choice) return table;
        return fmt::format("!fp ? {} : {}", at(ints), table);
    };
    const auto end = [](const char* when_at, int stage) {
        return fmt::format("if ({}) moving[{}] = 1'b0;", when_at, stage);
    };
    const char* const ends_early = choice && lut ? "fp && lut_bypass" : lut ? "lut_bypass" : "fp";
    const std::string fp_load = choice ? "fp_load" : "load";
    return {
        {"ew_arith_stages", kArithmeticStages},
        {"ew_stages", stages},
        {"fp_arith_stages", kFpArithmeticStages},
        {"ew_contract",
         t.fp16 ? "behind the\n// last part: " + when(choice, fmt::format("integers {}, ", ints)) +
                      fmt::format("fp32 {}", kFpArithmeticStages) +
                      when(lut, fmt::format(", with the table {}", fp)) +
                      ".\n// Reset: no word, also no part of one; data has none"
                : fmt::format("{} cycles behind\n// the last part. Reset: no word, also no part of "
                              "one; data has none",
                              stages)},
        {"ew_ram_clk_port", when(lut, "input  wire         ram_clk,       // never stopped")},
        {"ew_fp_ports",
         lines({when(choice, "input  wire         fp,            // elements are fp32"),
                when(t.fp16,
                     "input  wire         flush,         // operands that are NaN count "
                     "as 0")})},
        {"ew_slope_shift_ports", when(t.ints(),
                                      "input  wire [9:0]   le_shift,\n"
                                      "input  wire [9:0]   lo_shift,")},
        {"ew_end_valid", tap("load")},
        {"ew_end_last", tap("lasts")},
        {"ew_moving", t.fp16 ? "moving" : "load[STAGES-1:0]"},
        {"ew_ends",
         lines({when(choice && ints < stages, end("!fp", ints)),
                when(kFpArithmeticStages < stages, end(ends_early, kFpArithmeticStages))})},
        {"ew_end", t.fp16 ? "end_valid" : "load[STAGES]"},
        {"ew_fp_wires",
         lines({when(t.fp16, "wire [32*LANES-1:0] fp_arithmetic;"),
                when(choice,
                     fmt::format("wire [{0}:0]         int_load = load[{0}:0] & {{{1}{{!fp}}}};\n"
                                 "wire [{2}:0]         fp_load  = load[{2}:0] & {{{3}{{fp}}}};",
                                 ints - 1, ints, fp - 1, fp))})},
        {"ew_fp_load", fp_load},
        {"ew_int_load", choice ? "int_load" : "load"},
        {"ew_around_lut", choice ? "(fp && lut_bypass)" : "lut_bypass"},
        {"ew_arithmetic", t.ints() ? "arithmetic" : "fp_arithmetic"},
        {"ew_found", t.fp16 ? "found" : "result"},
        {"ew_plain_result", choice   ? "fp ? fp_arithmetic : arithmetic"
                            : t.fp16 ? "fp_arithmetic"
                                     : "arithmetic"},
        {"lut_loads",
         lines({when(choice, fmt::format(".load       (int_load[{}:{}]),\n"
                                         ".fp         (fp),\n"
                                         ".fp_in_data (fp_arithmetic),",
                                         ints - 1, kArithmeticStages)),
                t.fp16 ? fmt::format(".fp_load    ({}[{}:{}]),", fp_load,
                                     kFpArithmeticStages + kFpLutStages - 1, kFpArithmeticStages)
                       : fmt::format(".load       (load[STAGES-1:{}]),", kArithmeticStages)})},
        {"lut_slope_shifts", when(t.ints(), ".le_shift   (le_shift),\n.lo_shift   (lo_shift),")},
        {"ew_kept", ew_beats == 2 ? "result" : "{result, kept_q[KEPT-1:32*LANES]}"},
        {"ew_unused_load", when(!t.fp16, "wire unused_load = &{1'b0, load[STAGES]};")},
    };
}

/// Its tables, dla_sdp_lut.
text::Scope table_texts(const SdpTypes& t) {
    const bool choice = t.fp_choice();
    return {
        {"lut_stages", kLutStages},
        {"fp_lut_stages", kFpLutStages},
        {"lut_indexes", choice ? "fp_index, int_index" : "index"},
        {"lut_re", choice ? "re" : "fp_load[9]"},
        {"lut_fp_index", choice ? "fp_index" : "index"},
        {"lut_fp_in", choice ? "fp_in_data[32*i +: 32]" : "in_data[32*i +: 32]"},
        {"lut_fp_out", choice ? "fp_data" : "out_data[32*i +: 32]"},
        {"lut_fp_under", choice ? "fp_events[3]" : "under[i]"},
        {"lut_fp_over", choice ? "fp_events[2]" : "over[i]"},
        {"lut_fp_le_hit", choice ? "fp_events[1]" : "le_hit[i]"},
        {"lut_fp_lo_hit", choice ? "fp_events[0]" : "lo_hit[i]"},
        {"lut_counted", !t.fp16  ? "load[6]"
                        : choice ? "(fp ? fp_load[9] : load[6])"
                                 : "fp_load[9]"},
    };
}

}  // namespace

SdpStages sdp_stages(const Config& config, const SdpTypes& types) {
    const int x = types.fp16 ? kFpXStages : kXStages;
    const bool lut = config.sdp_lut_enable;
    const int ints = types.ints() ? kArithmeticStages + (lut ? kLutStages : 0) : 0;
    const int fp = types.fp16 ? kFpArithmeticStages + (lut ? kFpLutStages : 0) : 0;
    // X1 is an input register if the stage is absent.
    return {types.fp16 ? kFpInStages : 0, config.sdp_bs_enable ? x : 1,
            config.sdp_bn_enable ? x : 0, std::max(ints, fp),
            kOutStages + (types.fp_choice() ? 2 : 0)};
}

text::Scope sdp_stage_texts(const Config& config, const Derived& derived) {
    const SdpTypes t = sdp_types(derived);
    text::Scope out = x_texts(derived, t);
    out.merge(convertor_texts(config, derived, t));
    out.merge(convertor_lane_texts(config, t));
    out.merge(y_texts(config, derived, t));
    out.merge(table_texts(t));
    return out;
}

}  // namespace macrame::dla
