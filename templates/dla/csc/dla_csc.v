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
// of its slices and weight entries have been announced, about ${max(10, csc_latency)} cycles after its last beat.
// Layers of Winograd end ${skew.shortest} cycles later, those of fp16 ${skew.longest}.  //% if types.fp_and_int
// Layers of Winograd end ${skew.longest} cycles later.  //% if types.winograd && !types.fp_and_int
// Reset: idle, all credits here, nothing in CBUF.
`default_nettype none

module dla_csc (
    input  wire                       clk,
    input  wire                       rst_n,
    input  wire                       clk_ovr_on,             // 1: gated clocks always run  //% if clock_gating

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
    output wire [${cbuf_addr_w:2}:0]                csc2cdma_dat_rls_entries,
    output wire                       csc2cdma_wt_rls_valid,
    output wire [${cbuf_addr_w:2}:0]                csc2cdma_wt_rls_entries,
//% if types.sparsity_masks
    input  wire                       cdma2csc_wmb_updt,      // pulse: one more entry of masks
    output wire                       csc2cdma_wmb_rls_valid,
    output wire [${cbuf_addr_w:2}:0]                csc2cdma_wmb_rls_entries,
//% end
    input  wire                       cdma2csc_bank_change,   // both high: CBUF is empty again
    output wire                       csc2cdma_bank_change,

    // CBUF, cannot stall
    output wire                       csc2cbuf_dat_rd_valid,
    output wire [${cbuf_addr_w - 1:2}:0]                csc2cbuf_dat_rd_addr,   // absolute entry
    input  wire                       cbuf2csc_dat_rd_valid,
    input  wire [${entry_bits - 1:3}:0]               cbuf2csc_dat_rd_data,
    output wire                       csc2cbuf_wt_rd_valid,
    output wire [${cbuf_addr_w - 1:2}:0]                csc2cbuf_wt_rd_addr,    // absolute entry
    input  wire                       cbuf2csc_wt_rd_valid,
    input  wire [${entry_bits - 1:3}:0]               cbuf2csc_wt_rd_data,    // holds until the next
//% if types.sparsity_masks
    output wire                       csc2cbuf_wmb_rd_valid,
    output wire [${cbuf_row_w - 1:2}:0]                csc2cbuf_wmb_rd_row,    // of the last bank
    input  wire                       cbuf2csc_wmb_rd_valid,
    input  wire [${entry_bits - 1:3}:0]               cbuf2csc_wmb_rd_data,   // holds until the next
//% end

//% if types.mix
    // CMAC, cannot stall; a cell has one kernel or two of int8, half a the lower ones
//% else
    // CMAC, cannot stall; half a: kernels 0 .. ${cmac_cells - 1}, half b: kernels ${cmac_cells} .. ${atomic_k - 1}
//% end
    input  wire                       mac_a2csc_enabled,      // a layer may begin
    input  wire                       mac_b2csc_enabled,
    output wire                       csc2mac_a_wt_valid,
    output wire [${cmac_cells - 1:2}:0]                csc2mac_a_wt_sel,       // one-hot cell
    output wire [${entry_bits - 1:3}:0]               csc2mac_a_wt_data,
    output wire                       csc2mac_a_dat_valid,
    output wire [${entry_bits - 1:3}:0]               csc2mac_a_dat_data,
    output wire                       csc2mac_a_dat_swap,     // first beat of a step
    output wire                       csc2mac_a_dat_first,
    output wire                       csc2mac_a_dat_last,
    output wire                       csc2mac_a_dat_end,
    output wire                       csc2mac_b_wt_valid,
    output wire [${cmac_cells - 1:2}:0]                csc2mac_b_wt_sel,
    output wire [${entry_bits - 1:3}:0]               csc2mac_b_wt_data,
    output wire                       csc2mac_b_dat_valid,
    output wire [${entry_bits - 1:3}:0]               csc2mac_b_dat_data,
    output wire                       csc2mac_b_dat_swap,
    output wire                       csc2mac_b_dat_first,
    output wire                       csc2mac_b_dat_last,
    output wire                       csc2mac_b_dat_end,

    // CACC
    input  wire                       cacc2csc_credit         // pulse: room for one position more
);

    localparam CBUF_W  = ${cbuf_addr_w};
    localparam BANK_W  = ${cbuf_bank_w};
    localparam CELLS   = ${cmac_cells};
    localparam DEPTH   = ${cacc_depth};             // positions in the delivery buffer of CACC
    localparam CRED_W  = ${clog2(cacc_depth) + 1};

    // ------------------------------------------------------------------ configuration
    wire              op_en, op_done;
    reg               idle_q;            // no layer
    wire              data_reuse, weight_reuse, skip_data_rls, skip_weight_rls;
    wire [12:0]       width, height, ${types.winograd ? "" : "channel, "}kernel, out_width, release_count;
    wire [16:0]       channel;  //% if types.winograd
    wire [4:0]        kernel_width, kernel_height;
    wire [${20 + 5 * types.batch}:0]       positions;
    wire              winograd;  //% if types.winograd
    wire              fp;  //% if types.fp_and_int
    wire [1:0]        truncate;  //% if types.winograd && types.integers
    wire [4:0]        batches;  //% if types.beats
    wire [2:0]        batch_w;  //% if types.beats
    wire [12:0]       slices_less_1;  //% if types.batch
    wire [14:0]       per_line;  //% if types.batch
    wire              compressed;  //% if types.sparsity_masks
    wire [CBUF_W:0]   mask_entries;  //% if types.sparsity_masks
    wire [BANK_W-1:0] data_bank, weight_bank;
    wire [15:0]       pad_value;  //% if types16
    wire [7:0]        pad_value;  //% if !types16
    wire              int8;  //% if types.mix
    wire [9:0]        column_step, row_step;
    wire [CBUF_W:0]   block_step, weight_entries;
    wire [14:0]       per_slice, y_step, origin_y;
    wire [${15 + image_enable + types.x_more - 1:2}:0]       x_step, origin_x;
    wire [${atomic_c - 1:2}:0]       tail_off;
    wire [BANK_W:0]   data_banks = {1'b0, data_bank} + {{BANK_W{1'b0}}, 1'b1};
    wire              by_2, by_4;  //% if atoms_per_entry > 1
//% if image_enable
    wire              image;
    wire [1:0]        rows_code;
//% end

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
        .winograd_q        (winograd),  //% if types.winograd
        .fp_q              (fp),  //% if types.fp_and_int
        .truncate_q        (truncate),  //% if types.winograd && types.integers
        .batches_q         (batches),  //% if types.beats
        .batch_w_q         (batch_w),  //% if types.beats
        .slices_q          (slices_less_1),  //% if types.batch
        .per_line_q        (per_line),  //% if types.batch
        .compressed_q      (compressed),  //% if types.sparsity_masks
        .mask_entries_q    (mask_entries),  //% if types.sparsity_masks
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
        .int8_q            (int8),  //% if types.mix
        .column_step_q     (column_step),
        .row_step_q        (row_step),
        .block_step_q      (block_step),
        .per_slice_q       (per_slice),
        .x_step_q          (x_step),
        .y_step_q          (y_step),
        .origin_x_q        (origin_x),
        .origin_y_q        (origin_y),
        .tail_off_q        (tail_off),
//% if atoms_per_entry > 1
        .by_2_q            (by_2),
        .by_4_q            (by_4),
//% end
//% if image_enable
        .image_q           (image),
        .rows_code_q       (rows_code),
//% end
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
//% if image_enable
    reg              prev_image_q;
    reg              prev_winograd_q;  //% if types.winograd
//% end
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
    localparam [4:0] CLOSE_DONE    = 5'd${max(9, csc_latency - 1)};   // from 9 on: the entries of the others
    wire       [4:0] close_done = winograd ? (fp ? 5'd${csc_latency - 1 + skew.longest} : 5'd${max(9, csc_latency - 1 + skew.shortest)}) : CLOSE_DONE;   // tiles are later  //% if types.fp_and_int
    wire       [4:0] close_done = winograd ? 5'd${max(9, csc_latency - 1 + skew.longest)} : CLOSE_DONE;   // tiles are later  //% if types.winograd && !types.fp_and_int
//% let close_done = types.winograd ? "close_done" : "CLOSE_DONE"

    wire data_moved   = !banks_valid_q || (data_bank != prev_data_bank_q);
    wire moved        = data_moved || (weight_bank != prev_weight_bank_q);
    wire agreed       = agree_q && cdma2csc_bank_change;
    wire start        = arm_q && enabled_q;
    wire rest_data    = start && data_left_q;
    wire rest_weights = start && weights_left_q;
    wire rest         = rest_data || rest_weights;
    wire closing      = ended_q && ((close_q != CLOSE_COUNT) || (slices_all && weights_all));
    wire finish       = closing && (close_q == CLOSE_RELEASE);
    wire keep         = data_reuse && (image == prev_image_q)${types.winograd ? " && (winograd == prev_winograd_q)" : ""};  //% if image_enable
    wire keep         = data_reuse;  //% if !image_enable

    assign csc2cdma_bank_change = agree_q;
    assign op_done              = closing && (close_q == ${close_done});

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
//% if image_enable
            prev_image_q       <= 1'b0;
            prev_winograd_q    <= 1'b0;  //% if types.winograd
//% end
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
//% if image_enable
            if (start) prev_image_q <= image;
            if (start) prev_winograd_q <= winograd;  //% if types.winograd
//% end
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
        .height        (${types.batch ? "slices_less_1" : "height"}),
        .data_bank     (data_bank),
        .count         (closing && (close_q == CLOSE_COUNT)),
        .release_count (release_count & {13{!skip_data_rls}}),
        .load_amount   (closing && ((close_q == CLOSE_PRODUCT) || (close_q == ${close_done}))),
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
//% if types.winograd
        end else if (cacc2csc_credit || credit_take) begin
            credit_q <= credit_q + {{(CRED_W-1){1'b0}}, cacc2csc_credit}
                                    - {{(CRED_W-3){1'b0}}, credit_take && winograd, 1'b0,
                                       credit_take && !winograd};   // a tile takes four
//% else
        end else if (cacc2csc_credit != credit_take) begin
            credit_q <= credit_q + {{(CRED_W-1){credit_take}}, 1'b1};   // - 1 or + 1
//% end
        end
    end

//% if clock_gating
    // ------------------------------------------------------------------ clock of the engines
    // Runs while there is a layer, and during reset. Registers, layer control, credits and all that
    // follows announcements stay on clk.
    wire gclk;

    clkgate u_clkgate (
        .clk     (clk),
        .en      (op_en || !rst_n),
        .test_en (clk_ovr_on),
        .gclk    (gclk)
    );

//% end
//% include "csc/engines.vh"

    // The latency of CBUF is fixed.
    wire unused_bits = &{1'b0, cbuf2csc_dat_rd_valid};

endmodule

`default_nettype wire
