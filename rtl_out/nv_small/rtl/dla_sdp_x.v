// Made by macrame 0.1.0 from templates/dla/sdp/dla_sdp_x.v
// with sdp_lanes=1

// One X stage (BS or BN) of SDP: decodes its registers and holds the lanes.
//
// Contract: latency 4 moves, 1 element(s) per move; see dla_sdp_x_lane.
`default_nettype none

module dla_sdp_x (
    input  wire         clk,
    input  wire [3:0]   load,          // input of stage 1, 2, 3, 4 is valid and moves
    input  wire         last_valid,    // input of stage 4 is valid

    // registers of the stage
    input  wire         bypass,
    input  wire         alu_bypass,
    input  wire [1:0]   alu_algo,
    input  wire         mul_bypass,
    input  wire         mul_prelu,
    input  wire         relu_bypass,
    input  wire         alu_src,       // 1: operand from memory
    input  wire [5:0]   alu_shift,
    input  wire [15:0]  alu_value,
    input  wire         mul_src,       // 1: operand from memory
    input  wire [5:0]   mul_shift,
    input  wire [15:0]  mul_value,
    output wire         needs_operand, // one record per element is needed from SDP_RDMA

    input  wire [ 31:0] in_data,
    input  wire [ 15:0] operand_alu,
    input  wire [ 15:0] operand_mul,
    output wire [ 31:0] out_data
);

    localparam LANES = 1;

    wire alu_on = !bypass && !alu_bypass;
    wire mul_on = !bypass && !mul_bypass;

    wire [16:0] alu_power = 17'd1 << alu_shift[3:0];

    assign needs_operand = (alu_on && alu_src) || (mul_on && mul_src);

    genvar i;
    generate
        for (i = 0; i < LANES; i = i + 1) begin : gen_lane
            dla_sdp_x_lane u_lane (
                .clk         (clk),
                .load        (load),
                .last_valid  (last_valid),
                .alu_on      (alu_on),
                .alu_algo    (alu_algo),
                .mul_on      (mul_on),
                .prelu       (mul_prelu),
                .relu        (!bypass && !relu_bypass),
                .shift_on    (!bypass),
                .alu_shift   (alu_shift),
                .alu_power   (alu_power),
                .mul_shift   (mul_shift),
                .in_data     (in_data[32*i +: 32]),
                .alu_operand (alu_src ? operand_alu[16*i +: 16] : alu_value),
                .mul_operand (mul_src ? operand_mul[16*i +: 16] : mul_value),
                .out_data_q  (out_data[32*i +: 32])
            );
        end
    endgenerate

endmodule

`default_nettype wire
