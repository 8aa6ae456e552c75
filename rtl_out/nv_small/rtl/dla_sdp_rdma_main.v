// Made by macrame 0.1.0 from templates/dla/sdp_rdma/dla_sdp_rdma_main.v
// with addr_w=32 atom_bits=64 atom_lsb=3 beats=8 clock_gating=0 elem_lsb=3 fp16=0 lane_bits=8
// mixed=0 sdp_lanes=1 sdp_m_fifo_depth=16 winograd_enable=0

// Main channel of SDP_RDMA: reads the input cube and hands its elements over beat by beat.
//
// Contract: 1 element(s) per cycle; answer to first beat 2 cycles (deep FIFO: 4). The channel
// may run ahead of SDP as far as its FIFO has room, into the next layer too. Beats leave from
// registers.
`default_nettype none

module dla_sdp_rdma_main (
    input  wire         clk,
    input  wire         rst_n,

    // layer, see dla_sdp_rdma_req
    input  wire         start,
    input  wire [28:0]  base,
    input  wire [28:0]  line_stride,
    input  wire [28:0]  surf_stride,
    input  wire [12:0]  width,         // less 1
    input  wire [12:0]  height,        // less 1
    input  wire [ 9:0]  surfaces,      // less 1
    input  wire         packed_cube,   // width and height are 1
    input  wire         clear,         // the stall counter starts again
    input  wire         count_en,
    output wire [31:0]  stall_q,
    output wire         busy,          // not everything has come

    output wire         req_valid,
    input  wire         req_ready,
    output wire [31:0]  req_addr,
    output wire [14:0]  req_size,
    input  wire         rsp_valid,     // cannot stall
    input  wire [ 63:0] rsp_data,

    output reg          out_valid_q,
    input  wire         out_ready,
    output reg  [  7:0] out_data_q
);

    localparam BITS  = 64;
    localparam DEPTH = 16;

    wire            pop, atom_valid;
    wire [BITS-1:0] atom;

    dla_sdp_rdma_req #(.DEPTH(DEPTH)) u_req (
        .clk         (clk),
        .rst_n       (rst_n),
        .start       (start),
        .base        (base),
        .line_stride (line_stride),
        .surf_stride (surf_stride),
        .one_line    (packed_cube),
        .atoms       (packed_cube ? {5'd0, surfaces} : {2'd0, width}),
        .lines       (height),
        .surfaces    (surfaces),
        .clear       (clear),
        .count_en    (count_en),
        .stall_q     (stall_q),
        .busy        (busy),
        .req_valid_q (req_valid),
        .req_ready   (req_ready),
        .req_addr_q  (req_addr),
        .req_size_q  (req_size),
        .rsp_valid   (rsp_valid),
        .freed       (pop)
    );

    dla_sdp_rdma_fifo #(.W(BITS), .DEPTH(DEPTH)) u_fifo (
        .clk       (clk),
        .rst_n     (rst_n),
        .in_valid  (rsp_valid),
        .in_data   (rsp_data),
        .out_valid (atom_valid),
        .out_ready (pop),
        .out_data  (atom)
    );

    // ---- register
    wire free = !out_valid_q || out_ready;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) out_valid_q <= 1'b0;
        else        out_valid_q <= atom_valid || !free;
    end

    // Lowest elements first.
    localparam BEAT   = 8;
    localparam BEAT_W = 3;
    reg [BEAT_W-1:0] beat_q;

    assign pop = atom_valid && free && (&beat_q);

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n)                  beat_q <= {BEAT_W{1'b0}};
        else if (atom_valid && free) beat_q <= beat_q + {{(BEAT_W-1){1'b0}}, 1'b1};
    end

    always @(posedge clk) begin
        if (free) out_data_q <= atom[BEAT*beat_q +: BEAT];
    end

endmodule

`default_nettype wire
