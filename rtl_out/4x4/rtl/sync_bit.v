// Brings one bit into the clock domain of clk through STAGES flops.
// Latency STAGES cycles of clk, one less or more by chance. Reset: q is 0.
`default_nettype none

module sync_bit #(
    parameter STAGES = 2              // flops, at least 2
) (
    input  wire clk,
    input  wire rst_n,
    input  wire d,                    // from another clock domain, must come from a flop
    output wire q
);

    (* async_reg = "true" *)
    reg [STAGES-1:0] sync_q;

    assign q = sync_q[STAGES-1];

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) sync_q <= {STAGES{1'b0}};
        else        sync_q <= {sync_q[STAGES-2:0], d};
    end

endmodule

`default_nettype wire
