// CACC rounding: one accumulator to a result, out = acc / 2^truncate, half away from zero.
//
//     acc --> >> 0 .. 15 --> flop --> >> 0 or 16 --> flop --> round up, saturate --> out
//
// Two cycles, one result per cycle; the caller registers `out`. As in the documents, the test for
// "exactly one half" of a negative number sees only the 15 bits below the guard bit: the steps of 1
// to 15 come first, so that the last step by 16 has just these bits in its hands. No reset.
`default_nettype none
//% let saturates = types16 || acc_w > 32

module dla_cacc_round (
    input  wire               clk,
    input  wire        [1:0]  valid,     // bit n: a value is n cycles behind `acc`
    input  wire signed [${(types16 ? raw_w : acc_w) - 1}:0] acc,
    input  wire        [4:0]  truncate,  // stable while values are on their way
    input  wire               fp,     // fp16: as dla_cacc_fp32  //% if types16 && mixed
    output wire               sat,       // acc < 0: too small before rounding, else too big after  //% if saturates
    // No saturation: 32 bits at truncate = 0, and one less afterwards.  //% if !saturates
    output wire        [31:0] out
);

    localparam ACC_W = ${types16 ? raw_w : acc_w};
    localparam W     = ACC_W + 1;         // value and, in bit 0, the guard bit

    // ---------------------------------------------------------------- steps of 0 to 15
    // 0 to 3, then 0, 4, 8 or 12. AND-OR instead of 2-way selections: 1 LUT per bit.
    wire signed [W-1:0] a0 = {acc, 1'b0};
    wire signed [W-1:0] a1 = a0 >>> 1;
    wire signed [W-1:0] a2 = a0 >>> 2;
    wire signed [W-1:0] a3 = a0 >>> 3;
    wire signed [W-1:0] b0 =
        ({W{truncate[1:0] == 2'd0}} & a0) | ({W{truncate[1:0] == 2'd1}} & a1) |
        ({W{truncate[1:0] == 2'd2}} & a2) | ({W{truncate[1:0] == 2'd3}} & a3);
    wire signed [W-1:0] b1 = b0 >>> 4;
    wire signed [W-1:0] b2 = b0 >>> 8;
    wire signed [W-1:0] b3 = b0 >>> 12;
    reg  signed [W-1:0] c_q;
    reg                 low_q;            // ones dropped below the guard bit

    always @(posedge clk) begin
        if (valid[0]) begin
            c_q   <= ({W{truncate[3:2] == 2'd0}} & b0) | ({W{truncate[3:2] == 2'd1}} & b1) |
                     ({W{truncate[3:2] == 2'd2}} & b2) | ({W{truncate[3:2] == 2'd3}} & b3);
            low_q <= (truncate[1:0] == 2'd2 && a0[1]) ||
                     (truncate[1:0] == 2'd3 && a0[2:1] != 2'd0) ||
                     (truncate[3:2] == 2'd1 && b0[3:0] != 4'd0) ||
                     (truncate[3:2] == 2'd2 && b0[7:0] != 8'd0) ||
                     (truncate[3:2] == 2'd3 && b0[11:0] != 12'd0);
        end
    end

    // ---------------------------------------------------------------- step of 16
    wire                neg   = c_q[W-1];
    wire signed [W-1:0] far   = c_q >>> 16;
    wire        [W-1:0] d     = truncate[4] ? far : c_q;
    wire                below = truncate[4] ? c_q[15:1] != 15'd0 : low_q;
    reg         [31:0]  f_q;              // rounded down
    reg                 up_q;
//% if saturates
    reg                 neg_q;
    reg                 over_q;           // more than 32 bits
//% end

    always @(posedge clk) begin
        if (valid[1]) begin
            f_q    <= d[32:1];
            up_q   <= d[0] && (!neg || below);
//% if saturates
            neg_q  <= neg;
            over_q <= d[W-1:32] != {(W-32){neg}};
//% end
        end
    end

    // ---------------------------------------------------------------- result
//% if types16
    wire [31:0] sum  = f_q + {31'd0, up_q};
    wire        over = over_q || (!neg_q && sum[31]);
//%   if mixed
    wire [31:0] fp32;

    dla_cacc_fp32 u_fp32 (
        .clk   (clk),
        .valid (valid),
        .acc   (acc),
        .out   (fp32)
    );

    assign sat = over && !fp;
    assign out = fp ? fp32 : over ? {neg_q, {31{!neg_q}}} : sum;
//%   else

    assign sat = over;
    assign out = over ? {neg_q, {31{!neg_q}}} : sum;
//%   end
//% elif saturates
    wire [31:0] sum = f_q + {31'd0, up_q};

    assign sat = over_q || (!neg_q && sum[31]);
    assign out = sat ? {neg_q, {31{!neg_q}}} : sum;
//% else
    assign out = f_q + {31'd0, up_q};
//% end

endmodule

`default_nettype wire
