// One lane of the input convertor for elements of up to 16 bits: subtract, multiply, shift, round
// and saturate to 8, 16 or 17 bits.
//
// Contract: stages move with the valid bits of dla_cdma_cvt, which guard the data: no reset.
// Subtraction (by adding minus offset) and multiplication fit one DSP block.
`default_nettype none

module dla_cdma_cvt_word (
    input  wire         clk,
    input  wire         rst_n,

    // layer
    input  wire [16:0]  minus_offset,  // signed
    input  wire [15:0]  scale,         // signed
    input  wire [5:0]   truncate,      // right shift
    input  wire         to_8,          // bits of the result
    input  wire         to_17,         // else 16

    input  wire         diff_load,     // in_word is valid
    input  wire         prod_load,     // diff_q is valid
    input  wire         shift_load,    // prod_q is valid

    input  wire [16:0]  in_word,       // signed
    output wire [16:0]  out_word       // signed
);

    // ---- what all bits of a lane use: each lane has its own
    wire        byte_out, long_out;
    wire [5:0]  shift;

    reg_copy #(.W(8)) u_layer (
        .clk   (clk),
        .rst_n (rst_n),
        .d     ({to_8, to_17, truncate}),
        .q     ({byte_out, long_out, shift})
    );

    // ---- difference and product: 18 x 16 bits; the product stays within 33 bits (< 2^31.6)
    wire signed [17:0] in_s           = {in_word[16], in_word};
    wire signed [17:0] minus_offset_s = {minus_offset[16], minus_offset};
    wire signed [15:0] scale_s        = scale;
    reg  signed [17:0] diff_q;
    reg  signed [33:0] prod_q;

    always @(posedge clk) begin
        if (diff_load) begin
            diff_q <= in_s + minus_offset_s;
        end
        if (prod_load) begin
            prod_q <= diff_q * scale_s;
        end
    end

    // ---- shift right, coarse steps first, to 17 bits and the guard bit below them. A shift by 33
    // or more gives 0.
    //
    //     what a step drops below the window is sticky; what it drops above must equal the sign
    wire        sign    = prod_q[32];
    wire        to_zero = shift[5] && (|shift[4:0]);
    wire [56:0] padded  = {{23{sign}}, prod_q[32:0], 1'b0};

    wire [24:0] by_8   = shift[5] ? padded[56:32] :
                         shift[4] ? (shift[3] ? padded[48:24] : padded[40:16])
                                  : (shift[3] ? padded[32:8]  : padded[24:0]);
    wire [18:0] by_2   = shift[2] ? (shift[1] ? by_8[24:6] : by_8[22:4])
                                  : (shift[1] ? by_8[20:2] : by_8[18:0]);
    wire [17:0] by_1   = shift[0] ? by_2[18:1] : by_2[17:0];

    wire low_8  = ((|shift[5:3]) && (|padded[7:0])) || ((|shift[5:4]) && (|padded[15:8]))
                || ((shift[5] || (shift[4] && shift[3])) && (|padded[23:16]))
                || (shift[5] && (|padded[31:24]));
    wire low_2  = ((shift[2] || shift[1]) && (|by_8[1:0])) || (shift[2] && (|by_8[3:2]))
                || (shift[2] && shift[1] && (|by_8[5:4]));
    wire low_1  = shift[0] && by_2[0];

    wire high_8 = !(|shift[5:3]) && (padded[32:25] != {8{sign}});
    wire high_2 = (!(shift[2] && shift[1]) && (by_8[24:23] != {2{sign}}))
                || (!shift[2] && (by_8[22:21] != {2{sign}}))
                || (!shift[2] && !shift[1] && (by_8[20:19] != {2{sign}}));
    wire high_1 = (!shift[0] && (by_2[18] != sign)) || (by_1[17] != sign);
    wire high   = (byte_out && (by_1[16:8] != {9{sign}}))
                || (!long_out && (by_1[17:16] != {2{sign}}));

    reg  [17:0] kept_q;
    reg         sign_q, sticky_q, over_q, most_q;

    // ---- round half away from zero, saturate. Without overflow only the largest number can leave
    // the range.
    wire        round_up = kept_q[0] && (!sign_q || sticky_q);
    wire        clip     = over_q || (round_up && most_q);
    wire [16:0] rounded  = kept_q[17:1] + {16'd0, round_up};

    always @(posedge clk) begin
        if (shift_load) begin
            kept_q   <= to_zero ? 18'd0 : by_1;
            sign_q   <= sign;
            sticky_q <= low_8 || low_2 || low_1;
            over_q   <= !to_zero && (high_8 || high_2 || high_1 || high);
            most_q   <= !sign && (&by_1[7:1]) && (byte_out || (&by_1[15:8]))
                              && (!long_out || by_1[16]);
        end
    end

    wire [16:0] largest  = {1'b0, long_out, {8{!byte_out}}, 7'h7f};

    assign out_word = clip ? largest ^ {17{sign_q}} : rounded;

    wire unused_bits = &{1'b0, prod_q[33], padded[31:0]};

endmodule

`default_nettype wire
