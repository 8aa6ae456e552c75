// First part of the weight loader of CSC: walks over the kernels of a step and finds out which
// bytes of the dense weight stream there are. A load is what a cell of CMAC takes at once.
//
//     cycle 0    1        5          6        7        8          9          10
//     load  --> CBUF --> word  --> shift --> mask --> ones of --> sum  --> FIFO
//                                                    16 bytes
//
// Masks have a bit per element, in a stream of entries like the weights; in the FIFO a mask has a
// bit per byte. A layer without compression has all bytes. For each stripe the stream starts
// again with the group.
//
// Contract: runs ahead of the weights by up to ${load_fifo} loads. Entries of masks are released like
// those of weights. Reset: no step, no masks in CBUF.
`default_nettype none

module dla_csc_masks (
    input  wire                       clk,
    input  wire                       gclk,           // may stop while there is no layer
    input  wire                       rst_n,

    // announcements and layer control
    input  wire                       updt,           // pulse: one more entry in CBUF
    input  wire                       bank_change,    // CBUF is empty
    input  wire                       release_rest,   // what the layer before left
    input  wire                       start,
    input  wire                       finish,         // of a layer
    output wire                       announced,      // all entries of the layer

    // layer, stable from start to finish
    input  wire                       compressed,
    input  wire                       skip_rls,       // leave them for the next
    input  wire [${cbuf_addr_w:2}:0]                entries,        // of masks
//% if image_enable && types.mix
    input  wire                       shared,         // several rows share the lanes
//% end
    input  wire [${clog2(atomic_c) - 1:2}:0]                channel,        // of the last block, minus one
    input  wire                       int8,           // else elements of 16 bits  //% if types.mix
    input  wire [${clog2(atomic_k) - 1:2}:0]                kernel,         // of the last group, minus one

    // step
    input  wire                       step_valid,
    output wire                       step_take,
    input  wire [1:0]                 step_rows,      // minus one  //% if image_enable
    input  wire                       step_last,
    input  wire                       step_group_end,
    input  wire                       step_tail_block,
    input  wire                       step_tail_group,

    // free again, cannot stall
    output wire                       rls_valid,
    output wire [${cbuf_addr_w:2}:0]                rls_entries,

    // CBUF
    output reg                        rd_valid_q,
    output reg  [${cbuf_row_w - 1:2}:0]                rd_row_q,
    input  wire                       rd_rsp_valid,
    input  wire [${entry_bits - 1:3}:0]               rd_rsp_data,    // holds until the next

    // load
    output wire                       load_valid,
    input  wire                       load_take,
    output wire [${entry_bytes - 1:3}:0]               load_mask,      // bytes that there are
    output wire                       load_none,      // there is none
    output wire [${clog2(entry_bytes) - 1:2}:0]                 load_less_1,    // how many, minus one
    output wire                       load_head,      // first of a step
    output wire                       load_two,       // kernels of int8
    output wire                       load_tail,      // of the last block
    output wire                       load_row_end,   // last row of a kernel
    output wire                       load_cell_end,  // and of its cell
    output wire                       load_last,      // of the step
    output wire                       load_pass_end,  // of its stripe
    output wire                       load_group_end, // which is the last of the group
    output wire                       load_layer_end  // which is the last of the layer
);

    localparam BYTES   = ${entry_bytes};             // of an entry
    localparam BYTE_W  = ${clog2(entry_bytes)};
    localparam BIT_W   = BYTE_W + 3;
    localparam KERN_W  = ${clog2(cells)};               // a kernel of a group, of int8 two
    localparam CBUF_W  = ${cbuf_addr_w};
    localparam ROW_W   = ${cbuf_row_w};
    localparam DATA    = 1 + ${cbuf_rd_latency};           // cycle of the data of CBUF
    localparam PUSH    = DATA + 5;        // cycle in which a load goes into the FIFO
    localparam DEPTH   = ${load_fifo};
    localparam DEPTH_W = ${clog2(load_fifo) + 1};

    // ------------------------------------------------------------------ cycle 0: kernels of a step
    reg               active_q;        // there are kernels to load
    reg               head_q;          // first kernel
    reg  [KERN_W-1:0] left_q;          // after this one
    reg  [BYTE_W-2:0] lanes_q;         // of a kernel, minus one
    reg               tail_q;          // they are those of the last block
    reg               pass_end_q;      // last step of a stripe
    reg               group_end_q;     // its last stripe
    reg               layer_end_q;     // its last group
    wire              row_ok;          // a load leaves

//% if image_enable
    reg  [1:0]        rows_q;          // of a kernel, minus one
    reg  [1:0]        row_left_q;      // rows of this kernel after this one
    wire              row_end = row_left_q == 2'd0;

    always @(posedge gclk) begin
        if (step_take) rows_q <= step_rows;
        if (step_take || row_ok) begin
            row_left_q <= step_take ? step_rows : row_end ? rows_q : row_left_q - 2'd1;
        end
    end
//% else
    wire              row_end = 1'b1;            // a kernel is one row
//% end

//% if types.mix
    // A cell has two kernels of int8, but the last one of a layer may have one.
    reg               single_q;        // the last cell of the step has
    reg               alone_q;         // this cell has
    wire [KERN_W-1:0] tail_cells = int8 ? kernel[KERN_W:1] : kernel[KERN_W-1:0];   // minus one
    wire              single     = int8 && step_tail_group && !kernel[0];
//%   if image_enable
    // Int8 rows that share the lanes come kernel by kernel.
    reg               half_q;          // second kernel of the cell
    wire              apart    = int8 && shared;
    wire              cell_end = row_end && (!apart || half_q || alone_q);
    wire              two      = int8 && !shared && !alone_q;    // in this load

    always @(posedge gclk) begin
        if (step_take || (row_ok && row_end)) half_q <= !step_take && !cell_end;
    end
//%   else
    wire              cell_end = 1'b1;
    wire              two      = int8 && !alone_q;                     // in this load
//%   end
    wire              cell_ok  = row_ok && cell_end;

    always @(posedge gclk) begin
        if (step_take) single_q <= single;
        if (step_take || cell_ok) begin
            alone_q <= step_take ? single && (tail_cells == {KERN_W{1'b0}})
                                 : single_q && (left_q == {{(KERN_W-1){1'b0}}, 1'b1});
        end
    end

    wire [BYTE_W-1:0] bits  = two ? {lanes_q, 1'b1} : {1'b0, lanes_q};             // minus one
    wire [BYTE_W-1:0] bytes = int8 && !two ? {1'b0, lanes_q} : {lanes_q, 1'b1};
//% else
    wire [KERN_W-1:0] tail_cells = kernel;
    wire              cell_end   = row_end;
    wire              two        = 1'b0;
    wire [BYTE_W-1:0] bits       = {1'b0, lanes_q};                                // minus one
    wire [BYTE_W-1:0] bytes      = {lanes_q, 1'b1};
    wire cell_ok = row_ok && cell_end;
//% end
    wire is_last = cell_end && (left_q == {KERN_W{1'b0}});
    wire last    = row_ok && is_last;
    wire rewind  = last && pass_end_q;

    assign step_take = step_valid && (!active_q || last);

    always @(posedge gclk or negedge rst_n) begin
        if (!rst_n) active_q <= 1'b0;
        else        active_q <= step_take || (active_q && !last);
    end

    always @(posedge gclk) begin
        if (step_take) begin
            lanes_q     <= step_tail_block ? channel : {(BYTE_W-1){1'b1}};
            tail_q      <= step_tail_block;
            pass_end_q  <= step_last;
            group_end_q <= step_group_end;
            layer_end_q <= step_tail_group;
        end
        if (step_take || cell_ok) begin
            head_q <= step_take;
            left_q <= !step_take ? left_q - {{(KERN_W-1){1'b0}}, 1'b1} :
                      step_tail_group ? tail_cells : {KERN_W{1'b1}};
        end
    end

    // ------------------------------------------------------------------ cycle 0: bits of a load
    // As bytes in dla_csc_wl. The ring is a bank: an entry's number is its row.
    reg  [BIT_W-1:0]  offset_q, group_offset_q;
    reg  [CBUF_W:0]   index_q;         // next entry to read
    reg  [CBUF_W:0]   group_q;         // entry in which the group begins
    reg               prime_q;         // first read the entry in which the group begins
    reg  [DEPTH_W-1:0] loads_q;        // on their way or in the FIFO
    wire [CBUF_W:0]   have;            // first entry that was not announced
    wire [CBUF_W:0]   oldest;          // entry that was not released

    wire [BIT_W:0]    end_less_1  = {1'b0, offset_q} + {4'd0, bits};
    wire [BIT_W-1:0]  offset_next = end_less_1[BIT_W-1:0] + {{(BIT_W-1){1'b0}}, 1'b1};
    wire              crossing    = end_less_1[BIT_W];
    wire              read        = compressed &&
                                    (prime_q || crossing || (offset_q == {BIT_W{1'b0}}));
    wire              room        = loads_q != DEPTH[DEPTH_W-1:0];
    wire              go          = active_q && room && (!read || (index_q != have));
    wire              partial     = |offset_next;
    wire [CBUF_W:0]   index_more  = index_q + {{CBUF_W{1'b0}}, 1'b1};
    wire [CBUF_W:0]   group_next  = read == partial ? index_q :
                                    read ? index_more : index_q - {{CBUF_W{1'b0}}, 1'b1};
    wire              prime       = group_end_q ? partial : |group_offset_q;

    assign row_ok = go && !prime_q;

    always @(posedge gclk) begin
        if (start) begin
            index_q        <= oldest;
            group_q        <= oldest;
            offset_q       <= {BIT_W{1'b0}};
            group_offset_q <= {BIT_W{1'b0}};
            prime_q        <= 1'b0;
        end else if (rewind) begin
            index_q        <= group_end_q ? group_next : group_q;
            offset_q       <= group_end_q ? offset_next : group_offset_q;
            prime_q        <= compressed && prime;
            if (group_end_q) begin
                group_q        <= group_next;
                group_offset_q <= offset_next;
            end
        end else if (go) begin
            prime_q        <= 1'b0;
            if (read)     index_q  <= index_more;
            if (!prime_q) offset_q <= offset_next;
        end
        rd_row_q <= index_q[ROW_W-1:0];
    end

    always @(posedge gclk or negedge rst_n) begin
        if (!rst_n) begin
            rd_valid_q <= 1'b0;
            loads_q    <= {DEPTH_W{1'b0}};
        end else begin
            rd_valid_q <= go && read;
            if (row_ok != (load_valid && load_take)) begin
                loads_q <= loads_q + {{(DEPTH_W-1){!row_ok}}, 1'b1};    // + 1 or - 1
            end
        end
    end

    // ------------------------------------------------------------------ entries in CBUF
    reg               release_group_q;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) release_group_q <= 1'b0;
        else        release_group_q <= compressed && rewind && group_end_q && !layer_end_q
                                       && !skip_rls;
    end

    wire              unused_rest;      // as that of the weights
    wire [CBUF_W-1:0] unused_place;

    dla_csc_entries u_entries (
        .clk           (clk),
        .rst_n         (rst_n),
        .clear         (bank_change),
        .updt          (updt),
        .entries       (entries),
        .weight_bank   ({(CBUF_W-ROW_W){1'b0}}),
        .start         (start),
        .finish        (finish),
        .skip_rls      (skip_rls),
        .release_group (release_group_q),
        .release_rest  (release_rest),
        .group         (group_q),
        .have_q        (have),
        .oldest_q      (oldest),
        .place_q       (unused_place),
        .rest_q        (unused_rest),
        .announced_q   (announced),
        .rls_valid     (rls_valid),
        .rls_entries_q (rls_entries)
    );

    // ------------------------------------------------------------------ cycles DATA to DATA + 2
    // A load has bits of at most two words of BYTES bits; of two entries only if it begins in the
    // last word. Bit n - 1: cycle n.
    localparam NOTE_W = BIT_W + 1;
    localparam KIND_W = 9;
    reg  [PUSH-1:0]             valid_q;
    reg  [DATA*NOTE_W-1:0]      note_q;          // where the bits are
    reg  [(DATA+2)*BYTE_W-1:0]  bytes_q;
    reg  [PUSH*KIND_W-1:0]      kind_q;
    reg  [BYTES-1:0]            before_q;        // last word of the entry before the newest
    reg  [BYTES-1:0]            low_q, high_q;
    reg  [BYTE_W-1:0]           fine_q;
    reg  [BYTES-1:0]            bits_q;

    wire [BIT_W-1:0]   offset = note_q[DATA*NOTE_W-2 -: BIT_W];
    wire               two_of = note_q[DATA*NOTE_W-1];
    wire [2:0]         word   = offset[BIT_W-1 -: 3];
    wire [8*BYTES-1:0] lower  = rd_rsp_data >> {word, {BYTE_W{1'b0}}};
    wire [8*BYTES-1:0] upper  = rd_rsp_data >> {word + 3'd1, {BYTE_W{1'b0}}};
    wire [2*BYTES-1:0] pair   = {high_q, low_q} >> fine_q;

    wire unused_bits = &{1'b0, lower, upper, pair, unused_rest, unused_place};

    always @(posedge gclk or negedge rst_n) begin
        if (!rst_n) valid_q <= {PUSH{1'b0}};
        else        valid_q <= {valid_q[PUSH-2:0], row_ok};
    end

    always @(posedge gclk) begin
        note_q  <= {note_q[(DATA-1)*NOTE_W-1:0], crossing, offset_q};
        bytes_q <= {bytes_q[(DATA+1)*BYTE_W-1:0], bytes};
        kind_q  <= {kind_q[(PUSH-1)*KIND_W-1:0], head_q, two, tail_q, row_end, cell_end, is_last,
                    pass_end_q, group_end_q, layer_end_q};
        if (rd_rsp_valid) before_q <= rd_rsp_data[8*BYTES-1 -: BYTES];
        low_q   <= two_of ? before_q : lower[BYTES-1:0];
        high_q  <= upper[BYTES-1:0];
        fine_q  <= offset[BYTE_W-1:0];
        bits_q  <= pair[BYTES-1:0];
    end

    // ------------------------------------------------------------------ cycle DATA + 2: mask
    wire [BYTE_W-1:0] last_byte = bytes_q[(DATA+2)*BYTE_W-1 -: BYTE_W];
    wire [BYTES-1:0]  exist     = ~({{(BYTES-1){1'b1}}, 1'b0} << last_byte);
    reg  [BYTES-1:0]  stored;           // bytes of elements that are
    reg  [BYTES-1:0]  mask_q;
    integer           n;

    always @* begin
        for (n = 0; n < BYTES; n = n + 1) stored[n] = bits_q[n / 2];
        if (int8) stored = bits_q;  //% if types.mix
        if (!compressed) stored = {BYTES{1'b1}};
    end

    always @(posedge gclk) begin
        mask_q <= stored & exist;
    end

    // ------------------------------------------------------------------ cycles DATA + 3, DATA + 4
    localparam PARTS = BYTES / 8;
    reg  [4*PARTS-1:0] part_q;           // bytes of 8
    reg  [BYTE_W:0]    sum, sum_q;
    reg  [2*BYTES-1:0] mask_dly_q;
    integer            i, j;

    always @* begin
        sum = {(BYTE_W+1){1'b1}};        // minus one
        for (j = 0; j < PARTS; j = j + 1) sum = sum + {{(BYTE_W-3){1'b0}}, part_q[4*j +: 4]};
    end

    always @(posedge gclk) begin
        for (i = 0; i < PARTS; i = i + 1) begin
            part_q[4*i +: 4] <= {3'd0, mask_q[8*i]} + {3'd0, mask_q[8*i+1]} +
                                {3'd0, mask_q[8*i+2]} + {3'd0, mask_q[8*i+3]} +
                                {3'd0, mask_q[8*i+4]} + {3'd0, mask_q[8*i+5]} +
                                {3'd0, mask_q[8*i+6]} + {3'd0, mask_q[8*i+7]};
        end
        sum_q      <= sum;
        mask_dly_q <= {mask_dly_q[BYTES-1:0], mask_q};
    end

    // ------------------------------------------------------------------ cycle PUSH
    wire unused_ready;                   // `loads_q` knows

    fifo_sync #(.W(BYTES+BYTE_W+1+KIND_W), .DEPTH(DEPTH)) u_loads (
        .clk       (gclk),
        .rst_n     (rst_n),
        .in_valid  (valid_q[PUSH-1]),
        .in_ready  (unused_ready),
        .in_data   ({mask_dly_q[2*BYTES-1 -: BYTES], sum_q, kind_q[PUSH*KIND_W-1 -: KIND_W]}),
        .out_valid (load_valid),
        .out_ready (load_take),
        .out_data  ({load_mask, load_none, load_less_1, load_head, load_two, load_tail,
                     load_row_end, load_cell_end, load_last, load_pass_end, load_group_end,
                     load_layer_end})
    );

endmodule

`default_nettype wire
