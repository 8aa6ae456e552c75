// What a SIMD operation is for a lane: sources of the left and the right operand, and which
// function of them. No registers.
//
// Function, with difference = left - right:
//     CLAMP    sum or difference, clamped        Zero, Move, Increment ... Multiply${lut_tables > 0 ? ", Lookup" : ""}
//     ABS      right if it is above 0, else 0 - right
//     CHOOSE   left if difference < 0, else right; `other` exchanges them   Min, Max
//     TRUTH    1.0 or 0: what `truth` says of both                          Not, And, Or, >, >=
`default_nettype none

module tcu_acc_decode (
    input  wire [${simd_op_w - 1:2}:0] op,
    input  wire [${simd_code_w - 1:2}:0] left,         // 0: what is read; r: register r
    input  wire [${simd_code_w - 1:2}:0] right,
    input  wire       read,         // 0: instead of what is read, zero
    output wire       left_read,    // left operand: what is read
//% if simd_registers_depth > 0
    output wire       left_reg,     // a register; else zero
    output wire [${max(1, clog2(simd_registers_depth)) - 1:2}:0] left_at,      // its number, from 0
//% end
    output wire       right_read,
//% if simd_registers_depth > 0
    output wire       right_reg,
    output wire [${max(1, clog2(simd_registers_depth)) - 1:2}:0] right_at,
//% end
    output wire       right_one,    // 1.0
    output wire       multiply,     // right operand of the function: product of both, left: zero
    output wire       early,        // the result is zero or what is read  //% if simd_registers_depth > 0
    output wire       subtract,
    output wire [1:0] func,
    output wire       other,
    output wire [1:0] truth
);

    localparam [1:0] CLAMP = 2'd0, ABS = 2'd1, CHOOSE = 2'd2, TRUTH = 2'd3;
    localparam I = ${max(1, clog2(simd_registers_depth))};  //% if simd_registers_depth > 0
    localparam [1:0] LESS = 2'd0, NO_LEFT = 2'd1, BOTH = 2'd2, EITHER = 2'd3;

    wire is_zero      = op == ${simd_op_w}'d1;
    wire is_move      = op == ${simd_op_w}'d2;
    wire is_not       = op == ${simd_op_w}'d3;
    wire is_and       = op == ${simd_op_w}'d4;
    wire is_or        = op == ${simd_op_w}'d5;
    wire is_increment = op == ${simd_op_w}'d6;
    wire is_decrement = op == ${simd_op_w}'d7;
    wire is_abs       = op == ${simd_op_w}'d11;
    wire is_greater   = op == ${simd_op_w}'d12;   // right - left < 0
    wire is_not_less  = op == ${simd_op_w}'d13;
    wire is_min       = op == ${simd_op_w}'d14;
    wire is_max       = op == ${simd_op_w}'d15;

    // Operands that are taken from `left` or `right` at all, and from the other one.
    wire has_left  = !(is_zero || is_abs);
    wire has_right = !(is_zero || is_move || is_not || is_increment || is_decrement);  //% if lut_tables == 0
    wire has_right = !(is_zero || is_move || is_not || is_increment || is_decrement || op == ${simd_op_w}'d16);  //% if lut_tables > 0
    wire [${simd_code_w - 1:2}:0] from_left  = is_greater ? right : left;
    wire [${simd_code_w - 1:2}:0] from_right = is_greater || is_abs ? left : right;

    assign left_read  = has_left && from_left == ${simd_code_w}'d0 && read;
    assign right_read = has_right && from_right == ${simd_code_w}'d0 && read;
    assign right_one  = is_increment || is_decrement;
//% if simd_registers_depth > 0
//% if simd_registers_depth + 1 < 1 << simd_code_w
    localparam [${simd_code_w - 1}:0] R = ${simd_code_w}'d${simd_registers_depth};

    assign left_reg   = has_left && from_left != ${simd_code_w}'d0 && from_left <= R;
    assign right_reg  = has_right && from_right != ${simd_code_w}'d0 && from_right <= R;
//% else
    assign left_reg   = has_left && from_left != ${simd_code_w}'d0;
    assign right_reg  = has_right && from_right != ${simd_code_w}'d0;
//% end
    assign left_at    = left_reg ? from_left[I-1:0] - 1'b1 : {I{1'b0}};
    assign right_at   = right_reg ? from_right[I-1:0] - 1'b1 : {I{1'b0}};
    assign early      = is_zero || (is_move && !left_reg);
//% end
    assign multiply   = op == ${simd_op_w}'d10;
    assign subtract   = is_decrement || op == ${simd_op_w}'d9 || is_abs || is_greater || is_not_less ||
                        is_min || is_max;  //% if lut_tables == 0
                        is_min || is_max || op == ${simd_op_w}'d16;  //% if lut_tables > 0
    assign func       = is_abs ? ABS : is_min || is_max ? CHOOSE :
                        is_not || is_and || is_or || is_greater || is_not_less ? TRUTH : CLAMP;
    assign other      = is_max || is_not_less;
    assign truth      = is_not ? NO_LEFT : is_and ? BOTH : is_or ? EITHER : LESS;

endmodule

`default_nettype wire
