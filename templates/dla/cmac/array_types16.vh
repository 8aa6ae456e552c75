//# The array with elements of 16 bits: cells of their own.
//% if has_kinds

    // The kind of a layer goes with its beats: the registers speak of the next layer early.
    reg  [${sums.kind_w}*LATENCY-1:0] kind_q;
    wire fp0 = ${int8 ? "precision[1]" : "precision != 2'd1"};  //% if mixed
    reg  [${nan_stage}:1] fp_q;  //% if mixed
    wire pair0 = precision == 2'd0;  //% if int8
    reg  [${nan_stage}:1] pair_q;  //% if int8
    wire tile0 = conv_mode;  //% if winograd_enable
    reg  [${tile_rows + 1}:1] tile_q;  //% if winograd_enable

    assign mac2accu_kind = kind_q[${sums.kind_w}*LATENCY-1 -: ${sums.kind_w}];

    always @(posedge clk) begin
        kind_q <= {kind_q[${sums.kind_w}*(LATENCY-1)-1:0], ${winograd_enable ? "conv_mode, " : ""}precision};
        fp_q <= {fp_q[${nan_stage - 1}:1], fp0};  //% if mixed
        pair_q <= {pair_q[${nan_stage - 1}:1], pair0};  //% if int8
        tile_q <= {tile_q[${tile_rows}:1], tile0};  //% if winograd_enable
    end
//% end

//% if clock_gating
    // ---------------------------------------------------------------- clock of the array
    // Runs while a beat or a weight is on its way, and during reset.
    wire gclk;
    clkgate u_clkgate (
        .clk     (clk),
        .en      (!rst_n || csc2mac_dat_valid || valid_q != {LATENCY{1'b0}}
                  || csc2mac_wt_valid || wt_valid_q != ${nan_stage}'d0),  //% if fp16
                  || csc2mac_wt_valid),  //% if !fp16
        .test_en (clk_ovr_on),
        .gclk    (gclk)
    );

//% end
//% if fp16
    // ---------------------------------------------------------------- weights on their way
    reg  [CELLS-1:0] wt_sel_q;
    wire [${atomic_c - 1:3}:0] wt_on, wt_neg, wt_q2, wt_q1, wt_q0, wt_is_nan;
    wire [${mant_w * atomic_c - 1:3}:0] wt_mant;
    wire [11:0]  wt_nan;
    (* mem2reg *) reg  [${mant_w * atomic_c - 1:3}:0] wt_mant_q [2:6];
    (* mem2reg *) reg  [11:0]  wt_nan_q [4:${nan_stage}];
    integer      s;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) wt_valid_q <= ${nan_stage}'d0;
        else        wt_valid_q <= {wt_valid_q[${nan_stage - 1}:1], csc2mac_wt_valid};
    end

    dla_cmac_operand u_wt (
        .clk      (${gclk}),
        .enable   (csc2mac_wt_valid),
        .fp    (fp0),  //% if mixed
        .lanes    (csc2mac_wt_data),
        .on       (wt_on),
        .negative (wt_neg),
        .quarter2 (wt_q2),
        .quarter1 (wt_q1),
        .quarter0 (wt_q0),
        .is_nan   (wt_is_nan),
        .mantissa (wt_mant)
    );

    dla_cmac_nan u_wt_nan (
        .clk       (${gclk}),
        .enable    (wt_valid_q[2:1]),
        .is_nan    (wt_is_nan),
        .negative  (wt_neg),
        .mantissas (wt_mant),
        .first     (wt_nan)
    );

    always @(posedge ${gclk}) begin
        if (csc2mac_wt_valid) wt_sel_q     <= csc2mac_wt_sel;
        if (wt_valid_q[1])    wt_mant_q[2] <= wt_mant;
        if (wt_valid_q[3])    wt_nan_q[4]  <= wt_nan;
        for (s = 3; s <= 6; s = s + 1) begin
            if (wt_valid_q[s-1]) wt_mant_q[s] <= wt_mant_q[s-1];
        end
        for (s = 5; s <= ${nan_stage}; s = s + 1) begin
            if (wt_valid_q[s-1]) wt_nan_q[s] <= wt_nan_q[s-1];
        end
    end

    // ---------------------------------------------------------------- data on their way
    wire [${atomic_c - 1:3}:0] dat_on, dat_neg, dat_q2, dat_q1, dat_q0, dat_is_nan;
    reg  [${atomic_c - 1:3}:0] on_q, neg_q, q2_q, q1_q, q0_q;
    wire [${mant_w * atomic_c - 1:3}:0] dat_mant;
    wire [11:0]  dat_nan;
    (* mem2reg *) reg  [${mant_w * atomic_c - 1:3}:0] dat_mant_q [2:7];
    (* mem2reg *) reg  [11:0]  dat_nan_q [4:${nan_stage + 1}];
    integer      d;

    dla_cmac_operand u_dat (
        .clk      (${gclk}),
        .enable   (csc2mac_dat_valid),
        .fp    (fp0),  //% if mixed
        .lanes    (csc2mac_dat_data),
        .on       (dat_on),
        .negative (dat_neg),
        .quarter2 (dat_q2),
        .quarter1 (dat_q1),
        .quarter0 (dat_q0),
        .is_nan   (dat_is_nan),
        .mantissa (dat_mant)
    );

    dla_cmac_nan u_dat_nan (
        .clk       (${gclk}),
        .enable    (valid_q[1:0]),
        .is_nan    (dat_is_nan),
        .negative  (dat_neg),
        .mantissas (dat_mant),
        .first     (dat_nan)
    );

    always @(posedge ${gclk}) begin
        if (valid_q[0]) begin
            on_q          <= dat_on;
            neg_q         <= dat_neg;
            q2_q          <= dat_q2;
            q1_q          <= dat_q1;
            q0_q          <= dat_q0;
            dat_mant_q[2] <= dat_mant;
        end
        if (valid_q[2]) dat_nan_q[4] <= dat_nan;
        for (d = 3; d <= 7; d = d + 1) begin
            if (valid_q[d-2]) dat_mant_q[d] <= dat_mant_q[d-1];
        end
        for (d = 5; d <= ${nan_stage + 1}; d = d + 1) begin
            if (valid_q[d-2]) dat_nan_q[d] <= dat_nan_q[d-1];
        end
    end

    // ---------------------------------------------------------------- array
    wire [${results * psum_w - 1:3}:0] psum [0:CELLS-1];
    genvar c, r;
    generate
        for (c = 0; c < CELLS; c = c + 1) begin : gen_cell
            dla_cmac_cell_csa u_cell (
                .clk      (${gclk}),
                .rst_n    (rst_n),
                .wt_write (wt_valid_q[1] && wt_sel_q[c]),
                .wt_on    (wt_on),
                .wt_neg   (wt_neg),
                .wt_q2    (wt_q2),
                .wt_q1    (wt_q1),
                .wt_q0    (wt_q0),
                .wt_mant  (wt_mant_q[6]),
                .wt_nan   (wt_nan_q[${nan_stage}]),
                .take     ({swap_q[${nan_stage - 1}], swap_q[5], swap_q[0]}),
                .fp_in ({fp_q[${nan_stage}], fp_q[7], fp_q[6]}),  //% if mixed
                .pair_in ({pair_q[${nan_stage}], pair_q[8], pair_q[7], pair_q[6]}),  //% if int8
                .tile_in ({tile_q[11], tile_q[10]}),  //% if winograd_enable
                .beat     (valid_q[LATENCY-3:0]),
                .dat_on   (on_q),
                .dat_neg  (neg_q),
                .dat_q2   (q2_q),
                .dat_q1   (q1_q),
                .dat_q0   (q0_q),
                .dat_mant (dat_mant_q[7]),
                .dat_nan  (dat_nan_q[${nan_stage + 1}]),
                .psum     (psum[c])
            );
        end
    endgenerate

//% else
    // ---------------------------------------------------------------- array
    reg  [${entry_bits - 1:3}:0] dat_q;
    wire [${results * psum_w - 1:3}:0] psum [0:CELLS-1];
    genvar c, r;

    always @(posedge ${gclk}) begin
        if (csc2mac_dat_valid) dat_q <= csc2mac_dat_data;
    end

    generate
        for (c = 0; c < CELLS; c = c + 1) begin : gen_cell
            dla_cmac_cell_mul u_cell (
                .clk      (${gclk}),
                .rst_n    (rst_n),
                .wt_write (csc2mac_wt_valid && csc2mac_wt_sel[c]),
                .wt       (csc2mac_wt_data),
                .take     (csc2mac_dat_valid && csc2mac_dat_swap),
                .take_pair (pair0),  //% if int8
                .pair_in ({pair_q[${nan_stage}]}),  //% if int8
                .tile_in ({tile_q[4], tile_q[3]}),  //% if winograd_enable
                .beat     ({valid_q[LATENCY-3:0], csc2mac_dat_valid}),
                .dat      (dat_q),
                .psum     (psum[c])
            );
        end
    endgenerate

//% end
    // Result r of all cells, then the next one.
    generate
        for (r = 0; r < ${results}; r = r + 1) begin : gen_result
            for (c = 0; c < CELLS; c = c + 1) begin : gen_word
                assign mac2accu_data[${psum_w}*(CELLS*r + c) +: ${psum_w}] = psum[c][${psum_w}*r +: ${psum_w}];
            end
        end
    endgenerate
