// Packs the results of PDP into atoms and writes them to memory.
//
// Contract: one group of results per cycle, which cannot stall: whoever makes results reserves an
// atom first, and only if `room_q`. ${pdp_out_depth} atoms between there and the memory interface.
// Order of the atoms: strip -> surface -> row -> column. Reset: no atoms.
`default_nettype none

module dla_pdp_write (
    input  wire         clk,
    input  wire         rst_n,

    // layer
    input  wire         start,
    input  wire [${addr_w - atom_lsb - 1}:0]  dst,                           // atoms
    input  wire [${addr_w - atom_lsb - 1}:0]  line_step,
    input  wire [${addr_w - atom_lsb - 1}:0]  surf_step,
    input  wire         count_stalls,
    output reg  [31:0]  stall_q,
    output wire         sent,                          // the last atom is handed over

    output reg          room_q,
    input  wire         reserve,
    input  wire         in_valid,
    input  wire [${8 * pdp_throughput - 1:3}:0] in_data,
    input  wire         in_group_last,                 // of the atom
    input  wire [3:0]   in_last,                       // strip, surface, row, column

    output wire         wr_valid,
    input  wire         wr_ready,
    output wire [${addr_w - 1:2}:0]  wr_addr,
    output wire [${atom_bits - 1:3}:0] wr_data,
    output wire         wr_last                        // last atom of the layer
);

    localparam BITS   = ${atom_bits};
    localparam LSB    = ${atom_lsb};               // address bits inside an atom
    localparam ADDR_W = ${addr_w - atom_lsb};              // of atoms
    localparam DEPTH  = ${pdp_out_depth};
    localparam CNT_W  = ${clog2(pdp_out_depth + 1)};

    // ------------------------------------------------------------------ room
    reg  [CNT_W-1:0] used_q;
    wire             pop;
    wire [CNT_W-1:0] used = used_q + {{(CNT_W-1){1'b0}}, reserve} - {{(CNT_W-1){1'b0}}, pop};

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            used_q <= {CNT_W{1'b0}};
            room_q <= 1'b0;
        end else begin
            used_q <= used;
            room_q <= used != DEPTH[CNT_W-1:0];
        end
    end

    // ------------------------------------------------------------------ atoms
    wire            fifo_valid, unused_ready;
    wire [BITS-1:0] atom, fifo_data;
    wire            fifo_all, fifo_strip, fifo_surf, fifo_row;

//% if groups > 1
    localparam BEAT = ${8 * pdp_throughput};
    reg [BITS-BEAT-1:0] part_q;                        // the groups before

    assign atom = {in_data, part_q};

    always @(posedge clk) begin
        if (in_valid) part_q <= atom[BITS-1:BEAT];
    end
//% else
    assign atom = in_data;
//% end

    // Whose last atom it is: of the layer, of its strip, surface, row.
    fifo_sync #(.W(BITS + 4), .DEPTH(DEPTH)) u_atoms (
        .clk       (clk),
        .rst_n     (rst_n),
        .in_valid  (in_valid && in_group_last),
        .in_ready  (unused_ready),
        .in_data   ({&in_last, &in_last[2:0], &in_last[1:0], in_last[0], atom}),
        .out_valid (fifo_valid),
        .out_ready (pop),
        .out_data  ({fifo_all, fifo_strip, fifo_surf, fifo_row, fifo_data})
    );

    // ------------------------------------------------------------------ to memory
    reg              full_q;
    reg [BITS-1:0]   data_q;
    reg              all_q, strip_q, surf_q, row_q;    // the last atom
    reg              top_q;                            // first row of the strip
    reg [ADDR_W-1:0] addr_q;                           // this atom
    reg [ADDR_W-1:0] row_addr_q, surf_addr_q;          // first atom of row, surface
    reg [ADDR_W-1:0] strip_addr_q;                     // first atom of the next strip

    wire accept = full_q && wr_ready;

    assign pop      = fifo_valid && (!full_q || wr_ready);
    assign sent     = accept && all_q;
    assign wr_valid = full_q;
    assign wr_addr  = {addr_q, {LSB{1'b0}}};
    assign wr_data  = data_q;
    assign wr_last  = all_q;

    // ---- address of the next atom: one adder for all kinds of step. The strip after this one
    // begins behind the first row of this one, which may be the last, too.
    wire [ADDR_W-1:0] one  = {{(ADDR_W-1){1'b0}}, 1'b1};
    wire              back = strip_q && !top_q;        // to a strip's address that is known
    wire [ADDR_W-1:0] from = back             ? strip_addr_q
                           : surf_q && !strip_q ? surf_addr_q
                           : row_q && !strip_q  ? row_addr_q : addr_q;
    wire [ADDR_W-1:0] by   = back    ? {ADDR_W{1'b0}}
                           : strip_q ? one
                           : surf_q  ? surf_step
                           : row_q   ? line_step : one;
    wire [ADDR_W-1:0] next = start ? dst : from + by;

    always @(posedge clk) begin
        if (start || accept)             addr_q       <= next;
        if (start || (accept && row_q))  row_addr_q   <= next;
        if (start || (accept && surf_q)) surf_addr_q  <= next;
        if (accept && row_q && top_q)    strip_addr_q <= addr_q + one;
        if (start || (accept && strip_q)) top_q       <= 1'b1;
        else if (accept && row_q)        top_q        <= 1'b0;
        if (pop) {all_q, strip_q, surf_q, row_q, data_q}
                     <= {fifo_all, fifo_strip, fifo_surf, fifo_row, fifo_data};
        if (start) stall_q <= 32'd0;
        else if (count_stalls && full_q && !wr_ready) stall_q <= stall_q + 32'd1;
    end

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) full_q <= 1'b0;
        else        full_q <= fifo_valid || (full_q && !wr_ready);
    end

endmodule

`default_nettype wire
