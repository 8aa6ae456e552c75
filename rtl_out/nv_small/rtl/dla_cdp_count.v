// Made by macrame 0.1.0 from templates/dla/cdp/dla_cdp_count.v
// with cdp_throughput=1

// Counters of a CDP layer: what the tables met, and cycles in which a write waited.
//
// Every element counts in one of the table counters, which stick at all ones.
// Contract: takes what comes; counts one cycle later. `start` clears. No reset.
`default_nettype none

module dla_cdp_count (
    input  wire        clk,
    input  wire        start,
    input  wire        in_valid,
    input  wire [ 4:0] in_event,        // 5 of each element
    output reg  [31:0] uflow_q,
    output reg  [31:0] oflow_q,
    output reg  [31:0] hybrid_q,
    output reg  [31:0] le_hit_q,
    output reg  [31:0] lo_hit_q,
    input  wire        stall,
    output reg  [31:0] stall_q
);

    localparam LANES = 1;

    reg     count_q;
    integer lane;
    reg [3:0] uflow, uflow_now_q;
    reg [3:0] oflow, oflow_now_q;
    reg [3:0] hybrid, hybrid_now_q;
    reg [3:0] le_hit, le_hit_now_q;
    reg [3:0] lo_hit, lo_hit_now_q;

    always @* begin
        uflow = 4'd0;
        oflow = 4'd0;
        hybrid = 4'd0;
        le_hit = 4'd0;
        lo_hit = 4'd0;
        for (lane = 0; lane < LANES; lane = lane + 1) begin
            uflow = uflow + {3'd0, in_event[5*lane + 0]};
            oflow = oflow + {3'd0, in_event[5*lane + 1]};
            hybrid = hybrid + {3'd0, in_event[5*lane + 2]};
            le_hit = le_hit + {3'd0, in_event[5*lane + 3]};
            lo_hit = lo_hit + {3'd0, in_event[5*lane + 4]};
        end
    end

    function [31:0] plus;
        input [31:0] total;
        input [3:0]  step;
        reg   [32:0] next;
    begin
        next = {1'b0, total} + {29'd0, step};
        plus = next[32] ? 32'hffffffff : next[31:0];
    end
    endfunction

    always @(posedge clk) begin
        count_q <= in_valid;
        uflow_now_q <= uflow;
        oflow_now_q <= oflow;
        hybrid_now_q <= hybrid;
        le_hit_now_q <= le_hit;
        lo_hit_now_q <= lo_hit;
        if (start) begin
            uflow_q <= 32'd0;
            oflow_q <= 32'd0;
            hybrid_q <= 32'd0;
            le_hit_q <= 32'd0;
            lo_hit_q <= 32'd0;
            stall_q <= 32'd0;
        end else begin
            if (count_q) begin
                uflow_q <= plus(uflow_q, uflow_now_q);
                oflow_q <= plus(oflow_q, oflow_now_q);
                hybrid_q <= plus(hybrid_q, hybrid_now_q);
                le_hit_q <= plus(le_hit_q, le_hit_now_q);
                lo_hit_q <= plus(lo_hit_q, lo_hit_now_q);
            end
            if (stall) stall_q <= stall_q + 32'd1;
        end
    end

endmodule

`default_nettype wire
