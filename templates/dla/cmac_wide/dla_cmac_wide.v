// CMAC: one half of the MAC array, ${cmac_cells} cells of ${atomic_c} lanes for ${types_doc}.
${picture}
// Latency ${cmac_latency} cycles, one beat per cycle, nothing stalls. Shadow weights written in the
// cycle of a swap or later belong to the next step. Reset: empty pipeline, shadow weights 0.
`default_nettype none

module dla_cmac (
    input  wire         clk,
    input  wire         rst_n,
    input  wire         clk_ovr_on,       // 1: gated clocks always run  //% if clock_gating
    // Configuration bus
    input  wire         csb2cmac_valid,
    input  wire [9:0]   csb_addr,         // word offset
    input  wire [31:0]  csb_wdata,
    input  wire         csb_write,
    output wire [31:0]  cmac2csb_rdata,
    // To CSC: a layer may begin
    output reg          mac2csc_enabled,
    // Weights from CSC, cannot stall
    input  wire         csc2mac_wt_valid,
    input  wire [${cmac_cells - 1:3}:0] csc2mac_wt_sel,   // one-hot cell
    input  wire [${entry_bits - 1:3}:0] csc2mac_wt_data,
    // Data from CSC, cannot stall
    input  wire         csc2mac_dat_valid,
    input  wire [${entry_bits - 1:3}:0] csc2mac_dat_data,
    input  wire         csc2mac_dat_swap,  // with a beat: shadow weights become active with it
    input  wire         csc2mac_dat_first,
    input  wire         csc2mac_dat_last,
    input  wire         csc2mac_dat_end,
    // Partial sums to CACC, cannot stall
    output wire         mac2accu_valid,
    output wire [${results * cmac_cells * psum_w - 1:3}:0] mac2accu_data,${results_doc}
    output wire         mac2accu_swap,
    output wire         mac2accu_first,
    output wire         mac2accu_last,
    output wire [${sums.kind_w-1}:0]   mac2accu_kind,    // ${kind_doc} of its layer  //% if has_kinds
    output wire         mac2accu_end
);

    localparam CELLS   = ${cmac_cells};
    localparam LATENCY = ${cmac_latency};

    // ---------------------------------------------------------------- registers
    // The layer is over when its last beat comes in: CSC has the enable of the next one in time.
    wire unused_consumer;
    wire op_en;
    wire op_done = csc2mac_dat_valid && csc2mac_dat_end;
//% if has_kinds
    wire [1:0] precision;
    ${mode_wire}
//% end

    dla_cmac_regs u_regs (
        .clk       (clk),
        .rst_n     (rst_n),
        .csb_valid (csb2cmac_valid),
        .csb_addr  (csb_addr),
        .csb_wdata (csb_wdata),
        .csb_write (csb_write),
        .csb_rdata (cmac2csb_rdata),
        .op_en     (op_en),
        .op_done   (op_done),
//% if has_kinds
        .d_misc_cfg_proc_precision (precision),
        ${mode_pin}
//% end
        .consumer  (unused_consumer)
    );

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) mac2csc_enabled <= 1'b0;
        else        mac2csc_enabled <= op_en && !op_done;
    end

    // ---------------------------------------------------------------- flags, one stage per cycle
    // Bit n: of the beat that came n + 1 cycles ago.
    reg  [LATENCY-1:0] valid_q;
    reg  [LATENCY-1:0] swap_q;
    reg  [LATENCY-1:0] first_q;
    reg  [LATENCY-1:0] last_q;
    reg  [LATENCY-1:0] end_q;
    reg  [${nan_stage}:1] wt_valid_q;   // bit n: a weight came n cycles ago  //% if fp16

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) valid_q <= {LATENCY{1'b0}};
        else        valid_q <= {valid_q[LATENCY-2:0], csc2mac_dat_valid};
    end

    always @(posedge clk) begin
        swap_q  <= {swap_q[LATENCY-2:0], csc2mac_dat_swap};
        first_q <= {first_q[LATENCY-2:0], csc2mac_dat_first};
        last_q  <= {last_q[LATENCY-2:0], csc2mac_dat_last};
        end_q   <= {end_q[LATENCY-2:0], csc2mac_dat_end};
    end

    assign mac2accu_valid = valid_q[LATENCY-1];
    assign mac2accu_swap  = swap_q[LATENCY-1];
    assign mac2accu_first = first_q[LATENCY-1];
    assign mac2accu_last  = last_q[LATENCY-1];
    assign mac2accu_end   = end_q[LATENCY-1];
//% if has_kinds

    // The kind of a layer goes with its beats: the registers speak of the next layer early.
    reg  [${sums.kind_w}*LATENCY-1:0] kind_q;
//% for k in kinds
    wire ${k.name}0 = ${k.value};
    reg  [${k.taps}:1] ${k.name}_q;
//% end

    assign mac2accu_kind = kind_q[${sums.kind_w}*LATENCY-1 -: ${sums.kind_w}];

    always @(posedge clk) begin
        kind_q <= {kind_q[${sums.kind_w}*(LATENCY-1)-1:0], ${kind}};
//% for k in kinds
        ${k.name}_q <= {${k.name}_q[${k.taps - 1}:1], ${k.name}0};
//% end
    end
//% end

//% if clock_gating
    // ---------------------------------------------------------------- clock of the array
    // Runs while a beat or a weight is on its way, and during reset.
    wire gclk;
    clkgate u_clkgate (
        .clk     (clk),
        .en      (!rst_n || csc2mac_dat_valid || valid_q != {LATENCY{1'b0}}
                  || csc2mac_wt_valid${wt_busy}),
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
//% for k in kinds
                .${k.name}_in (${k.tapped}),
//% end
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
//% for k in kinds
                .${k.name}_in (${k.tapped}),
//% end
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

endmodule

`default_nettype wire
