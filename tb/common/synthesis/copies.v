// Two equal registers and two equal resets, which synthesis has to leave as they are.
`default_nettype none

module copies (
    input  wire       clk,
    input  wire       rst_n,
    input  wire       d,
    output wire [1:0] q,
    output wire [1:0] copy_n
);

    genvar i;
    generate
        for (i = 0; i < 2; i = i + 1) begin : gen_copy
            reg_copy u_reg (.clk (clk), .rst_n (rst_n), .d (d), .q (q[i]));
            reset_copy u_reset (
                .clk        (clk),
                .rst_n      (rst_n),
                .test_mode  (1'b0),
                .test_rst_n (1'b0),
                .copy_n     (copy_n[i])
            );
        end
    endgenerate

endmodule

`default_nettype wire
