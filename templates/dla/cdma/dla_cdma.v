// CDMA: fetches the input cube and the weights of a layer into CBUF, converting data on the way.
//
//% if image_enable
// ${element_types} feature cubes of direct convolution, and images of ${pixel_types} pixels in one or two planes.
//% else
// ${element_types} feature cubes of direct convolution.
//% end
// Data and weights are fetched in parallel, each as far as CBUF has room; a layer is over when both
// are in CBUF, and the next may start one cycle later.
//% if wt.atoms > 1
// Throughput: one atom of data and two of weights per cycle; nothing but missing space or the
// memory stalls it.
//% else
// Throughput: one atom per cycle on either side; nothing but missing space or the memory stalls it.
//% end
${winograd_doc}
// Images: one pixel per cycle; weights take no more than half of the memory's cycles meanwhile.  //% if image_enable
//% if wt.atoms > 1
// Latency: op_en to first request 1 cycle, of weights 2; response to CBUF write 1 cycle (weights 2,
// data with CVT_EN ${cvt_words}), slice or entry announced to CSC one cycle
// later. A bank change adds the rendezvous with CSC.
//% else
// Latency: op_en to first request 1 cycle, of weights 2; response to CBUF write 1 cycle (data with
//% if image_enable
// CVT_EN: 4; of pixels ${pixel_cycles} more), slice or entry announced to CSC one cycle later. A bank change
// adds the rendezvous with CSC.
//% else
// CVT_EN: 4), slice or entry announced to CSC one cycle later. A bank change adds the rendezvous
// with CSC.
//% end
//% end
// After reset all of CBUF is cleared, one row per cycle; a layer waits for the end of that.
`default_nettype none

module dla_cdma (
    input  wire                       clk,
    input  wire                       rst_n,
    input  wire                       clk_ovr_on,             // 1: gated clocks always run  //% if clock_gating

    // register access
    input  wire                       csb2cdma_valid,
    input  wire [9:0]                 csb_addr,               // word offset
    input  wire [31:0]                csb_wdata,
    input  wire                       csb_write,
    output wire [31:0]                cdma2csb_rdata,         // 0 unless a read was requested

    // memory reads
//% for t in ram_types
    output wire                       ${t.link}_ram_type,     // 1: primary port
//% end
    output wire                       cdma_dat2mcif_rd_req_valid,
    input  wire                       cdma_dat2mcif_rd_req_ready,
    output wire [${addr_w - 1:2}:0]                cdma_dat2mcif_rd_req_addr,
    output wire [14:0]                cdma_dat2mcif_rd_req_size,    // atoms - 1
    input  wire                       mcif2cdma_dat_rd_rsp_valid,   // cannot stall
    input  wire [${atom_bits - 1:3}:0]               mcif2cdma_dat_rd_rsp_data,
    output wire                       cdma_wt2mcif_rd_req_valid,
    input  wire                       cdma_wt2mcif_rd_req_ready,
    output wire [${addr_w - 1:2}:0]                cdma_wt2mcif_rd_req_addr,
    output wire [14:0]                cdma_wt2mcif_rd_req_size,     // atoms - 1
    input  wire ${wt_range}                 mcif2cdma_wt_rd_rsp_valid,    // ${wt_range_doc}cannot stall
    input  wire [${wt.atoms * atom_bits - 1:3}:0]               mcif2cdma_wt_rd_rsp_data,

    // CBUF writes, cannot stall
    output wire                       cdma2cbuf_dat_wr_valid,
    output wire [${cbuf_addr_w - 1:2}:0]                cdma2cbuf_dat_wr_addr,  // absolute entry
//% if atoms_per_entry > 1
    output wire [${atoms_per_entry - 1:2}:0]                cdma2cbuf_dat_wr_sel,   // one-hot atom of the entry
//% end
    output wire [${atom_bits - 1:3}:0]               cdma2cbuf_dat_wr_data,
    output wire                       cdma2cbuf_wt_wr_valid,
    output wire [${cbuf_addr_w - 1:2}:0]                cdma2cbuf_wt_wr_addr,   // absolute entry
//% if atoms_per_entry > 1
    output wire [${atoms_per_entry - 1:2}:0]                cdma2cbuf_wt_wr_sel,    // ${wt_sel_doc}
//% end
    output wire [${wt.atoms * atom_bits - 1:3}:0]               cdma2cbuf_wt_wr_data,
    output wire                       cdma2cbuf_flush_valid,  // clears a row of all banks
    output wire [${cbuf_row_w - 1:2}:0]                cdma2cbuf_flush_row,

    // bookkeeping with CSC, cannot stall
    output wire                       cdma2csc_dat_updt,      // one more slice is in CBUF
    output wire                       cdma2csc_wt_updt,       // one more weight entry is in CBUF
    output wire                       cdma2csc_wmb_updt,      // one more entry of masks  //% if types.masks
    input  wire                       csc2cdma_dat_rls_valid,
    input  wire [${cbuf_addr_w:2}:0]                csc2cdma_dat_rls_entries,
    input  wire                       csc2cdma_wt_rls_valid,
    input  wire [${cbuf_addr_w:2}:0]                csc2cdma_wt_rls_entries,
//% if types.masks
    input  wire                       csc2cdma_wmb_rls_valid,
    input  wire [${cbuf_addr_w:2}:0]                csc2cdma_wmb_rls_entries,
//% end
    output wire                       cdma2csc_bank_change,   // both high: bookkeeping restarts
    input  wire                       csc2cdma_bank_change,

    // interrupt events, one pulse, bit = register group
    output wire [1:0]                 cdma_dat2glb_done,
    output wire [1:0]                 cdma_wt2glb_done
);

    localparam ADDR_W = ${addr_w};
    localparam LSB    = ${atom_lsb};            // address bits inside an atom
    localparam CBUF_W = ${cbuf_addr_w};
    localparam BANK_W = ${cbuf_bank_w};
    localparam ROW_W  = ${cbuf_row_w};

    // ------------------------------------------------------------------ registers
    wire        op_en, op_done, consumer;
    wire        data_reuse, weight_reuse, skip_data_rls, skip_weight_rls;
    wire [12:0] width, height, channel;
    wire [31:0] data_addr_high, data_addr_low, line_stride, surf_stride;
    wire [31:0] weight_addr_high, weight_addr_low, weight_bytes;
    wire [13:0] entries;
    wire [17:0] byte_per_kernel;
    wire [4:0]  data_bank_field, weight_bank_field;
    ${cvt_fields}
    wire [31:0] dat_stall, wt_stall, dat_latency, wt_latency;
    wire        flush_done_q;
//% if types.masks
    wire        compressed;
    wire [31:0] wmb_addr_high, wmb_addr_low;
    wire [27:0] wmb_bytes;
    wire        wmb_busy;            // masks are under way
//% end
    ${batch_fields}
    ${winograd_fields}
    ${proc_field}
    ${fp16_fields}
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
        ${batch_reg_pins}
        ${winograd_reg_pins}
        ${proc_reg_pin}
        ${fp16_reg_pins}
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
//% if types.masks
        .d_weight_format                     (compressed),
        .d_wmb_addr_high                     (wmb_addr_high),
        .d_wmb_addr_low                      (wmb_addr_low),
        .d_wmb_bytes                         (wmb_bytes),
//% end
        ${cvt_reg_pins}
        .d_bank_data_bank                    (data_bank_field),
        .d_bank_weight_bank                  (weight_bank_field),
        .d_perf_enable_dma_en                (perf_en),
        .d_perf_dat_read_stall_dat_rd_stall  (dat_stall),
        .d_perf_wt_read_stall_wt_rd_stall    (wt_stall),
        .d_perf_dat_read_latency_dat_rd_latency (dat_latency),
        .d_perf_wt_read_latency_wt_rd_latency (wt_latency)
    );

    ${types_of_layer}
    // Zero extension first, then the slice that this configuration has.
    wire [63:0]       data_addr   = {data_addr_high, data_addr_low};
    wire [63:0]       weight_addr = {weight_addr_high, weight_addr_low};
    wire [63:0]       wmb_addr    = {wmb_addr_high, wmb_addr_low};  //% if types.masks
    wire [63:0]       line_step   = {32'd0, line_stride};
    wire [63:0]       surf_step   = {32'd0, surf_stride};
    ${batch_step}
    wire [31:0]       slice_less_1 = {18'd0, entries};
    wire [BANK_W-1:0] data_bank   = data_bank_field[BANK_W-1:0];
    wire [BANK_W-1:0] weight_bank = weight_bank_field[BANK_W-1:0];

    // ------------------------------------------------------------------ layer control
    wire start, dat_start, wt_start;
    wire dat_busy, wt_busy;
    wire tile_ending;  //% if types.winograd
    wire agreed, agreed_data;

    dla_cdma_ctrl u_ctrl (
        .clk                  (clk),
        .rst_n                (rst_n),
        .op_en                (op_en),
        .op_done              (op_done),
        .consumer             (consumer),
        .data_reuse           (data_reuse),
        .weight_reuse         (weight_reuse),
        .skip_data_rls        (skip_data_rls),
        .skip_weight_rls      (skip_weight_rls),
        .data_bank            (data_bank),
        .weight_bank          (weight_bank),
        .image                (image),  //% if image_enable
        ${ctrl_winograd_pin}
        .flush_done_q         (flush_done_q),
        .flush_valid_q        (cdma2cbuf_flush_valid),
        .flush_row_q          (cdma2cbuf_flush_row),
        .cdma2csc_bank_change_q (cdma2csc_bank_change),
        .csc2cdma_bank_change (csc2cdma_bank_change),
        .agreed               (agreed),
        .agreed_data          (agreed_data),
        .start                (start),
        .dat_start            (dat_start),
        .wt_start             (wt_start),
        .dat_busy             (dat_busy${dat_counting}${tile_ending}),
        .wt_busy              (wt_busy${wt_counting}${wmb_fetching}),
        .dat_done_q           (cdma_dat2glb_done),
        .wt_done_q            (cdma_wt2glb_done)
    );

    // ------------------------------------------------------------------ free entries
    wire            dat_take, wt_take;
    wire [CBUF_W:0] dat_free, wt_free, wt_take_less_1;
//% if types.winograd

    // Entries of a slice or of a unit of Winograd - 1.
    reg  [CBUF_W:0] dat_less_1_q;

    always @(posedge clk) begin
        dat_less_1_q <= winograd ? {slice_less_1[CBUF_W-2:0], 2'b11} : slice_less_1[CBUF_W:0];
    end
//% end

    // Room for a slice, looked at one cycle ahead: a slice that is taken in this cycle leaves room
    // for one more if there was room for two; all banks have room for at least one.
    wire dat_room_next = agreed_data ||
                         (dat_take ? {1'b0, dat_free} > {${dat_less_1}[CBUF_W:0], 1'b1}
                                   : dat_free > ${dat_less_1}[CBUF_W:0]);
//% if image_enable
    reg  dat_room_q;

    always @(posedge clk) dat_room_q <= dat_room_next;
//% end

    dla_cdma_space u_dat_space (
        .clk         (clk),
        .reload      (agreed_data),
        .reload_free ({{1'b0, data_bank} + {{BANK_W{1'b0}}, 1'b1}, {ROW_W{1'b0}}}),
        .take        (dat_take),
        .take_less_1 (${dat_less_1}[CBUF_W:0]),
        .rls_valid   (csc2cdma_dat_rls_valid),
        .rls_entries (csc2cdma_dat_rls_entries),
        .free_q      (dat_free)
    );

    dla_cdma_space u_wt_space (
        .clk         (clk),
        .reload      (agreed),
        .reload_free ({{1'b0, weight_bank} + {{BANK_W{1'b0}}, 1'b1}, {ROW_W{1'b0}}}),
        .take        (wt_take),
        .take_less_1 (wt_take_less_1),
        .rls_valid   (csc2cdma_wt_rls_valid),
        .rls_entries (csc2cdma_wt_rls_entries),
        .free_q      (wt_free)
    );

//% if types.masks
    // Masks have the last bank.
    wire            wmb_take;
    wire [CBUF_W:0] wmb_free, wmb_take_less_1;

    dla_cdma_space u_wmb_space (
        .clk         (clk),
        .reload      (agreed),
        .reload_free ({{BANK_W{1'b0}}, 1'b1, {ROW_W{1'b0}}}),
        .take        (wmb_take),
        .take_less_1 (wmb_take_less_1),
        .rls_valid   (csc2cdma_wmb_rls_valid),
        .rls_entries (csc2cdma_wmb_rls_entries),
        .free_q      (wmb_free)
    );

//% end
//% if clock_gating
    // ------------------------------------------------------------------ clock of the fetch engines
    // Stops between layers, runs during reset. Registers, layer control, free space and flush stay
    // on clk.
    wire gclk;

    clkgate u_clkgate (
        .clk     (clk),
        .en      (op_en || !rst_n),
        .test_en (clk_ovr_on),
        .gclk    (gclk)
    );

//% end
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
    ${dat_waits}

    assign dat_take                   = image ? img_take : ${or_tile_take}cube_take;
    assign cdma_dat2mcif_rd_req_valid = ${or_tile_req_valid}img_req_valid || cube_req_valid;
//% end

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
        ${batch_pins}
        .surfaces      (${surfaces}),
        .entries       (${dat_less_1}[CBUF_W-1:0]),
        .data_bank     (data_bank),
        .room_next     (dat_room_next),
//% if image_enable
        .take          (cube_take),
        .req_valid_q   (cube_req_valid),
        .image         (image${or_winograd}),
        .img_req_load  (${or_tile_load}img_req_load),
        .img_req_next  (${or_tile_next}img_req_next),
        .img_take      (${or_tile_take}img_take),
        .img_req_busy  (${or_tile_busy}img_req_busy),
        .img_line_end  (${or_tile_end}img_line_end),
        ${tile_dat_pins}
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
        .updt_q        (${dat_updt})
    );

//% if image_enable
    wire [63:0] uv_addr = {uv_addr_high, uv_addr_low};
    wire [63:0] uv_step = {32'd0, uv_stride};
    wire        wt_wr_next;  //% if !secondary_memif_enable

    dla_cdma_in u_in (
        .clk            (${gclk}),
        .clk_on         (clk),
        .rst_n          (rst_n),
        ${int8_in_pin}
        ${in_fp16_pin}
        ${out_fp16_pin}
        ${special_pins}
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
        .pad_value      (${pad_value}),
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
        .wr_valid_q     (${in_wr}_valid),
        .wr_data_q      (${in_wr}_data),
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
        .pad_value     (${tile_pad}),
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
        ${tile_hold_pin}
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
//% elif types.wide
    dla_cdma_in u_in (
        .clk            (${gclk}),
        .rst_n          (rst_n),
        ${int8_in_pin}
        ${in_fp16_pin}
        ${special_pins}
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
    // ------------------------------------------------------------------ weights
    wire              wt_outstanding;
//% if types.masks
    wire              wt_req_valid, wt_req_ready, wt_rsp_valid, wt_wr_valid;
    wire              wmb_req_valid, wmb_req_ready, wmb_rsp_valid, wmb_wr_valid;
    wire              wmb_outstanding;
    wire              rsp_wmb;           // a response has masks, not weights
    wire              rsp_two, wt_alone, wmb_alone;  //% if wt.atoms > 1
    wire [ADDR_W-1:0] wt_req_addr, wmb_req_addr;
    wire [14:0]       wt_req_size, wmb_req_size;
    wire [CBUF_W-1:0] wt_wr_addr, wmb_wr_addr;
    wire [${atoms_per_entry - 1}:0]       wt_wr_sel, wmb_wr_sel;  //% if atoms_per_entry > 1
//%   if image_enable && !secondary_memif_enable
    wire              weights_next, wmb_wr_next;

    assign wt_wr_next = weights_next || wmb_wr_next;
//%   end
//% end
//% if types.fp16
    wire [${wt.atoms * atom_bits - 1:3}:0]      wt_plain;          // without NaN

    dla_cdma_nan #(.LANES(${atom_bytes})) u_wt_nan (  //% if wt.atoms > 1
    dla_cdma_nan u_wt_nan (  //% if wt.atoms <= 1
        .clk       (${gclk}),
        .rst_n     (rst_n),
        .clear     (start),
        .active    (out_fp16),
        .flush     (nan_to_zero),
//% if wt.atoms > 1
        .in_valid  ((|mcif2cdma_wt_rd_rsp_valid)${and_not_masks}),
        .in_lanes  ({{${atom_bytes / 2}{mcif2cdma_wt_rd_rsp_valid[1]}},
                     {${atom_bytes / 2}{mcif2cdma_wt_rd_rsp_valid[0]}}}),
//% else
        .in_valid  (mcif2cdma_wt_rd_rsp_valid && !rsp_wmb),  //% if types.masks
        .in_valid  (mcif2cdma_wt_rd_rsp_valid),  //% if !types.masks
        .in_lanes  ({${atom_bytes / 2}{1'b1}}),
//% end
        .in_data   (mcif2cdma_wt_rd_rsp_data),
        .out_data  (wt_plain),
        .busy      (wt_counts),
        .nan_q     (nan_weights),
        .inf_q     (inf_weights)
    );
//% end
    wire [BANK_W-1:0] first_wt_bank = data_bank + {{(BANK_W-1){1'b0}}, 1'b1};
    wire [BANK_W-1:0] last_wt_bank  = first_wt_bank + weight_bank;

//% if secondary_memif_enable
    // Weights give way only to data from the same memory.
    wire same_memory = cdma_dat2mcif_rd_ram_type == cdma_wt2mcif_rd_ram_type;

//% end
//% if types.masks
    dla_cdma_wt_order u_wt_order (
        .clk           (${gclk}),
        .rst_n         (rst_n),
        .wt_valid      (wt_req_valid),
        .wt_ready      (wt_req_ready),
        .wt_addr       (wt_req_addr),
        .wt_size       (wt_req_size),
        .wmb_valid     (wmb_req_valid),
        .wmb_ready     (wmb_req_ready),
        .wmb_addr      (wmb_req_addr),
        .wmb_size      (wmb_req_size),
        .req_valid     (cdma_wt2mcif_rd_req_valid),
        .req_ready     (cdma_wt2mcif_rd_req_ready),
        .req_addr      (cdma_wt2mcif_rd_req_addr),
        .req_size      (cdma_wt2mcif_rd_req_size),
//%   if wt.atoms > 1
        .rsp_valid     (mcif2cdma_wt_rd_rsp_valid),
        .rsp_wmb       (rsp_wmb)
    );

    dla_cdma_pairs u_pairs (
        .clk           (${gclk}),
        .rst_n         (rst_n),
        .in_valid      (mcif2cdma_wt_rd_rsp_valid),
        .in_hit        ({rsp_wmb, !rsp_wmb}),
        .in_data       (${plain_data}),
        .alone         ({wmb_alone, wt_alone}),
        .out_valid     ({wmb_rsp_valid, wt_rsp_valid}),
        .out_two       (rsp_two),
        .wr_data_q     (cdma2cbuf_wt_wr_data)
    );
//%   else
        .rsp_late      (${rsp_late}),
        .rsp_valid     (mcif2cdma_wt_rd_rsp_valid),
        .rsp_wmb       (rsp_wmb),
        .rsp_data      (${plain_data}),
        .wt_rsp_valid  (wt_rsp_valid),
        .wmb_rsp_valid (wmb_rsp_valid),
        .wr_data_q     (cdma2cbuf_wt_wr_data)
    );
//%   end

    // The first group has as many masks as weights: a bit for one or two bytes.
    dla_cdma_wt u_wmb (
        .clk           (${gclk}),
        .rst_n         (rst_n),
        .start         (wt_start),
        .pointer_clear (agreed),
        .busy_q        (wmb_busy),
        .base          (wmb_addr[ADDR_W-1:LSB]),
        .bytes         (compressed ? {4'd0, wmb_bytes} : 32'd0),
        .group         (${group} >> 3),
        ${yield_pins}
        ${wmb_turn_pins}
        .first_bank    ({BANK_W{1'b1}}),
        .last_bank     ({BANK_W{1'b1}}),
        .free          (wmb_free),
        .take          (wmb_take),
        .take_less_1   (wmb_take_less_1),
        .req_valid     (wmb_req_valid),
        .req_ready     (wmb_req_ready),
        .req_addr      (wmb_req_addr),
        .req_size      (wmb_req_size),
        .outstanding   (wmb_outstanding),
        .rsp_valid     (wmb_rsp_valid),
//%   if wt.atoms > 1
        .rsp_two       (rsp_two),
        .alone_q       (wmb_alone),
//%   end
        .wr_valid_q    (wmb_wr_valid),
        .wr_addr       (wmb_wr_addr),
        .wr_sel_q      (wmb_wr_sel),  //% if atoms_per_entry > 1
        .updt_q        (cdma2csc_wmb_updt)
    );

    assign cdma2cbuf_wt_wr_valid = wmb_wr_valid || wt_wr_valid;
    assign cdma2cbuf_wt_wr_addr  = wmb_wr_valid ? wmb_wr_addr : wt_wr_addr;
    assign cdma2cbuf_wt_wr_sel   = wmb_wr_valid ? wmb_wr_sel : wt_wr_sel;  //% if atoms_per_entry > 1

//% elif wt.atoms > 1
    wire              wt_rsp_valid, rsp_two, wt_alone;

    dla_cdma_pairs u_pairs (
        .clk           (${gclk}),
        .rst_n         (rst_n),
        .in_valid      (mcif2cdma_wt_rd_rsp_valid),
        .in_data       (${wt_data}),
        .alone         (wt_alone),
        .out_valid     (wt_rsp_valid),
        .out_two       (rsp_two),
        .wr_data_q     (cdma2cbuf_wt_wr_data)
    );

//% end
    dla_cdma_wt u_wt (
        .clk           (${gclk}),
        .rst_n         (rst_n),
        .start         (wt_start),
        .pointer_clear (agreed),
        .busy_q        (wt_busy),
        .base          (weight_addr[ADDR_W-1:LSB]),
        .bytes         (weight_bytes),
        .group         (${group}),   // as many kernels as an atom has ${group_of}
        ${yield_pins}
        ${wt_turn_pins}
        .first_bank    (first_wt_bank),
        .last_bank     (last_wt_bank),
        .free          (wt_free),
        .take          (wt_take),
        .take_less_1   (wt_take_less_1),
//% if types.masks
        .req_valid     (wt_req_valid),
        .req_ready     (wt_req_ready),
        .req_addr      (wt_req_addr),
        .req_size      (wt_req_size),
        .outstanding   (wt_outstanding),
        .rsp_valid     (wt_rsp_valid),
//%   if wt.atoms > 1
        .rsp_two       (rsp_two),
        .alone_q       (wt_alone),
//%   end
        .wr_valid_q    (wt_wr_valid),
        .wr_addr       (wt_wr_addr),
        .wr_sel_q      (wt_wr_sel),  //% if atoms_per_entry > 1
//% else
        .req_valid     (cdma_wt2mcif_rd_req_valid),
        .req_ready     (cdma_wt2mcif_rd_req_ready),
        .req_addr      (cdma_wt2mcif_rd_req_addr),
        .req_size      (cdma_wt2mcif_rd_req_size),
        .outstanding   (wt_outstanding),
//%   if wt.atoms > 1
        .rsp_valid     (wt_rsp_valid),
        .rsp_two       (rsp_two),
        .alone_q       (wt_alone),
//%   else
        .rsp_late      (${rsp_late}),
        .rsp_valid     (mcif2cdma_wt_rd_rsp_valid),
        .rsp_data      (${wt_data}),
//%   end
        .wr_valid_q    (cdma2cbuf_wt_wr_valid),
        .wr_addr       (cdma2cbuf_wt_wr_addr),
        .wr_sel_q      (cdma2cbuf_wt_wr_sel),  //% if atoms_per_entry > 1
        .wr_data_q     (cdma2cbuf_wt_wr_data),  //% if wt.atoms == 1
//% end
        .updt_q        (cdma2csc_wt_updt)
    );

    // ------------------------------------------------------------------ counters
    dla_cdma_perf u_dat_perf (
        .clk         (${gclk}),
        .clear       (start),
        .count_en    (perf_en),
        .stalled     (cdma_dat2mcif_rd_req_valid && !cdma_dat2mcif_rd_req_ready),
        .outstanding (${or_tile_outstanding}dat_outstanding),
        .stall_q     (dat_stall),
        .latency_q   (dat_latency)
    );

    dla_cdma_perf u_wt_perf (
        .clk         (${gclk}),
        .clear       (start),
        .count_en    (perf_en),
        .stalled     (cdma_wt2mcif_rd_req_valid && !cdma_wt2mcif_rd_req_ready),
        .outstanding (wt_outstanding${wmb_coming}),
        .stall_q     (wt_stall),
        .latency_q   (wt_latency)
    );

    // Fields are wider than this configuration needs.
    wire unused_bits = &{1'b0, data_addr, weight_addr, line_step, surf_step, channel[LSB-1:0],
                         uv_addr, uv_step,${unused_padding}  //% if image_enable
                         ${unused_types}
                         ${unused_batch}
                         wmb_addr, rsp_wmb,  //% if types.masks
                         slice_less_1, data_bank_field, weight_bank_field};

endmodule

`default_nettype wire
