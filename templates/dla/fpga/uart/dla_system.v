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
//% include "system/pins.vh"
);

//% include "system/host.vh"

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

//% include "system/memory.vh"

endmodule

`default_nettype wire
