// Signed product of two scalars, out of DSP blocks.
//
//% if data_w <= 18
//     a, b --> one block --> p_q         use_dsp: some tools take LUTs for few bits
//% else
//     a, high half of b --> mult_pipe --\
//                                        sum --> p_q
//     a, low half of b  --> mult_pipe --/
//% end
//
// Latency ${product_stages}, stage i moves with load[i]. One product per cycle. No reset.
`default_nettype none

module tcu_product (
    input  wire              clk,
    input  wire [${product_stages - 1:2}:0]       load,     // the input of stage 1, 2 ... is valid
    input  wire signed [${data_w - 1:2}:0] a,
    input  wire signed [${data_w - 1:2}:0] b,
    (* use_dsp = "yes" *)  //% if data_w <= 18
    output reg  signed [${2 * data_w - 1:2}:0] p_q
);

//% if data_w <= 18
    always @(posedge clk) begin
        if (load) p_q <= a * b;
    end
//% else
    localparam LOW_W  = 17;               // of b, without a sign
    localparam HIGH_W = ${data_w} - LOW_W;

    wire signed [LOW_W:0]    b_low  = {1'b0, b[LOW_W-1:0]};
    wire signed [HIGH_W-1:0] b_high = b[LOW_W +: HIGH_W];
    wire signed [${data_w} + LOW_W:0]     low;
    wire signed [${data_w} + HIGH_W - 1:0] high;

    mult_pipe #(.A_W(${data_w}), .B_W(LOW_W + 1)) u_low (
        .clk (clk), .load (load[1:0]), .a (a), .b (b_low), .p_q (low)
    );

    mult_pipe #(.A_W(${data_w}), .B_W(HIGH_W)) u_high (
        .clk (clk), .load (load[1:0]), .a (a), .b (b_high), .p_q (high)
    );

    // |a * b_low| < 2^(${data_w} + LOW_W - 1): what is above LOW_W bits has ${data_w} bits.
    wire [${2 * data_w - 18}:0] carry = {{(HIGH_W){low[${data_w} + LOW_W]}}, low[LOW_W +: ${data_w}]};
    wire [${2 * data_w - 18}:0] top   = high + carry;

    always @(posedge clk) begin
        if (load[2]) p_q <= {top, low[LOW_W-1:0]};
    end
//% end

endmodule

`default_nettype wire
