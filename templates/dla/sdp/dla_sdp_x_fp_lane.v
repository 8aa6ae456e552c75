// One lane of an X stage (BS or BN) of SDP for fp32: ALU, multiplier, ReLU on one element.
//
// Contract: nine register stages, each moves with its `load` bit; no reset, valid bits of dla_sdp_x
// guard the data. Operands are sampled with load[0].
//
//     in -> | v, a | v op a: 5 stages | * b: 3 stages | ReLU ->
// bypass: v ->, behind the first stage.  //% if !ints
`default_nettype none

module dla_sdp_x_fp_lane (
    input  wire         clk,
    input  wire [8:0]   load,          // input of stage 0 .. 8 is valid

    // the stage
    input  wire         bypass,  //% if !ints
    input  wire         flush,         // operands that are NaN count as 0
    input  wire         alu_on,
    input  wire [1:0]   alu_algo,      // 0 max, 1 min, 2 sum, 3 equal (result 0) or not (1)
    input  wire         mul_on,
    input  wire         prelu,         // multiply negative numbers only
    input  wire         relu,

    input  wire [31:0]  in_data,       // fp32
    input  wire [15:0]  alu_operand,   // fp16
    input  wire [15:0]  mul_operand,   // fp16
    output wire [31:0]  out_data       // fp32
);

    wire         any = |load;

//% include "sdp/flushed.vh"

    // ------------------------------------------------------------------ operands
    reg  [31:0]  v0_q;
    wire [31:0]  a0, b5;
    reg  [15:0]  b0_q, b1_q, b2_q, b3_q, b4_q;

    fp_widen #(.EI(5), .MI(10), .EO(8), .MO(23)) u_widen_a (
        .clk (clk), .load (load[0]), .in (flushed(alu_operand, flush)), .out_q (a0)
    );
    fp_widen #(.EI(5), .MI(10), .EO(8), .MO(23)) u_widen_b (
        .clk (clk), .load (load[5]), .in (b4_q), .out_q (b5)
    );

    // ------------------------------------------------------------------ ALU
    // What is no sum is ready early and waits.
    wire [31:0]  sum5, picked1;
    reg  [31:0]  v1_q, w2_q, w3_q, w4_q, w5_q;
    reg          unequal1_q;
    wire [31:0]  w1 = !alu_on ? v1_q : alu_algo[1] ? {31'd0, unequal1_q} : picked1;
    wire [31:0]  v5 = (alu_on && alu_algo == 2'd2) ? sum5 : w5_q;

    fp_add #(.E(8), .M(23)) u_add (
        .clk (clk), .load (load[5:1]), .a (v0_q), .b (a0), .sum_q (sum5)
    );
    fp_max #(.E(8), .M(23)) u_max (
        .clk (clk), .load (load[1]), .least (alu_algo[0]), .a (v0_q), .b (a0), .out_q (picked1)
    );

    // ------------------------------------------------------------------ multiplier
    wire [31:0]  product8;
    reg  [31:0]  v6_q, v7_q, v8_q;
    reg          pass6_q, pass7_q, pass8_q;

    fp_mul #(.E(8), .M(23)) u_mul (
        .clk (clk), .load (load[8:6]), .a (v5), .b (b5), .p_q (product8)
    );

    // ------------------------------------------------------------------ ReLU
    wire [31:0]  result = pass8_q ? v8_q : product8;
    wire         nan    = (&result[30:23]) && (|result[22:0]);
//% if ints

    assign out_data = result & ~{32{relu && result[31] && !nan}};
//% else
    wire [31:0]  clipped = result & ~{32{relu && result[31] && !nan}};

    assign out_data = bypass ? v0_q : clipped;
//% end

    always @(posedge clk) begin
        if (load[0]) begin
            v0_q <= in_data;
            b0_q <= flushed(mul_operand, flush);
        end
        if (any) begin
            v1_q       <= v0_q;
            unequal1_q <= v0_q != a0;
            w2_q       <= w1;
            w3_q       <= w2_q;
            w4_q       <= w3_q;
            w5_q       <= w4_q;
            b1_q       <= b0_q;
            b2_q       <= b1_q;
            b3_q       <= b2_q;
            b4_q       <= b3_q;
            v6_q       <= v5;
            v7_q       <= v6_q;
            v8_q       <= v7_q;
            pass6_q    <= !mul_on || (prelu && !v5[31]);
            pass7_q    <= pass6_q;
            pass8_q    <= pass7_q;
        end
    end

endmodule

`default_nettype wire
