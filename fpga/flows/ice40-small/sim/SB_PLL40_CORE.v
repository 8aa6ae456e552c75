// Stands in for the PLL of an iCE40 in simulation. Its output is its input: the clock that a
// simulator gives to the pin is that of the core, whatever the dividers are. LOCK rises after 16
// cycles, as the real one does after a while.
`default_nettype none

module SB_PLL40_CORE #(
    parameter       FEEDBACK_PATH = "SIMPLE",
    parameter [3:0] DIVR          = 4'd0,
    parameter [6:0] DIVF          = 7'd0,
    parameter [2:0] DIVQ          = 3'd0,
    parameter [2:0] FILTER_RANGE  = 3'd0
) (
    input  wire REFERENCECLK,
    output wire PLLOUTGLOBAL,
    output wire LOCK,
    input  wire RESETB,
    input  wire BYPASS
);

    wire unused = &{FEEDBACK_PATH, DIVR, DIVF, DIVQ, FILTER_RANGE, RESETB, BYPASS};

    reg [4:0] cycles_q = 5'd0;

    assign PLLOUTGLOBAL = REFERENCECLK;
    assign LOCK         = cycles_q[4];

    always @(posedge REFERENCECLK) begin
        if (!LOCK) cycles_q <= cycles_q + 5'd1;
    end

endmodule

`default_nettype wire
