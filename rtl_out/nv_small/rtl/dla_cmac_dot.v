// Made by macrame 0.1.0 from templates/dla/cmac/dla_cmac_dot.v

// CMAC dot product: two lanes of two cells, which share the data. The only module of the MAC array
// that knows how a multiplier is made; a technology may bring its own.
//
// Here one 25 x 8 product of a DSP block gives those of both cells. With weights w1 and w0
//
//    a * (65536 * w1 + w0) = 65536 * (a * w1) + a * w0
//
// Sums of two lanes are within -32512..32768, so with a BIAS of 32767 both halves are unsigned
// numbers of 16 bits and do not borrow from each other.
//
// Contract: `load` takes weights, `multiply` products of `dat` and the weights in the registers,
// `add` the sums of the products of the cycle before. Else registers keep their values. No reset.
`default_nettype none

module dla_cmac_dot (
    input  wire         clk,
    input  wire         load,
    input  wire [15:0]  weights0,   // cell 0: lanes 0 and 1, signed bytes
    input  wire [15:0]  weights1,   // cell 1
    input  wire         multiply,
    input  wire [15:0]  dat,        // lanes 0 and 1, out of a register
    input  wire         add,
    output wire [15:0]  sum0,       // cell 0: a0 * w0 + a1 * w1 + 32767, unsigned
    output wire [15:0]  sum1        // cell 1
);

    localparam [31:0] BIAS = {16'd32767, 16'd32767};

    // Weights of both cells as one factor.
    function signed [24:0] both(input signed [7:0] w1, input signed [7:0] w0);
        both = {w1[7], w1, 16'd0} + {{17{w0[7]}}, w0};
    endfunction

    function signed [31:0] product(input signed [7:0] a, input signed [24:0] w);
        product = a * w;
    endfunction

    reg signed [24:0] both0_q, both1_q;
    reg        [31:0] prod0_q, prod1_q;
    reg        [31:0] sum_q;

    assign {sum1, sum0} = sum_q;

    always @(posedge clk) begin
        if (load) begin
            both0_q <= both(weights1[7:0],  weights0[7:0]);
            both1_q <= both(weights1[15:8], weights0[15:8]);
        end
        if (multiply) begin
            prod0_q <= product(dat[7:0],  both0_q);
            prod1_q <= product(dat[15:8], both1_q);
        end
        if (add) sum_q <= prod0_q + BIAS + prod1_q;
    end

endmodule

`default_nettype wire
