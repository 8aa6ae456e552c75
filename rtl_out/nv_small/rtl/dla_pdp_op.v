// Made by macrame 0.1.0 from templates/dla/pdp/dla_pdp_op.v
// with fp16=0 int8=1 types16=0

// One step of a pooling window: sum, maximum or minimum of two numbers, or one of them.
//
// Contract: combinational. The sum wraps. The second number comes as the adder takes it, so that
// one inversion serves all steps that have it.
`default_nettype none

module dla_pdp_op #(
    parameter W = 11
) (
    input  wire         en,            // 0: nobody looks at y; lets simulators skip the step
    input  wire         sum,           // else maximum or minimum
    input  wire         compare,       // maximum or minimum: !sum, a register of its own
    input  wire         least,         // minimum
    input  wire         first,         // y = b
    input  wire         hold,          // y = a
    input  wire [W-1:0] a,
    input  wire [W-1:0] b_add,         // b for sums, else its complement
    output reg  [W-1:0] y
);

    // One adder: a + b, or a - b whose sign compares them.
    wire [W-1:0] b = b_add ^ {W{~sum}};
    reg [W:0] total;
    reg       take_b;

    always @* begin
        total  = {(W+1){1'bx}};
        take_b = 1'bx;
        y      = {W{1'bx}};
        if (en) begin
            total  = {a[W-1], a} + {b_add[W-1], b_add} + {{W{1'b0}}, compare};
            take_b = first || (!hold && (total[W] ^ least));
            y      = sum && !first && !hold ? total[W-1:0] : take_b ? b : a;
        end
    end

endmodule

`default_nettype wire
