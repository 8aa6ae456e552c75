// Order in which CDMA writes the tiles of Winograd: groups of four columns of the extended plane,
// in all planes of a line. A line of a plane is every SY-th line of the padded cube, a group is
// 4 * SX pixels of it.
//
//     unit of 4 lines --> line --> line of the padded cube --> surface --> group of pixels
//
// Contract: `ready_q` offers a group whose pixels are in the ring and whose unit has its space;
// `next` takes it. The one behind it is ready 4 cycles later if it can be. `offset` is the entry
// of its first plane behind the first one of the unit. `need_q` pixels of it are of the cube,
// behind `lead_q` of padding; the rest is padding, too. Reset: idle.
`default_nettype none

module dla_cdma_tile_order (
    input  wire                       clk,            // runs while there is a layer
    input  wire                       rst_n,

    input  wire                       start,
    output reg                        busy_q,         // groups are left

    // layer, stable while busy; sizes minus 1, padding not
    input  wire [12:0]                width,          // of the cube
    input  wire [12:0]                height,
    input  wire [${12 - atom_lsb + types16:2}:0]                surfaces,
    input  wire [10:0]                groups,         // of a line of the extended plane
    input  wire [10:0]                units,
    input  wire [2:0]                 stride_x,
    input  wire [2:0]                 stride_y,
    input  wire [4:0]                 pad_left,
    input  wire [4:0]                 pad_top,
    input  wire [${cbuf_addr_w - 1:2}:0]                surf_step,      // entries of a surface of a plane
    input  wire [${cbuf_addr_w - 1:2}:0]                line_step,      // entries of SX planes

    // ring, space
    input  wire [${clog2(tile_depth):2}:0]                arrived,        // atoms for groups not yet taken
    input  wire                       room,           // a whole unit is free
    output wire                       take,           // claims a unit

    // next group
    output reg                        ready_q,
    input  wire                       next,
    output reg  [5:0]                 lead_q,
    output reg  [5:0]                 need_q,
    output wire [${cbuf_addr_w - 1:2}:0]                offset,
    output reg  [1:0]                 row_q,          // line in the unit
    output wire                       last            // of the unit
);

    localparam SURF_W = ${13 - atom_lsb + types16};
    localparam CBUF_W = ${cbuf_addr_w};
    localparam ROOM_W = ${clog2(tile_depth) + 1};

    // ------------------------------------------------------------------ where the next group is
    reg  [10:0]        group_left_q;   // groups after this one
    reg  [SURF_W-1:0]  surf_left_q;    // surfaces after this one
    reg  [2:0]         plane_q;        // line of the padded cube in its line of the planes
    reg  [10:0]        unit_left_q;    // units after this one
    reg                first_q;        // group of a unit
    reg  [CBUF_W-1:0]  group_q, surf_q, line_q;   // first entries

    wire last_group = group_left_q == 11'd0;
    wire last_surf  = last_group && (surf_left_q == {SURF_W{1'b0}});
    wire last_plane = last_surf && (plane_q == stride_y);

    wire [CBUF_W-1:0] from = !last_group ? group_q : !last_surf ? surf_q : line_q;
    wire [CBUF_W-1:0] step = !last_group ? {{(CBUF_W-1){1'b0}}, 1'b1} :
                             !last_surf  ? surf_step : line_step;
    wire [CBUF_W-1:0] to   = start || last_plane ? {CBUF_W{1'b0}} : from + step;

    assign last   = last_plane && (&row_q);
    assign offset = group_q;

    always @(posedge clk) begin
        if (start) begin
            group_left_q <= groups;
            surf_left_q  <= surfaces;
            plane_q      <= 3'd0;
            row_q        <= 2'd0;
            unit_left_q  <= units;
        end else if (next) begin
            group_left_q <= last_group ? groups : group_left_q - 11'd1;
            if (last_group) begin
                surf_left_q <= last_surf ? surfaces : surf_left_q - {{(SURF_W-1){1'b0}}, 1'b1};
            end
            if (last_surf)  plane_q     <= last_plane ? 3'd0 : plane_q + 3'd1;
            if (last_plane) row_q       <= row_q + 2'd1;
            if (last)       unit_left_q <= unit_left_q - 11'd1;
        end
        if (start || next) begin
            first_q <= start || last;
            group_q <= to;
            if (start || last_group) surf_q <= to;
            if (start || last_surf)  line_q <= to;
        end
    end

    // ------------------------------------------------------------------ its pixels
    reg  [4:0]         top_q;          // lines of padding before the first of the cube
    reg  [13:0]        lines_q;        // of the cube, with this one
    reg  [4:0]         pads_q;         // pixels of padding before the first of the cube
    reg  [13:0]        pixels_q;       // of the cube from here on

    wire [5:0] span   = {1'b0, stride_x, 2'd0} + 6'd4;
    wire [5:0] lead   = {1'b0, pads_q} < span ? {1'b0, pads_q} : span;
    wire [5:0] behind = span - lead;
    wire       in_cube = (top_q == 5'd0) && (|lines_q);
    wire [5:0] pixels = pixels_q < {8'd0, behind} ? pixels_q[5:0] : behind;

    always @(posedge clk) begin
        if (start || (next && last_group)) begin
            pads_q   <= pad_left;
            pixels_q <= {1'b0, width} + 14'd1;
        end else if (next) begin
            pads_q   <= pads_q - lead_q[4:0];
            pixels_q <= pixels_q - {8'd0, need_q};
        end
        if (start) begin
            top_q   <= pad_top;
            lines_q <= {1'b0, height} + 14'd1;
        end else if (next && last_surf) begin
            if (top_q != 5'd0)  top_q   <= top_q - 5'd1;
            else if (|lines_q)  lines_q <= lines_q - 14'd1;
        end
    end

    // ------------------------------------------------------------------ when it can begin
    reg                fresh_q;        // one cycle behind `next`
    reg                known_q;        // lead and need are
    reg                claimed_q;      // the unit has its space

    wire more  = busy_q && !(last && (unit_left_q == 11'd0));
    wire space = !first_q || claimed_q || room;

    assign take = known_q && first_q && !claimed_q && room;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            busy_q    <= 1'b0;
            fresh_q   <= 1'b0;
            known_q   <= 1'b0;
            ready_q   <= 1'b0;
            claimed_q <= 1'b0;
        end else begin
            busy_q    <= start || (next ? more : busy_q);
            fresh_q   <= start || (next && more);
            known_q   <= fresh_q || (known_q && !next);
            ready_q   <= known_q && !next && space && (arrived >= {{(ROOM_W-6){1'b0}}, need_q});
            claimed_q <= take || (claimed_q && !next);
        end
    end

    always @(posedge clk) begin
        if (fresh_q) begin
            lead_q <= lead;
            need_q <= in_cube ? pixels : 6'd0;
        end
    end

endmodule

`default_nettype wire
