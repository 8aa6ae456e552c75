// Made by macrame 0.1.0 from templates/dla/cdma/dla_cdma_cvt_px.v
// with atom_bytes=8 secondary_memif_enable=0

// What pixels have beside the input convertor: an offset for each component, and flags.
//
// Contract: flags leave with the register behind the convertor, 1 cycle after they came if it is
// bypassed, 4 cycles if not. They stand still in layers without pixels. Offsets change only
// between layers. No reset: the convertor's valid bit guards the flags.
`default_nettype none

module dla_cdma_cvt_px (
    input  wire                       clk,            // runs while there is a layer

    // layer
    input  wire                       image,          // pixels
    input  wire                       enable,         // of the convertor
    input  wire [15:0]                offset,         // signed
    input  wire                       mean_en,        // an offset for each component
    input  wire [63:0]                mean,           // signed 16 bit each
    input  wire                       one_component,  // pixels of one byte: its mean for all
    output wire [135:0]               minus_offset,   // signed 17 bit for each lane, registers

    // pixels
    input  wire                       hold,           // nothing moves
    input  wire [3:0]                 in_flags,
    output reg  [3:0]                 out_flags_q
);

    localparam LANES = 8;

    // ---- offsets: a pixel has the four low lanes
    reg  [16:0] minus_common_q;

    always @(posedge clk) minus_common_q <= 17'd0 - {offset[15], offset};

    assign minus_offset[17*LANES-1:17*4] = {(LANES-4){minus_common_q}};

    genvar i;
    generate
        for (i = 0; i < 4; i = i + 1) begin : gen_component
            wire [15:0] own = one_component ? mean[15:0] : mean[16*i +: 16];
            wire [15:0] of  = image && mean_en ? own : offset;

            reg  [16:0] minus_q;

            always @(posedge clk) minus_q <= 17'd0 - {of[15], of};

            assign minus_offset[17*i +: 17] = minus_q;
        end
    endgenerate

    // ---- flags, as long on their way as the bytes: difference, product, shifted
    reg [11:0] flags_q;

    always @(posedge clk) begin
        if (image && !hold) begin
            flags_q     <= {flags_q[7:0], in_flags};
            out_flags_q <= enable ? flags_q[11:8] : in_flags;
        end
    end

endmodule

`default_nettype wire
