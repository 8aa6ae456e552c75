// Place of an fp32 input of the table of SDP: entry and fraction for its distance to START.
//
// Contract: eight register stages, each moves with its `load` bit; no reset.
//     in -> | - START: 5 stages | exponent | >> by bytes | >> by bits | -> index + fraction
// One shifter serves both kinds of index: the significand by the exponent above that of an entry,
// or not at all for the fraction of an exponential index.
`default_nettype none

module dla_sdp_lut_fp_place #(
    parameter LAST_W = 6               // the table has 2^LAST_W + 1 entries
) (
    input  wire              clk,
    input  wire [7:0]        load,
    input  wire              linear,
    input  wire [7:0]        shift,    // exponential: exponent of entry 0; linear: entries are
                                       // 2^shift apart; signed
    input  wire [31:0]       start,    // fp32

    input  wire [31:0]       in_data,  // fp32
    output reg               under_q,
    output reg               over_q,
    output reg  [LAST_W-1:0] index_q,
    output reg  [34:0]       fraction_q
);

    // ------------------------------------------------------------------ distance
    wire [31:0] distance;

    fp_add #(.E(8), .M(23)) u_sub (
        .clk (clk), .load (load[4:0]), .a (in_data), .b ({~start[31], start[30:0]}),
        .sum_q (distance)
    );

    // ------------------------------------------------------------------ exponent above that of an
    // entry, from -255 to 255
    wire        nan     = (&distance[30:23]) && (|distance[22:0]);
    wire [7:0]  exp     = distance[30:23] - 8'd127;
    reg  [8:0]  above_q;                               // signed
    reg         under_5_q;
    reg  [22:0] mant_5_q;

    // ------------------------------------------------------------------ shift
    // 2^LAST_W - 1 is the largest index: exponents up to LAST_W - 1.
    wire        negative = above_q[8];
    wire [8:0]  amount   = linear ? LAST_W[8:0] - 9'd1 - above_q : LAST_W[8:0] - 9'd1;
    wire        too_far  = |amount[8:6];
    wire [LAST_W+34:0] wide = {1'b1, mant_5_q, {(LAST_W+11){1'b0}}};
    reg  [LAST_W+34:0] bytes_q;
    reg  [2:0]         rest_q;
    reg                under_6_q, over_6_q;
    reg  [LAST_W-1:0]  exp_index_6_q;
    wire [LAST_W+34:0] shifted = bytes_q >> rest_q;

    always @(posedge clk) begin
        if (load[5]) begin
            above_q   <= {exp[7], exp} - {shift[7], shift};
            under_5_q <= distance[31] || !(|distance[30:0]) || nan;
            mant_5_q  <= distance[22:0];
        end
        if (load[6]) begin
            bytes_q       <= (linear && too_far) ? {(LAST_W+35){1'b0}}
                                                 : wide >> {amount[5:3], 3'd0};
            rest_q        <= amount[2:0];
            under_6_q     <= under_5_q || (!linear && negative);
            over_6_q      <= !negative && (linear ? above_q >= LAST_W[8:0] : |(above_q >> LAST_W));
            exp_index_6_q <= above_q[LAST_W-1:0];
        end
        if (load[7]) begin
            under_q    <= under_6_q;
            over_q     <= !under_6_q && over_6_q;
            index_q    <= linear ? shifted[LAST_W+34:35] : exp_index_6_q;
            fraction_q <= shifted[34:0];
        end
    end

endmodule

`default_nettype wire
