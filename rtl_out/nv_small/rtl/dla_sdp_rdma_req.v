// Made by macrame 0.1.0 from templates/dla/sdp_rdma/dla_sdp_rdma_req.v
// with addr_w=32 atom_lsb=3 elem_lsb=3 mixed=0 rdma_chunk=1 winograd_enable=0

// Read requests of one channel of SDP_RDMA: walks lines and surfaces, asks only for what has room.
//
// Contract: first request 3 cycles after `start`; then one request per cycle of up to 1
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

    localparam CHUNK_W = 0;
    wire [CHUNK_W:0]   count     = 1'b1;
    wire               chunk_end = near_q;
    wire [14:0]        size_wide = 15'd0;

    assign busy = start_q || run_q || (flight_q != {CNT_W{1'b0}});

    wire ask      = run_q && has_room_q && (!req_valid_q || req_ready);
    wire line_end = ask && chunk_end;
    wire surf_end = line_end && last_line_q;
    wire all_end  = surf_end && last_surf_q;
    wire [14:0] row_atoms = atoms;
    wire        again     = start_q || chunk_end;
    wire [14:0] less      = left_q - {{(14-CHUNK_W){1'b0}}, count};

    // ---- one adder for the three kinds of step
    wire [ADDR_W-1:0] from = !chunk_end ? addr_q : last_line_q ? surf_addr_q : line_addr_q;
    wire [ADDR_W-1:0] step = !chunk_end ? {{(ADDR_W-1-CHUNK_W){1'b0}}, count}
                           : last_line_q ? surf_stride : line_stride;
    wire [ADDR_W-1:0] next = start_q ? base : from + step;

    always @(posedge clk) begin
        if (clear)             stall_q <= 32'd0;
        else if (count_en && req_valid_q && !req_ready) stall_q <= stall_q + 32'd1;
        if (ask) begin
            req_addr_q <= {addr_q, {LSB{1'b0}}};
            req_size_q <= size_wide;
        end
        if (start_q || ask) begin
            addr_q <= next;
            left_q <= again ? row_atoms : less;
            near_q <= again ? line_near_q : less[14:CHUNK_W] == {(15-CHUNK_W){1'b0}};
        end
        line_near_q <= row_atoms[14:CHUNK_W] == {(15-CHUNK_W){1'b0}};
        if (start_q || line_end) begin
            line_addr_q <= next;
            lines_q     <= (start_q || last_line_q) ? lines : lines_q - 13'd1;
            last_line_q <= one_line
                        || ((start_q || last_line_q) ? lines == 13'd0 : lines_q == 13'd1);
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
