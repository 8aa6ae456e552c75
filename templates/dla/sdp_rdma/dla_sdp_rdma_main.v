// Main channel of SDP_RDMA: reads the input cube and hands its elements over beat by beat.
//
// Contract: ${sdp_lanes} element(s) per cycle; answer to first beat 2 cycles (deep FIFO: 4). The channel
// may run ahead of SDP as far as its FIFO has room, into the next layer too. Beats leave from
// registers.
`default_nettype none

module dla_sdp_rdma_main (
    input  wire         clk,
    input  wire         rst_n,

    // layer, see dla_sdp_rdma_req
    input  wire         start,
    input  wire [${addr_w - atom_lsb - 1:2}:0]  base,
    input  wire [${addr_w - atom_lsb - 1:2}:0]  line_stride,
    input  wire [${addr_w - atom_lsb - 1:2}:0]  surf_stride,
    input  wire [12:0]  width,         // less 1
    input  wire [12:0]  height,        // less 1
    input  wire [${12 - elem_lsb:2}:0]  surfaces,      // less 1
    input  wire         packed_cube,   // width and height are 1
//% if mixed
    input  wire         wide,          // elements have 16 bits
    input  wire         pairs,         // a pixel has an atom in two surfaces
//% end
//% if fp16
    input  wire         nan_count_en,
    output reg  [31:0]  nans_q,        // of all that came
    output reg  [31:0]  infs_q,
//% end
    input  wire         clear,         // the stall counter starts again
    input  wire         count_en,
    output wire [31:0]  stall_q,
    output wire         busy,          // not everything has come
    output wire         active,        // something is stored  //% if clock_gating

    output wire         req_valid,
    input  wire         req_ready,
    output wire [${addr_w - 1:2}:0]  req_addr,
    output wire [14:0]  req_size,
    input  wire         rsp_valid,     // cannot stall
    input  wire [${atom_bits - 1:3}:0] rsp_data,

    output reg          out_valid_q,
    input  wire         out_ready,
    output reg  [${lane_bits * sdp_lanes - 1:3}:0] out_data_q
);

    localparam BITS  = ${atom_bits};
    localparam DEPTH = ${sdp_m_fifo_depth};

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
//% if mixed
        .pairs       (pairs && !packed_cube),
        .atoms       (!packed_cube ? {2'd0, width} :
                      pairs ? {${1 + elem_lsb}'d0, surfaces, 1'b1} : {${2 + elem_lsb}'d0, surfaces}),
//% else
        .atoms       (packed_cube ? {${2 + elem_lsb}'d0, surfaces} : {2'd0, width}),
//% end
//% if winograd_enable
        .tiles       (1'b0),
        .tile_atoms  (3'd0),
        .tile_count  (12'd0),
//% end
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

//% if clock_gating
    wire stored;

//% end
//% if mixed
    // Each atom carries how to read it: the next layer may differ.
    wire            atom_wide;

    dla_sdp_rdma_fifo #(.W(BITS + 1), .DEPTH(DEPTH)) u_fifo (
//% else
    dla_sdp_rdma_fifo #(.W(BITS), .DEPTH(DEPTH)) u_fifo (
//% end
        .clk       (clk),
        .rst_n     (rst_n),
        .in_valid  (rsp_valid),
        .in_data   (${mixed ? "{wide, rsp_data}" : "rsp_data"}),
        .out_valid (atom_valid),
        .out_ready (pop),
        .stored    (stored),  //% if clock_gating
        .out_data  (${mixed ? "{atom_wide, atom}" : "atom"})
    );

//% if clock_gating
    assign active = stored || out_valid_q;

//% end
    // ---- register
    wire free = !out_valid_q || out_ready;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) out_valid_q <= 1'b0;
        else        out_valid_q <= atom_valid || !free;
    end

//% if mixed
    // Lowest elements first; those of 8 bits are sign extended.
    localparam LANES  = ${sdp_lanes};
    localparam BEAT_W = ${clog2(beats)};
    reg  [BEAT_W-1:0]   beat_q;
    wire [8*LANES-1:0]  bytes = atom[8*LANES*beat_q +: 8*LANES];
//%   if beats > 2
    wire [16*LANES-1:0] halves = atom[16*LANES*beat_q[BEAT_W-2:0] +: 16*LANES];
    wire                last = (&beat_q[BEAT_W-2:0]) && (beat_q[BEAT_W-1] || atom_wide);
//%   else
    wire [16*LANES-1:0] halves = atom;
    wire                last = beat_q || atom_wide;
//%   end
    reg  [16*LANES-1:0] extended;
    integer             i;

    assign pop = atom_valid && free && last;

    always @* begin
        for (i = 0; i < LANES; i = i + 1) begin
            extended[16*i +: 16] = {{8{bytes[8*i + 7]}}, bytes[8*i +: 8]};
        end
    end

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n)   beat_q <= {BEAT_W{1'b0}};
        else if (pop) beat_q <= {BEAT_W{1'b0}};
        else if (atom_valid && free) beat_q <= beat_q + {{(BEAT_W-1){1'b0}}, 1'b1};
    end

    always @(posedge clk) begin
        if (free) out_data_q <= atom_wide ? halves : extended;
    end
//% elif beats > 1
    // Lowest elements first.
    localparam BEAT   = ${lane_bits * sdp_lanes};
    localparam BEAT_W = ${clog2(beats)};
    reg [BEAT_W-1:0] beat_q;

    assign pop = atom_valid && free && (&beat_q);

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n)                  beat_q <= {BEAT_W{1'b0}};
        else if (atom_valid && free) beat_q <= beat_q + {{(BEAT_W-1){1'b0}}, 1'b1};
    end

    always @(posedge clk) begin
        if (free) out_data_q <= atom[BEAT*beat_q +: BEAT];
    end
//% else
    assign pop = atom_valid && free;

    always @(posedge clk) begin
        if (free) out_data_q <= atom;
    end
//% end

//% if fp16
    // ---- NaN and infinite elements: in each atom, then of the layer
    localparam HALVES = ${atom_bytes / 2};
    reg              counted_q;
    reg  [HALVES-1:0] nan_bits_q, inf_bits_q;
    wire [32:0]      nan_sum = {1'b0, nans_q} + {27'd0, ones(nan_bits_q)};
    wire [32:0]      inf_sum = {1'b0, infs_q} + {27'd0, ones(inf_bits_q)};
    integer          e;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) counted_q <= 1'b0;
        else        counted_q <= rsp_valid && nan_count_en;
    end

    always @(posedge clk) begin
        if (rsp_valid) begin
            for (e = 0; e < HALVES; e = e + 1) begin
                nan_bits_q[e] <= (&rsp_data[16*e + 10 +: 5]) && (|rsp_data[16*e +: 10]);
                inf_bits_q[e] <= (&rsp_data[16*e + 10 +: 5]) && !(|rsp_data[16*e +: 10]);
            end
        end
        if (clear) begin
            nans_q <= 32'd0;
            infs_q <= 32'd0;
        end else if (counted_q) begin
            nans_q <= nan_sum[32] ? 32'hffffffff : nan_sum[31:0];
            infs_q <= inf_sum[32] ? 32'hffffffff : inf_sum[31:0];
        end
    end

    function [5:0] ones;
        input [HALVES-1:0] bits;
        integer            b;
        begin
            ones = 6'd0;
            for (b = 0; b < HALVES; b = b + 1) ones = ones + {5'd0, bits[b]};
        end
    endfunction

//% end
endmodule

`default_nettype wire
