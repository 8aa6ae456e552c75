// SDP: per-element post-processing of a layer: X1 (BS), X2 (BN),${ew_doc} output convertor, write.
//
// Elements come from CACC (FLYING_MODE) or from SDP_RDMA, surface -> line -> column -> element of
// the atom, and leave in the same order. Throughput: ${sdp_lanes} element(s) per cycle; stalled by missing
// input, missing operands and the memory interface.
//% if sdp_ew_enable
// A layer that uses EW runs at ${sdp_ew_throughput} element(s) per cycle: X1 and X2 move (`move`) when EW has taken
// all parts of a word, EW and what follows move with `tick`.
// Latency: op_en to first input 1 cycle, input to the write of its atom X1 + X2 + 4 cycles, and
// ${ew_stages + ew_beats - 1} more with EW.
//% else
// All stages move together (`move`).
// Latency: op_en to first input 1 cycle, input to the write of its atom STAGES + 1 cycles.
//% end
// A layer ends (op_done) when the memory interface has taken its last atom: counters are final
// then and the next layer starts. The interrupt follows with the answer to that write.
//% if pdp_enable
// OUTPUT_DST = PDP: the results go to sdp2pdp_data and are not written; the interrupt follows the
// last element.
//% else
// OUTPUT_DST = PDP: there is no PDP, the results are dropped and the layer ends normally.
//% end
// Every ready depends on registers, readies of the outputs and valids of operands only.
`default_nettype none

module dla_sdp (
    input  wire         clk,
    input  wire         rst_n,
//% if clock_gating
    input  wire         clk_ovr_on,                    // 1: gated clocks always run
//% end

    // register access
    input  wire         csb2sdp_valid,
    input  wire [9:0]   csb_addr,                      // word offset
    input  wire [31:0]  csb_wdata,
    input  wire         csb_write,
    output wire [31:0]  sdp2csb_rdata,                 // 0 unless a read was requested

    // input: accumulators, or elements from memory
    input  wire         cacc2sdp_valid,
    output wire         cacc2sdp_ready,
    input  wire [${32 * sdp_lanes - 1:3}:0] cacc2sdp_data,
    input  wire         sdp_rdma2sdp_m_valid,
    output wire         sdp_rdma2sdp_m_ready,
    input  wire [${8 * sdp_lanes - 1:3}:0] sdp_rdma2sdp_m_data,

//% for op in operands
    // operands of ${op.stage}: one record per element
    input  wire         sdp_rdma2sdp_${op.x}_valid,
    output wire         sdp_rdma2sdp_${op.x}_ready,
    input  wire [${16 * sdp_lanes - 1:3}:0] sdp_rdma2sdp_${op.x}_alu,
    input  wire [${16 * sdp_lanes - 1:3}:0] sdp_rdma2sdp_${op.x}_mul,
    output wire         sdp2sdp_rdma_${op.x}_turn,          // with ready: last pixel of a surface

//% end
    // memory writes
//% for t in ram_types
    output wire         ${t.link}_ram_type,     // 1: primary port
//% end
    output wire         sdp2mcif_wr_req_valid,
    input  wire         sdp2mcif_wr_req_ready,
    output wire [${addr_w - 1:2}:0]  sdp2mcif_wr_req_addr,
    output wire [${atom_bits - 1:3}:0] sdp2mcif_wr_req_data,
    output wire         sdp2mcif_wr_req_last,          // last atom of the layer
    input  wire         mcif2sdp_wr_rsp_complete,

//% if pdp_enable
    // results for PDP, lowest element first
    output wire         sdp2pdp_valid,
    input  wire         sdp2pdp_ready,
    output wire [${8 * sdp_lanes - 1:3}:0] sdp2pdp_data,

//% end
    // interrupt events, one pulse, bit = register group
    output wire [1:0]   sdp2glb_done
);

    localparam LANES  = ${sdp_lanes};
    localparam LSB    = ${atom_lsb};     // address bits inside an atom
    localparam ADDR_W = ${addr_w - atom_lsb};    // of atoms
    localparam SURF_W = ${13 - atom_lsb};    // bits of a surface number
    localparam X1     = ${x1_stages};     // register stages up to the end of X1
    localparam X2     = ${x2_stages};
//% if sdp_ew_enable
    localparam FRONT  = X1 + X2;
//% else
    localparam STAGES = X1 + X2 + 3;
//% end

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
//% if sdp_ew_enable
    wire        ew_bypass, ew_alu_bypass, ew_mul_bypass, ew_mul_prelu;
    wire        ew_alu_src, ew_mul_src, ew_alu_cvt_bypass, ew_mul_cvt_bypass;
    wire [1:0]  ew_alu_algo;
    wire [31:0] ew_alu_value, ew_mul_value, ew_alu_cvt_offset, ew_mul_cvt_offset;
    wire [15:0] ew_alu_cvt_scale, ew_mul_cvt_scale;
    wire [5:0]  ew_alu_cvt_shift, ew_mul_cvt_shift;
    wire [9:0]  ew_truncate;
//% end
//% if sdp_lut_enable
    wire        ew_lut_bypass, perf_lut_en;
    wire        lut_cfg_wr, lut_table, lut_direction;
    wire [9:0]  lut_addr;
    wire        le_linear, uflow_lo, oflow_lo, hybrid_lo;
    wire [7:0]  le_offset, le_select, lo_select;
    wire [31:0] le_start, le_end, lo_start, lo_end, le_scale, lo_scale;
    wire [9:0]  le_shift, lo_shift;
    wire [31:0] lut_uflow, lut_oflow, lut_hybrid, lut_le_hit, lut_lo_hit;
//% end
    wire [31:0] regs_rdata;
//% for s in stages
    wire        ${s}_bypass, ${s}_alu_bypass, ${s}_mul_bypass, ${s}_prelu, ${s}_relu_bypass;
    wire        ${s}_alu_src, ${s}_mul_src;
    wire [1:0]  ${s}_alu_algo;
    wire [5:0]  ${s}_alu_shift;
    wire [7:0]  ${s}_mul_shift;
    wire [15:0] ${s}_alu_value, ${s}_mul_value;
//% end

    dla_sdp_regs u_regs (
        .clk                                    (clk),
        .rst_n                                  (rst_n),
        .csb_valid                              (csb2sdp_valid),
        .csb_addr                               (csb_addr),
        .csb_wdata                              (csb_wdata),
        .csb_write                              (csb_write),
        .csb_rdata                              (regs_rdata),
//% for t in ram_types
        .${t.port} (${t.link}_ram_type),
//% end
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
//% for s in stages
        .d_dp_${s}_cfg_${s}_bypass                  (${s}_bypass),
        .d_dp_${s}_cfg_${s}_alu_bypass              (${s}_alu_bypass),
        .d_dp_${s}_cfg_${s}_alu_algo                (${s}_alu_algo),
        .d_dp_${s}_cfg_${s}_mul_bypass              (${s}_mul_bypass),
        .d_dp_${s}_cfg_${s}_mul_prelu               (${s}_prelu),
        .d_dp_${s}_cfg_${s}_relu_bypass             (${s}_relu_bypass),
        .d_dp_${s}_alu_cfg_${s}_alu_src             (${s}_alu_src),
        .d_dp_${s}_alu_cfg_${s}_alu_shift_value     (${s}_alu_shift),
        .d_dp_${s}_alu_src_value_${s}_alu_operand   (${s}_alu_value),
        .d_dp_${s}_mul_cfg_${s}_mul_src             (${s}_mul_src),
        .d_dp_${s}_mul_cfg_${s}_mul_shift_value     (${s}_mul_shift),
        .d_dp_${s}_mul_src_value_${s}_mul_operand   (${s}_mul_value),
//% end
//% if sdp_ew_enable
        .d_dp_ew_cfg_ew_bypass                  (ew_bypass),
        .d_dp_ew_cfg_ew_alu_bypass              (ew_alu_bypass),
        .d_dp_ew_cfg_ew_alu_algo                (ew_alu_algo),
        .d_dp_ew_cfg_ew_mul_bypass              (ew_mul_bypass),
        .d_dp_ew_cfg_ew_mul_prelu               (ew_mul_prelu),
        .d_dp_ew_alu_cfg_ew_alu_src             (ew_alu_src),
        .d_dp_ew_alu_cfg_ew_alu_cvt_bypass      (ew_alu_cvt_bypass),
        .d_dp_ew_alu_src_value_ew_alu_operand   (ew_alu_value),
        .d_dp_ew_alu_cvt_offset_value_ew_alu_cvt_offset (ew_alu_cvt_offset),
        .d_dp_ew_alu_cvt_scale_value_ew_alu_cvt_scale (ew_alu_cvt_scale),
        .d_dp_ew_alu_cvt_truncate_value_ew_alu_cvt_truncate (ew_alu_cvt_shift),
        .d_dp_ew_mul_cfg_ew_mul_src             (ew_mul_src),
        .d_dp_ew_mul_cfg_ew_mul_cvt_bypass      (ew_mul_cvt_bypass),
        .d_dp_ew_mul_src_value_ew_mul_operand   (ew_mul_value),
        .d_dp_ew_mul_cvt_offset_value_ew_mul_cvt_offset (ew_mul_cvt_offset),
        .d_dp_ew_mul_cvt_scale_value_ew_mul_cvt_scale (ew_mul_cvt_scale),
        .d_dp_ew_mul_cvt_truncate_value_ew_mul_cvt_truncate (ew_mul_cvt_shift),
        .d_dp_ew_truncate_value_ew_truncate     (ew_truncate),
//% end
//% if sdp_lut_enable
        .d_dp_ew_cfg_ew_lut_bypass              (ew_lut_bypass),
        .s_lut_access_cfg_wr                    (lut_cfg_wr),
        .s_lut_access_cfg_lut_addr              (lut_addr),
        .s_lut_access_cfg_lut_table_id          (lut_table),
        .s_lut_access_cfg_lut_access_type       (lut_direction),
        .s_lut_cfg_lut_le_function              (le_linear),
        .s_lut_cfg_lut_uflow_priority           (uflow_lo),
        .s_lut_cfg_lut_oflow_priority           (oflow_lo),
        .s_lut_cfg_lut_hybrid_priority          (hybrid_lo),
        .s_lut_info_lut_le_index_offset         (le_offset),
        .s_lut_info_lut_le_index_select         (le_select),
        .s_lut_info_lut_lo_index_select         (lo_select),
//%   for t in tables
        .s_lut_${t}_start                         (${t}_start),
        .s_lut_${t}_end                           (${t}_end),
        .s_lut_${t}_slope_scale_lut_${t}_slope_uflow_scale (${t}_scale[15:0]),
        .s_lut_${t}_slope_scale_lut_${t}_slope_oflow_scale (${t}_scale[31:16]),
        .s_lut_${t}_slope_shift_lut_${t}_slope_uflow_shift (${t}_shift[4:0]),
        .s_lut_${t}_slope_shift_lut_${t}_slope_oflow_shift (${t}_shift[9:5]),
//%   end
        .d_perf_enable_perf_lut_en              (perf_lut_en),
        .d_perf_lut_uflow                       (lut_uflow),
        .d_perf_lut_oflow                       (lut_oflow),
        .d_perf_lut_hybrid                      (lut_hybrid),
        .d_perf_lut_le_hit                      (lut_le_hit),
        .d_perf_lut_lo_hit                      (lut_lo_hit),
//% end
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

//% if sdp_lut_enable
    // ------------------------------------------------------------------ access to the tables
    // S_LUT_ACCESS_CFG loads the pointer, every access to S_LUT_ACCESS_DATA moves it on.
    reg  [9:0]  lut_pointer_q;
    wire [9:0]  lut_pointer = lut_cfg_wr ? lut_addr : lut_pointer_q;
    wire        lut_access  = csb2sdp_valid && (csb_addr == 10'd3);
    wire [15:0] lut_rdata;

    assign sdp2csb_rdata = regs_rdata | {16'd0, lut_rdata};

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) lut_pointer_q <= 10'd0;
        else        lut_pointer_q <= lut_pointer + {9'd0, lut_access};
    end

//% else
    assign sdp2csb_rdata = regs_rdata;

//% end
    // Zero extension first, then the slice that this configuration has.
    wire [63:0] base_addr = {dst_high, dst_low};
    wire [63:0] line_step = {32'd0, line_bytes};
    wire [63:0] surf_step = {32'd0, surf_bytes};

//% if clock_gating
    // ------------------------------------------------------------------ clock of the datapath
    // Stops between layers, runs during reset. Registers and interrupts stay on clk.
    wire gclk;

    clkgate u_clkgate (
        .clk     (clk),
        .en      (op_en || !rst_n),
        .test_en (clk_ovr_on),
        .gclk    (gclk)
    );

//% end
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

    always @(posedge ${gclk} or negedge rst_n) begin
        if (!rst_n) begin
            running_q <= 1'b0;
            taking_q  <= 1'b0;
        end else begin
            running_q <= (running_q || op_en) && !op_done;
            taking_q  <= start || (taking_q && !(next_pixel && layer_last));
        end
    end

    always @(posedge ${gclk}) begin
        if (start || (next_pixel && line_last))  col_q  <= 13'd0;
        else if (next_pixel)                     col_q  <= col_q + 13'd1;
        if (start || (next_pixel && surf_last))  line_q <= 13'd0;
        else if (next_pixel && line_last)        line_q <= line_q + 13'd1;
        if (start)                               surf_q <= {SURF_W{1'b0}};
        else if (next_pixel && surf_last)        surf_q <= surf_q + {{(SURF_W-1){1'b0}}, 1'b1};
    end

//% if sdp_lanes < atom_bytes
    localparam BEAT_W = ${clog2(atom_bytes / sdp_lanes)};
    reg [BEAT_W-1:0] beat_q;

    assign atom_last = &beat_q;

    always @(posedge ${gclk}) begin
        if (start)     beat_q <= {BEAT_W{1'b0}};
        else if (take) beat_q <= beat_q + {{(BEAT_W-1){1'b0}}, 1'b1};
    end
//% else
    assign atom_last = 1'b1;
//% end

    genvar i;
    wire [32*LANES-1:0] from_memory;
    generate
        for (i = 0; i < LANES; i = i + 1) begin : gen_extend
            assign from_memory[32*i +: 32] =
                {{24{sdp_rdma2sdp_m_data[8*i + 7]}}, sdp_rdma2sdp_m_data[8*i +: 8]};
        end
    endgenerate
    wire [32*LANES-1:0] src_data = flying ? cacc2sdp_data : from_memory;

//% if sdp_ew_enable
    // ------------------------------------------------------------------ pipeline control
    //
    //     stage  0 .. X1-1     X1 .. FRONT-1
    //     src -> X1 (BS)    -> X2 (BN)    -> Y (EW) or nothing -> C -> pack -> memory
    //     load[i]: the word in front of stage i is valid and moves into it
    //     c_load[i]: the same for C
    reg  [FRONT-1:0]    valid_q;
    reg  [4*FRONT-1:0]  tag_q;                         // flags of the pixel, stage 0 lowest
//%   if x1_stages + x2_stages > 1
    wire [FRONT-1:0]    load = {valid_q[FRONT-2:0], take} & {FRONT{move}};
//%   else
    wire [FRONT-1:0]    load = take && move;
//%   end
    reg  [2:0]          c_valid_q;
    reg  [11:0]         c_tag_q;
    wire                c_in_valid;
    wire [3:0]          c_in_tag;
    wire                pack_blocked;
    wire                out_blocked;                   // the last stage may not move
    wire                x2_joined;
    wire                y_joined;
    wire                ew_on   = !ew_bypass;
    wire                ew_in   = ew_on && valid_q[FRONT-1];
    wire                ew_last;                       // EW has taken all but the last part
    wire                tick    = !out_blocked && y_joined;
    wire                front_free = tick && (!ew_in || ew_last);
    wire [3:0]          c_load  = {c_valid_q, c_in_valid} & {4{tick}};
//%   if pdp_enable
    wire                out_valid = c_valid_q[2];
    wire                out_joined = y_joined;
//%   end
    wire                out_beat  = c_load[3];         // moves on to memory
    wire [3:0]          out_tag   = c_tag_q[11:8];
    wire [3:0]          front_tag = tag_q[4*FRONT-1 -: 4];

    assign move = front_free && x2_joined;

    always @(posedge ${gclk} or negedge rst_n) begin
        if (!rst_n) begin
            valid_q   <= {FRONT{1'b0}};
            c_valid_q <= 3'd0;
        end else begin
            if (move) valid_q   <= load;
            if (tick) c_valid_q <= c_load[2:0];
        end
    end

    always @(posedge ${gclk}) begin
//%   if x1_stages + x2_stages > 1
        if (move) tag_q   <= {tag_q[4*FRONT-5:0], atom_last, line_last, surf_last, layer_last};
//%   else
        if (move) tag_q   <= {atom_last, line_last, surf_last, layer_last};
//%   end
        if (tick) c_tag_q <= {c_tag_q[7:0], c_in_tag};
    end

//% else
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
//%   if pdp_enable
    wire                out_valid  = valid_q[STAGES-1];
//%   end
    wire                out_beat   = load[STAGES];     // moves on to memory
    wire [3:0]          out_tag    = tag_q[4*STAGES-1 -: 4];
//%   if pdp_enable
    wire                out_joined = x2_joined;
//%   end

    assign move = front_free && x2_joined;

    always @(posedge ${gclk} or negedge rst_n) begin
        if (!rst_n)    valid_q <= {STAGES{1'b0}};
        else if (move) valid_q <= load[STAGES-1:0];
    end

    always @(posedge ${gclk}) begin
        if (move) tag_q <= {tag_q[4*STAGES-5:0], atom_last, line_last, surf_last, layer_last};
    end

//% end
    // ------------------------------------------------------------------ X1
    wire [32*LANES-1:0] x1_data;
//% if sdp_bs_enable
    wire                bs_needs;

    assign x1_joined            = !bs_needs || sdp_rdma2sdp_b_valid;
    assign sdp_rdma2sdp_b_ready = move && taking_q && src_valid && bs_needs;
    assign sdp2sdp_rdma_b_turn  = surf_last;

    dla_sdp_x u_bs (
        .clk           (${gclk}),
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
//% else
    reg [32*LANES-1:0] src_data_q;

    assign x1_joined = 1'b1;
    assign x1_data   = src_data_q;

    always @(posedge ${gclk}) begin
        if (load[0]) src_data_q <= src_data;
    end
//% end

    // ------------------------------------------------------------------ X2
    wire [32*LANES-1:0] x2_data;
//% if sdp_bn_enable
    wire                bn_needs;
    wire                bn_wants = bn_needs && valid_q[X1-1];

    assign x2_joined            = !bn_wants || sdp_rdma2sdp_n_valid;
    assign sdp_rdma2sdp_n_ready = front_free && bn_wants;
    assign sdp2sdp_rdma_n_turn  = tag_q[4*X1 - 3];

    dla_sdp_x u_bn (
        .clk           (${gclk}),
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
//% else
    assign x2_joined = 1'b1;
    assign x2_data   = x1_data;
//% end

//% if sdp_ew_enable
    // ------------------------------------------------------------------ Y
    wire                ew_alu_on = ew_on && !ew_alu_bypass;
    wire                ew_mul_on = ew_on && !ew_mul_bypass;
    wire                ew_wants  = ew_in &&
                                    ((ew_alu_on && ew_alu_src) || (ew_mul_on && ew_mul_src));
    wire                eql       = ew_alu_on && (ew_alu_algo == 2'd3);
    wire                y_valid;
    wire [3:0]          y_tag;
    wire [32*LANES-1:0] ew_data;
    wire [32*LANES-1:0] y_data    = ew_on ? ew_data : x2_data;

    assign y_joined             = !ew_wants || sdp_rdma2sdp_e_valid;
    assign sdp_rdma2sdp_e_ready = !out_blocked && ew_wants && ew_last && x2_joined;
    assign sdp2sdp_rdma_e_turn  = front_tag[1];
    assign c_in_valid           = ew_on ? y_valid : (valid_q[FRONT-1] && x2_joined);
    assign c_in_tag             = ew_on ? y_tag : front_tag;

    dla_sdp_ew u_ew (
        .clk            (${gclk}),
//%   if sdp_lut_enable
        .ram_clk        (clk),
//%   end
        .rst_n          (rst_n),
        .start          (start),
        .tick           (tick),
        .alu_on         (ew_alu_on),
        .alu_algo       (ew_alu_algo),
        .alu_src        (ew_alu_src),
        .alu_value      (ew_alu_value),
        .alu_cvt_bypass (ew_alu_cvt_bypass),
        .alu_cvt_offset (ew_alu_cvt_offset),
        .alu_cvt_scale  (ew_alu_cvt_scale),
        .alu_cvt_shift  (ew_alu_cvt_shift),
        .mul_on         (ew_mul_on),
        .mul_prelu      (ew_mul_prelu),
        .mul_src        (ew_mul_src),
        .mul_value      (ew_mul_value),
        .mul_cvt_bypass (ew_mul_cvt_bypass),
        .mul_cvt_offset (ew_mul_cvt_offset),
        .mul_cvt_scale  (ew_mul_cvt_scale),
        .mul_cvt_shift  (ew_mul_cvt_shift),
        .truncate       (ew_truncate),
//%   if sdp_lut_enable
        .lut_bypass     (ew_lut_bypass),
        .count_en       (perf_lut_en),
        .le_linear      (le_linear),
        .uflow_lo       (uflow_lo),
        .oflow_lo       (oflow_lo),
        .hybrid_lo      (hybrid_lo),
        .le_offset      (le_offset),
        .le_select      (le_select),
        .lo_select      (lo_select),
        .le_start       (le_start),
        .le_end         (le_end),
        .lo_start       (lo_start),
        .lo_end         (lo_end),
        .le_scale       (le_scale),
        .lo_scale       (lo_scale),
        .le_shift       (le_shift),
        .lo_shift       (lo_shift),
        .lut_write      (lut_access && csb_write && lut_direction),
        .lut_read       (lut_access && !csb_write),
        .lut_lo         (lut_table),
        .lut_entry      (lut_pointer),
        .lut_wdata      (csb_wdata[15:0]),
        .lut_rdata      (lut_rdata),
        .uflow_q        (lut_uflow),
        .oflow_q        (lut_oflow),
        .hybrid_q       (lut_hybrid),
        .le_hit_q       (lut_le_hit),
        .lo_hit_q       (lut_lo_hit),
//%   end
        .in_valid       (ew_in),
        .in_last        (ew_last),
        .in_hold        (!x2_joined),
        .in_tag         (front_tag),
        .in_data        (x2_data),
        .operand_alu    (sdp_rdma2sdp_e_alu),
        .operand_mul    (sdp_rdma2sdp_e_mul),
        .out_valid      (y_valid),
        .out_tag        (y_tag),
        .out_data       (ew_data)
    );

//% end
    // ------------------------------------------------------------------ C
    wire [8*LANES-1:0] out_data;
    wire [LANES-1:0]   out_sat;

    generate
        for (i = 0; i < LANES; i = i + 1) begin : gen_c
            dla_sdp_c_lane u_lane (
                .clk        (${gclk}),
//% if sdp_ew_enable
                .load       (c_load[2:0]),
                .last_valid (c_valid_q[1]),
                .offset     (eql ? 32'd0 : cvt_offset),
                .scale      (eql ? 16'd1 : cvt_scale),
                .shift      (cvt_shift),
                .raw        (eql),
                .in_data    (y_data[32*i +: 32]),
//% else
                .load       (load[X1 + X2 +: 3]),
                .last_valid (valid_q[X1+X2+1]),
                .offset     (cvt_offset),
                .scale      (cvt_scale),
                .shift      (cvt_shift),
                .in_data    (x2_data[32*i +: 32]),
//% end
                .out_data_q (out_data[8*i +: 8]),
                .sat_q      (out_sat[i])
            );
        end
    endgenerate

//% if sdp_ew_enable
    wire               drop = to_pdp || eql;           // nothing is written
//% else
    wire               drop = to_pdp;                  // nothing is written
//% end

//% if pdp_enable
    // ------------------------------------------------------------------ to PDP
    // With to_pdp pack_blocked depends on registers only.
    wire               pdp_beat = out_valid && to_pdp;

    assign sdp2pdp_valid = pdp_beat && !pack_blocked && out_joined;
    assign sdp2pdp_data  = out_data;
    assign out_blocked   = pack_blocked || (pdp_beat && !sdp2pdp_ready);

//% else
    assign out_blocked = pack_blocked;

//% end
    // ------------------------------------------------------------------ write to memory
    wire irq_room;

    dla_sdp_pack u_pack (
        .clk           (${gclk}),
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

    always @(posedge ${gclk}) begin
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
//% for s in stages
                         ${s}_mul_shift,
//% end
//% for s in absent_stages
                         ${s}_bypass, ${s}_alu_bypass, ${s}_mul_bypass, ${s}_prelu,
                         ${s}_relu_bypass, ${s}_alu_src, ${s}_mul_src, ${s}_alu_algo,
                         ${s}_alu_shift, ${s}_alu_value, ${s}_mul_value,
//% end
                         base_addr, line_step, surf_step, channel};

endmodule

`default_nettype wire
