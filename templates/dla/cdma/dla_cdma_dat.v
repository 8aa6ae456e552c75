// Data side of CDMA: requests the input cube line by line and places the atoms that come back.
//
// Requests: for each line, for each surface one request of a whole line; one request per cycle.
// A line is begun only when all its CBUF entries are free (`room_next`), so responses never stall.
// (The fetch grain of the register file is not needed: it batches lines and changes no result.)
// Placement: entry address and atom select belong to the atom at `wr_valid`; `updt_q` follows the
// last atom of a line by one cycle, `busy_q` falls in that cycle after the last atom of the layer.
// First request one cycle after `start`. Reset: idle; the first bank change sets the pointers.
`default_nettype none

module dla_cdma_dat (
    input  wire                       clk,            // runs while there is a layer
    input  wire                       rst_n,

    input  wire                       start,          // fetch this layer
    input  wire                       pointer_clear,  // bank change: begin again at entry 0
    output reg                        busy_q,

    // layer, stable while busy; sizes minus 1; addresses and strides in atoms
    input  wire [${addr_w - atom_lsb - 1:2}:0]                base,
    input  wire [${addr_w - atom_lsb - 1:2}:0]                line_stride,
    input  wire [${addr_w - atom_lsb - 1:2}:0]                surf_stride,
    input  wire [12:0]                width,
    input  wire [12:0]                height,
    input  wire [4:0]                 batches,  //% if batch_enable
    input  wire [${addr_w - atom_lsb - 1:2}:0]                batch_stride,  //% if batch_enable
    input  wire [${12 - atom_lsb + types16:2}:0]                surfaces,
    input  wire [${cbuf_addr_w - 1:2}:0]                entries,        // per slice
    input  wire [${cbuf_bank_w - 1:2}:0]                data_bank,

    // space
    input  wire                       room_next,      // a whole slice is free in the next cycle
    output wire                       take,           // claims a slice

    // memory requests
    output reg                        req_valid_q,
    input  wire                       req_ready,
    output wire [${addr_w - 1:2}:0]                req_addr,
    output wire [14:0]                req_size,       // atoms - 1, 0 for images
    output wire                       outstanding,    // a requested atom is not yet in CBUF

//% if image_enable
    // image layers: requests and end of line come from outside, atoms follow each other
    input  wire                       image,
    input  wire                       img_req_load,   // the next request has this address
    input  wire [${addr_w - atom_lsb - 1:2}:0]                img_req_next,
    input  wire                       img_take,
    input  wire                       img_req_busy,
    input  wire                       img_line_end,   // with or without wr_valid

//% end
//% if types.winograd
    // layers of Winograd do the same with units of four lines and place each atom
    input  wire                       winograd,       // and image
    input  wire [4:0]                 tile_req_size,
    output wire [${cbuf_addr_w - 1:2}:0]                slice,          // first entry of the unit
    input  wire                       tile_place,     // in the cycle before the write
    input  wire [${cbuf_addr_w - 1:2}:0]                tile_entry,
    input  wire [1:0]                 tile_row,       // with the write

//% end
    // write into CBUF
    input  wire                       wr_valid,
    output wire [${cbuf_addr_w - 1:2}:0]                wr_addr,
//% if atoms_per_entry > 1
    output wire [${atoms_per_entry - 1:2}:0]                wr_sel,         // one-hot atom of the entry
//% end
    output reg                        updt_q          // a slice is complete
);

    localparam ADDR_W = ${addr_w - atom_lsb};    // atom addresses
    localparam SURF_W = ${13 - atom_lsb + types16};
    localparam ROW_W  = ${cbuf_row_w};
    localparam BANK_W = ${cbuf_bank_w};
    localparam CBUF_W = ${cbuf_addr_w};
    localparam OUT_W  = ${cbuf_addr_w + clog2(atoms_per_entry) + 1};    // a request has >= 1 atom

    // ------------------------------------------------------------------ requests
    reg                req_busy_q;     // requests are left
    reg                mid_line_q;     // the current line has its space already
    reg  [12:0]        line_left_q;    // lines after this one
    reg  [SURF_W-1:0]  surf_left_q;    // surfaces after this one
    reg  [ADDR_W-1:0]  line_addr_q;    // first surface of the line
    reg  [ADDR_W-1:0]  addr_q;
    reg  [12:0]        size_q;

    wire last_surf = surf_left_q == {SURF_W{1'b0}};
//% if batch_enable
    reg  [4:0]         batch_left_q;   // inputs after this one
    reg  [ADDR_W-1:0]  batch_addr_q;   // first surface of its line
    wire last_batch = batch_left_q == 5'd0;
    wire [ADDR_W-1:0] next_step = last_batch ? line_stride : batch_stride;
    wire [ADDR_W-1:0] next_base = last_batch ? line_addr_q : batch_addr_q;
//% end
    wire last_line = ${batch_enable ? "last_batch && " : ""}line_left_q == 13'd0;
    wire fire      = req_valid_q && req_ready;

    wire [ADDR_W-1:0] stride    = last_surf ? ${batch_enable ? "next_step" : "line_stride"} : surf_stride;
    wire [ADDR_W-1:0] addr_next = (last_surf ? ${batch_enable ? "next_base" : "line_addr_q"} : addr_q) + stride;

    wire busy_next = start ? !image : req_busy_q && !(fire && last_surf && last_line);  //% if image_enable
    wire busy_next = start || (req_busy_q && !(fire && last_surf && last_line));  //% if !image_enable
    wire mid_next  = fire ? !last_surf : mid_line_q;

    assign req_addr = {addr_q, {${atom_lsb}{1'b0}}};
    assign req_size = {2'd0, size_q};
    assign take     = fire && !mid_line_q;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            req_busy_q  <= 1'b0;
            mid_line_q  <= 1'b0;
            req_valid_q <= 1'b0;
        end else begin
            req_busy_q  <= busy_next;
            mid_line_q  <= mid_next;
            req_valid_q <= busy_next && (mid_next || room_next);
        end
    end

    always @(posedge clk) begin
        if (start) begin
            line_left_q <= height;
            surf_left_q <= surfaces;
            line_addr_q <= base;
            batch_addr_q <= base;  //% if batch_enable
            batch_left_q <= batches;  //% if batch_enable
        end else if (fire) begin
            surf_left_q <= last_surf ? surfaces : surf_left_q - {{(SURF_W-1){1'b0}}, 1'b1};
            if (last_surf${batch_enable ? " && last_batch" : ""}) begin
                line_addr_q <= addr_next;
                line_left_q <= line_left_q - 13'd1;
            end
//% if batch_enable
            if (last_surf) begin
                batch_addr_q <= addr_next;
                batch_left_q <= last_batch ? batches : batch_left_q - 5'd1;
            end
//% end
        end
    end

    // One register for the requests of both, as it is what the memory interface sees.
    always @(posedge clk) begin
//% if image_enable
        if (start)                     addr_q <= base;
        else if (fire || img_req_load) addr_q <= image ? img_req_next : addr_next;
        if (start) size_q <= image ? 13'd0 : width;
        else if (winograd && img_req_load) size_q <= {8'd0, tile_req_size};  //% if types.winograd
//% else
        if (start)     addr_q <= base;
        else if (fire) addr_q <= addr_next;
        if (start) size_q <= width;
//% end
    end

    // ------------------------------------------------------------------ placement
    // Slices follow each other in a ring of data_bank + 1 banks and may wrap anywhere.
    reg  [12:0]        x_left_q;       // pixels after this one
    reg  [SURF_W-1:0]  plane_left_q;   // surfaces after this one
    reg  [CBUF_W-1:0]  slice_q;        // first entry of the slice
    reg  [CBUF_W-1:0]  entry_q;

//% if image_enable
    wire surf_end = !image && (x_left_q == 13'd0);
    wire line_end = image ? img_line_end : surf_end && (plane_left_q == {SURF_W{1'b0}});
    wire place    = wr_valid || img_line_end;
//% else
    wire surf_end = x_left_q == 13'd0;
    wire line_end = surf_end && (plane_left_q == {SURF_W{1'b0}});
    wire place    = wr_valid;
//% end

    wire              ring_end   = entry_q == {data_bank, {ROW_W{1'b1}}};
    wire [CBUF_W-1:0] entry_next = ring_end ? {CBUF_W{1'b0}} : entry_q + {{(CBUF_W-1){1'b0}}, 1'b1};

    wire [CBUF_W:0]   slice_sum  = {1'b0, slice_q} + {1'b0, entries} + {{CBUF_W{1'b0}}, 1'b1};
    wire              slice_over = slice_sum[CBUF_W:ROW_W] > {1'b0, data_bank};
    wire [BANK_W-1:0] slice_wrap = slice_sum[CBUF_W-1:ROW_W] + ~data_bank;   // - (data_bank + 1)
    wire [CBUF_W-1:0] slice_next = {slice_over ? slice_wrap : slice_sum[CBUF_W-1:ROW_W],
                                    slice_sum[ROW_W-1:0]};

    assign wr_addr = entry_q;
    assign slice   = slice_q;  //% if types.winograd

    always @(posedge clk) begin
        if (start) begin
            x_left_q     <= width;
            plane_left_q <= surfaces;
        end else if (wr_valid) begin
            x_left_q <= surf_end ? width : x_left_q - 13'd1;
            if (surf_end) begin
                plane_left_q <= line_end ? surfaces
                                         : plane_left_q - {{(SURF_W-1){1'b0}}, 1'b1};
            end
        end
    end

    always @(posedge clk) begin
        if (pointer_clear) begin
            slice_q <= {CBUF_W{1'b0}};
        end else if (place && line_end) begin
            slice_q <= slice_next;
        end
    end

//% if atoms_per_entry == 1
    always @(posedge clk) begin
        if (pointer_clear) begin
            entry_q <= {CBUF_W{1'b0}};
        end else if (place) begin
            entry_q <= line_end ? slice_next : entry_next;
        end
    end
//% else
    // An entry holds Q atoms of one pixel. They arrive surface by surface, so a block of Q surfaces
    // goes over the same entries Q times. In the last block of a line 2 or 4 pixels share an entry
    // if their atoms fit:
    //
    //     Q = 4, one atom left:   | x0 | x1 | x2 | x3 |    two left:   | x0 a0 a1 | x1 a0 a1 |
    localparam Q     = ${atoms_per_entry};
    localparam SEL_W = ${clog2(atoms_per_entry)};

    reg  [CBUF_W-1:0] block_q;         // first entry of the block
    reg  [SEL_W-1:0]  atom_q;          // surface within the block
    reg  [SEL_W-1:0]  pixel_q;         // pixel modulo Q

    wire [SEL_W-1:0] tail     = surfaces[SEL_W-1:0] + {{(SEL_W-1){1'b0}}, 1'b1};   // 0: no tail
    wire             last_atom = atom_q == {SEL_W{1'b1}};
//% if image_enable
    wire             in_tail  = !image && (plane_left_q < {{(SURF_W-SEL_W){1'b0}}, tail});
    wire             full     = !image || last_atom;
    wire             next_atom = image || surf_end;
//% else
    wire             in_tail  = plane_left_q < {{(SURF_W-SEL_W){1'b0}}, tail};
    localparam       full     = 1'b1;
    wire             next_atom = surf_end;
//% end
//% if atoms_per_entry == 2
    wire             entry_full = in_tail ? pixel_q[0] : full;
    wire [SEL_W-1:0] index      = in_tail ? pixel_q : atom_q;
//% else
    wire             by_4       = in_tail && (tail == 2'd1);
    wire             by_2       = in_tail && (tail == 2'd2);
    wire             entry_full = full && (!by_2 || pixel_q[0]) && (!by_4 || (pixel_q == 2'd3));
    wire [SEL_W-1:0] index      = by_4 ? pixel_q : {by_2 ? pixel_q[0] : atom_q[1], atom_q[0]};
//% end

    assign wr_sel = {{(Q-1){1'b0}}, 1'b1} << ${types.winograd ? "(winograd ? tile_row : index)" : "index"};

    always @(posedge clk) begin
        if (pointer_clear) begin
            entry_q <= {CBUF_W{1'b0}};
            block_q <= {CBUF_W{1'b0}};
//% if types.winograd
        end else if (winograd) begin
            entry_q <= tile_place ? tile_entry : slice_q;
            block_q <= slice_q;
//% end
        end else if (place) begin
            if (line_end) begin
                entry_q <= slice_next;
                block_q <= slice_next;
            end else if (surf_end) begin
                entry_q <= last_atom ? entry_next : block_q;
                block_q <= last_atom ? entry_next : block_q;
            end else if (entry_full) begin
                entry_q <= entry_next;
            end
        end
    end

    always @(posedge clk) begin
        if (start) begin
            atom_q  <= {SEL_W{1'b0}};
            pixel_q <= {SEL_W{1'b0}};
        end else if (place) begin
            pixel_q <= surf_end ? {SEL_W{1'b0}} : pixel_q + {{(SEL_W-1){1'b0}}, 1'b1};
            if (next_atom) begin
                atom_q <= line_end ? {SEL_W{1'b0}} : atom_q + {{(SEL_W-1){1'b0}}, 1'b1};
            end
        end
    end
//% end

    // ------------------------------------------------------------------ end of slice and of layer
    reg  [OUT_W-1:0] out_q;            // requests accepted and not yet in CBUF

//% if image_enable
    wire begin_one = image ? img_take : fire;          // an image counts its lines
    wire done_one = image ? img_line_end : wr_valid && surf_end;
    wire last_one = done_one && !req_busy_q && !img_req_busy &&
                    (out_q == {{(OUT_W-1){1'b0}}, 1'b1});
//% else
    wire begin_one = fire;
    wire done_one = wr_valid && surf_end;
    wire last_one = done_one && !req_busy_q && (out_q == {{(OUT_W-1){1'b0}}, 1'b1});
//% end

    assign outstanding = |out_q;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            busy_q <= 1'b0;
            updt_q <= 1'b0;
            out_q  <= {OUT_W{1'b0}};
        end else begin
            updt_q <= place && line_end${types.winograd ? " && !winograd" : ""};
            if (start) begin
                busy_q <= 1'b1;
            end else if (last_one) begin
                busy_q <= 1'b0;
            end
            if (begin_one != done_one) begin
                out_q <= out_q + {{(OUT_W-1){done_one}}, 1'b1};   // + 1 or - 1
            end
        end
    end

endmodule

`default_nettype wire
