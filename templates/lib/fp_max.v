// The larger or smaller one of two floating point numbers with E exponent and M mantissa bits: max
// and min of the documents. Latency 1, moves with `load`. No reset.
//   A NaN passes, the first one first. -0 is below +0.
`default_nettype none

module fp_max #(
    parameter E = 5,
    parameter M = 10
) (
    input  wire         clk,
    input  wire         load,
    input  wire         least,         // min
    input  wire [E+M:0] a,
    input  wire [E+M:0] b,
    output reg  [E+M:0] out_q
);

    wire         a_nan = (&a[M +: E]) && (|a[M-1:0]);
    wire         b_nan = (&b[M +: E]) && (|b[M-1:0]);
    // Integers in the same order.
    wire [E+M:0] a_key = a[E+M] ? ~a : {1'b1, a[E+M-1:0]};
    wire [E+M:0] b_key = b[E+M] ? ~b : {1'b1, b[E+M-1:0]};
    wire         above = b_key > a_key;
    wire         take_b = !a_nan && (b_nan || (above != least && a != b));

    always @(posedge clk) begin
        if (load) out_q <= take_b ? b : a;
    end

endmodule

`default_nettype wire
