// One lane of the output convertor of SDP: (in - offset) * scale >> shift, saturated to int8.
//
// Contract: five register stages, each moves with its `load` bit; no reset, valid bits of dla_sdp_c
// guard the data. `sat_q`: 17 bits were not enough; that 8 were not enough is not flagged.
//
//     in -> | - offset | * scale | sum | >> shift | round to 17 bits | to 8 bits ->
`default_nettype none

module dla_sdp_c_lane (
    input  wire         clk,
    input  wire [4:0]   load,          // input of stage 1 .. 5 is valid

    input  wire [31:0]  offset,        // signed
    input  wire [15:0]  scale,         // signed
    input  wire [5:0]   shift,
    input  wire         raw,           // offset, shift are 0, scale is 1: the low 8 bits pass  //% if sdp_ew_enable

    input  wire [31:0]  in_data,       // signed
    output wire [7:0]   out_data,      // signed
    output wire         sat_q
);

    wire signed [31:0] in_s     = in_data;
    wire signed [31:0] offset_s = offset;
    reg  signed [32:0] diff_q;
    wire signed [48:0] prod;
    wire signed [16:0] wide;
    wire               fits = wide[16:7] == {10{wide[16]}};
    wire [7:0]         byte_out = fits ? wide[7:0] : {wide[16], {7{~wide[16]}}};

    always @(posedge clk) begin
        if (load[0]) diff_q <= in_s - offset_s;
    end

    mult_pipe #(.A_W(33), .B_W(16)) u_mult (
        .clk (clk), .load (load[2:1]), .a (diff_q), .b (scale), .p_q (prod)
    );

//% if sdp_ew_enable
    round_shift_pipe #(.IN_W(49), .SHIFT_W(6), .OUT_W(17)) u_shift (
        .clk (clk), .load (load[4:3]), .in (prod), .shift (shift), .wrap (raw),
        .out_q (wide), .sat_q (sat_q)
    );

    assign out_data = raw ? wide[7:0] : byte_out;
//% else
    round_shift_pipe #(.IN_W(49), .SHIFT_W(6), .OUT_W(17)) u_shift (
        .clk (clk), .load (load[4:3]), .in (prod), .shift (shift), .wrap (1'b0),
        .out_q (wide), .sat_q (sat_q)
    );

    assign out_data = byte_out;
//% end

endmodule

`default_nettype wire
