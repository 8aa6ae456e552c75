// One lane of the output convertor of SDP for integers: (in - offset) * scale >> shift, saturated.
//
// Contract: ${fp16 ? "seven register stages" : "five register stages"}, each moves with its `load` bit; no reset, valid bits of
// dla_sdp_c guard the data. `sat`: 17 bits were not enough${fp16 ? "; fp16: the largest" : "; no flag for fewer"}.
//
//     in -> | - offset | * scale | sum | >> shift | round to 17 bits | to ${!mixed ? "16" : int16 ? "8 or 16" : "8"} bits ->
//                                                                    | to fp16, 2 stages | ->  //% if fp16
`default_nettype none
//% let out_choice = mixed && (int16 || sdp_ew_enable)

module dla_sdp_c_int_lane (
    input  wire         clk,
    input  wire [${c_stages - 1}:0]   load,          // input of stage 1 .. ${c_stages} is valid

    input  wire [31:0]  offset,        // signed
    input  wire [15:0]  scale,         // signed
    input  wire [5:0]   shift,
    input  wire         raw,           // offset, shift are 0, scale is 1: bits pass  //% if sdp_ew_enable
    input  wire         out_wide,      // 16 bits, else int8  //% if out_choice
    input  wire         to_fp,         // fp16  //% if fp16

    input  wire [31:0]  in_data,       // signed
    output wire [15:0]  out_data,${fp16 ? "      // signed, or fp16" : "      // signed"}
    output wire         sat
);

    wire signed [31:0] in_s     = in_data;
    wire signed [31:0] offset_s = offset;
    reg  signed [32:0] diff_q;
    wire signed [48:0] prod;
    wire signed [16:0] wide;
    wire               fits = wide[16:7] == {10{wide[16]}};  //% if int8
    wire [7:0]         byte_out = fits ? wide[7:0] : {wide[16], {7{~wide[16]}}};  //% if int8
    wire               half_fits = wide[16] == wide[15];  //% if int16
    wire [15:0]        half_out = half_fits ? wide[15:0] : {wide[16], {15{~wide[16]}}};  //% if int16
    wire               sat_q;

    always @(posedge clk) begin
        if (load[0]) diff_q <= in_s - offset_s;
    end

    mult_pipe #(.A_W(33), .B_W(16)) u_mult (
        .clk (clk), .load (load[2:1]), .a (diff_q), .b (scale), .p_q (prod)
    );
    round_shift_pipe #(.IN_W(49), .SHIFT_W(6), .OUT_W(17)) u_shift (
        .clk (clk), .load (load[4:3]), .in (prod), .shift (shift), .wrap (${sdp_ew_enable ? "raw" : "1'b0"}),
        .out_q (wide), .sat_q (sat_q)
    );

//% let int_out = !int16 ? "{{8{byte_out[7]}}, byte_out}" : mixed ? "out_wide ? half_out : {{8{byte_out[7]}}, byte_out}" : "half_out"
//% if sdp_ew_enable
    wire [15:0] raw_out = ${mixed ? "out_wide ? wide[15:0] : {{8{wide[7]}}, wide[7:0]}" : "wide[15:0]"};
    wire [15:0] int_out = raw ? raw_out : ${int_out};
//% else
    wire [15:0] int_out = ${int_out};
//% end

//% if fp16
    wire [15:0] half;
    wire [16:0] size = wide[16] ? -wide : wide;

    fp_from_fixed #(.W(17), .F(0), .E(5), .M(10)) u_from_int (
        .clk (clk), .load (load[6:5]), .sign (wide[16]), .in (size), .out_q (half)
    );

    assign out_data = ${sdp_ew_enable ? "(to_fp && !raw)" : "to_fp"} ? half : int_out;
    assign sat      = ${sdp_ew_enable ? "(to_fp && !raw)" : "to_fp"} ? half[14:0] == 15'h7bff : sat_q;
//% else
    assign out_data = int_out;
    assign sat      = sat_q;
//% end

endmodule

`default_nettype wire
