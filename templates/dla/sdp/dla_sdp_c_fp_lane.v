// One lane of the output convertor of SDP for fp32: to fp16${int16 ? " or int16" : ""}.
//
// Contract: ${int16 ? "four register stages" : "two register stages"}, each moves with its `load` bit; no reset, valid bits of dla_sdp_c
// guard the data. Latency ${int16 ? "2, to int16 4" : "2"}.
`default_nettype none

module dla_sdp_c_fp_lane (
    input  wire         clk,
    input  wire [${c_fp_stages - 1}:0]   load,          // input of stage 1 .. ${c_fp_stages} is valid

    input  wire         raw,           // the low 16 bits pass, behind 2 stages  //% if sdp_ew_enable
    input  wire         to_int,        // result is int16, else fp16  //% if int16

    input  wire [31:0]  in_data,       // fp32
    output wire [15:0]  out_data,
    output wire         nan,           // fp16
    output wire         largest        // fp16 of the largest magnitude
);

    wire [15:0] half;

    fp_narrow #(.EI(8), .MI(23), .EO(5), .MO(10)) u_narrow (
        .clk (clk), .load (load[1:0]), .in (in_data), .out_q (half)
    );

//% if sdp_ew_enable
    // A comparison gives 0 or 1.
    reg  [15:0] raw1_q, raw2_q;
    wire [15:0] passed = raw ? raw2_q : half;

    always @(posedge clk) begin
        if (load[0]) raw1_q <= in_data[15:0];
        if (load[1]) raw2_q <= raw1_q;
    end

//% else
    wire [15:0] passed = half;

//% end
//% if int16
    wire [15:0] whole;

    fp16_to_int16 u_to_int (
        .clk (clk), .load (load[3:2]), .in (half), .out_q (whole)
    );

    assign out_data = to_int ? whole : passed;
    assign nan      = !to_int && (&half[14:10]) && (|half[9:0]);
    assign largest  = !to_int${sdp_ew_enable ? " && !raw" : ""} && half[14:0] == 15'h7bff;
//% else
    assign out_data = passed;
    assign nan      = (&half[14:10]) && (|half[9:0]);
    assign largest  = half[14:0] == 15'h7bff${sdp_ew_enable ? " && !raw" : ""};
//% end

endmodule

`default_nettype wire
