// First-word fall-through FIFO between two clocks with gray-coded pointers and LUT RAM storage.
// Latency 3 to 4 rd_clk cycles. Throughput 1 word per cycle if DEPTH >= 8 and the clocks are alike.
// in_ready, a register, belongs to wr_clk, out_valid to rd_clk.
// Reset: empty. It begins on both sides together and may end apart.
`default_nettype none

module fifo_async #(
    parameter W     = 8,              // bits of a word
    parameter DEPTH = 8               // words, a power of two from 2
) (
    input  wire         wr_clk,
    input  wire         wr_rst_n,
    input  wire         in_valid,
    output reg          in_ready,
    input  wire [W-1:0] in_data,
    input  wire         rd_clk,
    input  wire         rd_rst_n,
    output wire         out_valid,
    input  wire         out_ready,
    output wire [W-1:0] out_data
);

    localparam AW = $clog2(DEPTH);

    // Binary pointers with a wrap bit, and their gray codes; only gray codes cross.
    reg  [AW:0] wbin_q;
    reg  [AW:0] wgray_q;
    reg  [AW:0] rbin_q;
    reg  [AW:0] rgray_q;
    wire [AW:0] wgray_rd;             // write pointer as the reader sees it
    wire [AW:0] rgray_wr;             // read pointer as the writer sees it

    wire        push   = in_valid && in_ready;
    wire        pop    = out_valid && out_ready;
    wire [AW:0] wbin_d = wbin_q + 1'b1;
    wire [AW:0] rbin_d = rbin_q + 1'b1;
    wire [AW:0] wgray_d = push ? wbin_d ^ (wbin_d >> 1) : wgray_q;

    // Full: both upper gray bits differ, the rest is equal. With DEPTH = 2 these are all the bits.
    localparam [AW:0] WRAP = {2'b11, {(AW-1){1'b0}}};

    assign out_valid = wgray_rd != rgray_q;

    sram_dist_1r1w #(.W(W), .DEPTH(DEPTH)) u_mem (
        .clk(wr_clk), .we(push), .waddr(wbin_q[AW-1:0]), .wdata(in_data),
        .raddr(rbin_q[AW-1:0]), .rdata(out_data)
    );

    genvar b;
    generate
        for (b = 0; b <= AW; b = b + 1) begin : gen_cross
            sync_bit #(.STAGES(2)) u_wr (.clk(wr_clk), .rst_n(wr_rst_n), .d(rgray_q[b]),
                                         .q(rgray_wr[b]));
            sync_bit #(.STAGES(2)) u_rd (.clk(rd_clk), .rst_n(rd_rst_n), .d(wgray_q[b]),
                                         .q(wgray_rd[b]));
        end
    endgenerate

    always @(posedge wr_clk or negedge wr_rst_n) begin
        if (!wr_rst_n) begin
            wbin_q   <= {(AW+1){1'b0}};
            wgray_q  <= {(AW+1){1'b0}};
            in_ready <= 1'b1;
        end else begin
            if (push) wbin_q <= wbin_d;
            wgray_q  <= wgray_d;
            in_ready <= (wgray_d ^ rgray_wr) != WRAP;
        end
    end

    always @(posedge rd_clk or negedge rd_rst_n) begin
        if (!rd_rst_n) begin
            rbin_q  <= {(AW+1){1'b0}};
            rgray_q <= {(AW+1){1'b0}};
        end else if (pop) begin
            rbin_q  <= rbin_d;
            rgray_q <= rbin_d ^ (rbin_d >> 1);
        end
    end

endmodule

`default_nettype wire
