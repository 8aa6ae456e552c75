// Register that elsewhere is kept apart from equal ones, to drive a part of their loads. In a small
// FPGA one of them is enough, and tools may find that. Reset: 0.
`default_nettype none

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
