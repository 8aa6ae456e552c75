// Collects the beats of an atom and writes atoms to memory: the write DMA of SDP.
//
// Contract: ${sdp_lanes} element(s) per cycle as long as the memory interface takes a finished atom in
// the cycle in which it is offered. `blocked`: no beat may come. What is offered leaves from
// registers. Reset: no atom.
// Addresses count atoms. A 1x1 cube is packed: surface after surface.
`default_nettype none

module dla_sdp_pack (
    input  wire         clk,
    input  wire         rst_n,

    // layer
    input  wire         start,         // loads the address
    input  wire [${addr_w - atom_lsb - 1:2}:0]  base,
    input  wire [${addr_w - atom_lsb - 1:2}:0]  line_stride,
    input  wire [${addr_w - atom_lsb - 1:2}:0]  surf_stride,
    input  wire [${addr_w - atom_lsb - 1:2}:0]  batch_stride,  //% if batch_enable
    input  wire         packed_cube,   // width and height 1
    input  wire         wide,          // elements have 16 bits, else only the low 8 count  //% if mixed
    input  wire         pairs,         // a pixel has an atom in two surfaces  //% if mixed
    input  wire         tiles,         // 4 lines of 2 columns after each other  //% if winograd_enable
    input  wire         last_blocked,  // the last atom of the layer has to wait

    // beats; the flags are those of the pixel of the beat
    input  wire         in_valid,      // may only be high if not blocked
    input  wire [${lane_bits * sdp_lanes - 1:3}:0] in_data,
    input  wire         in_atom_last,  // last beat of the ${mixed ? "pixel" : "atom"}
    input  wire         in_batch_last, // last batch of the pixel  //% if batch_enable
    input  wire         in_row_last,   // last column of a tile  //% if winograd_enable
    input  wire         in_tile_last,  // and its last line  //% if winograd_enable
    input  wire         in_line_last,  // last pixel of the line
    input  wire         in_surf_last,  // last pixel of the surface
    input  wire         in_layer_last, // last pixel of the layer
    output wire         blocked,

    output reg          wr_valid_q,
    input  wire         wr_ready,
    output wire [${addr_w - 1:2}:0]  wr_addr,
    output wire [${atom_bits - 1:3}:0] wr_data,
    output wire         wr_last
);

    localparam BITS   = ${atom_bits};
    localparam LANES  = ${sdp_lanes};  //% if mixed
    localparam BEAT   = ${lane_bits * sdp_lanes};  //% if !mixed && beats > 1
    localparam ADDR_W = ${addr_w - atom_lsb};
    localparam LSB    = ${atom_lsb};

    reg              full_q;                  // an atom is complete
    reg [BITS-1:0]   data_q;
    reg              line_last_q, surf_last_q, layer_last_q;
    reg [ADDR_W-1:0] addr_q;                  // this atom
    reg [ADDR_W-1:0] line_q;                  // first atom of this line
    reg [ADDR_W-1:0] surf_q;                  // first atom of this surface

    wire accept = wr_valid_q && wr_ready;
//% if mixed
    // ---- atoms: a beat of 16 bits per element fills twice as much of one
//%   if beats > 2
    localparam HALF_W = ${clog2(beats) - 1};
    reg  [HALF_W-1:0] half_beat_q;
    wire half_last = &half_beat_q;

    always @(posedge clk) begin
        if (start)         half_beat_q <= {HALF_W{1'b0}};
        else if (in_valid) half_beat_q <= half_beat_q + {{(HALF_W-1){1'b0}}, 1'b1};
    end

//%   end
    reg  first_q;                             // first atom of a pair
//% end
    wire full   = (in_valid && ${!mixed ? "in_atom_last" : beats > 2 ? "(wide ? half_last : in_atom_last)" : "(wide || in_atom_last)"}) || blocked;
    wire last   = in_valid ? in_layer_last : layer_last_q;

    assign wr_addr = {addr_q, {LSB{1'b0}}};
    assign wr_data = data_q;
    assign wr_last = layer_last_q${mixed ? " && !first_q" : ""};
    assign blocked = full_q && !accept;

//% if mixed
    reg  [8*LANES-1:0] bytes;
    integer            lane;

    always @* begin
        for (lane = 0; lane < LANES; lane = lane + 1) begin
            bytes[8*lane +: 8] = in_data[16*lane +: 8];
        end
    end

//% end
//% if !mixed && !batch_enable && !winograd_enable
    // ---- address of the next atom: one adder for the three kinds of step
    wire [ADDR_W-1:0] one   = {{(ADDR_W-1){1'b0}}, 1'b1};
    wire [ADDR_W-1:0] from  = surf_last_q ? surf_q : line_last_q ? line_q : addr_q;
    wire [ADDR_W-1:0] step  = surf_last_q ? (packed_cube ? one : surf_stride)
                            : line_last_q ? line_stride : one;
    wire [ADDR_W-1:0] next  = start ? base : from + step;

    always @(posedge clk) begin
        if (start || accept) addr_q <= next;
        if (start || (accept && line_last_q)) line_q <= next;
        if (start || (accept && surf_last_q)) surf_q <= next;
//% else
    // ---- address of the next atom: one adder for all kinds of step
    wire [ADDR_W-1:0] one   = {{(ADDR_W-1){1'b0}}, 1'b1};
    reg  [ADDR_W-1:0] pixel_q;                // atom of this pixel in the first surface  //% if mixed
    wire [ADDR_W-1:0] pixel = pairs ? pixel_q : addr_q;  //% if mixed
    wire [ADDR_W-1:0] next_surf = packed_cube ? one : surf_stride;  //% if mixed
    reg  [ADDR_W-1:0] place_q;                // the same of the first batch  //% if batch_enable
    reg               batch_last_q;  //% if batch_enable
    reg  [ADDR_W-1:0] row_q;                  // first atom of this line of the tile  //% if winograd_enable
    reg  [ADDR_W-1:0] tile_q;                 // first atom of the tile  //% if winograd_enable
    reg               row_last_q, tile_last_q;  //% if winograd_enable
    reg  [ADDR_W-1:0] from;
    reg  [ADDR_W-1:0] step;
    wire [ADDR_W-1:0] next  = start ? base : from + step;

    always @* begin
        if (surf_last_q) begin
            from = surf_q;
            step = ${mixed ? "pairs ? {next_surf[ADDR_W-2:0], 1'b0} : next_surf" : "packed_cube ? one : surf_stride"};
        end else if (line_last_q) begin
            from = line_q;
            step = ${winograd_enable ? "tiles ? {line_stride[ADDR_W-3:0], 2'b00} : " : ""}line_stride;
//%   if winograd_enable
        end else if (tiles && tile_last_q) begin
            from = tile_q;
            step = {{(ADDR_W-2){1'b0}}, 2'b10};
        end else if (tiles && row_last_q) begin
            from = row_q;
            step = line_stride;
//%   end
        end else begin
            from = ${batch_enable ? "place_q" : mixed ? "pixel" : "addr_q"};
            step = one;
        end
//%   if batch_enable
        if (!batch_last_q) begin
            from = ${mixed ? "pixel" : "addr_q"};
            step = batch_stride;
        end
//%   end
//%   if mixed
        if (first_q) begin
            from = addr_q;
            step = next_surf;
        end
//%   end
    end

    wire moved = start || (accept${mixed ? " && !first_q" : ""});

    always @(posedge clk) begin
        if (start || accept) addr_q <= next;
        if (moved) pixel_q <= next;  //% if mixed
        if (moved && (start || batch_last_q)) place_q <= next;  //% if batch_enable
        if (moved && (start || row_last_q)) row_q <= next;  //% if winograd_enable
        if (moved && (start || tile_last_q)) tile_q <= next;  //% if winograd_enable
        if (moved && (start || line_last_q)) line_q <= next;
        if (moved && (start || surf_last_q)) surf_q <= next;
//% end
        if (in_valid) begin
//% if mixed && beats > 2
            if (wide) data_q <= {in_data, data_q[BITS-1:16*LANES]};
            else      data_q <= {bytes, data_q[BITS-1:8*LANES]};
//% elif mixed
            data_q       <= wide ? in_data : {bytes, data_q[BITS-1:8*LANES]};
//% elif beats > 1
            data_q       <= {in_data, data_q[BITS-1:BEAT]};
//% else
            data_q       <= in_data;
//% end
            first_q      <= !in_atom_last;  //% if mixed
            batch_last_q <= in_batch_last;  //% if batch_enable
            row_last_q   <= in_row_last;  //% if winograd_enable
            tile_last_q  <= in_tile_last;  //% if winograd_enable
            line_last_q  <= in_line_last;
            surf_last_q  <= in_surf_last;
            layer_last_q <= in_layer_last;
        end
    end

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            full_q     <= 1'b0;
            wr_valid_q <= 1'b0;
        end else begin
            full_q     <= full;
            wr_valid_q <= full && !(last && last_blocked);
        end
    end

endmodule

`default_nettype wire
