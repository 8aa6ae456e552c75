// ${board}: clock and reset around ${system}. Made by macrame ${version}.
`default_nettype none

module board_top #(
    parameter DIV   = ${uart_div},          // cycles of the core's clock per bit of the serial line
    parameter GAP_W = 20           // the bridge forgets half a frame after 2^GAP_W cycles
) (
    input  wire       clk,            // ${clock_mhz} MHz
    input  wire       reset,          // button
    input  wire       uart_rx,
    output wire       uart_tx,
    output wire [${leds - 1}:0] led
);

    // ${clock_mhz} MHz / ${pll_input} * ${pll_feedback} / ${pll_output} = ${core_mhz} MHz
    wire pll_clk;
    wire feedback;
    wire core_clk;
    wire locked;

    MMCME2_BASE #(
        .CLKIN1_PERIOD    (${clock_ns}),
        .DIVCLK_DIVIDE    (${pll_input}),
        .CLKFBOUT_MULT_F  (${pll_feedback}.0),
        .CLKOUT0_DIVIDE_F (${pll_output}.0)
    ) u_pll (
        .CLKIN1(clk), .CLKFBIN(feedback), .CLKFBOUT(feedback), .CLKOUT0(pll_clk), .LOCKED(locked),
        .PWRDWN(1'b0), .RST(1'b0)
    );

    BUFG u_clock (.I(pll_clk), .O(core_clk));

    wire [2:0] leds;

    assign led = ${led_level == 1 ? "" : "~"}leds[${leds - 1}:0];
    wire unused_leds = &leds[2:${leds}];    //% if leds < 3

    ${system} #(.DIV(DIV), .GAP_W(GAP_W)) u_system (
        .clk(core_clk), .arst_n(locked && reset != 1'b${reset_level}),
        .uart_rx(uart_rx), .uart_tx(uart_tx), .leds(leds)
    );

endmodule

`default_nettype wire
