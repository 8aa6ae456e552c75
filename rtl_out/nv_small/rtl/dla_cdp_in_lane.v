// Made by macrame 0.1.0 from templates/dla/cdp/dla_cdp_in_lane.v

// One lane of CDP's input: convertor, then the square.
//
// Contract: 5 cycles, one element per cycle, nothing stalls. No reset: data only.
`default_nettype none

module dla_cdp_in_lane (
    input  wire               clk,

    input  wire signed [7:0]  offset,
    input  wire signed [15:0] scale,
    input  wire        [4:0]  shift,

    input  wire signed [7:0]  in_data,
    input  wire               in_real,       // 0: padding channel, becomes 0
    input  wire        [1:0]  round_load,    // there is an element 2, 3 cycles behind the input
    output reg  signed [8:0]  out_v_q,       // converted
    output reg         [16:0] out_square_q
);

    reg signed [8:0]  diff_q;
    reg signed [24:0] product_q;
    reg        [3:0]  real_q;

    wire signed [24:0] product = diff_q * scale;
    wire signed [8:0]  rounded;
    wire               unused_sat;
    wire signed [8:0]  v      = rounded & {9{real_q[3]}};
    wire signed [17:0] square = v * v;
    wire               unused_sign = square[17];   // (-256)^2 = 2^16

    round_shift_pipe #(.IN_W(25), .SHIFT_W(5), .OUT_W(9)) u_round (
        .clk(clk), .load(round_load), .in(product_q), .shift(shift), .wrap(1'b0),
        .out_q(rounded), .sat_q(unused_sat)
    );

    always @(posedge clk) begin
        real_q       <= {real_q[2:0], in_real};
        diff_q       <= {in_data[7], in_data} - {offset[7], offset};
        product_q    <= product;
        out_v_q      <= v;
        out_square_q <= square[16:0];
    end

endmodule

`default_nettype wire
