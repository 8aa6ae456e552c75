//# Registers of dla_cdma: fields, in the form in which the parts take them.
    // ------------------------------------------------------------------ registers
    wire        op_en, op_done, consumer;
    wire        data_reuse, weight_reuse, skip_data_rls, skip_weight_rls;
    wire [12:0] width, height, channel;
    wire [31:0] data_addr_high, data_addr_low, line_stride, surf_stride;
    wire [31:0] weight_addr_high, weight_addr_low, weight_bytes;
    wire [13:0] entries;
    wire [17:0] byte_per_kernel;
    wire [4:0]  data_bank_field, weight_bank_field;
    wire        ${types.convert ? "cvt_en, " : ""}perf_en;
    wire [5:0]  cvt_truncate;  //% if types.convert
    wire [15:0] cvt_offset, cvt_scale;  //% if types.convert
    wire [31:0] dat_stall, wt_stall, dat_latency, wt_latency;
    wire        flush_done_q;
//% if types.sparsity_masks
    wire        compressed;
    wire [31:0] wmb_addr_high, wmb_addr_low;
    wire [27:0] wmb_bytes;
    wire        wmb_busy;            // masks are under way
//% end
    wire [4:0]  batches;  //% if batch_enable
    wire [31:0] batch_stride;  //% if batch_enable
//% if types.winograd
    wire        winograd;
    wire [12:0] ext_width, ext_height;
    wire [2:0]  stride_x, stride_y;
    wire [4:0]  pad_top;
//% end
    wire [1:0]  proc_precision;  //% if types.several
//% if types.fp16
    wire [1:0]  in_precision;
    wire        nan_to_zero;
    wire [31:0] nan_data, inf_data, nan_weights, inf_weights;
//% end
//% if image_enable
    wire        image, mean_en, is_signed;
    wire [5:0]  pixel_format;
    wire [4:0]  x_offset, pad_left;
    wire [5:0]  pad_right;
    wire [15:0] pad_value;
    wire [31:0] uv_addr_high, uv_addr_low, uv_stride;
    wire [15:0] mean_0, mean_1, mean_2, mean_3;
//% end

    dla_cdma_regs u_regs (
        .clk                                 (clk),
        .rst_n                               (rst_n),
        .csb_valid                           (csb2cdma_valid),
        .csb_addr                            (csb_addr),
        .csb_wdata                           (csb_wdata),
        .csb_write                           (csb_write),
        .csb_rdata                           (cdma2csb_rdata),
//% for t in ram_types
        .${t.port} (${t.link}_ram_type),
//% end
        .op_en                               (op_en),
        .op_done                             (op_done),
        .consumer                            (consumer),
        .s_cbuf_flush_status_flush_done      (flush_done_q),
        .d_batch_number_batches              (batches),  //% if batch_enable
        .d_batch_stride                      (batch_stride),  //% if batch_enable
//% if types.winograd
        .d_misc_cfg_conv_mode                (winograd),
        .d_datain_size_ext_0_datain_width_ext (ext_width),
        .d_datain_size_ext_0_datain_height_ext (ext_height),
        .d_conv_stride_conv_x_stride         (stride_x),
        .d_conv_stride_conv_y_stride         (stride_y),
        .d_zero_padding_pad_top              (pad_top),
//% end
        .d_misc_cfg_proc_precision           (proc_precision),  //% if types.several
//% if types.fp16
        .d_misc_cfg_in_precision             (in_precision),
        .d_nan_flush_to_zero_nan_to_zero     (nan_to_zero),
        .d_nan_input_data_num_nan_data_num   (nan_data),
        .d_inf_input_data_num_inf_data_num   (inf_data),
        .d_nan_input_weight_num_nan_weight_num (nan_weights),
        .d_inf_input_weight_num_inf_weight_num (inf_weights),
//% end
//% if image_enable
        .d_datain_format                     (image),
        .d_datain_format_pixel_format        (pixel_format),
        .d_datain_format_pixel_sign_override (is_signed),
        .d_pixel_offset_pixel_x_offset       (x_offset),
        .d_dain_addr_high_1_datain_addr_high_1 (uv_addr_high),
        .d_dain_addr_low_1_datain_addr_low_1 (uv_addr_low),
        .d_line_uv_stride_uv_line_stride     (uv_stride),
        .d_mean_format                       (mean_en),
        .d_mean_global_0_mean_ry             (mean_0),
        .d_mean_global_0_mean_gu             (mean_1),
        .d_mean_global_1_mean_bv             (mean_2),
        .d_mean_global_1_mean_ax             (mean_3),
        .d_zero_padding_pad_left             (pad_left),
        .d_zero_padding_pad_right            (pad_right),
        .d_zero_padding_value_pad_value      (pad_value),
//% end
        .d_misc_cfg_data_reuse               (data_reuse),
        .d_misc_cfg_weight_reuse             (weight_reuse),
        .d_misc_cfg_skip_data_rls            (skip_data_rls),
        .d_misc_cfg_skip_weight_rls          (skip_weight_rls),
        .d_datain_size_0_datain_width        (width),
        .d_datain_size_0_datain_height       (height),
        .d_datain_size_1_datain_channel      (channel),
        .d_dain_addr_high_0_datain_addr_high_0 (data_addr_high),
        .d_dain_addr_low_0_datain_addr_low_0 (data_addr_low),
        .d_line_stride                       (line_stride),
        .d_surf_stride                       (surf_stride),
        .d_entry_per_slice_entries           (entries),
        .d_weight_size_0_byte_per_kernel     (byte_per_kernel),
        .d_weight_addr_high                  (weight_addr_high),
        .d_weight_addr_low                   (weight_addr_low),
        .d_weight_bytes                      (weight_bytes),
//% if types.sparsity_masks
        .d_weight_format                     (compressed),
        .d_wmb_addr_high                     (wmb_addr_high),
        .d_wmb_addr_low                      (wmb_addr_low),
        .d_wmb_bytes                         (wmb_bytes),
//% end
//% if types.convert
        .d_cvt_cfg_cvt_en                    (cvt_en),
        .d_cvt_cfg_cvt_truncate              (cvt_truncate),
        .d_cvt_offset                        (cvt_offset),
        .d_cvt_scale                         (cvt_scale),
//% end
        .d_bank_data_bank                    (data_bank_field),
        .d_bank_weight_bank                  (weight_bank_field),
        .d_perf_enable_dma_en                (perf_en),
        .d_perf_dat_read_stall_dat_rd_stall  (dat_stall),
        .d_perf_wt_read_stall_wt_rd_stall    (wt_stall),
        .d_perf_dat_read_latency_dat_rd_latency (dat_latency),
        .d_perf_wt_read_latency_wt_rd_latency (wt_latency)
    );

//% if types16
    wire int8     = proc_precision == 2'd0;  //% if types.mix
    wire in_fp16  = in_precision[1];  //% if types.fp16
    wire dat_counts, wt_counts;     // counters of special numbers are not yet done  //% if types.fp16
    wire out_fp16 = proc_precision[1];  //% if types.fp16 && types.several
    wire out_fp16 = 1'b1;  //% if types.fp16 && !types.several
    wire [17:0] group_atoms = int8 ? byte_per_kernel : {1'b0, byte_per_kernel[17:1]};  //% if types.mix
    wire [17:0] group_atoms = {1'b0, byte_per_kernel[17:1]};  //% if !types.mix

//% end
    // Zero extension first, then the slice that this configuration has.
    wire [63:0]       data_addr   = {data_addr_high, data_addr_low};
    wire [63:0]       weight_addr = {weight_addr_high, weight_addr_low};
    wire [63:0]       wmb_addr    = {wmb_addr_high, wmb_addr_low};  //% if types.sparsity_masks
    wire [63:0]       line_step   = {32'd0, line_stride};
    wire [63:0]       surf_step   = {32'd0, surf_stride};
    wire [63:0]       batch_step  = {32'd0, batch_stride};  //% if batch_enable
    wire [31:0]       slice_less_1 = {18'd0, entries};
    wire [BANK_W-1:0] data_bank   = data_bank_field[BANK_W-1:0];
    wire [BANK_W-1:0] weight_bank = weight_bank_field[BANK_W-1:0];
