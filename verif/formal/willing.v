// Assumes that `yes` is 1 at least once in LIMIT + 1 cycles in which `asked` is: the other side
// does not wait for ever.
`default_nettype none

module willing #(
    parameter LIMIT = 2
) (
    input wire clk,
    input wire rst_n,
    input wire asked,
    input wire yes
);

    reg [3:0] no_q;

    always @(posedge clk) no_q <= rst_n && asked && !yes ? no_q + 4'd1 : 4'd0;

    always @(posedge clk) if (rst_n && asked && no_q >= LIMIT) assume (yes);

endmodule

`default_nettype wire
