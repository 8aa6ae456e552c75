// CDMA: fetches the input cube and the weights of a layer into CBUF, converting data on the way.
//
//% if image_enable
// ${types16 ? "" : "Int8"} feature cubes of direct convolution, and images of ${types16 ? "8- and 16-bit" : "8-bit"} pixels in one or two planes.
//% else
// ${types16 ? "" : "Int8"} feature cubes of direct convolution.
//% end
// Data and weights are fetched in parallel, each as far as CBUF has room; a layer is over when both
// are in CBUF, and the next may start one cycle later.
//% if wt.atoms > 1
// Throughput: one atom of data and two of weights per cycle; nothing but missing space or the
// memory stalls it.
//% else
// Throughput: one atom per cycle on either side; nothing but missing space or the memory stalls it.
//% end
// Winograd: the same rate, where padding counts as pixels; rows of tiles follow 7 cycles  //% if types.winograd
// behind the last of their pixels.  //% if types.winograd
// Images: one pixel per cycle; weights take no more than half of the memory's cycles meanwhile.  //% if image_enable
//% if wt.atoms > 1
// Latency: op_en to first request 2 cycles, weights 3; response to CBUF write 1 cycle (weights 2,
// data with CVT_EN 4${!image_enable ? "" : types.fp16 ? ", pixels five more" : ", pixels three more"}), slice or entry announced to CSC one cycle
// later. A bank change adds the rendezvous with CSC.
//% else
// Latency: op_en to first request 2 cycles, weights 3; response to CBUF write 1 cycle (data with
//% if image_enable
// CVT_EN: 4; of pixels ${types.fp16 ? "five" : types16 ? "three" : "two"} more), slice or entry announced to CSC one cycle later. A bank change
// adds the rendezvous with CSC.
//% else
// CVT_EN: 4), slice or entry announced to CSC one cycle later. A bank change adds the rendezvous
// with CSC.
//% end
//% end
// After reset all of CBUF is cleared, one row per cycle; a layer waits for the end of that.
`default_nettype none

module dla_cdma (
    input  wire                       clk,
    input  wire                       rst_n,
    input  wire                       clk_ovr_on,             // 1: gated clocks always run  //% if clock_gating

    // register access
    input  wire                       csb2cdma_valid,
    input  wire [9:0]                 csb_addr,               // word offset
    input  wire [31:0]                csb_wdata,
    input  wire                       csb_write,
    output wire [31:0]                cdma2csb_rdata,         // 0 unless a read was requested

    // memory reads
//% for t in ram_types
    output wire                       ${t.link}_ram_type,     // 1: primary port
//% end
    output wire                       cdma_dat2mcif_rd_req_valid,
    input  wire                       cdma_dat2mcif_rd_req_ready,
    output wire [${addr_w - 1:2}:0]                cdma_dat2mcif_rd_req_addr,
    output wire [14:0]                cdma_dat2mcif_rd_req_size,    // atoms - 1
    input  wire                       mcif2cdma_dat_rd_rsp_valid,   // cannot stall
    input  wire [${atom_bits - 1:3}:0]               mcif2cdma_dat_rd_rsp_data,
    output wire                       cdma_wt2mcif_rd_req_valid,
    input  wire                       cdma_wt2mcif_rd_req_ready,
    output wire [${addr_w - 1:2}:0]                cdma_wt2mcif_rd_req_addr,
    output wire [14:0]                cdma_wt2mcif_rd_req_size,     // atoms - 1
    input  wire ${wt.atoms > 1 ? "[1:0]" : "     "}                 mcif2cdma_wt_rd_rsp_valid,    // ${wt.atoms > 1 ? "atoms of a pair, " : ""}cannot stall
    input  wire [${wt.atoms * atom_bits - 1:3}:0]               mcif2cdma_wt_rd_rsp_data,

    // CBUF writes, cannot stall
    output wire                       cdma2cbuf_dat_wr_valid,
    output wire [${cbuf_addr_w - 1:2}:0]                cdma2cbuf_dat_wr_addr,  // absolute entry
//% if atoms_per_entry > 1
    output wire [${atoms_per_entry - 1:2}:0]                cdma2cbuf_dat_wr_sel,   // one-hot atom of the entry
//% end
    output wire [${atom_bits - 1:3}:0]               cdma2cbuf_dat_wr_data,
    output wire                       cdma2cbuf_wt_wr_valid,
    output wire [${cbuf_addr_w - 1:2}:0]                cdma2cbuf_wt_wr_addr,   // absolute entry
//% if atoms_per_entry > 1
    output wire [${atoms_per_entry - 1:2}:0]                cdma2cbuf_wt_wr_sel,    // ${wt.atoms > 1 ? "an aligned pair, or its low atom" : "one-hot atom of the entry"}
//% end
    output wire [${wt.atoms * atom_bits - 1:3}:0]               cdma2cbuf_wt_wr_data,
    output wire                       cdma2cbuf_flush_valid,  // clears a row of all banks
    output wire [${cbuf_row_w - 1:2}:0]                cdma2cbuf_flush_row,

    // bookkeeping with CSC, cannot stall
    output wire                       cdma2csc_dat_updt,      // one more slice is in CBUF
    output wire                       cdma2csc_wt_updt,       // one more weight entry is in CBUF
    output wire                       cdma2csc_wmb_updt,      // one more entry of masks  //% if types.sparsity_masks
    input  wire                       csc2cdma_dat_rls_valid,
    input  wire [${cbuf_addr_w:2}:0]                csc2cdma_dat_rls_entries,
    input  wire                       csc2cdma_wt_rls_valid,
    input  wire [${cbuf_addr_w:2}:0]                csc2cdma_wt_rls_entries,
//% if types.sparsity_masks
    input  wire                       csc2cdma_wmb_rls_valid,
    input  wire [${cbuf_addr_w:2}:0]                csc2cdma_wmb_rls_entries,
//% end
    output wire                       cdma2csc_bank_change,   // both high: bookkeeping restarts
    input  wire                       csc2cdma_bank_change,

    // interrupt events, one pulse, bit = register group
    output wire [1:0]                 cdma_dat2glb_done,
    output wire [1:0]                 cdma_wt2glb_done
);

//# Pixels wait for weights where both have one way into CBUF.
//% let pixels_wait = image_enable && !secondary_memif_enable
    localparam ADDR_W = ${addr_w};
    localparam LSB    = ${atom_lsb};            // address bits inside an atom
    localparam CBUF_W = ${cbuf_addr_w};
    localparam BANK_W = ${cbuf_bank_w};
    localparam ROW_W  = ${cbuf_row_w};

//% include "cdma/registers.vh"

    // ------------------------------------------------------------------ layer control
    wire start, dat_start, wt_start;
    wire dat_busy, wt_busy;
    wire tile_ending;  //% if types.winograd
    wire agreed, agreed_data;

    dla_cdma_ctrl u_ctrl (
        .clk                  (clk),
        .rst_n                (rst_n),
        .op_en                (op_en),
        .op_done              (op_done),
        .consumer             (consumer),
        .data_reuse           (data_reuse),
        .weight_reuse         (weight_reuse),
        .skip_data_rls        (skip_data_rls),
        .skip_weight_rls      (skip_weight_rls),
        .data_bank            (data_bank),
        .weight_bank          (weight_bank),
        .image                (image),  //% if image_enable
        .winograd             (winograd),  //% if types.winograd
        .flush_done_q         (flush_done_q),
        .flush_valid_q        (cdma2cbuf_flush_valid),
        .flush_row_q          (cdma2cbuf_flush_row),
        .cdma2csc_bank_change_q (cdma2csc_bank_change),
        .csc2cdma_bank_change (csc2cdma_bank_change),
        .agreed               (agreed),
        .agreed_data          (agreed_data),
        .start                (start),
        .dat_start_q          (dat_start),
        .wt_start_q           (wt_start),
        .dat_busy             (dat_busy${types.fp16 ? " || dat_counts" : ""}${types.winograd ? " || tile_ending" : ""}),
        .wt_busy              (wt_busy${types.fp16 ? " || wt_counts" : ""}${types.sparsity_masks ? " || wmb_busy" : ""}),
        .dat_done_q           (cdma_dat2glb_done),
        .wt_done_q            (cdma_wt2glb_done)
    );

    // ------------------------------------------------------------------ free entries
    wire            dat_take, wt_take;
    wire [CBUF_W:0] dat_free, wt_free, wt_take_less_1;
//% if types.winograd

    // Entries of a slice or of a unit of Winograd - 1.
    reg  [CBUF_W:0] dat_less_1_q;

    always @(posedge clk) begin
        dat_less_1_q <= winograd ? {slice_less_1[CBUF_W-2:0], 2'b11} : slice_less_1[CBUF_W:0];
    end
//% end

//% let dat_less_1 = types.winograd ? "dat_less_1_q" : "slice_less_1"
    // Room for a slice, looked at one cycle ahead: a slice that is taken in this cycle leaves room
    // for one more if there was room for two; all banks have room for at least one.
    wire dat_room_next = agreed_data ||
                         (dat_take ? {1'b0, dat_free} > {${dat_less_1}[CBUF_W:0], 1'b1}
                                   : dat_free > ${dat_less_1}[CBUF_W:0]);
//% if image_enable
    reg  dat_room_q;

    always @(posedge clk) dat_room_q <= dat_room_next;
//% end

    dla_cdma_space u_dat_space (
        .clk         (clk),
        .reload      (agreed_data),
        .reload_free ({{1'b0, data_bank} + {{BANK_W{1'b0}}, 1'b1}, {ROW_W{1'b0}}}),
        .take        (dat_take),
        .take_less_1 (${dat_less_1}[CBUF_W:0]),
        .rls_valid   (csc2cdma_dat_rls_valid),
        .rls_entries (csc2cdma_dat_rls_entries),
        .free_q      (dat_free)
    );

    dla_cdma_space u_wt_space (
        .clk         (clk),
        .reload      (agreed),
        .reload_free ({{1'b0, weight_bank} + {{BANK_W{1'b0}}, 1'b1}, {ROW_W{1'b0}}}),
        .take        (wt_take),
        .take_less_1 (wt_take_less_1),
        .rls_valid   (csc2cdma_wt_rls_valid),
        .rls_entries (csc2cdma_wt_rls_entries),
        .free_q      (wt_free)
    );

//% if types.sparsity_masks
    // Masks have the last bank.
    wire            wmb_take;
    wire [CBUF_W:0] wmb_free, wmb_take_less_1;

    dla_cdma_space u_wmb_space (
        .clk         (clk),
        .reload      (agreed),
        .reload_free ({{BANK_W{1'b0}}, 1'b1, {ROW_W{1'b0}}}),
        .take        (wmb_take),
        .take_less_1 (wmb_take_less_1),
        .rls_valid   (csc2cdma_wmb_rls_valid),
        .rls_entries (csc2cdma_wmb_rls_entries),
        .free_q      (wmb_free)
    );

//% end
//% if clock_gating
    // ------------------------------------------------------------------ clock of the fetch engines
    // Stops between layers, runs during reset. Registers, layer control, free space and flush stay
    // on clk.
    wire gclk;

    clkgate u_clkgate (
        .clk     (clk),
        .en      (op_en || !rst_n),
        .test_en (clk_ovr_on),
        .gclk    (gclk)
    );

//% end
//% include "cdma/data.vh"
//% include "cdma/weights.vh"

    // ------------------------------------------------------------------ counters
    dla_cdma_perf u_dat_perf (
        .clk         (${gclk}),
        .clear       (start),
        .count_en    (perf_en),
        .stalled     (cdma_dat2mcif_rd_req_valid && !cdma_dat2mcif_rd_req_ready),
        .outstanding (${types.winograd ? "winograd ? tile_outstanding : " : ""}dat_outstanding),
        .stall_q     (dat_stall),
        .latency_q   (dat_latency)
    );

    dla_cdma_perf u_wt_perf (
        .clk         (${gclk}),
        .clear       (start),
        .count_en    (perf_en),
        .stalled     (cdma_wt2mcif_rd_req_valid && !cdma_wt2mcif_rd_req_ready),
        .outstanding (wt_outstanding${types.sparsity_masks ? " || wmb_outstanding" : ""}),
        .stall_q     (wt_stall),
        .latency_q   (wt_latency)
    );

    // Fields are wider than this configuration needs.
    wire unused_bits = &{1'b0, data_addr, weight_addr, line_step, surf_step, channel[LSB-1:0],
                         uv_addr, uv_step,${types16 ? "" : " pad_value[15:8],"}  //% if image_enable
                         ${types.fp16 ? "in_precision[0]," : ""}${types.fp16 && types.several && !types.mix ? " proc_precision[0]," : ""}${types16 && !types.mix ? " byte_per_kernel[0]," : ""}
                         batch_step,  //% if batch_enable
                         wmb_addr, rsp_wmb,  //% if types.sparsity_masks
                         slice_less_1, data_bank_field, weight_bank_field};

endmodule

`default_nettype wire
