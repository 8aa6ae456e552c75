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
    input  wire signed [${in_width - 1:2}:0]  x_in,
    input  wire signed [${weight_width - 1:2}:0]  weight_in,
    input  wire        [${sum_w - 1:2}:0]  sum_in,
    output reg                move_q,
    output reg                swap_q,
    output reg  signed [${in_width - 1:2}:0]  x_q,
    output reg  signed [${weight_width - 1:2}:0]  next_q,       // weight of the next fold, south
    output reg         [${sum_w - 1:2}:0]  sum_q
);

    reg  signed [${weight_width - 1:2}:0] weight_q;
    reg  signed [${product_w - 1:2}:0] product_q;

`ifndef SYNTHESIS
    // Simulators with four states take 0 * X for X, which hardware has not.
    initial {next_q, weight_q} = {${2 * weight_width}{1'b1}};
`endif

    always @(posedge clk) begin
        move_q    <= move;
        swap_q    <= swap;
        x_q       <= x_in;
        if (move) next_q   <= weight_in;
        if (swap) weight_q <= next_q;
        product_q <= x_q * weight_q;
//% if sum_w > product_w
        sum_q     <= sum_in + {{${sum_w - product_w}{product_q[${product_w - 1}]}}, product_q};
//% else
        sum_q     <= sum_in + product_q;
//% end
    end

endmodule

`default_nettype wire
