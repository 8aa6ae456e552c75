#include <algorithm>
#include <string>

#include "families/dla/units.hpp"

namespace macrame::dla {
namespace {

/// One-hot of the upper bits of `bank`.
std::string high_decode(const std::string& bank, bool one) {
    if (one) return "1'b1";
    return "{{(HIGHS-1){1'b0}}, 1'b1} << " + bank + "[BANK_W-1:LOW_W]";
}

text::Scope cbuf_scope(const Config& config, const Derived& derived) {
    const bool pairs = derived.wt_atoms > 1;  // of weights, whose write path is their own
    const int low_w = std::min(derived.cbuf_bank_w, 2);  // groups of 4: what one LUT can select
    const int highs = 1 << (derived.cbuf_bank_w - low_w);
    const auto write_path = [&](const char* name, const char* valid, const char* word,
                                bool clears) {
        return text::Scope{
            {"name", name},     {"data_w", pairs && !clears ? "PAIR_W" : "ATOM_W"},
            {"valid", valid},   {"word", word},
            {"clears", clears}, {"high", high_decode(std::string(name) + "_bank", highs == 1)}};
    };
    text::List writes;
    if (config.secondary_memif_enable) {
        writes.push_back(write_path("dat_wr", "cdma2cbuf_dat_wr_valid", "dat_write", true));
        writes.push_back(write_path("wt_wr", "cdma2cbuf_wt_wr_valid", "wt_write", false));
    } else {
        writes.push_back(write_path("wr", "cdma2cbuf_dat_wr_valid || cdma2cbuf_wt_wr_valid",
                                    "cdma2cbuf_dat_wr_valid ? dat_write : wt_write", true));
    }
    return {
        // What a bank writes: with one write path the same for all banks.
        {"bank_sel", config.secondary_memif_enable ? "wr_sel" : "wr_sel_q"},
        {"bank_row", config.secondary_memif_enable ? "wr_row" : "wr_row_q"},
        {"bank_data", pairs                           ? "wr_data[(a%2)*ATOM_W +: ATOM_W]"
                      : config.secondary_memif_enable ? "wr_data"
                                                      : "wr_data_q"},
        {"wt_write_w", pairs ? "WT_WRITE_W" : "WRITE_W"},
        {"wt_write_sizes", pairs ? "localparam PAIR_W  = 2 * ATOM_W;\n"
                                   "localparam WT_WRITE_W = ADDR_W + Q + PAIR_W;"
                                 : ""},
        {"wt_sel_doc", pairs ? "an aligned pair, or its low atom" : "one-hot atom of the entry"},
        {"wr_data_w", pairs ? "PAIR_W" : "ATOM_W"},
        {"dat_wr_data", pairs ? "{2{dat_wr_data_q}}" : "dat_wr_data_q"},
        {"wt", wt_scope(derived)},
        {"types", text::Scope{{"masks", config.weight_compression_enable ? 1 : 0}}},
        {"low_w", low_w},
        {"lows", 1 << low_w},
        {"highs", highs},
        {"writes", writes},
        {"dat_high", high_decode("dat_bank", highs == 1)},
        {"wt_high", high_decode("wt_bank", highs == 1)},
    };
}

}  // namespace

const Unit& cbuf_unit() {
    static const Unit unit{
        "cbuf",
        "convolution buffer: banks of entries between CDMA and CSC",
        nullptr,
        {"dla_cbuf.v"},
        {"reg_copy", "sram_1r1w"},
        {},
        cbuf_scope,
    };
    return unit;
}

}  // namespace macrame::dla
