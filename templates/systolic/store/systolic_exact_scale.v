// A lane of STORE with `requantise` exact, and its part of the scale memory:
//
//   y = ((x + bias) * multiplier, shifted to the right and rounded) + zero point, clamped
//
//   x -> + bias -> products with both halves of the multiplier, 2 stages -> their sum
//        -> shift by 8s -> shift by 1s -> + zero point, clamp -> y_q
//
// x + bias wraps, the product has all its 64 bits. Rounding:
//   0  halves up
//   1  halves to even
//   2  halves away from zero
//   3  twice, as TFLite: to a multiple of 2^31, halves up, then as 2
// After the shift 18 bits are enough: what does not fit is beyond the clamp, whatever the zero
// point is. Latency 7 cycles, does not stall; `at` comes with x. No reset.
`default_nettype none

module systolic_exact_scale (
    input  wire        clk,

    // scale memory
    input  wire        write,
    input  wire [1:0]  write_word,
    input  wire [${clog2(4 * groups) - 1}:0]  write_at,
    input  wire [31:0] write_data,

    // elements
    input  wire [1:0]  load,          // the products' stages have an element
    input  wire [${clog2(4 * groups) - 1}:0]  at,
    input  wire [31:0] x,
    output reg  [${8 * in_bytes - 1}:0] y_q
);

    localparam PLACES = ${4 * groups};
    localparam AT_W   = ${clog2(4 * groups)};

    // ------------------------------------------------------------------ scale memory
    wire [31:0] bias;
    wire [31:0] multiplier;
    wire [1:0]  rounding;
    wire [21:0] zero_shift;           // zero point, shift
    wire [31:0] limits;               // highest and lowest value
//% if groups > 1
    reg  [6*AT_W-1:0] at_q;           // of the elements in the stages
    wire [AT_W-1:0]   rounding_at = at_q[2*AT_W +: AT_W];
    wire [AT_W-1:0]   shift_at    = at_q[3*AT_W +: AT_W];
    wire [AT_W-1:0]   limits_at   = at_q[5*AT_W +: AT_W];

    always @(posedge clk) at_q <= {at_q[5*AT_W-1:0], at};
//% else
    wire [AT_W-1:0]   rounding_at = at; // the same for all elements of a transfer
    wire [AT_W-1:0]   shift_at    = at;
    wire [AT_W-1:0]   limits_at   = at;
//% end

    sram_dist_1r1w #(.W(32), .DEPTH(PLACES)) u_bias (
        .clk(clk), .we(write && write_word == 2'd0), .waddr(write_at), .wdata(write_data),
        .raddr(at), .rdata(bias)
    );
    sram_dist_1r1w #(.W(32), .DEPTH(PLACES)) u_multiplier (
        .clk(clk), .we(write && write_word == 2'd1), .waddr(write_at), .wdata(write_data),
        .raddr(at), .rdata(multiplier)
    );
    sram_dist_1r1w #(.W(2), .DEPTH(PLACES)) u_rounding (
        .clk(clk), .we(write && write_word == 2'd2), .waddr(write_at), .wdata(write_data[7:6]),
        .raddr(rounding_at), .rdata(rounding)
    );
    sram_dist_1r1w #(.W(22), .DEPTH(PLACES)) u_shift (
        .clk(clk), .we(write && write_word == 2'd2), .waddr(write_at),
        .wdata({write_data[31:16], write_data[5:0]}), .raddr(shift_at), .rdata(zero_shift)
    );
    sram_dist_1r1w #(.W(32), .DEPTH(PLACES)) u_limits (
        .clk(clk), .we(write && write_word == 2'd3), .waddr(write_at), .wdata(write_data),
        .raddr(limits_at), .rdata(limits)
    );

    // ------------------------------------------------------------------ product
    //   with the low 17 bits of the multiplier, without a sign, and with the others
    localparam LOW_W = 17;

    reg  signed [31:0] sum_q;
    reg  [31:0]        multiplier_q;
    wire signed [49:0] low;
    wire signed [46:0] high;
    reg  signed [63:0] product_q;
    reg  [1:0]         rounding_q;
    wire               twice = rounding == 2'd3;
    wire signed [46:0] tops  = high + {{14{low[49]}}, low[49:LOW_W]};

    always @(posedge clk) begin
        sum_q        <= x + bias;
        multiplier_q <= multiplier;
        product_q    <= {tops + {33'd0, twice, 13'd0}, low[LOW_W-1:0]};  // 2^30 rounds
        rounding_q   <= rounding;
    end

    mult_pipe #(.A_W(32), .B_W(LOW_W + 1)) u_low (
        .clk(clk), .load(load), .a(sum_q), .b({1'b0, multiplier_q[LOW_W-1:0]}), .p_q(low)
    );
    mult_pipe #(.A_W(32), .B_W(32 - LOW_W)) u_high (
        .clk(clk), .load(load), .a(sum_q), .b(multiplier_q[31:LOW_W]), .p_q(high)
    );

    // ------------------------------------------------------------------ shift
    //   bit 0 of a word is the bit below the result; lost_q: what is below that is not zero
    wire               first    = rounding_q == 2'd3;  // the low 31 bits are rounded away
    wire signed [64:0] word     = {product_q[63:31], product_q[30:0] & {31{!first}}, 1'b0};
    wire        [5:0]  distance = {zero_shift[5:3], 3'd0};
    wire signed [64:0] coarse   = word >>> distance;
    wire        [63:0] below    = ~({64{1'b1}} << distance);
    reg  signed [64:0] coarse_q;
    reg                lost_q;
    reg         [2:0]  fine_q;
    reg         [1:0]  rounding1_q;
    reg         [15:0] zero1_q;

    always @(posedge clk) begin
        coarse_q    <= coarse;
        lost_q      <= |(word[63:0] & below);
        fine_q      <= zero_shift[2:0];
        rounding1_q <= rounding_q;
        zero1_q     <= zero_shift[21:6];
    end

    wire signed [64:0] fine = coarse_q >>> fine_q;
    wire               fits = fine[64:18] == {47{fine[64]}};
    wire        [6:0]  rest = coarse_q[6:0] & ~({7{1'b1}} << fine_q);
    wire               none = !lost_q && rest == 7'd0;
    wire               tie  = rounding1_q == 2'd0 || (rounding1_q[1] ? !fine[64] : fine[1]);
    reg         [17:0] value_q;
    reg                up_q;
    reg         [15:0] zero2_q;

    always @(posedge clk) begin
        value_q <= fits ? fine[18:1] : {fine[64], {17{!fine[64]}}};
        up_q    <= fits && fine[0] && (tie || !none);
        zero2_q <= zero1_q;
    end

    // ------------------------------------------------------------------ zero point, clamp
    wire signed [19:0] value   = {{2{value_q[17]}}, value_q} + {{4{zero2_q[15]}}, zero2_q}
                                 + {19'd0, up_q};
    wire signed [19:0] lowest  = {{4{limits[15]}}, limits[15:0]};
    wire signed [19:0] highest = {{4{limits[31]}}, limits[31:16]};
    wire signed [19:0] clamped = value < lowest ? lowest : value > highest ? highest : value;

    always @(posedge clk) y_q <= clamped[${8 * in_bytes - 1}:0];

    wire unused_bits = &{1'b0, clamped};

endmodule

`default_nettype wire
