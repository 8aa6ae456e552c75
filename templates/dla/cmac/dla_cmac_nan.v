// CMAC NaN: the first NaN of ${atomic_c} lanes, lowest lane first. Two cycles: the first of every group of
// 8 lanes, the first of all. Registers keep their values without an enable. No reset.
`default_nettype none

module dla_cmac_nan (
    input  wire          clk,
    input  wire [1:0]    enable,
    input  wire [${atomic_c - 1:4}:0] is_nan,
    input  wire [${atomic_c - 1:4}:0] negative,
    input  wire [${atomic_c * mant_w - 1:4}:0] mantissas,  // those of a NaN: fraction in 12:3
    output reg  [11:0]   first       // there is one, sign, fraction
);

    reg [${12 * atomic_c / 8 - 1}:0] first_q;      // of each group
    reg [11:0] best;
    integer    f, g, i;

    always @* begin
        best = 12'd0;
        for (f = ${atomic_c / 8 - 1}; f >= 0; f = f - 1) begin
            if (first_q[12*f + 11]) best = first_q[12*f +: 12];
        end
    end

    always @(posedge clk) begin
        if (enable[0]) begin
            for (g = 0; g < ${atomic_c / 8}; g = g + 1) begin
                first_q[12*g +: 12] <= 12'd0;
                for (i = 8 * g + 7; i >= 8 * g; i = i - 1) begin
                    if (is_nan[i]) begin
                        first_q[12*g +: 12] <= {1'b1, negative[i], mantissas[${mant_w}*i + 3 +: 10]};
                    end
                end
            end
        end
        if (enable[1]) first <= best;
    end

endmodule

`default_nettype wire
