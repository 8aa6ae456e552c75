`default_nettype none

// One byte lane of the input convertor: subtract, multiply, shift, round and saturate.
//
// Contract: stages move with the valid bits of dla_cdma_cvt, which guard the data: no reset.
module dla_cdma_cvt_lane (
    input  wire         clk,

    input  wire         enable,
    input  wire [15:0]  offset,        // signed
    input  wire [15:0]  scale,         // signed
    input  wire [4:0]   shift,
    input  wire [31:0]  sticky_mask,   // product bits below the guard bit
    input  wire [31:0]  high_mask,     // product bits that must equal the sign
    input  wire         to_zero,       // shift amount beyond the product

    input  wire         in_valid,
    input  wire         diff_valid,
    input  wire         prod_valid,
    input  wire         shift_valid,

    input  wire [7:0]   in_byte,       // signed
    output reg  [7:0]   out_byte_q     // signed
);

    // ---- difference and product: 17 x 16 bits; the product stays within 32 bits (< 2^30.1)
    reg  signed [16:0] diff_q;
    reg  signed [31:0] prod_q;
    wire signed [15:0] scale_s = scale;
    wire signed [32:0] product = diff_q * scale_s;

    // ---- kept bits with the guard bit below them: 8 + 1 bits from position shift - 1
    wire signed [32:0] padded  = {prod_q, 1'b0};
    wire signed [32:0] shifted = padded >>> shift;
    wire               sign    = prod_q[31];

    reg  [8:0] kept_q;
    reg        sign_q, sticky_q, over_q;

    // ---- round half away from zero, saturate. Without overflow only 127 + 1 can leave the range.
    wire       round_up = kept_q[0] & (~sign_q | sticky_q);
    wire       clip     = over_q | (round_up & (kept_q[8:1] == 8'h7f));
    wire [7:0] rounded  = kept_q[8:1] + {7'd0, round_up};
    wire [7:0] result   = clip ? {sign_q, {7{~sign_q}}} : rounded;

    always @(posedge clk) begin
        if (in_valid & enable) begin
            diff_q <= {{9{in_byte[7]}}, in_byte} - {offset[15], offset};
        end
        if (diff_valid) begin
            prod_q <= product[31:0];
        end
        if (prod_valid) begin
            kept_q   <= to_zero ? 9'd0 : shifted[8:0];
            sign_q   <= sign;
            sticky_q <= |(prod_q & sticky_mask);
            over_q   <= ~to_zero & (|((prod_q ^ {32{sign}}) & high_mask));
        end
        if (enable ? shift_valid : in_valid) begin
            out_byte_q <= enable ? result : in_byte;
        end
    end

    wire unused_bits = &{1'b0, product[32], shifted[32:9]};

endmodule

`default_nettype wire
