    parameter DIV     = 60,         // cycles of clk per bit of the serial line
    parameter INIT_US = 200,        // wait of the SDRAM after reset  //% if memory == "sdram"
    parameter GAP_W   = 20          // the bridge forgets half a frame after 2^GAP_W cycles
) (
    input  wire        clk,
    input  wire        arst_n,      // asynchronous
//% if memory == "sdram"
    output wire        sdram_cke,
    output wire        sdram_cs_n,
    output wire        sdram_ras_n,
    output wire        sdram_cas_n,
    output wire        sdram_we_n,
    output wire [1:0]  sdram_ba,
    output wire [12:0] sdram_a,
    output wire [1:0]  sdram_dqm,
    output wire [15:0] sdram_dq_o,
    output wire        sdram_dq_oe,
    input  wire [15:0] sdram_dq_i,  // taken with the falling edge of clk
//% end
    input  wire        uart_rx,
    output wire        uart_tx,
    output wire [2:0]  leds         // the line is busy, interrupt, the accelerator is not in reset
