// Made by macrame 0.1.0 from templates/dla/sdp/dla_sdp.v
// with addr_w=32 atom_bits=64 atom_lsb=3 batch_enable=0 clock_gating=0 ew_beats=1 fp16=0
// fp_choice=0 int16=0 ints=1 lane_bits=8 latency=23 mixed=0 pdp_enable=1 sdp_bn_enable=1
// sdp_bs_enable=1 sdp_ew_enable=0 sdp_lanes=1 sdp_lut_enable=0 types16=0 winograd_enable=0

// SDP: per-element post-processing of a layer: X1 (BS), X2 (BN), output convertor, write.
//
// Elements come from CACC (FLYING_MODE) or from SDP_RDMA, surface -> line -> column -> element of
// the atom, and leave in the same order. Throughput: 1 element(s) per cycle; stalled by
// missing input, missing operands and the memory interface.
// A word enters when its operands are here and it has a place at the end; nothing inside waits.
// Latency in cycles: op_en to first input 1, input to the write of its atom 23;
// X1 and X2 take 7 less each if they are bypassed.
// A layer ends (op_done) when the memory interface has taken its last atom: counters are final
// then and the next layer starts. The interrupt follows with the answer to that write.
// OUTPUT_DST = PDP: the results go to sdp2pdp_data and are not written; the interrupt follows the
// last element.
// All outputs leave from registers.
`default_nettype none

module dla_sdp (
    input  wire         clk,
    input  wire         rst_n,

    // register access
    input  wire         csb2sdp_valid,
    input  wire [9:0]   csb_addr,                      // word offset
    input  wire [31:0]  csb_wdata,
    input  wire         csb_write,
    output wire [31:0]  sdp2csb_rdata,                 // 0 unless a read was requested

    // input: accumulators, or elements from memory
    input  wire         cacc2sdp_valid,
    output wire         cacc2sdp_ready,
    input  wire [ 31:0] cacc2sdp_data,
    input  wire         sdp_rdma2sdp_m_valid,
    output wire         sdp_rdma2sdp_m_ready,
    input  wire [  7:0] sdp_rdma2sdp_m_data,

    // operands of X1 (BS): records, those of a pixel in a row
    input  wire         sdp_rdma2sdp_b_valid,
    output wire         sdp_rdma2sdp_b_ready,
    input  wire [ 15:0] sdp_rdma2sdp_b_alu,
    input  wire [ 15:0] sdp_rdma2sdp_b_mul,
    input  wire         sdp_rdma2sdp_b_once,          // 0: for all pixels of a surface

    // operands of X2 (BN): records, those of a pixel in a row
    input  wire         sdp_rdma2sdp_n_valid,
    output wire         sdp_rdma2sdp_n_ready,
    input  wire [ 15:0] sdp_rdma2sdp_n_alu,
    input  wire [ 15:0] sdp_rdma2sdp_n_mul,
    input  wire         sdp_rdma2sdp_n_once,          // 0: for all pixels of a surface

    // memory writes
    output wire         sdp2mcif_wr_req_valid,
    input  wire         sdp2mcif_wr_req_ready,
    output wire [31:0]  sdp2mcif_wr_req_addr,
    output wire [ 63:0] sdp2mcif_wr_req_data,
    output wire         sdp2mcif_wr_req_last,          // last atom of the layer
    input  wire         mcif2sdp_wr_rsp_complete,

    // results for PDP, lowest element first
    output wire         sdp2pdp_valid,
    input  wire         sdp2pdp_ready,
    output wire [  7:0] sdp2pdp_data,

    // interrupt events, one pulse, bit = register group
    output wire [1:0]   sdp2glb_done
);

    localparam LANES = 1;
    localparam LSB   = 3;     // address bits inside an atom

    // ------------------------------------------------------------------ registers
    wire        op_en, op_done, consumer;
    wire [12:0] width, height, channel;
    wire [31:0] dst_low, dst_high, line_bytes, surf_bytes;
    wire        flying, to_pdp;
    wire [31:0] cvt_offset;
    wire [15:0] cvt_scale;
    wire [5:0]  cvt_shift;
    wire        perf_dma_en, perf_sat_en;
    wire        any_bit;
    wire [31:0] wr_stall, saturated;
    wire [31:0] regs_rdata;
    wire        bs_bypass, bs_alu_bypass, bs_mul_bypass, bs_prelu, bs_relu_bypass;
    wire        bs_alu_src, bs_mul_src;
    wire [1:0]  bs_alu_algo;
    wire [5:0]  bs_alu_shift;
    wire [7:0]  bs_mul_shift;
    wire [15:0] bs_alu_value, bs_mul_value;
    wire        bn_bypass, bn_alu_bypass, bn_mul_bypass, bn_prelu, bn_relu_bypass;
    wire        bn_alu_src, bn_mul_src;
    wire [1:0]  bn_alu_algo;
    wire [5:0]  bn_alu_shift;
    wire [7:0]  bn_mul_shift;
    wire [15:0] bn_alu_value, bn_mul_value;

    dla_sdp_regs u_regs (
        .clk                                    (clk),
        .rst_n                                  (rst_n),
        .csb_valid                              (csb2sdp_valid),
        .csb_addr                               (csb_addr),
        .csb_wdata                              (csb_wdata),
        .csb_write                              (csb_write),
        .csb_rdata                              (regs_rdata),
        .op_en                                  (op_en),
        .op_done                                (op_done),
        .consumer                               (consumer),
        .d_data_cube_width                      (width),
        .d_data_cube_height                     (height),
        .d_data_cube_channel                    (channel),
        .d_dst_base_addr_low                    (dst_low),
        .d_dst_base_addr_high                   (dst_high),
        .d_dst_line_stride                      (line_bytes),
        .d_dst_surface_stride                   (surf_bytes),
        .d_dp_bs_cfg_bs_bypass                  (bs_bypass),
        .d_dp_bs_cfg_bs_alu_bypass              (bs_alu_bypass),
        .d_dp_bs_cfg_bs_alu_algo                (bs_alu_algo),
        .d_dp_bs_cfg_bs_mul_bypass              (bs_mul_bypass),
        .d_dp_bs_cfg_bs_mul_prelu               (bs_prelu),
        .d_dp_bs_cfg_bs_relu_bypass             (bs_relu_bypass),
        .d_dp_bs_alu_cfg_bs_alu_src             (bs_alu_src),
        .d_dp_bs_alu_cfg_bs_alu_shift_value     (bs_alu_shift),
        .d_dp_bs_alu_src_value_bs_alu_operand   (bs_alu_value),
        .d_dp_bs_mul_cfg_bs_mul_src             (bs_mul_src),
        .d_dp_bs_mul_cfg_bs_mul_shift_value     (bs_mul_shift),
        .d_dp_bs_mul_src_value_bs_mul_operand   (bs_mul_value),
        .d_dp_bn_cfg_bn_bypass                  (bn_bypass),
        .d_dp_bn_cfg_bn_alu_bypass              (bn_alu_bypass),
        .d_dp_bn_cfg_bn_alu_algo                (bn_alu_algo),
        .d_dp_bn_cfg_bn_mul_bypass              (bn_mul_bypass),
        .d_dp_bn_cfg_bn_mul_prelu               (bn_prelu),
        .d_dp_bn_cfg_bn_relu_bypass             (bn_relu_bypass),
        .d_dp_bn_alu_cfg_bn_alu_src             (bn_alu_src),
        .d_dp_bn_alu_cfg_bn_alu_shift_value     (bn_alu_shift),
        .d_dp_bn_alu_src_value_bn_alu_operand   (bn_alu_value),
        .d_dp_bn_mul_cfg_bn_mul_src             (bn_mul_src),
        .d_dp_bn_mul_cfg_bn_mul_shift_value     (bn_mul_shift),
        .d_dp_bn_mul_src_value_bn_mul_operand   (bn_mul_value),
        .d_feature_mode_cfg_flying_mode         (flying),
        .d_feature_mode_cfg_output_dst          (to_pdp),
        .d_cvt_offset                           (cvt_offset),
        .d_cvt_scale                            (cvt_scale),
        .d_cvt_shift                            (cvt_shift),
        .d_perf_enable_perf_dma_en              (perf_dma_en),
        .d_perf_enable_perf_sat_en              (perf_sat_en),
        .d_status_unequal                       (any_bit),
        .d_perf_wdma_write_stall_wdma_stall     (wr_stall),
        .d_perf_out_saturation                  (saturated)
    );

    assign sdp2csb_rdata = regs_rdata;

    // ------------------------------------------------------------------ layer and input
    wire start, room, operands_ok;
    wire take, atom_last, line_last, surf_last, layer_last;
    wire [32*LANES-1:0] src_data;

    dla_sdp_issue u_issue (
        .clk          (clk),
        .rst_n        (rst_n),
        .op_en        (op_en),
        .op_done      (op_done),
        .start        (start),
        .flying       (flying),
        .width        (width),
        .height       (height),
        .surfaces     (channel[12:LSB]),
        .room         (room),
        .operands_ok  (operands_ok),
        .cacc_valid   (cacc2sdp_valid),
        .cacc_ready_q (cacc2sdp_ready),
        .cacc_data    (cacc2sdp_data),
        .m_valid      (sdp_rdma2sdp_m_valid),
        .m_ready_q    (sdp_rdma2sdp_m_ready),
        .m_data       (sdp_rdma2sdp_m_data),
        .take         (take),
        .data         (src_data),
        .atom_last    (atom_last),
        .line_last    (line_last),
        .surf_last    (surf_last),
        .layer_last   (layer_last)
    );

    // ------------------------------------------------------------------ operands
    wire                b_needed, b_ok, b_turned;
    wire                b_read, b_read_turned;
    wire [16*LANES-1:0] b_alu, b_mul;

    dla_sdp_operand #(.DEPTH(16)) u_operand_b (
        .clk         (clk),
        .rst_n       (rst_n),
        .in_valid    (sdp_rdma2sdp_b_valid),
        .in_ready    (sdp_rdma2sdp_b_ready),
        .in_once     (sdp_rdma2sdp_b_once),
        .in_alu      (sdp_rdma2sdp_b_alu),
        .in_mul      (sdp_rdma2sdp_b_mul),
        .issue       (take && b_needed),
        .surf_last   (surf_last),
        .ok          (b_ok),
        .turned      (b_turned),
        .read        (b_read),
        .read_turned (b_read_turned),
        .alu         (b_alu),
        .mul         (b_mul)
    );

    wire                n_needed, n_ok, n_turned;
    wire                n_read, n_read_turned;
    wire [16*LANES-1:0] n_alu, n_mul;

    dla_sdp_operand #(.DEPTH(16)) u_operand_n (
        .clk         (clk),
        .rst_n       (rst_n),
        .in_valid    (sdp_rdma2sdp_n_valid),
        .in_ready    (sdp_rdma2sdp_n_ready),
        .in_once     (sdp_rdma2sdp_n_once),
        .in_alu      (sdp_rdma2sdp_n_alu),
        .in_mul      (sdp_rdma2sdp_n_mul),
        .issue       (take && n_needed),
        .surf_last   (surf_last),
        .ok          (n_ok),
        .turned      (n_turned),
        .read        (n_read),
        .read_turned (n_read_turned),
        .alu         (n_alu),
        .mul         (n_mul)
    );

    assign operands_ok = (b_ok || !b_needed) && (n_ok || !n_needed);

    // ------------------------------------------------------------------ pipeline
    //
    //     src -> X1 (BS) -> X2 (BN) -> C -> FIFO -> memory or PDP
    //
    // A tag says which operands go with the word: those of X2, of Y.
    wire [1:0]           src_tag = {1'b0, n_turned};

    // ------------------------------------------------------------------ X1
    wire                 x1_valid;
    wire [1:0]           x1_tag;
    wire [32*LANES-1:0]  x1_data;

    assign b_read        = take && b_needed;
    assign b_read_turned = b_turned;

    dla_sdp_x u_bs (
        .clk           (clk),
        .rst_n         (rst_n),
        .bypass        (bs_bypass),
        .alu_bypass    (bs_alu_bypass),
        .alu_algo      (bs_alu_algo),
        .mul_bypass    (bs_mul_bypass),
        .mul_prelu     (bs_prelu),
        .relu_bypass   (bs_relu_bypass),
        .alu_src       (bs_alu_src),
        .alu_shift     (bs_alu_shift),
        .alu_value     (bs_alu_value),
        .mul_src       (bs_mul_src),
        .mul_shift     (bs_mul_shift[5:0]),
        .mul_value     (bs_mul_value),
        .needs_operand_q (b_needed),
        .in_valid      (take),
        .in_tag        (src_tag),
        .in_data       (src_data),
        .operand_alu   (b_alu),
        .operand_mul   (b_mul),
        .out_valid     (x1_valid),
        .out_tag       (x1_tag),
        .out_data      (x1_data)
    );

    // ------------------------------------------------------------------ X2
    wire                 x2_valid;
    wire [1:0]           x2_tag;
    wire [32*LANES-1:0]  x2_data;

    assign n_read        = x1_valid && n_needed;
    assign n_read_turned = x1_tag[0];

    dla_sdp_x u_bn (
        .clk           (clk),
        .rst_n         (rst_n),
        .bypass        (bn_bypass),
        .alu_bypass    (bn_alu_bypass),
        .alu_algo      (bn_alu_algo),
        .mul_bypass    (bn_mul_bypass),
        .mul_prelu     (bn_prelu),
        .relu_bypass   (bn_relu_bypass),
        .alu_src       (bn_alu_src),
        .alu_shift     (bn_alu_shift),
        .alu_value     (bn_alu_value),
        .mul_src       (bn_mul_src),
        .mul_shift     (bn_mul_shift[5:0]),
        .mul_value     (bn_mul_value),
        .needs_operand_q (n_needed),
        .in_valid      (x1_valid),
        .in_tag        (x1_tag),
        .in_data       (x1_data),
        .operand_alu   (n_alu),
        .operand_mul   (n_mul),
        .out_valid     (x2_valid),
        .out_tag       (x2_tag),
        .out_data      (x2_data)
    );

    wire                c_in_valid = x2_valid;
    wire [32*LANES-1:0] c_in_data  = x2_data;
    wire                drop       = to_pdp;           // nothing is written

    // ------------------------------------------------------------------ C
    wire                c_valid;
    wire [8*LANES-1:0]  c_data;

    dla_sdp_c u_c (
        .clk         (clk),
        .rst_n       (rst_n),
        .start       (start),
        .offset      (cvt_offset),
        .scale       (cvt_scale),
        .shift       (cvt_shift),
        .count_en    (perf_sat_en),
        .in_valid    (c_in_valid),
        .in_data     (c_in_data),
        .out_valid   (c_valid),
        .out_data    (c_data),
        .saturated_q (saturated)
    );

    // ------------------------------------------------------------------ write to memory or PDP
    wire irq_room;

    dla_sdp_out u_out (
        .clk              (clk),
        .rst_n            (rst_n),
        .start            (start),
        .base_bytes       ({dst_high, dst_low}),
        .line_bytes       (line_bytes),
        .surf_bytes       (surf_bytes),
        .packed_cube      ((width == 13'd0) && (height == 13'd0)),
        .to_pdp           (to_pdp),
        .drop             (drop),
        .last_blocked     (!irq_room),
        .count_en         (perf_dma_en),
        .room             (room),
        .issue            (take),
        .issue_tag        ({atom_last, line_last, surf_last, layer_last}),
        .in_valid         (c_valid),
        .in_data          (c_data),
        .done_q           (op_done),
        .any_bit_q        (any_bit),
        .wr_stall_q       (wr_stall),
        .pdp_valid_q      (sdp2pdp_valid),
        .pdp_ready        (sdp2pdp_ready),
        .pdp_data_q       (sdp2pdp_data),
        .wr_valid         (sdp2mcif_wr_req_valid),
        .wr_ready         (sdp2mcif_wr_req_ready),
        .wr_addr          (sdp2mcif_wr_req_addr),
        .wr_data          (sdp2mcif_wr_req_data),
        .wr_last          (sdp2mcif_wr_req_last)
    );

    // ------------------------------------------------------------------ interrupts
    dla_sdp_irq u_irq (
        .clk      (clk),
        .rst_n    (rst_n),
        .ended    (op_done),
        .written  (!drop),
        .group    (consumer),
        .room     (irq_room),
        .complete (mcif2sdp_wr_rsp_complete),
        .done_q   (sdp2glb_done)
    );

    // Fields are wider than this configuration needs.
    wire unused_bits = &{1'b0,
                         bs_mul_shift,
                         bn_mul_shift,
                         x2_tag, channel};

`ifdef MACRAME_ASSERT
    // ------------------------------------------------------------------ rules of the ports
    assert_link #(.W(97)) a_sdp2mcif_wr_req (
        .clk(clk), .rst_n(rst_n), .valid(sdp2mcif_wr_req_valid), .ready(sdp2mcif_wr_req_ready),
        .payload({sdp2mcif_wr_req_addr, sdp2mcif_wr_req_data, sdp2mcif_wr_req_last})
    );
    assert_link #(.W(8)) a_sdp2pdp (
        .clk(clk), .rst_n(rst_n), .valid(sdp2pdp_valid), .ready(sdp2pdp_ready),
        .payload({sdp2pdp_data})
    );
`endif

endmodule

`default_nettype wire
