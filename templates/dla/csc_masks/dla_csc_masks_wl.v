// Weight loader of CSC: reads the weights of a layer, which may be compressed, each cycle what a
// cell of CMAC takes at once. dla_csc_masks walks over the kernels and knows which of the bytes are
// stored; they are read here and dla_csc_expand puts them into their places.
//
//     cycle 0        1          3         4 .. ${cbuf_rd_latency + 3}      ${cbuf_rd_latency + 4} .. ${cbuf_rd_latency + 5}      ${cbuf_rd_latency + 6}, ${cbuf_rd_latency + 7}       ${csc_latency}
//     load --> entry --> region --> CBUF --> aligner --> expand --> CMAC (shadow weights)
//
// That is 0 to ${entry_bytes} bytes of the stream, out of the newest entry or out of the last two; an entry is
// read when a byte of it is needed. For each stripe the stream starts again with the group.
//
// Contract: while `ready` is low it loads the weights of the next step, from the cycle of the swap
// on: weights and data take the same ${csc_latency} cycles to CMAC, so kernels that leave with a swap are
// shadow weights of the step after it. A load waits for its entries to be announced.
// Releases: entries that only this group used, at its last kernel; at `finish` all that is left.
// Reset: no step, no weights in CBUF.
`default_nettype none

module dla_csc_wl (
    input  wire                       clk,
    input  wire                       gclk,           // runs while there is a layer  //% if clock_gating
    input  wire                       rst_n,

    // announcements and layer control
    input  wire                       updt,           // pulse: one more entry in CBUF
    input  wire                       wmb_updt,       // the same of masks
    input  wire                       bank_change,    // CBUF is empty
    input  wire                       release_rest,   // what the layer before left
    input  wire                       start,
    input  wire                       finish,         // of a layer
    output wire                       rest,           // there is something left
    output wire                       announced,      // all entries of the layer

    // layer, stable from start to finish
    input  wire                       skip_rls,       // leave them for the next
    ${wl_winograd_ports}
    input  wire [${cbuf_addr_w:2}:0]                entries,
    input  wire                       compressed,
    input  wire [${cbuf_addr_w:2}:0]                wmb_entries,
    input  wire [1:0]                 rows_code,      // rows that share the lanes - 1: 0, 1, 3  //% if image_enable
    input  wire [${clog2(atomic_c) - 1:2}:0]                channel,        // of the last block, minus one
    input  wire [${atomic_c - 1:2}:0]                tail_off,       // lanes that it does not have
    input  wire                       int8,           // else elements of 16 bits  //% if types.mix
    input  wire [${clog2(atomic_k) - 1:2}:0]                kernel,         // of the last group, minus one
    input  wire [${cbuf_bank_w:2}:0]                data_banks,     // not minus one
    input  wire [${cbuf_bank_w - 1:2}:0]                weight_bank,    // minus one

    // step
    input  wire                       step_valid,
    output wire                       step_take,
    input  wire [1:0]                 step_rows,      // minus one  //% if image_enable
    input  wire                       step_last,
    input  wire                       step_group_end,
    input  wire                       step_tail_block,
    input  wire                       step_tail_group,
    input  wire                       swap,           // data starts to use the weights
    output wire                       ready,          // the weights of a step will be in the shadow

    // free again, cannot stall
    output wire                       rls_valid,
    output wire [${cbuf_addr_w:2}:0]                rls_entries,
    output wire                       wmb_rls_valid,
    output wire [${cbuf_addr_w:2}:0]                wmb_rls_entries,

    // CBUF
    output wire                       wmb_rd_valid,
    output wire [${cbuf_row_w - 1:2}:0]                wmb_rd_row,
    input  wire                       wmb_rd_rsp_valid,
    input  wire [${entry_bits - 1:3}:0]               wmb_rd_rsp_data, // holds until the next
    output wire                       rd_valid,
    output reg  [${cbuf_addr_w - 1:2}:0]                rd_addr_q,
    input  wire                       rd_rsp_valid,
    input  wire [${entry_bits - 1:3}:0]               rd_rsp_data,    // holds until the next

    // CMAC
    output wire                       mac_a_valid_q,
    output wire                       mac_b_valid_q,
    output wire [${cells - 1:2}:0]                mac_sel_q,      // one-hot cell
    output wire [${entry_bits - 1:3}:0]               mac_data_q
);

    localparam BYTES   = ${entry_bytes};             // of an entry
    localparam BYTE_W  = ${clog2(atomic_c) + types.wide};
    localparam CBUF_W  = ${cbuf_addr_w};
    localparam ROW_W   = ${cbuf_row_w};
    localparam BANK_W  = ${cbuf_bank_w};
    localparam HALF    = BYTE_W / 2;      // steps of the rotation in its first stage
    localparam READ    = 4;               // cycle of the CBUF read
    localparam DATA    = ${cbuf_rd_latency + 4};               // cycle of its data

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

//% include "csc/wl_skew.vh"
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
        else        valid_q <= {valid_q[OUT-2:0], ${skew_}row_ok};
    end

    always @(posedge ${gclk}) begin
        kind_q       <= {kind_q[(OUT-1)*KIND_W-1:0], ${load_kind}};
        cross_dly_q  <= {cross_dly_q[DATA-3:0], ${skew_}crossing};
        offset_dly_q <= {offset_dly_q[DATA*BYTE_W-1:0], ${skew_}offset_q};
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
        .mask         (${skew_}load_mask),
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

endmodule

`default_nettype wire
