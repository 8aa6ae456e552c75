// Tells the reset at power-on from later ones, for state that has to outlive these.
// por_n falls with rst_n, but stays high once rst_n has been high for 34 cycles of clk. Until then
// it follows rst_n.
// At power-on por_n may be late by one edge of clk: rst_n must be low over at least one.
//
// The memory of this is a shift register without reset. A high rst_n leaves a pattern in it that
// neither equal bits nor random ones are mistaken for: it inverts at every stage, so flops that
// power up to all 0 (FPGA) or all 1 never match, and random ones once in 2^32 times. A technology
// with a power-on reset of its own replaces this module.
`default_nettype none

module power_on_reset (
    input  wire clk,
    input  wire rst_n,                // released in step with clk
    output wire por_n
);

    reg         awake_q;              // rst_n as data, a cycle later
    reg  [31:0] seen_q;
    reg         known_q;              // `seen`, to leave from a register
    wire        seen = seen_q == 32'h5555_5555;

    assign por_n = rst_n || known_q;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) awake_q <= 1'b0;
        else        awake_q <= 1'b1;
    end

    // In this order also an unknown `seen` in simulation shifts. Holding, not loading the pattern:
    // a flop that is set may power up set.
    always @(posedge clk) begin
        known_q <= seen;
        if (seen) seen_q <= seen_q;
        else      seen_q <= {~seen_q[30:0], awake_q};
    end

endmodule

`default_nettype wire
