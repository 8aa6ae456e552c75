// Made by macrame 0.1.0 from templates/dla/cdp/dla_cdp_in_lane.v

// One lane of CDP's input: convertor, then the square.
//
// Contract: 4 cycles in which `move` is high; one element per such cycle. No reset: data only.
`default_nettype none

module dla_cdp_in_lane (
    input  wire               clk,
    input  wire               move,          // all stages advance
    input  wire               running,       // a layer is under way

    input  wire signed [7:0]  offset,
    input  wire signed [15:0] scale,
    input  wire        [4:0]  shift,

    input  wire signed [7:0]  in_data,
    input  wire               in_real,       // 0: padding channel, becomes 0
    output reg  signed [8:0]  out_v_q,       // converted
    output reg         [16:0] out_square_q
);

    reg signed [8:0]  diff_q;
    reg signed [24:0] product_q;
    reg signed [8:0]  v_q;
    reg        [1:0]  real_q;

    wire signed [24:0] product = diff_q * scale;
    wire signed [8:0]  rounded;
    wire               unused_sat;
    wire signed [17:0] square = v_q * v_q;
    wire               unused_sign = square[17];   // (-256)^2 = 2^16

    round_shift #(.IN_W(25), .SHIFT_W(5), .OUT_W(9)) u_round (
        .en(running), .in(product_q), .shift(shift), .out(rounded), .sat(unused_sat)
    );

    always @(posedge clk) begin
        if (move) begin
            real_q       <= {real_q[0], in_real};
            diff_q       <= {in_data[7], in_data} - {offset[7], offset};
            product_q    <= product;
            v_q          <= real_q[1] ? rounded : 9'sd0;
            out_v_q      <= v_q;
            out_square_q <= square[16:0];
        end
    end

endmodule

`default_nettype wire
