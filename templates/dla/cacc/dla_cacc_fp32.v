// CACC conversion: a floating accumulator to fp32, rounded half away from zero.
//
//     acc --> magnitude --> flop --> round to 24 bits --> flop --> pack --> out
//
// Two cycles, as dla_cacc_round; the caller registers `out`. No reset.
`default_nettype none

module dla_cacc_fp32 (
    input  wire         clk,
    input  wire [1:0]   valid,      // bit n: a value is n cycles behind `acc`
    input  wire [47:0]  acc,        // as in dla_cacc_fadd
    output wire [31:0]  out
);

    reg         neg_q1, neg_q2;
    reg         nan_q1, nan_q2;
    reg         zero_q1, zero_q2;
    reg  [7:0]  exp_q1, exp_q2;
    reg  [39:0] size_q1;
    reg  [24:0] size_q2;
    reg  [9:0]  fraction_q1, fraction_q2;   // of a NaN

    wire [39:0] rounded = size_q1 + 40'h4000;
    wire        unused  = &rounded[14:0];

    always @(posedge clk) begin
        if (valid[0]) begin
            neg_q1      <= acc[39];
            nan_q1      <= acc[47:40] == 8'd255;
            zero_q1     <= acc[39:0] == 40'd0;
            exp_q1      <= acc[47:40];
            size_q1     <= acc[39] ? -acc[39:0] : acc[39:0];
            fraction_q1 <= acc[38:29];
        end
        if (valid[1]) begin
            neg_q2      <= neg_q1;
            nan_q2      <= nan_q1;
            zero_q2     <= zero_q1;
            exp_q2      <= exp_q1;
            size_q2     <= rounded[39:15];
            fraction_q2 <= fraction_q1;
        end
    end

    // 2^24 is the next exponent with fraction 0: the carry of the fraction makes it.
    wire [30:0] number = {exp_q2 + 8'd63, 23'd0} + {6'd0, size_q2};

    assign out = nan_q2 ? {neg_q2, 8'd255, 13'd0, fraction_q2}
                 : zero_q2 ? 32'd0 : {neg_q2, number};

endmodule

`default_nettype wire
