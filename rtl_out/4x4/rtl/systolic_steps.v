// Made by macrame 0.1.0 from templates/systolic/load/systolic_steps.v
// with axi_bytes=4

// Steps of a transfer, in the order of memory: up to a beat of bytes of one vector, wherever it
// begins. A vector of more bytes has several.
//
// Latency: 1 cycle. One step per cycle. The inputs hold from start to the last step, the joins from
// the cycle after start. Reset: no transfer.
`default_nettype none

module systolic_steps #(
    parameter ADDR_W = 2              // bits of addresses
) (
    input  wire        clk,
    input  wire        rst_n,
    input  wire        start,
    input  wire [ADDR_W-1:0] address, // bytes
    input  wire [1:0]  size,          // an element has 2^size bytes
    input  wire [7:0]  bank,          // of the first element of each vector
    input  wire [7:0]  x,             // slices
    input  wire [7:0]  y,             // vectors of a slice
    input  wire [7:0]  z,             // elements of a vector
    input  wire [ADDR_W-1:0] z_stride, // elements from vector to vector of a slice
    input  wire [ADDR_W-1:0] y_stride, // from the last one of a slice to the next slice
    input  wire        join_vectors,  // vectors of a slice follow each other in memory
    input  wire        join_slices,   // all vectors do

    output wire        out_valid,
    input  wire        out_ready,
    output wire        out_first,     // of its run
    output wire        out_ends,      // its vector
    output wire        out_closes,    // its run
    output wire        out_last,      // of the transfer
    output wire [ADDR_W-1:0] out_addr, // of the first byte
    output wire [1:0]  out_final,     // lane of the last byte
    output wire        out_crosses,   // into the next beat
    output wire [7:0]  out_bank       // of the first element
);

    localparam BEAT_W = 2;           // a beat has 2^BEAT_W bytes
    localparam [15:0] BEAT = 16'd4;

    reg               valid_q;
    reg               first_q;
    reg  [7:0]        vectors_q;      // of the slice, behind this one
    reg  [7:0]        slices_q;
    reg  [9:0]        bytes_q;        // of a vector - 1
    reg  [9:0]        left_q;         // of this one - 1
    reg  [ADDR_W-1:0] vector_q;       // address of its first byte
    reg  [ADDR_W-1:0] addr_q;
    reg  [7:0]        bank_q;

    wire              ends       = left_q[9:BEAT_W] == {(10-BEAT_W){1'b0}};
    wire [BEAT_W-1:0] more       = ends ? left_q[BEAT_W-1:0] : {BEAT_W{1'b1}};  // bytes - 1
    wire              slice_ends = vectors_q == 8'd0;
    wire              joined     = slice_ends ? join_slices : join_vectors;
    wire              move       = valid_q && out_ready;
    wire [ADDR_W-1:0] next       = vector_q + ((slice_ends ? y_stride : z_stride) << size);

    assign out_valid  = valid_q;
    assign out_first  = first_q;
    assign out_ends   = ends;
    assign out_last   = ends && slice_ends && slices_q == 8'd0;
    assign out_closes = out_last || (ends && !joined);
    assign out_addr   = addr_q;
    assign out_bank   = bank_q;
    assign {out_crosses, out_final} = {1'b0, addr_q[BEAT_W-1:0]} + {1'b0, more};

    always @(posedge clk) begin
        bytes_q <= ({2'd0, z} << size) - 10'd1;
        if (start) begin
            vectors_q <= y - 8'd1;
            slices_q  <= x - 8'd1;
        end else if (move && ends) begin
            vectors_q <= slice_ends ? y - 8'd1 : vectors_q - 8'd1;
            slices_q  <= slice_ends ? slices_q - 8'd1 : slices_q;
        end
        if (start || (move && ends)) begin
            first_q  <= start || !joined;
            left_q   <= bytes_q;
            vector_q <= start ? address : next;
            addr_q   <= start ? address : next;
            bank_q   <= bank;
        end else if (move) begin
            first_q  <= 1'b0;
            left_q[9:BEAT_W] <= left_q[9:BEAT_W] - 1'b1;
            addr_q   <= addr_q + BEAT[ADDR_W-1:0];
            bank_q   <= bank_q + (BEAT[7:0] >> size);
        end
    end

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) valid_q <= 1'b0;
        else        valid_q <= start || (valid_q && !(out_ready && out_last));
    end

endmodule

`default_nettype wire
