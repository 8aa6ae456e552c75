// Made by macrame 0.1.0 from templates/tcu/array/tcu_product.v
// with data_w=16 product_stages=1

// Signed product of two scalars, out of DSP blocks.
//
//     a, b --> one block --> p_q         use_dsp: some tools take LUTs for few bits
//
// Latency 1, stage i moves with load[i]. One product per cycle. No reset.
`default_nettype none

module tcu_product (
    input  wire              clk,
    input  wire [ 0:0]       load,     // the input of stage 1, 2 ... is valid
    input  wire signed [15:0] a,
    input  wire signed [15:0] b,
    (* use_dsp = "yes" *)
    output reg  signed [31:0] p_q
);

    always @(posedge clk) begin
        if (load) p_q <= a * b;
    end

endmodule

`default_nettype wire
