// CACC floating addition: accumulator + partial sum, rounded half away from zero. ${fadd_stages} cycles.
//
//    accumulator = mantissa * 2^(exponent - 101), {exponent, mantissa} of 8 and 40 bits
//    partial sum = s * 2^(P - 50),                {P, s} of 6 and 38 bits
//
// NaN: exponent 255 with sign and fraction in mantissa 39:29, or P = 63 with them in s 37:27; that
// of the accumulator stays. A mantissa has two different upper bits but for -2^38 after rounding.
//
//    1 leading bits of s   3 distance, order   5 add            7 normalize
//    2 s normalized        4 align the lower   6 leading bits   8 round
//
// Registers keep their values without an enable. No reset.
`default_nettype none

module dla_cacc_fadd (
    input  wire         clk,
    input  wire [7:0]   enable,     // bit n: of what came n cycles ago
    input  wire [47:0]  acc,
    input  wire [43:0]  psum,
    output reg  [47:0]  sum
);

    // Number of bits below the sign that equal it, at most 44: groups of 4 of them, then up to 3.
    function [5:0] redundant(input [44:0] v);
        reg [47:0] changes;
        reg [3:0]  groups;
        reg [2:0]  front;               // of the group behind them
        integer    g;
        begin
            changes = {v[43:0] ^ {44{v[44]}}, 4'hF};
            groups  = 4'd11;
            for (g = 10; g >= 0; g = g - 1) begin
                if (changes[44-4*g +: 4] != 4'd0) groups = g[3:0];
            end
            front     = changes[6'd45 - {groups, 2'd0} +: 3];
            redundant = {groups, front[2] ? 2'd0 : front[1] ? 2'd1 : front[0] ? 2'd2 : 2'd3};
        end
    endfunction

    // ---------------------------------------------------------------- partial sum
    reg  [47:0] acc_q1, acc_q2;
    reg  [43:0] psum_q1;
    reg  [5:0]  skip_q1;
    reg         nan_q1, nan_q2;
    reg  [10:0] payload_q2;
    reg  [7:0]  exp_q2;
    reg  [39:0] man_q2;

    wire [39:0] man = {psum_q1[37:0], 2'd0} << skip_q1;

    always @(posedge clk) begin
        if (enable[0]) begin
            acc_q1  <= acc;
            psum_q1 <= psum;
            skip_q1 <= redundant({psum[37:0], {7{!psum[37]}}});
            nan_q1  <= acc[47:40] == 8'd255 || (psum[43:38] == 6'd63 && psum[37:0] != 38'd0);
        end
        if (enable[1]) begin
            acc_q2     <= acc_q1;
            nan_q2     <= nan_q1;
            payload_q2 <= acc_q1[47:40] == 8'd255 ? acc_q1[39:29] : psum_q1[37:27];
            exp_q2     <= psum_q1[37:0] == 38'd0 ? 8'd0
                          : {2'd0, psum_q1[43:38]} + 8'd49 - {2'd0, skip_q1};
            man_q2     <= man;
        end
    end

    // ---------------------------------------------------------------- order, alignment
    wire signed [8:0] more = {1'b0, acc_q2[47:40]} - {1'b0, exp_q2};
    wire        [8:0] less = -more;
    reg  [7:0]  exp_q3, exp_q4;
    reg  [39:0] high_q3, low_q3, high_q4;
    reg  [5:0]  far_q3;                     // distance, at most 44
    reg         nan_q3, nan_q4;
    reg  [10:0] payload_q3, payload_q4;
    reg  [42:0] low_q4;                     // 3 bits below the mantissa
    reg         lost_q4;                    // and ones below them

    function [5:0] at_most_44(input [8:0] v);
        at_most_44 = v > 9'd44 ? 6'd44 : v[5:0];
    endfunction

    wire signed [42:0] low3   = {low_q3, 3'd0};
    wire        [42:0] dropped = low3 & ~({43{1'b1}} << far_q3);

    always @(posedge clk) begin
        if (enable[2]) begin
            exp_q3     <= more[8] ? exp_q2 : acc_q2[47:40];
            high_q3    <= more[8] ? man_q2 : acc_q2[39:0];
            low_q3     <= more[8] ? acc_q2[39:0] : man_q2;
            far_q3     <= at_most_44(more[8] ? less : more);
            nan_q3     <= nan_q2;
            payload_q3 <= payload_q2;
        end
        if (enable[3]) begin
            exp_q4     <= exp_q3;
            high_q4    <= high_q3;
            low_q4     <= low3 >>> far_q3;
            lost_q4    <= dropped != 43'd0;
            nan_q4     <= nan_q3;
            payload_q4 <= payload_q3;
        end
    end

    // ---------------------------------------------------------------- sum, normalized
    reg  [44:0] total_q5, total_q6;
    reg  [7:0]  exp_q5, exp_q6, exp_q7;
    reg  [5:0]  skip_q6;
    reg         nan_q5, nan_q6, nan_q7;
    reg  [10:0] payload_q5, payload_q6, payload_q7;
    reg  [44:0] total_q7;

    wire        up = total_q7[4] && (!total_q7[44] || total_q7[3:0] != 4'd0);
    wire [39:0] rounded = total_q7[44:5] + {39'd0, up};
    wire        carry   = !total_q7[44] && rounded[39];

    always @(posedge clk) begin
        if (enable[4]) begin
            total_q5   <= {high_q4[39], high_q4, 4'd0} + {low_q4[42], low_q4, lost_q4};
            exp_q5     <= exp_q4;
            nan_q5     <= nan_q4;
            payload_q5 <= payload_q4;
        end
        if (enable[5]) begin
            total_q6   <= total_q5;
            skip_q6    <= redundant(total_q5);
            exp_q6     <= exp_q5;
            nan_q6     <= nan_q5;
            payload_q6 <= payload_q5;
        end
        if (enable[6]) begin
            total_q7   <= total_q6 << skip_q6;
            exp_q7     <= total_q6 == 45'd0 ? 8'd0 : exp_q6 + 8'd1 - {2'd0, skip_q6};
            nan_q7     <= nan_q6;
            payload_q7 <= payload_q6;
        end
        if (enable[7]) begin
            sum <= carry ? {exp_q7 + 8'd1, 2'b01, 38'd0} : {exp_q7, rounded};
            if (nan_q7) sum <= {8'd255, payload_q7, 29'd0};
        end
    end

endmodule

`default_nettype wire
