#include <algorithm>

#include "families/dla/units.hpp"

namespace macrame::dla {
namespace {

text::Scope cbuf_scope(const Config& config, const Derived& derived) {
    const int low_w = std::min(derived.cbuf_bank_w, 2);  // groups of 4: what one LUT can select
    // Ways into the banks; the one of data also clears them.
    text::List writes;
    const auto add = [&](const char* name, bool clears) {
        writes.push_back(text::Scope{{"name", name}, {"clears", clears}});
    };
    if (config.secondary_memif_enable) {
        add("dat_wr", true);
        add("wt_wr", false);
    } else {
        add("wr", true);
    }
    return {
        {"wt", wt_scope(derived)},
        {"types", text::Scope{{"sparsity_masks", config.weight_compression_enable}}},
        {"low_w", low_w},
        {"lows", 1 << low_w},
        {"highs", 1 << (derived.cbuf_bank_w - low_w)},
        {"writes", writes},
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
