`default_nettype none

// Input convertor: out = sat8(R((in - offset) * scale, truncate)) in every byte lane, R rounding
// half away from zero; with `enable` low the atom passes unchanged.
//
// Contract: one atom per cycle, never stalls. Latency 1 cycle bypassed, 4 cycles converting.
// `enable` and the coefficients may change only while no atom is on its way.
// Nothing but the output register moves while `enable` is low.
//% if image_enable
//%   if secondary_memif_enable
// Pixels use the four low lanes; their flags pass along.
//%   else
// Pixels use the four low lanes; their flags pass along, `hold` stops everything.
//%   end
//% end
// Reset: no atom on its way.
module dla_cdma_cvt (
    input  wire                       clk,
    input  wire                       rst_n,

    input  wire                       enable,
    input  wire [15:0]                offset,       // signed
    input  wire [15:0]                scale,        // signed
    input  wire [5:0]                 truncate,     // right shift

//% if image_enable
    input  wire                       image,        // pixels
    input  wire                       is_unsigned,
    input  wire                       mean_en,      // an offset for each component
    input  wire [63:0]                mean,         // signed 16 bit each
//%   if !secondary_memif_enable
    input  wire                       hold,
//%   end
    input  wire                       one_component, // pixels of one byte: its mean for all
    input  wire [3:0]                 in_flags,
    output reg  [3:0]                 out_flags_q,
//% end
    input  wire                       in_valid,
    input  wire [${atom_bits - 1:3}:0]               in_data,
    output reg                        out_valid_q,
    output wire [${atom_bits - 1:3}:0]               out_data
);

    localparam LANES = ${atom_bytes};

    // ---- valid bits of the pipeline: difference, product, shifted
    reg diff_valid_q, prod_valid_q, shift_valid_q;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            diff_valid_q  <= 1'b0;
            prod_valid_q  <= 1'b0;
            shift_valid_q <= 1'b0;
            out_valid_q   <= 1'b0;
//% if image_enable && !secondary_memif_enable
        end else if (!hold) begin
//% else
        end else begin
//% end
            diff_valid_q  <= in_valid & enable;
            prod_valid_q  <= diff_valid_q;
            shift_valid_q <= prod_valid_q;
            out_valid_q   <= enable ? shift_valid_q : in_valid;
        end
    end

//% if image_enable
    // ---- flags of the pixels
    reg [11:0] flags_q;

    always @(posedge clk) begin
        if (image${not_held}) begin
            flags_q     <= {flags_q[7:0], in_flags};
            out_flags_q <= enable ? flags_q[11:8] : in_flags;
        end
    end

//% end
    // |product| < 2^31, so a shift by 32 or more gives 0.
    wire        to_zero      = truncate[5];
//% if image_enable
//%   if !secondary_memif_enable
    wire        move         = ~hold;
//%   end
    wire [16:0] minus_offset = 17'd0 - {offset[15], offset};
    wire [17*LANES-1:0] minus_offsets;

    assign minus_offsets[17*LANES-1:17*4] = {(LANES-4){minus_offset}};
//% else
    wire [16:0] minus_offset = 17'd0 - {offset[15], offset};
//% end

    genvar i;
    generate
//% if image_enable
        for (i = 0; i < 4; i = i + 1) begin : gen_component
            wire [15:0] own = one_component ? mean[15:0] : mean[16*i +: 16];
            wire [15:0] of  = image & mean_en ? own : offset;

            assign minus_offsets[17*i +: 17] = 17'd0 - {of[15], of};
        end
//% end
        for (i = 0; i < LANES; i = i + 1) begin : gen_lane
            dla_cdma_cvt_lane u_lane (
                .clk          (clk),
                .enable       (enable),
//% if image_enable
                .minus_offset (minus_offsets[17*i +: 17]),
                .is_unsigned  (image & is_unsigned & (i < 4)),
//% else
                .minus_offset (minus_offset),
//% end
                .scale        (scale),
                .shift        (truncate[4:0]),
                .to_zero      (to_zero),
                .diff_load    (in_valid & enable${and_move}),
                .prod_load    (diff_valid_q${and_move}),
                .shift_load   (prod_valid_q${and_move}),
                .out_load     (${out_load}),
                .in_byte      (in_data[8*i +: 8]),
                .out_byte_q   (out_data[8*i +: 8])
            );
        end
    endgenerate

endmodule

`default_nettype wire
