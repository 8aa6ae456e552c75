// ${MIF}: memory interface, merges the DMA clients of all units onto one AXI port.
//
// Contract: a read request of up to 32768 atoms is answered by that many atoms, in request order,
//% if wt.atoms > 1
// one per cycle at most, weights as pairs of which both or one are there; a write transfer carries
// one atom. One transaction per cycle either way.
//% else
// one per cycle at most; a write transfer carries one atom. One transaction per cycle either way.
//% end
// Latency in cycles: read request to AR 2, R to client ${rsp_latency}, write transfer to AW and W 1.
// Requests wait for their turn (weighted round robin, weight 0 = only when no client with a weight
// asks), for AXI and for the limits of CFG_OUTSTANDING_CNT. Responses cannot stall.
// Reset: no request. Transactions that AXI has seen go on to their end, their answers are dropped;
// until then (STATUS.IDLE) requests wait. por_n, the reset at power-on, clears these as well.
`default_nettype none

module dla_${mif} (
    input  wire                       clk,
    input  wire                       rst_n,
    input  wire                       por_n,                  // reset at power-on

    // register access
    input  wire                       csb2${mif}_valid,
    input  wire [9:0]                 csb_addr,               // word offset
    input  wire [31:0]                csb_wdata,
    input  wire                       csb_write,
    output wire [31:0]                ${mif}2csb_rdata,         // 0 unless a read was requested
//% for c in rd_clients

    input  wire                       ${c.name}2${mif}_rd_req_valid,
    output wire                       ${c.name}2${mif}_rd_req_ready,
    input  wire [${addr_w - 1:2}:0]                ${c.name}2${mif}_rd_req_addr,   // atom aligned
    input  wire [14:0]                ${c.name}2${mif}_rd_req_size,   // atoms - 1
    output wire ${c.atoms > 1 ? "[  1:0]" : "       "}               ${mif}2${c.name}_rd_rsp_valid,  // cannot stall
    output wire [${c.atoms * atom_bits - 1:3}:0]               ${mif}2${c.name}_rd_rsp_data,
//% end
//% for c in wr_clients

    input  wire                       ${c.name}2${mif}_wr_req_valid,
    output wire                       ${c.name}2${mif}_wr_req_ready,
    input  wire [${addr_w - 1:2}:0]                ${c.name}2${mif}_wr_req_addr,   // atom aligned
    input  wire [${atom_bits - 1:3}:0]               ${c.name}2${mif}_wr_req_data,
    input  wire                       ${c.name}2${mif}_wr_req_last,   // wants to know when it is done
    output wire                       ${mif}2${c.name}_wr_rsp_complete, // pulse
//% end

    // AXI
    output wire                       ${mif}2${axi}_aw_awvalid,
    input  wire                       ${mif}2${axi}_aw_awready,
    output wire [7:0]                 ${mif}2${axi}_aw_awid,       // client
    output wire [3:0]                 ${mif}2${axi}_aw_awlen,      // beats - 1
    output wire [${addr_w - 1:2}:0]                ${mif}2${axi}_aw_awaddr,     // atom aligned
    output wire                       ${mif}2${axi}_w_wvalid,
    input  wire                       ${mif}2${axi}_w_wready,
    output wire [${bus_bits - 1:3}:0]               ${mif}2${axi}_w_wdata,
    output wire [${bus_bytes - 1:2}:0]                ${mif}2${axi}_w_wstrb,
    output wire                       ${mif}2${axi}_w_wlast,
    input  wire                       ${mif}2${axi}_b_bvalid,
    input  wire [3:0]                 ${mif}2${axi}_b_bid,         // low bits of the client  //% if wr_count > 1
    output wire                       ${mif}2${axi}_b_bready,
    output wire                       ${mif}2${axi}_ar_arvalid,
    input  wire                       ${mif}2${axi}_ar_arready,
    output wire [7:0]                 ${mif}2${axi}_ar_arid,       // client
    output wire [3:0]                 ${mif}2${axi}_ar_arlen,      // beats - 1
    output wire [${addr_w - 1:2}:0]                ${mif}2${axi}_ar_araddr,     // bus aligned
    input  wire                       ${mif}2${axi}_r_rvalid,
    output wire                       ${mif}2${axi}_r_rready,
    input  wire [3:0]                 ${mif}2${axi}_r_rid,         // low bits of the client
    input  wire                       ${mif}2${axi}_r_rlast,  //% if atoms_per_beat > 1
    input  wire [${bus_bits - 1:3}:0]               ${mif}2${axi}_r_rdata
);

//% for c in weights
    wire [7:0] ${c.net};
//% end
    wire [7:0] rd_os_cnt, wr_os_cnt;
    wire       rd_idle, wr_idle;

    dla_${mif}_regs u_regs (
        .clk       (clk),
        .rst_n     (rst_n),
        .csb_valid (csb2${mif}_valid),
        .csb_addr  (csb_addr),
        .csb_wdata (csb_wdata),
        .csb_write (csb_write),
        .csb_rdata (${mif}2csb_rdata),
//% for c in weights
        .${c.port} (${c.net}),
//% end
        .cfg_outstanding_cnt_rd_os_cnt (rd_os_cnt),
        .cfg_outstanding_cnt_wr_os_cnt (wr_os_cnt),
        .status_idle (rd_idle && wr_idle)
    );

    dla_${mif}_rd u_rd (
        .clk        (clk),
        .rst_n      (rst_n),
        .por_n      (por_n),
        .rd_os_cnt  (rd_os_cnt),
        .rd_idle    (rd_idle),
//% for c in rd_clients
        .rd_weight_${c.name} (rd_weight_${c.name}),
        .${c.name}2${mif}_rd_req_valid (${c.name}2${mif}_rd_req_valid),
        .${c.name}2${mif}_rd_req_ready (${c.name}2${mif}_rd_req_ready),
        .${c.name}2${mif}_rd_req_addr  (${c.name}2${mif}_rd_req_addr),
        .${c.name}2${mif}_rd_req_size  (${c.name}2${mif}_rd_req_size),
        .${mif}2${c.name}_rd_rsp_valid (${mif}2${c.name}_rd_rsp_valid),
        .${mif}2${c.name}_rd_rsp_data  (${mif}2${c.name}_rd_rsp_data),
//% end
        .ar_arvalid (${mif}2${axi}_ar_arvalid),
        .ar_arready (${mif}2${axi}_ar_arready),
        .ar_arid    (${mif}2${axi}_ar_arid),
        .ar_arlen   (${mif}2${axi}_ar_arlen),
        .ar_araddr  (${mif}2${axi}_ar_araddr),
        .r_rvalid   (${mif}2${axi}_r_rvalid),
        .r_rready   (${mif}2${axi}_r_rready),
        .r_rid      (${mif}2${axi}_r_rid),
        .r_rlast    (${mif}2${axi}_r_rlast),  //% if atoms_per_beat > 1
        .r_rdata    (${mif}2${axi}_r_rdata)
    );

    dla_${mif}_wr u_wr (
        .clk        (clk),
        .rst_n      (rst_n),
        .por_n      (por_n),
        .wr_os_cnt  (wr_os_cnt),
        .wr_idle    (wr_idle),
//% for c in wr_clients
        .wr_weight_${c.name} (wr_weight_${c.name}),  //% if wr_count > 1
        .${c.name}2${mif}_wr_req_valid    (${c.name}2${mif}_wr_req_valid),
        .${c.name}2${mif}_wr_req_ready    (${c.name}2${mif}_wr_req_ready),
        .${c.name}2${mif}_wr_req_addr     (${c.name}2${mif}_wr_req_addr),
        .${c.name}2${mif}_wr_req_data     (${c.name}2${mif}_wr_req_data),
        .${c.name}2${mif}_wr_req_last     (${c.name}2${mif}_wr_req_last),
        .${mif}2${c.name}_wr_rsp_complete (${mif}2${c.name}_wr_rsp_complete),
//% end
        .aw_awvalid (${mif}2${axi}_aw_awvalid),
        .aw_awready (${mif}2${axi}_aw_awready),
        .aw_awid    (${mif}2${axi}_aw_awid),
        .aw_awlen   (${mif}2${axi}_aw_awlen),
        .aw_awaddr  (${mif}2${axi}_aw_awaddr),
        .w_wvalid   (${mif}2${axi}_w_wvalid),
        .w_wready   (${mif}2${axi}_w_wready),
        .w_wdata    (${mif}2${axi}_w_wdata),
        .w_wstrb    (${mif}2${axi}_w_wstrb),
        .w_wlast    (${mif}2${axi}_w_wlast),
        .b_bvalid   (${mif}2${axi}_b_bvalid),
        .b_bid      (${mif}2${axi}_b_bid),  //% if wr_count > 1
        .b_bready   (${mif}2${axi}_b_bready)
    );

endmodule

`default_nettype wire
