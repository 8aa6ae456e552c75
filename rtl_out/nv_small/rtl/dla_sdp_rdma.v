// Made by macrame 0.1.0 from templates/dla/sdp_rdma/dla_sdp_rdma.v
// with addr_w=32 atom_bits=64 atom_lsb=3 clock_gating=0 fp16=0 fp_choice=0 lane_bits=8 mixed=0
// sdp_bn_enable=1 sdp_bs_enable=1 sdp_ew_enable=0 sdp_lanes=1 types16=0 winograd_enable=0

// SDP_RDMA: reads the input cube of an offline SDP layer and the operands of its stages.
//
// A main channel and one channel per stage, independent of each other; a channel that a layer does
// not use stays idle. Throughput of a channel: 1 element(s) per cycle while its FIFO covers
// the memory latency. op_en to first request: 2 cycles. All outputs leave from registers.
// A layer ends (op_done) when all its data has arrived: what SDP has not taken yet stays in the
// FIFOs, and the reads of the next layer start. Nothing but room and the memory stalls it.
`default_nettype none

module dla_sdp_rdma (
    input  wire         clk,
    input  wire         rst_n,

    // register access
    input  wire         csb2sdp_rdma_valid,
    input  wire [9:0]   csb_addr,                      // word offset
    input  wire [31:0]  csb_wdata,
    input  wire         csb_write,
    output wire [31:0]  sdp_rdma2csb_rdata,            // 0 unless a read was requested

    // input cube: memory reads, elements for SDP
    output wire         sdp2mcif_rd_req_valid,
    input  wire         sdp2mcif_rd_req_ready,
    output wire [31:0]  sdp2mcif_rd_req_addr,
    output wire [14:0]  sdp2mcif_rd_req_size,          // atoms - 1
    input  wire         mcif2sdp_rd_rsp_valid,         // cannot stall
    input  wire [ 63:0] mcif2sdp_rd_rsp_data,
    output wire         sdp_rdma2sdp_m_valid,
    input  wire         sdp_rdma2sdp_m_ready,
    output wire [  7:0] sdp_rdma2sdp_m_data,

    // operands of X1 (BS): memory reads, decoded records for SDP
    output wire         sdp_b2mcif_rd_req_valid,
    input  wire         sdp_b2mcif_rd_req_ready,
    output wire [31:0]  sdp_b2mcif_rd_req_addr,
    output wire [14:0]  sdp_b2mcif_rd_req_size,        // atoms - 1
    input  wire         mcif2sdp_b_rd_rsp_valid,       // cannot stall
    input  wire [ 63:0] mcif2sdp_b_rd_rsp_data,
    output wire         sdp_rdma2sdp_b_valid,
    input  wire         sdp_rdma2sdp_b_ready,
    output wire         sdp_rdma2sdp_b_once,          // 0: for all pixels of a surface
    output wire [ 15:0] sdp_rdma2sdp_b_alu,
    output wire [ 15:0] sdp_rdma2sdp_b_mul,

    // operands of X2 (BN): memory reads, decoded records for SDP
    output wire         sdp_n2mcif_rd_req_valid,
    input  wire         sdp_n2mcif_rd_req_ready,
    output wire [31:0]  sdp_n2mcif_rd_req_addr,
    output wire [14:0]  sdp_n2mcif_rd_req_size,        // atoms - 1
    input  wire         mcif2sdp_n_rd_rsp_valid,       // cannot stall
    input  wire [ 63:0] mcif2sdp_n_rd_rsp_data,
    output wire         sdp_rdma2sdp_n_valid,
    input  wire         sdp_rdma2sdp_n_ready,
    output wire         sdp_rdma2sdp_n_once,          // 0: for all pixels of a surface
    output wire [ 15:0] sdp_rdma2sdp_n_alu,
    output wire [ 15:0] sdp_rdma2sdp_n_mul
);

    localparam LSB    = 3;     // address bits inside an atom
    localparam ADDR_W = 29;    // of atoms

    // ------------------------------------------------------------------ registers
    wire        op_en, op_done, unused_consumer;
    wire [12:0] width, height, channel;
    wire [31:0] src_low, src_high, src_line, src_surf;
    wire        flying, perf_dma_en;
    wire [31:0] m_stall;
    wire        bs_disable, bs_two_byte, bs_per_element;
    wire [1:0]  bs_data_use;
    wire [31:0] bs_low, bs_high, bs_line, bs_surf, bs_stall;
    wire        bn_disable, bn_two_byte, bn_per_element;
    wire [1:0]  bn_data_use;
    wire [31:0] bn_low, bn_high, bn_line, bn_surf, bn_stall;

    dla_sdp_rdma_regs u_regs (
        .clk                                    (clk),
        .rst_n                                  (rst_n),
        .csb_valid                              (csb2sdp_rdma_valid),
        .csb_addr                               (csb_addr),
        .csb_wdata                              (csb_wdata),
        .csb_write                              (csb_write),
        .csb_rdata                              (sdp_rdma2csb_rdata),
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
        .d_brdma_cfg_brdma_disable              (bs_disable),
        .d_brdma_cfg_brdma_data_use             (bs_data_use),
        .d_brdma_cfg_brdma_data_size            (bs_two_byte),
        .d_brdma_cfg_brdma_data_mode            (bs_per_element),
        .d_bs_base_addr_low                     (bs_low),
        .d_bs_base_addr_high                    (bs_high),
        .d_bs_line_stride                       (bs_line),
        .d_bs_surface_stride                    (bs_surf),
        .d_perf_brdma_read_stall_brdma_stall    (bs_stall),
        .d_nrdma_cfg_nrdma_disable              (bn_disable),
        .d_nrdma_cfg_nrdma_data_use             (bn_data_use),
        .d_nrdma_cfg_nrdma_data_size            (bn_two_byte),
        .d_nrdma_cfg_nrdma_data_mode            (bn_per_element),
        .d_bn_base_addr_low                     (bn_low),
        .d_bn_base_addr_high                    (bn_high),
        .d_bn_line_stride                       (bn_line),
        .d_bn_surface_stride                    (bn_surf),
        .d_perf_nrdma_read_stall_nrdma_stall    (bn_stall),
        .d_feature_mode_cfg_flying_mode         (flying),
        .d_perf_enable_perf_dma_en              (perf_dma_en),
        .d_perf_mrdma_read_stall_mrdma_stall    (m_stall)
    );

    // Zero extension first, then the slice that this configuration has.
    wire [63:0] src_addr  = {src_high, src_low};
    wire [63:0] line_step = {32'd0, src_line};
    wire [63:0] surf_step = {32'd0, src_surf};
    wire [63:0] bs_addr = {bs_high, bs_low};
    wire [63:0] bs_line_step = {32'd0, bs_line};
    wire [63:0] bs_surf_step = {32'd0, bs_surf};
    wire [63:0] bn_addr = {bn_high, bn_low};
    wire [63:0] bn_line_step = {32'd0, bn_line};
    wire [63:0] bn_surf_step = {32'd0, bn_surf};

    // ------------------------------------------------------------------ layer control
    reg  running_q, done_q;
    wire m_busy;
    wire b_busy;
    wire n_busy;
    wire start       = op_en && !running_q;
    wire packed_cube = (width == 13'd0) && (height == 13'd0);

    assign op_done = done_q;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            running_q <= 1'b0;
            done_q    <= 1'b0;
        end else begin
            running_q <= (running_q || op_en) && !done_q;
            done_q    <= running_q && !done_q && !m_busy && !b_busy && !n_busy;
        end
    end

    // ------------------------------------------------------------------ channels
    dla_sdp_rdma_main u_main (
        .clk         (clk),
        .rst_n       (rst_n),
        .start       (start && !flying),
        .base        (src_addr[LSB +: ADDR_W]),
        .line_stride (line_step[LSB +: ADDR_W]),
        .surf_stride (surf_step[LSB +: ADDR_W]),
        .width       (width),
        .height      (height),
        .surfaces    (channel[12:LSB]),
        .packed_cube (packed_cube),
        .count_en    (perf_dma_en),
        .clear       (start),
        .stall_q     (m_stall),
        .busy        (m_busy),
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

    dla_sdp_rdma_operand #(.DEPTH(64)) u_bs (
        .clk         (clk),
        .rst_n       (rst_n),
        .start       (start && !bs_disable),
        .base        (bs_addr[LSB +: ADDR_W]),
        .line_stride (bs_line_step[LSB +: ADDR_W]),
        .surf_stride (bs_surf_step[LSB +: ADDR_W]),
        .width       (width),
        .height      (height),
        .surfaces    (channel[12:LSB]),
        .packed_cube (packed_cube),
        .data_use    (bs_data_use),
        .two_byte    (bs_two_byte),
        .per_element (bs_per_element),
        .count_en    (perf_dma_en),
        .clear       (start),
        .stall_q     (bs_stall),
        .busy        (b_busy),
        .req_valid   (sdp_b2mcif_rd_req_valid),
        .req_ready   (sdp_b2mcif_rd_req_ready),
        .req_addr    (sdp_b2mcif_rd_req_addr),
        .req_size    (sdp_b2mcif_rd_req_size),
        .rsp_valid   (mcif2sdp_b_rd_rsp_valid),
        .rsp_data    (mcif2sdp_b_rd_rsp_data),
        .out_valid_q (sdp_rdma2sdp_b_valid),
        .out_ready   (sdp_rdma2sdp_b_ready),
        .out_once_q  (sdp_rdma2sdp_b_once),
        .out_alu_q   (sdp_rdma2sdp_b_alu),
        .out_mul_q   (sdp_rdma2sdp_b_mul)
    );

    dla_sdp_rdma_operand #(.DEPTH(64)) u_bn (
        .clk         (clk),
        .rst_n       (rst_n),
        .start       (start && !bn_disable),
        .base        (bn_addr[LSB +: ADDR_W]),
        .line_stride (bn_line_step[LSB +: ADDR_W]),
        .surf_stride (bn_surf_step[LSB +: ADDR_W]),
        .width       (width),
        .height      (height),
        .surfaces    (channel[12:LSB]),
        .packed_cube (packed_cube),
        .data_use    (bn_data_use),
        .two_byte    (bn_two_byte),
        .per_element (bn_per_element),
        .count_en    (perf_dma_en),
        .clear       (start),
        .stall_q     (bn_stall),
        .busy        (n_busy),
        .req_valid   (sdp_n2mcif_rd_req_valid),
        .req_ready   (sdp_n2mcif_rd_req_ready),
        .req_addr    (sdp_n2mcif_rd_req_addr),
        .req_size    (sdp_n2mcif_rd_req_size),
        .rsp_valid   (mcif2sdp_n_rd_rsp_valid),
        .rsp_data    (mcif2sdp_n_rd_rsp_data),
        .out_valid_q (sdp_rdma2sdp_n_valid),
        .out_ready   (sdp_rdma2sdp_n_ready),
        .out_once_q  (sdp_rdma2sdp_n_once),
        .out_alu_q   (sdp_rdma2sdp_n_alu),
        .out_mul_q   (sdp_rdma2sdp_n_mul)
    );

    // Fields are wider than this configuration needs.
    wire unused_bits = &{1'b0,
                         bs_addr, bs_line_step, bs_surf_step,
                         bn_addr, bn_line_step, bn_surf_step,
                         src_addr, line_step, surf_step, channel, width};

`ifdef MACRAME_ASSERT
    // ------------------------------------------------------------------ rules of the ports
    assert_link #(.W(47)) a_sdp2mcif_rd_req (
        .clk(clk), .rst_n(rst_n), .valid(sdp2mcif_rd_req_valid), .ready(sdp2mcif_rd_req_ready),
        .payload({sdp2mcif_rd_req_addr, sdp2mcif_rd_req_size})
    );
    assert_link #(.W(8)) a_sdp_rdma2sdp_m (
        .clk(clk), .rst_n(rst_n), .valid(sdp_rdma2sdp_m_valid), .ready(sdp_rdma2sdp_m_ready),
        .payload({sdp_rdma2sdp_m_data})
    );
    assert_link #(.W(47)) a_sdp_b2mcif_rd_req (
        .clk(clk), .rst_n(rst_n), .valid(sdp_b2mcif_rd_req_valid), .ready(sdp_b2mcif_rd_req_ready),
        .payload({sdp_b2mcif_rd_req_addr, sdp_b2mcif_rd_req_size})
    );
    assert_link #(.W(33)) a_sdp_rdma2sdp_b (
        .clk(clk), .rst_n(rst_n), .valid(sdp_rdma2sdp_b_valid), .ready(sdp_rdma2sdp_b_ready),
        .payload({sdp_rdma2sdp_b_once, sdp_rdma2sdp_b_alu, sdp_rdma2sdp_b_mul})
    );
    assert_link #(.W(47)) a_sdp_n2mcif_rd_req (
        .clk(clk), .rst_n(rst_n), .valid(sdp_n2mcif_rd_req_valid), .ready(sdp_n2mcif_rd_req_ready),
        .payload({sdp_n2mcif_rd_req_addr, sdp_n2mcif_rd_req_size})
    );
    assert_link #(.W(33)) a_sdp_rdma2sdp_n (
        .clk(clk), .rst_n(rst_n), .valid(sdp_rdma2sdp_n_valid), .ready(sdp_rdma2sdp_n_ready),
        .payload({sdp_rdma2sdp_n_once, sdp_rdma2sdp_n_alu, sdp_rdma2sdp_n_mul})
    );
`endif

endmodule

`default_nettype wire
