// Made by macrame 0.1.0 from templates/tcu/acc/tcu_acc_decode.v
// with lut_tables=0 simd_code_w=1 simd_op_w=4 simd_registers_depth=1

// What a SIMD operation is for a lane: sources of the left and the right operand, and which
// function of them. No registers.
//
// Function, with difference = left - right:
//     CLAMP    sum or difference, clamped        Zero, Move, Increment ... Multiply
//     ABS      right if it is above 0, else 0 - right
//     CHOOSE   left if difference < 0, else right; `other` exchanges them   Min, Max
//     TRUTH    1.0 or 0: what `truth` says of both                          Not, And, Or, >, >=
`default_nettype none

module tcu_acc_decode (
    input  wire [ 3:0] op,
    input  wire [ 0:0] left,         // 0: what is read; r: register r
    input  wire [ 0:0] right,
    input  wire       read,         // 0: instead of what is read, zero
    output wire       left_read,    // left operand: what is read
    output wire       left_reg,     // a register; else zero
    output wire [ 0:0] left_at,      // its number, from 0
    output wire       right_read,
    output wire       right_reg,
    output wire [ 0:0] right_at,
    output wire       right_one,    // 1.0
    output wire       multiply,     // right operand of the function: product of both, left: zero
    output wire       early,        // the result is zero or what is read
    output wire       subtract,
    output wire [1:0] func,
    output wire       other,
    output wire [1:0] truth
);

    localparam [1:0] CLAMP = 2'd0, ABS = 2'd1, CHOOSE = 2'd2, TRUTH = 2'd3;
    localparam I = 1;
    localparam [1:0] LESS = 2'd0, NO_LEFT = 2'd1, BOTH = 2'd2, EITHER = 2'd3;

    wire is_zero      = op == 4'd1;
    wire is_move      = op == 4'd2;
    wire is_not       = op == 4'd3;
    wire is_and       = op == 4'd4;
    wire is_or        = op == 4'd5;
    wire is_increment = op == 4'd6;
    wire is_decrement = op == 4'd7;
    wire is_abs       = op == 4'd11;
    wire is_greater   = op == 4'd12;   // right - left < 0
    wire is_not_less  = op == 4'd13;
    wire is_min       = op == 4'd14;
    wire is_max       = op == 4'd15;

    // Operands that are taken from `left` or `right` at all, and from the other one.
    wire has_left  = !(is_zero || is_abs);
    wire has_right = !(is_zero || is_move || is_not || is_increment || is_decrement);
    wire [ 0:0] from_left  = is_greater ? right : left;
    wire [ 0:0] from_right = is_greater || is_abs ? left : right;

    assign left_read  = has_left && from_left == 1'd0 && read;
    assign right_read = has_right && from_right == 1'd0 && read;
    assign right_one  = is_increment || is_decrement;
    assign left_reg   = has_left && from_left != 1'd0;
    assign right_reg  = has_right && from_right != 1'd0;
    assign left_at    = left_reg ? from_left[I-1:0] - 1'b1 : {I{1'b0}};
    assign right_at   = right_reg ? from_right[I-1:0] - 1'b1 : {I{1'b0}};
    assign early      = is_zero || (is_move && !left_reg);
    assign multiply   = op == 4'd10;
    assign subtract   = is_decrement || op == 4'd9 || is_abs || is_greater || is_not_less ||
                        is_min || is_max;
    assign func       = is_abs ? ABS : is_min || is_max ? CHOOSE :
                        is_not || is_and || is_or || is_greater || is_not_less ? TRUTH : CLAMP;
    assign other      = is_max || is_not_less;
    assign truth      = is_not ? NO_LEFT : is_and ? BOTH : is_or ? EITHER : LESS;

endmodule

`default_nettype wire
