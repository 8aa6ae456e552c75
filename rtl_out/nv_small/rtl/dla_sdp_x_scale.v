// Made by macrame 0.1.0 from templates/dla/sdp/dla_sdp_x_scale.v

// Multiplier of an X stage of SDP, with its rounding shift, ReLU and the way around the stage:
// one element per cycle.
//
// Contract: four register stages, a and b to out_q; stage i moves with load[i], the last with
// `load_out`, which is that of the word at `in` if the stage is bypassed. No reset.
//
//     a, b -> | low * b, high * b | sum - down | >> 2 * pairs + 1 | round, saturate, ReLU -> out_q
//     in ---------------------------------------------------------'
//
// b is doubled if the shift is even, so that what is left of the shift is odd: only pairs of bits
// have to be selected, and every result has a bit below it, its guard. A product of which 1 is
// taken if it is negative (`down`) is rounded half away from zero by this bit alone: the sum of a
// DSP block takes it for nothing, where a tie would need all bits below the guard.
`default_nettype none

module dla_sdp_x_scale (
    input  wire         clk,
    input  wire [2:0]   load,          // input of stage 1, 2, 3 is valid
    input  wire         load_out,

    // the stage, decoded
    input  wire         bypass,
    input  wire         relu,

    input  wire signed [32:0] a,
    input  wire signed [16:0] b,
    input  wire [4:0]   pairs,         // shift / 2, with load[2]
    input  wire         wrap,          // with load[2], pairs 0: bits 32:1 of a product that
                                       // is not negative pass
    input  wire [31:0]  in,
    output reg  [31:0]  out_q
);

    // ---- product: the halves of a are a DSP block each, with a sum behind it
    wire signed [17:0] low  = {1'b0, a[16:0]};
    wire signed [15:0] high = a[32:17];
    reg  signed [34:0] low_q;
    reg  signed [32:0] high_q;
    reg                down_q;                         // also of some that are 0, which round to 0
    wire signed [34:0] less  = {35{down_q}};
    wire signed [34:0] rest  = low_q + less;
    wire signed [32:0] carry = {{15{rest[34]}}, rest[34:17]};
    reg  signed [32:0] top_q;
    reg         [16:0] rest_q;

    always @(posedge clk) begin
        if (load[0]) begin
            low_q  <= low * b;
            high_q <= high * b;
            down_q <= a[32] ^ b[16];
        end
        if (load[1]) begin
            top_q  <= high_q + carry;
            rest_q <= rest[16:0];
        end
    end

    // ---- shift: bit 0 of a word is its guard. Bits that can no longer reach the result are
    // dropped early; those above it are all sign if the result fits.
    wire [49:0] word = {top_q, rest_q};
    wire        sign = word[49];
    wire [46:0] by16 = pairs[4] ? (pairs[3] ? {{45{sign}}, word[49:48]} : {{29{sign}}, word[49:32]})
                     : pairs[3] ? {{13{sign}}, word[49:16]} : word[46:0];
    wire [34:0] by4  = pairs[2] ? (pairs[1] ? by16[46:12] : by16[42:8])
                     : pairs[1] ? by16[38:4] : by16[34:0];
    wire [32:0] by2  = pairs[0] ? by4[34:2] : by4[32:0];
    wire        over = (pairs[4:3] == 2'd0 && word[48:47] != {2{sign}})
                    || (pairs[2:1] == 2'd0 && by16[38:35] != {4{sign}})
                    || (!pairs[2] && by16[42:39] != {4{sign}})
                    || (pairs[2:1] != 2'd3 && by16[46:43] != {4{sign}})
                    || (!pairs[0] && by4[34:33] != {2{sign}});

    // ---- round, saturate
    reg  [31:0] floor_q;
    reg         guard_q, over_q, sign_q;
    wire [31:0] rounded = floor_q + {31'd0, guard_q};
    wire        clip    = over_q || floor_q[31] != sign_q || (!sign_q && rounded[31]);
    wire        fixed   = !bypass && (clip || (relu && sign_q));   // 0, the least or the largest

    always @(posedge clk) begin
        if (load[2]) begin
            floor_q <= by2[32:1];
            guard_q <= by2[0];
            over_q  <= over;
            sign_q  <= wrap ? by2[32] : sign;
        end
        if (load_out) begin
            out_q[30:0] <= fixed  ? {31{!sign_q}} : bypass ? in[30:0] : rounded[30:0];
            out_q[31]   <= bypass ? in[31] : sign_q && !relu && (clip || rounded[31]);
        end
    end

endmodule

`default_nettype wire
