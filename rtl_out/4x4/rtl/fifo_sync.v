// First-word fall-through FIFO on one clock with its words in LUT RAM.
// Latency 1 cycle from in to out. Throughput 1 word per cycle, also when full.
// in_ready and out_valid are registers; in_ready falls when DEPTH words are stored.
// Reset: empty.
`default_nettype none

module fifo_sync #(
    parameter W     = 8,              // bits of a word
    parameter DEPTH = 4               // words, any number from 2
) (
    input  wire         clk,
    input  wire         rst_n,
    input  wire         in_valid,
    output reg          in_ready,
    input  wire [W-1:0] in_data,
    output reg          out_valid,
    input  wire         out_ready,
    output wire [W-1:0] out_data
);

    localparam PTR_W = $clog2(DEPTH);
    localparam [PTR_W-1:0] LAST = DEPTH[PTR_W-1:0] - 1'b1;

    reg [PTR_W-1:0] wptr_q;
    reg [PTR_W-1:0] rptr_q;

    wire push = in_valid && in_ready;
    wire pop  = out_valid && out_ready;
    wire [PTR_W-1:0] wnext = (wptr_q == LAST) ? {PTR_W{1'b0}} : wptr_q + 1'b1;
    wire [PTR_W-1:0] rnext = (rptr_q == LAST) ? {PTR_W{1'b0}} : rptr_q + 1'b1;

    sram_dist_1r1w #(.W(W), .DEPTH(DEPTH)) u_mem (
        .clk(clk), .we(push), .waddr(wptr_q), .wdata(in_data), .raddr(rptr_q), .rdata(out_data)
    );

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            wptr_q    <= {PTR_W{1'b0}};
            rptr_q    <= {PTR_W{1'b0}};
            in_ready  <= 1'b1;
            out_valid <= 1'b0;
        end else begin
            if (push) wptr_q <= wnext;
            if (pop)  rptr_q <= rnext;
            if (push && !pop) begin
                in_ready  <= wnext != rptr_q;
                out_valid <= 1'b1;
            end
            if (pop && !push) begin
                in_ready  <= 1'b1;
                out_valid <= rnext != wptr_q;
            end
        end
    end

endmodule

`default_nettype wire
