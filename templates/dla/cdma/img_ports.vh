//# Ports of the image side but those of pixels.
    input  wire [${addr_w - atom_lsb - 1:2}:0]                base_0,
    input  wire [${addr_w - atom_lsb - 1:2}:0]                base_1,
    input  wire [${addr_w - atom_lsb - 1:2}:0]                stride_0,
    input  wire [${addr_w - atom_lsb - 1:2}:0]                stride_1,
    input  wire [12:0]                width,
    input  wire [12:0]                height,
    input  wire [4:0]                 x_offset,       // pixels before the first one
    input  wire [4:0]                 pad_left,       // pixels, not minus 1
    input  wire [5:0]                 pad_right,
    output wire                       one_component,  // in a pixel

    // space
    input  wire                       room,           // a whole slice is free
    output wire                       take,           // claims a slice
    output reg                        req_busy_q,     // requests are left

    // memory
    output wire                       req_valid,
    input  wire                       req_ready,
    output wire                       req_load,       // the next request has this address, in atoms
    output wire [${addr_w - atom_lsb - 1:2}:0]                req_next,
    input  wire                       rsp_valid,
    input  wire [${atom_bits - 1:3}:0]               rsp_data,
    output wire                       pending,        // atoms wait for their turn

    // pixels
    input  wire                       hold,           // pixels stop  //% if !secondary_memif_enable
    output wire                       px_valid,
    output wire                       px_pad,         // padding: no data
    output wire                       px_flush,       // end of line: no pixel
