// Makes a reset that is asserted at once and released two clk edges after arst_n rises, for ECP5.
// Resets of its flops are active high, so this one is kept like that and meets no inverter on its
// way through the chip.
`default_nettype none

module reset_sync (
    input  wire clk,
    input  wire arst_n,               // asynchronous reset, active low
    output wire rst_n                 // released in step with clk
);

    reg [1:0] rst_q;

    assign rst_n = !rst_q[1];

    always @(posedge clk or negedge arst_n) begin
        if (!arst_n) rst_q <= 2'b11;
        else         rst_q <= {rst_q[0], 1'b0};
    end

endmodule

`default_nettype wire
