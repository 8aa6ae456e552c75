// Place of an input of the table of SDP: entry and fraction for its distance to START.
//
// Contract: five register stages, each moves with its `load` bit; no reset.
//     in -> | x - START | exponent | shift amount | >> by bytes | >> by bits | -> index + fraction
// One shifter serves both kinds of index: distance / 2^shift in fixed point with 35 fraction bits;
// with an exponential index the shift is the exponent and leaves 1.fraction.
`default_nettype none

module dla_sdp_lut_place #(
    parameter LAST_W = 6               // the table has 2^LAST_W + 1 entries
) (
    input  wire              clk,
    input  wire [4:0]        load,
    input  wire              linear,
    input  wire [7:0]        offset,   // exponential: exponent of entry 0, signed
    input  wire [7:0]        select,   // linear: entries are 2^select apart, signed
    input  wire [31:0]       start,    // signed

    input  wire [31:0]       in_data,  // signed
    output reg               under_q,
    output reg               over_q,
    output reg  [LAST_W-1:0] index_q,
    output reg  [34:0]       fraction_q
);

    // ------------------------------------------------------------------ distance
    reg  [32:0] distance_q;                            // signed

    // ------------------------------------------------------------------ exponent
    reg  [4:0]  exponent;                              // of the highest 1
    reg  [4:0]  exponent_q;
    reg  [31:0] bits_1_q;
    reg         before_q;
    integer     i;

    always @* begin
        exponent = 5'bx;
        i        = 0;      // no latch where the loop does not run
        if (load[1] && !linear) begin
            exponent = 5'd0;
            for (i = 1; i < 32; i = i + 1) begin
                if (distance_q[i]) exponent = i[4:0];
            end
        end
    end

    // ------------------------------------------------------------------ shift amount
    // 8 more than the right shift: selects down to -8 are left shifts, below all is overflow.
    wire [8:0]  exp_index   = {4'd0, exponent_q} - {offset[7], offset};
    wire [8:0]  lin_amount  = {select[7], select} + 9'd8;
    wire [8:0]  exp_over    = exp_index >> LAST_W;
    wire        exp_under   = exp_index[8];
    reg  [31:0] bits_2_q;
    reg  [7:0]  amount_q;
    reg         under_2_q, over_2_q;
    reg  [LAST_W-1:0] exp_index_2_q;

    // ------------------------------------------------------------------ shift
    reg  [74:0] bytes_q;
    reg  [2:0]  rest_q;
    reg         under_3_q, over_3_q;
    reg  [LAST_W-1:0] exp_index_3_q;
    wire [74:0] shifted  = bytes_q >> rest_q;
    wire [39:0] whole    = shifted[74:35];
    wire        lin_over = |whole[39:LAST_W];

    always @(posedge clk) begin
        if (load[0]) distance_q <= {in_data[31], in_data} - {start[31], start};
        if (load[1]) begin
            bits_1_q   <= distance_q[31:0];
            exponent_q <= exponent;
            before_q   <= distance_q[32] || (distance_q == 33'd0);
        end
        if (load[2]) begin
            bits_2_q      <= bits_1_q;
            amount_q      <= linear ? lin_amount[7:0] : {3'd0, exponent_q} + 8'd8;
            exp_index_2_q <= exp_index[LAST_W-1:0];
            under_2_q     <= before_q || (!linear && exp_under);
            over_2_q      <= linear ? lin_amount[8] : |exp_over;
        end
        if (load[3]) begin
            bytes_q       <= {bits_2_q, 43'd0} >> {amount_q[7:3], 3'd0};
            rest_q        <= amount_q[2:0];
            exp_index_3_q <= exp_index_2_q;
            under_3_q     <= under_2_q;
            over_3_q      <= over_2_q;
        end
        if (load[4]) begin
            under_q    <= under_3_q;
            over_q     <= !under_3_q && (over_3_q || (linear && lin_over));
            index_q    <= linear ? whole[LAST_W-1:0] : exp_index_3_q;
            fraction_q <= shifted[34:0];
        end
    end

endmodule

`default_nettype wire
