// First-word fall-through FIFO on one clock with its words in block RAM. The output of the RAM is
// that of the FIFO: there is no register behind it.
// Latency 2 cycles from in to out. Throughput 1 word per cycle, also when full.
// in_ready and out_valid are registers; room for DEPTH + 1 words.
// Reset: empty.
`default_nettype none

module fifo_ram #(
    parameter W     = 8,              // bits of a word
    parameter DEPTH = 512             // words in the RAM, a power of two from 4
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
    localparam [PTR_W-1:0] ONE = {{(PTR_W-1){1'b0}}, 1'b1};

    reg  [PTR_W-1:0] wptr_q;
    reg  [PTR_W-1:0] rptr_q;
    reg              some_q;          // words are in the RAM behind its output

    wire             push  = in_valid && in_ready;
    wire             fetch = some_q && (!out_valid || out_ready);
    wire [PTR_W-1:0] wnext = wptr_q + ONE;
    wire [PTR_W-1:0] rnext = rptr_q + ONE;

    sram_1r1w #(.W(W), .DEPTH(DEPTH)) u_mem (
        .clk(clk), .we(push), .waddr(wptr_q), .wdata(in_data),
        .re(fetch), .raddr(rptr_q), .rdata(out_data)
    );

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            wptr_q    <= {PTR_W{1'b0}};
            rptr_q    <= {PTR_W{1'b0}};
            some_q    <= 1'b0;
            in_ready  <= 1'b1;
            out_valid <= 1'b0;
        end else begin
            if (push)  wptr_q <= wnext;
            if (fetch) rptr_q <= rnext;
            if (push && !fetch) begin
                some_q   <= 1'b1;
                in_ready <= wnext != rptr_q;
            end
            if (fetch && !push) begin
                some_q   <= rnext != wptr_q;
                in_ready <= 1'b1;
            end
            out_valid <= fetch || (out_valid && !out_ready);
        end
    end

endmodule

`default_nettype wire
