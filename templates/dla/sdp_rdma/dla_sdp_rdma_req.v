// Read requests of one channel of SDP_RDMA: walks lines and surfaces, asks only for what has room.
//
// Contract: first request 3 cycles after `start`; then one request per cycle of up to ${rdma_chunk}
// atom(s), none crossing a multiple of that, while there is room for so many; they leave from
// registers. Addresses count atoms. Reset: idle, all room free.
// `busy`: requests are to be sent or answers to come.
`default_nettype none

module dla_sdp_rdma_req #(
    parameter DEPTH = 16               // atoms the channel has room for
) (
    input  wire         clk,
    input  wire         rst_n,

    // layer
    input  wire         start,         // in the next cycle the layer is read
    input  wire [${addr_w - atom_lsb - 1:2}:0]  base,
    input  wire [${addr_w - atom_lsb - 1:2}:0]  line_stride,
    input  wire [${addr_w - atom_lsb - 1:2}:0]  surf_stride,
    input  wire         one_line,      // all atoms follow each other: no lines and surfaces
    input  wire [14:0]  atoms,         // of a line, less 1
    input  wire [12:0]  lines,         // less 1
    input  wire [${12 - elem_lsb:2}:0]  surfaces,      // less 1
    input  wire         pairs,         // atoms of a surface and the one behind it in turn  //% if mixed
//% if winograd_enable
    input  wire         tiles,         // 4 lines of 2 columns after each other, `atoms` of those
    input  wire [2:0]   tile_atoms,    // of 2 columns, less 1
    input  wire [11:0]  tile_count,    // in 4 lines, less 1
//% end
    input  wire         clear,         // the stall counter starts again
    input  wire         count_en,
    output reg  [31:0]  stall_q,       // cycles in which a request waited
    output wire         busy,

    output reg          req_valid_q,
    input  wire         req_ready,
    output reg  [${addr_w - 1:2}:0]  req_addr_q,
    output reg  [14:0]  req_size_q,    // atoms - 1
    input  wire         rsp_valid,     // one atom has come
    input  wire         freed          // one atom has left
);

    localparam LSB    = ${atom_lsb};            // address bits inside an atom
    localparam ADDR_W = ${addr_w - atom_lsb};
    localparam SURF_W = ${13 - elem_lsb};
    localparam CNT_W  = $clog2(DEPTH + 1);

    reg              start_q;
    reg              run_q;
    reg [ADDR_W-1:0] addr_q;                  // next atom
    reg [ADDR_W-1:0] line_addr_q;             // first atom of this line
    reg [ADDR_W-1:0] surf_addr_q;             // first atom of this surface
    reg [14:0]       left_q;                  // atoms of the line still to ask for, less 1
    reg              near_q;                  // less than a chunk
    reg              line_near_q;             // the same of a whole line
    reg [12:0]       lines_q;                 // lines behind this one
    reg              last_line_q;
    reg [SURF_W-1:0] surfs_q;                 // surfaces behind this one
    reg              last_surf_q;
    reg [CNT_W-1:0]  room_q;                  // atoms neither asked for nor stored
    reg [CNT_W-1:0]  flight_q;                // atoms asked for, not yet here
    reg              has_room_q;              // for the largest request
    reg              freed_q;

//% if rdma_chunk > 1
    // Up to the next multiple of the chunk.
    localparam CHUNK_W = ${clog2(rdma_chunk)};
    wire [CHUNK_W-1:0] to_edge   = ~addr_q[CHUNK_W-1:0] & {CHUNK_W{!pairs}};  //% if mixed
    wire [CHUNK_W-1:0] to_edge   = ~addr_q[CHUNK_W-1:0];  //% if !mixed
    wire               chunk_end = near_q && (left_q[CHUNK_W-1:0] <= to_edge);
    wire [CHUNK_W-1:0] size      = chunk_end ? left_q[CHUNK_W-1:0] : to_edge;
    wire [CHUNK_W:0]   count     = {1'b0, size} + {{CHUNK_W{1'b0}}, 1'b1};
    wire [14:0]        size_wide = {{(15-CHUNK_W){1'b0}}, size};
//% else
    localparam CHUNK_W = 0;
    wire [CHUNK_W:0]   count     = 1'b1;
    wire               chunk_end = near_q;
    wire [14:0]        size_wide = 15'd0;
//% end

    assign busy = start_q || run_q || (flight_q != {CNT_W{1'b0}});

    wire ask      = run_q && has_room_q && (!req_valid_q || req_ready);
//% if mixed
    // The second atom of a pair is asked for at once.
    reg  second_q;
    wire go       = ask && (!pairs || second_q);
    wire [ADDR_W-1:0] asked_addr = second_q ? addr_q + surf_stride : addr_q;

    always @(posedge clk) begin
        if (start_q)  second_q <= 1'b0;
        else if (ask) second_q <= pairs && !second_q;
    end

//% end
//% if winograd_enable
    reg  [1:0]        row_q;                  // line of the tile
    reg  [11:0]       tiles_q;                // tiles behind this one
    reg               last_tile_q;
    reg  [ADDR_W-1:0] row_addr_q;             // first atom of this line of the tile
    reg  [ADDR_W-1:0] tile_addr_q;            // first atom of this tile
    wire tile_last = (&row_q) || !tiles;
    wire row_end  = ${mixed ? "go" : "ask"} && chunk_end;
    wire tile_end = row_end && tile_last;
    wire line_end = tile_end && (last_tile_q || !tiles);
//% else
    wire line_end = ${mixed ? "go" : "ask"} && chunk_end;
//% end
    wire surf_end = line_end && last_line_q;
    wire all_end  = surf_end && last_surf_q;
//% if winograd_enable
    wire [14:0] row_atoms = tiles ? {12'd0, tile_atoms} : atoms;
//% else
    wire [14:0] row_atoms = atoms;
//% end
    wire        again     = start_q || chunk_end;
    wire [14:0] less      = left_q - {{(14-CHUNK_W){1'b0}}, count};

//% if mixed || winograd_enable
    // ---- one adder for all kinds of step
    reg  [ADDR_W-1:0] from;
    reg  [ADDR_W-1:0] step;
    wire [ADDR_W-1:0] next = start_q ? base : from + step;

    always @* begin
        if (!chunk_end) begin
            from = addr_q;
            step = {{(ADDR_W-1-CHUNK_W){1'b0}}, count};
//%   if winograd_enable
        end else if (!tile_last) begin
            from = row_addr_q;
            step = line_stride;
        end else if (tiles && !last_tile_q) begin
            from = tile_addr_q;
            step = {{(ADDR_W-4){1'b0}}, {1'b0, tile_atoms} + 4'd1};
//%   end
        end else if (last_line_q) begin
            from = surf_addr_q;
            step = pairs ? {surf_stride[ADDR_W-2:0], 1'b0} : surf_stride;  //% if mixed
            step = surf_stride;  //% if !mixed
        end else begin
            from = line_addr_q;
            step = tiles ? {line_stride[ADDR_W-3:0], 2'b00} : line_stride;  //% if winograd_enable
            step = line_stride;  //% if !winograd_enable
        end
    end
//% else
    // ---- one adder for the three kinds of step
    wire [ADDR_W-1:0] from = !chunk_end ? addr_q : last_line_q ? surf_addr_q : line_addr_q;
    wire [ADDR_W-1:0] step = !chunk_end ? {{(ADDR_W-1-CHUNK_W){1'b0}}, count}
                           : last_line_q ? surf_stride : line_stride;
    wire [ADDR_W-1:0] next = start_q ? base : from + step;
//% end
//% if winograd_enable
    wire [12:0]       line_count = tiles ? {2'b00, lines[12:2]} : lines;

    always @(posedge clk) begin
        if (start_q)      row_q <= 2'd0;
        else if (row_end) row_q <= row_q + 2'd1;
        if (start_q || row_end)  row_addr_q  <= next;
        if (start_q || tile_end) begin
            tile_addr_q <= next;
            tiles_q     <= (start_q || last_tile_q) ? tile_count : tiles_q - 12'd1;
            last_tile_q <= (start_q || last_tile_q) ? tile_count == 12'd0 : tiles_q == 12'd1;
        end
    end
//% end

    always @(posedge clk) begin
        if (clear)             stall_q <= 32'd0;
        else if (count_en && req_valid_q && !req_ready) stall_q <= stall_q + 32'd1;
        if (ask) begin
            req_addr_q <= {${mixed ? "asked_addr" : "addr_q"}, {LSB{1'b0}}};
            req_size_q <= size_wide;
        end
        if (start_q || ${mixed ? "go" : "ask"}) begin
            addr_q <= next;
            left_q <= again ? row_atoms : less;
            near_q <= again ? line_near_q : less[14:CHUNK_W] == {(15-CHUNK_W){1'b0}};
        end
        line_near_q <= row_atoms[14:CHUNK_W] == {(15-CHUNK_W){1'b0}};
        if (start_q || line_end) begin
            line_addr_q <= next;
            lines_q     <= (start_q || last_line_q) ? ${winograd_enable ? "line_count" : "lines"} : lines_q - 13'd1;
            last_line_q <= one_line
                        || ((start_q || last_line_q) ? ${winograd_enable ? "line_count" : "lines"} == 13'd0 : lines_q == 13'd1);
        end
        if (start_q || surf_end) begin
            surf_addr_q <= next;
            surfs_q     <= start_q ? surfaces : surfs_q - {{(SURF_W-1){1'b0}}, 1'b1};
            last_surf_q <= one_line || (start_q ? surfaces == {SURF_W{1'b0}}
                                              : surfs_q == {{(SURF_W-1){1'b0}}, 1'b1});
        end
    end

    wire [CNT_W-1:0] asked = ask ? {{(CNT_W-1-CHUNK_W){1'b0}}, count} : {CNT_W{1'b0}};
    wire [CNT_W-1:0] room  = room_q - asked + {{(CNT_W-1){1'b0}}, freed_q};

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            start_q     <= 1'b0;
            run_q       <= 1'b0;
            req_valid_q <= 1'b0;
            freed_q     <= 1'b0;
            room_q      <= DEPTH[CNT_W-1:0];
            has_room_q  <= 1'b1;
            flight_q    <= {CNT_W{1'b0}};
        end else begin
            start_q     <= start;
            run_q       <= start_q || (run_q && !all_end);
            freed_q     <= freed;
            req_valid_q <= ask || (req_valid_q && !req_ready);
            room_q      <= room;
            has_room_q  <= |room[CNT_W-1:CHUNK_W];
            flight_q    <= flight_q + asked - {{(CNT_W-1){1'b0}}, rsp_valid};
        end
    end

endmodule

`default_nettype wire
