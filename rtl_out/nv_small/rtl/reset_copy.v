// Reset with copies: each of them resets one unit, near to it. Begins at once, ends a cycle after
// rst_n. In scan tests the reset is a pin. The attributes keep tools from making one register of
// equal ones again: Vivado reads the one of the register, Yosys that of the block.
`default_nettype none

module reset_copy (
    input  wire clk,
    input  wire rst_n,
    input  wire test_mode,
    input  wire test_rst_n,
    output wire copy_n
);

    (* dont_touch = "true" *)
    reg copy_n_q;

    assign copy_n = test_mode ? test_rst_n : copy_n_q;

    (* keep *)
    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) copy_n_q <= 1'b0;
        else        copy_n_q <= 1'b1;
    end

endmodule

`default_nettype wire
