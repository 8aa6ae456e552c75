//# Data of dla_cdma: requests, pixels, tiles of Winograd, convertor.
    // ------------------------------------------------------------------ data
    wire              dat_outstanding;
//% if types.winograd
    wire              tile_take, tile_busy, tile_pending, tile_updt;
    wire              tile_outstanding;
    wire              tile_req_valid, tile_req_load;
    wire [ADDR_W-LSB-1:0] tile_req_next;
    wire [4:0]        tile_req_size;
    wire              tile_place, tile_end;
    wire [CBUF_W-1:0] tile_entry, slice;
    wire [1:0]        tile_row;
    wire              tile_wr_valid, in_wr_valid, dat_updt;
    wire [255:0]      tile_wr_data, in_wr_data;
//% end
//% if image_enable
    wire              cube_take, cube_req_valid, img_take, img_req_valid, img_req_busy;
    wire              img_req_load;
    wire [ADDR_W-LSB-1:0] img_req_next;
    wire              img_line_end;
    wire              img_pending;      // pixels wait: weights leave them time
    wire              dat_waits = tile_pending || (image && img_pending);  //% if types.winograd

    assign dat_take                   = image ? img_take : ${types.winograd ? "tile_take || " : ""}cube_take;
    assign cdma_dat2mcif_rd_req_valid = ${types.winograd ? "tile_req_valid || " : ""}img_req_valid || cube_req_valid;
//% end

//% let surfaces = types.mix ? "int8 ? {1'b0, channel[12:LSB]} : channel[12:LSB-1]" : types16 ? "channel[12:LSB-1]" : "channel[12:LSB]"
    dla_cdma_dat u_dat (
        .clk           (${gclk}),
        .rst_n         (rst_n),
        .start         (dat_start),
        .pointer_clear (agreed_data),
        .busy_q        (dat_busy),
        .base          (data_addr[ADDR_W-1:LSB]),
        .line_stride   (line_step[ADDR_W-1:LSB]),
        .surf_stride   (surf_step[ADDR_W-1:LSB]),
        .width         (width),
        .height        (height),
        .batches       (batches),  //% if batch_enable
        .batch_stride  (batch_step[ADDR_W-1:LSB]),  //% if batch_enable
        .surfaces      (${surfaces}),
        .entries       (${dat_less_1}[CBUF_W-1:0]),
        .data_bank     (data_bank),
        .room_next     (dat_room_next),
//% if image_enable
        .take          (cube_take),
        .req_valid_q   (cube_req_valid),
        .image         (image${types.winograd ? " || winograd" : ""}),
        .img_req_load  (${types.winograd ? "tile_req_load || " : ""}img_req_load),
        .img_req_next  (${types.winograd ? "winograd ? tile_req_next : " : ""}img_req_next),
        .img_take      (${types.winograd ? "tile_take || " : ""}img_take),
        .img_req_busy  (${types.winograd ? "tile_busy || " : ""}img_req_busy),
        .img_line_end  (${types.winograd ? "tile_end || " : ""}img_line_end),
//% if types.winograd
        .winograd      (winograd),
        .tile_req_size (tile_req_size),
        .slice         (slice),
        .tile_place    (tile_place),
        .tile_entry    (tile_entry),
        .tile_row      (tile_row),
//% end
//% else
        .take          (dat_take),
        .req_valid_q   (cdma_dat2mcif_rd_req_valid),
//% end
        .req_ready     (cdma_dat2mcif_rd_req_ready),
        .req_addr      (cdma_dat2mcif_rd_req_addr),
        .req_size      (cdma_dat2mcif_rd_req_size),
        .outstanding   (dat_outstanding),
        .wr_valid      (cdma2cbuf_dat_wr_valid),
        .wr_addr       (cdma2cbuf_dat_wr_addr),
        .wr_sel        (cdma2cbuf_dat_wr_sel),  //% if atoms_per_entry > 1
        .updt_q        (${types.winograd ? "dat_updt" : "cdma2csc_dat_updt"})
    );

//% if image_enable
    wire [63:0] uv_addr = {uv_addr_high, uv_addr_low};
    wire [63:0] uv_step = {32'd0, uv_stride};
    wire        wt_wr_next;  //% if !secondary_memif_enable

    dla_cdma_in u_in (
        .clk            (${gclk}),
        .clk_on         (clk),
        .rst_n          (rst_n),
        .int8           (int8),  //% if types.mix
        .in_fp16        (in_fp16),  //% if types.fp16
        .out_fp16       (out_fp16),  //% if types.fp16
//% if types.fp16
        .nan_to_zero    (nan_to_zero),
        .clear          (start),
        .counting       (dat_counts),
        .nan_count      (nan_data),
        .inf_count      (inf_data),
//% end
        .start          (dat_start && image),
        .image          (image),
        .format         (pixel_format),
        .is_signed      (is_signed),
        .base_0         (data_addr[ADDR_W-1:LSB]),
        .base_1         (uv_addr[ADDR_W-1:LSB]),
        .stride_0       (line_step[ADDR_W-1:LSB]),
        .stride_1       (uv_step[ADDR_W-1:LSB]),
        .width          (width),
        .height         (height),
        .x_offset       (x_offset),
        .pad_left       (pad_left),
        .pad_right      (pad_right),
        .pad_value      (${types16 ? "pad_value" : "pad_value[7:0]"}),
        .mean_en        (mean_en),
        .mean           ({mean_3, mean_2, mean_1, mean_0}),
        .cvt_en         (cvt_en),
        .offset         (cvt_offset),
        .scale          (cvt_scale),
        .truncate       (cvt_truncate),
        .room           (dat_room_q),
        .take           (img_take),
        .req_busy       (img_req_busy),
        .req_valid      (img_req_valid),
        .req_ready      (cdma_dat2mcif_rd_req_ready),
        .req_load       (img_req_load),
        .req_next       (img_req_next),
        .rsp_valid      (mcif2cdma_dat_rd_rsp_valid),
        .rsp_data       (mcif2cdma_dat_rd_rsp_data),
        .pending        (img_pending),
        .wt_wr_next     (wt_wr_next),  //% if !secondary_memif_enable
        .wr_valid_q     (${types.winograd ? "in_wr" : "cdma2cbuf_dat_wr"}_valid),
        .wr_data_q      (${types.winograd ? "in_wr" : "cdma2cbuf_dat_wr"}_data),
        .line_end       (img_line_end)
    );

//% if types.winograd
    // ------------------------------------------------------------------ Winograd
    dla_cdma_tile u_tile (
        .clk           (${gclk}),
        .rst_n         (rst_n),
        .start         (dat_start && winograd),
        .busy          (tile_busy),
        .ending        (tile_ending),
        .base          (data_addr[ADDR_W-1:LSB]),
        .line_stride   (line_step[ADDR_W-1:LSB]),
        .surf_stride   (surf_step[ADDR_W-1:LSB]),
        .width         (width),
        .height        (height),
        .surfaces      (${surfaces}),
        .ext_width     (ext_width),
        .ext_height    (ext_height),
        .stride_x      (stride_x),
        .stride_y      (stride_y),
        .pad_left      (pad_left),
        .pad_top       (pad_top),
        .pad_value     (${types.mix ? "int8 ? {2{pad_value[7:0]}} : " : ""}pad_value),
        .room          (dat_room_q),
        .take          (tile_take),
        .req_valid     (tile_req_valid),
        .req_ready     (cdma_dat2mcif_rd_req_ready),
        .req_load      (tile_req_load),
        .req_next      (tile_req_next),
        .req_size      (tile_req_size),
        .in_valid      (in_wr_valid && winograd),
        .in_data       (in_wr_data),
        .slice         (slice),
        .data_bank     (data_bank),
        .place         (tile_place),
        .place_entry   (tile_entry),
        .place_end     (tile_end),
        .wt_wr_next    (wt_wr_next),  //% if !secondary_memif_enable
        .pending       (tile_pending),
        .outstanding   (tile_outstanding),
        .wr_valid_q    (tile_wr_valid),
        .wr_row_q      (tile_row),
        .wr_data_q     (tile_wr_data),
        .updt          (tile_updt)
    );

    assign cdma2cbuf_dat_wr_valid = winograd ? tile_wr_valid : in_wr_valid;
    assign cdma2cbuf_dat_wr_data  = winograd ? tile_wr_data : in_wr_data;
    assign cdma2csc_dat_updt      = tile_updt || dat_updt;

//% end
//% elif types16
    dla_cdma_in u_in (
        .clk            (${gclk}),
        .rst_n          (rst_n),
        .int8           (int8),  //% if types.mix
        .in_fp16        (in_fp16),  //% if types.fp16
//% if types.fp16
        .nan_to_zero    (nan_to_zero),
        .clear          (start),
        .counting       (dat_counts),
        .nan_count      (nan_data),
        .inf_count      (inf_data),
//% end
//%   if types.convert
        .cvt_en         (cvt_en),
        .offset         (cvt_offset),
        .scale          (cvt_scale),
        .truncate       (cvt_truncate),
//%   end
        .rsp_valid      (mcif2cdma_dat_rd_rsp_valid),
        .rsp_data       (mcif2cdma_dat_rd_rsp_data),
        .wr_valid_q     (cdma2cbuf_dat_wr_valid),
        .wr_data_q      (cdma2cbuf_dat_wr_data)
    );

//% else
    wire [16:0] minus_offset = 17'd0 - {cvt_offset[15], cvt_offset};   // the same in all lanes
    wire        next_valid;
    wire [${atom_bits - 1:3}:0] next_data;
    reg         wr_valid_q;
    reg  [${atom_bits - 1:3}:0] wr_data_q;

    dla_cdma_cvt u_cvt (
        .clk           (${gclk}),
        .rst_n         (rst_n),
        .enable        (cvt_en),
        .minus_offset  ({${atom_bytes}{minus_offset}}),
        .scale         (cvt_scale),
        .truncate      (cvt_truncate),
        .in_valid      (mcif2cdma_dat_rd_rsp_valid),
        .in_data       (mcif2cdma_dat_rd_rsp_data),
        .out_valid     (next_valid),
        .out_data      (next_data)
    );

    always @(posedge ${gclk} or negedge rst_n) begin
        if (!rst_n) wr_valid_q <= 1'b0;
        else        wr_valid_q <= next_valid;
    end

    always @(posedge ${gclk}) begin
        if (next_valid) wr_data_q <= next_data;
    end

    assign cdma2cbuf_dat_wr_valid = wr_valid_q;
    assign cdma2cbuf_dat_wr_data  = wr_data_q;

//% end
