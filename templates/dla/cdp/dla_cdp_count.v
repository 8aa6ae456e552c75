// Counters of a CDP layer: what the tables met, and cycles in which a write waited.
//
// Every element counts in one of the table counters, which stick at all ones.
// Contract: takes what comes; counts one cycle later. `start` clears. No reset.
`default_nettype none

module dla_cdp_count (
    input  wire        clk,
    input  wire        start,
    input  wire        in_valid,
    input  wire [${5 * cdp_throughput - 1:2}:0] in_event,        // 5 of each element
//% for c in counters
    output reg  [31:0] ${c.name}_q,
//% end
    input  wire        stall,
    output reg  [31:0] stall_q
);

    localparam LANES = ${cdp_throughput};

    reg     count_q;
    integer lane;
//% for c in counters
    reg [3:0] ${c.name}, ${c.name}_now_q;
//% end

    always @* begin
//% for c in counters
        ${c.name} = 4'd0;
//% end
        for (lane = 0; lane < LANES; lane = lane + 1) begin
//% for c in counters
            ${c.name} = ${c.name} + {3'd0, in_event[5*lane + ${c.bit}]};
//% end
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
//% for c in counters
        ${c.name}_now_q <= ${c.name};
//% end
        if (start) begin
//% for c in counters
            ${c.name}_q <= 32'd0;
//% end
            stall_q <= 32'd0;
        end else begin
            if (count_q) begin
//% for c in counters
                ${c.name}_q <= plus(${c.name}_q, ${c.name}_now_q);
//% end
            end
            if (stall) stall_q <= stall_q + 32'd1;
        end
    end

endmodule

`default_nettype wire
