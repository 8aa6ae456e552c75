// Product of two floating point numbers with E exponent and M mantissa bits: mul of the documents.
// Three register stages: partial products | their sum | normalise and round. Latency 3; stage i
// moves with load[i]. No reset.
//   A NaN passes, the first one first. No infinity: too large is the largest finite number; too
//   small is 0. An exponent of 0 has the implied one, too, if the mantissa is not 0.
`default_nettype none

module fp_mul #(
    parameter E = 8,
    parameter M = 23                   // up to 23: one or two DSP blocks
) (
    input  wire         clk,
    input  wire [2:0]   load,          // input of stage 1, 2, 3 is valid and moves
    input  wire [E+M:0] a,
    input  wire [E+M:0] b,
    output reg  [E+M:0] p_q
);

    localparam [E:0] BIAS = {2'b00, {(E-1){1'b1}}};
    localparam [E:0] TOP  = {1'b0, {E{1'b1}}} + BIAS;  // sum of exponents that is too large

    // ---- partial products. A NaN is multiplied by 1.
    wire         a_nan = (&a[M +: E]) && (|a[M-1:0]);
    wire         b_nan = (&b[M +: E]) && (|b[M-1:0]);
    wire [M:0]   a_sig = {1'b1, a[M-1:0] & {M{a_nan || !b_nan}}};
    wire [M:0]   b_sig = {1'b1, b[M-1:0] & {M{!a_nan}}};
    wire [E:0]   sum   = {1'b0, a[M +: E]} + {1'b0, b[M +: E]};
    wire [E:0]   exp   = sum - BIAS;
    wire         nan   = a_nan || b_nan;
    wire         zero  = !(|a[E+M-1:0]) || !(|b[E+M-1:0]);
    reg          sign1_q, below1_q, above1_q;
    reg  [E-1:0] exp1_q;

    // ---- sum
    reg          sign2_q, below2_q, above2_q;
    reg  [E-1:0] exp2_q;
    wire [2*M+1:0] product;

    generate
        if (M < 17) begin : gen_one
            reg  [2*M+1:0] product1_q, product2_q;

            assign product = product2_q;

            always @(posedge clk) begin
                if (load[0]) product1_q <= a_sig * b_sig;
                if (load[1]) product2_q <= product1_q;
            end
        end else begin : gen_two
            reg  [M+17:0]  low_q;
            reg  [2*M-16:0] high_q;
            reg  [2*M+1:0] product2_q;

            assign product = product2_q;

            always @(posedge clk) begin
                if (load[0]) begin
                    low_q  <= a_sig * b_sig[16:0];
                    high_q <= a_sig * b_sig[M:17];
                end
                if (load[1]) product2_q <= {high_q, 17'd0} + {{(M-16){1'b0}}, low_q};
            end
        end
    endgenerate

    // ---- normalise, round to even; the carry goes into the exponent
    wire         two    = product[2*M+1];              // 2 or more
    wire [M-1:0] kept   = two ? product[2*M:M+1] : product[2*M-1:M];
    wire         guard  = two ? product[M] : product[M-1];
    wire         low    = (two && product[M-1]) || (|product[M-2:0]);
    wire         up     = guard && (low || kept[0]);
    wire [E-1:0] exp_n  = exp2_q + {{(E-1){1'b0}}, two};
    wire [E+M-1:0] size = {exp_n, kept} + {{(E+M-1){1'b0}}, up};
    wire         above  = above2_q || ((&size[M +: E]) && !(&exp2_q));
    wire         below  = below2_q || (!above2_q && !(|size[M +: E]));

    always @(posedge clk) begin
        if (load[0]) begin
            sign1_q  <= (a[E+M] && (a_nan || !b_nan)) ^ (b[E+M] && !a_nan);
            exp1_q   <= nan ? {E{1'b1}} : exp[E-1:0];
            below1_q <= !nan && (zero || sum < BIAS);
            above1_q <= !nan && sum >= TOP;
        end
        if (load[1]) {sign2_q, exp2_q, below2_q, above2_q} <= {sign1_q, exp1_q, below1_q, above1_q};
        if (load[2]) begin
            p_q <= below ? {sign2_q, {(E+M){1'b0}}}
                 : above ? {sign2_q, {(E-1){1'b1}}, 1'b0, {M{1'b1}}} : {sign2_q, size};
        end
    end

    wire unused_bits = exp[E];

endmodule

`default_nettype wire
