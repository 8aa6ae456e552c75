/// Register file: the fields and what they tell the unit.

#include <algorithm>

#include "regs/register_file.hpp"
#include "regs/text.hpp"

namespace macrame::regs {
namespace {

std::string flop_reset(const Row& row) {
    std::uint32_t value = 0;
    int lsb = 0;
    for (const Field* field : row.flops) {
        value |= field->reset << lsb;
        lsb += field->width();
    }
    return literal(value, row.flop_bits());
}

}  // namespace

void field_flops(std::string& out, RegisterFile& file, const Rows& rows, std::string_view suffix,
                 const WritePort& from) {
    for (const Row* row : rows)
        line(out, "    reg  {}{}{}_q;", range(row->flop_bits()), row->name, suffix);
    line(out, "");
    line(out, "    always @(posedge clk or negedge rst_n) begin");
    line(out, "        if (!rst_n) begin");
    for (const Row* row : rows)
        line(out, "            {}{}_q <= {};", row->name, suffix, flop_reset(*row));
    line(out, "        end else if ({}) begin", from.enable);
    line(out, "            case ({})", from.word);
    for (const Row* row : rows) {
        std::vector<std::string> pieces;
        for (auto it = row->flops.rbegin(); it != row->flops.rend(); ++it)
            pieces.push_back(slice(from.data, **it, 32));
        assign(
            out,
            fmt::format("                {}: {}{}_q <= ", file.word(*row->reg), row->name, suffix),
            pieces);
    }
    line(out, "                default: ;");
    line(out, "            endcase");
    line(out, "        end");
    line(out, "    end");
}

void field_outputs(std::string& out, const Row& row, std::string_view flops_name) {
    for (const Field* field : row.outputs)
        line(out, "    assign {} = {};", row.port(*field),
             Row::port_value(*field, row.slice_of(flops_name, *field)));
}

void strobes(std::string& out, RegisterFile& file, const WritePort& from) {
    for (const Row& row : file.rows()) {
        if (!row.strobe) continue;
        title(out, fmt::format("Pulse {} {}.",
                               row.outputs.empty() ? "behind a write of" : "with the new value of",
                               row.reg->name));
        line(out, "    always @(posedge clk or negedge rst_n) begin");
        line(out, "        if (!rst_n) {}_wr <= 1'b0;", row.name);
        line(out, "        else        {}_wr <= {} && {} == {};", row.name, from.enable, from.word,
             file.word(*row.reg));
        line(out, "    end");
    }
}

}  // namespace macrame::regs
