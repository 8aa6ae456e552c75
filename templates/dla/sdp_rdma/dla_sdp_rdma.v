// SDP_RDMA: reads the input cube of an offline SDP layer and the operands of its stages.
//
// A main channel and one channel per stage, independent of each other; a channel that a layer does
// not use stays idle. Throughput of a channel: ${sdp_lanes} element(s) per cycle while its FIFO covers
// the memory latency. op_en to first request: 2 cycles. All outputs leave from registers.
// A layer ends (op_done) when all its data has arrived: what SDP has not taken yet stays in the
// FIFOs, and the reads of the next layer start. Nothing but room and the memory stalls it.
`default_nettype none

module dla_sdp_rdma (
    input  wire         clk,
    input  wire         rst_n,
    input  wire         clk_ovr_on,                    // 1: gated clocks always run  //% if clock_gating

    // register access
    input  wire         csb2sdp_rdma_valid,
    input  wire [9:0]   csb_addr,                      // word offset
    input  wire [31:0]  csb_wdata,
    input  wire         csb_write,
    output wire [31:0]  sdp_rdma2csb_rdata,            // 0 unless a read was requested

    // input cube: memory reads, elements for SDP
//% for t in ram_types
    output wire         ${t.link}_ram_type,     // 1: primary port
//% end
    output wire         sdp2mcif_rd_req_valid,
    input  wire         sdp2mcif_rd_req_ready,
    output wire [${addr_w - 1:2}:0]  sdp2mcif_rd_req_addr,
    output wire [14:0]  sdp2mcif_rd_req_size,          // atoms - 1
    input  wire         mcif2sdp_rd_rsp_valid,         // cannot stall
    input  wire [${atom_bits - 1:3}:0] mcif2sdp_rd_rsp_data,
    output wire         sdp_rdma2sdp_m_valid,
    input  wire         sdp_rdma2sdp_m_ready,
    output wire [${lane_bits * sdp_lanes - 1:3}:0] sdp_rdma2sdp_m_data${sdp_bs_enable || sdp_bn_enable || sdp_ew_enable ? "," : ""}
//% for op in operands

    // operands of ${op.stage}: memory reads, decoded records for SDP
    output wire         sdp_${op.x}2mcif_rd_req_valid,
    input  wire         sdp_${op.x}2mcif_rd_req_ready,
    output wire [${addr_w - 1:2}:0]  sdp_${op.x}2mcif_rd_req_addr,
    output wire [14:0]  sdp_${op.x}2mcif_rd_req_size,        // atoms - 1
    input  wire         mcif2sdp_${op.x}_rd_rsp_valid,       // cannot stall
    input  wire [${atom_bits - 1:3}:0] mcif2sdp_${op.x}_rd_rsp_data,
    output wire         sdp_rdma2sdp_${op.x}_valid,
    input  wire         sdp_rdma2sdp_${op.x}_ready,
    output wire         sdp_rdma2sdp_${op.x}_once,          // 0: for all pixels of a surface
    output wire [${16 * sdp_lanes - 1:3}:0] sdp_rdma2sdp_${op.x}_alu,
    output wire [${16 * sdp_lanes - 1:3}:0] sdp_rdma2sdp_${op.x}_mul${op.last ? "" : ","}
//% end
);

    localparam LSB    = ${atom_lsb};     // address bits inside an atom
    localparam ADDR_W = ${addr_w - atom_lsb};    // of atoms

    // ------------------------------------------------------------------ registers
    wire        op_en, op_done, unused_consumer;
    wire [12:0] width, height, channel;
    wire [31:0] src_low, src_high, src_line, src_surf;
    wire        flying, perf_dma_en;
    wire [31:0] m_stall;
    wire [1:0]  proc;  //% if mixed || fp_choice
    wire [1:0]  in;  //% if mixed
    wire        proc_wide = |proc;  //% if mixed
    wire        in_wide   = (|in) || proc_wide;  //% if mixed
    //# Elements computed in fp16 are read in fp16, int8 only computes integers.
    wire        in_fp     = ${!int16 ? "|proc" : int8 ? "proc[1]" : "proc != 2'd1"};  //% if fp_choice
    wire        perf_nan_en;  //% if fp16
    wire [31:0] nans, infs;  //% if fp16
    wire        tiles;  //% if winograd_enable
//% for op in all_operands
    wire        ${op.s}_disable, ${op.s}_two_byte, ${op.s}_per_element;
    wire [1:0]  ${op.s}_data_use;
    wire [31:0] ${op.s}_low, ${op.s}_high, ${op.s}_line, ${op.s}_surf, ${op.s}_stall;
//% end

    dla_sdp_rdma_regs u_regs (
        .clk                                    (clk),
        .rst_n                                  (rst_n),
        .csb_valid                              (csb2sdp_rdma_valid),
        .csb_addr                               (csb_addr),
        .csb_wdata                              (csb_wdata),
        .csb_write                              (csb_write),
        .csb_rdata                              (sdp_rdma2csb_rdata),
//% for t in ram_types
        .${t.port} (${t.link}_ram_type),
//% end
        .op_en                                  (op_en),
        .op_done                                (op_done),
        .consumer                               (unused_consumer),
        .d_data_cube_width                      (width),
        .d_data_cube_height                     (height),
        .d_data_cube_channel                    (channel),
        .d_src_base_addr_low                    (src_low),
        .d_src_base_addr_high                   (src_high),
        .d_src_line_stride                      (src_line),
        .d_src_surface_stride                   (src_surf),
//% for op in all_operands
        .d_${op.x}rdma_cfg_${op.x}rdma_disable              (${op.s}_disable),
        .d_${op.x}rdma_cfg_${op.x}rdma_data_use             (${op.s}_data_use),
        .d_${op.x}rdma_cfg_${op.x}rdma_data_size            (${op.s}_two_byte),
        .d_${op.x}rdma_cfg_${op.x}rdma_data_mode            (${op.s}_per_element),
        .d_${op.s}_base_addr_low                     (${op.s}_low),
        .d_${op.s}_base_addr_high                    (${op.s}_high),
        .d_${op.s}_line_stride                       (${op.s}_line),
        .d_${op.s}_surface_stride                    (${op.s}_surf),
        .d_perf_${op.x}rdma_read_stall_${op.x}rdma_stall    (${op.s}_stall),
//% end
        .d_feature_mode_cfg_flying_mode         (flying),
        .d_feature_mode_cfg_proc_precision      (proc),  //% if mixed || fp_choice
        .d_feature_mode_cfg_in_precision        (in),  //% if mixed
        .d_perf_enable_perf_nan_inf_count_en    (perf_nan_en),  //% if fp16
        .d_status_nan_input_num                 (nans),  //% if fp16
        .d_status_inf_input_num                 (infs),  //% if fp16
        .d_feature_mode_cfg_winograd            (tiles),  //% if winograd_enable
        .d_perf_enable_perf_dma_en              (perf_dma_en),
        .d_perf_mrdma_read_stall_mrdma_stall    (m_stall)
    );

    // Zero extension first, then the slice that this configuration has.
    wire [63:0] src_addr  = {src_high, src_low};
    wire [63:0] line_step = {32'd0, src_line};
    wire [63:0] surf_step = {32'd0, src_surf};
//% for op in operands
    wire [63:0] ${op.s}_addr = {${op.s}_high, ${op.s}_low};
    wire [63:0] ${op.s}_line_step = {32'd0, ${op.s}_line};
    wire [63:0] ${op.s}_surf_step = {32'd0, ${op.s}_surf};
//% end

//% if clock_gating
    // ------------------------------------------------------------------ clock of the channels
    // Stops when no layer runs and SDP has taken everything, runs during reset.
    wire m_active;
//% for op in operands
    wire ${op.x}_active;
//% end
    wire gclk;

    clkgate u_clkgate (
        .clk     (clk),
        .en      (op_en || m_active${sdp_bs_enable ? " || b_active" : ""}${sdp_bn_enable ? " || n_active" : ""}${sdp_ew_enable ? " || e_active" : ""} || !rst_n),
        .test_en (clk_ovr_on),
        .gclk    (gclk)
    );

//% end
    // ------------------------------------------------------------------ layer control
    reg  running_q, done_q;
    wire m_busy;
//% for op in operands
    wire ${op.x}_busy;
//% end
    wire start       = op_en && !running_q;
    wire packed_cube = (width == 13'd0) && (height == 13'd0);
    wire [${12 - elem_lsb:2}:0] surfaces = proc_wide ? channel[12:LSB-1] : {1'b0, channel[12:LSB]};  //% if mixed
    wire [${12 - elem_lsb:2}:0] surfaces = channel[12:LSB-1];  //% if types16 && !mixed

    assign op_done = done_q;

    always @(posedge ${gclk} or negedge rst_n) begin
        if (!rst_n) begin
            running_q <= 1'b0;
            done_q    <= 1'b0;
        end else begin
            running_q <= (running_q || op_en) && !done_q;
            done_q    <= running_q && !done_q && !m_busy${sdp_bs_enable ? " && !b_busy" : ""}${sdp_bn_enable ? " && !n_busy" : ""}${sdp_ew_enable ? " && !e_busy" : ""};
        end
    end

//# Records of one byte are of int8 only.
//% let half_only = types16 && !mixed
    // ------------------------------------------------------------------ channels
    dla_sdp_rdma_main u_main (
        .clk         (${gclk}),
        .rst_n       (rst_n),
        .start       (start && !flying),
        .base        (src_addr[LSB +: ADDR_W]),
        .line_stride (line_step[LSB +: ADDR_W]),
        .surf_stride (surf_step[LSB +: ADDR_W]),
        .width       (width),
        .height      (height),
        .surfaces    (${types16 ? "surfaces" : "channel[12:LSB]"}),
        .packed_cube (packed_cube),
        .wide        (in_wide),  //% if mixed
        .pairs       (in_wide && !proc_wide),  //% if mixed
        .nan_count_en (perf_nan_en${fp_choice ? " && in_fp" : ""}),  //% if fp16
        .nans_q      (nans),  //% if fp16
        .infs_q      (infs),  //% if fp16
        .count_en    (perf_dma_en),
        .clear       (start),
        .stall_q     (m_stall),
        .busy        (m_busy),
        .active      (m_active),  //% if clock_gating
        .req_valid   (sdp2mcif_rd_req_valid),
        .req_ready   (sdp2mcif_rd_req_ready),
        .req_addr    (sdp2mcif_rd_req_addr),
        .req_size    (sdp2mcif_rd_req_size),
        .rsp_valid   (mcif2sdp_rd_rsp_valid),
        .rsp_data    (mcif2sdp_rd_rsp_data),
        .out_valid_q (sdp_rdma2sdp_m_valid),
        .out_ready   (sdp_rdma2sdp_m_ready),
        .out_data_q  (sdp_rdma2sdp_m_data)
    );

//% for op in operands
    dla_sdp_rdma_operand #(.DEPTH(${op.depth})) u_${op.s} (
        .clk         (${gclk}),
        .rst_n       (rst_n),
        .start       (start && !${op.s}_disable),
        .base        (${op.s}_addr[LSB +: ADDR_W]),
        .line_stride (${op.s}_line_step[LSB +: ADDR_W]),
        .surf_stride (${op.s}_surf_step[LSB +: ADDR_W]),
        .width       (width),
        .height      (height),
        .surfaces    (${types16 ? "surfaces" : "channel[12:LSB]"}),
        .packed_cube (packed_cube),
        .wide        (proc_wide),  //% if mixed
        .tiles       (tiles),  //% if winograd_enable
        .data_use    (${op.s}_data_use),
        .two_byte    (${op.s}_two_byte${mixed ? " || proc_wide" : ""}),  //% if !half_only
        .per_element (${op.s}_per_element),
        .count_en    (perf_dma_en),
        .clear       (start),
        .stall_q     (${op.s}_stall),
        .busy        (${op.x}_busy),
        .active      (${op.x}_active),  //% if clock_gating
        .req_valid   (sdp_${op.x}2mcif_rd_req_valid),
        .req_ready   (sdp_${op.x}2mcif_rd_req_ready),
        .req_addr    (sdp_${op.x}2mcif_rd_req_addr),
        .req_size    (sdp_${op.x}2mcif_rd_req_size),
        .rsp_valid   (mcif2sdp_${op.x}_rd_rsp_valid),
        .rsp_data    (mcif2sdp_${op.x}_rd_rsp_data),
        .out_valid_q (sdp_rdma2sdp_${op.x}_valid),
        .out_ready   (sdp_rdma2sdp_${op.x}_ready),
        .out_once_q  (sdp_rdma2sdp_${op.x}_once),
        .out_alu_q   (sdp_rdma2sdp_${op.x}_alu),
        .out_mul_q   (sdp_rdma2sdp_${op.x}_mul)
    );

//% end
    // Fields are wider than this configuration needs.
    wire unused_bits = &{1'b0,
//% for op in operands
                         ${op.s}_addr, ${op.s}_line_step, ${op.s}_surf_step,
//% end
//% for op in operands
                         ${op.s}_two_byte,  //% if half_only
//% end
                         src_addr, line_step, surf_step, channel, width};
//% for s in absent_stages

    // The ${s} stage is absent: its registers are storage.
    wire unused_${s} = &{1'b0, ${s}_disable, ${s}_two_byte, ${s}_per_element, ${s}_data_use,
                       ${s}_low, ${s}_high, ${s}_line, ${s}_surf};
    assign ${s}_stall = 32'd0;
//% end

endmodule

`default_nettype wire
