// CMAC quad: four lanes of a cell by carry-save rows, summed. Four cycles: rows, shift, products,
// sum. Registers keep their values without an enable. No reset.
`default_nettype none

module dla_cmac_quad_csa (
    input  wire         clk,
    input  wire [3:0]   enable,     // of a beat: rows, shift, products, sum
    input  wire [1:0]   fp,      // of a beat: fp16; rows, shift  //% if mixed
    input  wire [2:0]   pair,       // of a beat: int8; rows, shift, products  //% if int8
    input  wire [${4 * mant_w - 1}:0]  weights,
    input  wire [${4 * mant_w - 1}:0]  dat,
    input  wire [3:0]   flip,       // of lanes: the other sign
    input  wire [3:0]   off,        // with the shift: nothing is left
    input  wire [3:0]   shift2, shift1, shift0,
//% if int8
    // 65536 * high + low; int8: the sums of both kernels
    output reg  [20:0]  low,        // both signed
    output reg  [17:0]  high
//% end
    output reg  [33:0]  sum         // signed  //% if !int8
);

//% if int8
    wire [18:0] lane_low  [0:3];
    wire [15:0] lane_high [0:3];

    function [20:0] low21(input [18:0] v);
        low21 = {{2{v[18]}}, v};
    endfunction

    function [17:0] high18(input [15:0] v);
        high18 = {{2{v[15]}}, v};
    endfunction
//% else
    wire [31:0] product [0:3];

    function [33:0] sum34(input [31:0] v);
        sum34 = {{2{v[31]}}, v};
    endfunction
//% end

    genvar i;
    generate
        for (i = 0; i < 4; i = i + 1) begin : gen_lane
            dla_cmac_lane u_lane (
                .clk         (clk),
                .enable      (enable[2:0]),
                .fp       (fp[0]),  //% if mixed
                .fp_shift (fp[1]),  //% if mixed
//% if int8
                .pair        (pair[0]),
                .pair_shift  (pair[1]),
                .pair_add    (pair[2]),
                .low         (lane_low[i]),
                .high        (lane_high[i]),
//% end
                .product     (product[i]),  //% if !int8
                .weight      (weights[${mant_w}*i +: ${mant_w}]),
                .dat         (dat[${mant_w}*i +: ${mant_w}]),
                .flip        (flip[i]),
                .off         (off[i]),
                .shift       ({shift2[i], shift1[i], shift0[i]})
            );
        end
    endgenerate

    always @(posedge clk) begin
        if (enable[3]) begin
//% if int8
            low  <= low21(lane_low[0]) + low21(lane_low[1]) + low21(lane_low[2])
                    + low21(lane_low[3]);
            high <= high18(lane_high[0]) + high18(lane_high[1]) + high18(lane_high[2])
                    + high18(lane_high[3]);
//% end
            sum  <= sum34(product[0]) + sum34(product[1]) + sum34(product[2]) + sum34(product[3]);  //% if !int8
        end
    end

endmodule

`default_nettype wire
