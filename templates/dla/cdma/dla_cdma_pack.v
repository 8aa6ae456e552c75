// Packs pixels of 1 to 4 bytes into atoms without gaps; padding becomes a value.
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

    input  wire [7:0]                 pad_value,

    input  wire                       hold,           // nothing moves  //% if !secondary_memif_enable
    input  wire                       in_valid,
    input  wire                       in_pad,
    input  wire                       in_flush,
    input  wire [1:0]                 in_last,        // bytes of the pixel - 1
    input  wire [31:0]                in_data,

    output wire                       out_valid,      // an atom is complete or flushed
    output wire                       out_last,       // end of line, with or without an atom
    output wire [${atom_bits - 1:3}:0]               out_data
);

    localparam BYTES = ${atom_bytes};
    localparam LSB   = ${atom_lsb};

    reg  [8*BYTES-1:0] wait_q;
    reg  [LSB-1:0]     fill_q;         // bytes that wait

    wire [31:0]        px     = in_pad ? {4{pad_value}} : in_data;
    wire [63:0]        double = {px, px} << {fill_q[1:0], 3'd0};
    wire [31:0]        turned = double[63:32];

    // Bytes of the pixel in this atom (low half) and in the next.
    wire [3:0]         ones   = {&in_last, in_last[1], |in_last, 1'b1};
//% include "cdma/pack.vh"
