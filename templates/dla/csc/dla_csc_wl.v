// Weight loader of CSC: reads the dense weight stream of a layer, one kernel of a step per cycle.
//
//     cycle 0          1      2 .. ${cbuf_rd_latency + 1}       ${cbuf_rd_latency + 2}         ${cbuf_rd_latency + 3}
//     kernel --> entry --> wrap --> CBUF --> aligner --> CMAC (shadow weights)
//
// A kernel takes 1 to ${atomic_c} bytes of the stream, out of the newest entry or out of the last two. For
// each stripe the stream starts again with the group.
//
//% if image_enable
// Image: with 2 or 4 kernel rows per step the rows of a kernel follow each other in the stream and
// come one by one, each into its share of the lanes.
//
//% end
// Contract: while `ready` is low it loads the weights of the next step; `ready` speaks of this
// cycle already. They reach CMAC ${cbuf_rd_latency + 3} cycles after cycle 0, so kernels that leave after a swap are
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
    input  wire                       start,
    input  wire                       finish,         // of a layer
    output wire                       announced,      // all entries of the layer

    // layer, stable from start to finish
    input  wire                       reuse,          // use the weights that the layer before left
    input  wire                       skip_rls,       // leave them for the next
    input  wire [31:0]                weight_bytes,
//% if image_enable
    input  wire [1:0]                 rows_code,      // rows that share the lanes - 1: 0, 1, 3
//% end
    input  wire [${clog2(atomic_c) - 1:2}:0]                channel,        // of the last block, minus one
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
    output wire                       ready,

    // free again, cannot stall
    output wire                       rls_valid,
    output reg  [${cbuf_addr_w:2}:0]                rls_entries_q,

    // CBUF
    output reg                        rd_valid_q,
    output reg  [${cbuf_addr_w - 1:2}:0]                rd_addr_q,
    input  wire                       rd_rsp_valid,
    input  wire [${entry_bits - 1:3}:0]               rd_rsp_data,    // holds until the next

    // CMAC
    output wire                       mac_valid,
    output reg  [${atomic_k - 1:2}:0]                mac_sel_q,      // one-hot kernel
    output reg  [${entry_bits - 1:3}:0]               mac_data_q
);

    localparam LANES   = ${atomic_c};              // bytes of an entry
    localparam LANE_W  = ${clog2(atomic_c)};
    localparam KERNELS = ${atomic_k};
    localparam KERN_W  = ${clog2(atomic_k)};
    localparam CBUF_W  = ${cbuf_addr_w};
    localparam ROW_W   = ${cbuf_row_w};
    localparam BANK_W  = ${cbuf_bank_w};
    localparam DATA    = ${cbuf_rd_latency + 2};              // cycle of the aligner

    // ------------------------------------------------------------------ cycle 0: kernels of a step
    reg               active_q;        // there are kernels to load
    reg               full_q;          // the step before is loaded and not yet in use
    reg               head_q;          // first kernel
    reg  [KERN_W-1:0] left_q;          // after this one
    reg  [LANE_W-1:0] bytes_q;         // of a kernel, minus one
    reg               pass_end_q;      // last step of a stripe
    reg               group_end_q;     // its last stripe
    reg               layer_end_q;     // its last group
    wire              kernel_ok;

//% if image_enable
    reg  [1:0]        rows_q;          // of a kernel, minus one
    reg  [1:0]        row_left_q;      // rows of this kernel after this one
    wire row_ok;                       // kernel_ok comes with the last row of a kernel

    assign kernel_ok = row_ok && (row_left_q == 2'd0);

    always @(posedge ${gclk}) begin
        if (step_take) rows_q <= step_rows;
        if (step_take || row_ok) begin
            row_left_q <= step_take ? step_rows : kernel_ok ? rows_q : row_left_q - 2'd1;
        end
    end

//% end
    wire last   = kernel_ok && (left_q == {KERN_W{1'b0}});
    wire rewind = last && pass_end_q;

    assign step_take = step_valid && (!active_q || last);
    assign ready     = full_q || last;

    always @(posedge ${gclk} or negedge rst_n) begin
        if (!rst_n) begin
            active_q <= 1'b0;
            full_q   <= 1'b0;
        end else begin
            active_q <= step_take || (active_q && !last);
            full_q   <= ready && !swap;
        end
    end

    always @(posedge ${gclk}) begin
        if (step_take) begin
            bytes_q     <= step_tail_block ? channel : {LANE_W{1'b1}};
            pass_end_q  <= step_last;
            group_end_q <= step_group_end;
            layer_end_q <= step_tail_group;
        end
        if (step_take || kernel_ok) begin
            head_q <= step_take;
            left_q <= !step_take ? left_q - {{(KERN_W-1){1'b0}}, 1'b1} :
                      step_tail_group ? kernel : {KERN_W{1'b1}};
        end
    end

    // ------------------------------------------------------------------ cycle 0: bytes of a kernel
    // Entries count from the oldest one that was not released. The newest entry read is index - 1;
    // it has bytes left unless offset is 0.
    reg  [LANE_W-1:0] offset_q;
    reg  [CBUF_W:0]   index_q;         // next entry to read
    reg  [CBUF_W:0]   group_q;         // index of the entry in which the group begins
    reg  [CBUF_W:0]   have_q;          // entries announced and not released

    wire [LANE_W:0]   end_less_1 = {1'b0, offset_q} + {1'b0, bytes_q};
    wire [LANE_W-1:0] offset_next = end_less_1[LANE_W-1:0] + {{(LANE_W-1){1'b0}}, 1'b1};
//% if atoms_per_entry == 1
    wire              prime      = 1'b0;               // groups begin with an entry
//% else
    reg               prime_q;         // first read the entry in which the group begins
    reg  [LANE_W-1:0] group_offset_q;
    wire              prime      = prime_q;
//% end
    wire              crossing   = end_less_1[LANE_W];
    wire              read       = prime || crossing || (offset_q == {LANE_W{1'b0}});
    wire              go         = active_q && !full_q && (!read || (index_q != have_q));
    wire [CBUF_W:0]   index_next = index_q + {{CBUF_W{1'b0}}, go && read};

//% if image_enable
    assign row_ok = go && !prime;
//% else
    assign kernel_ok = go && !prime;
//% end

//% if atoms_per_entry == 1
    wire [CBUF_W:0]   group_next = index_next;
//% else
    wire [CBUF_W:0]   group_next = index_next - {{CBUF_W{1'b0}}, |offset_next};
//% end
    wire              release_group = rewind && group_end_q && !layer_end_q && !skip_rls;
    wire [CBUF_W:0]   group_start   = !group_end_q ? group_q :
                                      release_group ? {(CBUF_W+1){1'b0}} : group_next;

    // `start` comes between layers: the clock runs then.
    always @(posedge ${gclk}) begin
        if (start) begin
            index_q <= {(CBUF_W+1){1'b0}};
            group_q <= {(CBUF_W+1){1'b0}};
        end else if (rewind) begin
            index_q <= group_start;
            group_q <= group_start;
        end else begin
            index_q <= index_next;
        end
    end

    always @(posedge ${gclk}) begin
//% if atoms_per_entry == 1
        if (start || rewind) begin
            offset_q <= {LANE_W{1'b0}};
//% if image_enable
        end else if (row_ok) begin
//% else
        end else if (kernel_ok) begin
//% end
            offset_q <= offset_next;
        end
//% else
        if (start) begin
            offset_q       <= {LANE_W{1'b0}};
            group_offset_q <= {LANE_W{1'b0}};
            prime_q        <= 1'b0;
        end else if (rewind) begin
            offset_q       <= group_end_q ? offset_next : group_offset_q;
            group_offset_q <= group_end_q ? offset_next : group_offset_q;
            prime_q        <= group_end_q ? |offset_next : |group_offset_q;
        end else if (go) begin
            offset_q       <= prime ? offset_q : offset_next;
            prime_q        <= 1'b0;
        end
//% end
    end

    // ------------------------------------------------------------------ entries in CBUF
    reg  [CBUF_W-1:0]  first_q;        // oldest entry, relative to the region
    reg  [CBUF_W:0]    left_entries_q;   // entries of the layer not yet released; between layers
                                       // those that it left

    localparam EXTRA = 32 - LANE_W;
    wire [EXTRA-1:0]  entries = weight_bytes[31:LANE_W] +
                                {{(EXTRA-1){1'b0}}, |weight_bytes[LANE_W-1:0]};
    wire              release_rest = (start && !reuse && (|left_entries_q)) ||
                                     (finish && !skip_rls);
    wire              release_now  = release_group || release_rest;
    wire [CBUF_W:0]   amount     = release_group ? group_next : left_entries_q;
    wire [CBUF_W:0]   have_less  = release_now ? have_q - amount : have_q;
    wire [CBUF_W:0]   first_next = {1'b0, first_q} + amount;
    wire [BANK_W:0]   weight_banks = {1'b0, weight_bank} + {{BANK_W{1'b0}}, 1'b1};
    wire [BANK_W:0]   first_over = first_next[CBUF_W:ROW_W] - weight_banks;

    assign announced = have_q >= left_entries_q;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            have_q       <= {(CBUF_W+1){1'b0}};
            first_q      <= {CBUF_W{1'b0}};
            left_entries_q <= {(CBUF_W+1){1'b0}};
        end else begin
            if (bank_change) begin
                have_q       <= {(CBUF_W+1){1'b0}};
                first_q      <= {CBUF_W{1'b0}};
                left_entries_q <= {(CBUF_W+1){1'b0}};
            end else begin
                have_q <= have_less + {{CBUF_W{1'b0}}, updt};
                if (release_now) begin
                    first_q <= {first_over[BANK_W] ? first_next[CBUF_W-1:ROW_W]
                                                   : first_over[BANK_W-1:0],
                                first_next[ROW_W-1:0]};
                end
                if (start) begin
                    left_entries_q <= entries[CBUF_W:0];
                end else if (release_now) begin
                    left_entries_q <= left_entries_q - amount;
                end
            end
        end
    end

    // CDMA hears of it when the last entries have been read, 2 cycles later.
    reg  [1:0]        rls_valid_q;
    reg  [CBUF_W:0]   amount_q;

    assign rls_valid = rls_valid_q[1];

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) rls_valid_q <= 2'b00;
        else        rls_valid_q <= {rls_valid_q[0], release_now};
    end

    always @(posedge clk) begin
        amount_q      <= amount;
        rls_entries_q <= amount_q;
    end

    // ------------------------------------------------------------------ cycles 1, 2: entry
    reg               read_q;
    reg  [CBUF_W:0]   sum_q;           // relative to the region, not wrapped

    wire [BANK_W:0]   bank = sum_q[CBUF_W:ROW_W];
    wire [BANK_W:0]   over = bank - weight_banks;
    wire [BANK_W-1:0] bank_wrapped = over[BANK_W] ? bank[BANK_W-1:0] : over[BANK_W-1:0];

    always @(posedge ${gclk} or negedge rst_n) begin
        if (!rst_n) begin
            read_q     <= 1'b0;
            rd_valid_q <= 1'b0;
        end else begin
            read_q     <= go && read;
            rd_valid_q <= read_q;
        end
    end

    always @(posedge ${gclk}) begin
        sum_q     <= {1'b0, first_q} + index_q;
        rd_addr_q <= {bank_wrapped + data_banks[BANK_W-1:0], sum_q[ROW_W-1:0]};
    end

    // ------------------------------------------------------------------ aligner
    // Bit n - 1: cycle n.
//% if image_enable
    reg  [DATA-1:0]           valid_q;
//% else
    reg  [DATA:0]             valid_q;
//% end
    reg  [DATA-1:0]           head_dly_q;
    reg  [DATA-1:0]           cross_dly_q;
    reg  [DATA*LANE_W-1:0]    offset_dly_q;
    reg  [8*LANES-1:0]        before_q;    // the entry before the newest

    wire [LANE_W-1:0]  offset = offset_dly_q[DATA*LANE_W-1 -: LANE_W];
    wire [LANES-1:0]   old    = {LANES{cross_dly_q[DATA-1]}} << offset;   // bytes of before_q
    wire [8*LANES-1:0] bytes;
    reg  [8*LANES-1:0] turned;
    integer            s;

    genvar i;
    generate
        for (i = 0; i < LANES; i = i + 1) begin : gen_byte
            assign bytes[8*i +: 8] = old[i] ? before_q[8*i +: 8] : rd_rsp_data[8*i +: 8];
        end
    endgenerate

    // Rotation: byte `offset` becomes byte 0.
    always @* begin
        turned = bytes;
        for (s = LANE_W - 1; s >= 0; s = s - 1) begin
            if (offset[s]) turned = (turned >> (8 << s)) | (turned << (8*LANES - (8 << s)));
        end
    end

    always @(posedge ${gclk} or negedge rst_n) begin
//% if image_enable
        if (!rst_n) valid_q <= {DATA{1'b0}};
        else        valid_q <= {valid_q[DATA-2:0], row_ok};
//% else
        if (!rst_n) valid_q <= {(DATA+1){1'b0}};
        else        valid_q <= {valid_q[DATA-1:0], kernel_ok};
//% end
    end
//% if image_enable

    // Rows share the lanes: 4 groups, of which a row fills 4, 2 or 1. The first row of a kernel
    // clears the others: a kernel may have fewer rows, and what nobody wrote must not meet the data
    // of their lanes, which is 0, as X.
    localparam GROUP = 2*LANES;                    // bits
    reg  [DATA-1:0]   end_dly_q;                   // last row of a kernel
    reg  [1:0]        row_q;                       // of the kernel
    reg               mac_valid_q;
    wire              fill    = valid_q[DATA-1];
    wire              fill_end = fill && end_dly_q[DATA-1];

    always @(posedge ${gclk} or negedge rst_n) begin
        if (!rst_n) begin
            mac_valid_q <= 1'b0;
            row_q       <= 2'd0;
        end else begin
            mac_valid_q <= fill_end;
            if (fill) row_q <= end_dly_q[DATA-1] ? 2'd0 : row_q + 2'd1;
        end
    end

    generate
        for (i = 0; i < 4; i = i + 1) begin : gen_group
            localparam [1:0] ROW_OF_4 = i, ROW_OF_2 = i / 2;

            wire here = rows_code[1] ? row_q == ROW_OF_4 :
                                       !rows_code[0] || (row_q == ROW_OF_2);

            always @(posedge ${gclk}) begin
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
//% end

    always @(posedge ${gclk}) begin
        head_dly_q   <= {head_dly_q[DATA-2:0], head_q};
        cross_dly_q  <= {cross_dly_q[DATA-2:0], crossing};
        offset_dly_q <= {offset_dly_q[(DATA-1)*LANE_W-1:0], offset_q};
        if (rd_rsp_valid) begin
            before_q <= rd_rsp_data;
        end
//% if image_enable
        end_dly_q    <= {end_dly_q[DATA-2:0], kernel_ok};
        if (fill_end) begin
            mac_sel_q  <= head_dly_q[DATA-1] ? {{(KERNELS-1){1'b0}}, 1'b1}
                                             : {mac_sel_q[KERNELS-2:0], 1'b0};
        end
    end

    assign mac_valid = mac_valid_q;
//% else
        if (valid_q[DATA-1]) begin
            mac_sel_q  <= head_dly_q[DATA-1] ? {{(KERNELS-1){1'b0}}, 1'b1}
                                             : {mac_sel_q[KERNELS-2:0], 1'b0};
            mac_data_q <= turned;
        end
    end

    assign mac_valid = valid_q[DATA];
//% end

    // A layer may have more weights than CBUF: the difference that counts is small.
    wire unused_bits = &{1'b0, entries, data_banks[BANK_W]};

endmodule

`default_nettype wire
