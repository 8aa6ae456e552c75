// Made by macrame 0.1.0 from templates/dla/cdma/dla_cdma_in.v
// with addr_w=32 atom_bits=64 atom_bytes=8 atom_lsb=3 image_enable=1 secondary_memif_enable=0
// types16=0

// Data between memory and CBUF: cubes and pixels pass the convertor; pixels are cut out of atoms
// before it and packed into atoms behind it.
//
//     cube ------------------------------- convertor ------------------- CBUF
//     image --> FIFO --> pixels --> | -->  four lanes of it --> packer --> | -->
//
// Contract: cube one atom per cycle, latency of the convertor with its output register. Pixels one
// per cycle, two cycles more. An atom leaves from one register for both, the end of a line, too.
// CBUF takes a weight or an atom of pixels: the atom waits in its register, and pixels behind it.
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
    input  wire [28:0]                base_0,
    input  wire [28:0]                base_1,
    input  wire [28:0]                stride_0,
    input  wire [28:0]                stride_1,
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
    output wire [28:0]                req_next,
    output wire                       pending,

    // memory
    input  wire                       rsp_valid,
    input  wire [ 63:0]               rsp_data,

    // write into CBUF
    input  wire                       wt_wr_next,     // a weight in the next cycle
    output reg                        wr_valid_q,
    output reg  [ 63:0]               wr_data_q,
    output wire                       line_end        // of pixels, with or without wr_valid
);

    localparam ATOM = 64;
    wire              one_component;
    wire              px_valid, px_pad, px_flush;
    wire [1:0]        px_last, converted_last;
    wire [31:0]       px_data;
    wire [135:0]      minus_offset;
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
    reg               hold_q;         // an atom of pixels waits for a weight's write
    reg               wait_last_q;    // and ends a line

    dla_cdma_img u_img (
        .clk            (clk),
        .clk_on         (clk_on),
        .rst_n          (rst_n),
        .start          (start),
        .format         (format),
        .base_0         (base_0),
        .base_1         (base_1),
        .stride_0       (stride_0),
        .stride_1       (stride_1),
        .width          (width),
        .height         (height),
        .x_offset       (x_offset),
        .pad_left       (pad_left),
        .pad_right      (pad_right),
        .one_component  (one_component),
        .room           (room),
        .take           (take),
        .req_busy_q     (req_busy),
        .req_valid      (req_valid),
        .req_ready      (req_ready),
        .req_load       (req_load),
        .req_next       (req_next),
        .rsp_valid      (rsp_valid && image),
        .rsp_data       (rsp_data),
        .pending        (pending),
        .hold           (hold_q),
        .px_valid       (px_valid),
        .px_pad         (px_pad),
        .px_flush       (px_flush),
        .px_last        (px_last),
        .px_data        (px_data)
    );

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            px_valid_q  <= 1'b0;
            converted_q <= 1'b0;
            wr_valid_q  <= 1'b0;
            pack_last_q <= 1'b0;
            hold_q      <= 1'b0;
        end else begin
            if (!hold_q) px_valid_q  <= px_valid;
            if (!hold_q) converted_q <= next_valid;
            hold_q      <= (pack_valid || hold_q) && wt_wr_next;
            wr_valid_q  <= image ? (pack_valid || hold_q) && !wt_wr_next : next_valid;
            pack_last_q <= (hold_q ? wait_last_q : pack_last)
                           && !((pack_valid || hold_q) && wt_wr_next);
        end
    end

    always @(posedge clk) begin
        if (image && !hold_q) begin
            px_pad_q    <= px_pad;
            px_flush_q  <= px_flush;
            px_last_q   <= px_last;
            px_data_q   <= px_data;
            converted_data_q <= next_data[31:0];
        end
        if ((image || next_valid) && !hold_q) wr_data_q <= image ? pack_data : next_data;
        if (!hold_q) wait_last_q <= pack_last;
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
        .hold          (hold_q),
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
        .hold          (hold_q),
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
        .hold           (hold_q),
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
