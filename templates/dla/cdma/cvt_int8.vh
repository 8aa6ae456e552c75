//# dla_cdma_cvt of int8 alone: a lane per byte.
// Input convertor: out = sat8(R((in - offset) * scale, truncate)) in every byte lane, R rounding
// half away from zero; with `enable` low the atom passes unchanged.
//
// Contract: one atom per cycle, cannot stall. Latency 0 cycles bypassed, 3 cycles converting; who
// takes an atom has a register for it.
// `hold` stops all of it; an atom at the output stays there.  //% if image_enable && !secondary_memif_enable
// `enable` and the coefficients may change only while no atom is on its way and none comes in the
// next cycle.
// Nothing moves while `enable` is low.
// Reset: no atom on its way.
`default_nettype none

module dla_cdma_cvt (
    input  wire                       clk,
    input  wire                       rst_n,

    input  wire                       enable,
    input  wire [${17 * atom_bytes - 1:3}:0]               minus_offset, // signed 17 bit for each lane
    input  wire [15:0]                scale,        // signed
    input  wire [5:0]                 truncate,     // right shift
//% if image_enable
    input  wire                       is_unsigned,  // bytes of the four low lanes: pixels
    input  wire                       hold,         // nothing moves  //% if !secondary_memif_enable
//% end

    input  wire                       in_valid,
    input  wire [${atom_bits - 1:3}:0]               in_data,
    output wire                       out_valid,
    output wire [${atom_bits - 1:3}:0]               out_data
);

    localparam LANES = ${atom_bytes};

//% include "cdma/cvt_valid.vh"

    genvar i;
    generate
        for (i = 0; i < LANES; i = i + 1) begin : gen_lane
            dla_cdma_cvt_lane u_lane (
                .clk          (clk),
                .rst_n        (rst_n),
                .cvt_en       (enable),
                .minus_offset (minus_offset[17*i +: 17]),
                .scale        (scale),
                .truncate     (truncate),
                .is_unsigned  (is_unsigned && (i < 4)),  //% if image_enable
                .diff_load    (in_valid && enable${not_held}),
                .prod_load    (diff_valid_q${not_held}),
                .shift_load   (prod_valid_q${not_held}),
                .in_byte      (in_data[8*i +: 8]),
                .out_byte     (out_data[8*i +: 8])
            );
        end
    endgenerate

endmodule

`default_nettype wire
