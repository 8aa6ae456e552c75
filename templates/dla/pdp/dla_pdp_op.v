//% if wide
// One step of a pooling window: sum, maximum or minimum of two numbers, or one of them.
//
//% if fp16
// Contract: 5 cycles. In sums of floating point words are fp17 numbers, in their maxima and minima
// ordered fp16 numbers, signed {key, NaN}. Of two NaN that of `a` passes, with NEW_FIRST that of
// `b`.
//%   if int8
// Otherwise words are two integers of W/2 bits (`split`) or one of W; sums wrap.
//%   elif int16
// Otherwise words are integers; sums wrap.
//%   end
//% elif int8
// Contract: combinational. Words are two numbers of W/2 bits (`split`) or one of W; sums wrap.
//% else
// Contract: combinational. The sum wraps.
//% end
`default_nettype none

module dla_pdp_op #(
//% if fp16
    parameter NEW_FIRST = 0,
//% end
    parameter W = 22
) (
//% if fp16
    input  wire         clk,
    input  wire [4:0]   moves,         // a sum of floating point is in stage 1 .. 5
//% end
    input  wire         en,            // 0: nobody looks at y; lets simulators skip the step
//% if int8
    input  wire         split,         // two numbers
//% end
//% if mixed_fp
    input  wire         real_type,     // floating point
//% end
    input  wire         sum,           // else maximum or minimum
    input  wire         least,         // minimum
    input  wire         first,         // y = b
    input  wire         hold,          // y = a
    input  wire [W-1:0] a,
    input  wire [W-1:0] b,
    output wire [W-1:0] y
);

    wire        adds = sum && !first && !hold;
    reg [W-1:0] word;
//% if fp16
    reg         a_nan, b_nan;          // what passes
//% end
//% if int8
    // One adder: a + b, or a - b whose sign compares them; cut in the middle if there are two.
    localparam H = W / 2;
    reg [H:0]   low, high;
    reg         carry, low_sign;
    reg         take_low, take_high;
//% else
    // One adder: a + b, or a - b whose sign compares them.
    reg [W:0]   total;
    reg         take_b;
//% end

    always @* begin
        word      = {W{1'bx}};
//% if fp16
        a_nan     = 1'bx;
        b_nan     = 1'bx;
//% end
//% if int8
        low       = {(H+1){1'bx}};
        high      = {(H+1){1'bx}};
        carry     = 1'bx;
        low_sign  = 1'bx;
        take_low  = 1'bx;
        take_high = 1'bx;
//% else
        total     = {(W+1){1'bx}};
        take_b    = 1'bx;
//% end
        if (en) begin
//% if fp16
            a_nan     = ${real_and}a[0] && (NEW_FIRST == 0 || !b[0]);
            b_nan     = ${real_and}b[0] && !a_nan;
//% end
//% if int8
            low       = {1'b0, a[H-1:0]} + {1'b0, b[H-1:0] ^ {H{~sum}}} + {{H{1'b0}}, ~sum};
            carry     = split ? ~sum : low[H];
            high      = {a[W-1], a[W-1:H]} + ({b[W-1], b[W-1:H]} ^ {(H+1){~sum}})
                      + {{H{1'b0}}, carry};
            low_sign  = split ? a[H-1] ^ ~b[H-1] ^ low[H] : high[H];
//%   if fp16
            take_low  = first || (!hold && !a_nan && (b_nan || (low_sign ^ least)));
            take_high = first || (!hold && !a_nan && (b_nan || (high[H] ^ least)));
//%   else
            take_low  = first || (!hold && (low_sign ^ least));
            take_high = first || (!hold && (high[H] ^ least));
//%   end
            word      = {adds ? high[H-1:0] : take_high ? b[W-1:H] : a[W-1:H],
                         adds ? low[H-1:0] : take_low ? b[H-1:0] : a[H-1:0]};
//% else
            total     = {a[W-1], a} + ({b[W-1], b} ^ {(W+1){~sum}}) + {{W{1'b0}}, ~sum};
//%   if fp16
            take_b    = first || (!hold && !a_nan && (b_nan || (total[W] ^ least)));
//%   else
            take_b    = first || (!hold && (total[W] ^ least));
//%   end
            word      = adds ? total[W-1:0] : take_b ? b : a;
//% end
        end
    end

//% if fp16
    // ------------------------------------------------------------------ sums of floating point
    localparam DELAY = 5;
    wire [16:0]        total17;
    reg  [W*DELAY-1:0] word_q;
    reg  [DELAY-1:0]   adds_q;

    fp_add #(.E(6), .M(10)) u_add (
        .clk   (clk),
        .load  (moves),
        .a     (NEW_FIRST != 0 ? b[16:0] : a[16:0]),
        .b     (NEW_FIRST != 0 ? a[16:0] : b[16:0]),
        .sum_q (total17)
    );

    always @(posedge clk) begin
        word_q <= {word_q[W*(DELAY-1)-1:0], word};
        adds_q <= {adds_q[DELAY-2:0], ${real_and}adds};
    end

    assign y = adds_q[DELAY-1] ? {{(W-17){1'b0}}, total17} : word_q[W*DELAY-1 -: W];
//% else
    assign y = word;
//% end

endmodule

`default_nettype wire
//% else
// One step of a pooling window: sum, maximum or minimum of two numbers, or one of them.
//
// Contract: combinational. The sum wraps.
`default_nettype none

module dla_pdp_op #(
    parameter W = 11
) (
    input  wire         en,            // 0: nobody looks at y; lets simulators skip the step
    input  wire         sum,           // else maximum or minimum
    input  wire         least,         // minimum
    input  wire         first,         // y = b
    input  wire         hold,          // y = a
    input  wire [W-1:0] a,
    input  wire [W-1:0] b,
    output reg  [W-1:0] y
);

    // One adder: a + b, or a - b whose sign compares them.
    reg [W:0] total;
    reg       take_b;

    always @* begin
        total  = {(W+1){1'bx}};
        take_b = 1'bx;
        y      = {W{1'bx}};
        if (en) begin
            total  = {a[W-1], a} + ({b[W-1], b} ^ {(W+1){~sum}}) + {{W{1'b0}}, ~sum};
            take_b = first || (!hold && (total[W] ^ least));
            y      = sum && !first && !hold ? total[W-1:0] : take_b ? b : a;
        end
    end

endmodule

`default_nettype wire
//% end
