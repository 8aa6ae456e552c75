// A valid stays until it is taken, and its payload with it: asserted, or assumed of an input.
`default_nettype none

module held #(
    parameter W      = 1,
    parameter ASSUME = 0
) (
    input wire         clk,
    input wire         rst_n,
    input wire         valid,
    input wire         ready,
    input wire [W-1:0] data
);

    reg         stalled_q;
    reg [W-1:0] data_q;

    always @(posedge clk) begin
        stalled_q <= rst_n && valid && !ready;
        data_q    <= data;
    end

    always @(posedge clk) begin
        if (rst_n && stalled_q) begin
            if (ASSUME != 0) assume (valid && data == data_q);
            else             assert (valid && data == data_q);
        end
    end

endmodule

`default_nettype wire
