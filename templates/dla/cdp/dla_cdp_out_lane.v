// One lane of CDP's output: multiplier and convertor.
//
// Contract: 4 cycles in which `move` is high; one element per such cycle. No reset: data only.
`default_nettype none

module dla_cdp_out_lane (
    input  wire               clk,
    input  wire               move,          // all stages advance
    input  wire               running,       // a layer is under way

    input  wire               mul_bypass,
    input  wire signed [24:0] offset,
    input  wire signed [15:0] scale,
    input  wire        [5:0]  shift,

    input  wire signed [15:0] in_y,          // from the table
    input  wire signed [8:0]  in_v,          // converted input
    output reg  signed [7:0]  out_data_q
);

    reg signed [24:0] m_q;
    reg signed [25:0] diff_q;
    reg signed [41:0] product_q;

    wire signed [8:0]  factor  = mul_bypass ? 9'sd1 : in_v;
    wire signed [24:0] m       = in_y * factor;
    wire signed [41:0] product = diff_q * scale;
    wire signed [7:0]  rounded;
    wire               unused_sat;

    round_shift #(.IN_W(42), .SHIFT_W(6), .OUT_W(8)) u_round (
        .en(running), .in(product_q), .shift(shift), .out(rounded), .sat(unused_sat)
    );

    always @(posedge clk) begin
        if (move) begin
            m_q        <= m;
            diff_q     <= {m_q[24], m_q} - {offset[24], offset};
            product_q  <= product;
            out_data_q <= rounded;
        end
    end

endmodule

`default_nettype wire
