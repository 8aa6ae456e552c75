// The accelerator with all that it needs on a board without a processor: a host behind a serial
// line gives it programs and data.
//
//   UART <--> uart_bridge <--> board_regs <--> CSB of dla_top
//                  ^                               ^
//                  +--------> mem_path <--> axi_port (memory port of dla_top)
//                                ^
//                                +--> sdram_x16 <--> SDRAM  //% if memory == "sdram"
//                                +--> mem_ram (block RAM)  //% if memory != "sdram"
//
// One clock. Reset: the accelerator stays in reset until the host lets it go.
// Made by macrame ${version}.
`default_nettype none

module dla_system #(
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
);

    wire        rst_n;

    reset_sync u_reset (.clk(clk), .arst_n(arst_n), .rst_n(rst_n));

    // ------------------------------------------------------------------ host
    wire        bus_valid, bus_ready, bus_write, bus_done;
    wire [31:0] bus_addr;
    wire [31:0] bus_wdata;
    wire [31:0] bus_rdata;
    wire        h_valid, h_ready, h_write, h_done;
    wire [31:0] h_addr;
    wire [63:0] h_wdata;
    wire [63:0] mem_rdata;
    wire        irq;

    uart_bridge #(.DIV(DIV), .GAP_W(GAP_W)) u_bridge (
        .clk(clk), .rst_n(rst_n), .rx(uart_rx), .tx(uart_tx), .irq(irq),
        .bus_valid(bus_valid), .bus_ready(bus_ready), .bus_write(bus_write), .bus_addr(bus_addr),
        .bus_wdata(bus_wdata), .bus_done(bus_done), .bus_rdata(bus_rdata),
        .mem_valid(h_valid), .mem_ready(h_ready), .mem_write(h_write), .mem_addr(h_addr),
        .mem_wdata(h_wdata), .mem_done(h_done), .mem_rdata(mem_rdata)
    );

    wire        csb_valid;
    wire        csb_ready;
    wire        csb_rvalid;
    wire [31:0] csb_rdata;
    wire        csb_wr_complete;
    wire        core_rst_n;
    wire        seg_we;
    wire [3:0]  seg_addr;
    wire [15:0] seg_data;

    board_regs #(
        .DESIGN(32'd${design_id}), .MEMORY_KIB(32'd${memory_kib}), .CLOCK_KHZ(32'd${clock_khz})
    ) u_regs (
        .clk(clk), .rst_n(rst_n),
        .bus_valid(bus_valid), .bus_ready(bus_ready), .bus_write(bus_write), .bus_addr(bus_addr),
        .bus_wdata(bus_wdata), .bus_done(bus_done), .bus_rdata(bus_rdata),
        .acc_valid(csb_valid), .acc_ready(csb_ready), .acc_done(csb_rvalid || csb_wr_complete),
        .acc_rdata(csb_rdata), .acc_irq(irq), .acc_rst_n(core_rst_n),
        .seg_we(seg_we), .seg_addr(seg_addr), .seg_data(seg_data)
    );

    // Everything but the accelerator's own pages.
    wire unused_addr = &{bus_addr[31:18], bus_addr[1:0]};

    assign leds = {!uart_rx, irq, core_rst_n};

    // ------------------------------------------------------------------ accelerator
    wire        aw_valid, aw_ready, w_valid, w_ready, w_last, b_valid, b_ready;
    wire        ar_valid, ar_ready, r_valid, r_ready, r_last;
    wire [7:0]  aw_id, b_id, ar_id, r_id;
    wire [3:0]  aw_len, ar_len;
    wire [31:0] aw_addr, ar_addr;
    wire [63:0] w_data, r_data;
    wire [7:0]  w_strb;

    wire unused_last = w_last;      // bursts have the length that they announce

    dla_top u_core (
        .dla_core_clk                  (clk),
        .dla_csb_clk                   (clk),
        .global_clk_ovr_on             (1'b0),
        .tmc2slcg_disable_clock_gating (1'b0),
        .dla_reset_rstn                (core_rst_n),
        .direct_reset_                 (1'b0),
        .test_mode                     (1'b0),
        .csb2nvdla_valid               (csb_valid),
        .csb2nvdla_ready               (csb_ready),
        .csb2nvdla_addr                (bus_addr[17:2]),
        .csb2nvdla_wdat                (bus_wdata),
        .csb2nvdla_write               (bus_write),
        .csb2nvdla_nposted             (1'b1),
        .nvdla2csb_valid               (csb_rvalid),
        .nvdla2csb_data                (csb_rdata),
        .nvdla2csb_wr_complete         (csb_wr_complete),
        .nvdla_core2dbb_aw_awvalid     (aw_valid),
        .nvdla_core2dbb_aw_awready     (aw_ready),
        .nvdla_core2dbb_aw_awid        (aw_id),
        .nvdla_core2dbb_aw_awlen       (aw_len),
        .nvdla_core2dbb_aw_awaddr      (aw_addr),
        .nvdla_core2dbb_w_wvalid       (w_valid),
        .nvdla_core2dbb_w_wready       (w_ready),
        .nvdla_core2dbb_w_wdata        (w_data),
        .nvdla_core2dbb_w_wstrb        (w_strb),
        .nvdla_core2dbb_w_wlast        (w_last),
        .nvdla_core2dbb_b_bvalid       (b_valid),
        .nvdla_core2dbb_b_bready       (b_ready),
        .nvdla_core2dbb_b_bid          (b_id),
        .nvdla_core2dbb_ar_arvalid     (ar_valid),
        .nvdla_core2dbb_ar_arready     (ar_ready),
        .nvdla_core2dbb_ar_arid        (ar_id),
        .nvdla_core2dbb_ar_arlen       (ar_len),
        .nvdla_core2dbb_ar_araddr      (ar_addr),
        .nvdla_core2dbb_r_rvalid       (r_valid),
        .nvdla_core2dbb_r_rready       (r_ready),
        .nvdla_core2dbb_r_rid          (r_id),
        .nvdla_core2dbb_r_rlast        (r_last),
        .nvdla_core2dbb_r_rdata        (r_data),
        .dla_intr                      (irq),
        .nvdla_pwrbus_ram_c_pd         (32'd0),
        .nvdla_pwrbus_ram_ma_pd        (32'd0),
        .nvdla_pwrbus_ram_mb_pd        (32'd0),
        .nvdla_pwrbus_ram_p_pd         (32'd0),
        .nvdla_pwrbus_ram_o_pd         (32'd0),
        .nvdla_pwrbus_ram_a_pd         (32'd0)
    );

    // ------------------------------------------------------------------ memory
    wire        a_valid, a_ready, a_write, a_done;
    wire [31:0] a_addr;
    wire [63:0] a_wdata;
    wire [7:0]  a_wstrb;
    wire        mem_valid, mem_ready, mem_write, mem_id, mem_done, mem_done_id;
    wire [24:0] mem_addr;
    wire [63:0] mem_wdata;
    wire [7:0]  mem_wstrb;

    axi_port u_port (
        .clk(clk), .rst_n(rst_n),
        .aw_valid(aw_valid), .aw_ready(aw_ready), .aw_id(aw_id), .aw_len(aw_len),
        .aw_addr(aw_addr), .w_valid(w_valid), .w_ready(w_ready), .w_data(w_data), .w_strb(w_strb),
        .b_valid(b_valid), .b_ready(b_ready), .b_id(b_id),
        .ar_valid(ar_valid), .ar_ready(ar_ready), .ar_id(ar_id), .ar_len(ar_len),
        .ar_addr(ar_addr), .r_valid(r_valid), .r_ready(r_ready), .r_id(r_id), .r_last(r_last),
        .r_data(r_data),
        .mem_valid(a_valid), .mem_ready(a_ready), .mem_write(a_write), .mem_addr(a_addr),
        .mem_wdata(a_wdata), .mem_wstrb(a_wstrb), .mem_done(a_done), .mem_rdata(mem_rdata)
    );

    mem_path u_path (
        .clk(clk), .rst_n(rst_n), .seg_we(seg_we), .seg_addr(seg_addr), .seg_data(seg_data),
        .a_valid(a_valid), .a_ready(a_ready), .a_write(a_write), .a_addr(a_addr),
        .a_wdata(a_wdata), .a_wstrb(a_wstrb), .a_done(a_done),
        .b_valid(h_valid), .b_ready(h_ready), .b_write(h_write), .b_addr(h_addr),
        .b_wdata(h_wdata), .b_done(h_done),
        .mem_valid(mem_valid), .mem_ready(mem_ready), .mem_write(mem_write), .mem_id(mem_id),
        .mem_addr(mem_addr), .mem_wdata(mem_wdata), .mem_wstrb(mem_wstrb),
        .mem_done(mem_done), .mem_done_id(mem_done_id)
    );

//% if memory == "sdram"
    sdram_x16 #(.MHZ(${core_mhz}), .INIT_US(INIT_US)) u_memory (
        .clk(clk), .rst_n(rst_n), .in_valid(mem_valid), .in_ready(mem_ready),
        .in_write(mem_write), .in_id(mem_id), .in_addr(mem_addr), .in_wdata(mem_wdata),
        .in_wstrb(mem_wstrb), .out_valid(mem_done), .out_id(mem_done_id), .out_rdata(mem_rdata),
        .sdram_cke(sdram_cke), .sdram_cs_n(sdram_cs_n), .sdram_ras_n(sdram_ras_n),
        .sdram_cas_n(sdram_cas_n), .sdram_we_n(sdram_we_n), .sdram_ba(sdram_ba),
        .sdram_a(sdram_a), .sdram_dqm(sdram_dqm), .sdram_dq_o(sdram_dq_o),
        .sdram_dq_oe(sdram_dq_oe), .sdram_dq_i(sdram_dq_i)
    );
//% else
    mem_ram #(.KIB(${memory_kib})) u_memory (
        .clk(clk), .rst_n(rst_n), .in_valid(mem_valid), .in_ready(mem_ready),
        .in_write(mem_write), .in_id(mem_id), .in_addr(mem_addr), .in_wdata(mem_wdata),
        .in_wstrb(mem_wstrb), .out_valid(mem_done), .out_id(mem_done_id), .out_rdata(mem_rdata)
    );
//% end

endmodule

`default_nettype wire
