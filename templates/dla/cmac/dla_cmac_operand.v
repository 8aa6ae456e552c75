// CMAC operands: lanes taken apart for the alignment and the multipliers. One cycle.
//
//    fp16 = mantissa * 2^(4 * quarter - 25), mantissa of ${mant_w} bits
//
// Integers are their own mantissa, have exponent 0, and their sign is in the mantissa.  //% if mixed
// Infinity counts as 2^16. Registers keep their values without the enable. No reset.
`default_nettype none

module dla_cmac_operand (
    input  wire          clk,
    input  wire          enable,
    input  wire          fp,         // fp16  //% if mixed
    input  wire [${16 * atomic_c - 1:4}:0] lanes,
    output reg  [${atomic_c - 1:4}:0] on,         // not zero${int8 || int16 ? ", or an integer" : ""}
    output reg  [${atomic_c - 1:4}:0] negative,
    output reg  [${atomic_c - 1:4}:0] quarter2, quarter1, quarter0,
    output reg  [${atomic_c - 1:4}:0] is_nan,
    output reg  [${mant_w * atomic_c - 1:4}:0] mantissa
);

    function [13:0] fp16_mantissa(input [14:0] v);
        reg [10:0] m;
        begin
            m = {v[14:10] != 5'd0, v[9:0]};
            case (v[14:10] != 5'd0 ? v[11:10] : 2'd1)
                2'd0:    fp16_mantissa = {3'd0, m};
                2'd1:    fp16_mantissa = {2'd0, m, 1'b0};
                2'd2:    fp16_mantissa = {1'b0, m, 2'd0};
                default: fp16_mantissa = {m, 3'd0};
            endcase
        end
    endfunction

    integer i;

    always @(posedge clk) begin
        if (enable) begin
            for (i = 0; i < ${atomic_c}; i = i + 1) begin
                on[i]       <= lanes[16*i +: 15] != 15'd0;
                negative[i] <= lanes[16*i + 15];
                quarter2[i] <= lanes[16*i + 14];
                quarter1[i] <= lanes[16*i + 13];
                quarter0[i] <= lanes[16*i + 12];
                is_nan[i]   <= lanes[16*i + 10 +: 5] == 5'd31 && lanes[16*i +: 10] != 10'd0;
//% if mixed
                mantissa[16*i +: 16] <= fp ? {2'd0, fp16_mantissa(lanes[16*i +: 15])}
                                              : lanes[16*i +: 16];
//% else
                mantissa[14*i +: 14] <= fp16_mantissa(lanes[16*i +: 15]);
//% end
            end
//% if mixed
            if (!fp) begin
                on       <= {${atomic_c}{1'b1}};
                negative <= ${atomic_c}'d0;
                quarter2 <= ${atomic_c}'d0;
                quarter1 <= ${atomic_c}'d0;
                quarter0 <= ${atomic_c}'d0;
                is_nan   <= ${atomic_c}'d0;
            end
//% end
        end
    end

endmodule

`default_nettype wire
