// Requests of CDMA in layers of Winograd: the lines of the cube, surface by surface, in parts.
//
// Contract: for each line, for each surface requests of 32 atoms and one for the rest, as far as
// the ring behind memory has room; one per cycle. Made up in one cycle, offered from the next on.
// `freed` atoms leave the ring. Reset: idle, the ring is empty.
`default_nettype none

module dla_cdma_tile_req (
    input  wire                       clk,            // runs while there is a layer
    input  wire                       rst_n,

    input  wire                       start,          // fetch this layer
    output reg                        busy_q,         // requests are left

    // layer, stable while busy; sizes minus 1; addresses and strides in atoms
    input  wire [${addr_w - atom_lsb - 1:2}:0]                base,
    input  wire [${addr_w - atom_lsb - 1:2}:0]                line_stride,
    input  wire [${addr_w - atom_lsb - 1:2}:0]                surf_stride,
    input  wire [12:0]                width,
    input  wire [12:0]                height,
    input  wire [${12 - atom_lsb + types16:2}:0]                surfaces,

    // ring
    input  wire                       freed_valid,
    input  wire [5:0]                 freed,
    output wire                       outstanding,    // not all of it is free

    // memory
    output wire                       req_valid,
    input  wire                       req_ready,
    output wire                       req_load,       // the next one has this address, size
    output wire [${addr_w - atom_lsb - 1:2}:0]                req_next,
    output wire [4:0]                 req_size        // atoms - 1
);

    localparam ADDR_W = ${addr_w - atom_lsb};    // atom addresses
    localparam SURF_W = ${13 - atom_lsb + types16};
    localparam DEPTH  = ${tile_depth};
    localparam ROOM_W = ${clog2(tile_depth) + 1};

    reg                ask_q;
    reg  [12:0]        left_q;         // atoms of the line of this surface from here on, minus 1
    reg  [12:0]        line_left_q;    // lines after this one
    reg  [SURF_W-1:0]  surf_left_q;    // surfaces after this one
    reg  [ADDR_W-1:0]  line_q, surf_q; // first atom of the line, in this surface
    reg  [ADDR_W-1:0]  at_q;
    reg  [ROOM_W-1:0]  room_q;         // atoms that the ring can take

    wire part      = |left_q[12:5];    // there is more of the line
    wire last_surf = surf_left_q == {SURF_W{1'b0}};
    wire next      = busy_q && (|room_q[ROOM_W-1:5]);
    wire fire      = next && (!ask_q || req_ready);

    wire [ADDR_W-1:0] from = part ? at_q : last_surf ? line_q : surf_q;
    wire [ADDR_W-1:0] step = part ? {{(ADDR_W-6){1'b0}}, 6'd32} :
                             last_surf ? line_stride : surf_stride;
    wire [ADDR_W-1:0] to   = from + step;

    assign outstanding = !room_q[ROOM_W-1];
    assign req_valid = ask_q;
    assign req_load  = fire;
    assign req_next  = at_q;
    assign req_size  = part ? 5'd31 : left_q[4:0];

    // Complement of size - 1: of what is taken.
    wire [ROOM_W-1:0] taken = fire ? ~{{(ROOM_W-5){1'b0}}, req_size} : {ROOM_W{1'b0}};
    wire [ROOM_W-1:0] given = freed_valid ? {{(ROOM_W-6){1'b0}}, freed} : {ROOM_W{1'b0}};

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            busy_q <= 1'b0;
            ask_q  <= 1'b0;
            room_q <= DEPTH[ROOM_W-1:0];
        end else begin
            ask_q  <= next || (ask_q && !req_ready);
            room_q <= room_q + taken + given;
            if (start) begin
                busy_q <= 1'b1;
            end else if (fire && !part && last_surf && (line_left_q == 13'd0)) begin
                busy_q <= 1'b0;
            end
        end
    end

    always @(posedge clk) begin
        if (start) begin
            left_q      <= width;
            line_left_q <= height;
            surf_left_q <= surfaces;
            line_q      <= base;
            surf_q      <= base;
            at_q        <= base;
        end else if (fire) begin
            at_q   <= to;
            left_q <= part ? left_q - 13'd32 : width;
            if (!part) begin
                surf_q      <= to;
                surf_left_q <= last_surf ? surfaces : surf_left_q - {{(SURF_W-1){1'b0}}, 1'b1};
                if (last_surf) begin
                    line_q      <= to;
                    line_left_q <= line_left_q - 13'd1;
                end
            end
        end
    end

endmodule

`default_nettype wire
