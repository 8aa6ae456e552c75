// One lane of CDP's input for 16-bit elements: convertor, then the square.
//
// Contract: 5 cycles, one element per cycle, nothing stalls. No reset: data only.
`default_nettype none

module dla_cdp_in_wide (
    input  wire               clk,

    input  wire               narrow,        // elements of 8 bits: 9 bits come out  //% if int8
    input  wire signed [15:0] offset,
    input  wire signed [15:0] scale,
    input  wire        [4:0]  shift,

    input  wire signed [15:0] in_data,
    input  wire               in_real,       // 0: padding channel, becomes 0
    input  wire        [1:0]  round_load,    // there is an element 2, 3 cycles behind the input
    output reg  signed [16:0] out_v_q,       // converted
    output reg         [32:0] out_square_q
);

    reg signed [16:0] diff_q;
    reg signed [32:0] product_q;
    reg        [3:0]  real_q;

    wire signed [32:0] product = diff_q * scale;
    wire signed [16:0] rounded;
    wire               unused_sat;
//% if int8
    wire               fits    = !narrow || rounded[16:8] == 9'h000 || rounded[16:8] == 9'h1ff;
    wire signed [16:0] clamped = fits ? rounded : {{9{rounded[16]}}, {8{!rounded[16]}}};
    wire signed [16:0] v      = clamped & {17{real_q[3]}};
//% else
    wire signed [16:0] v      = rounded & {17{real_q[3]}};
//% end
    wire signed [33:0] square = v * v;
    wire               unused_sign = square[33];   // (-2^16)^2 = 2^32

    round_shift_pipe #(.IN_W(33), .SHIFT_W(5), .OUT_W(17)) u_round (
        .clk(clk), .load(round_load), .in(product_q), .shift(shift), .wrap(1'b0),
        .out_q(rounded), .sat_q(unused_sat)
    );

    always @(posedge clk) begin
        real_q       <= {real_q[2:0], in_real};
        diff_q       <= {in_data[15], in_data} - {offset[15], offset};
        product_q    <= product;
        out_v_q      <= v;
        out_square_q <= square[32:0];
    end

endmodule

`default_nettype wire
