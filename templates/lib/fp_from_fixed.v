// The floating point number next to in / 2^F, ties to even. Two register stages: normalise | round.
// Latency 2; stage i moves with load[i]. No reset.
//   Too large is the largest finite number; too small is 0.
`default_nettype none

module fp_from_fixed #(
    parameter W = 17,                  // bits of the input, at least M + 3
    parameter F = 0,                   // of which behind the point
    parameter E = 5,                   // exponent and mantissa bits of the output
    parameter M = 10
) (
    input  wire         clk,
    input  wire [1:0]   load,          // input of stage 1, 2 is valid and moves
    input  wire         sign,
    input  wire [W-1:0] in,            // magnitude
    output reg  [E+M:0] out_q
);

    localparam X_W  = E + 2;           // exponents with sign and room
    localparam BASE = (1 << (E - 1)) - 1 - F + W - 1;

    localparam Z_W = $clog2(W);
    reg  [W-1:0]   normal;
    reg  [Z_W-1:0] zeros;
    integer        s;

    always @* begin
        normal = in;
        zeros  = {Z_W{1'b0}};
        for (s = Z_W - 1; s >= 0; s = s - 1) begin
            if ((normal & ~({W{1'b1}} >> (1 << s))) == {W{1'b0}}) begin
                zeros[s] = 1'b1;
                normal   = normal << (1 << s);
            end
        end
    end

    wire [X_W-1:0] exp  = BASE[X_W-1:0] - {{(X_W-Z_W){1'b0}}, zeros};
    reg           sign1_q, above1_q, below1_q;
    reg  [E-1:0]  exp1_q;
    reg  [W-1:0]  normal1_q;
    wire          up    = normal1_q[W-M-2] && (normal1_q[W-M-1] || (|normal1_q[W-M-3:0]));
    wire [E+M-1:0] size = {exp1_q, normal1_q[W-2 -: M]} + {{(E+M-1){1'b0}}, up};
    wire          above = above1_q || (&size[M +: E]);

    always @(posedge clk) begin
        if (load[0]) begin
            sign1_q   <= sign && (|in);
            above1_q  <= !exp[X_W-1] && (exp[E] || (&exp[E-1:0]));
            below1_q  <= !normal[W-1] || exp[X_W-1] || exp == {X_W{1'b0}};
            exp1_q    <= exp[E-1:0];
            normal1_q <= normal;
        end
        if (load[1]) begin
            out_q <= below1_q ? {sign1_q, {(E+M){1'b0}}}
                   : above    ? {sign1_q, {(E-1){1'b1}}, 1'b0, {M{1'b1}}} : {sign1_q, size};
        end
    end

    wire unused_bits = normal1_q[W-1];

endmodule

`default_nettype wire
