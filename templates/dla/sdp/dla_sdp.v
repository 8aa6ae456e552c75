// SDP: per-element post-processing of a layer: X1 (BS), X2 (BN),${sdp_ew_enable ? " Y (EW)," : ""} output convertor, write.
//
// Elements come from CACC (FLYING_MODE) or from SDP_RDMA, surface -> line -> column -> element of
// the atom, and leave in the same order. Throughput: ${sdp_lanes} element(s) per cycle; stalled by
// missing input, missing operands and the memory interface.
// A layer that uses EW runs at ${sdp_ew_throughput} element(s) per cycle.  //% if sdp_ew_enable
// A word enters when its operands are here and it has a place at the end; nothing inside waits.
//% if fp16
// Latency in cycles: op_en to first input 1, input to the write of its atom at most ${latency}; X1 and
// X2 take 1 each if they are bypassed, ${ew_stages + ew_beats - 1} more with EW.  //% if sdp_ew_enable
// X2 take 1 each if they are bypassed.  //% if !sdp_ew_enable
//% else
// Latency in cycles: op_en to first input 1, input to the write of its atom ${latency}, ${ew_stages + ew_beats - 1} more with EW;  //% if sdp_ew_enable
// Latency in cycles: op_en to first input 1, input to the write of its atom ${latency};  //% if !sdp_ew_enable
// X1 and X2 take 7 less each if they are bypassed.
//% end
// A layer ends (op_done) when the memory interface has taken its last atom: counters are final
// then and the next layer starts. The interrupt follows with the answer to that write.
//% if pdp_enable
// OUTPUT_DST = PDP: the results go to sdp2pdp_data and are not written; the interrupt follows the
// last element.
//% else
// OUTPUT_DST = PDP: there is no PDP, the results are dropped and the layer ends normally.
//% end
// All outputs leave from registers.
`default_nettype none

module dla_sdp (
    input  wire         clk,
    input  wire         rst_n,
    input  wire         clk_ovr_on,                    // 1: gated clocks always run  //% if clock_gating

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
    input  wire [${lane_bits * sdp_lanes - 1:3}:0] sdp_rdma2sdp_m_data,

//% for op in operands
    // operands of ${op.stage}: records, those of a pixel in a row
    input  wire         sdp_rdma2sdp_${op.x}_valid,
    output wire         sdp_rdma2sdp_${op.x}_ready,
    input  wire [${16 * sdp_lanes - 1:3}:0] sdp_rdma2sdp_${op.x}_alu,
    input  wire [${16 * sdp_lanes - 1:3}:0] sdp_rdma2sdp_${op.x}_mul,
    input  wire         sdp_rdma2sdp_${op.x}_once,          // 0: for all pixels of a surface

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
    output wire [${lane_bits * sdp_lanes - 1:3}:0] sdp2pdp_data,

//% end
    // interrupt events, one pulse, bit = register group
    output wire [1:0]   sdp2glb_done
);

    localparam LANES = ${sdp_lanes};
    localparam LSB   = ${atom_lsb};     // address bits inside an atom

//% include "sdp/registers.vh"

//% if sdp_lut_enable
    wire [15:0] lut_rdata;

    assign sdp2csb_rdata = regs_rdata | {16'd0, lut_rdata};
//% else
    assign sdp2csb_rdata = regs_rdata;
//% end

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
    wire start, room, operands_ok;
    wire take, atom_last, line_last, surf_last, layer_last;
    wire batch_last;  //% if batch_enable
    wire row_last, tile_last;  //% if winograd_enable
    wire [32*LANES-1:0] ${fp16 ? "word" : "src_data"};
    wire ew_on = !ew_bypass;  //% if sdp_ew_enable

    dla_sdp_issue u_issue (
        .clk          (${gclk}),
        .rst_n        (rst_n),
        .op_en        (op_en),
        .op_done      (op_done),
        .start        (start),
        .flying       (flying),
        .width        (width),
        .height       (height),
        .surfaces     (${mixed ? "proc_wide ? channel[12:LSB-1] : {1'b0, channel[12:LSB]}" : types16 ? "channel[12:LSB-1]" : "channel[12:LSB]"}),
        .wide         (proc_wide),  //% if mixed
        .batches      (batches),  //% if batch_enable
        .tiles        (tiles),  //% if winograd_enable
        .ew_on        (ew_on),  //% if ew_beats > 1
        .room         (room),
        .operands_ok  (operands_ok),
        .cacc_valid   (cacc2sdp_valid),
        .cacc_ready_q (cacc2sdp_ready),
        .cacc_data    (cacc2sdp_data),
        .m_valid      (sdp_rdma2sdp_m_valid),
        .m_ready_q    (sdp_rdma2sdp_m_ready),
        .m_data       (sdp_rdma2sdp_m_data),
        .take         (take),
        .data         (${fp16 ? "word" : "src_data"}),
        .atom_last    (atom_last),
        .batch_last   (batch_last),  //% if batch_enable
        .row_last     (row_last),  //% if winograd_enable
        .tile_last    (tile_last),  //% if winograd_enable
        .line_last    (line_last),
        .surf_last    (surf_last),
        .layer_last   (layer_last)
    );

    // ------------------------------------------------------------------ operands
//% for op in operands
    wire                ${op.x}_needed, ${op.x}_ok, ${op.x}_turned;
    wire                ${op.x}_read, ${op.x}_read_turned;
    wire [16*LANES-1:0] ${op.x}_alu, ${op.x}_mul;

    dla_sdp_operand #(.DEPTH(${op.depth})) u_operand_${op.x} (
        .clk         (clk),
        .rst_n       (rst_n),
        .in_valid    (sdp_rdma2sdp_${op.x}_valid),
        .in_ready    (sdp_rdma2sdp_${op.x}_ready),
        .in_once     (sdp_rdma2sdp_${op.x}_once),
        .in_alu      (sdp_rdma2sdp_${op.x}_alu),
        .in_mul      (sdp_rdma2sdp_${op.x}_mul),
        .issue       (take && ${op.x}_needed),
        .wide        (proc_wide),  //% if mixed
        .atom_last   (atom_last),  //% if mixed
        .batch_last  (batch_last),  //% if batch_enable
        .surf_last   (surf_last),
        .ok          (${op.x}_ok),
        .turned      (${op.x}_turned),
        .read        (${op.x}_read),
        .read_turned (${op.x}_read_turned),
        .alu         (${op.x}_alu),
        .mul         (${op.x}_mul)
    );

//% end
    assign operands_ok = ${sdp_bs_enable || sdp_bn_enable || sdp_ew_enable ? "" : "1'b1"}${sdp_bs_enable ? "(b_ok || !b_needed)" : ""}${sdp_bs_enable && sdp_bn_enable ? " && " : ""}${sdp_bn_enable ? "(n_ok || !n_needed)" : ""}${(sdp_bs_enable || sdp_bn_enable) && sdp_ew_enable ? " && " : ""}${sdp_ew_enable ? "(e_ok || !e_needed)" : ""};

    // ------------------------------------------------------------------ pipeline
    //
    //     src -> X1 (BS) -> X2 (BN) ->${sdp_ew_enable ? " Y (EW) or nothing ->" : ""} C -> FIFO -> memory${pdp_enable ? " or PDP" : ""}
    //
//% let tag_e = sdp_ew_enable ? "e_turned" : "1'b0"
//% let tag_n = sdp_bn_enable ? "n_turned" : "1'b0"
//% let src_valid = fp16 ? "src_valid" : "take"
    // A tag says which operands go with the word: those of X2, of Y.
//% if fp16
    wire                 src_valid;
    wire [1:0]           src_tag;
    wire [32*LANES-1:0]  src_data;
    reg                  b_turned_q;  //% if sdp_bs_enable

    dla_sdp_in u_in (
        .clk         (${gclk}),
        .rst_n       (rst_n),
        .fp          (proc_fp),  //% if ints
        .flying      (flying),
        .flush       (nan_to_zero),
        .in_valid    (take),
        .in_tag      ({${tag_e}, ${tag_n}}),
        .in_data     (word),
        .out_valid_q (src_valid),
        .out_tag_q   (src_tag),
        .out_data    (src_data)
    );

//%   if sdp_bs_enable
    always @(posedge ${gclk}) begin
        b_turned_q <= b_turned;
    end
//%   end
//% else
    wire [1:0]           src_tag = {${tag_e}, ${tag_n}};
//% end
//% if !sdp_bs_enable
    reg                  x1_valid_q;
    reg  [1:0]           x1_tag_q;
    reg  [32*LANES-1:0]  x1_data_q;
    wire                 x1_valid = x1_valid_q;
    wire [1:0]           x1_tag   = x1_tag_q;
    wire [32*LANES-1:0]  x1_data  = x1_data_q;

    always @(posedge ${gclk} or negedge rst_n) begin
        if (!rst_n) x1_valid_q <= 1'b0;
        else        x1_valid_q <= ${src_valid};
    end

    always @(posedge ${gclk}) begin
        x1_tag_q <= src_tag;
        if (${src_valid}) x1_data_q <= src_data;
    end
//% end

//% for st in x_stages
//%   let valid = st.in == "src" ? src_valid : "x1_valid"
//%   let turned = st.in != "src" ? "x1_tag[0]" : fp16 ? "b_turned_q" : "b_turned"
    // ------------------------------------------------------------------ ${st.name}
    wire                 ${st.out}_valid;
    wire [1:0]           ${st.out}_tag;
    wire [32*LANES-1:0]  ${st.out}_data;

    assign ${st.x}_read        = ${valid} && ${st.x}_needed;
    assign ${st.x}_read_turned = ${turned};

    dla_sdp_x u_${st.s} (
        .clk           (${gclk}),
        .rst_n         (rst_n),
        .bypass        (${st.s}_bypass),
        .alu_bypass    (${st.s}_alu_bypass),
        .fp            (proc_fp),  //% if fp_choice
        .flush         (nan_to_zero),  //% if fp16
        .alu_algo      (${st.s}_alu_algo),
        .mul_bypass    (${st.s}_mul_bypass),
        .mul_prelu     (${st.s}_prelu),
        .relu_bypass   (${st.s}_relu_bypass),
        .alu_src       (${st.s}_alu_src),
        .alu_shift     (${st.s}_alu_shift),  //% if ints
        .alu_value     (${st.s}_alu_value),
        .mul_src       (${st.s}_mul_src),
        .mul_shift     (${st.s}_mul_shift[5:0]),  //% if ints
        .mul_value     (${st.s}_mul_value),
        .needs_operand_q (${st.x}_needed),
        .in_valid      (${valid}),
        .in_tag        (${st.in}_tag),
        .in_data       (${st.in}_data),
        .operand_alu   (${st.x}_alu),
        .operand_mul   (${st.x}_mul),
        .out_valid     (${st.out}_valid),
        .out_tag       (${st.out}_tag),
        .out_data      (${st.out}_data)
    );

//% end
//% if !sdp_bn_enable
    wire                 x2_valid = x1_valid;
    wire [1:0]           x2_tag   = x1_tag;
    wire [32*LANES-1:0]  x2_data  = x1_data;

//% end
//% if sdp_ew_enable
    // ------------------------------------------------------------------ Y
    // What is decoded stands one cycle behind the start, before a word enters.
    wire                ew_alu_on = ew_on && !ew_alu_bypass;
    wire                ew_mul_on = ew_on && !ew_mul_bypass;
    reg                 ew_on_q, ew_alu_on_q, ew_mul_on_q, eql_q, e_needed_q;
    wire                y_valid, y_taken;
    wire [32*LANES-1:0] y_data;

    assign e_needed = e_needed_q;
    assign e_read   = y_taken && e_needed;

    always @(posedge ${gclk}) begin
        ew_on_q     <= ew_on;
        ew_alu_on_q <= ew_alu_on;
        ew_mul_on_q <= ew_mul_on;
        eql_q       <= ew_alu_on && (ew_alu_algo == 2'd3);
        e_needed_q  <= (ew_alu_on && ew_alu_src) || (ew_mul_on && ew_mul_src);
    end

    dla_sdp_ew u_ew (
        .clk            (${gclk}),
        .ram_clk        (clk),  //% if sdp_lut_enable
        .rst_n          (rst_n),
        .start          (start),
        .fp             (proc_fp),  //% if fp_choice
        .flush          (nan_to_zero),  //% if fp16
        .alu_on         (ew_alu_on_q),
        .alu_algo       (ew_alu_algo),
        .alu_src        (ew_alu_src),
        .alu_value      (ew_alu_value),
//%   if ints
        .alu_cvt_bypass (ew_alu_cvt_bypass),
        .alu_cvt_offset (ew_alu_cvt_offset),
        .alu_cvt_scale  (ew_alu_cvt_scale),
        .alu_cvt_shift  (ew_alu_cvt_shift),
//%   end
        .mul_on         (ew_mul_on_q),
        .mul_prelu      (ew_mul_prelu),
        .mul_src        (ew_mul_src),
        .mul_value      (ew_mul_value),
//%   if ints
        .mul_cvt_bypass (ew_mul_cvt_bypass),
        .mul_cvt_offset (ew_mul_cvt_offset),
        .mul_cvt_scale  (ew_mul_cvt_scale),
        .mul_cvt_shift  (ew_mul_cvt_shift),
        .truncate       (ew_truncate),
//%   end
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
        .le_shift       (le_shift),  //% if ints
        .lo_shift       (lo_shift),  //% if ints
        .csb_access     (csb2sdp_valid && (csb_addr == 10'd3)),
        .csb_write      (csb_write),
        .csb_wdata      (csb_wdata[15:0]),
        .csb_cfg        (lut_cfg_wr),
        .csb_addr       (lut_addr),
        .csb_table      (lut_table),
        .csb_store      (lut_direction),
        .csb_rdata      (lut_rdata),
        .uflow_q        (lut_uflow),
        .oflow_q        (lut_oflow),
        .hybrid_q       (lut_hybrid),
        .le_hit_q       (lut_le_hit),
        .lo_hit_q       (lut_lo_hit),
//%   end
        .in_valid       (x2_valid && ew_on_q),
        .in_tag         (x2_tag[1]),
        .in_taken       (y_taken),
        .taken_tag      (e_read_turned),
        .in_data        (x2_data),
        .operand_alu    (e_alu),
        .operand_mul    (e_mul),
        .out_valid      (y_valid),
        .out_data       (y_data)
    );

    wire                c_in_valid = ew_on_q ? y_valid : x2_valid;
    wire [32*LANES-1:0] c_in_data  = ew_on_q ? y_data : x2_data;
    wire                drop       = to_pdp || eql_q;  // nothing is written
//% else
    wire                c_in_valid = x2_valid;
    wire [32*LANES-1:0] c_in_data  = x2_data;
    wire                drop       = to_pdp;           // nothing is written
//% end

    // ------------------------------------------------------------------ C
    wire                c_valid;
    wire [${lane_bits}*LANES-1:0]${types16 ? "" : " "} c_data;

    dla_sdp_c u_c (
        .clk         (${gclk}),
        .rst_n       (rst_n),
        .start       (start),
        .offset      (cvt_offset),  //% if ints
        .scale       (cvt_scale),  //% if ints
        .shift       (cvt_shift),  //% if ints
        .raw         (eql_q),  //% if sdp_ew_enable
        .out_wide    (out_wide),  //% if mixed && (int16 || sdp_ew_enable)
        .proc_fp     (proc_fp),  //% if fp_choice
        .out_fp      (out_fp),  //% if fp_choice
        .count_en    (perf_sat_en),
        .nan_count_en (perf_nan_en && !drop),  //% if fp16
        .nans_q      (nans),  //% if fp16
        .in_valid    (c_in_valid),
        .in_data     (c_in_data),
        .out_valid   (c_valid),
        .out_data    (c_data),
        .saturated_q (saturated)
    );

    // ------------------------------------------------------------------ write to memory${pdp_enable ? " or PDP" : ""}
    wire irq_room;

    dla_sdp_out u_out (
        .clk              (${gclk}),
        .rst_n            (rst_n),
        .start            (start),
        .base_bytes       ({dst_high, dst_low}),
        .line_bytes       (line_bytes),
        .surf_bytes       (surf_bytes),
        .batch_bytes      (batch_bytes),  //% if batch_enable
        .wide             (out_wide),  //% if mixed
        .pairs            (out_wide && !proc_wide),  //% if mixed
        .tiles            (tiles),  //% if winograd_enable
        .packed_cube      ((width == 13'd0) && (height == 13'd0)),
        .to_pdp           (to_pdp),
        .drop             (drop),
        .last_blocked     (!irq_room),
        .count_en         (perf_dma_en),
        .room             (room),
        .issue            (take),
//% if batch_enable || winograd_enable
        .issue_tag        ({${batch_enable ? "batch_last," : ""}${batch_enable && winograd_enable ? " " : ""}${winograd_enable ? "row_last, tile_last," : ""}
                            atom_last, line_last, surf_last, layer_last}),
//% else
        .issue_tag        ({atom_last, line_last, surf_last, layer_last}),
//% end
        .in_valid         (c_valid),
        .in_data          (c_data),
        .done_q           (op_done),
        .any_bit_q        (any_bit),
        .wr_stall_q       (wr_stall),
//% if pdp_enable
        .pdp_valid_q      (sdp2pdp_valid),
        .pdp_ready        (sdp2pdp_ready),
        .pdp_data_q       (sdp2pdp_data),
//% end
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
//% for s in stages
                         ${s}_mul_shift,
//% end
//% for s in absent_stages
                         ${s}_bypass, ${s}_alu_bypass, ${s}_mul_bypass, ${s}_prelu,
                         ${s}_relu_bypass, ${s}_alu_src, ${s}_mul_src, ${s}_alu_algo,
                         ${s}_alu_shift, ${s}_alu_value, ${s}_mul_value,
//% end
//% if !ints
                         bs_alu_shift,
                         bn_alu_shift,
                         cvt_offset, cvt_scale, cvt_shift,
//%   if sdp_ew_enable
                         ew_alu_cvt_bypass, ew_alu_cvt_offset, ew_alu_cvt_scale, ew_alu_cvt_shift,
                         ew_mul_cvt_bypass, ew_mul_cvt_offset, ew_mul_cvt_scale, ew_mul_cvt_shift,
                         ew_truncate,
//%   end
                         le_shift, lo_shift,  //% if sdp_lut_enable
//% end
                         x2_tag, channel};

endmodule

`default_nettype wire
