// What has to be possible: step 101 of a proof claims that it is not, and has to fail.
`default_nettype none

module seen #(
    parameter STEP = 0
) (
    input wire clk,
    input wire rst_n,
    input wire happens
);

    always @(posedge clk) begin
        if (STEP == 101 && rst_n) assert (!happens);
    end

endmodule

`default_nettype wire
