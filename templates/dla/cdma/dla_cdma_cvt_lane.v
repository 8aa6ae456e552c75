// One byte lane of the input convertor: subtract, multiply, shift, round and saturate.
//
// Contract: stages move with the valid bits of dla_cdma_cvt, which guard the data: no reset.
// Subtraction (by adding minus offset) and multiplication fit one DSP block.
`default_nettype none

module dla_cdma_cvt_lane (
    input  wire         clk,
    input  wire         rst_n,

    // layer
    input  wire         cvt_en,
    input  wire [16:0]  minus_offset,  // signed
    input  wire [15:0]  scale,         // signed
    input  wire [5:0]   truncate,      // right shift

    input  wire         diff_load,     // in_byte is valid
    input  wire         prod_load,     // diff_q is valid
    input  wire         shift_load,    // prod_q is valid

//% if image_enable
    input  wire         is_unsigned,
    input  wire [7:0]   in_byte,
//% else
    input  wire [7:0]   in_byte,       // signed
//% end
    output wire [7:0]   out_byte       // signed, bypassed in_byte
);

    // ---- what all bits of a lane use: each lane has its own
    wire        enable;
    wire        to_zero;               // |product| < 2^31, so a shift by 32 or more gives 0
    wire [4:0]  shift;

    reg_copy #(.W(7)) u_layer (
        .clk   (clk),
        .rst_n (rst_n),
        .d     ({cvt_en, truncate}),
        .q     ({enable, to_zero, shift})
    );

    // ---- difference and product: 17 x 16 bits; the product stays within 32 bits (< 2^30.1)
    wire signed [16:0] in_s           = {{9{in_byte[7] && !is_unsigned}}, in_byte};  //% if image_enable
    wire signed [16:0] in_s           = {{9{in_byte[7]}}, in_byte};  //% if !image_enable
    wire signed [16:0] minus_offset_s = minus_offset;
    wire signed [15:0] scale_s        = scale;
    reg  signed [16:0] diff_q;
    reg  signed [32:0] prod_q;

    always @(posedge clk) begin
        if (diff_load) begin
            diff_q <= in_s + minus_offset_s;
        end
        if (prod_load) begin
            prod_q <= diff_q * scale_s;
        end
    end

    // ---- shift right, coarse steps first, to 8 bits and the guard bit below them
    //
    //     what a step drops below the window is sticky; what it drops above must equal the sign
    wire        sign   = prod_q[31];
    wire [39:0] padded = {{7{sign}}, prod_q[31:0], 1'b0};

    wire [15:0] by_8   = shift[4] ? (shift[3] ? padded[39:24] : padded[31:16])
                                  : (shift[3] ? padded[23:8]  : padded[15:0]);
    wire [9:0]  by_2   = shift[2] ? (shift[1] ? by_8[15:6] : by_8[13:4])
                                  : (shift[1] ? by_8[11:2] : by_8[9:0]);
    wire [8:0]  by_1   = shift[0] ? by_2[9:1] : by_2[8:0];

    wire low_8  = ((shift[4] || shift[3]) && (|padded[7:0])) || (shift[4] && (|padded[15:8]))
                || (shift[4] && shift[3] && (|padded[23:16]));
    wire low_2  = ((shift[2] || shift[1]) && (|by_8[1:0])) || (shift[2] && (|by_8[3:2]))
                || (shift[2] && shift[1] && (|by_8[5:4]));
    wire low_1  = shift[0] && by_2[0];

    wire high_8 = (!shift[4] && (padded[31:24] != {8{sign}}))
                || (!shift[4] && !shift[3] && (padded[23:16] != {8{sign}}));
    wire high_2 = (!(shift[2] && shift[1]) && (by_8[15:14] != {2{sign}}))
                || (!shift[2] && (by_8[13:12] != {2{sign}}))
                || (!shift[2] && !shift[1] && (by_8[11:10] != {2{sign}}));
    wire high_1 = (!shift[0] && (by_2[9] != sign)) || (by_1[8] != sign);

    reg  [8:0] kept_q;
    reg        sign_q, sticky_q, over_q;

    // ---- round half away from zero, saturate. Without overflow only 127 + 1 can leave the range.
    wire       round_up = kept_q[0] && (!sign_q || sticky_q);
    wire       clip     = over_q || (round_up && (kept_q[8:1] == 8'h7f));
    wire [7:0] rounded  = kept_q[8:1] + {7'd0, round_up};
    wire [7:0] result   = clip ? {sign_q, {7{~sign_q}}} : rounded;

    always @(posedge clk) begin
        if (shift_load) begin
            kept_q   <= to_zero ? 9'd0 : by_1;
            sign_q   <= sign;
            sticky_q <= low_8 || low_2 || low_1;
            over_q   <= !to_zero && (high_8 || high_2 || high_1);
        end
    end

    assign out_byte = enable ? result : in_byte;

    wire unused_bits = &{1'b0, prod_q[32]};

endmodule

`default_nettype wire
