// Made by macrame 0.1.0 from templates/dla/cdma/dla_cdma.v
// with addr_w=32 atom_bits=64 atom_lsb=3 atoms_per_entry=1 batch_enable=0 cbuf_addr_w=14
// cbuf_bank_w=5 cbuf_row_w=9 clock_gating=0 image_enable=1 secondary_memif_enable=0 types16=0

// CDMA: fetches the input cube and the weights of a layer into CBUF, converting data on the way.
//
// Int8 feature cubes of direct convolution, and images of 8-bit pixels in one or two planes.
// Data and weights are fetched in parallel, each as far as CBUF has room; a layer is over when both
// are in CBUF, and the next may start one cycle later.
// Throughput: one atom per cycle on either side; nothing but missing space or the memory stalls it.
// Images: one pixel per cycle; weights take no more than half of the memory's cycles meanwhile.
// Latency: op_en to first request 2 cycles, weights 3; response to CBUF write 1 cycle (data with
// CVT_EN: 4; of pixels two more), slice or entry announced to CSC one cycle later. A bank change
// adds the rendezvous with CSC.
// After reset all of CBUF is cleared, one row per cycle; a layer waits for the end of that.
`default_nettype none

module dla_cdma (
    input  wire                       clk,
    input  wire                       rst_n,

    // register access
    input  wire                       csb2cdma_valid,
    input  wire [9:0]                 csb_addr,               // word offset
    input  wire [31:0]                csb_wdata,
    input  wire                       csb_write,
    output wire [31:0]                cdma2csb_rdata,         // 0 unless a read was requested

    // memory reads
    output wire                       cdma_dat2mcif_rd_req_valid,
    input  wire                       cdma_dat2mcif_rd_req_ready,
    output wire [31:0]                cdma_dat2mcif_rd_req_addr,
    output wire [14:0]                cdma_dat2mcif_rd_req_size,    // atoms - 1
    input  wire                       mcif2cdma_dat_rd_rsp_valid,   // cannot stall
    input  wire [ 63:0]               mcif2cdma_dat_rd_rsp_data,
    output wire                       cdma_wt2mcif_rd_req_valid,
    input  wire                       cdma_wt2mcif_rd_req_ready,
    output wire [31:0]                cdma_wt2mcif_rd_req_addr,
    output wire [14:0]                cdma_wt2mcif_rd_req_size,     // atoms - 1
    input  wire                       mcif2cdma_wt_rd_rsp_valid,    // cannot stall
    input  wire [ 63:0]               mcif2cdma_wt_rd_rsp_data,

    // CBUF writes, cannot stall
    output wire                       cdma2cbuf_dat_wr_valid,
    output wire [13:0]                cdma2cbuf_dat_wr_addr,  // absolute entry
    output wire [ 63:0]               cdma2cbuf_dat_wr_data,
    output wire                       cdma2cbuf_wt_wr_valid,
    output wire [13:0]                cdma2cbuf_wt_wr_addr,   // absolute entry
    output wire [ 63:0]               cdma2cbuf_wt_wr_data,
    output wire                       cdma2cbuf_flush_valid,  // clears a row of all banks
    output wire [ 8:0]                cdma2cbuf_flush_row,

    // bookkeeping with CSC, cannot stall
    output wire                       cdma2csc_dat_updt,      // one more slice is in CBUF
    output wire                       cdma2csc_wt_updt,       // one more weight entry is in CBUF
    input  wire                       csc2cdma_dat_rls_valid,
    input  wire [14:0]                csc2cdma_dat_rls_entries,
    input  wire                       csc2cdma_wt_rls_valid,
    input  wire [14:0]                csc2cdma_wt_rls_entries,
    output wire                       cdma2csc_bank_change,   // both high: bookkeeping restarts
    input  wire                       csc2cdma_bank_change,

    // interrupt events, one pulse, bit = register group
    output wire [1:0]                 cdma_dat2glb_done,
    output wire [1:0]                 cdma_wt2glb_done
);

    localparam ADDR_W = 32;
    localparam LSB    = 3;            // address bits inside an atom
    localparam CBUF_W = 14;
    localparam BANK_W = 5;
    localparam ROW_W  = 9;

    // ------------------------------------------------------------------ registers
    wire        op_en, op_done, consumer;
    wire        data_reuse, weight_reuse, skip_data_rls, skip_weight_rls;
    wire [12:0] width, height, channel;
    wire [31:0] data_addr_high, data_addr_low, line_stride, surf_stride;
    wire [31:0] weight_addr_high, weight_addr_low, weight_bytes;
    wire [13:0] entries;
    wire [17:0] byte_per_kernel;
    wire [4:0]  data_bank_field, weight_bank_field;
    wire        cvt_en, perf_en;
    wire [5:0]  cvt_truncate;
    wire [15:0] cvt_offset, cvt_scale;
    wire [31:0] dat_stall, wt_stall, dat_latency, wt_latency;
    wire        flush_done_q;
    wire        image, mean_en, is_signed;
    wire [5:0]  pixel_format;
    wire [4:0]  x_offset, pad_left;
    wire [5:0]  pad_right;
    wire [15:0] pad_value;
    wire [31:0] uv_addr_high, uv_addr_low, uv_stride;
    wire [15:0] mean_0, mean_1, mean_2, mean_3;

    dla_cdma_regs u_regs (
        .clk                                 (clk),
        .rst_n                               (rst_n),
        .csb_valid                           (csb2cdma_valid),
        .csb_addr                            (csb_addr),
        .csb_wdata                           (csb_wdata),
        .csb_write                           (csb_write),
        .csb_rdata                           (cdma2csb_rdata),
        .op_en                               (op_en),
        .op_done                             (op_done),
        .consumer                            (consumer),
        .s_cbuf_flush_status_flush_done      (flush_done_q),
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
        .d_cvt_cfg_cvt_en                    (cvt_en),
        .d_cvt_cfg_cvt_truncate              (cvt_truncate),
        .d_cvt_offset                        (cvt_offset),
        .d_cvt_scale                         (cvt_scale),
        .d_bank_data_bank                    (data_bank_field),
        .d_bank_weight_bank                  (weight_bank_field),
        .d_perf_enable_dma_en                (perf_en),
        .d_perf_dat_read_stall_dat_rd_stall  (dat_stall),
        .d_perf_wt_read_stall_wt_rd_stall    (wt_stall),
        .d_perf_dat_read_latency_dat_rd_latency (dat_latency),
        .d_perf_wt_read_latency_wt_rd_latency (wt_latency)
    );

    // Zero extension first, then the slice that this configuration has.
    wire [63:0]       data_addr   = {data_addr_high, data_addr_low};
    wire [63:0]       weight_addr = {weight_addr_high, weight_addr_low};
    wire [63:0]       line_step   = {32'd0, line_stride};
    wire [63:0]       surf_step   = {32'd0, surf_stride};
    wire [31:0]       slice_less_1 = {18'd0, entries};
    wire [BANK_W-1:0] data_bank   = data_bank_field[BANK_W-1:0];
    wire [BANK_W-1:0] weight_bank = weight_bank_field[BANK_W-1:0];

    // ------------------------------------------------------------------ layer control
    wire start, dat_start, wt_start;
    wire dat_busy, wt_busy;
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
        .image                (image),
        .flush_done_q         (flush_done_q),
        .flush_valid_q        (cdma2cbuf_flush_valid),
        .flush_row_q          (cdma2cbuf_flush_row),
        .cdma2csc_bank_change_q (cdma2csc_bank_change),
        .csc2cdma_bank_change (csc2cdma_bank_change),
        .agreed               (agreed),
        .agreed_data          (agreed_data),
        .start                (start),
        .dat_start_q          (dat_start),
        .wt_start_q           (wt_start),
        .dat_busy             (dat_busy),
        .wt_busy              (wt_busy),
        .dat_done_q           (cdma_dat2glb_done),
        .wt_done_q            (cdma_wt2glb_done)
    );

    // ------------------------------------------------------------------ free entries
    wire            dat_take, wt_take;
    wire [CBUF_W:0] dat_free, wt_free, wt_take_less_1;

    // Room for a slice, looked at one cycle ahead: a slice that is taken in this cycle leaves room
    // for one more if there was room for two; all banks have room for at least one.
    wire dat_room_next = agreed_data ||
                         (dat_take ? {1'b0, dat_free} > {slice_less_1[CBUF_W:0], 1'b1}
                                   : dat_free > slice_less_1[CBUF_W:0]);
    reg  dat_room_q;

    always @(posedge clk) dat_room_q <= dat_room_next;

    dla_cdma_space u_dat_space (
        .clk         (clk),
        .reload      (agreed_data),
        .reload_free ({{1'b0, data_bank} + {{BANK_W{1'b0}}, 1'b1}, {ROW_W{1'b0}}}),
        .take        (dat_take),
        .take_less_1 (slice_less_1[CBUF_W:0]),
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

    // ------------------------------------------------------------------ data
    wire              dat_outstanding;
    wire              cube_take, cube_req_valid, img_take, img_req_valid, img_req_busy;
    wire              img_req_load;
    wire [ADDR_W-LSB-1:0] img_req_next;
    wire              img_line_end;
    wire              img_pending;      // pixels wait: weights leave them time

    assign dat_take                   = image ? img_take : cube_take;
    assign cdma_dat2mcif_rd_req_valid = img_req_valid || cube_req_valid;

    dla_cdma_dat u_dat (
        .clk           (clk),
        .rst_n         (rst_n),
        .start         (dat_start),
        .pointer_clear (agreed_data),
        .busy_q        (dat_busy),
        .base          (data_addr[ADDR_W-1:LSB]),
        .line_stride   (line_step[ADDR_W-1:LSB]),
        .surf_stride   (surf_step[ADDR_W-1:LSB]),
        .width         (width),
        .height        (height),
        .surfaces      (channel[12:LSB]),
        .entries       (slice_less_1[CBUF_W-1:0]),
        .data_bank     (data_bank),
        .room_next     (dat_room_next),
        .take          (cube_take),
        .req_valid_q   (cube_req_valid),
        .image         (image),
        .img_req_load  (img_req_load),
        .img_req_next  (img_req_next),
        .img_take      (img_take),
        .img_req_busy  (img_req_busy),
        .img_line_end  (img_line_end),
        .req_ready     (cdma_dat2mcif_rd_req_ready),
        .req_addr      (cdma_dat2mcif_rd_req_addr),
        .req_size      (cdma_dat2mcif_rd_req_size),
        .outstanding   (dat_outstanding),
        .wr_valid      (cdma2cbuf_dat_wr_valid),
        .wr_addr       (cdma2cbuf_dat_wr_addr),
        .updt_q        (cdma2csc_dat_updt)
    );

    wire [63:0] uv_addr = {uv_addr_high, uv_addr_low};
    wire [63:0] uv_step = {32'd0, uv_stride};
    wire        wt_wr_next;

    dla_cdma_in u_in (
        .clk            (clk),
        .clk_on         (clk),
        .rst_n          (rst_n),
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
        .pad_value      (pad_value[7:0]),
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
        .wt_wr_next     (wt_wr_next),
        .wr_valid_q     (cdma2cbuf_dat_wr_valid),
        .wr_data_q      (cdma2cbuf_dat_wr_data),
        .line_end       (img_line_end)
    );

    // ------------------------------------------------------------------ weights
    wire              wt_outstanding;
    // Banks stand one cycle before op_en.
    reg  [BANK_W-1:0] first_wt_bank_q, last_wt_bank_q;

    always @(posedge clk) begin
        first_wt_bank_q <= data_bank + {{(BANK_W-1){1'b0}}, 1'b1};
        last_wt_bank_q  <= data_bank + weight_bank + {{(BANK_W-1){1'b0}}, 1'b1};
    end

    dla_cdma_wt u_wt (
        .clk           (clk),
        .rst_n         (rst_n),
        .start         (wt_start),
        .pointer_clear (agreed),
        .busy_q        (wt_busy),
        .base          (weight_addr[ADDR_W-1:LSB]),
        .bytes         (weight_bytes),
        .group         (byte_per_kernel),   // as many kernels as an atom has bytes
        .yield_to      (cdma_dat2mcif_rd_req_valid || (image && img_pending)),
        .pixels        (image && img_pending),
        .wr_next       (wt_wr_next),
        .first_bank    (first_wt_bank_q),
        .last_bank     (last_wt_bank_q),
        .free          (wt_free),
        .take          (wt_take),
        .take_less_1   (wt_take_less_1),
        .req_valid     (cdma_wt2mcif_rd_req_valid),
        .req_ready     (cdma_wt2mcif_rd_req_ready),
        .req_addr      (cdma_wt2mcif_rd_req_addr),
        .req_size      (cdma_wt2mcif_rd_req_size),
        .outstanding   (wt_outstanding),
        .rsp_late      (cvt_en),
        .rsp_valid     (mcif2cdma_wt_rd_rsp_valid),
        .rsp_data      (mcif2cdma_wt_rd_rsp_data),
        .wr_valid_q    (cdma2cbuf_wt_wr_valid),
        .wr_addr       (cdma2cbuf_wt_wr_addr),
        .wr_data_q     (cdma2cbuf_wt_wr_data),
        .updt_q        (cdma2csc_wt_updt)
    );

    // ------------------------------------------------------------------ counters
    dla_cdma_perf u_dat_perf (
        .clk         (clk),
        .clear       (start),
        .count_en    (perf_en),
        .stalled     (cdma_dat2mcif_rd_req_valid && !cdma_dat2mcif_rd_req_ready),
        .outstanding (dat_outstanding),
        .stall_q     (dat_stall),
        .latency_q   (dat_latency)
    );

    dla_cdma_perf u_wt_perf (
        .clk         (clk),
        .clear       (start),
        .count_en    (perf_en),
        .stalled     (cdma_wt2mcif_rd_req_valid && !cdma_wt2mcif_rd_req_ready),
        .outstanding (wt_outstanding),
        .stall_q     (wt_stall),
        .latency_q   (wt_latency)
    );

    // Fields are wider than this configuration needs.
    wire unused_bits = &{1'b0, data_addr, weight_addr, line_step, surf_step, channel[LSB-1:0],
                         uv_addr, uv_step, pad_value[15:8],
                         slice_less_1, data_bank_field, weight_bank_field};

`ifdef MACRAME_ASSERT
    // ------------------------------------------------------------------ rules of the ports
    assert_link #(.W(47)) a_cdma_dat2mcif_rd_req (
        .clk(clk), .rst_n(rst_n), .valid(cdma_dat2mcif_rd_req_valid),
        .ready(cdma_dat2mcif_rd_req_ready),
        .payload({cdma_dat2mcif_rd_req_addr, cdma_dat2mcif_rd_req_size})
    );
    assert_link #(.W(47)) a_cdma_wt2mcif_rd_req (
        .clk(clk), .rst_n(rst_n), .valid(cdma_wt2mcif_rd_req_valid),
        .ready(cdma_wt2mcif_rd_req_ready),
        .payload({cdma_wt2mcif_rd_req_addr, cdma_wt2mcif_rd_req_size})
    );
`endif

endmodule

`default_nettype wire
