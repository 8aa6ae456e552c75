// Rules of a valid / ready link, checked in simulation: what is offered stays until it is taken,
// and does not change. A broken rule ends the simulation and names this instance, the time and
// the rule. Without MACRAME_ASSERT there is no such module.
`default_nettype none

`ifdef MACRAME_ASSERT
module assert_link #(
    parameter W = 1                   // bits of the payload
) (
    input wire         clk,
    input wire         rst_n,
    input wire         valid,
    input wire         ready,
    input wire [W-1:0] payload        // a constant if there is none
);

    // verilator coverage_off
    reg         stalled_q;            // in the cycle before
    reg [W-1:0] payload_q;            // what waited then

    initial stalled_q = 1'b0;         // before the first reset, too

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            stalled_q <= 1'b0;
        end else begin
            stalled_q <= valid && !ready;
            if (stalled_q && !valid) begin
                $display("%m at %0t: valid stays until ready", $realtime);
                $stop;
            end
            if (stalled_q && payload != payload_q) begin
                $display("%m at %0t: the payload stays while it waits for ready", $realtime);
                $stop;
            end
        end
    end

    always @(posedge clk) begin
        if (valid && !ready) payload_q <= payload;
    end

endmodule
`endif

`default_nettype wire
