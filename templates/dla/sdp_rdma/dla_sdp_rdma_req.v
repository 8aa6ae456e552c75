// Read requests of one channel of SDP_RDMA: walks lines and surfaces, asks only for what has room.
//
// Contract: first request in the cycle after `start`; then one request per cycle of up to ${rdma_chunk}
// atom(s), none crossing a multiple of that. Addresses count atoms. Reset: idle, all room free.
// `busy`: requests are to be sent or answers to come.
`default_nettype none

module dla_sdp_rdma_req #(
    parameter DEPTH = 16               // atoms the channel has room for
) (
    input  wire         clk,
    input  wire         rst_n,

    // layer
    input  wire         start,
    input  wire [${addr_w - atom_lsb - 1:2}:0]  base,
    input  wire [${addr_w - atom_lsb - 1:2}:0]  line_stride,
    input  wire [${addr_w - atom_lsb - 1:2}:0]  surf_stride,
    input  wire         one_line,      // all atoms follow each other: no lines and surfaces
    input  wire [14:0]  atoms,         // of a line, less 1
    input  wire [12:0]  lines,         // less 1
    input  wire [${12 - atom_lsb:2}:0]  surfaces,      // less 1
    input  wire         clear,         // the stall counter starts again
    input  wire         count_en,
    output reg  [31:0]  stall_q,       // cycles in which a request waited
    output wire         busy,

    output wire         req_valid,
    input  wire         req_ready,
    output wire [${addr_w - 1:2}:0]  req_addr,
    output wire [14:0]  req_size,      // atoms - 1
    input  wire         rsp_valid,     // one atom has come
    input  wire         freed          // one atom has left
);

    localparam LSB    = ${atom_lsb};            // address bits inside an atom
    localparam ADDR_W = ${addr_w - atom_lsb};
    localparam SURF_W = ${13 - atom_lsb};
    localparam CNT_W  = $clog2(DEPTH + 1);

    reg              run_q;
    reg [ADDR_W-1:0] addr_q;                  // next atom
    reg [ADDR_W-1:0] line_addr_q;             // first atom of this line
    reg [ADDR_W-1:0] surf_addr_q;             // first atom of this surface
    reg [14:0]       left_q;                  // atoms of the line still to ask for, less 1
    reg [12:0]       line_q;
    reg [SURF_W-1:0] surf_q;
    reg [CNT_W-1:0]  room_q;                  // atoms neither asked for nor stored
    reg [CNT_W-1:0]  flight_q;                // atoms asked for, not yet here

//% if rdma_chunk > 1
    // Up to the next multiple of the chunk.
    localparam CHUNK_W = ${clog2(rdma_chunk)};
    wire [CHUNK_W-1:0] to_edge   = ~addr_q[CHUNK_W-1:0];
    wire               chunk_end = left_q <= {{(15-CHUNK_W){1'b0}}, to_edge};
    wire [CHUNK_W-1:0] size      = chunk_end ? left_q[CHUNK_W-1:0] : to_edge;
    wire [CHUNK_W:0]   count     = {1'b0, size} + {{CHUNK_W{1'b0}}, 1'b1};
    wire               has_room  = room_q > {{(CNT_W-CHUNK_W){1'b0}}, size};

    assign req_size = {{(15-CHUNK_W){1'b0}}, size};
//% else
    localparam CHUNK_W = 0;
    wire [CHUNK_W:0]   count     = 1'b1;
    wire               chunk_end = left_q == 15'd0;
    wire               has_room  = room_q != {CNT_W{1'b0}};

    assign req_size = 15'd0;
//% end

    assign req_valid = run_q && has_room;
    assign req_addr  = {addr_q, {LSB{1'b0}}};
    assign busy      = run_q || (flight_q != {CNT_W{1'b0}});

    wire sent      = req_valid && req_ready;
    wire last_line = one_line || (line_q == lines);
    wire last_surf = one_line || (surf_q == surfaces);
    wire line_end  = sent && chunk_end;
    wire surf_end  = line_end && last_line;
    wire all_end   = surf_end && last_surf;

    // ---- one adder for the three kinds of step
    wire [ADDR_W-1:0] from = !chunk_end ? addr_q : last_line ? surf_addr_q : line_addr_q;
    wire [ADDR_W-1:0] step = !chunk_end ? {{(ADDR_W-1-CHUNK_W){1'b0}}, count}
                           : last_line  ? surf_stride : line_stride;
    wire [ADDR_W-1:0] next = start ? base : from + step;

    always @(posedge clk) begin
        if (clear)            stall_q     <= 32'd0;
        else if (count_en && req_valid && !req_ready) stall_q <= stall_q + 32'd1;
        if (start || sent)     addr_q      <= next;
        if (start || line_end) line_addr_q <= next;
        if (start || surf_end) surf_addr_q <= next;
        if (start || line_end) left_q      <= atoms;
        else if (sent)         left_q      <= left_q - {{(14-CHUNK_W){1'b0}}, count};
        if (start || surf_end) line_q      <= 13'd0;
        else if (line_end)     line_q      <= line_q + 13'd1;
        if (start)             surf_q      <= {SURF_W{1'b0}};
        else if (surf_end)     surf_q      <= surf_q + {{(SURF_W-1){1'b0}}, 1'b1};
    end

    wire [CNT_W-1:0] asked = sent ? {{(CNT_W-1-CHUNK_W){1'b0}}, count} : {CNT_W{1'b0}};

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            run_q    <= 1'b0;
            room_q   <= DEPTH[CNT_W-1:0];
            flight_q <= {CNT_W{1'b0}};
        end else begin
            run_q    <= start || (run_q && !all_end);
            room_q   <= room_q - asked + {{(CNT_W-1){1'b0}}, freed};
            flight_q <= flight_q + asked - {{(CNT_W-1){1'b0}}, rsp_valid};
        end
    end

endmodule

`default_nettype wire
