// First-word fall-through FIFO on one clock with its words in block RAM, output from a register.
// Latency 3 cycles from in to out. Throughput 1 word per cycle, also when full.
// in_ready and out_valid are registers; room for DEPTH + 2 words.
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
    output reg  [W-1:0] out_data
);

    localparam PTR_W = $clog2(DEPTH);
    localparam [PTR_W-1:0] PTR_1 = {{(PTR_W-1){1'b0}}, 1'b1};
    localparam [PTR_W:0]   ONE   = {1'b0, PTR_1};
    localparam [PTR_W:0]   LAST  = {1'b0, {PTR_W{1'b1}}};  // one place is free

    //   in -> RAM -> its output (next) -> out_data
    reg  [PTR_W-1:0] wptr_q;
    reg  [PTR_W-1:0] rptr_q;
    reg  [PTR_W:0]   count_q;         // words in the RAM
    reg              some_q;          // not 0
    reg              next_valid_q;    // the RAM's output is a word
    wire [W-1:0]     next;

    wire             push  = in_valid && in_ready;
    wire             move  = next_valid_q && (!out_valid || out_ready);
    wire             fetch = some_q && (!next_valid_q || move);

    sram_1r1w #(.W(W), .DEPTH(DEPTH)) u_mem (
        .clk(clk), .we(push), .waddr(wptr_q), .wdata(in_data),
        .re(fetch), .raddr(rptr_q), .rdata(next)
    );

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            wptr_q       <= {PTR_W{1'b0}};
            rptr_q       <= {PTR_W{1'b0}};
            count_q      <= {(PTR_W+1){1'b0}};
            some_q       <= 1'b0;
            in_ready     <= 1'b1;
            next_valid_q <= 1'b0;
            out_valid    <= 1'b0;
        end else begin
            if (push)  wptr_q <= wptr_q + PTR_1;
            if (fetch) rptr_q <= rptr_q + PTR_1;
            if (push && !fetch) begin
                count_q  <= count_q + ONE;
                some_q   <= 1'b1;
                in_ready <= count_q != LAST;
            end
            if (fetch && !push) begin
                count_q  <= count_q - ONE;
                some_q   <= count_q != ONE;
                in_ready <= 1'b1;
            end
            next_valid_q <= fetch || (next_valid_q && !move);
            out_valid    <= move || (out_valid && !out_ready);
        end
    end

    always @(posedge clk) begin
        if (move) out_data <= next;
    end

endmodule

`default_nettype wire
