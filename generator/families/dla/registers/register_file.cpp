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
    const char* visible = shape.grouped
                              ? "A write of a single register is visible in the next cycle, of a "
                                "D_ register in the one behind it."
                              : "A write is visible in the next cycle.";
    comment(out,
            fmt::format("{} Read data comes two cycles after the request and is 0 in every other "
                        "cycle. Nothing stalls; one access per cycle.",
                        visible),
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

/// Does anything take writes a cycle later?
bool holds_writes(const Shape& shape) { return shape.grouped || !shape.plain; }

/// The access of the cycle before, for everything but single registers and the state of the groups.
void held_access(std::string& out, RegisterFile& file, const Shape& shape) {
    if (!holds_writes(shape)) {
        title(out, "The read as read back sees it, a cycle later.");
        line(out, "    reg         rd_q;");
        line(out, "    reg  {}word_q;", range(file.word_w()));
        line(out, "");
        line(out, "    always @(posedge clk or negedge rst_n) begin");
        line(out, "        if (!rst_n) rd_q <= 1'b0;");
        line(out, "        else        rd_q <= csb_rd;");
        line(out, "    end");
        line(out, "");
        line(out, "    always @(posedge clk) word_q <= word;");
        return;
    }
    title(out, shape.grouped ? "The access as D_ fields, copy and read back see it, a cycle later."
                             : "The access as copy and read back see it, a cycle later.");
    line(out, "    reg         store_q;                     // write that is not dropped");
    line(out, "    reg         rd_q;");
    if (shape.grouped) line(out, "    reg         bank_q;                      // group");
    line(out, "    reg  {}word_q;", range(file.word_w()));
    line(out, "    reg  [31:0] data_q;");
    if (shape.grouped) {
        line(out, "    wire        is_d    = word >= {};  // exists once per group",
             file.word("D_OP_ENABLE"));
    }
    if (shape.loaded) group_load(out, file);
    line(out, "");
    line(out, "    always @(posedge clk or negedge rst_n) begin");
    line(out, "        if (!rst_n) begin");
    line(out, "            store_q <= 1'b0;");
    line(out, "            rd_q    <= 1'b0;");
    line(out, "        end else begin");
    line(out, "            store_q <= {};",
         shape.grouped ? "is_d ? wr_g0 || wr_g1 : csb_wr" : "csb_wr");
    line(out, "            rd_q    <= csb_rd;");
    line(out, "        end");
    line(out, "    end");
    line(out, "");
    line(out, "    always @(posedge clk) begin");
    if (shape.grouped) line(out, "        bank_q <= is_d && producer_q;");
    line(out, "        word_q <= {};", shape.loaded ? "csb_valid ? word : load_word_q" : "word");
    line(out, "        data_q <= {};", shape.loaded ? "csb_valid ? csb_wdata : copy" : "csb_wdata");
    line(out, "    end");
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
        title(out, "D_ registers of group CONSUMER: the fields that the unit uses.");
        line(out, "    wire        field_wr = load_q || (store_q && bank_q == consumer_q);");
        field_flops(out, file, rows, "", {"field_wr", "word_q", "data_q"});
        outputs(rows);
        return;
    }
    title(out, "D_ registers, group 0: the fields that the unit uses.");
    field_flops(out, file, rows, "_g0", {"store_q && !bank_q", "word_q", "data_q"});
    title(out, "D_ registers, group 1.");
    field_flops(out, file, rows, "_g1", {"store_q && bank_q", "word_q", "data_q"});
    consumer_outputs(out, file);
}

void copy(std::string& out, RegisterFile& file, const Shape& shape) {
    title(out, fmt::format("What software reads back: a copy of every register{}. After reset a "
                           "sweep writes the reset values; a CSB write pauses it.",
                           shape.grouped ? " of both groups" : ""));
    CopyRam ram;
    ram.depth = shape.sweep;
    ram.wdata = "data_q";
    ram.declare_output = !shape.loaded;
    ram.write = "store_q";
    ram.word = "word_q";
    ram.slot = shape.grouped ? "{bank_q, word_q}" : "word_q";
    ram.read_slot = shape.loaded ? "rd_q ? {bank_q, word_q} : {consumer_q, load_word_q}" : ram.slot;
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
    line(out, "        if (rd_q) csb_rdata <= {}hw_value(word_q);", shape.plain ? "" : "copy | ");
    line(out, "        else      csb_rdata <= 32'd0;");
    line(out, "    end");
    line(out, "");
    if (!shape.plain) return;
    // Without a RAM some bits of the write data have no use.
    std::uint32_t used = 0;
    for (const Row& row : file.rows())
        used |= kept_mask(*row.reg);
    unused_bits(out, holds_writes(shape) ? "data_q" : "csb_wdata", used);
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
    held_access(body, file, shape);
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
