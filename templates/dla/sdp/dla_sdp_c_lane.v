// One lane of the output convertor of SDP: (in - offset) * scale >> shift, saturated to int8.
//
// Contract: three register stages, each moves with its `load` bit; no reset, valid bits of dla_sdp
// guard the data. `sat_q`: 17 bits were not enough; that 8 were not enough is not flagged.
`default_nettype none

module dla_sdp_c_lane (
    input  wire         clk,
    input  wire [2:0]   load,          // input of stage 1, 2, 3 is valid and moves
    input  wire         last_valid,    // input of stage 3 is valid

    input  wire [31:0]  offset,        // signed
    input  wire [15:0]  scale,         // signed
    input  wire [5:0]   shift,
//% if sdp_ew_enable
    input  wire         raw,           // offset is 0, scale is 1: the low 8 bits pass
//% end

    input  wire [31:0]  in_data,       // signed
    output reg  [7:0]   out_data_q,    // signed
    output reg          sat_q
);

    wire signed [31:0] in_s     = in_data;
    wire signed [31:0] offset_s = offset;
    wire signed [15:0] scale_s  = scale;
    reg  signed [32:0] diff_q;
    reg  signed [48:0] prod_q;
    wire signed [16:0] wide;
    wire               sat;

    round_shift #(.IN_W(49), .SHIFT_W(6), .OUT_W(17)) u_shift (
        .en (last_valid), .in (prod_q), .shift (shift), .out (wide), .sat (sat)
    );

    wire               fits     = wide[16:7] == {10{wide[16]}};

    always @(posedge clk) begin
        if (load[0]) diff_q <= in_s - offset_s;
        if (load[1]) prod_q <= diff_q * scale_s;
        if (load[2]) begin
//% if sdp_ew_enable
            out_data_q <= raw ? prod_q[7:0] : fits ? wide[7:0] : {wide[16], {7{~wide[16]}}};
            sat_q      <= sat && !raw;
//% else
            out_data_q <= fits ? wide[7:0] : {wide[16], {7{~wide[16]}}};
            sat_q      <= sat;
//% end
        end
    end

endmodule

`default_nettype wire
