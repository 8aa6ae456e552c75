//# Registers of dla_sdp: fields of the layer and of its stages.
    // ------------------------------------------------------------------ registers
    wire        op_en, op_done, consumer;
    wire [12:0] width, height, channel;
    wire [31:0] dst_low, dst_high, line_bytes, surf_bytes;
    wire        flying, to_pdp;
    // ---- element types and orders of the layer  //% if types16
    wire [1:0]  proc, out;  //% if mixed || fp_choice
    wire        proc_wide = |proc;  //% if mixed
    wire        out_wide  = (|out) || proc_wide;  //% if mixed
    wire        proc_fp   = ${!int8 ? "proc != 2'd1" : int16 ? "proc[1]" : "|proc"};  //% if fp_choice
    wire        out_fp    = ${!int8 ? "out != 2'd1" : int16 ? "out[1] || (proc_fp && !out[0])" : "(|out) || proc_fp"};  //% if fp_choice
    wire        nan_to_zero, perf_nan_en;  //% if fp16
    wire [31:0] nans;  //% if fp16
    wire [4:0]  batches;  //% if batch_enable
    wire [31:0] batch_bytes;  //% if batch_enable
    wire        tiles;  //% if winograd_enable
    wire [31:0] cvt_offset;
    wire [15:0] cvt_scale;
    wire [5:0]  cvt_shift;
    wire        perf_dma_en, perf_sat_en;
    wire        any_bit;
    wire [31:0] wr_stall, saturated;
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
//% for f in field_ports
        .${f.port} (${f.net}),
//% end
//% for t in lut_tables
        .s_lut_${t}_start                         (${t}_start),
        .s_lut_${t}_end                           (${t}_end),
        .s_lut_${t}_slope_scale_lut_${t}_slope_uflow_scale (${t}_scale[15:0]),
        .s_lut_${t}_slope_scale_lut_${t}_slope_oflow_scale (${t}_scale[31:16]),
        .s_lut_${t}_slope_shift_lut_${t}_slope_uflow_shift (${t}_shift[4:0]),
        .s_lut_${t}_slope_shift_lut_${t}_slope_oflow_shift (${t}_shift[9:5]),
//% end
        .d_feature_mode_cfg_flying_mode         (flying),
        .d_feature_mode_cfg_output_dst          (to_pdp),
        .d_data_format_proc_precision           (proc),  //% if mixed || fp_choice
        .d_data_format_out_precision            (out),  //% if mixed || fp_choice
        .d_feature_mode_cfg_nan_to_zero         (nan_to_zero),  //% if fp16
        .d_perf_enable_perf_nan_inf_count_en    (perf_nan_en),  //% if fp16
        .d_status_nan_output_num                (nans),  //% if fp16
        .d_feature_mode_cfg_batch_number        (batches),  //% if batch_enable
        .d_dst_batch_stride                     (batch_bytes),  //% if batch_enable
        .d_feature_mode_cfg_winograd            (tiles),  //% if winograd_enable
        .d_cvt_offset                           (cvt_offset),
        .d_cvt_scale                            (cvt_scale),
        .d_cvt_shift                            (cvt_shift),
        .d_perf_enable_perf_dma_en              (perf_dma_en),
        .d_perf_enable_perf_sat_en              (perf_sat_en),
        .d_status_unequal                       (any_bit),
        .d_perf_wdma_write_stall_wdma_stall     (wr_stall),
        .d_perf_out_saturation                  (saturated)
    );
