// Output convertor of SDP: the lanes, and the counter of saturated elements.
//
//% if fp16
// Contract: latency 2 from fp32${int16 ? ", 4 to int16" : ""}${ints ? "; 5 from integers, 7 to fp16" : ""}; ${sdp_lanes} element(s) per
// cycle; nothing waits. Reset: no word; data has none.
//% else
// Contract: latency 5, ${sdp_lanes} element(s) per cycle; nothing waits. Reset: no word; data has none.
//% end
`default_nettype none
//% let out_choice = mixed && (int16 || sdp_ew_enable)

module dla_sdp_c (
    input  wire         clk,
    input  wire         rst_n,
    input  wire         start,         // of a layer

    input  wire [31:0]  offset,  //% if ints
    input  wire [15:0]  scale,  //% if ints
    input  wire [5:0]   shift,  //% if ints
    input  wire         raw,           // the low ${lane_bits} bits pass  //% if sdp_ew_enable
    input  wire         out_wide,      // results have 16 bits  //% if out_choice
    input  wire         proc_fp,       // elements are fp32, else integers  //% if fp_choice
    input  wire         out_fp,        // results are fp16  //% if fp_choice
    input  wire         count_en,
    input  wire         nan_count_en,  //% if fp16

    input  wire         in_valid,
    input  wire [${32 * sdp_lanes - 1:3}:0] in_data,
    output wire         out_valid,
    output wire [${lane_bits * sdp_lanes - 1:3}:0] out_data,
    output reg  [31:0]  nans_q,  //% if fp16
    output reg  [31:0]  saturated_q
);

    localparam LANES = ${sdp_lanes};

    reg  [${c_stages - 1}:0]       valid_q;
    wire [${c_stages - 1}:0]       load = {valid_q[${c_stages - 2}:0], in_valid};  //% if !fp_choice
    wire [LANES-1:0] out_sat;
    wire [LANES-1:0] out_nan;  //% if fp16

//% if fp_choice
    // Where a word ends: fp32 -> fp16${int16 ? ", fp32 -> int16" : ""}, integers, integers -> fp16.
    // It goes no further: the next layer may end elsewhere.
    reg              from_fp_q, last_2_q, last_5_q${int16 ? ", last_4_q" : ""};
    wire [6:0]       load = {valid_q[5], valid_q[4] && !last_5_q, valid_q[3]${int16 ? " && !last_4_q" : ""},
                             valid_q[2], valid_q[1] && !last_2_q, valid_q[0], in_valid};

    assign out_valid = (last_2_q && valid_q[1])${int16 ? " || (last_4_q && valid_q[3])" : ""}
                    || (last_5_q && valid_q[4])
                    || (!last_2_q && !last_5_q${int16 ? " && !last_4_q" : ""} && valid_q[6]);

    always @(posedge clk) begin
        from_fp_q <= proc_fp;
        last_2_q  <= proc_fp && (${sdp_ew_enable ? "raw || " : ""}out_fp);
        last_4_q  <= proc_fp && ${sdp_ew_enable ? "!raw && " : ""}!out_fp;  //% if int16
        last_5_q  <= !proc_fp && (${sdp_ew_enable ? "raw || " : ""}!out_fp);
    end
//% else
    assign out_valid = valid_q[${c_stages - 1}];
//% end

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) valid_q <= ${c_stages}'d0;
        else        valid_q <= load;
    end

//% if sdp_ew_enable && ints
    // The registers hold while a layer runs.
    reg  [31:0] offset_q;
    reg  [15:0] scale_q;
    reg  [5:0]  shift_q;
    reg         raw_q;

    always @(posedge clk) begin
        offset_q <= raw ? 32'd0 : offset;
        scale_q  <= raw ? 16'd1 : scale;
        shift_q  <= raw ? 6'd0 : shift;
        raw_q    <= raw;
    end

//% end
    genvar i;
    generate
        for (i = 0; i < LANES; i = i + 1) begin : gen_lane
//% if fp_choice
            wire [15:0] int_data, fp_data;
            wire        int_sat, fp_sat;

            assign out_data[16*i +: 16] = from_fp_q ? fp_data : int_data;
            assign out_sat[i]           = from_fp_q ? fp_sat : int_sat;

//% end
//% if fp16
            dla_sdp_c_fp_lane u_fp (
                .clk      (clk),
                .load     (load[${c_fp_stages - 1}:0]),
                .raw      (raw),  //% if sdp_ew_enable
                .to_int   (last_4_q),  //% if int16
                .in_data  (in_data[32*i +: 32]),
                .out_data (${ints ? "fp_data" : "out_data[16*i +: 16]"}),
                .nan      (out_nan[i]),
                .largest  (${ints ? "fp_sat" : "out_sat[i]"})
            );
//% end
//% if ints
            ${types16 ? "dla_sdp_c_int_lane" : "dla_sdp_c_lane"} u_lane (
                .clk      (clk),
                .load     (load),
                .offset   (offset${sdp_ew_enable ? "_q" : ""}),
                .scale    (scale${sdp_ew_enable ? "_q" : ""}),
                .shift    (shift${sdp_ew_enable ? "_q" : ""}),
                .raw      (raw_q),  //% if sdp_ew_enable
                .out_wide (out_wide),  //% if out_choice
                .to_fp    (out_fp),  //% if fp16
                .in_data  (in_data[32*i +: 32]),
                .out_data (${fp16 ? "int_data" : types16 ? "out_data[16*i +: 16]" : "out_data[8*i +: 8]"}),
                .${types16 ? "sat  " : "sat_q"}    (${fp16 ? "int_sat" : "out_sat[i]"})
            );
//% end
        end
    endgenerate

    // ---- counter; a word is counted behind its way out
    reg  [5:0]  sat_count;
    reg  [5:0]  sat_count_q;
    wire [32:0] sum = {1'b0, saturated_q} + {27'd0, sat_count_q};
//% if fp16
    reg  [5:0]  nan_count;
    reg  [5:0]  nan_count_q;
    wire [32:0] nan_sum = {1'b0, nans_q} + {27'd0, nan_count_q};
    integer     nan_lane;
//% end
    integer     lane;

    always @* begin
        sat_count = 6'd0;
        for (lane = 0; lane < LANES; lane = lane + 1) begin
            sat_count = sat_count + {5'd0, out_sat[lane]};
        end
    end

//% if fp16
    always @* begin
        nan_count = 6'd0;
        for (nan_lane = 0; nan_lane < LANES; nan_lane = nan_lane + 1) begin
            nan_count = nan_count + {5'd0, out_nan[nan_lane]};
        end
    end

    always @(posedge clk) begin
        nan_count_q <= nan_count & {6{out_valid && nan_count_en${fp_choice ? " && from_fp_q" : ""}}};
        if (start) nans_q <= 32'd0;
        else       nans_q <= nan_sum[32] ? 32'hffffffff : nan_sum[31:0];
    end

//% end
    always @(posedge clk) begin
        sat_count_q <= sat_count & {6{out_valid && count_en}};
        if (start) saturated_q <= 32'd0;
        else       saturated_q <= sum[32] ? 32'hffffffff : sum[31:0];
    end

endmodule

`default_nettype wire
