//% if types16
// One lane of CDP's output: multiplier and convertor.
//
// Contract: 6 cycles from in_y, as dla_cdp_out_wide; one element per cycle, nothing stalls. No
// reset: data only.
`default_nettype none

module dla_cdp_out_lane (
    input  wire               clk,

    input  wire               mul_bypass,
    input  wire signed [24:0] offset,
    input  wire signed [15:0] scale,
    input  wire        [5:0]  shift,

    input  wire signed [8:0]  in_v,          // converted input, a cycle before in_y
    input  wire signed [15:0] in_y,          // from the table
    input  wire        [1:0]  round_load,    // there is an element 3, 4 cycles behind in_y
    output reg  signed [7:0]  out_data,
    output reg                out_sat
);

    reg signed [8:0]  factor_q;
    reg signed [24:0] m_q;
    reg signed [25:0] diff_q;
    reg signed [41:0] product_q;

    wire signed [24:0] m       = in_y * factor_q;
    wire signed [41:0] product = diff_q * scale;
    wire signed [7:0]  rounded;
    wire               sat;

    round_shift_pipe #(.IN_W(42), .SHIFT_W(6), .OUT_W(8)) u_round (
        .clk(clk), .load(round_load), .in(product_q), .shift(shift), .wrap(1'b0),
        .out_q(rounded), .sat_q(sat)
    );

    always @(posedge clk) begin
        factor_q  <= mul_bypass ? 9'sd1 : in_v;
        m_q       <= m;
        diff_q    <= {m_q[24], m_q} - {offset[24], offset};
        product_q <= product;
        out_data  <= rounded;
        out_sat   <= sat;
    end

endmodule

`default_nettype wire
//% else
// One lane of CDP's output: multiplier and convertor.
//
// Contract: 5 cycles from in_y, one element per cycle, nothing stalls. No reset: data only.
`default_nettype none

module dla_cdp_out_lane (
    input  wire               clk,

    input  wire               mul_bypass,
    input  wire signed [24:0] offset,
    input  wire signed [15:0] scale,
    input  wire        [5:0]  shift,

    input  wire signed [8:0]  in_v,          // converted input, a cycle before in_y
    input  wire signed [15:0] in_y,          // from the table
    input  wire        [1:0]  round_load,    // there is an element 3, 4 cycles behind in_y
    output wire signed [7:0]  out_data
);

    reg signed [8:0]  factor_q;
    reg signed [24:0] m_q;
    reg signed [25:0] diff_q;
    reg signed [41:0] product_q;

    wire signed [24:0] m       = in_y * factor_q;
    wire signed [41:0] product = diff_q * scale;
    wire               unused_sat;

    round_shift_pipe #(.IN_W(42), .SHIFT_W(6), .OUT_W(8)) u_round (
        .clk(clk), .load(round_load), .in(product_q), .shift(shift), .wrap(1'b0),
        .out_q(out_data), .sat_q(unused_sat)
    );

    always @(posedge clk) begin
        factor_q  <= mul_bypass ? 9'sd1 : in_v;
        m_q       <= m;
        diff_q    <= {m_q[24], m_q} - {offset[24], offset};
        product_q <= product;
    end

endmodule

`default_nettype wire
//% end
