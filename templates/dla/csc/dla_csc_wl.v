// Weight loader of CSC: reads the dense weight stream of a layer, one kernel of a step per cycle.
//
//     cycle 0          1          3         4 .. ${cbuf_rd_latency + 3}      ${cbuf_rd_latency + 4}, ${cbuf_rd_latency + 5}        ${csc_latency}
//     kernel --> entry --> region --> CBUF --> aligner --> CMAC (shadow weights)
//
// A kernel takes 1 to ${atomic_c} bytes of the stream, out of the newest entry or out of the last two. For
// each stripe the stream starts again with the group.
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
    input  wire [${cbuf_addr_w:2}:0]                entries,
    input  wire [1:0]                 rows_code,      // rows that share the lanes - 1: 0, 1, 3  //% if image_enable
    input  wire [${clog2(atomic_c) - 1:2}:0]                channel,        // of the last block, minus one
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
    output reg                        mac_a_valid_q,
    output reg                        mac_b_valid_q,
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
    localparam HALF    = LANE_W / 2;      // steps of the rotation in its first stage
    localparam READ    = 4;               // cycle of the CBUF read
    localparam DATA    = ${cbuf_rd_latency + 4};               // cycle of its data

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

//% include "csc/wl_rows.vh"
    wire last   = kernel_ok && (left_q == {KERN_W{1'b0}});
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
    // Entries have numbers, modulo twice the size of CBUF. The newest entry read is index - 1; it
    // has bytes left unless offset is 0.
    reg  [LANE_W-1:0] offset_q;
    reg  [CBUF_W:0]   index_q;         // next entry to read
    reg  [CBUF_W:0]   group_q;         // entry in which the group begins
    wire [CBUF_W:0]   have;            // first entry that was not announced
    wire [CBUF_W:0]   oldest;          // entry that was not released

//% include "csc/wl_go.vh"

//% include "csc/wl_stream.vh"

//% include "csc/wl_read.vh"

    // ------------------------------------------------------------------ cycle DATA: whole bytes
    // Bit n - 1: cycle n.
    reg  [DATA:0]             valid_q;
    reg  [DATA:0]             head_dly_q;
    reg  [DATA-2:0]           cross_dly_q;
    reg  [(DATA+1)*LANE_W-1:0] offset_dly_q;
    reg  [8*LANES-1:0]        before_q;    // the entry before the newest
    reg  [8*LANES-1:0]        turned_q;

//% include "csc/wl_rotate.vh"

    always @(posedge ${gclk} or negedge rst_n) begin
        if (!rst_n) valid_q <= {(DATA+1){1'b0}};
        else        valid_q <= {valid_q[DATA-1:0], row_ok};
    end

    always @(posedge ${gclk}) begin
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
//% if image_enable
    // Rows share the lanes: 4 groups, of which a row fills 4, 2 or 1. The first row of a kernel
    // clears the others: a kernel may have fewer rows, and what nobody wrote must not meet the data
    // of their lanes, which is 0, as X.
    localparam GROUP = 2*LANES;                    // bits
    reg  [DATA:0]      end_dly_q;                  // last row of a kernel
    reg  [1:0]         row_q;                      // of the kernel
    wire               fill     = valid_q[DATA];
    wire               fill_end = fill && end_dly_q[DATA];

    always @(posedge ${gclk}) begin
        end_dly_q <= {end_dly_q[DATA-1:0], kernel_ok};
    end

    always @(posedge ${gclk} or negedge rst_n) begin
        if (!rst_n)    row_q <= 2'd0;
        else if (fill) row_q <= end_dly_q[DATA] ? 2'd0 : row_q + 2'd1;
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
//% else
    wire               fill_end = valid_q[DATA];

    always @(posedge ${gclk}) begin
        if (fill_end) mac_data_q <= turned;
    end
//% end

    always @(posedge ${gclk} or negedge rst_n) begin
        if (!rst_n) begin
            mac_a_valid_q <= 1'b0;
            mac_b_valid_q <= 1'b0;
        end else begin
            mac_a_valid_q <= fill_end && (|sel[KERNELS/2-1:0]);
            mac_b_valid_q <= fill_end && (|sel[KERNELS-1:KERNELS/2]);
        end
    end

    always @(posedge ${gclk}) begin
        if (fill_end) mac_sel_q <= sel;
    end

    wire unused_bits = &{1'b0, fine, data_banks[BANK_W]};

endmodule

`default_nettype wire
