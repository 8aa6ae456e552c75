// CMAC dot product for ECP5: two lanes of two cells. Its multipliers take 18 bits, so each product
// has one of its own, as many as a shared product of 25 x 8 bits would need.
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
    output reg  [15:0]  sum0,       // cell 0: a0 * w0 + a1 * w1 + 32767, unsigned
    output reg  [15:0]  sum1        // cell 1
);

    localparam [15:0] BIAS = 16'd32767;

    function signed [15:0] product(input signed [7:0] a, input signed [7:0] w);
        product = a * w;
    endfunction

    reg [15:0] weights0_q, weights1_q;
    reg [15:0] low0_q, high0_q, low1_q, high1_q;   // products of lane 0, lane 1

    always @(posedge clk) begin
        if (load) begin
            weights0_q <= weights0;
            weights1_q <= weights1;
        end
        if (multiply) begin
            low0_q  <= product(dat[7:0],  weights0_q[7:0]);
            high0_q <= product(dat[15:8], weights0_q[15:8]);
            low1_q  <= product(dat[7:0],  weights1_q[7:0]);
            high1_q <= product(dat[15:8], weights1_q[15:8]);
        end
        if (add) begin
            sum0 <= low0_q + BIAS + high0_q;
            sum1 <= low1_q + BIAS + high1_q;
        end
    end

endmodule

`default_nettype wire
