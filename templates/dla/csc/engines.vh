//# Engines of dla_csc: steps of the layer, data, weights.
    // ------------------------------------------------------------------ steps
    wire              dl_valid, dl_take, wl_valid, wl_take;
    wire              dl_first, dl_last, dl_group_end, dl_layer_end, dl_tail_block;
    wire [${clog2(cacc_depth) - 1:2}:0]       dl_length;
    wire [9:0]        dl_x, dl_y;
    wire [CBUF_W:0]   dl_entry;
    wire              dl_odd;  //% if types.mix
    wire              wl_last, wl_group_end, wl_tail_block, wl_tail_group;
    wire [1:0]        dl_rows, wl_rows;  //% if image_enable

    dla_csc_steps u_steps (
        .clk           (${gclk}),
        .rst_n         (rst_n),
        .start         (go_q),
        .kernel_width  (kernel_width),
        .kernel_height (kernel_height),
        .blocks        (channel[${12 + 4 * types.winograd}:${clog2(atomic_c)}]),
        .winograd      (winograd),  //% if types.winograd
//% if types.mix
        .int8          (int8),
        .dl_odd        (dl_odd),
        .groups        (int8 ? {1'b0, kernel[12:${clog2(atomic_k)}]} : kernel[12:${clog2(atomic_k) - 1}]),
//% else
        .groups        (kernel[12:${clog2(atomic_k)}]),
//% end
        .positions     (positions),
        .column_step   (column_step),
        .row_step      (row_step),
        .block_step    (block_step),
//% if image_enable
        .rows_code     (rows_code),
        .dl_rows       (dl_rows),
        .wl_rows       (wl_rows),
//% end
        .base          (base),
        .dl_valid      (dl_valid),
        .dl_take       (dl_take),
        .dl_first      (dl_first),
        .dl_last       (dl_last),
        .dl_group_end  (dl_group_end),
        .dl_layer_end  (dl_layer_end),
        .dl_tail_block (dl_tail_block),
        .dl_length     (dl_length),
        .dl_x          (dl_x),
        .dl_y          (dl_y),
        .dl_entry      (dl_entry),
        .wl_valid      (wl_valid),
        .wl_take       (wl_take),
        .wl_last       (wl_last),
        .wl_group_end  (wl_group_end),
        .wl_tail_block (wl_tail_block),
        .wl_tail_group (wl_tail_group)
    );

    // ------------------------------------------------------------------ data
    wire                swap;            // first beat of a step is on its way
    wire                wt_ready;        // its weights will be in the shadow
    wire                dat_first, dat_last, dat_end;
    wire [${entry_bits - 1:3}:0]        dat_data;

    dla_csc_dl u_dl (
        .clk             (${gclk}),
        .rst_n           (rst_n),
        .start           (go_q),
        .width           (width),
        .height          (height),
        .out_width       (out_width),
        .x_step          (x_step),
        .y_step          (y_step),
        .origin_x        (origin_x),
        .origin_y        (origin_y),
        .winograd        (winograd),  //% if types.winograd
        .fp              (fp),  //% if types.fp_and_int
        .truncate        (truncate),  //% if types.winograd && types.integers
        .batches         (batches),  //% if types.beats
        .batch_w         (batch_w),  //% if types.beats
        .per_line        (per_line),  //% if types.batch
//% if types.mix
        .int8            (int8),
        .step_odd        (dl_odd),
//% end
        .pad_value       (pad_value),
        .per_slice       (per_slice),
        .tail_off        (tail_off),
        .banks           (data_banks),
//% if atoms_per_entry > 1
        .by_2            (by_2),
        .by_4            (by_4),
//% end
//% if image_enable
        .image           (image),
        .channel         (channel[${clog2(atomic_c) - 1}:0]),
        .rows_code       (rows_code),
        .step_rows       (dl_rows),
//% end
        .slices          (slices),
        .slices_all      (slices_all),
        .credit          (${types.winograd ? "winograd ? |credit_q[CRED_W-1:2] : " : ""}|credit_q),
        .credit_take     (credit_take),
        .wt_ready        (wt_ready),
        .swap            (swap),
        .last_beat       (last_beat),
        .step_valid      (dl_valid),
        .step_take       (dl_take),
        .step_first      (dl_first),
        .step_last       (dl_last),
        .step_group_end  (dl_group_end),
        .step_layer_end  (dl_layer_end),
        .step_tail_block (dl_tail_block),
        .step_length     (dl_length),
        .step_x          (dl_x),
        .step_y          (dl_y),
        .step_entry      (dl_entry),
        .multiply        (ended_q),
        .factor          (count),
        .product         (product),
        .rd_valid        (csc2cbuf_dat_rd_valid),
        .rd_addr_q       (csc2cbuf_dat_rd_addr),
        .rd_data         (cbuf2csc_dat_rd_data),
        .mac_a_valid     (csc2mac_a_dat_valid),
        .mac_b_valid     (csc2mac_b_dat_valid),
        .mac_data_q      (dat_data),
        .mac_a_swap      (csc2mac_a_dat_swap),
        .mac_b_swap      (csc2mac_b_dat_swap),
        .mac_first       (dat_first),
        .mac_last        (dat_last),
        .mac_end         (dat_end)
    );

    assign csc2mac_a_dat_data  = dat_data;
    assign csc2mac_a_dat_first = dat_first;
    assign csc2mac_a_dat_last  = dat_last;
    assign csc2mac_a_dat_end   = dat_end;
    assign csc2mac_b_dat_data  = dat_data;
    assign csc2mac_b_dat_first = dat_first;
    assign csc2mac_b_dat_last  = dat_last;
    assign csc2mac_b_dat_end   = dat_end;

    // ------------------------------------------------------------------ weights
    wire [2*CELLS-1:0]  wt_sel;
    wire [${entry_bits - 1:3}:0]        wt_data;

    dla_csc_wl u_wl (
        .clk             (clk),
        .gclk            (gclk),  //% if clock_gating
        .rst_n           (rst_n),
        .updt            (cdma2csc_wt_updt),
        .bank_change     (agreed),
        .release_rest    (rest_weights),
        .winograd        (winograd),  //% if types.winograd
        .fp              (fp),  //% if types.fp_and_int
        .start           (go_q),
        .finish          (finish),
        .rest            (weights_left),
        .announced       (weights_all),
        .skip_rls        (skip_weight_rls),
        .entries         (weight_entries),
//% if types.sparsity_masks
        .compressed      (compressed),
        .wmb_entries     (mask_entries),
        .wmb_updt        (cdma2csc_wmb_updt),
        .wmb_rls_valid   (csc2cdma_wmb_rls_valid),
        .wmb_rls_entries (csc2cdma_wmb_rls_entries),
//% end
        .int8            (int8),  //% if types.mix
        .tail_off        (tail_off),  //% if types16
//% if image_enable
        .rows_code       (rows_code),
        .step_rows       (wl_rows),
//% end
        .channel         (channel[${clog2(atomic_c) - 1}:0]),
        .kernel          (kernel[${clog2(atomic_k) - 1}:0]),
        .data_banks      (data_banks),
        .weight_bank     (weight_bank),
        .step_valid      (wl_valid),
        .step_take       (wl_take),
        .step_last       (wl_last),
        .step_group_end  (wl_group_end),
        .step_tail_block (wl_tail_block),
        .step_tail_group (wl_tail_group),
        .swap            (swap),
        .ready           (wt_ready),
        .rls_valid       (csc2cdma_wt_rls_valid),
        .rls_entries     (csc2cdma_wt_rls_entries),
//% if types.sparsity_masks
        .wmb_rd_valid     (csc2cbuf_wmb_rd_valid),
        .wmb_rd_row       (csc2cbuf_wmb_rd_row),
        .wmb_rd_rsp_valid (cbuf2csc_wmb_rd_valid),
        .wmb_rd_rsp_data  (cbuf2csc_wmb_rd_data),
//% end
        .rd_valid        (csc2cbuf_wt_rd_valid),
        .rd_addr_q       (csc2cbuf_wt_rd_addr),
        .rd_rsp_valid    (cbuf2csc_wt_rd_valid),
        .rd_rsp_data     (cbuf2csc_wt_rd_data),
        .mac_a_valid_q   (csc2mac_a_wt_valid),
        .mac_b_valid_q   (csc2mac_b_wt_valid),
        .mac_sel_q       (wt_sel),
        .mac_data_q      (wt_data)
    );

    assign csc2mac_a_wt_sel  = wt_sel[CELLS-1:0];
    assign csc2mac_a_wt_data = wt_data;
    assign csc2mac_b_wt_sel  = wt_sel[2*CELLS-1:CELLS];
    assign csc2mac_b_wt_data = wt_data;
