`default_nettype none

// One lane of an X stage (BS or BN) of SDP: ALU, multiplier, rounding shift, ReLU on one element.
//
// Contract: four register stages, each moves with its `load` bit; no reset, valid bits of dla_sdp
// guard the data. Operand registers and memory operands are sampled with load[0].
//
//     in -> | v, o = operand << shift | v op o (33 bits) | * b (49 bits) | >> shift, sat, ReLU | ->
module dla_sdp_x_lane (
    input  wire         clk,
    input  wire [3:0]   load,          // input of stage 1, 2, 3, 4 is valid and moves

    input  wire         alu_on,
    input  wire [1:0]   alu_algo,      // 0 max, 1 min, 2 and 3 sum
    input  wire         mul_on,
    input  wire         prelu,         // multiply and shift negative numbers only
    input  wire         relu,
    input  wire         shift_on,      // 0: the whole stage is bypassed
    input  wire [5:0]   alu_shift,     // left
    input  wire [5:0]   mul_shift,     // right

    input  wire [31:0]  in_data,       // signed
    input  wire [15:0]  alu_operand,   // signed
    input  wire [15:0]  mul_operand,   // signed
    output reg  [31:0]  out_data_q     // signed
);

    // ---- operand << alu_shift, saturated to 32 bits. Up to 15 it fits. With 16 and more the
    // result is operand << (shift - 16) in the upper half: its bits 30:15 must all be sign.
    wire         neg      = alu_operand[15];
    wire [18:0]  by_3     = {{3{neg}}, alu_operand} << alu_shift[1:0];
    wire [30:0]  by_15    = {{12{neg}}, by_3} << {alu_shift[3:2], 2'b00};
    wire         too_big  = (by_15[30:15] != {16{neg}}) | alu_shift[5];
    wire         any      = |alu_operand;
    wire         upper    = |alu_shift[5:4];
    wire         clip     = upper & too_big & any;
    wire [31:0]  half_up  = {by_15[15:0], 16'd0};
    wire [31:0]  shifted  = clip  ? {neg, {31{~neg}}} :
                            upper ? half_up : {neg, by_15};

    // ---- ALU: max and min share the adder, v - o < 0 tells which is larger
    reg  [31:0]  v_q;
    reg  [31:0]  o_q;
    reg  [15:0]  b_q;
    reg  [32:0]  alu_q;
    reg  [15:0]  b_alu_q;

    wire         subtract = ~alu_algo[1];
    wire [32:0]  v_wide   = {v_q[31], v_q};
    wire [32:0]  o_wide   = {o_q[31], o_q};
    wire [32:0]  sum      = v_wide + (o_wide ^ {33{subtract}}) + {32'd0, subtract};
    wire         take_o   = alu_on & subtract & (sum[32] ^ alu_algo[0]);
    wire         take_sum = alu_on & ~subtract;

    // ---- multiplier: B = 1 where it is bypassed, as for the numbers that PReLU passes
    wire         pass     = ~shift_on | (mul_on & prelu & ~alu_q[32]);
    wire signed [32:0] mul_a = alu_q;
    wire signed [15:0] mul_b = (mul_on & ~pass) ? b_alu_q : 16'h0001;
    reg  signed [48:0] prod_q;
    reg          pass_q;

    // ---- rounding shift, ReLU
    wire signed [31:0] rounded;
    wire         unused_sat;

    round_shift #(.IN_W(49), .SHIFT_W(6), .OUT_W(32)) u_shift (
        .in (prod_q), .shift (mul_shift), .out (rounded), .sat (unused_sat)
    );

    wire [31:0]  result   = pass_q ? prod_q[31:0] : rounded;

    always @(posedge clk) begin
        if (load[0]) begin
            v_q <= in_data;
            o_q <= shifted;
            b_q <= mul_operand;
        end
        if (load[1]) begin
            alu_q   <= take_sum ? sum : take_o ? o_wide : v_wide;
            b_alu_q <= b_q;
        end
        if (load[2]) begin
            prod_q <= mul_a * mul_b;
            pass_q <= pass;
        end
        if (load[3]) begin
            out_data_q <= (relu & result[31]) ? 32'd0 : result;
        end
    end

endmodule

`default_nettype wire
