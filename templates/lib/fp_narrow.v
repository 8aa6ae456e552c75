// A floating point number in a narrower format, rounded to even: narrow of the documents. Two
// register stages: shift | round. Latency 2; stage i moves with load[i]. No reset.
//   A NaN keeps the low bits of its payload; too large is the largest finite number. Results with
//   exponent 0 are denormal, or with DENORMAL = 0 zero.
`default_nettype none

module fp_narrow #(
    parameter EI = 8,                  // exponent and mantissa bits of the input
    parameter MI = 23,
    parameter EO = 5,                  // of the output, up to 15 mantissa bits
    parameter MO = 10,
    parameter DENORMAL = 1
) (
    input  wire           clk,
    input  wire [1:0]     load,        // input of stage 1, 2 is valid and moves
    input  wire [EI+MI:0] in,
    output reg  [EO+MO:0] out_q
);

    // Difference of the biases: the largest exponent below the range of the output.
    localparam [EI:0] REBASE = {2'b00, {(EI-1){1'b1}}} - {{(EI-EO+2){1'b0}}, {(EO-1){1'b1}}};
    localparam [EI:0] TOP    = REBASE + {{(EI-EO+1){1'b0}}, {EO{1'b1}}};
    localparam [EI:0] LEAST  = REBASE - MO[EI:0];

    // ---- shift: normal numbers by 0, others by 1 .. MO + 1; guard bit and what is lost behind
    wire [EI:0]   exp   = {1'b0, in[MI +: EI]};
    wire          tiny = exp <= REBASE;
    wire [EI:0]   less  = REBASE + {{EI{1'b0}}, 1'b1} - exp;
    wire [3:0]    steps = tiny ? less[3:0] : 4'd0;
    wire [EI:0]   rebased = exp - REBASE;
    wire [MI+16:0] sig  = {1'b1, in[MI-1:0], 16'd0};
    wire [MI+16:0] shifted = sig >> steps;
    wire          nan   = (&in[MI +: EI]) && (|in[MI-1:0]);
    reg           sign1_q, nan1_q, above1_q, below1_q, guard1_q, low1_q;
    reg  [EO-1:0] exp1_q;
    reg  [MO-1:0] kept1_q;

    // ---- round; the carry goes into the exponent
    wire          up    = guard1_q && (low1_q || kept1_q[0]);
    wire [EO+MO-1:0] size = {exp1_q, kept1_q} + {{(EO+MO-1){1'b0}}, up};
    wire          above = above1_q || (&size[MO +: EO]);
    wire          below = below1_q || (DENORMAL == 0 && !above1_q && !(|size[MO +: EO]));

    always @(posedge clk) begin
        if (load[0]) begin
            sign1_q  <= in[EI+MI];
            nan1_q   <= nan;
            above1_q <= exp >= TOP;
            below1_q <= exp < LEAST;
            exp1_q   <= tiny ? {EO{1'b0}} : rebased[EO-1:0];
            kept1_q  <= nan ? in[MO-1:0] : shifted[MI+15 -: MO];
            guard1_q <= shifted[MI+15-MO];
            low1_q   <= |shifted[MI+14-MO:0];
        end
        if (load[1]) begin
            out_q <= nan1_q ? {sign1_q, {EO{1'b1}}, kept1_q}
                   : below  ? {sign1_q, {(EO+MO){1'b0}}}
                   : above  ? {sign1_q, {(EO-1){1'b1}}, 1'b0, {MO{1'b1}}} : {sign1_q, size};
        end
    end

    wire unused_bits = &{1'b0, less, rebased, shifted[MI+16]};

endmodule

`default_nettype wire
