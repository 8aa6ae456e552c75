// Packs pixels of 1 to 4 components into atoms without gaps; padding becomes a value.
//
//     pixel --> turn by the bytes that wait --> | waiting bytes | turned bytes | --> atom
//                                                              '--> the rest waits
//
// Contract: one pixel per cycle, combinational to the atom. `in_flush` comes in place of a pixel
// and writes what waits. Reset: no byte waits.
`default_nettype none

module dla_cdma_pack (
    input  wire                       clk,            // runs while there is a layer
    input  wire                       rst_n,

    input  wire                       int8,           // components, else 16 bits  //% if types.mix
    input  wire [15:0]                pad_value,

    ${pack_hold_port}
    input  wire                       in_valid,
    input  wire                       in_pad,
    input  wire                       in_flush,
    input  wire [1:0]                 in_last,        // components of the pixel - 1
    input  wire [63:0]                in_data,        // 16 bits each

    output wire                       out_valid,      // an atom is complete or flushed
    output wire                       out_last,       // end of line, with or without an atom
    output wire [${atom_bits - 1:3}:0]               out_data
);

    localparam BYTES = ${atom_bytes};
    localparam LSB   = ${atom_lsb};

    reg  [8*BYTES-1:0] wait_q;
    reg  [LSB-1:0]     fill_q;         // bytes that wait

    wire [63:0]        words  = in_pad ? {4{pad_value}} : in_data;
//% if types.mix
    wire [63:0]        px     = int8 ? {2{words[55:48], words[39:32], words[23:16], words[7:0]}}
                                     : words;
    wire [2:0]         last   = int8 ? {1'b0, in_last} : {in_last, 1'b1};   // bytes - 1
//% else
    wire [63:0]        px     = words;
    wire [2:0]         last   = {in_last, 1'b1};                            // bytes - 1
//% end
    wire [127:0]       double = {px, px} << {fill_q[2:0], 3'd0};
    wire [63:0]        turned = double[127:64];

    // Bytes of the pixel in this atom (low half) and in the next.
    wire [7:0]         ones   = 8'hff >> ~last;
//% include "cdma/pack.vh"
