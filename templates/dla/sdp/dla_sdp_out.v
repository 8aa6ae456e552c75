// The way out of SDP: keeps results until memory${pdp_enable ? " or PDP" : ""} takes them, and ends the layer.
//
// Contract: a word has its place here from `issue` on, so results come when they like. Throughput 1
// word per cycle; in_valid to the write of its atom 2 cycles. Reset: no word.
//
//     issue_tag --------> | tags  |
//     in_data (later) --> | words | -> pack -> memory${pdp_enable ? ", or register -> PDP" : ""}
`default_nettype none
//% let tag_w = 4 + batch_enable + 2 * winograd_enable

module dla_sdp_out (
    input  wire         clk,
    input  wire         rst_n,

    // layer
    input  wire         start,
    input  wire [63:0]  base_bytes,
    input  wire [31:0]  line_bytes,
    input  wire [31:0]  surf_bytes,
    input  wire [31:0]  batch_bytes,  //% if batch_enable
//% if mixed
    input  wire         wide,          // results have 16 bits
    input  wire         pairs,         // and pixels two atoms, of surfaces behind each other
//% end
    input  wire         tiles,  //% if winograd_enable
    input  wire         packed_cube,   // width and height 1
    input  wire         to_pdp,        // the results go to PDP, or nowhere if there is none
    input  wire         drop,          // nothing is written
    input  wire         last_blocked,  // the last atom of the layer has to wait
    input  wire         count_en,

    // a word enters SDP, with the flags of its pixel, see dla_sdp_issue
    output wire         room,          // also for a word of the next cycle
    input  wire         issue,
//% if tag_w > 4
    // ${batch_enable ? "batch_last, " : ""}${winograd_enable ? "row_last, tile_last, " : ""}atom_last, line_last, surf_last, layer_last
    input  wire [${tag_w - 1}:0]   issue_tag,
//% else
    input  wire [3:0]   issue_tag,     // atom_last, line_last, surf_last, layer_last
//% end

    // its result
    input  wire         in_valid,      // cannot stall
    input  wire [${lane_bits * sdp_lanes - 1:3}:0] in_data,

    output reg          done_q,        // the last result of the layer is handed over
    output reg          any_bit_q,     // some result is not 0
    output reg  [31:0]  wr_stall_q,

//% if pdp_enable
    output reg          pdp_valid_q,
    input  wire         pdp_ready,
    output reg  [${lane_bits * sdp_lanes - 1:3}:0] pdp_data_q,
//% end
    output wire         wr_valid,
    input  wire         wr_ready,
    output wire [${addr_w - 1:2}:0]  wr_addr,
    output wire [${atom_bits - 1:3}:0] wr_data,
    output wire         wr_last
);

    localparam LSB    = ${atom_lsb};     // address bits inside an atom
    localparam ADDR_W = ${addr_w - atom_lsb};    // of atoms
    localparam W      = ${lane_bits * sdp_lanes};
    localparam DEPTH  = ${out_depth};    // covers the pipeline and the way of `room` back
    localparam PTR_W  = ${clog2(out_depth)};

    // ------------------------------------------------------------------ FIFO
    // One word less than DEPTH: equal pointers mean that no result is here.
    reg  [PTR_W-1:0] iptr_q;                           // next word to be issued
    reg  [PTR_W-1:0] wptr_q;                           // next result to come
    reg  [PTR_W-1:0] rptr_q;                           // next result to leave
    reg  [PTR_W-1:0] left_q;                           // words that may still be issued
    wire [PTR_W-1:0] one   = {{(PTR_W-1){1'b0}}, 1'b1};
    wire             valid = wptr_q != rptr_q;
    wire             pop;
    wire [W-1:0]     data;
    wire             atom_last, line_last, surf_last, layer_last;
    wire             batch_last;  //% if batch_enable
    wire             row_last, tile_last;  //% if winograd_enable

    assign room = |left_q[PTR_W-1:1];

    sram_dist_1r1w #(.W(${tag_w}), .DEPTH(DEPTH)) u_tags (
        .clk   (clk),
        .we    (issue),
        .waddr (iptr_q),
        .wdata (issue_tag),
        .raddr (rptr_q),
        .rdata ({${batch_enable ? "batch_last, " : ""}${winograd_enable ? "row_last, tile_last, " : ""}atom_last, line_last, surf_last, layer_last})
    );

    sram_dist_1r1w #(.W(W), .DEPTH(DEPTH)) u_words (
        .clk   (clk),
        .we    (in_valid),
        .waddr (wptr_q),
        .wdata (in_data),
        .raddr (rptr_q),
        .rdata (data)
    );

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            iptr_q <= {PTR_W{1'b0}};
            wptr_q <= {PTR_W{1'b0}};
            rptr_q <= {PTR_W{1'b0}};
            left_q <= {PTR_W{1'b1}};
        end else begin
            if (issue)         iptr_q <= iptr_q + one;
            if (in_valid)      wptr_q <= wptr_q + one;
            if (pop)           rptr_q <= rptr_q + one;
            if (issue && !pop) left_q <= left_q - one;
            if (pop && !issue) left_q <= left_q + one;
        end
    end

    // ------------------------------------------------------------------ where the results go
    wire pack_blocked;
    wire pack_done   = wr_valid && wr_ready && wr_last;
    wire end_of_all  = atom_last && layer_last;
    wire dropped_all = pop && drop && end_of_all;

//% if pdp_enable
    reg  pdp_last_q;
    wire pdp_free = !pdp_valid_q || pdp_ready;

    assign pop = valid && (to_pdp ? pdp_free : (drop || !pack_blocked));

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            pdp_valid_q <= 1'b0;
            done_q      <= 1'b0;
        end else begin
            pdp_valid_q <= !pdp_free || (valid && to_pdp);
            done_q      <= pack_done || (dropped_all && !to_pdp)
                        || (pdp_valid_q && pdp_ready && pdp_last_q);
        end
    end

    always @(posedge clk) begin
        if (pdp_free) begin
            pdp_data_q <= data;
            pdp_last_q <= end_of_all;
        end
    end

//% else
    assign pop = valid && (drop || !pack_blocked);

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) done_q <= 1'b0;
        else        done_q <= pack_done || dropped_all;
    end

//% end
    // Zero extension first, then the slice that this configuration has.
    wire [63:0] line_step = {32'd0, line_bytes};
    wire [63:0] surf_step = {32'd0, surf_bytes};
//% if batch_enable
    wire [63:0] batch_step = {32'd0, batch_bytes};
    wire        unused_bits = &{1'b0, base_bytes, line_step, surf_step, batch_step};
//% else
    wire        unused_bits = &{1'b0, base_bytes, line_step, surf_step};
//% end

    // The registers hold while a layer runs.
    reg         packed_q;

    always @(posedge clk) begin
        packed_q <= packed_cube;
    end

    dla_sdp_pack u_pack (
        .clk           (clk),
        .rst_n         (rst_n),
        .start         (start),
        .base          (base_bytes[LSB +: ADDR_W]),
        .line_stride   (line_step[LSB +: ADDR_W]),
        .surf_stride   (surf_step[LSB +: ADDR_W]),
        .batch_stride  (batch_step[LSB +: ADDR_W]),  //% if batch_enable
//% if mixed
        .wide          (wide),
        .pairs         (pairs),
//% end
        .tiles         (tiles),  //% if winograd_enable
        .packed_cube   (packed_q),
        .last_blocked  (last_blocked),
        .in_valid      (pop && !drop),
        .in_data       (data),
        .in_atom_last  (atom_last),
        .in_batch_last (batch_last),  //% if batch_enable
//% if winograd_enable
        .in_row_last   (row_last),
        .in_tile_last  (tile_last),
//% end
        .in_line_last  (line_last),
        .in_surf_last  (surf_last),
        .in_layer_last (layer_last),
        .blocked       (pack_blocked),
        .wr_valid_q    (wr_valid),
        .wr_ready      (wr_ready),
        .wr_addr       (wr_addr),
        .wr_data       (wr_data),
        .wr_last       (wr_last)
    );

    // ------------------------------------------------------------------ counters
    always @(posedge clk) begin
        if (start) begin
            any_bit_q  <= 1'b0;
            wr_stall_q <= 32'd0;
        end else begin
            if (pop && !to_pdp && (|data)) any_bit_q <= 1'b1;
            if (count_en && wr_valid && !wr_ready) wr_stall_q <= wr_stall_q + 32'd1;
        end
    end

endmodule

`default_nettype wire
