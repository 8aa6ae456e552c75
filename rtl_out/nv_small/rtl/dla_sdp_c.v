// Made by macrame 0.1.0 from templates/dla/sdp/dla_sdp_c.v
// with c_stages=5 fp16=0 fp_choice=0 int16=0 ints=1 lane_bits=8 mixed=0 sdp_ew_enable=0
// sdp_lanes=1 types16=0

// Output convertor of SDP: the lanes, and the counter of saturated elements.
//
// Contract: latency 5, 1 element(s) per cycle; nothing waits. Reset: no word; data has none.
`default_nettype none

module dla_sdp_c (
    input  wire         clk,
    input  wire         rst_n,
    input  wire         start,         // of a layer

    input  wire [31:0]  offset,
    input  wire [15:0]  scale,
    input  wire [5:0]   shift,
    input  wire         count_en,

    input  wire         in_valid,
    input  wire [ 31:0] in_data,
    output wire         out_valid,
    output wire [  7:0] out_data,
    output reg  [31:0]  saturated_q
);

    localparam LANES = 1;

    reg  [4:0]       valid_q;
    wire [4:0]       load = {valid_q[3:0], in_valid};
    wire [LANES-1:0] out_sat;

    assign out_valid = valid_q[4];

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) valid_q <= 5'd0;
        else        valid_q <= load;
    end

    genvar i;
    generate
        for (i = 0; i < LANES; i = i + 1) begin : gen_lane
            dla_sdp_c_lane u_lane (
                .clk      (clk),
                .load     (load),
                .offset   (offset),
                .scale    (scale),
                .shift    (shift),
                .in_data  (in_data[32*i +: 32]),
                .out_data (out_data[8*i +: 8]),
                .sat_q    (out_sat[i])
            );
        end
    endgenerate

    // ---- counter; a word is counted behind its way out
    reg  [5:0]  sat_count;
    reg  [5:0]  sat_count_q;
    wire [32:0] sum = {1'b0, saturated_q} + {27'd0, sat_count_q};
    integer     lane;

    always @* begin
        sat_count = 6'd0;
        for (lane = 0; lane < LANES; lane = lane + 1) begin
            sat_count = sat_count + {5'd0, out_sat[lane]};
        end
    end

    always @(posedge clk) begin
        sat_count_q <= sat_count & {6{out_valid && count_en}};
        if (start) saturated_q <= 32'd0;
        else       saturated_q <= sum[32] ? 32'hffffffff : sum[31:0];
    end

endmodule

`default_nettype wire
