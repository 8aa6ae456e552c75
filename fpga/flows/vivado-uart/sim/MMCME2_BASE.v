// Stands in for the clock generator of a 7-series FPGA in simulation. Its output is its input:
// the clock that a simulator gives to the pin is that of the core, whatever the dividers are.
// LOCKED rises after 16 cycles, as the real one does after a while.
`default_nettype none

module MMCME2_BASE #(
    parameter real    CLKIN1_PERIOD    = 10.0,
    parameter integer DIVCLK_DIVIDE    = 1,
    parameter real    CLKFBOUT_MULT_F  = 10.0,
    parameter real    CLKOUT0_DIVIDE_F = 10.0
) (
    input  wire CLKIN1,
    input  wire CLKFBIN,
    output wire CLKFBOUT,
    output wire CLKOUT0,
    output wire LOCKED,
    input  wire PWRDWN,
    input  wire RST
);

    localparam integer NUMBERS = $rtoi(CLKIN1_PERIOD + CLKFBOUT_MULT_F + CLKOUT0_DIVIDE_F);

    wire unused = &{DIVCLK_DIVIDE, NUMBERS, CLKFBIN, PWRDWN, RST};

    reg [4:0] cycles_q = 5'd0;

    assign CLKFBOUT = CLKIN1;
    assign CLKOUT0  = CLKIN1;
    assign LOCKED   = cycles_q[4];

    always @(posedge CLKIN1) begin
        if (!LOCKED) cycles_q <= cycles_q + 5'd1;
    end

endmodule

`default_nettype wire
