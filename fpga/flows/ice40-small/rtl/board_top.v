// ${board}: pins, clock and reset around ${system}. Made by macrame ${version}.
`default_nettype none

module board_top #(
    parameter DIV   = ${uart_div},          // cycles of the core's clock per bit of the serial line
    parameter GAP_W = 20           // the bridge forgets half a frame after 2^GAP_W cycles
) (
    input  wire       clk,            // ${clock_mhz} MHz
    input  wire       reset,          // button, or a pin that is pulled to the other level
    input  wire       uart_rx,
    output wire       uart_tx,
    output wire [${leds - 1}:0] led
);

    // ${clock_mhz} MHz * ${pll_feedback} / 2^${pll_output} = ${core_mhz} MHz
    wire core_clk;
    wire locked;

    SB_PLL40_CORE #(
        .FEEDBACK_PATH ("SIMPLE"),
        .DIVR          (4'd0),
        .DIVF          (7'd${pll_feedback - 1}),
        .DIVQ          (3'd${pll_output}),
        .FILTER_RANGE  (3'd1)
    ) u_pll (
        .REFERENCECLK(clk), .PLLOUTGLOBAL(core_clk), .LOCK(locked), .RESETB(1'b1), .BYPASS(1'b0)
    );

    wire [2:0] leds;

    assign led = ${led_level == 1 ? "" : "~"}leds[${leds - 1}:0];
    wire unused_leds = &leds[2:${leds}];    //% if leds < 3

    ${system} #(.DIV(DIV), .GAP_W(GAP_W)) u_system (
        .clk(core_clk), .arst_n(locked && reset != 1'b${reset_level}),
        .uart_rx(uart_rx), .uart_tx(uart_tx), .leds(leds)
    );

endmodule

`default_nettype wire
