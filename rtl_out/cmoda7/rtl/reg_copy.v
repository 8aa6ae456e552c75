// Register with copies: each of them drives a part of the loads of a signal. The attributes keep
// tools from making one register of equal ones again: Vivado reads the one of `q`, Yosys that of
// the block, which survives flattening. Reset: 0.
`default_nettype none

module reg_copy #(
    parameter W = 1
) (
    input  wire         clk,
    input  wire         rst_n,
    input  wire [W-1:0] d,
    (* dont_touch = "true" *)
    output reg  [W-1:0] q
);

    (* keep *)
    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) q <= {W{1'b0}};
        else        q <= d;
    end

endmodule

`default_nettype wire
