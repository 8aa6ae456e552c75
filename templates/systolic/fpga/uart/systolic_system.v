// The systolic machine with all that it needs on a board without a processor: a host behind a
// serial line gives it programs and data, in one memory.
//
//   UART <--> uart_bridge <--> board_regs <--> reg_port <--> registers of systolic_top
//                  |
//                  |                                  +-- axi_port <-- fetch
//                  +--------> mem_path <-- mem_join <-+
//                                |                    +-- axi_port <-- load, store
//                                +--> sdram_x16 <--> SDRAM  //% if memory == "sdram"
//                                +--> mem_ram (block RAM)  //% if memory != "sdram"
//
// One clock. Reset: the machine stays in reset until the host lets it go.
// Made by macrame ${version}.
`default_nettype none

module systolic_system #(
//% include "system/pins.vh"
);

//% include "system/host.vh"

//% include "system/registers.vh"

    assign leds = {!uart_rx, irq, core_rst_n};

    // ------------------------------------------------------------------ registers
    wire [31:0]  reg_addr;
    wire         reg_awvalid, reg_awready, reg_wvalid, reg_wready, reg_bvalid;
    wire         reg_arvalid, reg_arready, reg_rvalid;
    wire [127:0] reg_wdata, reg_rdata;
    wire [15:0]  reg_wstrb;
    wire [3:0]   reg_bid, reg_rid;
    wire [1:0]   reg_bresp, reg_rresp;
    wire         reg_rlast;

    wire unused_answers = &{reg_bid, reg_bresp, reg_rid, reg_rresp, reg_rlast};

    reg_port u_reg_port (
        .clk(clk), .rst_n(core_rst_n),
        .bus_valid(acc_valid), .bus_ready(acc_ready), .bus_write(bus_write), .bus_addr(bus_addr),
        .bus_wdata(bus_wdata), .bus_done(acc_done), .bus_rdata(acc_rdata),
        .addr(reg_addr), .aw_valid(reg_awvalid), .aw_ready(reg_awready), .w_valid(reg_wvalid),
        .w_ready(reg_wready), .w_data(reg_wdata), .w_strb(reg_wstrb), .b_valid(reg_bvalid),
        .ar_valid(reg_arvalid), .ar_ready(reg_arready), .r_valid(reg_rvalid), .r_data(reg_rdata)
    );

    // ------------------------------------------------------------------ systolic machine
    wire         f_arvalid, f_arready, f_rvalid, f_rready, f_rlast;
    wire         l_arvalid, l_arready, l_rvalid, l_rready, l_rlast;
    wire         s_awvalid, s_awready, s_wvalid, s_wready, s_wlast, s_bvalid, s_bready;
    wire [31:0]  f_araddr, l_araddr, s_awaddr;
    wire [7:0]   f_arlen, l_arlen, s_awlen;
    wire [3:0]   f_arid, l_arid, s_awid;
    wire [7:0]   f_rid, l_rid, s_bid;
    wire [63:0]  f_rdata, l_rdata, s_wdata;
    wire [7:0]   s_wstrb;
//% if address_width < 32

    assign f_araddr[31:${address_width}] = ${32 - address_width}'d0;
    assign l_araddr[31:${address_width}] = ${32 - address_width}'d0;
    assign s_awaddr[31:${address_width}] = ${32 - address_width}'d0;
//% end

    // What bursts of the machine always are: the memory does not look at it.
    wire [2:0]   f_arsize, f_arprot, l_arsize, l_arprot, s_awsize, s_awprot;
    wire [1:0]   f_arburst, l_arburst, s_awburst;
    wire         f_arlock, l_arlock, s_awlock;
    wire [3:0]   f_arcache, f_arqos, l_arcache, l_arqos, s_awcache, s_awqos;

    wire unused_pins = &{f_arsize, f_arprot, l_arsize, l_arprot, s_awsize, s_awprot, f_arburst,
                         l_arburst, s_awburst, f_arlock, l_arlock, s_awlock, f_arcache, f_arqos,
                         l_arcache, l_arqos, s_awcache, s_awqos, s_wlast, f_rid[7:4], l_rid[7:4],
                         s_bid[7:4]};

    systolic_top u_core (
        .clk(clk), .rst_n(core_rst_n),
        .s_axi_awid(4'd0), .s_axi_awaddr(reg_addr), .s_axi_awlen(8'd0), .s_axi_awsize(3'd3),
        .s_axi_awburst(2'd1), .s_axi_awlock(1'b0), .s_axi_awcache(4'd0), .s_axi_awprot(3'd0),
        .s_axi_awqos(4'd0), .s_axi_awvalid(reg_awvalid), .s_axi_awready(reg_awready),
        .s_axi_wdata(reg_wdata), .s_axi_wstrb(reg_wstrb), .s_axi_wlast(1'b1),
        .s_axi_wvalid(reg_wvalid), .s_axi_wready(reg_wready), .s_axi_bid(reg_bid),
        .s_axi_bresp(reg_bresp), .s_axi_bvalid(reg_bvalid), .s_axi_bready(1'b1),
        .s_axi_arid(4'd0), .s_axi_araddr(reg_addr), .s_axi_arlen(8'd0), .s_axi_arsize(3'd3),
        .s_axi_arburst(2'd1), .s_axi_arlock(1'b0), .s_axi_arcache(4'd0), .s_axi_arprot(3'd0),
        .s_axi_arqos(4'd0), .s_axi_arvalid(reg_arvalid), .s_axi_arready(reg_arready),
        .s_axi_rid(reg_rid), .s_axi_rdata(reg_rdata), .s_axi_rresp(reg_rresp),
        .s_axi_rlast(reg_rlast), .s_axi_rvalid(reg_rvalid), .s_axi_rready(1'b1),
        .m_axi_fetch_arid(f_arid), .m_axi_fetch_araddr(f_araddr[${address_width - 1}:0]),
        .m_axi_fetch_arlen(f_arlen), .m_axi_fetch_arsize(f_arsize),
        .m_axi_fetch_arburst(f_arburst), .m_axi_fetch_arlock(f_arlock),
        .m_axi_fetch_arcache(f_arcache), .m_axi_fetch_arprot(f_arprot),
        .m_axi_fetch_arqos(f_arqos), .m_axi_fetch_arvalid(f_arvalid),
        .m_axi_fetch_arready(f_arready), .m_axi_fetch_rid(f_rid[3:0]), .m_axi_fetch_rdata(f_rdata),
        .m_axi_fetch_rresp(2'd0), .m_axi_fetch_rlast(f_rlast), .m_axi_fetch_rvalid(f_rvalid),
        .m_axi_fetch_rready(f_rready),
        .m_axi_load_arid(l_arid), .m_axi_load_araddr(l_araddr[${address_width - 1}:0]),
        .m_axi_load_arlen(l_arlen), .m_axi_load_arsize(l_arsize),
        .m_axi_load_arburst(l_arburst), .m_axi_load_arlock(l_arlock),
        .m_axi_load_arcache(l_arcache), .m_axi_load_arprot(l_arprot),
        .m_axi_load_arqos(l_arqos), .m_axi_load_arvalid(l_arvalid),
        .m_axi_load_arready(l_arready), .m_axi_load_rid(l_rid[3:0]), .m_axi_load_rdata(l_rdata),
        .m_axi_load_rresp(2'd0), .m_axi_load_rlast(l_rlast), .m_axi_load_rvalid(l_rvalid),
        .m_axi_load_rready(l_rready),
        .m_axi_store_awid(s_awid), .m_axi_store_awaddr(s_awaddr[${address_width - 1}:0]),
        .m_axi_store_awlen(s_awlen), .m_axi_store_awsize(s_awsize),
        .m_axi_store_awburst(s_awburst), .m_axi_store_awlock(s_awlock),
        .m_axi_store_awcache(s_awcache), .m_axi_store_awprot(s_awprot),
        .m_axi_store_awqos(s_awqos), .m_axi_store_awvalid(s_awvalid),
        .m_axi_store_awready(s_awready), .m_axi_store_wdata(s_wdata), .m_axi_store_wstrb(s_wstrb),
        .m_axi_store_wlast(s_wlast), .m_axi_store_wvalid(s_wvalid),
        .m_axi_store_wready(s_wready), .m_axi_store_bid(s_bid[3:0]), .m_axi_store_bresp(2'd0),
        .m_axi_store_bvalid(s_bvalid), .m_axi_store_bready(s_bready),
        .irq(irq)
    );

    // ------------------------------------------------------------------ memory
    wire        p_valid, p_ready, p_write, p_done;
    wire [31:0] p_addr;
    wire [63:0] p_wdata;
    wire [7:0]  p_wstrb;
    wire        d_valid, d_ready, d_write, d_done;
    wire [31:0] d_addr;
    wire [63:0] d_wdata;
    wire [7:0]  d_wstrb;
    wire        a_valid, a_ready, a_write, a_done;
    wire [31:0] a_addr;
    wire [63:0] a_wdata;
    wire [7:0]  a_wstrb;
    wire        mem_valid, mem_ready, mem_write, mem_id, mem_done, mem_done_id;
    wire [24:0] mem_addr;
    wire [63:0] mem_wdata;
    wire [7:0]  mem_wstrb;

    // Fetch writes nothing.
    wire       f_awready, f_wready, f_bvalid;
    wire [7:0] f_bid;

    wire unused_fetch = &{f_awready, f_wready, f_bvalid, f_bid};

    axi_port #(.LEN_W(8)) u_fetch_port (
        .clk(clk), .rst_n(core_rst_n),
        .aw_valid(1'b0), .aw_ready(f_awready), .aw_id(8'd0), .aw_len(8'd0), .aw_addr(32'd0),
        .w_valid(1'b0), .w_ready(f_wready), .w_data(64'd0), .w_strb(8'd0),
        .b_valid(f_bvalid), .b_ready(1'b1), .b_id(f_bid),
        .ar_valid(f_arvalid), .ar_ready(f_arready), .ar_id({4'd0, f_arid}), .ar_len(f_arlen),
        .ar_addr(f_araddr), .r_valid(f_rvalid), .r_ready(f_rready), .r_id(f_rid),
        .r_last(f_rlast), .r_data(f_rdata),
        .mem_valid(p_valid), .mem_ready(p_ready), .mem_write(p_write), .mem_addr(p_addr),
        .mem_wdata(p_wdata), .mem_wstrb(p_wstrb), .mem_done(p_done), .mem_rdata(mem_rdata)
    );

    axi_port #(.LEN_W(8)) u_data_port (
        .clk(clk), .rst_n(core_rst_n),
        .aw_valid(s_awvalid), .aw_ready(s_awready), .aw_id({4'd0, s_awid}), .aw_len(s_awlen),
        .aw_addr(s_awaddr), .w_valid(s_wvalid), .w_ready(s_wready), .w_data(s_wdata),
        .w_strb(s_wstrb), .b_valid(s_bvalid), .b_ready(s_bready), .b_id(s_bid),
        .ar_valid(l_arvalid), .ar_ready(l_arready), .ar_id({4'd0, l_arid}), .ar_len(l_arlen),
        .ar_addr(l_araddr), .r_valid(l_rvalid), .r_ready(l_rready), .r_id(l_rid),
        .r_last(l_rlast), .r_data(l_rdata),
        .mem_valid(d_valid), .mem_ready(d_ready), .mem_write(d_write), .mem_addr(d_addr),
        .mem_wdata(d_wdata), .mem_wstrb(d_wstrb), .mem_done(d_done), .mem_rdata(mem_rdata)
    );

    mem_join u_join (
        .clk(clk), .rst_n(rst_n),
        .a_valid(d_valid), .a_ready(d_ready), .a_write(d_write), .a_addr(d_addr),
        .a_wdata(d_wdata), .a_wstrb(d_wstrb), .a_done(d_done),
        .b_valid(p_valid), .b_ready(p_ready), .b_write(p_write), .b_addr(p_addr),
        .b_wdata(p_wdata), .b_wstrb(p_wstrb), .b_done(p_done),
        .mem_valid(a_valid), .mem_ready(a_ready), .mem_write(a_write), .mem_addr(a_addr),
        .mem_wdata(a_wdata), .mem_wstrb(a_wstrb), .mem_done(a_done)
    );

//% include "system/memory.vh"

endmodule

`default_nettype wire
