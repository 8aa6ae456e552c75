// The accelerator: all units and the links between them.
//
//   CSB --> csb_master --> register files of all units            glb --> interrupt
//
//   AXI <--> mcif <--> cdma --> cbuf --> csc --> cmac_a, cmac_b --> cacc --> sdp --> mcif <--> AXI
//                 <--> sdp_rdma --------------------------------------------> sdp
//                 <--> pdp_rdma --> pdp --> mcif        (also sdp --> pdp)  //% if pdp_enable
//                 <--> cdp_rdma --> cdp --> mcif  //% if cdp_enable
//                 <--> rubik  //% if rubik_enable
//                 <--> bdma  //% if bdma_enable
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
                         global_clk_ovr_on, tmc2slcg_disable_clock_gating,  //% if !clock_gating
                         nvdla_core2dbb_r_rlast,  //% if atoms_per_beat == 1
//% for m in second_port
                         nvdla_core2cvsram_r_rlast,  //% if m.atoms_per_beat == 1
                         nvdla_core2cvsram_b_bid${write_ids ? "[7:4]" : ""}, nvdla_core2cvsram_r_rid[7:4],
//% end
                         nvdla_core2dbb_b_bid${write_ids ? "[7:4]" : ""}, nvdla_core2dbb_r_rid[7:4]};

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

//% for g in parts.registers
//%   include "top/group.vh"
//% end
//% for g in parts.rom
//%   for u in g.units
//%     include "top/unit.vh"
//%   end
//% end

    // ------------------------------------------------------------------ interrupts
//% for g in parts.interrupts
//%   include "top/group.vh"
//% end
    // ------------------------------------------------------------------ memory interface
//% for g in parts.memory
//%   include "top/group.vh"
//% end
//% for m in second_port
    // A client's requests go where RAM_TYPE of the layer says; both ports see their payload.
//%   for c in rd_clients
//%     let atoms = c == "cdma_wt" ? wt.atoms : 1
    wire         ${c}2mcif_rd_ram_type;
    wire         ${c}2pri_rd_req_valid;
    wire         ${c}2pri_rd_req_ready;
    wire [${addr_w - 1:3}:0] ${c}2pri_rd_req_addr;
    wire [ 14:0] ${c}2pri_rd_req_size;
    wire [  1:0] pri2${c}_rd_rsp_valid;  //% if atoms == 2
    wire         pri2${c}_rd_rsp_valid;  //% if atoms == 1
    wire [${atoms * atom_bits - 1:3}:0] pri2${c}_rd_rsp_data;
    wire         ${c}2sec_rd_req_valid;
    wire         ${c}2sec_rd_req_ready;
    wire [  1:0] sec2${c}_rd_rsp_valid;  //% if atoms == 2
    wire         sec2${c}_rd_rsp_valid;  //% if atoms == 1
    wire [${atoms * atom_bits - 1:3}:0] sec2${c}_rd_rsp_data;

    dla_route_rd #(.RSP(2)) u_route_${c}_rd (  //% if atoms == 2
    dla_route_rd u_route_${c}_rd (  //% if atoms == 1
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
        .cvif2cvsram_b_bid      (nvdla_core2cvsram_b_bid[3:0]),  //% if write_ids
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
        .mcif2dbb_b_bid      (nvdla_core2dbb_b_bid[3:0]),  //% if write_ids
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
//% for g in parts.convolution
//%   include "top/group.vh"
//% end
    // Both halves work in step, the first one speaks for both.
    wire unused_mac_b = &{mac_b2accu_swap, mac_b2accu_first, mac_b2accu_last, mac_b2accu_end};
//% for k in sums.kind
    wire unused_kind_b = &mac_b2accu_kind;
//% end

//% for g in parts.behind
//%   include "top/group.vh"
//% end
endmodule

`default_nettype wire
