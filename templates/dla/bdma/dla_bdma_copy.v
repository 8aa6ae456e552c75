// Walks over the copy in front of the queue: reads it in runs of up to 8 units of 32 bytes and
// writes what comes back. A note per run tells the writes where it goes.
//
//     copy --> runs --+--> reads --> memory --> FIFO --+--> writes
//                     +-----------> notes -------------+
//
// Contract: one run per cycle, ${bdma_depth} atoms in flight and in the FIFO, one atom written per cycle.
// copy_take: the last run of the copy goes out. Only room and the memory stall it.
// Reset: no run, FIFOs empty.
`default_nettype none

module dla_bdma_copy #(
    parameter ADDR_W = 27,                             // of units
    parameter COPY_W = 64
) (
    input  wire              clk,
    input  wire              rst_n,

    // the copy in front, which stays until it is taken
    input  wire              copy_valid,
    input  wire [COPY_W-1:0] copy,
    input  wire              copy_group,
    input  wire              copy_end,                 // the last one of its group
    output wire              copy_take,

    // reads
    output reg               rd_primary,  //% if secondary_memif_enable
    output reg               rd_group,
    output reg               rd_valid,
    input  wire              rd_ready,
    output wire [${addr_w - 1:2}:0]       rd_addr,
    output wire [14:0]       rd_size,                  // atoms - 1
    input  wire              rsp_valid,                // cannot stall
    input  wire [${atom_bits - 1:3}:0]      rsp_data,

    // writes
    output reg               wr_primary,  //% if secondary_memif_enable
    output reg               wr_group,
    output reg               wr_valid,
    input  wire              wr_ready,
    output wire [${addr_w - 1:2}:0]       wr_addr,
    output reg  [${atom_bits - 1:3}:0]      wr_data,
    output reg               wr_last                   // of the group
);

    localparam BITS  = ${atom_bits};
    localparam LSB   = ${atom_lsb};                              // address bits inside an atom
    localparam ATOMS = ${addr_w - atom_lsb};                             // address bits of atoms
    localparam DEPTH = ${bdma_depth};                            // atoms in flight and in the FIFO
    localparam ROOM  = ${bdma_depth / bdma_unit_atoms};                            // the same in units
    localparam CNT_W = ${clog2(bdma_depth / bdma_unit_atoms) + 1};
    localparam RUN   = 8;                              // units

    // ------------------------------------------------------------------ the copy
    wire              src_primary, dst_primary;  //% if secondary_memif_enable
    wire [ADDR_W-1:0] src, dst;
    wire [26:0]       src_line, dst_line, src_surf, dst_surf;
    wire [12:0]       size, lines, surfaces;           // less 1

//% if secondary_memif_enable
    assign {src_primary, dst_primary, src, dst, src_line, dst_line, src_surf, dst_surf,
            size, lines, surfaces} = copy;
//% else
    assign {src, dst, src_line, dst_line, src_surf, dst_surf, size, lines, surfaces} = copy;
//% end

    // ------------------------------------------------------------------ runs
    // Counters count down beside flags for their last values.
    reg               active_q;                        // runs are to be made
    reg  [ADDR_W-1:0] src_q, dst_q;                    // next run
    reg  [ADDR_W-1:0] src_line_q, dst_line_q;          // first unit of this line
    reg  [ADDR_W-1:0] src_surf_q, dst_surf_q;          // first unit of this surface
    reg  [12:0]       left_q;                          // units of the line, less 1
    reg  [12:0]       lines_left_q, surfs_left_q;
    reg               last_line_q, last_surf_q;
    reg  [CNT_W-1:0]  room_q;                          // units neither asked for nor stored
    reg               has_room_q;                      // for a run
    reg               freed_q;                         // a unit has left the FIFO
    reg  [ADDR_W-1:0] req_q;
    reg  [2:0]        req_size_q;
    wire              note_ready;

    wire       start    = copy_valid && !active_q;
    wire       ask      = active_q && has_room_q && note_ready && (!rd_valid || rd_ready);
    wire       run_end  = left_q[12:3] == 10'd0;       // of the line
    wire [2:0] run_size = run_end ? left_q[2:0] : 3'd7;
    wire       line_end = ask && run_end;
    wire       surf_end = line_end && last_line_q;

    assign copy_take = surf_end && last_surf_q;
    assign rd_addr   = {req_q, 5'd0};
    assign rd_size   = {${12 - bdma_sub_w}'d0, req_size_q${bdma_sub_w == 0 ? "" : bdma_sub_w == 1 ? ", 1'd1" : ", 2'd3"}};

    // ---- one adder per side for the three kinds of step
    function [ADDR_W-1:0] wide;
        input [26:0] step;
    begin
        wide       = {ADDR_W{1'b0}};
        wide[26:0] = step;
    end
    endfunction

    wire [ADDR_W-1:0] src_from = !run_end ? src_q : !last_line_q ? src_line_q : src_surf_q;
    wire [ADDR_W-1:0] src_step = wide(!run_end ? RUN[26:0] : !last_line_q ? src_line : src_surf);
    wire [ADDR_W-1:0] src_next = start ? src : src_from + src_step;
    wire [ADDR_W-1:0] dst_from = !run_end ? dst_q : !last_line_q ? dst_line_q : dst_surf_q;
    wire [ADDR_W-1:0] dst_step = wide(!run_end ? RUN[26:0] : !last_line_q ? dst_line : dst_surf);
    wire [ADDR_W-1:0] dst_next = start ? dst : dst_from + dst_step;

    always @(posedge clk) begin
        if (start || ask) begin
            src_q <= src_next;
            dst_q <= dst_next;
        end
        if (start || line_end) begin
            src_line_q <= src_next;
            dst_line_q <= dst_next;
            left_q     <= size;
        end else if (ask) begin
            left_q     <= left_q - RUN[12:0];
        end
        if (start || surf_end) begin
            src_surf_q   <= src_next;
            dst_surf_q   <= dst_next;
            lines_left_q <= lines;
            last_line_q  <= lines == 13'd0;
        end else if (line_end) begin
            lines_left_q <= lines_left_q - 13'd1;
            last_line_q  <= lines_left_q == 13'd1;
        end
        if (start) begin
            surfs_left_q <= surfaces;
            last_surf_q  <= surfaces == 13'd0;
        end else if (surf_end) begin
            surfs_left_q <= surfs_left_q - 13'd1;
            last_surf_q  <= surfs_left_q == 13'd1;
        end
        if (ask) begin
            req_q      <= src_q;
            req_size_q <= run_size;
            rd_group   <= copy_group;
            rd_primary <= src_primary;  //% if secondary_memif_enable
        end
    end

    wire [CNT_W-1:0] asked = ask ? {{(CNT_W-3){1'b0}}, run_size} + {{(CNT_W-1){1'b0}}, 1'b1}
                                 : {CNT_W{1'b0}};
    wire [CNT_W-1:0] room  = room_q - asked + {{(CNT_W-1){1'b0}}, freed_q};
    wire             freed;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            active_q   <= 1'b0;
            rd_valid   <= 1'b0;
            room_q     <= ROOM[CNT_W-1:0];
            has_room_q <= 1'b0;
            freed_q    <= 1'b0;
        end else begin
            active_q   <= start || (active_q && !copy_take);
            rd_valid   <= ask || (rd_valid && !rd_ready);
            room_q     <= room;
            has_room_q <= room >= RUN[CNT_W-1:0];
            freed_q    <= freed;
        end
    end

    // ------------------------------------------------------------------ what comes back
    wire              atom_valid, note_valid;
    wire [BITS-1:0]   atom;
    wire              note_primary;  //% if secondary_memif_enable
    wire              note_last, note_group;
    wire [2:0]        note_size;
    wire [ADDR_W-1:0] note_dst;
    wire              move;                            // an atom goes to the writes
    wire              run_done;                        // the last one of its run
    wire              unused_stored;  //% if clock_gating

    dla_sdp_rdma_fifo #(.W(BITS), .DEPTH(DEPTH)) u_data (
        .clk       (clk),
        .rst_n     (rst_n),
        .in_valid  (rsp_valid),
        .in_data   (rsp_data),
        .out_valid (atom_valid),
        .out_ready (move),
        .stored    (unused_stored),  //% if clock_gating
        .out_data  (atom)
    );

    // Written with the request: always there before the atoms.
    fifo_sync #(.W(ADDR_W + ${5 + secondary_memif_enable}), .DEPTH(${bdma_notes})) u_notes (
        .clk       (clk),
        .rst_n     (rst_n),
        .in_valid  (ask),
        .in_ready  (note_ready),
        .in_data   ({dst_primary, copy_take && copy_end, copy_group, run_size, dst_q}),  //% if secondary_memif_enable
        .in_data   ({copy_take && copy_end, copy_group, run_size, dst_q}),  //% if !secondary_memif_enable
        .out_valid (note_valid),
        .out_ready (run_done),
        .out_data  ({note_primary, note_last, note_group, note_size, note_dst})  //% if secondary_memif_enable
        .out_data  ({note_last, note_group, note_size, note_dst})  //% if !secondary_memif_enable
    );

    // ------------------------------------------------------------------ writes
    reg  [${2 + bdma_sub_w}:0]        pos_q;                           // atom of the run
    reg  [ATOMS-1:0]  addr_q;
    wire              first = pos_q == ${3 + bdma_sub_w}'d0;

    assign move     = atom_valid && note_valid && (!wr_valid || wr_ready);
    assign run_done = move && pos_q == ${bdma_sub_w == 0 ? "note_size" : bdma_sub_w == 1 ? "{note_size, 1'd1}" : "{note_size, 2'd3}"};
    assign freed    = move && (&pos_q[${bdma_sub_w - 1}:0]);  //% if bdma_sub_w > 0
    assign freed    = move;  //% if bdma_sub_w <= 0
    assign wr_addr  = {addr_q, {LSB{1'b0}}};

    always @(posedge clk) begin
        if (move) begin
//% if bdma_sub_w > 0
            addr_q     <= first ? {note_dst, ${bdma_sub_w}'d0} : addr_q + {{(ATOMS-1){1'b0}}, 1'b1};
//% else
            addr_q     <= first ? note_dst : addr_q + {{(ATOMS-1){1'b0}}, 1'b1};
//% end
            wr_data    <= atom;
            wr_last    <= run_done && note_last;
            wr_group   <= note_group;
            wr_primary <= note_primary;  //% if secondary_memif_enable
        end
    end

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            wr_valid <= 1'b0;
            pos_q    <= ${3 + bdma_sub_w}'d0;
        end else begin
            wr_valid <= move || (wr_valid && !wr_ready);
            if (move) pos_q <= run_done ? ${3 + bdma_sub_w}'d0 : pos_q + ${3 + bdma_sub_w}'d1;
        end
    end

endmodule

`default_nettype wire
