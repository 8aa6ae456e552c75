// Clock gate: gclk follows clk in every cycle before whose rising edge en was high.
// en may change while clk is high without a glitch; test_en keeps the clock running.
// Technology files replace this module. Its latch is the only one in the design.
`default_nettype none

module clkgate (
    input  wire clk,
    input  wire en,                   // sampled until the rising edge of clk
    input  wire test_en,              // 1: clock always on
    output wire gclk
);

    /* verilator lint_off LATCH */
    reg en_q;

    always @* begin
        if (!clk) en_q = en || test_en;
    end
    /* verilator lint_on LATCH */

    assign gclk = clk && en_q;

endmodule

`default_nettype wire
