// Made by macrame 0.1.0 from templates/tcu/acc/tcu_acc_fifo.v

// FIFO of vectors that are claimed one cycle before they are used.
//
// `some`: there is a word that nobody has claimed. A word that is claimed in one cycle is out_data
// in the next, with `taken`; then its place is free. One word in and out per cycle; whoever sends
// words knows how many places are free. Reset: empty.
`default_nettype none

module tcu_acc_fifo #(
    parameter W     = 8,              // bits of a word
    parameter DEPTH = 8               // words, a power of two
) (
    input  wire         clk,
    input  wire         rst_n,
    input  wire         in_valid,     // cannot stall
    input  wire [W-1:0] in_data,
    output reg          some,
    input  wire         claim,        // only if there is some
    output reg          taken,
    output wire [W-1:0] out_data
);

    localparam PTR_W = $clog2(DEPTH);
    localparam [PTR_W:0] ONE = {{PTR_W{1'b0}}, 1'b1};

    reg [PTR_W-1:0] wptr_q;
    reg [PTR_W-1:0] rptr_q;
    reg [PTR_W:0]   words_q;          // that nobody has claimed

    sram_dist_1r1w #(.W(W), .DEPTH(DEPTH)) u_mem (
        .clk (clk), .we (in_valid), .waddr (wptr_q), .wdata (in_data),
        .raddr (rptr_q), .rdata (out_data)
    );

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            wptr_q  <= {PTR_W{1'b0}};
            rptr_q  <= {PTR_W{1'b0}};
            words_q <= {(PTR_W+1){1'b0}};
            some    <= 1'b0;
            taken   <= 1'b0;
        end else begin
            taken <= claim;
            if (in_valid) wptr_q <= wptr_q + 1'b1;
            if (taken)    rptr_q <= rptr_q + 1'b1;
            if (in_valid != claim) begin
                words_q <= in_valid ? words_q + ONE : words_q - ONE;
                some    <= in_valid || words_q != ONE;
            end
        end
    end

endmodule

`default_nettype wire
