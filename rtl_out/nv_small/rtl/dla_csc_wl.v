// Made by macrame 0.1.0 from templates/dla/csc/dla_csc_wl.v
// with atomic_c=8 atomic_k=8 atoms_per_entry=1 cbuf_addr_w=14 cbuf_bank_w=5 cbuf_rd_latency=4
// cbuf_row_w=9 cells=8 clock_gating=0 csc_latency=10 entry_bits=64 entry_bytes=8 image_enable=1
// types16=0

// Weight loader of CSC: reads the dense weight stream of a layer, one kernel of a step per cycle.
//
//     cycle 0          1          3         4 .. 7      8, 9        10
//     kernel --> entry --> region --> CBUF --> aligner --> CMAC (shadow weights)
//
// A kernel takes 1 to 8 bytes of the stream, out of the newest entry or out of the last two. For
// each stripe the stream starts again with the group.
//
// Image: with 2 or 4 kernel rows per step the rows of a kernel follow each other in the stream and
// come one by one, each into its share of the lanes.
//
// Contract: while `ready` is low it loads the weights of the next step, from the cycle of the swap
// on: weights and data take the same 10 cycles to CMAC, so kernels that leave with a swap are
// shadow weights of the step after it. A kernel waits for its entries to be announced.
// Releases: entries that only this group used, at its last kernel; at `finish` all that is left.
// Reset: no step, no weights in CBUF.
`default_nettype none

module dla_csc_wl (
    input  wire                       clk,
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
    input  wire [14:0]                entries,
    input  wire [1:0]                 rows_code,      // rows that share the lanes - 1: 0, 1, 3
    input  wire [ 2:0]                channel,        // of the last block, minus one
    input  wire [ 2:0]                kernel,         // of the last group, minus one
    input  wire [ 5:0]                data_banks,     // not minus one
    input  wire [ 4:0]                weight_bank,    // minus one

    // step
    input  wire                       step_valid,
    output wire                       step_take,
    input  wire [1:0]                 step_rows,      // minus one
    input  wire                       step_last,
    input  wire                       step_group_end,
    input  wire                       step_tail_block,
    input  wire                       step_tail_group,
    input  wire                       swap,           // data starts to use the weights
    output wire                       ready,          // the weights of a step will be in the shadow

    // free again, cannot stall
    output wire                       rls_valid,
    output wire [14:0]                rls_entries,

    // CBUF
    output wire                       rd_valid,
    output reg  [13:0]                rd_addr_q,
    input  wire                       rd_rsp_valid,
    input  wire [ 63:0]               rd_rsp_data,    // holds until the next

    // CMAC
    output reg                        mac_a_valid_q,
    output reg                        mac_b_valid_q,
    output reg  [ 7:0]                mac_sel_q,      // one-hot kernel
    output reg  [ 63:0]               mac_data_q
);

    localparam LANES   = 8;              // bytes of an entry
    localparam LANE_W  = 3;
    localparam KERNELS = 8;
    localparam KERN_W  = 3;
    localparam CBUF_W  = 14;
    localparam ROW_W   = 9;
    localparam BANK_W  = 5;
    localparam HALF    = LANE_W / 2;      // steps of the rotation in its first stage
    localparam READ    = 4;               // cycle of the CBUF read
    localparam DATA    = 8;               // cycle of its data

    // ------------------------------------------------------------------ cycle 0: kernels of a step
    reg               active_q;        // there are kernels to load
    reg               full_q;          // the step before is loaded and not yet in use
    reg               head_q;          // first kernel
    reg  [KERN_W-1:0] left_q;          // after this one
    reg               last_q;          // none
    reg  [LANE_W-1:0] bytes_q;         // of a kernel, minus one
    reg               pass_end_q;      // last step of a stripe
    reg               group_end_q;     // its last stripe
    reg               layer_end_q;     // its last group
    wire              kernel_ok;
    wire [LANE_W-1:0] bytes_new = step_tail_block ? channel : {LANE_W{1'b1}};

    reg  [1:0]        rows_q;          // of a kernel, minus one
    reg  [1:0]        row_left_q;      // rows of this kernel after this one
    reg               row_last_q;      // none
    wire              row_ok;          // kernel_ok comes with the last row of a kernel

    assign kernel_ok = row_ok && row_last_q;

    always @(posedge clk) begin
        if (step_take) rows_q <= step_rows;
        if (step_take || row_ok) begin
            row_left_q <= step_take ? step_rows : row_last_q ? rows_q : row_left_q - 2'd1;
            row_last_q <= step_take  ? step_rows == 2'd0 :
                          row_last_q ? rows_q == 2'd0 : row_left_q == 2'd1;
        end
    end

    wire last   = kernel_ok && last_q;
    wire turn   = row_last_q && last_q && pass_end_q;       // rewind, if this load goes
    wire rewind = last && pass_end_q;

    assign step_take = step_valid && (!active_q || last);
    assign ready     = full_q;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            active_q <= 1'b0;
            full_q   <= 1'b0;
        end else begin
            active_q <= step_take || (active_q && !last);
            full_q   <= last || (full_q && !swap);
        end
    end

    always @(posedge clk) begin
        if (step_take) begin
            bytes_q     <= bytes_new;
            pass_end_q  <= step_last;
            group_end_q <= step_group_end;
            layer_end_q <= step_tail_group;
        end
        if (step_take || kernel_ok) begin
            head_q <= step_take;
            left_q <= !step_take ? left_q - {{(KERN_W-1){1'b0}}, 1'b1} :
                      step_tail_group ? kernel : {KERN_W{1'b1}};
            last_q <= !step_take ? left_q == {{(KERN_W-1){1'b0}}, 1'b1}
                                 : step_tail_group && kernel == {KERN_W{1'b0}};
        end
    end

    // ------------------------------------------------------------------ cycle 0: bytes of a kernel
    // Entries have numbers, modulo twice the size of CBUF. The newest entry read is index - 1; it
    // has bytes left unless offset is 0.
    reg  [LANE_W-1:0] offset_q;
    reg  [CBUF_W:0]   index_q;         // next entry to read
    reg  [CBUF_W:0]   group_q;         // entry in which the group begins
    wire [CBUF_W:0]   have;            // first entry that was not announced
    wire [CBUF_W:0]   oldest;          // entry that was not released

    wire [LANE_W:0]   end_less_1 = {1'b0, offset_q} + {1'b0, bytes_q};
    wire [LANE_W-1:0] offset_next = end_less_1[LANE_W-1:0] + {{(LANE_W-1){1'b0}}, 1'b1};
    reg               cross_q;         // the load ends in the next entry
    wire              crossing   = cross_q;
    reg               none_q;          // offset is 0
    wire              read       = crossing || none_q;
    reg               some_q;          // index is announced; not before a cycle behind the start
    wire              go         = active_q && (!full_q || swap) && (!read || some_q);

    assign row_ok = go;                         // groups begin with an entry

    wire [CBUF_W:0]   index_more = index_q + {{CBUF_W{1'b0}}, 1'b1};
    wire [CBUF_W:0]   group_next = read ? index_more : index_q;

    // A group that starts again has been read before.
    always @(posedge clk) begin
        some_q <= !start && ((rewind && !group_end_q)
                             || (go && read ? index_more != have : index_q != have));
    end

    // `start` comes between layers: the clock runs then.
    // A load goes and reads or ends the stripe.
    wire              moves      = active_q && (!full_q || swap) && (read ? some_q : turn);

    always @(posedge clk) begin
        if (start || moves) begin
            index_q <= start ? oldest : !turn ? index_more : group_end_q ? group_next : group_q;
        end
        if (start || (rewind && group_end_q)) group_q <= start ? oldest : group_next;
    end

    always @(posedge clk) begin
        if (start || rewind) begin
            offset_q <= {LANE_W{1'b0}};
            none_q   <= 1'b1;
        end else if (row_ok) begin
            offset_q <= offset_next;
            none_q   <= offset_next == {LANE_W{1'b0}};
        end
    end

    // Whether the next load ends in the entry behind that in which it begins: of this step, of one
    // that begins now.
    wire [LANE_W-1:0] offset_new = row_ok ? offset_next : offset_q;
    wire [LANE_W:0]   end_same   = {1'b0, offset_next} + {1'b0, bytes_q};
    wire [LANE_W:0]   end_new    = {1'b0, offset_new} + {1'b0, bytes_new};

    always @(posedge clk) begin
        if (start || rewind) cross_q <= 1'b0;          // from byte 0 on
        else if (step_take)  cross_q <= end_new[LANE_W];
        else if (row_ok)     cross_q <= end_same[LANE_W];
    end

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
    wire [CBUF_W-1:0] group_place = place_next;

    always @(posedge clk) begin
        rewind_q <= rewind;
        group_q1 <= group_end_q;
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

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            read_q     <= 1'b0;
            rd_valid_q <= {(READ-1){1'b0}};
        end else begin
            read_q     <= go && read;
            rd_valid_q <= {rd_valid_q[READ-2:1], read_q};
        end
    end

    always @(posedge clk) begin
        place_q2  <= place_q;
        place_q3  <= place_q2;
        rd_addr_q <= {place_q3[CBUF_W-1:ROW_W] + data_banks[BANK_W-1:0], place_q3[ROW_W-1:0]};
    end

    // ------------------------------------------------------------------ entries in CBUF
    // A group is released when its last kernel has been read, the last one when the layer finishes.
    reg               release_group_q;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) release_group_q <= 1'b0;
        else        release_group_q <= rewind && group_end_q && !layer_end_q && !skip_rls;
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
    reg  [(DATA+1)*LANE_W-1:0] offset_dly_q;
    reg  [8*LANES-1:0]        before_q;    // the entry before the newest
    reg  [8*LANES-1:0]        turned_q;

    wire [LANE_W-1:0]  offset = offset_dly_q[DATA*LANE_W-1 -: LANE_W];
    wire [LANE_W-1:0]  fine   = offset_dly_q[(DATA+1)*LANE_W-1 -: LANE_W];   // a cycle later
    reg  [LANES-1:0]   old_q;              // bytes of before_q
    wire [8*LANES-1:0] bytes;
    reg  [8*LANES-1:0] coarse, turned;
    integer            s;

    genvar i;
    generate
        for (i = 0; i < LANES; i = i + 1) begin : gen_byte
            assign bytes[8*i +: 8] = old_q[i] ? before_q[8*i +: 8] : rd_rsp_data[8*i +: 8];
        end
    endgenerate

    // Rotation: byte `offset` becomes byte 0; first by many bytes, then by few.
    always @* begin
        coarse = bytes;
        for (s = LANE_W - 1; s >= HALF; s = s - 1) begin
            if (offset[s]) coarse = (coarse >> (8 << s)) | (coarse << (8*LANES - (8 << s)));
        end
    end

    always @* begin
        turned = turned_q;
        for (s = HALF - 1; s >= 0; s = s - 1) begin
            if (fine[s]) turned = (turned >> (8 << s)) | (turned << (8*LANES - (8 << s)));
        end
    end

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) valid_q <= {(DATA+1){1'b0}};
        else        valid_q <= {valid_q[DATA-1:0], row_ok};
    end

    always @(posedge clk) begin
        head_dly_q   <= {head_dly_q[DATA-1:0], head_q};
        cross_dly_q  <= {cross_dly_q[DATA-3:0], crossing};
        offset_dly_q <= {offset_dly_q[DATA*LANE_W-1:0], offset_q};
        old_q        <= {LANES{cross_dly_q[DATA-2]}} << offset_dly_q[(DATA-1)*LANE_W-1 -: LANE_W];
        if (rd_rsp_valid)    before_q <= rd_rsp_data;
        if (valid_q[DATA-1]) turned_q <= coarse;
    end

    // ------------------------------------------------------------------ cycle DATA + 1: kernel
    wire               head = head_dly_q[DATA];
    wire [KERNELS-1:0] sel  = head ? {{(KERNELS-1){1'b0}}, 1'b1} : {mac_sel_q[KERNELS-2:0], 1'b0};
    // Rows share the lanes: 4 groups, of which a row fills 4, 2 or 1. The first row of a kernel
    // clears the others: a kernel may have fewer rows, and what nobody wrote must not meet the data
    // of their lanes, which is 0, as X.
    localparam GROUP = 2*LANES;                    // bits
    reg  [DATA:0]      end_dly_q;                  // last row of a kernel
    reg  [1:0]         row_q;                      // of the kernel
    wire               fill     = valid_q[DATA];
    wire               fill_end = fill && end_dly_q[DATA];

    always @(posedge clk) begin
        end_dly_q <= {end_dly_q[DATA-1:0], kernel_ok};
    end

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n)    row_q <= 2'd0;
        else if (fill) row_q <= end_dly_q[DATA] ? 2'd0 : row_q + 2'd1;
    end

    generate
        for (i = 0; i < 4; i = i + 1) begin : gen_group
            localparam [1:0] ROW_OF_4 = i, ROW_OF_2 = i / 2;

            wire here = rows_code[1] ? row_q == ROW_OF_4 :
                                       !rows_code[0] || (row_q == ROW_OF_2);

            always @(posedge clk) begin
                if (fill && here) begin
                    mac_data_q[i*GROUP +: GROUP] <= rows_code[1] ? turned[0 +: GROUP] :
                                                    rows_code[0] ? turned[i%2*GROUP +: GROUP] :
                                                                   turned[i*GROUP +: GROUP];
                end else if (fill && (row_q == 2'd0)) begin
                    mac_data_q[i*GROUP +: GROUP] <= {GROUP{1'b0}};
                end
            end
        end
    endgenerate

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            mac_a_valid_q <= 1'b0;
            mac_b_valid_q <= 1'b0;
        end else begin
            mac_a_valid_q <= fill_end && (|sel[KERNELS/2-1:0]);
            mac_b_valid_q <= fill_end && (|sel[KERNELS-1:KERNELS/2]);
        end
    end

    always @(posedge clk) begin
        if (fill_end) mac_sel_q <= sel;
    end

    wire unused_bits = &{1'b0, fine, data_banks[BANK_W], end_less_1, end_same, end_new};

endmodule

`default_nettype wire
