// ${board}: pins, clock and reset around ${system}. Made by macrame ${version}.
`default_nettype none

module board_top #(
    parameter DIV     = ${uart_div},         // cycles of the core's clock per bit of the serial line
//% if memory == "sdram"
    parameter INIT_US = 200,        // wait of the SDRAM after reset
//% end
    parameter GAP_W   = 20          // the bridge forgets half a frame after 2^GAP_W cycles
) (
    input  wire        clk,           // ${clock_mhz} MHz
    input  wire        reset,         // button
//% if memory == "sdram"
    output wire        sdram_clk,
    output wire        sdram_cke,
    output wire        sdram_cs_n,
    output wire        sdram_ras_n,
    output wire        sdram_cas_n,
    output wire        sdram_we_n,
    output wire [1:0]  sdram_ba,
    output wire [12:0] sdram_a,
    output wire [1:0]  sdram_dqm,
    inout  wire [15:0] sdram_dq,
//% end
    input  wire        uart_rx,
    output wire        uart_tx,
    output wire [${leds - 1}:0]  led
);

    // ${clock_mhz} MHz / ${pll_input} * ${pll_feedback} = ${core_mhz} MHz; the oscillator runs at ${core_mhz * pll_output} MHz.
    wire core_clk;
    wire locked;

    (* FREQUENCY_PIN_CLKI = "${clock_mhz}", FREQUENCY_PIN_CLKOP = "${core_mhz}" *)
    (* ICP_CURRENT = "12", LPF_RESISTOR = "8", MFG_ENABLE_FILTEROPAMP = "1", MFG_GMCREF_SEL = "2" *)
    EHXPLLL #(
        .PLLRST_ENA       ("DISABLED"),
        .INTFB_WAKE       ("DISABLED"),
        .STDBY_ENABLE     ("DISABLED"),
        .DPHASE_SOURCE    ("DISABLED"),
        .OUTDIVIDER_MUXA  ("DIVA"),
        .OUTDIVIDER_MUXB  ("DIVB"),
        .OUTDIVIDER_MUXC  ("DIVC"),
        .OUTDIVIDER_MUXD  ("DIVD"),
        .CLKI_DIV         (${pll_input}),
        .CLKFB_DIV        (${pll_feedback}),
        .CLKOP_ENABLE     ("ENABLED"),
        .CLKOP_DIV        (${pll_output}),
        .CLKOP_CPHASE     (${pll_output - 1}),
        .CLKOP_FPHASE     (0),
        .FEEDBK_PATH      ("CLKOP")
    ) u_pll (
        .RST(1'b0), .STDBY(1'b0), .CLKI(clk), .CLKFB(core_clk), .CLKOP(core_clk), .LOCK(locked),
        .PHASESEL0(1'b0), .PHASESEL1(1'b0), .PHASEDIR(1'b1), .PHASESTEP(1'b1), .PHASELOADREG(1'b1),
        .PLLWAKESYNC(1'b0), .ENCLKOP(1'b0), .ENCLKOS(1'b0), .ENCLKOS2(1'b0), .ENCLKOS3(1'b0)
    );
//% if memory == "sdram"

    // The SDRAM sees the clock inverted, made where the data leave.
    wire [15:0] dq_o;
    wire        dq_oe;

    ODDRX1F u_sdram_clk (.SCLK(core_clk), .RST(1'b0), .D0(1'b0), .D1(1'b1), .Q(sdram_clk));

    assign sdram_dq = dq_oe ? dq_o : 16'bz;
//% end

    wire [2:0] leds;

    assign led = ${led_level == 1 ? "" : "~"}leds[${leds - 1}:0];
    wire unused_leds = &leds[2:${leds}];    //% if leds < 3

//% if memory == "sdram"
    ${system} #(.DIV(DIV), .INIT_US(INIT_US), .GAP_W(GAP_W)) u_system (
//% else
    ${system} #(.DIV(DIV), .GAP_W(GAP_W)) u_system (
//% end
        .clk(core_clk), .arst_n(locked && reset != 1'b${reset_level}),
//% if memory == "sdram"
        .sdram_cke(sdram_cke), .sdram_cs_n(sdram_cs_n), .sdram_ras_n(sdram_ras_n),
        .sdram_cas_n(sdram_cas_n), .sdram_we_n(sdram_we_n), .sdram_ba(sdram_ba),
        .sdram_a(sdram_a), .sdram_dqm(sdram_dqm), .sdram_dq_o(dq_o), .sdram_dq_oe(dq_oe),
        .sdram_dq_i(sdram_dq),
//% end
        .uart_rx(uart_rx), .uart_tx(uart_tx), .leds(leds)
    );

endmodule

`default_nettype wire
