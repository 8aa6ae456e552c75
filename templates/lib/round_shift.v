// Shifts a signed number right, rounds half away from zero and saturates: RSHR of the documents.
//   f = floor(in / 2^shift), g = bit below it, k = OR of the bits below g
//   r = f + 1 if g and (in >= 0 or k), else f;   out = r clamped to OUT_W bits
// shift >= IN_W gives 0. sat: in < 0 and f (before rounding) too small, or in >= 0 and r too big.
// Combinational. The shifter works from the largest step down, so that bits which can no longer
// reach the result are dropped early: low ones into a sticky bit, high ones into an overflow bit.
`default_nettype none

module round_shift #(
    parameter IN_W    = 34,           // bits of the input
    parameter SHIFT_W = 5,            // bits of the shift amount
    parameter OUT_W   = 17            // bits of the result, 2 or more
) (
    input  wire signed [IN_W-1:0]    in,
    input  wire        [SHIFT_W-1:0] shift,
    output wire signed [OUT_W-1:0]   out,
    output wire                      sat
);

    // A word between the steps: value and, in bit 0, the guard bit.
    localparam W = (IN_W > OUT_W ? IN_W : OUT_W) + 1;
    localparam [W-1:0] ONES = {W{1'b1}};

    wire neg = in[IN_W-1];

    reg signed [W-1:0] word;
    reg        [W-1:0] unused;        // ones above the bits that later steps can still use
    reg                low;           // a 1 was dropped at the low end
    reg                high;          // something but sign bits was dropped at the high end
    integer            s;

    always @* begin
        word = {{(W-IN_W){neg}}, in[IN_W-2:0], 1'b0};
        low  = 1'b0;
        high = 1'b0;
        for (s = SHIFT_W - 1; s >= 0; s = s - 1) begin
            if (shift[s]) begin
                low  = low || (word & ~(ONES << (1 << s))) != {W{1'b0}};
                word = word >>> (1 << s);
            end
            unused = ONES << (OUT_W + (1 << s));
            high   = high || ((word ^ {W{neg}}) & unused) != {W{1'b0}};
            word   = (word & ~unused) | ({W{neg}} & unused);
        end
    end

    // The one case that the steps get wrong is -2^(IN_W-1) >> IN_W, one half: make it sticky.
    wire vanish;
    generate
        if ((1 << SHIFT_W) > IN_W) begin : gen_vanish
            assign vanish = shift >= IN_W[SHIFT_W-1:0];
        end else begin : gen_no_vanish
            assign vanish = 1'b0;
        end
    endgenerate

    wire [OUT_W-1:0] f     = word[OUT_W:1];
    wire             guard = word[0];
    wire             up    = guard && (!neg || vanish || low);
    wire             over  = high || f[OUT_W-1] != neg;
    wire [OUT_W-1:0] r     = f + {{(OUT_W-1){1'b0}}, up};

    assign sat = over || (!neg && r[OUT_W-1]);
    assign out = sat ? {neg, {(OUT_W-1){!neg}}} : r;

endmodule

`default_nettype wire
