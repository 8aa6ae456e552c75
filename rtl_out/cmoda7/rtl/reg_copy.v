// Register with copies: each of them drives a part of the loads of a signal. The attribute keeps
// tools from making one register of equal ones again. Reset: 0.
`default_nettype none

(* keep_hierarchy = "yes" *)
module reg_copy #(
    parameter W = 1
) (
    input  wire         clk,
    input  wire         rst_n,
    input  wire [W-1:0] d,
    output reg  [W-1:0] q
);

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) q <= {W{1'b0}};
        else        q <= d;
    end

endmodule

`default_nettype wire
