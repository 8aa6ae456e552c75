// One lane of the EW stage of SDP without its table: operand convertors, multiplier, ALU.
//
// Contract: 12 register stages, each moves with its `load` bit; no reset, valid bits of dla_sdp_ew
// guard the data. Memory operands are sampled with load[0].
//
//     operands, stages 0..5:  | | - offset | * scale | sum | >> shift | round |
//     v, stages 6..11:        | * b | sums | sum | >> truncate | round | op a |
`default_nettype none

module dla_sdp_ew_lane (
    input  wire         clk,
    input  wire         rst_n,
    input  wire [11:0]  load,          // input of stage 0 .. 11 is valid

    input  wire         alu_on,
    input  wire [1:0]   alu_algo,      // 0 max, 1 min, 2 sum, 3 equal (result 0) or not (1)
    input  wire         alu_src,       // 1: operand from memory
    input  wire [31:0]  alu_value,
    input  wire [31:0]  alu_offset,    // convertor of memory operands
    input  wire [15:0]  alu_scale,
    input  wire [5:0]   alu_shift,
    input  wire         mul_on,
    input  wire         prelu,         // multiply negative numbers only
    input  wire         mul_src,       // 1: operand from memory
    input  wire [31:0]  mul_value,
    input  wire [31:0]  mul_offset,
    input  wire [15:0]  mul_scale,
    input  wire [5:0]   mul_shift,
    input  wire [9:0]   truncate,      // right shift of the product

    input  wire [31:0]  in_data,       // signed
    input  wire [15:0]  alu_operand,   // signed
    input  wire [15:0]  mul_operand,   // signed
    output reg  [31:0]  out_data_q     // signed
);

    // ------------------------------------------------------------------ operands
    reg  [15:0]        alu_operand_q, mul_operand_q;
    wire signed [31:0] alu_operand_s = {{16{alu_operand_q[15]}}, alu_operand_q};
    wire signed [31:0] mul_operand_s = {{16{mul_operand_q[15]}}, mul_operand_q};
    wire signed [31:0] alu_offset_s  = alu_offset;
    wire signed [31:0] mul_offset_s  = mul_offset;
    reg  signed [32:0] alu_diff_q, mul_diff_q;
    wire signed [48:0] alu_prod, mul_prod;
    wire signed [31:0] alu_converted, mul_converted;
    wire               unused_alu_sat, unused_mul_sat;

    mult_pipe #(.A_W(33), .B_W(16)) u_alu_mult (
        .clk (clk), .load (load[3:2]), .a (alu_diff_q), .b (alu_scale), .p_q (alu_prod)
    );
    mult_pipe #(.A_W(33), .B_W(16)) u_mul_mult (
        .clk (clk), .load (load[3:2]), .a (mul_diff_q), .b (mul_scale), .p_q (mul_prod)
    );
    round_shift_pipe #(.IN_W(49), .SHIFT_W(6), .OUT_W(32)) u_alu_shift (
        .clk (clk), .load (load[5:4]), .in (alu_prod), .shift (alu_shift), .wrap (1'b0),
        .out_q (alu_converted), .sat_q (unused_alu_sat)
    );
    round_shift_pipe #(.IN_W(49), .SHIFT_W(6), .OUT_W(32)) u_mul_shift (
        .clk (clk), .load (load[5:4]), .in (mul_prod), .shift (mul_shift), .wrap (1'b0),
        .out_q (mul_converted), .sat_q (unused_mul_sat)
    );

    // ------------------------------------------------------------------ multiplier
    // What does not fit into the shift amount leaves nothing of the product: B = 0. B = 1 where
    // the multiplier is bypassed, as for the numbers that PReLU passes.
    reg  [31:0]        v0_q, v1_q, v2_q, v3_q, v4_q;
    reg  signed [31:0] v5_q;
    reg  [31:0]        a6_q, a7_q, a8_q, a9_q;
    reg  [31:0]        add10_q;        // for max and min its complement
    wire               pass   = !mul_on || (prelu && !v5_q[31]);
    wire               over   = |truncate[9:6];
    wire [31:0]        factor = mul_src ? mul_converted : mul_value;
    wire [31:0]        mul_b  = pass ? 32'd1 : factor & {32{!over}};
    wire signed [16:0] b_low  = {1'b0, mul_b[15:0]};
    wire signed [15:0] b_high = mul_b[31:16];
    wire signed [48:0] prod_low;
    wire signed [47:0] prod_high;
    reg  signed [63:0] prod_q;
    reg                pass6_q, pass7_q;
    reg  [5:0]         shift8_q;
    wire [47:0]        prod_top = prod_high + {{15{prod_low[48]}}, prod_low[48:16]};
    wire signed [31:0] product;
    wire               unused_sat;

    mult_pipe #(.A_W(32), .B_W(17)) u_mult_low (
        .clk (clk), .load (load[7:6]), .a (v5_q), .b (b_low), .p_q (prod_low)
    );
    mult_pipe #(.A_W(32), .B_W(16)) u_mult_high (
        .clk (clk), .load (load[7:6]), .a (v5_q), .b (b_high), .p_q (prod_high)
    );
    round_shift_pipe #(.IN_W(64), .SHIFT_W(6), .OUT_W(32)) u_truncate (
        .clk (clk), .load (load[10:9]), .in (prod_q), .shift (shift8_q), .wrap (1'b0),
        .out_q (product), .sat_q (unused_sat)
    );

    // ------------------------------------------------------------------ ALU
    // One adder: v - a < 0 tells which is larger, v + a is the sum.
    wire               subtract;       // max or min; each lane has its own, and one for its adder
    wire               plus_1;
    reg                sum_q;          // sum
    reg                unequal_q;      // unequal
    wire [32:0]        sum    = {product[31], product} + {add10_q[31], add10_q}
                              + {32'd0, plus_1};
    wire               take_v = !alu_on || (subtract && (sum[32] == alu_algo[0]));
    wire               clip   = sum[32] != sum[31];
    wire               differ = unequal_q && product != add10_q;
    wire [31:0]        limit  = {sum[32], {31{~sum[32]}}};
    wire [31:0]        kept   = clip ? limit : sum[31:0];
    wire [31:0]        alu    = take_v ? product : sum_q ? kept : ~add10_q & {32{subtract}};

    reg_copy #(.W(2)) u_layer (
        .clk   (clk),
        .rst_n (rst_n),
        .d     ({2{alu_on && !alu_algo[1]}}),
        .q     ({subtract, plus_1})
    );

    always @(posedge clk) begin
        sum_q     <= alu_algo == 2'd2;
        unequal_q <= alu_on && (&alu_algo);
    end

    always @(posedge clk) begin
        if (load[0]) begin
            v0_q          <= in_data;
            alu_operand_q <= alu_operand;
            mul_operand_q <= mul_operand;
        end
        if (load[1]) begin
            v1_q       <= v0_q;
            alu_diff_q <= alu_operand_s - alu_offset_s;
            mul_diff_q <= mul_operand_s - mul_offset_s;
        end
        if (load[2]) v2_q <= v1_q;
        if (load[3]) v3_q <= v2_q;
        if (load[4]) v4_q <= v3_q;
        if (load[5]) v5_q <= v4_q;
        if (load[6]) begin
            a6_q    <= alu_src ? alu_converted : alu_value;
            pass6_q <= pass;
        end
        if (load[7]) begin
            a7_q    <= a6_q;
            pass7_q <= pass6_q;
        end
        if (load[8]) begin
            a8_q     <= a7_q;
            prod_q   <= {prod_top, prod_low[15:0]};
            shift8_q <= pass7_q ? 6'd0 : truncate[5:0];
        end
        if (load[9])  a9_q  <= a8_q;
        if (load[10]) add10_q <= a9_q ^ {32{subtract}};
        if (load[11]) out_data_q <= {alu[31:1], alu[0] || differ};
    end

endmodule

`default_nettype wire
