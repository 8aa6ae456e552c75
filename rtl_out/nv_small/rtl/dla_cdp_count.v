// Made by macrame 0.1.0 from templates/dla/cdp/dla_cdp_count.v
// with cdp_lanes=1 types16=0

// Counters of a CDP layer: what the tables met, and cycles in which a write waited.
//
// Every element counts in one of the table counters, which stick at all ones.
// Contract: takes what comes; counts one cycle later. `start` clears. No reset.
`default_nettype none

module dla_cdp_count (
    input  wire         clk,
    input  wire         start,
    input  wire         in_valid,
    input  wire [  4:0] in_event,        // {LO hit, LE hit, hybrid, overflow, underflow}
    output wire [159:0] counts,          // 32 bits of each event, in this order
    input  wire         stall,
    output reg  [31:0]  stall_q
);

    localparam EVENTS = 5;
    localparam LANES  = 1;

    reg    count_q;
    genvar e;

    generate
        for (e = 0; e < EVENTS; e = e + 1) begin : gen_event
            reg [3:0]  now, now_q;           // elements of this beat
            reg [31:0] total_q;
            integer    lane;
            wire [32:0] next = {1'b0, total_q} + {29'd0, now_q};

            always @* begin
                now = 4'd0;
                for (lane = 0; lane < LANES; lane = lane + 1) begin
                    now = now + {3'd0, in_event[EVENTS*lane + e]};
                end
            end

            always @(posedge clk) begin
                now_q <= now;
                if (start)        total_q <= 32'd0;
                else if (count_q) total_q <= next[32] ? 32'hffffffff : next[31:0];
            end

            assign counts[32*e +: 32] = total_q;
        end
    endgenerate

    always @(posedge clk) begin
        count_q <= in_valid;
        if (start)      stall_q <= 32'd0;
        else if (stall) stall_q <= stall_q + 32'd1;
    end

endmodule

`default_nettype wire
