// One X stage (BS or BN) of SDP: decodes its registers and holds the lanes.
//
// Contract: latency ${x_contract}
`default_nettype none

module dla_sdp_x (
    input  wire         clk,
    input  wire         rst_n,

    // registers of the stage
    input  wire         bypass,
    input  wire         alu_bypass,
    ${x_fp_ports}
    input  wire [1:0]   alu_algo,      // 0 max, 1 min, 2 ${x_algo_doc}
    input  wire         mul_bypass,
    input  wire         mul_prelu,
    input  wire         relu_bypass,
    input  wire         alu_src,       // 1: operand from memory
    ${x_alu_shift_port}
    input  wire [15:0]  alu_value,
    input  wire         mul_src,       // 1: operand from memory
    ${x_mul_shift_port}
    input  wire [15:0]  mul_value,
    output wire         needs_operand, // one record per element is needed from SDP_RDMA

    input  wire         in_valid,
    input  wire [1:0]   in_tag,
    input  wire [${32 * sdp_lanes - 1:3}:0] in_data,
    input  wire [${16 * sdp_lanes - 1:3}:0] operand_alu,
    input  wire [${16 * sdp_lanes - 1:3}:0] operand_mul,
    output wire         out_valid,
    output wire [1:0]   out_tag,
    output wire [${32 * sdp_lanes - 1:3}:0] out_data
);

    localparam LANES = ${sdp_lanes};

    // ------------------------------------------------------------------ control
    reg  [${x_depth - 1}:0]  valid_q;
    reg  [${2 * x_depth - 1}:0] tag_q;
    wire [${x_depth - 1}:0]  load = ${x_load};

    assign out_valid = bypass ? valid_q[0] : ${x_end_valid};
    assign out_tag   = bypass ? tag_q[1:0] : ${x_end_tag};

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) valid_q <= ${x_depth}'d0;
        else        valid_q <= load;
    end

    always @(posedge clk) begin
        tag_q <= {tag_q[${2 * x_depth - 3}:0], in_tag};
    end

    // ------------------------------------------------------------------ registers
    wire        alu_on = !bypass && !alu_bypass;
    wire        mul_on = !bypass && !mul_bypass;
//% if ints
    reg  [16:0] alu_power_q;
    reg  [1:0]  alu_high_q;
//% end
//% if fp16
    reg         alu_on_q;
    reg  [1:0]  alu_algo_q;
//% end
    reg         ${x_int_regs}mul_on_q, prelu_q, relu_q;

    always @(posedge clk) begin
//% if ints
        alu_power_q <= alu_on ? 17'd1 << alu_shift[3:0] : 17'd0;
        alu_high_q  <= alu_shift[5:4];
        subtract_q  <= alu_on && !alu_algo[1];
        least_q     <= alu_algo[0];
//% end
//% if fp16
        alu_on_q    <= alu_on;
        alu_algo_q  <= alu_algo;
//% end
        mul_on_q    <= mul_on;
        prelu_q     <= mul_on && mul_prelu;
        relu_q      <= !relu_bypass;
    end

    assign needs_operand = (alu_on && alu_src) || (mul_on && mul_src);

    // ------------------------------------------------------------------ lanes
    genvar i;
    generate
        for (i = 0; i < LANES; i = i + 1) begin : gen_lane
//% if fp16
            wire [15:0] alu_operand = alu_src ? operand_alu[16*i +: 16] : alu_value;
            wire [15:0] mul_operand = mul_src ? operand_mul[16*i +: 16] : mul_value;
//%   if ints
            wire [31:0] int_data, fp_data;

            // A bypassed word comes out of the lane for integers.
            assign out_data[32*i +: 32] = (fp && !bypass) ? fp_data : int_data;

//%   end
            dla_sdp_x_fp_lane u_fp (
                .clk         (clk),
                .load        (${x_fp_load}),
                ${x_fp_bypass}
                .flush       (flush),
                .alu_on      (alu_on_q),
                .alu_algo    (alu_algo_q),
                .mul_on      (mul_on_q),
                .prelu       (prelu_q),
                .relu        (relu_q),
                .in_data     (in_data[32*i +: 32]),
                .alu_operand (alu_operand),
                .mul_operand (mul_operand),
                .out_data    (${x_fp_data})
            );
//% end
//% if ints
            dla_sdp_x_lane u_lane (
                .clk         (clk),
                .load        (${x_int_load}),
                .bypass      (bypass),
                .alu_power   (alu_power_q),
                .alu_high    (alu_high_q),
                .subtract    (subtract_q),
                .least       (least_q),
                .mul_on      (mul_on_q),
                .prelu       (prelu_q),
                .mul_shift   (mul_shift),
                .relu        (relu_q),
                .in_data     (in_data[32*i +: 32]),
                .alu_operand (${x_alu_operand}),
                .mul_operand (${x_mul_operand}),
                .out_data    (${x_int_data})
            );
//% end
        end
    endgenerate

endmodule

`default_nettype wire
