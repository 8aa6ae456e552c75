// Made by macrame 0.1.0 from templates/dla/top/dla_top.v
// with addr_w=32 atoms_per_beat=1 bdma_enable=0 bus_bits=64 bus_bytes=8 cdp_enable=1
// clock_gating=0 max_burst=1 pdp_enable=1 rubik_enable=0 secondary_memif_enable=0 write_ids=1

// The accelerator: all units and the links between them.
//
//   CSB --> csb_master --> register files of all units            glb --> interrupt
//
//   AXI <--> mcif <--> cdma --> cbuf --> csc --> cmac_a, cmac_b --> cacc --> sdp --> mcif <--> AXI
//                 <--> sdp_rdma --------------------------------------------> sdp
//                 <--> pdp_rdma --> pdp --> mcif        (also sdp --> pdp)
//                 <--> cdp_rdma --> cdp --> mcif
//
// Two clocks: dla_core_clk for everything that computes and for AXI, dla_csb_clk for register
// access and the interrupt. dla_reset_rstn takes effect at once and ends in step with each clock.
// AXI: bursts of up to 1 beat(s), ids are {4'd0, client}; answers of different ids may
// overtake each other and interleave.
//
// The accelerator may be reset alone, with transactions on their way, if dla_reset_rstn falls in
// step with dla_core_clk: these end as AXI wants it, then the memory ports work for the next
// program (STATUS.IDLE of each). The first reset after power-on clears everything.
`default_nettype none

module dla_top (
    // clocks and resets
    input  wire         dla_core_clk,
    input  wire         dla_csb_clk,                       // register access, async to the core
    input  wire         global_clk_ovr_on,                 // 1: no clock gating
    input  wire         tmc2slcg_disable_clock_gating,     // 1: no clock gating (test)
    input  wire         dla_reset_rstn,                    // asynchronous
    input  wire         direct_reset_,                     // reset while test_mode is 1
    input  wire         test_mode,

    // register access, dla_csb_clk
    input  wire         csb2nvdla_valid,
    output wire         csb2nvdla_ready,
    input  wire [ 15:0] csb2nvdla_addr,                    // word address
    input  wire [ 31:0] csb2nvdla_wdat,
    input  wire         csb2nvdla_write,
    input  wire         csb2nvdla_nposted,                 // write wants _wr_complete
    output wire         nvdla2csb_valid,                   // read data, cannot stall
    output wire [ 31:0] nvdla2csb_data,
    output wire         nvdla2csb_wr_complete,             // cannot stall

    // memory, dla_core_clk
    output wire         nvdla_core2dbb_aw_awvalid,
    input  wire         nvdla_core2dbb_aw_awready,
    output wire [  7:0] nvdla_core2dbb_aw_awid,
    output wire [  3:0] nvdla_core2dbb_aw_awlen,           // beats - 1
    output wire [ 31:0] nvdla_core2dbb_aw_awaddr,          // atom aligned
    output wire         nvdla_core2dbb_w_wvalid,
    input  wire         nvdla_core2dbb_w_wready,
    output wire [ 63:0] nvdla_core2dbb_w_wdata,
    output wire [  7:0] nvdla_core2dbb_w_wstrb,
    output wire         nvdla_core2dbb_w_wlast,
    input  wire         nvdla_core2dbb_b_bvalid,
    output wire         nvdla_core2dbb_b_bready,
    input  wire [  7:0] nvdla_core2dbb_b_bid,
    output wire         nvdla_core2dbb_ar_arvalid,
    input  wire         nvdla_core2dbb_ar_arready,
    output wire [  7:0] nvdla_core2dbb_ar_arid,
    output wire [  3:0] nvdla_core2dbb_ar_arlen,           // beats - 1
    output wire [ 31:0] nvdla_core2dbb_ar_araddr,          // bus aligned
    input  wire         nvdla_core2dbb_r_rvalid,
    output wire         nvdla_core2dbb_r_rready,
    input  wire [  7:0] nvdla_core2dbb_r_rid,
    input  wire         nvdla_core2dbb_r_rlast,
    input  wire [ 63:0] nvdla_core2dbb_r_rdata,

    // level, dla_csb_clk
    output wire         dla_intr,

    // RAM power pins of the layout partitions: not used, FPGA and generic RAMs have no such pins
    input  wire [ 31:0] nvdla_pwrbus_ram_c_pd,
    input  wire [ 31:0] nvdla_pwrbus_ram_ma_pd,
    input  wire [ 31:0] nvdla_pwrbus_ram_mb_pd,
    input  wire [ 31:0] nvdla_pwrbus_ram_p_pd,
    input  wire [ 31:0] nvdla_pwrbus_ram_o_pd,
    input  wire [ 31:0] nvdla_pwrbus_ram_a_pd
);

    wire clk = dla_core_clk;

    // Pins without a function in this configuration.
    wire unused_pins = &{nvdla_pwrbus_ram_c_pd, nvdla_pwrbus_ram_ma_pd, nvdla_pwrbus_ram_mb_pd,
                         nvdla_pwrbus_ram_p_pd, nvdla_pwrbus_ram_o_pd, nvdla_pwrbus_ram_a_pd,
                         global_clk_ovr_on, tmc2slcg_disable_clock_gating,
                         nvdla_core2dbb_r_rlast,
                         nvdla_core2dbb_b_bid[7:4], nvdla_core2dbb_r_rid[7:4]};

    // ------------------------------------------------------------------ resets
    wire core_synced_n, csb_synced_n;
    wire core_por_n;
    wire por_n     = test_mode ? direct_reset_ : core_por_n;         // not by later resets
    wire csb_rst_n = test_mode ? direct_reset_ : csb_synced_n;

    reset_sync u_core_reset (.clk(clk), .arst_n(dla_reset_rstn), .rst_n(core_synced_n));
    power_on_reset u_power_on (.clk(clk), .rst_n(core_synced_n), .por_n(core_por_n));
    reset_sync u_csb_reset (.clk(dla_csb_clk), .arst_n(dla_reset_rstn), .rst_n(csb_synced_n));

    // A unit has a reset flop of its own, which lies near to it.
    wire csb_master_rst_n;
    reset_copy u_csb_master_reset (.clk(clk), .rst_n(core_synced_n), .test_mode(test_mode),
                             .test_rst_n(direct_reset_), .copy_n(csb_master_rst_n));
    wire cbuf_rst_n;
    reset_copy u_cbuf_reset (.clk(clk), .rst_n(core_synced_n), .test_mode(test_mode),
                             .test_rst_n(direct_reset_), .copy_n(cbuf_rst_n));
    wire glb_rst_n;
    reset_copy u_glb_reset (.clk(clk), .rst_n(core_synced_n), .test_mode(test_mode),
                             .test_rst_n(direct_reset_), .copy_n(glb_rst_n));
    wire mcif_rst_n;
    reset_copy u_mcif_reset (.clk(clk), .rst_n(core_synced_n), .test_mode(test_mode),
                             .test_rst_n(direct_reset_), .copy_n(mcif_rst_n));
    wire cdma_rst_n;
    reset_copy u_cdma_reset (.clk(clk), .rst_n(core_synced_n), .test_mode(test_mode),
                             .test_rst_n(direct_reset_), .copy_n(cdma_rst_n));
    wire csc_rst_n;
    reset_copy u_csc_reset (.clk(clk), .rst_n(core_synced_n), .test_mode(test_mode),
                             .test_rst_n(direct_reset_), .copy_n(csc_rst_n));
    wire cmac_a_rst_n;
    reset_copy u_cmac_a_reset (.clk(clk), .rst_n(core_synced_n), .test_mode(test_mode),
                             .test_rst_n(direct_reset_), .copy_n(cmac_a_rst_n));
    wire cmac_b_rst_n;
    reset_copy u_cmac_b_reset (.clk(clk), .rst_n(core_synced_n), .test_mode(test_mode),
                             .test_rst_n(direct_reset_), .copy_n(cmac_b_rst_n));
    wire cacc_rst_n;
    reset_copy u_cacc_reset (.clk(clk), .rst_n(core_synced_n), .test_mode(test_mode),
                             .test_rst_n(direct_reset_), .copy_n(cacc_rst_n));
    wire sdp_rdma_rst_n;
    reset_copy u_sdp_rdma_reset (.clk(clk), .rst_n(core_synced_n), .test_mode(test_mode),
                             .test_rst_n(direct_reset_), .copy_n(sdp_rdma_rst_n));
    wire sdp_rst_n;
    reset_copy u_sdp_reset (.clk(clk), .rst_n(core_synced_n), .test_mode(test_mode),
                             .test_rst_n(direct_reset_), .copy_n(sdp_rst_n));
    wire pdp_rdma_rst_n;
    reset_copy u_pdp_rdma_reset (.clk(clk), .rst_n(core_synced_n), .test_mode(test_mode),
                             .test_rst_n(direct_reset_), .copy_n(pdp_rdma_rst_n));
    wire pdp_rst_n;
    reset_copy u_pdp_reset (.clk(clk), .rst_n(core_synced_n), .test_mode(test_mode),
                             .test_rst_n(direct_reset_), .copy_n(pdp_rst_n));
    wire cdp_rdma_rst_n;
    reset_copy u_cdp_rdma_reset (.clk(clk), .rst_n(core_synced_n), .test_mode(test_mode),
                             .test_rst_n(direct_reset_), .copy_n(cdp_rdma_rst_n));
    wire cdp_rst_n;
    reset_copy u_cdp_reset (.clk(clk), .rst_n(core_synced_n), .test_mode(test_mode),
                             .test_rst_n(direct_reset_), .copy_n(cdp_rst_n));

    // ------------------------------------------------------------------ register access
    wire [  9:0] csb_addr;
    wire [ 31:0] csb_wdata;
    wire         csb_write;
    wire         csb2cfgrom_valid;
    wire [ 31:0] cfgrom2csb_rdata;
    wire         csb2glb_valid;
    wire [ 31:0] glb2csb_rdata;
    wire         csb2mcif_valid;
    wire [ 31:0] mcif2csb_rdata;
    wire         csb2cdma_valid;
    wire [ 31:0] cdma2csb_rdata;
    wire         csb2csc_valid;
    wire [ 31:0] csc2csb_rdata;
    wire         csb2cmac_a_valid;
    wire [ 31:0] cmac_a2csb_rdata;
    wire         csb2cmac_b_valid;
    wire [ 31:0] cmac_b2csb_rdata;
    wire         csb2cacc_valid;
    wire [ 31:0] cacc2csb_rdata;
    wire         csb2sdp_rdma_valid;
    wire [ 31:0] sdp_rdma2csb_rdata;
    wire         csb2sdp_valid;
    wire [ 31:0] sdp2csb_rdata;
    wire         csb2pdp_rdma_valid;
    wire [ 31:0] pdp_rdma2csb_rdata;
    wire         csb2pdp_valid;
    wire [ 31:0] pdp2csb_rdata;
    wire         csb2cdp_rdma_valid;
    wire [ 31:0] cdp_rdma2csb_rdata;
    wire         csb2cdp_valid;
    wire [ 31:0] cdp2csb_rdata;

    dla_csb_master u_csb_master (
        .dla_csb_clk           (dla_csb_clk),
        .csb_rst_n             (csb_rst_n),
        .clk                   (clk),
        .rst_n                 (csb_master_rst_n),
        .csb2nvdla_valid       (csb2nvdla_valid),
        .csb2nvdla_ready       (csb2nvdla_ready),
        .csb2nvdla_addr        (csb2nvdla_addr),
        .csb2nvdla_wdat        (csb2nvdla_wdat),
        .csb2nvdla_write       (csb2nvdla_write),
        .csb2nvdla_nposted     (csb2nvdla_nposted),
        .nvdla2csb_valid       (nvdla2csb_valid),
        .nvdla2csb_data        (nvdla2csb_data),
        .nvdla2csb_wr_complete (nvdla2csb_wr_complete),
        .csb2cfgrom_valid (csb2cfgrom_valid),
        .cfgrom2csb_rdata (cfgrom2csb_rdata),
        .csb2glb_valid (csb2glb_valid),
        .glb2csb_rdata (glb2csb_rdata),
        .csb2mcif_valid (csb2mcif_valid),
        .mcif2csb_rdata (mcif2csb_rdata),
        .csb2cdma_valid (csb2cdma_valid),
        .cdma2csb_rdata (cdma2csb_rdata),
        .csb2csc_valid (csb2csc_valid),
        .csc2csb_rdata (csc2csb_rdata),
        .csb2cmac_a_valid (csb2cmac_a_valid),
        .cmac_a2csb_rdata (cmac_a2csb_rdata),
        .csb2cmac_b_valid (csb2cmac_b_valid),
        .cmac_b2csb_rdata (cmac_b2csb_rdata),
        .csb2cacc_valid (csb2cacc_valid),
        .cacc2csb_rdata (cacc2csb_rdata),
        .csb2sdp_rdma_valid (csb2sdp_rdma_valid),
        .sdp_rdma2csb_rdata (sdp_rdma2csb_rdata),
        .csb2sdp_valid (csb2sdp_valid),
        .sdp2csb_rdata (sdp2csb_rdata),
        .csb2pdp_rdma_valid (csb2pdp_rdma_valid),
        .pdp_rdma2csb_rdata (pdp_rdma2csb_rdata),
        .csb2pdp_valid (csb2pdp_valid),
        .pdp2csb_rdata (pdp2csb_rdata),
        .csb2cdp_rdma_valid (csb2cdp_rdma_valid),
        .cdp_rdma2csb_rdata (cdp_rdma2csb_rdata),
        .csb2cdp_valid (csb2cdp_valid),
        .cdp2csb_rdata (cdp2csb_rdata),
        .csb_addr              (csb_addr),
        .csb_wdata             (csb_wdata),
        .csb_write             (csb_write)
    );

    dla_cfgrom u_cfgrom (
        .clk              (clk),
        .csb2cfgrom_valid (csb2cfgrom_valid),
        .csb_addr         (csb_addr),
        .csb_write        (csb_write),
        .cfgrom2csb_rdata (cfgrom2csb_rdata)
    );

    // ------------------------------------------------------------------ interrupts
    wire [  1:0] cdma_dat2glb_done;
    wire [  1:0] cdma_wt2glb_done;
    wire [  1:0] cacc2glb_done;
    wire [  1:0] pdp2glb_done;
    wire [  1:0] sdp2glb_done;
    wire [  1:0] cdp2glb_done;

    dla_glb u_glb (
        .clk               (clk),
        .rst_n             (glb_rst_n),
        .dla_csb_clk       (dla_csb_clk),
        .csb_rst_n         (csb_rst_n),
        .csb2glb_valid     (csb2glb_valid),
        .csb_addr          (csb_addr),
        .csb_wdata         (csb_wdata),
        .csb_write         (csb_write),
        .glb2csb_rdata     (glb2csb_rdata),
        .cdma_dat2glb_done (cdma_dat2glb_done),
        .cdma_wt2glb_done  (cdma_wt2glb_done),
        .cacc2glb_done     (cacc2glb_done),
        .sdp2glb_done      (sdp2glb_done),
        .pdp2glb_done      (pdp2glb_done),
        .cdp2glb_done      (cdp2glb_done),
        .dla_intr          (dla_intr)
    );

    // ------------------------------------------------------------------ memory interface
    wire         cdma_dat2mcif_rd_req_valid;
    wire         cdma_dat2mcif_rd_req_ready;
    wire [ 31:0] cdma_dat2mcif_rd_req_addr;
    wire [ 14:0] cdma_dat2mcif_rd_req_size;
    wire         mcif2cdma_dat_rd_rsp_valid;
    wire [ 63:0] mcif2cdma_dat_rd_rsp_data;
    wire         cdma_wt2mcif_rd_req_valid;
    wire         cdma_wt2mcif_rd_req_ready;
    wire [ 31:0] cdma_wt2mcif_rd_req_addr;
    wire [ 14:0] cdma_wt2mcif_rd_req_size;
    wire         mcif2cdma_wt_rd_rsp_valid;
    wire [ 63:0] mcif2cdma_wt_rd_rsp_data;
    wire         sdp2mcif_rd_req_valid;
    wire         sdp2mcif_rd_req_ready;
    wire [ 31:0] sdp2mcif_rd_req_addr;
    wire [ 14:0] sdp2mcif_rd_req_size;
    wire         mcif2sdp_rd_rsp_valid;
    wire [ 63:0] mcif2sdp_rd_rsp_data;
    wire         sdp_b2mcif_rd_req_valid;
    wire         sdp_b2mcif_rd_req_ready;
    wire [ 31:0] sdp_b2mcif_rd_req_addr;
    wire [ 14:0] sdp_b2mcif_rd_req_size;
    wire         mcif2sdp_b_rd_rsp_valid;
    wire [ 63:0] mcif2sdp_b_rd_rsp_data;
    wire         sdp_n2mcif_rd_req_valid;
    wire         sdp_n2mcif_rd_req_ready;
    wire [ 31:0] sdp_n2mcif_rd_req_addr;
    wire [ 14:0] sdp_n2mcif_rd_req_size;
    wire         mcif2sdp_n_rd_rsp_valid;
    wire [ 63:0] mcif2sdp_n_rd_rsp_data;
    wire         pdp2mcif_rd_req_valid;
    wire         pdp2mcif_rd_req_ready;
    wire [ 31:0] pdp2mcif_rd_req_addr;
    wire [ 14:0] pdp2mcif_rd_req_size;
    wire         mcif2pdp_rd_rsp_valid;
    wire [ 63:0] mcif2pdp_rd_rsp_data;
    wire         cdp2mcif_rd_req_valid;
    wire         cdp2mcif_rd_req_ready;
    wire [ 31:0] cdp2mcif_rd_req_addr;
    wire [ 14:0] cdp2mcif_rd_req_size;
    wire         mcif2cdp_rd_rsp_valid;
    wire [ 63:0] mcif2cdp_rd_rsp_data;
    wire         sdp2mcif_wr_req_valid;
    wire         sdp2mcif_wr_req_ready;
    wire [ 31:0] sdp2mcif_wr_req_addr;
    wire [ 63:0] sdp2mcif_wr_req_data;
    wire         sdp2mcif_wr_req_last;
    wire         mcif2sdp_wr_rsp_complete;
    wire         pdp2mcif_wr_req_valid;
    wire         pdp2mcif_wr_req_ready;
    wire [ 31:0] pdp2mcif_wr_req_addr;
    wire [ 63:0] pdp2mcif_wr_req_data;
    wire         pdp2mcif_wr_req_last;
    wire         mcif2pdp_wr_rsp_complete;
    wire         cdp2mcif_wr_req_valid;
    wire         cdp2mcif_wr_req_ready;
    wire [ 31:0] cdp2mcif_wr_req_addr;
    wire [ 63:0] cdp2mcif_wr_req_data;
    wire         cdp2mcif_wr_req_last;
    wire         mcif2cdp_wr_rsp_complete;

    dla_mcif u_mcif (
        .clk                 (clk),
        .rst_n               (mcif_rst_n),
        .por_n               (por_n),
        .csb2mcif_valid      (csb2mcif_valid),
        .csb_addr            (csb_addr),
        .csb_wdata           (csb_wdata),
        .csb_write           (csb_write),
        .mcif2csb_rdata      (mcif2csb_rdata),
        .cdma_dat2mcif_rd_req_valid (cdma_dat2mcif_rd_req_valid),
        .cdma_dat2mcif_rd_req_ready (cdma_dat2mcif_rd_req_ready),
        .cdma_dat2mcif_rd_req_addr (cdma_dat2mcif_rd_req_addr),
        .cdma_dat2mcif_rd_req_size (cdma_dat2mcif_rd_req_size),
        .mcif2cdma_dat_rd_rsp_valid (mcif2cdma_dat_rd_rsp_valid),
        .mcif2cdma_dat_rd_rsp_data (mcif2cdma_dat_rd_rsp_data),
        .cdma_wt2mcif_rd_req_valid (cdma_wt2mcif_rd_req_valid),
        .cdma_wt2mcif_rd_req_ready (cdma_wt2mcif_rd_req_ready),
        .cdma_wt2mcif_rd_req_addr (cdma_wt2mcif_rd_req_addr),
        .cdma_wt2mcif_rd_req_size (cdma_wt2mcif_rd_req_size),
        .mcif2cdma_wt_rd_rsp_valid (mcif2cdma_wt_rd_rsp_valid),
        .mcif2cdma_wt_rd_rsp_data (mcif2cdma_wt_rd_rsp_data),
        .sdp2mcif_rd_req_valid (sdp2mcif_rd_req_valid),
        .sdp2mcif_rd_req_ready (sdp2mcif_rd_req_ready),
        .sdp2mcif_rd_req_addr (sdp2mcif_rd_req_addr),
        .sdp2mcif_rd_req_size (sdp2mcif_rd_req_size),
        .mcif2sdp_rd_rsp_valid (mcif2sdp_rd_rsp_valid),
        .mcif2sdp_rd_rsp_data (mcif2sdp_rd_rsp_data),
        .sdp_b2mcif_rd_req_valid (sdp_b2mcif_rd_req_valid),
        .sdp_b2mcif_rd_req_ready (sdp_b2mcif_rd_req_ready),
        .sdp_b2mcif_rd_req_addr (sdp_b2mcif_rd_req_addr),
        .sdp_b2mcif_rd_req_size (sdp_b2mcif_rd_req_size),
        .mcif2sdp_b_rd_rsp_valid (mcif2sdp_b_rd_rsp_valid),
        .mcif2sdp_b_rd_rsp_data (mcif2sdp_b_rd_rsp_data),
        .sdp_n2mcif_rd_req_valid (sdp_n2mcif_rd_req_valid),
        .sdp_n2mcif_rd_req_ready (sdp_n2mcif_rd_req_ready),
        .sdp_n2mcif_rd_req_addr (sdp_n2mcif_rd_req_addr),
        .sdp_n2mcif_rd_req_size (sdp_n2mcif_rd_req_size),
        .mcif2sdp_n_rd_rsp_valid (mcif2sdp_n_rd_rsp_valid),
        .mcif2sdp_n_rd_rsp_data (mcif2sdp_n_rd_rsp_data),
        .pdp2mcif_rd_req_valid (pdp2mcif_rd_req_valid),
        .pdp2mcif_rd_req_ready (pdp2mcif_rd_req_ready),
        .pdp2mcif_rd_req_addr (pdp2mcif_rd_req_addr),
        .pdp2mcif_rd_req_size (pdp2mcif_rd_req_size),
        .mcif2pdp_rd_rsp_valid (mcif2pdp_rd_rsp_valid),
        .mcif2pdp_rd_rsp_data (mcif2pdp_rd_rsp_data),
        .cdp2mcif_rd_req_valid (cdp2mcif_rd_req_valid),
        .cdp2mcif_rd_req_ready (cdp2mcif_rd_req_ready),
        .cdp2mcif_rd_req_addr (cdp2mcif_rd_req_addr),
        .cdp2mcif_rd_req_size (cdp2mcif_rd_req_size),
        .mcif2cdp_rd_rsp_valid (mcif2cdp_rd_rsp_valid),
        .mcif2cdp_rd_rsp_data (mcif2cdp_rd_rsp_data),
        .sdp2mcif_wr_req_valid (sdp2mcif_wr_req_valid),
        .sdp2mcif_wr_req_ready (sdp2mcif_wr_req_ready),
        .sdp2mcif_wr_req_addr (sdp2mcif_wr_req_addr),
        .sdp2mcif_wr_req_data (sdp2mcif_wr_req_data),
        .sdp2mcif_wr_req_last (sdp2mcif_wr_req_last),
        .mcif2sdp_wr_rsp_complete (mcif2sdp_wr_rsp_complete),
        .pdp2mcif_wr_req_valid (pdp2mcif_wr_req_valid),
        .pdp2mcif_wr_req_ready (pdp2mcif_wr_req_ready),
        .pdp2mcif_wr_req_addr (pdp2mcif_wr_req_addr),
        .pdp2mcif_wr_req_data (pdp2mcif_wr_req_data),
        .pdp2mcif_wr_req_last (pdp2mcif_wr_req_last),
        .mcif2pdp_wr_rsp_complete (mcif2pdp_wr_rsp_complete),
        .cdp2mcif_wr_req_valid (cdp2mcif_wr_req_valid),
        .cdp2mcif_wr_req_ready (cdp2mcif_wr_req_ready),
        .cdp2mcif_wr_req_addr (cdp2mcif_wr_req_addr),
        .cdp2mcif_wr_req_data (cdp2mcif_wr_req_data),
        .cdp2mcif_wr_req_last (cdp2mcif_wr_req_last),
        .mcif2cdp_wr_rsp_complete (mcif2cdp_wr_rsp_complete),
        .mcif2dbb_aw_awvalid (nvdla_core2dbb_aw_awvalid),
        .mcif2dbb_aw_awready (nvdla_core2dbb_aw_awready),
        .mcif2dbb_aw_awid    (nvdla_core2dbb_aw_awid),
        .mcif2dbb_aw_awlen   (nvdla_core2dbb_aw_awlen),
        .mcif2dbb_aw_awaddr  (nvdla_core2dbb_aw_awaddr),
        .mcif2dbb_w_wvalid   (nvdla_core2dbb_w_wvalid),
        .mcif2dbb_w_wready   (nvdla_core2dbb_w_wready),
        .mcif2dbb_w_wdata    (nvdla_core2dbb_w_wdata),
        .mcif2dbb_w_wstrb    (nvdla_core2dbb_w_wstrb),
        .mcif2dbb_w_wlast    (nvdla_core2dbb_w_wlast),
        .mcif2dbb_b_bvalid   (nvdla_core2dbb_b_bvalid),
        .mcif2dbb_b_bready   (nvdla_core2dbb_b_bready),
        .mcif2dbb_b_bid      (nvdla_core2dbb_b_bid[3:0]),
        .mcif2dbb_ar_arvalid (nvdla_core2dbb_ar_arvalid),
        .mcif2dbb_ar_arready (nvdla_core2dbb_ar_arready),
        .mcif2dbb_ar_arid    (nvdla_core2dbb_ar_arid),
        .mcif2dbb_ar_arlen   (nvdla_core2dbb_ar_arlen),
        .mcif2dbb_ar_araddr  (nvdla_core2dbb_ar_araddr),
        .mcif2dbb_r_rvalid   (nvdla_core2dbb_r_rvalid),
        .mcif2dbb_r_rready   (nvdla_core2dbb_r_rready),
        .mcif2dbb_r_rid      (nvdla_core2dbb_r_rid[3:0]),
        .mcif2dbb_r_rdata    (nvdla_core2dbb_r_rdata)
    );

    // ------------------------------------------------------------------ convolution
    wire         cdma2cbuf_dat_wr_valid;
    wire [ 13:0] cdma2cbuf_dat_wr_addr;
    wire [ 63:0] cdma2cbuf_dat_wr_data;
    wire         cdma2cbuf_wt_wr_valid;
    wire [ 13:0] cdma2cbuf_wt_wr_addr;
    wire [ 63:0] cdma2cbuf_wt_wr_data;
    wire         cdma2cbuf_flush_valid;
    wire [  8:0] cdma2cbuf_flush_row;
    wire         csc2cbuf_dat_rd_valid;
    wire [ 13:0] csc2cbuf_dat_rd_addr;
    wire         cbuf2csc_dat_rd_valid;
    wire [ 63:0] cbuf2csc_dat_rd_data;
    wire         csc2cbuf_wt_rd_valid;
    wire [ 13:0] csc2cbuf_wt_rd_addr;
    wire         cbuf2csc_wt_rd_valid;
    wire [ 63:0] cbuf2csc_wt_rd_data;
    wire         cdma2csc_dat_updt;
    wire         cdma2csc_wt_updt;
    wire         csc2cdma_dat_rls_valid;
    wire [ 14:0] csc2cdma_dat_rls_entries;
    wire         csc2cdma_wt_rls_valid;
    wire [ 14:0] csc2cdma_wt_rls_entries;
    wire         cdma2csc_bank_change;
    wire         csc2cdma_bank_change;
    wire         mac_a2csc_enabled;
    wire         csc2mac_a_wt_valid;
    wire [  3:0] csc2mac_a_wt_sel;
    wire [ 63:0] csc2mac_a_wt_data;
    wire         csc2mac_a_dat_valid;
    wire [ 63:0] csc2mac_a_dat_data;
    wire         csc2mac_a_dat_swap;
    wire         csc2mac_a_dat_first;
    wire         csc2mac_a_dat_last;
    wire         csc2mac_a_dat_end;
    wire         mac_a2accu_valid;
    wire [ 75:0] mac_a2accu_data;
    wire         mac_a2accu_swap;
    wire         mac_a2accu_first;
    wire         mac_a2accu_last;
    wire         mac_a2accu_end;
    wire         mac_b2csc_enabled;
    wire         csc2mac_b_wt_valid;
    wire [  3:0] csc2mac_b_wt_sel;
    wire [ 63:0] csc2mac_b_wt_data;
    wire         csc2mac_b_dat_valid;
    wire [ 63:0] csc2mac_b_dat_data;
    wire         csc2mac_b_dat_swap;
    wire         csc2mac_b_dat_first;
    wire         csc2mac_b_dat_last;
    wire         csc2mac_b_dat_end;
    wire         mac_b2accu_valid;
    wire [ 75:0] mac_b2accu_data;
    wire         mac_b2accu_swap;
    wire         mac_b2accu_first;
    wire         mac_b2accu_last;
    wire         mac_b2accu_end;
    wire         cacc2csc_credit;
    wire         cacc2sdp_valid;
    wire         cacc2sdp_ready;
    wire [ 31:0] cacc2sdp_data;

    dla_cdma u_cdma (
        .clk                        (clk),
        .rst_n                      (cdma_rst_n),
        .csb2cdma_valid             (csb2cdma_valid),
        .csb_addr                   (csb_addr),
        .csb_wdata                  (csb_wdata),
        .csb_write                  (csb_write),
        .cdma2csb_rdata             (cdma2csb_rdata),
        .cdma_dat2mcif_rd_req_valid (cdma_dat2mcif_rd_req_valid),
        .cdma_dat2mcif_rd_req_ready (cdma_dat2mcif_rd_req_ready),
        .cdma_dat2mcif_rd_req_addr  (cdma_dat2mcif_rd_req_addr),
        .cdma_dat2mcif_rd_req_size  (cdma_dat2mcif_rd_req_size),
        .mcif2cdma_dat_rd_rsp_valid (mcif2cdma_dat_rd_rsp_valid),
        .mcif2cdma_dat_rd_rsp_data  (mcif2cdma_dat_rd_rsp_data),
        .cdma_wt2mcif_rd_req_valid  (cdma_wt2mcif_rd_req_valid),
        .cdma_wt2mcif_rd_req_ready  (cdma_wt2mcif_rd_req_ready),
        .cdma_wt2mcif_rd_req_addr   (cdma_wt2mcif_rd_req_addr),
        .cdma_wt2mcif_rd_req_size   (cdma_wt2mcif_rd_req_size),
        .mcif2cdma_wt_rd_rsp_valid  (mcif2cdma_wt_rd_rsp_valid),
        .mcif2cdma_wt_rd_rsp_data   (mcif2cdma_wt_rd_rsp_data),
        .cdma2cbuf_dat_wr_valid     (cdma2cbuf_dat_wr_valid),
        .cdma2cbuf_dat_wr_addr      (cdma2cbuf_dat_wr_addr),
        .cdma2cbuf_dat_wr_data      (cdma2cbuf_dat_wr_data),
        .cdma2cbuf_wt_wr_valid      (cdma2cbuf_wt_wr_valid),
        .cdma2cbuf_wt_wr_addr       (cdma2cbuf_wt_wr_addr),
        .cdma2cbuf_wt_wr_data       (cdma2cbuf_wt_wr_data),
        .cdma2cbuf_flush_valid      (cdma2cbuf_flush_valid),
        .cdma2cbuf_flush_row        (cdma2cbuf_flush_row),
        .cdma2csc_dat_updt          (cdma2csc_dat_updt),
        .cdma2csc_wt_updt           (cdma2csc_wt_updt),
        .csc2cdma_dat_rls_valid     (csc2cdma_dat_rls_valid),
        .csc2cdma_dat_rls_entries   (csc2cdma_dat_rls_entries),
        .csc2cdma_wt_rls_valid      (csc2cdma_wt_rls_valid),
        .csc2cdma_wt_rls_entries    (csc2cdma_wt_rls_entries),
        .cdma2csc_bank_change       (cdma2csc_bank_change),
        .csc2cdma_bank_change       (csc2cdma_bank_change),
        .cdma_dat2glb_done          (cdma_dat2glb_done),
        .cdma_wt2glb_done           (cdma_wt2glb_done)
    );

    dla_cbuf u_cbuf (
        .clk                    (clk),
        .rst_n                  (cbuf_rst_n),
        .cdma2cbuf_dat_wr_valid (cdma2cbuf_dat_wr_valid),
        .cdma2cbuf_dat_wr_addr  (cdma2cbuf_dat_wr_addr),
        .cdma2cbuf_dat_wr_data  (cdma2cbuf_dat_wr_data),
        .cdma2cbuf_wt_wr_valid  (cdma2cbuf_wt_wr_valid),
        .cdma2cbuf_wt_wr_addr   (cdma2cbuf_wt_wr_addr),
        .cdma2cbuf_wt_wr_data   (cdma2cbuf_wt_wr_data),
        .cdma2cbuf_flush_valid  (cdma2cbuf_flush_valid),
        .cdma2cbuf_flush_row    (cdma2cbuf_flush_row),
        .csc2cbuf_dat_rd_valid  (csc2cbuf_dat_rd_valid),
        .csc2cbuf_dat_rd_addr   (csc2cbuf_dat_rd_addr),
        .cbuf2csc_dat_rd_valid  (cbuf2csc_dat_rd_valid),
        .cbuf2csc_dat_rd_data   (cbuf2csc_dat_rd_data),
        .csc2cbuf_wt_rd_valid   (csc2cbuf_wt_rd_valid),
        .csc2cbuf_wt_rd_addr    (csc2cbuf_wt_rd_addr),
        .cbuf2csc_wt_rd_valid   (cbuf2csc_wt_rd_valid),
        .cbuf2csc_wt_rd_data    (cbuf2csc_wt_rd_data)
    );

    dla_csc u_csc (
        .clk                      (clk),
        .rst_n                    (csc_rst_n),
        .csb2csc_valid            (csb2csc_valid),
        .csb_addr                 (csb_addr),
        .csb_wdata                (csb_wdata),
        .csb_write                (csb_write),
        .csc2csb_rdata            (csc2csb_rdata),
        .cdma2csc_dat_updt        (cdma2csc_dat_updt),
        .cdma2csc_wt_updt         (cdma2csc_wt_updt),
        .csc2cdma_dat_rls_valid   (csc2cdma_dat_rls_valid),
        .csc2cdma_dat_rls_entries (csc2cdma_dat_rls_entries),
        .csc2cdma_wt_rls_valid    (csc2cdma_wt_rls_valid),
        .csc2cdma_wt_rls_entries  (csc2cdma_wt_rls_entries),
        .cdma2csc_bank_change     (cdma2csc_bank_change),
        .csc2cdma_bank_change     (csc2cdma_bank_change),
        .csc2cbuf_dat_rd_valid    (csc2cbuf_dat_rd_valid),
        .csc2cbuf_dat_rd_addr     (csc2cbuf_dat_rd_addr),
        .cbuf2csc_dat_rd_valid    (cbuf2csc_dat_rd_valid),
        .cbuf2csc_dat_rd_data     (cbuf2csc_dat_rd_data),
        .csc2cbuf_wt_rd_valid     (csc2cbuf_wt_rd_valid),
        .csc2cbuf_wt_rd_addr      (csc2cbuf_wt_rd_addr),
        .cbuf2csc_wt_rd_valid     (cbuf2csc_wt_rd_valid),
        .cbuf2csc_wt_rd_data      (cbuf2csc_wt_rd_data),
        .mac_a2csc_enabled (mac_a2csc_enabled),
        .csc2mac_a_wt_valid (csc2mac_a_wt_valid),
        .csc2mac_a_wt_sel (csc2mac_a_wt_sel),
        .csc2mac_a_wt_data (csc2mac_a_wt_data),
        .csc2mac_a_dat_valid (csc2mac_a_dat_valid),
        .csc2mac_a_dat_data (csc2mac_a_dat_data),
        .csc2mac_a_dat_swap (csc2mac_a_dat_swap),
        .csc2mac_a_dat_first (csc2mac_a_dat_first),
        .csc2mac_a_dat_last (csc2mac_a_dat_last),
        .csc2mac_a_dat_end (csc2mac_a_dat_end),
        .mac_b2csc_enabled (mac_b2csc_enabled),
        .csc2mac_b_wt_valid (csc2mac_b_wt_valid),
        .csc2mac_b_wt_sel (csc2mac_b_wt_sel),
        .csc2mac_b_wt_data (csc2mac_b_wt_data),
        .csc2mac_b_dat_valid (csc2mac_b_dat_valid),
        .csc2mac_b_dat_data (csc2mac_b_dat_data),
        .csc2mac_b_dat_swap (csc2mac_b_dat_swap),
        .csc2mac_b_dat_first (csc2mac_b_dat_first),
        .csc2mac_b_dat_last (csc2mac_b_dat_last),
        .csc2mac_b_dat_end (csc2mac_b_dat_end),
        .cacc2csc_credit          (cacc2csc_credit)
    );

    dla_cmac u_cmac_a (
        .clk               (clk),
        .rst_n             (cmac_a_rst_n),
        .csb2cmac_valid    (csb2cmac_a_valid),
        .csb_addr          (csb_addr),
        .csb_wdata         (csb_wdata),
        .csb_write         (csb_write),
        .cmac2csb_rdata    (cmac_a2csb_rdata),
        .mac2csc_enabled   (mac_a2csc_enabled),
        .csc2mac_wt_valid  (csc2mac_a_wt_valid),
        .csc2mac_wt_sel    (csc2mac_a_wt_sel),
        .csc2mac_wt_data   (csc2mac_a_wt_data),
        .csc2mac_dat_valid (csc2mac_a_dat_valid),
        .csc2mac_dat_data  (csc2mac_a_dat_data),
        .csc2mac_dat_swap  (csc2mac_a_dat_swap),
        .csc2mac_dat_first (csc2mac_a_dat_first),
        .csc2mac_dat_last  (csc2mac_a_dat_last),
        .csc2mac_dat_end   (csc2mac_a_dat_end),
        .mac2accu_valid    (mac_a2accu_valid),
        .mac2accu_data     (mac_a2accu_data),
        .mac2accu_swap     (mac_a2accu_swap),
        .mac2accu_first    (mac_a2accu_first),
        .mac2accu_last     (mac_a2accu_last),
        .mac2accu_end      (mac_a2accu_end)
    );

    dla_cmac u_cmac_b (
        .clk               (clk),
        .rst_n             (cmac_b_rst_n),
        .csb2cmac_valid    (csb2cmac_b_valid),
        .csb_addr          (csb_addr),
        .csb_wdata         (csb_wdata),
        .csb_write         (csb_write),
        .cmac2csb_rdata    (cmac_b2csb_rdata),
        .mac2csc_enabled   (mac_b2csc_enabled),
        .csc2mac_wt_valid  (csc2mac_b_wt_valid),
        .csc2mac_wt_sel    (csc2mac_b_wt_sel),
        .csc2mac_wt_data   (csc2mac_b_wt_data),
        .csc2mac_dat_valid (csc2mac_b_dat_valid),
        .csc2mac_dat_data  (csc2mac_b_dat_data),
        .csc2mac_dat_swap  (csc2mac_b_dat_swap),
        .csc2mac_dat_first (csc2mac_b_dat_first),
        .csc2mac_dat_last  (csc2mac_b_dat_last),
        .csc2mac_dat_end   (csc2mac_b_dat_end),
        .mac2accu_valid    (mac_b2accu_valid),
        .mac2accu_data     (mac_b2accu_data),
        .mac2accu_swap     (mac_b2accu_swap),
        .mac2accu_first    (mac_b2accu_first),
        .mac2accu_last     (mac_b2accu_last),
        .mac2accu_end      (mac_b2accu_end)
    );

    dla_cacc u_cacc (
        .clk              (clk),
        .rst_n            (cacc_rst_n),
        .csb2cacc_valid   (csb2cacc_valid),
        .csb_addr         (csb_addr),
        .csb_wdata        (csb_wdata),
        .csb_write        (csb_write),
        .cacc2csb_rdata   (cacc2csb_rdata),
        .mac_a2accu_valid (mac_a2accu_valid),
        .mac_a2accu_data  (mac_a2accu_data),
        .mac_a2accu_swap  (mac_a2accu_swap),
        .mac_a2accu_first (mac_a2accu_first),
        .mac_a2accu_last  (mac_a2accu_last),
        .mac_a2accu_end   (mac_a2accu_end),
        .mac_b2accu_valid (mac_b2accu_valid),
        .mac_b2accu_data  (mac_b2accu_data),
        .cacc2csc_credit  (cacc2csc_credit),
        .cacc2sdp_valid   (cacc2sdp_valid),
        .cacc2sdp_ready   (cacc2sdp_ready),
        .cacc2sdp_data    (cacc2sdp_data),
        .cacc2glb_done    (cacc2glb_done)
    );

    // Both halves work in step, the first one speaks for both.
    wire unused_mac_b = &{mac_b2accu_swap, mac_b2accu_first, mac_b2accu_last, mac_b2accu_end};

    // ------------------------------------------------------------------ post-processing
    wire         sdp_rdma2sdp_m_valid;
    wire         sdp_rdma2sdp_m_ready;
    wire [  7:0] sdp_rdma2sdp_m_data;
    wire         sdp_rdma2sdp_b_valid;
    wire         sdp_rdma2sdp_b_ready;
    wire         sdp_rdma2sdp_b_once;
    wire [ 15:0] sdp_rdma2sdp_b_alu;
    wire [ 15:0] sdp_rdma2sdp_b_mul;
    wire         sdp_rdma2sdp_n_valid;
    wire         sdp_rdma2sdp_n_ready;
    wire         sdp_rdma2sdp_n_once;
    wire [ 15:0] sdp_rdma2sdp_n_alu;
    wire [ 15:0] sdp_rdma2sdp_n_mul;

    dla_sdp_rdma u_sdp_rdma (
        .clk                   (clk),
        .rst_n                 (sdp_rdma_rst_n),
        .csb2sdp_rdma_valid    (csb2sdp_rdma_valid),
        .csb_addr              (csb_addr),
        .csb_wdata             (csb_wdata),
        .csb_write             (csb_write),
        .sdp_rdma2csb_rdata    (sdp_rdma2csb_rdata),
        .sdp2mcif_rd_req_valid (sdp2mcif_rd_req_valid),
        .sdp2mcif_rd_req_ready (sdp2mcif_rd_req_ready),
        .sdp2mcif_rd_req_addr  (sdp2mcif_rd_req_addr),
        .sdp2mcif_rd_req_size  (sdp2mcif_rd_req_size),
        .mcif2sdp_rd_rsp_valid (mcif2sdp_rd_rsp_valid),
        .mcif2sdp_rd_rsp_data  (mcif2sdp_rd_rsp_data),
        .sdp_b2mcif_rd_req_valid (sdp_b2mcif_rd_req_valid),
        .sdp_b2mcif_rd_req_ready (sdp_b2mcif_rd_req_ready),
        .sdp_b2mcif_rd_req_addr (sdp_b2mcif_rd_req_addr),
        .sdp_b2mcif_rd_req_size (sdp_b2mcif_rd_req_size),
        .mcif2sdp_b_rd_rsp_valid (mcif2sdp_b_rd_rsp_valid),
        .mcif2sdp_b_rd_rsp_data (mcif2sdp_b_rd_rsp_data),
        .sdp_rdma2sdp_b_valid (sdp_rdma2sdp_b_valid),
        .sdp_rdma2sdp_b_ready (sdp_rdma2sdp_b_ready),
        .sdp_rdma2sdp_b_once (sdp_rdma2sdp_b_once),
        .sdp_rdma2sdp_b_alu (sdp_rdma2sdp_b_alu),
        .sdp_rdma2sdp_b_mul (sdp_rdma2sdp_b_mul),
        .sdp_n2mcif_rd_req_valid (sdp_n2mcif_rd_req_valid),
        .sdp_n2mcif_rd_req_ready (sdp_n2mcif_rd_req_ready),
        .sdp_n2mcif_rd_req_addr (sdp_n2mcif_rd_req_addr),
        .sdp_n2mcif_rd_req_size (sdp_n2mcif_rd_req_size),
        .mcif2sdp_n_rd_rsp_valid (mcif2sdp_n_rd_rsp_valid),
        .mcif2sdp_n_rd_rsp_data (mcif2sdp_n_rd_rsp_data),
        .sdp_rdma2sdp_n_valid (sdp_rdma2sdp_n_valid),
        .sdp_rdma2sdp_n_ready (sdp_rdma2sdp_n_ready),
        .sdp_rdma2sdp_n_once (sdp_rdma2sdp_n_once),
        .sdp_rdma2sdp_n_alu (sdp_rdma2sdp_n_alu),
        .sdp_rdma2sdp_n_mul (sdp_rdma2sdp_n_mul),
        .sdp_rdma2sdp_m_valid  (sdp_rdma2sdp_m_valid),
        .sdp_rdma2sdp_m_ready  (sdp_rdma2sdp_m_ready),
        .sdp_rdma2sdp_m_data   (sdp_rdma2sdp_m_data)
    );

    wire         sdp2pdp_valid;
    wire         sdp2pdp_ready;
    wire [  7:0] sdp2pdp_data;
    wire         pdp_rdma2pdp_valid;
    wire         pdp_rdma2pdp_ready;
    wire [  7:0] pdp_rdma2pdp_data;

    dla_pdp_rdma u_pdp_rdma (
        .clk                   (clk),
        .rst_n                 (pdp_rdma_rst_n),
        .csb2pdp_rdma_valid    (csb2pdp_rdma_valid),
        .csb_addr              (csb_addr),
        .csb_wdata             (csb_wdata),
        .csb_write             (csb_write),
        .pdp_rdma2csb_rdata    (pdp_rdma2csb_rdata),
        .pdp2mcif_rd_req_valid (pdp2mcif_rd_req_valid),
        .pdp2mcif_rd_req_ready (pdp2mcif_rd_req_ready),
        .pdp2mcif_rd_req_addr  (pdp2mcif_rd_req_addr),
        .pdp2mcif_rd_req_size  (pdp2mcif_rd_req_size),
        .mcif2pdp_rd_rsp_valid (mcif2pdp_rd_rsp_valid),
        .mcif2pdp_rd_rsp_data  (mcif2pdp_rd_rsp_data),
        .pdp_rdma2pdp_valid    (pdp_rdma2pdp_valid),
        .pdp_rdma2pdp_ready    (pdp_rdma2pdp_ready),
        .pdp_rdma2pdp_data     (pdp_rdma2pdp_data)
    );

    dla_pdp u_pdp (
        .clk                      (clk),
        .rst_n                    (pdp_rst_n),
        .csb2pdp_valid            (csb2pdp_valid),
        .csb_addr                 (csb_addr),
        .csb_wdata                (csb_wdata),
        .csb_write                (csb_write),
        .pdp2csb_rdata            (pdp2csb_rdata),
        .sdp2pdp_valid            (sdp2pdp_valid),
        .sdp2pdp_ready            (sdp2pdp_ready),
        .sdp2pdp_data             (sdp2pdp_data),
        .pdp_rdma2pdp_valid       (pdp_rdma2pdp_valid),
        .pdp_rdma2pdp_ready       (pdp_rdma2pdp_ready),
        .pdp_rdma2pdp_data        (pdp_rdma2pdp_data),
        .pdp2mcif_wr_req_valid    (pdp2mcif_wr_req_valid),
        .pdp2mcif_wr_req_ready    (pdp2mcif_wr_req_ready),
        .pdp2mcif_wr_req_addr     (pdp2mcif_wr_req_addr),
        .pdp2mcif_wr_req_data     (pdp2mcif_wr_req_data),
        .pdp2mcif_wr_req_last     (pdp2mcif_wr_req_last),
        .mcif2pdp_wr_rsp_complete (mcif2pdp_wr_rsp_complete),
        .pdp2glb_done             (pdp2glb_done)
    );

    dla_sdp u_sdp (
        .clk                      (clk),
        .rst_n                    (sdp_rst_n),
        .csb2sdp_valid            (csb2sdp_valid),
        .csb_addr                 (csb_addr),
        .csb_wdata                (csb_wdata),
        .csb_write                (csb_write),
        .sdp2csb_rdata            (sdp2csb_rdata),
        .cacc2sdp_valid           (cacc2sdp_valid),
        .cacc2sdp_ready           (cacc2sdp_ready),
        .cacc2sdp_data            (cacc2sdp_data),
        .sdp_rdma2sdp_m_valid     (sdp_rdma2sdp_m_valid),
        .sdp_rdma2sdp_m_ready     (sdp_rdma2sdp_m_ready),
        .sdp_rdma2sdp_m_data      (sdp_rdma2sdp_m_data),
        .sdp_rdma2sdp_b_valid (sdp_rdma2sdp_b_valid),
        .sdp_rdma2sdp_b_ready (sdp_rdma2sdp_b_ready),
        .sdp_rdma2sdp_b_once (sdp_rdma2sdp_b_once),
        .sdp_rdma2sdp_b_alu (sdp_rdma2sdp_b_alu),
        .sdp_rdma2sdp_b_mul (sdp_rdma2sdp_b_mul),
        .sdp_rdma2sdp_n_valid (sdp_rdma2sdp_n_valid),
        .sdp_rdma2sdp_n_ready (sdp_rdma2sdp_n_ready),
        .sdp_rdma2sdp_n_once (sdp_rdma2sdp_n_once),
        .sdp_rdma2sdp_n_alu (sdp_rdma2sdp_n_alu),
        .sdp_rdma2sdp_n_mul (sdp_rdma2sdp_n_mul),
        .sdp2mcif_wr_req_valid    (sdp2mcif_wr_req_valid),
        .sdp2mcif_wr_req_ready    (sdp2mcif_wr_req_ready),
        .sdp2mcif_wr_req_addr     (sdp2mcif_wr_req_addr),
        .sdp2mcif_wr_req_data     (sdp2mcif_wr_req_data),
        .sdp2mcif_wr_req_last     (sdp2mcif_wr_req_last),
        .mcif2sdp_wr_rsp_complete (mcif2sdp_wr_rsp_complete),
        .sdp2pdp_valid            (sdp2pdp_valid),
        .sdp2pdp_ready            (sdp2pdp_ready),
        .sdp2pdp_data             (sdp2pdp_data),
        .sdp2glb_done             (sdp2glb_done)
    );

    // ------------------------------------------------------------------ normalisation
    wire         cdp_rdma2cdp_valid;
    wire         cdp_rdma2cdp_ready;
    wire [  7:0] cdp_rdma2cdp_data;
    wire [  0:0] cdp_rdma2cdp_mask;
    wire         cdp_rdma2cdp_first;
    wire         cdp_rdma2cdp_last;
    wire         cdp_rdma2cdp_line;
    wire         cdp_rdma2cdp_end;

    dla_cdp_rdma u_cdp_rdma (
        .clk                   (clk),
        .rst_n                 (cdp_rdma_rst_n),
        .csb2cdp_rdma_valid    (csb2cdp_rdma_valid),
        .csb_addr              (csb_addr),
        .csb_wdata             (csb_wdata),
        .csb_write             (csb_write),
        .cdp_rdma2csb_rdata    (cdp_rdma2csb_rdata),
        .cdp2mcif_rd_req_valid (cdp2mcif_rd_req_valid),
        .cdp2mcif_rd_req_ready (cdp2mcif_rd_req_ready),
        .cdp2mcif_rd_req_addr  (cdp2mcif_rd_req_addr),
        .cdp2mcif_rd_req_size  (cdp2mcif_rd_req_size),
        .mcif2cdp_rd_rsp_valid (mcif2cdp_rd_rsp_valid),
        .mcif2cdp_rd_rsp_data  (mcif2cdp_rd_rsp_data),
        .cdp_rdma2cdp_valid    (cdp_rdma2cdp_valid),
        .cdp_rdma2cdp_ready    (cdp_rdma2cdp_ready),
        .cdp_rdma2cdp_data     (cdp_rdma2cdp_data),
        .cdp_rdma2cdp_mask     (cdp_rdma2cdp_mask),
        .cdp_rdma2cdp_first    (cdp_rdma2cdp_first),
        .cdp_rdma2cdp_last     (cdp_rdma2cdp_last),
        .cdp_rdma2cdp_line     (cdp_rdma2cdp_line),
        .cdp_rdma2cdp_end      (cdp_rdma2cdp_end)
    );

    dla_cdp u_cdp (
        .clk                      (clk),
        .rst_n                    (cdp_rst_n),
        .csb2cdp_valid            (csb2cdp_valid),
        .csb_addr                 (csb_addr),
        .csb_wdata                (csb_wdata),
        .csb_write                (csb_write),
        .cdp2csb_rdata            (cdp2csb_rdata),
        .cdp_rdma2cdp_valid       (cdp_rdma2cdp_valid),
        .cdp_rdma2cdp_ready       (cdp_rdma2cdp_ready),
        .cdp_rdma2cdp_data        (cdp_rdma2cdp_data),
        .cdp_rdma2cdp_mask        (cdp_rdma2cdp_mask),
        .cdp_rdma2cdp_first       (cdp_rdma2cdp_first),
        .cdp_rdma2cdp_last        (cdp_rdma2cdp_last),
        .cdp_rdma2cdp_line        (cdp_rdma2cdp_line),
        .cdp_rdma2cdp_end         (cdp_rdma2cdp_end),
        .cdp2mcif_wr_req_valid    (cdp2mcif_wr_req_valid),
        .cdp2mcif_wr_req_ready    (cdp2mcif_wr_req_ready),
        .cdp2mcif_wr_req_addr     (cdp2mcif_wr_req_addr),
        .cdp2mcif_wr_req_data     (cdp2mcif_wr_req_data),
        .cdp2mcif_wr_req_last     (cdp2mcif_wr_req_last),
        .mcif2cdp_wr_rsp_complete (mcif2cdp_wr_rsp_complete),
        .cdp2glb_done             (cdp2glb_done)
    );

endmodule

`default_nettype wire
