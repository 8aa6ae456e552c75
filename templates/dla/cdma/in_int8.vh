//# dla_cdma_in of int8 alone, with images.
// Data between memory and CBUF: cubes and pixels pass the convertor; pixels are cut out of atoms
// before it and packed into atoms behind it.
//
//     cube ------------------------------- convertor ------------------- CBUF
//     image --> FIFO --> pixels --> | -->  four lanes of it --> packer --> | -->
//
// Contract: cube one atom per cycle, latency of the convertor with its output register. Pixels one
// per cycle, two cycles more. An atom leaves from one register for both, the end of a line, too.
// CBUF takes a weight or an atom of pixels: the atom waits in its register, and pixels behind it.  //% if !secondary_memif_enable
// Reset: nothing on its way.
`default_nettype none

module dla_cdma_in (
    input  wire                       clk,            // runs while there is a layer
    input  wire                       clk_on,         // runs always
    input  wire                       rst_n,

    input  wire                       start,          // fetch this image

    // layer, as in dla_cdma_img and dla_cdma_cvt
    input  wire                       image,
    input  wire [5:0]                 format,
    input  wire                       is_signed,      // pixels
    input  wire [${addr_w - atom_lsb - 1:2}:0]                base_0,
    input  wire [${addr_w - atom_lsb - 1:2}:0]                base_1,
    input  wire [${addr_w - atom_lsb - 1:2}:0]                stride_0,
    input  wire [${addr_w - atom_lsb - 1:2}:0]                stride_1,
    input  wire [12:0]                width,
    input  wire [12:0]                height,
    input  wire [4:0]                 x_offset,
    input  wire [4:0]                 pad_left,
    input  wire [5:0]                 pad_right,
    input  wire [7:0]                 pad_value,
    input  wire                       mean_en,
    input  wire [63:0]                mean,           // signed 16 bit for each component
    input  wire                       cvt_en,
    input  wire [15:0]                offset,
    input  wire [15:0]                scale,
    input  wire [5:0]                 truncate,

    // requests of images
    input  wire                       room,
    output wire                       take,
    output wire                       req_busy,
    output wire                       req_valid,
    input  wire                       req_ready,
    output wire                       req_load,
    output wire [${addr_w - atom_lsb - 1:2}:0]                req_next,
    output wire                       pending,

    // memory
    input  wire                       rsp_valid,
    input  wire [${atom_bits - 1:3}:0]               rsp_data,

    // write into CBUF
    input  wire                       wt_wr_next,     // a weight in the next cycle  //% if !secondary_memif_enable
    output reg                        wr_valid_q,
    output reg  [${atom_bits - 1:3}:0]               wr_data_q,
    output wire                       line_end        // of pixels, with or without wr_valid
);

    localparam ATOM = ${atom_bits};
    wire              one_component;
    wire              px_valid, px_pad, px_flush;
    wire [1:0]        px_last, converted_last;
    wire [31:0]       px_data;
    wire [${17 * atom_bytes - 1:3}:0]      minus_offset;
    reg               px_valid_q, px_pad_q, px_flush_q;
    reg  [1:0]        px_last_q;
    reg  [31:0]       px_data_q;
    wire              next_valid;     // of the convertor
    wire [ATOM-1:0]   next_data;
    reg               converted_q;    // pixels behind it
    reg  [31:0]       converted_data_q;
    wire              converted_pad, converted_flush;
    wire              pack_valid, pack_last;
    wire [ATOM-1:0]   pack_data;
    reg               pack_last_q;
//% if !secondary_memif_enable
    reg               hold_q;         // an atom of pixels waits for a weight's write
    reg               wait_last_q;    // and ends a line
//% end

    dla_cdma_img u_img (
        .clk            (clk),
        .clk_on         (clk_on),
        .rst_n          (rst_n),
        .start          (start),
        .format         (format),
//% include "cdma/img_pins.vh"

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            px_valid_q  <= 1'b0;
            converted_q <= 1'b0;
            wr_valid_q  <= 1'b0;
            pack_last_q <= 1'b0;
            hold_q      <= 1'b0;  //% if !secondary_memif_enable
        end else begin
//% if secondary_memif_enable
            px_valid_q  <= px_valid;
            converted_q <= next_valid;
//% else
            if (!hold_q) px_valid_q  <= px_valid;
            if (!hold_q) converted_q <= next_valid;
//% end
//% include "cdma/in_write.vh"
        end
    end

    always @(posedge clk) begin
        if (image) begin  //% if secondary_memif_enable
        if (image && !hold_q) begin  //% if !secondary_memif_enable
            px_pad_q    <= px_pad;
            px_flush_q  <= px_flush;
            px_last_q   <= px_last;
            px_data_q   <= px_data;
            converted_data_q <= next_data[31:0];
        end
        if ((image || next_valid)${not_held}) wr_data_q <= image ? pack_data : next_data;
        if (!hold_q) wait_last_q <= pack_last;  //% if !secondary_memif_enable
    end

    dla_cdma_cvt_px u_cvt_px (
        .clk           (clk),
        .image         (image),
        .enable        (cvt_en),
        .offset        (offset),
        .mean_en       (mean_en),
        .mean          (mean),
        .one_component (one_component),
        .minus_offset  (minus_offset),
        .hold          (hold_q),  //% if !secondary_memif_enable
        .in_flags      ({px_last_q, px_pad_q, px_flush_q}),
        .out_flags_q   ({converted_last, converted_pad, converted_flush})
    );

    dla_cdma_cvt u_cvt (
        .clk           (clk),
        .rst_n         (rst_n),
        .enable        (cvt_en),
        .minus_offset  (minus_offset),
        .scale         (scale),
        .truncate      (truncate),
        .is_unsigned   (image && !is_signed),
        .hold          (hold_q),  //% if !secondary_memif_enable
        .in_valid      (image ? px_valid_q : rsp_valid),
        .in_data       ({rsp_data[ATOM-1:32],
                         image ? px_data_q : rsp_data[31:0]}),
        .out_valid     (next_valid),
        .out_data      (next_data)
    );

    dla_cdma_pack u_pack (
        .clk            (clk),
        .rst_n          (rst_n),
        .pad_value      (pad_value),
        .hold           (hold_q),  //% if !secondary_memif_enable
        .in_valid       (image && converted_q),
        .in_pad         (converted_pad),
        .in_flush       (converted_flush),
        .in_last        (converted_last),
        .in_data        (converted_data_q),
        .out_valid      (pack_valid),
        .out_last       (pack_last),
        .out_data       (pack_data)
    );

    assign line_end = pack_last_q;

endmodule

`default_nettype wire
