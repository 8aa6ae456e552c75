// Makes a reset that is asserted at once and released two clk edges after arst_n rises.
`default_nettype none

module reset_sync (
    input  wire clk,
    input  wire arst_n,               // asynchronous reset, active low
    output wire rst_n                 // released in step with clk
);

    sync_bit #(.STAGES(2)) u_release (.clk(clk), .rst_n(arst_n), .d(1'b1), .q(rst_n));

endmodule

`default_nettype wire
