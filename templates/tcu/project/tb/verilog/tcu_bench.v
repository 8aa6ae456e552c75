// Plays a program on ${top} and checks what it leaves in memory: README.md here tells how.
//
//   player --> stream, register bus --> design <--> memory of each bank
`timescale 1ns / 1ps
`default_nettype none
`ifndef BENCH_PAGES
`define BENCH_PAGES 1024
`endif

module tcu_bench;

    localparam MEMORIES = 2;

    // ------------------------------------------------------------------ the design
    ${design_wires}

    ${top} u_design (
        ${design_pins}
    );

    // ------------------------------------------------------------------ clock, reset, unused pins
    reg  clk;
    wire rst_n;

    initial clk = 1'b0;
    always #5 clk = ~clk;

    assign clock = clk;
    assign reset = rst_n;
    assign instruction_tlast = 1'b0;
    assign sample_tready = 1'b1;  //% if sample_block_size > 0
    assign status_tready = 1'b1;  //% if status_port

    // ------------------------------------------------------------------ player
    wire                   reg_valid, reg_write, reg_done, reg_error;
    wire [31:0]            reg_addr, reg_wdata, reg_rdata;
    wire                   stream_valid, stream_done;
    wire [63:0]            stream_beats;
    wire [31:0]            stream_errors;
    wire [MEMORIES-1:0]    memory_go, memory_done;
    wire [1:0]             memory_order;
    wire [63:0]            memory_addr, memory_size, memory_value;
    wire [MEMORIES*32-1:0] memory_errors, memory_moved;

    bench_player #(.MEMORIES(MEMORIES)) u_player (
        .clk(clk), .rst_n(rst_n),
        .reg_valid(reg_valid), .reg_write(reg_write), .reg_addr(reg_addr), .reg_wdata(reg_wdata),
        .reg_done(reg_done), .reg_rdata(reg_rdata), .reg_error(reg_error),
        .pins({program_counter, 27'd0, bus_error, tracepoint, timeout, idle, irq}),
        .stream_valid(stream_valid), .stream_beats(stream_beats), .stream_done(stream_done),
        .stream_errors(stream_errors),
        .memory_go(memory_go), .memory_order(memory_order), .memory_addr(memory_addr),
        .memory_size(memory_size), .memory_value(memory_value), .memory_done(memory_done),
        .memory_errors(memory_errors), .memory_moved(memory_moved)
    );

    // ------------------------------------------------------------------ instructions, registers
    bench_stream #(.BITS(${axi_data_width})) u_instructions (
        .clk(clk), .rst_n(rst_n),
        .req_valid(stream_valid), .req_beats(stream_beats), .done(stream_done),
        .errors(stream_errors),
        .tvalid(instruction_tvalid), .tready(instruction_tready), .tdata(instruction_tdata)
    );

//% if control_port
    bench_axi_lite #(.ADDR_W(5), .BITS(32)) u_registers (
        .clk(clk), .rst_n(rst_n),
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
//% else
    // Programs for it have no accesses.
    assign {reg_done, reg_error, reg_rdata} = {2'b11, 32'd0};
//% end

    // ------------------------------------------------------------------ memories
//% for m in range(2)
    bench_memory #(
        .NAME("dram${m}"), .BITS(${axi_data_width}), .ADDR_W(32), .ID_W(6), .LEN_W(8),
        .PAGES(`BENCH_PAGES)
    ) u_dram${m} (
        .clk(clk), .rst_n(rst_n),
        .go(memory_go[${m}]), .order(memory_order), .order_addr(memory_addr),
        .order_size(memory_size), .order_value(memory_value), .done(memory_done[${m}]),
        .errors(memory_errors[${32 * m} +: 32]), .moved(memory_moved[${32 * m} +: 32]),
        .awvalid(m_axi_dram${m}_awvalid), .awready(m_axi_dram${m}_awready),
        .awid(m_axi_dram${m}_awid), .awlen(m_axi_dram${m}_awlen), .awaddr(m_axi_dram${m}_awaddr),
        .wvalid(m_axi_dram${m}_wvalid), .wready(m_axi_dram${m}_wready),
        .wdata(m_axi_dram${m}_wdata), .wstrb(m_axi_dram${m}_wstrb), .wlast(m_axi_dram${m}_wlast),
        .bvalid(m_axi_dram${m}_bvalid), .bready(m_axi_dram${m}_bready), .bid(m_axi_dram${m}_bid),
        .arvalid(m_axi_dram${m}_arvalid), .arready(m_axi_dram${m}_arready),
        .arid(m_axi_dram${m}_arid), .arlen(m_axi_dram${m}_arlen), .araddr(m_axi_dram${m}_araddr),
        .rvalid(m_axi_dram${m}_rvalid), .rready(m_axi_dram${m}_rready), .rid(m_axi_dram${m}_rid),
        .rlast(m_axi_dram${m}_rlast), .rdata(m_axi_dram${m}_rdata)
    );
    assign {m_axi_dram${m}_bresp, m_axi_dram${m}_rresp} = 4'd0;

//% end
endmodule

`default_nettype wire
