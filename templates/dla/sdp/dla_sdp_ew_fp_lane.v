// One lane of the EW stage of SDP for fp32 without its table: multiplier, ALU.
//
// Contract: 9 register stages, each moves with its `load` bit; no reset, valid bits of dla_sdp_ew
// guard the data. Memory operands are sampled with load[0].
//
//     in -> | v, b | * b: 3 stages | op a: 5 stages ->
`default_nettype none

module dla_sdp_ew_fp_lane (
    input  wire         clk,
    input  wire [8:0]   load,          // input of stage 0 .. 8 is valid

    input  wire         flush,         // memory operands that are NaN count as 0
    input  wire         alu_on,
    input  wire [1:0]   alu_algo,      // 0 max, 1 min, 2 sum, 3 equal (result 0) or not (1)
    input  wire         alu_src,       // 1: operand from memory
    input  wire [31:0]  alu_value,     // fp32
    input  wire         mul_on,
    input  wire         prelu,         // multiply negative numbers only
    input  wire         mul_src,       // 1: operand from memory
    input  wire [31:0]  mul_value,     // fp32

    input  wire [31:0]  in_data,       // fp32
    input  wire [15:0]  alu_operand,   // fp16
    input  wire [15:0]  mul_operand,   // fp16
    output wire [31:0]  out_data       // fp32
);

    wire         any = |load;

//% include "sdp/flushed.vh"

    // ------------------------------------------------------------------ operands
    wire [31:0]  mul_wide0, alu_wide3;
    reg  [15:0]  a0_q, a1_q, a2_q;
    wire [31:0]  b0 = mul_src ? mul_wide0 : mul_value;
    wire [31:0]  a3 = alu_src ? alu_wide3 : alu_value;

    fp_widen #(.EI(5), .MI(10), .EO(8), .MO(23)) u_widen_b (
        .clk (clk), .load (load[0]), .in (flushed(mul_operand, flush)), .out_q (mul_wide0)
    );
    fp_widen #(.EI(5), .MI(10), .EO(8), .MO(23)) u_widen_a (
        .clk (clk), .load (load[3]), .in (a2_q), .out_q (alu_wide3)
    );

    // ------------------------------------------------------------------ multiplier
    reg  [31:0]  v0_q, v1_q, v2_q, v3_q;
    reg          pass1_q, pass2_q, pass3_q;
    wire [31:0]  product3;
    wire [31:0]  v3 = pass3_q ? v3_q : product3;

    fp_mul #(.E(8), .M(23)) u_mul (
        .clk (clk), .load (load[3:1]), .a (v0_q), .b (b0), .p_q (product3)
    );

    // ------------------------------------------------------------------ ALU
    // What is no sum is ready early and waits.
    wire [31:0]  sum8, picked4;
    reg  [31:0]  v4_q, w5_q, w6_q, w7_q, w8_q;
    reg          unequal4_q;
    wire [31:0]  w4 = !alu_on ? v4_q : alu_algo[1] ? {31'd0, unequal4_q} : picked4;

    fp_add #(.E(8), .M(23)) u_add (
        .clk (clk), .load (load[8:4]), .a (v3), .b (a3), .sum_q (sum8)
    );
    fp_max #(.E(8), .M(23)) u_max (
        .clk (clk), .load (load[4]), .least (alu_algo[0]), .a (v3), .b (a3), .out_q (picked4)
    );

    assign out_data = (alu_on && alu_algo == 2'd2) ? sum8 : w8_q;

    always @(posedge clk) begin
        if (load[0]) begin
            v0_q <= in_data;
            a0_q <= flushed(alu_operand, flush);
        end
        if (any) begin
            v1_q       <= v0_q;
            v2_q       <= v1_q;
            v3_q       <= v2_q;
            a1_q       <= a0_q;
            a2_q       <= a1_q;
            pass1_q    <= !mul_on || (prelu && !v0_q[31]);
            pass2_q    <= pass1_q;
            pass3_q    <= pass2_q;
            v4_q       <= v3;
            unequal4_q <= v3 != a3;
            w5_q       <= w4;
            w6_q       <= w5_q;
            w7_q       <= w6_q;
            w8_q       <= w7_q;
        end
    end

endmodule

`default_nettype wire
