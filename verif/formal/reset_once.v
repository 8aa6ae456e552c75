// Reset in the first cycle of a proof, never again.
`default_nettype none

module reset_once (
    input  wire clk,
    output wire rst_n
);

    reg up_q = 1'b0;

    always @(posedge clk) up_q <= 1'b1;

    assign rst_n = up_q;

endmodule

`default_nettype wire
