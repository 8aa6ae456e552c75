// CMAC quad: four lanes of a cell by multipliers, summed. Three cycles: products, sums of two, sum
// of all. Registers keep their values without an enable. No reset.
`default_nettype none

module dla_cmac_quad_mul (
    input  wire         clk,
    input  wire         load,
    input  wire         pair,       // with load: each weight is two of int8  //% if int8
    input  wire [63:0]  weights,
    input  wire [63:0]  dat,        // out of a register
    input  wire [2:0]   enable,     // of a beat: its products, the sums of two, the sum
//% if int8
    // int16: 65536 * high + low; int8: the sums of both kernels
    output reg  [17:0]  low,        // both signed
    output reg  [17:0]  high
//% else
    output reg  [33:0]  sum         // signed
//% end
);

    wire [32:0] dot0, dot1;

    dla_cmac_dot16 u_low (
        .clk      (clk),
        .load     (load),
        .pair     (pair),  //% if int8
        .weights  (weights[31:0]),
        .multiply (enable[0]),
        .dat      (dat[31:0]),
        .add      (enable[1]),
        .sum      (dot0)
    );

    dla_cmac_dot16 u_high (
        .clk      (clk),
        .load     (load),
        .pair     (pair),  //% if int8
        .weights  (weights[63:32]),
        .multiply (enable[0]),
        .dat      (dat[63:32]),
        .add      (enable[1]),
        .sum      (dot1)
    );

    always @(posedge clk) begin
        if (enable[2]) begin
//% if int8
            low  <= {2'd0, dot0[15:0]} + {2'd0, dot1[15:0]} - 18'd65534;
            high <= {dot0[32], dot0[32:16]} + {dot1[32], dot1[32:16]};
//% else
            sum  <= {dot0[32], dot0} + {dot1[32], dot1};
//% end
        end
    end

endmodule

`default_nettype wire
