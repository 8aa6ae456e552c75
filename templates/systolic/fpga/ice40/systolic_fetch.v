// Fetch for a small FPGA: reads the instructions of a program from memory one after the other, a
// burst each, and has no FIFO.
//
// An instruction is asked for when the one before is taken. After an answer that is not OKAY, or
// without control2fetch_run, no further instruction is asked for. Reset: idle.
`default_nettype none

module systolic_fetch (
    input  wire         clk,
    input  wire         rst_n,

    // memory
    output wire [3:0]   m_axi_fetch_arid,
    output wire [${address_width - 1}:0]  m_axi_fetch_araddr,
    output wire [7:0]   m_axi_fetch_arlen,
    output wire [2:0]   m_axi_fetch_arsize,
    output wire [1:0]   m_axi_fetch_arburst,
    output wire         m_axi_fetch_arlock,
    output wire [3:0]   m_axi_fetch_arcache,
    output wire [2:0]   m_axi_fetch_arprot,
    output wire [3:0]   m_axi_fetch_arqos,
    output wire         m_axi_fetch_arvalid,
    input  wire         m_axi_fetch_arready,
    input  wire [3:0]   m_axi_fetch_rid,
    input  wire [31:0]  m_axi_fetch_rdata,
    input  wire [1:0]   m_axi_fetch_rresp,
    input  wire         m_axi_fetch_rlast,
    input  wire         m_axi_fetch_rvalid,
    output wire         m_axi_fetch_rready,

    // programs
    input  wire         control2fetch_valid,
    output wire         control2fetch_ready,
    input  wire [${address_width - 1}:0]  control2fetch_address,    // bytes, a multiple of 16
    input  wire [15:0]  control2fetch_count,      // instructions, from 1
    input  wire         control2fetch_run,        // 0: no further ones
    output wire         fetch2control_idle,       // all of them are handed on
    output wire         fetch2control_error,      // pulse: an answer that is not OKAY
    output wire [${address_width - 1}:0]  fetch2control_address,    // with it: of the instruction

    // instructions
    output wire         fetch2resolver_valid,
    input  wire         fetch2resolver_ready,
    output wire [127:0] fetch2resolver_word
);

    localparam [1:0] IDLE = 2'd0;
    localparam [1:0] ASK  = 2'd1;
    localparam [1:0] TAKE = 2'd2;     // its beats
    localparam [1:0] GIVE = 2'd3;

    reg  [1:0]   state_q;
    reg          bad_q;               // an answer was not OKAY
    reg  [${address_width - 5}:0]  place_q;             // of the instruction
    reg  [15:0]  left_q;              // instructions, with this one
    reg  [127:0] word_q;
    wire         beat = state_q == TAKE && m_axi_fetch_rvalid;
    wire         last = left_q == 16'd1;
    wire         gone = state_q == GIVE && fetch2resolver_ready;

    assign control2fetch_ready  = state_q == IDLE;
    assign fetch2control_idle   = state_q == IDLE;
    assign fetch2control_error  = bad_q && state_q == GIVE;
    assign fetch2control_address = {place_q, 4'd0};
    assign fetch2resolver_valid = state_q == GIVE && !bad_q;
    assign fetch2resolver_word  = word_q;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            state_q <= IDLE;
            bad_q   <= 1'b0;
        end else begin
            case (state_q)
                IDLE:    if (control2fetch_valid) state_q <= ASK;
                ASK:     if (m_axi_fetch_arready) state_q <= TAKE;
                TAKE:    if (beat && m_axi_fetch_rlast) state_q <= GIVE;
                default: if (bad_q) state_q <= IDLE;
                         else if (gone) state_q <= last || !control2fetch_run ? IDLE : ASK;
            endcase
            bad_q <= (bad_q && state_q != GIVE) || (beat && m_axi_fetch_rresp != 2'd0);
        end
    end

    always @(posedge clk) begin
        if (state_q == IDLE) begin
            place_q <= control2fetch_address[${address_width - 1}:4];
            left_q  <= control2fetch_count;
        end else if (gone) begin
            place_q <= place_q + 1'b1;
            left_q  <= left_q - 16'd1;
        end
        if (beat) word_q <= {m_axi_fetch_rdata, word_q[127:32]};
    end

    assign m_axi_fetch_arid    = 4'd1;
    assign m_axi_fetch_araddr  = {place_q, 4'd0};
    assign m_axi_fetch_arlen   = 8'd3;
    assign m_axi_fetch_arsize  = 3'd2;
    assign m_axi_fetch_arburst = 2'd1;
    assign m_axi_fetch_arlock  = 1'd0;
    assign m_axi_fetch_arcache = 4'd3;
    assign m_axi_fetch_arprot  = 3'd0;
    assign m_axi_fetch_arqos   = 4'd0;
    assign m_axi_fetch_arvalid = state_q == ASK;
    assign m_axi_fetch_rready  = 1'b1;

    wire unused_bits = &{1'b0, m_axi_fetch_rid, control2fetch_address[3:0]};

endmodule

`default_nettype wire
