// Collects the beats of an atom and writes atoms to memory: the write DMA of CDP.
//
// Contract: ${cdp_throughput} element(s) per cycle as long as the memory interface takes a finished atom in
// the cycle in which it is offered. `blocked`: no beat may come. Reset: no atom.
// Addresses count atoms. Order: line, column, surface.
`default_nettype none

module dla_cdp_pack (
    input  wire         clk,
    input  wire         rst_n,

    // layer
    input  wire         start,         // loads the address
    input  wire [${addr_w - atom_lsb - 1:2}:0]  base,
    input  wire [${addr_w - atom_lsb - 1:2}:0]  line_stride,
    input  wire [${addr_w - atom_lsb - 1:2}:0]  surf_stride,
    input  wire         last_blocked,  // the last atom of the layer has to wait

    // beats
    input  wire         in_valid,      // may only be high if not blocked
    input  wire [${8 * cdp_throughput - 1:3}:0] in_data,
    input  wire         in_pixel_last, // last beat of the pixel
    input  wire         in_line_last,  // the same, last pixel of the line
    input  wire         in_layer_last, // the same, last pixel of the layer
    output wire         blocked,
    output wire         done,          // last atom of the layer is handed over

    output wire         wr_valid,
    input  wire         wr_ready,
    output wire [${addr_w - 1:2}:0]  wr_addr,
    output wire [${atom_bits - 1:3}:0] wr_data,
    output wire         wr_last
);

    localparam BITS   = ${atom_bits};
    localparam ADDR_W = ${addr_w - atom_lsb};
    localparam LSB    = ${atom_lsb};

    reg              full_q;
    reg [BITS-1:0]   data_q;
    reg              pixel_last_q, line_last_q, layer_last_q;
    reg [ADDR_W-1:0] addr_q;                  // this atom
    reg [ADDR_W-1:0] pixel_q;                 // first atom of this pixel
    reg [ADDR_W-1:0] line_q;                  // first atom of this line
    wire             atom_last;               // the beat ends an atom

    wire wait_last = layer_last_q && last_blocked;
    wire accept    = wr_valid && wr_ready;

    assign wr_valid = full_q && !wait_last;
    assign wr_addr  = {addr_q, {LSB{1'b0}}};
    assign wr_data  = data_q;
    assign wr_last  = layer_last_q;
    assign blocked  = full_q && !accept;
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
        if (in_valid) begin
//% if cdp_beats > 1
            data_q       <= {in_data, data_q[BITS-1:${8 * cdp_throughput}]};
//% else
            data_q       <= in_data;
//% end
            pixel_last_q <= in_pixel_last;
            line_last_q  <= in_line_last;
            layer_last_q <= in_layer_last;
        end
    end

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) full_q <= 1'b0;
        else        full_q <= (in_valid && atom_last) || blocked;
    end
//% if cdp_beats > 1

    reg [${clog2(cdp_beats) - 1}:0] beat_q;

    assign atom_last = &beat_q;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n)        beat_q <= ${clog2(cdp_beats)}'d0;
        else if (in_valid) beat_q <= beat_q + 1'b1;
    end
//% else

    assign atom_last = 1'b1;
//% end

endmodule

`default_nettype wire
