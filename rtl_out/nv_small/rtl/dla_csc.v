// Made by macrame 0.1.0 from templates/dla/csc/dla_csc.v
// with atomic_c=8 atomic_k=8 cacc_depth=16 cbuf_addr_w=14 cbuf_bank_w=5 cbuf_row_w=9
// clock_gating=0 cmac_cells=4 entry_bits=64 image_enable=1

// CSC: reads input and weights of a layer out of CBUF in the order in which CMAC needs them.
//
//                  .--> wl: weights, one kernel per cycle ---> CBUF ---> byte aligner --> CMAC
//     regs --> sg -|                                                              (shadow weights)
//                  '--> dl: data, one position per cycle ----> CBUF ---> pad, mask ----> CMAC
//
// sg walks over the steps (kernel group, stripe of positions, channel block, kernel row, column).
// wl loads the shadow weights of a step while dl sends the positions of the step before.
//
// Contract: one beat per cycle, also across steps, stripes and groups; a step takes as many cycles
// as the larger of its positions and kernels. A beat leaves when its input line is in CBUF, its
// weights are loaded and, if it is the last of its position, CACC has room. A layer ends when all
// of its slices and weight entries have been announced, about 10 cycles after its last beat.
// Reset: idle, all credits here, nothing in CBUF.
`default_nettype none

module dla_csc (
    input  wire                       clk,
    input  wire                       rst_n,

    // configuration bus
    input  wire                       csb2csc_valid,
    input  wire [9:0]                 csb_addr,               // word offset
    input  wire [31:0]                csb_wdata,
    input  wire                       csb_write,
    output wire [31:0]                csc2csb_rdata,

    // CDMA: what is in CBUF, what is free again; cannot stall
    input  wire                       cdma2csc_dat_updt,      // pulse: one more slice
    input  wire                       cdma2csc_wt_updt,       // pulse: one more weight entry
    output wire                       csc2cdma_dat_rls_valid,
    output wire [14:0]                csc2cdma_dat_rls_entries,
    output wire                       csc2cdma_wt_rls_valid,
    output wire [14:0]                csc2cdma_wt_rls_entries,
    input  wire                       cdma2csc_bank_change,   // both high: CBUF is empty again
    output wire                       csc2cdma_bank_change,

    // CBUF, cannot stall
    output wire                       csc2cbuf_dat_rd_valid,
    output wire [13:0]                csc2cbuf_dat_rd_addr,   // absolute entry
    input  wire                       cbuf2csc_dat_rd_valid,
    input  wire [ 63:0]               cbuf2csc_dat_rd_data,
    output wire                       csc2cbuf_wt_rd_valid,
    output wire [13:0]                csc2cbuf_wt_rd_addr,    // absolute entry
    input  wire                       cbuf2csc_wt_rd_valid,
    input  wire [ 63:0]               cbuf2csc_wt_rd_data,    // holds until the next

    // CMAC, cannot stall; half a: kernels 0 .. 3, half b: kernels 4 .. 7
    input  wire                       mac_a2csc_enabled,      // a layer may begin
    input  wire                       mac_b2csc_enabled,
    output wire                       csc2mac_a_wt_valid,
    output wire [ 3:0]                csc2mac_a_wt_sel,       // one-hot cell
    output wire [ 63:0]               csc2mac_a_wt_data,
    output wire                       csc2mac_a_dat_valid,
    output wire [ 63:0]               csc2mac_a_dat_data,
    output wire                       csc2mac_a_dat_swap,     // first beat of a step
    output wire                       csc2mac_a_dat_first,
    output wire                       csc2mac_a_dat_last,
    output wire                       csc2mac_a_dat_end,
    output wire                       csc2mac_b_wt_valid,
    output wire [ 3:0]                csc2mac_b_wt_sel,
    output wire [ 63:0]               csc2mac_b_wt_data,
    output wire                       csc2mac_b_dat_valid,
    output wire [ 63:0]               csc2mac_b_dat_data,
    output wire                       csc2mac_b_dat_swap,
    output wire                       csc2mac_b_dat_first,
    output wire                       csc2mac_b_dat_last,
    output wire                       csc2mac_b_dat_end,

    // CACC
    input  wire                       cacc2csc_credit         // pulse: room for one position more
);

    localparam CBUF_W  = 14;
    localparam ROW_W   = 9;
    localparam BANK_W  = 5;
    localparam CELLS   = 4;
    localparam DEPTH   = 16;             // positions in the delivery buffer of CACC
    localparam CRED_W  = 5;

    // ------------------------------------------------------------------ registers
    wire        op_en, op_done;
    wire        unused_consumer;                  // CSC has no interrupt
    wire        data_reuse, weight_reuse, skip_data_rls, skip_weight_rls;
    wire [12:0] width, height, channel, kernel, out_width;
    wire [4:0]  kernel_width, kernel_height, dilation_x, dilation_y, pad_left, pad_top;
    wire [2:0]  stride_x, stride_y;
    wire [13:0] entries;
    wire [31:0] weight_bytes;
    wire [20:0] atomics;
    wire [11:0] release_slices;
    wire [15:0] pad_value;
    wire [4:0]  data_bank_field, weight_bank_field;
    wire        image;
    wire [12:0] components_field;
    wire [1:0]  components = components_field[1:0];  // of a pixel, minus one
    wire [1:0]  extension;
    wire [1:0]  rows_code  = image ? {extension[1], |extension} : 2'd0;   // rows of a step - 1
    wire [1:0]  step_rows;

    dla_csc_regs u_regs (
        .clk                                    (clk),
        .rst_n                                  (rst_n),
        .csb_valid                              (csb2csc_valid),
        .csb_addr                               (csb_addr),
        .csb_wdata                              (csb_wdata),
        .csb_write                              (csb_write),
        .csb_rdata                              (csc2csb_rdata),
        .op_en                                  (op_en),
        .op_done                                (op_done),
        .consumer                               (unused_consumer),
        .d_datain_format                        (image),
        .d_datain_size_ext_1_datain_channel_ext (components_field),
        .d_post_y_extension                     (extension),
        .d_misc_cfg_data_reuse                  (data_reuse),
        .d_misc_cfg_weight_reuse                (weight_reuse),
        .d_misc_cfg_skip_data_rls               (skip_data_rls),
        .d_misc_cfg_skip_weight_rls             (skip_weight_rls),
        .d_datain_size_ext_0_datain_width_ext   (width),
        .d_datain_size_ext_0_datain_height_ext  (height),
        .d_entry_per_slice_entries              (entries),
        .d_weight_size_ext_0_weight_width_ext   (kernel_width),
        .d_weight_size_ext_0_weight_height_ext  (kernel_height),
        .d_weight_size_ext_1_weight_channel_ext (channel),
        .d_weight_size_ext_1_weight_kernel      (kernel),
        .d_weight_bytes                         (weight_bytes),
        .d_dataout_size_0_dataout_width         (out_width),
        .d_atomics                              (atomics),
        .d_release_rls_slices                   (release_slices),
        .d_conv_stride_ext_conv_x_stride_ext    (stride_x),
        .d_conv_stride_ext_conv_y_stride_ext    (stride_y),
        .d_dilation_ext_x_dilation_ext          (dilation_x),
        .d_dilation_ext_y_dilation_ext          (dilation_y),
        .d_zero_padding_pad_left                (pad_left),
        .d_zero_padding_pad_top                 (pad_top),
        .d_zero_padding_value_pad_value         (pad_value),
        .d_bank_data_bank                       (data_bank_field),
        .d_bank_weight_bank                     (weight_bank_field)
    );

    wire [BANK_W-1:0] data_bank   = data_bank_field[BANK_W-1:0];
    wire [BANK_W-1:0] weight_bank = weight_bank_field[BANK_W-1:0];
    wire [BANK_W:0]   data_banks  = {1'b0, data_bank} + {{BANK_W{1'b0}}, 1'b1};

    // ------------------------------------------------------------------ layer control
    //
    //     op_en --> banks changed? --yes--> wait for CDMA, forget contents --.
    //                    |                                                   |
    //                    no <------------------------------------------------'
    //                    v
    //                  wait until both halves of CMAC are enabled
    //                    v
    //                  start: release what the layer before left --> go --> run --> last beat
    //                                                                                    |
    //     op_done <-- count what remains <-- release slices, weights <-- all announced <-'
    reg              running_q;
    reg              go_q;
    reg              ended_q;            // the last beat was sent
    reg  [3:0]       close_q;            // closing sequence, see below
    reg              banks_valid_q;
    reg [BANK_W-1:0] prev_data_bank_q, prev_weight_bank_q;
    wire             last_beat;
    wire             slices_all;         // all lines of the layer were announced
    wire             weights_all;

    localparam [3:0] CLOSE_COUNT   = 4'd0;   // slices to release are known
    localparam [3:0] CLOSE_PRODUCT = 4'd4;   // their entries come out of the multiplier
    localparam [3:0] CLOSE_RELEASE = 4'd5;
    localparam [3:0] CLOSE_DONE    = 4'd9;   // the entries of the others come out

    wire waiting    = op_en && !running_q;
    wire data_moved = !banks_valid_q || (data_bank != prev_data_bank_q);
    wire moved      = data_moved || (weight_bank != prev_weight_bank_q);
    wire agreed     = csc2cdma_bank_change && cdma2csc_bank_change;
    wire start      = waiting && !moved && mac_a2csc_enabled && mac_b2csc_enabled;
    wire closing    = ended_q && ((close_q != CLOSE_COUNT) || (slices_all && weights_all));
    wire finish     = closing && (close_q == CLOSE_RELEASE);

    assign csc2cdma_bank_change = waiting && moved;
    assign op_done              = closing && (close_q == CLOSE_DONE);

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            running_q          <= 1'b0;
            go_q               <= 1'b0;
            ended_q            <= 1'b0;
            close_q            <= CLOSE_COUNT;
            banks_valid_q      <= 1'b0;
            prev_data_bank_q   <= {BANK_W{1'b0}};
            prev_weight_bank_q <= {BANK_W{1'b0}};
        end else begin
            if (agreed) begin
                banks_valid_q      <= 1'b1;
                prev_data_bank_q   <= data_bank;
                prev_weight_bank_q <= weight_bank;
            end
            go_q      <= start;
            running_q <= start || (running_q && !op_done);
            ended_q   <= last_beat || (ended_q && !op_done);
            if (op_done) begin
                close_q <= CLOSE_COUNT;
            end else if (closing) begin
                close_q <= close_q + 4'd1;
            end
        end
    end

    // ------------------------------------------------------------------ slices in CBUF
    reg  [CBUF_W:0]   slices_q;          // announced and not released, also of later layers
    reg  [CBUF_W-1:0] base_q;            // first entry of the oldest slice
    reg  [13:0]       count_q;           // slices to release; between layers those that remain
    reg  [CBUF_W:0]   amount_q;          // their entries
    wire [CBUF_W:0]   product;           // count_q times entries per slice, 3 cycles later
    wire [BANK_W:0]   base_bank;

    reg             prev_image_q;
    wire            keep        = data_reuse && (image == prev_image_q);
    wire            data_rls    = (start && !keep && (|count_q)) || (finish && !skip_data_rls);

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n)     prev_image_q <= 1'b0;
        else if (start) prev_image_q <= image;
    end

    wire [31:0]     count       = {18'd0, count_q};
    wire [31:0]     lines       = {19'd0, height};
    wire [CBUF_W:0] slices_less = data_rls ? slices_q - count[CBUF_W:0] : slices_q;
    wire [CBUF_W:0] base_next   = {1'b0, base_q} + amount_q;

    assign slices_all               = slices_q > lines[CBUF_W:0];
    assign csc2cdma_dat_rls_valid   = data_rls;
    assign csc2cdma_dat_rls_entries = amount_q;

    // Modulo the region, whole banks: the difference is negative if there is nothing to wrap.
    wire [BANK_W:0] base_over = base_next[CBUF_W:ROW_W] - data_banks;
    assign base_bank = base_over[BANK_W] ? base_next[CBUF_W:ROW_W] : base_over;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            slices_q <= {(CBUF_W+1){1'b0}};
            base_q   <= {CBUF_W{1'b0}};
            count_q  <= 14'd0;
        end else begin
            if (agreed && data_moved) begin
                slices_q <= {(CBUF_W+1){1'b0}};
                base_q   <= {CBUF_W{1'b0}};
                count_q  <= 14'd0;
            end else begin
                slices_q <= slices_less + {{CBUF_W{1'b0}}, cdma2csc_dat_updt};
                if (data_rls) begin
                    base_q <= {base_bank[BANK_W-1:0], base_next[ROW_W-1:0]};
                end
                if (closing && (close_q == CLOSE_COUNT)) begin
                    count_q <= skip_data_rls ? 14'd0 : {2'b00, release_slices} + 14'd1;
                end else if (finish) begin
                    count_q <= {1'b0, height} - count_q + 14'd1;
                end
            end
        end
    end

    always @(posedge clk) begin
        if (closing && ((close_q == CLOSE_PRODUCT) || (close_q == CLOSE_DONE))) begin
            amount_q <= product;
        end
    end

    // ------------------------------------------------------------------ room in CACC
    reg  [CRED_W-1:0] credit_q;
    wire              credit_take;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            credit_q <= DEPTH[CRED_W-1:0];
        end else if (cacc2csc_credit != credit_take) begin
            credit_q <= credit_q + {{(CRED_W-1){credit_take}}, 1'b1};   // - 1 or + 1
        end
    end

    // ------------------------------------------------------------------ steps
    wire              step_valid, step_first, step_last, step_group_end, step_layer_end;
    wire              step_tail_block, step_tail_group;
    wire [ 3:0]        step_length;
    wire [9:0]        step_x, step_y;
    wire [CBUF_W:0]   step_entry;
    wire              dl_take, wl_take;
    wire              dl_has, wl_has;

    dla_csc_sg u_sg (
        .clk           (clk),
        .rst_n         (rst_n),
        .start         (go_q),
        .kernel_width  (kernel_width),
        .kernel_height (kernel_height),
        .blocks        (channel[12:3]),
        .groups        (kernel[12:3]),
        .positions     (atomics),
        .dilation_x    (dilation_x),
        .dilation_y    (dilation_y),
        .width         (width),
        .image         (image),
        .rows_code     (rows_code),
        .rows          (step_rows),
        .base          (base_q),
        .dl_take       (dl_take),
        .wl_take       (wl_take),
        .dl_has_q      (dl_has),
        .wl_has_q      (wl_has),
        .valid_q       (step_valid),
        .first_q       (step_first),
        .last          (step_last),
        .group_end     (step_group_end),
        .layer_end     (step_layer_end),
        .tail_block    (step_tail_block),
        .tail_group    (step_tail_group),
        .length        (step_length),
        .x_q           (step_x),
        .y_q           (step_y),
        .entry_q       (step_entry)
    );

    // ------------------------------------------------------------------ data
    wire                swap;            // first beat of a step is on its way
    wire                wt_ready;        // its weights will be in the shadow
    wire                dat_valid, dat_swap, dat_first, dat_last, dat_end;
    wire [ 63:0]        dat_data;

    dla_csc_dl u_dl (
        .clk             (clk),
        .rst_n           (rst_n),
        .start           (go_q),
        .width           (width),
        .height          (height),
        .out_width       (out_width),
        .stride_x        (stride_x),
        .stride_y        (stride_y),
        .pad_left        (pad_left),
        .pad_top         (pad_top),
        .pad_value       (pad_value[7:0]),
        .entries         (entries),
        .channel         (channel[2:0]),
        .banks           (data_banks),
        .image           (image),
        .rows_code       (rows_code),
        .components      (components),
        .step_rows       (step_rows),
        .slices          (slices_q),
        .slices_all      (slices_all),
        .credit          (|credit_q),
        .credit_take     (credit_take),
        .step_valid      (step_valid && !dl_has),
        .step_take       (dl_take),
        .step_first      (step_first),
        .step_last       (step_last),
        .step_group_end  (step_group_end),
        .step_layer_end  (step_layer_end),
        .step_tail_block (step_tail_block),
        .step_length     (step_length),
        .step_x          (step_x),
        .step_y          (step_y),
        .step_entry      (step_entry),
        .wt_ready        (wt_ready),
        .swap            (swap),
        .last_beat       (last_beat),
        .multiply        (ended_q),
        .factor          (count_q),
        .product         (product),
        .rd_valid        (csc2cbuf_dat_rd_valid),
        .rd_addr         (csc2cbuf_dat_rd_addr),
        .rd_data         (cbuf2csc_dat_rd_data),
        .mac_valid       (dat_valid),
        .mac_data_q      (dat_data),
        .mac_swap        (dat_swap),
        .mac_first       (dat_first),
        .mac_last        (dat_last),
        .mac_end         (dat_end)
    );

    assign csc2mac_a_dat_valid = dat_valid;
    assign csc2mac_a_dat_data  = dat_data;
    assign csc2mac_a_dat_swap  = dat_swap;
    assign csc2mac_a_dat_first = dat_first;
    assign csc2mac_a_dat_last  = dat_last;
    assign csc2mac_a_dat_end   = dat_end;
    assign csc2mac_b_dat_valid = dat_valid;
    assign csc2mac_b_dat_data  = dat_data;
    assign csc2mac_b_dat_swap  = dat_swap;
    assign csc2mac_b_dat_first = dat_first;
    assign csc2mac_b_dat_last  = dat_last;
    assign csc2mac_b_dat_end   = dat_end;

    // ------------------------------------------------------------------ weights
    wire                wt_valid;
    wire [2*CELLS-1:0]  wt_sel;
    wire [ 63:0]        wt_data;

    dla_csc_wl u_wl (
        .clk             (clk),
        .rst_n           (rst_n),
        .updt            (cdma2csc_wt_updt),
        .bank_change     (agreed),
        .start           (start),
        .reuse           (weight_reuse),
        .skip_rls        (skip_weight_rls),
        .weight_bytes    (weight_bytes),
        .rows_code       (rows_code),
        .step_rows       (step_rows),
        .channel         (channel[2:0]),
        .kernel          (kernel[2:0]),
        .data_banks      (data_banks),
        .weight_bank     (weight_bank),
        .finish          (finish),
        .announced       (weights_all),
        .step_valid      (step_valid && !wl_has),
        .step_take       (wl_take),
        .step_last       (step_last),
        .step_group_end  (step_group_end),
        .step_tail_block (step_tail_block),
        .step_tail_group (step_tail_group),
        .swap            (swap),
        .ready           (wt_ready),
        .rls_valid       (csc2cdma_wt_rls_valid),
        .rls_entries_q   (csc2cdma_wt_rls_entries),
        .rd_valid_q      (csc2cbuf_wt_rd_valid),
        .rd_addr_q       (csc2cbuf_wt_rd_addr),
        .rd_rsp_valid    (cbuf2csc_wt_rd_valid),
        .rd_rsp_data     (cbuf2csc_wt_rd_data),
        .mac_valid       (wt_valid),
        .mac_sel_q       (wt_sel),
        .mac_data_q      (wt_data)
    );

    assign csc2mac_a_wt_valid = wt_valid && (|wt_sel[CELLS-1:0]);
    assign csc2mac_a_wt_sel   = wt_sel[CELLS-1:0];
    assign csc2mac_a_wt_data  = wt_data;
    assign csc2mac_b_wt_valid = wt_valid && (|wt_sel[2*CELLS-1:CELLS]);
    assign csc2mac_b_wt_sel   = wt_sel[2*CELLS-1:CELLS];
    assign csc2mac_b_wt_data  = wt_data;

    // Fields are wider than this configuration needs; the latency of CBUF is fixed.
    wire unused_components = &{1'b0, components_field[12:2]};
    wire unused_bits = &{1'b0, data_bank_field, weight_bank_field, pad_value[15:8],
                         cbuf2csc_dat_rd_valid, base_bank[BANK_W], count, lines};

endmodule

`default_nettype wire
