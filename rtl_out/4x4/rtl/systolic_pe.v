// Made by macrame 0.1.0 from templates/systolic/array/systolic_pe.v
// with in_width=8 product_w=16 sum_w=18 weight_width=8

// Processing element: sum_q = sum_in + x * weight.
//
//     x_in --> x_q --+-----------------------> x_q, east
//                    * weight --> product
//     sum_in -----------------------> + -----> sum_q, south
//
// sum_in comes two cycles after its x_in; latency 3 cycles from x_in, 1 from sum_in. One x per
// cycle. `move` takes the weight above into the second register, `swap` that one into use, from the
// x_in of the same cycle on. Both go east with x. No reset: rows without weights multiply zeros.
`default_nettype none

module systolic_pe (
    input  wire               clk,
    input  wire               move,
    input  wire               swap,
    input  wire signed [ 7:0]  x_in,
    input  wire signed [ 7:0]  weight_in,
    input  wire        [17:0]  sum_in,
    output reg                move_q,
    output reg                swap_q,
    output reg  signed [ 7:0]  x_q,
    output reg  signed [ 7:0]  next_q,       // weight of the next fold, south
    output reg         [17:0]  sum_q
);

    reg  signed [ 7:0] weight_q;
    reg  signed [15:0] product_q;

`ifndef SYNTHESIS
    // Simulators with four states take 0 * X for X, which hardware has not.
    initial {next_q, weight_q} = {16{1'b1}};
`endif

    always @(posedge clk) begin
        move_q    <= move;
        swap_q    <= swap;
        x_q       <= x_in;
        if (move) next_q   <= weight_in;
        if (swap) weight_q <= next_q;
        product_q <= x_q * weight_q;
        sum_q     <= sum_in + {{2{product_q[15]}}, product_q};
    end

endmodule

`default_nettype wire
