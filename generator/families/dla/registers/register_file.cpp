#include "register_file.hpp"

#include <algorithm>

#include "core/bits.hpp"
#include "groups.hpp"
#include "regs/text.hpp"

namespace macrame::dla {
namespace {

using namespace regs;

/// Up to this many stored bits a register file needs no RAM for read-back.
constexpr int kPlainBits = 16;

/// What a register file of this family is.
struct Shape {
    bool grouped = false;
    bool plain = false;   ///< no RAM
    bool loaded = false;  ///< fields exist once, see HandOver
    int sweep = 0;        ///< cycles after reset
};

/// Registers that are described together with their map; CMAC_B has those of CMAC_A.
std::string subject(const RegisterMap& map, const RegUse& use) {
    if (use.unit == "cmac") return "CMAC_A and of CMAC_B, the halves of the MAC array.";
    return fmt::format("{}, {}.", map.unit, map.doc);
}

void header(std::string& out, const std::string& subject, const Shape& shape) {
    comment(out, "Register file of " + subject, "");
    comment(out,
            "Writes are visible in the next cycle. Read data comes one cycle after the request and "
            "is 0 in every other cycle. Nothing stalls; one access per cycle.",
            "");
    if (shape.grouped) {
        comment(out,
                "D_ registers exist twice: software sees group PRODUCER, the unit group CONSUMER. "
                "Writes to a group whose OP_EN is 1 are dropped.",
                "");
    }
    if (shape.plain) {
        comment(out, "Reset: all registers have their documented values.", "");
    } else {
        comment(out,
                fmt::format("Reset: all fields with a port have their documented values. The "
                            "read-back copy of all registers is written in the {} cycles after it: "
                            "no access before that (dla_csb_master waits).",
                            shape.sweep),
                "");
    }
}

void module_ports(std::string& out, const RegisterFile& file, const Shape& shape,
                  std::string_view module) {
    Ports ports;
    ports.add("input  wire", 1, "clk");
    ports.add("input  wire", 1, "rst_n");
    ports.title("CSB");
    ports.add("input  wire", 1, "csb_valid");
    ports.add("input  wire", 10, "csb_addr", "word offset in the page");
    ports.add("input  wire", 32, "csb_wdata");
    ports.add("input  wire", 1, "csb_write");
    ports.add("output reg", 32, "csb_rdata", "0 when there is no answer");
    if (shape.grouped) add_group_ports(ports);
    add_field_ports(ports, file);
    ports.write(out, module);
}

void decode(std::string& out, int word_w) {
    line(out, "");
    line(out, "    wire {}word    = csb_addr[{}:0];", range(word_w), word_w - 1);
    line(out, "    wire        in_map  = csb_addr[9:{}] == {}'d0;", word_w, 10 - word_w);
    line(out, "    wire        csb_wr  = csb_valid && csb_write && in_map;");
    line(out, "    wire        csb_rd  = csb_valid && !csb_write && in_map;");
}

/// Single registers, then those of the groups.
void storage(std::string& out, RegisterFile& file, const Shape& shape) {
    const WritePort csb{"csb_wr", "word", "csb_wdata"};
    const auto outputs = [&](const Rows& rows) {
        line(out, "");
        for (const Row* row : rows)
            field_outputs(out, *row, row->name + "_q");
    };
    if (const Rows rows = file.stored(false); !rows.empty()) {
        title(out, "Single registers.");
        field_flops(out, file, rows, "", csb);
        outputs(rows);
    }
    const Rows rows = file.stored(true);
    if (rows.empty()) return;
    if (shape.loaded) {
        group_load(out, file);
        title(out, "D_ registers of group CONSUMER: the fields that the unit uses.");
        field_flops(out, file, rows, "", {"field_wr", "field_word", "field_data"});
        outputs(rows);
        return;
    }
    title(out, "D_ registers, group 0: the fields that the unit uses.");
    field_flops(out, file, rows, "_g0", {"wr_g0", "word", "csb_wdata"});
    title(out, "D_ registers, group 1.");
    field_flops(out, file, rows, "_g1", {"wr_g1", "word", "csb_wdata"});
    consumer_outputs(out, file);
}

void copy(std::string& out, RegisterFile& file, const Shape& shape) {
    title(out, fmt::format("What software reads back: a copy of every register{}. After reset a "
                           "sweep writes the reset values; a CSB write pauses it.",
                           shape.grouped ? " of both groups" : ""));
    CopyRam ram;
    ram.depth = shape.sweep;
    ram.wdata = "csb_wdata";
    ram.declare_output = !shape.loaded;
    ram.write = "csb_wr";
    ram.slot = ram.read_slot = "word";
    if (shape.grouped) {
        ram.write = "copy_wr";
        ram.slot = ram.read_slot = "slot";
        line(ram.before, "    wire        is_d    = word >= {};  // exists once per group",
             file.word("D_OP_ENABLE"));
        line(ram.before, "    wire        copy_wr = is_d ? (wr_g0 || wr_g1) : csb_wr;");
        line(ram.before, "    wire {}slot    = {{is_d && producer_q, word}};",
             range(clog2(shape.sweep)));
    }
    if (shape.loaded) ram.read_slot = "load ? {consumer_q, load_word_q} : slot";
    copy_ram(out, file, ram);
}

/// Flops of a row as software sees them: those of group PRODUCER, or the only ones.
std::string producer_flops(const Row& row) { return row.name + (row.grouped() ? "_r" : "_q"); }

void read(std::string& out, RegisterFile& file, const Shape& shape) {
    title(out, shape.plain ? "Read." : "Read: the copy, and what hardware owns (0 in the copy).");
    if (shape.plain) {
        for (const Row* row : file.stored(true)) {
            line(out, "    wire {0}{1}_r = producer_q ? {1}_g1_q : {1}_g0_q;",
                 range(row->flop_bits()), row->name);
        }
    }
    line(out, "    function [31:0] hw_value;");
    line(out, "        input {}number;", range(file.word_w()));
    line(out, "    begin");
    line(out, "        hw_value = 32'd0;");
    line(out, "        case (number)");
    if (shape.grouped) read_groups(out, file);
    for (const Row& row : file.rows()) {
        if (row.grouped() && !row.inputs.empty()) {
            read_counts(out, file, row);
        } else if (!row.inputs.empty() || (shape.plain && !row.flops.empty())) {
            assign(out, fmt::format("            {}: hw_value = ", file.word(*row.reg)),
                   read_pieces(row, shape.plain ? producer_flops(row) : ""));
        }
    }
    line(out, "            default: ;");
    line(out, "        endcase");
    line(out, "    end");
    line(out, "    endfunction");
    line(out, "");
    line(out, "    always @(posedge clk) begin");
    line(out, "        if (csb_rd) csb_rdata <= {}hw_value(word);", shape.plain ? "" : "copy | ");
    line(out, "        else        csb_rdata <= 32'd0;");
    line(out, "    end");
    line(out, "");
    if (!shape.plain) return;
    // Without a RAM some bits of the write data have no use.
    std::uint32_t used = 1;  // S_POINTER, D_OP_ENABLE
    for (const Row& row : file.rows())
        used |= kept_mask(*row.reg);
    unused_bits(out, "csb_wdata", used);
}

}  // namespace

int reset_sweep_cycles(const RegisterMap& map) {
    int bits = 0;
    for (const Register& reg : map.registers) {
        if (reg.name == "S_POINTER" || reg.name == "D_OP_ENABLE") continue;
        for (const Field& field : reg.fields) {
            if (field.access == Access::rw) bits += field.width();
        }
    }
    if (bits <= kPlainBits) return 0;
    const int words = 1 << clog2(map.registers.back().word() + 1);
    return has_groups(map) ? 2 * words : words;
}

std::string register_file(const RegisterMap& map, const RegUse& use, std::string_view module) {
    Shape shape;
    shape.grouped = has_groups(map);
    shape.sweep = reset_sweep_cycles(map);
    shape.plain = shape.sweep == 0;
    RegisterFile file(map, use, shape.plain,
                      shape.grouped ? group_registers() : std::vector<std::string_view>{});
    shape.loaded = shape.grouped && !shape.plain && hand_over(map) == HandOver::loaded &&
                   !file.stored(true).empty();

    std::string body;
    decode(body, file.word_w());
    if (shape.grouped) group_state(body, file, shape.loaded);
    storage(body, file, shape);
    strobes(body, file, {"csb_wr", "word", "csb_wdata"});
    if (shape.grouped) group_counters(body, file);
    if (!shape.plain) copy(body, file, shape);
    read(body, file, shape);

    std::string out;
    header(out, subject(map, use), shape);
    line(out, "`default_nettype none");
    line(out, "");
    module_ports(out, file, shape, module);
    file.address_names(out);
    end_module(out, module, body);
    return out;
}

}  // namespace macrame::dla
