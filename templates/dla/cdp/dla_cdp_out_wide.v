// One lane of CDP's output for 16-bit elements: multiplier and convertor.
//
// Contract: 6 cycles from in_y, one element per cycle, nothing stalls. No reset: data only.
`default_nettype none

module dla_cdp_out_wide (
    input  wire               clk,

    input  wire               narrow,        // elements of 8 bits  //% if int8
    input  wire               mul_bypass,
    input  wire signed [31:0] offset,
    input  wire signed [15:0] scale,
    input  wire        [5:0]  shift,

    input  wire signed [16:0] in_v,          // converted input, a cycle before in_y
    input  wire signed [15:0] in_y,          // from the table
    input  wire        [1:0]  mul_load,      // there is an element 2, 3 cycles behind in_y
    input  wire        [1:0]  round_load,    // 4, 5
    output wire signed [15:0] out_data,
    output wire               out_sat
);

    reg signed [16:0] factor_q;
    reg signed [32:0] m_q;
    reg signed [33:0] diff_q;

    wire signed [32:0] m = in_y * factor_q;
    wire signed [49:0] product;
    wire signed [15:0] out16;
    wire               sat16;

    mult_pipe #(.A_W(34), .B_W(16)) u_product (
        .clk(clk), .load(mul_load), .a(diff_q), .b(scale), .p_q(product)
    );

    round_shift_pipe #(.IN_W(50), .SHIFT_W(6), .OUT_W(16)) u_round (
        .clk(clk), .load(round_load), .in(product), .shift(shift), .wrap(1'b0),
        .out_q(out16), .sat_q(sat16)
    );

//% if int8
    wire signed [7:0]  out8;
    wire               sat8;
    wire               unused_bits = &{1'b0, product[49:42]};

    round_shift_pipe #(.IN_W(42), .SHIFT_W(6), .OUT_W(8)) u_round_8 (
        .clk(clk), .load(round_load), .in(product[41:0]), .shift(shift), .wrap(1'b0),
        .out_q(out8), .sat_q(sat8)
    );

    assign out_data = narrow ? {{8{out8[7]}}, out8} : out16;
    assign out_sat  = narrow ? sat8 : sat16;
//% else
    assign out_data = out16;
    assign out_sat  = sat16;
//% end

    always @(posedge clk) begin
        factor_q <= mul_bypass ? 17'sd1 : in_v;
        m_q      <= m;
        diff_q   <= {m_q[32], m_q} - {{2{offset[31]}}, offset};
    end

endmodule

`default_nettype wire
