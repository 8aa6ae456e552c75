//% if types.mix
// Weight loader of CSC: reads the dense weight stream of a layer, each cycle what a cell of CMAC
// takes in a step: a kernel of 16-bit elements or two of int8.
//
//     cycle 0          1          3         4 .. ${cbuf_rd_latency + 3}      ${cbuf_rd_latency + 4} .. ${cbuf_rd_latency + 6}        ${csc_latency}
//     kernel --> entry --> region --> CBUF --> aligner --> CMAC (shadow weights)
//
// That is 1 to ${entry_bytes} bytes of the stream, out of the newest entry or out of the last two. For each
// stripe the stream starts again with the group.
//% else
// Weight loader of CSC: reads the dense weight stream of a layer, one kernel of a step per cycle.
//
//     cycle 0          1          3         4 .. ${cbuf_rd_latency + 3}      ${cbuf_rd_latency + 4}, ${cbuf_rd_latency + 5}        ${csc_latency}
//     kernel --> entry --> region --> CBUF --> aligner --> CMAC (shadow weights)
//
// A kernel takes 2 to ${entry_bytes} bytes of the stream, out of the newest entry or out of the last two. For
// each stripe the stream starts again with the group.
//% end
//
//% if image_enable
// Image: with 2 or 4 kernel rows per step the rows of a kernel follow each other in the stream and
// come one by one, each into its share of the lanes.
//
//% end
// Contract: while `ready` is low it loads the weights of the next step, from the cycle of the swap
// on: weights and data take the same ${csc_latency} cycles to CMAC, so kernels that leave with a swap are
// shadow weights of the step after it. A kernel waits for its entries to be announced.
// Releases: entries that only this group used, at its last kernel; at `finish` all that is left.
// Reset: no step, no weights in CBUF.
`default_nettype none

module dla_csc_wl (
    input  wire                       clk,
//% if clock_gating
    input  wire                       gclk,           // runs while there is a layer
//% end
    input  wire                       rst_n,

    // announcements and layer control
    input  wire                       updt,           // pulse: one more entry in CBUF
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
//% if image_enable
    input  wire [1:0]                 rows_code,      // rows that share the lanes - 1: 0, 1, 3
//% end
    input  wire [${clog2(atomic_c) - 1:2}:0]                channel,        // of the last block, minus one
    input  wire [${atomic_c - 1:2}:0]                tail_off,       // lanes that it does not have
//% if types.mix
    input  wire                       int8,           // else elements of 16 bits
//% end
    input  wire [${clog2(atomic_k) - 1:2}:0]                kernel,         // of the last group, minus one
    input  wire [${cbuf_bank_w:2}:0]                data_banks,     // not minus one
    input  wire [${cbuf_bank_w - 1:2}:0]                weight_bank,    // minus one

    // step
    input  wire                       step_valid,
    output wire                       step_take,
//% if image_enable
    input  wire [1:0]                 step_rows,      // minus one
//% end
    input  wire                       step_last,
    input  wire                       step_group_end,
    input  wire                       step_tail_block,
    input  wire                       step_tail_group,
    input  wire                       swap,           // data starts to use the weights
    output wire                       ready,          // the weights of a step will be in the shadow

    // free again, cannot stall
    output wire                       rls_valid,
    output wire [${cbuf_addr_w:2}:0]                rls_entries,

    // CBUF
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
    localparam KERN_W  = ${clog2(cells)};               // a kernel of a group, of int8 two
    localparam CBUF_W  = ${cbuf_addr_w};
    localparam ROW_W   = ${cbuf_row_w};
    localparam BANK_W  = ${cbuf_bank_w};
    localparam HALF    = BYTE_W / 2;      // steps of the rotation in its first stage
    localparam READ    = 4;               // cycle of the CBUF read
    localparam DATA    = ${cbuf_rd_latency + 4};               // cycle of its data

    // ------------------------------------------------------------------ cycle 0: kernels of a step
    reg               active_q;        // there are kernels to load
    reg               full_q;          // the step before is loaded and not yet in use
    reg               head_q;          // first kernel
    reg  [KERN_W-1:0] left_q;          // after this one
    reg  [BYTE_W-2:0] lanes_q;         // of a kernel, minus one
    reg               tail_q;          // they are those of the last block
    reg               pass_end_q;      // last step of a stripe
    reg               group_end_q;     // its last stripe
    reg               layer_end_q;     // its last group
    wire              kernel_ok;

//% if image_enable
    reg  [1:0]        rows_q;          // of a kernel, minus one
    reg  [1:0]        row_left_q;      // rows of this kernel after this one
    wire              row_ok;          // kernel_ok comes with the last row of a kernel

    assign kernel_ok = row_ok && (row_left_q == 2'd0);

    always @(posedge ${gclk}) begin
        if (step_take) rows_q <= step_rows;
        if (step_take || row_ok) begin
            row_left_q <= step_take ? step_rows : kernel_ok ? rows_q : row_left_q - 2'd1;
        end
    end

//% else
    wire              row_ok;          // a kernel is one row

    assign kernel_ok = row_ok;

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
    wire              apart   = int8 && rows_code[0];
    wire              cell_ok = kernel_ok && (!apart || half_q || alone_q);
    wire              two     = int8 && !rows_code[0] && !alone_q;     // in this load
    wire              one     = int8 && !two;

    always @(posedge ${gclk}) begin
        if (step_take || kernel_ok) half_q <= !step_take && !cell_ok;
    end
//%   else
    wire              cell_ok = kernel_ok;
    wire              two     = int8 && !alone_q;                      // in this load
    wire              one     = int8 && alone_q;
//%   end

    always @(posedge ${gclk}) begin
        if (step_take) single_q <= single;
        if (step_take || cell_ok) begin
            alone_q <= step_take ? single && (tail_cells == {KERN_W{1'b0}})
                                 : single_q && (left_q == {{(KERN_W-1){1'b0}}, 1'b1});
        end
    end

//% end
    wire last   = ${cell_ok} && (left_q == {KERN_W{1'b0}});
    wire rewind = last && pass_end_q;

    assign step_take = step_valid && (!active_q || last);
    assign ready     = full_q;

    always @(posedge ${gclk} or negedge rst_n) begin
        if (!rst_n) begin
            active_q <= 1'b0;
            full_q   <= 1'b0;
        end else begin
            active_q <= step_take || (active_q && !last);
            full_q   <= last || (full_q && !swap);
        end
    end

    always @(posedge ${gclk}) begin
        if (step_take) begin
            lanes_q     <= step_tail_block ? channel : {(BYTE_W-1){1'b1}};
            tail_q      <= step_tail_block;
            pass_end_q  <= step_last;
            group_end_q <= step_group_end;
            layer_end_q <= step_tail_group;
        end
        if (step_take || ${cell_ok}) begin
            head_q <= step_take;
            left_q <= !step_take ? left_q - {{(KERN_W-1){1'b0}}, 1'b1} :
                      step_tail_group ? ${tail_kernels} : {KERN_W{1'b1}};
        end
    end

    // ------------------------------------------------------------------ cycle 0: bytes of a kernel
    // Entries have numbers, modulo twice the size of CBUF. The newest entry read is index - 1; it
    // has bytes left unless offset is 0.
    reg  [BYTE_W-1:0] offset_q;
    reg  [CBUF_W:0]   index_q;         // next entry to read
    reg  [CBUF_W:0]   group_q;         // entry in which the group begins
    wire [CBUF_W:0]   have;            // first entry that was not announced
    wire [CBUF_W:0]   oldest;          // entry that was not released

//% if types.mix
    wire [BYTE_W-1:0] bytes       = one ? {1'b0, lanes_q} : {lanes_q, 1'b1};   // minus one
//% else
    wire [BYTE_W-1:0] bytes       = {lanes_q, 1'b1};                           // minus one
//% end
    wire [BYTE_W:0]   end_less_1 = {1'b0, offset_q} + {1'b0, bytes};
    wire [BYTE_W-1:0] offset_next = end_less_1[BYTE_W-1:0] + {{(BYTE_W-1){1'b0}}, 1'b1};
//% if atoms_per_entry > 1
    reg               prime_q;         // first read the entry in which the group begins
    reg  [BYTE_W-1:0] group_offset_q;
//% end
    wire              crossing   = end_less_1[BYTE_W];
//% if atoms_per_entry == 1
    wire              read       = crossing || (offset_q == {BYTE_W{1'b0}});
//% else
    wire              read       = prime_q || crossing || (offset_q == {BYTE_W{1'b0}});
//% end
    wire              go         = active_q && (!full_q || swap) && (!read || (index_q != have));

//% if atoms_per_entry == 1
    assign row_ok = go;                         // groups begin with an entry
//% else
    assign row_ok = go && !prime_q;
//% end

    wire [CBUF_W:0]   index_more = index_q + {{CBUF_W{1'b0}}, 1'b1};
//% if atoms_per_entry == 1
    wire [CBUF_W:0]   group_next = read ? index_more : index_q;
//% else
    // The next group begins in the newest entry if that has bytes left.
    wire              partial    = |offset_next;
    wire [CBUF_W:0]   group_next = read == partial ? index_q :
                                   read ? index_more : index_q - {{CBUF_W{1'b0}}, 1'b1};
//% end

    // `start` comes between layers: the clock runs then.
    always @(posedge ${gclk}) begin
        if (start) begin
            index_q <= oldest;
            group_q <= oldest;
        end else if (rewind) begin
            index_q <= group_end_q ? group_next : group_q;
            if (group_end_q) group_q <= group_next;
        end else if (go && read) begin
            index_q <= index_more;
        end
    end

    always @(posedge ${gclk}) begin
//% if atoms_per_entry == 1
        if (start || rewind) begin
            offset_q <= {BYTE_W{1'b0}};
        end else if (row_ok) begin
            offset_q <= offset_next;
        end
//% else
        if (start) begin
            offset_q       <= {BYTE_W{1'b0}};
            group_offset_q <= {BYTE_W{1'b0}};
            prime_q        <= 1'b0;
        end else if (rewind) begin
            offset_q       <= group_end_q ? offset_next : group_offset_q;
            group_offset_q <= group_end_q ? offset_next : group_offset_q;
            prime_q        <= group_end_q ? |offset_next : |group_offset_q;
        end else if (go) begin
            offset_q       <= prime_q ? offset_q : offset_next;
            prime_q        <= 1'b0;
        end
//% end
    end

//% if types.winograd
//%   include "csc/wl_skew.vh"
//% end
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
//% if atoms_per_entry == 1
    wire [CBUF_W-1:0] group_place = place_next;
//% else
    reg               partial_q;
    reg  [CBUF_W-1:0] newest_place_q;
    wire [CBUF_W-1:0] newest_place = read_q ? place_q : newest_place_q;
    wire [CBUF_W-1:0] group_place  = partial_q ? newest_place : place_next;
//% end

    always @(posedge ${gclk}) begin
        rewind_q <= ${skew_}rewind;
        group_q1 <= ${skew_}group_end_q;
//% if atoms_per_entry > 1
        partial_q      <= ${skew_}partial;
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
            read_q     <= ${skew_read};
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
        else        release_group_q <= ${release_group};
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
        .announced_q   (announced),
        .rls_valid     (rls_valid),
        .rls_entries_q (rls_entries)
    );

    // ------------------------------------------------------------------ cycle DATA: whole bytes
    // Bit n - 1: cycle n.
    reg  [DATA:0]             valid_q;
    reg  [DATA:0]             head_dly_q;
    reg  [DATA-2:0]           cross_dly_q;
    reg  [DATA:0]             tail_dly_q;
//% if types.mix
    reg  [DATA:0]             two_dly_q;
//% end
    reg  [(DATA+1)*BYTE_W-1:0] offset_dly_q;
    reg  [8*BYTES-1:0]        before_q;    // the entry before the newest
    reg  [8*BYTES-1:0]        turned_q;

    wire [BYTE_W-1:0]  offset = offset_dly_q[DATA*BYTE_W-1 -: BYTE_W];
    wire [BYTE_W-1:0]  fine   = offset_dly_q[(DATA+1)*BYTE_W-1 -: BYTE_W];   // a cycle later
    reg  [BYTES-1:0]   old_q;              // bytes of before_q
    wire [8*BYTES-1:0] whole;
    reg  [8*BYTES-1:0] coarse, turned;
    integer            s;

    genvar i;
    generate
        for (i = 0; i < BYTES; i = i + 1) begin : gen_byte
            assign whole[8*i +: 8] = old_q[i] ? before_q[8*i +: 8] : rd_rsp_data[8*i +: 8];
        end
    endgenerate

    // Rotation: byte `offset` becomes byte 0; first by many bytes, then by few.
    always @* begin
        coarse = whole;
        for (s = BYTE_W - 1; s >= HALF; s = s - 1) begin
            if (offset[s]) coarse = (coarse >> (8 << s)) | (coarse << (8*BYTES - (8 << s)));
        end
    end

    always @* begin
        turned = turned_q;
        for (s = HALF - 1; s >= 0; s = s - 1) begin
            if (fine[s]) turned = (turned >> (8 << s)) | (turned << (8*BYTES - (8 << s)));
        end
    end

    always @(posedge ${gclk} or negedge rst_n) begin
        if (!rst_n) valid_q <= {(DATA+1){1'b0}};
        else        valid_q <= {valid_q[DATA-1:0], ${skew_}row_ok};
    end

    always @(posedge ${gclk}) begin
        head_dly_q   <= {head_dly_q[DATA-1:0], ${skew_}head_q};
        cross_dly_q  <= {cross_dly_q[DATA-3:0], ${skew_}crossing};
        tail_dly_q   <= {tail_dly_q[DATA-1:0], ${skew_}tail_q};
//% if types.mix
        two_dly_q    <= {two_dly_q[DATA-1:0], ${skew_}two};
//% end
        offset_dly_q <= {offset_dly_q[DATA*BYTE_W-1:0], ${skew_}offset_q};
        old_q        <= {BYTES{cross_dly_q[DATA-2]}} << offset_dly_q[(DATA-1)*BYTE_W-1 -: BYTE_W];
        if (rd_rsp_valid)    before_q <= rd_rsp_data;
        if (valid_q[DATA-1]) turned_q <= coarse;
    end

    // ------------------------------------------------------------------ cycle DATA + 1: kernel
//%   if image_enable
    reg  [DATA:0]             end_dly_q;   // last row of a kernel
//%     if types.mix
    reg  [DATA:0]             cell_dly_q;  // and of its cell
//%     end

    always @(posedge ${gclk}) begin
        end_dly_q  <= {end_dly_q[DATA-1:0], ${skew_}kernel_ok};
//%     if types.mix
        cell_dly_q <= {cell_dly_q[DATA-1:0], ${skew_}cell_ok};
//%     end
    end

//%   end
    dla_csc_kernel u_kernel (
        .clk           (${gclk}),
        .rst_n         (rst_n),
//%   if types.mix
        .int8          (int8),
        .channel       (channel),
//%   end
//%   if image_enable
        .rows_code     (rows_code),
        .in_kernel_end (end_dly_q[DATA]),
//%     if types.mix
        .in_cell_end   (cell_dly_q[DATA]),
//%     end
//%   end
        .tail_off      (tail_off),
        .in_valid      (valid_q[DATA]),
        .in_head       (head_dly_q[DATA]),
//%   if types.mix
        .in_two        (two_dly_q[DATA]),
//%   end
        .in_tail       (tail_dly_q[DATA]),
        .in_bytes      (turned),
        .mac_a_valid_q (mac_a_valid_q),
        .mac_b_valid_q (mac_b_valid_q),
        .mac_sel_q     (mac_sel_q),
        .mac_data_q    (mac_data_q)
    );

    wire unused_bits = &{1'b0, fine, data_banks[BANK_W]};

endmodule

`default_nettype wire
