// Sum of two floating point numbers with E exponent and M mantissa bits: add of the documents.
// Five register stages: order | align | add | normalise | round. Latency 5; stage i moves with
// load[i]. No reset. The sign of b inverted makes it sub.
//   A NaN passes, the first one first. No infinity: too large is the largest finite number.
//   An exponent of 0 has the implied one, too, if the mantissa is not 0; a result there is 0.
//   What alignment moves below 2M + 3 bits is lost without a trace.
`default_nettype none

module fp_add #(
    parameter E = 8,
    parameter M = 23
) (
    input  wire         clk,
    input  wire [4:0]   load,          // input of stage 1 .. 5 is valid and moves
    input  wire [E+M:0] a,
    input  wire [E+M:0] b,
    output reg  [E+M:0] sum_q
);

    localparam FAR_W  = $clog2(M + 3); // distances with more bits leave nothing but the lost bits
    localparam GROUPS = (M + 8) / 4;   // of 4 bits, which hold M + 5 bits; at most 8

    // ---- order: the larger number, which gives sign and exponent, and the smaller one
    wire         a_nan  = (&a[M +: E]) && (|a[M-1:0]);
    wire         b_nan  = (&b[M +: E]) && (|b[M-1:0]);
    wire         is_nan = a_nan || b_nan;     // the larger number is one
    wire         a_one  = |a[E+M-1:0];
    wire         b_one  = |b[E+M-1:0];
    wire         swap   = b[E+M-1:0] > a[E+M-1:0] && !a_nan;
    wire [E+M:0] hi     = swap ? b : a;
    wire [E+M:0] lo     = swap ? a : b;
    wire [E-1:0] a_less_b = a[M +: E] - b[M +: E];
    wire [E-1:0] b_less_a = b[M +: E] - a[M +: E];
    reg          sign1_q, subtract1_q, hi_one1_q, lo_one1_q;
    reg  [E-1:0] exp1_q, distance1_q;
    reg  [M-1:0] hi1_q, lo1_q;

    // ---- align: two more bits, then one for all that is lost
    wire [M+2:0] lo_wide = {lo_one1_q, lo1_q, 2'b00};
    wire         is_far  = |(distance1_q >> FAR_W);
    wire         too_far = {{(32-E){1'b0}}, distance1_q} > 2 * M + 2;
    wire [FAR_W-1:0] steps = distance1_q[FAR_W-1:0];
    wire [M+2:0] near    = lo_wide >> steps;
    wire [M+2:0] lost    = lo_wide & ~({(M+3){1'b1}} << steps);
    wire         sticky  = is_far ? lo_one1_q && !too_far : |lost;
    reg          sign2_q, subtract2_q;
    reg  [E-1:0] exp2_q;
    reg  [M+3:0] hi2_q, lo2_q;

    // ---- add: one more bit in front
    wire [M+4:0] addend = {1'b0, lo2_q} ^ {(M+5){subtract2_q}};
    reg          sign3_q;
    reg  [E-1:0] exp3_q;
    reg  [M+4:0] sum3_q;

    // ---- normalise: groups of 4 zeros in front, then up to 3 zeros
    wire [M+7:0] wide3 = {sum3_q, 3'b000};
    reg  [2:0]   groups;
    integer      g;

    always @* begin
        groups = 3'd0;
        for (g = GROUPS - 1; g >= 0; g = g - 1) begin
            if (wide3[M+7-4*g -: 4] != 4'd0) groups = g[2:0];
        end
    end

    wire [M+7:0] part3  = wide3 << {groups, 2'b00};
    wire [1:0]   zeros  = part3[M+7] ? 2'd0 : part3[M+6] ? 2'd1 : part3[M+5] ? 2'd2 : 2'd3;
    wire [M+7:0] normal = part3 << zeros;

    // Exponent 1 + exp - zeros with a bit for the sign.
    wire [E+1:0] exp3   = {2'b00, exp3_q} + {{(E+1){1'b0}}, 1'b1} - {{(E-3){1'b0}}, groups, zeros};
    wire         above3 = sum3_q[M+4] && (&exp3_q[E-1:1]);
    reg          sign4_q, above4_q;
    reg  [E+1:0] exp4_q;
    reg  [M+4:0] sum4_q;

    // ---- round to even; the carry goes into the exponent
    wire         up     = sum4_q[3] && (sum4_q[4] || (|sum4_q[2:0]));
    wire [E+M-1:0] size = {exp4_q[E-1:0], sum4_q[M+3:4]} + {{(E+M-1){1'b0}}, up};
    wire         above  = above4_q || ((&size[M +: E]) != (&exp4_q[E-1:0]));
    wire         below  = exp4_q[E+1] || exp4_q == {(E+2){1'b0}} || !sum4_q[M+4];

    always @(posedge clk) begin
        if (load[0]) begin
            sign1_q     <= hi[E+M];
            subtract1_q <= a[E+M] != b[E+M];
            exp1_q      <= hi[M +: E];
            distance1_q <= swap ? b_less_a : a_less_b;
            hi_one1_q   <= a_one || b_one;
            hi1_q       <= hi[M-1:0];
            lo_one1_q   <= (swap ? a_one : b_one) && !is_nan;
            lo1_q       <= lo[M-1:0] & {M{!is_nan}};
        end
        if (load[1]) begin
            sign2_q     <= sign1_q;
            subtract2_q <= subtract1_q;
            exp2_q      <= exp1_q;
            hi2_q       <= {hi_one1_q, hi1_q, 3'b000};
            lo2_q       <= {near & {(M+3){!is_far}}, sticky};
        end
        if (load[2]) begin
            sign3_q     <= sign2_q;
            exp3_q      <= exp2_q;
            sum3_q      <= {1'b0, hi2_q} + addend + {{(M+4){1'b0}}, subtract2_q};
        end
        if (load[3]) begin
            sign4_q     <= sign3_q;
            exp4_q      <= exp3;
            above4_q    <= above3;
            sum4_q      <= normal[M+7:3];
        end
        if (load[4]) begin
            sum_q       <= below    ? {sign4_q, {(E+M){1'b0}}}
                         : above    ? {sign4_q, {(E-1){1'b1}}, 1'b0, {M{1'b1}}}
                         : {sign4_q, size};
        end
    end

    wire unused_bits = &{1'b0, lo[E+M], normal[2:0]};

endmodule

`default_nettype wire
