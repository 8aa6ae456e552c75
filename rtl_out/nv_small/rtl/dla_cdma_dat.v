// Made by macrame 0.1.0 from templates/dla/cdma/dla_cdma_dat.v
// with addr_w=32 atom_lsb=3 atoms_per_entry=1 batch_enable=0 cbuf_addr_w=14 cbuf_bank_w=5
// cbuf_row_w=9 image_enable=1 types16=0

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
    input  wire [28:0]                base,
    input  wire [28:0]                line_stride,
    input  wire [28:0]                surf_stride,
    input  wire [12:0]                width,
    input  wire [12:0]                height,
    input  wire [ 9:0]                surfaces,
    input  wire [13:0]                entries,        // per slice
    input  wire [ 4:0]                data_bank,

    // space
    input  wire                       room_next,      // a whole slice is free in the next cycle
    output wire                       take,           // claims a slice

    // memory requests
    output reg                        req_valid_q,
    input  wire                       req_ready,
    output wire [31:0]                req_addr,
    output wire [14:0]                req_size,       // atoms - 1, 0 for images
    output wire                       outstanding,    // a requested atom is not yet in CBUF

    // image layers: requests and end of line come from outside, atoms follow each other
    input  wire                       image,
    input  wire                       img_req_load,   // the next request has this address
    input  wire [28:0]                img_req_next,
    input  wire                       img_take,
    input  wire                       img_req_busy,
    input  wire                       img_line_end,   // with or without wr_valid

    // write into CBUF
    input  wire                       wr_valid,
    output wire [13:0]                wr_addr,
    output reg                        updt_q          // a slice is complete
);

    localparam ADDR_W = 29;    // atom addresses
    localparam SURF_W = 10;
    localparam ROW_W  = 9;
    localparam BANK_W = 5;
    localparam CBUF_W = 14;
    localparam OUT_W  = 15;    // a request has >= 1 atom

    // ------------------------------------------------------------------ requests
    reg                req_busy_q;     // requests are left
    reg                mid_line_q;     // the current line has its space already
    reg  [12:0]        line_left_q;    // lines after this one
    reg  [SURF_W-1:0]  surf_left_q;    // surfaces after this one
    reg  [ADDR_W-1:0]  line_addr_q;    // first surface of the line
    reg  [ADDR_W-1:0]  addr_q;
    reg  [12:0]        size_q;

    wire last_surf = surf_left_q == {SURF_W{1'b0}};
    wire last_line = line_left_q == 13'd0;
    wire fire      = req_valid_q && req_ready;

    wire [ADDR_W-1:0] stride    = last_surf ? line_stride : surf_stride;
    wire [ADDR_W-1:0] addr_next = (last_surf ? line_addr_q : addr_q) + stride;

    wire busy_next = start ? !image : req_busy_q && !(fire && last_surf && last_line);
    wire mid_next  = fire ? !last_surf : mid_line_q;

    assign req_addr = {addr_q, {3{1'b0}}};
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
        end else if (fire) begin
            surf_left_q <= last_surf ? surfaces : surf_left_q - {{(SURF_W-1){1'b0}}, 1'b1};
            if (last_surf) begin
                line_addr_q <= addr_next;
                line_left_q <= line_left_q - 13'd1;
            end
        end
    end

    // One register for the requests of both, as it is what the memory interface sees.
    always @(posedge clk) begin
        if (start)                     addr_q <= base;
        else if (fire || img_req_load) addr_q <= image ? img_req_next : addr_next;
        if (start) size_q <= image ? 13'd0 : width;
    end

    // ------------------------------------------------------------------ placement
    // Slices follow each other in a ring of data_bank + 1 banks and may wrap anywhere.
    reg  [12:0]        x_left_q;       // pixels after this one
    reg  [SURF_W-1:0]  plane_left_q;   // surfaces after this one
    reg  [CBUF_W-1:0]  slice_q;        // first entry of the slice
    reg  [CBUF_W-1:0]  entry_q;

    wire surf_end = !image && (x_left_q == 13'd0);
    wire line_end = image ? img_line_end : surf_end && (plane_left_q == {SURF_W{1'b0}});
    wire place    = wr_valid || img_line_end;

    wire              ring_end   = entry_q == {data_bank, {ROW_W{1'b1}}};
    wire [CBUF_W-1:0] entry_next = ring_end ? {CBUF_W{1'b0}} : entry_q + {{(CBUF_W-1){1'b0}}, 1'b1};

    wire [CBUF_W:0]   slice_sum  = {1'b0, slice_q} + {1'b0, entries} + {{CBUF_W{1'b0}}, 1'b1};
    wire              slice_over = slice_sum[CBUF_W:ROW_W] > {1'b0, data_bank};
    wire [BANK_W-1:0] slice_wrap = slice_sum[CBUF_W-1:ROW_W] + ~data_bank;   // - (data_bank + 1)
    wire [CBUF_W-1:0] slice_next = {slice_over ? slice_wrap : slice_sum[CBUF_W-1:ROW_W],
                                    slice_sum[ROW_W-1:0]};

    assign wr_addr = entry_q;

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

    always @(posedge clk) begin
        if (pointer_clear) begin
            entry_q <= {CBUF_W{1'b0}};
        end else if (place) begin
            entry_q <= line_end ? slice_next : entry_next;
        end
    end

    // ------------------------------------------------------------------ end of slice and of layer
    reg  [OUT_W-1:0] out_q;            // requests accepted and not yet in CBUF

    wire begin_one = image ? img_take : fire;          // an image counts its lines
    wire done_one = image ? img_line_end : wr_valid && surf_end;
    wire last_one = done_one && !req_busy_q && !img_req_busy &&
                    (out_q == {{(OUT_W-1){1'b0}}, 1'b1});

    assign outstanding = |out_q;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            busy_q <= 1'b0;
            updt_q <= 1'b0;
            out_q  <= {OUT_W{1'b0}};
        end else begin
            updt_q <= place && line_end;
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
