// Made by macrame 0.1.0 from templates/systolic/store/systolic_scale.v
// with groups=1 in_bytes=1

// A lane of STORE with `requantise`, and its part of the scale memory:
//
//   y = ((x + bias) * multiplier, shifted to the right and rounded) + zero point, clamped
//
//   x -> + bias -> product, 2 stages -> shift by 8s -> shift by 1s -> + zero point, clamp -> y_q
//
// x + bias wraps, the product is exact. Halves are rounded up. After the shift 18 bits are enough:
// what does not fit is beyond the clamp, whatever the zero point is.
// Latency 6 cycles, does not stall; `at` comes with x. No reset.
`default_nettype none

module systolic_scale (
    input  wire        clk,

    // scale memory
    input  wire        write,
    input  wire [1:0]  write_word,
    input  wire [1:0]  write_at,
    input  wire [31:0] write_data,

    // elements
    input  wire [1:0]  load,          // the product's stages have an element
    input  wire [1:0]  at,
    input  wire [31:0] x,
    output reg  [7:0] y_q
);

    localparam PLACES = 4;
    localparam AT_W   = 2;

    // ------------------------------------------------------------------ scale memory
    wire [31:0] bias;
    wire [17:0] multiplier;
    wire [21:0] zero_shift;           // zero point, shift
    wire [31:0] limits;               // highest and lowest value
    wire [AT_W-1:0]   shift_at  = at; // the same for all elements of a transfer
    wire [AT_W-1:0]   limits_at = at;

    sram_dist_1r1w #(.W(32), .DEPTH(PLACES)) u_bias (
        .clk(clk), .we(write && write_word == 2'd0), .waddr(write_at), .wdata(write_data),
        .raddr(at), .rdata(bias)
    );
    sram_dist_1r1w #(.W(18), .DEPTH(PLACES)) u_multiplier (
        .clk(clk), .we(write && write_word == 2'd1), .waddr(write_at), .wdata(write_data[17:0]),
        .raddr(at), .rdata(multiplier)
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
    reg  signed [31:0] sum_q;
    reg  signed [17:0] multiplier_q;
    wire signed [49:0] product;

    always @(posedge clk) begin
        sum_q        <= x + bias;
        multiplier_q <= multiplier;
    end

    mult_pipe #(.A_W(32), .B_W(18)) u_product (
        .clk(clk), .load(load), .a(sum_q), .b(multiplier_q), .p_q(product)
    );

    // ------------------------------------------------------------------ shift
    //   bit 0 of a word is the bit below the result: 1 rounds up
    wire signed [50:0] word     = {product, 1'b0};
    wire        [5:0]  distance = {zero_shift[5:3], 3'd0};
    wire signed [50:0] coarse   = word >>> distance;
    reg  signed [50:0] coarse_q;
    reg         [2:0]  fine_q;
    reg         [15:0] zero1_q;
    wire signed [50:0] fine     = coarse_q >>> fine_q;
    wire               fits     = fine[50:18] == {33{fine[50]}};
    reg         [17:0] value_q;
    reg                up_q;
    reg         [15:0] zero2_q;

    always @(posedge clk) begin
        coarse_q <= coarse;
        fine_q   <= zero_shift[2:0];
        zero1_q  <= zero_shift[21:6];
        value_q  <= fits ? fine[18:1] : {fine[50], {17{!fine[50]}}};
        up_q     <= fits && fine[0];
        zero2_q  <= zero1_q;
    end

    // ------------------------------------------------------------------ zero point, clamp
    wire signed [19:0] value   = {{2{value_q[17]}}, value_q} + {{4{zero2_q[15]}}, zero2_q}
                                 + {19'd0, up_q};
    wire signed [19:0] lowest  = {{4{limits[15]}}, limits[15:0]};
    wire signed [19:0] highest = {{4{limits[31]}}, limits[31:16]};
    wire signed [19:0] clamped = value < lowest ? lowest : value > highest ? highest : value;

    always @(posedge clk) y_q <= clamped[7:0];

    wire unused_bits = &{1'b0, clamped};

endmodule

`default_nettype wire
