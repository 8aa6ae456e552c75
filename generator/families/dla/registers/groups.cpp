#include "groups.hpp"

#include <algorithm>

#include "regs/text.hpp"

namespace macrame::dla {
namespace {

using namespace regs;

constexpr std::string_view kLoaded[] = {"CDMA", "SDP_RDMA", "SDP", "PDP_RDMA",
                                        "PDP",  "CDP_RDMA", "CDP", "RUBIK",
                                        "ROW"};

constexpr const char* kStateWires = R"(    wire        start_g0 = wr_g0 && set_en;
    wire        start_g1 = wr_g1 && set_en;
    wire        done_g0  = op_done && !consumer_q;
    wire        done_g1  = op_done && consumer_q;
    wire [1:0]  status_0 = {op_en_g0_q && consumer_q, op_en_g0_q && !consumer_q};
    wire [1:0]  status_1 = {op_en_g1_q && !consumer_q, op_en_g1_q && consumer_q};
    wire        enabled  = consumer_q ? op_en_g1_q : op_en_g0_q;

    assign consumer = consumer_q;
)";

constexpr const char* kCounted =
    R"(    wire        counted = producer_q ? counted_g1_q : counted_g0_q;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            counted_g0_q <= 1'b0;
            counted_g1_q <= 1'b0;
        end else begin
            if (start_g0 || done_g0) counted_g0_q <= done_g0;
            if (start_g1 || done_g1) counted_g1_q <= done_g1;
        end
    end

    always @(posedge clk) begin
)";

/// A field that is counted, and its row.
struct Count {
    const Row* row;
    const Field* field;
};

std::vector<Count> counts(const RegisterFile& file) {
    std::vector<Count> list;
    for (const Row& row : file.rows()) {
        if (!row.grouped()) continue;
        for (const Field* field : row.inputs)
            list.push_back({&row, field});
    }
    return list;
}

/// Flops of a group's count.
std::string kept(const Row& row, const Field& field, std::string_view group) {
    const bool alone = row.inputs.size() == 1;
    return fmt::format("{}_{}_q", alone ? row.name : row.port(field), group);
}

}  // namespace

HandOver hand_over(const RegisterMap& map) {
    const bool loaded =
        std::find(std::begin(kLoaded), std::end(kLoaded), map.unit) != std::end(kLoaded);
    return loaded ? HandOver::loaded : HandOver::switched;
}

const std::vector<std::string_view>& group_registers() {
    static const std::vector<std::string_view> names = {"S_STATUS", "S_POINTER", "D_OP_ENABLE"};
    return names;
}

bool has_groups(const RegisterMap& map) { return map.find("D_OP_ENABLE") != nullptr; }

void add_group_ports(Ports& ports) {
    ports.title("Layer hand-over");
    ports.add("output wire", 1, "op_en", "OP_EN of the CONSUMER group");
    ports.add("input  wire", 1, "op_done", "pulse in the last cycle of a layer");
    ports.add("output wire", 1, "consumer", "group of the running layer");
}

void group_state(std::string& out, RegisterFile& file, bool loaded) {
    title(out, "Register groups: S_STATUS, S_POINTER, D_OP_ENABLE.");
    line(out, "    reg         producer_q;");
    line(out, "    reg         consumer_q;");
    line(out, "    reg         op_en_g0_q;");
    line(out, "    reg         op_en_g1_q;");
    line(out, "    wire        wr_g0    = csb_wr && !producer_q && !op_en_g0_q;");
    line(out, "    wire        wr_g1    = csb_wr && producer_q && !op_en_g1_q;");
    line(out, "    wire        set_en   = word == {} && csb_wdata[0];", file.word("D_OP_ENABLE"));
    out += kStateWires;
    if (!loaded) line(out, "    assign op_en    = enabled;");
    line(out, "");
    line(out, "    always @(posedge clk or negedge rst_n) begin");
    line(out, "        if (!rst_n) begin");
    line(out, "            producer_q <= 1'b0;");
    line(out, "            consumer_q <= 1'b0;");
    line(out, "            op_en_g0_q <= 1'b0;");
    line(out, "            op_en_g1_q <= 1'b0;");
    line(out, "        end else begin");
    line(out, "            if (csb_wr && word == {}) producer_q <= csb_wdata[0];",
         file.word("S_POINTER"));
    line(out, "            if (op_done) consumer_q <= !consumer_q;");
    line(out, "            if (start_g0 || done_g0) op_en_g0_q <= start_g0;");
    line(out, "            if (start_g1 || done_g1) op_en_g1_q <= start_g1;");
    line(out, "        end");
    line(out, "    end");
}

void group_load(std::string& out, RegisterFile& file) {
    const Rows rows = file.stored(true);
    const std::string bits = range(file.word_w());
    const std::string first = file.word(*rows.front()->reg);
    title(out,
          fmt::format("The fields that the unit uses exist once and hold the values of group "
                      "CONSUMER. They are written together with the copy below if PRODUCER = "
                      "CONSUMER. After a layer the {} words of the other group are loaded from the "
                      "copy, in cycles without an access; op_en is 0 until that is done.",
                      rows.size()));
    line(out, "    reg         loading_q;");
    line(out, "    reg         load_q;                      // word_q, data_q are from the copy");
    line(out, "    reg  {}load_word_q;", bits);
    line(out, "    wire [31:0] copy;");
    line(out, "    wire        load    = loading_q && !csb_valid && !store_q && !rd_q;");
    line(out, "");
    line(out, "    assign op_en = enabled && !loading_q && !load_q;");
    line(out, "");
    line(out, "    function {}load_next;", bits);
    line(out, "        input {}done;", bits);
    line(out, "        case (done)");
    for (std::size_t i = 0; i + 1 < rows.size(); ++i) {
        line(out, "            {}: load_next = {};", file.word(*rows[i]->reg),
             file.word(*rows[i + 1]->reg));
    }
    line(out, "            default: load_next = {};", first);
    line(out, "        endcase");
    line(out, "    endfunction");
    line(out, "");
    line(out, "    always @(posedge clk or negedge rst_n) begin");
    line(out, "        if (!rst_n) begin");
    line(out, "            loading_q   <= 1'b0;");
    line(out, "            load_q      <= 1'b0;");
    line(out, "            load_word_q <= {};", first);
    line(out, "        end else begin");
    line(out, "            load_q <= load;");
    line(out, "            if (op_done) loading_q <= 1'b1;");
    line(out, "            if (load) begin");
    line(out, "                loading_q   <= load_word_q != {};", file.word(*rows.back()->reg));
    line(out, "                load_word_q <= load_next(load_word_q);");
    line(out, "            end");
    line(out, "        end");
    line(out, "    end");
}

void consumer_outputs(std::string& out, const RegisterFile& file) {
    bool first = true;
    for (const Row& row : file.rows()) {
        if (!row.grouped() || row.outputs.empty()) continue;
        if (first) title(out, "The unit sees the group CONSUMER.");
        first = false;
        const Field& only = *row.outputs.front();
        if (row.outputs.size() == 1 && only.zeros_above + only.zeros_below == 0) {
            const std::string head = fmt::format("    assign {} =", row.port(only));
            const std::string both =
                fmt::format("consumer_q ? {} : {};", row.slice_of(row.name + "_g1_q", only),
                            row.slice_of(row.name + "_g0_q", only));
            const bool fits = head.size() + both.size() + 1 <= 100;
            line(out, "{}{}{}", head, fits ? " " : "\n        ", both);
            continue;
        }
        line(out, "    wire {}{}_c =", range(row.flop_bits()), row.name);
        line(out, "        consumer_q ? {0}_g1_q : {0}_g0_q;", row.name);
        field_outputs(out, row, row.name + "_c");
    }
}

void group_counters(std::string& out, const RegisterFile& file) {
    const std::vector<Count> list = counts(file);
    if (list.empty()) return;
    title(out,
          "Counts of the last finished layer of each group. They read 0 from the start of a "
          "group's layer to its end.");
    line(out, "    reg         counted_g0_q;");
    line(out, "    reg         counted_g1_q;");
    for (const Count& c : list) {
        for (const char* group : {"g0", "g1"})
            line(out, "    reg  {}{};", range(c.field->width()), kept(*c.row, *c.field, group));
    }
    out += kCounted;
    for (const char* group : {"g0", "g1"}) {
        line(out, "        if (done_{}) begin", group);
        for (const Count& c : list) {
            line(out, "            {} <= {};", kept(*c.row, *c.field, group),
                 c.row->port(*c.field));
        }
        line(out, "        end");
    }
    line(out, "    end");
}

void read_groups(std::string& out, RegisterFile& file) {
    line(out, "            {}: hw_value = {{14'd0, status_1, 14'd0, status_0}};",
         file.word("S_STATUS"));
    line(out, "            {}: hw_value = {{15'd0, consumer_q, 15'd0, producer_q}};",
         file.word("S_POINTER"));
    line(out, "            {}: hw_value = {{31'd0, producer_q ? op_en_g1_q : op_en_g0_q}};",
         file.word("D_OP_ENABLE"));
}

void read_counts(std::string& out, RegisterFile& file, const Row& row) {
    line(out, "            {}: begin", file.word(*row.reg));
    for (const char* group : {"g1", "g0"}) {
        assign(out,
               fmt::format("                if (counted && {}producer_q) hw_value = ",
                           group[1] == '1' ? "" : "!"),
               pieces_of(row.inputs, [&](const Field& f) { return kept(row, f, group); }));
    }
    line(out, "            end");
}

}  // namespace macrame::dla
