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
    input  wire                       gclk,           // runs while there is a layer  //% if clock_gating
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
    input  wire [1:0]                 rows_code,      // rows that share the lanes - 1: 0, 1, 3  //% if image_enable
    input  wire [${clog2(atomic_c) - 1:2}:0]                channel,        // of the last block, minus one
    input  wire [${atomic_c - 1:2}:0]                tail_off,       // lanes that it does not have
    ${int8_port}
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

//% include "csc/wl_rows.vh"
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

    wire [BYTE_W-1:0] bytes       = ${load_bytes};   // minus one
//% include "csc/wl_go.vh"

//% include "csc/wl_stream.vh"

//% include "csc/wl_skew.vh"
//% include "csc/wl_read.vh"

    // ------------------------------------------------------------------ cycle DATA: whole bytes
    // Bit n - 1: cycle n.
    reg  [DATA:0]             valid_q;
    reg  [DATA:0]             head_dly_q;
    reg  [DATA-2:0]           cross_dly_q;
    reg  [DATA:0]             tail_dly_q;
    reg  [DATA:0]             two_dly_q;  //% if types.mix
    reg  [(DATA+1)*BYTE_W-1:0] offset_dly_q;
    reg  [8*BYTES-1:0]        before_q;    // the entry before the newest
    reg  [8*BYTES-1:0]        turned_q;

//% include "csc/wl_rotate.vh"

    always @(posedge ${gclk} or negedge rst_n) begin
        if (!rst_n) valid_q <= {(DATA+1){1'b0}};
        else        valid_q <= {valid_q[DATA-1:0], ${skew_}row_ok};
    end

    always @(posedge ${gclk}) begin
        head_dly_q   <= {head_dly_q[DATA-1:0], ${skew_}head_q};
        cross_dly_q  <= {cross_dly_q[DATA-3:0], ${skew_}crossing};
        tail_dly_q   <= {tail_dly_q[DATA-1:0], ${skew_}tail_q};
        two_dly_q    <= {two_dly_q[DATA-1:0], ${skew_}two};  //% if types.mix
        offset_dly_q <= {offset_dly_q[DATA*BYTE_W-1:0], ${skew_}offset_q};
        old_q        <= {BYTES{cross_dly_q[DATA-2]}} << offset_dly_q[(DATA-1)*BYTE_W-1 -: BYTE_W];
        if (rd_rsp_valid)    before_q <= rd_rsp_data;
        if (valid_q[DATA-1]) turned_q <= coarse;
    end

    // ------------------------------------------------------------------ cycle DATA + 1: kernel
//%   if image_enable
    reg  [DATA:0]             end_dly_q;   // last row of a kernel
    reg  [DATA:0]             cell_dly_q;  // and of its cell  //% if types.mix

    always @(posedge ${gclk}) begin
        end_dly_q  <= {end_dly_q[DATA-1:0], ${skew_}kernel_ok};
        cell_dly_q <= {cell_dly_q[DATA-1:0], ${skew_}cell_ok};  //% if types.mix
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
        .in_cell_end   (cell_dly_q[DATA]),  //% if types.mix
//%   end
        .tail_off      (tail_off),
        .in_valid      (valid_q[DATA]),
        .in_head       (head_dly_q[DATA]),
        .in_two        (two_dly_q[DATA]),  //% if types.mix
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
