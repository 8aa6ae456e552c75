// Walks over a layer of RUBIK in runs of up to as many atoms as an atom has elements: asks for the
// atoms of a run and notes where they go.
//
// Contract: surface -> line -> sy -> sx -> runs of columns.  //% if rubik_contract_enable
//% if rubik_reshape_enable
// Split and merge: surface -> line -> blocks of columns; split reads columns, merge channels.
//% end
// One request per cycle; a run is one request${rubik_reshape_enable ? ", of merge one per channel" : ""}.
// `start`: one cycle after the registers are there; they stand still until the layer has ended.
// Reset: no request.
`default_nettype none

module dla_rubik_walk #(
    parameter ADDR_W = 29,                             // of atoms
    parameter RUN_W  = 3,
    parameter DEPTH  = 64
) (
    input  wire              clk,
    input  wire              rst_n,

    // layer; sizes are less 1, strides in 32 bytes
    input  wire              start,
    input  wire              contract,  //% if rubik_contract_enable && rubik_reshape_enable
//% if rubik_reshape_enable
    input  wire              merge,
    input  wire [26:0]       src_planar,
    input  wire [26:0]       dst_planar,
//% end
    input  wire              sixteen,                  // bits of an element  //% if int8 && types16
    input  wire [12:0]       width,
    input  wire [12:0]       height,
    input  wire [12:0]       channel,
    input  wire [ADDR_W-1:0] src_addr,                 // atoms
    input  wire [26:0]       src_line,
    input  wire [26:0]       src_surf,
    input  wire [ADDR_W-1:0] dst_addr,
    input  wire [26:0]       dst_line,
    input  wire [26:0]       dst_surf,
//% if rubik_contract_enable
    input  wire [26:0]       src_plane,
    input  wire [4:0]        stride_x,
    input  wire [4:0]        stride_y,
//% end

    // reads
    input  wire              taken,                    // an atom has left the FIFO
    output wire              rd_valid,
    input  wire              rd_ready,
    output wire [${addr_w - 1:2}:0]       rd_addr,
    output wire [14:0]       rd_size,                  // atoms - 1

    // notes, with the first request of a run
    output wire              note_valid,
    input  wire              note_ready,
    output wire [ADDR_W-1:0] note_dst,
    output wire [RUN_W-1:0]  note_in,  //% if rubik_reshape_enable
    output wire [RUN_W-1:0]  note_out,
    output wire              note_last,                // of the layer
    output wire [ADDR_W-1:0] store_step
);

    localparam LSB   = ${atom_lsb};                              // address bits inside an atom
    localparam BLK_W = ${13 - rubik_least_run_w};                             // blocks of the widest line
    localparam CNT_W = $clog2(DEPTH) + 1;
    localparam [ADDR_W-1:0] RUN = ${1 << rubik_run_w};                  // atoms of the longest run

    // A stride in atoms.
    function [ADDR_W-1:0] stride;
        input [26:0] units;
    begin
        stride = {ADDR_W{1'b0}};
        stride[${rubik_sub_w} +: 27] = units;
    end
    endfunction

    // ------------------------------------------------------------------ what follows from it
    reg  [BLK_W-1:0]  blocks_q, surfs_q;               // less 1
    reg  [RUN_W-1:0]  cols_last_q;                     // of the last block, less 1
    reg  [RUN_W-1:0]  chans_last_q;                    // of the last surface, less 1  //% if rubik_reshape_enable
    wire              unused_channel = &channel;       // padding channels are copied  //% if !rubik_reshape_enable
    reg  [RUN_W-1:0]  full_q;                          // of the others
    reg  [ADDR_W-1:0] src_run_q, dst_run_q;            // steps from run to run
    reg  [ADDR_W-1:0] src_surf_q, dst_surf_q;          // from surface to surface
    reg  [ADDR_W-1:0] store_q;
    localparam [ADDR_W-1:0] ONE = {{(ADDR_W-1){1'b0}}, 1'b1};

//% let shift = int8 && types16 ? "(sixteen ? RUN_W - 1 : RUN_W)" : "RUN_W"
    wire [ADDR_W-1:0] run_atoms = ${int8 && types16 ? "sixteen ? RUN >> 1 : " : ""}RUN;
    wire [ADDR_W-1:0] pixels    = {{(ADDR_W-5){1'b0}}, stride_x} + ONE;  //% if rubik_contract_enable

    assign store_step = store_q;

    always @(posedge clk) begin
        blocks_q     <= ${int8 && types16 ? "sixteen ? width[12:RUN_W-1] : {1'b0, width[12:RUN_W]}" : "width[12:RUN_W]"};
        cols_last_q  <= ${int8 && types16 ? "sixteen ? {1'b0, width[RUN_W-2:0]} : " : ""}width[RUN_W-1:0];
        surfs_q      <= ${int8 && types16 ? "sixteen ? channel[12:RUN_W-1] : {1'b0, channel[12:RUN_W]}" : "channel[12:RUN_W]"};
        full_q       <= ${int8 && types16 ? "{!sixteen, {(RUN_W-1){1'b1}}}" : "{RUN_W{1'b1}}"};
        src_run_q    <= run_atoms;
        src_surf_q   <= stride(src_surf);
        dst_surf_q   <= stride(dst_surf);
//% if rubik_contract_enable
        dst_run_q    <= pixels << ${shift};
        store_q      <= pixels;
//% end
//% if rubik_reshape_enable
        chans_last_q <= ${int8 && types16 ? "sixteen ? {1'b0, channel[RUN_W-2:0]} : " : ""}channel[RUN_W-1:0];
        if (merge) begin
            src_run_q  <= ONE;
            src_surf_q <= stride(src_planar) << ${shift};
            dst_run_q  <= run_atoms;
            store_q    <= ONE;
        end
        if (${rubik_contract_enable ? "!merge && !contract" : "!merge"}) begin
            dst_run_q  <= ONE;
            dst_surf_q <= stride(dst_planar) << ${shift};
            store_q    <= stride(dst_planar);
        end
//% end
    end

    // ------------------------------------------------------------------ walk
    // Counters count down beside flags for their last values.
    reg               asking_q;                        // requests are to be made
    reg  [BLK_W-1:0]  blk_left_q, surf_left_q;
    reg  [12:0]       line_left_q;
    reg               last_blk_q, last_line_q, last_surf_q;
    reg  [CNT_W-1:0]  room_q;                          // atoms neither asked for nor stored
    reg               has_room_q;                      // for a run
    reg               freed_q;
    reg               req_valid_q;
    reg  [ADDR_W-1:0] req_addr_q;
    reg  [RUN_W-1:0]  req_size_q;
    reg  [ADDR_W-1:0] src_q, dst_q;                    // next request; its run
    reg  [ADDR_W-1:0] src_line_q, src_top_q;           // first atom of this line, this surface
    reg  [ADDR_W-1:0] dst_line_q, dst_top_q;
//% if rubik_contract_enable
    reg  [ADDR_W-1:0] src_plane_q;                     // first atom of this line, for sx and sy
    reg  [ADDR_W-1:0] dst_pixel_q;                     // its first pixel in the output
    reg  [4:0]        x_left_q, y_left_q;
    reg               last_x_q, last_y_q;
//% end
//% if rubik_reshape_enable
    reg  [ADDR_W-1:0] src_first_q;                     // first request of this run
    reg               first_q;                         // it is the next one
    reg  [RUN_W-1:0]  chan_left_q;
    reg               last_chan_q;                     // only merge has more than one
//% end

    wire [RUN_W-1:0]  cols = last_blk_q ? cols_last_q : full_q;
    wire [RUN_W-1:0]  size = ${rubik_reshape_enable ? "merge ? {RUN_W{1'b0}} : cols" : "cols"};      // of the request, less 1
    wire              ask  = asking_q && has_room_q && note_ready && (!req_valid_q || rd_ready);
//% if rubik_reshape_enable
    wire [RUN_W-1:0]  chans     = last_surf_q ? chans_last_q : full_q;
    wire              run_end   = ask && last_chan_q;
//% else
    wire              run_end   = ask;
//% end
    wire              row_end   = run_end && last_blk_q;
//% if rubik_contract_enable
    wire              pixel_end = row_end && last_x_q;         // all sx
    wire              line_end  = pixel_end && last_y_q;
//% else
    wire              pixel_end = row_end;
    wire              line_end  = row_end;
//% end
    wire              surf_end  = line_end && last_line_q;
    wire              all_end   = surf_end && last_surf_q;

//% if rubik_reshape_enable
    assign note_valid = ask && first_q;
    assign note_in    = merge ? chans : cols;
    assign note_out   = ${rubik_contract_enable ? "merge || contract" : "merge"} ? cols : chans;
    assign note_last  = last_blk_q && last_line_q && last_surf_q${rubik_contract_enable ? " && last_x_q && last_y_q" : ""};
//% else
    assign note_valid = ask;
    assign note_out   = cols;
    assign note_last  = all_end;
//% end
    assign note_dst   = dst_q;
    assign rd_valid   = req_valid_q;
    assign rd_addr    = {req_addr_q, {LSB{1'b0}}};
    assign rd_size    = {{(15-RUN_W){1'b0}}, req_size_q};

    // ---- addresses: one adder per side for all kinds of step
    reg  [ADDR_W-1:0] src_from, src_step, dst_from, dst_step;
    wire [ADDR_W-1:0] src_next = start ? src_addr : src_from + src_step;
    wire [ADDR_W-1:0] dst_next = start ? dst_addr : dst_from + dst_step;

    always @* begin
        src_from = src_top_q;
        src_step = src_surf_q;
        dst_from = dst_top_q;
        dst_step = dst_surf_q;
        if (!last_line_q) begin
            src_from = src_line_q;
            src_step = stride(src_line);
            dst_from = dst_line_q;
            dst_step = stride(dst_line);
        end
//% if rubik_contract_enable
        if (!last_x_q || !last_y_q) begin
            src_from = src_plane_q;
            src_step = stride(src_plane);
            dst_from = last_x_q ? dst_line_q : dst_pixel_q;
            dst_step = last_x_q ? stride(dst_line) : ONE;
        end
//% end
        if (!last_blk_q) begin
            src_from = ${rubik_reshape_enable ? "src_first_q" : "src_q"};
            src_step = src_run_q;
            dst_from = dst_q;
            dst_step = dst_run_q;
        end
//% if rubik_reshape_enable
        if (!last_chan_q) begin
            src_from = src_q;
            src_step = stride(src_planar);
        end
//% end
    end

    always @(posedge clk) begin
        if (ask) begin
            req_addr_q <= src_q;
            req_size_q <= size;
        end
        if (start || ask)       src_q       <= src_next;
        if (start || run_end)   dst_q       <= dst_next;
        if (start || run_end)   src_first_q <= src_next;  //% if rubik_reshape_enable
//% if rubik_contract_enable
        if (start || row_end)   src_plane_q <= src_next;
        if (start || row_end)   dst_pixel_q <= dst_next;
//% end
        if (start || line_end)  src_line_q  <= src_next;
        if (start || pixel_end) dst_line_q  <= dst_next;
        if (start || surf_end)  src_top_q   <= src_next;
        if (start || surf_end)  dst_top_q   <= dst_next;
    end

    // ---- counters
//% if rubik_reshape_enable
    wire [RUN_W-1:0] next_chans = (start ? surfs_q == {BLK_W{1'b0}}
                                : surf_end ? surf_left_q == {{(BLK_W-1){1'b0}}, 1'b1}
                                : last_surf_q) ? chans_last_q : full_q;

//% end
    always @(posedge clk) begin
        if (start || row_end) begin
            blk_left_q <= blocks_q;
            last_blk_q <= blocks_q == {BLK_W{1'b0}};
        end else if (run_end) begin
            blk_left_q <= blk_left_q - {{(BLK_W-1){1'b0}}, 1'b1};
            last_blk_q <= blk_left_q == {{(BLK_W-1){1'b0}}, 1'b1};
        end
//% if rubik_contract_enable
        if (start || pixel_end) begin
            x_left_q <= stride_x;
            last_x_q <= stride_x == 5'd0${rubik_reshape_enable ? " || !contract" : ""};
        end else if (row_end) begin
            x_left_q <= x_left_q - 5'd1;
            last_x_q <= x_left_q == 5'd1;
        end
        if (start || line_end) begin
            y_left_q <= stride_y;
            last_y_q <= stride_y == 5'd0${rubik_reshape_enable ? " || !contract" : ""};
        end else if (pixel_end) begin
            y_left_q <= y_left_q - 5'd1;
            last_y_q <= y_left_q == 5'd1;
        end
//% end
        if (start || surf_end) begin
            line_left_q <= height;
            last_line_q <= height == 13'd0;
        end else if (line_end) begin
            line_left_q <= line_left_q - 13'd1;
            last_line_q <= line_left_q == 13'd1;
        end
        if (start) begin
            surf_left_q <= surfs_q;
            last_surf_q <= surfs_q == {BLK_W{1'b0}};
        end else if (surf_end) begin
            surf_left_q <= surf_left_q - {{(BLK_W-1){1'b0}}, 1'b1};
            last_surf_q <= surf_left_q == {{(BLK_W-1){1'b0}}, 1'b1};
        end
//% if rubik_reshape_enable
        if (start || run_end) begin
            first_q     <= 1'b1;
            chan_left_q <= next_chans;
            last_chan_q <= next_chans == {RUN_W{1'b0}} || !merge;
        end else if (ask) begin
            first_q     <= 1'b0;
            chan_left_q <= chan_left_q - {{(RUN_W-1){1'b0}}, 1'b1};
            last_chan_q <= chan_left_q == {{(RUN_W-1){1'b0}}, 1'b1};
        end
//% end
    end

    // ---- room
    wire [CNT_W-1:0] asked = ask ? {{(CNT_W-RUN_W){1'b0}}, size} + {{(CNT_W-1){1'b0}}, 1'b1}
                                 : {CNT_W{1'b0}};
    wire [CNT_W-1:0] room  = room_q - asked + {{(CNT_W-1){1'b0}}, freed_q};

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            asking_q    <= 1'b0;
            req_valid_q <= 1'b0;
            freed_q     <= 1'b0;
            room_q      <= DEPTH[CNT_W-1:0];
            has_room_q  <= 1'b0;
        end else begin
            asking_q    <= start || (asking_q && !all_end);
            req_valid_q <= ask || (req_valid_q && !rd_ready);
            freed_q     <= taken;
            room_q      <= room;
            has_room_q  <= room >= RUN[CNT_W-1:0];
        end
    end

endmodule

`default_nettype wire
