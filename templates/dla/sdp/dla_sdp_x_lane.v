// One lane of an X stage (BS or BN) of SDP: ALU, multiplier, rounding shift, ReLU on one element.
//
// Contract: eight register stages, each moves with its `load` bit, the last with `load_out`; no
// reset, valid bits of dla_sdp_x guard the data. Operands are sampled with load[0].
//
//     in -> | v, a, b | a << shift | saturate | v op a (33 bits) | * b | sum (50 bits) |
//           | >> mul_shift | round, saturate, ReLU ->
// bypass: the word goes into the last stage with load_out.
`default_nettype none

module dla_sdp_x_lane (
    input  wire         clk,
    input  wire         rst_n,
    input  wire [6:0]   load,          // input of stage 0 .. 6 is valid
    input  wire         load_out,      // of stage 7, or of the word at in_data

    // the stage, decoded
    input  wire         bypass,
    input  wire [16:0]  alu_power,     // 2^(left shift mod 16), 0 without ALU
    input  wire [1:0]   alu_high,      // left shift by 32 or more, by 16 or more
    input  wire         max_min,
    input  wire         least,         // min
    input  wire         mul_memory,    // mul_operand counts, else it is 0
    input  wire [16:0]  mul_value,     // the factor else, doubled for an even shift
    input  wire         prelu,         // multiply and shift negative numbers only
    input  wire [5:0]   mul_shift,     // right
    input  wire         relu,

    input  wire [31:0]  in_data,       // signed
    input  wire [15:0]  alu_operand,   // signed
    input  wire [15:0]  mul_operand,   // signed
    output wire [31:0]  out_data       // signed, from registers
);

    // ---- operand << alu_shift, saturated to 32 bits. Up to 15 it fits: a product with a power of
    // two, which a DSP block gives for nothing. With 16 and more the result is
    // operand << (shift - 16) in the upper half: its bits 30:15 must all be sign.
    reg  signed [15:0] a0_q;
    wire signed [16:0] power = alu_power;
    reg  signed [32:0] by_15_q;
    reg  [31:0]  v0_q, v1_q, v2_q;
    reg  [31:0]  add2_q;               // for max and min its complement
    reg  [15:0]  b0_q, b1_q, b2_q, b3_q;
    reg  signed [32:0] alu3_q;

    wire         neg     = by_15_q[31];
    wire         too_big = (by_15_q[30:15] != {16{neg}}) || (alu_high[1] && (|by_15_q[30:0]));
    wire [31:0]  shifted = !alu_high[0] ? by_15_q[31:0] :
                           too_big      ? {neg, {31{~neg}}} : {by_15_q[15:0], 16'd0};

    // ---- ALU: max and min share the adder, v - a < 0 tells which is larger
    wire         subtract;             // each lane has its own

    reg_copy #(.W(1)) u_layer (.clk(clk), .rst_n(rst_n), .d(max_min), .q(subtract));

    wire [32:0]  a_signed = {add2_q[31], add2_q};
    wire [32:0]  v_wide   = {v2_q[31], v2_q};
    wire [32:0]  sum      = v_wide + a_signed + {32'd0, subtract};
    wire [32:0]  alu      = !subtract ? sum : (sum[32] ^ least) ? ~a_signed : v_wide;

    // ---- multiplier: those that PReLU passes are doubled, and shifted by one
    wire         pass3 = prelu && !alu3_q[32];
    wire [16:0]  b3    = mul_shift[0] ? {b3_q[15], b3_q} : {b3_q, 1'b0};
    wire [16:0]  mul_b = pass3 ? 17'd2 : b3 | mul_value;
    reg          pass4_q, pass5_q;
    reg  [4:0]   pairs5_q;

    dla_sdp_x_scale u_scale (
        .clk      (clk),
        .load     (load[6:4]),
        .load_out (load_out),
        .bypass   (bypass),
        .relu     (relu),
        .a        (alu3_q),
        .b        (mul_b),
        .pairs    (pairs5_q),
        .wrap     (pass5_q),
        .in       (in_data),
        .out_q    (out_data)
    );

    always @(posedge clk) begin
        if (load[0]) begin
            v0_q <= in_data;
            a0_q <= alu_operand;
            b0_q <= mul_memory ? mul_operand : 16'd0;
        end
        if (load[1]) begin
            v1_q    <= v0_q;
            by_15_q <= a0_q * power;
            b1_q    <= b0_q;
        end
        if (load[2]) begin
            v2_q   <= v1_q;
            add2_q <= shifted ^ {32{subtract}};
            b2_q   <= b1_q;
        end
        if (load[3]) begin
            alu3_q <= alu;
            b3_q   <= b2_q;
        end
        if (load[4]) pass4_q <= pass3;
        if (load[5]) begin
            pass5_q  <= pass4_q;
            pairs5_q <= pass4_q ? 5'd0 : mul_shift[5:1];
        end
    end

    wire unused_bits = by_15_q[32];

endmodule

`default_nettype wire
