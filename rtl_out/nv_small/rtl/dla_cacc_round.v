// Made by macrame 0.1.0 from templates/dla/cacc/dla_cacc_round.v
// with acc_w=32

// CACC rounding: one accumulator to a result, out = acc / 2^truncate, half away from zero.
// Combinational. As in the documents, the test for "exactly one half" of a negative number sees
// only the 15 bits below the guard bit: the steps of 1 to 15 come first, so that the last step by
// 16 has just these bits in its hands.
`default_nettype none

module dla_cacc_round (
    input  wire               en,        // 0: nobody looks; lets simulators skip the work
    input  wire signed [31:0] acc,
    input  wire        [4:0]  truncate,
    // No saturation: 32 bits at truncate = 0, and one less afterwards.
    output reg  signed [31:0] out
);

    localparam ACC_W = 32;
    localparam W     = ACC_W + 1;         // value and, in bit 0, the guard bit

    wire neg = acc[ACC_W-1];

    reg signed [W-1:0] a0, a1, a2, a3, b0, b1, b2, b3, c0, c1;
    reg                low;               // ones dropped below the guard bit by steps of 1 to 15
    reg  [ACC_W-1:0]   f;                 // rounded down
    reg                up;

    // Steps of 0 to 3, then of 0, 4, 8 or 12. AND-OR instead of 2-way selections: 1 LUT per bit.
    always @* begin
        {a0, a1, a2, a3} = {(4*W){1'bx}};
        {b0, b1, b2, b3} = {(4*W){1'bx}};
        {c0, c1}         = {(2*W){1'bx}};
        {low, f, up}     = {(ACC_W+2){1'bx}};
        out              = {32{1'bx}};
        if (en) begin
            a0  = {acc, 1'b0};
            a1  = a0 >>> 1;
            a2  = a0 >>> 2;
            a3  = a0 >>> 3;
            b0  = ({W{truncate[1:0] == 2'd0}} & a0) | ({W{truncate[1:0] == 2'd1}} & a1)
                | ({W{truncate[1:0] == 2'd2}} & a2) | ({W{truncate[1:0] == 2'd3}} & a3);
            b1  = b0 >>> 4;
            b2  = b0 >>> 8;
            b3  = b0 >>> 12;
            c0  = ({W{truncate[3:2] == 2'd0}} & b0) | ({W{truncate[3:2] == 2'd1}} & b1)
                | ({W{truncate[3:2] == 2'd2}} & b2) | ({W{truncate[3:2] == 2'd3}} & b3);
            c1  = c0 >>> 16;
            low = (truncate[1:0] == 2'd2 && a0[1])
               || (truncate[1:0] == 2'd3 && a0[2:1] != 2'd0)
               || (truncate[3:2] == 2'd1 && b0[3:0] != 4'd0)
               || (truncate[3:2] == 2'd2 && b0[7:0] != 8'd0)
               || (truncate[3:2] == 2'd3 && b0[11:0] != 12'd0);
            f   = truncate[4] ? c1[W-1:1] : c0[W-1:1];
            up  = (truncate[4] ? c1[0] : c0[0])
               && (!neg || (truncate[4] ? c0[15:1] != 15'd0 : low));
            out = f[31:0] + {31'd0, up};
        end
    end

endmodule

`default_nettype wire
