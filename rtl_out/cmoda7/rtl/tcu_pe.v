// Made by macrame 0.1.0 from templates/tcu/array/tcu_pe.v
// with binary_point=8 data_w=16 product_stages=1

// Multiplies and accumulates: z = z_in + x * weight, rounded to the nearest scalar, ties to even,
// and clamped. 16 bits, 8 of them a fraction.
//
//     x, w --> product --> shifted, what was lost --> + z_in, clamped --> z_q
//              load[0:0]   load[1]                    load[2]
//
// z_in comes 2 cycles after its x. Latency 3 from x, 1 from z_in; one x per cycle.
// `take` makes `row` the weight of the next cycle's x. No reset.
`default_nettype none

module tcu_pe (
    input  wire              clk,
    input  wire              take,
    input  wire [15:0]       row,
    input  wire [ 2:0]       load,     // stage 1, 2 ... has something to do
    input  wire [15:0]       x,
    input  wire [15:0]       z_in,
    output reg  [15:0]       z_q
);

    localparam W = 16;
    localparam B = 8;

    reg [W-1:0] weight_q;

    always @(posedge clk) begin
        if (take) weight_q <= row;
    end

    // ---------------------------------------------------------------- product
    wire [2*W-1:0] product;

    tcu_product u_product (
        .clk (clk), .load (load[0:0]), .a (x), .b (weight_q), .p_q (product)
    );

    // ---------------------------------------------------------------- in units of the last bit
    // The sum of W bits and a product of more than W + 1 is clamped whatever its lower bits are.
    wire         negative = product[2*W-1];
    reg  [W:0]   term_q;     // rounded down
    reg          huge_q;     // does not fit
    reg          half_q;     // what was lost is one half or more
    reg          more_q;     // and not just one half

    always @(posedge clk) begin
        if (load[1]) begin
            term_q <= {negative, product[B +: W]};
            huge_q <= product[2*W-2:B+W] != {(W-B-1){negative}};
            half_q <= product[B-1];
            more_q <= product[B-2:0] != {(B-1){1'b0}};
        end
    end

    // ---------------------------------------------------------------- sum
    wire         up    = half_q && (more_q || (term_q[0] ^ z_in[0]));
    wire [W+1:0] sum   = {{2{z_in[W-1]}}, z_in} + {term_q[W], term_q} + {{(W+1){1'b0}}, up};
    wire         below = huge_q ? term_q[W] : sum[W+1];
    wire         clamp = huge_q || (sum[W+1:W-1] != 3'b000 && sum[W+1:W-1] != 3'b111);

    always @(posedge clk) begin
        if (load[2]) z_q <= clamp ? {below, {(W-1){!below}}} : sum[W-1:0];
    end

endmodule

`default_nettype wire
