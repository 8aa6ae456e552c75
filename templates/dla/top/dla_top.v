// The accelerator: all units and the links between them.
//
//   CSB --> csb_master --> register files of all units            glb --> interrupt
//
//   AXI <--> mcif <--> cdma --> cbuf --> csc --> cmac_a, cmac_b --> cacc --> sdp --> mcif <--> AXI
//                 <--> sdp_rdma --------------------------------------------> sdp
//                 <--> pdp_rdma --> pdp --> mcif        (also sdp --> pdp)  //% if pdp_enable
//                 <--> cdp_rdma --> cdp --> mcif  //% if cdp_enable
//% for u in movers
//                 <--> ${u.name}
//% end
//% if secondary_memif_enable
//   second AXI <--> cvif <--> the same; dla_route_rd and dla_route_wr send each client to the port
//                        that RAM_TYPE of its layer says
//% end
//
// Two clocks: dla_core_clk for everything that computes and for AXI, dla_csb_clk for register
// access and the interrupt. dla_reset_rstn takes effect at once and ends in step with each clock.
// AXI: bursts of up to ${max_burst} beat(s), ids are {4'd0, client}; answers of different ids may
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
    output wire [${addr_w - 1:3}:0] nvdla_core2dbb_aw_awaddr,          // atom aligned
    output wire         nvdla_core2dbb_w_wvalid,
    input  wire         nvdla_core2dbb_w_wready,
    output wire [${bus_bits - 1:3}:0] nvdla_core2dbb_w_wdata,
    output wire [${bus_bytes - 1:3}:0] nvdla_core2dbb_w_wstrb,
    output wire         nvdla_core2dbb_w_wlast,
    input  wire         nvdla_core2dbb_b_bvalid,
    output wire         nvdla_core2dbb_b_bready,
    input  wire [  7:0] nvdla_core2dbb_b_bid,
    output wire         nvdla_core2dbb_ar_arvalid,
    input  wire         nvdla_core2dbb_ar_arready,
    output wire [  7:0] nvdla_core2dbb_ar_arid,
    output wire [  3:0] nvdla_core2dbb_ar_arlen,           // beats - 1
    output wire [${addr_w - 1:3}:0] nvdla_core2dbb_ar_araddr,          // bus aligned
    input  wire         nvdla_core2dbb_r_rvalid,
    output wire         nvdla_core2dbb_r_rready,
    input  wire [  7:0] nvdla_core2dbb_r_rid,
    input  wire         nvdla_core2dbb_r_rlast,
    input  wire [${bus_bits - 1:3}:0] nvdla_core2dbb_r_rdata,

//% for m in second_port
    // second memory, dla_core_clk; bursts of up to ${m.max_burst} beat(s)
    output wire         nvdla_core2cvsram_aw_awvalid,
    input  wire         nvdla_core2cvsram_aw_awready,
    output wire [  7:0] nvdla_core2cvsram_aw_awid,
    output wire [  3:0] nvdla_core2cvsram_aw_awlen,           // beats - 1
    output wire [${addr_w - 1:3}:0] nvdla_core2cvsram_aw_awaddr,          // atom aligned
    output wire         nvdla_core2cvsram_w_wvalid,
    input  wire         nvdla_core2cvsram_w_wready,
    output wire [${m.bus_bits - 1:3}:0] nvdla_core2cvsram_w_wdata,
    output wire [${m.bus_bytes - 1:3}:0] nvdla_core2cvsram_w_wstrb,
    output wire         nvdla_core2cvsram_w_wlast,
    input  wire         nvdla_core2cvsram_b_bvalid,
    output wire         nvdla_core2cvsram_b_bready,
    input  wire [  7:0] nvdla_core2cvsram_b_bid,
    output wire         nvdla_core2cvsram_ar_arvalid,
    input  wire         nvdla_core2cvsram_ar_arready,
    output wire [  7:0] nvdla_core2cvsram_ar_arid,
    output wire [  3:0] nvdla_core2cvsram_ar_arlen,           // beats - 1
    output wire [${addr_w - 1:3}:0] nvdla_core2cvsram_ar_araddr,          // bus aligned
    input  wire         nvdla_core2cvsram_r_rvalid,
    output wire         nvdla_core2cvsram_r_rready,
    input  wire [  7:0] nvdla_core2cvsram_r_rid,
    input  wire         nvdla_core2cvsram_r_rlast,
    input  wire [${m.bus_bits - 1:3}:0] nvdla_core2cvsram_r_rdata,

//% end
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
                         ${unused_pins}
                         nvdla_core2dbb_b_bid${unused_bid}, nvdla_core2dbb_r_rid[7:4]};

    // ------------------------------------------------------------------ resets
    wire core_synced_n, csb_synced_n;
    wire core_por_n;
    wire por_n     = test_mode ? direct_reset_ : core_por_n;         // not by later resets
    wire csb_rst_n = test_mode ? direct_reset_ : csb_synced_n;

    reset_sync u_core_reset (.clk(clk), .arst_n(dla_reset_rstn), .rst_n(core_synced_n));
    power_on_reset u_power_on (.clk(clk), .rst_n(core_synced_n), .por_n(core_por_n));
    reset_sync u_csb_reset (.clk(dla_csb_clk), .arst_n(dla_reset_rstn), .rst_n(csb_synced_n));

    // A unit has a reset flop of its own, which lies near to it.
//% for u in reset_units
    wire ${u}_rst_n;
    reset_copy u_${u}_reset (.clk(clk), .rst_n(core_synced_n), .test_mode(test_mode),
                             .test_rst_n(direct_reset_), .copy_n(${u}_rst_n));
//% end
//% if clock_gating

    wire clk_ovr_on = global_clk_ovr_on || tmc2slcg_disable_clock_gating;
//% end

    // ------------------------------------------------------------------ register access
    wire [  9:0] csb_addr;
    wire [ 31:0] csb_wdata;
    wire         csb_write;
//% for u in csb_units
    wire         csb2${u}_valid;
    wire [ 31:0] ${u}2csb_rdata;
//% end

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
//% for u in csb_units
        .csb2${u}_valid (csb2${u}_valid),
        .${u}2csb_rdata (${u}2csb_rdata),
//% end
        .csb_addr              (csb_addr),
        .csb_wdata             (csb_wdata),
        .csb_write             (csb_write)
    );

//% for rom in cfgroms
    dla_cfgrom u_cfgrom (
        .clk              (clk),
        .csb2cfgrom_valid (csb2cfgrom_valid),
        .csb_addr         (csb_addr),
        .csb_write        (csb_write),
        .cfgrom2csb_rdata (cfgrom2csb_rdata)
    );
//% end

    // ------------------------------------------------------------------ interrupts
    wire [  1:0] cdma_dat2glb_done;
    wire [  1:0] cdma_wt2glb_done;
    wire [  1:0] cacc2glb_done;
    wire [  1:0] pdp2glb_done;  //% if pdp_enable
    wire [  1:0] sdp2glb_done;
    wire [  1:0] cdp2glb_done;  //% if cdp_enable
//% for u in movers
    wire [  1:0] ${u.name}2glb_done;
//% end

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
        .pdp2glb_done      (pdp2glb_done),  //% if pdp_enable
        .cdp2glb_done      (cdp2glb_done),  //% if cdp_enable
//% for u in movers
        .${u.name}2glb_done (${u.name}2glb_done),
//% end
        .dla_intr          (dla_intr)
    );

    // ------------------------------------------------------------------ memory interface
//% for c in rd_clients
    wire         ${c}2mcif_rd_req_valid;
    wire         ${c}2mcif_rd_req_ready;
    wire [${addr_w - 1:3}:0] ${c}2mcif_rd_req_addr;
    wire [ 14:0] ${c}2mcif_rd_req_size;
//%   if wt.atoms > 1 && c == "cdma_wt"
    wire [  1:0] mcif2${c}_rd_rsp_valid;
    wire [${2 * atom_bits - 1:3}:0] mcif2${c}_rd_rsp_data;
//%   else
    wire         mcif2${c}_rd_rsp_valid;
    wire [${atom_bits - 1:3}:0] mcif2${c}_rd_rsp_data;
//%   end
//% end
//% for c in wr_clients
    wire         ${c}2mcif_wr_req_valid;
    wire         ${c}2mcif_wr_req_ready;
    wire [${addr_w - 1:3}:0] ${c}2mcif_wr_req_addr;
    wire [${atom_bits - 1:3}:0] ${c}2mcif_wr_req_data;
    wire         ${c}2mcif_wr_req_last;
    wire         mcif2${c}_wr_rsp_complete;
//% end

//% for m in second_port
    // A client's requests go where RAM_TYPE of the layer says; both ports see their payload.
//%   for c in rd_clients
    wire         ${c}2mcif_rd_ram_type;
    wire         ${c}2pri_rd_req_valid;
    wire         ${c}2pri_rd_req_ready;
    wire [${addr_w - 1:3}:0] ${c}2pri_rd_req_addr;
    wire [ 14:0] ${c}2pri_rd_req_size;
//%     if wt.atoms > 1 && c == "cdma_wt"
    wire [  1:0] pri2${c}_rd_rsp_valid;
    wire [${2 * atom_bits - 1:3}:0] pri2${c}_rd_rsp_data;
//%     else
    wire         pri2${c}_rd_rsp_valid;
    wire [${atom_bits - 1:3}:0] pri2${c}_rd_rsp_data;
//%     end
    wire         ${c}2sec_rd_req_valid;
    wire         ${c}2sec_rd_req_ready;
//%     if wt.atoms > 1 && c == "cdma_wt"
    wire [  1:0] sec2${c}_rd_rsp_valid;
    wire [${2 * atom_bits - 1:3}:0] sec2${c}_rd_rsp_data;
//%     else
    wire         sec2${c}_rd_rsp_valid;
    wire [${atom_bits - 1:3}:0] sec2${c}_rd_rsp_data;
//%     end

//%     if wt.atoms > 1 && c == "cdma_wt"
    dla_route_rd #(.RSP(2)) u_route_${c}_rd (
//%     else
    dla_route_rd u_route_${c}_rd (
//%     end
        .clk           (clk),
        .rst_n         (cvif_rst_n),
        .primary       (${c}2mcif_rd_ram_type),
        .req_valid     (${c}2mcif_rd_req_valid),
        .req_ready     (${c}2mcif_rd_req_ready),
        .req_addr      (${c}2mcif_rd_req_addr),
        .req_size      (${c}2mcif_rd_req_size),
        .rsp_valid     (mcif2${c}_rd_rsp_valid),
        .rsp_data      (mcif2${c}_rd_rsp_data),
        .port_req_addr (${c}2pri_rd_req_addr),
        .port_req_size (${c}2pri_rd_req_size),
        .pri_req_valid (${c}2pri_rd_req_valid),
        .pri_req_ready (${c}2pri_rd_req_ready),
        .pri_rsp_valid (pri2${c}_rd_rsp_valid),
        .pri_rsp_data  (pri2${c}_rd_rsp_data),
        .sec_req_valid (${c}2sec_rd_req_valid),
        .sec_req_ready (${c}2sec_rd_req_ready),
        .sec_rsp_valid (sec2${c}_rd_rsp_valid),
        .sec_rsp_data  (sec2${c}_rd_rsp_data)
    );

//%   end
//%   for c in wr_clients
    wire         ${c}2mcif_wr_ram_type;
    wire         ${c}2pri_wr_req_valid;
    wire         ${c}2pri_wr_req_ready;
    wire [${addr_w - 1:3}:0] ${c}2pri_wr_req_addr;
    wire [${atom_bits - 1:3}:0] ${c}2pri_wr_req_data;
    wire         ${c}2pri_wr_req_last;
    wire         pri2${c}_wr_rsp_complete;
    wire         ${c}2sec_wr_req_valid;
    wire         ${c}2sec_wr_req_ready;
    wire         sec2${c}_wr_rsp_complete;

    dla_route_wr u_route_${c}_wr (
        .clk              (clk),
        .rst_n            (cvif_rst_n),
        .primary          (${c}2mcif_wr_ram_type),
        .req_valid        (${c}2mcif_wr_req_valid),
        .req_ready        (${c}2mcif_wr_req_ready),
        .req_addr         (${c}2mcif_wr_req_addr),
        .req_data         (${c}2mcif_wr_req_data),
        .req_last         (${c}2mcif_wr_req_last),
        .rsp_complete     (mcif2${c}_wr_rsp_complete),
        .port_req_addr    (${c}2pri_wr_req_addr),
        .port_req_data    (${c}2pri_wr_req_data),
        .port_req_last    (${c}2pri_wr_req_last),
        .pri_req_valid    (${c}2pri_wr_req_valid),
        .pri_req_ready    (${c}2pri_wr_req_ready),
        .pri_rsp_complete (pri2${c}_wr_rsp_complete),
        .sec_req_valid    (${c}2sec_wr_req_valid),
        .sec_req_ready    (${c}2sec_wr_req_ready),
        .sec_rsp_complete (sec2${c}_wr_rsp_complete)
    );

//%   end
    dla_cvif u_cvif (
        .clk                 (clk),
        .rst_n               (cvif_rst_n),
        .por_n               (por_n),
        .csb2cvif_valid      (csb2cvif_valid),
        .csb_addr            (csb_addr),
        .csb_wdata           (csb_wdata),
        .csb_write           (csb_write),
        .cvif2csb_rdata      (cvif2csb_rdata),
//% for c in rd_clients
        .${c}2cvif_rd_req_valid (${c}2sec_rd_req_valid),
        .${c}2cvif_rd_req_ready (${c}2sec_rd_req_ready),
        .${c}2cvif_rd_req_addr (${c}2pri_rd_req_addr),
        .${c}2cvif_rd_req_size (${c}2pri_rd_req_size),
        .cvif2${c}_rd_rsp_valid (sec2${c}_rd_rsp_valid),
        .cvif2${c}_rd_rsp_data (sec2${c}_rd_rsp_data),
//% end
//% for c in wr_clients
        .${c}2cvif_wr_req_valid (${c}2sec_wr_req_valid),
        .${c}2cvif_wr_req_ready (${c}2sec_wr_req_ready),
        .${c}2cvif_wr_req_addr (${c}2pri_wr_req_addr),
        .${c}2cvif_wr_req_data (${c}2pri_wr_req_data),
        .${c}2cvif_wr_req_last (${c}2pri_wr_req_last),
        .cvif2${c}_wr_rsp_complete (sec2${c}_wr_rsp_complete),
//% end
        .cvif2cvsram_aw_awvalid (nvdla_core2cvsram_aw_awvalid),
        .cvif2cvsram_aw_awready (nvdla_core2cvsram_aw_awready),
        .cvif2cvsram_aw_awid    (nvdla_core2cvsram_aw_awid),
        .cvif2cvsram_aw_awlen   (nvdla_core2cvsram_aw_awlen),
        .cvif2cvsram_aw_awaddr  (nvdla_core2cvsram_aw_awaddr),
        .cvif2cvsram_w_wvalid   (nvdla_core2cvsram_w_wvalid),
        .cvif2cvsram_w_wready   (nvdla_core2cvsram_w_wready),
        .cvif2cvsram_w_wdata    (nvdla_core2cvsram_w_wdata),
        .cvif2cvsram_w_wstrb    (nvdla_core2cvsram_w_wstrb),
        .cvif2cvsram_w_wlast    (nvdla_core2cvsram_w_wlast),
        .cvif2cvsram_b_bvalid   (nvdla_core2cvsram_b_bvalid),
        .cvif2cvsram_b_bready   (nvdla_core2cvsram_b_bready),
        .cvif2cvsram_b_bid      (nvdla_core2cvsram_b_bid[3:0]),  //% if unused_bid != ""
        .cvif2cvsram_ar_arvalid (nvdla_core2cvsram_ar_arvalid),
        .cvif2cvsram_ar_arready (nvdla_core2cvsram_ar_arready),
        .cvif2cvsram_ar_arid    (nvdla_core2cvsram_ar_arid),
        .cvif2cvsram_ar_arlen   (nvdla_core2cvsram_ar_arlen),
        .cvif2cvsram_ar_araddr  (nvdla_core2cvsram_ar_araddr),
        .cvif2cvsram_r_rvalid   (nvdla_core2cvsram_r_rvalid),
        .cvif2cvsram_r_rready   (nvdla_core2cvsram_r_rready),
        .cvif2cvsram_r_rid      (nvdla_core2cvsram_r_rid[3:0]),
        .cvif2cvsram_r_rlast    (nvdla_core2cvsram_r_rlast),  //% if m.atoms_per_beat > 1
        .cvif2cvsram_r_rdata    (nvdla_core2cvsram_r_rdata)
    );

//% end
    dla_mcif u_mcif (
        .clk                 (clk),
        .rst_n               (mcif_rst_n),
        .por_n               (por_n),
        .csb2mcif_valid      (csb2mcif_valid),
        .csb_addr            (csb_addr),
        .csb_wdata           (csb_wdata),
        .csb_write           (csb_write),
        .mcif2csb_rdata      (mcif2csb_rdata),
//% for c in rd_clients
        .${c}2mcif_rd_req_valid (${c}2${pri}_rd_req_valid),
        .${c}2mcif_rd_req_ready (${c}2${pri}_rd_req_ready),
        .${c}2mcif_rd_req_addr (${c}2${pri}_rd_req_addr),
        .${c}2mcif_rd_req_size (${c}2${pri}_rd_req_size),
        .mcif2${c}_rd_rsp_valid (${pri}2${c}_rd_rsp_valid),
        .mcif2${c}_rd_rsp_data (${pri}2${c}_rd_rsp_data),
//% end
//% for c in wr_clients
        .${c}2mcif_wr_req_valid (${c}2${pri}_wr_req_valid),
        .${c}2mcif_wr_req_ready (${c}2${pri}_wr_req_ready),
        .${c}2mcif_wr_req_addr (${c}2${pri}_wr_req_addr),
        .${c}2mcif_wr_req_data (${c}2${pri}_wr_req_data),
        .${c}2mcif_wr_req_last (${c}2${pri}_wr_req_last),
        .mcif2${c}_wr_rsp_complete (${pri}2${c}_wr_rsp_complete),
//% end
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
        .mcif2dbb_b_bid      (nvdla_core2dbb_b_bid[3:0]),  //% if unused_bid != ""
        .mcif2dbb_ar_arvalid (nvdla_core2dbb_ar_arvalid),
        .mcif2dbb_ar_arready (nvdla_core2dbb_ar_arready),
        .mcif2dbb_ar_arid    (nvdla_core2dbb_ar_arid),
        .mcif2dbb_ar_arlen   (nvdla_core2dbb_ar_arlen),
        .mcif2dbb_ar_araddr  (nvdla_core2dbb_ar_araddr),
        .mcif2dbb_r_rvalid   (nvdla_core2dbb_r_rvalid),
        .mcif2dbb_r_rready   (nvdla_core2dbb_r_rready),
        .mcif2dbb_r_rid      (nvdla_core2dbb_r_rid[3:0]),
        .mcif2dbb_r_rlast    (nvdla_core2dbb_r_rlast),  //% if atoms_per_beat > 1
        .mcif2dbb_r_rdata    (nvdla_core2dbb_r_rdata)
    );

    // ------------------------------------------------------------------ convolution
    wire         cdma2cbuf_dat_wr_valid;
    wire [${cbuf_addr_w - 1:3}:0] cdma2cbuf_dat_wr_addr;
    wire [${atoms_per_entry - 1:3}:0] cdma2cbuf_dat_wr_sel;  //% if atoms_per_entry > 1
    wire [${atom_bits - 1:3}:0] cdma2cbuf_dat_wr_data;
    wire         cdma2cbuf_wt_wr_valid;
    wire [${cbuf_addr_w - 1:3}:0] cdma2cbuf_wt_wr_addr;
    wire [${atoms_per_entry - 1:3}:0] cdma2cbuf_wt_wr_sel;  //% if atoms_per_entry > 1
    wire [${wt.atoms * atom_bits - 1:3}:0] cdma2cbuf_wt_wr_data;
    wire         cdma2cbuf_flush_valid;
    wire [${cbuf_row_w - 1:3}:0] cdma2cbuf_flush_row;
    wire         csc2cbuf_dat_rd_valid;
    wire [${cbuf_addr_w - 1:3}:0] csc2cbuf_dat_rd_addr;
    wire         cbuf2csc_dat_rd_valid;
    wire [${entry_bits - 1:3}:0] cbuf2csc_dat_rd_data;
    wire         csc2cbuf_wt_rd_valid;
    wire [${cbuf_addr_w - 1:3}:0] csc2cbuf_wt_rd_addr;
    wire         cbuf2csc_wt_rd_valid;
    wire [${entry_bits - 1:3}:0] cbuf2csc_wt_rd_data;
    wire         cdma2csc_dat_updt;
    wire         cdma2csc_wt_updt;
    wire         csc2cdma_dat_rls_valid;
    wire [${cbuf_addr_w:3}:0] csc2cdma_dat_rls_entries;
    wire         csc2cdma_wt_rls_valid;
    wire [${cbuf_addr_w:3}:0] csc2cdma_wt_rls_entries;
//% if masks.on
    wire         csc2cbuf_wmb_rd_valid;
    wire [${cbuf_row_w - 1:3}:0] csc2cbuf_wmb_rd_row;
    wire         cbuf2csc_wmb_rd_valid;
    wire [${entry_bits - 1:3}:0] cbuf2csc_wmb_rd_data;
    wire         cdma2csc_wmb_updt;
    wire         csc2cdma_wmb_rls_valid;
    wire [${cbuf_addr_w:3}:0] csc2cdma_wmb_rls_entries;
//% end
    wire         cdma2csc_bank_change;
    wire         csc2cdma_bank_change;
//% for h in halves
    wire         mac_${h}2csc_enabled;
    wire         csc2mac_${h}_wt_valid;
    wire [${cmac_cells - 1:3}:0] csc2mac_${h}_wt_sel;
    wire [${entry_bits - 1:3}:0] csc2mac_${h}_wt_data;
    wire         csc2mac_${h}_dat_valid;
    wire [${entry_bits - 1:3}:0] csc2mac_${h}_dat_data;
    wire         csc2mac_${h}_dat_swap;
    wire         csc2mac_${h}_dat_first;
    wire         csc2mac_${h}_dat_last;
    wire         csc2mac_${h}_dat_end;
    wire         mac_${h}2accu_valid;
    wire [${sums.results * cmac_cells * psum_w - 1:3}:0] mac_${h}2accu_data;
    wire         mac_${h}2accu_swap;
    wire         mac_${h}2accu_first;
    wire         mac_${h}2accu_last;
    wire         mac_${h}2accu_end;
//% for k in sums.kind
    wire [${sums.kind_w-1}:0]   mac_${h}2accu_kind;
//% end
//% end
    wire         cacc2csc_credit;
    wire         cacc2sdp_valid;
    wire         cacc2sdp_ready;
    wire [${32 * sdp_lanes - 1:3}:0] cacc2sdp_data;

    dla_cdma u_cdma (
        .clk                        (clk),
        .rst_n                      (cdma_rst_n),
        .clk_ovr_on                 (clk_ovr_on),  //% if clock_gating
        .csb2cdma_valid             (csb2cdma_valid),
        .csb_addr                   (csb_addr),
        .csb_wdata                  (csb_wdata),
        .csb_write                  (csb_write),
        ${cdma_ram_type_pins}
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
        .cdma2cbuf_dat_wr_sel       (cdma2cbuf_dat_wr_sel),  //% if atoms_per_entry > 1
        .cdma2cbuf_dat_wr_data      (cdma2cbuf_dat_wr_data),
        .cdma2cbuf_wt_wr_valid      (cdma2cbuf_wt_wr_valid),
        .cdma2cbuf_wt_wr_addr       (cdma2cbuf_wt_wr_addr),
        .cdma2cbuf_wt_wr_sel        (cdma2cbuf_wt_wr_sel),  //% if atoms_per_entry > 1
        .cdma2cbuf_wt_wr_data       (cdma2cbuf_wt_wr_data),
        .cdma2cbuf_flush_valid      (cdma2cbuf_flush_valid),
        .cdma2cbuf_flush_row        (cdma2cbuf_flush_row),
        .cdma2csc_dat_updt          (cdma2csc_dat_updt),
        .cdma2csc_wt_updt           (cdma2csc_wt_updt),
        .csc2cdma_dat_rls_valid     (csc2cdma_dat_rls_valid),
        .csc2cdma_dat_rls_entries   (csc2cdma_dat_rls_entries),
        .csc2cdma_wt_rls_valid      (csc2cdma_wt_rls_valid),
        .csc2cdma_wt_rls_entries    (csc2cdma_wt_rls_entries),
//% if masks.on
        .cdma2csc_wmb_updt          (cdma2csc_wmb_updt),
        .csc2cdma_wmb_rls_valid     (csc2cdma_wmb_rls_valid),
        .csc2cdma_wmb_rls_entries   (csc2cdma_wmb_rls_entries),
//% end
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
        .cdma2cbuf_dat_wr_sel   (cdma2cbuf_dat_wr_sel),  //% if atoms_per_entry > 1
        .cdma2cbuf_dat_wr_data  (cdma2cbuf_dat_wr_data),
        .cdma2cbuf_wt_wr_valid  (cdma2cbuf_wt_wr_valid),
        .cdma2cbuf_wt_wr_addr   (cdma2cbuf_wt_wr_addr),
        .cdma2cbuf_wt_wr_sel    (cdma2cbuf_wt_wr_sel),  //% if atoms_per_entry > 1
        .cdma2cbuf_wt_wr_data   (cdma2cbuf_wt_wr_data),
        .cdma2cbuf_flush_valid  (cdma2cbuf_flush_valid),
        .cdma2cbuf_flush_row    (cdma2cbuf_flush_row),
        .csc2cbuf_dat_rd_valid  (csc2cbuf_dat_rd_valid),
        .csc2cbuf_dat_rd_addr   (csc2cbuf_dat_rd_addr),
        .cbuf2csc_dat_rd_valid  (cbuf2csc_dat_rd_valid),
        .cbuf2csc_dat_rd_data   (cbuf2csc_dat_rd_data),
        .csc2cbuf_wt_rd_valid   (csc2cbuf_wt_rd_valid),
        .csc2cbuf_wt_rd_addr    (csc2cbuf_wt_rd_addr),
//% if masks.on
        .csc2cbuf_wmb_rd_valid  (csc2cbuf_wmb_rd_valid),
        .csc2cbuf_wmb_rd_row    (csc2cbuf_wmb_rd_row),
        .cbuf2csc_wmb_rd_valid  (cbuf2csc_wmb_rd_valid),
        .cbuf2csc_wmb_rd_data   (cbuf2csc_wmb_rd_data),
//% end
        .cbuf2csc_wt_rd_valid   (cbuf2csc_wt_rd_valid),
        .cbuf2csc_wt_rd_data    (cbuf2csc_wt_rd_data)
    );

    dla_csc u_csc (
        .clk                      (clk),
        .rst_n                    (csc_rst_n),
        .clk_ovr_on               (clk_ovr_on),  //% if clock_gating
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
//% if masks.on
        .cdma2csc_wmb_updt        (cdma2csc_wmb_updt),
        .csc2cdma_wmb_rls_valid   (csc2cdma_wmb_rls_valid),
        .csc2cdma_wmb_rls_entries (csc2cdma_wmb_rls_entries),
        .csc2cbuf_wmb_rd_valid    (csc2cbuf_wmb_rd_valid),
        .csc2cbuf_wmb_rd_row      (csc2cbuf_wmb_rd_row),
        .cbuf2csc_wmb_rd_valid    (cbuf2csc_wmb_rd_valid),
        .cbuf2csc_wmb_rd_data     (cbuf2csc_wmb_rd_data),
//% end
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
//% for h in halves
        .mac_${h}2csc_enabled (mac_${h}2csc_enabled),
        .csc2mac_${h}_wt_valid (csc2mac_${h}_wt_valid),
        .csc2mac_${h}_wt_sel (csc2mac_${h}_wt_sel),
        .csc2mac_${h}_wt_data (csc2mac_${h}_wt_data),
        .csc2mac_${h}_dat_valid (csc2mac_${h}_dat_valid),
        .csc2mac_${h}_dat_data (csc2mac_${h}_dat_data),
        .csc2mac_${h}_dat_swap (csc2mac_${h}_dat_swap),
        .csc2mac_${h}_dat_first (csc2mac_${h}_dat_first),
        .csc2mac_${h}_dat_last (csc2mac_${h}_dat_last),
        .csc2mac_${h}_dat_end (csc2mac_${h}_dat_end),
//% end
        .cacc2csc_credit          (cacc2csc_credit)
    );

    ${cmac} u_cmac_a (
        .clk               (clk),
        .rst_n             (cmac_a_rst_n),
        .clk_ovr_on        (clk_ovr_on),  //% if clock_gating
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
//% for k in sums.kind
        .mac2accu_kind     (mac_a2accu_kind),
//% end
        .mac2accu_end      (mac_a2accu_end)
    );

    ${cmac} u_cmac_b (
        .clk               (clk),
        .rst_n             (cmac_b_rst_n),
        .clk_ovr_on        (clk_ovr_on),  //% if clock_gating
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
//% for k in sums.kind
        .mac2accu_kind     (mac_b2accu_kind),
//% end
        .mac2accu_end      (mac_b2accu_end)
    );

    dla_cacc u_cacc (
        .clk              (clk),
        .rst_n            (cacc_rst_n),
        .clk_ovr_on       (clk_ovr_on),  //% if clock_gating
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
//% for k in sums.kind
        .mac_a2accu_kind  (mac_a2accu_kind),
//% end
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
//% for k in sums.kind
    wire unused_kind_b = &mac_b2accu_kind;
//% end

    // ------------------------------------------------------------------ post-processing
    wire         sdp_rdma2sdp_m_valid;
    wire         sdp_rdma2sdp_m_ready;
    wire [${lane_bits * sdp_lanes - 1:3}:0] sdp_rdma2sdp_m_data;
//% for x in operands
    wire         sdp_rdma2sdp_${x}_valid;
    wire         sdp_rdma2sdp_${x}_ready;
    wire         sdp_rdma2sdp_${x}_once;
    wire [${16 * sdp_lanes - 1:3}:0] sdp_rdma2sdp_${x}_alu;
    wire [${16 * sdp_lanes - 1:3}:0] sdp_rdma2sdp_${x}_mul;
//% end

    dla_sdp_rdma u_sdp_rdma (
        .clk                   (clk),
        .rst_n                 (sdp_rdma_rst_n),
        .clk_ovr_on            (clk_ovr_on),  //% if clock_gating
        .csb2sdp_rdma_valid    (csb2sdp_rdma_valid),
        .csb_addr              (csb_addr),
        .csb_wdata             (csb_wdata),
        .csb_write             (csb_write),
        ${sdp_rdma_ram_type_pins}
        .sdp_rdma2csb_rdata    (sdp_rdma2csb_rdata),
        .sdp2mcif_rd_req_valid (sdp2mcif_rd_req_valid),
        .sdp2mcif_rd_req_ready (sdp2mcif_rd_req_ready),
        .sdp2mcif_rd_req_addr  (sdp2mcif_rd_req_addr),
        .sdp2mcif_rd_req_size  (sdp2mcif_rd_req_size),
        .mcif2sdp_rd_rsp_valid (mcif2sdp_rd_rsp_valid),
        .mcif2sdp_rd_rsp_data  (mcif2sdp_rd_rsp_data),
//% for x in operands
        .sdp_${x}2mcif_rd_req_valid (sdp_${x}2mcif_rd_req_valid),
        .sdp_${x}2mcif_rd_req_ready (sdp_${x}2mcif_rd_req_ready),
        .sdp_${x}2mcif_rd_req_addr (sdp_${x}2mcif_rd_req_addr),
        .sdp_${x}2mcif_rd_req_size (sdp_${x}2mcif_rd_req_size),
        .mcif2sdp_${x}_rd_rsp_valid (mcif2sdp_${x}_rd_rsp_valid),
        .mcif2sdp_${x}_rd_rsp_data (mcif2sdp_${x}_rd_rsp_data),
        .sdp_rdma2sdp_${x}_valid (sdp_rdma2sdp_${x}_valid),
        .sdp_rdma2sdp_${x}_ready (sdp_rdma2sdp_${x}_ready),
        .sdp_rdma2sdp_${x}_once (sdp_rdma2sdp_${x}_once),
        .sdp_rdma2sdp_${x}_alu (sdp_rdma2sdp_${x}_alu),
        .sdp_rdma2sdp_${x}_mul (sdp_rdma2sdp_${x}_mul),
//% end
        .sdp_rdma2sdp_m_valid  (sdp_rdma2sdp_m_valid),
        .sdp_rdma2sdp_m_ready  (sdp_rdma2sdp_m_ready),
        .sdp_rdma2sdp_m_data   (sdp_rdma2sdp_m_data)
    );

//% if pdp_enable
    wire         sdp2pdp_valid;
    wire         sdp2pdp_ready;
    wire [${lane_bits * sdp_lanes - 1:3}:0] sdp2pdp_data;
    wire         pdp_rdma2pdp_valid;
    wire         pdp_rdma2pdp_ready;
    wire [${8 * pdp_throughput - 1:3}:0] pdp_rdma2pdp_data;

    dla_pdp_rdma u_pdp_rdma (
        .clk                   (clk),
        .rst_n                 (pdp_rdma_rst_n),
        .clk_ovr_on            (clk_ovr_on),  //% if clock_gating
        .csb2pdp_rdma_valid    (csb2pdp_rdma_valid),
        .csb_addr              (csb_addr),
        .csb_wdata             (csb_wdata),
        .csb_write             (csb_write),
        ${pdp_rdma_ram_type_pins}
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
        .clk_ovr_on               (clk_ovr_on),  //% if clock_gating
        .csb2pdp_valid            (csb2pdp_valid),
        .csb_addr                 (csb_addr),
        .csb_wdata                (csb_wdata),
        .csb_write                (csb_write),
        ${pdp_ram_type_pins}
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

//% end
    dla_sdp u_sdp (
        .clk                      (clk),
        .rst_n                    (sdp_rst_n),
        .clk_ovr_on               (clk_ovr_on),  //% if clock_gating
        .csb2sdp_valid            (csb2sdp_valid),
        .csb_addr                 (csb_addr),
        .csb_wdata                (csb_wdata),
        .csb_write                (csb_write),
        ${sdp_ram_type_pins}
        .sdp2csb_rdata            (sdp2csb_rdata),
        .cacc2sdp_valid           (cacc2sdp_valid),
        .cacc2sdp_ready           (cacc2sdp_ready),
        .cacc2sdp_data            (cacc2sdp_data),
        .sdp_rdma2sdp_m_valid     (sdp_rdma2sdp_m_valid),
        .sdp_rdma2sdp_m_ready     (sdp_rdma2sdp_m_ready),
        .sdp_rdma2sdp_m_data      (sdp_rdma2sdp_m_data),
//% for x in operands
        .sdp_rdma2sdp_${x}_valid (sdp_rdma2sdp_${x}_valid),
        .sdp_rdma2sdp_${x}_ready (sdp_rdma2sdp_${x}_ready),
        .sdp_rdma2sdp_${x}_once (sdp_rdma2sdp_${x}_once),
        .sdp_rdma2sdp_${x}_alu (sdp_rdma2sdp_${x}_alu),
        .sdp_rdma2sdp_${x}_mul (sdp_rdma2sdp_${x}_mul),
//% end
        .sdp2mcif_wr_req_valid    (sdp2mcif_wr_req_valid),
        .sdp2mcif_wr_req_ready    (sdp2mcif_wr_req_ready),
        .sdp2mcif_wr_req_addr     (sdp2mcif_wr_req_addr),
        .sdp2mcif_wr_req_data     (sdp2mcif_wr_req_data),
        .sdp2mcif_wr_req_last     (sdp2mcif_wr_req_last),
        .mcif2sdp_wr_rsp_complete (mcif2sdp_wr_rsp_complete),
//% if pdp_enable
        .sdp2pdp_valid            (sdp2pdp_valid),
        .sdp2pdp_ready            (sdp2pdp_ready),
        .sdp2pdp_data             (sdp2pdp_data),
//% end
        .sdp2glb_done             (sdp2glb_done)
    );
//% if cdp_enable

    // ------------------------------------------------------------------ normalisation
    wire         cdp_rdma2cdp_valid;
    wire         cdp_rdma2cdp_ready;
    wire [${8 * cdp_throughput - 1:3}:0] cdp_rdma2cdp_data;
    wire [${cdp_throughput - 1:3}:0] cdp_rdma2cdp_mask;
    wire         cdp_rdma2cdp_first;
    wire         cdp_rdma2cdp_last;
    wire         cdp_rdma2cdp_line;
    wire         cdp_rdma2cdp_end;

    dla_cdp_rdma u_cdp_rdma (
        .clk                   (clk),
        .rst_n                 (cdp_rdma_rst_n),
        .clk_ovr_on            (clk_ovr_on),  //% if clock_gating
        .csb2cdp_rdma_valid    (csb2cdp_rdma_valid),
        .csb_addr              (csb_addr),
        .csb_wdata             (csb_wdata),
        .csb_write             (csb_write),
        ${cdp_rdma_ram_type_pins}
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
        .clk_ovr_on               (clk_ovr_on),  //% if clock_gating
        .csb2cdp_valid            (csb2cdp_valid),
        .csb_addr                 (csb_addr),
        .csb_wdata                (csb_wdata),
        .csb_write                (csb_write),
        ${cdp_ram_type_pins}
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
//% end
//% for u in movers

    // ------------------------------------------------------------------ ${u.title}
    dla_${u.name} u_${u.name} (
        .clk (clk),
        .rst_n (${u.name}_rst_n),
        .clk_ovr_on (clk_ovr_on),  //% if clock_gating
        .csb2${u.name}_valid (csb2${u.name}_valid),
        .csb_addr (csb_addr),
        .csb_wdata (csb_wdata),
        .csb_write (csb_write),
        ${u.ram_type_pins}
        .${u.name}2csb_rdata (${u.name}2csb_rdata),
        .${u.name}2mcif_rd_req_valid (${u.name}2mcif_rd_req_valid),
        .${u.name}2mcif_rd_req_ready (${u.name}2mcif_rd_req_ready),
        .${u.name}2mcif_rd_req_addr (${u.name}2mcif_rd_req_addr),
        .${u.name}2mcif_rd_req_size (${u.name}2mcif_rd_req_size),
        .mcif2${u.name}_rd_rsp_valid (mcif2${u.name}_rd_rsp_valid),
        .mcif2${u.name}_rd_rsp_data (mcif2${u.name}_rd_rsp_data),
        .${u.name}2mcif_wr_req_valid (${u.name}2mcif_wr_req_valid),
        .${u.name}2mcif_wr_req_ready (${u.name}2mcif_wr_req_ready),
        .${u.name}2mcif_wr_req_addr (${u.name}2mcif_wr_req_addr),
        .${u.name}2mcif_wr_req_data (${u.name}2mcif_wr_req_data),
        .${u.name}2mcif_wr_req_last (${u.name}2mcif_wr_req_last),
        .mcif2${u.name}_wr_rsp_complete (mcif2${u.name}_wr_rsp_complete),
        .${u.name}2glb_done (${u.name}2glb_done)
    );
//% end

endmodule

`default_nettype wire
