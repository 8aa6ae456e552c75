// Made by macrame 0.1.0 from templates/dla/sdp/dla_sdp.v
// with addr_w=32 atom_bits=64 atom_bytes=8 atom_lsb=3 clock_gating=0 pdp_enable=1 sdp_bn_enable=1
// sdp_bs_enable=1 sdp_ew_enable=0 sdp_lanes=1 sdp_lut_enable=0 x1_stages=4 x2_stages=4

// SDP: per-element post-processing of a layer: X1 (BS), X2 (BN), output convertor, write.
//
// Elements come from CACC (FLYING_MODE) or from SDP_RDMA, surface -> line -> column -> element of
// the atom, and leave in the same order. Throughput: 1 element(s) per cycle; stalled by missing
// input, missing operands and the memory interface.
// All stages move together (`move`).
// Latency: op_en to first input 1 cycle, input to the write of its atom STAGES + 1 cycles.
// A layer ends (op_done) when the memory interface has taken its last atom: counters are final
// then and the next layer starts. The interrupt follows with the answer to that write.
// OUTPUT_DST = PDP: the results go to sdp2pdp_data and are not written; the interrupt follows the
// last element.
// Every ready depends on registers, readies of the outputs and valids of operands only.
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

    // operands of X1 (BS): one record per element
    input  wire         sdp_rdma2sdp_b_valid,
    output wire         sdp_rdma2sdp_b_ready,
    input  wire [ 15:0] sdp_rdma2sdp_b_alu,
    input  wire [ 15:0] sdp_rdma2sdp_b_mul,
    output wire         sdp2sdp_rdma_b_turn,          // with ready: last pixel of a surface

    // operands of X2 (BN): one record per element
    input  wire         sdp_rdma2sdp_n_valid,
    output wire         sdp_rdma2sdp_n_ready,
    input  wire [ 15:0] sdp_rdma2sdp_n_alu,
    input  wire [ 15:0] sdp_rdma2sdp_n_mul,
    output wire         sdp2sdp_rdma_n_turn,          // with ready: last pixel of a surface

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

    localparam LANES  = 1;
    localparam LSB    = 3;     // address bits inside an atom
    localparam ADDR_W = 29;    // of atoms
    localparam SURF_W = 10;    // bits of a surface number
    localparam X1     = 4;     // register stages up to the end of X1
    localparam X2     = 4;
    localparam STAGES = X1 + X2 + 3;

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
    reg  [31:0] wr_stall_q, saturated_q;
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
        .d_perf_wdma_write_stall_wdma_stall     (wr_stall_q),
        .d_perf_out_saturation                  (saturated_q)
    );

    assign sdp2csb_rdata = regs_rdata;

    // Zero extension first, then the slice that this configuration has.
    wire [63:0] base_addr = {dst_high, dst_low};
    wire [63:0] line_step = {32'd0, line_bytes};
    wire [63:0] surf_step = {32'd0, surf_bytes};

    // ------------------------------------------------------------------ layer and input
    reg              running_q;
    reg              taking_q;                         // input of this layer is still to come
    reg [12:0]       col_q, line_q;
    reg [SURF_W-1:0] surf_q;

    wire start      = op_en && !running_q;
    wire move;                                         // all stages move
    wire src_valid  = flying ? cacc2sdp_valid : sdp_rdma2sdp_m_valid;
    wire x1_joined;                                    // operands of X1 are here or not needed
    wire src_ready  = move && taking_q && x1_joined;
    wire take       = src_ready && src_valid;

    assign cacc2sdp_ready       = src_ready && flying;
    assign sdp_rdma2sdp_m_ready = src_ready && !flying;

    wire atom_last;                                    // last beat of the atom
    wire line_last  = col_q == width;
    wire surf_last  = line_last && (line_q == height);
    wire layer_last = surf_last && (surf_q == channel[12:LSB]);
    wire next_pixel = take && atom_last;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            running_q <= 1'b0;
            taking_q  <= 1'b0;
        end else begin
            running_q <= (running_q || op_en) && !op_done;
            taking_q  <= start || (taking_q && !(next_pixel && layer_last));
        end
    end

    always @(posedge clk) begin
        if (start || (next_pixel && line_last))  col_q  <= 13'd0;
        else if (next_pixel)                     col_q  <= col_q + 13'd1;
        if (start || (next_pixel && surf_last))  line_q <= 13'd0;
        else if (next_pixel && line_last)        line_q <= line_q + 13'd1;
        if (start)                               surf_q <= {SURF_W{1'b0}};
        else if (next_pixel && surf_last)        surf_q <= surf_q + {{(SURF_W-1){1'b0}}, 1'b1};
    end

    localparam BEAT_W = 3;
    reg [BEAT_W-1:0] beat_q;

    assign atom_last = &beat_q;

    always @(posedge clk) begin
        if (start)     beat_q <= {BEAT_W{1'b0}};
        else if (take) beat_q <= beat_q + {{(BEAT_W-1){1'b0}}, 1'b1};
    end

    genvar i;
    wire [32*LANES-1:0] from_memory;
    generate
        for (i = 0; i < LANES; i = i + 1) begin : gen_extend
            assign from_memory[32*i +: 32] =
                {{24{sdp_rdma2sdp_m_data[8*i + 7]}}, sdp_rdma2sdp_m_data[8*i +: 8]};
        end
    endgenerate
    wire [32*LANES-1:0] src_data = flying ? cacc2sdp_data : from_memory;

    // ------------------------------------------------------------------ pipeline control
    //
    //     stage  0 .. X1-1     X1 .. X1+X2-1     X1+X2 .. STAGES-1
    //     src -> X1 (BS)    -> X2 (BN)        -> C              -> pack -> memory
    //     load[i]: the word in front of stage i is valid and moves into it
    reg  [STAGES-1:0]   valid_q;
    reg  [4*STAGES-1:0] tag_q;                         // flags of the pixel, stage 0 lowest
    wire [STAGES:0]     load = {valid_q, take} & {(STAGES+1){move}};
    wire                pack_blocked;
    wire                out_blocked;                   // the last stage may not move
    wire                x2_joined;

    wire                front_free = !out_blocked;
    wire                out_valid  = valid_q[STAGES-1];
    wire                out_beat   = load[STAGES];     // moves on to memory
    wire [3:0]          out_tag    = tag_q[4*STAGES-1 -: 4];
    wire                out_joined = x2_joined;

    assign move = front_free && x2_joined;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n)    valid_q <= {STAGES{1'b0}};
        else if (move) valid_q <= load[STAGES-1:0];
    end

    always @(posedge clk) begin
        if (move) tag_q <= {tag_q[4*STAGES-5:0], atom_last, line_last, surf_last, layer_last};
    end

    // ------------------------------------------------------------------ X1
    wire [32*LANES-1:0] x1_data;
    wire                bs_needs;

    assign x1_joined            = !bs_needs || sdp_rdma2sdp_b_valid;
    assign sdp_rdma2sdp_b_ready = move && taking_q && src_valid && bs_needs;
    assign sdp2sdp_rdma_b_turn  = surf_last;

    dla_sdp_x u_bs (
        .clk           (clk),
        .load          (load[3:0]),
        .last_valid    (valid_q[2]),
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
        .needs_operand (bs_needs),
        .in_data       (src_data),
        .operand_alu   (sdp_rdma2sdp_b_alu),
        .operand_mul   (sdp_rdma2sdp_b_mul),
        .out_data      (x1_data)
    );

    // ------------------------------------------------------------------ X2
    wire [32*LANES-1:0] x2_data;
    wire                bn_needs;
    wire                bn_wants = bn_needs && valid_q[X1-1];

    assign x2_joined            = !bn_wants || sdp_rdma2sdp_n_valid;
    assign sdp_rdma2sdp_n_ready = front_free && bn_wants;
    assign sdp2sdp_rdma_n_turn  = tag_q[4*X1 - 3];

    dla_sdp_x u_bn (
        .clk           (clk),
        .load          (load[X1 +: 4]),
        .last_valid    (valid_q[X1+2]),
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
        .needs_operand (bn_needs),
        .in_data       (x1_data),
        .operand_alu   (sdp_rdma2sdp_n_alu),
        .operand_mul   (sdp_rdma2sdp_n_mul),
        .out_data      (x2_data)
    );

    // ------------------------------------------------------------------ C
    wire [8*LANES-1:0] out_data;
    wire [LANES-1:0]   out_sat;

    generate
        for (i = 0; i < LANES; i = i + 1) begin : gen_c
            dla_sdp_c_lane u_lane (
                .clk        (clk),
                .load       (load[X1 + X2 +: 3]),
                .last_valid (valid_q[X1+X2+1]),
                .offset     (cvt_offset),
                .scale      (cvt_scale),
                .shift      (cvt_shift),
                .in_data    (x2_data[32*i +: 32]),
                .out_data_q (out_data[8*i +: 8]),
                .sat_q      (out_sat[i])
            );
        end
    endgenerate

    wire               drop = to_pdp;                  // nothing is written

    // ------------------------------------------------------------------ to PDP
    // With to_pdp pack_blocked depends on registers only.
    wire               pdp_beat = out_valid && to_pdp;

    assign sdp2pdp_valid = pdp_beat && !pack_blocked && out_joined;
    assign sdp2pdp_data  = out_data;
    assign out_blocked   = pack_blocked || (pdp_beat && !sdp2pdp_ready);

    // ------------------------------------------------------------------ write to memory
    wire irq_room;

    dla_sdp_pack u_pack (
        .clk           (clk),
        .rst_n         (rst_n),
        .start         (start),
        .base          (base_addr[LSB +: ADDR_W]),
        .line_stride   (line_step[LSB +: ADDR_W]),
        .surf_stride   (surf_step[LSB +: ADDR_W]),
        .packed_cube   ((width == 13'd0) && (height == 13'd0)),
        .drop          (drop),
        .last_blocked  (!irq_room),
        .in_valid      (out_beat),
        .in_data       (out_data),
        .in_atom_last  (out_tag[3]),
        .in_line_last  (out_tag[2]),
        .in_surf_last  (out_tag[1]),
        .in_layer_last (out_tag[0]),
        .blocked       (pack_blocked),
        .done          (op_done),
        .wr_valid      (sdp2mcif_wr_req_valid),
        .wr_ready      (sdp2mcif_wr_req_ready),
        .wr_addr       (sdp2mcif_wr_req_addr),
        .wr_data       (sdp2mcif_wr_req_data),
        .wr_last       (sdp2mcif_wr_req_last)
    );

    // ------------------------------------------------------------------ interrupts
    // Groups of the layers whose last write is not yet answered. Layers that end without a write
    // raise their interrupt when they end.
    wire ack_valid, ack_group;
    wire ack     = ack_valid && mcif2sdp_wr_rsp_complete;
    wire dropped = op_done && drop;

    fifo_sync #(.W(1), .DEPTH(4)) u_acks (
        .clk       (clk),
        .rst_n     (rst_n),
        .in_valid  (op_done && !drop),
        .in_ready  (irq_room),
        .in_data   (consumer),
        .out_valid (ack_valid),
        .out_ready (mcif2sdp_wr_rsp_complete),
        .out_data  (ack_group)
    );

    assign sdp2glb_done = {(ack && ack_group) || (dropped && consumer),
                           (ack && !ack_group) || (dropped && !consumer)};

    // ------------------------------------------------------------------ counters
    reg         any_bit_q;
    reg  [5:0]  sat_count;
    wire [32:0] saturated_next = {1'b0, saturated_q} + {27'd0, sat_count};
    integer     lane;

    assign any_bit = any_bit_q;

    always @* begin
        sat_count = 6'd0;
        for (lane = 0; lane < LANES; lane = lane + 1) begin
            sat_count = sat_count + {5'd0, out_sat[lane]};
        end
    end

    always @(posedge clk) begin
        if (start) begin
            any_bit_q   <= 1'b0;
            saturated_q <= 32'd0;
            wr_stall_q  <= 32'd0;
        end else begin
            if (out_beat && !to_pdp && (|out_data)) any_bit_q <= 1'b1;
            if (out_beat && perf_sat_en) begin
                saturated_q <= saturated_next[32] ? 32'hffffffff : saturated_next[31:0];
            end
            if (perf_dma_en && sdp2mcif_wr_req_valid && !sdp2mcif_wr_req_ready) begin
                wr_stall_q <= wr_stall_q + 32'd1;
            end
        end
    end

    // Fields are wider than this configuration needs.
    wire unused_bits = &{1'b0,
                         bs_mul_shift,
                         bn_mul_shift,
                         base_addr, line_step, surf_step, channel};

endmodule

`default_nettype wire
