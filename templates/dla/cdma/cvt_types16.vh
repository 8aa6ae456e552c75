//# dla_cdma_cvt where there are elements of 16 bits: a word per element.
// Input convertor: out = sat(R((in - offset) * scale, truncate)) in every element, R rounding half
// away from zero; with `enable` low the atom passes unchanged.
//
//% if image_enable
// Pixels have up to four components, in the lanes of the first four elements of an atom. Their
// results have 16 bits each, or 17 on their way to fp16.
//
//% end
// Contract: one atom per cycle, cannot stall. Latency 0 cycles bypassed, 3 cycles converting; who
// takes an atom has a register for it.
// `hold` stops all of it; an atom at the output stays there.  //% if image_enable && !secondary_memif_enable
// `enable` and the coefficients may change only while no atom is on its way and none comes in the
// next cycle. Nothing moves while `enable` is low. Reset: no atom on its way.
`default_nettype none

module dla_cdma_cvt (
    input  wire                       clk,
    input  wire                       rst_n,

    input  wire                       enable,
    input  wire [15:0]                offset,       // signed  //% if types.features
    input  wire [15:0]                scale,        // signed
    input  wire [5:0]                 truncate,     // right shift
    input  wire                       to_8,         // bits of the results
//% if image_enable
    input  wire                       to_17,        // else 16
    input  wire                       image,        // pixels  //% if types.features
    input  wire [67:0]                px_offset,    // signed 17 bit for each component: minus it
    input  wire [67:0]                px_data,      // signed 17 bit each
    output wire [67:0]                px_result,
    input  wire                       hold,         // nothing moves  //% if !secondary_memif_enable
//% end

    input  wire                       in_valid,
//% if types.features
    input  wire [${atom_bits - 1:3}:0]               in_data,
    output wire [${atom_bits - 1:3}:0]               out_data,
//% end
    output wire                       out_valid
);

    localparam WORDS = ${types.words};

//% include "cdma/cvt_valid.vh"

    wire [16:0] minus_offset = 17'd0 - {offset[15], offset};  //% if types.features
    wire        diff_load    = in_valid && enable${not_held};
    wire        prod_load    = diff_valid_q${not_held};
    wire        shift_load   = prod_valid_q${not_held};
    genvar i;

    generate
        for (i = 0; i < WORDS; i = i + 1) begin : gen_word
            wire [16:0] word, minus, result;

//% if types.features
            wire [15:0] in   = in_data[16*i +: 16];
            wire [16:0] cube = ${types.mix ? "to_8 ? {{9{in[7]}}, in[7:0]} : " : ""}{in[15], in};

//% end
//% if image_enable && types.features
            if (i < 4) begin : gen_component
                assign word  = image ? px_data[17*i +: 17] : cube;
                assign minus = image ? px_offset[17*i +: 17] : minus_offset;
                assign px_result[17*i +: 17] = enable ? result : px_data[17*i +: 17];
            end else begin : gen_cube
                assign word  = cube;
                assign minus = minus_offset;
            end
//% elif image_enable
            assign word  = px_data[17*i +: 17];
            assign minus = px_offset[17*i +: 17];
            assign px_result[17*i +: 17] = enable ? result : word;
//% else
            assign word  = cube;
            assign minus = minus_offset;
//% end

            dla_cdma_cvt_word u_word (
                .clk          (clk),
                .rst_n        (rst_n),
                .minus_offset (minus),
                .scale        (scale),
                .truncate     (truncate),
                .to_8         (to_8),
                .to_17        (${image_enable ? "to_17" : "1'b0"}),
                .diff_load    (diff_load),
                .prod_load    (prod_load),
                .shift_load   (shift_load),
                .in_word      (word),
                .out_word     (result)
            );
//% if types.mix

            // The second byte of the two.
            wire [7:0]  odd;

            dla_cdma_cvt_lane u_odd (
                .clk          (clk),
                .rst_n        (rst_n),
                .cvt_en       (1'b1),
                .minus_offset (minus_offset),
                .scale        (scale),
                .truncate     (truncate),
                .is_unsigned  (1'b0),  //% if image_enable
                .diff_load    (diff_load),
                .prod_load    (prod_load),
                .shift_load   (shift_load),
                .in_byte      (in[15:8]),
                .out_byte     (odd)
            );

            assign out_data[16*i +: 16] = !enable ? in : to_8 ? {odd, result[7:0]} : result[15:0];
//% elif types.features
            assign out_data[16*i +: 16] = enable ? result[15:0] : in;
//% end
//% if types.features

            wire unused_bits = &{1'b0, result[16]};
//% end
        end
    endgenerate

endmodule

`default_nettype wire
