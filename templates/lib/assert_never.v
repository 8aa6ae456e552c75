// A rule of its own, checked in simulation: `broken` is low in every cycle. Otherwise the
// simulation ends and names this instance, the time and the rule. Without MACRAME_ASSERT there is
// no such module.
`default_nettype none

`ifdef MACRAME_ASSERT
module assert_never #(
    parameter RULE = "never"          // text
) (
    input wire clk,
    input wire rst_n,
    input wire broken
);

    // verilator coverage_off
    reg was_reset_q;                  // what is there before the first reset counts for nothing

    initial was_reset_q = 1'b0;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            was_reset_q <= 1'b1;
        end else if (was_reset_q && broken) begin
            $display("%m at %0t: %0s", $realtime, RULE);
            $stop;
        end
    end

endmodule
`endif

`default_nettype wire
