#include "to_verilog.hpp"

#include <algorithm>
#include <stdexcept>

#include "regs/bus.hpp"
#include "regs/register_file.hpp"
#include "regs/text.hpp"

namespace macrame::regs {
namespace {

/// Throws if a map needs more than these register files have.
void check(const RegisterMap& map, const RegUse& use) {
    const auto fail = [&](const Register& reg, std::string_view what) {
        throw std::invalid_argument(
            fmt::format("registers of {}: {}: {}", use.unit, reg.name, what));
    };
    for (const Register& reg : map.registers) {
        if (reg.kind != Kind::single) fail(reg, "want a register that exists once");
        for (const Field& field : reg.fields) {
            if (field.access == Access::w1c) fail(reg, "want no w1c field");
            if (field.hw == Hw::trigger_readback) fail(reg, "want no trigger_readback field");
        }
    }
}

/// All readable bits of a register.
std::vector<std::string> value_pieces(const Row& row) {
    std::vector<const Field*> fields;
    for (const Field& field : row.reg->fields) {
        if (field.access != Access::wo) fields.push_back(&field);
    }
    std::sort(fields.begin(), fields.end(),
              [](const Field* a, const Field* b) { return a->lsb < b->lsb; });
    return pieces_of(fields, [&](const Field& field) {
        if (std::find(row.inputs.begin(), row.inputs.end(), &field) != row.inputs.end())
            return row.input_port(field);
        if (std::find(row.flops.begin(), row.flops.end(), &field) != row.flops.end())
            return row.slice_of(row.name + "_q", field);
        return literal(field.reset, field.width());
    });
}

void read_value(std::string& out, RegisterFile& file, bool errors) {
    line(out, "");
    line(out, "    always @* begin");
    line(out, "        value = 32'd0;");
    if (errors) line(out, "        mapped = 1'b1;");
    line(out, "        case (word)");
    for (const Row& row : file.rows())
        assign(out, fmt::format("            {}: value = ", file.word(*row.reg)),
               value_pieces(row));
    line(out, "            default: {};", errors ? "mapped = 1'b0" : "");
    line(out, "        endcase");
    line(out, "    end");
}

/// What is read and what is written: bytes that are not strobed keep their value.
void data(std::string& out, const BusSide& side) {
    title(out, "What the register at `word` reads as, and what is written to it.");
    line(out, "    reg  [31:0] value;");
    if (side.errors) line(out, "    reg         mapped;");
    if (side.strobes.empty()) {
        line(out, "    wire [31:0] wdata = {};", side.data);
        return;
    }
    std::vector<std::string> bytes;
    for (int i : {3, 2, 1, 0})
        bytes.push_back(fmt::format("{{8{{{}[{}]}}}}", side.strobes, i));
    assign(out, "    wire [31:0] bytes = ", bytes);
    line(out, "    wire [31:0] wdata = ({} & bytes) | (value & ~bytes);", side.data);
}

void storage(std::string& out, RegisterFile& file, const WritePort& port) {
    const Rows rows = file.stored(false);
    if (!rows.empty()) {
        title(out, "Fields that software writes.");
        field_flops(out, file, rows, "", port);
        line(out, "");
        for (const Row* row : rows)
            field_outputs(out, *row, row->name + "_q");
    }
    strobes(out, file, port);
}

}  // namespace

std::string to_verilog(const RegisterMap& map, const RegUse& use, Bus bus,
                       std::string_view module) {
    check(map, use);
    RegisterFile file(map, use, true);
    const BusSide& side = bus_side(bus);

    std::string body;
    side.request(body, file.word_w());
    data(body, side);
    storage(body, file, {"wr", "word", "wdata"});
    read_value(body, file, side.errors);
    body += side.answer;
    line(body, "");
    std::uint32_t used = 0;
    for (const Row* row : file.stored(false))
        used |= kept_mask(*row->reg);
    unused_bits(body, "wdata", used, side.unused);

    std::string out;
    comment(out, fmt::format("Register file of {}, {}.", map.unit, map.doc), "");
    comment(out, side.doc, "");
    comment(out, "Reset: all registers have their documented values.", "");
    line(out, "`default_nettype none");
    line(out, "");
    Ports ports;
    ports.add("input  wire", 1, "clk");
    ports.add("input  wire", 1, "rst_n");
    side.ports(ports, file.word_w());
    add_field_ports(ports, file);
    ports.write(out, module);
    file.address_names(out);
    end_module(out, module, body);
    return out;
}

}  // namespace macrame::regs
