//# Three loaders behind the same ports: int8 alone (wl_int8.vh), elements of 16 bits (wl_wide.vh) and
//# weights that may be compressed (wl_masks.vh).
//% if types.sparsity_masks
// Weight loader of CSC: reads the weights of a layer, which may be compressed, each cycle what a
// cell of CMAC takes at once. dla_csc_masks walks over the kernels and knows which of the bytes are
// stored; they are read here and dla_csc_expand puts them into their places.
//
//     cycle 0        1          3         4 .. ${cbuf_rd_latency + 3}      ${cbuf_rd_latency + 4} .. ${cbuf_rd_latency + 5}      ${cbuf_rd_latency + 6}, ${cbuf_rd_latency + 7}       ${csc_latency}
//     load --> entry --> region --> CBUF --> aligner --> expand --> CMAC (shadow weights)
//
// That is 0 to ${entry_bytes} bytes of the stream, out of the newest entry or out of the last two; an entry is
// read when a byte of it is needed. For each stripe the stream starts again with the group.
//% elif types.mix
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
// A kernel takes ${types16 ? 2 : 1} to ${entry_bytes} bytes of the stream, out of the newest entry or out of the last two. For
// each stripe the stream starts again with the group.
//% end
//
//% if image_enable && !types.sparsity_masks
// Image: with 2 or 4 kernel rows per step the rows of a kernel follow each other in the stream and
// come one by one, each into its share of the lanes.
//
//% end
// Contract: while `ready` is low it loads the weights of the next step, from the cycle of the swap
// on: weights and data take the same ${csc_latency} cycles to CMAC, so kernels that leave with a swap are
// shadow weights of the step after it. A ${types.sparsity_masks ? "load" : "kernel"} waits for its entries to be announced.
// Releases: entries that only this group used, at its last kernel; at `finish` all that is left.
// Reset: no step, no weights in CBUF.
`default_nettype none

module dla_csc_wl (
    input  wire                       clk,
    input  wire                       gclk,           // runs while there is a layer  //% if clock_gating
    input  wire                       rst_n,

    // announcements and layer control
    input  wire                       updt,           // pulse: one more entry in CBUF
    input  wire                       wmb_updt,       // the same of masks  //% if types.sparsity_masks
    input  wire                       bank_change,    // CBUF is empty
    input  wire                       release_rest,   // what the layer before left
    input  wire                       start,
    input  wire                       finish,         // of a layer
    output wire                       rest,           // there is something left
    output wire                       announced,      // all entries of the layer

    // layer, stable from start to finish
    input  wire                       skip_rls,       // leave them for the next
    input  wire                       winograd,       // data are later  //% if types.winograd
    input  wire                       fp,  //% if types.fp_and_int
//% if types.winograd && !types.fp_and_int

//% end
    input  wire [${cbuf_addr_w:2}:0]                entries,
    input  wire                       compressed,  //% if types.sparsity_masks
    input  wire [${cbuf_addr_w:2}:0]                wmb_entries,  //% if types.sparsity_masks
    input  wire [1:0]                 rows_code,      // rows that share the lanes - 1: 0, 1, 3  //% if image_enable
    input  wire [${clog2(atomic_c) - 1:2}:0]                channel,        // of the last block, minus one
    input  wire [${atomic_c - 1:2}:0]                tail_off,       // lanes that it does not have  //% if types16
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
    output wire                       wmb_rls_valid,  //% if types.sparsity_masks
    output wire [${cbuf_addr_w:2}:0]                wmb_rls_entries,  //% if types.sparsity_masks

    // CBUF
    output wire                       wmb_rd_valid,  //% if types.sparsity_masks
    output wire [${cbuf_row_w - 1:2}:0]                wmb_rd_row,  //% if types.sparsity_masks
    input  wire                       wmb_rd_rsp_valid,  //% if types.sparsity_masks
    input  wire [${entry_bits - 1:3}:0]               wmb_rd_rsp_data, // holds until the next  //% if types.sparsity_masks
    output wire                       rd_valid,
    output reg  [${cbuf_addr_w - 1:2}:0]                rd_addr_q,
    input  wire                       rd_rsp_valid,
    input  wire [${entry_bits - 1:3}:0]               rd_rsp_data,    // holds until the next

    // CMAC
    output ${types16 ? "wire" : "reg "}                       mac_a_valid_q,
    output ${types16 ? "wire" : "reg "}                       mac_b_valid_q,
    output ${types16 ? "wire" : "reg "} [${cells - 1:2}:0]                mac_sel_q,      // one-hot ${types16 ? "cell" : "kernel"}
    output ${types16 ? "wire" : "reg "} [${entry_bits - 1:3}:0]               mac_data_q
);

//# What the parts that the loaders share call their signals.
//% let byte_w = types16 ? "BYTE_W" : "LANE_W"
//% let byte_n = types16 ? "BYTES" : "LANES"
//% let whole = types16 ? "whole" : "bytes"
//% let late = types.winograd ? "skew_" : ""
//% let group_end = types.sparsity_masks ? "group_end" : "group_end_q"
//% let layer_end = types.sparsity_masks ? "layer_end" : "layer_end_q"
    localparam BYTES   = ${entry_bytes};             // of an entry  //% if types16
    localparam BYTE_W  = ${clog2(entry_bytes)};  //% if types16
    localparam KERN_W  = ${clog2(cells)};               // a kernel of a group, of int8 two  //% if types16 && !types.sparsity_masks
    localparam LANES   = ${atomic_c};              // bytes of an entry  //% if !types16
    localparam LANE_W  = ${clog2(atomic_c)};  //% if !types16
    localparam KERNELS = ${atomic_k};  //% if !types16
    localparam KERN_W  = ${clog2(atomic_k)};  //% if !types16
    localparam CBUF_W  = ${cbuf_addr_w};
    localparam ROW_W   = ${cbuf_row_w};
    localparam BANK_W  = ${cbuf_bank_w};
    localparam HALF    = ${byte_w} / 2;      // steps of the rotation in its first stage
    localparam READ    = 4;               // cycle of the CBUF read
    localparam DATA    = ${cbuf_rd_latency + 4};               // cycle of its data

//% if types.sparsity_masks
//%   include "csc/wl_masks.vh"
//% elif types16
//%   include "csc/wl_types16.vh"
//% else
//%   include "csc/wl_int8.vh"
//% end

endmodule

`default_nettype wire
