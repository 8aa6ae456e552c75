// Winograd side of CDMA: turns lines of the cube into entries that are tiles of 4 x 4 pixels.
//
//     requests --> memory --> ring of atoms --> four pixels of a plane --> turn --> CBUF
//                             (four banks)      8 bytes of each
//
// An atom has 8 bytes for each of four entries, and a row of an entry has 8 bytes of each of four
// pixels. So the ring has four banks of 8 bytes, and an atom lies in them turned such that the
// same bytes of the four pixels of a row, which are SX atoms apart, are in different banks.
// Rate: one row of an entry, an atom, in each cycle in which its pixels are there; padding takes
// as long. Latency: 4 cycles from the group that becomes ready to the write.
// A unit of four lines needs space before it is written; CSC is told of its lines in the four
// cycles behind that of its last write. Reset: idle, the ring is empty.
`default_nettype none

module dla_cdma_tile (
    input  wire                       clk,            // runs while there is a layer
    input  wire                       rst_n,

    input  wire                       start,          // fetch this layer
    output wire                       busy,           // units are left
    output wire                       ending,         // a unit is not yet announced

    // layer, stable while busy; sizes minus 1, padding not; addresses and strides in atoms
    input  wire [${addr_w - atom_lsb - 1:2}:0]                base,
    input  wire [${addr_w - atom_lsb - 1:2}:0]                line_stride,
    input  wire [${addr_w - atom_lsb - 1:2}:0]                surf_stride,
    input  wire [12:0]                width,
    input  wire [12:0]                height,
    input  wire [${12 - atom_lsb + types16:2}:0]                surfaces,
    input  wire [12:0]                ext_width,      // of the extended plane
    input  wire [12:0]                ext_height,
    input  wire [2:0]                 stride_x,       // planes per extended plane
    input  wire [2:0]                 stride_y,
    input  wire [4:0]                 pad_left,
    input  wire [4:0]                 pad_top,
    input  wire [15:0]                pad_value,      // two elements of 8 bits or one of 16

    // space
    input  wire                       room,           // a whole unit is free
    output wire                       take,           // claims a unit

    // memory
    output wire                       req_valid,
    input  wire                       req_ready,
    output wire                       req_load,       // the next one has this address, size
    output wire [${addr_w - atom_lsb - 1:2}:0]                req_next,
    output wire [4:0]                 req_size,       // atoms - 1
    output wire                       outstanding,    // a requested atom has not left the ring
    input  wire                       in_valid,
    input  wire [255:0]               in_data,

    // placement, one cycle before the write
    input  wire [${cbuf_addr_w - 1:2}:0]                slice,          // first entry of the unit
    input  wire [${cbuf_bank_w - 1:2}:0]                data_bank,      // banks - 1
    output wire                       place,
    output wire [${cbuf_addr_w - 1:2}:0]                place_entry,
    output wire                       place_end,      // of the unit

    // write into CBUF
    input  wire                       wt_wr_next,     // a weight in the next cycle  //% if !secondary_memif_enable
    output wire                       pending,        // a group is on its way
    output reg                        wr_valid_q,
    output reg  [1:0]                 wr_row_q,       // atom of the entry
    output reg  [255:0]               wr_data_q,
    output wire                       updt            // a line is complete
);

//% let not_held = secondary_memif_enable ? "" : " && !hold"
    localparam CBUF_W = ${cbuf_addr_w};
    localparam BANK_W = ${cbuf_bank_w};
    localparam ROW_W  = ${cbuf_row_w};
    localparam DEPTH  = ${tile_depth};
    localparam PTR_W  = ${clog2(tile_depth)};

    // ------------------------------------------------------------------ shape
    // Steps between entries, and how atoms of a row spread over the banks: SX is an odd number
    // times a power of 2; from pixel to pixel the bank moves by 1 or 3.
    wire [3:0]         planes = {1'b0, stride_x} + 4'd1;
//# Numbers of a plane that fits have no more bits than an entry of CBUF.
//% let surf_w = 13 - atom_lsb + types16
    wire [CBUF_W-1:0]  groups = {{(CBUF_W-11){1'b0}}, ext_width[12:2]} + {{(CBUF_W-1){1'b0}}, 1'b1};  //% if cbuf_addr_w > 11
    wire [CBUF_W-1:0]  groups = ext_width[${cbuf_addr_w + 1}:2] + {{(CBUF_W-1){1'b0}}, 1'b1};  //% if cbuf_addr_w <= 11
    wire [CBUF_W-1:0]  surf_step = {groups[CBUF_W-3:0], 2'd0};
    reg  [CBUF_W-1:0]  surf_count_q, plane_step_q, line_step_q;
    reg                start_q;
    reg  [1:0]         shift_q;
    reg                back_q;         // by 3

    always @(posedge clk) begin
        surf_count_q <= {{(CBUF_W-${surf_w}){1'b0}}, surfaces} +  //% if cbuf_addr_w > surf_w
        surf_count_q <= surfaces +  //% if cbuf_addr_w == surf_w
        surf_count_q <= surfaces[${cbuf_addr_w - 1}:0] +  //% if cbuf_addr_w < surf_w
                        {{(CBUF_W-1){1'b0}}, 1'b1};
        plane_step_q <= surf_count_q * surf_step;
        line_step_q  <= plane_step_q * {{(CBUF_W-4){1'b0}}, planes};
        shift_q      <= planes[0] ? 2'd0 : planes[1] ? 2'd1 : planes[2] ? 2'd2 : 2'd3;
        back_q       <= (planes == 4'd3) || (planes[2:1] == 2'd3);
    end

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) start_q <= 1'b0;
        else        start_q <= start;
    end

    // ------------------------------------------------------------------ requests, groups
    wire               req_busy, order_busy, ready, load;
    wire [5:0]         lead, need;
    wire [CBUF_W-1:0]  offset;
    wire [1:0]         row;
    wire               last;
    reg  [PTR_W:0]     arrived_q;      // atoms for groups not yet begun
    wire               group_end;
    reg  [5:0]         need_q;         // atoms of the group
    reg                read_last_q;    // last atoms of a group are read
    reg  [5:0]         read_need_q;
    reg                got_q, got_end_q;   // a row for CBUF
    wire               hold = got_q && wt_wr_next;   // CBUF takes one atom  //% if !secondary_memif_enable

    assign busy = start_q || req_busy || order_busy;

    dla_cdma_tile_req u_req (
        .clk         (clk),
        .rst_n       (rst_n),
        .start       (start_q),
        .busy_q      (req_busy),
        .base        (base),
        .line_stride (line_stride),
        .surf_stride (surf_stride),
        .width       (width),
        .height      (height),
        .surfaces    (surfaces),
        .freed_valid (read_last_q${not_held}),
        .freed       (read_need_q),
        .outstanding (outstanding),
        .req_valid   (req_valid),
        .req_ready   (req_ready),
        .req_load    (req_load),
        .req_next    (req_next),
        .req_size    (req_size)
    );

    dla_cdma_tile_order u_order (
        .clk       (clk),
        .rst_n     (rst_n),
        .start     (start_q),
        .busy_q    (order_busy),
        .width     (width),
        .height    (height),
        .surfaces  (surfaces),
        .groups    (ext_width[12:2]),
        .units     (ext_height[12:2]),
        .stride_x  (stride_x),
        .stride_y  (stride_y),
        .pad_left  (pad_left),
        .pad_top   (pad_top),
        .surf_step (surf_step),
        .line_step (line_step_q),
        .arrived   (arrived_q),
        .room      (room),
        .take      (take),
        .ready_q   (ready),
        .next      (load),
        .lead_q    (lead),
        .need_q    (need),
        .offset    (offset),
        .row_q     (row),
        .last      (last)
    );

    // ------------------------------------------------------------------ rows of a group
    // For each plane the four quarters of its atoms, each of them a row of another entry.
    reg                run_q;
    reg  [1:0]         quarter_q;
    reg  [2:0]         plane_q;
    reg  [1:0]         row_q;
    reg                last_q;
    reg  [CBUF_W-1:0]  offset_q, first_q;        // entry of this quarter, of the first of the plane
    reg  [PTR_W-1:0]   begin_q, behind_q;        // atoms of the group in the ring
    reg  [27:0]        pixel_q;                  // of each column: atoms from begin_q, signed
    reg  [PTR_W-1:0]   wptr_q;

    wire               plane_end = &quarter_q;
    wire [CBUF_W-1:0]  next_first = first_q + plane_step_q;
    assign group_end = run_q && plane_end && (plane_q == stride_x)${not_held};
    assign load      = ready && (!run_q || group_end);
    assign pending   = run_q;

    wire [PTR_W:0] more = in_valid ? {{PTR_W{1'b0}}, 1'b1} : {(PTR_W+1){1'b0}};
    wire [PTR_W:0] less = load ? {{(PTR_W-5){1'b0}}, need} : {(PTR_W+1){1'b0}};

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            run_q     <= 1'b0;
            wptr_q    <= {PTR_W{1'b0}};
            behind_q  <= {PTR_W{1'b0}};
            arrived_q <= {(PTR_W+1){1'b0}};
        end else begin
            run_q     <= load || (run_q && !group_end);
            arrived_q <= arrived_q + more - less;
            if (in_valid) wptr_q   <= wptr_q + {{(PTR_W-1){1'b0}}, 1'b1};
            if (load)     behind_q <= behind_q + {{(PTR_W-6){1'b0}}, need};
        end
    end

    always @(posedge clk) begin
        if (load) begin
            quarter_q <= 2'd0;
            plane_q   <= 3'd0;
            row_q     <= row;
            last_q    <= last;
            need_q    <= need;
            begin_q   <= behind_q;
            offset_q  <= offset;
            first_q   <= offset;
        end else if (run_q${not_held}) begin
            quarter_q <= quarter_q + 2'd1;
            offset_q  <= plane_end ? next_first : offset_q + groups;
            if (plane_end) begin
                plane_q <= plane_q + 3'd1;
                first_q <= next_first;
            end
        end
    end

    // ------------------------------------------------------------------ where they are
    // Quarter n of the atom at `p` is in bank n + p / 2^shift, modulo 4.
    wire [4*PTR_W-1:0] places;
    wire [3:0]         in_cube;        // of each column: no padding
    wire [PTR_W-1:0]   first_turns = places[PTR_W-1:0] >> shift_q;
    wire [1:0]         turn = quarter_q + first_turns[1:0];
    wire [PTR_W-1:0]   in_turns = wptr_q >> shift_q;

    reg                read_q, read_end_q;
    reg  [1:0]         read_turn_q, read_row_q;
    reg  [3:0]         read_cube_q;
    reg  [CBUF_W-1:0]  read_offset_q;
    reg  [1:0]         got_row_q;
    reg  [3:0]         got_cube_q;
    reg  [CBUF_W-1:0]  got_offset_q;
    reg  [7:0]         got_bank_q;     // of each column
    wire [255:0]       got, rows;
    genvar             i;

    generate
        for (i = 0; i < 4; i = i + 1) begin : gen_column
            localparam [3:0] I = i;
            reg  [6:0] column_q;           // its first pixel in the group
            wire [6:0] pixel = pixel_q[7*i +: 7];

            assign places[PTR_W*i +: PTR_W] = begin_q + {{(PTR_W-7){pixel[6]}}, pixel};
            assign in_cube[i] = !pixel[6] && (pixel[5:0] < need_q);
            assign rows[64*i +: 64] = got_cube_q[i] ? got[{got_bank_q[2*i +: 2], 6'd0} +: 64]
                                                      : {4{pad_value}};

            always @(posedge clk) begin
                column_q <= {3'd0, planes} * {3'd0, I};
                if (load) begin
                    pixel_q[7*i +: 7] <= column_q - {1'b0, lead};
                end else if (run_q && plane_end${not_held}) begin
                    pixel_q[7*i +: 7] <= pixel + 7'd1;
                end
                if (read_q${not_held}) begin
                    got_bank_q[2*i +: 2] <= back_q ? read_turn_q - I[1:0] : read_turn_q + I[1:0];
                end
            end
        end

        for (i = 0; i < 4; i = i + 1) begin : gen_bank
            localparam [1:0] I = i;
            wire [1:0]       quarter = I - in_turns[1:0];
            wire [1:0]       column  = back_q ? turn - I : I - turn;
            reg  [PTR_W-1:0] read_place_q;

            always @(posedge clk) begin
                if (run_q${not_held}) read_place_q <= places[PTR_W*column +: PTR_W];
            end

            sram_1r1w #(.W(64), .DEPTH(DEPTH)) u_ram (
                .clk   (clk),
                .we    (in_valid),
                .waddr (wptr_q),
                .wdata (in_data[{quarter, 6'd0} +: 64]),
                .re    (read_q${not_held}),
                .raddr (read_place_q),
                .rdata (got[64*i +: 64])
            );
        end
    endgenerate

    // ------------------------------------------------------------------ on their way
    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            read_q      <= 1'b0;
            read_last_q <= 1'b0;
            got_q       <= 1'b0;
            wr_valid_q  <= 1'b0;
        end else begin
            wr_valid_q  <= place;
//% if secondary_memif_enable
            read_q      <= run_q;
            read_last_q <= group_end;
            got_q       <= read_q;
//% else
            if (!hold) begin
                read_q      <= run_q;
                read_last_q <= group_end;
                got_q       <= read_q;
            end
//% end
        end
    end

    always @(posedge clk) begin
        if (run_q${not_held}) begin
            read_turn_q   <= turn;
            read_row_q    <= row_q;
            read_need_q   <= need_q;
            read_cube_q <= in_cube;
            read_offset_q <= offset_q;
            read_end_q    <= last_q && group_end;
        end
        if (read_q${not_held}) begin
            got_row_q    <= read_row_q;
            got_cube_q <= read_cube_q;
            got_offset_q <= read_offset_q;
            got_end_q    <= read_end_q;
        end
        if (got_q) begin
            wr_row_q  <= got_row_q;
            wr_data_q <= rows;
        end
    end

    // Units follow each other in a ring of data_bank + 1 banks and may wrap anywhere.
    wire [CBUF_W:0]   sum  = {1'b0, slice} + {1'b0, got_offset_q};
    wire              over = sum[CBUF_W:ROW_W] > {1'b0, data_bank};
    wire [BANK_W-1:0] wrap = sum[CBUF_W-1:ROW_W] + ~data_bank;   // - (data_bank + 1)

    assign place       = got_q${not_held};
    assign place_end   = place && got_end_q;
    assign place_entry = {over ? wrap : sum[CBUF_W-1:ROW_W], sum[ROW_W-1:0]};

    // ------------------------------------------------------------------ lines for CSC
    reg                wr_end_q;
    reg  [2:0]         updt_left_q;

    assign updt   = |updt_left_q;
    assign ending = wr_end_q || updt;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            wr_end_q    <= 1'b0;
            updt_left_q <= 3'd0;
        end else begin
            wr_end_q <= place_end;
            if (wr_end_q)  updt_left_q <= 3'd4;
            else if (updt) updt_left_q <= updt_left_q - 3'd1;
        end
    end

    wire unused_bits = &{1'b0, ext_width[1:0], ext_height[1:0], first_turns, in_turns};

endmodule

`default_nettype wire
