// Stands in for the PLL of an ECP5 in simulation. Its output is its input: the clock that a
// simulator gives to the pin is that of the core, whatever the dividers are. LOCK rises after 16
// cycles, as the real one does after a while. Pins and parameters that board_top does not use do
// nothing.
`default_nettype none

module EHXPLLL #(
    parameter         PLLRST_ENA      = "DISABLED",
    parameter         INTFB_WAKE      = "DISABLED",
    parameter         STDBY_ENABLE    = "DISABLED",
    parameter         DPHASE_SOURCE   = "DISABLED",
    parameter         OUTDIVIDER_MUXA = "DIVA",
    parameter         OUTDIVIDER_MUXB = "DIVB",
    parameter         OUTDIVIDER_MUXC = "DIVC",
    parameter         OUTDIVIDER_MUXD = "DIVD",
    parameter integer CLKI_DIV        = 1,
    parameter integer CLKFB_DIV       = 1,
    parameter         CLKOP_ENABLE    = "ENABLED",
    parameter integer CLKOP_DIV       = 8,
    parameter integer CLKOP_CPHASE    = 0,
    parameter integer CLKOP_FPHASE    = 0,
    parameter         FEEDBK_PATH     = "CLKOP"
) (
    input  wire RST,
    input  wire STDBY,
    input  wire CLKI,
    input  wire CLKFB,
    output wire CLKOP,
    output wire LOCK,
    input  wire PHASESEL0,
    input  wire PHASESEL1,
    input  wire PHASEDIR,
    input  wire PHASESTEP,
    input  wire PHASELOADREG,
    input  wire PLLWAKESYNC,
    input  wire ENCLKOP,
    input  wire ENCLKOS,
    input  wire ENCLKOS2,
    input  wire ENCLKOS3
);

    wire unused = &{PLLRST_ENA, INTFB_WAKE, STDBY_ENABLE, DPHASE_SOURCE, OUTDIVIDER_MUXA,
                    OUTDIVIDER_MUXB, OUTDIVIDER_MUXC, OUTDIVIDER_MUXD, CLKI_DIV, CLKFB_DIV,
                    CLKOP_ENABLE, CLKOP_DIV, CLKOP_CPHASE, CLKOP_FPHASE, FEEDBK_PATH, RST, STDBY,
                    CLKFB, PHASESEL0, PHASESEL1, PHASEDIR, PHASESTEP, PHASELOADREG, PLLWAKESYNC,
                    ENCLKOP, ENCLKOS, ENCLKOS2, ENCLKOS3};

    reg [4:0] cycles_q = 5'd0;

    assign CLKOP = CLKI;
    assign LOCK  = cycles_q[4];

    always @(posedge CLKI) begin
        if (!LOCK) cycles_q <= cycles_q + 5'd1;
    end

endmodule

`default_nettype wire
