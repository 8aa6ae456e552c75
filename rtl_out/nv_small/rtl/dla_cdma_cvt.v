// Made by macrame 0.1.0 from templates/dla/cdma/dla_cdma_cvt.v
// with atom_bits=64 atom_bytes=8 image_enable=1 secondary_memif_enable=0

`default_nettype none

// Input convertor: out = sat8(R((in - offset) * scale, truncate)) in every byte lane, R rounding
// half away from zero; with `enable` low the atom passes unchanged.
//
// Contract: one atom per cycle, never stalls. Latency 1 cycle bypassed, 4 cycles converting.
// `enable` and the coefficients may change only while no atom is on its way.
// Nothing but the output register moves while `enable` is low.
// Pixels use the four low lanes; their flags pass along, `hold` stops everything.
// Reset: no atom on its way.
module dla_cdma_cvt (
    input  wire                       clk,
    input  wire                       rst_n,

    input  wire                       enable,
    input  wire [15:0]                offset,       // signed
    input  wire [15:0]                scale,        // signed
    input  wire [5:0]                 truncate,     // right shift

    input  wire                       image,        // pixels
    input  wire                       is_unsigned,
    input  wire                       mean_en,      // an offset for each component
    input  wire [63:0]                mean,         // signed 16 bit each
    input  wire                       hold,
    input  wire                       one_component, // pixels of one byte: its mean for all
    input  wire [3:0]                 in_flags,
    output reg  [3:0]                 out_flags_q,
    input  wire                       in_valid,
    input  wire [ 63:0]               in_data,
    output reg                        out_valid_q,
    output wire [ 63:0]               out_data
);

    localparam LANES = 8;

    // ---- valid bits of the pipeline: difference, product, shifted
    reg diff_valid_q, prod_valid_q, shift_valid_q;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            diff_valid_q  <= 1'b0;
            prod_valid_q  <= 1'b0;
            shift_valid_q <= 1'b0;
            out_valid_q   <= 1'b0;
        end else if (!hold) begin
            diff_valid_q  <= in_valid & enable;
            prod_valid_q  <= diff_valid_q;
            shift_valid_q <= prod_valid_q;
            out_valid_q   <= enable ? shift_valid_q : in_valid;
        end
    end

    // ---- flags of the pixels
    reg [11:0] flags_q;

    always @(posedge clk) begin
        if (image & ~hold) begin
            flags_q     <= {flags_q[7:0], in_flags};
            out_flags_q <= enable ? flags_q[11:8] : in_flags;
        end
    end

    // |product| < 2^31, so a shift by 32 or more gives 0.
    wire        to_zero      = truncate[5];
    wire        move         = ~hold;
    wire [16:0] minus_offset = 17'd0 - {offset[15], offset};
    wire [17*LANES-1:0] minus_offsets;

    assign minus_offsets[17*LANES-1:17*4] = {(LANES-4){minus_offset}};

    genvar i;
    generate
        for (i = 0; i < 4; i = i + 1) begin : gen_component
            wire [15:0] own = one_component ? mean[15:0] : mean[16*i +: 16];
            wire [15:0] of  = image & mean_en ? own : offset;

            assign minus_offsets[17*i +: 17] = 17'd0 - {of[15], of};
        end
        for (i = 0; i < LANES; i = i + 1) begin : gen_lane
            dla_cdma_cvt_lane u_lane (
                .clk          (clk),
                .enable       (enable),
                .minus_offset (minus_offsets[17*i +: 17]),
                .is_unsigned  (image & is_unsigned & (i < 4)),
                .scale        (scale),
                .shift        (truncate[4:0]),
                .to_zero      (to_zero),
                .diff_load    (in_valid & enable & move),
                .prod_load    (diff_valid_q & move),
                .shift_load   (prod_valid_q & move),
                .out_load     ((enable ? shift_valid_q : in_valid) & move),
                .in_byte      (in_data[8*i +: 8]),
                .out_byte_q   (out_data[8*i +: 8])
            );
        end
    endgenerate

endmodule

`default_nettype wire
