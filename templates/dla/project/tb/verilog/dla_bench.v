// Plays a program on ${top} and checks what it leaves in memory: README.md here tells how.
//
//   player --> register bus --> design <--> memory of each port
`timescale 1ns / 1ps
`default_nettype none
`ifndef BENCH_PAGES
`define BENCH_PAGES 1024
`endif

module dla_bench;

    localparam MEMORIES = ${1 + secondary_memif_enable};

    // ------------------------------------------------------------------ the design
    ${design_wires}

    ${top} u_design (
        ${design_pins}
    );

    // ------------------------------------------------------------------ clocks, reset, unused pins
    reg     clk, bus_clk;              // of the core; of registers
    integer bus_half;                  // half a period of it, in ns; that of the core is 5
    wire    rst_n;

    initial begin
        clk     = 1'b0;
        bus_clk = 1'b0;
        if (!$value$plusargs("bus_half=%d", bus_half)) bus_half = 7;
    end
    always #5 clk = ~clk;
    always #(bus_half) bus_clk = ~bus_clk;

//% if system_top
    wire memory_clk;
    assign aclk    = bus_clk;
    assign aresetn = rst_n;
    assign core_clk = clk;  //% if bus_clock == "own"
//%   if bus_clock == "own" && memory_bus == "native"
    assign memory_clk = clk;
//%   else
    assign memory_clk = bus_clk;
//%   end
//% else
    wire memory_clk = clk;
    assign dla_core_clk   = clk;
    assign dla_csb_clk    = bus_clk;
    assign dla_reset_rstn = rst_n;
    assign {direct_reset_, test_mode, global_clk_ovr_on, tmc2slcg_disable_clock_gating} = 4'd0;
    assign {nvdla_pwrbus_ram_c_pd, nvdla_pwrbus_ram_ma_pd, nvdla_pwrbus_ram_mb_pd} = 96'd0;
    assign {nvdla_pwrbus_ram_p_pd, nvdla_pwrbus_ram_o_pd, nvdla_pwrbus_ram_a_pd} = 96'd0;
//% end

    // ------------------------------------------------------------------ player
    wire                   reg_valid, reg_write, reg_done, reg_error;
    wire [31:0]            reg_addr, reg_wdata, reg_rdata;
    wire [MEMORIES-1:0]    memory_go, memory_done;
    wire [1:0]             memory_order;
    wire [63:0]            memory_addr, memory_size, memory_value;
    wire [MEMORIES*32-1:0] memory_errors, memory_moved;

    bench_player #(.MEMORIES(MEMORIES)) u_player (
        .clk(bus_clk), .rst_n(rst_n),
        .reg_valid(reg_valid), .reg_write(reg_write), .reg_addr(reg_addr), .reg_wdata(reg_wdata),
        .reg_done(reg_done), .reg_rdata(reg_rdata), .reg_error(reg_error),
        .pins({63'd0, dla_intr}),
        .stream_valid(), .stream_beats(), .stream_done(1'b1), .stream_errors(32'd0),
        .memory_go(memory_go), .memory_order(memory_order), .memory_addr(memory_addr),
        .memory_size(memory_size), .memory_value(memory_value), .memory_done(memory_done),
        .memory_errors(memory_errors), .memory_moved(memory_moved)
    );

    // ------------------------------------------------------------------ registers
//% if control_bus == "csb"
    bench_csb u_registers (
        .clk(bus_clk), .rst_n(rst_n),
        .req_valid(reg_valid), .req_write(reg_write), .req_addr(reg_addr), .req_wdata(reg_wdata),
        .done(reg_done), .rdata(reg_rdata), .error(reg_error),
        .csb_valid(csb2nvdla_valid), .csb_ready(csb2nvdla_ready), .csb_addr(csb2nvdla_addr),
        .csb_wdata(csb2nvdla_wdat), .csb_write(csb2nvdla_write), .csb_nposted(csb2nvdla_nposted),
        .csb_read_valid(nvdla2csb_valid), .csb_read_data(nvdla2csb_data),
        .csb_write_complete(nvdla2csb_wr_complete)
    );
//% elif control_bus == "apb4"
    bench_apb #(.ADDR_W(18)) u_registers (
        .clk(bus_clk), .rst_n(rst_n),
        .req_valid(reg_valid), .req_write(reg_write), .req_addr(reg_addr), .req_wdata(reg_wdata),
        .done(reg_done), .rdata(reg_rdata), .error(reg_error),
        .apb_psel(s_apb_psel), .apb_penable(s_apb_penable), .apb_paddr(s_apb_paddr),
        .apb_pwrite(s_apb_pwrite), .apb_pwdata(s_apb_pwdata), .apb_pstrb(s_apb_pstrb),
        .apb_pready(s_apb_pready), .apb_prdata(s_apb_prdata), .apb_pslverr(s_apb_pslverr)
    );
    assign s_apb_pprot = 3'd0;
//% else
    bench_axi_lite #(.ADDR_W(18), .BITS(32)) u_registers (
        .clk(bus_clk), .rst_n(rst_n),
        .req_valid(reg_valid), .req_write(reg_write), .req_addr(reg_addr), .req_wdata(reg_wdata),
        .done(reg_done), .rdata(reg_rdata), .error(reg_error),
        .axi_awvalid(s_axi_awvalid), .axi_awready(s_axi_awready), .axi_awaddr(s_axi_awaddr),
        .axi_wvalid(s_axi_wvalid), .axi_wready(s_axi_wready), .axi_wdata(s_axi_wdata),
        .axi_wstrb(s_axi_wstrb), .axi_bvalid(s_axi_bvalid), .axi_bready(s_axi_bready),
        .axi_bresp(s_axi_bresp), .axi_arvalid(s_axi_arvalid), .axi_arready(s_axi_arready),
        .axi_araddr(s_axi_araddr), .axi_rvalid(s_axi_rvalid), .axi_rready(s_axi_rready),
        .axi_rdata(s_axi_rdata), .axi_rresp(s_axi_rresp)
    );
    assign {s_axi_awprot, s_axi_arprot} = 6'd0;
//% end

    // ------------------------------------------------------------------ memories
//% if memory_bus == "native"
    bench_memory #(
        .NAME("primary"), .BITS(${bus_bits}), .ID_W(8), .LEN_W(4),
        .ADDR_W(${addr_w}), .PAGES(`BENCH_PAGES)
    ) u_primary (
        .clk(memory_clk), .rst_n(rst_n),
        .go(memory_go[0]), .order(memory_order), .order_addr(memory_addr),
        .order_size(memory_size), .order_value(memory_value), .done(memory_done[0]),
        .errors(memory_errors[0 +: 32]), .moved(memory_moved[0 +: 32]),
        .awvalid(nvdla_core2dbb_aw_awvalid), .awready(nvdla_core2dbb_aw_awready),
        .awid(nvdla_core2dbb_aw_awid), .awlen(nvdla_core2dbb_aw_awlen),
        .awaddr(nvdla_core2dbb_aw_awaddr), .wvalid(nvdla_core2dbb_w_wvalid),
        .wready(nvdla_core2dbb_w_wready), .wdata(nvdla_core2dbb_w_wdata),
        .wstrb(nvdla_core2dbb_w_wstrb), .wlast(nvdla_core2dbb_w_wlast),
        .bvalid(nvdla_core2dbb_b_bvalid), .bready(nvdla_core2dbb_b_bready),
        .bid(nvdla_core2dbb_b_bid), .arvalid(nvdla_core2dbb_ar_arvalid),
        .arready(nvdla_core2dbb_ar_arready), .arid(nvdla_core2dbb_ar_arid),
        .arlen(nvdla_core2dbb_ar_arlen), .araddr(nvdla_core2dbb_ar_araddr),
        .rvalid(nvdla_core2dbb_r_rvalid), .rready(nvdla_core2dbb_r_rready),
        .rid(nvdla_core2dbb_r_rid), .rlast(nvdla_core2dbb_r_rlast), .rdata(nvdla_core2dbb_r_rdata)
    );
//%   if secondary_memif_enable
    bench_memory #(
        .NAME("secondary"), .BITS(${secondary_memif_width}), .ID_W(8), .LEN_W(4),
        .ADDR_W(${addr_w}), .PAGES(`BENCH_PAGES)
    ) u_secondary (
        .clk(memory_clk), .rst_n(rst_n),
        .go(memory_go[1]), .order(memory_order), .order_addr(memory_addr),
        .order_size(memory_size), .order_value(memory_value), .done(memory_done[1]),
        .errors(memory_errors[32 +: 32]), .moved(memory_moved[32 +: 32]),
        .awvalid(nvdla_core2cvsram_aw_awvalid), .awready(nvdla_core2cvsram_aw_awready),
        .awid(nvdla_core2cvsram_aw_awid), .awlen(nvdla_core2cvsram_aw_awlen),
        .awaddr(nvdla_core2cvsram_aw_awaddr), .wvalid(nvdla_core2cvsram_w_wvalid),
        .wready(nvdla_core2cvsram_w_wready), .wdata(nvdla_core2cvsram_w_wdata),
        .wstrb(nvdla_core2cvsram_w_wstrb), .wlast(nvdla_core2cvsram_w_wlast),
        .bvalid(nvdla_core2cvsram_b_bvalid), .bready(nvdla_core2cvsram_b_bready),
        .bid(nvdla_core2cvsram_b_bid), .arvalid(nvdla_core2cvsram_ar_arvalid),
        .arready(nvdla_core2cvsram_ar_arready), .arid(nvdla_core2cvsram_ar_arid),
        .arlen(nvdla_core2cvsram_ar_arlen), .araddr(nvdla_core2cvsram_ar_araddr),
        .rvalid(nvdla_core2cvsram_r_rvalid), .rready(nvdla_core2cvsram_r_rready),
        .rid(nvdla_core2cvsram_r_rid), .rlast(nvdla_core2cvsram_r_rlast),
        .rdata(nvdla_core2cvsram_r_rdata)
    );
//%   end
//% else
    bench_memory #(
        .NAME("primary"), .BITS(${8 * axi_bytes}), .ID_W(1), .LEN_W(${8 - 4 * (memory_bus == "axi3")}),
        .ADDR_W(${addr_w}), .PAGES(`BENCH_PAGES)
    ) u_primary (
        .clk(memory_clk), .rst_n(rst_n),
        .go(memory_go[0]), .order(memory_order), .order_addr(memory_addr),
        .order_size(memory_size), .order_value(memory_value), .done(memory_done[0]),
        .errors(memory_errors[0 +: 32]), .moved(memory_moved[0 +: 32]),
        .awvalid(m_axi_awvalid), .awready(m_axi_awready), .awid(m_axi_awid), .awlen(m_axi_awlen),
        .awaddr(m_axi_awaddr), .wvalid(m_axi_wvalid), .wready(m_axi_wready), .wdata(m_axi_wdata),
        .wstrb(m_axi_wstrb), .wlast(m_axi_wlast), .bvalid(m_axi_bvalid), .bready(m_axi_bready),
        .bid(m_axi_bid), .arvalid(m_axi_arvalid), .arready(m_axi_arready), .arid(m_axi_arid),
        .arlen(m_axi_arlen), .araddr(m_axi_araddr), .rvalid(m_axi_rvalid), .rready(m_axi_rready),
        .rid(m_axi_rid), .rlast(m_axi_rlast), .rdata(m_axi_rdata)
    );
    assign {m_axi_bresp, m_axi_rresp} = 4'd0;
//%   if secondary_memif_enable
    bench_memory #(
        .NAME("secondary"), .BITS(${8 * secondary_axi_bytes}), .ID_W(1), .LEN_W(${8 - 4 * (memory_bus == "axi3")}),
        .ADDR_W(${addr_w}), .PAGES(`BENCH_PAGES)
    ) u_secondary (
        .clk(memory_clk), .rst_n(rst_n),
        .go(memory_go[1]), .order(memory_order), .order_addr(memory_addr),
        .order_size(memory_size), .order_value(memory_value), .done(memory_done[1]),
        .errors(memory_errors[32 +: 32]), .moved(memory_moved[32 +: 32]),
        .awvalid(m_axi_sec_awvalid), .awready(m_axi_sec_awready), .awid(m_axi_sec_awid),
        .awlen(m_axi_sec_awlen), .awaddr(m_axi_sec_awaddr), .wvalid(m_axi_sec_wvalid),
        .wready(m_axi_sec_wready), .wdata(m_axi_sec_wdata), .wstrb(m_axi_sec_wstrb),
        .wlast(m_axi_sec_wlast), .bvalid(m_axi_sec_bvalid), .bready(m_axi_sec_bready),
        .bid(m_axi_sec_bid), .arvalid(m_axi_sec_arvalid), .arready(m_axi_sec_arready),
        .arid(m_axi_sec_arid), .arlen(m_axi_sec_arlen), .araddr(m_axi_sec_araddr),
        .rvalid(m_axi_sec_rvalid), .rready(m_axi_sec_rready), .rid(m_axi_sec_rid),
        .rlast(m_axi_sec_rlast), .rdata(m_axi_sec_rdata)
    );
    assign {m_axi_sec_bresp, m_axi_sec_rresp} = 4'd0;
//%   end
//% end

endmodule

`default_nettype wire
