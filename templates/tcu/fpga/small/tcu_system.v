// The tensor unit with all that it needs on a board with a small FPGA: a host behind a serial line
// gives it instructions and data. All are in one memory of words of 4 bytes, at these addresses of
// the host:
//
//   0x00000000  bank 0, 256 MiB      UART <--> uart_bridge <--> board_regs <--> tcu_player
//   0x40000000  bank 1, 256 MiB                    |                                | instructions
//   0x80000000  instructions                       v                                v
//                                              word_memory <---+--- word_port x 2  tcu_top
//                                              (block RAM)     |    (its banks) <--'
//                                                              tcu_player
//
// One clock. Reset: the tensor unit stays in reset until the host lets it go.
// Made by macrame ${version}.
`default_nettype none

module tcu_system #(
//% include "system/pins.vh"
);

//% include "system/host.vh"

//% include "system/registers.vh"

    // Everything but the registers of the player.
    wire unused_addr = &{bus_addr[31:5], bus_addr[1:0]};

    assign leds = {!uart_rx, irq, core_rst_n};

    // ------------------------------------------------------------------ instructions
    wire        s_valid, s_ready;
    wire [31:0] s_addr;
    wire        stream_valid, stream_ready;
    wire [31:0] word;                 // that memory gives
    wire        idle, timeout, tracepoint;
    wire [31:0] program_counter;
    wire        error;  //% if validate_instructions
    wire        error = 1'b0;  //% if !validate_instructions

    tcu_player u_player (
        .clk(clk), .rst_n(core_rst_n),
        .bus_valid(acc_valid), .bus_ready(acc_ready), .bus_write(bus_write),
        .bus_addr(bus_addr[4:2]), .bus_wdata(bus_wdata), .bus_done(acc_done),
        .bus_rdata(acc_rdata),
        .mem_valid(s_valid), .mem_ready(s_ready), .mem_addr(s_addr),
        .stream_valid(stream_valid), .stream_ready(stream_ready),
        .idle(idle), .flags({error, tracepoint, timeout}), .program_counter(program_counter)
    );

    // ------------------------------------------------------------------ tensor unit
    // Of both banks: bank 0 in the low bits.
    wire [1:0]   awlock, awvalid, awready, wlast, wvalid, wready, bvalid, bready, arlock,
                 arvalid, arready, rlast, rvalid, rready;
    wire [3:0]   awburst, arburst;
    wire [5:0]   awsize, awprot, arsize, arprot;
    wire [7:0]   awcache, awqos, arcache, arqos, wstrb;
    wire [11:0]  awid, wid, arid;
    wire [15:0]  awlen, arlen;
    wire [63:0]  awaddr, araddr, wdata;

    // What bursts of the tensor unit always are: the memory does not look at it.
    wire unused_pins = &{awsize, awburst, awlock, awcache, awprot, awqos, wid, wlast, arsize,
                         arburst, arlock, arcache, arprot, arqos, awid, arid};

    // No memory here answers with an error.
    wire         bus_error;
    wire         unused_error = bus_error;

    tcu_top u_core (
        .clock(clk), .reset(core_rst_n),
        .instruction_tdata(word), .instruction_tvalid(stream_valid),
        .instruction_tready(stream_ready), .instruction_tlast(1'b0),
        .m_axi_dram0_awid(awid[0 +: 6]), .m_axi_dram0_awaddr(awaddr[0 +: 32]),
        .m_axi_dram0_awlen(awlen[0 +: 8]), .m_axi_dram0_awsize(awsize[0 +: 3]),
        .m_axi_dram0_awburst(awburst[0 +: 2]), .m_axi_dram0_awlock(awlock[0]),
        .m_axi_dram0_awcache(awcache[0 +: 4]), .m_axi_dram0_awprot(awprot[0 +: 3]),
        .m_axi_dram0_awqos(awqos[0 +: 4]), .m_axi_dram0_awvalid(awvalid[0]),
        .m_axi_dram0_awready(awready[0]), .m_axi_dram0_wid(wid[0 +: 6]),
        .m_axi_dram0_wdata(wdata[0 +: 32]), .m_axi_dram0_wstrb(wstrb[0 +: 4]),
        .m_axi_dram0_wlast(wlast[0]), .m_axi_dram0_wvalid(wvalid[0]),
        .m_axi_dram0_wready(wready[0]), .m_axi_dram0_bid(6'd0), .m_axi_dram0_bresp(2'd0),
        .m_axi_dram0_bvalid(bvalid[0]), .m_axi_dram0_bready(bready[0]),
        .m_axi_dram0_arid(arid[0 +: 6]), .m_axi_dram0_araddr(araddr[0 +: 32]),
        .m_axi_dram0_arlen(arlen[0 +: 8]), .m_axi_dram0_arsize(arsize[0 +: 3]),
        .m_axi_dram0_arburst(arburst[0 +: 2]), .m_axi_dram0_arlock(arlock[0]),
        .m_axi_dram0_arcache(arcache[0 +: 4]), .m_axi_dram0_arprot(arprot[0 +: 3]),
        .m_axi_dram0_arqos(arqos[0 +: 4]), .m_axi_dram0_arvalid(arvalid[0]),
        .m_axi_dram0_arready(arready[0]), .m_axi_dram0_rid(6'd0),
        .m_axi_dram0_rdata(word), .m_axi_dram0_rresp(2'd0), .m_axi_dram0_rlast(rlast[0]),
        .m_axi_dram0_rvalid(rvalid[0]), .m_axi_dram0_rready(rready[0]),
        .m_axi_dram1_awid(awid[6 +: 6]), .m_axi_dram1_awaddr(awaddr[32 +: 32]),
        .m_axi_dram1_awlen(awlen[8 +: 8]), .m_axi_dram1_awsize(awsize[3 +: 3]),
        .m_axi_dram1_awburst(awburst[2 +: 2]), .m_axi_dram1_awlock(awlock[1]),
        .m_axi_dram1_awcache(awcache[4 +: 4]), .m_axi_dram1_awprot(awprot[3 +: 3]),
        .m_axi_dram1_awqos(awqos[4 +: 4]), .m_axi_dram1_awvalid(awvalid[1]),
        .m_axi_dram1_awready(awready[1]), .m_axi_dram1_wid(wid[6 +: 6]),
        .m_axi_dram1_wdata(wdata[32 +: 32]), .m_axi_dram1_wstrb(wstrb[4 +: 4]),
        .m_axi_dram1_wlast(wlast[1]), .m_axi_dram1_wvalid(wvalid[1]),
        .m_axi_dram1_wready(wready[1]), .m_axi_dram1_bid(6'd0), .m_axi_dram1_bresp(2'd0),
        .m_axi_dram1_bvalid(bvalid[1]), .m_axi_dram1_bready(bready[1]),
        .m_axi_dram1_arid(arid[6 +: 6]), .m_axi_dram1_araddr(araddr[32 +: 32]),
        .m_axi_dram1_arlen(arlen[8 +: 8]), .m_axi_dram1_arsize(arsize[3 +: 3]),
        .m_axi_dram1_arburst(arburst[2 +: 2]), .m_axi_dram1_arlock(arlock[1]),
        .m_axi_dram1_arcache(arcache[4 +: 4]), .m_axi_dram1_arprot(arprot[3 +: 3]),
        .m_axi_dram1_arqos(arqos[4 +: 4]), .m_axi_dram1_arvalid(arvalid[1]),
        .m_axi_dram1_arready(arready[1]), .m_axi_dram1_rid(6'd0),
        .m_axi_dram1_rdata(word), .m_axi_dram1_rresp(2'd0),
        .m_axi_dram1_rlast(rlast[1]), .m_axi_dram1_rvalid(rvalid[1]),
        .m_axi_dram1_rready(rready[1]),
        .bus_error(bus_error),
        .program_counter(program_counter), .idle(idle), .timeout(timeout),
        .error(error),  //% if validate_instructions
        .tracepoint(tracepoint), .irq(irq)
    );

    // ------------------------------------------------------------------ memory
    wire [1:0]  p_valid, p_ready, p_write;
    wire [63:0] p_addr, p_wdata;
    wire [7:0]  p_wstrb;

    genvar i;
    generate
        for (i = 0; i < 2; i = i + 1) begin : gen_bank
            word_port u_port (
                .clk(clk), .rst_n(core_rst_n),
                .aw_valid(awvalid[i]), .aw_ready(awready[i]), .aw_len(awlen[8*i +: 8]),
                .aw_addr(awaddr[32*i +: 32]),
                .w_valid(wvalid[i]), .w_ready(wready[i]), .w_data(wdata[32*i +: 32]),
                .w_strb(wstrb[4*i +: 4]), .b_valid(bvalid[i]), .b_ready(bready[i]),
                .ar_valid(arvalid[i]), .ar_ready(arready[i]), .ar_len(arlen[8*i +: 8]),
                .ar_addr(araddr[32*i +: 32]),
                .r_valid(rvalid[i]), .r_ready(rready[i]), .r_last(rlast[i]),
                .mem_valid(p_valid[i]), .mem_ready(p_ready[i]), .mem_write(p_write[i]),
                .mem_addr(p_addr[32*i +: 32]), .mem_wdata(p_wdata[32*i +: 32]),
                .mem_wstrb(p_wstrb[4*i +: 4])
            );
        end
    endgenerate

    // Banks of 256 MiB.
    wire unused_high = &{p_addr[63:60], p_addr[31:28], s_addr[31:28]};

    word_memory #(.KIB(${memory_kib})) u_memory (
        .clk(clk), .rst_n(rst_n), .seg_we(seg_we), .seg_addr(seg_addr), .seg_data(seg_data),
        .h_valid(h_valid), .h_ready(h_ready), .h_write(h_write), .h_addr(h_addr),
        .h_wdata(h_wdata), .h_done(h_done), .h_rdata(mem_rdata),
        .c_valid({s_valid, p_valid}), .c_ready({s_ready, p_ready}), .c_write(p_write),
        .c_addr({4'd8, s_addr[27:0], 4'd4, p_addr[59:32], 4'd0, p_addr[27:0]}),
        .c_wdata(p_wdata), .c_wstrb(p_wstrb), .c_rdata(word)
    );

endmodule

`default_nettype wire
