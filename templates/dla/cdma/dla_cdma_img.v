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
//% include "cdma/img_ports.vh"
    output wire [1:0]                 px_last,        // its bytes - 1
    output wire [31:0]                px_data         // component 0 in the low byte
);

    localparam LSB     = ${atom_lsb};
    localparam ADDR_W  = ${addr_w - atom_lsb};       // atom addresses
    localparam DEPTH   = ${img_fifo_depth};
    localparam ROOM_W  = ${clog2(img_fifo_depth) + 1};

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
//% include "cdma/img_requests.vh"

//% include "cdma/img_states.vh"
    wire advance  = px_valid${not_held};
    wire pixel    = in_pixel && advance;

    // Pixels of one byte: as many as are left in this aligned group of 4 and in the line.
    wire [1:0] group_left = one_component_q && in_pixel ? ~at_q[1:0] : 2'd0;
    wire [1:0] more       = (|count_q[12:2]) || (count_q[1:0] > group_left) ? group_left
                                                                            : count_q[1:0];
    wire last     = (count_q[12:2] == 11'd0) && (count_q[1:0] == more);
    wire half_end = &at_q[LSB-2:0];
    wire atom_end = two_planes_q ? half_end :
                    one_byte_q   ? (&at_q[LSB-1:2]) && (more == group_left) : &at_q[LSB-3:0];

    assign px_valid = (state_q[1] || atom_valid) && !(in_pixel && two_planes_q && !luma_valid_q);
    assign px_pad   = !in_pixel;
    assign px_flush = state_q == FLUSH;
    assign pop      = load || (pixel && (last || atom_end));

//% include "cdma/img_line.vh"
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

endmodule

`default_nettype wire
