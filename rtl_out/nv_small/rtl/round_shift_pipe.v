// Shifts a signed number right, rounds half away from zero and saturates: RSHR of the documents.
// Two register stages: shift | round and saturate.
//   f = floor(in / 2^shift), g = bit below it, k = OR of the bits below g
//   r = f + 1 if g and (in >= 0 or k), else f;   out = r clamped to OUT_W bits
// shift >= IN_W gives 0. sat: in < 0 and f (before rounding) too small, or in >= 0 and r too big.
// wrap, only with shift = 0: the low OUT_W bits of `in` pass, sat stays 0.
// Stage i moves with load[i]; `shift` and `wrap` belong to the word at `in`. No reset.
// The shifter works from the large steps to the small ones, so that bits which can no longer reach
// the result are dropped early: low ones into a sticky bit, high ones into an overflow bit. Each
// round is a 4-way AND-OR selection over two bits of `shift`: 6 inputs per bit.
`default_nettype none

module round_shift_pipe #(
    parameter IN_W    = 34,           // bits of the input
    parameter SHIFT_W = 5,            // bits of the shift amount
    parameter OUT_W   = 17            // bits of the result, 2 or more
) (
    input  wire                      clk,
    input  wire        [1:0]         load,  // input of stage 1, 2 is valid and moves
    input  wire signed [IN_W-1:0]    in,
    input  wire        [SHIFT_W-1:0] shift,
    input  wire                      wrap,
    output reg  signed [OUT_W-1:0]   out_q,
    output reg                       sat_q
);

    // A word between the rounds: value and, in bit 0, the guard bit.
    localparam W = (IN_W > OUT_W ? IN_W : OUT_W) + 1;
    localparam [W-1:0] ONES = {W{1'b1}};

    // ---- stage 1: shift
    wire             neg    = in[IN_W-1];
    wire [SHIFT_W:0] halves = {shift, 1'b0};   // a half step fills the last pair if SHIFT_W is odd

    reg signed [W-1:0] word;
    reg signed [W-1:0] by1;           // word after one, two, three steps of this round
    reg signed [W-1:0] by2;
    reg signed [W-1:0] by3;
    reg        [W-1:0] is0;           // masks: steps to go in this round
    reg        [W-1:0] is1;
    reg        [W-1:0] is2;
    reg        [W-1:0] is3;
    reg        [W-1:0] lost;          // bits below the word after this round
    reg        [W-1:0] spare;         // bits above all that later rounds can use
    reg                low;           // a 1 was dropped at the low end
    reg                high;          // something but sign bits was dropped at the high end
    reg                vanish;        // in >> shift is 0
    integer            s;

    reg        [OUT_W-1:0] f_q;       // rounded down
    reg                    guard_q;
    reg                    low_q;
    reg                    high_q;
    reg                    up_q;      // a tie goes up: in >= 0, or the one case below
    reg                    neg_q;
    reg                    wrap_q;

    // Without a word the shifter is free: simulators skip it.
    always @* begin
        word  = {W{1'bx}};
        by1   = {W{1'bx}};
        by2   = {W{1'bx}};
        by3   = {W{1'bx}};
        is0   = {W{1'bx}};
        is1   = {W{1'bx}};
        is2   = {W{1'bx}};
        is3   = {W{1'bx}};
        lost  = {W{1'bx}};
        spare = {W{1'bx}};
        low   = 1'bx;
        high  = 1'bx;
        vanish = 1'bx;
        s      = 0;      // no latch where the loop does not run
        if (load[0]) begin
            word = {{(W-IN_W){neg}}, in[IN_W-2:0], 1'b0};
            low  = 1'b0;
            high = 1'b0;
            for (s = SHIFT_W - 1; s >= 0; s = s - 2) begin
                is0   = {W{halves[s +: 2] == 2'd0}};
                is1   = {W{halves[s +: 2] == 2'd1}};
                is2   = {W{halves[s +: 2] == 2'd2}};
                is3   = {W{halves[s +: 2] == 2'd3}};
                by1   = word >>> ((1 << s) / 2);
                by2   = word >>> (1 << s);
                by3   = word >>> ((3 << s) / 2);
                lost  = (is1 & ~(ONES << ((1 << s) / 2))) | (is2 & ~(ONES << (1 << s)))
                      | (is3 & ~(ONES << ((3 << s) / 2)));
                low   = low || (word & lost) != {W{1'b0}};
                word  = (is0 & word) | (is1 & by1) | (is2 & by2) | (is3 & by3);
                spare = ONES << (OUT_W + (s == 0 ? 1 : (1 << s) / 2));
                high  = high || ((word ^ {W{neg}}) & spare) != {W{1'b0}};
                word  = (word & ~spare) | ({W{neg}} & spare);
            end
            // The one case that the steps get wrong, -2^(IN_W-1) >> IN_W, is one half: sticky.
            vanish = (1 << SHIFT_W) > IN_W && {{(32-SHIFT_W){1'b0}}, shift} >= IN_W;
        end
    end

    // ---- stage 2: round and saturate
    wire             more    = guard_q && (up_q || low_q);
    wire [OUT_W-1:0] r       = f_q + {{(OUT_W-1){1'b0}}, more};
    wire             too_big = !neg_q && r[OUT_W-1];
    wire             sat     = !wrap_q && (high_q || f_q[OUT_W-1] != neg_q || too_big);

    always @(posedge clk) begin
        if (load[0]) begin
            f_q     <= word[OUT_W:1];
            guard_q <= word[0];
            low_q   <= low;
            high_q  <= high;
            up_q    <= !neg || vanish;
            neg_q   <= neg;
            wrap_q  <= wrap;
        end
        if (load[1]) begin
            out_q   <= sat ? {neg_q, {(OUT_W-1){!neg_q}}} : r;
            sat_q   <= sat;
        end
    end

endmodule

`default_nettype wire
