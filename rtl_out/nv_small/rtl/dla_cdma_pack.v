// Made by macrame 0.1.0 from templates/dla/cdma/dla_cdma_pack.v
// with atom_bits=64 atom_bytes=8 atom_lsb=3 secondary_memif_enable=0 types16=0

// Packs pixels of 1 to 4 bytes into atoms without gaps; padding becomes a value.
//
//     pixel --> turn by the bytes that wait --> | waiting bytes | turned bytes | --> atom
//                                                              '--> the rest waits
//
// Contract: one pixel per cycle, combinational to the atom. `in_flush` comes in place of a pixel
// and writes what waits. Reset: no byte waits.
`default_nettype none

module dla_cdma_pack (
    input  wire                       clk,            // runs while there is a layer
    input  wire                       rst_n,

    input  wire [7:0]                 pad_value,

    input  wire                       hold,           // nothing moves
    input  wire                       in_valid,
    input  wire                       in_pad,
    input  wire                       in_flush,
    input  wire [1:0]                 in_last,        // bytes of the pixel - 1
    input  wire [31:0]                in_data,

    output wire                       out_valid,      // an atom is complete or flushed
    output wire                       out_last,       // end of line, with or without an atom
    output wire [ 63:0]               out_data
);

    localparam BYTES = 8;
    localparam LSB   = 3;

    reg  [8*BYTES-1:0] wait_q;
    reg  [LSB-1:0]     fill_q;         // bytes that wait

    wire [31:0]        px     = in_pad ? {4{pad_value}} : in_data;
    wire [63:0]        double = {px, px} << {fill_q[1:0], 3'd0};
    wire [31:0]        turned = double[63:32];

    // Bytes of the pixel in this atom (low half) and in the next.
    wire [3:0]         ones   = {&in_last, in_last[1], |in_last, 1'b1};
    wire [2*BYTES-1:0] places = {{(2*BYTES-4){1'b0}}, ones} << fill_q;
    wire [BYTES-1:0]   load   = places[BYTES-1:0] | places[2*BYTES-1:BYTES];
    wire [LSB:0]       fill   = {1'b0, fill_q} + {{(LSB-1){1'b0}}, in_last}
                              + {{LSB{1'b0}}, 1'b1};

    assign out_valid = in_valid && (in_flush ? |fill_q : fill[LSB]);
    assign out_last  = in_valid && in_flush;

    genvar i;
    generate
        for (i = 0; i < BYTES; i = i + 1) begin : gen_byte
            assign out_data[8*i +: 8] = places[i] ? turned[8*(i%4) +: 8] : wait_q[8*i +: 8];

            always @(posedge clk) begin
                if (in_valid && !hold && load[i]) begin
                    wait_q[8*i +: 8] <= turned[8*(i%4) +: 8];
                end
            end
        end
    endgenerate

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            fill_q <= {LSB{1'b0}};
        end else if (in_valid && !hold) begin
            fill_q <= in_flush ? {LSB{1'b0}} : fill[LSB-1:0];
        end
    end

    wire unused_bits = &{1'b0, double[31:0]};

endmodule

`default_nettype wire
