// Made by macrame 0.1.0 from templates/dla/sdp_rdma/dla_sdp_rdma_req.v
// with addr_w=32 atom_lsb=3 elem_lsb=3 mixed=0 rdma_chunk=1 winograd_enable=0

// Read requests of one channel of SDP_RDMA: walks lines and surfaces, asks only for what has room.
//
// Contract: first request 2 cycles after `start`; then one request per cycle of up to 1
// atom(s), none crossing a multiple of that; they leave from registers. Addresses count atoms.
// Reset: idle, all room free.
// `busy`: requests are to be sent or answers to come.
`default_nettype none

module dla_sdp_rdma_req #(
    parameter DEPTH = 16               // atoms the channel has room for
) (
    input  wire         clk,
    input  wire         rst_n,

    // layer
    input  wire         start,
    input  wire [28:0]  base,
    input  wire [28:0]  line_stride,
    input  wire [28:0]  surf_stride,
    input  wire         one_line,      // all atoms follow each other: no lines and surfaces
    input  wire [14:0]  atoms,         // of a line, less 1
    input  wire [12:0]  lines,         // less 1
    input  wire [ 9:0]  surfaces,      // less 1
    input  wire         clear,         // the stall counter starts again
    input  wire         count_en,
    output reg  [31:0]  stall_q,       // cycles in which a request waited
    output wire         busy,

    output reg          req_valid_q,
    input  wire         req_ready,
    output reg  [31:0]  req_addr_q,
    output reg  [14:0]  req_size_q,    // atoms - 1
    input  wire         rsp_valid,     // one atom has come
    input  wire         freed          // one atom has left
);

    localparam LSB    = 3;            // address bits inside an atom
    localparam ADDR_W = 29;
    localparam SURF_W = 10;
    localparam CNT_W  = $clog2(DEPTH + 1);

    reg              run_q;
    reg [ADDR_W-1:0] addr_q;                  // next atom
    reg [ADDR_W-1:0] line_addr_q;             // first atom of this line
    reg [ADDR_W-1:0] surf_addr_q;             // first atom of this surface
    reg [14:0]       left_q;                  // atoms of the line still to ask for, less 1
    reg              near_q;                  // less than a chunk
    reg [12:0]       lines_q;                 // lines behind this one
    reg              last_line_q;
    reg [SURF_W-1:0] surfs_q;                 // surfaces behind this one
    reg              last_surf_q;
    reg [CNT_W-1:0]  room_q;                  // atoms neither asked for nor stored
    reg [CNT_W-1:0]  flight_q;                // atoms asked for, not yet here
    reg              freed_q;

    localparam CHUNK_W = 0;
    wire [CHUNK_W:0]   count     = 1'b1;
    wire               chunk_end = near_q;
    wire               has_room  = room_q != {CNT_W{1'b0}};
    wire [14:0]        size_wide = 15'd0;

    assign busy = run_q || (flight_q != {CNT_W{1'b0}});

    wire ask      = run_q && has_room && (!req_valid_q || req_ready);
    wire line_end = ask && chunk_end;
    wire surf_end = line_end && last_line_q;
    wire all_end  = surf_end && last_surf_q;
    wire [14:0] left = (start || chunk_end) ? atoms : left_q - {{(14-CHUNK_W){1'b0}}, count};

    // ---- one adder for the three kinds of step
    wire [ADDR_W-1:0] from = !chunk_end ? addr_q : last_line_q ? surf_addr_q : line_addr_q;
    wire [ADDR_W-1:0] step = !chunk_end ? {{(ADDR_W-1-CHUNK_W){1'b0}}, count}
                           : last_line_q ? surf_stride : line_stride;
    wire [ADDR_W-1:0] next = start ? base : from + step;

    always @(posedge clk) begin
        if (clear)             stall_q <= 32'd0;
        else if (count_en && req_valid_q && !req_ready) stall_q <= stall_q + 32'd1;
        if (ask) begin
            req_addr_q <= {addr_q, {LSB{1'b0}}};
            req_size_q <= size_wide;
        end
        if (start || ask) begin
            addr_q <= next;
            left_q <= left;
            near_q <= left[14:CHUNK_W] == {(15-CHUNK_W){1'b0}};
        end
        if (start || line_end) begin
            line_addr_q <= next;
            lines_q     <= (start || last_line_q) ? lines : lines_q - 13'd1;
            last_line_q <= one_line
                        || ((start || last_line_q) ? lines == 13'd0 : lines_q == 13'd1);
        end
        if (start || surf_end) begin
            surf_addr_q <= next;
            surfs_q     <= start ? surfaces : surfs_q - {{(SURF_W-1){1'b0}}, 1'b1};
            last_surf_q <= one_line || (start ? surfaces == {SURF_W{1'b0}}
                                              : surfs_q == {{(SURF_W-1){1'b0}}, 1'b1});
        end
    end

    wire [CNT_W-1:0] asked = ask ? {{(CNT_W-1-CHUNK_W){1'b0}}, count} : {CNT_W{1'b0}};

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            run_q       <= 1'b0;
            req_valid_q <= 1'b0;
            freed_q     <= 1'b0;
            room_q      <= DEPTH[CNT_W-1:0];
            flight_q    <= {CNT_W{1'b0}};
        end else begin
            run_q       <= start || (run_q && !all_end);
            freed_q     <= freed;
            req_valid_q <= ask || (req_valid_q && !req_ready);
            room_q      <= room_q - asked + {{(CNT_W-1){1'b0}}, freed_q};
            flight_q    <= flight_q + asked - {{(CNT_W-1){1'b0}}, rsp_valid};
        end
    end

endmodule

`default_nettype wire
