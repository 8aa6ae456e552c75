// Rules of the data of an AXI master, checked in simulation: wlast is at the last beat of a burst
// and at no other, in the order of the addresses; data may go ahead of their address. A broken rule
// ends the simulation and names this instance, the time and the rule. Without MACRAME_ASSERT there
// is no such module.
`default_nettype none

`ifdef MACRAME_ASSERT
module assert_axi_write #(
    parameter LEN_W = 8               // bits of awlen
) (
    input wire             clk,
    input wire             rst_n,
    input wire             awvalid,
    input wire             awready,
    input wire [LEN_W-1:0] awlen,     // beats - 1
    input wire             wvalid,
    input wire             wready,
    input wire             wlast
);

    // verilator coverage_off
    // Lengths by address and by wlast; those that were compared are over.
    reg [LEN_W-1:0] asked [0:1023];
    reg [LEN_W-1:0] sent [0:1023];
    reg [9:0]       asked_q;          // addresses
    reg [9:0]       sent_q;           // bursts with all their data
    reg [9:0]       equal_q;          // bursts that were compared
    reg [LEN_W-1:0] beat_q;           // of the burst under way
    wire            known = asked_q != sent_q && sent_q == equal_q;   // its length

    // Nothing before the first reset, too.
    initial begin
        asked_q = 10'd0;
        sent_q  = 10'd0;
        equal_q = 10'd0;
        beat_q  = {LEN_W{1'b0}};
    end

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            asked_q <= 10'd0;
            sent_q  <= 10'd0;
            equal_q <= 10'd0;
            beat_q  <= {LEN_W{1'b0}};
        end else begin
            if (awvalid && awready) asked_q <= asked_q + 10'd1;
            if (wvalid && wready) begin
                beat_q <= wlast ? {LEN_W{1'b0}} : beat_q + {{(LEN_W-1){1'b0}}, 1'b1};
                if (wlast) sent_q <= sent_q + 10'd1;
                if (known && !wlast && beat_q >= asked[sent_q]) begin
                    $display("%m at %0t: the last beat of a burst has wlast", $realtime);
                    $stop;
                end
            end
            if (equal_q != asked_q && equal_q != sent_q) begin
                equal_q <= equal_q + 10'd1;
                if (asked[equal_q] != sent[equal_q]) begin
                    $display("%m at %0t: wlast is at the last beat of a burst", $realtime);
                    $stop;
                end
            end
        end
    end

    always @(posedge clk) begin
        if (awvalid && awready) asked[asked_q] <= awlen;
        if (wvalid && wready && wlast) sent[sent_q] <= beat_q;
    end

endmodule
`endif

`default_nettype wire
