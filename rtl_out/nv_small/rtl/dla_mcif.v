// Made by macrame 0.1.0 from templates/dla/mcif/dla_mcif.v
// with addr_w=32 atom_bits=64 atoms_per_beat=1 bus_bits=64 bus_bytes=8 rsp_latency=1 wr_count=3

// MCIF: memory interface, merges the DMA clients of all units onto one AXI port.
//
// Contract: a read request of up to 32768 atoms is answered by that many atoms, in request order,
// one per cycle at most; a write transfer carries one atom. One transaction per cycle either way.
// Latency in cycles: read request to AR 2, R to client 1, write transfer to AW and W 1.
// Requests wait for their turn (weighted round robin, weight 0 = only when no client with a weight
// asks), for AXI and for the limits of CFG_OUTSTANDING_CNT. Responses cannot stall.
// Reset: no request. Transactions that AXI has seen go on to their end, their answers are dropped;
// until then (STATUS.IDLE) requests wait. por_n, the reset at power-on, clears these as well.
`default_nettype none

module dla_mcif (
    input  wire                       clk,
    input  wire                       rst_n,
    input  wire                       por_n,                  // reset at power-on

    // register access
    input  wire                       csb2mcif_valid,
    input  wire [9:0]                 csb_addr,               // word offset
    input  wire [31:0]                csb_wdata,
    input  wire                       csb_write,
    output wire [31:0]                mcif2csb_rdata,         // 0 unless a read was requested

    input  wire                       cdma_dat2mcif_rd_req_valid,
    output wire                       cdma_dat2mcif_rd_req_ready,
    input  wire [31:0]                cdma_dat2mcif_rd_req_addr,   // atom aligned
    input  wire [14:0]                cdma_dat2mcif_rd_req_size,   // atoms - 1
    output wire                       mcif2cdma_dat_rd_rsp_valid,  // cannot stall
    output wire [ 63:0]               mcif2cdma_dat_rd_rsp_data,

    input  wire                       cdma_wt2mcif_rd_req_valid,
    output wire                       cdma_wt2mcif_rd_req_ready,
    input  wire [31:0]                cdma_wt2mcif_rd_req_addr,   // atom aligned
    input  wire [14:0]                cdma_wt2mcif_rd_req_size,   // atoms - 1
    output wire                       mcif2cdma_wt_rd_rsp_valid,  // cannot stall
    output wire [ 63:0]               mcif2cdma_wt_rd_rsp_data,

    input  wire                       sdp2mcif_rd_req_valid,
    output wire                       sdp2mcif_rd_req_ready,
    input  wire [31:0]                sdp2mcif_rd_req_addr,   // atom aligned
    input  wire [14:0]                sdp2mcif_rd_req_size,   // atoms - 1
    output wire                       mcif2sdp_rd_rsp_valid,  // cannot stall
    output wire [ 63:0]               mcif2sdp_rd_rsp_data,

    input  wire                       sdp_b2mcif_rd_req_valid,
    output wire                       sdp_b2mcif_rd_req_ready,
    input  wire [31:0]                sdp_b2mcif_rd_req_addr,   // atom aligned
    input  wire [14:0]                sdp_b2mcif_rd_req_size,   // atoms - 1
    output wire                       mcif2sdp_b_rd_rsp_valid,  // cannot stall
    output wire [ 63:0]               mcif2sdp_b_rd_rsp_data,

    input  wire                       sdp_n2mcif_rd_req_valid,
    output wire                       sdp_n2mcif_rd_req_ready,
    input  wire [31:0]                sdp_n2mcif_rd_req_addr,   // atom aligned
    input  wire [14:0]                sdp_n2mcif_rd_req_size,   // atoms - 1
    output wire                       mcif2sdp_n_rd_rsp_valid,  // cannot stall
    output wire [ 63:0]               mcif2sdp_n_rd_rsp_data,

    input  wire                       pdp2mcif_rd_req_valid,
    output wire                       pdp2mcif_rd_req_ready,
    input  wire [31:0]                pdp2mcif_rd_req_addr,   // atom aligned
    input  wire [14:0]                pdp2mcif_rd_req_size,   // atoms - 1
    output wire                       mcif2pdp_rd_rsp_valid,  // cannot stall
    output wire [ 63:0]               mcif2pdp_rd_rsp_data,

    input  wire                       cdp2mcif_rd_req_valid,
    output wire                       cdp2mcif_rd_req_ready,
    input  wire [31:0]                cdp2mcif_rd_req_addr,   // atom aligned
    input  wire [14:0]                cdp2mcif_rd_req_size,   // atoms - 1
    output wire                       mcif2cdp_rd_rsp_valid,  // cannot stall
    output wire [ 63:0]               mcif2cdp_rd_rsp_data,

    input  wire                       sdp2mcif_wr_req_valid,
    output wire                       sdp2mcif_wr_req_ready,
    input  wire [31:0]                sdp2mcif_wr_req_addr,   // atom aligned
    input  wire [ 63:0]               sdp2mcif_wr_req_data,
    input  wire                       sdp2mcif_wr_req_last,   // wants to know when it is done
    output wire                       mcif2sdp_wr_rsp_complete, // pulse

    input  wire                       pdp2mcif_wr_req_valid,
    output wire                       pdp2mcif_wr_req_ready,
    input  wire [31:0]                pdp2mcif_wr_req_addr,   // atom aligned
    input  wire [ 63:0]               pdp2mcif_wr_req_data,
    input  wire                       pdp2mcif_wr_req_last,   // wants to know when it is done
    output wire                       mcif2pdp_wr_rsp_complete, // pulse

    input  wire                       cdp2mcif_wr_req_valid,
    output wire                       cdp2mcif_wr_req_ready,
    input  wire [31:0]                cdp2mcif_wr_req_addr,   // atom aligned
    input  wire [ 63:0]               cdp2mcif_wr_req_data,
    input  wire                       cdp2mcif_wr_req_last,   // wants to know when it is done
    output wire                       mcif2cdp_wr_rsp_complete, // pulse

    // AXI
    output wire                       mcif2dbb_aw_awvalid,
    input  wire                       mcif2dbb_aw_awready,
    output wire [7:0]                 mcif2dbb_aw_awid,       // client
    output wire [3:0]                 mcif2dbb_aw_awlen,      // beats - 1
    output wire [31:0]                mcif2dbb_aw_awaddr,     // atom aligned
    output wire                       mcif2dbb_w_wvalid,
    input  wire                       mcif2dbb_w_wready,
    output wire [ 63:0]               mcif2dbb_w_wdata,
    output wire [ 7:0]                mcif2dbb_w_wstrb,
    output wire                       mcif2dbb_w_wlast,
    input  wire                       mcif2dbb_b_bvalid,
    input  wire [3:0]                 mcif2dbb_b_bid,         // low bits of the client
    output wire                       mcif2dbb_b_bready,
    output wire                       mcif2dbb_ar_arvalid,
    input  wire                       mcif2dbb_ar_arready,
    output wire [7:0]                 mcif2dbb_ar_arid,       // client
    output wire [3:0]                 mcif2dbb_ar_arlen,      // beats - 1
    output wire [31:0]                mcif2dbb_ar_araddr,     // bus aligned
    input  wire                       mcif2dbb_r_rvalid,
    output wire                       mcif2dbb_r_rready,
    input  wire [3:0]                 mcif2dbb_r_rid,         // low bits of the client
    input  wire [ 63:0]               mcif2dbb_r_rdata
);

    wire [7:0] rd_weight_cdma_dat;
    wire [7:0] rd_weight_cdma_wt;
    wire [7:0] rd_weight_sdp;
    wire [7:0] rd_weight_sdp_b;
    wire [7:0] rd_weight_sdp_n;
    wire [7:0] unused_rd_weight_sdp_e;
    wire [7:0] rd_weight_pdp;
    wire [7:0] rd_weight_cdp;
    wire [7:0] wr_weight_sdp;
    wire [7:0] wr_weight_pdp;
    wire [7:0] wr_weight_cdp;
    wire [7:0] rd_os_cnt, wr_os_cnt;
    wire       rd_idle, wr_idle;

    dla_mcif_regs u_regs (
        .clk       (clk),
        .rst_n     (rst_n),
        .csb_valid (csb2mcif_valid),
        .csb_addr  (csb_addr),
        .csb_wdata (csb_wdata),
        .csb_write (csb_write),
        .csb_rdata (mcif2csb_rdata),
        .cfg_rd_weight_1_rd_weight_cdma_dat (rd_weight_cdma_dat),
        .cfg_rd_weight_2_rd_weight_cdma_wt (rd_weight_cdma_wt),
        .cfg_rd_weight_0_rd_weight_sdp (rd_weight_sdp),
        .cfg_rd_weight_1_rd_weight_sdp_b (rd_weight_sdp_b),
        .cfg_rd_weight_1_rd_weight_sdp_n (rd_weight_sdp_n),
        .cfg_rd_weight_1_rd_weight_sdp_e (unused_rd_weight_sdp_e),
        .cfg_rd_weight_0_rd_weight_pdp (rd_weight_pdp),
        .cfg_rd_weight_0_rd_weight_cdp (rd_weight_cdp),
        .cfg_wr_weight_0_wr_weight_sdp (wr_weight_sdp),
        .cfg_wr_weight_0_wr_weight_pdp (wr_weight_pdp),
        .cfg_wr_weight_0_wr_weight_cdp (wr_weight_cdp),
        .cfg_outstanding_cnt_rd_os_cnt (rd_os_cnt),
        .cfg_outstanding_cnt_wr_os_cnt (wr_os_cnt),
        .status_idle (rd_idle && wr_idle)
    );

    dla_mcif_rd u_rd (
        .clk        (clk),
        .rst_n      (rst_n),
        .por_n      (por_n),
        .rd_os_cnt  (rd_os_cnt),
        .rd_idle    (rd_idle),
        .rd_weight_cdma_dat (rd_weight_cdma_dat),
        .cdma_dat2mcif_rd_req_valid (cdma_dat2mcif_rd_req_valid),
        .cdma_dat2mcif_rd_req_ready (cdma_dat2mcif_rd_req_ready),
        .cdma_dat2mcif_rd_req_addr  (cdma_dat2mcif_rd_req_addr),
        .cdma_dat2mcif_rd_req_size  (cdma_dat2mcif_rd_req_size),
        .mcif2cdma_dat_rd_rsp_valid (mcif2cdma_dat_rd_rsp_valid),
        .mcif2cdma_dat_rd_rsp_data  (mcif2cdma_dat_rd_rsp_data),
        .rd_weight_cdma_wt (rd_weight_cdma_wt),
        .cdma_wt2mcif_rd_req_valid (cdma_wt2mcif_rd_req_valid),
        .cdma_wt2mcif_rd_req_ready (cdma_wt2mcif_rd_req_ready),
        .cdma_wt2mcif_rd_req_addr  (cdma_wt2mcif_rd_req_addr),
        .cdma_wt2mcif_rd_req_size  (cdma_wt2mcif_rd_req_size),
        .mcif2cdma_wt_rd_rsp_valid (mcif2cdma_wt_rd_rsp_valid),
        .mcif2cdma_wt_rd_rsp_data  (mcif2cdma_wt_rd_rsp_data),
        .rd_weight_sdp (rd_weight_sdp),
        .sdp2mcif_rd_req_valid (sdp2mcif_rd_req_valid),
        .sdp2mcif_rd_req_ready (sdp2mcif_rd_req_ready),
        .sdp2mcif_rd_req_addr  (sdp2mcif_rd_req_addr),
        .sdp2mcif_rd_req_size  (sdp2mcif_rd_req_size),
        .mcif2sdp_rd_rsp_valid (mcif2sdp_rd_rsp_valid),
        .mcif2sdp_rd_rsp_data  (mcif2sdp_rd_rsp_data),
        .rd_weight_sdp_b (rd_weight_sdp_b),
        .sdp_b2mcif_rd_req_valid (sdp_b2mcif_rd_req_valid),
        .sdp_b2mcif_rd_req_ready (sdp_b2mcif_rd_req_ready),
        .sdp_b2mcif_rd_req_addr  (sdp_b2mcif_rd_req_addr),
        .sdp_b2mcif_rd_req_size  (sdp_b2mcif_rd_req_size),
        .mcif2sdp_b_rd_rsp_valid (mcif2sdp_b_rd_rsp_valid),
        .mcif2sdp_b_rd_rsp_data  (mcif2sdp_b_rd_rsp_data),
        .rd_weight_sdp_n (rd_weight_sdp_n),
        .sdp_n2mcif_rd_req_valid (sdp_n2mcif_rd_req_valid),
        .sdp_n2mcif_rd_req_ready (sdp_n2mcif_rd_req_ready),
        .sdp_n2mcif_rd_req_addr  (sdp_n2mcif_rd_req_addr),
        .sdp_n2mcif_rd_req_size  (sdp_n2mcif_rd_req_size),
        .mcif2sdp_n_rd_rsp_valid (mcif2sdp_n_rd_rsp_valid),
        .mcif2sdp_n_rd_rsp_data  (mcif2sdp_n_rd_rsp_data),
        .rd_weight_pdp (rd_weight_pdp),
        .pdp2mcif_rd_req_valid (pdp2mcif_rd_req_valid),
        .pdp2mcif_rd_req_ready (pdp2mcif_rd_req_ready),
        .pdp2mcif_rd_req_addr  (pdp2mcif_rd_req_addr),
        .pdp2mcif_rd_req_size  (pdp2mcif_rd_req_size),
        .mcif2pdp_rd_rsp_valid (mcif2pdp_rd_rsp_valid),
        .mcif2pdp_rd_rsp_data  (mcif2pdp_rd_rsp_data),
        .rd_weight_cdp (rd_weight_cdp),
        .cdp2mcif_rd_req_valid (cdp2mcif_rd_req_valid),
        .cdp2mcif_rd_req_ready (cdp2mcif_rd_req_ready),
        .cdp2mcif_rd_req_addr  (cdp2mcif_rd_req_addr),
        .cdp2mcif_rd_req_size  (cdp2mcif_rd_req_size),
        .mcif2cdp_rd_rsp_valid (mcif2cdp_rd_rsp_valid),
        .mcif2cdp_rd_rsp_data  (mcif2cdp_rd_rsp_data),
        .ar_arvalid (mcif2dbb_ar_arvalid),
        .ar_arready (mcif2dbb_ar_arready),
        .ar_arid    (mcif2dbb_ar_arid),
        .ar_arlen   (mcif2dbb_ar_arlen),
        .ar_araddr  (mcif2dbb_ar_araddr),
        .r_rvalid   (mcif2dbb_r_rvalid),
        .r_rready   (mcif2dbb_r_rready),
        .r_rid      (mcif2dbb_r_rid),
        .r_rdata    (mcif2dbb_r_rdata)
    );

    dla_mcif_wr u_wr (
        .clk        (clk),
        .rst_n      (rst_n),
        .por_n      (por_n),
        .wr_os_cnt  (wr_os_cnt),
        .wr_idle    (wr_idle),
        .wr_weight_sdp (wr_weight_sdp),
        .sdp2mcif_wr_req_valid    (sdp2mcif_wr_req_valid),
        .sdp2mcif_wr_req_ready    (sdp2mcif_wr_req_ready),
        .sdp2mcif_wr_req_addr     (sdp2mcif_wr_req_addr),
        .sdp2mcif_wr_req_data     (sdp2mcif_wr_req_data),
        .sdp2mcif_wr_req_last     (sdp2mcif_wr_req_last),
        .mcif2sdp_wr_rsp_complete (mcif2sdp_wr_rsp_complete),
        .wr_weight_pdp (wr_weight_pdp),
        .pdp2mcif_wr_req_valid    (pdp2mcif_wr_req_valid),
        .pdp2mcif_wr_req_ready    (pdp2mcif_wr_req_ready),
        .pdp2mcif_wr_req_addr     (pdp2mcif_wr_req_addr),
        .pdp2mcif_wr_req_data     (pdp2mcif_wr_req_data),
        .pdp2mcif_wr_req_last     (pdp2mcif_wr_req_last),
        .mcif2pdp_wr_rsp_complete (mcif2pdp_wr_rsp_complete),
        .wr_weight_cdp (wr_weight_cdp),
        .cdp2mcif_wr_req_valid    (cdp2mcif_wr_req_valid),
        .cdp2mcif_wr_req_ready    (cdp2mcif_wr_req_ready),
        .cdp2mcif_wr_req_addr     (cdp2mcif_wr_req_addr),
        .cdp2mcif_wr_req_data     (cdp2mcif_wr_req_data),
        .cdp2mcif_wr_req_last     (cdp2mcif_wr_req_last),
        .mcif2cdp_wr_rsp_complete (mcif2cdp_wr_rsp_complete),
        .aw_awvalid (mcif2dbb_aw_awvalid),
        .aw_awready (mcif2dbb_aw_awready),
        .aw_awid    (mcif2dbb_aw_awid),
        .aw_awlen   (mcif2dbb_aw_awlen),
        .aw_awaddr  (mcif2dbb_aw_awaddr),
        .w_wvalid   (mcif2dbb_w_wvalid),
        .w_wready   (mcif2dbb_w_wready),
        .w_wdata    (mcif2dbb_w_wdata),
        .w_wstrb    (mcif2dbb_w_wstrb),
        .w_wlast    (mcif2dbb_w_wlast),
        .b_bvalid   (mcif2dbb_b_bvalid),
        .b_bid      (mcif2dbb_b_bid),
        .b_bready   (mcif2dbb_b_bready)
    );

`ifdef MACRAME_ASSERT
    // ------------------------------------------------------------------ rules of the ports
    assert_link #(.W(44)) a_mcif2dbb_aw_aw (
        .clk(clk), .rst_n(por_n), .valid(mcif2dbb_aw_awvalid), .ready(mcif2dbb_aw_awready),
        .payload({mcif2dbb_aw_awid, mcif2dbb_aw_awlen, mcif2dbb_aw_awaddr})
    );
    assert_axi_burst #(.BUS_W(64), .LEN_W(4)) a_mcif2dbb_aw_aw_burst (
        .clk(clk), .rst_n(por_n), .valid(mcif2dbb_aw_awvalid), .addr(mcif2dbb_aw_awaddr[11:0]),
        .len(mcif2dbb_aw_awlen), .size(3'd3), .burst(2'b01)
    );
    assert_axi_write #(.LEN_W(4)) a_mcif2dbb_aw_aw_data (
        .clk(clk), .rst_n(por_n), .awvalid(mcif2dbb_aw_awvalid), .awready(mcif2dbb_aw_awready),
        .awlen(mcif2dbb_aw_awlen), .wvalid(mcif2dbb_w_wvalid), .wready(mcif2dbb_w_wready),
        .wlast(mcif2dbb_w_wlast)
    );
    assert_link #(.W(73)) a_mcif2dbb_w_w (
        .clk(clk), .rst_n(por_n), .valid(mcif2dbb_w_wvalid), .ready(mcif2dbb_w_wready),
        .payload({mcif2dbb_w_wdata, mcif2dbb_w_wstrb, mcif2dbb_w_wlast})
    );
    assert_link #(.W(44)) a_mcif2dbb_ar_ar (
        .clk(clk), .rst_n(por_n), .valid(mcif2dbb_ar_arvalid), .ready(mcif2dbb_ar_arready),
        .payload({mcif2dbb_ar_arid, mcif2dbb_ar_arlen, mcif2dbb_ar_araddr})
    );
    assert_axi_burst #(.BUS_W(64), .LEN_W(4)) a_mcif2dbb_ar_ar_burst (
        .clk(clk), .rst_n(por_n), .valid(mcif2dbb_ar_arvalid), .addr(mcif2dbb_ar_araddr[11:0]),
        .len(mcif2dbb_ar_arlen), .size(3'd3), .burst(2'b01)
    );
`endif

endmodule

`default_nettype wire
