//# From the number of an entry to its place in CBUF, to the read, to its release.
    // ------------------------------------------------------------------ cycle 1: its place
    // As index and group, in the region: these wrap behind its last bank.
    reg               read_q;
    reg               rewind_q, group_q1;   // rewind, to a new group
    reg  [CBUF_W-1:0] place_q;         // of the next entry to read
    reg  [CBUF_W-1:0] group_place_q;
    wire [CBUF_W-1:0] oldest_place;

    wire              place_end   = place_q == {weight_bank, {ROW_W{1'b1}}};
    wire [CBUF_W-1:0] place_more  = place_end ? {CBUF_W{1'b0}}
                                              : place_q + {{(CBUF_W-1){1'b0}}, 1'b1};
    wire [CBUF_W-1:0] place_next  = read_q ? place_more : place_q;
//% if !types.sparsity_masks && atoms_per_entry == 1
    wire [CBUF_W-1:0] group_place = place_next;
//% else
    reg               partial_q;
    reg  [CBUF_W-1:0] newest_place_q;
    wire [CBUF_W-1:0] newest_place = read_q ? place_q : newest_place_q;
    wire [CBUF_W-1:0] group_place  = partial_q ? newest_place : place_next;
//% end

    always @(posedge ${gclk}) begin
        rewind_q <= ${late}rewind;
        group_q1 <= ${late}${group_end};
//% if types.sparsity_masks || atoms_per_entry > 1
        partial_q      <= ${late}partial;
        newest_place_q <= newest_place;
//% end
        if (start) begin
            place_q       <= oldest_place;
            group_place_q <= oldest_place;
        end else if (rewind_q) begin
            place_q       <= group_q1 ? group_place : group_place_q;
            if (group_q1) group_place_q <= group_place;
        end else begin
            place_q       <= place_next;
        end
    end

    // ------------------------------------------------------------------ cycles 2 to 4: read
    reg  [READ-1:1]   rd_valid_q;      // bit n: cycle n + 1
    reg  [CBUF_W-1:0] place_q2, place_q3;

    assign rd_valid = rd_valid_q[READ-1];

    always @(posedge ${gclk} or negedge rst_n) begin
        if (!rst_n) begin
            read_q     <= 1'b0;
            rd_valid_q <= {(READ-1){1'b0}};
        end else begin
            read_q     <= ${types.winograd ? "skew_read" : "go && read"};
            rd_valid_q <= {rd_valid_q[READ-2:1], read_q};
        end
    end

    always @(posedge ${gclk}) begin
        place_q2  <= place_q;
        place_q3  <= place_q2;
        rd_addr_q <= {place_q3[CBUF_W-1:ROW_W] + data_banks[BANK_W-1:0], place_q3[ROW_W-1:0]};
    end

    // ------------------------------------------------------------------ entries in CBUF
    // A group is released when its last kernel has been read, the last one when the layer finishes.
    reg               release_group_q;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) release_group_q <= 1'b0;
//% if types.winograd
        else        release_group_q <= skew_rewind && skew_${group_end} && !skew_${layer_end}
                                   && !skip_rls;
//% else
        else        release_group_q <= rewind && ${group_end} && !${layer_end} && !skip_rls;
//% end
    end

    dla_csc_entries u_entries (
        .clk           (clk),
        .rst_n         (rst_n),
        .clear         (bank_change),
        .updt          (updt),
        .entries       (entries),
        .weight_bank   (weight_bank),
        .start         (start),
        .finish        (finish),
        .skip_rls      (skip_rls),
        .release_group (release_group_q),
        .release_rest  (release_rest),
        .group         (group_q),
        .have_q        (have),
        .oldest_q      (oldest),
        .place_q       (oldest_place),
        .rest_q        (rest),
        .announced_q   (${types.sparsity_masks ? "weights_announced" : "announced"}),
        .rls_valid     (rls_valid),
        .rls_entries_q (rls_entries)
    );
