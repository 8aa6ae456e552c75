// Packs pixels of 1 to 4 ${types16 ? "components" : "bytes"} into atoms without gaps; padding becomes a value.
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

    input  wire                       int8,           // components, else 16 bits  //% if types.mix
    input  wire ${types16 ? "[15:0]" : "[7:0] "}                pad_value,

    input  wire                       hold,           // nothing moves  //% if !secondary_memif_enable
    input  wire                       in_valid,
    input  wire                       in_pad,
    input  wire                       in_flush,
    input  wire [1:0]                 in_last,        // ${types16 ? "components" : "bytes"} of the pixel - 1
    input  wire [${8 * types.px_bytes - 1}:0]                in_data,${types16 ? "        // 16 bits each" : ""}

    output wire                       out_valid,      // an atom is complete or flushed
    output wire                       out_last,       // end of line, with or without an atom
    output wire [${atom_bits - 1:3}:0]               out_data
);

//% let not_held = secondary_memif_enable ? "" : " && !hold"
    localparam BYTES = ${atom_bytes};
    localparam LSB   = ${atom_lsb};

    reg  [8*BYTES-1:0] wait_q;
    reg  [LSB-1:0]     fill_q;         // bytes that wait

//% if types16
    wire [63:0]        words  = in_pad ? {4{pad_value}} : in_data;
//% if types.mix
    wire [63:0]        px     = int8 ? {2{words[55:48], words[39:32], words[23:16], words[7:0]}}
                                     : words;
    wire [2:0]         last   = int8 ? {1'b0, in_last} : {in_last, 1'b1};   // bytes - 1
//% else
    wire [63:0]        px     = words;
    wire [2:0]         last   = {in_last, 1'b1};                            // bytes - 1
//% end
    wire [127:0]       double = {px, px} << {fill_q[2:0], 3'd0};
    wire [63:0]        turned = double[127:64];

    // Bytes of the pixel in this atom (low half) and in the next.
    wire [7:0]         ones   = 8'hff >> ~last;
//% else
    wire [31:0]        px     = in_pad ? {4{pad_value}} : in_data;
    wire [63:0]        double = {px, px} << {fill_q[1:0], 3'd0};
    wire [31:0]        turned = double[63:32];

    // Bytes of the pixel in this atom (low half) and in the next.
    wire [3:0]         ones   = {&in_last, in_last[1], |in_last, 1'b1};
//% end
    wire [2*BYTES-1:0] places = {{(2*BYTES-${types.px_bytes}){1'b0}}, ones} << fill_q;
    wire [BYTES-1:0]   load   = places[BYTES-1:0] | places[2*BYTES-1:BYTES];
    wire [LSB:0]       fill   = {1'b0, fill_q} + {{(LSB-${types.px_last_w - 1}){1'b0}}, ${types16 ? "last" : "in_last"}}
                              + {{LSB{1'b0}}, 1'b1};

    assign out_valid = in_valid && (in_flush ? |fill_q : fill[LSB]);
    assign out_last  = in_valid && in_flush;

    genvar i;
    generate
        for (i = 0; i < BYTES; i = i + 1) begin : gen_byte
            assign out_data[8*i +: 8] = places[i] ? turned[8*(i%${types.px_bytes}) +: 8] : wait_q[8*i +: 8];

            always @(posedge clk) begin
                if (in_valid${not_held} && load[i]) begin
                    wait_q[8*i +: 8] <= turned[8*(i%${types.px_bytes}) +: 8];
                end
            end
        end
    endgenerate

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            fill_q <= {LSB{1'b0}};
        end else if (in_valid${not_held}) begin
            fill_q <= in_flush ? {LSB{1'b0}} : fill[LSB-1:0];
        end
    end

    wire unused_bits = &{1'b0, double[${8 * types.px_bytes - 1}:0]};

endmodule

`default_nettype wire
