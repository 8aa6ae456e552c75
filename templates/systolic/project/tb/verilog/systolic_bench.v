// Plays a program on ${top} and checks what it leaves in memory: README.md here tells how.
//
//   player --> register bus --> design <--> memories of instructions and of data
`timescale 1ns / 1ps
`default_nettype none
`ifndef BENCH_PAGES
`define BENCH_PAGES 1024
`endif

module systolic_bench;

    localparam MEMORIES = 2;

    // ------------------------------------------------------------------ the design
    ${design_wires}

    ${top} u_design (
        ${design_pins}
    );

    // ------------------------------------------------------------------ clock
    reg clock;

    initial clock = 1'b0;
    always #5 clock = ~clock;
    assign clk = clock;

    // ------------------------------------------------------------------ player
    wire                   reg_valid, reg_write, reg_done, reg_error;
    wire [31:0]            reg_addr, reg_wdata, reg_rdata;
    wire [MEMORIES-1:0]    memory_go, memory_done;
    wire [1:0]             memory_order;
    wire [63:0]            memory_addr, memory_size, memory_value;
    wire [MEMORIES*32-1:0] memory_errors, memory_moved;

    bench_player #(.MEMORIES(MEMORIES)) u_player (
        .clk(clock), .rst_n(rst_n),
        .reg_valid(reg_valid), .reg_write(reg_write), .reg_addr(reg_addr), .reg_wdata(reg_wdata),
        .reg_done(reg_done), .reg_rdata(reg_rdata), .reg_error(reg_error),
        .pins({63'd0, irq}),
        .stream_valid(), .stream_beats(), .stream_done(1'b1), .stream_errors(32'd0),
        .memory_go(memory_go), .memory_order(memory_order), .memory_addr(memory_addr),
        .memory_size(memory_size), .memory_value(memory_value), .memory_done(memory_done),
        .memory_errors(memory_errors), .memory_moved(memory_moved)
    );

    // ------------------------------------------------------------------ registers
    // A master of AXI4 with bursts of one beat of 4 bytes.
    bench_axi_lite #(.ADDR_W(32), .BITS(128)) u_registers (
        .clk(clock), .rst_n(rst_n),
        .req_valid(reg_valid), .req_write(reg_write), .req_addr(reg_addr), .req_wdata(reg_wdata),
        .done(reg_done), .rdata(reg_rdata), .error(reg_error),
        .axi_awvalid(s_axi_awvalid), .axi_awready(s_axi_awready), .axi_awaddr(s_axi_awaddr),
        .axi_wvalid(s_axi_wvalid), .axi_wready(s_axi_wready), .axi_wdata(s_axi_wdata),
        .axi_wstrb(s_axi_wstrb), .axi_bvalid(s_axi_bvalid), .axi_bready(s_axi_bready),
        .axi_bresp(s_axi_bresp), .axi_arvalid(s_axi_arvalid), .axi_arready(s_axi_arready),
        .axi_araddr(s_axi_araddr), .axi_rvalid(s_axi_rvalid), .axi_rready(s_axi_rready),
        .axi_rdata(s_axi_rdata), .axi_rresp(s_axi_rresp)
    );
    assign {s_axi_awid, s_axi_awlen, s_axi_awlock} = 13'd0;
    assign {s_axi_awcache, s_axi_awprot, s_axi_awqos} = 11'd0;
    assign {s_axi_arid, s_axi_arlen, s_axi_arlock} = 13'd0;
    assign {s_axi_arcache, s_axi_arprot, s_axi_arqos} = 11'd0;
    assign {s_axi_awsize, s_axi_awburst, s_axi_arsize, s_axi_arburst} = {2{3'd2, 2'd1}};
    assign s_axi_wlast = 1'b1;

    // ------------------------------------------------------------------ memories
    bench_memory #(
        .NAME("program"), .BITS(${axi_data_width}), .ADDR_W(${address_width}), .ID_W(4), .LEN_W(8),
        .PAGES(`BENCH_PAGES)
    ) u_program (
        .clk(clock), .rst_n(rst_n),
        .go(memory_go[0]), .order(memory_order), .order_addr(memory_addr),
        .order_size(memory_size), .order_value(memory_value), .done(memory_done[0]),
        .errors(memory_errors[0 +: 32]), .moved(memory_moved[0 +: 32]),
        .awvalid(1'b0), .awready(), .awid(4'd0), .awlen(8'd0), .awaddr(${address_width}'d0),
        .wvalid(1'b0), .wready(), .wdata(${axi_data_width}'d0), .wstrb(${axi_data_width / 8}'d0),
        .wlast(1'b0), .bvalid(), .bready(1'b1), .bid(),
        .arvalid(m_axi_fetch_arvalid), .arready(m_axi_fetch_arready), .arid(m_axi_fetch_arid),
        .arlen(m_axi_fetch_arlen), .araddr(m_axi_fetch_araddr), .rvalid(m_axi_fetch_rvalid),
        .rready(m_axi_fetch_rready), .rid(m_axi_fetch_rid), .rlast(m_axi_fetch_rlast),
        .rdata(m_axi_fetch_rdata)
    );
    bench_memory #(
        .NAME("data"), .BITS(${axi_data_width}), .ADDR_W(${address_width}), .ID_W(4), .LEN_W(8),
        .PAGES(`BENCH_PAGES)
    ) u_data (
        .clk(clock), .rst_n(rst_n),
        .go(memory_go[1]), .order(memory_order), .order_addr(memory_addr),
        .order_size(memory_size), .order_value(memory_value), .done(memory_done[1]),
        .errors(memory_errors[32 +: 32]), .moved(memory_moved[32 +: 32]),
        .awvalid(m_axi_store_awvalid), .awready(m_axi_store_awready), .awid(m_axi_store_awid),
        .awlen(m_axi_store_awlen), .awaddr(m_axi_store_awaddr), .wvalid(m_axi_store_wvalid),
        .wready(m_axi_store_wready), .wdata(m_axi_store_wdata), .wstrb(m_axi_store_wstrb),
        .wlast(m_axi_store_wlast), .bvalid(m_axi_store_bvalid), .bready(m_axi_store_bready),
        .bid(m_axi_store_bid),
        .arvalid(m_axi_load_arvalid), .arready(m_axi_load_arready), .arid(m_axi_load_arid),
        .arlen(m_axi_load_arlen), .araddr(m_axi_load_araddr), .rvalid(m_axi_load_rvalid),
        .rready(m_axi_load_rready), .rid(m_axi_load_rid), .rlast(m_axi_load_rlast),
        .rdata(m_axi_load_rdata)
    );
    assign {m_axi_fetch_rresp, m_axi_load_rresp, m_axi_store_bresp} = 6'd0;

endmodule

`default_nettype wire
