#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "families/tcu/units.hpp"
#include "verif/tcu/isa/layout.hpp"

namespace macrame::tcu {

std::string bits(std::string_view word, int at, int from, int to) {
    const std::string part = fmt::format("{}[{}:{}]", word, at + std::min(from, to) - 1, at);
    return from < to ? fmt::format("{{{}'d0, {}}}", to - from, part) : part;
}

namespace {

/// A signal of `from` bits as one of `to` bits.
std::string sized(const std::string& name, int from, int to) {
    if (from == to) return name;
    return from < to ? fmt::format("{{{}'d0, {}}}", to - from, name)
                     : fmt::format("{}[{}:0]", name, to - 1);
}

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

/// Text of the fields of the instruction in data_q.
void add_fields(text::Scope& s, const Config& c, const Derived& d, const Widths& w) {
    const auto field = [](int at, int from, int to) { return bits("data_q", at, from, to); };
    s.set("in_local", field(0, d.op0_addr_w, w.local));
    s.set("in_stride0",
          d.op0_stride_w == 0 ? "1'd0" : field(d.op0_addr_w, d.op0_stride_w, d.op0_stride_w));
    s.set("in_other", field(d.op1_at, d.op1_addr_w, w.other));
    s.set("op1_count", field(d.op1_at, d.op1_w, d.size_w));
    s.set("op2_count", field(d.op2_at, d.op2_w, d.size_w));
    s.set("clamp", d.op1_w < clog2(c.array_size + 1)
                       ? "1'b0"
                       : fmt::format("in_data[{}:{}] > {}'d{}", d.op1_at + d.op1_w - 1, d.op1_at,
                                     d.op1_w, c.array_size));
    const int code = d.simd_register_w;
    const auto simd = [&](int at) {
        return code == 0 ? std::string("1'd0") : field(d.op2_at + at, code, code);
    };
    s.set("simd_fields",
          fmt::format("{}, {}, {}, {}", field(d.op2_at + d.simd_op_at, d.simd_op_w, d.simd_op_w),
                      simd(d.simd_left_at), simd(d.simd_right_at),
                      c.lut_tables > 0 ? "dest" : simd(0)));
    s.set("simd_dest", simd(0));
    s.set("table", field(d.op1_at, code, code));
    s.set("to_lut", c.lut_tables > 0 ? ", TO_LUT" : "");
    s.set("or_lut", c.lut_tables > 0 ? " || in_lut" : "");
    s.set("not_lut", c.lut_tables > 0 ? " && !lut" : "");
    s.set("or_lut_kind", c.lut_tables > 0 ? " || kind == TO_LUT" : "");
    s.set("or_lut_piece", c.lut_tables > 0 ? " || piece_kind == TO_LUT" : "");
}

}  // namespace

text::Scope decode_scope(const Config& c, const Derived& d) {
    const Widths w(c, d);
    const int count = d.size_w, block = d.local_block_w, dram = d.dram_block_w;
    const int compared = std::max(count, dram);
    const int common = d.size_w + d.stride_code0_w + d.stride_code1_w + d.local_addr_w;
    const int transfer = common + 1 + d.dram_addr_w;
    const int tag = d.transfer_tag_w + 1;
    const bool serial = c.order_blocks == 0;
    text::Scope s = {
        {"b_count", sized("b_count", count, w.other)},
        {"banks", text::List{"0", "1"}},
        {"block_w", w.block},
        {"clear_w", w.clear},
        {"clearing", serial ? "" : " || clearing"},
        {"d_count", sized("d_count_q", count, compared)},
        {"d_room", sized("d_room", dram, compared)},
        {"d_steps", sized("d_room", dram, block)},
        {"decode_latency", serial ? 3 : 10},
        {"entry_w", w.entry},
        {"epoch", 1 << (d.transfer_tag_w - 3)},
        {"in_count", sized("in_count", count, w.local)},
        {"info_w", w.info},
        {"issue_w", common + 2 * d.acc_addr_w + w.info + 4 * tag},
        {"l_index0", sized("l_index0", count, w.local)},
        {"l_index1", sized("l_index_q", count, w.other)},
        {"l_steps", sized("l_steps_q", block, count)},
        {"links", links(serial)},
        {"load_w", transfer + 5 * tag},
        {"local_w", w.local},
        {"other_w", w.other},
        {"p_room", sized("p_room", block, count)},
        {"piece_room", sized("d_room", dram, count)},
        {"split_rest", serial ? "" : " && !split_busy"},
        {"status_room", c.status_port ? " && status_ready" : ""},
        {"store_w", transfer + 3 * tag},
        {"t_block", sized("t_block", w.block, w.clear + 1)},
        {"t_entry", sized("t_entry", w.entry, w.clear + 1)},
        {"tables", tables(w)},
    };
    add_fields(s, c, d, w);
    return s;
}

}  // namespace macrame::tcu
