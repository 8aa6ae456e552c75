//# Weight loader of weights that may be compressed: dla_csc_masks walks, dla_csc_expand expands.
    // ------------------------------------------------------------------ cycle 0: load
    reg               full_q;          // a step is loaded and not yet in use
    wire              load_valid, row_ok;
    wire [BYTES-1:0]  load_mask;
    wire [BYTE_W-1:0] load_less_1;
    wire              load_none, load_head, load_two, load_tail, load_row_end, load_cell_end;
    wire              is_last, pass_end, group_end, layer_end;
    wire              weights_announced, masks_announced;

    dla_csc_masks u_masks (
        .clk             (clk),
        .gclk            (${gclk}),
        .rst_n           (rst_n),
        .updt            (wmb_updt),
        .bank_change     (bank_change),
        .release_rest    (release_rest),
        .start           (start),
        .finish          (finish),
        .announced       (masks_announced),
        .compressed      (compressed),
        .skip_rls        (skip_rls),
        .entries         (wmb_entries),
        .shared          (rows_code[0]),  //% if image_enable && types.mix
        .channel         (channel),
        .int8            (int8),  //% if types.mix
        .kernel          (kernel),
        .step_valid      (step_valid),
        .step_take       (step_take),
        .step_rows       (step_rows),  //% if image_enable
        .step_last       (step_last),
        .step_group_end  (step_group_end),
        .step_tail_block (step_tail_block),
        .step_tail_group (step_tail_group),
        .rls_valid       (wmb_rls_valid),
        .rls_entries     (wmb_rls_entries),
        .rd_valid_q      (wmb_rd_valid),
        .rd_row_q        (wmb_rd_row),
        .rd_rsp_valid    (wmb_rd_rsp_valid),
        .rd_rsp_data     (wmb_rd_rsp_data),
        .load_valid      (load_valid),
        .load_take       (row_ok),
        .load_mask       (load_mask),
        .load_none       (load_none),
        .load_less_1     (load_less_1),
        .load_head       (load_head),
        .load_two        (load_two),
        .load_tail       (load_tail),
        .load_row_end    (load_row_end),
        .load_cell_end   (load_cell_end),
        .load_last       (is_last),
        .load_pass_end   (pass_end),
        .load_group_end  (group_end),
        .load_layer_end  (layer_end)
    );

    wire last   = row_ok && is_last;
    wire rewind = last && pass_end;

    assign ready     = full_q;
    assign announced = weights_announced && masks_announced;

    always @(posedge ${gclk} or negedge rst_n) begin
        if (!rst_n) full_q <= 1'b0;
        else        full_q <= last || (full_q && !swap);
    end

    // ------------------------------------------------------------------ cycle 0: bytes of a load
    // Entries have numbers, modulo twice the size of CBUF. The newest entry read is index - 1; it
    // has bytes left unless offset is 0.
    reg  [BYTE_W-1:0] offset_q;
    reg  [CBUF_W:0]   index_q;         // next entry to read
    reg  [CBUF_W:0]   group_q;         // entry in which the group begins
    wire [CBUF_W:0]   have;            // first entry that was not announced
    wire [CBUF_W:0]   oldest;          // entry that was not released

    wire [BYTE_W:0]   end_less_1  = {1'b0, offset_q} + {1'b0, load_less_1};
    wire [BYTE_W-1:0] offset_next = end_less_1[BYTE_W-1:0] + {{(BYTE_W-1){1'b0}}, 1'b1};
    reg               prime_q;         // first read the entry in which the group begins
    reg  [BYTE_W-1:0] group_offset_q;
    wire              crossing   = end_less_1[BYTE_W];
    wire              read       = prime_q || (!load_none &&
                                               (crossing || (offset_q == {BYTE_W{1'b0}})));
    wire              go         = load_valid && (!full_q || swap)
                                   && (!read || (index_q != have));

    assign row_ok = go && !prime_q;

//% include "csc/wl_stream.vh"

//# Winograd has images and several atoms in an entry.
//% if types.winograd
    // ------------------------------------------------------------------ as late as data
    wire              skew_read, skew_row_ok, skew_rewind;
    wire              skew_group_end;
    wire              skew_layer_end;
    wire              skew_load_head;
    wire              skew_load_two;
    wire              skew_load_tail;
    wire              skew_load_row_end;
    wire              skew_load_cell_end;
    wire              skew_crossing;
    wire              skew_partial;
    wire [BYTES-1:0]  skew_load_mask;
    wire [BYTE_W-1:0] skew_offset_q;

    dla_csc_skew #(.V(3), .D(9 + BYTE_W + BYTES)) u_skew (
        .clk       (${gclk}),
        .rst_n     (rst_n),
        .late      (winograd),
        .fp        (fp),  //% if types.fp_and_int
        .valid     ({go && read, row_ok, rewind}),
        .data      ({group_end, layer_end, load_head, load_two, load_tail,
                     load_row_end, load_cell_end, crossing, partial, load_mask,
                     offset_q}),
        .valid_out ({skew_read, skew_row_ok, skew_rewind}),
        .data_out  ({skew_group_end, skew_layer_end, skew_load_head,
                     skew_load_two, skew_load_tail, skew_load_row_end,
                     skew_load_cell_end, skew_crossing, skew_partial,
                     skew_load_mask, skew_offset_q})
    );

//% end
//% include "csc/wl_read.vh"

    // ------------------------------------------------------------------ cycle DATA: whole bytes
    // Bit n - 1: cycle n.
    localparam OUT    = DATA + 3;         // cycle of the expanded bytes
    localparam KIND_W = 5;
    reg  [OUT-1:0]            valid_q;
    reg  [OUT*KIND_W-1:0]     kind_q;
    reg  [DATA-2:0]           cross_dly_q;
    reg  [(DATA+1)*BYTE_W-1:0] offset_dly_q;
    reg  [8*BYTES-1:0]        before_q;    // the entry before the newest
    reg  [8*BYTES-1:0]        turned_q;
    reg  [8*BYTES-1:0]        packed_q;    // the bytes of a load, without gaps

//% include "csc/wl_rotate.vh"

    always @(posedge ${gclk} or negedge rst_n) begin
        if (!rst_n) valid_q <= {OUT{1'b0}};
        else        valid_q <= {valid_q[OUT-2:0], ${late}row_ok};
    end

    always @(posedge ${gclk}) begin
//% if types.winograd
        kind_q       <= {kind_q[(OUT-1)*KIND_W-1:0], skew_load_head, skew_load_two,
                         skew_load_tail, skew_load_row_end, skew_load_cell_end};
//% else
        kind_q       <= {kind_q[(OUT-1)*KIND_W-1:0], load_head, load_two, load_tail, load_row_end,
                         load_cell_end};
//% end
        cross_dly_q  <= {cross_dly_q[DATA-3:0], ${late}crossing};
        offset_dly_q <= {offset_dly_q[DATA*BYTE_W-1:0], ${late}offset_q};
        old_q        <= {BYTES{cross_dly_q[DATA-2]}} << offset_dly_q[(DATA-1)*BYTE_W-1 -: BYTE_W];
        if (rd_rsp_valid)    before_q <= rd_rsp_data;
        if (valid_q[DATA-1]) turned_q <= coarse;
        if (valid_q[DATA])   packed_q <= turned;
    end

    // ------------------------------------------------------------------ cycles OUT - 1, OUT
    wire [8*BYTES-1:0] bytes;
    wire               out_head, out_two, out_tail, out_row_end, out_cell_end;

    assign {out_head, out_two, out_tail, out_row_end, out_cell_end} =
        kind_q[OUT*KIND_W-1 -: KIND_W];

    dla_csc_expand u_expand (
        .clk          (${gclk}),
        .mask         (${late}load_mask),
        .packed_bytes (packed_q),
        .bytes        (bytes)
    );

    dla_csc_kernel u_kernel (
        .clk           (${gclk}),
        .rst_n         (rst_n),
//%   if types.mix
        .int8          (int8),
        .channel       (channel),
//%   end
//%   if image_enable
        .rows_code     (rows_code),
        .in_kernel_end (out_row_end),
        .in_cell_end   (out_cell_end),  //% if types.mix
//%   end
        .tail_off      (tail_off),
        .in_valid      (valid_q[OUT-1]),
        .in_head       (out_head),
        .in_two        (out_two),  //% if types.mix
        .in_tail       (out_tail),
        .in_bytes      (bytes),
        .mac_a_valid_q (mac_a_valid_q),
        .mac_b_valid_q (mac_b_valid_q),
        .mac_sel_q     (mac_sel_q),
        .mac_data_q    (mac_data_q)
    );

    wire unused_bits = &{1'b0, fine, data_banks[BANK_W], out_two, out_row_end, out_cell_end};
