// Read counters of one CDMA channel: cycles a request waits, cycles with reads outstanding.
//
// Contract: both count from 0 after `clear`; stall_q wraps, latency_q saturates. No reset: the
// counts are looked at only at the end of a layer.
`default_nettype none

module dla_cdma_perf (
    input  wire         clk,

    input  wire         clear,         // start of a layer
    input  wire         count_en,      // D_PERF_ENABLE.DMA_EN
    input  wire         stalled,       // request valid and not ready
    input  wire         outstanding,   // at least one read is on its way

    output reg  [31:0]  stall_q,
    output reg  [31:0]  latency_q
);

    always @(posedge clk) begin
        if (clear) begin
            stall_q <= 32'd0;
        end else if (count_en && stalled) begin
            stall_q <= stall_q + 32'd1;
        end

        if (clear) begin
            latency_q <= 32'd0;
        end else if (count_en && outstanding && !(&latency_q)) begin
            latency_q <= latency_q + 32'd1;
        end
    end

endmodule

`default_nettype wire
