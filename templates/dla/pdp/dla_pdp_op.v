//% if fp16
// One step of a pooling window: sum, maximum or minimum of two numbers, or one of them.
//
// Contract: 5 cycles. In sums of floating point words are fp17 numbers, in their maxima and minima
// ordered fp16 numbers, signed {key, NaN}. Of two NaN that of `a` passes, with NEW_FIRST that of
// `b`.${int8 ? " Otherwise words are two integers of W/2 bits (`split`) or one of W." : mixed_fp ? " Otherwise words are integers." : ""}
`default_nettype none

module dla_pdp_op #(
    parameter NEW_FIRST = 0,
    parameter W = 22
) (
    input  wire         clk,
    input  wire [4:0]   moves,         // a sum of floating point is in stage 1 .. 5
    input  wire         en,            // 0: nobody looks at y; lets simulators skip the step
    input  wire         split,         // two numbers  //% if int8
    input  wire         real_type,     // floating point  //% if mixed_fp
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
    reg         a_nan, b_nan;          // what passes

//%   if int8
    // One adder: a + b, or a - b whose sign compares them; cut in the middle if there are two.
    localparam H = W / 2;
    reg [H:0]   low, high;
    reg         carry, low_sign;
    reg         take_low, take_high;

    always @* begin
        word      = {W{1'bx}};
        a_nan     = 1'bx;
        b_nan     = 1'bx;
        low       = {(H+1){1'bx}};
        high      = {(H+1){1'bx}};
        carry     = 1'bx;
        low_sign  = 1'bx;
        take_low  = 1'bx;
        take_high = 1'bx;
        if (en) begin
            a_nan     = ${mixed_fp ? "real_type && " : ""}a[0] && (NEW_FIRST == 0 || !b[0]);
            b_nan     = ${mixed_fp ? "real_type && " : ""}b[0] && !a_nan;
            low       = {1'b0, a[H-1:0]} + {1'b0, b[H-1:0] ^ {H{~sum}}} + {{H{1'b0}}, ~sum};
            carry     = split ? ~sum : low[H];
            high      = {a[W-1], a[W-1:H]} + ({b[W-1], b[W-1:H]} ^ {(H+1){~sum}})
                      + {{H{1'b0}}, carry};
            low_sign  = split ? a[H-1] ^ ~b[H-1] ^ low[H] : high[H];
            take_low  = first || (!hold && !a_nan && (b_nan || (low_sign ^ least)));
            take_high = first || (!hold && !a_nan && (b_nan || (high[H] ^ least)));
            word      = {adds ? high[H-1:0] : take_high ? b[W-1:H] : a[W-1:H],
                         adds ? low[H-1:0] : take_low ? b[H-1:0] : a[H-1:0]};
        end
    end
//%   else
    // One adder: a + b, or a - b whose sign compares them.
    reg [W:0]   total;
    reg         take_b;

    always @* begin
        word   = {W{1'bx}};
        a_nan  = 1'bx;
        b_nan  = 1'bx;
        total  = {(W+1){1'bx}};
        take_b = 1'bx;
        if (en) begin
            a_nan  = ${mixed_fp ? "real_type && " : ""}a[0] && (NEW_FIRST == 0 || !b[0]);
            b_nan  = ${mixed_fp ? "real_type && " : ""}b[0] && !a_nan;
            total  = {a[W-1], a} + ({b[W-1], b} ^ {(W+1){~sum}}) + {{W{1'b0}}, ~sum};
            take_b = first || (!hold && !a_nan && (b_nan || (total[W] ^ least)));
            word   = adds ? total[W-1:0] : take_b ? b : a;
        end
    end
//%   end

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
        adds_q <= {adds_q[DELAY-2:0], ${mixed_fp ? "real_type && " : ""}adds};
    end

    assign y = adds_q[DELAY-1] ? {{(W-17){1'b0}}, total17} : word_q[W*DELAY-1 -: W];

endmodule

`default_nettype wire
//% elif types16 && int8
// One step of a pooling window: sum, maximum or minimum of two numbers, or one of them.
//
// Contract: combinational. Words are two numbers of W/2 bits (`split`) or one of W; sums wrap.
`default_nettype none

module dla_pdp_op #(
    parameter W = 22
) (
    input  wire         en,            // 0: nobody looks at y; lets simulators skip the step
    input  wire         split,         // two numbers
    input  wire         sum,           // else maximum or minimum
    input  wire         least,         // minimum
    input  wire         first,         // y = b
    input  wire         hold,          // y = a
    input  wire [W-1:0] a,
    input  wire [W-1:0] b,
    output reg  [W-1:0] y
);

    // One adder: a + b, or a - b whose sign compares them; cut in the middle if there are two.
    localparam H = W / 2;
    wire        adds = sum && !first && !hold;
    reg [H:0]   low, high;
    reg         carry, low_sign;
    reg         take_low, take_high;

    always @* begin
        low       = {(H+1){1'bx}};
        high      = {(H+1){1'bx}};
        carry     = 1'bx;
        low_sign  = 1'bx;
        take_low  = 1'bx;
        take_high = 1'bx;
        y         = {W{1'bx}};
        if (en) begin
            low       = {1'b0, a[H-1:0]} + {1'b0, b[H-1:0] ^ {H{~sum}}} + {{H{1'b0}}, ~sum};
            carry     = split ? ~sum : low[H];
            high      = {a[W-1], a[W-1:H]} + ({b[W-1], b[W-1:H]} ^ {(H+1){~sum}})
                      + {{H{1'b0}}, carry};
            low_sign  = split ? a[H-1] ^ ~b[H-1] ^ low[H] : high[H];
            take_low  = first || (!hold && (low_sign ^ least));
            take_high = first || (!hold && (high[H] ^ least));
            y         = {adds ? high[H-1:0] : take_high ? b[W-1:H] : a[W-1:H],
                         adds ? low[H-1:0] : take_low ? b[H-1:0] : a[H-1:0]};
        end
    end

endmodule

`default_nettype wire
//% else
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
//% end
