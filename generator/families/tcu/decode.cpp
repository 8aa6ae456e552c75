#include <algorithm>
#include <string>

#include "families/tcu/units.hpp"
#include "verif/tcu/isa/layout.hpp"

namespace macrame::tcu {

namespace {

/// Widths inside the unit; addresses are wide enough to hold a block and the number of one.
struct Widths {
    int local, other, info, block, entry, clear;
    explicit Widths(const Config& c, const Derived& d)
        : local(std::max({d.local_addr_w, d.acc_addr_w, d.local_block_w + 1})),
          info(8 + d.simd_op_w + 3 * d.simd_code_w),
          block(std::max(d.local_addr_w - d.local_block_w, 1)) {
        // An eighth of the blocks for each bank.
        const int most = c.order_blocks == 0 ? 1 : std::max(clog2(c.order_blocks) - 3, 1);
        const int index = std::clamp(d.dram_addr_w - d.dram_block_w, 1, most);
        other = std::max({d.acc_addr_w, d.dram_addr_w, d.dram_block_w + index});
        entry = index + 1;
        clear = std::max(block, entry);
    }
};

text::List tables(const Widths& w) {
    text::List list;
    const auto add = [&](const char* name, const char* unit, bool local) {
        list.push_back(text::Scope{
            {"address", local ? "block" : "entry"},
            {"depth_w", local ? w.block : w.entry},
            {"name", name},
            {"unit", unit},
            {"write", local ? "touch" : "reach"},
        });
    };
    for (const char* unit : {"load", "store", "move", "feed", "weights"})
        add(unit, unit, true);
    add("dram_load", "load", false);
    add("dram_store", "store", false);
    return list;
}

/// The links of tcu_scoreboard that tcu_decode passes on.
text::List links(bool serial) {
    text::List list;
    for (const char* name : {"decode2load_valid",
                             "decode2load_ready",
                             "decode2load_bank",
                             "decode2load_addr",
                             "decode2load_stride",
                             "decode2load_count",
                             "decode2load_local",
                             "decode2load_local_stride",
                             "decode2load_need_moved",
                             "decode2load_need_read",
                             "decode2load_need_feed",
                             "decode2load_need_weights",
                             "decode2load_need_acked",
                             "decode2store_valid",
                             "decode2store_ready",
                             "decode2store_bank",
                             "decode2store_addr",
                             "decode2store_stride",
                             "decode2store_count",
                             "decode2store_local",
                             "decode2store_local_stride",
                             "decode2store_need_load",
                             "decode2store_need_moved",
                             "decode2store_need_loaded_dram",
                             "decode2issue_valid",
                             "decode2issue_ready",
                             "decode2issue_kind",
                             "decode2issue_zero",
                             "decode2issue_accumulate",
                             "decode2issue_swap",
                             "decode2issue_local",
                             "decode2issue_local_stride",
                             "decode2issue_acc",
                             "decode2issue_acc_stride",
                             "decode2issue_count",
                             "decode2issue_simd_write",
                             "decode2issue_simd_op",
                             "decode2issue_simd_left",
                             "decode2issue_simd_right",
                             "decode2issue_simd_dest",
                             "decode2issue_simd_read",
                             "decode2issue_simd_write_en",
                             "decode2issue_need_load",
                             "decode2issue_need_b",
                             "decode2issue_need_feed",
                             "decode2issue_need_weights",
                             "load2all_done",
                             "store2all_read",
                             "store2all_acked",
                             "acc2all_moved",
                             "feed2all_done",
                             "weights2all_done"}) {
        // What was read by store does not count when everything waits for all of it.
        if (!serial || std::string_view(name) != "store2all_read") list.push_back(name);
    }
    return list;
}

}  // namespace

text::Scope decode_scope(const Config& c, const Derived& d) {
    const Widths w(c, d);
    const int common = d.size_w + d.stride_code0_w + d.stride_code1_w + d.local_addr_w;
    const int transfer = common + 1 + d.dram_addr_w;
    const int tag = d.transfer_tag_w + 1;
    return {
        {"block_w", w.block},
        {"clear_w", w.clear},
        {"entry_w", w.entry},
        {"info_w", w.info},
        {"issue_w", common + 2 * d.acc_addr_w + w.info + 4 * tag},
        {"links", links(c.order_blocks == 0)},
        {"load_w", transfer + 5 * tag},
        {"local_w", w.local},
        {"other_w", w.other},
        {"store_w", transfer + 3 * tag},
        {"tables", tables(w)},
    };
}

}  // namespace macrame::tcu
