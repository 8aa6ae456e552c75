// One lane of an X stage (BS or BN) of SDP: ALU, multiplier, rounding shift, ReLU on one element.
//
// Contract: four register stages, each moves with its `load` bit; no reset, valid bits of dla_sdp
// guard the data. Operand registers and memory operands are sampled with load[0].
//
//     in -> | v, o = operand << shift | v op o (33 bits) | * b (49 bits) | >> shift, sat, ReLU | ->
`default_nettype none

module dla_sdp_x_lane (
    input  wire         clk,
    input  wire [3:0]   load,          // input of stage 1, 2, 3, 4 is valid and moves
    input  wire         last_valid,    // input of stage 4 is valid

    input  wire         alu_on,
    input  wire [1:0]   alu_algo,      // 0 max, 1 min, 2 and 3 sum
    input  wire         mul_on,
    input  wire         prelu,         // multiply and shift negative numbers only
    input  wire         relu,
    input  wire         shift_on,      // 0: the whole stage is bypassed
    input  wire [5:0]   alu_shift,     // left
    input  wire [16:0]  alu_power,     // 2^(alu_shift mod 16)
    input  wire [5:0]   mul_shift,     // right

    input  wire [31:0]  in_data,       // signed
    input  wire [15:0]  alu_operand,   // signed
    input  wire [15:0]  mul_operand,   // signed
    output reg  [31:0]  out_data_q     // signed
);

    // ---- operand << alu_shift, saturated to 32 bits. Up to 15 it fits: a product with a power of
    // two, which a DSP block gives for nothing. With 16 and more the result is
    // operand << (shift - 16) in the upper half: its bits 30:15 must all be sign.
    wire signed [15:0] operand = alu_operand;
    wire signed [16:0] power   = alu_power;
    reg  signed [32:0] by_15_q;
    reg  [31:0]  v_q;
    reg  [15:0]  b_q;
    reg  [32:0]  alu_q;
    reg  [15:0]  b_alu_q;

    function [31:0] shifted;
        input [31:0] by_15;
        input [1:0]  high;             // bits 5:4 of the shift
        reg          neg;
        reg          too_big;
        begin
            neg     = by_15[31];
            too_big = (by_15[30:15] != {16{neg}}) || (high[1] && (|by_15[30:0]));
            shifted = high == 2'd0 ? by_15[31:0] :
                      too_big      ? {neg, {31{~neg}}} : {by_15[15:0], 16'd0};
        end
    endfunction

    // ---- ALU: max and min share the adder, v - o < 0 tells which is larger
    wire         subtract = !alu_algo[1];

    function [32:0] alu;
        input [31:0] v;
        input [31:0] o;
        input        on;
        input        sub;
        input        least;
        reg   [32:0] v_wide;
        reg   [32:0] o_signed;
        reg   [32:0] sum;
        begin
            v_wide   = {v[31], v};
            o_signed = {o[31], o} ^ {33{sub}};
            sum      = v_wide + o_signed + {32'd0, sub};
            alu      = !on ? v_wide : !sub ? sum : (sum[32] ^ least) ? ~o_signed : v_wide;
        end
    endfunction

    // ---- multiplier: B = 1 where it is bypassed, as for the numbers that PReLU passes
    wire         pass     = !shift_on || (mul_on && prelu && !alu_q[32]);
    wire signed [32:0] mul_a = alu_q;
    wire signed [15:0] mul_b = (mul_on && !pass) ? b_alu_q : 16'h0001;
    reg  signed [48:0] prod_q;
    reg          pass_q;

    // ---- rounding shift, ReLU
    wire signed [31:0] rounded;
    wire         unused_sat;

    round_shift #(.IN_W(49), .SHIFT_W(6), .OUT_W(32)) u_shift (
        .en (last_valid), .in (prod_q), .shift (mul_shift), .out (rounded),
        .sat (unused_sat)
    );

    wire [31:0]  result   = pass_q ? prod_q[31:0] : rounded;

    always @(posedge clk) begin
        if (load[0]) begin
            v_q     <= in_data;
            by_15_q <= operand * power;
            b_q     <= mul_operand;
        end
        if (load[1]) begin
            alu_q   <= alu(v_q, shifted(by_15_q[31:0], alu_shift[5:4]), alu_on, subtract,
                           alu_algo[0]);
            b_alu_q <= b_q;
        end
        if (load[2]) begin
            prod_q <= mul_a * mul_b;
            pass_q <= pass;
        end
        if (load[3]) begin
            out_data_q <= (relu && result[31]) ? 32'd0 : result;
        end
    end

    wire unused_bits = &{1'b0, by_15_q[32], alu_shift[3:0]};

endmodule

`default_nettype wire
