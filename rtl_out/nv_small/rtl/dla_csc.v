// Made by macrame 0.1.0 from templates/dla/csc/dla_csc.v
// with atomic_c=8 atomic_k=8 atoms_per_entry=1 cacc_depth=16 cbuf_addr_w=14 cbuf_bank_w=5
// clock_gating=0 cmac_cells=4 csc_latency=10 entry_bits=64 image_enable=1 types16=0

// CSC: reads input and weights of a layer out of CBUF in the order in which CMAC needs them.
//
//                  .--> wl: weights, one kernel per cycle ---> CBUF ---> byte aligner --> CMAC
//     cfg --> sg --|                                                              (shadow weights)
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
    localparam BANK_W  = 5;
    localparam CELLS   = 4;
    localparam DEPTH   = 16;             // positions in the delivery buffer of CACC
    localparam CRED_W  = 5;

    // ------------------------------------------------------------------ configuration
    wire              op_en, op_done;
    reg               idle_q;            // no layer
    wire              data_reuse, weight_reuse, skip_data_rls, skip_weight_rls;
    wire [12:0]       width, height, channel, kernel, out_width, release_count;
    wire [4:0]        kernel_width, kernel_height;
    wire [20:0]       positions;
    wire [BANK_W-1:0] data_bank, weight_bank;
    wire [7:0]        pad_value;
    wire [9:0]        column_step, row_step;
    wire [CBUF_W:0]   block_step, weight_entries;
    wire [14:0]       per_slice, y_step, origin_y;
    wire [15:0]       x_step, origin_x;
    wire [ 7:0]       tail_off;
    wire [BANK_W:0]   data_banks = {1'b0, data_bank} + {{BANK_W{1'b0}}, 1'b1};
    wire              image;
    wire [1:0]        rows_code;

    dla_csc_cfg u_cfg (
        .clk               (clk),
        .rst_n             (rst_n),
        .csb_valid         (csb2csc_valid),
        .csb_addr          (csb_addr),
        .csb_wdata         (csb_wdata),
        .csb_write         (csb_write),
        .csb_rdata         (csc2csb_rdata),
        .load              (idle_q),
        .op_en             (op_en),
        .op_done           (op_done),
        .data_reuse_q      (data_reuse),
        .weight_reuse_q    (weight_reuse),
        .skip_data_rls_q   (skip_data_rls),
        .skip_weight_rls_q (skip_weight_rls),
        .width_q           (width),
        .height_q          (height),
        .channel_q         (channel),
        .kernel_q          (kernel),
        .out_width_q       (out_width),
        .kernel_width_q    (kernel_width),
        .kernel_height_q   (kernel_height),
        .positions_q       (positions),
        .release_q         (release_count),
        .data_bank_q       (data_bank),
        .weight_bank_q     (weight_bank),
        .pad_value_q       (pad_value),
        .column_step_q     (column_step),
        .row_step_q        (row_step),
        .block_step_q      (block_step),
        .per_slice_q       (per_slice),
        .x_step_q          (x_step),
        .y_step_q          (y_step),
        .origin_x_q        (origin_x),
        .origin_y_q        (origin_y),
        .tail_off_q        (tail_off),
        .image_q           (image),
        .rows_code_q       (rows_code),
        .weight_entries_q  (weight_entries)
    );

    // ------------------------------------------------------------------ layer control
    //
    //                     .--------------------------------------------------------.
    //                     v                                                        |
    //     idle --op_en--> check --banks changed--> agree: wait for CDMA, forget contents
    //                       |
    //                       v
    //                     arm: wait until both halves of CMAC are enabled
    //                       v
    //                     start: release what the layer before left --> go --> run --> last beat
    //                                                                                      |
    //     op_done <-- count what remains <-- release slices, weights <-- all announced <---'
    reg              check_q, agree_q, arm_q;
    reg              enabled_q;          // both halves of CMAC are
    reg  [2:0]       settle_q;           // start with a release: its bookkeeping takes 3 cycles
    reg              go_q;
    reg              ended_q;            // the last beat was sent
    reg  [4:0]       close_q;            // closing sequence, see below
    reg              banks_valid_q;
    reg              data_moved_q;
    reg              data_left_q, weights_left_q;   // and not wanted
    reg [BANK_W-1:0] prev_data_bank_q, prev_weight_bank_q;
    reg              prev_image_q;
    wire             last_beat;
    wire             slices_all;         // all lines of the layer were announced
    wire             weights_all;
    wire [13:0]      count;              // slices to release; between layers those that remain
    wire             weights_left;       // between layers: some remain

    // The next layer may not begin before the last beat is at CMAC, which ends its layer then;
    // until then the engines work. CMAC's enable is low a cycle later, enabled_q two, or three with
    // retiming-enable; the earliest `start` comes three cycles behind op_done, just in time.
    localparam [4:0] CLOSE_COUNT   = 5'd0;   // slices to release are known
    localparam [4:0] CLOSE_PRODUCT = 5'd4;   // their entries come out of the multiplier
    localparam [4:0] CLOSE_RELEASE = 5'd5;
    localparam [4:0] CLOSE_DONE    = 5'd9;   // from 9 on: the entries of the others

    wire data_moved   = !banks_valid_q || (data_bank != prev_data_bank_q);
    wire moved        = data_moved || (weight_bank != prev_weight_bank_q);
    wire agreed       = agree_q && cdma2csc_bank_change;
    wire start        = arm_q && enabled_q;
    wire rest_data    = start && data_left_q;
    wire rest_weights = start && weights_left_q;
    wire rest         = rest_data || rest_weights;
    wire closing      = ended_q && ((close_q != CLOSE_COUNT) || (slices_all && weights_all));
    wire finish       = closing && (close_q == CLOSE_RELEASE);
    wire keep         = data_reuse && (image == prev_image_q);

    assign csc2cdma_bank_change = agree_q;
    assign op_done              = closing && (close_q == CLOSE_DONE);

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            idle_q             <= 1'b1;
            check_q            <= 1'b0;
            agree_q            <= 1'b0;
            arm_q              <= 1'b0;
            settle_q           <= 3'd0;
            go_q               <= 1'b0;
            ended_q            <= 1'b0;
            close_q            <= CLOSE_COUNT;
            banks_valid_q      <= 1'b0;
            prev_data_bank_q   <= {BANK_W{1'b0}};
            prev_weight_bank_q <= {BANK_W{1'b0}};
            prev_image_q       <= 1'b0;
        end else begin
            idle_q   <= op_done || (idle_q && !op_en);
            check_q  <= (idle_q && op_en) || agreed;
            agree_q  <= (check_q && moved) || (agree_q && !cdma2csc_bank_change);
            arm_q    <= (check_q && !moved) || (arm_q && !start);
            settle_q <= {settle_q[1:0], rest};
            go_q     <= (start && !rest) || settle_q[2];
            ended_q  <= last_beat || (ended_q && !op_done);
            if (agreed) begin
                banks_valid_q      <= 1'b1;
                prev_data_bank_q   <= data_bank;
                prev_weight_bank_q <= weight_bank;
            end
            if (start) prev_image_q <= image;
            if (op_done) begin
                close_q <= CLOSE_COUNT;
            end else if (closing) begin
                close_q <= close_q + 5'd1;
            end
        end
    end

    always @(posedge clk) begin
        if (check_q) data_moved_q <= data_moved;
        enabled_q      <= mac_a2csc_enabled && mac_b2csc_enabled;
        data_left_q    <= !keep && (|count);
        weights_left_q <= !weight_reuse && weights_left;
    end

    // ------------------------------------------------------------------ slices in CBUF
    wire [CBUF_W:0]   slices;            // announced and not released, also of later layers
    wire [CBUF_W-1:0] base;              // first entry of the oldest slice
    wire [CBUF_W:0]   product;           // count times entries per slice, 3 cycles later

    dla_csc_lines u_lines (
        .clk           (clk),
        .rst_n         (rst_n),
        .clear         (agreed && data_moved_q),
        .updt          (cdma2csc_dat_updt),
        .height        (height),
        .data_bank     (data_bank),
        .count         (closing && (close_q == CLOSE_COUNT)),
        .release_count (release_count & {13{!skip_data_rls}}),
        .load_amount   (closing && ((close_q == CLOSE_PRODUCT) || (close_q == CLOSE_DONE))),
        .product       (product),
        .release_now   (rest_data || (finish && !skip_data_rls)),
        .remain        (finish),
        .count_q       (count),
        .slices_q      (slices),
        .all_q         (slices_all),
        .base_q        (base),
        .rls_valid_q   (csc2cdma_dat_rls_valid),
        .amount_q      (csc2cdma_dat_rls_entries)
    );

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
    wire              dl_valid, dl_take, wl_valid, wl_take;
    wire              dl_first, dl_last, dl_group_end, dl_layer_end, dl_tail_block;
    wire [ 3:0]       dl_length;
    wire [9:0]        dl_x, dl_y;
    wire [CBUF_W:0]   dl_entry;
    wire              wl_last, wl_group_end, wl_tail_block, wl_tail_group;
    wire [1:0]        dl_rows, wl_rows;

    dla_csc_steps u_steps (
        .clk           (clk),
        .rst_n         (rst_n),
        .start         (go_q),
        .kernel_width  (kernel_width),
        .kernel_height (kernel_height),
        .blocks        (channel[12:3]),
        .groups        (kernel[12:3]),
        .positions     (positions),
        .column_step   (column_step),
        .row_step      (row_step),
        .block_step    (block_step),
        .rows_code     (rows_code),
        .dl_rows       (dl_rows),
        .wl_rows       (wl_rows),
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
    wire [ 63:0]        dat_data;

    dla_csc_dl u_dl (
        .clk             (clk),
        .rst_n           (rst_n),
        .start           (go_q),
        .width           (width),
        .height          (height),
        .out_width       (out_width),
        .x_step          (x_step),
        .y_step          (y_step),
        .origin_x        (origin_x),
        .origin_y        (origin_y),
        .pad_value       (pad_value),
        .per_slice       (per_slice),
        .tail_off        (tail_off),
        .banks           (data_banks),
        .image           (image),
        .channel         (channel[2:0]),
        .rows_code       (rows_code),
        .step_rows       (dl_rows),
        .slices          (slices),
        .slices_all      (slices_all),
        .credit          (|credit_q),
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
    wire [ 63:0]        wt_data;

    dla_csc_wl u_wl (
        .clk             (clk),
        .rst_n           (rst_n),
        .updt            (cdma2csc_wt_updt),
        .bank_change     (agreed),
        .release_rest    (rest_weights),
        .start           (go_q),
        .finish          (finish),
        .rest            (weights_left),
        .announced       (weights_all),
        .skip_rls        (skip_weight_rls),
        .entries         (weight_entries),
        .rows_code       (rows_code),
        .step_rows       (wl_rows),
        .channel         (channel[2:0]),
        .kernel          (kernel[2:0]),
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

    // The latency of CBUF is fixed.
    wire unused_bits = &{1'b0, cbuf2csc_dat_rd_valid};

endmodule

`default_nettype wire
