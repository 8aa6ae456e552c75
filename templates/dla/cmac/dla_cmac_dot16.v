// CMAC dot product of 16-bit lanes: two lanes of a cell. A technology may bring its own.
//
//% if int8
// One 25 x 16 product of a DSP block is that of an int16 weight, or those of two int8 weights:
//
//    a * (65536 * w1 + w0) = 65536 * (a * w1) + a * w0
//
// Sums of two int8 products are within -32512..32768: a BIAS of 32767 makes an unsigned number of
// the low one, which then borrows nothing from the other.
//
//% end
// Contract: `load` takes weights, `multiply` products of `dat` and the weights in the registers,
// `add` the sums of the products of the cycle before. Else registers keep their values. No reset.
`default_nettype none

module dla_cmac_dot16 (
    input  wire         clk,
    input  wire         load,
    input  wire         pair,       // with load: each weight is two of int8  //% if int8
    input  wire [31:0]  weights,
    input  wire         multiply,
    input  wire [31:0]  dat,        // out of a register
    input  wire         add,
    // a0 * w0 + a1 * w1 + 32767; int8: of w1 in the upper 17 bits, of w0 in the lower 16  //% if int8
    output wire [32:0]  sum  //% if int8
    output wire [32:0]  sum         // a0 * w0 + a1 * w1  //% if !int8
);

//% if int8
    localparam [32:0] BIAS = 33'd32767;

    function signed [24:0] factor(input [15:0] w, input two);
        factor = two ? {w[15], w[15:8], 16'd0} + {{17{w[7]}}, w[7:0]} : {{9{w[15]}}, w};
    endfunction

//% end
    function signed [31:0] product(input signed [15:0] a, input signed [${int8 ? 24 : 15}:0] w);
        product = a * w;
    endfunction

    reg signed [${int8 ? 24 : 15}:0] factor0_q, factor1_q;
    reg signed [31:0] prod0_q, prod1_q;
    reg        [32:0] sum_q;

    assign sum = sum_q;

    always @(posedge clk) begin
        if (load) begin
            factor0_q <= ${int8 ? "factor(weights[15:0],  pair)" : "weights[15:0]"};
            factor1_q <= ${int8 ? "factor(weights[31:16], pair)" : "weights[31:16]"};
        end
        if (multiply) begin
            prod0_q <= product(dat[15:0],  factor0_q);
            prod1_q <= product(dat[31:16], factor1_q);
        end
        if (add) sum_q <= {prod0_q[31], prod0_q}${int8 ? " + BIAS" : ""} + {prod1_q[31], prod1_q};
    end

endmodule

`default_nettype wire
