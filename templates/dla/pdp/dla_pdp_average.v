// End of an average of PDP in floating point: what missing rows add, the reciprocals of width and
// height of the window, the result as fp16.
//
// Contract: 13 cycles. No reset: data only.
`default_nettype none

module dla_pdp_average (
    input  wire        clk,
    input  wire [12:0] moves,                // a number is in stage 1 .. 13

    // fp17
    input  wire [16:0] recip_w,
    input  wire [16:0] recip_h,
    input  wire [16:0] acc,
    input  wire [16:0] pad,
    output wire [15:0] out                   // fp16
);

    wire [16:0] sum, half, product;

    fp_add #(.E(6), .M(10)) u_sum (
        .clk(clk), .load(moves[4:0]), .a(acc), .b(pad), .sum_q(sum)
    );

    fp_mul #(.E(6), .M(10)) u_width (
        .clk(clk), .load(moves[7:5]), .a(sum), .b(recip_w), .p_q(half)
    );

    fp_mul #(.E(6), .M(10)) u_height (
        .clk(clk), .load(moves[10:8]), .a(half), .b(recip_h), .p_q(product)
    );

    fp_narrow #(.EI(6), .MI(10), .EO(5), .MO(10)) u_narrow (
        .clk(clk), .load(moves[12:11]), .in(product), .out_q(out)
    );

endmodule

`default_nettype wire
