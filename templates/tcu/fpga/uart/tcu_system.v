// The tensor unit with all that it needs on a board without a processor: a host behind a serial
// line gives it instructions and data. All are in one memory, at these addresses of the host:
//
//   0x00000000  bank 0, 1 GiB        UART <--> uart_bridge <--> board_regs <--> tcu_player
//   0x40000000  bank 1, 1 GiB                      |                                | instructions
//   0x80000000  instructions                       |              tcu_player ---+   +--> tcu_top
//                                                  v                            v
//                                              mem_path <-- mem_join <-- mem_join <-- axi_port x 2
//                                                 |                                     (its banks)
//                                                 +--> sdram_x16 <--> SDRAM  //% if memory == "sdram"
//                                                 +--> mem_ram (block RAM)  //% if memory != "sdram"
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
    wire        s_done;
    wire        stream_valid, stream_ready;
    wire [63:0] stream_data;
    wire        idle, timeout, tracepoint;
    wire [31:0] program_counter;
    wire        error;  //% if validate_instructions
    wire        error = 1'b0;  //% if !validate_instructions

    tcu_player u_player (
        .clk(clk), .rst_n(core_rst_n),
        .bus_valid(acc_valid), .bus_ready(acc_ready), .bus_write(bus_write),
        .bus_addr(bus_addr[4:2]), .bus_wdata(bus_wdata), .bus_done(acc_done),
        .bus_rdata(acc_rdata),
        .mem_valid(s_valid), .mem_ready(s_ready), .mem_addr(s_addr), .mem_done(s_done),
        .mem_rdata(mem_rdata),
        .stream_valid(stream_valid), .stream_ready(stream_ready), .stream_data(stream_data),
        .idle(idle), .flags({error, tracepoint, timeout}), .program_counter(program_counter)
    );

    // ------------------------------------------------------------------ tensor unit
    // Of both banks: bank 0 in the low bits.
    wire [1:0]   awlock, awvalid, awready, wlast, wvalid, wready, bvalid, bready, arlock,
                 arvalid, arready, rlast, rvalid, rready;
    wire [3:0]   awburst, arburst;
    wire [5:0]   awsize, awprot, arsize, arprot;
    wire [7:0]   awcache, awqos, arcache, arqos;
    wire [11:0]  awid, wid, bid, arid, rid;
    wire [15:0]  awlen, wstrb, arlen;
    wire [63:0]  awaddr, araddr;
    wire [127:0] wdata, rdata;

    // What bursts of the tensor unit always are: the memory does not look at it.
    wire unused_pins = &{awsize, awburst, awlock, awcache, awprot, awqos, wid, wlast, arsize,
                         arburst, arlock, arcache, arprot, arqos};

    // No memory here answers with an error.
    wire         bus_error;
    wire         unused_error = bus_error;

    tcu_top u_core (
        .clock(clk), .reset(core_rst_n),
        .instruction_tdata(stream_data), .instruction_tvalid(stream_valid),
        .instruction_tready(stream_ready), .instruction_tlast(1'b0),
        .m_axi_dram0_awid(awid[0 +: 6]), .m_axi_dram0_awaddr(awaddr[0 +: 32]),
        .m_axi_dram0_awlen(awlen[0 +: 8]), .m_axi_dram0_awsize(awsize[0 +: 3]),
        .m_axi_dram0_awburst(awburst[0 +: 2]), .m_axi_dram0_awlock(awlock[0]),
        .m_axi_dram0_awcache(awcache[0 +: 4]), .m_axi_dram0_awprot(awprot[0 +: 3]),
        .m_axi_dram0_awqos(awqos[0 +: 4]), .m_axi_dram0_awvalid(awvalid[0]),
        .m_axi_dram0_awready(awready[0]), .m_axi_dram0_wid(wid[0 +: 6]),
        .m_axi_dram0_wdata(wdata[0 +: 64]), .m_axi_dram0_wstrb(wstrb[0 +: 8]),
        .m_axi_dram0_wlast(wlast[0]), .m_axi_dram0_wvalid(wvalid[0]),
        .m_axi_dram0_wready(wready[0]), .m_axi_dram0_bid(bid[0 +: 6]), .m_axi_dram0_bresp(2'd0),
        .m_axi_dram0_bvalid(bvalid[0]), .m_axi_dram0_bready(bready[0]),
        .m_axi_dram0_arid(arid[0 +: 6]), .m_axi_dram0_araddr(araddr[0 +: 32]),
        .m_axi_dram0_arlen(arlen[0 +: 8]), .m_axi_dram0_arsize(arsize[0 +: 3]),
        .m_axi_dram0_arburst(arburst[0 +: 2]), .m_axi_dram0_arlock(arlock[0]),
        .m_axi_dram0_arcache(arcache[0 +: 4]), .m_axi_dram0_arprot(arprot[0 +: 3]),
        .m_axi_dram0_arqos(arqos[0 +: 4]), .m_axi_dram0_arvalid(arvalid[0]),
        .m_axi_dram0_arready(arready[0]), .m_axi_dram0_rid(rid[0 +: 6]),
        .m_axi_dram0_rdata(rdata[0 +: 64]), .m_axi_dram0_rresp(2'd0), .m_axi_dram0_rlast(rlast[0]),
        .m_axi_dram0_rvalid(rvalid[0]), .m_axi_dram0_rready(rready[0]),
        .m_axi_dram1_awid(awid[6 +: 6]), .m_axi_dram1_awaddr(awaddr[32 +: 32]),
        .m_axi_dram1_awlen(awlen[8 +: 8]), .m_axi_dram1_awsize(awsize[3 +: 3]),
        .m_axi_dram1_awburst(awburst[2 +: 2]), .m_axi_dram1_awlock(awlock[1]),
        .m_axi_dram1_awcache(awcache[4 +: 4]), .m_axi_dram1_awprot(awprot[3 +: 3]),
        .m_axi_dram1_awqos(awqos[4 +: 4]), .m_axi_dram1_awvalid(awvalid[1]),
        .m_axi_dram1_awready(awready[1]), .m_axi_dram1_wid(wid[6 +: 6]),
        .m_axi_dram1_wdata(wdata[64 +: 64]), .m_axi_dram1_wstrb(wstrb[8 +: 8]),
        .m_axi_dram1_wlast(wlast[1]), .m_axi_dram1_wvalid(wvalid[1]),
        .m_axi_dram1_wready(wready[1]), .m_axi_dram1_bid(bid[6 +: 6]), .m_axi_dram1_bresp(2'd0),
        .m_axi_dram1_bvalid(bvalid[1]), .m_axi_dram1_bready(bready[1]),
        .m_axi_dram1_arid(arid[6 +: 6]), .m_axi_dram1_araddr(araddr[32 +: 32]),
        .m_axi_dram1_arlen(arlen[8 +: 8]), .m_axi_dram1_arsize(arsize[3 +: 3]),
        .m_axi_dram1_arburst(arburst[2 +: 2]), .m_axi_dram1_arlock(arlock[1]),
        .m_axi_dram1_arcache(arcache[4 +: 4]), .m_axi_dram1_arprot(arprot[3 +: 3]),
        .m_axi_dram1_arqos(arqos[4 +: 4]), .m_axi_dram1_arvalid(arvalid[1]),
        .m_axi_dram1_arready(arready[1]), .m_axi_dram1_rid(rid[6 +: 6]),
        .m_axi_dram1_rdata(rdata[64 +: 64]), .m_axi_dram1_rresp(2'd0),
        .m_axi_dram1_rlast(rlast[1]), .m_axi_dram1_rvalid(rvalid[1]),
        .m_axi_dram1_rready(rready[1]),
        .bus_error(bus_error),
        .program_counter(program_counter), .idle(idle), .timeout(timeout),
        .error(error),  //% if validate_instructions
        .tracepoint(tracepoint), .irq(irq)
    );

    // ------------------------------------------------------------------ memory
    wire [1:0]   p_valid, p_ready, p_write, p_done;
    wire [63:0]  p_addr;
    wire [127:0] p_wdata;
    wire [15:0]  p_wstrb;

    genvar i;
    generate
        for (i = 0; i < 2; i = i + 1) begin : gen_bank
            wire [7:0] b_id, r_id;

            wire unused_id = &{b_id[7:6], r_id[7:6]};

            assign bid[6*i +: 6] = b_id[5:0];
            assign rid[6*i +: 6] = r_id[5:0];

            axi_port #(.LEN_W(8)) u_port (
                .clk(clk), .rst_n(core_rst_n),
                .aw_valid(awvalid[i]), .aw_ready(awready[i]), .aw_id({2'd0, awid[6*i +: 6]}),
                .aw_len(awlen[8*i +: 8]), .aw_addr(awaddr[32*i +: 32]),
                .w_valid(wvalid[i]), .w_ready(wready[i]), .w_data(wdata[64*i +: 64]),
                .w_strb(wstrb[8*i +: 8]), .b_valid(bvalid[i]), .b_ready(bready[i]), .b_id(b_id),
                .ar_valid(arvalid[i]), .ar_ready(arready[i]), .ar_id({2'd0, arid[6*i +: 6]}),
                .ar_len(arlen[8*i +: 8]), .ar_addr(araddr[32*i +: 32]),
                .r_valid(rvalid[i]), .r_ready(rready[i]), .r_id(r_id), .r_last(rlast[i]),
                .r_data(rdata[64*i +: 64]),
                .mem_valid(p_valid[i]), .mem_ready(p_ready[i]), .mem_write(p_write[i]),
                .mem_addr(p_addr[32*i +: 32]), .mem_wdata(p_wdata[64*i +: 64]),
                .mem_wstrb(p_wstrb[8*i +: 8]), .mem_done(p_done[i]), .mem_rdata(mem_rdata)
            );
        end
    endgenerate

    // Banks of 1 GiB.
    wire unused_high = &{p_addr[63:62], p_addr[31:30]};

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

    mem_join u_banks (
        .clk(clk), .rst_n(rst_n),
        .a_valid(p_valid[0]), .a_ready(p_ready[0]), .a_write(p_write[0]),
        .a_addr({2'd0, p_addr[29:0]}), .a_wdata(p_wdata[63:0]), .a_wstrb(p_wstrb[7:0]),
        .a_done(p_done[0]),
        .b_valid(p_valid[1]), .b_ready(p_ready[1]), .b_write(p_write[1]),
        .b_addr({2'd1, p_addr[61:32]}), .b_wdata(p_wdata[127:64]), .b_wstrb(p_wstrb[15:8]),
        .b_done(p_done[1]),
        .mem_valid(d_valid), .mem_ready(d_ready), .mem_write(d_write), .mem_addr(d_addr),
        .mem_wdata(d_wdata), .mem_wstrb(d_wstrb), .mem_done(d_done)
    );

    mem_join u_join (
        .clk(clk), .rst_n(rst_n),
        .a_valid(d_valid), .a_ready(d_ready), .a_write(d_write), .a_addr(d_addr),
        .a_wdata(d_wdata), .a_wstrb(d_wstrb), .a_done(d_done),
        .b_valid(s_valid), .b_ready(s_ready), .b_write(1'b0), .b_addr({1'b1, s_addr[30:0]}),
        .b_wdata(64'd0), .b_wstrb(8'd0), .b_done(s_done),
        .mem_valid(a_valid), .mem_ready(a_ready), .mem_write(a_write), .mem_addr(a_addr),
        .mem_wdata(a_wdata), .mem_wstrb(a_wstrb), .mem_done(a_done)
    );

    wire unused_top = s_addr[31];

//% include "system/memory.vh"

endmodule

`default_nettype wire
