//# The array of int8 alone: pairs of cells, in which sums walk from group to group.
    // Bit g: a beat, a swap, a weight write is at group g.
    reg  [GROUPS-1:1]  wt_valid_q;
    wire [LATENCY-2:0] valid    = {valid_q[LATENCY-3:0], csc2mac_dat_valid};
    wire [GROUPS-1:0]  take     = {swap_q[GROUPS-2:0], csc2mac_dat_swap};
    wire [GROUPS-1:0]  wt_valid = {wt_valid_q, csc2mac_wt_valid};

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) wt_valid_q <= {(GROUPS-1){1'b0}};
        else        wt_valid_q <= wt_valid[GROUPS-2:0];
    end

//% if clock_gating
    // ---------------------------------------------------------------- clock of the array
    // Runs while a beat or a weight is on its way, and during reset.
    wire gclk;
    clkgate u_clkgate (
        .clk     (clk),
        .en      (clear_q || csc2mac_dat_valid || valid_q != {LATENCY{1'b0}}
                  || wt_valid != {GROUPS{1'b0}}),
        .test_en (clk_ovr_on),
        .gclk    (gclk)
    );

//% end
    // ---------------------------------------------------------------- walk
    // Group g gets its lanes of the beat g + 1 and its weights g cycles after they came.
    wire [ENTRY-1:0] dat;
    wire [ENTRY-1:0] wt;

    genvar g;
    generate
        for (g = 0; g < GROUPS; g = g + 1) begin : gen_walk
            localparam REST = ENTRY - 32*g;     // lanes of this group and, above, of later ones
            reg  [REST-1:0] dat_q;
            wire [REST-1:0] wt_rest;

            if (g == 0) begin : gen_first
                always @(posedge ${gclk}) begin
                    if (valid[0]) dat_q <= csc2mac_dat_data;
                end

                assign wt_rest = csc2mac_wt_data;
            end else begin : gen_next
                reg [REST-1:0] wt_q;

                always @(posedge ${gclk}) begin
                    if (valid[g])      dat_q <= gen_walk[g-1].dat_q[32 +: REST];
                    if (wt_valid[g-1]) wt_q  <= gen_walk[g-1].wt_rest[32 +: REST];
                end

                assign wt_rest = wt_q;
            end

            assign dat[32*g +: 32] = dat_q[31:0];
            assign wt[32*g +: 32]  = wt_rest[31:0];
        end
    endgenerate

    // ---------------------------------------------------------------- array
    genvar c;
    generate
        for (c = 0; c < CELLS; c = c + 2) begin : gen_pair
            dla_cmac_pair u_pair (
                .clk      (${gclk}),
                .rst_n    (rst_n),
                .clear    (clear_q),
                .wt_sel   (csc2mac_wt_sel[c +: 2]),
                .wt_valid (wt_valid),
                .wt       (wt),
                .take     (take),
                .beat     (valid),
                .dat      (dat),
                .psum0    (mac2accu_data[c*PSUM_W +: PSUM_W]),
                .psum1    (mac2accu_data[(c+1)*PSUM_W +: PSUM_W])
            );
        end
    endgenerate
