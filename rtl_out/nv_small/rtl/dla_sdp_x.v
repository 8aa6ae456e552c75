// Made by macrame 0.1.0 from templates/dla/sdp/dla_sdp_x.v
// with fp16=0 fp_choice=0 ints=1 sdp_lanes=1

// One X stage (BS or BN) of SDP: decodes its registers and holds the lanes.
//
// Contract: latency 8, bypassed 1; 1 element(s) per cycle; nothing waits. A tag goes along with
// each word. The registers hold while a layer runs, what is decoded from them is ready in the
// cycle behind its start. Reset: no word; data has none.
`default_nettype none

module dla_sdp_x (
    input  wire         clk,
    input  wire         rst_n,

    // registers of the stage
    input  wire         bypass,
    input  wire         alu_bypass,
    input  wire [1:0]   alu_algo,      // 0 max, 1 min, 2 and 3 sum
    input  wire         mul_bypass,
    input  wire         mul_prelu,
    input  wire         relu_bypass,
    input  wire         alu_src,       // 1: operand from memory
    input  wire [5:0]   alu_shift,
    input  wire [15:0]  alu_value,
    input  wire         mul_src,       // 1: operand from memory
    input  wire [5:0]   mul_shift,
    input  wire [15:0]  mul_value,
    output reg          needs_operand_q, // a record per element is needed from SDP_RDMA

    input  wire         in_valid,
    input  wire [1:0]   in_tag,
    input  wire [ 31:0] in_data,
    input  wire [ 15:0] operand_alu,
    input  wire [ 15:0] operand_mul,
    output wire         out_valid,
    output wire [1:0]   out_tag,
    output wire [ 31:0] out_data
);

    localparam LANES = 1;

    // ------------------------------------------------------------------ control
    reg  [7:0]  valid_q;
    reg  [15:0] tag_q;
    wire [7:0]  load = {valid_q[6:1], valid_q[0] && !bypass, in_valid};

    reg         around_q;              // bypass, for the lanes of integers
    wire        load_out = around_q ? in_valid : load[7];

    assign out_valid = bypass ? valid_q[0] : valid_q[7];
    assign out_tag   = bypass ? tag_q[1:0] : tag_q[15:14];

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) valid_q <= 8'd0;
        else        valid_q <= load;
    end

    always @(posedge clk) begin
        tag_q <= {tag_q[13:0], in_tag};
    end

    // ------------------------------------------------------------------ registers
    wire        alu_on = !bypass && !alu_bypass;
    wire        mul_on = !bypass && !mul_bypass;
    // The factor of the registers, doubled where the shift is even: see dla_sdp_x_scale.
    wire [15:0] factor = !mul_on ? 16'd1 : mul_src ? 16'd0 : mul_value;
    reg  [16:0] alu_power_q, factor_q;
    reg  [1:0]  alu_high_q;
    reg         max_min_q, least_q, mul_memory_q;
    reg         prelu_q, relu_q;

    always @(posedge clk) begin
        alu_power_q <= alu_on ? 17'd1 << alu_shift[3:0] : 17'd0;
        alu_high_q  <= {alu_shift[5], |alu_shift[5:4]};
        max_min_q   <= alu_on && !alu_algo[1];
        least_q     <= alu_algo[0];
        around_q    <= bypass;
        mul_memory_q <= mul_on && mul_src;
        factor_q    <= mul_shift[0] ? {factor[15], factor} : {factor, 1'b0};
        prelu_q     <= mul_on && mul_prelu;
        relu_q      <= !relu_bypass;
        needs_operand_q <= (alu_on && alu_src) || (mul_on && mul_src);
    end

    // ------------------------------------------------------------------ lanes
    genvar i;
    generate
        for (i = 0; i < LANES; i = i + 1) begin : gen_lane
            dla_sdp_x_lane u_lane (
                .clk         (clk),
                .rst_n       (rst_n),
                .load        (load[6:0]),
                .load_out    (load_out),
                .bypass      (around_q),
                .alu_power   (alu_power_q),
                .alu_high    (alu_high_q),
                .max_min     (max_min_q),
                .least       (least_q),
                .mul_memory  (mul_memory_q),
                .mul_value   (factor_q),
                .prelu       (prelu_q),
                .mul_shift   (mul_shift),
                .relu        (relu_q),
                .in_data     (in_data[32*i +: 32]),
                .alu_operand (alu_src ? operand_alu[16*i +: 16] : alu_value),
                .mul_operand (operand_mul[16*i +: 16]),
                .out_data    (out_data[32*i +: 32])
            );
        end
    endgenerate

endmodule

`default_nettype wire
