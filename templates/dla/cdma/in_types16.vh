//# dla_cdma_in where there are elements of 16 bits.
//% if image_enable
// Data between memory and CBUF: cubes and pixels pass the convertor; pixels are cut out of atoms
// before it and packed into atoms behind it.
//
//     cube ------------------------------- convertor ------------------- CBUF
//     image --> FIFO --> pixels --> | -->  four lanes of it --> packer --> | -->
//
// Behind the lanes of pixels integers become fp16.  //% if types.fp16
// Contract: cube one atom per cycle, latency of the convertor with its output register. Pixels one
// per cycle. An atom leaves from one register for both, the end of a line, too.
// CBUF takes a weight or an atom of pixels: the atom waits in its register, and pixels behind it.  //% if !secondary_memif_enable
//% else
// Data between memory and CBUF: cubes pass the convertor.
//
// Contract: one atom per cycle, latency of the convertor with its output register.
//% end
// Reset: nothing on its way.
`default_nettype none

module dla_cdma_in (
    input  wire                       clk,            // runs while there is a layer
    input  wire                       clk_on,         // runs always  //% if image_enable
    input  wire                       rst_n,

    // layer
    input  wire                       int8,           // elements in CBUF, else 16 bits  //% if types.mix
//% if types.fp16
    input  wire                       in_fp16,        // elements in memory
    input  wire                       nan_to_zero,
    input  wire                       clear,          // start of a layer
    output wire                       counting,
    output wire [31:0]                nan_count,
    output wire [31:0]                inf_count,
//% end
//% if types.convert
    input  wire                       cvt_en,
    input  wire [15:0]                offset,
    input  wire [15:0]                scale,
    input  wire [5:0]                 truncate,
//% end
//% if image_enable
    input  wire                       start,          // fetch this image
    input  wire                       image,
    input  wire                       out_fp16,       // elements in CBUF  //% if types.fp16
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
    input  wire [15:0]                pad_value,
    input  wire                       mean_en,
    input  wire [63:0]                mean,           // signed 16 bit for each component

    // requests of images
    input  wire                       room,
    output wire                       take,
    output wire                       req_busy,
    output wire                       req_valid,
    input  wire                       req_ready,
    output wire                       req_load,
    output wire [${addr_w - atom_lsb - 1:2}:0]                req_next,
    output wire                       pending,
//% end

    // memory
    input  wire                       rsp_valid,
    input  wire [${atom_bits - 1:3}:0]               rsp_data,

    // write into CBUF
//% if image_enable
    input  wire                       wt_wr_next,     // a weight in the next cycle  //% if !secondary_memif_enable
    output wire                       line_end,       // of pixels, with or without wr_valid
//% end
    output reg                        wr_valid_q,
    output reg  [${atom_bits - 1:3}:0]               wr_data_q
);

    localparam ATOM = ${atom_bits};
    wire              next_valid;     // of the convertor
    wire [ATOM-1:0]   next_data;

//% if image_enable
    // ------------------------------------------------------------------ pixels before it
    wire              one_component;
    wire              px_valid, px_pad, px_flush;
    wire [1:0]        px_last;
    wire [67:0]       px_data;
    reg               px_valid_q;
    reg  [3:0]        px_flags_q;
    reg  [67:0]       px_data_q;
    wire              pack_valid, pack_last;
    wire [ATOM-1:0]   pack_data;
    reg               pack_last_q;
//%   if !secondary_memif_enable
    reg               hold_q;         // an atom of pixels waits for a weight's write
    reg               wait_last_q;    // and ends a line
//%   end

    assign line_end = pack_last_q;

    dla_cdma_img u_img (
        .clk            (clk),
        .clk_on         (clk_on),
        .rst_n          (rst_n),
        .start          (start),
        .format         (format),
        .is_signed      (is_signed),
//% include "cdma/img_pins.vh"

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) px_valid_q <= 1'b0;
        else${if_not_held} px_valid_q <= px_valid;
    end

    always @(posedge clk) begin
        if (image${not_held}) begin
            px_flags_q <= {px_last, px_pad, px_flush};
            px_data_q  <= px_data;
        end
    end
//% end
    // ------------------------------------------------------------------ what goes into it
//% if image_enable
    wire              in_valid = image ? px_valid_q : rsp_valid;
    reg  [ATOM-1:0]   in_data;        // pixels in the lanes of the first elements
    integer           n;

    always @* begin
        in_data = rsp_data;
        n       = 0;      // no latch where the loop does not run
        if (image) begin
            for (n = 0; n < 4; n = n + 1) in_data[16*n +: 16] = px_data_q[17*n +: 16];
        end
    end
//% else
    wire              in_valid = rsp_valid;
    wire [ATOM-1:0]   in_data  = rsp_data;
//% end
//% if types.fp16
    wire [ATOM-1:0]   plain;          // without NaN
//%   if image_enable
    reg  [${atom_bytes / 2 - 1:2}:0]        lanes;          // that are counted

    always @* begin
        lanes = {${atom_bytes / 2}{!image}};
        if (image) lanes[3:0] = {&px_flags_q[3:2], px_flags_q[3], |px_flags_q[3:2], 1'b1};
    end
//%   end

    dla_cdma_nan u_nan (
        .clk       (clk),
        .rst_n     (rst_n),
        .clear     (clear),
        .active    (in_fp16),
        .flush     (nan_to_zero),
//%   if image_enable
        .in_valid  (in_valid && !(image && (|px_flags_q[1:0]))${not_held}),
        .in_lanes  (lanes),
//%   else
        .in_valid  (in_valid),
        .in_lanes  ({${atom_bytes / 2}{1'b1}}),
//%   end
        .in_data   (in_data),
        .out_data  (plain),
        .busy      (counting),
        .nan_q     (nan_count),
        .inf_q     (inf_count)
    );
//% else
    wire [ATOM-1:0]   plain = in_data;
//% end

//% let convert = types.fp16 ? "cvt_en && !in_fp16" : "cvt_en"
//% let to_17 = types.fp16 ? "out_fp16 && !in_fp16" : "1'b0"
    // ------------------------------------------------------------------ convertor
//% if !types.convert
    assign next_valid = in_valid;
    assign next_data  = plain;
//% else
//%   if image_enable
    wire [67:0]       px_offset, px_in, px_out;
    genvar            i;

    generate
        for (i = 0; i < 4; i = i + 1) begin : gen_component
            wire [15:0] own = one_component ? mean[15:0] : mean[16*i +: 16];
            wire [15:0] of  = mean_en ? own : offset;

            assign px_offset[17*i +: 17] = 17'd0 - {of[15], of};
            assign px_in[17*i +: 17]     = {px_data_q[17*i+16], plain[16*i +: 16]};
        end
    endgenerate

//%   end
//%   if !types.features
    assign next_data = plain;

//%   end
    dla_cdma_cvt u_cvt (
        .clk       (clk),
        .rst_n     (rst_n),
        .enable    (${convert}),
        .offset    (offset),  //% if types.features
        .scale     (scale),
        .truncate  (truncate),
        .to_8      (${types.mix ? "int8" : "1'b0"}),
//%   if image_enable
        .to_17     (${to_17}),
        .image     (image),  //% if types.features
        .px_offset (px_offset),
        .px_data   (px_in),
        .px_result (px_out),
        .hold      (hold_q),  //% if !secondary_memif_enable
//%   end
        .in_valid  (in_valid),
//%   if types.features
        .in_data   (plain),
        .out_data  (next_data),
//%   end
        .out_valid (next_valid)
    );
//% end

//% if image_enable
    // ------------------------------------------------------------------ pixels behind it
    reg               result_valid_q;
    reg  [11:0]       flags_q;        // as long on their way as the components
    reg  [3:0]        result_flags_q;
    reg  [67:0]       result_q;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) result_valid_q <= 1'b0;
        else${if_not_held} result_valid_q <= image && next_valid;
    end

    always @(posedge clk) begin
        if (image${not_held}) begin
            flags_q        <= {flags_q[7:0], px_flags_q};
            result_flags_q <= ${convert} ? flags_q[11:8] : px_flags_q;
            result_q       <= px_out;
        end
    end

//%   if types.fp16
    // Integers become fp16, others wait as long.
    reg  [1:0]        late_valid_q;
    reg  [7:0]        late_flags_q;
    reg  [127:0]      late_q;
    wire [63:0]       floats;
    wire [63:0]       px_ready = ${to_17} ? floats : late_q[127:64];
    wire              ready_valid = late_valid_q[1];
    wire [3:0]        ready_flags = late_flags_q[7:4];

    generate
        for (i = 0; i < 4; i = i + 1) begin : gen_float
            wire [16:0] number = result_q[17*i +: 17];

            fp_from_fixed #(.W(17), .F(0), .E(5), .M(10)) u_float (
                .clk   (clk),
                .load  ({late_valid_q[0]${not_held}, result_valid_q${not_held}}),
                .sign  (number[16]),
                .in    (number[16] ? 17'd0 - number : number),
                .out_q (floats[16*i +: 16])
            );
        end
    endgenerate

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) late_valid_q <= 2'd0;
        else${if_not_held} late_valid_q <= {late_valid_q[0], result_valid_q};
    end

    always @(posedge clk) begin
        if (image${not_held}) begin
            late_flags_q <= {late_flags_q[3:0], result_flags_q};
            late_q       <= {late_q[63:0], result_q[66:51], result_q[49:34], result_q[32:17],
                             result_q[15:0]};
        end
    end
//%   else
    wire [63:0]       px_ready = {result_q[66:51], result_q[49:34], result_q[32:17],
                                  result_q[15:0]};
    wire              ready_valid = result_valid_q;
    wire [3:0]        ready_flags = result_flags_q;
    wire              unused_signs = &{1'b0, result_q};
//%   end

    dla_cdma_pack u_pack (
        .clk       (clk),
        .rst_n     (rst_n),
        .int8      (int8),  //% if types.mix
        .pad_value (pad_value),
        .hold      (hold_q),  //% if !secondary_memif_enable
        .in_valid  (ready_valid),
        .in_pad    (ready_flags[1]),
        .in_flush  (ready_flags[0]),
        .in_last   (ready_flags[3:2]),
        .in_data   (px_ready),
        .out_valid (pack_valid),
        .out_last  (pack_last),
        .out_data  (pack_data)
    );

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            wr_valid_q  <= 1'b0;
            pack_last_q <= 1'b0;
            hold_q      <= 1'b0;  //% if !secondary_memif_enable
        end else begin
//% include "cdma/in_write.vh"
        end
    end

    always @(posedge clk) begin
        if ((image || next_valid)${not_held}) wr_data_q <= image ? pack_data : next_data;
        if (!hold_q) wait_last_q <= pack_last;  //% if !secondary_memif_enable
    end
//% else
    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) wr_valid_q <= 1'b0;
        else        wr_valid_q <= next_valid;
    end

    always @(posedge clk) begin
        if (next_valid) wr_data_q <= next_data;
    end
//% end

endmodule

`default_nettype wire
