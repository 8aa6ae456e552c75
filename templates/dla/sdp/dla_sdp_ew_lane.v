// One lane of the EW stage of SDP without its table: operand convertors, multiplier, ALU.
//
// Contract: six register stages, each moves with its `load` bit; no reset, valid bits of dla_sdp_ew
// guard the data. Memory operands are sampled with load[0].
//
//     operands -> | - offset | * scale | >> shift, or register |
//     v                                              -> | * b | >> truncate | v op a | ->
`default_nettype none

module dla_sdp_ew_lane (
    input  wire         clk,
    input  wire [5:0]   load,          // input of stage 1 .. 6 is valid and moves
    input  wire         busy,          // 0: all stages are empty

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
    wire signed [31:0] alu_operand_s = {{16{alu_operand[15]}}, alu_operand};
    wire signed [31:0] mul_operand_s = {{16{mul_operand[15]}}, mul_operand};
    wire signed [31:0] alu_offset_s  = alu_offset;
    wire signed [31:0] mul_offset_s  = mul_offset;
    wire signed [15:0] alu_scale_s   = alu_scale;
    wire signed [15:0] mul_scale_s   = mul_scale;
    reg  signed [32:0] alu_diff_q, mul_diff_q;
    reg  signed [48:0] alu_prod_q, mul_prod_q;
    wire signed [31:0] alu_converted, mul_converted;
    wire               unused_alu_sat, unused_mul_sat;

    round_shift #(.IN_W(49), .SHIFT_W(6), .OUT_W(32)) u_alu_shift (
        .en (busy), .in (alu_prod_q), .shift (alu_shift), .out (alu_converted),
        .sat (unused_alu_sat)
    );
    round_shift #(.IN_W(49), .SHIFT_W(6), .OUT_W(32)) u_mul_shift (
        .en (busy), .in (mul_prod_q), .shift (mul_shift), .out (mul_converted),
        .sat (unused_mul_sat)
    );

    // ------------------------------------------------------------------ multiplier
    reg  [31:0]        v0_q, v1_q;
    reg  signed [31:0] v2_q, b2_q;
    reg  [31:0]        a2_q, a3_q, a4_q;
    reg  signed [63:0] prod_q;
    reg                pass_q;
    wire               pass = !mul_on || (prelu && !v2_q[31]);
    wire signed [31:0] mul_b = pass ? 32'sd1 : b2_q;
    wire signed [31:0] shifted;
    wire               unused_sat;

    round_shift #(.IN_W(64), .SHIFT_W(6), .OUT_W(32)) u_truncate (
        .en (busy), .in (prod_q), .shift (truncate[5:0]), .out (shifted), .sat (unused_sat)
    );

    wire [31:0]        rounded = (|truncate[9:6]) ? 32'd0 : shifted;
    reg  [31:0]        r_q;

    // ------------------------------------------------------------------ ALU
    // One adder: v - a < 0 tells which is larger, v + a is the sum.
    function [31:0] alu;
        input [31:0] v;
        input [31:0] a;
        input [1:0]  algo;             // 0 max, 1 min, 2 sum, 3 unequal
        reg          subtract;
        reg   [32:0] sum;
        begin
            subtract = !algo[1];
            sum      = {v[31], v} + ({a[31], a} ^ {33{subtract}}) + {32'd0, subtract};
            alu      = subtract          ? ((sum[32] ^ algo[0]) ? a : v) :
                       algo[0]           ? {31'd0, v != a} :
                       sum[32] != sum[31] ? {sum[32], {31{~sum[32]}}} : sum[31:0];
        end
    endfunction

    always @(posedge clk) begin
        if (load[0]) begin
            v0_q       <= in_data;
            alu_diff_q <= alu_operand_s - alu_offset_s;
            mul_diff_q <= mul_operand_s - mul_offset_s;
        end
        if (load[1]) begin
            v1_q       <= v0_q;
            alu_prod_q <= alu_diff_q * alu_scale_s;
            mul_prod_q <= mul_diff_q * mul_scale_s;
        end
        if (load[2]) begin
            v2_q <= v1_q;
            a2_q <= alu_src ? alu_converted : alu_value;
            b2_q <= mul_src ? mul_converted : mul_value;
        end
        if (load[3]) begin
            a3_q   <= a2_q;
            prod_q <= v2_q * mul_b;
            pass_q <= pass;
        end
        if (load[4]) begin
            a4_q <= a3_q;
            r_q  <= pass_q ? prod_q[31:0] : rounded;
        end
        if (load[5]) out_data_q <= alu_on ? alu(r_q, a4_q, alu_algo) : r_q;
    end

endmodule

`default_nettype wire
