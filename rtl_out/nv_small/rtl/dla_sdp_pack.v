// Made by macrame 0.1.0 from templates/dla/sdp/dla_sdp_pack.v
// with addr_w=32 atom_bits=64 atom_lsb=3 batch_enable=0 beats=8 lane_bits=8 mixed=0 sdp_lanes=1
// winograd_enable=0

// Collects the beats of an atom and writes atoms to memory: the write DMA of SDP.
//
// Contract: 1 element(s) per cycle as long as the memory interface takes a finished atom in
// the cycle in which it is offered. `blocked`: no beat may come. What is offered leaves from
// registers. Reset: no atom.
// Addresses count atoms. A 1x1 cube is packed: surface after surface.
`default_nettype none

module dla_sdp_pack (
    input  wire         clk,
    input  wire         rst_n,

    // layer
    input  wire         start,         // loads the address
    input  wire [28:0]  base,
    input  wire [28:0]  line_stride,
    input  wire [28:0]  surf_stride,
    input  wire         packed_cube,   // width and height 1
    input  wire         last_blocked,  // the last atom of the layer has to wait

    // beats; the flags are those of the pixel of the beat
    input  wire         in_valid,      // may only be high if not blocked
    input  wire [  7:0] in_data,
    input  wire         in_atom_last,  // last beat of the atom
    input  wire         in_line_last,  // last pixel of the line
    input  wire         in_surf_last,  // last pixel of the surface
    input  wire         in_layer_last, // last pixel of the layer
    output wire         blocked,

    output reg          wr_valid_q,
    input  wire         wr_ready,
    output wire [31:0]  wr_addr,
    output wire [ 63:0] wr_data,
    output wire         wr_last
);

    localparam BITS   = 64;
    localparam BEAT   = 8;
    localparam ADDR_W = 29;
    localparam LSB    = 3;

    reg              full_q;                  // an atom is complete
    reg [BITS-1:0]   data_q;
    reg              line_last_q, surf_last_q, layer_last_q;
    reg [ADDR_W-1:0] addr_q;                  // this atom
    reg [ADDR_W-1:0] line_q;                  // first atom of this line
    reg [ADDR_W-1:0] surf_q;                  // first atom of this surface

    wire accept = wr_valid_q && wr_ready;
    wire full   = (in_valid && in_atom_last) || blocked;
    wire last   = in_valid ? in_layer_last : layer_last_q;

    assign wr_addr = {addr_q, {LSB{1'b0}}};
    assign wr_data = data_q;
    assign wr_last = layer_last_q;
    assign blocked = full_q && !accept;

    // ---- address of the next atom: one adder for the three kinds of step
    wire [ADDR_W-1:0] one   = {{(ADDR_W-1){1'b0}}, 1'b1};
    wire [ADDR_W-1:0] from  = surf_last_q ? surf_q : line_last_q ? line_q : addr_q;
    wire [ADDR_W-1:0] step  = surf_last_q ? (packed_cube ? one : surf_stride)
                            : line_last_q ? line_stride : one;
    wire [ADDR_W-1:0] next  = start ? base : from + step;

    always @(posedge clk) begin
        if (start || accept) addr_q <= next;
        if (start || (accept && line_last_q)) line_q <= next;
        if (start || (accept && surf_last_q)) surf_q <= next;
        if (in_valid) begin
            data_q       <= {in_data, data_q[BITS-1:BEAT]};
            line_last_q  <= in_line_last;
            surf_last_q  <= in_surf_last;
            layer_last_q <= in_layer_last;
        end
    end

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            full_q     <= 1'b0;
            wr_valid_q <= 1'b0;
        end else begin
            full_q     <= full;
            wr_valid_q <= full && !(last && last_blocked);
        end
    end

endmodule

`default_nettype wire
