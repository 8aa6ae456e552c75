// Makes a reset that is asserted at once and released two clk edges after arst_n rises.
`default_nettype none

module reset_sync (
    input  wire clk,
    input  wire arst_n,               // asynchronous reset, active low
    output wire rst_n                 // released in step with clk
);

    // A flop each: only the second resets others.
    (* async_reg = "true" *)
    reg first_q;
    (* async_reg = "true" *)
    reg rst_n_q;

    assign rst_n = rst_n_q;

    always @(posedge clk or negedge arst_n) begin
        if (!arst_n) begin
            first_q <= 1'b0;
            rst_n_q <= 1'b0;
        end else begin
            first_q <= 1'b1;
            rst_n_q <= first_q;
        end
    end

endmodule

`default_nettype wire
