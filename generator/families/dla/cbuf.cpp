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
    const int low_w = std::min(derived.cbuf_bank_w, 2);  // groups of 4: what one LUT can select
    const int highs = 1 << (derived.cbuf_bank_w - low_w);
    return {
        // What a bank writes: with one write path the same for all banks.
        {"bank_sel", config.secondary_memif_enable ? "wr_sel" : "wr_sel_q"},
        {"bank_row", config.secondary_memif_enable ? "wr_row" : "wr_row_q"},
        {"bank_data", config.secondary_memif_enable ? "wr_data" : "wr_data_q"},
        {"low_w", low_w},
        {"lows", 1 << low_w},
        {"highs", highs},
        {"wr_high", high_decode("wr_bank", highs == 1)},
        {"dat_wr_high", high_decode("dat_wr_bank", highs == 1)},
        {"wt_wr_high", high_decode("wt_wr_bank", highs == 1)},
        {"dat_high", high_decode("dat_bank", highs == 1)},
        {"wt_high", high_decode("wt_bank", highs == 1)},
    };
}

}  // namespace

const Unit& cbuf_unit() {
    static const Unit unit{
        "cbuf",        "convolution buffer: banks of entries between CDMA and CSC",
        nullptr,       {"dla_cbuf.v"},
        {"sram_1r1w"}, {},
        cbuf_scope,
    };
    return unit;
}

}  // namespace macrame::dla
