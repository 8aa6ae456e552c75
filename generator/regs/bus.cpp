#include "bus.hpp"

#include "regs/text.hpp"

namespace macrame::regs {
namespace {

// ------------------------------------------------------------------------------------- native

void native_ports(Ports& ports, int word_w) {
    ports.title("Registers");
    ports.add("input  wire", 1, "reg_valid", "a request; nothing stalls");
    ports.add("input  wire", word_w, "reg_addr", "word offset");
    ports.add("input  wire", 32, "reg_wdata");
    ports.add("input  wire", 1, "reg_write");
    ports.add("output reg", 32, "reg_rdata", "0 when there is no answer");
}

void native_request(std::string& out, int word_w) {
    line(out, "");
    line(out, "    wire {}word = reg_addr;", range(word_w));
    line(out, "    wire        wr   = reg_valid && reg_write;");
}

constexpr const char* kNativeAnswer = R"(
    always @(posedge clk) begin
        if (reg_valid && !reg_write) reg_rdata <= value;
        else                         reg_rdata <= 32'd0;
    end
)";

// ---------------------------------------------------------------------------------- AXI4-Lite

void axi_ports(Ports& ports, int word_w) {
    ports.title("AXI4-Lite");
    ports.add("input  wire", 1, "s_axi_awvalid");
    ports.add("output wire", 1, "s_axi_awready");
    ports.add("input  wire", word_w + 2, "s_axi_awaddr", "byte offset; bits 1:0 do not matter");
    ports.add("input  wire", 3, "s_axi_awprot", "not used");
    ports.add("input  wire", 1, "s_axi_wvalid");
    ports.add("output wire", 1, "s_axi_wready");
    ports.add("input  wire", 32, "s_axi_wdata");
    ports.add("input  wire", 4, "s_axi_wstrb");
    ports.add("output wire", 1, "s_axi_bvalid");
    ports.add("input  wire", 1, "s_axi_bready");
    ports.add("output wire", 2, "s_axi_bresp", "OKAY, or SLVERR: no such register");
    ports.add("input  wire", 1, "s_axi_arvalid");
    ports.add("output wire", 1, "s_axi_arready");
    ports.add("input  wire", word_w + 2, "s_axi_araddr");
    ports.add("input  wire", 3, "s_axi_arprot", "not used");
    ports.add("output wire", 1, "s_axi_rvalid");
    ports.add("input  wire", 1, "s_axi_rready");
    ports.add("output wire", 32, "s_axi_rdata");
    ports.add("output wire", 2, "s_axi_rresp");
}

constexpr const char* kAxiState = R"(
    // One write and one read at a time: what is taken is held until its answer has gone.
    reg         open_q;               // not in reset: nothing is taken there and lost
    reg         aw_full_q;
    reg         w_full_q;
    reg         b_valid_q;
    reg         b_error_q;
    reg         ar_full_q;
    reg         r_valid_q;
    reg         r_error_q;
    reg  [31:0] w_data_q;
    reg  [3:0]  w_strb_q;
    reg  [31:0] r_data_q;
)";

constexpr const char* kAxiRequest = R"(
    assign s_axi_awready = open_q && !aw_full_q;
    assign s_axi_wready  = open_q && !w_full_q;
    assign s_axi_bvalid  = b_valid_q;
    assign s_axi_bresp   = {b_error_q, 1'b0};
    assign s_axi_arready = open_q && !ar_full_q;
    assign s_axi_rvalid  = r_valid_q;
    assign s_axi_rresp   = {r_error_q, 1'b0};
    assign s_axi_rdata   = r_data_q;

    // A write goes before a read in the same cycle.
    wire        wr    = aw_full_q && w_full_q && !b_valid_q;
    wire        rd    = ar_full_q && !r_valid_q && !wr;
)";

constexpr const char* kAxiAnswer = R"(
    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            open_q    <= 1'b0;
            aw_full_q <= 1'b0;
            w_full_q  <= 1'b0;
            b_valid_q <= 1'b0;
            ar_full_q <= 1'b0;
            r_valid_q <= 1'b0;
        end else begin
            open_q <= 1'b1;
            if (s_axi_awvalid && s_axi_awready) aw_full_q <= 1'b1;
            if (s_axi_wvalid && s_axi_wready)   w_full_q  <= 1'b1;
            if (wr)                             b_valid_q <= 1'b1;
            if (s_axi_bvalid && s_axi_bready) begin
                aw_full_q <= 1'b0;
                w_full_q  <= 1'b0;
                b_valid_q <= 1'b0;
            end
            if (s_axi_arvalid && s_axi_arready) ar_full_q <= 1'b1;
            if (rd)                             r_valid_q <= 1'b1;
            if (s_axi_rvalid && s_axi_rready) begin
                ar_full_q <= 1'b0;
                r_valid_q <= 1'b0;
            end
        end
    end

    always @(posedge clk) begin
        if (s_axi_awvalid && s_axi_awready) aw_word_q <= s_axi_awaddr[TOP:2];
        if (s_axi_arvalid && s_axi_arready) ar_word_q <= s_axi_araddr[TOP:2];
        if (s_axi_wvalid && s_axi_wready) begin
            w_data_q <= s_axi_wdata;
            w_strb_q <= s_axi_wstrb;
        end
        if (wr) b_error_q <= !mapped;
        if (rd) begin
            r_error_q <= !mapped;
            r_data_q  <= value;
        end
    end
)";

void axi_request(std::string& out, int word_w) {
    out += kAxiState;
    line(out, "    localparam  TOP = {};  // bit of the address", word_w + 1);
    line(out, "    reg  {}aw_word_q;", range(word_w));
    line(out, "    reg  {}ar_word_q;", range(word_w));
    out += kAxiRequest;
    line(out, "    wire {}word  = wr ? aw_word_q : ar_word_q;", range(word_w));
}

// --------------------------------------------------------------------------------------- APB4

void apb_ports(Ports& ports, int word_w) {
    ports.title("APB4");
    ports.add("input  wire", 1, "s_apb_psel");
    ports.add("input  wire", 1, "s_apb_penable");
    ports.add("input  wire", word_w + 2, "s_apb_paddr", "byte offset; bits 1:0 do not matter");
    ports.add("input  wire", 1, "s_apb_pwrite");
    ports.add("input  wire", 32, "s_apb_pwdata");
    ports.add("input  wire", 4, "s_apb_pstrb");
    ports.add("input  wire", 3, "s_apb_pprot", "not used");
    ports.add("output wire", 1, "s_apb_pready", "always 1");
    ports.add("output wire", 32, "s_apb_prdata");
    ports.add("output wire", 1, "s_apb_pslverr", "no such register");
}

void apb_request(std::string& out, int word_w) {
    line(out, "");
    line(out, "    wire {}word  = s_apb_paddr[{}:2];", range(word_w), word_w + 1);
    line(out, "    wire        setup = s_apb_psel && !s_apb_penable;");
    line(out, "    wire        wr    = s_apb_psel && s_apb_penable && s_apb_pwrite;");
}

constexpr const char* kApbAnswer = R"(
    // The answer is made in the setup cycle.
    reg  [31:0] prdata_q;
    reg         pslverr_q;

    assign s_apb_pready  = 1'b1;
    assign s_apb_prdata  = prdata_q;
    assign s_apb_pslverr = pslverr_q;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) pslverr_q <= 1'b0;
        else        pslverr_q <= setup && !mapped;
    end

    always @(posedge clk) begin
        if (setup) prdata_q <= value;
    end
)";

const BusSide kNative{
    "Writes are visible in the next cycle. Read data comes one cycle after the request and is 0 in "
    "every other cycle. Nothing stalls; one access per cycle.",
    native_ports,
    native_request,
    "reg_wdata",
    "",
    kNativeAnswer,
    false,
    {}};

const BusSide kAxi{
    "AXI4-Lite slave of 32 bits. One write and one read at a time, a write takes at least 3 cycles "
    "and a read too; no ready depends on a valid. Byte strobes are honoured. An address without a "
    "register is answered with SLVERR: nothing is written, 0 is read. Writes to registers that are "
    "only read do nothing.",
    axi_ports,
    axi_request,
    "w_data_q",
    "w_strb_q",
    kAxiAnswer,
    true,
    {"s_axi_awaddr[1:0]", "s_axi_awprot", "s_axi_araddr[1:0]", "s_axi_arprot"}};

const BusSide kApb{
    "APB4 slave of 32 bits without wait states. Byte strobes are honoured. An address without a "
    "register is answered with PSLVERR: nothing is written, 0 is read. Writes to registers that "
    "are only read do nothing.",
    apb_ports,
    apb_request,
    "s_apb_pwdata",
    "s_apb_pstrb",
    kApbAnswer,
    true,
    {"s_apb_paddr[1:0]", "s_apb_pprot"}};

}  // namespace

const BusSide& bus_side(Bus bus) {
    switch (bus) {
        case Bus::axi4_lite:
            return kAxi;
        case Bus::apb4:
            return kApb;
        case Bus::native:
            break;
    }
    return kNative;
}

}  // namespace macrame::regs
