#include "to_verilog.hpp"

#include <algorithm>
#include <functional>
#include <set>
#include <stdexcept>

#include "regs/text.hpp"

namespace macrame::regs {
namespace {

/// Up to this many stored bits a register file needs no RAM for read-back.
constexpr int kPlainBits = 16;

int clog2(int value) {
    int bits = 0;
    while ((1 << bits) < value)
        ++bits;
    return bits;
}

std::string num(int value) { return std::to_string(value); }

/// "[12:0] " or nothing, padded to the width of a port range.
std::string range(int width) {
    return pad(width == 1 ? "" : "[" + num(width - 1) + ":0]", 6) + " ";
}

/// "csb_wdata[28:16]", "csb_wdata[4]" or "csb_wdata".
std::string slice(const std::string& name, const Field& field, int name_width) {
    if (field.width() == name_width) return name;
    if (field.width() == 1) return name + "[" + num(field.lsb) + "]";
    return name + "[" + num(field.msb) + ":" + num(field.lsb) + "]";
}

/// The pieces, most significant first, as one expression.
std::string concat(const std::vector<std::string>& pieces) {
    if (pieces.size() == 1) return pieces.front();
    std::string text = "{";
    for (const std::string& piece : pieces)
        text += (text.size() > 1 ? ", " : "") + piece;
    return text + "}";
}

/// One register as the register file sees it.
struct Row {
    const Register* reg;
    std::string name;                   ///< d_bank
    std::vector<const Field*> flops;    ///< fields kept in flops, low bits first
    std::vector<const Field*> outputs;  ///< those of them that are ports
    std::vector<const Field*> inputs;   ///< ports that hardware drives
    bool strobe = false;                ///< port _wr

    bool grouped() const { return reg->kind == Kind::pingpong; }
    int flop_bits() const {
        int bits = 0;
        for (const Field* field : flops)
            bits += field->width();
        return bits;
    }
    std::string port(const Field& field) const {
        return port_name(std::string(reg->name) + "." + std::string(field.name));
    }
    std::string input_port(const Field& field) const {
        return port(field) + (field.hw == Hw::trigger_readback ? "_rd" : "");
    }
};

class Writer {
public:
    Writer(const RegisterMap& map, const RegUse& use) : map_(map), use_(use) {
        grouped_ = map.grouped();
        words_ = map.registers.back().word() + 1;
        word_w_ = std::max(1, clog2(words_));
        plain_ = reset_sweep_cycles(map) == 0;
        loaded_ = grouped_ && !plain_ && map.hand_over == HandOver::loaded;
        make_rows();
        loaded_ = loaded_ && any_flops(true);
        check_names();
    }

    std::string write() {
        header();
        ports();
        decode();
        if (grouped_) groups();
        if (any_flops(false)) flops(false, 0);
        if (loaded_) {
            load();
            flops(true, 0);
        } else if (any_flops(true)) {
            flops(true, 0);
            flops(true, 1);
            consumer_outputs();
        }
        strobes();
        if (any_counters()) counters();
        if (!plain_) ram();
        read();
        line(out_, "endmodule");
        line(out_, "");
        line(out_, "`default_nettype wire");
        return std::move(out_);
    }

private:
    // ------------------------------------------------------------------------ what goes where

    bool inside(const Register& reg) const {
        if (!grouped_) return false;
        return reg.name == "S_STATUS" || reg.name == "S_POINTER" || reg.name == "D_OP_ENABLE";
    }

    [[noreturn]] void fail(std::string_view name, std::string_view why) const {
        throw std::invalid_argument("registers of " + std::string(use_.unit) + ": " +
                                    std::string(name) + ": " + std::string(why));
    }

    Row& row_of(std::string_view name) {
        for (Row& row : rows_) {
            if (row.reg->name == name) return row;
        }
        fail(name, "no such register, or one that the register file keeps for itself");
    }

    const Field& field_of(const Row& row, std::string_view name) const {
        const auto dot = name.find('.');
        if (dot == std::string_view::npos) {
            if (row.reg->fields.size() != 1) fail(name, "want REGISTER.FIELD");
            return row.reg->fields.front();
        }
        const Field* field = row.reg->find(name.substr(dot + 1));
        if (field == nullptr) fail(name, "no such field");
        return *field;
    }

    void make_rows() {
        for (const Register& reg : map_.registers) {
            if (!inside(reg)) rows_.push_back({&reg, lower(reg.name), {}, {}, {}, false});
        }
        for (std::string_view name : use_.outputs) {
            Row& row = row_of(name.substr(0, name.find('.')));
            const Field& field = field_of(row, name);
            if (field.access != Access::rw) fail(name, "an output must be writable");
            row.outputs.push_back(&field);
        }
        for (std::string_view name : use_.inputs) {
            Row& row = row_of(name.substr(0, name.find('.')));
            const Field& field = field_of(row, name);
            if (field.access != Access::ro && field.hw != Hw::trigger_readback) {
                fail(name, "an input must belong to hardware");
            }
            row.inputs.push_back(&field);
        }
        for (std::string_view name : use_.strobes) {
            Row& row = row_of(name);
            if (row.grouped()) fail(name, "strobes are for single registers");
            row.strobe = true;
        }
        const auto by_lsb = [](const Field* a, const Field* b) { return a->lsb < b->lsb; };
        for (Row& row : rows_) {
            std::sort(row.outputs.begin(), row.outputs.end(), by_lsb);
            row.flops = row.outputs;
            if (plain_) {
                row.flops.clear();
                for (const Field& field : row.reg->fields) {
                    if (field.access == Access::rw) row.flops.push_back(&field);
                }
            }
        }
    }

    /// Ports are named by register and field, so two of them can want the same name.
    void check_names() const {
        std::set<std::string> names = {"clk", "rst_n", "op_en", "op_done", "consumer"};
        const auto add = [&](const std::string& name, const Row& row) {
            if (!names.insert(name).second) fail(row.reg->name, "a second port " + name);
        };
        for (const Row& row : rows_) {
            for (const Field* field : row.outputs)
                add(row.port(*field), row);
            for (const Field* field : row.inputs)
                add(row.input_port(*field), row);
            if (row.strobe) add(row.name + "_wr", row);
        }
    }

    bool any_flops(bool grouped) const {
        return std::any_of(rows_.begin(), rows_.end(), [&](const Row& row) {
            return row.grouped() == grouped && !row.flops.empty();
        });
    }
    bool any_counters() const {
        return std::any_of(rows_.begin(), rows_.end(),
                           [](const Row& row) { return row.grouped() && !row.inputs.empty(); });
    }

    /// Bits that are read back as written.
    static std::uint32_t kept_mask(const Register& reg) {
        std::uint32_t mask = 0;
        for (const Field& field : reg.fields) {
            if (field.access == Access::rw && field.hw != Hw::trigger_readback) {
                mask |= field.mask();
            }
        }
        return mask;
    }

    /// Reset value of what the RAM holds: hardware's bits are 0 there if they come from a port.
    static std::uint32_t kept_reset(const Row& row) {
        std::uint32_t value = row.reg->reset();
        for (const Field* field : row.inputs)
            value &= ~field->mask();
        return value;
    }

    std::string word(const Register& reg) const {
        return verilog_hex(static_cast<std::uint32_t>(reg.word()), word_w_);
    }

    // -------------------------------------------------------------------------------- text

    void comment(const std::string& text, const std::string& indent = "    ") {
        for (const std::string& part : wrap(text, 96 - indent.size())) {
            line(out_, indent + "// " + part);
        }
    }
    void title(const std::string& text) {
        line(out_, "");
        comment(text);
    }

    void header() {
        const bool both = use_.unit == "cmac";
        comment("Register file of " +
                    (both ? "CMAC_A and of CMAC_B, the halves of the MAC array."
                          : std::string(map_.unit) + ", " + std::string(map_.doc) + "."),
                "");
        comment(
            "Writes are visible in the next cycle. Read data comes one cycle after the request "
            "and is 0 in every other cycle. Nothing stalls; one access per cycle.",
            "");
        if (grouped_) {
            comment(
                "D_ registers exist twice: software sees group PRODUCER, the unit group "
                "CONSUMER. Writes to a group whose OP_EN is 1 are dropped.",
                "");
        }
        if (plain_) {
            comment("Reset: all registers have their documented values.", "");
        } else {
            comment(
                "Reset: all fields with a port have their documented values. The read-back "
                "copy of all registers is written in the " +
                    num(reset_sweep_cycles(map_)) +
                    " cycles after it: no access before that (dla_csb_master waits).",
                "");
        }
        line(out_, "`default_nettype none");
        line(out_, "");
    }

    void port(const std::string& declaration, std::string_view doc) {
        const std::size_t head = std::max<std::size_t>(48, declaration.size() + 5);
        if (head + 4 + doc.size() <= 100) {
            port_list_.push_back({{}, declaration, std::string(doc)});
        } else {
            port_list_.push_back({wrap(doc, 92), declaration, ""});
        }
    }
    void port_title(const std::string& text) { port_list_.push_back({{text}, "", ""}); }

    void ports() {
        port("input  wire        clk", "");
        port("input  wire        rst_n", "");
        port_title("CSB");
        port("input  wire        csb_valid", "");
        port("input  wire [9:0]  csb_addr", "word offset in the page");
        port("input  wire [31:0] csb_wdata", "");
        port("input  wire        csb_write", "");
        port("output reg  [31:0] csb_rdata", "0 when there is no answer");
        if (grouped_) {
            port_title("Layer hand-over");
            port("output wire        op_en", "OP_EN of the CONSUMER group");
            port("input  wire        op_done", "pulse in the last cycle of a layer");
            port("output wire        consumer", "group of the running layer");
        }
        for (const Row& row : rows_) {
            if (row.outputs.empty() && row.inputs.empty() && !row.strobe) continue;
            port_title(std::string(row.reg->name));
            for (const Field* field : row.outputs) {
                port("output wire " + range(field->width()) + row.port(*field), field->doc);
            }
            for (const Field* field : row.inputs) {
                port("input  wire " + range(field->width()) + row.input_port(*field), field->doc);
            }
            if (row.strobe) {
                port("output reg         " + row.name + "_wr", "new value in this cycle");
            }
        }
        line(out_, "module dla_" + std::string(use_.unit) + "_regs (");
        for (std::size_t i = 0; i < port_list_.size(); ++i) {
            const Port& port = port_list_[i];
            for (const std::string& text : port.above)
                line(out_, "    // " + text);
            if (port.declaration.empty()) continue;
            const std::string comma = i + 1 < port_list_.size() ? "," : "";
            std::string text = "    " + port.declaration + comma;
            if (!port.doc.empty()) text = pad(text, 48) + " // " + port.doc;
            line(out_, text);
        }
        line(out_, ");");
    }

    void decode() {
        const std::string high = num(word_w_ == 10 ? 0 : 10 - word_w_);
        line(out_, "");
        line(out_,
             "    wire " + range(word_w_) + "word    = csb_addr[" + num(word_w_ - 1) + ":0];");
        line(out_,
             "    wire        in_map  = csb_addr[9:" + num(word_w_) + "] == " + high + "'d0;");
        line(out_, "    wire        csb_wr  = csb_valid && csb_write && in_map;");
        line(out_, "    wire        csb_rd  = csb_valid && !csb_write && in_map;");
    }

    void groups() {
        const Register& op_enable = *map_.find("D_OP_ENABLE");
        title("Register groups: S_STATUS, S_POINTER, D_OP_ENABLE.");
        out_ +=
            "    reg         producer_q;\n"
            "    reg         consumer_q;\n"
            "    reg         op_en_g0_q;\n"
            "    reg         op_en_g1_q;\n"
            "    wire        wr_g0    = csb_wr && !producer_q && !op_en_g0_q;\n"
            "    wire        wr_g1    = csb_wr && producer_q && !op_en_g1_q;\n"
            "    wire        set_en   = word == " +
            word(op_enable) +
            " && csb_wdata[0];\n"
            "    wire        start_g0 = wr_g0 && set_en;\n"
            "    wire        start_g1 = wr_g1 && set_en;\n"
            "    wire        done_g0  = op_done && !consumer_q;\n"
            "    wire        done_g1  = op_done && consumer_q;\n"
            "    wire [1:0]  status_0 = {op_en_g0_q && consumer_q, op_en_g0_q && !consumer_q};\n"
            "    wire [1:0]  status_1 = {op_en_g1_q && !consumer_q, op_en_g1_q && consumer_q};\n"
            "    wire        enabled  = consumer_q ? op_en_g1_q : op_en_g0_q;\n"
            "\n"
            "    assign consumer = consumer_q;\n";
        if (!loaded_) line(out_, "    assign op_en    = enabled;");
        out_ +=
            "\n"
            "    always @(posedge clk or negedge rst_n) begin\n"
            "        if (!rst_n) begin\n"
            "            producer_q <= 1'b0;\n"
            "            consumer_q <= 1'b0;\n"
            "            op_en_g0_q <= 1'b0;\n"
            "            op_en_g1_q <= 1'b0;\n"
            "        end else begin\n"
            "            if (csb_wr && word == " +
            word(*map_.find("S_POINTER")) +
            ") producer_q <= csb_wdata[0];\n"
            "            if (op_done) consumer_q <= !consumer_q;\n"
            "            if (start_g0 || done_g0) op_en_g0_q <= start_g0;\n"
            "            if (start_g1 || done_g1) op_en_g1_q <= start_g1;\n"
            "        end\n"
            "    end\n";
    }

    std::string flop(const Row& row, int group) const {
        const bool per_group = row.grouped() && !loaded_;
        return row.name + (per_group ? "_g" + num(group) : "") + "_q";
    }

    /// Words with flops that exist per group, in order.
    std::vector<const Register*> words_to_load() const {
        std::vector<const Register*> list;
        for (const Row& row : rows_) {
            if (row.grouped() && !row.flops.empty()) list.push_back(row.reg);
        }
        return list;
    }

    /// Loading of the fields after a layer: `field_wr`, `field_word`, `field_data`.
    void load() {
        const std::vector<const Register*> list = words_to_load();
        title(
            "The fields that the unit uses exist once and hold the values of group CONSUMER. They "
            "are written together with the copy below if PRODUCER = CONSUMER. After a layer the " +
            num(static_cast<int>(list.size())) +
            " words of the other group are loaded from the copy, in cycles without an access; "
            "op_en is 0 until that is done.");
        out_ +=
            "    reg         loading_q;\n"
            "    reg  " +
            range(word_w_) +
            "load_word_q;\n"
            "    wire [31:0] copy;\n"
            "    wire        load       = loading_q && !csb_valid;\n"
            "    wire        wr_active  = consumer_q ? wr_g1 : wr_g0;\n"
            "    wire        field_wr   = load || wr_active;\n"
            "    wire " +
            range(word_w_) +
            "field_word = load ? load_word_q : word;\n"
            "    wire [31:0] field_data = load ? copy : csb_wdata;\n"
            "\n"
            "    assign op_en = enabled && !loading_q;\n"
            "\n"
            "    function " +
            range(word_w_) +
            "load_next;\n"
            "        input " +
            range(word_w_) +
            "done;\n"
            "        case (done)\n";
        for (std::size_t i = 0; i + 1 < list.size(); ++i) {
            line(out_,
                 "            " + word(*list[i]) + ": load_next = " + word(*list[i + 1]) + ";");
        }
        out_ += "            default: load_next = " + word(*list.front()) +
                ";\n"
                "        endcase\n"
                "    endfunction\n"
                "\n"
                "    always @(posedge clk or negedge rst_n) begin\n"
                "        if (!rst_n) begin\n"
                "            loading_q   <= 1'b0;\n"
                "            load_word_q <= " +
                word(*list.front()) +
                ";\n"
                "        end else if (op_done) begin\n"
                "            loading_q   <= 1'b1;\n"
                "        end else if (load) begin\n"
                "            loading_q   <= load_word_q != " +
                word(*list.back()) +
                ";\n"
                "            load_word_q <= load_next(load_word_q);\n"
                "        end\n"
                "    end\n";
    }

    /// Flops of the single registers, or of one group.
    void flops(bool grouped, int group) {
        const bool active = grouped && loaded_;
        title(!grouped     ? "Single registers."
              : active     ? "D_ registers of group CONSUMER: the fields that the unit uses."
              : group == 0 ? "D_ registers, group 0: the fields that the unit uses."
                           : "D_ registers, group 1.");
        const auto each = [&](const std::function<void(const Row&)>& action) {
            for (const Row& row : rows_) {
                if (row.grouped() == grouped && !row.flops.empty()) action(row);
            }
        };
        each([&](const Row& row) {
            line(out_, "    reg  " + range(row.flop_bits()) + flop(row, group) + ";");
        });
        line(out_, "");
        line(out_, "    always @(posedge clk or negedge rst_n) begin");
        line(out_, "        if (!rst_n) begin");
        each([&](const Row& row) {
            line(out_, "            " + flop(row, group) + " <= " + flop_reset(row) + ";");
        });
        const std::string enable = !grouped ? "csb_wr" : active ? "field_wr" : "wr_g" + num(group);
        line(out_, "        end else if (" + enable + ") begin");
        line(out_, "            case (" + std::string(active ? "field_word" : "word") + ")");
        each([&](const Row& row) {
            std::vector<std::string> pieces;
            for (auto it = row.flops.rbegin(); it != row.flops.rend(); ++it) {
                pieces.push_back(slice(active ? "field_data" : "csb_wdata", **it, 32));
            }
            assign("                " + word(*row.reg) + ": " + flop(row, group) + " <= ", pieces);
        });
        line(out_, "                default: ;");
        line(out_, "            endcase");
        line(out_, "        end");
        line(out_, "    end");
        if (!grouped || active) {
            line(out_, "");
            each([&](const Row& row) { outputs(row, flop(row, 0)); });
        }
    }

    static std::string flop_reset(const Row& row) {
        std::uint32_t value = 0;
        int lsb = 0;
        for (const Field* field : row.flops) {
            value |= field->reset << lsb;
            lsb += field->width();
        }
        return verilog_hex(value, row.flop_bits());
    }

    /// `<head>{a, b, c};`, in as many lines as it takes.
    void assign(const std::string& head, const std::vector<std::string>& pieces) {
        const std::string one = head + concat(pieces) + ";";
        if (one.size() <= 100) {
            line(out_, one);
            return;
        }
        std::string text = head + "{";
        const std::string indent(8 + head.find_first_not_of(' '), ' ');
        for (std::size_t i = 0; i < pieces.size(); ++i) {
            const std::string piece = pieces[i] + (i + 1 < pieces.size() ? "," : "};");
            if (text.size() + 1 + piece.size() > 100) {
                line(out_, text);
                text = indent + piece;
            } else {
                text += (text.back() == '{' ? "" : " ") + piece;
            }
        }
        line(out_, text);
    }

    /// Ports from a vector of the register's flops.
    void outputs(const Row& row, const std::string& source) {
        int lsb = 0;
        for (const Field* field : row.flops) {
            const bool is_port =
                std::find(row.outputs.begin(), row.outputs.end(), field) != row.outputs.end();
            Field place = *field;
            place.lsb = lsb;
            place.msb = lsb + field->width() - 1;
            lsb += field->width();
            if (!is_port) continue;
            line(out_, "    assign " + row.port(*field) + " = " +
                           slice(source, place, row.flop_bits()) + ";");
        }
    }

    void consumer_outputs() {
        title("The unit sees the group CONSUMER.");
        for (const Row& row : rows_) {
            if (!row.grouped() || row.outputs.empty()) continue;
            const std::string both = "consumer_q ? " + flop(row, 1) + " : " + flop(row, 0);
            if (row.flops.size() == 1) {
                const std::string head = "    assign " + row.port(*row.outputs.front()) + " =";
                if (head.size() + both.size() + 2 > 100) {
                    line(out_, head);
                    line(out_, "        " + both + ";");
                } else {
                    line(out_, head + " " + both + ";");
                }
                continue;
            }
            line(out_, "    wire " + range(row.flop_bits()) + row.name + "_c =");
            line(out_, "        " + both + ";");
            outputs(row, row.name + "_c");
        }
    }

    void strobes() {
        for (const Row& row : rows_) {
            if (!row.strobe) continue;
            title("Pulse with the new value of " + std::string(row.reg->name) + ".");
            out_ +=
                "    always @(posedge clk or negedge rst_n) begin\n"
                "        if (!rst_n) " +
                row.name +
                "_wr <= 1'b0;\n"
                "        else        " +
                row.name + "_wr <= csb_wr && word == " + word(*row.reg) +
                ";\n"
                "    end\n";
        }
    }

    /// Flops of a group's count.
    static std::string kept(const Row& row, const Field& field, const std::string& group) {
        const bool alone = row.inputs.size() == 1;
        return (alone ? row.name : row.port(field)) + "_" + group + "_q";
    }

    void counters() {
        title(
            "Counts of the last finished layer of each group. They read 0 from the start of a "
            "group's layer to its end.");
        const auto each = [&](const std::function<void(const Row&, const Field&)>& action) {
            for (const Row& row : rows_) {
                if (!row.grouped()) continue;
                for (const Field* field : row.inputs)
                    action(row, *field);
            }
        };
        line(out_, "    reg         counted_g0_q;");
        line(out_, "    reg         counted_g1_q;");
        each([&](const Row& row, const Field& field) {
            for (const char* group : {"g0", "g1"}) {
                line(out_, "    reg  " + range(field.width()) + kept(row, field, group) + ";");
            }
        });
        out_ +=
            "    wire        counted = producer_q ? counted_g1_q : counted_g0_q;\n"
            "\n"
            "    always @(posedge clk or negedge rst_n) begin\n"
            "        if (!rst_n) begin\n"
            "            counted_g0_q <= 1'b0;\n"
            "            counted_g1_q <= 1'b0;\n"
            "        end else begin\n"
            "            if (start_g0 || done_g0) counted_g0_q <= done_g0;\n"
            "            if (start_g1 || done_g1) counted_g1_q <= done_g1;\n"
            "        end\n"
            "    end\n"
            "\n"
            "    always @(posedge clk) begin\n";
        for (const char* group : {"g0", "g1"}) {
            line(out_, "        if (done_" + std::string(group) + ") begin");
            each([&](const Row& row, const Field& field) {
                line(out_,
                     "            " + kept(row, field, group) + " <= " + row.port(field) + ";");
            });
            line(out_, "        end");
        }
        line(out_, "    end");
    }

    void ram() {
        const int depth = reset_sweep_cycles(map_);
        const int addr_w = clog2(depth);
        title("What software reads back: a copy of every register" +
              std::string(grouped_ ? " of both groups" : "") +
              ". After reset a sweep writes the reset values; a CSB write pauses it.");
        line(out_, "    reg  " + range(addr_w + 1) + "init_q;");
        line(out_, "    reg  [31:0] init_value;");
        line(out_, "    reg  [31:0] write_mask;");
        if (!loaded_) line(out_, "    wire [31:0] copy;");
        const std::string wr = grouped_ ? "copy_wr" : "csb_wr";
        if (grouped_) {
            const std::string first = verilog_hex(map_.boundary() / 4, word_w_);
            line(out_, "    wire        is_d    = word >= " + first +
                           ";            // exists once per group");
            line(out_, "    wire        copy_wr = is_d ? (wr_g0 || wr_g1) : csb_wr;");
            line(out_, "    wire " + range(addr_w) + "slot    = {is_d && producer_q, word};");
        }
        const std::string slot = grouped_ ? "slot" : "word";
        const std::string top = "init_q[" + num(addr_w) + "]";
        line(out_, "    wire        init    = !" + top + ";");
        line(out_, "");
        line(out_, "    always @(posedge clk or negedge rst_n) begin");
        line(out_, "        if (!rst_n)               init_q <= " + num(addr_w + 1) + "'d0;");
        line(out_, "        else if (init && !" + wr + ") init_q <= init_q + " + num(addr_w + 1) +
                       "'d1;");
        line(out_, "    end");
        line(out_, "");
        line(out_, "    // Bits that software can write.");
        case_of("word", "write_mask", wr, [](const Row& row) { return kept_mask(*row.reg); });
        line(out_, "");
        line(out_, "    // Reset values other than 0.");
        case_of("init_q[" + num(word_w_ - 1) + ":0]", "init_value", "init", kept_reset);
        line(out_, "");
        out_ += "    sram_dist_1r1w #(.W(32), .DEPTH(" + num(depth) +
                ")) u_copy (\n"
                "        .clk(clk), .we(init || " +
                wr +
                "),\n"
                "        .waddr(" +
                wr + " ? " + slot + " : init_q[" + num(addr_w - 1) +
                ":0]),\n"
                "        .wdata(" +
                wr +
                " ? (csb_wdata & write_mask) : init_value),\n"
                "        .raddr(" +
                (loaded_ ? "load ? {consumer_q, load_word_q} : " : "") + slot +
                "), .rdata(copy)\n"
                "    );\n";
    }

    /// A word that matters only while `enable` is 1.
    void case_of(const std::string& selector, const std::string& target, const std::string& enable,
                 const std::function<std::uint32_t(const Row&)>& value) {
        line(out_, "    always @* begin");
        line(out_, "        " + target + " = 32'd0;");
        line(out_, "        if (" + enable + ") case (" + selector + ")");
        for (const Row& row : rows_) {
            const std::uint32_t bits = value(row);
            if (bits == 0) continue;
            line(out_, "            " + word(*row.reg) + ": " + target + " = " +
                           verilog_hex(bits, 32) + "; // " + std::string(row.reg->name));
        }
        line(out_, "            default: ;");
        line(out_, "        endcase");
        line(out_, "    end");
    }

    /// A 32-bit word made of some fields; `text_of` gives the expression of a field.
    static std::vector<std::string> pieces_of(
        const std::vector<const Field*>& fields,
        const std::function<std::string(const Field&)>& text_of) {
        std::vector<std::string> pieces;
        int next = 31;
        for (auto it = fields.rbegin(); it != fields.rend(); ++it) {
            const Field& field = **it;
            if (field.msb < next) pieces.push_back(num(next - field.msb) + "'d0");
            pieces.push_back(text_of(field));
            next = field.lsb - 1;
        }
        if (next >= 0) pieces.push_back(num(next + 1) + "'d0");
        return pieces;
    }

    void read_row(const Row& row) {
        std::vector<const Field*> fields = row.inputs;
        if (plain_) fields.insert(fields.end(), row.flops.begin(), row.flops.end());
        if (fields.empty()) return;
        std::sort(fields.begin(), fields.end(),
                  [](const Field* a, const Field* b) { return a->lsb < b->lsb; });
        const auto text_of = [&](const Field& field) {
            const bool owned =
                std::find(row.inputs.begin(), row.inputs.end(), &field) != row.inputs.end();
            if (owned && !row.grouped()) return row.input_port(field);
            if (owned) return row.port(field);
            Field place = field;
            int lsb = 0;
            for (const Field* flop : row.flops) {
                if (flop == &field) break;
                lsb += flop->width();
            }
            place.lsb = lsb;
            place.msb = lsb + field.width() - 1;
            return slice(flop_of_producer(row), place, row.flop_bits());
        };
        if (row.grouped() && !row.inputs.empty()) {
            read_counter(row);
            return;
        }
        const std::string head = "            " + word(*row.reg) + ": hw_value = ";
        assign(head, pieces_of(fields, text_of));
    }

    static std::string flop_of_producer(const Row& row) {
        return row.grouped() ? row.name + "_r" : row.name + "_q";
    }

    void read_counter(const Row& row) {
        line(out_, "            " + word(*row.reg) + ": begin // " + std::string(row.reg->name));
        for (int group : {1, 0}) {
            const std::string when = group == 1 ? "producer_q" : "!producer_q";
            assign("                if (counted && " + when + ") hw_value = ",
                   pieces_of(row.inputs,
                             [&](const Field& f) { return kept(row, f, "g" + num(group)); }));
        }
        line(out_, "            end");
    }

    void read() {
        title(plain_ ? "Read." : "Read: the copy, and what hardware owns (0 in the copy).");
        if (plain_) {
            for (const Row& row : rows_) {
                if (!row.grouped() || row.flops.empty()) continue;
                line(out_, "    wire " + range(row.flop_bits()) + flop_of_producer(row) +
                               " = producer_q ? " + flop(row, 1) + " : " + flop(row, 0) + ";");
            }
        }
        line(out_, "    function [31:0] hw_value;");
        line(out_, "        input " + range(word_w_) + "number;");
        line(out_, "    begin");
        line(out_, "        hw_value = 32'd0;");
        line(out_, "        case (number)");
        if (grouped_) {
            line(out_, "            " + word(*map_.find("S_STATUS")) +
                           ": hw_value = {14'd0, status_1, 14'd0, status_0};");
            line(out_, "            " + word(*map_.find("S_POINTER")) +
                           ": hw_value = {15'd0, consumer_q, 15'd0, producer_q};");
            line(out_, "            " + word(*map_.find("D_OP_ENABLE")) +
                           ": hw_value = {31'd0, producer_q ? op_en_g1_q : op_en_g0_q};");
        }
        for (const Row& row : rows_)
            read_row(row);
        line(out_, "            default: ;");
        line(out_, "        endcase");
        line(out_, "    end");
        line(out_, "    endfunction");
        line(out_, "");
        line(out_, "    always @(posedge clk) begin");
        line(out_, "        if (csb_rd) csb_rdata <= " +
                       std::string(plain_ ? "hw_value(word);" : "copy | hw_value(word);"));
        line(out_, "        else        csb_rdata <= 32'd0;");
        line(out_, "    end");
        line(out_, "");
        if (plain_) unused_wdata();
    }

    /// Without a RAM some bits of the write data have no use; say so.
    void unused_wdata() {
        std::uint32_t used = 1;  // S_POINTER, D_OP_ENABLE
        for (const Row& row : rows_)
            used |= kept_mask(*row.reg);
        std::vector<std::string> pieces = {"1'b0"};
        for (int msb = 31; msb >= 0; --msb) {
            if ((used >> msb) & 1u) continue;
            int lsb = msb;
            while (lsb > 0 && !((used >> (lsb - 1)) & 1u))
                --lsb;
            Field bits{"", msb, lsb, Access::rw, Hw::plain, 0, ""};
            pieces.push_back(slice("csb_wdata", bits, 32));
            msb = lsb;
        }
        if (pieces.size() == 1) return;
        line(out_, "    wire unused = &" + concat(pieces) + ";");
        line(out_, "");
    }

    struct Port {
        std::vector<std::string> above;  ///< comment lines before it
        std::string declaration;         ///< empty: only the comment
        std::string doc;                 ///< comment behind it
    };

    const RegisterMap& map_;
    const RegUse& use_;
    std::vector<Row> rows_;
    std::vector<Port> port_list_;
    std::string out_;
    bool grouped_ = false;
    bool plain_ = false;   ///< no RAM
    bool loaded_ = false;  ///< fields exist once, see HandOver
    int words_ = 0;        ///< words from offset 0 to the last register
    int word_w_ = 0;       ///< bits of a word offset
};

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
    return map.grouped() ? 2 * words : words;
}

std::string to_verilog(const RegisterMap& map, const RegUse& use) {
    return Writer(map, use).write();
}

}  // namespace macrame::regs
