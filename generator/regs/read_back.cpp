/// Register file: what software reads.

#include <algorithm>

#include "core/bits.hpp"
#include "regs/register_file.hpp"
#include "regs/text.hpp"

namespace macrame::regs {
namespace {

/// Reset value of what the RAM holds: hardware's bits are 0 there if they come from a port.
std::uint32_t kept_reset(const Row& row) {
    std::uint32_t value = row.reg->reset();
    for (const Field* field : row.inputs)
        value &= ~field->mask();
    return value;
}

/// A word that matters only while `enable` is 1.
void case_of(std::string& out, RegisterFile& file, std::string_view selector,
             std::string_view target, std::string_view enable, std::uint32_t (*value)(const Row&)) {
    line(out, "    always @* begin");
    line(out, "        {} = 32'd0;", target);
    line(out, "        if ({}) case ({})", enable, selector);
    for (const Row& row : file.rows()) {
        const std::uint32_t bits = value(row);
        if (bits == 0) continue;
        line(out, "            {}: {} = {};", file.word(*row.reg), target, literal(bits, 32));
    }
    line(out, "            default: ;");
    line(out, "        endcase");
    line(out, "    end");
    line(out, "");
}

}  // namespace

std::uint32_t kept_mask(const Register& reg) {
    std::uint32_t mask = 0;
    for (const Field& field : reg.fields) {
        if (field.access == Access::rw && field.hw != Hw::trigger_readback) mask |= field.mask();
    }
    return mask;
}

std::vector<std::string> pieces_of(const std::vector<const Field*>& fields,
                                   const std::function<std::string(const Field&)>& text_of) {
    std::vector<std::string> pieces;
    int next = 31;
    for (auto it = fields.rbegin(); it != fields.rend(); ++it) {
        const Field& field = **it;
        if (field.msb < next) pieces.push_back(fmt::format("{}'d0", next - field.msb));
        pieces.push_back(text_of(field));
        next = field.lsb - 1;
    }
    if (next >= 0) pieces.push_back(fmt::format("{}'d0", next + 1));
    return pieces;
}

std::vector<std::string> read_pieces(const Row& row, std::string_view flops_name) {
    std::vector<const Field*> fields = row.inputs;
    if (!flops_name.empty()) fields.insert(fields.end(), row.flops.begin(), row.flops.end());
    std::sort(fields.begin(), fields.end(),
              [](const Field* a, const Field* b) { return a->lsb < b->lsb; });
    return pieces_of(fields, [&](const Field& field) {
        const bool owned =
            std::find(row.inputs.begin(), row.inputs.end(), &field) != row.inputs.end();
        return owned ? row.input_port(field) : row.slice_of(flops_name, field);
    });
}

void copy_ram(std::string& out, RegisterFile& file, const CopyRam& ram) {
    const int addr_w = clog2(ram.depth);
    line(out, "    reg  {}init_q;", range(addr_w + 1));
    line(out, "    reg  [31:0] init_value;");
    line(out, "    reg  [31:0] write_mask;");
    if (ram.declare_output) line(out, "    wire [31:0] copy;");
    line(out, "    wire        init    = !init_q[{}];", addr_w);
    line(out, "");
    line(out, "    always @(posedge clk or negedge rst_n) begin");
    line(out, "        if (!rst_n)               init_q <= {}'d0;", addr_w + 1);
    line(out, "        else if (init && !{}) init_q <= init_q + {}'d1;", ram.write, addr_w + 1);
    line(out, "    end");
    line(out, "");
    line(out, "    // Bits that software can write.");
    case_of(out, file, ram.word, "write_mask", ram.write,
            [](const Row& row) { return kept_mask(*row.reg); });
    line(out, "    // Reset values other than 0.");
    case_of(out, file, fmt::format("init_q[{}:0]", file.word_w() - 1), "init_value", "init",
            kept_reset);
    line(out, "    sram_dist_1r1w #(.W(32), .DEPTH({})) u_copy (", ram.depth);
    line(out, "        .clk(clk), .we(init || {}),", ram.write);
    line(out, "        .waddr({} ? {} : init_q[{}:0]),", ram.write, ram.slot, addr_w - 1);
    line(out, "        .wdata({} ? ({} & write_mask) : init_value),", ram.write, ram.wdata);
    line(out, "        .raddr({}), .rdata(copy)", ram.read_slot);
    line(out, "    );");
}

}  // namespace macrame::regs
