// Made by macrame 0.1.0 from templates/dla/cdma/dla_cdma_img.v
// with addr_w=32 atom_bits=64 atom_lsb=3 img_fifo_depth=64 secondary_memif_enable=0 types16=0

// Image side of CDMA: requests pixel lines and cuts the atoms that come back into pixels.
//
//     requests --> memory --> FIFO --> atom --> pixel --> components in order --> convertor, packer
//                                               ^ left and right padding in between
//
// Requests: one atom each, as far as the FIFO has room; a line is begun only when all its CBUF
// entries are free (`room`). With two planes an atom of Y comes before the one or two of UV that
// belong to the same pixels. Both planes change atoms together: an atom has half as many UV.
// Pixels: one per cycle, padding included, then one cycle with `px_flush` ends the line. Up to
// 4 pixels of one byte without padding. With two planes one cycle more per atom of Y. Reset: idle.
`default_nettype none

module dla_cdma_img (
    input  wire                       clk,            // runs while there is a layer
    input  wire                       clk_on,         // runs always
    input  wire                       rst_n,

    input  wire                       start,          // fetch this layer

    // layer, stable while busy; sizes minus 1; addresses and strides in atoms
    input  wire [5:0]                 format,         // PIXEL_FORMAT
    input  wire [28:0]                base_0,
    input  wire [28:0]                base_1,
    input  wire [28:0]                stride_0,
    input  wire [28:0]                stride_1,
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
    output wire [28:0]                req_next,
    input  wire                       rsp_valid,
    input  wire [ 63:0]               rsp_data,
    output wire                       pending,        // atoms wait for their turn

    // pixels
    input  wire                       hold,           // pixels stop
    output wire                       px_valid,
    output wire                       px_pad,         // padding: no data
    output wire                       px_flush,       // end of line: no pixel
    output wire [1:0]                 px_last,        // its bytes - 1
    output wire [31:0]                px_data         // component 0 in the low byte
);

    localparam LSB     = 3;
    localparam ADDR_W  = 29;       // atom addresses
    localparam DEPTH   = 64;
    localparam ROOM_W  = 7;

    // ------------------------------------------------------------------ format
    // Decoded all the time: it stands when a layer starts, one cycle after its last field at least.
    wire        uv_plane   = format[5:1] == 5'd14;                 // Y, UV: 28, 29
    wire        byte_plane = uv_plane || (format == 6'd0);
    wire        plain      = (format[5:2] == 4'd3) || (format[5:2] == 4'd4);  // 12 .. 19
    wire        yuv_a      = format[5:1] == 5'd13;                 // 26, 27
    reg         two_planes_q;
    reg         one_byte_q;            // in plane 0
    reg         one_component_q;
    reg  [1:0]  order_q;
    reg         uv_swapped_q;

    assign one_component = one_component_q;

    always @(posedge clk_on) begin
        two_planes_q    <= uv_plane;
        one_byte_q      <= byte_plane;
        one_component_q <= format == 6'd0;
        order_q         <= plain ? format[1:0] : {yuv_a && format[0], yuv_a && !format[0]};
        uv_swapped_q    <= !format[0];
    end

    // ------------------------------------------------------------------ requests
    // A unit is an atom of plane 0 or, with two planes, of plane 1: half an atom of plane 0.
    reg                mid_line_q;     // the current line has its space already
    reg                uv_q;           // next request: plane 1
    reg  [12:0]        line_left_q;    // lines after this one
    reg  [ADDR_W-1:0]  line_0_q, line_1_q;
    reg  [12:0]        unit_q;
    reg  [ROOM_W-1:0]  room_q;         // atoms that the FIFO can take

    wire [13:0] last_px    = {9'd0, x_offset} + {1'b0, width};
    wire [12:0] last_unit  = uv_plane   ? {1'd0, last_px[13:LSB-1]} :
                             byte_plane ? {2'd0, last_px[13:LSB]} :
                                          last_px[13:1];
    wire [3:0]  first_unit = uv_plane   ? {1'd0, x_offset[4:LSB-1]} :
                             byte_plane ? {2'd0, x_offset[4:LSB]} :
                                          x_offset[4:LSB-2];

    reg  [12:0] last_unit_q;
    reg  [3:0]  first_unit_q;

    always @(posedge clk_on) begin
        last_unit_q  <= last_unit;
        first_unit_q <= first_unit;
    end

    // A request is made up in one cycle and offered from the next on.
    reg                ask_q;
    wire        next      = req_busy_q && (mid_line_q || room) && (|room_q);
    wire        fire      = next && (!ask_q || req_ready);
    wire        unit_done = fire && (uv_q || !two_planes_q);
    wire        line_done = unit_done && (unit_q == last_unit_q);
    wire [12:0] index     = uv_q ? unit_q - {9'd0, first_unit_q} :
                            two_planes_q ? {1'b0, unit_q[12:1]} : unit_q;
    wire [ADDR_W-1:0] line = uv_q ? line_1_q : line_0_q;

    assign req_valid = ask_q;
    assign req_load  = fire;
    assign req_next  = line + {{(ADDR_W-13){1'b0}}, index};
    assign take      = fire && !mid_line_q;

    wire               pop;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            req_busy_q <= 1'b0;
            mid_line_q <= 1'b0;
            uv_q       <= 1'b0;
            room_q     <= DEPTH[ROOM_W-1:0];
            ask_q      <= 1'b0;
        end else begin
            ask_q      <= next || (ask_q && !req_ready);
            if (start) begin
                req_busy_q <= 1'b1;
            end else if (line_done) begin
                req_busy_q <= line_left_q != 13'd0;
            end
            if (fire) begin
                mid_line_q <= !line_done;
                uv_q       <= two_planes_q && !line_done && (!uv_q || !unit_q[0]);
            end
            if (fire != pop) begin
                room_q <= room_q + {{(ROOM_W-1){fire}}, 1'b1};    // - 1 or + 1
            end
        end
    end

    always @(posedge clk) begin
        if (start || line_done) begin
            line_0_q    <= start ? base_0 : line_0_q + stride_0;
            line_1_q    <= start ? base_1 : line_1_q + stride_1;
            line_left_q <= start ? height : line_left_q - 13'd1;
            unit_q      <= {9'd0, first_unit_q};
        end else if (unit_done) begin
            unit_q <= unit_q + 13'd1;
        end
    end

    // ------------------------------------------------------------------ atoms
    wire                  atom_valid;
    wire [ 63:0]           atom;
    wire                  unused_ready;            // there is always room

    fifo_sync #(.W(64), .DEPTH(DEPTH)) u_fifo (
        .clk       (clk),
        .rst_n     (rst_n),
        .in_valid  (rsp_valid),
        .in_ready  (unused_ready),
        .in_data   (rsp_data),
        .out_valid (atom_valid),
        .out_ready (pop),
        .out_data  (atom)
    );

    assign pending = atom_valid;

    // ------------------------------------------------------------------ pixels of a line
    //
    //     LEFT (padding) --> PIXEL --> RIGHT (padding) --> FLUSH --> next line
    localparam [1:0] LEFT = 2'd0, PIXEL = 2'd1, RIGHT = 2'd2, FLUSH = 2'd3;

    reg  [1:0]         state_q;
    reg  [12:0]        count_q;        // pixels of this state after this one
    reg  [1:0]         group_q;        // those of them that may come with this one
    reg  [LSB-1:0]     at_q;           // pixel inside the atom of plane 0
    reg  [ 63:0]        luma_q;         // atom of plane 0 if there are two
    reg                luma_valid_q;

    wire in_pixel = state_q == PIXEL;
    wire load     = in_pixel && two_planes_q && !luma_valid_q && atom_valid;
    wire advance  = px_valid && !hold;
    wire pixel    = in_pixel && advance;

    // Pixels of one byte: as many as are left in this aligned group of 4 and in the line. What
    // is computed of group_q counts only if the line has more.
    wire last     = (count_q[12:2] == 11'd0) && (count_q[1:0] <= group_q);
    wire [1:0] more = last ? count_q[1:0] : group_q;
    wire half_end = &at_q[LSB-2:0];
    wire atom_end = two_planes_q ? half_end :
                    one_byte_q   ? &at_q[LSB-1:2] : &at_q[LSB-3:0];

    assign px_valid = (state_q[1] || atom_valid) && !(in_pixel && two_planes_q && !luma_valid_q);
    assign px_pad   = !in_pixel;
    assign px_flush = state_q == FLUSH;
    assign pop      = load || (pixel && (last || atom_end));

    // First state of a line, state behind the pixels.
    wire [1:0] begin_state = (|pad_left) ? LEFT : PIXEL;
    wire [1:0] begin_group = one_component_q ? ~x_offset[1:0] : 2'd0;
    wire [1:0] after_state = (|pad_right) ? RIGHT : FLUSH;
    wire       new_line    = start || (advance && px_flush);

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            state_q      <= LEFT;
            luma_valid_q <= 1'b0;
        end else begin
            if (new_line) begin
                state_q <= begin_state;
            end else if (advance && last) begin
                state_q <= in_pixel ? after_state : state_q + 2'd1;
            end
            luma_valid_q <= load || (luma_valid_q && !(pixel && (last || (&at_q))));
        end
    end

    always @(posedge clk) begin
        if (new_line) begin
            count_q <= (|pad_left) ? {8'd0, pad_left} - 13'd1 : width;
            group_q <= (|pad_left) ? 2'd0 : begin_group;
            at_q    <= x_offset[LSB-1:0];
        end else if (advance) begin
            count_q <= !last ? count_q + ~{11'd0, group_q} :
                       in_pixel ? {7'd0, pad_right} - 13'd1 : width;
            group_q <= !last    ? group_q | {2{one_component_q && in_pixel}} :
                       in_pixel ? 2'd0 : begin_group;
            if (in_pixel) begin
                at_q <= at_q + {{(LSB-2){1'b0}}, group_q} + {{(LSB-1){1'b0}}, 1'b1};
            end
        end
        if (load) begin
            luma_q <= atom;
        end
    end

    // ------------------------------------------------------------------ components
    wire [ 63:0]        single = two_planes_q ? luma_q : atom;
    wire [15:0]        chroma = atom[{at_q[LSB-2:0], 4'd0} +: 16];
    wire [31:0]        word   = single[{one_byte_q ? at_q[LSB-1:2] : at_q[LSB-3:0], 5'd0} +: 32];
    wire [31:0]        bytes  = word >> {at_q[1:0], 3'd0};
    reg  [31:0]        ordered;

    always @* begin
        case (order_q)
            2'd0:    ordered = word;
            2'd1:    ordered = {word[31:24], word[7:0], word[15:8], word[23:16]};
            2'd2:    ordered = {word[7:0], word[31:8]};
            default: ordered = {word[7:0], word[15:8], word[23:16], word[31:24]};
        endcase
    end

    wire [31:0]        one_plane = one_byte_q ? bytes : ordered;

    assign px_last        = one_component_q ? more : {1'b1, !two_planes_q};
    assign px_data[7:0]   = one_plane[7:0];
    assign px_data[23:8]  = !two_planes_q ? one_plane[23:8] :
                            uv_swapped_q ? {chroma[7:0], chroma[15:8]} : chroma;
    assign px_data[31:24] = one_plane[31:24];

    wire unused_bits = &{1'b0, last_px[LSB-3:0]};

endmodule

`default_nettype wire
