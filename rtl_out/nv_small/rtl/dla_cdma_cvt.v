// Made by macrame 0.1.0 from templates/dla/cdma/dla_cdma_cvt.v
// with atom_bits=64 atom_bytes=8 image_enable=1 secondary_memif_enable=0 types16=0

// Input convertor: out = sat8(R((in - offset) * scale, truncate)) in every byte lane, R rounding
// half away from zero; with `enable` low the atom passes unchanged.
//
// Contract: one atom per cycle, cannot stall. Latency 0 cycles bypassed, 3 cycles converting; who
// takes an atom has a register for it.
// `hold` stops all of it; an atom at the output stays there.
// `enable` and the coefficients may change only while no atom is on its way and none comes in the
// next cycle.
// Nothing moves while `enable` is low.
// Reset: no atom on its way.
`default_nettype none

module dla_cdma_cvt (
    input  wire                       clk,
    input  wire                       rst_n,

    input  wire                       enable,
    input  wire [135:0]               minus_offset, // signed 17 bit for each lane
    input  wire [15:0]                scale,        // signed
    input  wire [5:0]                 truncate,     // right shift
    input  wire                       is_unsigned,  // bytes of the four low lanes: pixels
    input  wire                       hold,         // nothing moves

    input  wire                       in_valid,
    input  wire [ 63:0]               in_data,
    output wire                       out_valid,
    output wire [ 63:0]               out_data
);

    localparam LANES = 8;

    // ---- valid bits of the pipeline: difference, product, shifted
    reg  diff_valid_q, prod_valid_q, shift_valid_q;

    assign out_valid = enable ? shift_valid_q : in_valid;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            diff_valid_q  <= 1'b0;
            prod_valid_q  <= 1'b0;
            shift_valid_q <= 1'b0;
        end else if (!hold) begin
            diff_valid_q  <= in_valid && enable;
            prod_valid_q  <= diff_valid_q;
            shift_valid_q <= prod_valid_q;
        end
    end

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
                .is_unsigned  (is_unsigned && (i < 4)),
                .diff_load    (in_valid && enable && !hold),
                .prod_load    (diff_valid_q && !hold),
                .shift_load   (prod_valid_q && !hold),
                .in_byte      (in_data[8*i +: 8]),
                .out_byte     (out_data[8*i +: 8])
            );
        end
    endgenerate

endmodule

`default_nettype wire
