// The top of ${board} for a simulator: pins that are driven from both sides become three,
// and the serial line has few cycles per bit, so that it is as fast as the simulation.
// Made by macrame ${version}.
`default_nettype none

module board_sim (
    input  wire        clk,
    input  wire        reset,
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
    output wire [15:0] sdram_dq_o,
    output wire        sdram_dq_oe,   // board_top drives
    input  wire [15:0] sdram_dq_i,    // what the chip drives when board_top does not
//% end
    input  wire        uart_rx,
    output wire        uart_tx,
    output wire [${leds - 1}:0]  led
);

//% if memory == "sdram"
    wire [15:0] dq;

    assign sdram_dq_o  = dq;
    assign sdram_dq_oe = u_board.dq_oe;
    assign dq          = sdram_dq_oe ? 16'bz : sdram_dq_i;

    board_top #(.DIV(4), .GAP_W(14), .INIT_US(101)) u_board (
        .clk(clk), .reset(reset),
        .sdram_clk(sdram_clk), .sdram_cke(sdram_cke), .sdram_cs_n(sdram_cs_n),
        .sdram_ras_n(sdram_ras_n), .sdram_cas_n(sdram_cas_n), .sdram_we_n(sdram_we_n),
        .sdram_ba(sdram_ba), .sdram_a(sdram_a), .sdram_dqm(sdram_dqm), .sdram_dq(dq),
        .uart_rx(uart_rx), .uart_tx(uart_tx), .led(led)
    );
//% else
    board_top #(.DIV(4), .GAP_W(14)) u_board (
        .clk(clk), .reset(reset), .uart_rx(uart_rx), .uart_tx(uart_tx), .led(led)
    );
//% end

endmodule

`default_nettype wire
