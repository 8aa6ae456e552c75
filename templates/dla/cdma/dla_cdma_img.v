// Image side of CDMA: requests pixel lines and cuts the atoms that come back into pixels.
//
//     requests --> memory --> FIFO --> atom --> pixel --> components in order --> convertor, packer
//                                               ^ left and right padding in between
//
// Requests: one atom each, as far as the FIFO has room; a line is begun only when all its CBUF
// entries are free (`room`). With two planes an atom of Y comes before the one or two of UV that
// belong to the same pixels. Both planes change atoms together: an atom has half as many UV.
// Pixels: one per cycle, padding included, then one cycle with `px_flush` ends the line. Up to
//% if types16
// 4 pixels of one component without padding. With two planes one cycle more per atom of Y. They
// leave one cycle after their atom. Reset: idle.
//% else
// 4 pixels of one byte without padding. With two planes one cycle more per atom of Y. Reset: idle.
//% end
`default_nettype none

module dla_cdma_img (
    input  wire                       clk,            // runs while there is a layer
    input  wire                       clk_on,         // runs always
    input  wire                       rst_n,

    input  wire                       start,          // fetch this layer

    // layer, stable while busy; sizes minus 1; addresses and strides in atoms
    input  wire [5:0]                 format,         // PIXEL_FORMAT
    input  wire                       is_signed,  //% if types16
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
//% if types16
    output wire [1:0]                 px_last,        // its components - 1
    output wire [67:0]                px_data         // signed 17 bit each
//% else
    output wire [1:0]                 px_last,        // its bytes - 1
    output wire [31:0]                px_data         // component 0 in the low byte
//% end
);

//% let not_held = secondary_memif_enable ? "" : " && !hold"
    localparam LSB     = ${atom_lsb};
    localparam ADDR_W  = ${addr_w - atom_lsb};       // atom addresses
    localparam DEPTH   = ${img_fifo_depth};
    localparam UNIT_W  = 17 - LSB;           // atoms of a line  //% if types16
    localparam FIRST_W = 8 - LSB;  //% if types16
    localparam ROOM_W  = ${clog2(img_fifo_depth) + 1};

    // ------------------------------------------------------------------ format
    // Decoded all the time: it stands when a layer starts, one cycle after its last field at least.
//% if types16
    wire        uv_plane   = format[5] || (format[5:2] == 4'd7);                 // Y, UV: 28 .. 35
    wire        y_8        = format[5:1] == 5'd14;
    wire        r_16       = (format[5:3] == 3'd0) && (format[2:0] != 3'd0) && !(&format[2:1]);
    wire        four_16    = (format[5:2] == 4'd2) || (format[5:1] == 5'd3);     // 6 .. 11
    wire        packed_10  = (format[5:2] == 4'd5) || (format[5:1] == 5'd12);    // 20 .. 25
    wire        known      = !format[5] || (format[4:2] == 3'd0);                // 0 .. 35
    wire        one        = (format == 6'd0) || r_16;
    wire        planes     = known && uv_plane;
    // Bytes of a pixel in plane 0, as a power of 2.
    wire [1:0]  size       = !known ? 2'd2 : uv_plane ? {1'b0, !y_8} : one ? {1'b0, r_16} :
                             {1'b1, four_16};
    wire [1:0]  unit_size  = planes ? {!y_8, y_8} : size;          // bytes of a pixel in a unit
    reg         two_planes_q;
    reg  [1:0]  size_q;
    reg         one_component_q;
    reg         bytes_q;               // components of 8 bits
    reg         packed_q;              // of 10
    reg  [1:0]  order_q;
    reg         uv_swapped_q;
    reg  [LSB-1:0] end_q;              // bits that count pixels in a unit, see below

    assign one_component = one_component_q;

    always @(posedge clk_on) begin
        two_planes_q    <= known && uv_plane;
        size_q          <= size;
        one_component_q <= one;
        bytes_q         <= !known || (uv_plane ? y_8 : !(r_16 || four_16 || packed_10));
        packed_q        <= packed_10;
        case (format)
            6'd9, 6'd11, 6'd13, 6'd17, 6'd21, 6'd24, 6'd26: order_q <= 2'd1;
            6'd10, 6'd14, 6'd18, 6'd22, 6'd25, 6'd27:       order_q <= 2'd2;
            6'd15, 6'd19, 6'd23:                            order_q <= 2'd3;
            default:                                        order_q <= 2'd0;
        endcase
        uv_swapped_q    <= !format[0];
        end_q           <= {LSB{1'b1}} >> unit_size;
    end

//% else
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

//% end
    // ------------------------------------------------------------------ requests
    // A unit is an atom of plane 0 or, with two planes, of plane 1: half an atom of plane 0.
    reg                mid_line_q;     // the current line has its space already
    reg                uv_q;           // next request: plane 1
    reg  [12:0]        line_left_q;    // lines after this one
    reg  [ADDR_W-1:0]  line_0_q, line_1_q;
    reg  [12:0]        unit_q;  //% if !types16
    reg  [UNIT_W-1:0]  unit_q;  //% if types16
    reg  [ROOM_W-1:0]  room_q;         // atoms that the FIFO can take

    wire [13:0] last_px    = {9'd0, x_offset} + {1'b0, width};
//% if types16
    wire [16:0] last_byte  = {3'd0, last_px} << unit_size;
    wire [7:0]  first_byte = {3'd0, x_offset} << unit_size;

    reg  [UNIT_W-1:0]  last_unit_q;
    reg  [FIRST_W-1:0] first_unit_q;
//% else
    wire [12:0] last_unit  = uv_plane   ? {${atom_lsb - 2}'d0, last_px[13:LSB-1]} :
                             byte_plane ? {${atom_lsb - 1}'d0, last_px[13:LSB]} :
                                          last_px[13:1];  //% if atom_lsb == 3
                                          {${atom_lsb - 3}'d0, last_px[13:LSB-2]};  //% if atom_lsb != 3
    wire [3:0]  first_unit = uv_plane   ? {${atom_lsb - 2}'d0, x_offset[4:LSB-1]} :
//% if atom_lsb == 5
                             byte_plane ? 4'd0 :
                                          {2'd0, x_offset[4:LSB-2]};
//% elif atom_lsb == 4
                             byte_plane ? {3'd0, x_offset[4:LSB]} :
                                          {1'd0, x_offset[4:LSB-2]};
//% else
                             byte_plane ? {2'd0, x_offset[4:LSB]} :
                                          x_offset[4:LSB-2];
//% end

    reg  [12:0] last_unit_q;
    reg  [3:0]  first_unit_q;
//% end

    always @(posedge clk_on) begin
        last_unit_q  <= ${types16 ? "last_byte[16:LSB]" : "last_unit"};
        first_unit_q <= ${types16 ? "first_byte[7:LSB]" : "first_unit"};
    end

    // A request is made up in one cycle and offered from the next on.
    reg                ask_q;
    wire        next      = req_busy_q && (mid_line_q || room) && (|room_q);
    wire        fire      = next && (!ask_q || req_ready);
    wire        unit_done = fire && (uv_q || !two_planes_q);
    wire        line_done = unit_done && (unit_q == last_unit_q);
//% if types16
    wire [UNIT_W-1:0] index = uv_q ? unit_q - {9'd0, first_unit_q} :
                              two_planes_q ? {1'b0, unit_q[UNIT_W-1:1]} : unit_q;
//% else
    wire [12:0] index     = uv_q ? unit_q - {9'd0, first_unit_q} :
                            two_planes_q ? {1'b0, unit_q[12:1]} : unit_q;
//% end
    wire [ADDR_W-1:0] line = uv_q ? line_1_q : line_0_q;

    assign req_valid = ask_q;
    assign req_load  = fire;
    assign req_next  = line + {{(ADDR_W-${types16 ? "UNIT_W" : "13"}){1'b0}}, index};
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
            unit_q <= ${types16 ? "unit_q + {{(UNIT_W-1){1'b0}}, 1'b1}" : "unit_q + 13'd1"};
        end
    end

    // ------------------------------------------------------------------ atoms
    wire                  atom_valid;
    wire [${atom_bits - 1:3}:0]           atom;
    wire                  unused_ready;            // there is always room

    fifo_sync #(.W(${atom_bits}), .DEPTH(DEPTH)) u_fifo (
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
    reg  [${atom_bits - 1:3}:0]        luma_q;         // atom of plane 0 if there are two
    reg                luma_valid_q;

    wire in_pixel = state_q == PIXEL;
    wire load     = in_pixel && two_planes_q && !luma_valid_q && atom_valid;
//% if types16
    wire ready    = (state_q[1] || atom_valid) && !(in_pixel && two_planes_q && !luma_valid_q);
    wire advance  = ready${not_held};
    wire pixel    = in_pixel && advance;

    // Pixels of one component: as many as are left in this aligned group of 4 and in the line. What
    // is computed of group_q counts only if the line has more.
    wire last     = (count_q[12:2] == 11'd0) && (count_q[1:0] <= group_q);
    wire [1:0] more = last ? count_q[1:0] : group_q;
    // The last pixel of its unit, with two planes also that of the atom of plane 0.
    wire [LSB-1:0] behind = end_q & ~(at_q | {{(LSB-2){1'b0}}, group_q});
    wire atom_end = behind == {LSB{1'b0}};
    wire luma_end = atom_end && (|(at_q & {end_q[LSB-2:0], 1'b1} & ~end_q));

    wire flush    = state_q == FLUSH;
    assign pop      = load || (pixel && (last || atom_end));
//% else
    wire advance  = px_valid${not_held};
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
//% end

    // First state of a line, state behind the pixels.
    wire [1:0] begin_state = (|pad_left) ? LEFT : PIXEL;
    wire [1:0] begin_group = one_component_q ? ~x_offset[1:0] : 2'd0;
    wire [1:0] after_state = (|pad_right) ? RIGHT : FLUSH;
    wire       new_line    = start || (advance && ${types16 ? "flush" : "px_flush"});

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
            luma_valid_q <= load || (luma_valid_q && !(pixel && (last || ${types16 ? "luma_end" : "(&at_q)"})));
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

//% if types16
    // ------------------------------------------------------------------ bytes of a pixel
    // 8 bytes of each plane, in registers. Pixels of plane 1 are twice as large.
    wire [${atom_bits - 1:3}:0]        single = two_planes_q ? luma_q : atom;
    wire [LSB+2:0]     place_0 = {3'd0, at_q} << size_q;
    wire [LSB+2:0]     place_1 = place_0 << 1;
    reg                valid_q, pad_q, flush_q;
    reg  [1:0]         last_q;
    reg  [2:0]         px_at_q;
    reg  [63:0]        bytes_0_q, bytes_1_q;

    assign px_valid = valid_q;
    assign px_pad   = pad_q;
    assign px_flush = flush_q;
    assign px_last  = last_q;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) valid_q <= 1'b0;
        else${secondary_memif_enable ? "" : " if (!hold)"} valid_q <= ready;
    end

    always @(posedge clk) begin
        if (advance) begin
            pad_q     <= !in_pixel;
            flush_q   <= flush;
            last_q    <= one_component_q ? more : {1'b1, !two_planes_q};
            px_at_q   <= at_q[2:0];
            bytes_0_q <= ${atom_bits == 64 ? "single" : "single[{place_0[LSB-1:3], 6'd0} +: 64]"};
            bytes_1_q <= ${atom_bits == 64 ? "atom" : "atom[{place_1[LSB-1:3], 6'd0} +: 64]"};
        end
    end

    // ------------------------------------------------------------------ components
    wire [31:0]        word   = (size_q == 2'd2 ? px_at_q[0] : px_at_q[2]) ? bytes_0_q[63:32]
                                                                         : bytes_0_q[31:0];
    wire [31:0]        singles_8  = word >> {px_at_q[1:0], 3'd0};
    wire [63:0]        singles_16 = bytes_0_q >> {px_at_q[1:0], 4'd0};
    wire [15:0]        chroma_8   = bytes_1_q[{px_at_q[1:0], 4'd0} +: 16];
    wire [31:0]        chroma_16  = bytes_1_q[{px_at_q[0], 5'd0} +: 32];
    wire               single_px  = one_component_q || two_planes_q;
    wire [31:0]        four_8     = single_px ? singles_8 : word;
    reg  [63:0]        slots, ordered;         // 16 bits each
    reg  [15:0]        u, v;

    always @* begin
        if (packed_q && order_q[1])
            slots = {word[31:22], 6'd0, word[21:12], 6'd0, word[11:2], 6'd0, word[1:0], 14'd0};
        else if (packed_q)
            slots = {word[31:30], 14'd0, word[29:20], 6'd0, word[19:10], 6'd0, word[9:0], 6'd0};
        else if (bytes_q)
            slots = {8'd0, four_8[31:24], 8'd0, four_8[23:16],
                     8'd0, four_8[15:8],  8'd0, four_8[7:0]};
        else
            slots = single_px ? singles_16 : bytes_0_q;

        case (order_q)
            2'd0:    ordered = slots;
            2'd1:    ordered = {slots[63:48], slots[15:0], slots[31:16], slots[47:32]};
            2'd2:    ordered = {slots[15:0], slots[63:16]};
            default: ordered = {slots[15:0], slots[31:16], slots[47:32], slots[63:48]};
        endcase

        u = bytes_q ? {8'd0, chroma_8[7:0]} : chroma_16[15:0];
        v = bytes_q ? {8'd0, chroma_8[15:8]} : chroma_16[31:16];
        if (two_planes_q) ordered[47:16] = uv_swapped_q ? {u, v} : {v, u};
    end

    wire unused_bits = &{1'b0, last_byte[LSB-1:0], first_byte[LSB-1:0], place_0, place_1};

    genvar i;
    generate
        for (i = 0; i < 4; i = i + 1) begin : gen_component
            wire sign_8 = ordered[16*i+7] && is_signed;

            assign px_data[17*i +: 17] = {is_signed && ordered[16*i + (bytes_q ? 7 : 15)],
                                          bytes_q ? {8{sign_8}} : ordered[16*i+8 +: 8],
                                          ordered[16*i +: 8]};
        end
    endgenerate
//% else
    // ------------------------------------------------------------------ components
    wire [${atom_bits - 1:3}:0]        single = two_planes_q ? luma_q : atom;
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
//% end

endmodule

`default_nettype wire
