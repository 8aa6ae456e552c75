// Made by macrame 0.1.0 from templates/dla/cdp/dla_cdp_pack.v
// with addr_w=32 atom_bits=64 atom_lsb=3 cdp_beats=8 cdp_out_depth=7 cdp_throughput=1

// Collects the beats of an atom and writes atoms to memory: the write DMA of CDP.
//
// Contract: 1 element(s) per cycle, which cannot stall: whoever lets elements in reserves an
// atom first, and only if `room_q`. 7 atoms between there and the memory interface.
// Addresses count atoms. Order: line, column, surface. Reset: no atoms.
`default_nettype none

module dla_cdp_pack (
    input  wire         clk,
    input  wire         rst_n,

    // layer
    input  wire         start,         // loads the address
    input  wire [28:0]  base,
    input  wire [28:0]  line_stride,
    input  wire [28:0]  surf_stride,

    // beats
    output reg          room_q,
    input  wire         reserve,
    input  wire         in_valid,
    input  wire [  7:0] in_data,
    input  wire         in_pixel_last, // last beat of the pixel
    input  wire         in_line_last,  // the same, last pixel of the line
    input  wire         in_layer_last, // the same, last pixel of the layer
    output wire         done,          // last atom of the layer is handed over

    output wire         wr_valid,
    input  wire         wr_ready,
    output wire [31:0]  wr_addr,
    output wire [ 63:0] wr_data,
    output wire         wr_last
);

    localparam BITS   = 64;
    localparam ADDR_W = 29;
    localparam LSB    = 3;
    localparam DEPTH  = 7;
    localparam CNT_W  = 3;

    // ------------------------------------------------------------------ room
    // An atom that has left is known a cycle later.
    reg  [CNT_W-1:0] used_q;
    reg              popped_q;
    wire             pop;
    wire [CNT_W-1:0] used = used_q + {{(CNT_W-1){1'b0}}, reserve}
                          - {{(CNT_W-1){1'b0}}, popped_q};

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            used_q   <= {CNT_W{1'b0}};
            popped_q <= 1'b0;
            room_q   <= 1'b0;
        end else begin
            used_q   <= used;
            popped_q <= pop;
            room_q   <= used != DEPTH[CNT_W-1:0];
        end
    end

    // ------------------------------------------------------------------ atoms
    wire            atom_last;                // the beat ends an atom
    wire [BITS-1:0] atom, fifo_data;
    wire            fifo_valid, unused_ready;
    wire            fifo_layer, fifo_line, fifo_pixel;

    localparam BEAT = 8;
    reg [2:0] beat_q;
    reg [BITS-BEAT-1:0] part_q;               // the beats before

    assign atom      = {in_data, part_q};
    assign atom_last = &beat_q;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n)        beat_q <= 3'd0;
        else if (in_valid) beat_q <= beat_q + 1'b1;
    end

    always @(posedge clk) begin
        if (in_valid) part_q <= atom[BITS-1:BEAT];
    end

    fifo_sync #(.W(BITS + 3), .DEPTH(DEPTH)) u_atoms (
        .clk       (clk),
        .rst_n     (rst_n),
        .in_valid  (in_valid && atom_last),
        .in_ready  (unused_ready),
        .in_data   ({in_layer_last, in_line_last, in_pixel_last, atom}),
        .out_valid (fifo_valid),
        .out_ready (pop),
        .out_data  ({fifo_layer, fifo_line, fifo_pixel, fifo_data})
    );

    // ------------------------------------------------------------------ to memory
    reg              full_q;
    reg [BITS-1:0]   data_q;
    reg              pixel_last_q, line_last_q, layer_last_q;
    reg [ADDR_W-1:0] addr_q;                  // this atom
    reg [ADDR_W-1:0] pixel_q;                 // first atom of this pixel
    reg [ADDR_W-1:0] line_q;                  // first atom of this line

    wire accept = full_q && wr_ready;

    assign pop      = fifo_valid && (!full_q || wr_ready);
    assign wr_valid = full_q;
    assign wr_addr  = {addr_q, {LSB{1'b0}}};
    assign wr_data  = data_q;
    assign wr_last  = layer_last_q;
    assign done     = accept && layer_last_q;

    // ---- address of the next atom: one adder for the three kinds of step
    wire [ADDR_W-1:0] from  = line_last_q ? line_q : pixel_last_q ? pixel_q : addr_q;
    wire [ADDR_W-1:0] step  = line_last_q  ? line_stride
                            : pixel_last_q ? {{(ADDR_W-1){1'b0}}, 1'b1} : surf_stride;
    wire [ADDR_W-1:0] next  = start ? base : from + step;

    always @(posedge clk) begin
        if (start || accept) addr_q <= next;
        if (start || (accept && pixel_last_q)) pixel_q <= next;
        if (start || (accept && line_last_q))  line_q  <= next;
        if (pop) {layer_last_q, line_last_q, pixel_last_q, data_q}
                     <= {fifo_layer, fifo_line, fifo_pixel, fifo_data};
    end

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) full_q <= 1'b0;
        else        full_q <= fifo_valid || (full_q && !wr_ready);
    end

endmodule

`default_nettype wire
