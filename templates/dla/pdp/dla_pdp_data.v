// The datapath of PDP: goes through the turns, one group of elements per cycle.
//
//     x -> A, S windows along the line -> B pad -> C, D line buffer -> E pad -> F..I scaling
//
// Contract: nothing stalls a group on its way, ${pdp_latency} cycles from in_take to out_valid. A turn goes in
// as long as its elements are there and, if it has a result, there is room for an atom of them,
// which is reserved with its last group. Reset: empty.
`default_nettype none

module dla_pdp_data (
    input  wire         clk,
    input  wire         rst_n,
    input  wire         en,                            // 0: there is nothing here

    // layer
    input  wire         split,                         // elements of 8 bits, two per lane  //% if types16 && int8
    input  wire         real_type,                     // floating point  //% if mixed_fp
    input  wire         average,                       // else maximum or minimum
    input  wire         compare,                       // maximum or minimum, for the adders  //% if !types16
    input  wire         least,                         // minimum
    input  wire [16:0]  recip_w,                       // ${!fp16 ? "1.0 = 0x10000" : mixed_fp ? "1.0 = 0x10000, or fp17" : "fp17"}
    input  wire [16:0]  recip_h,
    input  wire [2:0]   width,                         // of the window, less 1
//% for n in pads
    input  wire [${pad_w - 1}:0]  pad_${n},                         // what ${n} missing columns or lines add
//% end

    // turns
    input  wire         t_valid,
    output wire         t_pop,
    input  wire         t_take,
    input  wire         t_window,
    input  wire [2:0]   t_before,
    input  wire [2:0]   t_sel,
    input  wire [2:0]   t_miss_w,
    input  wire [2:0]   t_miss_h,
    input  wire [3:0]   t_col,
    input  wire [7:0]   t_write,
    input  wire [7:0]   t_first,
    input  wire [2:0]   t_bank,
    input  wire         t_start,
    input  wire         t_late,
    input  wire         t_result,
    input  wire [3:0]   t_last,

    // elements
    input  wire         in_valid,
    output wire         in_take,
    input  wire [${8 * pdp_throughput - 1:3}:0] in_data,

    // results
    input  wire         room,
    output wire         reserve,
    output wire         out_valid,
    output wire [${8 * pdp_throughput - 1:3}:0] out_data,
    output wire         out_group_last,                // of the atom
    output wire [3:0]   out_last
);

//% if fp16
//%   include "pdp/data_fp16.vh"
//% else
//%   include "pdp/data_int.vh"
//% end
