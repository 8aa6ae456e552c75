// Made by macrame 0.1.0 from templates/dla/pdp/dla_pdp_op.v

`default_nettype none

// One step of a pooling window: sum, maximum or minimum of two numbers, or one of them.
//
// Contract: combinational. The sum wraps.
module dla_pdp_op #(
    parameter W = 11
) (
    input  wire         sum,           // else maximum or minimum
    input  wire         least,         // minimum
    input  wire         first,         // y = b
    input  wire         hold,          // y = a
    input  wire [W-1:0] a,
    input  wire [W-1:0] b,
    output wire [W-1:0] y
);

    // One adder: a + b, or a - b whose sign compares them.
    wire [W:0] wide_b = {b[W-1], b} ^ {(W+1){~sum}};
    wire [W:0] total  = {a[W-1], a} + wide_b + {{W{1'b0}}, ~sum};
    wire       take_b = first | (~hold & (total[W] ^ least));

    assign y = sum & ~first & ~hold ? total[W-1:0] : take_b ? b : a;

endmodule

`default_nettype wire
